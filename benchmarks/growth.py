"""How the cost grows: with games, cells of a sweep and playouts (it should in proportion), and with larger games."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice, product
from statistics import median
from typing import Any

import numpy as np

from benchmarks.measuring import Cost, Found, Measure, arm_of
from simlib import batch
from simlib.batch import Arm, Study, seating
from simlib.errors import BadInput
from simlib.games import game_named, games, make_variant
from simlib.hooks import seated
from simlib.landscape import Spot, studies
from simlib.measured import measures_of
from simlib.sweep.plan import blocks_of

RUNS = 3
DECADES = {  # three of each
    "games": (2_000, 20_000, 200_000, 2_000_000),
    "cells": (10, 100, 1_000, 10_000),
    "playouts": (300, 3_000, 30_000, 300_000),
}
CELL = 100  # games of a cell
LARGER = {"deck": "deck.copies", "hand": "hand.size"}
SIZES = {"deck": range(1, 17), "hand": range(2, 33, 2)}
COSTED = 2_000  # games of each


def growth() -> Found:
    """Fit how time grows with what is asked for, and measure what a game costs as decks and hands grow."""
    run = {"games": _games, "cells": _cells, "playouts": _playouts}
    measures = [
        Measure(f"time against {what}, {sizes[0]:,} to {sizes[-1]:,}, exponent", exponent(sizes, run[what]), 0.98, 1.02)
        for what, sizes in DECADES.items()
    ]
    return Found(measures, [cost for what in LARGER for game in games().values() for cost in costs(game, what)])


def exponent(sizes: Sequence[int], run: Callable[[int], Any]) -> float:
    """Return the exponent of the power of the size that the time of a run grows as."""
    run(sizes[0])  # compiled by now
    times = [median(_seconds(run, size) for _ in range(RUNS if size < sizes[-1] else 1)) for size in sizes]
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def _seconds(run: Callable[[int], Any], size: int) -> float:
    start = time.process_time()
    run(size)
    return time.process_time() - start


def _games(count: int) -> None:
    study = Study("bench", {"trained": arm_of(game_named("suppose"), "trained")}, count, _sums)
    batch.run([study], 1, 1, quiet=True)


def _sums(rows: dict[str, Any]) -> dict[str, Any]:
    return {name: own.sum(axis=0) for name, own in rows.items()}


def _cells(count: int) -> None:
    """Play a sweep's cells as `make sweep` does, in blocks that share deals."""
    spots = {spot.label: spot for spot in islice(_spots(), count)}
    measures = [measure for measure in measures_of("suppose").values() if measure.experiment == "suppose_bids"]
    blocks = blocks_of(list(spots))
    planned = [study for name, own in blocks.items() for study in _studies(name, own, spots, measures)]
    batch.run(planned, 1, 1, quiet=True)


def _studies(block: str, labels: Iterable[str], spots: dict[str, Spot], measures: Any) -> list[Any]:
    return studies(block, [spots[label] for label in labels], measures, CELL)


def _spots() -> Iterator[Spot]:
    game = game_named("suppose")
    known = game.module("players").PLAYERS
    for single, double in product(range(1, 101), repeat=2):
        settings = {"bid.single": single / 100, "bid.double": double / 10}
        variant = make_variant(game, settings=settings)
        yield Spot(f"{single} {double}", variant, (seated("greedy", known, "bench"),) * variant.parameters.players)


def _playouts(count: int) -> None:
    seating(arm_of(game_named("gara_tori"), f"search:{count}"), False).play(1, 0, 1)


def costs(game: Any, what: str) -> Iterator[Cost]:
    """Yield what one game of random players costs as its deck or its hands grow, where such a deck can be dealt."""
    for size in SIZES[what]:
        try:
            variant = make_variant(game, settings={LARGER[what]: size})
        except BadInput:
            continue
        players = (seated("random", game.module("players").PLAYERS, "bench"),) * variant.parameters.players
        table = seating(Arm(variant, players), False)
        table.play(1, 0, 1)
        turns = [_seconds(partial(table.play, 1, 0), COSTED) / COSTED * 1e6 for _ in range(5)]
        cards = size if what == "hand" else int(table.rules["deck_size"][0])
        yield Cost(what, game.title, cards, median(turns), min(turns), max(turns))
