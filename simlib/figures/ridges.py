"""Distributions of several groups below each other on one axis, each with its mean or median marked."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np

from simlib.figures import parts
from simlib.figures.style import GRID, INK, SMALL, WIDTH, look, new_figure, styled
from simlib.heavy import matplotlib, pd
from simlib.languages import say

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW, HEAD, FOOT = 0.52, 0.3, 0.5  # inches
LABEL = 1.3  # inches that a group's name may take
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
MOST_BARS = 70
Mark = Literal["mean", "median"]


@styled
def ridges(
    frame: pd.DataFrame, *, group: str = "group", k: str = "k", value: str = "share", mark: Mark = "mean",
    marks: pd.DataFrame | None = None, reference: float | None = None, x_label: str = "", percent: bool = False,
    width: float = WIDTH,
) -> Figure:  # fmt: skip
    """Return a histogram a group, below each other on one axis, with its mean or median as a line and a number.

    Parameters
    ----------
    frame : DataFrame
        One row for each number `k` and group: columns named by `group`, `k` and `value` (shares or counts; each group
        is drawn in parts of its own sum). Groups keep their order.
    mark : {"mean", "median"}
        What is marked; of the distribution as given, unless `marks` has it.
    marks : DataFrame, optional
        What is marked with its interval: columns named by `group`, and ``value``, ``low``, ``high``.
    reference : float, optional
        A number to read all groups against.
    x_label : str
        What `k` is.
    percent : bool
        Whether `k` is a share, shown in per cent.
    width : float
        Inches.
    """
    parted = parts.groups(frame, group)
    bars = [_bars(part, k, value) for _, part in parted]
    ends = _marked(parted, bars, mark, marks, group)
    told = [f"{number} {reach}".strip() for number, reach in parts.interval_texts(ends, percent=percent)]
    names = parts.wrap_all([name for name, _ in parted], LABEL, SMALL)
    left, right = 0.12 + parts.widest(names, SMALL), 0.15 + max(parts.widest([told], SMALL), 0.4)
    figure = new_figure(width, HEAD + ROW * len(parted) + FOOT)
    given = [
        *(at + side * step / 2 for places, _, step in bars for at in places for side in (-1, 1)),
        *ends[0],
        *([] if reference is None else [reference]),
    ]
    limits = parts.span(given, pad=0.03)
    most = max((float(heights.max(initial=0.0)) for _, heights, _ in bars), default=1.0) or 1.0
    for row, own in enumerate(bars):
        last = row == len(bars) - 1
        axes = parts.place(figure, left, right, HEAD + ROW * row, FOOT + ROW * (len(bars) - 1 - row))
        axes.set_ylim(0, most * 1.12)
        axes.set_yticks([])
        parts.x_axis(axes, limits, x_label if last else "", percent=percent)
        if not last:
            axes.set_xticklabels([])
            axes.tick_params(length=0)
            axes.spines["bottom"].set_color(GRID)
        _ridge(axes, own, [float(end[row]) for end in ends])
        if reference is not None:
            parts.reference_line(axes, reference)
        parts.lines_at(axes, 0, most * 0.4, names[row], right=-6, ha="right", size=SMALL)
        parts.lines_at(axes, 1, most * 0.4, [told[row]], right=72 * right - 4, ha="right", size=SMALL)
        if row == 0:
            parts.note(axes, 1, 1, mark, down=-5, right=72 * right - 4, ha="right")
    return figure


def _bars(frame: pd.DataFrame, k: str, value: str) -> tuple[np.ndarray, np.ndarray, float]:
    """Return where a group's bars stand, their shares of it, and their width; rare whole numbers are put together."""
    at, share = parts.column(frame, k), parts.column(frame, value)
    known = np.isfinite(at) & np.isfinite(share)
    at, share = at[known], share[known]
    if not len(at) or share.sum() <= 0:
        return np.empty(0), np.empty(0), 1.0
    share = share / share.sum()
    whole = bool((at == at.round()).all())
    step = float(min(np.diff(np.unique(at)), default=1.0))
    if whole and np.ptp(at) / step > MOST_BARS:
        step = next(
            (float(each) for each in STEPS if np.ptp(at) / each <= MOST_BARS), math.ceil(np.ptp(at) / MOST_BARS)
        )
        at = np.floor(at / step) * step + (step - 1) / 2
    places, which = np.unique(at, return_inverse=True)
    return places, np.bincount(which, weights=share), step


def _marked(
    parted: list[tuple[str, pd.DataFrame]], bars: list[tuple[np.ndarray, np.ndarray, float]], mark: Mark,
    marks: pd.DataFrame | None, group: str,
) -> list[np.ndarray]:  # fmt: skip
    """Return each group's mark and the ends of its interval, nan where there is none."""
    if marks is None:
        found = np.array([_middle(at, share, mark) for at, share, _ in bars], dtype=float)
        return [found, np.full(len(bars), math.nan), np.full(len(bars), math.nan)]
    by_name = marks.assign(**{group: marks[group].astype(str)}).drop_duplicates(group).set_index(group)
    kept = by_name.reindex([name for name, _ in parted])
    return [parts.column(kept, name) for name in ("value", "low", "high")]


def _middle(at: np.ndarray, share: np.ndarray, mark: Mark) -> float:
    if not len(at):
        return math.nan
    if mark == "mean":
        return float((at * share).sum())
    return float(at[np.searchsorted(np.cumsum(share), 0.5 - 1e-12)])


def _ridge(axes: Axes, bars: tuple[np.ndarray, np.ndarray, float], mark: list[float]) -> None:
    at, share, step = bars
    if not len(at):
        parts.note(axes, 0.5, 0.3, say("no data"), ha="center")
        return
    half = step * (0.45 if len(at) < MOST_BARS / 2 else 0.5)
    boxes = [[(x - half, 0), (x - half, y), (x + half, y), (x + half, 0)] for x, y in zip(at, share, strict=True)]
    axes.add_collection(matplotlib.collections.PolyCollection(boxes, facecolor=look(0).colour, lw=0, alpha=0.5))
    top = axes.get_ylim()[1]
    value, low, high = mark
    if math.isfinite(high - low):
        axes.add_collection(
            matplotlib.collections.PolyCollection(
                [[(low, 0), (low, top), (high, top), (high, 0)]], fc=INK, lw=0, alpha=0.18
            )
        )
    axes.plot([value, value], [0, top], color=INK, lw=1.6, scalex=False, scaley=False)
