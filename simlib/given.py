"""Records whose type tells the compiler what stands in some of their fields.

In a kernel that is compiled for such records these fields are constants: loops over the seats have a known length,
and what a variant never needs is not there. It is a kernel for one number of players, worth its compile time where
many games are played.
"""

from collections.abc import Iterable
from functools import cache

import numba
import numpy as np
from numba.core.imputils import builtin_registry

MARK = "given"


def given(record: np.ndarray, names: Iterable[str]) -> np.ndarray:
    """Return a copy of records, of a type that tells the compiler some of their values.

    Parameters
    ----------
    record : 1-d array of records
        All with the same values in the fields named.
    names : iterable of str
        Fields of integers.
    """
    facts = tuple((name, int(record[name][0])) for name in names)
    mark = "_".join((MARK, *(f"{name}_{value}" for name, value in facts)))
    kind = np.dtype([*((name, record.dtype[name]) for name in record.dtype.names or ()), (mark, "u8")])
    told = np.zeros(len(record), kind)
    for name in record.dtype.names or ():
        told[name] = record[name]
    _tell(kind, facts)
    return told


@cache
def _tell(kind: np.dtype, facts: tuple[tuple[str, int], ...]) -> None:
    record = numba.from_dtype(kind)
    for name, value in facts:
        _tell_one(record, name, value)


def _tell_one(record: numba.types.Record, name: str, value: int) -> None:
    @builtin_registry.lower_getattr(record, name)
    def constant(context, builder, kind, address):
        return context.get_constant(record.typeof(name), value)
