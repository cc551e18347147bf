"""Small pictures to stand beside a page's headline: no axes, few words, every number that matters as text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from simlib.figures import parts
from simlib.figures.style import GRID, INK, MUTED, PAPER, SMALL, look, new_figure, plain, styled
from simlib.heavy import matplotlib, pd
from simlib.languages import say

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, TALL = 3.0, 1.3  # inches
ROW, EDGE = 0.25, 0.12
MOST_ROWS = 6
LABEL = 1.2  # inches that a row's name may take
LEAST = 0.7  # inches that the dots need: numbers stand without their intervals rather than take more


@styled
def dots(
    frame: pd.DataFrame, *, label: str = "label", value: str = "value", low: str = "low", high: str = "high",
    reference: float | None = None, percent: parts.Percent = False,
) -> Figure:  # fmt: skip
    """Return a line a row: its name, a dot with its interval, the number, if there is room with the interval's reach.

    Parameters
    ----------
    frame : DataFrame
        One to six rows; columns named by `label`, `value`, `low`, `high`.
    reference : float, optional
        A value to read the others against; 0 for differences of shares.
    percent : bool or "points"
        Whether shares 0..1 are shown in per cent, or their differences in points of one.

    Raises
    ------
    ValueError
        If there are more rows than a small picture can hold.
    """
    if len(frame) > MOST_ROWS:
        raise ValueError(f"a small picture holds {MOST_ROWS} rows, not {len(frame)}")
    reference = parts.zero_line(reference, percent)
    ends = tuple(parts.column(frame, name) for name in (value, low, high))
    names = parts.wrap_all(frame[label], LABEL, SMALL, lines=4)
    texts = parts.interval_texts(ends, percent=percent)
    told = [" ".join(filter(None, text)) for text in texts]
    left, right = (0.1 + parts.widest(lines, SMALL) for lines in (names, [told]))
    if WIDTH - left - right < LEAST:
        told = [value for value, _ in texts]
        right = 0.1 + parts.widest([told], SMALL)
    row = ROW + parts.LINE * (max(map(len, names), default=1) - 1)
    figure = new_figure(WIDTH, 0.1 + row * max(len(frame), 2))
    axes = parts.place(figure, left, right, 0.05, 0.05)
    axes.set_xlim(*parts.span([*np.concatenate(ends), *([] if reference is None else [reference])], pad=0.08))
    _bare(axes, (len(frame) - 0.5, -0.5) if len(frame) else (1, 0))
    if reference is not None:
        axes.axvline(reference, color=MUTED, lw=1, ls=(0, (3, 2)), zorder=1)
    axes.hlines(range(len(frame)), ends[1], ends[2], color=look(0).colour, lw=2.2, alpha=0.55)
    axes.plot(ends[0], range(len(frame)), marker="o", color=look(0).colour, ls="none", ms=6, clip_on=False)
    for at, (lines, text) in enumerate(zip(names, told, strict=True)):
        parts.lines_at(axes, 0, at, lines, right=-5, ha="right", size=SMALL)
        parts.lines_at(axes, 1, at, [text], right=72 * right - 2, ha="right", size=SMALL)
    if not len(frame):
        parts.nothing(axes)
    return figure


def _bare(axes: Axes, limits: tuple[float, float]) -> None:
    axes.set_ylim(*limits)
    axes.set(xticks=[], yticks=[])
    axes.spines["bottom"].set_visible(False)


@styled
def line(
    frame: pd.DataFrame, *, x: str = "x", y: str = "value", low: str = "low", high: str = "high",
    present: float | None = None, present_label: str = "now", reference: float | None = None,
    percent: parts.Percent = False, x_percent: bool = False,
) -> Figure:  # fmt: skip
    """Return a curve with its band; its present place is marked and named, its ends have their numbers.

    Parameters
    ----------
    frame : DataFrame
        One row a point; columns named by `x`, `y`, `low`, `high`.
    present : float, optional
        The parameter's present value; the curve's height there is written beside it, read off between points.
    reference : float, optional
        A height to read the curve against; 0 for differences of shares.
    percent, x_percent : bool or "points"
        Whether heights, or the parameter, are shares shown in per cent.
    """
    reference = parts.zero_line(reference, percent)
    frame = frame.sort_values(x)
    frame = frame[np.isfinite(parts.column(frame, x)) & np.isfinite(parts.column(frame, y))]
    along, heights, below, above = (parts.column(frame, name) for name in (x, y, low, high))
    figure = new_figure(WIDTH, TALL)
    axes = parts.place(figure, EDGE, EDGE, 0.3, 0.26)
    given = [*([] if reference is None else [reference]), *heights, *below, *above]
    axes.set_xlim(*parts.span([*along, *([] if present is None else [present])], pad=0.03))
    _bare(axes, parts.span(given, pad=0.08))
    axes.spines["bottom"].set(visible=True, color=GRID)
    if reference is not None:
        parts.reference_line(axes, reference, vertical=False)
    axes.fill_between(along, below, above, color=look(0).colour, alpha=0.18, lw=0)
    axes.plot(along, heights, color=look(0).colour)
    _ends(axes, along, x_percent=x_percent, present=present)
    if not len(along):
        parts.nothing(axes)
    elif present is not None:
        _present(axes, (along, heights, below, above), (present, present_label), percent, x_percent=x_percent)
    return figure


def _ends(axes: Axes, along: np.ndarray, *, x_percent: bool, present: float | None) -> None:
    """Write the parameter's first and last value under the curve, unless its present one stands there."""
    low, high = axes.get_xlim()
    for at in (along[0], along[-1]) if len(along) else ():
        if present is None or abs(at - present) > 0.2 * (high - low):
            _under(axes, parts.shown(float(at), 0.0, percent=x_percent), (at - low) / (high - low))


