"""Where curves cross a line, as break-even curves do: found from points and bands, and marked with its interval."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from simlib.figures import parts
from simlib.figures.style import CROSSING, INK, PAPER, SMALL, look, plain
from simlib.heavy import pd
from simlib.languages import say

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = 1.0  # inches that a line's name may take


class Crossing(NamedTuple):
    """Where the line of a rank crosses; an end is infinite where a band doesn't cross within the points."""

    rank: int
    name: str
    value: float
    low: float
    high: float


def found(groups: list[tuple[str, pd.DataFrame]], names: tuple[str, ...], height: float) -> list[Crossing]:
    """Return each line's crossings of a height, read off between its points, from its left to its right.

    The interval of a line that crosses once is where its band holds the height. One that crosses more often has no
    interval.
    """
    made = []
    for rank, (name, part) in enumerate(groups):
        x, *heights = (parts.column(part.sort_values(names[0]), column) for column in names)
        at, *bands = (crossed(x, each, height) for each in heights)
        low, high = _interval(at, bands) if len(at) == 1 else (math.nan, math.nan)
        made += [Crossing(rank, name, value, low, high) for value in at]
    return made


def crossed(x: np.ndarray, y: np.ndarray, height: float) -> list[float]:
    """Return where straight lines between points cross a height; points without a finite value are left out.

    Examples
    --------
    >>> crossed(np.array([1.0, 2.0, 3.0]), np.array([-1.0, 1.0, 0.5]), 0)
    [1.5]
    """
    known = np.isfinite(x) & np.isfinite(y)
    x, y = x[known], y[known] - height
    places = np.flatnonzero((y[:-1] < 0) != (y[1:] < 0))
    return [float(x[at] + (x[at + 1] - x[at]) * y[at] / (y[at] - y[at + 1])) for at in places]


def _interval(at: list[float], bands: list[list[float]]) -> tuple[float, float]:
    """Return the ends that bands leave around one crossing, infinite on a side where none of them crosses."""
    ends = [each for band in bands for each in band]
    before, after = ([end for end in ends if side * (end - at[0]) >= 0] for side in (-1, 1))
    return max(before, default=-math.inf), min(after, default=math.inf)


def mark(axes: Axes, height: float, crossings: list[Crossing], *, x_percent: bool) -> None:
    """Mark crossings on their line with a star, a bar over the interval and both as numbers, each above the last."""
    first, last = axes.get_xlim()
    shown = [each for each in crossings if first <= each.value <= last]
    rising = height < sum(axes.get_ylim()) / 2  # so that the texts have room
    for row, each in enumerate(sorted(shown, key=lambda each: each.value)):
        colour = look(each.rank).colour
        axes.plot([max(each.low, first), min(each.high, last)], [height] * 2, color=colour, lw=4.5, alpha=0.5,
                  solid_capstyle="butt", zorder=4)  # fmt: skip
        axes.plot([each.value], [height], marker=CROSSING, ms=11, color=colour, mec=PAPER, mew=0.8, zorder=5)
        share = (each.value - first) / (last - first)
        axes.annotate(
            plain(_told(each, x_percent=x_percent, named=len({one.rank for one in shown}) > 1)), (each.value, height),
            xytext=(0, (9 + 12 * row) * (1 if rising else -1)), textcoords="offset points", fontsize=SMALL, color=INK,
            ha="left" if share < 0.3 else "right" if share > 0.7 else "center", va="bottom" if rising else "top",
            zorder=6, bbox={"facecolor": PAPER, "alpha": 0.85, "lw": 0, "pad": 1},
        )  # fmt: skip


def _told(each: Crossing, *, x_percent: bool, named: bool) -> str:
    if math.isinf(each.low) or math.isinf(each.high):
        value, *ends = ("\u2026" if math.isinf(end) else parts.shown(end, 0.0, percent=x_percent) for end in each[2:])
        reach = f"[{', '.join(ends)}]"
    else:
        ((value, reach),) = parts.interval_texts([np.array([end]) for end in each[2:]], percent=x_percent)
    told = f"{value} {reach}".strip()
    (name,) = parts.wrap(each.name, NAME, SMALL, lines=1, middle=True)
    return say("{label}: {words}", label=name, words=told) if named else told
