"""Decisions in real games, taken again after everything is shuffled that the deciding seat can't see.

A real game is played by its real players, who write down what they decide. A round of it is then played again by the
kernel's own steps, up to one decision, from another deck: the other seats do what is written down. What the deciding
seat is handed, and what it decides, can so be compared between decks that it can't tell apart.

Each game has a file in ``honesty/games`` that says:

``KINDS``
    {kind of decision: the View's field that holds the answer, or None where it is returned}.
``VARIANTS``
    {name: settings} to play.
``shuffled(moment, source)``
    A deck and answers (as `Moment.deck` and `Moment.answers`) in which all is shuffled that the seat can't see, in
    keeping with what it can see.
``disturb(secret, source)``, optional
    Shuffles what the kernel hides during a round; called before each trick.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count, cycle, islice
from typing import Any

import numpy as np
from honesty.watched import BEFORE_TRICKS, HONEST, LONGEST, SCRIPTED, begin_game, end_round, play_part, watched

from simlib.batch import Arm, Seating
from simlib.games import Game, make_variant
from simlib.hooks import LOOKING, SEARCHING, seated
from simlib.streams import U64

SEED = 7
A_GAME = 8  # moments that are taken from one game
NOTHING = bytes(1)  # left in minds
Disturb = Callable[[np.ndarray], None] | None


@dataclass(frozen=True, eq=False)
class Round:
    """A round of a real game.

    Attributes
    ----------
    before, seats : (1,) TABLE and SEATED
        As it began.
    after, secret : (1,) TABLE and SECRET
        As it ended.
    kinds, owners : (decisions,) int64
        Each decision's kind, an index into `KINDS`, and seat.
    answers : (decisions, WIDEST) int16
    """

    game: int
    before: np.ndarray
    seats: np.ndarray
    after: np.ndarray
    secret: np.ndarray
    kinds: np.ndarray
    owners: np.ndarray
    answers: np.ndarray


@dataclass(frozen=True)
class Seen:
    """What a seat is handed for a decision, its answers in the round up to that one, and what is secret after it."""

    view: np.ndarray
    table: np.ndarray
    answers: list[list[int]]
    secret: np.ndarray


class Board:
    """A variant with players at its seats, to play and to play again."""

    def __init__(self, game: Game, settings: dict[str, Any], texts: list[str]) -> None:
        self.players = tuple(seated(text, game.module("players").PLAYERS, "test") for text in texts)
        self.names = [player.name for player in self.players]
        self.watched = watched(game.name, max(LOOKING, *(player.depth for player in self.players)))
        self.seating = Seating(Arm(make_variant(game, settings=settings), self.players))
        self.rules = np.zeros(1, self.watched.dtype)
        for field in self.seating.rules.dtype.names:
            self.rules[field] = self.seating.rules[field]
        self.leave_in_minds(NOTHING)

    def leave_in_minds(self, garbage: bytes) -> None:
        """Say what is left in the minds of seats that search."""
        for player in self.players:
            if player.depth == SEARCHING:
                self.watched.leave_in_minds(self.rules, player, garbage)

    def record(self, game: int) -> list[Round]:
        """Play a game, assert that it is the one that the kernel plays, and return its rounds."""
        table, secret, seats = self.seating.table.copy(), self.seating.secret.copy(), self._seats()
        row, rounds = np.zeros(self.seating.columns, np.int32), []
        real = self.seating.another().play(SEED, game, 1, keep=True)[1][0]
        begin_game(self.rules, table, secret, seats)
        while not table["over"][0]:
            began = table.copy(), seats.copy()
            self._play(game, table, secret, seats, LONGEST)
            end_round(self.rules, table, secret, row)
            assert table.tobytes() == real[len(rounds)].tobytes()
            decided = int(self.rules["number"][0])
            written = (self.rules[field][0, :decided].copy() for field in ("kinds", "owners", "answers"))
            rounds.append(Round(game, *began, table.copy(), secret.copy(), *written))
        return rounds

    def _seats(self) -> np.ndarray:
        seats = np.zeros(1, self.watched.seated)
        for seat, name in enumerate(self.names):
            view, real = seats["views"][0, seat], self.seating.seats["views"][0, seat]
            for field in ("options", "looks", "seat"):
                view[field] = real[field]
            self.watched.seat(view, name)
        return seats

    def _play(self, game: int, table, secret, seats, wanted: int, disturb: Disturb = None) -> None:
        """Play a round up to the end of the trick in which the wanted decision falls."""
        self.rules["number"], self.rules["wanted"] = 0, wanted
        for part in range(BEFORE_TRICKS, self.rules["tricks"][0]):
            if self.rules["number"][0] > wanted or table["over"][0]:
                return
            if disturb and part != BEFORE_TRICKS:
                disturb(secret)
            play_part(self.rules, table, secret, seats, U64(SEED), U64(game), part)

    def play_again(self, moment: "Moment", deck: np.ndarray, answers: np.ndarray, disturb: Disturb = None) -> Seen:
        """Play a round again from a deck, up to a decision of a seat; the other seats do what is written down."""
        played, rules = moment.round, self.rules
        table, secret, seats = played.before.copy(), self.seating.secret.copy(), played.seats.copy()
        for seat in range(len(self.names)):
            decides = seat == moment.seat and moment.wrong == HONEST
            self.watched.seat(seats["views"][0, seat], self.names[seat] if decides else SCRIPTED)
        rules["stacks"], rules["stack"], rules["wrong"] = 1, deck, moment.wrong
        rules["script"][0, : len(answers)] = answers
        self._play(played.game, table, secret, seats, moment.number, disturb)
        rules["stacks"] = 0
        own = np.flatnonzero(rules["owners"][0, : moment.number + 1] == moment.seat)
        view, seen_table = rules["seen_view"][0].copy(), rules["seen_table"][0].copy()
        return Seen(view, seen_table, rules["answers"][0, own].tolist(), secret)


@dataclass(frozen=True, eq=False)
class Moment:
    """A decision in a round of a real game; `wrong` says what is wrong with it when it is taken again."""

    board: Board
    round: Round
    number: int
    wrong: int = HONEST

    @property
    def seat(self) -> int:
        """The seat that decides."""
        return int(self.round.owners[self.number])

    @property
    def kind(self) -> Callable[..., Any]:
        """What it decides."""
        return self.board.watched.kinds[self.round.kinds[self.number]]

    @property
    def rules(self) -> np.void:
        """The variant's RULES."""
        return self.board.rules[0]

    @property
    def players(self) -> int:
        """How many seats there are."""
        return len(self.board.names)

    @property
    def tricks(self) -> int:
        """How many cards a hand has."""
        return int(self.rules["tricks"])

    @property
    def deck(self) -> np.ndarray:
        """Places in the sorted deck, as dealt: seat s has those from ``s * tricks`` on."""
        return self.round.secret["deck"][0].copy()

    @property
    def answers(self) -> np.ndarray:
        """What all seats decide in this round."""
        return self.round.answers.copy()

    def decided(self, kind: Callable[..., Any]) -> list[tuple[int, list[int]]]:
        """Return (seat, answer) of the decisions of a kind before this one, in order."""
        number = self.board.watched.kinds.index(kind)
        before = np.flatnonzero(self.round.kinds[: self.number] == number)
        return list(zip(self.round.owners[before].tolist(), self.round.answers[before].tolist(), strict=True))


