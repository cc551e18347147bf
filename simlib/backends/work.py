"""What workers are sent: a study as bytes, made once, and the numbers of a chunk of its games.

An experiment's functions travel by value, simlib's by name: a worker needs the same simlib, and says so if it has
another. Bytes come from the run that the worker belongs to, never from a file.
"""

import copyreg
import pickle
import socket
import threading
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import cloudpickle

from simlib.errors import BadInput, SimlibError, one_line
from simlib.identity import code_digest, versions_digest
from simlib.own import PLAIN, Own, own_player

REPLAYS = 3  # how often games are played again whose worker died
_opening = threading.Lock()  # a worker may have several threads, and kernels are to be compiled by one


class WorkerLost(SimlibError):
    """Workers died again and again, or there are none; what was finished is kept."""


class Chunk(NamedTuple):
    """Games number `first` and on of a `batch.Study`."""

    study: Any
    seed: int
    first: int
    games: int

    @property
    def text(self) -> str:
        """What to call it, such as ``games 200 to 299 of 4 players | greedy``."""
        return f"games {self.first:,} to {self.first + self.games - 1:,} of {one_line(self.study.key, 60)}"

    def play(self) -> Any:
        """Return what the study sums up of it."""
        return self.study.play(self.seed, self.first, self.games)


@lru_cache(maxsize=1)
def packed(study: Any) -> bytes:
    """Return a study as bytes, with what its numbers depend on besides."""
    return pickle.dumps((code_digest(), versions_digest(), cloudpickle.dumps(study)))


def play(packed: bytes, seed: int, first: int, games: int) -> Any:
    """Return what a study sums up of some games; this runs in a worker.

    Raises
    ------
    BadInput
        If the worker has another simlib, or other versions of what computes, or lacks a designer's own file.
    """
    with _opening:
        study = _opened(packed)
    return study.play(seed, first, games)


@lru_cache(maxsize=32)
def _opened(packed: bytes) -> Any:
    code, versions, study = pickle.loads(packed)
    for what, here, wanted in (
        ("Python or packages of other versions", versions_digest(), versions),
        ("other code of simlib or its experiments", code_digest(), code),
    ):
        if here != wanted:
            raise BadInput(f"a worker on {socket.gethostname()} has {what} than this run: all need the same")
    found = pickle.loads(study)
    found.compile()
    return found


def _own_as_told(own: Own) -> tuple[Any, ...]:
    game = next(iter(own.functions)).__module__.split(".")[2]
    return _own_again, (own.text, str(own.path), game, own.digest, own.plain)


def _own_again(text: str, path: str, game: str, digest: str, plain: bool) -> Own:
    """Return a player of a designer's own file, read where the worker is."""
    function = text.partition(":")[2].partition(":")[0]
    where = f"a worker on {socket.gethostname()}"
    found = own_player(f"{path}:{function}{f':{PLAIN}' if plain else ''}", game, where).own
    assert found
    if found.digest != digest:
        raise BadInput(f"{where}: {Path(path).name} is another file there")
    return replace(found, text=text)


copyreg.pickle(Own, _own_as_told)
