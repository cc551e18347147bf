"""Charts that any experiment can use: a tidy DataFrame in, a Figure out.

Shares are given as 0..1 and shown in per cent with ``percent=True``. Rows without a finite value are said or left
out, never drawn as something else.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from simlib.estimates.words import DASH, number
from simlib.figures import parts
from simlib.figures.crossings import Crossing, found, mark
from simlib.figures.style import INK, MUTED, PALETTE, PAPER, SMALL, TEXT, WIDTH, ink_on, look, new_figure, plain, styled
from simlib.heavy import matplotlib, pd
from simlib.languages import say

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NOWHERE = (None, None)
LEAST = 1.3  # inches that labelled dots need beside their texts
SLOT = 0.2  # inches between dots of several series in one line

# ---- labelled dots -------------------------------------------------------------------------------------------------


@styled
def interval_dots(
    frame: pd.DataFrame, *, label: str = "label", value: str = "value", low: str = "low", high: str = "high",
    group: str | None = None, reference: float | None = None, reference_label: str = "", x_label: str = "",
    percent: parts.Percent = False, present: str | None = None, width: float = WIDTH,
) -> Figure:  # fmt: skip
    """Return one line a label: a dot at the value, a bar over its interval, both as numbers at the right.

    Parameters
    ----------
    frame : DataFrame
        One row a dot; columns named by `label`, `value`, `low`, `high` and, for several dots a line, `group`.
    reference : float, optional
        A value to read the others against; 0 for differences of shares.
    x_label, reference_label : str
        Names below the axis and above the reference line.
    percent : bool or "points"
        Whether values 0..1 are shown in per cent, or as differences of shares in points of a per cent.
    present : str, optional
        The label of what is so at present, which is marked.
    width : float
        Inches.

    Raises
    ------
    ValueError
        If no line has the label that is to be marked.
    """
    if reference is None and percent == parts.POINTS:
        reference_label = reference_label or "no difference"
    reference, x_label = parts.zero_line(reference, percent), parts.axis_name(x_label, percent)
    frame = frame.reset_index(drop=True)
    groups = parts.groups(frame, group)
    labels = list(dict.fromkeys(frame[label].astype(str)))
    lines = _names(labels, present, 1.75, TEXT, lines=4)
    ends = tuple(parts.column(frame, name) for name in (value, low, high))
    left = 0.1 + parts.widest(lines)
    told, size = _told(ends, width - left, SMALL if len(groups) > 1 else TEXT, percent=percent)
    right = max(0.5, 0.15 + parts.widest([told], size))
    key = parts.KeyLines([name for name, _ in groups], width)
    top, foot = 0.1 + 0.16 * bool(reference_label) + key.height, 0.5 + parts.name_room(x_label, width)
    slots = _slots(labels, [list(part[label].astype(str)) for _, part in groups])
    tall = [_row_height(len(own), len(slots[text])) for text, own in zip(labels, lines, strict=True)] or [parts.ROW]
    middles = {text: sum(tall[:at]) + tall[at] / 2 for at, text in enumerate(labels)}
    figure = new_figure(width, top + foot + sum(tall))
    axes = parts.place(figure, left, right, top, foot)
    axes.set_ylim(sum(tall), 0)  # inches
    axes.set_yticks([])
    given = [] if reference is None else [reference]
    parts.x_axis(axes, parts.span([*np.concatenate(ends), *given]), x_label, percent=percent)
    parts.grid_x(axes)
    if reference is not None:
        parts.reference_line(axes, reference, reference_label)
    if not labels:
        parts.nothing(axes)
    for at, text in enumerate(lines):
        weight = "bold" if labels[at] == present else "normal"
        parts.lines_at(axes, 0, middles[labels[at]], text, right=-6, ha="right", weight=weight)
    texts = pd.Series(told, index=frame.index, dtype=object)
    for rank, (_, part) in enumerate(groups):
        heights = [
            middles[text] + (slots[text].index(rank) - (len(slots[text]) - 1) / 2) * SLOT
            for text in part[label].astype(str)
        ]
        _dots(axes, heights, tuple(parts.column(part, name) for name in (value, low, high)), rank)
        for height, text in zip(heights, texts[part.index], strict=True):
            parts.lines_at(axes, 1, height, [text], right=72 * right - 4, ha="right", size=size)
    key.draw(axes, left, up=4 + 11 * bool(reference_label))
    return figure


def _slots(labels: list[str], groups: list[list[str]]) -> dict[str, list[int]]:
    """Return the ranks of the groups that have each label: a line has room for its own dots alone."""
    return {text: [rank for rank, own in enumerate(groups) if text in own] for text in labels}


def _row_height(lines: int, slots: int) -> float:
    """Return how tall, in inches, a line is whose name has so many lines, and which has so many dots."""
    return max(parts.ROW + parts.LINE * (lines - 1), 0.12 + SLOT * slots * (slots > 1))


def _names(labels: list[str], present: str | None, most: float, size: float, lines: int = 3) -> list[list[str]]:
    """Return labels as lines, with a word under the one that is so at present."""
    now = _place(labels, present)
    wrapped = parts.wrap_all(labels, most, size, lines)
    return [[*own, say("now")] if at == now else own for at, own in enumerate(wrapped)]


def _told(ends: tuple[np.ndarray, ...], room: float, size: float, *, percent: parts.Percent) -> tuple[list[str], float]:
    """Return values with their intervals and their size; smaller, or values alone, if the dots had too little room."""
    pairs = parts.interval_texts(ends, percent=percent)
    told = [f"{value} {reach}".strip() for value, reach in pairs]
    for points in (size, SMALL):
        if room - parts.widest([told], points) >= LEAST:
            return told, points
    return [value for value, _ in pairs], size


def _dots(axes: Axes, heights: list[float], ends: tuple[np.ndarray, ...], rank: int) -> None:
    values, lows, highs = ends
    axes.hlines(heights, lows, highs, color=look(rank).colour, lw=2.2, alpha=0.55)
    axes.plot(values, heights, marker=look(rank).marker, color=look(rank).colour, ls="none", ms=6.5)


# ---- lines against a parameter -------------------------------------------------------------------------------------


@styled
def curve(
    frame: pd.DataFrame, *, x: str = "x", y: str = "value", low: str = "low", high: str = "high",
    line: str | None = None, present: float | None = None, present_label: str = "now", reference: float | None = None,
    crossings: bool | pd.DataFrame = False, x_label: str = "", y_label: str = "", percent: parts.Percent = False,
    x_percent: bool = False, width: float = WIDTH, height: float = 3.0,
) -> Figure:  # fmt: skip
    """Return lines with bands against a parameter, each named at its end.

    Parameters
    ----------
    frame : DataFrame
        One row a point; columns named by `x`, `y`, `low`, `high` and, for several lines, `line`.
    present : float, optional
        The parameter's present value, marked by an upright line named `present_label`.
    reference : float, optional
        A height to read the lines against; 0 for differences of shares.
    crossings : bool or DataFrame
        Whether to mark where lines cross the reference, as break-even curves do: with the interval that their bands
        leave, or with what a frame says: columns ``value``, ``low``, ``high`` and, for several lines, `line`.
    x_label, y_label : str
        Names of the axes.
    percent : bool or "points"
        Whether heights are shares shown in per cent, or their differences in points of one.
    x_percent : bool
        Whether the parameter is a share shown in per cent.
    width, height : float
        Inches.
    """
    reference, y_label = parts.zero_line(reference, percent), parts.axis_name(y_label, percent)
    groups = parts.groups(frame, line)
    extra = [] if reference is None else [reference]
    limits = parts.span([*(each for name in (y, low, high) for each in parts.column(frame, name)), *extra])
    names = parts.wrap_all([name for name, _ in groups], 1.15, SMALL)
    right = 0.2 + parts.widest(names, SMALL)
    left, foot = parts.y_room(limits, percent=percent), 0.5 + parts.name_room(x_label, width)
    top = 0.1 + 0.17 * bool(y_label) + parts.name_room(y_label, width) + 0.15 * (present is not None)
    height = max(height, top + foot + sum(map(len, names)) * SMALL * 1.2 / 72)
    figure = new_figure(width, height)
    axes = parts.place(figure, left, right, top, foot)
    parts.y_axis(axes, limits, percent=percent)
    along = parts.span([*parts.column(frame, x), *([] if present is None else [present])], pad=0.03)
    parts.x_axis(axes, along, x_label, percent=x_percent, values=parts.column(frame, x))
    parts.above(axes, y_label, left, up=8 if present is None else 18)
    if reference is not None:
        parts.reference_line(axes, reference, vertical=False)
    if present is not None:
        parts.reference_line(axes, present, present_label)
    ends = [_line(axes, part.sort_values(x), rank, (x, y, low, high)) for rank, (_, part) in enumerate(groups)]
    _end_names(axes, names, ends, limits, height - top - foot)
    if reference is not None and crossings is not False:
        known = found(groups, (x, y, low, high), reference) if crossings is True else _given(crossings, groups, line)
        mark(axes, reference, known, x_percent=x_percent)
    return figure


def _given(crossings: pd.DataFrame, groups: list[tuple[str, pd.DataFrame]], line: str | None) -> list[Crossing]:
    """Return the crossings that a frame tells, with the ranks of their lines."""
    names = [name for name, _ in groups]
    of = [str(name) for name in crossings[line]] if line in crossings else [names[0]] * len(crossings)
    ends = [parts.column(crossings, end) for end in ("value", "low", "high")]
    rows = zip(of, *ends, strict=True)
    return [Crossing(names.index(name), name, *map(float, own)) for name, *own in rows if name in names]


def _line(axes: Axes, frame: pd.DataFrame, rank: int, names: tuple[str, ...]) -> float:
    x, y, low, high = (parts.column(frame, name) for name in names)
    colour, known = look(rank).colour, np.isfinite(y)
    axes.fill_between(x, low, high, color=colour, alpha=0.18, lw=0)
    marker = look(rank).marker if known.sum() <= 25 else ""
    axes.plot(x[known], y[known], color=colour, ls=look(rank).dashes, marker=marker, mec=PAPER, mew=0.6)
    return float(y[known][-1]) if known.any() else math.nan


def _end_names(
    axes: Axes, names: list[list[str]], ends: list[float], limits: tuple[float, float], inches: float
) -> None:
    drawn = [rank for rank, end in enumerate(ends) if math.isfinite(end) and names[rank] != [""]]
    line = (limits[1] - limits[0]) * SMALL * 1.2 / 72 / inches
    heights = parts.spread([ends[rank] for rank in drawn], [line * len(names[rank]) for rank in drawn], *limits)
    for rank, height in zip(drawn, heights, strict=True):
        parts.lines_at(axes, 1, height, names[rank], right=9, ha="left", size=SMALL)
        axes.plot([1.012], [height], transform=axes.get_yaxis_transform(), clip_on=False, ms=4,
                  marker=look(rank).marker, color=look(rank).colour)  # fmt: skip
    if not any(map(math.isfinite, ends)):
        parts.nothing(axes)


# ---- distributions -------------------------------------------------------------------------------------------------


@styled
def distribution(
    frame: pd.DataFrame, *, k: str = "k", share: str = "share", low: str = "low", high: str = "high",
    group: str | None = None, steps: bool = False, x_label: str = "", y_label: str = "", percent: bool = True,
    width: float = WIDTH,
) -> Figure:  # fmt: skip
    """Return how often each k occurs: bars in one panel a group, or all groups as steps in one panel.

    Parameters
    ----------
    frame : DataFrame
        One row for each k (and group); columns named by `k`, `share` and, if known, `low` and `high`.
    group : str, optional
        Column that parts the frame; the groups keep their order.
    steps : bool
        Lay the groups over one another as step lines.
    x_label, y_label : str
        Names of the axes.
    percent : bool
        Whether shares 0..1 are shown in per cent.
    width : float
        Inches.
    """
    groups = parts.groups(frame, group)
    kinds = parts.kinds(frame[k])
    most = max(parts.finite([*parts.column(frame, share), *parts.column(frame, high)]), default=1.0) or 1.0
    limits = (0.0, most * 1.08)
    ways = (k, share, low, high)
    if steps and len(groups) > 1:
        return _steps(groups, kinds, limits, ways, (x_label, y_label), percent=percent, width=width)
    panel = 1.3 if len(groups) > 1 else 2.2
    top, left = 0.1 + 0.17 * bool(y_label), parts.y_room(limits, percent=percent, most=3)
    top += parts.name_room(y_label, width)
    foot = 0.5 + parts.name_room(x_label, width)
    figure = new_figure(width, top + foot + panel * len(groups))
    for rank, (name, part) in enumerate(groups):
        rest = panel * (len(groups) - 1 - rank)
        head = 0.3 * (len(groups) > 1)
        axes = parts.place(figure, left, 0.1, top + panel * rank + head, foot + rest)
        _bars(axes, part, kinds, ways)
        parts.y_axis(axes, limits, percent=percent, most=3)
        _k_axis(axes, kinds, x_label if rest == 0 else "", named=rest == 0)
        (head_line,) = parts.wrap(name, width - left, SMALL, lines=1, middle=True)
        axes.annotate(plain(head_line), (0, 1), xycoords="axes fraction", xytext=(2, 3), textcoords="offset points",
                      fontsize=SMALL, fontweight="bold")  # fmt: skip
        if rank == 0:
            parts.above(axes, y_label, left, up=5 + 72 * head)
    return figure


def _places(frame: pd.DataFrame, kinds: list[Any], ways: tuple[str, ...]) -> tuple[list[int], list[np.ndarray]]:
    kept = frame[frame[ways[0]].notna() & np.isfinite(parts.column(frame, ways[1]))]
    return [kinds.index(value) for value in kept[ways[0]]], [parts.column(kept, name) for name in ways[1:]]


def _bars(axes: Axes, frame: pd.DataFrame, kinds: list[Any], ways: tuple[str, ...]) -> None:
    at, (share, low, high) = _places(frame, kinds, ways)
    if not at:
        parts.nothing(axes)
    boxes = [[(x - 0.4, 0), (x - 0.4, top), (x + 0.4, top), (x + 0.4, 0)] for x, top in zip(at, share, strict=True)]
    axes.add_collection(matplotlib.collections.PolyCollection(boxes, facecolor=PALETTE[0], lw=0, alpha=0.85))
    axes.vlines(at, low, high, color=INK, lw=1.1)


def _k_axis(axes: Axes, kinds: list[Any], label: str, *, named: bool) -> None:
    count = max(1, len(kinds))
    axes.set_xlim(-0.6, count - 0.4)
    texts = [plain(parts.kind_text(kind)) for kind in kinds]
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, count) if count <= 12 * step)
    first = -kinds[0] % step if kinds and isinstance(kinds[0], int) else 0  # so that ticks stand at round numbers
    at = range(first, len(kinds), step)
    axes.set_xticks(list(at), texts[first::step] if named else [""] * len(at))
    parts.below(axes, label)


def _steps(
    groups: list[tuple[str, pd.DataFrame]], kinds: list[Any], limits: tuple[float, float], ways: tuple[str, ...],
    labels: tuple[str, str], *, percent: bool, width: float,
) -> Figure:  # fmt: skip
    left = parts.y_room(limits, percent=percent)
    key = parts.KeyLines([name for name, _ in groups], width)
    top = 0.15 + key.height + 0.17 * bool(labels[1]) + parts.name_room(labels[1], width)
    foot = 0.5 + parts.name_room(labels[0], width)
    figure = new_figure(width, 1.9 + foot + top)
    axes = parts.place(figure, left, 0.1, top, foot)
    for rank, (_, part) in enumerate(groups):
        at, (share, *_) = _places(part, kinds, ways)
        filled = np.zeros(len(kinds))
        filled[at] = share
        marker = look(rank).marker if len(kinds) <= 25 else ""
        axes.plot(np.arange(len(kinds)), filled, drawstyle="steps-mid", color=look(rank).colour,
                  ls=look(rank).dashes, lw=1.6, marker=marker, ms=4, mec=PAPER, mew=0.5)  # fmt: skip
    parts.y_axis(axes, limits, percent=percent)
    _k_axis(axes, kinds, labels[0], named=True)
    parts.above(axes, labels[1], left, up=9 + 72 * key.height)
    key.draw(axes, left, up=8)
    return figure


# ---- predicted against realised ------------------------------------------------------------------------------------


@styled
def calibration(
    frame: pd.DataFrame, *, predicted: str = "predicted", realised: str = "realised", low: str = "low",
    high: str = "high", count: str = "count", group: str | None = None, x_label: str = "predicted",
    y_label: str = "came true", percent: bool = True, width: float = WIDTH,
) -> Figure:  # fmt: skip
    """Return predictions against what came true, with the diagonal; larger marks rest on more cases.

    Parameters
    ----------
    frame : DataFrame
        One row a mark; columns named by `predicted`, `realised`, `low`, `high`, `count` and, if any, `group`.
    x_label, y_label : str
        Names of the axes.
    percent : bool
        Whether shares 0..1 are shown in per cent.
    width : float
        Inches.
    """
    groups = parts.groups(frame, group)
    values = parts.finite([v for name in (predicted, realised, low, high) for v in parts.column(frame, name)])
    limits = parts.span([0.0, 1.0] if percent else values, pad=0.03)
    key = parts.KeyLines([name for name, _ in groups], width)
    top, left = 0.27 + key.height + parts.name_room(y_label, width), parts.y_room(limits, percent=percent)
    foot = 0.5 + parts.name_room(x_label, width)
    figure = new_figure(width, min(width, 3.6) + top + foot - 0.77)
    axes = parts.place(figure, left, 0.15, top, foot)
    parts.y_axis(axes, limits, percent=percent)
    parts.x_axis(axes, limits, x_label, percent=percent)
    axes.plot(limits, limits, color=MUTED, lw=1, ls=(0, (3, 2)), scalex=False, scaley=False)
    parts.note(
        axes,
        0.03,
        0.93,
        "above the line: more often than predicted" if percent else "above the line: more than predicted",
    )
    parts.above(axes, y_label, left, up=8 + 72 * key.height)
    key.draw(axes, left, up=8)
    most = max(parts.finite(parts.column(frame, count)), default=1.0) or 1.0
    for rank, (_, part) in enumerate(groups):
        _marks(axes, part, rank, (predicted, realised, low, high), parts.column(part, count) / most)
    return figure


def _marks(axes: Axes, frame: pd.DataFrame, rank: int, names: tuple[str, ...], weight: np.ndarray) -> None:
    x, y, low, high = (parts.column(frame, name) for name in names)
    known = np.isfinite(x) & np.isfinite(y)
    if not known.any():
        parts.nothing(axes)
    size = 12 + 90 * np.nan_to_num(weight, nan=0.3)
    axes.vlines(x[known], low[known], high[known], color=look(rank).colour, lw=1.4)
    axes.scatter(x[known], y[known], s=size[known], color=look(rank).colour, marker=look(rank).marker,
                 edgecolor=PAPER, linewidth=0.6, zorder=3)  # fmt: skip


# ---- matrices ------------------------------------------------------------------------------------------------------


def heat(
    frame: pd.DataFrame, *, x_label: str = "", y_label: str = "", centre: float | None = None,
    places: int | None = None, percent: parts.Percent = False, present: tuple[str | None, str | None] = NOWHERE,
    width: float = WIDTH,
) -> Figure:  # fmt: skip
    """Return a matrix with its numbers printed in coloured cells.

    Parameters
    ----------
    frame : DataFrame
        The matrix; index and columns name its rows and columns.
    x_label, y_label : str
        What the columns and rows are.
    centre : float, optional
        The value without colour, such as 0 for differences: one hue below it, another above.
    places : int, optional
        Decimals.
    percent : bool or "points"
        Whether values 0..1 are shown in per cent, or as differences of shares in points of a per cent.
    present : (str or None, str or None)
        The names of the column and of the row that are so at present, which are marked, as is the cell of both.
    width : float
        Inches.

    Raises
    ------
    ValueError
        If no column or row has the name that is to be marked.
    """
    return heats(
        {"": frame}, x_label=x_label, y_label=y_label, centre=centre, places=places, percent=percent, present=present,
        width=width,
    )  # fmt: skip


@styled
def heats(
    panels: Mapping[str, pd.DataFrame], *, x_label: str = "", y_label: str = "", centre: float | None = None,
    places: int | None = None, percent: parts.Percent = False, marks: Mapping[str, pd.DataFrame] | None = None,
    present: tuple[str | None, str | None] = NOWHERE, width: float = WIDTH,
) -> Figure:  # fmt: skip
    """Return matrices of the same rows and columns below each other, in the same colours; the rest is as in `heat`.

    Parameters
    ----------
    panels : mapping of str to DataFrame
        Each matrix by what is written above it.
    marks : mapping of str to DataFrame, optional
        Matrices of texts that are written behind the numbers.

    Raises
    ------
    ValueError
        If no column or row has the name that is to be marked.
    """
    frames = list(panels.values())
    values = np.concatenate([frame.to_numpy(dtype=float, na_value=math.nan) for frame in frames])
    columns, index = ([str(name) for name in names] for names in (frames[0].columns, frames[0].index))
    now = _place(columns, present[0]), _place(index, present[1])
    rows = _names(index, present[1], 1.4, SMALL)
    left = 0.12 + parts.widest(rows, SMALL)
    cell = (width - left - 0.05) / max(1, len(columns))
    heads = _names(columns, present[0], cell, SMALL)
    names = _axes_names(x_label, y_label, percent=percent)
    top = 0.12 + 0.13 * max(map(len, heads), default=1) + 0.19 * bool(names) + parts.name_room(names, width)
    tall = 0.13 * max(map(len, rows), default=1) + 0.05
    panel, gap = max(0.3, tall, min(0.42, cell * 0.7)) * max(1, len(rows)), 0.24 * (len(frames) > 1)
    figure = new_figure(width, top + 0.06 + (panel + gap) * len(frames))
    shades, texts = parts.shades(values, centre), _printed(values, places, percent=percent)
    if marks:
        texts = texts + " " + np.concatenate([marks[name].to_numpy(dtype=object) for name in panels])
    for place, name in enumerate(panels):
        below = (panel + gap) * (len(frames) - 1 - place)
        axes = parts.place(figure, left, 0.05, top + (panel + gap) * place + gap, 0.06 + below)
        _matrix(axes, rows, len(columns), now[1])
        own = slice(place * len(rows), (place + 1) * len(rows))
        _cells(axes, values[own], shades[own], texts[own], cell)
        if math.isfinite(sum(now)):
            axes.add_patch(
                matplotlib.patches.Rectangle(
                    now, 1, 1, facecolor="none", edgecolor=INK, lw=1.8, zorder=3, clip_on=False
                )
            )
        if gap:
            (head,) = parts.wrap(name, width - left, SMALL, lines=1, middle=True)
            axes.annotate(plain(head), (0, 1), xycoords="axes fraction", xytext=(2, 4), textcoords="offset points",
                          fontsize=SMALL, fontweight="bold", annotation_clip=False)  # fmt: skip
        if place == 0:
            _heads(axes, heads, now[0], up=72 * gap)
            parts.above(axes, names, left, up=72 * (top - parts.name_room(names, width) + gap) - 14)
    return figure


def _place(names: list[str], present: str | None) -> float:
    """Return where a name stands among a figure's own, nan for none; a figure can't mark what it doesn't show."""
    if present is None:
        return math.nan
    if present not in names:
        raise ValueError(f"nothing here is named {present!r}, to be marked as present: {names}")
    return names.index(present)


