"""Recorded games replay byte for byte: three for each game, preset and number of players.

A line was written by ``simlib record GAME --preset PRESET --players N --games 3 --seed 1 --policy random,greedy,..``
(random and greedy in turn). Where a change of rules or players is meant, write the files again by

    python tests/test_recorded.py
"""

from pathlib import Path

import pytest

from simlib import records
from simlib.batch import Arm
from simlib.games import games, make_variant
from simlib.hooks import seated

FOLDER = Path(__file__).parent / "recorded"
GAMES = 3


def seats_of(game):
    field = game.model.model_fields["players"]
    least, most = (next(getattr(part, end) for part in field.metadata if hasattr(part, end)) for end in ("ge", "le"))
    return range(least, most + 1)


CASES = [
    (name, preset, seats) for name, game in games().items() for preset in game.presets() for seats in seats_of(game)
]


def path_of(name, preset, seats):
    return FOLDER / f"{name}_{preset}_{seats}.jsonl"


def replayed(name, preset, seats):
    game = games()[name]
    variant = make_variant(game, base=preset, settings={"players": seats})
    known = game.module("players").PLAYERS
    players = tuple(seated(["random", "greedy"][seat % 2], known, "test") for seat in range(seats))
    return list(records.written(Arm(variant, players), 1, GAMES))


@pytest.mark.kernel
@pytest.mark.parametrize(("name", "preset", "seats"), CASES)
def test_recorded_games_replay_byte_for_byte(name, preset, seats):
    kept = path_of(name, preset, seats).read_text(encoding="utf-8").splitlines()
    assert len(kept) == GAMES
    assert kept == replayed(name, preset, seats)


@pytest.mark.parametrize(("name", "preset", "seats"), CASES)
def test_recorded_games_are_right_by_the_rules(name, preset, seats):
    with path_of(name, preset, seats).open("rb") as lines:
        assert [verdict.fault for verdict in records.verify(lines)] == [""] * GAMES


def test_nothing_else_is_recorded():
    assert sorted(FOLDER.glob("*")) == sorted(path_of(*case) for case in CASES)


if __name__ == "__main__":
    for case in CASES:
        path_of(*case).write_text("\n".join(replayed(*case)) + "\n", encoding="utf-8")
