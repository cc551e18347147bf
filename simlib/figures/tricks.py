"""The diagram of a trick in which the lead colour turns: cards in order of play over a band of the lead colour."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from simlib.estimates.words import DASH
from simlib.figures import parts
from simlib.figures.cardgrid import rounded
from simlib.figures.style import INK, MUTED, SMALL, WIDTH, card_look, look, new_figure, styled
from simlib.heavy import matplotlib, pd
from simlib.languages import say

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEFT, TOP, CARD_TALL, BAND, LINE = 0.08, 0.28, 0.78, 0.24, 0.14  # inches
WIDEST_CARD = 0.62
SHARES = 1.1  # inches of the picture of shares
SPECIAL = "*"
ACTS = {  # what a card does, as the diagram says it
    "leads": "leads the trick", "follows": "follows", "turns": "turns the lead", "locks": "locks the trick",
    "plays": "another colour",
}  # fmt: skip
COLOURS = {"R": "red", "B": "blue", "G": "green", "Y": "yellow", "P": "purple", "O": "orange"}


def trick_frame(trick: Mapping[str, Any], colours: Mapping[str, str] = COLOURS) -> pd.DataFrame:
    """Return a recorded trick of Gara-tori as `lead_turns` draws it, a row a place.

    Parameters
    ----------
    trick : mapping
        As in ``simlib-record/1``: ``plays`` of (seat, card), ``leads`` after each card, ``locked``, ``winner``.
    colours : mapping
        Names of colours by their letters.

    Examples
    --------
    >>> trick = {"plays": [[0, "B4"], [1, "Y4"]], "leads": ["B", "Y"], "locked": False, "winner": 1}
    >>> trick_frame(trick)[["colour", "rank", "lead", "act", "won"]].values.tolist()
    [['blue', '4', 'blue', 'leads', False], ['yellow', '4', 'yellow', 'turns', True]]
    """
    rows, locked = [], False
    for place, ((seat, card), lead) in enumerate(zip(trick["plays"], trick["leads"], strict=True)):
        before = trick["leads"][place - 1] if place else lead
        locks = trick["locked"] and not locked and card[1:] == SPECIAL and card[0] == before
        locked = locked or locks
        follows = "leads" if not place else "turns" if lead != before else "follows" if card[0] == lead else "plays"
        rows.append(
            {
                "seat": say("seat {seat}", seat=seat), "colour": colours.get(card[0], card[0]), "rank": card[1:],
                "lead": colours.get(lead, lead), "act": "locks" if locks else follows, "won": seat == trick["winner"],
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


@styled
def lead_turns(
    frame: pd.DataFrame, *, seat: str = "seat", colour: str = "colour", rank: str = "rank", lead: str = "lead",
    act: str = "act", won: str = "won", value: str = "value", low: str = "low", high: str = "high",
    value_label: str = "share of tricks in which this place turns the lead", percent: parts.Percent = True,
    width: float = WIDTH,
) -> Figure:  # fmt: skip
    """Return one trick in order of play: its cards, the lead colour as it turns, the winner; below, a share a place.

    Parameters
    ----------
    frame : DataFrame
        One row for each of two to six places in order of play. Columns named by `seat` (text above the card), `colour`
        (such as ``blue``), `rank` (text; ``*`` for a special), `lead` (the lead colour once the card lies), `act`
        (what it does: ``leads``, ``follows``, ``turns``, ``locks``, ``plays``) and `won` (bool); and, if shares are
        shown, by `value`, `low` and `high`: nan where a place has none, as the first can't turn.
    value_label : str
        What the shares are.
    percent : bool or "points"
        Whether shares 0..1 are shown in per cent.
    width : float
        Inches.
    """
    shares = value in frame and bool(np.isfinite(parts.column(frame, value)).any())
    step = (width - 2 * LEFT) / max(len(frame), 1)
    acts = [parts.wrap(_doing(card[act], card[won]), step - 0.04, SMALL, lines=3) for _, card in frame.iterrows()]
    band = TOP + CARD_TALL + 0.12 + LINE * max(map(len, acts), default=1)
    labels = parts.wrap(value_label, width - 0.1, SMALL) if shares else []
    figure = new_figure(width, band + BAND + 0.1 + (SHARES + 0.1 + LINE * len(labels)) * shares)
    axes = parts.sheet(figure)
    for place, (_, card) in enumerate(frame.iterrows()):
        middle = LEFT + step * (place + 0.5)
        parts.write(axes, middle, 0.14, _fit(card[seat], step), size=SMALL, ha="center", color=MUTED)
        _card(axes, middle, min(WIDEST_CARD, step * 0.8), str(card[colour]), str(card[rank]), won=bool(card[won]))
        bold = "bold" if card[won] or card[act] in {"turns", "locks"} else "normal"
        for at, line in enumerate(acts[place]):
            parts.write(
                axes, middle, TOP + CARD_TALL + 0.13 + LINE * at, line, size=SMALL, ha="center", fontweight=bold
            )
    _leads(axes, band, [str(name) for name in frame[lead]], [str(name) for name in frame[act]], step)
    if shares:
        for at, text in enumerate(labels):
            parts.write(axes, LEFT, band + BAND + 0.22 + LINE * at, text, size=SMALL, color=MUTED)
        ends = [parts.column(frame, name) for name in (value, low, high)]
        _shares(axes, ends, step, band + BAND + 0.1 + LINE * len(labels), percent)
    return figure


def _doing(act: str, won: object) -> str:
    return say("{act}, wins", act=ACTS[act]) if won else say(ACTS[act])


def _fit(text: object, most: float) -> str:
    (line,) = parts.wrap(str(text), most, SMALL, lines=1)
    return line


def _card(axes: Axes, middle: float, wide: float, colour: str, rank: str, *, won: bool) -> None:
    """Draw a card in its colour with its rank and the colour's name; the one that wins has a frame around it."""
    own, left = card_look(colour), middle - wide / 2
    if won:
        style = "round,pad=0.045,rounding_size=0.07"
        axes.add_patch(
            matplotlib.patches.FancyBboxPatch((left, TOP), wide, CARD_TALL, boxstyle=style, fc="none", ec=INK, lw=1.8)
        )
    rounded(axes, left, TOP, wide, CARD_TALL, own.fill)
    shown = "\u2605" if rank == SPECIAL else rank
    parts.write(axes, middle, TOP + 0.33, shown, size=17, ha="center", color=own.ink, fontweight="bold")
    name = parts.wrap(colour, wide - 0.06, 7.5, lines=1)[0]
    parts.write(axes, middle, TOP + CARD_TALL - 0.14, name, size=7.5, ha="center", color=own.ink)


