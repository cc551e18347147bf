"""Heavy packages, each imported when something of it is first used.

What is wrong with a request is so told at once, and what pages alone need is imported while kernels compile and play.
Files that name their types in signatures begin with ``from __future__ import annotations``: these are never looked up.
"""

import importlib
from threading import Thread
from typing import TYPE_CHECKING, Any


class Later:
    """A module that is imported, with modules of its own, when one of its names is asked for."""

    def __init__(self, name: str, *parts: str) -> None:
        self._names = name, *(f"{name}.{part}" for part in parts)

    def __getattr__(self, name: str) -> Any:
        """Return what the module calls so."""
        module, *_ = map(importlib.import_module, self._names)
        return getattr(module, name)


if TYPE_CHECKING:
    import matplotlib.backends.backend_svg
    import matplotlib.collections
    import matplotlib.colors
    import matplotlib.figure
    import matplotlib.patches
    import pandas as pd
    from scipy import fft, special
else:
    matplotlib = Later("matplotlib", "backends.backend_svg", "collections", "colors", "figure", "patches")
    pd, special, fft = map(Later, ("pandas", "scipy.special", "scipy.fft"))

__all__ = ["fft", "import_for_pages", "matplotlib", "pd", "special"]


def import_for_pages() -> None:
    """Import what pages are made with in a thread of its own: whoever needs it sooner waits for that."""
    Thread(target=lambda: (pd.DataFrame, matplotlib.figure, importlib.import_module("jinja2"))).start()
