"""The loops that play: games/s of a core against a hand-written program, and searches against plain games.

The yardstick is a program of its own (``YARDSTICK=path``); without it, games/s stand alone.
"""

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

from benchmarks.measuring import (
    CHUNK,
    SECONDS,
    Found,
    Measure,
    arm_of,
    games_per_second,
    in_turn,
    median_of,
    median_ratio,
    rate,
)
from simlib.batch import Arm, Seating, columns_of
from simlib.experiments import ROOT
from simlib.games import games

YARDSTICK = Path(os.environ.get("YARDSTICK", ROOT.parent / "shared" / "yardstick" / "yardstick"))


def kernels() -> Found:
    """Measure `random` and `greedy` at all seats, every game and number of players."""
    return Found([measure for game in games().values() for seats in seats_of(game) for measure in kernel(game, seats)])


def seats_of(game: Any) -> list[int]:
    """Return the numbers of players that a game allows."""
    field = game.model.model_fields["players"]
    least, most = (next(getattr(part, end) for part in field.metadata if hasattr(part, end)) for end in ("ge", "le"))
    return list(range(least, most + 1))


def kernel(game: Any, players: int) -> list[Measure]:
    """Measure a game's kernels, one core, against the yardstick and each other."""
    random, greedy = (arm_of(game, name, players=players) for name in ("random", "greedy"))
    turns = in_turn(
        lambda: games_per_second(random),
        lambda: games_per_second(greedy),
        lambda: yardstick(game.name, players),
    )
    label = f"{game.name} {players}"
    against = [Measure(f"{label} random / yardstick", median_ratio(turns, 0, 2), 0.75)] if turns[0][2] else []
    return [
        Measure(f"{label} random, games/s", median_of(turns)),
        *against,
        Measure(f"{label} greedy / random", median_ratio(turns, 1, 0), 0.333),
    ]


def yardstick(game: str, players: int) -> float:
    """Return the yardstick's games/s; 0 where there is no yardstick."""
    if not YARDSTICK.exists():
        return 0.0
    done = subprocess.run([YARDSTICK, game, str(players), str(SECONDS)], capture_output=True, check=True)
    return float(json.loads(done.stdout)["games_per_second_median"])


def playouts() -> Found:
    """Compare the playouts inside `search:200` with plain games of the player that plays them, one core, four seats.

    Both are counted in tricks: a playout from the middle of a round plays what is left of it. All the rest that a
    searching seat does (drawing deals, copying the game, choosing) is in its time.
    """
    return Found([measure for game in games().values() for measure in _playouts(game)])


def _playouts(game: Any) -> list[Measure]:
    plain, searching = (arm_of(game, name, players=4) for name in ("greedy", "search:200"))
    turns = in_turn(lambda: tricks_per_second(plain), lambda: imagined_tricks_per_second(searching))
    tricks = int(Seating(plain).rules["tricks"][0])
    return [
        Measure(f"{game.name} 4 search:200, whole rounds of playouts/s", median_of(turns, 1) / tricks),
        Measure(f"{game.name} 4 search:200, playouts / plain greedy", median_ratio(turns, 1, 0), 0.7),
    ]


def tricks_per_second(arm: Arm) -> float:
    """Return the tricks/s of plain games."""
    seating, columns = Seating(arm), columns_of(arm.variant)
    won = [number for number, name in enumerate(columns) if name.startswith("won_from_place_")]
    seating.play(1, 0, 1)
    return rate(lambda first: seating.play(1, first, CHUNK).rows[:, won].sum(), time.process_time)


def imagined_tricks_per_second(arm: Arm) -> float:
    """Return the tricks/s of all playouts of searching seats."""
    seating = Seating(arm)
    minds = seating.seats["views"][0]["mind"]

    def play(first: int) -> float:
        before = minds["half_tricks"].sum()
        seating.play(1, first, 1)
        return float(minds["half_tricks"].sum() - before) / 2

    play(0)
    return rate(play, time.process_time)
