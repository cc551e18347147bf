"""The kernel against the plain twin, game by game and play by play."""

import os
import random

import numpy as np
import pytest
from reference import suppose as twin

from benchmarks.soak.suppose import random_settings
from simlib.batch import Arm, Seating, columns_of
from simlib.games import game_named, make_variant
from simlib.games.suppose import records
from simlib.hooks import seated

pytestmark = pytest.mark.kernel
GAME = game_named("suppose")
PLAYERS = GAME.module("players").PLAYERS


def play_both(settings: dict, names: list[str], seed: int, first: int, games: int, held: tuple[int, int] | None = None):
    """Play games in the kernel and in the twin; return both as records, and the kernel's rows by column."""
    variant = make_variant(GAME, settings=settings)
    players = tuple(seated(name, PLAYERS, "test") for name in names)
    arm = Arm(variant, players, *(held or (-1, 1)))
    rows, tables, secrets = Seating(arm).play(seed, first, games, keep=True)
    ours = [records.result(variant, tables[game], secrets[game]) for game in range(games)]
    theirs = [
        twin.play_game(variant.parameters.model_dump(), seed, first + game, names, held=held) for game in range(games)
    ]
    return variant, ours, theirs, rows


def assert_same(variant, ours, theirs, rows) -> None:
    """Assert that records and rows agree game by game."""
    unit, names = variant.parameters.unit, columns_of(variant)
    for game, (mine, wanted) in enumerate(zip(ours, theirs, strict=True)):
        assert mine == wanted, (variant.flat(), game)
        row = dict(zip(names, rows[game].tolist(), strict=True))
        for name, value in twin.row(wanted).items():
            assert row[name] == value * (unit if name.startswith("score") else 1), (variant.flat(), game, name)


@pytest.mark.parametrize("players", [3, 4])
def test_classic_games_agree(players: int) -> None:
    assert_same(*play_both({"players": players}, ["random"] * players, 1, 0, 500))


AGREEING = int(os.environ.get("SIMLIB_AGREEING", "20000"))  # games; CI plays fewer


def test_20000_games_of_random_variants_agree_play_by_play() -> None:
    source, played = random.Random(5), 0
    while played < AGREEING:
        settings = random_settings(source)
        games = min(100, AGREEING - played)
        names = ["random"] * settings["players"]
        assert_same(*play_both(settings, names, source.getrandbits(64), source.getrandbits(40), games))
        played += games


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_held_hands_agree(seat: int) -> None:
    variant, ours, theirs, rows = play_both({"rounds": 2}, ["random"] * 4, 3, 95, 60, held=(seat, 20))
    assert_same(variant, ours, theirs, rows)
    hands = [tuple(game["rounds"][0]["hands"][seat]["layout"]) for game in ours]
    assert len({tuple(sorted(hand)) for hand in hands}) == 4  # games 95-154 touch the groups 4 to 7


def test_a_seed_of_64_bits_is_taken_whole() -> None:
    arm = Arm(make_variant(GAME), (seated("random", PLAYERS, "test"),) * 4)
    one, other = (Seating(arm).play(seed, 0, 50)[0] for seed in (2**64 - 1, 2**63 - 1))
    assert not np.array_equal(one, other)


def test_a_deck_of_256_equal_cards_counts_them_all() -> None:
    settings = {"deck.colours": 1, "deck.ranks": 1, "deck.copies": 256, "hand.size": 64, "rounds": 1}
    rules = GAME.module("rules").rules_array(make_variant(GAME, settings=settings).parameters)[0]
    assert rules["copies"].sum() == 256