def _present(
    axes: Axes, curve: tuple[np.ndarray, ...], now: tuple[float, str], percent: parts.Percent, *, x_percent: bool
) -> None:
    """Mark the curve at the present value, and write both numbers there."""
    at, name = now
    along, *heights = curve
    inside = along[0] <= at <= along[-1]
    ends = [np.array([np.interp(at, along, height) if inside else math.nan]) for height in heights]
    low, high = axes.get_xlim()
    share = (at - low) / (high - low)
    axes.axvline(at, color=MUTED, lw=1, ls=(0, (3, 2)), zorder=1)
    axes.plot([at], ends[0], marker="o", ms=7, color=look(0).colour, mec=PAPER, mew=1, clip_on=False)
    ((value, reach),) = parts.interval_texts(ends, percent=percent)
    _over(axes, f"{value} {reach}".strip(), share)
    _under(axes, f"{say(name)} {parts.shown(at, 0.0, percent=x_percent)}", share)


@styled
def bars(
    frame: pd.DataFrame, *, k: str = "k", value: str = "share", low: str = "low", high: str = "high",
    present: float | None = None, percent: bool = True,
) -> Figure:  # fmt: skip
    """Return a tiny histogram: its ends and its highest bar are named.

    Parameters
    ----------
    frame : DataFrame
        One row for each k, whole numbers or texts; columns named by `k`, `value` and, if known, `low` and `high`.
    present : float, optional
        A k whose bar is drawn in full colour, the others paler; by default the highest one.
    percent : bool
        Whether shares 0..1 are shown in per cent.
    """
    kinds = parts.kinds(frame[k])
    kept = frame[frame[k].notna() & np.isfinite(parts.column(frame, value))]
    at = [kinds.index(each) for each in kept[k]]
    ends = tuple(parts.column(kept, name) for name in (value, low, high))
    figure = new_figure(WIDTH, TALL)
    axes = parts.place(figure, EDGE, EDGE, 0.3, 0.26)
    axes.set_xlim(-0.6, max(len(kinds), 1) - 0.4)
    _bare(axes, (0, max(parts.finite([*ends[0], *ends[2]]), default=1.0) or 1.0))
    axes.spines["bottom"].set(visible=True, color=MUTED)
    if not at:
        parts.nothing(axes)
        return figure
    peak = int(np.argmax(ends[0])) if present is None or present not in kinds else at.index(kinds.index(present))
    boxes = [[(x - 0.4, 0), (x - 0.4, y), (x + 0.4, y), (x + 0.4, 0)] for x, y in zip(at, ends[0], strict=True)]
    for wanted, alpha in ((True, 1.0), (False, 0.45)):
        own = [box for place, box in enumerate(boxes) if (place == peak) == wanted]
        axes.add_collection(matplotlib.collections.PolyCollection(own, facecolor=look(0).colour, lw=0, alpha=alpha))
    axes.vlines(at, ends[1], ends[2], color=INK, lw=0.9)
    _bar_names(axes, kinds, at[peak])
    ((told, reach),) = parts.interval_texts([each[[peak]] for each in ends], percent=percent)
    _over(axes, f"{told} {reach}".strip(), (at[peak] + 0.6) / (len(kinds) + 0.2))
    return figure


def _bar_names(axes: Axes, kinds: list[object], peak: int) -> None:
    """Write the names of one bar and of the first and the last, without those that would touch its name."""
    names = [parts.wrap(parts.kind_text(kind), WIDTH / 3, SMALL, lines=1)[0] for kind in kinds]
    shares = [(place + 0.6) / (len(kinds) + 0.2) for place in range(len(kinds))]
    room, half = parts.inches(axes)[0], parts.text_width(names[peak], SMALL) / 2
    for place in sorted({0, peak, len(kinds) - 1}):
        touches = abs(shares[place] - shares[peak]) * room < half + parts.text_width(names[place], SMALL) / 2 + 0.08
        if place == peak or not touches:
            _under(axes, names[place], shares[place])


def _inside(axes: Axes, text: str, share: float) -> float:
    """Return where a text's middle stands, as near to a share of the axes' width as the figure's edges let it."""
    room, half = parts.inches(axes)[0], parts.text_width(text, SMALL) / 2
    return min(max(share, (half - EDGE) / room), 1 - (half - EDGE) / room)


def _under(axes: Axes, text: str, share: float) -> None:
    parts.note(axes, _inside(axes, text, share), 0, text, down=11, ha="center")


def _over(axes: Axes, text: str, share: float) -> None:
    axes.annotate(
        plain(text), (_inside(axes, text, share), 1), xycoords="axes fraction", xytext=(0, 7), ha="center",
        textcoords="offset points", color=INK, fontsize=SMALL, fontweight="bold",
    )  # fmt: skip
