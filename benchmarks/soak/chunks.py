"""The chunks of a soak: each plays one random variant by random players, and tells the first fault found.

A chunk is drawn from (seed, game, number of the chunk) alone, so what is found doesn't depend on the jobs.
"""

import importlib
import random
from collections.abc import Iterator
from types import ModuleType
from typing import NamedTuple

import joblib
import numpy as np

from benchmarks.soak.invariants import first_fault
from simlib import batch, records
from simlib.batch import Arm, Seating
from simlib.errors import RuleViolation
from simlib.games import Game, make_variant
from simlib.hooks import seated

CHUNK = 250  # games of one variant
JUDGED = 2000  # one game in so many is judged by the referee too
MIXED = 25  # one chunk in so many seats any players; the others are random, which is fast and goes everywhere


class Found(NamedTuple):
    """What a chunk found.

    Attributes
    ----------
    variant : str
        The variant's fingerprint.
    games, judged : int
        How many were played, and how many of these the referee judged.
    fault : str
        The first fault and what repeats it; empty where there is none.
    """

    variant: str
    games: int
    judged: int
    fault: str


def checker_of(game: Game) -> ModuleType:
    """Return the game's file in this folder."""
    return importlib.import_module(f"benchmarks.soak.{game.name}")


def draw_arm(game: Game, source: random.Random, *, mixed: bool) -> Arm:
    """Return a random variant and who plays it: random players, or any where they are `mixed`."""
    variant = make_variant(game, settings=checker_of(game).random_settings(source))
    known = game.module("players").PLAYERS
    names = sorted(f"{name}:2" if player.short else name for name, player in known.items()) if mixed else ["random"]
    seats = range(variant.parameters.players)
    return Arm(variant, tuple(seated(source.choice(names), known, "soak") for _ in seats))


def soak(game: Game, games: int, seed: int, jobs: int, *, quiet: bool = False) -> Iterator[Found]:
    """Play a number of games and yield what each chunk found, in order.

    Parameters
    ----------
    seed : int
        0 .. 2**64 - 1.
    jobs : int
        Threads; what is found doesn't depend on it.
    """
    for mixed in (False, True):  # compile, or load, before threads are about
        play_and_check(game, draw_arm(game, random.Random(0), mixed=mixed), seed, 0, 1)
    work = (joblib.delayed(_chunk)(game, seed, first, count) for first, count in batch.chunks(games, CHUNK))
    with batch.progress(games, quiet=quiet) as bar:
        for found in joblib.Parallel(jobs, prefer="threads", return_as="generator")(work):
            bar.update(found.games)
            yield found


def _chunk(game: Game, seed: int, first: int, games: int) -> Found:
    number = first // CHUNK
    source = random.Random(f"{seed} {game.name} {number}")
    arm = draw_arm(game, source, mixed=number % MIXED == MIXED - 1)
    judged, fault = play_and_check(game, arm, seed, first, games)
    return Found(arm.variant.fingerprint, games, judged, fault)


def play_and_check(game: Game, arm: Arm, seed: int, first: int, games: int) -> tuple[int, str]:
    """Play games number `first` and on; return how many the referee judged, and the first fault."""
    rows, tables, secrets = Seating(arm).play(seed, first, games, keep=True)
    fault = first_fault(checker_of(game), arm.variant, rows, tables, secrets)
    if fault:
        return 0, _told(arm, seed, first + fault.game, fault.text)
    judged = [number for number in range(first, first + games) if number % JUDGED == 0]
    for number in judged:
        text = _judge(arm, seed, number, tables[number - first], secrets[number - first])
        if text:
            return len(judged), _told(arm, seed, number, f"the referee says: {text}")
    return len(judged), ""


def _judge(arm: Arm, seed: int, number: int, tables: np.ndarray, secrets: np.ndarray) -> str:
    try:
        records.judge(records.line_of(arm, seed, number, tables, secrets))
    except RuleViolation as fault:
        return str(fault)
    return ""


def _told(arm: Arm, seed: int, number: int, text: str) -> str:
    variant = arm.variant
    players = ",".join(player.text for player in arm.players)
    return (
        f"{variant.game}, variant {variant.fingerprint}, seed {seed}, game {number}, {players}: {text}\n"
        f"  {' '.join(f'{key}={value!r}' for key, value in variant.flat().items())}"
    )
