"""A game as the kernel plays it, but for a deck that can be stacked and for seats that write down or follow a script.

The kernel finds a game's rules and players by the type of its RULES. Here a game has a type of its own: RULES with a
script, a stacked deck and what is written down behind them. All else is the game's own code. Where seats search there
is one more such type: what they imagine is played by the game's own players, who write nothing down; and before each
decision a seat's mind is filled with what the test says, as if left there from before.
"""

import hashlib
import importlib
from collections.abc import Callable
from dataclasses import replace
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
from simlib.hooks import LOOKING, OPTIONS, SEARCHING, Player, Seated, open_game, open_round, score_round, write_round
from simlib.players.search import furnish, rollout_of
from simlib.state import copy_record
from simlib.streams import I64, U64, game_stream, mix64
from simlib.tricks import play_trick
from simlib.whole import compiled_whole

LONGEST, WIDEST = 1024, 16  # the most decisions in a round, and numbers in an answer
BEFORE_TRICKS = -1
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


@register_jitable
def spoil(rules, view):
    """Let a mind hold what is to be left in it from before."""
    copy_record(view.mind, rules.left_in_mind[0])


@register_jitable
def leave(rules, view):
    """Do nothing: a seat that doesn't search has no mind."""


def deciding(kind: int, field: str | None, decide: Callable[..., Any], prepare: Any) -> Callable[..., Any]:
    """Return a player's decision that writes down what it is handed and what it answers."""
    decide, note = register_jitable(decide), noting(field)

    def decide_and_note(rules, table, view, *rest):
        see(rules, table, view, kind)
        prepare(rules, view)
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


@compiled_whole
@njit(cache=True)
def play_part(rules_, table_, secret_, seats_, seed, game, part):
    """Take the kernel's steps of one trick, or those BEFORE_TRICKS."""
    stream = game_stream(seed, game)
    if part == BEFORE_TRICKS:
        open_round(rules_[0], table_[0], secret_[0], seats_[0], stream)
    else:
        table_[0].trick = part
        play_trick(rules_[0], table_[0], secret_[0], seats_[0], stream)


@njit(cache=True)
def end_round(rules_, table_, secret_, row):
    """Take the kernel's steps after a round's last trick."""
    score_round(rules_[0], table_[0], secret_[0])
    write_round(rules_[0], table_[0], secret_[0], row)


class Watched:
    """A game with its players, all watched, and one that follows a script.

    Attributes
    ----------
    file : module
        What is said of the game in ``honesty/games``.
    own : module
        The game's own rules.
    players : dict of str to Player
        Those that can be seated: those that search, too, where any does.
    dtype, seated : dtype
        RULES with what is needed to watch, and SEATED.
    """

    def __init__(self, name: str, depth: int) -> None:
        game = game_named(name)
        self.file = importlib.import_module(f"honesty.games.{name}")
        self.own, players = game.module("rules"), game.module("players")
        self.all_players: dict[str, Player] = players.PLAYERS
        self.players = {name: player for name, player in players.PLAYERS.items() if player.depth <= depth}
        self.kinds = list(self.file.KINDS)
        mind = [("left_in_mind", players.MIND, (1,))] if depth == SEARCHING else []
        self.dtype = np.dtype([*self.own.RULES.descr, *added_to_rules(self.own), *mind])
        self.seated = kernel.seated_dtype(self.own, players, depth)
        watchers = module_of(**vars(players) | {"PLAYERS": self._known(depth)})
        self.numbers = kernel.player_numbers(watchers)
        kernel.adopt(self.own, players)
        kernel.adopt(self._stacked_rules(), watchers)

    def _known(self, depth: int) -> dict[str, Player]:
        """Return who can be seated: watched; and where seats search, who plays what they imagine: unwatched."""
        watched = {**self.players, SCRIPTED: Player("follows a script")}
        known = {self._register(name): replace(player, searches=depth == SEARCHING) for name, player in watched.items()}
        if depth < SEARCHING:
            return known
        return known | {name: player for name, player in self.players.items() if not player.searches}

    def _stacked_rules(self) -> ModuleType:
        known = vars(self.own)
        open_stacked = FunctionType(self.own.open_round.__code__, known | {"deal": deal_or_stack}, "open_round")
        return module_of(**known | {"RULES": self.dtype, "open_round": open_stacked})

    def _register(self, player: str) -> str:
        """Register how a player decides when watched; return its name among `hooks.CHOICES`."""
        name = f"watched {player}"
        for number, (kind, field) in enumerate(self.file.KINDS.items()):
            known = hooks.CHOICES[kind]
            if player == SCRIPTED:
                hooks.decides(kind, name)(following(number, field, known["random"]))
            else:
                prepare = spoil if self.players[player].searches else leave
                hooks.decides(kind, name)(deciding(number, field, known[player], prepare))
        return name

    def seat(self, view: np.void, player: str) -> None:
        """Let a player, or the script, decide for a View's seat."""
        view["player"] = self.numbers[f"watched {player}"]

    def leave_in_minds(self, rules: np.ndarray, player: Seated, garbage: bytes) -> None:
        """Say what is left in the minds of seats that search: bytes, again and again, but for who plays in them."""
        mind = rules["left_in_mind"][0]
        mind[:] = np.frombuffer((garbage * (mind.nbytes // len(garbage) + 1))[: mind.nbytes], mind.dtype)
        rollouts = [rollout_of(player, self.all_players)] * mind[0]["seats"]["views"].shape[1]
        furnish(mind[0], rollouts, self.numbers)


@cache
def watched(name: str, depth: int = LOOKING) -> Watched:
    """Return a game with its players watched: those that search only where they are asked for."""
    return Watched(name, depth)


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
