"""The verbs of the designer's loop, a file each: found by looking, each adds itself to the command line."""

import importlib
import pkgutil
from typing import Any


def add_all(verbs: Any) -> None:
    """Add each verb of this folder to the command line."""
    for name in sorted(part.name for part in pkgutil.iter_modules(__path__)):
        importlib.import_module(f"{__name__}.{name}").add(verbs)
