"""The same bytes for any number of threads, processes and workers of dask."""

import importlib.util
from collections.abc import Iterator

from benchmarks.faults.children import Child, Tree, simlib, tree
from benchmarks.faults.rows import RUN, Row, Run, all_of
from simlib.backends import DASK, PROCESSES, THREADS


def rows(run: Run) -> Iterator[Row]:
    """Play one experiment in all ways, and compare whole reports."""
    first = _played(run, THREADS, 1, "first")
    for backend in (THREADS, PROCESSES):
        yield _compared(run, backend, first)
    if importlib.util.find_spec("distributed"):
        yield _compared(run, DASK, first)
    else:
        yield Row(f"same bytes by {DASK}", "not installed", "the extra [distributed]", False)


def _compared(run: Run, backend: str, first: Tree) -> Row:
    jobs = run.size.jobs
    trees = {f"{backend}-{each}": _played(run, backend, each, f"{backend}-{each}") for each in jobs}
    differ = [f"{name}: another report" for name, found in trees.items() if found != first]
    return all_of(f"same bytes by {backend}, {', '.join(map(str, jobs))} jobs, as by one thread", len(jobs), differ)


def _played(run: Run, backend: str, jobs: int, name: str) -> Tree:
    """Return the files of a report that so many workers made."""
    folder = run.folder / name
    command = [*RUN, "--backend", backend, "--jobs", str(jobs), "--out", str(folder)]
    ended = Child(lambda: simlib(command), run.folder / f"{name}.told").wait()
    if ended.status:
        raise RuntimeError(f"{backend}, {jobs} jobs: status {ended.status}: {ended.told[-1000:]}")
    return tree(folder)
