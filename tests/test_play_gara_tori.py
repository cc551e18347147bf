"""Gara-tori's kernel against its plain twin, game by game and play by play."""

import os
import random

import pytest
from reference import gara_tori as twin

from benchmarks.soak.gara_tori import random_settings
from simlib.batch import Arm, Seating, columns_of
from simlib.games import game_named, make_variant
from simlib.games.gara_tori import records
from simlib.hooks import seated

pytestmark = pytest.mark.kernel
GAME = game_named("gara_tori")
PLAYERS = GAME.module("players").PLAYERS


def play_both(settings: dict, seed: int, first: int, games: int, held: tuple[int, int] | None = None):
    """Play games in the kernel and in the twin; return both as records, and the kernel's rows by column."""
    variant = make_variant(GAME, settings=settings)
    names = ["random"] * variant.parameters.players
    arm = Arm(variant, tuple(seated(name, PLAYERS, "test") for name in names), *(held or (-1, 1)))
    rows, tables, secrets = Seating(arm).play(seed, first, games, keep=True)
    ours = [records.result(variant, tables[game], secrets[game]) for game in range(games)]
    dumped = variant.parameters.model_dump()
    theirs = [twin.play_game(dumped, seed, first + game, names, held=held) for game in range(games)]
    return variant, ours, theirs, rows


def assert_same(variant, ours, theirs, rows) -> None:
    """Assert that records and rows agree game by game."""
    names = columns_of(variant)
    for game, (mine, wanted) in enumerate(zip(ours, theirs, strict=True)):
        assert mine == wanted, (variant.flat(), game)
        row = dict(zip(names, rows[game].tolist(), strict=True))
        measures = twin.row(wanted, variant.parameters.model_dump()) | more_measures(wanted)
        for name in ("turns_at_place_0", "won_by_turn_at_place_0"):
            assert measures.pop(name) == 0  # a lead turns nothing
        for name, value in measures.items():
            assert row[name] == value, (variant.flat(), game, name)
        assert not set(row) - set(measures)


def more_measures(record: dict) -> dict[str, int]:
    """Return the columns that a record shows and the twin's row leaves out."""
    played = record["rounds"][0]
    turns = [
        sum(a != b for a, b in zip(trick["leads"], trick["leads"][1:], strict=False)) for trick in played["tricks"]
    ]
    measures = {f"tricks_with_turns_{number}": turns.count(number) for number in range(len(record["scores"]))}
    measures["start_0"] = played["dealer"]
    for seat, taken in enumerate(played["taken"]):
        measures |= {f"taken_{seat}_{letter}": count for letter, count in taken.items()}
    return measures


@pytest.mark.parametrize("players", [4, 5, 6])
def test_classic_games_agree(players: int) -> None:
    assert_same(*play_both({"players": players}, 1, 0, 300))


def test_the_sixty_card_deck_agrees() -> None:
    assert_same(*play_both({"deck.preset": "60"}, 2**64 - 1, 0, 300))


AGREEING = int(os.environ.get("SIMLIB_AGREEING", "20000"))  # games; CI plays fewer


@pytest.mark.slow
def test_20000_games_of_random_variants_agree_play_by_play() -> None:
    source, played = random.Random(7), 0
    while played < AGREEING:
        games = min(80, AGREEING - played)
        assert_same(*play_both(random_settings(source), source.getrandbits(64), source.getrandbits(40), games))
        played += games


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_held_hands_agree(seat: int) -> None:
    variant, ours, theirs, rows = play_both({}, 3, 95, 60, held=(seat, 20))
    assert_same(variant, ours, theirs, rows)
    hands = {tuple(game["rounds"][0]["dealt"][seat]) for game in ours}
    assert len(hands) == 4  # games 95-154 touch the groups 4 to 7
