"""How kernels find a game's rules and its players. Pure Python: only `play` imports numba.

A game's rules are functions of the names below in ``games/<game>/rules.py``, and what its searching players need
besides in its ``players.py``; inside a kernel a call such as ``open_round(rules, ...)`` is resolved at compile time by
the type of `rules`. A *choice* is a decision
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

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from simlib.errors import BadInput, did_you_mean, one_line

COMPILED: list[Callable[..., Any]] = []
CALLED: list[Callable[..., Any]] = []
HOOKS: list[Callable[..., Any]] = []
CHOICES: dict[Callable[..., Any], dict[str, Callable[..., Any]]] = {}
OPTIONS = 5  # the most options that a player may have
BLIND, LOOKING, SEARCHING, SEEING = range(4)  # what the seats of a table ask of its kernel
SEES_ALL = "sees all cards, as no player may: only to price hidden information"  # how such a player is marked


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
    """Declare a rule that each game answers by a function of the same name in its rules or players module."""
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
def score_round(rules, table, secret):
    """Score the round, count it in ``table.round``, set ``table.over`` when the game ends."""


@hook
def write_round(rules, table, secret, row):
    """Write the scored round's part of the per-game row."""


@hook
def close_game(rules, table, row):
    """Write the game's part of the per-game row."""


@hook
def winning_score(rules, table):
    """Return the score that wins, or shares the win, were the game over."""


@hook
def swing(rules, table):
    """Return by how much two seats' scores typically part in the rounds to come (at least 1)."""


@hook
def prepare(rules, table, view, hands):
    """Note in `hands` (record, HANDS of the game) what all determinizations of one decision share."""


@hook
def imagine(rules, table, view, hands, secret, seats, stream, number):
    """Draw determinization `number` (uint64): all that a seat can't see, consistent with what it knows.

    Parameters
    ----------
    view : record
        What the seat knows, with `table`.
    secret, seats : records, filled
        What was drawn, and each seat's View of it, so that the game can be played on.
    stream : (key, gamma), uint64
        The seat's own.
    """


@hook
def witness(rules, secret, seats, mind):
    """Copy the true deal into world 0 of the mind of a seat that sees all."""


@hook
def recall(rules, table, view, hands, secret, seats, stream, number):
    """Do what `imagine` does for a seat that sees all: make the true deal, which `witness` left, ready to be played on.

    Parameters
    ----------
    number : uint64
        Of the sample: the deal is always the same, what seats leave to chance isn't.
    """


def sees(view):
    """Tell whether a seat sees all; `play` makes it a constant 0 where no seat at the table does."""
    return 0


def reveal(rules, secret, seats, view):
    """Show a seat that is to decide the true deal if it sees all; to be called before every `choice` of the real game.

    `play` makes it `witness` for such a seat, and nothing at all for tables without one.
    """


@hook
def carry_on(rules, table, secret, seats, seat, trick, move, stream):
    """Let a seat make a move in a determinized game, and play on to the end of the round, scored."""


@dataclass(frozen=True)
class Option:
    """One option of a player: ``name=value`` behind a colon.

    Attributes
    ----------
    values : dict of str to int
        What may be typed, and the number that the player reads in ``view.options``.
    default : int
        Its number where it is left out.
    most : int
        Where it isn't 0: any whole number from 1 to this may be typed, too.
    """

    values: dict[str, int]
    sentence: str
    default: int = 0
    most: int = 0

    @property
    def allowed(self) -> list[str]:
        """What may be typed, for people."""
        return [*self.values, *([f"1..{self.most}"] if self.most else [])]

    def number(self, text: str) -> int | None:
        """Return what the player reads for what was typed; None where that isn't allowed."""
        if text in self.values:
            return self.values[text]
        digits = text.isascii() and text.isdigit() and len(text) <= len(str(self.most))
        return int(text) if digits and 1 <= int(text) <= self.most else None


@dataclass(frozen=True, eq=False)
class Player:
    """A named player of a game.

    Attributes
    ----------
    looks : bool
        Whether it reads what its View knows of cards; where no seat looks, kernels don't fill that part.
    options : dict of str to Option
        In the order in which they stand in ``view.options``.
    searches : bool
        Whether it plays determinized games in its View's own ``mind``.
    short : str
        The option whose value may be typed alone: ``search:200``.
    by_chance : bool
        Whether its decisions depend on their random words.
    sees_all : bool
        Whether it searches the true deal. It is marked wherever it is named, and no experiment plays it by default.
    """

    sentence: str
    looks: bool = True
    options: dict[str, Option] = field(default_factory=dict)
    searches: bool = False
    short: str = ""
    by_chance: bool = False
    sees_all: bool = False

    @property
    def depth(self) -> int:
        """What it asks of a kernel: BLIND, LOOKING, SEARCHING or SEEING."""
        return SEEING if self.sees_all else SEARCHING if self.searches else LOOKING if self.looks else BLIND

    @property
    def marked_sentence(self) -> str:
        """Its sentence, with a mark where it sees all."""
        return f"{self.sentence} ({SEES_ALL})" if self.sees_all else self.sentence


@dataclass(frozen=True)
class Seated:
    """A player with its options, as typed (``chaser:bids=single``).

    Attributes
    ----------
    models : tuple of Seated
        One a seat: whom it imagines at the other seats where it searches; the player of its playouts if left out.
    """

    name: str
    text: str
    player: Player
    options: tuple[int, ...]
    models: tuple["Seated", ...] = ()
    own: Any = None  # simlib.own.Own, of a player in a designer's file

    @property
    def depth(self) -> int:
        """What it asks of a kernel."""
        return self.player.depth

    @property
    def sentence(self) -> str:
        """How it plays, with a mark where it sees all."""
        return self.player.marked_sentence


def seated(text: str, players: Mapping[str, Player], where: str) -> Seated:
    """Read a player's text, such as ``greedy``, ``chaser:first=-1:second=0`` or ``search:200``.

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
        key, equals, value = setting.partition("=")
        if not equals and player.short:
            key, value = player.short, setting
        if key not in player.options:
            raise BadInput(
                f"{where}: {name} has no option {one_line(repr(key), 60)}" + did_you_mean(key, player.options)
            )
        if key in chosen:
            raise BadInput(f"{where}: option {key!r} of {name} is given twice")
        option = player.options[key]
        number = option.number(value)
        if number is None:
            raise BadInput(
                f"{where}: option {key} = {one_line(repr(value), 60)} of {name}" + did_you_mean(value, option.allowed)
            )
        chosen[key] = number
    options = tuple(chosen.get(key, option.default) for key, option in player.options.items())
    return Seated(name, text, player, options)
