"""Finished games of a run on disk, so that a run that was cut off goes on where it ended.

While a run plays, its report folder holds ``unfinished/``: a lock, and files with parts of studies. A part is the
sums of the games that are finished so far, with what its numbers depend on. A study that is being played has a file of
its own; those that end at about the same time share one. Files are whole, old or new, each with its own checksum. Only
the process that holds the lock writes there; when the run's result is saved, the folder goes.
"""

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from simlib import made
from simlib.errors import BadInput, SimlibError
from simlib.files import clear_halves, write_whole
from simlib.identity import identity, why_other
from simlib.interrupts import ended_by_signals
from simlib.sealed import Broken, digest, sealed, unsealed

fcntl: Any
try:
    import fcntl
except ImportError:  # not on this system: then nothing keeps two runs apart
    fcntl = None

FOLDER, LOCK, PART, SET_ASIDE = "unfinished", "lock", "part-", "broken-"
FORMAT = "simlib-part/2"
EVERY = 0.5  # seconds between parts: what a kill can cost
Range = tuple[int, int]  # first game, games
Summary = dict[str, np.ndarray]


class Finished(NamedTuple):
    """What was finished of a study: ranges of games in order, and their sums."""

    ranges: list[Range]
    summary: Summary

    def with_more(self, more: "Finished") -> "Finished":
        """Return the same with some other games."""
        total = dict(self.summary)
        add(total, more.summary)
        return Finished(joined(sorted([*self.ranges, *more.ranges])), total)


NOTHING = Finished([], {})


class _Study:
    """What is finished of one study: all of it, and the part that was played towards the present number of games."""

    def __init__(self, own: dict[str, str]) -> None:
        self.identity, self.games = own, 0
        self.whole, self.part = NOTHING, NOTHING

    @property
    def ended(self) -> bool:
        """Whether it seems that no game is left to play."""
        return len(self.whole.ranges) == 1 and sum(self.whole.ranges[0]) == self.games


class _OnDisk(NamedTuple):
    """A part that an earlier run left: the number of games that it was played towards, and what is finished."""

    games: int
    identity: dict[str, str]
    finished: Finished