def _leads(axes: Axes, top: float, leads: list[str], acts: list[str], step: float) -> None:
    """Draw the band of the lead colour: each run of places with one lead has its name; a wedge stands at each turn."""
    starts = [place for place, name in enumerate(leads) if place == 0 or name != leads[place - 1]]
    for start, end in zip(starts, [*starts[1:], len(leads)], strict=True):
        own, left, wide = card_look(leads[start]), LEFT + step * start, step * (end - start)
        axes.add_patch(matplotlib.patches.Rectangle((left, top), wide, BAND, facecolor=own.fill, lw=0))
        locked = "locks" in acts[start:end]
        words = say("{colour} leads, locked" if locked else "{colour} leads", colour=leads[start])
        size = min(SMALL, SMALL * (wide - 0.06) / parts.text_width(words, SMALL))
        parts.write(axes, left + wide / 2, top + BAND / 2, words, size=size, ha="center", color=own.ink)
        if start:
            axes.plot([left], [top - 0.005], marker="v", ms=6, color=INK, mec=INK, clip_on=False)


def _shares(axes: Axes, ends: list[np.ndarray], step: float, top: float, percent: parts.Percent) -> None:
    """Draw a dot with its interval under each place, from 0 at the foot, and its number above it."""
    most = max(parts.finite([*ends[0], *ends[2]]), default=1.0) or 1.0
    foot, tall = top + SHARES, SHARES - 0.5
    axes.plot([LEFT, LEFT + step * len(ends[0])], [foot, foot], color=MUTED, lw=0.8)
    for place, (told, value, low, high) in enumerate(
        zip(parts.interval_texts(ends, percent=percent), *ends, strict=True)
    ):
        x = LEFT + step * (place + 0.5)
        heights = [foot - tall * end / most for end in (value, low, high)]
        if not math.isfinite(value):
            parts.write(axes, x, foot - 0.12, DASH, size=SMALL, ha="center", color=MUTED)
            continue
        axes.plot([x, x], [foot, heights[0]], color=look(0).colour, lw=9, alpha=0.35, solid_capstyle="butt")
        axes.plot([x, x], heights[1:], color=look(0).colour, lw=2.2)
        axes.plot([x], heights[:1], marker="o", color=look(0).colour, ms=5.5)
        lines = parts.wrap(" ".join(told).strip(), step - 0.06, SMALL)
        for up, line in enumerate(reversed(lines)):
            parts.write(axes, x, min(parts.finite(heights)) - 0.13 - LINE * up, line, size=SMALL, ha="center")
