"""What-if: sliders in a page that recompute figures from numbers that it holds, without new games.

A figure is either linear in the sliders, such as points under bonuses, or known at each value of the first slider,
such as games that reach a target. The page's script knows no more of a question than this.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from simlib.estimates import Estimate
from simlib.estimates.words import DASH, MINUS, MOST_PLACES, level
from simlib.figures.style import PALETTE, look
from simlib.languages import say


@dataclass(frozen=True)
class Slider:
    """A number to turn.

    Attributes
    ----------
    key : str
        How sentences name it: ``{key}``.
    label : str
    values : sequence of float
        What it can be set to, ascending; `present` is among them.
    present : float
        As played.
    """

    key: str
    label: str
    values: Sequence[float]
    present: float


@dataclass(frozen=True)
class Measure:
    """A figure that the sliders change.

    Attributes
    ----------
    label : str
        What it is.
    words : tuple of str
        Sentences where its interval lies below zero, around it and above; or the one that is always said. Their
        holes are ``{figure}``, ``{loss}`` (the figure with the other sign), ``{line}``, ``{group}`` and sliders' keys.
    unit : str
        Put after its value.
    percent : bool
        Whether it is a share, shown in per cent.
    verdicts : tuple of str
        What its interval says in a word or two, in the same order as `words`; nothing where it says nothing.
    """

    label: str
    words: tuple[str, ...]
    unit: str = ""
    percent: bool = False
    verdicts: tuple[str, ...] = ()


class Linear(NamedTuple):
    """A figure that is a sum of `means` times the sliders' values.

    Its interval reaches to each side the root of a sum of `squares` times products of two values.
    """

    means: list[float]
    squares: list[list[float]]
    n: int
    level: str
    reason: str


class Line(NamedTuple):
    """Measures for one kind of player: each linear, or estimates of as many games, one a value of the first slider."""

    name: str
    sources: Sequence[Linear | Sequence[Estimate]]


@dataclass(frozen=True)
class WhatIf:
    """Sliders with what they change.

    Attributes
    ----------
    text : str
        What can be turned.
    sliders : sequence of Slider
        The first is the curve's axis.
    measures : sequence of Measure
        The first is drawn; all are listed.
    groups : mapping of str to sequence of Line
        Lines that are drawn together, such as kinds of player at one number of seats.
    main : str
        The line that the sentence speaks of.
    held : sequence of str
        What stays as it was played, and how far to trust it.
    """

    text: str
    sliders: Sequence[Slider]
    measures: Sequence[Measure]
    groups: Mapping[str, Sequence[Line]]
    main: str
    held: Sequence[str] = ()

    def data(self) -> dict[str, Any]:
        """Return what the script needs, as plain values for JSON."""
        return {
            "sliders": [_slider(slider) for slider in self.sliders],
            "measures": [_measure(measure) for measure in self.measures],
            "groups": [
                {"label": say(label), "main": self._main(lines), "lines": [*map(_line, range(len(lines)), lines)]}
                for label, lines in self.groups.items()
            ],
            "words": _words(),
        }

    def _main(self, lines: Sequence[Line]) -> int:
        return next((at for at, line in enumerate(lines) if line.name == self.main), 0)


def linear(figures: Callable[..., Sequence[Estimate]], sliders: int) -> list[Linear]:
    """Return figures that are linear in the values of some sliders, from what they are at a few values.

    Parameters
    ----------
    figures : callable
        Takes a value for each slider and returns estimates, whose intervals reach as far to both sides.
    sliders : int
        How many there are.

    Examples
    --------
    >>> [found] = linear(lambda one, other: [Estimate(one - other, one - other - 1, one - other + 1, 9, "")], 2)
    >>> found.means
    [1.0, -1.0]
    """
    units = np.eye(sliders)
    alone = [figures(*unit) for unit in units]
    both = {pair: figures(*units[list(pair)].sum(axis=0)) for pair in combinations(range(sliders), 2)}
    return [
        _linear([each[at] for each in alone], {pair: each[at] for pair, each in both.items()})
        for at in range(len(alone[0]))
    ]


def _linear(alone: Sequence[Estimate], both: Mapping[tuple[int, int], Estimate]) -> Linear:
    squares = np.diag([_reach(each) ** 2 for each in alone])
    for (one, other), each in both.items():
        shared = (_reach(each) ** 2 - squares[one, one] - squares[other, other]) / 2
        squares[one, other] = squares[other, one] = shared
    unknown = next((each for each in (*alone, *both.values()) if not each.known), None)
    means = [float(each.value) for each in alone]
    return Linear(means, squares.tolist(), alone[0].n, level(alone[0]), unknown.reason if unknown else "")


def _reach(estimate: Estimate) -> float:
    return (estimate.high - estimate.low) / 2


def _slider(slider: Slider) -> dict[str, Any]:
    values = [float(value) for value in slider.values]
    return {"key": slider.key, "label": say(slider.label), "values": values, "present": values.index(slider.present)}


def _measure(measure: Measure) -> dict[str, Any]:
    return {
        "label": say(measure.label),
        "words": [say(words) for words in measure.words],
        "unit": say(measure.unit) if measure.unit else "%" if measure.percent else "",
        "percent": measure.percent,
        "verdicts": [say(words) for words in measure.verdicts],
    }


def _line(rank: int, line: Line) -> dict[str, Any]:
    colour, marker, dashes = look(rank)
    return {
        "name": say(line.name),
        "colour": f"var(--series-{PALETTE.index(colour) + 1})" if colour in PALETTE else "currentColor",
        "mark": marker,
        "dashes": "" if dashes == "-" else " ".join(f"{1.8 * part:g}" for part in dashes[1]),
        "sources": [_source(source) for source in line.sources],
    }


def _source(source: Linear | Sequence[Estimate]) -> dict[str, Any]:
    if isinstance(source, Linear):
        means, squares = ([_plain(part) for part in row] for row in (source.means, np.ravel(source.squares)))
        told = {"means": means, "squares": squares, "reason": say(source.reason) if source.reason else ""}
        return told | {"n": source.n, "level": source.level}
    points = [
        [say(each.reason) if each.reason else "", *map(_plain, (each.value, each.low, each.high))] for each in source
    ]
    return {"points": points, "n": source[0].n, "level": level(source[0])}


def _plain(value: float) -> float | None:
    """Return a number as JSON has it."""
    return float(value) if math.isfinite(value) else None


def _words() -> dict[str, Any]:
    """Return the words that estimates are told with, as `estimates.words` has them, and a few of the script's own."""
    return {
        "value": say("{value} ({how_sure})"),
        "unit": say("{value} {unit}"),
        "interval": say("{level} interval {low} to {high}, n = {n:,}"),
        "same": say("the same every time, n = {n:,}"),
        "unknown": say("no interval: {reason}"),
        "reason": say("not known"),
        "between": say(" "),
        "present": say("as played"),
        "curve": say("{figure}, by {slider} ({group})"),
        "players": say("players"),
        "verdict": say("verdict"),
        "dash": DASH,
        "minus": MINUS,
        "places": MOST_PLACES,
    }
