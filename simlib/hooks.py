"""How kernels find a game's rules and its players. Pure Python: only `play` imports numba.

A game's rules are functions of the names below in ``games/<game>/rules.py``; inside a kernel a call such
as ``open_round(rules, ...)`` is resolved at compile time by the type of `rules`. A *choice* is a decision
that a seat takes; inside a kernel a call of it becomes an if-chain over the functions that the game's
players registered for it, picked by ``view.player``.

Arguments that recur
--------------------
rules : record, RULES of the game
    Constants of the variant, public.
table : record, TABLE of the game
    What every seat may know: scores, tricks, cards played.
secret : record, SECRET of the game
    What no seat may see: the deck, hands, sealed bids. Never passed to a player.
seats : record, SEATED of the game
    ``seats.views[seat]`` is a VIEW record: what one seat knows beyond the table. A player gets its own alone.
stream : (key, gamma), uint64
    The game's random stream (`simlib.streams`).
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from simlib.errors import BadInput, did_you_mean, one_line

COMPILED: list[Callable[..., Any]] = []
CALLED: list[Callable[..., Any]] = []
HOOKS: list[Callable[..., Any]] = []
CHOICES: dict[Callable[..., Any], dict[str, Callable[..., Any]]] = {}
OPTIONS = 4  # the most options that a player may have


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a plain function as one that kernels may call; `play` makes numba know it."""
    COMPILED.append(function)
    return function


def called(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a function as `compiled` does, but as one that is called, not copied into each place that calls it.

    For a long function that few games run, or that many places call: it keeps the compiler's work small.
    """
    CALLED.append(function)
    return function


def hook(stub: Callable[..., Any]) -> Callable[..., Any]:
    """Declare a rule that each game answers by a function of the same name in its rules module."""
    HOOKS.append(stub)
    return stub


def choice(stub: Callable[..., Any]) -> Callable[..., Any]:
    """Declare a decision of a seat, called as ``stub(rules, table, view, ...)``."""
    CHOICES[stub] = {}
    return stub


def decides(stub: Callable[..., Any], *players: str) -> Callable[..., Any]:
    """Register the decorated function as how these players take the decision `stub`."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        CHOICES[stub].update(dict.fromkeys(players, function))
        return function

    return register


@hook
def open_game(rules, table, secret, seats):
    """Set scores and counters to zero."""


@hook
def open_round(rules, table, secret, seats, stream):
    """Deal, let seats decide what comes before the first trick, set ``table.leader``."""


@hook
def open_trick(rules, table):
    """Return the trick before its first card: a tuple of int64 that `take_turn` carries on."""


@hook
def take_turn(rules, table, secret, seats, trick, seat, place, stream):
    """Let a seat play a card (place 0 leads) and return the trick with it."""


@hook
def close_trick(rules, table, secret, seats, trick, stream):
    """Settle a full trick and set ``table.leader`` to its winner."""


@hook
def close_round(rules, table, secret, row):
    """Score the round, write its part of the per-game row, set ``table.over`` when the game ends."""


@hook
def close_game(rules, table, row):
    """Write the game's part of the per-game row."""


@dataclass(frozen=True)
class Option:
    """One option of a player: ``name=value`` behind a colon.

    Attributes
    ----------
    values : dict of str to int
        What may be typed, and the number that the player reads in ``view.options``.
    default : int
        Its number where it is left out.
    """

    values: dict[str, int]
    sentence: str
    default: int = 0


@dataclass(frozen=True)
class Player:
    """A named player of a game.

    Attributes
    ----------
    looks : bool
        Whether it reads what its View knows of cards; where no seat looks, kernels don't fill that part.
    options : dict of str to Option
        In the order in which they stand in ``view.options``.
    """

    sentence: str
    looks: bool = True
    options: dict[str, Option] = field(default_factory=dict)


@dataclass(frozen=True)
class Seated:
    """A player with its options, as typed (``chaser:bids=single``)."""

    name: str
    text: str
    sentence: str
    looks: bool
    options: tuple[int, ...]


def seated(text: str, players: dict[str, Player], where: str) -> Seated:
    """Read a player's text, such as ``greedy`` or ``chaser:first=-1:second=0``.

    Raises
    ------
    BadInput
        If there is no such player, option or value.
    """
    name, *settings = text.split(":")
    if name not in players:
        raise BadInput(f"{where}: unknown player {one_line(repr(name), 60)}" + did_you_mean(name, players))
    player, chosen = players[name], {}
    for setting in settings:
        key, _, value = setting.partition("=")
        if key not in player.options:
            raise BadInput(
                f"{where}: {name} has no option {one_line(repr(key), 60)}" + did_you_mean(key, player.options)
            )
        if key in chosen:
            raise BadInput(f"{where}: option {key!r} of {name} is given twice")
        values = player.options[key].values
        if value not in values:
            raise BadInput(
                f"{where}: option {key} = {one_line(repr(value), 60)} of {name}" + did_you_mean(value, values)
            )
        chosen[key] = values[value]
    options = tuple(chosen.get(key, option.default) for key, option in player.options.items())
    return Seated(name, text, player.sentence, player.looks, options)
