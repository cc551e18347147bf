"""Flipped bits, cuts and blanks in the files that hold results: each must be found, none may be read as a result."""

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.faults.children import Child, simlib
from benchmarks.faults.rows import OTHERS, RUN, Row, Run, all_of
from simlib.checkpoints import FOLDER, PART, Checkpoints
from simlib.errors import BadInput
from simlib.results import FILE, load

LONG = "100000"  # games that take minutes
Damage = Callable[[bytes, random.Random], bytes]


def flipped(content: bytes, chance: random.Random) -> bytes:
    """Return the content with one bit flipped."""
    at, bit = chance.randrange(len(content)), chance.randrange(8)
    return content[:at] + bytes([content[at] ^ 1 << bit]) + content[at + 1 :]


def cut(content: bytes, chance: random.Random) -> bytes:
    """Return the beginning of the content."""
    return content[: chance.randrange(len(content))]


def blanked(content: bytes, chance: random.Random) -> bytes:
    """Return the content with some bytes in a row zero, at most a page of a disk."""
    first = chance.randrange(len(content))
    last = min(len(content), first + chance.randint(1, 4096))
    return content[:first] + bytes(last - first) + content[last:]


def rows(run: Run) -> Iterator[Row]:
    """Damage results of all kinds and parts of unfinished runs, and read them."""
    files = [*_results(run), *_parts(run)]
    chance = random.Random(run.seed)
    for damage, count, figure in (
        (flipped, run.size.flips, "flipped bits found"),
        (cut, run.size.damages, "cut files found"),
        (blanked, run.size.damages, "zeroed bytes found"),
    ):
        yield all_of(f"{figure}, in {len(files)} files", count, _missed(files, damage, count, chance))


def _results(run: Run) -> list[Path]:
    """Return result files of runs of each kind."""
    made = []
    for name, command in {"experiment": RUN, **OTHERS}.items():
        folder = run.folder / name
        ended = Child(lambda: simlib([*command, "--out", str(folder)]), run.folder / f"{name}.told").wait()  # noqa: B023
        if ended.status:
            raise RuntimeError(f"{name}: status {ended.status}: {ended.told[-1000:]}")
        made.append(folder / FILE)
    return made


def _parts(run: Run) -> list[Path]:
    """Return the parts of an experiment that was killed in play, as soon as it had written some."""
    folder = run.folder / "killed"

    def found() -> list[Path]:
        return sorted((folder / FOLDER).glob(f"{PART}*.json"))

    child = Child(lambda: simlib([*RUN, "--games", LONG, "--out", str(folder)]), run.folder / "killed.told")
    child.wait_until(lambda: bool(found()))
    child.kill(9, 0)
    ended = child.wait()
    if not found():
        raise RuntimeError(f"a long run wrote no part: status {ended.status}: {ended.told[-1000:]}")
    return found()


def _missed(files: Sequence[Path], damage: Damage, count: int, chance: random.Random) -> Iterator[str]:
    """Yield a sentence for each damage that isn't noticed; files are whole again afterwards."""
    contents = {path: path.read_bytes() for path in files}
    for number in range(count):
        path = files[number % len(files)]
        broken = damage(contents[path], chance)
        if broken != contents[path] and not _noticed(path, broken):
            yield f"{damage.__name__}: {path.name}, damage {number}"
        path.write_bytes(contents[path])


def _noticed(path: Path, broken: bytes) -> bool:
    path.write_bytes(broken)
    if path.name != FILE:
        told: list[str] = []
        Checkpoints(path.parent, told.extend).begin(_Asked(), 1)
        path.with_name(f"broken-{path.name}").unlink(missing_ok=True)
        return len(told) == 1 and path.name in told[0] and "set aside" in told[0]
    try:
        load(path.parent)
    except BadInput:
        return True
    return False


class _Asked:
    """A study that no part is of: its beginning reads all of them."""

    key, unit, whole, sums, games = "no study", 1, False, "", 1
    arms: dict[str, object] = {}  # noqa: RUF012
