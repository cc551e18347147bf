"""Measure what docs/scale.md tells: chunks, bytes and scheduler load, and the cost of a million games by what plays.

``python -m benchmarks.scale``; GAMES says how many each backend plays (4,000,000). dask's scheduler and two workers are
processes of this machine on loopback.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from simlib import backends, batch, experiments
from simlib.arguments import MOST_GAMES, whole_number
from simlib.backends import DASK, PROCESSES, THREADS, played_by
from simlib.backends.cluster import Cluster
from simlib.backends.work import Chunk, packed
from simlib.batch import Arm, Study
from simlib.games import game_named, games, make_variant
from simlib.hooks import seated

ROOT = Path(__file__).parent.parent
WORKERS, CHUNKS = 2, 2000
GAMES = 4_000_000
SUMMED = "suppose"  # the game that backends play


class Loopback(NamedTuple):
    """A scheduler with workers, each a process of this machine."""

    address: str
    scheduler: int  # its process


def main() -> int:
    """Measure all and print it."""
    count = whole_number("GAMES", os.environ.get("GAMES") or str(GAMES), 1, MOST_GAMES)
    print(f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores")
    for name in games():
        study = summed(name, count)
        print(f"{name}: {study.chunk:,} games a chunk, {-(-(10**9) // study.chunk):,} chunks of 10^9 games")
    print(f"studies of experiments: {' to '.join(f'{size:,}' for size in study_sizes())} bytes, once for each study")
    study = summed(SUMMED, count)
    study.compile()
    for backend, jobs in ((THREADS, 1), (THREADS, WORKERS), (PROCESSES, WORKERS), (DASK, WORKERS)):
        print(f"{SUMMED}, {backend}, {jobs} jobs: {cost(study, backend, jobs)}")
    with loopback() as there:
        for games_each in (1, 200):
            print(f"chunks of {games_each} games over loopback: {load(there, games_each)}")
    return 0


def summed(name: str, count: int) -> Study:
    """Return classic games of greedy players, of which every column is added up."""
    game = game_named(name)
    variant = make_variant(game)
    player = seated("greedy", game.module("players").PLAYERS, "players")

    def measure(rows: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        return {arm: each.sum(axis=0, dtype=np.int64) for arm, each in rows.items()}

    return Study(name, {"": Arm(variant, (player,) * variant.parameters.players)}, count, measure)


def study_sizes() -> tuple[int, int]:
    """Return the fewest and the most bytes that a study of an experiment travels as."""
    request = experiments.Request(1000, 1)
    plans = [experiments.experiment_named(name).plan(request) for name in experiments.questions()]
    sizes = [len(packed(study)) for plan in plans for study in plan.studies]
    return min(sizes), max(sizes)


def cost(study: Study, backend: str, jobs: int) -> str:
    """Return what a million games cost in play and in this process, and how long workers take to be there."""
    speeds, million, begun = batch.Speeds(), study.games / 1e6, time.monotonic()
    with played_by(backends.backend_named(backend, "", jobs, print)):
        batch.run([summed(study.key, 2 * jobs)], 1, jobs, quiet=True)
        ready, before = time.monotonic(), _processor_seconds()
        batch.run([study], 2, jobs, quiet=True, speeds=speeds)
        seconds, spent = time.monotonic() - ready, _processor_seconds() - before
    ((*_, a_second),) = speeds.table()
    return (
        f"ready after {ready - begun:.1f} s, then {seconds / million:.2f} s a million games; of processors "
        f"{1e6 / a_second:.2f} s in play wherever that is, and {spent / million:.2f} s of this process"
    )


def _processor_seconds() -> float:
    """Return this process's own; a local cluster's scheduler is in it, too."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


@contextmanager
def loopback() -> Iterator[Loopback]:
    """Run a scheduler with workers while the block lasts."""
    with tempfile.TemporaryDirectory(prefix="simlib-scale-") as folder:
        file = Path(folder, "scheduler.json")

        def started(verb: str, *more: str) -> subprocess.Popen[bytes]:
            command = [sys.executable, "-m", "dask", verb, "--host=127.0.0.1", f"--scheduler-file={file}", *more]
            environment = os.environ | {"PYTHONPATH": str(ROOT)}
            return subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.DEVNULL)

        scheduler = started("scheduler", "--port=0", "--no-dashboard")
        workers = [started("worker", "--no-nanny", "--nthreads=1", "--no-dashboard") for _ in range(WORKERS)]
        try:
            while not file.exists():
                time.sleep(0.1)
            yield Loopback(json.loads(file.read_text(encoding="utf-8"))["address"], scheduler.pid)
        finally:
            for process in (*workers, scheduler):
                process.kill()
                process.wait()


def load(there: Loopback, games_each: int) -> str:
    """Return the bytes between client and scheduler, and the scheduler's processor seconds, for each chunk."""
    sent = _Traffic()
    study = summed(SUMMED, CHUNKS * games_each)
    with closing(Cluster(there.address, 1, print)) as backend:
        list(backend.each(Chunk(study, 1, number, 1) for number in range(2 * WORKERS)))
        before, spent, begun = sent.bytes, _spent(there.scheduler), time.monotonic()
        list(backend.each(Chunk(study, 1, number * games_each, games_each) for number in range(CHUNKS)))
        seconds = time.monotonic() - begun
    each = (_spent(there.scheduler) - spent) / CHUNKS
    out, back = ((after - first) / CHUNKS for after, first in zip(sent.bytes, before, strict=True))
    return (
        f"{out:,.0f} bytes to the scheduler and {back:,.0f} back for each chunk, "
        f"{each * 1000:.2f} ms of the scheduler's processor, {CHUNKS / seconds:,.0f} chunks a second"
    )


class _Traffic:
    """Counts the bytes that this process sends and gets by dask's own connections, from now on."""

    def __init__(self) -> None:
        tcp: Any = import_module("distributed.comm.tcp")
        self._out = self._back = 0
        write, read = tcp.TCP.write, tcp.read_bytes_rw

        async def counted_write(comm: Any, *message: Any, **named: Any) -> Any:
            count = await write(comm, *message, **named)
            self._out += count
            return count

        async def counted_read(stream: Any, count: int) -> Any:
            self._back += count
            return await read(stream, count)

        tcp.TCP.write, tcp.read_bytes_rw = counted_write, counted_read

    @property
    def bytes(self) -> tuple[int, int]:
        """What was sent, and what came."""
        return self._out, self._back


def _spent(process: int) -> float:
    """Return a process's processor seconds so far."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    sys.exit(main())
