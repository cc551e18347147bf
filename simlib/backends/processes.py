"""Processes of this machine that play: one that dies is replaced, and what it was playing is played again."""

import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import connection
from typing import Any, NamedTuple

from simlib.backends import Tell
from simlib.backends.work import REPLAYS, Chunk, WorkerLost, packed, play
from simlib.errors import SimlibError

NEW = multiprocessing.get_context("spawn")  # a fork would copy locks that threads hold


class _Worker(NamedTuple):
    process: Any
    pipe: Any

    @property
    def end(self) -> str:
        """How it ended."""
        self.process.join(1)
        code = self.process.exitcode
        return signal.Signals(-code).name if code and code < 0 else f"status {code}"


class _Task(NamedTuple):
    chunk: Chunk
    deaths: int = 0  # of workers that played it


class Processes:
    """Plays chunks in some processes, one chunk at a time in each.

    Parameters
    ----------
    jobs : int
        How many.
    tell : callable
        Takes lines about those that died.
    """

    here = True

    def __init__(self, jobs: int, tell: Tell) -> None:
        self._jobs, self._tell = jobs, tell
        self._idle: list[_Worker] = []
        self._busy: dict[Any, tuple[_Worker, _Task]] = {}

    def each(self, chunks: Iterable[Chunk]) -> Iterator[tuple[Chunk, Any]]:
        """Yield each chunk with its sums, as it comes.

        Raises
        ------
        WorkerLost
            If the processes that play a chunk die once and REPLAYS times more.
        """
        todo, again = map(_Task, chunks), list[_Task]()
        try:
            while True:
                while len(self._busy) < self._jobs and (task := again.pop() if again else next(todo, None)):
                    self._hand(task)
                if not self._busy:
                    return
                for pipe in connection.wait(list(self._busy)):
                    worker, task = self._busy.pop(pipe)
                    try:
                        sums, fault = worker.pipe.recv()
                    except (EOFError, OSError):
                        again.append(self._lost(worker, task))
                        continue
                    self._idle.append(worker)
                    if fault:
                        raise fault
                    yield task.chunk, sums
        finally:
            self._end([worker for worker, _ in self._busy.values()])  # nobody waits for what they play
            self._busy.clear()

    def close(self) -> None:
        """End all processes; they hold nothing that is to be kept."""
        self._end(self._idle)
        self._idle.clear()

    def _hand(self, task: _Task) -> None:
        worker = self._idle.pop() if self._idle else _started()
        self._busy[worker.pipe] = worker, task
        with suppress(OSError):  # it has died: the pipe's end will say so
            worker.pipe.send((packed(task.chunk.study), *task.chunk[1:]))

    def _lost(self, worker: _Worker, task: _Task) -> _Task:
        """Tell that a process died, and return what it was playing, to be played again."""
        worker.pipe.close()
        deaths, what, end = task.deaths + 1, task.chunk.text, worker.end
        if deaths > REPLAYS:
            raise WorkerLost(f"{deaths} workers ended one after another at {what}, the last by {end}")
        self._tell([f"a worker ended by {end}: {what} are played again ({deaths} of {REPLAYS})"])
        return _Task(task.chunk, deaths)

    @staticmethod
    def _end(workers: list[_Worker]) -> None:
        for worker in workers:
            worker.process.kill()
        for worker in workers:
            worker.process.join()
            worker.pipe.close()


def _started() -> _Worker:
    ours, theirs = NEW.Pipe()
    process = NEW.Process(target=serve, args=(theirs,), daemon=True)
    with ctrl_c_left_to_us():
        process.start()
    theirs.close()  # so that ours ends with the process
    return _Worker(process, ours)


@contextmanager
def ctrl_c_left_to_us() -> Iterator[None]:
    """Start processes and threads in this block that Ctrl-C doesn't reach: this process ends them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def serve(pipe: Any) -> None:
    """Play what comes through a pipe until it ends; this is a worker's whole life."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            pipe.send(_answer(*pipe.recv()))


def _end_with_parent() -> None:
    """End this process with the one that started it, whatever it is playing."""
    parent = multiprocessing.parent_process()
    assert parent
    connection.wait([parent.sentinel])
    os._exit(1)


def _answer(packed: bytes, seed: int, first: int, games: int) -> tuple[Any, Exception | None]:
    try:
        return play(packed, seed, first, games), None
    except Exception as fault:
        return None, _portable(fault)


def _portable(fault: Exception) -> Exception:
    """Return an exception that can be sent, with where it was raised unless it is one line for the user."""
    if isinstance(fault, SimlibError):
        return fault
    told = traceback.format_exc()
    try:
        fault = pickle.loads(pickle.dumps(fault))
    except Exception:  # its own way of being made again is at odds with pickle
        fault = RuntimeError(type(fault).__name__)
    fault.add_note(f"in a worker:\n{told}")
    return fault
