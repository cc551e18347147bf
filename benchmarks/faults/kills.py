"""Kills at random moments of an experiment, while its kernel is compiled and while it plays; then it goes on."""

import json
import random
import shutil
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.faults.children import WRITTEN, Child, Ended, lanes, simlib, tree
from benchmarks.faults.rows import RUN, Row, Run, all_of, none_of, warm
from simlib.checkpoints import FOLDER, PART, Range, joined, meet, missing
from simlib.files import is_half
from simlib.results import FILE
from simlib.sealed import unsealed

COMMANDS = (  # in turn: all games at once, and in several looks
    (*RUN, "--games", "600"),
    (*RUN, "--games", "1000", "--precision", "0.001"),
)
SIGNALS = (signal.SIGKILL,) * 6 + (signal.SIGINT, signal.SIGTERM) * 2
COMPILING = 5.0  # seconds that a kernel takes at least
AT_ONCE = 2.0  # seconds that an interrupted run may take to end
BEGINNING, IN_COMPILE, IN_PLAY = "before that", "in compile", "in play"
LOST, TWICE, TORN, OTHER = "lost", "twice", "torn", "other"
OUTSIDE = {130, -signal.SIGINT, -signal.SIGTERM}  # exit statuses of what was interrupted before it began, or after
ENDS = {".html": "</html>\n", ".csv": "\n", ".jsonl": "\n", ".json": "\n", ".toml": "\n"}
Games = dict[str, list[Range]]
Fault = tuple[str, str]  # its kind, and a sentence


class Kill(NamedTuple):
    """What a kill left.

    Attributes
    ----------
    where : str
        What the run was doing.
    ended : float
        Seconds from a signal that asks to end until the run ended; 0 for SIGKILL.
    faults : list of Fault
    """

    where: str
    ended: float
    faults: list[Fault]


def rows(run: Run) -> Iterator[Row]:
    """Kill, go on, and count what is wrong."""
    size = run.size
    chance = random.Random(run.seed)
    signals = [chance.choice(SIGNALS) for _ in range(size.kills)]
    cold = lanes(lambda at: _killed(run, at, COMPILING, signals[at], cold=True), range(size.cold), run.jobs, run.folder)

    warm()
    seconds = [_undisturbed(run, number) for number in range(len(COMMANDS))]
    numbers = range(size.cold, size.kills)
    warmed = lanes(lambda at: _killed(run, at, seconds[at % len(COMMANDS)], signals[at]), numbers, run.jobs, run.folder)
    resumed = lanes(lambda at: _go_on(run, at), range(size.kills), run.jobs, run.folder)
    yield from _told([Kill(*each) for each in (*cold, *warmed)], resumed)


def _told(kills: list[Kill], resumed: list[list[Fault]]) -> Iterator[Row]:
    faults = [fault for kill in kills for fault in kill.faults] + [fault for each in resumed for fault in each]
    counts = Counter(kill.where for kill in kills)
    places = ", ".join(f"{count} {where}" for where, count in sorted(counts.items()))
    both = counts[IN_COMPILE] > 0 and counts[IN_PLAY] > 0
    yield Row("kills (SIGKILL 6 in 10, SIGINT, SIGTERM)", f"{len(kills)}: {places}", "in compile and in play", both)
    for kind, figure in (
        (LOST, "finished chunks lost"),
        (TWICE, "runs that count games twice, or lack some"),
        (TORN, "unreadable or torn files"),
    ):
        yield none_of(figure, [text for own, text in faults if own == kind])
    yield all_of("killed runs that end on resume with the same bytes", len(resumed), [
        text for each in resumed for own, text in each if own == OTHER
    ])  # fmt: skip
    yield none_of("interrupted runs that end otherwise than they say", [
        text for kill in kills for own, text in kill.faults if own == OTHER
    ])  # fmt: skip
    slowest = max(kill.ended for kill in kills)
    yield Row("slowest end after SIGINT or SIGTERM", f"{slowest:.2f} s", f"{AT_ONCE:g} s", slowest <= AT_ONCE)


def _undisturbed(run: Run, number: int) -> float:
    """Return how many seconds a command takes that nobody kills."""
    ended = _begin(run, number, _whole(number)).wait()
    if ended.status:
        raise RuntimeError(f"the run that nobody kills failed: {ended.told}")
    return ended.seconds


def _whole(number: int) -> str:
    return f"whole-{number % len(COMMANDS)}"


def _begin(run: Run, number: int, name: str, *, log: str = "", cache: Path | None = None) -> Child:
    """Begin a command into a folder of that name; with a folder for its kernel it is compiled first."""
    command = [*COMMANDS[number % len(COMMANDS)], "--jobs", "2", "--out", str(run.folder / name)]

    def work() -> int:
        if cache:
            import numba

            numba.config.CACHE_DIR = str(cache)
        return simlib(command, run.folder / log if log else None)

    return Child(work, run.folder / f"{name}.told")


