"""Checks that tests make, too, made far more often: nothing hidden is used, and intervals hold."""

import os
import subprocess
import sys

from benchmarks.coverage import AT_LEAST, CASES, RUNS, SIZES, WANTED, covered
from benchmarks.measuring import Found, Measure
from simlib.experiments import ROOT

SHUFFLES = 100_000


def honesty() -> Found:
    """Shuffle what seats can't see under decisions of each game's players: exit status 0 says that none changed."""
    run = [sys.executable, "-m", "pytest", "-q", "-k", "nothing_hidden", "tests/honesty"]
    done = subprocess.run(run, capture_output=True, cwd=ROOT, env=os.environ | {"SHUFFLES": str(SHUFFLES)})
    return Found([Measure(f"tests of {SHUFFLES:,} shuffles a game, exit status", done.returncode, most=0)])


def coverage() -> Found:
    """Try each kind of 95 % interval many times on data whose truth is known."""
    return Found(
        [
            Measure(f"{name}, n = {n}: intervals that held", covered(case, n, RUNS)[0], *bar)
            for cases, bar in ((CASES, WANTED), (AT_LEAST, (0.95, None)))
            for name, case in cases.items()
            for n in SIZES
        ]
    )
