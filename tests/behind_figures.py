"""What stands behind a page's figures: a table of what is drawn, the same as CSV and on the page, and words for it."""

import csv
import html
import io
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from simlib.estimates.words import DASH, MINUS
from simlib.figures.style import MUTED, slug
from simlib.findings import Chart, Finding, Table
from simlib.pages.page import all_tables
from simlib.pages.tables import BYTE_ORDER_MARK, MOST_ROWS, flat, to_csv

SHARE = "%|points of a per cent"
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
    places = len(token.partition(".")[2])
    return abs(_number(token) - value) <= 0.5 * 10**-places * (1 + 1e-6)


def _number(token: str) -> float:
    return float(token.replace(",", "").replace(MINUS, "-"))


def _rounded(held: np.ndarray, token: str) -> bool:
    """Tell whether a table has a number that is printed so, as it is or in per cent."""
    return any(_rounds(value, token) or _rounds(100 * value, token) for value in held)


def drawn(figure: Figure) -> tuple[list[float], list[float]]:
    """Return the values that a figure's marks stand at, and the ends of their intervals and bands."""
    marks: list[float] = []
    ends: list[float] = []
    for axes in figure.axes:
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
    """Return the numbers in the cells of a figure's matrices."""
    matrices = [axes for axes in figure.axes if not len(axes.get_xticks()) and not len(axes.get_yticks())]
    texts = [text.get_text().split() for axes in matrices for text in axes.texts if not isinstance(text, Annotation)]
    return [words[0] for words in texts if words and PRINTED.fullmatch(words[0])]