class Checkpoints:
    """What is finished of each study of a run, in memory, and in a folder if there is one.

    A study may be asked for several times in a run, each time for more games: each has a part of its own, so that a
    run that takes the same looks again finds the games of each. Methods may be called from any thread.

    Parameters
    ----------
    folder : Path, optional
        Where the parts are; `kept_in` makes it.
    tell : callable, optional
        Takes lines for the user.
    check : callable, optional
        Raises SimlibError where the folder is no longer this run's.
    """

    def __init__(
        self, folder: Path | None = None, tell: Callable[[list[str]], None] = lambda lines: None,
        check: Callable[[], None] = lambda: None,
    ) -> None:  # fmt: skip
        self._folder, self._tell, self._check = folder, tell, check
        self._reasons: set[str] = set()  # why something was left out, as was told
        self._lock = threading.RLock()
        self._studies: dict[str, _Study] = {}
        self._unwritten: set[str] = set()
        self._written = time.monotonic()
        self._late: threading.Timer | None = None

    def begin(self, study: Any, seed: int) -> Finished:
        """Return what is finished of the games that a study asks for; what is played from now on joins it.

        Sums that depend on something else are left out, and it is told why.
        """
        with self._lock:
            own = identity(study, seed)
            known = self._studies.get(study.key)
            if known is None or known.identity != own or known.games > study.games:
                known = self._studies[study.key] = _Study(own)
            if not _fits(study, known.whole):
                known.whole = NOTHING
            if known.games != study.games or known.whole is NOTHING:
                known.part = NOTHING
            for games, part in self._parts(study.key, own):
                new = known.games < games <= study.games and not meet(known.whole.ranges, part.ranges)
                if new and _fits(study, part):
                    known.whole = known.whole.with_more(part)
                    known.part = part if games == study.games else NOTHING
            known.games = study.games
            return known.whole

    def sums(self, key: str) -> Summary:
        """Return the sums of all games of a study that are finished."""
        with self._lock:
            return self._studies[key].whole.summary

    def start_with(self, study: Any, seed: int, finished: Finished) -> None:
        """Say what a result of an earlier run holds of a study, which doesn't go to disk again."""
        with self._lock:
            known = self._studies[study.key] = _Study(identity(study, seed))
            known.whole, known.games = finished, sum(finished.ranges[-1])

    def keep(self, study: Any, first: int, games: int, summary: Mapping[str, Any]) -> None:
        """Note some finished games of a study that has begun; they go to disk with others about twice a second."""
        with self._lock:
            known, more = self._studies[study.key], Finished([(first, games)], dict(summary))
            known.whole, known.part = known.whole.with_more(more), known.part.with_more(more)
            self._unwritten.add(study.key)
            if time.monotonic() - self._written >= EVERY:
                self.flush()
            elif self._late is None:  # the next games may take long to finish: don't wait for them
                self._late = threading.Timer(EVERY, self._flush_late)
                self._late.daemon = True
                self._late.start()

    def flush(self) -> None:
        """Write what isn't written yet.

        Raises
        ------
        SimlibError
            If that fails, or the folder is no longer this run's.
        """
        with self._lock:
            if self._late:
                self._late.cancel()
                self._late = None
            self._check()
            if self._folder:
                ended = [key for key in sorted(self._unwritten) if self._studies[key].ended]
                for key in sorted(self._unwritten.difference(ended)):
                    self._write(self._path(key), [key])
                if ended:
                    self._write(self._folder / f"{_name(*self._asked(ended))}.json", ended)
                for key in ended:
                    self._path(key).unlink(missing_ok=True)
            self._unwritten.clear()
            self._written = time.monotonic()

    def _flush_late(self) -> None:
        with suppress(SimlibError):  # the run's own thread tries again, and tells it
            self.flush()

    def leave(self) -> None:
        """Write what isn't written yet of a run that is interrupted, and say how to go on; the process then ends.

        Nothing can be kept from now on: what would be is lost with the process, and must not count as finished.
        """
        self._lock.acquire()
        try:
            self.flush()
        except SimlibError as fault:
            self._tell([f"interrupted; {fault}"])
        else:
            self._tell(["interrupted; what was finished is kept. Run the same command again to go on from there."])

    def clear(self) -> None:
        """Remove all parts, as the run's result holds them; those that were set aside go, too."""
        for path in self._folder.iterdir() if self._folder else ():
            if path.name.startswith((PART, SET_ASIDE)):
                path.unlink(missing_ok=True)

    def _parts(self, key: str, own: dict[str, str]) -> list[tuple[int, Finished]]:
        """Return a study's parts on disk that fit, each behind the number of games that it was played towards."""
        known = self._on_disk.get(key, [])
        reasons = [why_other(part.identity, own) for part in known]
        found = [part for part, why in zip(known, reasons, strict=True) if not why]
        if reasons and not found and reasons[0] not in self._reasons:
            self._reasons.add(reasons[0])
            self._tell([f"starting afresh, as {reasons[0]}"])
        found.sort(key=lambda part: (part.games, -sum(games for _, games in part.finished.ranges)))
        return [(part.games, part.finished) for part in found]

    @cached_property
    def _on_disk(self) -> dict[str, list[_OnDisk]]:
        """What earlier runs left, by the studies' keys."""
        found: dict[str, list[_OnDisk]] = {}
        for path in sorted(self._folder.glob(f"{PART}*.json")) if self._folder else ():
            for part in self._read(path):
                ranges = [(int(first), int(games)) for first, games in part["ranges"]]
                summary = {name: np.array(values, np.int64) for name, values in part["summary"].items()}
                own = _OnDisk(int(part["games"]), part["identity"], Finished(ranges, summary))
                found.setdefault(part["key"], []).append(own)
        return found

    def _read(self, path: Path) -> list[dict[str, Any]]:
        """Return the parts in a file; one that isn't sound is set aside, and told."""
        try:
            body: dict[str, Any] = unsealed(path.read_bytes().decode("utf-8"))
            if body["format"] == FORMAT:
                return list(body["parts"])
            why = "it is of another version"
        except (OSError, ValueError) as fault:
            why = str(fault) if isinstance(fault, Broken) else "it can't be read"
        with suppress(OSError):
            path.replace(path.with_name(f"{SET_ASIDE}{path.name}"))
        self._tell([f"{path.name} of an earlier run is set aside, {why}: its games are played again"])
        return []

    def _write(self, path: Path, keys: list[str]) -> None:
        parts = [_plain(key, self._studies[key]) for key in keys]
        write_whole(path, sealed({"format": FORMAT, "parts": parts}))

    def _asked(self, keys: list[str]) -> list[str]:
        """Return what studies are and how many games they are played towards: a later look's part is another file."""
        return [f"{key} {self._studies[key].games}" for key in keys]

    def _path(self, key: str) -> Path:
        """Return the file of a study that is being played."""
        assert self._folder
        return self._folder / f"{_name(key)}-{self._studies[key].games}.json"


def _name(*keys: str) -> str:
    return f"{PART}{digest(' '.join(keys))[:16]}"


