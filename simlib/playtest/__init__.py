"""Games that people played beside simulated ones: logs, their checks against the rules, and whether they fit.

A game's own part is ``simlib/playtest/<game>.py``. It has

- ``COLUMNS``, what its own columns of a CSV log mean, by name (one that ends in ``_`` is a column a seat),
- ``most(rules)``, a bound of a seat's final score, in 1/unit points,
- ``winners(scores, rules)`` and ``WINS``, how that is said,
- ``read(row, scores, rules)``, which checks scores and own columns of a CSV line and returns its own counts,
- ``recorded(record, rules)``, the own counts of a record,
- ``simulated(row, rules)``, the own counts of simulated games, from the columns of their rows by name,
- ``figures(rules)``, the figures of its own counts.
"""

import importlib
from decimal import Decimal
from types import ModuleType
from typing import Any


def own_part(game: str) -> ModuleType:
    """Return a game's own part."""
    return importlib.import_module(f"{__name__}.{game}")


def unit_of(rules: Any) -> int:
    """Return what scores are counted in: 1/unit points."""
    return int(getattr(rules, "unit", 1))


def points_text(score: int, rules: Any) -> str:
    """Return a score in points, as people write it."""
    return f"{Decimal(score) / unit_of(rules):f}"
