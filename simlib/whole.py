"""Kernels compiled in one go.

Left alone, numba optimises each function that a kernel calls together with all that it calls in turn, makes machine
code of it, and does it all over again for the function that calls it: for a kernel of many small functions most of
the compile time. Within a kernel marked by `compiled_whole` functions are linked only, and the whole is optimised
once. Its speed is nearly the same (a small kernel loses a fiftieth).
"""

from collections.abc import Callable
from typing import Any

from numba.core import event
from numba.core.codegen import CPUCodeLibrary
from numba.core.cpu import CPUContext

_wholes: dict[Any, Callable[[Any], bool]] = {}  # for which argument types each marked kernel is compiled whole
_optimise = CPUCodeLibrary._optimize_final_module
_finalize = CPUCodeLibrary._finalize_final_module
_get_executable = CPUContext.get_executable


class _Compiles(event.Listener):
    """Counts how deep within a marked kernel numba is compiling."""

    def __init__(self) -> None:
        self.depth = 0

    def on_start(self, event: Any) -> None:
        """Go one function deeper, if that is within a marked one."""
        applies = _wholes.get(event.data["dispatcher"])
        self.depth += bool(self.depth) or (applies is not None and applies(event.data["args"]))

    def on_end(self, event: Any) -> None:
        """Come back from a function."""
        self.depth -= bool(self.depth)


_compiles = _Compiles()
event.register("numba:compile", _compiles)


def _optimise_outermost(library: Any) -> None:
    if _compiles.depth <= 1:
        _optimise(library)


def _finalize_outermost(library: Any) -> None:
    if _compiles.depth <= 1:
        _finalize(library)
        return
    library._finalize_dynamic_globals()
    library._finalized = True  # without machine code of its own


def _executable_outermost(context: Any, library: Any, fndesc: Any, env: Any) -> Any:
    if _compiles.depth <= 1:
        return _get_executable(context, library, fndesc, env)
    return [].index  # numba wants something built in, of its own for each function: Python isn't to call it


CPUCodeLibrary._optimize_final_module = _optimise_outermost
CPUCodeLibrary._finalize_final_module = _finalize_outermost
CPUContext.get_executable = _executable_outermost


def compiled_whole(kernel: Any, applies: Callable[[Any], bool] = lambda _: True) -> Any:
    """Mark a jitted function as one that is compiled in one go with all that it calls.

    Parameters
    ----------
    applies : callable
        Takes the numba types of the arguments, and says whether to do so for these.
    """
    _wholes[kernel] = applies
    return kernel