def _killed(run: Run, at: int, seconds: float, number: int, *, cold: bool = False) -> Kill:
    """Kill a run at a moment of so many seconds, while it compiles or later; one that was faster runs again."""
    chance = random.Random(run.seed * 1_000_003 + at)
    folder, log, cache = (run.folder / f"{at}{end}" for end in ("", ".log", ".cache"))
    while True:
        child = _begin(run, at, str(at), log=log.name, cache=cache if cold else None)
        if cold:
            child.wait_until((folder / FOLDER).exists)
        moment = chance.uniform(0, seconds)
        sent = child.kill(number, moment)
        ended = child.wait()
        if ended.status:
            break
        shutil.rmtree(folder)
        log.unlink(missing_ok=True)
    where = (
        "while the page is made" if (folder / FILE).exists()
        else IN_PLAY if log.exists()
        else IN_COMPILE if cold and (folder / FOLDER).exists()
        else BEGINNING
    )  # fmt: skip
    name = f"run {at}, {signal.Signals(number).name} after {moment:.3f} s, {where}"
    asked = number != signal.SIGKILL
    faults = [(TORN, f"{name}: {text}") for text in torn(folder)]
    faults += [(LOST, f"{name}: {key} isn't on disk as far as it was finished") for key in _lost(folder, log, asked)]
    faults += _unlike_told(name, ended, where) if asked else ()
    return Kill(where, ended.at - sent if asked else 0.0, faults)


def _lost(folder: Path, log: Path, asked: bool) -> Iterator[str]:
    """Yield studies of which finished games aren't on disk: all if it was asked to end, else what was written."""
    if not (folder / FILE).exists():
        kept = on_disk(folder)
        for key, ranges in _noted(log, written=not asked).items():
            if any(missing(kept.get(key, []), first, first + games) for first, games in ranges):
                yield key


def _unlike_told(name: str, ended: Ended, where: str) -> Iterator[Fault]:
    """Yield what is wrong with a run that was asked to end."""
    over = ended.told.endswith("index.html\n")  # all is done, and it was about to leave
    if ended.status != 130 and not ((where == BEGINNING or over) and ended.status in OUTSIDE):
        yield OTHER, f"{name}: exit status {ended.status}: {ended.told[-300:]}"
    elif where != BEGINNING and not over and "interrupted" not in ended.told:
        yield OTHER, f"{name}: it doesn't say how to go on: {ended.told[-300:]}"


def _go_on(run: Run, number: int) -> list[Fault]:
    """Start the same command again, and compare with the run that nobody killed."""
    name = str(number)
    folder, log, whole = run.folder / name, run.folder / f"{name}.again", run.folder / _whole(number)
    kept, has_result = on_disk(folder), (folder / FILE).exists()
    ended = _begin(run, number, name, log=log.name).wait()
    if ended.status:
        return [(OTHER, f"run {name}: exit status {ended.status} on resume: {ended.told[-300:]}")]
    played = _noted(log)
    again = sorted(played if has_result else (key for key in played if meet(played[key], kept.get(key, []))))
    faults = [(LOST, f"run {name}: {key} is played again") for key in again]
    one, other = tree(folder), tree(whole)
    if _sums(folder) != _sums(whole):
        faults.append((TWICE, f"run {name}: its sums aren't those of all games, each once"))
    differ = sorted(path for path in one.keys() | other.keys() if one.get(path) != other.get(path))
    return faults + [(OTHER, f"run {name}: {', '.join(differ)} differ on resume")] * bool(differ)


def on_disk(folder: Path) -> Games:
    """Return what is finished of each study by the parts in a report's folder."""
    found: Games = {}
    for path in (folder / FOLDER).glob(f"{PART}*.json"):
        with suppress(ValueError):  # `torn` tells of those that can't be read
            for part in unsealed(path.read_text(encoding="utf-8"))["parts"]:
                found.setdefault(part["key"], []).extend((first, games) for first, games in part["ranges"])
    return {key: joined(sorted(ranges)) for key, ranges in found.items()}


def torn(folder: Path) -> Iterator[str]:
    """Yield sentences about sealed files that aren't whole, and pages and tables that are cut."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and not is_half(path)):
        content = path.read_text(encoding="utf-8", errors="replace")
        if path.name == FILE or path.name.startswith(PART):
            try:
                unsealed(content)
            except ValueError as fault:
                yield f"{path.name}: {fault}"
        elif not content.endswith(ENDS.get(path.suffix, "")):
            yield f"{path.name} is cut"


def _noted(log: Path, *, written: bool = False) -> Games:
    """Return the games that a run noted as kept, or as on disk; a line that a kill cut was neither."""
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").split("\n")[:-1]] if log.exists() else []
    while written and lines and lines[-1] != WRITTEN:
        lines.pop()
    found: Games = {}
    for key, first, games in (line for line in lines if line != WRITTEN):
        found.setdefault(key, []).append((first, games))
    return {key: joined(sorted(ranges)) for key, ranges in found.items()}


def _sums(folder: Path) -> Any:
    return unsealed((folder / FILE).read_text(encoding="utf-8"))["summaries"]
