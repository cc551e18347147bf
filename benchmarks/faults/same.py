"""The same bytes for any number of threads, processes and workers of dask."""

import importlib.util
from collections.abc import Iterator

from benchmarks.faults.children import Child, Tree, simlib, tree
from benchmarks.faults.rows import RUN, Row, Run, all_of
from simlib.backends import DASK, PROCESSES, THREADS


def rows(run: Run) -> Iterator[Row]:
    """Play one experiment in all ways, and compare whole reports."""
    jobs = run.size.jobs
    first = _played(run, THREADS, jobs[0])
    yield _compared(run, THREADS, jobs[1:], first)
    yield _compared(run, PROCESSES, jobs, first)
    if importlib.util.find_spec("distributed"):
        yield _compared(run, DASK, jobs[:2], first)
    else:
        yield Row(f"same bytes by {DASK}", "not installed", "the extra [distributed]", False)


def _compared(run: Run, backend: str, jobs: tuple[int, ...], first: Tree) -> Row:
    differ = [f"{backend}, {each} jobs: another report" for each in jobs if _played(run, backend, each) != first]
    return all_of(f"same bytes by {backend}, {', '.join(map(str, jobs))} jobs, as by one thread", len(jobs), differ)


def _played(run: Run, backend: str, jobs: int) -> Tree:
    """Return the files of a report that so many workers made."""
    folder = run.folder / f"{backend}-{jobs}"
    command = [*RUN, "--backend", backend, "--jobs", str(jobs), "--out", str(folder)]
    ended = Child(lambda: simlib(command), run.folder / f"{backend}-{jobs}.told").wait()
    if ended.status:
        raise RuntimeError(f"{backend}, {jobs} jobs: status {ended.status}: {ended.told[-1000:]}")
    return tree(folder)
