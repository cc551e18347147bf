"""What was found, beside what must be found."""

import io
import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

RUN = ("experiment", "gara_decks", "--set", "players=4", "--games", "150", "--quiet")
OTHERS = {  # runs of other kinds, by the same kernel
    "sweep": ("sweep", "--name", "gara_decks", "--sweep", "deck.specials=1..2", "--games", "60", "--quiet"),
    "tune": (
        "tune", "--game", "gara_tori", "--space", "deck.specials=1..2 hand.size=7..8", "--goal", "lead_turns=0.1..0.2",
        "--games", "80", "--quiet",
    ),
}  # fmt: skip


class Row(NamedTuple):
    """A figure, what was found, what is wanted, and whether it is so; `faults` are sentences about what isn't."""

    figure: str
    found: str
    wanted: str
    met: bool
    faults: tuple[str, ...] = ()


def none_of(figure: str, faults: Iterable[str]) -> Row:
    """Return the row of something that must not happen."""
    told = tuple(faults)
    return Row(figure, f"{len(told):,}", "0", not told, told)


def all_of(figure: str, count: int, faults: Iterable[str]) -> Row:
    """Return the row of something that must hold each time."""
    told = tuple(faults)
    return Row(figure, f"{count - len(told):,} of {count:,}", "all", not told and count > 0, told)


@dataclass(frozen=True)
class Size:
    """How much is tried."""

    kills: int
    cold: int  # of these, while kernels are compiled
    faults: int  # of each kind of operation, at most
    jobs: tuple[int, ...]
    flips: int
    damages: int  # cut and blanked files
    figures: int
    cells: int
    inputs: int
    processes: int  # inputs that are given to a process of their own


FULL = Size(200, 20, 1000, (1, 2, 3, 8), 1000, 200, 300, 100, 3000, 20)
SHORT = Size(4, 1, 2, (2,), 20, 5, 12, 15, 40, 1)


@dataclass(frozen=True)
class Run:
    """Where and how faults are made.

    Attributes
    ----------
    folder : Path
        Empty at first; each part has one of its own.
    jobs : int
        Children at a time.
    seed : int
        Of the moments, bits and inputs that chance picks.
    """

    folder: Path
    size: Size
    jobs: int
    seed: int

    def of(self, part: str) -> "Run":
        """Return the same in a folder of the part's own."""
        folder = self.folder / part
        folder.mkdir()
        return Run(folder, self.size, self.jobs, self.seed)


@cache
def warm() -> None:
    """Load what runs need into this process, its kernel too, so that children begin at once."""
    from simlib.cli import main

    told = io.StringIO()
    with redirect_stdout(told), redirect_stderr(told), tempfile.TemporaryDirectory() as folder:
        status = main([*RUN, "--games", "20", "--jobs", "1", "--out", folder])
    if status:
        raise RuntimeError(f"a run that nobody disturbs failed: {told.getvalue()}")


def imported() -> None:
    """Import what is slow to import, but none of what makes kernels."""
    import matplotlib.pyplot as plt
    import numba  # noqa: F401
    import pandas as pd  # noqa: F401
    import scipy.stats  # noqa: F401

    plt.figure()
    plt.close()


def table(rows: Sequence[Row]) -> list[str]:
    """Return rows as lines of text."""
    heads = ("figure", "found", "wanted", "")
    cells = [heads, *((row.figure, row.found, row.wanted, "met" if row.met else "MISSED") for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip() for line in cells]


def cores() -> int:
    """Return how many processors there are."""
    return os.cpu_count() or 1


def say(text: str) -> None:
    """Tell how far it is, on standard error."""
    print(text, file=sys.stderr, flush=True)
