"""Charts of goals: figures as dots in the bands that are wished for them, and what meeting one goal costs another."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from simlib.estimates import Estimate
from simlib.figures import parts
from simlib.figures.style import MUTED, SMALL, WIDTH, look, new_figure, style
from simlib.heavy import pd

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHADE = 0.2  # how much of the muted colour a wished band takes
HEAD, FOOT = 0.3, 0.42  # inches
STRIP = 2.4


def bands(frame: pd.DataFrame, *, width: float = WIDTH) -> Figure:
    """Return a panel for each measure: a line a variant with a dot, its interval and a verdict, the wished band shaded.

    Parameters
    ----------
    frame : DataFrame
        One row a dot: columns ``measure`` in words and its ``name``, ``variant``, ``value``, ``low``, ``high``,
        ``from`` and ``to`` of the wished band (infinite where it is open), ``percent`` (whether shown in per cent) and
        ``verdict``.
    width : float
        Inches.
    """
    panels = [part for _, part in frame.groupby("name", sort=False)]
    names = [_name(name) for name in dict.fromkeys(frame["variant"])]
    several = len(names) > 1
    left = 0.15 + several * max((parts.text_width(line, SMALL) for lines in names for line in lines), default=0)
    right = 0.2 + max((parts.text_width(text, SMALL) for text in frame["verdict"]), default=0)
    row = max(parts.ROW, 0.06 + 0.14 * several * max(map(len, names)))
    heads = [HEAD + parts.name_room(str(part["measure"].iloc[0]), width) for part in panels]
    tall = [head + FOOT + row * len(part) for head, part in zip(heads, panels, strict=True)]
    with style():
        figure = new_figure(width, sum(tall) + 0.05)
        for number, part in enumerate(panels):
            above, below = sum(tall[:number]), sum(tall[number + 1 :])
            axes = parts.place(figure, left, right, above + heads[number], below + FOOT)
            _panel(axes, part, left, several=several)
    return figure


def _panel(axes: Axes, frame: pd.DataFrame, left: float, *, several: bool) -> None:
    ends = [*frame["from"], *frame["to"]]
    limits = parts.span([*frame["value"], *frame["low"], *frame["high"], *(end for end in ends if math.isfinite(end))])
    percent = bool(frame["percent"].iloc[0])
    axes.set_ylim(len(frame) - 0.5, -0.5)
    axes.set_yticks([])
    parts.x_axis(axes, limits, "", percent=percent)
    parts.grid_x(axes)
    shade(axes, frame["from"].iloc[0], frame["to"].iloc[0], vertical=True)
    parts.above(axes, str(frame["measure"].iloc[0]), left, up=6)
    for place, row in enumerate(frame.itertuples()):
        axes.hlines([place], [row.low], [row.high], color=look(0).colour, lw=2.2, alpha=0.55)
        axes.plot([row.value], [place], marker=look(0).marker, color=look(0).colour, ls="none", ms=6.5)
        parts.lines_at(axes, 1, place, [str(row.verdict)], right=6, ha="left", size=SMALL)
        if several:
            parts.lines_at(axes, 0, place, _name(row.variant), right=-6, ha="right", size=SMALL)


def strip(
    estimate: Estimate, band: tuple[float, float], *, percent: bool, width: float = STRIP, height: float = 0.5
) -> Figure:
    """Return one dot with its interval along an axis, the wished band shaded: small enough to stand beside a line.

    Parameters
    ----------
    estimate : Estimate
    band : (float, float)
        Ends of the wished band, infinite where it is open; both of them where nothing is wished.
    percent : bool
        Whether shown in per cent.
    width, height : float
        Inches.
    """
    limits = parts.span([estimate.value, estimate.low, estimate.high, *band], pad=0.15)
    with style():
        figure = new_figure(width, height)
        axes = parts.place(figure, 0.25, 0.25, 0.04, 0.24)
        axes.set_ylim(0.5, -0.5)
        axes.set_yticks([])
        parts.x_axis(axes, limits, "", percent=percent)
        if any(map(math.isfinite, band)):
            shade(axes, *band, vertical=True)
        axes.hlines([0], [estimate.low], [estimate.high], color=look(0).colour, lw=2.2, alpha=0.55)
        axes.plot([estimate.value], [0], marker=look(0).marker, color=look(0).colour, ls="none", ms=6)
    return figure


def _name(text: object) -> list[str]:
    return parts.wrap(str(text), 1.7, SMALL, lines=3)


def shade(axes: Axes, low: float, high: float, *, vertical: bool) -> None:
    """Shade a wished band across axes whose limits are set, and draw its ends."""
    first, last = axes.get_xlim() if vertical else axes.get_ylim()
    span, line = (axes.axvspan, axes.axvline) if vertical else (axes.axhspan, axes.axhline)
    span(max(low, first), min(high, last), color=MUTED, alpha=SHADE, lw=0, zorder=0)
    for end in (low, high):
        if first < end < last:
            line(end, color=MUTED, lw=1, zorder=1)


def along(
    frame: pd.DataFrame, band: tuple[float, float], *, x_label: str, y_label: str, percent: bool, width: float = WIDTH
) -> Figure:
    """Return dots with intervals against a parameter, the wished band shaded.

    Parameters
    ----------
    frame : DataFrame
        One row a dot: columns ``x``, ``value``, ``low``, ``high``.
    band : (float, float)
        Ends of the wished band, infinite where it is open.
    percent : bool
        Whether heights are shown in per cent.
    """
    ends = [end for end in band if math.isfinite(end)]
    limits = parts.span([*frame["value"], *frame["low"], *frame["high"], *ends])
    left, top = parts.y_room(limits, percent=percent), 0.3
    with style():
        figure = new_figure(width, 2.8)
        axes = parts.place(figure, left, 0.15, top, 0.5)
        parts.y_axis(axes, limits, percent=percent)
        parts.x_axis(axes, parts.span(frame["x"]), x_label)
        parts.above(axes, y_label, left)
        shade(axes, *band, vertical=False)
        axes.vlines(frame["x"], frame["low"], frame["high"], color=look(0).colour, lw=2.2, alpha=0.55)
        axes.plot(frame["x"], frame["value"], marker=look(0).marker, color=look(0).colour, ls="none", ms=6)
    return figure


def trade_off(frame: pd.DataFrame, *, x_label: str, y_label: str, width: float = WIDTH) -> Figure:
    """Return how far cells are from two goals: those that no other beats with their letters and intervals.

    Parameters
    ----------
    frame : DataFrame
        One row a cell: columns ``x``, ``y``, ``x_low``, ``x_high``, ``y_low``, ``y_high`` and ``letter``, empty for
        cells that are beaten.
    x_label, y_label : str
        Names of the axes.
    """
    first, rest = frame[frame["letter"] != ""], frame[frame["letter"] == ""]
    limits = [parts.span([0.0, *frame[axis], *first[f"{axis}_high"]]) for axis in ("x", "y")]
    left = parts.y_room(limits[1])
    with style():
        figure = new_figure(width, 3.4)
        axes = parts.place(figure, left, 0.15, 0.3, 0.5)
        parts.y_axis(axes, limits[1])
        parts.x_axis(axes, limits[0], x_label)
        parts.above(axes, y_label, left)
        axes.plot(rest["x"], rest["y"], marker="x", color=MUTED, ls="none", ms=4.5, mew=1)
        axes.hlines(first["y"], first["x_low"], first["x_high"], color=look(0).colour, lw=1.6, alpha=0.5)
        axes.vlines(first["x"], first["y_low"], first["y_high"], color=look(0).colour, lw=1.6, alpha=0.5)
        axes.plot(first["x"], first["y"], marker="D", color=look(0).colour, ls="none", ms=5.5)
        for row in first.itertuples():
            axes.annotate(str(row.letter), (row.x, row.y), xytext=(5, 5), textcoords="offset points", fontsize=SMALL)
    return figure
