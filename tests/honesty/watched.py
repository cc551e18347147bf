"""A game as the kernel plays it, but for a deck that can be stacked and for seats that write down or follow a script.

The kernel finds a game's rules and players by the type of its RULES. Here a game has a type of its own: RULES with a
script, a stacked deck and what is written down behind them. All else is the game's own code.
"""

import hashlib
import importlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import njit
from numba.extending import register_jitable

from simlib import hooks
from simlib import play as kernel
from simlib.cards import MOST_CARDS
from simlib.dealing import copy_all, deal
from simlib.games import game_named
from simlib.hooks import OPTIONS, Player, close_round, open_game, open_round
from simlib.state import copy_record
from simlib.streams import I64, U64, game_stream, mix64

LONGEST, WIDEST = 1024, 16  # the most decisions in a round, and numbers in an answer
SCRIPTED = "scripted"
HONEST, PEEKING, SHOWN, TOLD = range(4)  # what is wrong with a scripted seat's wanted decision: see `following`
FOLDER = Path(__file__).parent


@register_jitable
def deal_or_stack(rules, table, secret, stream):
    """Deal as the game does, or lay the deck as it was stacked."""
    if rules.stacks:
        copy_all(secret.deck, rules.stack)
    else:
        deal(rules, table, secret, stream)


@register_jitable
def see(rules, table, view, kind):
    """Write down who decides what; at the wanted decision, also all that the seat is handed."""
    rules.kinds[rules.number] = kind
    rules.owners[rules.number] = view.seat
    if rules.number == rules.wanted:
        copy_record(rules.seen_view[0], view)
        copy_record(rules.seen_table[0], table)


@register_jitable
def whole_deal(rules):
    """Return a word that depends on where every card is."""
    word = U64(0)
    for place in range(MOST_CARDS):
        word = mix64(word + U64(rules.stack[place]))
    return word


def noting(field: str | None) -> Callable[..., None]:
    """Return a function that writes an answer down: what was returned, or left in a field of the View."""

    def note_returned(rules, view, answer):
        rules.answers[rules.number, 0] = answer
        rules.number += 1

    def note_left(rules, view, answer):
        numbers = view[field]
        for index in range(len(numbers)):
            rules.answers[rules.number, index] = numbers[index]
        rules.number += 1

    return register_jitable(note_left if field else note_returned)


def reading(field: str | None) -> Callable[..., Any]:
    """Return a function that answers what the script says."""

    def read_to_return(rules, view):
        return U64(rules.script[rules.number, 0])

    def read_to_leave(rules, view):
        numbers = view[field]
        for index in range(len(numbers)):
            numbers[index] = rules.script[rules.number, index]

    return register_jitable(read_to_leave if field else read_to_return)


def deciding(kind: int, field: str | None, decide: Callable[..., Any]) -> Callable[..., Any]:
    """Return a player's decision that writes down what it is handed and what it answers."""
    decide, note = register_jitable(decide), noting(field)

    def decide_and_note(rules, table, view, *rest):
        see(rules, table, view, kind)
        answer = decide(rules, table, view, *rest)
        note(rules, view, answer)
        return answer

    return decide_and_note


def following(kind: int, field: str | None, decide_at_random: Callable[..., Any]) -> Callable[..., Any]:
    """Return the decision of a seat that follows the script.

    At the wanted decision something may be wrong: the View was shown, or the table told, where the cards are; or the
    player peeks.
    """
    decide_at_random, note, read = register_jitable(decide_at_random), noting(field), reading(field)

    def follow(rules, table, view, *rest):
        wrong = rules.wrong if rules.number == rules.wanted else HONEST
        if wrong == SHOWN:
            view.options[OPTIONS - 1] = I64(whole_deal(rules) >> U64(1))
        if wrong == TOLD:
            table.looking = I64(whole_deal(rules) >> U64(1))
        see(rules, table, view, kind)
        if wrong == PEEKING:
            answer = decide_at_random(rules, table, view, *rest[:-1], whole_deal(rules))
        else:
            answer = read(rules, view)
        note(rules, view, answer)
        return answer

    return follow


