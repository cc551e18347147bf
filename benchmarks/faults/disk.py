"""A full disk at each write in turn, and a kill at each rename in turn, of a run that replaces an older report."""

import builtins
import errno
import io
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.faults.children import Child, Tree, lanes, simlib, tree
from benchmarks.faults.rows import RUN, Row, Run, all_of, none_of
from simlib.checkpoints import FOLDER
from simlib.files import HALF
from simlib.results import FILE

WRITE, SYNC, RENAME = "write", "fsync", "rename"
KINDS = {WRITE: "writes that find the disk full", SYNC: "flushes that do", RENAME: "renames at which it is killed"}
NO_ROOM = os.strerror(errno.ENOSPC)
FULL = OSError(errno.ENOSPC, NO_ROOM)


class Disk:
    """Counts operations of one kind in this process, and fails at one of them.

    Parameters
    ----------
    kind : str
        WRITE and SYNC find the disk full at operation number `at`, RENAME kills the process before it; 0 for none.
    """

    def __init__(self, kind: str, at: int) -> None:
        self.kind, self.at, self.count = kind, at, 0
        open_, fsync, replace = io.open, os.fsync, os.replace

        def opened(file: Any, mode: str = "r", *more: Any, **named: Any) -> Any:
            if not set(mode) & set("wax+"):
                return open_(file, mode, *more, **named)
            raw = _Raw(self, file, mode.replace("b", "").replace("t", ""), True, named.get("opener"))
            buffered = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
            given = {key: named[key] for key in ("encoding", "errors", "newline") if key in named}
            return buffered if "b" in mode else io.TextIOWrapper(buffered, **given)

        def synced(file: Any) -> None:
            if self.now(SYNC):
                raise FULL
            fsync(file)

        def replaced(source: Any, target: Any, **named: Any) -> None:
            if self.now(RENAME):
                os.kill(os.getpid(), signal.SIGKILL)
            replace(source, target, **named)

        io.open = opened
        builtins.open = opened
        os.fsync, os.replace = synced, replaced  # type: ignore[assignment]

    def now(self, kind: str) -> bool:
        """Count an operation, and tell whether it is the one that fails."""
        self.count += kind == self.kind
        return kind == self.kind and self.count == self.at


class _Raw(io.FileIO):
    """A file on that disk: a write that finds it full leaves the half of what was to be written."""

    def __init__(self, disk: Disk, *more: Any) -> None:
        super().__init__(*more)
        self._disk = disk

    def write(self, data: Any) -> int:
        """Write as files do."""
        if not self._disk.now(WRITE):
            return super().write(data)
        super().write(bytes(data)[: len(bytes(data)) // 2])
        raise FULL


def rows(run: Run) -> Iterator[Row]:
    """Let each operation of each kind fail in turn, and look at what is there then, and after the command again."""
    old, new = run.folder / "old", run.folder / "new"
    for folder, seed in ((old, 1), (new, 2)):
        if (ended := _begin(run, folder, seed, Disk, "", 0).wait()).status:
            raise RuntimeError(f"a run that nobody disturbs failed: {ended.told}")
    counts = {kind: _count(run, kind, old) for kind in KINDS}
    items = [(kind, at) for kind, count in counts.items() for at in _some(count, run.size.faults)]
    trees = tree(old), tree(new)
    found = lanes(lambda item: _failing(run, item[0], item[1], *trees), items, run.jobs, run.folder)
    for kind, figure in KINDS.items():
        own = [faults for (each, _), faults in zip(items, found, strict=True) if each == kind]
        yield Row(figure, f"{len(own)} of {counts[kind]}", "each" if len(own) == counts[kind] else "some", len(own) > 0)
    yield none_of("files that are then neither old nor new, or untold", [text for first, _ in found for text in first])
    yield all_of("such runs that end on resume with the same bytes", len(found), [text for _, text in found if text])


def _some(count: int, most: int) -> list[int]:
    """Return the numbers from 1 to count, or so many of them."""
    return sorted(
        {1 + at * (count - 1) // max(1, most - 1) for at in range(most)} if count > most else range(1, count + 1)
    )


def _begin(run: Run, folder: Path, seed: int, *disk: Any) -> Child:
    make: Callable[..., Disk] = disk[0]

    def work() -> int:
        made = make(*disk[1:])
        command = [*RUN, "--seed", str(seed), "--jobs", "1", "--fresh", "1", "--out", str(folder)]
        status = simlib(command, every=0, cells=1 << 20)  # each chunk at once: the same operations in each run
        print(f"\ncount {made.count}")
        return status

    return Child(work, run.folder / f"{folder.name}.told")


def _count(run: Run, kind: str, old: Path) -> int:
    """Return how many operations of a kind an undisturbed run has."""
    folder = run.folder / f"counted-{kind}"
    shutil.copytree(old, folder)
    return int(_begin(run, folder, 2, Disk, kind, 0).wait().told.split()[-1])


def _failing(run: Run, kind: str, at: int, old: Tree, new: Tree) -> tuple[list[str], str]:
    """Let an operation fail; return what is wrong then, and what is wrong when the command was given again."""
    folder, name = run.folder / f"{kind}-{at}", f"{kind} {at}"
    shutil.copytree(run.folder / "old", folder)
    ended = _begin(run, folder, 2, Disk, kind, at).wait()
    faults = [f"{name}: {text}" for text in _torn(tree(folder), old, new)]
    lines = [line for line in ended.told.splitlines() if line.startswith("simlib: ") and NO_ROOM in line]
    if kind == RENAME and ended.status != -signal.SIGKILL:
        faults.append(f"{name}: it wasn't killed, status {ended.status}")
    if kind != RENAME and (ended.status != 1 or len(lines) != 1 or "Traceback" in ended.told):
        faults.append(f"{name}: status {ended.status}, {ended.told[-500:]}")
    if kind != RENAME and any(path.endswith(HALF) for path in tree(folder)):
        faults.append(f"{name}: a half-written file stays")
    again = _begin(run, folder, 2, Disk, "", 0).wait()
    there = tree(folder)
    differ = sorted(path for path in there.keys() | new.keys() if there.get(path) != new.get(path))
    shutil.rmtree(folder)
    return faults, f"{name}: status {again.status}, {', '.join(differ)} differ" if differ or again.status else ""


def _torn(there: Tree, old: Tree, new: Tree) -> Iterator[str]:
    """Yield what is neither of the old report nor of the new one, but for what is unfinished."""
    for path in sorted(old.keys() | new.keys() | there.keys()):
        if path.startswith(f"{FOLDER}/") or path.endswith(HALF):
            continue
        gone = path not in there and (path in (FILE, "index.html"))
        if gone or (path in there and there[path] not in (old.get(path), new.get(path))):
            yield f"{path} is neither old nor new"
