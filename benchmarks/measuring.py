"""What benchmarks share: figures with their bars, and times that are compared in turn.

Machines are noisy: what is compared is measured in turn, several times, and the median of the ratios counts.
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from simlib.batch import Arm, games_at_once, seating
from simlib.experiments import ROOT
from simlib.games import make_variant
from simlib.hooks import seated

RUNS = 5
SECONDS = 1.0
CHUNK = 8192


class Measure(NamedTuple):
    """A figure, and the bar that it is to reach, if any.

    Attributes
    ----------
    name : str
        What it is, with its unit.
    value : float
    least, most : float or None
        The bar.
    """

    name: str
    value: float
    least: float | None = None
    most: float | None = None

    @property
    def bar(self) -> str:
        """The bar in words; nothing where there is none."""
        if self.least is None:
            return "" if self.most is None else f"at most {self.most:g}"
        return f"at least {self.least:g}" if self.most is None else f"{self.least:g} to {self.most:g}"

    @property
    def met(self) -> bool:
        """Whether it reaches its bar."""
        return (self.least is None or self.value >= self.least) and (self.most is None or self.value <= self.most)

    @property
    def verdict(self) -> str:
        """Whether it reaches its bar, in a word; nothing where there is none."""
        return ("met" if self.met else "missed") if self.bar else ""

    def __str__(self) -> str:
        """Return the figure with its bar and its verdict."""
        told = f"{self.name}: {short(self.value)}"
        return f"{told} (bar: {self.bar}): {self.verdict}" if self.bar else told


def short(value: float) -> str:
    """Return a figure with three or so digits, whole where it is large."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


class Cost(NamedTuple):
    """What one game costs at one size of something."""

    of: str
    game: str
    size: float
    microseconds: float
    low: float
    high: float


class Found(NamedTuple):
    """What a part of the benchmarks found."""

    measures: list[Measure]
    costs: Sequence[Cost] = ()


def arm_of(game: Any, player: str, **settings: Any) -> Arm:
    """Return a variant with one player at all seats."""
    variant = make_variant(game, settings=settings)
    known = game.module("players").PLAYERS
    return Arm(variant, (seated(player, known, "bench"),) * variant.parameters.players)


def rate(play: Callable[[int], float], clock: Callable[[], float] = time.perf_counter) -> float:
    """Return how much is done a second over SECONDS or more; `play` takes how much is, and returns how much it does."""
    done, start = 0.0, clock()
    while clock() - start < SECONDS:
        done += play(int(done))
    return done / (clock() - start)


def games_per_second(arm: Arm, *, many: bool = True) -> float:
    """Return games/s of a thread that fills every column, compiling left out."""
    table, games = seating(arm, many), min(CHUNK, games_at_once([arm]))
    table.play(1, 0, 1)
    return rate(lambda first: len(table.play(1, first, games).rows))


def in_turn(*measured: Callable[[], float], runs: int = RUNS) -> list[tuple[float, ...]]:
    """Return what each function measures, in turn, several times."""
    return [tuple(each() for each in measured) for _ in range(runs)]


def median_ratio(pairs: Sequence[tuple[float, ...]], above: int = 0, below: int = 1) -> float:
    """Return the median, over turns, of the ratio of two of what was measured."""
    return statistics.median(turn[above] / turn[below] for turn in pairs)


def median_of(turns: Sequence[tuple[float, ...]], which: int = 0) -> float:
    """Return the median, over turns, of one of what was measured."""
    return statistics.median(turn[which] for turn in turns)


def wall(command: Sequence[str], **environment: str) -> float:
    """Return the seconds that a command takes."""
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT, env=os.environ | environment)
    return time.perf_counter() - start


def simlib(*arguments: str) -> list[str]:
    """Return the command that calls a verb of the command line."""
    return [sys.executable, "-m", "simlib", *arguments]
