"""Gara-tori's players keep the rules by every variant, as its referee judges, and greedy plays better than random."""

import numpy as np
import pytest

from simlib.batch import Arm, Seating, columns_of
from simlib.games import game_named, make_variant
from simlib.games.gara_tori import records
from simlib.hooks import seated
from simlib.records import judge, written

pytestmark = pytest.mark.kernel
GAME = game_named("gara_tori")
PLAYERS = GAME.module("players").PLAYERS

ODD = {
    "classic": {},
    "six seats, all cards dealt but four": {"players": 6, "deck.preset": "64"},
    "every card dealt": {"hand.size": 16},
    "sixty cards, every card dealt to six": {"players": 6, "deck.preset": "60"},
    "one card each": {"hand.size": 1},
    "one colour": {"deck.colours": 1, "deck.copies": 3},
    "one rank": {"deck.ranks": 1, "deck.copies": 12},
    "no specials": {"deck.specials": 0},
    "nothing but specials": {"deck.copies": 0, "deck.specials": 10},
    "many specials": {"deck.specials": 40, "hand.size": 50},
    "a full deck in hands": {"deck.colours": 16, "deck.ranks": 15, "hand.size": 64},
    "thirty-two patterns": {"players": 5, "deck.colours": 7, "deck.ranks": 32, "hand.size": 46},
    "uneven colours": {"deck.copies": {"R": [9, *[0] * 13, 9], "B": 2}, "hand.size": 17},
    "two words of a set of cards": {"deck.copies": 2, "hand.size": 31},
    "other readings": {"lead.void_match_turns": False, "follow.special_counts": False, "deck.specials": 3},
}


def arm_of(settings: dict, names: list[str]) -> Arm:
    variant = make_variant(GAME, settings=settings)
    seats = [names[seat % len(names)] for seat in range(variant.parameters.players)]
    return Arm(variant, tuple(seated(name, PLAYERS, "test") for name in seats))


def games_of(settings: dict, names: list[str], games: int):
    """Return the names of a row's columns, rows, and results of games."""
    arm = arm_of(settings, names)
    rows, tables, secrets = Seating(arm).play(4, 0, games, keep=True)
    results = [records.result(arm.variant, *game) for game in zip(tables, secrets, strict=True)]
    return columns_of(arm.variant), rows, results


@pytest.mark.parametrize("settings", ODD.values(), ids=ODD)
@pytest.mark.parametrize("names", [["random"], ["greedy"], ["greedy", "random"]], ids="+".join)
def test_the_referee_accepts_every_game(names: list[str], settings: dict) -> None:
    for line in written(arm_of(settings, names), seed=4, games=25):
        judge(line)


@pytest.mark.parametrize("players", [4, 5, 6])
def test_greedy_wins_clearly_more_than_a_fair_share_against_random(players: int) -> None:
    names, rows, _ = games_of({"players": players}, ["greedy", *["random"] * (players - 1)], 4000)
    first = names.index("win_0")
    wins = rows[:, first : first + players]
    share = (wins[:, 0] / wins.sum(axis=1)).mean()
    assert share > 1.5 / players  # measured: about twice a fair share


def test_a_greedy_seat_sees_no_more_than_its_view() -> None:
    """What others hold, unplayed, can't change a choice: the same public game and hand give the same card."""
    _, _, mixed = games_of({"hand.size": 2}, ["greedy", "random", "random", "random"], 2000)
    chosen: dict[tuple, set[str]] = {}
    for game in mixed:
        (played,) = game["rounds"]
        chosen.setdefault(tuple(played["dealt"][0]), set()).add(played["tricks"][0]["plays"][0][1])
    assert len(chosen) < 2000  # some hands come more than once
    assert all(len(cards) == 1 for cards in chosen.values())


def test_rows_are_the_same_with_and_without_onlookers() -> None:
    """Filling in what seats know draws nothing and changes no choice of random seats before the first greedy one."""
    one, other = (games_of({}, names, 500)[2] for names in (["random"], ["random", "random", "random", "greedy"]))
    for mine, yours in zip(one, other, strict=True):
        first = [game["rounds"][0]["tricks"][0]["plays"][:3] for game in (mine, yours)]
        assert first[0] == first[1]


def test_greedy_is_the_same_in_every_run() -> None:
    rows = [games_of({}, ["greedy"], 200)[1] for _ in range(2)]
    assert np.array_equal(*rows)