def moments(game: Game, settings: dict[str, Any], text: str, source: random.Random) -> Iterator[Moment]:
    """Yield decisions of a player in real games against all players: each kind as often, where it occurs.

    A player is met by those that search only if it searches itself: they take long to compile.
    """
    seats = make_variant(game, settings=settings).parameters.players
    players = game.module("players").PLAYERS
    known = watched(game.name, max(LOOKING, seated(text, players, "test").depth)).players
    others = sorted(text if known[name].searches else name for name in known)
    texts = [text, *islice(cycle(others), seats - 1)]
    source.shuffle(texts)
    board = Board(game, settings, texts)
    for number in count():
        by_kind: dict[int, list[Moment]] = {}
        for played in board.record(number):
            for step, owner in enumerate(played.owners.tolist()):
                if texts[owner] == text:
                    by_kind.setdefault(int(played.kinds[step]), []).append(Moment(board, played, step))
        for kind in islice(cycle(sorted(by_kind)), A_GAME):
            yield source.choice(by_kind[kind])


def check(moment: Moment, source: random.Random) -> set[str]:
    """Assert that a seat is handed nothing that it can't see, and decides the same.

    Returns
    -------
    set of str
        The fields of SECRET that the shuffle changed.
    """
    file, play_again = moment.board.watched.file, partial(moment.board.play_again, moment)
    real = play_again(moment.deck, moment.answers)
    if moment.wrong == HONEST:
        assert real.answers[-1] == moment.answers[moment.number].tolist(), "it isn't the game that was played"
    moment.board.leave_in_minds(source.randbytes(997))
    disturb = partial(file.disturb, source=source) if hasattr(file, "disturb") else None
    other = play_again(*file.shuffled(moment, source), disturb)
    moment.board.leave_in_minds(NOTHING)
    told, shown = differing(real.table, other.table), differing(real.view, other.view)
    assert not told, f"the table tells what seats can't see: {told}"
    assert not shown, f"the View holds what its seat can't see: {shown}"
    assert real.answers == other.answers, "the decision depends on what its seat can't see"
    return differing(real.secret, other.secret)


def differing(one: np.ndarray, other: np.ndarray) -> set[str]:
    """Return the names of the fields in which two records differ, byte for byte."""
    if one.tobytes() == other.tobytes():
        return set()
    return {name for name in one.dtype.names if one[name].tobytes() != other[name].tobytes()}


def walk(slots: list[Any], swap: Callable[[Any, Any], None], fits: Callable[[Any, Any], bool], source) -> None:
    """Shuffle step by step: what stands in two slots changes places, and back where that doesn't fit."""
    for _ in range(100 if slots else 0):
        one, other = source.choice(slots), source.choice(slots)
        swap(one, other)
        if not fits(one, other):
            swap(one, other)
