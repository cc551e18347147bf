"""DataFrames as cells for a page and as CSV: the page rounds, the CSV doesn't."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from simlib.estimates.words import DASH, MINUS
from simlib.heavy import pd
from simlib.languages import say

MOST_ROWS = 300  # on the page; the CSV has all
BYTE_ORDER_MARK = "\ufeff"
RISKY = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class Cell:
    """One cell: what is shown, and how it is set."""

    text: str
    numeric: bool = False
    unknown: bool = False


@dataclass(frozen=True)
class Grid:
    """A table as rows of cells; the first `leading` columns name the rows."""

    heads: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    leading: int
    cut: int


def flat(frame: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """Return a frame with any telling index as its first columns and plain text as names; and how many those are.

    Columns of the result are unnamed positions' own texts: two of one name stay two.
    """
    leading = 0 if _counts(frame.index) else frame.index.nlevels
    shown = frame.copy(deep=False)
    shown.columns = [_name(column) for column in frame.columns]
    if not leading:
        return shown.reset_index(drop=True), 0
    names = ["" if name is None else _name(name) for name in frame.index.names]
    parts = [pd.Series(frame.index.get_level_values(level)) for level in range(leading)]
    flat_frame = pd.concat([*parts, shown.reset_index(drop=True)], axis=1)
    flat_frame.columns = [*names, *shown.columns]
    return flat_frame, leading


def _counts(index: pd.Index) -> bool:
    return index.name is None and index.nlevels == 1 and pd.api.types.is_integer_dtype(index)


def _name(column: object) -> str:
    return " / ".join(str(part) for part in column) if isinstance(column, tuple) else str(column)


def grid(frame: pd.DataFrame) -> Grid:
    """Return a frame as the page shows it: numbers rounded alike within a column, dashes for what isn't known."""
    shown, leading = flat(frame)
    kept = shown.head(MOST_ROWS)
    columns = [_cells(kept.iloc[:, place].tolist()) for place in range(kept.shape[1])]
    if not leading and columns and not any(cell.numeric for cell in columns[0]):
        leading = 1
    heads = [Cell(say(name), any(cell.numeric for cell in column)) for name, column in zip(shown, columns, strict=True)]
    return Grid(tuple(heads), tuple(zip(*columns, strict=True)), leading, len(shown) - len(kept))


def _cells(values: list[Any]) -> list[Cell]:
    figures = [float(value) for value in values if _is_number(value) and math.isfinite(value)]
    numeric = bool(figures) and all(_is_number(value) or _is_missing(value) for value in values)
    places = decimals(figures)
    return [_cell(value, places, numeric) for value in values]


def _cell(value: Any, places: int, numeric: bool) -> Cell:
    if _is_missing(value) or (_is_number(value) and not math.isfinite(value)):
        return Cell(DASH, numeric, unknown=True)
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return Cell(say("yes" if value else "no"))
    if _is_number(value):
        return Cell(figure(value, places), numeric)
    return Cell(say(value if isinstance(value, str) else str(value)))


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real | Decimal) and not isinstance(value, bool)


def _is_missing(value: Any) -> bool:
    return value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and math.isnan(value))


def decimals(figures: Sequence[float]) -> int:
    """Return how many decimals a column of numbers needs: three or four digits for its largest, two for its least.

    Examples
    --------
    >>> decimals([12.345, 3.2]), decimals([0.1234]), decimals([1.0, 250.0])
    (2, 4, 0)
    """
    sizes = [abs(figure) for figure in figures if figure]
    if all(size == round(size) for size in sizes):
        return 0
    most = 2 - math.floor(math.log10(max(sizes) / 2))
    least = 1 - math.floor(math.log10(min(sizes) / 2))
    return max(0, min(least if most < least <= most + 1 else most, 6))


def figure(value: Any, places: int) -> str:
    """Return one number as text; one that rounds to nothing keeps two digits.

    Examples
    --------
    >>> figure(12345.678, 1), figure(0.00012, 2), figure(0.0, 2)
    ('12,345.7', '0.00012', '0.00')
    """
    if isinstance(value, numbers.Integral):
        text = f"{abs(int(value)):,}" + (f".{'0' * places}" if places else "")
    else:
        text = _rounded(abs(float(value)), places)
    return MINUS + text if value < 0 else text


def _rounded(size: float, places: int) -> str:
    text = f"{size:,.{places}f}"
    if size and not text.strip("0.,"):
        finer = 1 - math.floor(math.log10(size))
        return f"{size:.{finer}f}".rstrip("0") if finer < 9 else f"{size:.1e}"
    return text if size < 1e15 else f"{size:.3e}"


def to_csv(frame: pd.DataFrame) -> str:
    """Return a frame as CSV in full precision; text that a spreadsheet would run gets a leading apostrophe.

    A byte order mark goes first where there is more than ASCII, without which spreadsheets garble it.
    """
    shown, _ = flat(frame)
    safe = {place: _safe_column(shown.iloc[:, place]) for place in range(shown.shape[1])}
    heads = [_safe(name) for name in shown.columns]
    text = pd.DataFrame(safe).to_csv(index=False, header=heads, lineterminator="\n") if safe else "\n"
    text = re.sub("[\ud800-\udfff]", "\ufffd", text)
    return text if text.isascii() else BYTE_ORDER_MARK + text


def _safe_column(column: pd.Series) -> pd.Series:
    if pd.api.types.is_numeric_dtype(column.dtype):
        return column
    return pd.Series([_safe(value) for value in column], dtype=object)


def _safe(value: Any) -> Any:
    return "'" + value if isinstance(value, str) and value.startswith(RISKY) else value
