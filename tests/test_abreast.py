"""Two tables abreast, in a kernel for one number of players: the same games as at one table."""

import numpy as np
import pytest

from simlib import batch
from simlib.batch import Abreast, Arm, Seating, Study, columns_of, seating
from simlib.games import game_named, make_variant
from simlib.hooks import seated

pytestmark = pytest.mark.kernel
ARMS = {  # with decks of more than 64 cards, and games that end at once, in mid round, or never
    "suppose": {"players": 3, "deck.copies": 2, "rounds": 2},
    "gara_tori": {"players": 5},
    "take_trick": {"players": 3, "score.target": 12},
}


def arm_of(game: str, held: int = -1, completions: int = 1) -> Arm:
    variant = make_variant(game_named(game), settings=ARMS[game])
    known = game_named(game).module("players").PLAYERS
    return Arm(variant, (seated("random", known, "test"),) * variant.parameters.players, held, completions)


@pytest.mark.parametrize("game", ARMS)
def test_any_games_are_those_of_one_table(game: str) -> None:
    arm = arm_of(game)
    many = Abreast(arm)
    for first, games in ((0, 2001), (17, 1), (3, 2), (5, 0)):
        rows = many.play(7, first, games).rows
        np.testing.assert_array_equal(rows, Seating(arm).play(7, first, games).rows)
        assert rows.shape == (games, len(columns_of(arm.variant)))


def test_some_of_them_end_in_mid_round() -> None:
    arm = arm_of("take_trick")
    rows = Abreast(arm).play(7, 0, 2001).rows
    ended = rows[:, columns_of(arm.variant).index("ended_by_gift")]
    assert 20 < ended.sum() < len(ended) / 2


def test_held_hands_stay_for_the_same_games() -> None:
    arm = arm_of("gara_tori", held=1, completions=5)
    np.testing.assert_array_equal(Abreast(arm).play(7, 3, 101).rows, Seating(arm).play(7, 3, 101).rows)


def test_many_games_of_seats_that_do_not_look_are_played_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "MANY", 100)
    arm = arm_of("gara_tori")
    few, many = (Study("", {"": arm}, games, lambda rows: {"sum": rows[""].sum(axis=0)}) for games in (99, 100))
    played: list[tuple[int, ...]] = []
    play = Abreast.play
    monkeypatch.setattr(Abreast, "play", lambda *given: played.append(given[1:]) or play(*given))
    assert (few.many, many.many) == (False, True)
    np.testing.assert_array_equal(few.play(1, 0, 50).summary["sum"], many.play(1, 0, 50).summary["sum"])
    assert played == [(1, 0, 50)]


def test_seats_that_look_have_one_table() -> None:
    known = game_named("suppose").module("players").PLAYERS
    names = ("random", "greedy", "random")
    looking = Arm(arm_of("suppose").variant, tuple(seated(name, known, "test") for name in names))
    assert type(seating(looking, True)) is Seating
    assert type(seating(arm_of("suppose"), True)) is Abreast
    assert type(seating(arm_of("suppose"), False)) is Seating
