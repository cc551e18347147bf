"""Take-Trick's kernel against its plain twin, game by game and play by play."""

import os
import random

import pytest
from reference import take_trick as twin

from benchmarks.soak.take_trick import random_settings
from simlib.batch import Arm, Seating, columns_of
from simlib.games import game_named, make_variant
from simlib.games.take_trick import records, referee
from simlib.hooks import seated
from simlib.records import FORMAT

pytestmark = pytest.mark.kernel
GAME = game_named("take_trick")
PLAYERS = GAME.module("players").PLAYERS


def play_both(variant, names: list[str], seed: int, first: int, games: int, held: tuple[int, int] | None = None):
    """Play games in the kernel and in the twin; return both as records, and the kernel's rows by column."""
    arm = Arm(variant, tuple(seated(name, PLAYERS, "test") for name in names), *(held or (-1, 1)))
    rows, tables, secrets = Seating(arm).play(seed, first, games, keep=True)
    parameters = variant.parameters.model_dump()
    ours = [records.result(variant, tables[game], secrets[game]) for game in range(games)]
    theirs = [twin.play_game(parameters, seed, first + game, names, held=held) for game in range(games)]
    return ours, theirs, rows


def assert_same(variant, ours, theirs, rows) -> None:
    """Assert that records and rows agree game by game."""
    names, parameters = columns_of(variant), variant.parameters.model_dump()
    for game, (mine, wanted) in enumerate(zip(ours, theirs, strict=True)):
        assert mine == wanted, (variant.flat(), game)
        row = dict(zip(names, rows[game].tolist(), strict=True))
        for name, value in (twin.row(wanted, parameters) | bamboo_columns(wanted, names)).items():
            assert row[name] == value, (variant.flat(), game, name)


def bamboo_columns(record: dict, names: list[str]) -> dict[str, int]:
    """Return what the row says of bamboo, from a record."""
    columns = dict.fromkeys([name for name in names if name.startswith("bamboo")], 0)
    for number, played in enumerate(record["rounds"]):
        for seat, held in enumerate(played["bamboo"]):
            columns |= {f"bamboo_{number}_{seat}_{letter}": count for letter, count in held.items()}
    return columns


def assert_referee_agrees(variant, result: dict, names: list[str], seed: int, index: int) -> None:
    """Assert that the referee finds no fault with a game."""
    head = {"format": FORMAT, "game": GAME.name, "variant": variant.name, "parameters": variant.flat()}
    referee.check(head | {"seed": seed, "index": index, "players": names} | result, variant)


@pytest.mark.parametrize("preset", ["classic", "nine"])
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_published_games_agree(players: int, preset: str) -> None:
    variant = make_variant(GAME, base=preset, settings={"players": players})
    assert_same(variant, *play_both(variant, ["random"] * players, 1, 0, 200))


def test_no_trick_follows_a_gift_that_ends_the_game() -> None:
    variant = make_variant(GAME, settings={"score.target": 3})
    ours, theirs, rows = play_both(variant, ["random"] * 4, 1, 0, 200)
    assert sum(game["rounds"][-1]["ended_by_gift"] for game in ours) > 20
    assert_same(variant, ours, theirs, rows)


AGREEING = int(os.environ.get("SIMLIB_AGREEING", "20000"))  # games; CI plays fewer


def test_20000_games_of_random_variants_agree_play_by_play() -> None:
    source, played = random.Random(5), 0
    while played < AGREEING:
        variant = make_variant(GAME, settings=random_settings(source))
        games = min(50, AGREEING - played)
        names = ["random"] * variant.parameters.players
        seed, first = source.getrandbits(64), source.getrandbits(40)
        ours, theirs, rows = play_both(variant, names, seed, first, games)
        assert_same(variant, ours, theirs, rows)
        assert_referee_agrees(variant, ours[0], names, seed, first)
        played += games


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_held_hands_agree(seat: int) -> None:
    variant = make_variant(GAME)
    ours, theirs, rows = play_both(variant, ["random"] * 4, 3, 95, 60, held=(seat, 20))
    assert_same(variant, ours, theirs, rows)
    assert len({tuple(sorted(game["rounds"][0]["dealt"][seat])) for game in ours}) == 4  # groups 4 to 7
