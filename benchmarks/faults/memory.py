"""Memory stays flat, however many figures are drawn or cells are swept."""

import re
import resource
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.faults.children import Child, simlib
from benchmarks.faults.rows import RUN, Row, Run

MOST = 100  # megabytes more
SOME = 10  # cells of a small sweep, figures before memory is first looked at
FIGURE = re.compile(r"<svg\b")


def rows(run: Run) -> Iterator[Row]:
    """Draw many figures in one process; sweep few and many cells, each in one."""
    folder = run.folder / "report"
    _measured(lambda: simlib([*RUN, "--out", str(folder)]), run.folder / "told")
    growth = _measured(lambda: _draw(folder, run.size.figures), run.folder / "told")
    yield _row(f"memory that {run.size.figures} figures take more than {SOME}", growth)
    few, many = (_measured(lambda: _swept(run.folder, cells), run.folder / "told") for cells in (SOME, run.size.cells))  # noqa: B023
    yield _row(f"memory that {run.size.cells} cells of a sweep take more than {SOME}", many - few)


def _row(figure: str, megabytes: float) -> Row:
    return Row(figure, f"{megabytes:.0f} MB", f"{MOST} MB at most", megabytes <= MOST)


def _peak() -> float:
    """Return the most memory that this process ever had, in megabytes."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1 << 20) if sys.platform == "darwin" else most / 1024


def _measured(work: Callable[[], int], told: Path) -> float:
    """Return the number that a child prints last, else its peak."""

    def telling() -> int:
        status = work()
        print(f"\npeak {_peak()}")
        return status

    ended = Child(telling, told).wait()
    if ended.status:
        raise RuntimeError(f"status {ended.status}: {ended.told[-1000:]}")
    found = dict(line.split() for line in ended.told.splitlines() if re.fullmatch(r"(peak|growth) [\d.]+", line))
    return float(found.get("growth", found["peak"]))


def _draw(folder: Path, figures: int) -> int:
    """Make a page again until so many figures were drawn, and tell by how much the peak grew after the first ones."""
    from simlib.experiments import write_page

    drawn, first = 0, 0.0
    while drawn < figures:
        drawn += len(FIGURE.findall(write_page(folder).read_text(encoding="utf-8")))
        if not first and drawn >= SOME:
            first = _peak()
    print(f"\ngrowth {_peak() - first}")
    return 0


def _swept(folder: Path, cells: int) -> int:
    """Sweep so many cells; the sweep is of hand sizes and of what tricks are worth."""
    axes = f"deck.specials=1..{cells // 5} hand.size=4..8"
    command = ["sweep", "--name", "gara_decks", "--sweep", axes, "--games", "200", "--quiet"]
    return simlib([*command, "--out", str(folder / f"sweep-{cells}")])
