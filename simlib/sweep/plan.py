"""What a sweep plays: the cells of a space, those that are legal, and about how long they take."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from simlib.axes import Axis, cells
from simlib.errors import BadInput, one_line
from simlib.experiments import ALL, DESIGN, About, Request, about, questions
from simlib.games import TARGETS, game_named
from simlib.hooks import BLIND, SEARCHING, Seated
from simlib.players.search import PLAYOUTS
from simlib.players.weights import notices
from simlib.targets import Goal, goals_of
from simlib.variants import Variant

TOGETHER = 64  # cells that are played on common deals, all with all
BLOCK = 32  # where there are more: cells that are, the first of all among them
# Microseconds of a game that counting takes, for each experiment: of rows, and of whole games. Like each game's COSTS
# they are processor time of one thread of a desktop, with classic decks and four seats, in sweeps of 20 cells: all
# `random` (blind), all `greedy` (fast), all `search:25`, of which a playout is a 25th.
COUNTING = {False: 3.0, True: 40.0}
START = 4.0  # seconds that a run takes besides: loading kernels, drawing the page


class Cell(NamedTuple):
    """A legal cell: what is set in it, the variant that this makes, and who plays it."""

    label: str
    settings: dict[str, Any]
    variant: Variant
    players: tuple[Seated, ...]


class Illegal(NamedTuple):
    """A cell that can't be played, and why."""

    settings: dict[str, Any]
    reason: str


@dataclass(frozen=True)
class Asked:
    """What the user asked for.

    Attributes
    ----------
    name : str
        An experiment's, or DESIGN.
    game : str
    axes : sequence of Axis
    request : Request
        The variant that cells change, games, seed and command.
    policy : str
        Who plays, as typed.
    players : tuple of Seated
        One for all seats, or one for each.
    """

    name: str
    game: str
    axes: Sequence[Axis]
    request: Request
    policy: str
    players: tuple[Seated, ...]

    @cached_property
    def sources(self) -> list[About]:
        """The experiments whose measures are taken, those about this game alone first."""
        return sources_of(self.name, self.game)

    @cached_property
    def sorted_out(self) -> tuple[list[Cell], list[Illegal]]:
        """The legal cells, and those that aren't.

        Raises
        ------
        BadInput
            If none is legal.
        """
        found = [cell_of(self.request, self.game, settings, self.players) for settings in cells(self.axes)]
        legal = [each for each in found if isinstance(each, Cell)]
        illegal = [each for each in found if isinstance(each, Illegal)]
        if not legal:
            first, alike = illegal[0], len({each.reason for each in illegal}) == 1
            where = "" if alike else f"{label_of(first.settings)}: "
            raise BadInput(f"SWEEP: none of {len(illegal):,} cells can be played: {where}{first.reason}")
        return legal, illegal

    @cached_property
    def goals(self) -> list[Goal]:
        """The targets of the variant file that cells change.

        Raises
        ------
        BadInput
            If one can't be read.
        """
        return goals_of(self.request.written.get(TARGETS, {}), self.game, f"{self.request.file}: {TARGETS}")

    def check(self) -> None:
        """Raise BadInput where nothing can be played, or nothing measured, or a target can't be read."""
        measuring, (legal, _) = self.sources, self.sorted_out
        assert measuring and legal and self.goals is not None  # else one of them told why not

    @property
    def notices(self) -> list[str]:
        """What is to be known of cells that a player of theirs didn't learn, each once."""
        return list(dict.fromkeys(line for cell in self.sorted_out[0] for line in notices(cell.variant, cell.players)))


