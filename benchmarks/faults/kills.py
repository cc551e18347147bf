"""Kills at random moments of an experiment, while its kernel is compiled and while it plays; then it goes on."""

import json
import random
import shutil
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.faults.children import Child, Ended, lanes, simlib, tree
from benchmarks.faults.rows import RUN, Row, Run, all_of, none_of, warm
from simlib.checkpoints import FOLDER, PART, Range, joined, meet, missing
from simlib.files import is_half
from simlib.results import FILE
from simlib.sealed import unsealed

SIGNALS = (signal.SIGKILL,) * 6 + (signal.SIGINT, signal.SIGTERM) * 2
COMPILING = 5.0  # seconds that a kernel takes at least
AT_ONCE = 2.0  # seconds that an interrupted run may take to end
BEGINNING = "before that"
LOST, TWICE, TORN, OTHER = "lost", "twice", "torn", "other"
BEFORE = {130, -signal.SIGINT, -signal.SIGTERM}  # exit statuses of what was interrupted before it began
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

    warm(run.folder / "warm")
    whole = run.folder / "whole"
    alone = _begin(run, "whole").wait()
    if alone.status:
        raise RuntimeError(f"the run that nobody kills failed: {alone.told}")
    numbers = range(size.cold, size.kills)
    warmed = lanes(lambda at: _killed(run, at, alone.seconds, signals[at]), numbers, run.jobs, run.folder)
    resumed = lanes(lambda at: _go_on(run, str(at), whole), range(size.kills), run.jobs, run.folder)
    yield from _told([Kill(*each) for each in (*cold, *warmed)], resumed)


def _told(kills: list[Kill], resumed: list[list[Fault]]) -> Iterator[Row]:
    faults = [fault for kill in kills for fault in kill.faults] + [fault for each in resumed for fault in each]
    places = ", ".join(f"{count} {where}" for where, count in sorted(Counter(kill.where for kill in kills).items()))
    yield Row("kills (SIGKILL 6 in 10, SIGINT, SIGTERM)", f"{len(kills)}: {places}", "in compile and in play", True)
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


def _begin(run: Run, name: str, *, log: str = "", cache: Path | None = None) -> Child:
    """Begin a run into a folder of that name; with a folder for its kernel it is compiled first."""

    def work() -> int:
        if cache:
            import numba

            numba.config.CACHE_DIR = str(cache)
        return simlib([*RUN, "--jobs", "2", "--out", str(run.folder / name)], run.folder / log if log else None)

    return Child(work, run.folder / f"{name}.told")


def _killed(run: Run, at: int, seconds: float, number: int, *, cold: bool = False) -> Kill:
    """Kill a run at a moment of so many seconds, while it compiles or later; one that was faster runs again."""
    chance = random.Random(run.seed * 1_000_003 + at)
    folder, log, cache = (run.folder / f"{at}{end}" for end in ("", ".log", ".cache"))
    while True:
        child = _begin(run, str(at), log=log.name, cache=cache if cold else None)
        moment = chance.uniform(0, seconds)
        sent = child.kill(number, moment)
        ended = child.wait()
        if ended.status:
            break
        shutil.rmtree(folder)
        log.unlink()
    where = (
        "while the page is made" if (folder / FILE).exists()
        else "in play" if log.exists()
        else "in compile" if cold and (folder / FOLDER).exists()
        else BEGINNING
    )  # fmt: skip
    name = f"run {at}, {signal.Signals(number).name} after {moment:.3f} s, {where}"
    faults = [(TORN, f"{name}: {text}") for text in torn(folder)]
    if number == signal.SIGKILL:
        return Kill(where, 0.0, faults)
    faults += _unlike_told(name, ended, where, folder, log)
    return Kill(where, ended.at - sent, faults)


def _unlike_told(name: str, ended: Ended, where: str, folder: Path, log: Path) -> Iterator[Fault]:
    """Yield what is wrong with a run that was asked to end."""
    if ended.status != 130 and not (where == BEGINNING and ended.status in BEFORE):
        yield OTHER, f"{name}: exit status {ended.status}: {ended.told[-300:]}"
    elif where != BEGINNING and "interrupted" not in ended.told:
        yield OTHER, f"{name}: it doesn't say how to go on: {ended.told[-300:]}"
    if not (folder / FILE).exists():
        kept = on_disk(folder)
        for key, ranges in _noted(log).items():
            if any(missing(kept.get(key, []), first, first + games) for first, games in ranges):
                yield LOST, f"{name}: {key} isn't on disk as far as it was finished"


def _go_on(run: Run, name: str, whole: Path) -> list[Fault]:
    """Start the same command again, and compare with the run that nobody killed."""
    folder, log = run.folder / name, run.folder / f"{name}.again"
    kept, has_result = on_disk(folder), (folder / FILE).exists()
    ended = _begin(run, name, log=log.name).wait()
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
        for part in unsealed(path.read_text(encoding="utf-8"))["parts"]:
            found.setdefault(part["key"], []).extend((first, games) for first, games in part["ranges"])
    return {key: joined(sorted(ranges)) for key, ranges in found.items()}


def torn(folder: Path) -> Iterator[str]:
    """Yield sentences about sealed files that aren't whole, and pages and tables that are cut."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and not is_half(path)):
        content = path.read_text(encoding="utf-8")
        if path.name == FILE or path.name.startswith(PART):
            try:
                unsealed(content)
            except ValueError as fault:
                yield f"{path.name}: {fault}"
        elif not content.endswith(ENDS.get(path.suffix, "")):
            yield f"{path.name} is cut"


def _noted(log: Path) -> Games:
    """Return the games that a run noted as kept; a line that a kill cut wasn't kept for long."""
    found: Games = {}
    for line in log.read_text(encoding="utf-8").split("\n")[:-1] if log.exists() else ():
        key, first, games = json.loads(line)
        found.setdefault(key, []).append((first, games))
    return {key: joined(sorted(ranges)) for key, ranges in found.items()}


def _sums(folder: Path) -> Any:
    return unsealed((folder / FILE).read_text(encoding="utf-8"))["summaries"]
