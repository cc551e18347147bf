"""What stands behind a page's figures: a table of what is drawn, the same as CSV and on the page, and words for it."""

import csv
import io
import math
import re
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from simlib.estimates.words import DASH, MINUS
from simlib.figures.style import MUTED, slug
from simlib.findings import Chart, Finding, Table
from simlib.pages.page import all_tables
from simlib.pages.tables import BYTE_ORDER_MARK, MOST_ROWS, flat

SHARE = "%|points? of a per cent"
NUMBER = re.compile(rf"([{MINUS}-]?\d[\d,]*(?:\.\d+)?)(?:\s?({SHARE}))?")
PRINTED = re.compile(rf"[{MINUS}+]?\d[\d,]*(\.\d+)?(e[+-]\d+)?")
CLOSE = 1e-9


# ---- figures -------------------------------------------------------------------------------------------------------


def faults_of(findings: Iterable[Finding]) -> list[str]:
    """Return what is wrong behind figures: drawn values that no table has, extreme ones that no words name."""
    charts = [chart for finding in findings for chart in finding.charts]
    return [f"{chart.key}: {fault}" for chart in charts for fault in _faults(chart)]


def _faults(chart: Chart) -> Iterator[str]:
    held = _numbers(chart.table)
    marks, ends = drawn(chart.figure)
    cells = printed(chart.figure)
    yield from (f"{value} is drawn and not in the table" for value in {*marks, *ends} if not _has(held, value))
    yield from (f"{cell} is printed and not in the table" for cell in cells if not _rounded(held, cell))
    if len(chart.alt) <= len(chart.title) or not chart.title:
        yield "no words longer than its title"
    told = NUMBER.findall(chart.alt)
    for value in {min(marks), max(marks)} if marks else ():
        if value and not any(_rounds(value * (100 if percent else 1), token) for token, percent in told):
            yield f"{value}, an extreme, is not in its words: {chart.alt}"
    for cell in {min(cells, key=_number), max(cells, key=_number)} if cells else ():
        if not any(_rounds(_number(token), cell) or _rounds(_number(cell), token) for token, _ in told):
            yield f"{cell}, an extreme, is not in its words: {chart.alt}"


def _numbers(table: Table) -> np.ndarray:
    """Return all finite numbers of a table."""
    cells = flat(table.frame)[0].to_numpy(dtype=object, na_value=math.nan).flat
    numbers = [float(cell) for cell in cells if isinstance(cell, int | float | np.number)]
    return np.array([number for number in numbers if math.isfinite(number)])


def _has(held: np.ndarray, value: float) -> bool:
    return value == 0 or bool(np.isclose(held, value, rtol=CLOSE, atol=1e-12).any())


def _rounds(value: float, token: str) -> bool:
    """Tell whether a printed number is a value rounded."""
    last = Decimal(_plain(token)).as_tuple().exponent
    return abs(_number(token) - value) <= 0.5 * 10 ** int(last) * (1 + 1e-6)


def _number(token: str) -> float:
    return float(_plain(token))


def _plain(token: str) -> str:
    return token.replace(",", "").replace(MINUS, "-")


def _rounded(held: np.ndarray, token: str) -> bool:
    """Tell whether a table has a number that is printed so, as it is or in per cent."""
    return any(_rounds(value, token) or _rounds(100 * value, token) for value in held)


def drawn(figure: Figure) -> tuple[list[float], list[float]]:
    """Return the values that a figure's marks stand at, and the ends of their intervals and bands."""
    marks: list[float] = []
    ends: list[float] = []
    for axes in (each for each in figure.axes if each.axison):  # diagrams have places, not values
        along = int(len(axes.get_yticks()) > 0)  # values go up where that axis has numbers
        for line in axes.lines:
            if line.get_transform() == axes.transData and line.get_color() != MUTED:
                marks += _at(line.get_xydata(), along)
        for part in axes.collections:
            if isinstance(part, LineCollection):
                ends += [value for segment in part.get_segments() for value in _at(segment, along)]
            elif isinstance(part, PathCollection):
                marks += _at(part.get_offsets(), along)
            elif isinstance(part, PolyCollection) and along:
                tops = [value for path in part.get_paths() for value in _at(path.vertices, along)]
                marks, ends = (marks, ends + tops) if axes.lines else ([*marks, max(tops, default=0)], ends + tops)
    return marks, ends


