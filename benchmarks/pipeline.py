"""What stands around the kernels: two threads, adding up, whole experiments, memory."""

import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from statistics import median
from typing import Any, ClassVar

from benchmarks.measuring import Found, Measure, arm_of, in_turn, median_of, median_ratio, simlib, wall
from simlib import batch
from simlib.batch import Study, seating
from simlib.experiments import ROOT, Request, about, experiment_named
from simlib.games import game_named

SIZES = {1_000_000: 5, 10_000_000: 1}  # games, and how often they are played
MEMORY = (1_000_000, 100_000_000)
EXPERIMENT, LARGE = "suppose_bids", 20_000  # 10 million games
SAMPLE = 10  # one in so many games of the experiment is played by the bare kernels


def jobs() -> Found:
    """Compare two threads with one, and say how much of a run isn't spent in the threads' own work."""
    return Found([measure for games, runs in SIZES.items() for measure in _jobs(games, runs)])


def _jobs(games: int, runs: int) -> list[Measure]:
    study = Clocked("bench", {"random": arm_of(game_named("suppose"), "random")}, games, _sums)
    study.compile()
    one, two = [], []
    for _ in range(runs):
        one.append(_run(study, 1))
        two.append(_run(study, 2))
    label = f"suppose random, {games:,} games"
    ratio = median(alone[0] / both[0] for alone, both in zip(one, two, strict=True))
    around = median(1 - inside / seconds for seconds, inside in one)
    return [
        Measure(f"{label}, two jobs / one, games/s", ratio, 1.9),
        Measure(f"{label}, share of the run that is handing over and merging", around, most=0.02),
    ]


class Clocked(Study):
    """A study that keeps how long each of its chunks was played and measured."""

    spent: ClassVar[list[float]] = []

    def play(self, seed: int, first: int, games: int) -> batch.Sums:
        """Return what it sums up of games number `first` and on."""
        start = time.perf_counter()
        sums = super().play(seed, first, games)
        self.spent.append(time.perf_counter() - start)
        return sums


def _run(study: Clocked, threads: int) -> tuple[float, float]:
    """Return how long a study takes, and how long its chunks do, added up."""
    study.spent.clear()
    start = time.perf_counter()
    batch.run([study], 1, threads, quiet=True)
    return time.perf_counter() - start, sum(study.spent)


def _sums(rows: dict[str, Any]) -> dict[str, Any]:
    """Return what `simlib simulate --json` adds up of each column."""
    return {name: own.sum(axis=0) for name, own in rows.items()}


def experiment() -> Found:
    """Compare a whole experiment, as one process with one thread, with its games in the bare kernels."""
    plan = experiment_named(EXPERIMENT).plan(Request(LARGE, 1))
    games = sum(study.games * len(study.arms) for study in plan.studies)
    for study in plan.studies:
        study.compile()
    with tempfile.TemporaryDirectory() as folder:
        run = simlib("experiment", about(EXPERIMENT).name, f"--games={LARGE}", "--jobs=1", "--quiet", "--fresh=1")
        turns = in_turn(lambda: wall([*run, f"--out={folder}"]), lambda: _bare(plan.studies), runs=1)
    label = f"{EXPERIMENT} GAMES={LARGE}, {games:,} games"
    return Found(
        [
            Measure(f"{label}, games/s of the whole run", games / median_of(turns)),
            Measure(f"{label}, whole run / bare kernels, games/s", median_ratio(turns, 1, 0), 0.8),
        ]
    )


def _bare(studies: Iterable[Study]) -> float:
    """Return how long the kernels alone take for all games of studies, from a sample of each arm's."""
    seconds = 0.0
    for study in studies:
        chunk = min(study.chunk, study.games)
        games = max(1, math.ceil(study.games / SAMPLE / chunk)) * chunk
        for arm in study.arms.values():
            table = seating(arm, study.many)
            start = time.perf_counter()
            for first in range(0, games, chunk):
                table.play(1, first, chunk)
            seconds += (time.perf_counter() - start) * study.games / games
    return seconds


def memory() -> Found:
    """Compare the peak memory of a long run with that of a short one: of the game whose kernel is fastest."""
    short, long = map(peak_megabytes, MEMORY)
    label = f"simulate gara_tori, {MEMORY[1]:,} games by 2 jobs, peak memory"
    return Found(
        [
            Measure(f"{label}, MB", long),
            Measure(f"{label} / {MEMORY[0]:,} games", long / short, 0.9, 1.1),
        ]
    )


def peak_megabytes(games: int) -> float:
    """Return the peak memory of a simulate run in a process of its own."""
    code = (
        "import resource, sys; from simlib.cli import main; "
        f"main(['simulate', 'gara_tori', '--games={games}', '--json', '--quiet', '--jobs=2']); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, cwd=ROOT)
    return int(done.stderr.split()[-1]) / 1024
