"""Runs in processes forked from this one, which has imported all: they begin at once, and may be killed at any moment.

A run is told to keep what is finished far more often, in far smaller chunks, than by itself: so a second of it has as
many moments as a night. Nothing in the package is there for that: its constants are changed in the child.
"""

import json
import math
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

EVERY, CELLS = 0.02, 1 << 13  # seconds between parts, integers in a chunk's rows
STEP = 0.002  # seconds between looks whether a child has ended
LONGEST = 300.0  # seconds; a child that takes longer hangs
WRITTEN = "written"
BROKEN = 70  # exit status of a child whose fault was none of ours to tell
Tree = dict[str, bytes]


class Ended(NamedTuple):
    """How a child ended: its exit status, or the signal's number below 0; what it printed, its seconds, and when."""

    status: int
    told: str
    seconds: float
    at: float


class Child:
    """A process forked from this one that calls a function and leaves with its exit status.

    Parameters
    ----------
    told : Path
        The file for all that it prints.
    """

    def __init__(self, work: Callable[[], int], told: Path) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        told.write_bytes(b"")  # here, as a child may be killed before it has opened anything
        self._told, self._begun = told, time.monotonic()
        self.pid = os.fork() or _leave_with(work, told)

    def wait_until(self, begun: Callable[[], bool]) -> None:
        """Wait until something holds, from which moments are then counted."""
        while not begun() and time.monotonic() < self._begun + LONGEST:
            time.sleep(STEP)
        self._begun = time.monotonic()

    def kill(self, number: int, after: float) -> float:
        """Send a signal so many seconds after the child began, and return when that was."""
        time.sleep(max(0.0, self._begun + after - time.monotonic()))
        os.kill(self.pid, number)
        return time.monotonic()

    def wait(self, longest: float = LONGEST) -> Ended:
        """Return how it ended; one that hangs is killed after so many seconds."""
        until = time.monotonic() + longest
        while not (ended := os.waitpid(self.pid, os.WNOHANG))[0]:
            if time.monotonic() > until:
                os.kill(self.pid, signal.SIGKILL)
            time.sleep(STEP)
        told = self._told.read_text(encoding="utf-8", errors="replace")
        now = time.monotonic()
        return Ended(os.waitstatus_to_exitcode(ended[1]), told, now - self._begun, now)


def _leave_with(work: Callable[[], int], told: Path) -> int:
    """Call a function in a child, and never come back from it."""
    status = BROKEN
    try:
        handle = os.open(told, os.O_WRONLY)
        os.dup2(handle, 1)
        os.dup2(handle, 2)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        status = work()
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def lanes(work: Callable[[Any], Any], items: Sequence[Any], jobs: int, folder: Path) -> list[Any]:
    """Return what a function says of each item, in order, as JSON knows it; so many children work at a time."""
    found: dict[int, Any] = {}

    def lane(number: int) -> int:
        for at in range(number, len(items), jobs):
            print(json.dumps([at, work(items[at])]), flush=True)
        return 0

    children = [Child(lambda number=number: lane(number), folder / f"lane-{number}") for number in range(jobs)]  # type: ignore[misc]
    all_ended = [child.wait(math.inf) for child in children]  # what hangs is a child of theirs, which they kill
    for ended in all_ended:
        if ended.status:
            raise RuntimeError(f"a lane ended with status {ended.status}: {ended.told[-2000:]}")
        found |= dict(json.loads(line) for line in ended.told.splitlines())
    return [found[at] for at in range(len(items))]


def simlib(arguments: Sequence[str], log: Path | None = None, *, every: float = EVERY, cells: int = CELLS) -> int:
    """Run the command line in small chunks; a file notes which are kept, and when all so far are on disk."""
    from simlib import batch, checkpoints
    from simlib.cli import main

    checkpoints.EVERY, batch.CHUNK_CELLS = every, cells
    if log:
        _note_chunks(log)
    return main(list(arguments))


def _note_chunks(log: Path) -> None:
    from simlib.checkpoints import Checkpoints

    keep, flush = Checkpoints.keep, Checkpoints.flush

    def note(what: Any) -> None:
        with log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(what) + "\n")

    def noted_keep(self: Checkpoints, study: Any, first: int, games: int, summary: Any) -> None:
        with self._lock:  # so that lines are in the order of what they tell
            note([study.key, first, games])
            keep(self, study, first, games, summary)

    def noted_flush(self: Checkpoints) -> None:
        with self._lock:
            flush(self)
            note(WRITTEN)

    Checkpoints.keep, Checkpoints.flush = noted_keep, noted_flush  # type: ignore[method-assign]


def tree(folder: Path) -> Tree:
    """Return all files below a folder with their content, by their paths."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