def _at(points: object, along: int) -> list[float]:
    """Return one coordinate of points, where it is finite."""
    return [float(value) for value in np.reshape(points, (-1, 2))[:, along] if math.isfinite(value)]


def printed(figure: Figure) -> list[str]:
    """Return the numbers in the cells of a figure's matrices, and those with decimals on its diagrams' cards."""
    matrices = [axes for axes in figure.axes if not len(axes.get_xticks()) and not len(axes.get_yticks())]
    diagrams = [axes for axes in figure.axes if not axes.axison]
    texts = [text.get_text().split() for axes in matrices for text in axes.texts if not isinstance(text, Annotation)]
    cards = [text.get_text().split() for axes in diagrams for text in axes.texts if "." in text.get_text()]
    return [words[0] for words in [*texts, *cards] if words and PRINTED.fullmatch(words[0])]


def unchanged_words(one: Iterable[Finding], other: Iterable[Finding]) -> list[str]:
    """Return the keys of charts that draw other values in another run, but tell them by the same words."""
    first, second = ({chart.key: chart for each in run for chart in each.charts} for run in (one, other))
    both = [(first[key], second[key]) for key in first.keys() & second.keys()]
    apart = [(a, b) for a, b in both if (drawn(a.figure), printed(a.figure)) != (drawn(b.figure), printed(b.figure))]
    return [a.key for a, b in apart if a.alt == b.alt]


# ---- downloads and tables ------------------------------------------------------------------------------------------


def faults_behind(folder: Path, findings: Iterable[Finding]) -> list[str]:
    """Return where a report's downloads aren't its findings' tables, or its page shows other numbers than they hold."""
    shown = _Tables((folder / "index.html").read_text(encoding="utf-8")).rows
    faults = []
    for table in all_tables(findings):
        key = slug(table.key)
        text = (folder / "data" / f"{key}.csv").read_text(encoding="utf-8").removeprefix(BYTE_ORDER_MARK)
        rows = list(csv.reader(io.StringIO(text)))
        held = flat(table.frame)[0].to_numpy(dtype=object).tolist()
        faults += [f"{key}.csv: {fault}" for fault in _apart(rows[1:], held, _is_held)]
        if table.shown is None and held:
            faults += [f"{key}: {fault}" for fault in _apart(rows[1 : MOST_ROWS + 1], shown[key][1:], _is_shown)]
    return faults


def _apart(rows: list[list[str]], others: list[list[Any]], alike: Callable[[str, Any], bool]) -> Iterator[str]:
    """Yield the cells of a download that aren't alike."""
    if [len(row) for row in rows] != [len(other) for other in others]:
        yield "another number of rows or columns"
        return
    for row, other in zip(rows, others, strict=True):
        yield from (f"{a!r} is {b!r}" for a, b in zip(row, other, strict=True) if not alike(a, b))


def _is_held(cell: str, value: Any) -> bool:
    """Tell whether a download's cell is a frame's value, to the last bit."""
    if isinstance(value, str):
        return cell.removeprefix("'") == value or cell == value
    if value is None or not math.isfinite(value):
        return cell in {"", "inf", "-inf"}
    return cell == str(value) or float(cell) == value


def _is_shown(cell: str, text: str) -> bool:
    """Tell whether a page shows a download's cell: a number rounded, a dash where there is none."""
    if text == DASH:
        return cell in {"", "inf", "-inf", DASH}
    if cell in {"True", "False"}:
        return text == ("yes" if cell == "True" else "no")
    if PRINTED.fullmatch(cell.replace("-", MINUS, cell.startswith("-"))) and PRINTED.fullmatch(text):
        return _rounds(float(cell), text)
    return text == cell.removeprefix("'")


class _Tables(HTMLParser):
    """The rows of cells of a page's tables, by their keys."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: dict[str, list[list[str]]] = {}
        self._own: list[list[str]] = []
        self._in_cell = False
        self.feed(page)

    def handle_starttag(self, tag: str, given: list[tuple[str, str | None]]) -> None:
        key = str(dict(given).get("id"))
        if tag == "caption" and key.startswith("table--"):
            self._own = self.rows[key.removeprefix("table--")] = []
        elif tag == "tr":
            self._own.append([])
        elif tag in {"td", "th"}:
            self._own[-1].append("")
            self._in_cell = True

    def handle_endtag(self, tag: str) -> None:
        self._in_cell &= tag not in {"td", "th"}
        if tag == "table":
            self._own = []

    def handle_data(self, text: str) -> None:
        if self._in_cell:
            self._own[-1][-1] += text
