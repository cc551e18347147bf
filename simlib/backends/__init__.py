"""What plays chunks of games: threads of this process, processes of this machine, or a cluster of dask's.

All of them give the same sums: a chunk's depend on its study, seed and numbers alone, and each is counted once. A
worker plays and answers, and writes nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from simlib.errors import BadInput, did_you_mean, one_line

if TYPE_CHECKING:
    from simlib.backends.work import Chunk

THREADS, PROCESSES, DASK = "threads", "processes", "dask"
SCHEMES = ("tcp", "tls")
Tell = Callable[[Sequence[str]], None]


class Backend(Protocol):
    """What plays in place of threads.

    Attributes
    ----------
    here : bool
        Whether it plays on this machine: then kernels are compiled once, before it begins.
    """

    here: bool

    def each(self, chunks: "Iterable[Chunk]") -> "Iterator[tuple[Chunk, Any]]":
        """Yield each chunk with what its study sums up of it, as it comes; chunks are taken a few at a time."""

    def close(self) -> None:
        """End all workers that were started here."""


_playing: ContextVar[Backend | None] = ContextVar("playing", default=None)


def playing() -> Backend | None:
    """Return what plays now; None for threads."""
    return _playing.get()


@contextmanager
def played_by(backend: Backend | None) -> Iterator[None]:
    """Have the games of this block played by a backend, whose workers end with the block; by threads for None."""
    token = _playing.set(backend)
    try:
        yield
    finally:
        _playing.reset(token)
        if backend:
            backend.close()


def backend_named(name: str, address: str, jobs: int, tell: Tell) -> Backend | None:
    """Return what is to play, None for threads; nothing is started before the first chunk.

    Parameters
    ----------
    address : str
        Of a dask scheduler; empty for workers that are started here.
    jobs : int
        How many are started.
    tell : callable
        Takes lines about workers that died.

    Raises
    ------
    BadInput
        If there is none of that name, the address isn't one, or a package is missing.
    """
    if name not in (THREADS, PROCESSES, DASK):
        raise BadInput(f"BACKEND={one_line(name, 60)}: unknown" + did_you_mean(name, (THREADS, PROCESSES, DASK)))
    if address and name != DASK:
        raise BadInput(f"ADDRESS={one_line(address, 60)}: it is for BACKEND={DASK}, and BACKEND is {name}")
    if name == THREADS:
        return None
    if name == PROCESSES:
        from simlib.backends.processes import Processes

        return Processes(jobs, tell)
    if find_spec("distributed") is None:
        raise BadInput(f"BACKEND={DASK} needs the extra: .venv/bin/pip install -e '.[distributed]'")
    if address:
        _check(address)

    from simlib.backends.cluster import Cluster

    return Cluster(address, jobs, tell)


def _check(address: str) -> None:
    """Raise BadInput where a text is no address of a scheduler."""
    try:
        parts = urlsplit(address)
        sound = parts.scheme in SCHEMES and parts.hostname and parts.port and parts.username is None
        whole = f"{parts.scheme}://{parts.netloc}"
    except ValueError:  # it has no port
        sound, whole = False, ""
    if not sound or address != whole or not address.isprintable():
        raise BadInput(f"ADDRESS={one_line(address, 60)}: it must be a dask scheduler's, such as tcp://10.0.0.1:8786")