@njit(cache=True)
def begin_game(rules_, table_, secret_, seats_):
    """Take the kernel's first step."""
    open_game(rules_[0], table_[0], secret_[0], seats_[0])


@njit(cache=True)
def begin_round(rules_, table_, secret_, seats_, seed, game):
    """Take the kernel's steps before a round's first trick."""
    open_round(rules_[0], table_[0], secret_[0], seats_[0], game_stream(seed, game))


@njit(cache=True)
def play_trick(rules_, table_, secret_, seats_, seed, game, trick):
    """Take the kernel's steps of one trick."""
    table_[0].trick = trick
    kernel.play_trick(rules_[0], table_[0], secret_[0], seats_[0], game_stream(seed, game))


@njit(cache=True)
def end_round(rules_, table_, secret_, row):
    """Take the kernel's steps after a round's last trick."""
    close_round(rules_[0], table_[0], secret_[0], row)


class Watched:
    """A game with its players, all watched, and one that follows a script.

    Attributes
    ----------
    file : module
        What is said of the game in ``honesty/games``.
    own : module
        The game's own rules.
    dtype : dtype
        RULES with what is needed to watch.
    """

    def __init__(self, name: str) -> None:
        game = game_named(name)
        self.file = importlib.import_module(f"honesty.games.{name}")
        self.own, players = game.module("rules"), game.module("players")
        self.players: dict[str, Player] = players.PLAYERS
        self.kinds = list(self.file.KINDS)
        self.dtype = np.dtype([*self.own.RULES.descr, *added_to_rules(self.own)])
        self._known = {self._register(player): value for player, value in self.players.items()}
        self._known |= {self._register(SCRIPTED): Player("follows a script")}
        kernel.adopt(self.own, players)
        kernel.adopt(self._stacked_rules(), module_of(PLAYERS=self._known))

    def _stacked_rules(self) -> ModuleType:
        known = vars(self.own)
        open_stacked = FunctionType(self.own.open_round.__code__, known | {"deal": deal_or_stack}, "open_round")
        return module_of(**known | {"RULES": self.dtype, "open_round": open_stacked})

    def _register(self, player: str) -> str:
        """Register how a player decides when watched; return its name among `hooks.CHOICES`."""
        name = f"watched {player}"
        for number, (kind, field) in enumerate(self.file.KINDS.items()):
            known = hooks.CHOICES[kind]
            follow = following(number, field, known["random"])
            hooks.decides(kind, name)(follow if player == SCRIPTED else deciding(number, field, known[player]))
        return name

    def seat(self, view: np.void, player: str) -> None:
        """Let a player, or the script, decide for a View's seat."""
        view["player"] = kernel.player_number(self._known, f"watched {player}")


watched = cache(Watched)


def module_of(**contents: Any) -> ModuleType:
    """Return a module with these contents."""
    module = ModuleType("watched")
    vars(module).update(contents)
    return module


def added_to_rules(rules: ModuleType) -> list[tuple[Any, ...]]:
    """Return the fields behind a game's own RULES."""
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(FOLDER.rglob("*.py")))).hexdigest()[:16]
    return [
        (f"of_{digest}", "i8"),  # else numba's cache wouldn't notice an edit of another file than this one
        ("stacks", "i8"),  # whether the deck is stacked
        ("stack", "u1", (MOST_CARDS,)),
        ("number", "i8"),  # of the next decision in the round
        ("wanted", "i8"),  # the decision at which to look
        ("wrong", "i8"),
        ("kinds", "i8", (LONGEST,)),  # written down, by number
        ("owners", "i8", (LONGEST,)),
        ("answers", "i2", (LONGEST, WIDEST)),
        ("script", "i2", (LONGEST, WIDEST)),
        ("seen_view", rules.VIEW, (1,)),
        ("seen_table", rules.TABLE, (1,)),
    ]