def cell_of(request: Request, game: str, settings: Mapping[str, Any], players: tuple[Seated, ...]) -> Cell | Illegal:
    """Return a cell of a space, or why it can't be played; `players` are one for all seats, or one a seat."""
    try:
        variant = request.variant(game, **settings)
        seats = int(variant.parameters.players)
        if len(players) not in (1, seats):
            raise BadInput(f"POLICY names {len(players)} players for {seats} seats")
    except BadInput as fault:
        return Illegal(dict(settings), str(fault).removeprefix("SET: "))
    return Cell(label_of(settings), dict(settings), variant, players * (seats // len(players)))


def sources_of(name: str, game: str) -> list[About]:
    """Return the experiments that NAME stands for, read without running them.

    Raises
    ------
    BadInput
        If there is none of that name, or if it measures nothing of a variant of the game.
    """
    if name != DESIGN:
        found = about(name)
        if not found.measures:
            raise BadInput(f"NAME={name}: it measures nothing of a variant by itself")
        if found.game not in (game, ALL):
            raise BadInput(f"NAME={name}: it is about {found.game}, not about {game}")
        return [found]
    known = [each for each in map(about, questions()) if each.measures and each.game in (game, ALL)]
    return sorted(known, key=lambda each: each.game == ALL)


def label_of(settings: Mapping[str, Any]) -> str:
    """Return a cell's settings as they may be typed after SET.

    Examples
    --------
    >>> label_of({"players": 3, "deck.copies": [1, 2], "deck.preset": "six"})
    'players=3 deck.copies=[1,2] deck.preset=six'
    """
    return " ".join(f"{key}={spelled(value)}" for key, value in settings.items())


def spelled(value: Any) -> str:
    """Return a value as TOML without blanks; a plain word without quotes."""
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{key}={spelled(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(spelled, value)) + "]"
    is_word = isinstance(value, str) and re.fullmatch(r"[A-Za-z][\w-]*", value) and value not in ("true", "false")
    return str(value) if is_word else json.dumps(value, ensure_ascii=False, default=str)


def blocks_of(labels: Sequence[str]) -> dict[str, list[str]]:
    """Return the cells that are played on common deals, by the name of their block; the first cell is in each.

    Examples
    --------
    >>> [len(block) for block in blocks_of(list(map(str, range(70)))).values()]
    [32, 32, 8]
    """
    if len(labels) <= TOGETHER:
        return {"cells": list(labels)}
    first, *others = labels
    each = BLOCK - 1
    parts = [others[start : start + each] for start in range(0, len(others), each)]
    return {f"cells {number}": [first, *part] for number, part in enumerate(parts, 1)}


def played_as(source: About) -> tuple[bool, bool]:
    """Return what tells experiments apart whose measures need games of their own."""
    return source.whole, source.guest


# ---- how long it takes ---------------------------------------------------------------------------------------------


def tables(asked: Asked, ends: Sequence[str] | None = None) -> Iterator[tuple[Cell, About, int]]:
    """Yield what is played: a cell, an experiment that says how, and the number of games.

    Every deal is played once for experiments that are counted alike, by a guest once at each seat.

    Parameters
    ----------
    ends : sequence of str, optional
        The cells that are measured again; as long as nobody knows them the first two stand for them.
    """
    legal = {cell.label: cell for cell in asked.sorted_out[0]}
    labels = list(legal)
    alike = {played_as(source): source for source in reversed(asked.sources)}
    played = [(label, source) for block in blocks_of(labels).values() for label in block for source in alike.values()]
    if ends is None:
        ends = labels[:2] if len(labels) > 1 else []
    for label, source in [*played, *((end, asked.sources[0]) for end in ends)]:
        cell = legal[label]
        yield cell, source, asked.request.games * (len(cell.players) if source.guest else 1)


def seconds(asked: Asked) -> float:
    """Return about how long one thread plays and counts."""
    counted = Counter(map(played_as, asked.sources))
    each = (
        games * (_cost(cell, source) + COUNTING[source.whole] * counted[played_as(source)])
        for cell, source, games in tables(asked)
    )
    return sum(each) / 1e6


def _cost(cell: Cell, source: About) -> float:
    """Return about how many microseconds it takes to play a game."""
    costs = game_named(cell.variant.game).module("measures").COSTS
    if source.guest:
        return float(costs["fast"] + costs["blind"] * (len(cell.players) - 1)) / len(cell.players)
    each = [
        costs["search"] * player.options[PLAYOUTS]
        if player.depth >= SEARCHING
        else costs["blind" if player.depth == BLIND else "fast"]
        for player in cell.players
    ]
    return float(sum(each)) / len(each)


def dry_run(asked: Asked, jobs: int) -> list[str]:
    """Return the lines that say what would be played."""
    legal, illegal = asked.sorted_out
    games = sum(games for _, _, games in tables(asked))
    took = f"{_time(START + seconds(asked) / jobs)} on {'1 thread' if jobs == 1 else f'{jobs} threads'}"
    return [
        f"cells: {len(legal):,}",
        *(f"  {one_line(cell.label)}  {cell.variant.fingerprint}" for cell in legal),
        *([f"illegal cells, left out: {len(illegal):,}"] if illegal else []),
        *(f"  {one_line(label_of(cell.settings))}  {one_line(cell.reason)}" for cell in illegal),
        f"{games:,} games by {one_line(asked.policy)}, {took}; nothing was played",
    ]


def _time(wanted: float) -> str:
    """Return a time as a rough phrase.

    Examples
    --------
    >>> _time(0.2), _time(12.3), _time(500), _time(20000)
    ('about 1 s', 'about 12 s', 'about 8 min', 'about 5.6 h')
    """
    if wanted < 90:
        return f"about {max(1, round(wanted))} s"
    return f"about {wanted / 60:.0f} min" if wanted < 5400 else f"about {wanted / 3600:.1f} h"
