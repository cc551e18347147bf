"""Kernel records as plain objects, to set by hand: the kernel's functions run on them as plain Python."""

from types import SimpleNamespace

import numpy as np


def blank(dtype, record=None):
    """Return a record of the kernel as a plain object with the same fields."""
    fields = {}
    for name in dtype.names:
        kind = dtype[name]
        if kind.base.names is None:
            fields[name] = np.zeros(kind.shape, kind.base) if kind.shape else 0
        else:
            fields[name] = [blank(kind.base) for _ in range(kind.shape[0])]
        if record is not None and kind.base.names is None:
            fields[name] = record[name] if kind.shape else int(record[name])
    return SimpleNamespace(**fields)
