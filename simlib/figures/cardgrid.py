"""A grid of playing cards with a figure on each: what a card is worth, how often it wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simlib.figures import parts
from simlib.figures.style import INK, MUTED, PAPER, SMALL, WIDTH, card_look, ink_on, new_figure, styled
from simlib.heavy import matplotlib, pd
from simlib.languages import say

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CARD, GAP = (0.52, 0.74), 0.05  # inches
HEAD, BAND, FOOT = 0.22, 0.19, 0.28
ROUND = 0.06


@styled
def card_grid(
    frame: pd.DataFrame, *, row: str | None = None, column: str = "rank", value: str = "value", low: str = "low",
    high: str = "high", colour: str | None = None, centre: float | None = 0.0, percent: parts.Percent = False,
    width: float = WIDTH,
) -> Figure:  # fmt: skip
    """Return cards in rows, each with its rank, its value, and how far the value's interval reaches.

    A card's face is shaded by its value, away from `centre` to either side; a value whose interval holds the centre
    is written in plain type, others in bold.

    Parameters
    ----------
    frame : DataFrame
        One row a card; columns named by `column` (its rank, or a name such as ``special``), `value`, `low`, `high`,
        and if any by `row` (such as a kind of player) and `colour` (such as ``red``). Rows and cards keep their order.
    colour : str, optional
        Column of the cards' colours, which may be `row` itself: the colour's hue and name stand on each card.
    centre : float or None
        The value without shade; None for shades from the lowest to the highest value.
    percent : bool or "points"
        Whether shares 0..1 are shown in per cent, or their differences in points of one.
    width : float
        Inches.
    """
    frame = frame.reset_index(drop=True)
    rows = parts.groups(frame, row)
    across = max(1, int((width - 0.1 + GAP) / (CARD[0] + GAP)))
    lines = [-(-len(part) // across) for _, part in rows]
    head = HEAD * (row is not None)
    tall = sum(head + count * (CARD[1] + GAP) + 0.06 for count in lines)
    figure = new_figure(width, tall + FOOT * (centre is not None) + 0.4 * (not len(frame)))
    axes = parts.sheet(figure)
    shades = pd.DataFrame(parts.shades(parts.column(frame, value)[:, None], centre)[:, 0], index=frame.index)
    ends = [parts.column(frame, name) for name in (value, low, high)]
    texts = pd.Series(parts.interval_texts(ends, percent=percent), index=frame.index, dtype=object)
    top = 0.03
    for (name, part), count in zip(rows, lines, strict=True):
        if head:
            parts.write(axes, 0.05, top + 0.1, _cut(name, width - 0.1), size=SMALL, fontweight="bold")
        per_line = -(-len(part) // max(count, 1))
        for place, (index, card) in enumerate(part.iterrows()):
            at = (0.05 + place % per_line * (CARD[0] + GAP), top + head + place // per_line * (CARD[1] + GAP))
            clear = centre is not None and (card[low] > centre or card[high] < centre) if low in card else False
            hue = None if colour is None else str(card[colour])
            _card(axes, at, (str(card[column]), hue), shades.loc[index].to_numpy(), texts[index], clear=bool(clear))
        top += head + count * (CARD[1] + GAP) + 0.06
    if not len(frame):
        parts.nothing(axes)
    elif centre is not None:
        parts.write(axes, 0.05, top + 0.06, _key(centre, percent), size=SMALL, color=MUTED)
    return figure


def _key(centre: float, percent: parts.Percent) -> str:
    """Return what bold numbers are, and their unit if it doesn't stand beside them."""
    bold = say("bold: the interval leaves out {centre}", centre=parts.shown(centre, 0.0, percent=percent))
    return say("; ").join([bold, say(parts.unit(percent))][: 1 + (percent == parts.POINTS)])


def _cut(text: str, most: float, size: float = SMALL) -> str:
    (line,) = parts.wrap(text, most, size, lines=1)
    return line


def _card(
    axes: Axes, at: tuple[float, float], names: tuple[str, str | None], shade: np.ndarray, told: tuple[str, str],
    *, clear: bool,
) -> None:  # fmt: skip
    """Draw one card from its upper left corner: rank and colour, value, how far its interval reaches."""
    (x, y), (rank, hue), (wide, tall) = at, names, CARD
    known = bool(np.isfinite(shade).all())
    outline = rounded(axes, x, y, wide, tall, face=tuple(shade) if known else PAPER)
    ink = ink_on(shade) if known else MUTED
    corner = ink if known else INK
    size = min(8.0, 8.0 * (wide - 0.08) / max(parts.text_width(say(rank), 8), 0.01))
    two = hue is not None and parts.text_width(say(rank), size) + parts.text_width(say(hue), 5.5) > wide - 0.12
    if hue is not None:
        band = matplotlib.patches.Rectangle((x, y), wide, BAND + 0.11 * two, facecolor=card_look(hue).fill, lw=0)
        axes.add_patch(band)
        band.set_clip_path(outline)
        corner = card_look(hue).ink
        across, down, ha = (0.05, BAND + 0.03, "left") if two else (wide - 0.04, BAND / 2, "right")
        parts.write(axes, x + across, y + down, _cut(hue, wide - 0.08, 5.5), size=5.5, color=corner, ha=ha)
    parts.write(axes, x + 0.05, y + BAND / 2, rank, size=size, color=corner, fontweight="bold")
    value, reach = told
    _fitted(axes, x, y + 0.41 + 0.05 * two, value, 9.0, ink, weight="bold" if clear else "normal")
    _fitted(axes, x, y + 0.61 + 0.03 * two, reach, 7.0, ink)
    axes.add_patch(_edge(x, y, wide, tall))


def _fitted(axes: Axes, x: float, y: float, text: str, size: float, ink: str, weight: str = "normal") -> None:
    if text:
        size = min(size, size * (CARD[0] - 0.05) / parts.text_width(text, size))
        parts.write(axes, x + CARD[0] / 2, y, text, size=size, ha="center", color=ink, fontweight=weight)


def rounded(
    axes: Axes, x: float, y: float, wide: float, tall: float, face: object
) -> matplotlib.patches.FancyBboxPatch:
    """Draw and return a card's rounded face on a sheet, from its upper left corner."""
    box = matplotlib.patches.FancyBboxPatch(
        (x, y), wide, tall, boxstyle=f"round,pad=0,rounding_size={ROUND}", facecolor=face, lw=0
    )
    axes.add_patch(box)
    return box


def _edge(x: float, y: float, wide: float, tall: float) -> matplotlib.patches.FancyBboxPatch:
    style = f"round,pad=0,rounding_size={ROUND}"
    return matplotlib.patches.FancyBboxPatch(
        (x, y), wide, tall, boxstyle=style, facecolor="none", edgecolor=MUTED, lw=0.7
    )
