"""Players see only what their seat may know.

Decisions are taken from the middle of real games, of every player, game and kind. Everything that the deciding seat
can't see is then shuffled, in keeping with what it can see. What the seat is handed, built again by the kernel's own
steps, must be the same byte for byte, and so must the decision. `SHUFFLES` in the environment sets how many shuffles
are made of each game (2,000; of players that search a quarter).
"""

import inspect
import os
import random
from collections import Counter
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from honesty.harness import check, moments
from honesty.watched import FOLDER, PEEKING, SHOWN, TOLD, watched
from numba import njit
from numba.core.errors import TypingError

from simlib import hooks
from simlib.games import Game, games

pytestmark = pytest.mark.kernel
SHUFFLES = int(os.environ.get("SHUFFLES", "2000"))
DRAWN = {"held_stream", "words"}  # fields of SECRET that come from the game's stream, not from where cards are
SEARCHES = ["search:8", "search:8:aim=points"]  # few playouts: what they come from is the same
PLAYERS = [  # all that are honest
    (game, text)
    for game in games().values()
    for name, player in game.module("players").PLAYERS.items()
    for text in (SEARCHES if player.searches else [name])
    if not player.sees_all
]
each_game = pytest.mark.parametrize("game", games().values(), ids=games())
each_player = pytest.mark.parametrize(("game", "text"), PLAYERS, ids=[f"{game.name}-{text}" for game, text in PLAYERS])


def choices_of(game: Game) -> set:
    """Return all kinds of decisions of a game."""
    return {stub for stub in hooks.CHOICES if stub.__module__ == game.module("rules").__name__}


def test_every_game_has_a_file_here() -> None:
    assert {path.stem for path in FOLDER.glob("games/*.py")} == games().keys()


@each_game
def test_every_kind_of_decision_is_known(game: Game) -> None:
    assert set(watched(game.name).kinds) == choices_of(game)


@pytest.mark.slow
@each_player
def test_decisions_depend_on_nothing_hidden(game: Game, text: str) -> None:
    variants = watched(game.name).file.VARIANTS
    source = random.Random(f"{game.name} {text}")
    often = 4 if text in SEARCHES else 1  # one decision of a search takes as long as hundreds of others
    shuffles = -(-SHUFFLES // (sum(other == game for other, _ in PLAYERS) * len(variants) * often))
    taken, changed = Counter(), Counter()
    for settings in variants.values():
        for moment in islice(moments(game, settings, text, source), shuffles):
            taken[moment.kind] += 1
            changed.update(check(moment, source))
    assert taken.keys() == choices_of(game)
    assert changed.keys() == set(game.module("rules").SECRET.names) - DRAWN  # all that is hidden was shuffled
    assert changed["deck"] > 0.9 * taken.total()  # with few cards left there may be nothing to shuffle


@pytest.mark.slow
@each_game
def test_a_decision_depends_on_nothing_left_in_a_mind(game: Game) -> None:
    source, taken = random.Random(game.name), set()
    for moment in islice(moments(game, {}, SEARCHES[0], source), 40):
        for garbage in (bytes(1), b"\xff", b"\x01", source.randbytes(997)):
            moment.board.leave_in_minds(garbage)
            again = moment.board.play_again(moment, moment.deck, moment.answers)
            assert again.answers[-1] == moment.answers[moment.number].tolist()
        taken.add(moment.kind)
    assert taken == choices_of(game)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [(PEEKING, "the decision depends"), (SHOWN, "the View holds"), (TOLD, "the table tells")],
    ids=["peeking", "shown", "told"],
)
@each_game
def test_a_leak_would_be_noticed(game: Game, wrong: int, message: str) -> None:
    source = random.Random(1)
    noticed = set()
    name = min(watched(game.name).players)
    for moment in islice(moments(game, {}, name, source), 200):
        try:
            check(replace(moment, wrong=wrong), source)
        except AssertionError as error:
            assert message in str(error)
            noticed.add(moment.kind)
    assert noticed == choices_of(game)


@each_game
def test_players_are_handed_no_secret(game: Game) -> None:
    for stub in choices_of(game):
        handed = {"rules", "table", "view", "trick", "word", "card", "count", "giver"}
        for name in game.module("players").PLAYERS:
            assert set(inspect.signature(hooks.CHOICES[stub][name]).parameters) <= handed


@each_game
def test_a_view_has_no_deck_to_read(game: Game) -> None:
    @njit
    def cheat(seats_):
        return seats_[0].views[0].deck[0]

    with pytest.raises((TypingError, KeyError), match="deck"):
        cheat(np.zeros(1, game.module("rules").SEATED))