def _fits(study: Any, finished: Finished) -> bool:
    """Tell whether no games that belong together are cut apart by what is finished."""
    return not any(end % study.unit for end in ends(finished.ranges) if end != study.games)


def _plain(key: str, known: _Study) -> dict[str, Any]:
    """Return a part as plain values."""
    return {
        "key": key,
        "games": known.games,
        "identity": known.identity,
        "ranges": known.part.ranges,
        "summary": {name: np.asarray(array).tolist() for name, array in known.part.summary.items()},
    }


@contextmanager
def kept_in(
    folder: Path, name: str, *, fresh: bool = False, tell: Callable[[list[str]], None] = lambda lines: None
) -> Iterator[Checkpoints]:
    """Hold a report folder for one run, with what an earlier one left unfinished; Ctrl-C ends it with all kept.

    Parameters
    ----------
    folder : Path
        The report folder, which may not be there yet.
    name : str
        What the user called it, such as ``OUT=there``.
    fresh : bool, optional
        Leave out what an earlier run finished.

    Raises
    ------
    BadInput
        If another run is writing there, or nobody can.
    """
    made.begin()
    parts = folder / FOLDER
    lock = _locked(parts, name)
    try:
        if fresh:
            for path in parts.glob(f"{PART}*.json"):
                path.unlink(missing_ok=True)
        clear_halves(folder)
        kept = Checkpoints(parts, tell, partial(_check_held, lock, parts, name))
        with ended_by_signals(kept.leave):
            yield kept
    finally:
        _leave(parts)
        os.close(lock)


@contextmanager
def held(folder: Path, name: str) -> Iterator[None]:
    """Hold a report folder for one run that keeps nothing before its end.

    Raises
    ------
    BadInput
        As `kept_in`.
    """
    lock = _locked(folder / FOLDER, name)
    try:
        yield
    finally:
        _leave(folder / FOLDER)
        os.close(lock)


def _locked(parts: Path, name: str) -> int:
    """Return the lock of a folder of parts, as an open file that this process alone holds."""
    while True:
        try:
            parts.mkdir(parents=True, exist_ok=True)
            lock = os.open(parts / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as fault:
            raise BadInput(f"{name}: can't be written: {fault.strerror or fault}") from None
        try:
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(lock), (parts / LOCK).stat()):
                return lock
        except BlockingIOError:
            os.close(lock)
            raise BadInput(
                f"{name}: another run is writing there; wait for it, or name another folder by OUT="
            ) from None
        except FileNotFoundError:
            pass
        os.close(lock)  # a run that ended meanwhile has taken its lock away


def _check_held(lock: int, parts: Path, name: str) -> None:
    """Raise SimlibError where the lock isn't the one that is in the folder: another run may have taken that."""
    with suppress(OSError):
        if os.path.samestat(os.fstat(lock), (parts / LOCK).stat()):
            return
    raise SimlibError(f"{name}: the folder was removed while the run was playing: nothing more is written there")


def _leave(parts: Path) -> None:
    """Remove the folder of parts where it holds none."""
    with suppress(OSError):
        if not any(path.name != LOCK for path in parts.iterdir()):
            (parts / LOCK).unlink()
            parts.rmdir()


def add(total: Summary, summary: Mapping[str, Any]) -> None:
    """Add a summary into a total."""
    for name, array in summary.items():
        total[name] = total[name] + array if name in total else np.asarray(array, np.int64)


def joined(ranges: list[Range]) -> list[Range]:
    """Return sorted ranges with those put together that touch.

    Examples
    --------
    >>> joined([(0, 2), (2, 3), (7, 1)])
    [(0, 5), (7, 1)]
    """
    found: list[Range] = []
    for first, games in ranges:
        if found and sum(found[-1]) == first:
            found[-1] = (found[-1][0], found[-1][1] + games)
        else:
            found.append((first, games))
    return found


def missing(ranges: list[Range], first: int, last: int) -> list[Range]:
    """Return the ranges from game `first` up to `last`, which isn't one, that sorted ranges leave out.

    Examples
    --------
    >>> missing([(0, 5), (7, 1)], 2, 10)
    [(5, 2), (8, 2)]
    """
    found, at = [], first
    for begin, games in ranges:
        if begin > at:
            found.append((at, min(begin, last) - at))
        at = max(at, begin + games)
    if at < last:
        found.append((at, last - at))
    return [(begin, games) for begin, games in found if games > 0]


def ends(ranges: list[Range]) -> list[int]:
    """Return where ranges begin and end."""
    return [end for first, games in ranges for end in (first, first + games)]


def meet(some: list[Range], others: list[Range]) -> bool:
    """Tell whether any game is in ranges of both."""
    return any(one[0] < sum(other) and other[0] < sum(one) for one in some for other in others)
