"""How long it takes until a small experiment's page is there, against importing the libraries that it stands on."""

import sys
import tempfile
from collections.abc import Callable

from benchmarks.measuring import RUNS, Found, Measure, in_turn, median_of, median_ratio, simlib, wall

IMPORTS = [sys.executable, "-c", "import numba, pandas, matplotlib.pyplot, scipy.stats"]
FEW, SMALL = 100, 1_000  # GAMES=1000 plays half a million games: that is no start alone


def warm() -> Found:
    """Measure it with compiled kernels: all its games played, and taken over from the run before."""
    return Found([measure for games in (FEW, SMALL) for measure in _warm(games)])


def _warm(games: int) -> list[Measure]:
    with tempfile.TemporaryDirectory() as folder:
        run = _run(games, folder)
        wall(run)
        return [
            *_compared(games, "warm start", lambda: wall([*run, "--fresh=1"]), 2),
            *_compared(games, "the same command again", lambda: wall(run), 2),
        ]


def cold() -> Found:
    """Measure it with no compiled kernel."""
    return Found(_compared(FEW, "cold start", _cold, 6, runs=3))


def _cold() -> float:
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
        return wall(_run(FEW, folder), NUMBA_CACHE_DIR=cache)


def _run(games: int, folder: str) -> list[str]:
    return simlib("experiment", "suppose_bids", f"--games={games}", "--quiet", f"--out={folder}")


def _compared(games: int, name: str, run: Callable[[], float], most: float, runs: int = RUNS) -> list[Measure]:
    turns, label = in_turn(run, lambda: wall(IMPORTS), runs=runs), f"suppose_bids GAMES={games}, {name}"
    return [
        Measure(f"{label}, seconds", median_of(turns)),
        Measure(f"{label} / importing numba, pandas, matplotlib, scipy", median_ratio(turns), most=most),
    ]
