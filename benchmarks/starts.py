"""How long it takes until a small experiment's page is there, against importing the libraries that it stands on."""

import sys
import tempfile
from collections.abc import Callable

from benchmarks.measuring import RUNS, Found, Measure, in_turn, median_of, median_ratio, simlib, wall

IMPORTS = [sys.executable, "-c", "import numba, pandas, matplotlib.pyplot, scipy.stats"]
RUN = simlib("experiment", "suppose_bids", "--games=1000", "--quiet")
LABEL = "suppose_bids GAMES=1000"


def warm() -> Found:
    """Measure it with compiled kernels: all its games played, and taken over from the run before."""
    with tempfile.TemporaryDirectory() as folder:
        run = [*RUN, f"--out={folder}"]
        wall(run)
        return Found(
            [
                *_compared("warm start", lambda: wall([*run, "--fresh=1"]), 2),
                *_compared("the same command again", lambda: wall(run), 2),
            ]
        )


def cold() -> Found:
    """Measure it with no compiled kernel."""
    return Found(_compared("cold start", _cold, 6, runs=3))


def _cold() -> float:
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
        return wall([*RUN, f"--out={folder}"], NUMBA_CACHE_DIR=cache)


def _compared(name: str, run: Callable[[], float], most: float, runs: int = RUNS) -> list[Measure]:
    turns = in_turn(run, lambda: wall(IMPORTS), runs=runs)
    return [
        Measure(f"{LABEL}, {name}, seconds", median_of(turns)),
        Measure(f"{LABEL}, {name} / importing numba, pandas, matplotlib, scipy", median_ratio(turns), most=most),
    ]
