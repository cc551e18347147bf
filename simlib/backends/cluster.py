"""Workers of a dask scheduler that play: of one that runs somewhere, or of one that is started here for the run.

dask itself plays again what a worker was playing that died, and gives it up after a few deaths. A few chunks for each
thread of the cluster are on the scheduler at a time, whatever the number of games.
"""

import logging
import queue
import sys
import time
import warnings
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from itertools import islice
from typing import Any, NoReturn

from simlib.backends import Tell
from simlib.backends.processes import ctrl_c_left_to_us
from simlib.backends.work import REPLAYS, Chunk, WorkerLost, packed, play
from simlib.errors import BadInput, one_line

ANSWER = 10  # seconds that a scheduler may take to answer at first
LOOK = 1.0  # seconds between looks at the workers, at least
FETCH = 10.0  # seconds that sums may take to come before it is looked whether any worker is left
ALONE = 30.0  # seconds without any worker that a run waits
AHEAD = 2  # chunks on the scheduler for each thread of its workers


class Cluster:
    """Plays chunks on the workers of a dask scheduler.

    Parameters
    ----------
    address : str
        The scheduler's; empty for one that is started here, with workers of its own.
    jobs : int
        How many workers are started here.
    tell : callable
        Takes lines about workers that died.
    """

    def __init__(self, address: str, jobs: int, tell: Tell) -> None:
        self.here = not address
        self._address, self._jobs, self._tell = address, jobs, tell
        self._client: Any = None
        self._cluster: Any = None
        self._threads, self._looked, self._seen = 0, -LOOK, 0.0
        self._sent: tuple[Any, Any] = None, None
        self._pending: dict[Any, tuple[Any, Chunk]] = {}

    def each(self, chunks: Iterable[Chunk]) -> Iterator[tuple[Chunk, Any]]:
        """Yield each chunk with its sums, as it comes.

        Raises
        ------
        BadInput
            If no scheduler answers, or a worker has another simlib.
        WorkerLost
            If workers that play a chunk die again and again, there are none, or the scheduler has gone.
        """
        todo, came = iter(chunks), queue.SimpleQueue[Any]()
        pending = self._pending = dict[Any, tuple[Any, Chunk]]()
        self._connect()
        while True:
            self._look()
            for chunk in islice(todo, max(0, AHEAD * max(1, self._threads) - len(pending))):
                future = self._submit(chunk)
                pending[future.key] = future, chunk
                future.add_done_callback(lambda future: came.put(future.key))
            if not pending:
                return
            with suppress(queue.Empty):
                future, chunk = pending.pop(came.get(timeout=LOOK))
                yield chunk, self._result(future, chunk)

    def close(self) -> None:
        """Leave the scheduler; one that was started here ends with its workers."""
        for part in (self._client, self._cluster):
            if part is not None:
                with suppress(Exception):  # it may be gone, and nothing of it is needed any more
                    part.close(timeout=1)
        self._client = self._cluster = None
        self._sent = None, None

    def _connect(self) -> None:
        if self._client is not None:
            return
        import distributed

        logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)  # what is to be known of it, we say
        warnings.filterwarnings("ignore", module="distributed")
        try:
            with ctrl_c_left_to_us():
                self._cluster = self._own_cluster(distributed) if self.here else None
                self._client = distributed.Client(self._cluster or self._address, timeout=ANSWER, set_as_default=False)
        except (OSError, ValueError) as fault:
            where = f"ADDRESS={self._address}: no dask scheduler answers" if self._address else "BACKEND=dask"
            raise BadInput(f"{where}: {fault}") from None
        self._client.subscribe_topic("all", self._heard)
        self._seen = time.monotonic()

    def _own_cluster(self, distributed: Any) -> Any:
        sys.warnoptions.append("ignore:resource_tracker")  # it tells of locks whose owner was interrupted
        return distributed.LocalCluster(
            n_workers=self._jobs, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None,
            memory_limit=0, silence_logs=logging.CRITICAL, scheduler_kwargs={"allowed_failures": REPLAYS},
        )  # fmt: skip

    def _submit(self, chunk: Chunk) -> Any:
        """Hand a chunk to the scheduler; its study goes to each worker once."""
        study, sent = self._sent
        if study is not chunk.study:
            sent = self._client.submit(_as_it_is, packed(chunk.study), pure=False)
            self._sent = chunk.study, sent
        return self._client.submit(play, sent, *chunk[1:], pure=False)

    def _result(self, future: Any, chunk: Chunk) -> Any:
        """Return a chunk's sums, once they are here."""
        while future.status != "error":
            try:
                return future.result(timeout=FETCH)
            except TimeoutError:  # its worker died with it: it is played again
                self._look()
            except (CancelledError, OSError) as fault:
                raise self._gone(fault) from None
        return self._failed(future.exception(timeout=ALONE), chunk)

    @staticmethod
    def _failed(fault: Any, chunk: Chunk) -> NoReturn:
        from distributed.scheduler import KilledWorker

        if isinstance(fault, KilledWorker):
            raise WorkerLost(f"{fault.allowed_failures + 1} workers ended one after another at {chunk.text}")
        if isinstance(fault, ImportError | AttributeError):
            raise BadInput(f"a dask worker lacks what this run needs: {one_line(str(fault), 200)}")
        raise fault

    def _look(self) -> None:
        """Note now and then how many threads the workers have.

        Raises
        ------
        WorkerLost
            If there has been no worker for long, or the scheduler has gone.
        """
        now = time.monotonic()
        if now < self._looked + LOOK:
            return
        self._looked = now
        try:
            threads = self._client.sync(self._client.scheduler.ncores, callback_timeout=ALONE)
        except (OSError, ValueError) as fault:
            raise self._gone(fault) from None
        self._threads = sum(threads.values())
        if self._threads:
            self._seen = now
        elif now - self._seen > ALONE:
            raise WorkerLost(f"the dask scheduler{self._at} has had no workers for {ALONE:.0f} seconds")

    @property
    def _at(self) -> str:
        return f" at {self._address}" if self._address else ""

    def _gone(self, fault: BaseException) -> WorkerLost:
        return WorkerLost(f"the dask scheduler{self._at} has gone ({one_line(str(fault), 120)})")

    def _heard(self, event: tuple[float, Any]) -> None:
        """Tell of a worker that died; dask plays again what it was playing."""
        _, what = event
        if what.get("action") == "remove-worker" and not what["expected"]:
            ours = [self._pending[key][1].text for key in what["processing-tasks"] if key in self._pending]
            if ours:
                self._tell([f"the dask worker at {what['worker']} ended: {'; '.join(ours)} are played again"])


def _as_it_is(packed: bytes) -> bytes:
    """Return a study that was sent; as a task's result it outlives the worker that holds it."""
    return packed