def _axes_names(x_label: str, y_label: str, *, percent: parts.Percent) -> str:
    unit = "in %" if percent is True else parts.unit(percent)
    names = [y_label and f"{say(y_label)} \u2193", x_label and f"{say(x_label)} \u2192", say(unit)]
    return "\u2003".join(filter(None, names))


def _matrix(axes: Axes, rows: list[list[str]], columns: int, now: float) -> None:
    axes.set(xlim=(0, max(1, columns)), ylim=(max(1, len(rows)), 0), xticks=[], yticks=[])
    axes.spines["bottom"].set_visible(False)
    for at, lines in enumerate(rows):
        weight = "bold" if at == now else "normal"
        parts.lines_at(axes, 0, at + 0.5, lines, right=-5, ha="right", size=SMALL, weight=weight)


def _heads(axes: Axes, heads: list[list[str]], now: float, up: float) -> None:
    for at, lines in enumerate(heads):
        for line_up, line in enumerate(reversed(lines)):
            axes.annotate(plain(line), (at + 0.5, 0), xytext=(0, up + 4 + 9.2 * line_up), textcoords="offset points",
                          ha="center", fontsize=SMALL, annotation_clip=False,
                          fontweight="bold" if at == now else "normal")  # fmt: skip


def _printed(values: np.ndarray, places: int | None, *, percent: parts.Percent) -> np.ndarray:
    scaled = values * (100 if percent else 1)
    known = np.abs(scaled[np.isfinite(scaled)])
    if places is None:
        whole = not len(known) or bool((known == known.round()).all())
        places = 0 if whole else int(np.clip(2 - math.floor(math.log10(known.max() or 1)), 0, 4))
    return np.array([[number(value, places) for value in row] for row in scaled], dtype=object)


def _cells(axes: Axes, values: np.ndarray, shades: np.ndarray, texts: np.ndarray, cell: float) -> None:
    longest = max((parts.text_width(text, 1) for text in texts.flat), default=1)
    size = max(5.0, min(TEXT, 0.92 * cell / longest)) if longest else TEXT
    boxes, colours = [], []
    for (row, column), value in np.ndenumerate(values):
        shade = shades[row, column]
        known = bool(np.isfinite(value))
        if known:
            boxes.append([(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)])
            colours.append(shade)
        ink = ink_on(shade) if known else MUTED
        axes.text(column + 0.5, row + 0.5, str(texts[row, column]) if known else DASH, ha="center",
                  va="center_baseline", fontsize=size, color=ink)  # fmt: skip
    axes.add_collection(
        matplotlib.collections.PolyCollection(boxes, facecolors=colours, edgecolors=PAPER, linewidths=1.5)
    )
