"""The chart of playtest pages: how often simulated games come to each value, and where one's own games lie."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from simlib.figures import parts
from simlib.figures.style import GRID, INK, PAPER, WIDTH, look, new_figure, style
from simlib.heavy import matplotlib, pd

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

OWN, SIMULATED = 0, 1  # ranks of looks, as in the chart of all figures
TALL, STRIP, FOOT = 1.9, 0.65, 0.5  # inches of the distribution, of the games below it, and of the axis
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
MOST_BARS, MOST_DOTS = 60, 20


def step_for(low: float, high: float) -> int:
    """Return how wide bars must be, in round numbers, that not too many cover a range.

    Examples
    --------
    >>> step_for(0, 24), step_for(0, 290)
    (1, 5)
    """
    return next((step for step in STEPS if (high - low) / step < MOST_BARS), STEPS[-1])


def binned(values: np.ndarray, games: np.ndarray, start: int, step: int, bars: int) -> np.ndarray:
    """Return how many games come to each bar, (bars,) int; `values` (kinds,) in points."""
    counted = np.zeros(bars, np.int64)
    np.add.at(counted, np.floor((values - start) / step).astype(np.int64), games)
    return counted


def games_a_dot(own: Iterable[int]) -> int:
    """Return how many games a dot must stand for, so that no bar has more than MOST_DOTS.

    Examples
    --------
    >>> games_a_dot([1, 12, 3]), games_a_dot([700, 100])
    (1, 35)
    """
    return max(1, -(-max(map(int, own), default=0) // MOST_DOTS))


def marked_distribution(frame: pd.DataFrame, *, step: int, x_label: str, names: tuple[str, str]) -> Figure:
    """Return the shares of simulated games as bars, and below them a dot for each of one's own games.

    Where there are too many, a dot stands for up to `games_a_dot`.

    Parameters
    ----------
    frame : DataFrame
        A row a bar: ``points from``, its lower end in points; ``value``, ``low``, ``high``, the share of simulated
        games with its interval; ``your games``, how many of one's own games lie there.
    step : int
        Width of a bar.
    names : (str, str)
        What own and simulated games are called.
    """
    with style():
        key = parts.KeyLines(names, WIDTH)
        limits = (0.0, float(np.nanmax([*frame["value"], *frame["high"]], initial=0.01)) * 1.06)
        left, top = parts.y_room(limits, percent=True, most=3), 0.32 + key.height
        figure = new_figure(WIDTH, top + TALL + STRIP + FOOT)
        bars = parts.place(figure, left, 0.1, top, STRIP + FOOT)
        strip = parts.place(figure, left, 0.1, top + TALL, FOOT)
        starts = frame["points from"].to_numpy(float)
        ends = (starts.min() - 0.6 * step, starts.max() + 1.6 * step)
        shift = 0.5 * (step > 1) * step  # a bar of one value stands over it, a wider one over its range
        _bars(bars, starts + shift, frame, 0.44 * step if step == 1 else 0.48 * step)
        bars.set_xlim(*ends)
        bars.set_xticks([])
        bars.spines["bottom"].set_visible(False)
        parts.y_axis(bars, limits, percent=True, most=3)
        parts.above(bars, "share of simulated games", left, up=8 + 72 * key.height)
        _dots(strip, starts + shift, frame["your games"].to_numpy(np.int64))
        strip.set_xlim(*ends)
        at = [tick for tick in parts.ticks(*ends) if tick == int(tick)]
        strip.set_xticks(at, parts.tick_texts(at))
        parts.below(strip, x_label)
        key.draw(bars, left, up=6)
        return figure


def _bars(axes: Axes, at: np.ndarray, frame: pd.DataFrame, half: float) -> None:
    boxes = [
        [(x - half, 0), (x - half, share), (x + half, share), (x + half, 0)]
        for x, share in zip(at, frame["value"], strict=True)
    ]
    axes.add_collection(matplotlib.collections.PolyCollection(boxes, facecolor=look(SIMULATED).colour, lw=0, alpha=0.7))
    axes.vlines(at, frame["low"], frame["high"], color=INK, lw=0.9)


def _dots(axes: Axes, at: np.ndarray, own: np.ndarray) -> None:
    """Draw dots for games, those of one bar stacked from the strip's foot up."""
    own = -(-own // games_a_dot(own))
    most = max(int(own.max()), 4)
    axes.set_ylim(-0.6, most - 0.2)
    axes.set_yticks([])
    axes.grid(axis="x", color=GRID)
    heights = [(x, row) for x, count in zip(at, own, strict=True) for row in range(count)]
    size = min(5.5, 0.9 * 72 * STRIP / (most + 0.4))
    axes.plot(*zip(*heights, strict=True), ls="none", marker=look(OWN).marker, color=look(OWN).colour, ms=size,
              mec=PAPER, mew=0.3)  # fmt: skip
