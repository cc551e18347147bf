"""What a run shows of itself while it plays: lines of arms on a terminal, sentences in a log, nothing if it is quiet.

What is played doesn't depend on it: it counts the games that come in, and reads the sums of those that are finished.
"""

import math
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Any, NamedTuple, Self, TextIO, TypeVar

import numpy as np
from tqdm.std import Bar, tqdm
from tqdm.utils import disp_len, disp_trim

from simlib.checkpoints import Summary, add
from simlib.errors import one_line

DRAWN, LOGGED, SAID = 0.1, 30.0, 1.0  # seconds between pictures, lines in a log, and looks at present figures, at least
SHARE = 0.01  # of a run's time that looking at present figures may take
TOLD_APART = 40  # studies, at most, of which a log tells when each begins and ends
SIZE = os.terminal_size((80, 24))  # where a terminal doesn't say
GAMES, SPEED, LEFT, FIGURE, BAR, LABEL = 11, 7, 8, 24, (6, 20), 12  # widths of columns
WHOLE = "in all"
T = TypeVar("T")


class Present(NamedTuple):
    """What the sums of a study say of its arms while it plays.

    Attributes
    ----------
    label : str
        What the figure is.
    words : callable
        Takes the sums of some games and returns the figure with its interval, {arm's name, or what comes before a
        ``|`` in it: words}; what it raises means that these games don't suffice.
    """

    label: str
    words: Callable[[Summary], Mapping[str, str]]


class Line(NamedTuple):
    """Arms that differ only in who sits where: one line of a picture."""

    label: str
    arms: tuple[str, ...]


class Counted:
    """The games of a study as they come in, or of several that are shown as one.

    Parameters
    ----------
    key, label : str
    lines : sequence of Line
    tables : mapping
        Who plays each arm, by its name: tables that are called the same are about as fast.
    games, done : int
        Of each arm: all, and those that were finished before.
    """

    def __init__(
        self, key: str, label: str, lines: Sequence[Line], tables: Mapping[str, str], games: int, done: int = 0,
        present: Present | None = None,
    ) -> None:  # fmt: skip
        self.keys, self.label, self.lines, self.tables, self.present = [key], label, lines, tables, present
        self.games, self.done, self.new = games, done, 0
        self.begun = self.seconds = math.nan
        self.spent = 0.0
        self.told: Mapping[str, str] = {}
        self.told_at = 0.0

    @property
    def ended(self) -> bool:
        """Whether all games are in."""
        return self.done >= self.games

    @property
    def speed(self) -> float:
        """New games of each arm a second; nan where it isn't known."""
        return self.new / self.seconds if self.seconds > 0 else math.nan

    def join(self, other: "Counted") -> None:
        """Count another study's games as this one's."""
        self.keys += other.keys
        self.games += other.games
        self.done += other.done

    def figure(self, line: Line) -> str:
        """Return what is known of a line's arms."""
        return next((words for name, words in self.told.items() if f"{line.arms[0]} |".startswith(f"{name} |")), "")


def counted_of(study: Any, games: int, done: int) -> Counted:
    """Return how the games of a `batch.Study` are counted."""
    arms, label = study.arms.items(), study.label or study.key
    tables = {name: f"{arm.variant.game}, {len(arm.players)} players, {arm.table}" for name, arm in arms}
    alike: dict[Any, list[str]] = {}
    for name, arm in arms:
        alike.setdefault((arm.variant.fingerprint, arm.table), []).append(name)
    several = len(alike) > 1
    lines = [
        Line(_label(label, (shared(names).strip(" |") or table) * several, len(names)), tuple(names))
        for (_, table), names in alike.items()
    ]
    return Counted(study.key, label, lines, tables, games, done, study.present)


def _label(label: str, arms: str, seatings: int) -> str:
    """Return what a line of some arms is called."""
    told = f" ({seatings} seatings)" if seatings > 1 else ""
    return one_line(" | ".join(filter(None, (label, arms))) + told)


def shared(texts: Sequence[str]) -> str:
    """Return what some texts begin with.

    Examples
    --------
    >>> shared(["seat 0", "seat 1"])
    'seat '
    """
    ends = (place for place, signs in enumerate(zip(*texts, strict=False)) if len(set(signs)) > 1)
    return texts[0][: next(ends, min(map(len, texts)))]


class Tally:
    """The games of a run as they come in, and how long the rest takes.

    Parameters
    ----------
    studies : iterable of Counted
    clock : callable
        Returns seconds.
    """

    def __init__(self, studies: Iterable[Counted], clock: Callable[[], float]) -> None:
        shown: dict[str, Counted] = {}
        self._by_key: dict[str, Counted] = {}
        for study in studies:
            first = shown.setdefault(study.label, study)
            if first is not study:
                first.join(study)
            self._by_key |= dict.fromkeys(study.keys, first)
        self.studies = list(shown.values())
        self.clock = clock
        self.begun = self.last = clock()
        self.running: dict[str, Counted] = {}  # by label
        self.games, self.done, self.new = 0, 0, 0
        self._todo: dict[str, int] = defaultdict(int)  # games by who plays
        self._costs: dict[str, tuple[int, float]] = {}  # games, and seconds of a thread, by who plays
        for study in self.studies:
            self.games += study.games * len(study.tables)
            self.done += study.done * len(study.tables)
            for table in study.tables.values():
                self._todo[table] += study.games - study.done

    def add(self, key: str, games: int, seconds: Mapping[str, float]) -> Counted:
        """Count games of a study; `seconds` that a thread took for each arm are empty where they aren't known."""
        study = self._by_key[key]
        if math.isnan(study.begun):
            study.begun = study.told_at = self.last
            self.running[study.label] = study
        self.last = self.clock()
        study.done += games
        study.new += games
        self.done += games * len(study.tables)
        self.new += games * len(study.tables)
        for name, spent in seconds.items():
            table = study.tables[name]
            known, before = self._costs.get(table, (0, 0.0))
            self._costs[table] = known + games, before + spent
            self._todo[table] -= games
            study.spent += spent
        study.seconds = max(self.last - study.begun, study.spent / self._parallel)
        if study.ended:
            self.running.pop(study.label, None)
        return study

    @property
    def _parallel(self) -> float:
        """How many seconds of threads a second has."""
        spent = sum(seconds for _, seconds in self._costs.values())
        return spent / (self.last - self.begun) if spent and self.last > self.begun else math.inf

    @property
    def speed(self) -> float:
        """Games of all arms a second; nan where it isn't known."""
        return self.new / (self.last - self.begun) if self.last > self.begun else math.nan

    @property
    def left(self) -> tuple[float, bool]:
        """How many seconds the rest takes, nan where it isn't known; and whether some of it may take longer.

        Tables are unlike: each is as fast as it was so far, and of those that weren't played yet nothing is known.
        """
        if math.isinf(self._parallel):
            return (self.games - self.done) / self.speed, False
        todo = {table: games for table, games in self._todo.items() if games}
        known = {table: self._costs[table] for table in todo if table in self._costs}
        needed = sum(todo[table] * seconds / games for table, (games, seconds) in known.items())
        return needed / self._parallel, len(known) < len(todo)


class Progress:
    """Shows how far a run is; a context, so that nothing half-written stays behind.

    Parameters
    ----------
    studies : iterable of Counted
        What is played.
    quiet : bool
        Whether nothing is shown.
    sums : callable, optional
        Takes a study's key and returns the sums of its finished games.
    headline : callable, optional
        Returns in words what all sums so far say; what it raises means that they don't suffice.
    stream : optional
        Standard error by default.
    clock : callable, optional
        Returns seconds.
    """

    def __init__(
        self, studies: Iterable[Counted], *, quiet: bool, sums: Callable[[str], Summary] = lambda key: {},
        headline: Callable[[], str] | None = None, stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._tally, self._sums, self._headline = Tally(studies, clock), sums, headline
        self._told, self._told_at = "", self._tally.begun
        self._spent = 0.0
        self._next = self._tally.begun
        stream = stream or sys.stderr
        shown = bool(self._tally.studies and not quiet and stream)
        self._shown: Picture | Log | None = (Picture if _is_terminal(stream) else Log)(stream) if shown else None

    def __enter__(self) -> Self:
        """Show what is to be played."""
        if self._shown:
            self._shown.begin(self._tally)
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: object, trace: TracebackType | None) -> None:
        """Show what was played."""
        if self._shown:
            if kind is None:
                self._look(self._tally.studies[-SIZE.lines :], last=True)
            self._shown.end(self._tally, self._told)

    def add(self, key: str, games: int, seconds: Mapping[str, float] | None = None) -> None:
        """Count games of each arm of a study."""
        study = self._tally.add(key, games, seconds or {})
        if not self._shown:
            return
        if study.ended:
            self._look([study])
        self._shown.added(self._tally, study)
        if self._tally.last >= self._next:
            self._look(self._tally.running.values())
            self._next = self._tally.last + DRAWN
            self._shown.draw(self._tally, self._told)

    def _look(self, studies: Iterable[Counted], *, last: bool = False) -> None:
        """Make the present figures anew that are old enough, as long as they take little of the run's time."""
        now = self._tally.clock()
        for study in studies:
            if study.present and (study.ended or last or now >= study.told_at + SAID):
                words = partial(self._words, study, study.present)
                study.told, study.told_at = self._said(words, study.told, last=last), now
        if self._headline and (last or now >= self._told_at + SAID):
            self._told, self._told_at = self._said(self._headline, self._told, last=last), now

    def _words(self, study: Counted, present: Present) -> Mapping[str, str]:
        total: Summary = {}
        for key in study.keys:
            add(total, self._sums(key))
        return present.words(total)

    def _said(self, words: Callable[[], T], before: T, *, last: bool) -> T:
        begun = self._tally.clock()
        if not last and self._spent > SHARE * (begun - self._tally.begun):
            return before
        try:
            with np.errstate(all="ignore"):
                return words()
        except Exception:  # sums of few games needn't suffice for a figure; at the end the page says what is wrong
            return before
        finally:
            self._spent += self._tally.clock() - begun


class Counting(Progress):
    """Shows how far one thing is that has a number of games."""

    def __init__(self, what: str, games: int, *, quiet: bool, **options: Any) -> None:
        self._what = Counted(what, what, [Line(one_line(what), ("",))], {"": ""}, games)
        super().__init__([self._what], quiet=quiet, **options)

    def update(self, games: int) -> None:
        """Count games."""
        self.add(self._what.label, games)

    def set_postfix(self, **facts: Any) -> None:
        """Say more of what is counted, such as ``generation=3``."""
        told = ", ".join(f"{name} {fact}" for name, fact in facts.items())
        self._what.lines = [Line(one_line(f"{self._what.label}, {told}"), ("",))]


def _is_terminal(stream: TextIO) -> bool:
    with suppress(ValueError):  # it is closed
        return stream.isatty() and os.environ.get("TERM") != "dumb"
    return False


def _write(stream: TextIO, text: str) -> None:
    with suppress(OSError, ValueError):  # nobody reads it any more: the run goes on
        stream.write(text)
        stream.flush()


# ---- a log ---------------------------------------------------------------------------------------------------------


class Log:
    """Plain lines: when a study begins and ends, and now and then."""

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._next, self._begun = stream, 0.0, set[str]()

    def begin(self, tally: Tally) -> None:
        """Say what is to be played."""
        lines = [line.label for study in tally.studies for line in study.lines]
        what = f"{len(lines):,} tables" if len(lines) > 1 else lines[0]
        self._tell(f"{what}: {tally.done:,} of {tally.games:,} games played")
        self._next = tally.begun + LOGGED

    def added(self, tally: Tally, study: Counted) -> None:
        """Say that a study begins or ends."""
        if len(tally.studies) <= TOLD_APART and (study.ended or study.label not in self._begun):
            self._begun.add(study.label)
            self._tell(_sentence(study))

    def draw(self, tally: Tally, told: str) -> None:
        """Say now and then how far all is."""
        if tally.last < self._next or tally.done >= tally.games:
            return
        self._next = tally.last + LOGGED
        for study in tally.running.values():
            self._tell(_sentence(study))
        if len(tally.studies) > 1 or told:
            self._tell(_whole_sentence(tally, told))

    def end(self, tally: Tally, told: str) -> None:
        """Say how it ended."""
        if len(tally.studies) > 1 or told:
            self._tell(_whole_sentence(tally, told))

    def _tell(self, line: str) -> None:
        _write(self._stream, f"simlib: {line}\n")


def _sentence(study: Counted) -> str:
    """Return how far a study is."""
    tables, label = len(study.tables), one_line(study.label) if len(study.lines) > 1 else study.lines[0].label
    figures = [(line.label.removeprefix(f"{label} | "), study.figure(line)) for line in study.lines[:3]]
    told = "; ".join(f"{name}: {figure}" if len(study.lines) > 1 else figure for name, figure in figures if figure)
    left = (study.games - study.done) / study.speed
    so_far = f"{study.present.label}: {told}" if study.present and told else ""
    return _told(
        label, study.done * tables, study.games * tables, study.speed * tables, study.seconds,
        f"{_clock(left)} left", so_far,
    )  # fmt: skip


def _whole_sentence(tally: Tally, told: str) -> str:
    """Return how far a run is."""
    left, more = tally.left
    rest = f"{'at least ' if more else ''}{_clock(left)} left"
    return _told(WHOLE, tally.done, tally.games, tally.speed, tally.last - tally.begun, rest, told)


def _told(label: str, done: int, games: int, speed: float, seconds: float, left: str, so_far: str) -> str:
    parts = [f"{label}: {done:,} of {games:,} games", f"{speed:,.0f} games/s" if math.isfinite(speed) else ""]
    parts.append(f"{_clock(seconds)} taken" if done >= games else left)
    return ", ".join(filter(None, parts)) + (f"; so far {so_far}" if so_far else "")


# ---- a terminal ----------------------------------------------------------------------------------------------------


class Picture:
    """Lines at the end of a terminal that are drawn over and over.

    The cursor waits below the last line: whatever else is written there, and however the run ends, begins a new line.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._drawn = stream, list[str]()
        self._lines, self._names = 0, Names(0, 0, "")
        self._scrolls, self._ended = False, list[Counted]()

    def begin(self, tally: Tally) -> None:
        """Draw what is to be played."""
        self._lines = sum(len(study.lines) for study in tally.studies)
        self._names = names_of(tally.studies)
        self.draw(tally, "")

    def added(self, tally: Tally, study: Counted) -> None:
        """Note that a study ended; the next picture has it."""
        if study.ended:
            self._ended.append(study)

    def end(self, tally: Tally, told: str) -> None:
        """Draw the last picture."""
        self.draw(tally, told)

    def draw(self, tally: Tally, told: str) -> None:
        """Draw over the last picture; where there isn't room for all lines, those that ended scroll away."""
        columns, rows = size_of(self._stream)
        table = Columns(columns - 1, self._names, is_utf(self._stream))
        tail = [table.whole(tally)] * (self._lines > 1) + [f"so far {told}"] * bool(told)
        room = max(1, rows - 2 - len(tail))
        self._scrolls |= self._lines > room
        gone: list[str] = []
        if self._scrolls:
            gone = table.lines(self._ended)
            self._ended.clear()
        body = table.lines(tally.running.values() if self._scrolls else tally.studies)
        if len(body) > room:
            body[room - 1 :] = [f"... and {len(body) - room + 1} more lines"]
        self._put(gone, [disp_trim(line, columns - 1) for line in (table.head, *body, *tail)], columns)

    def _put(self, gone: Sequence[str], lines: list[str], columns: int) -> None:
        """Write lines over the last ones, which a terminal that is narrower now has broken into more."""
        up = sum(max(1, -(-disp_len(line) // columns)) for line in self._drawn)
        start = f"\x1b[{up}A\r" if up else "\r"
        _write(self._stream, start + "".join(f"{line}\x1b[K\n" for line in (*gone, *lines)) + "\x1b[J")
        self._drawn = lines


class Names(NamedTuple):
    """What the columns of a picture depend on.

    Attributes
    ----------
    shared, longest : int
        The length of what all labels begin with, which needn't be shown, and the width of the longest rest.
    figure : str
        The head of the column of figures; empty where no study has one.
    """

    shared: int
    longest: int
    figure: str


def names_of(studies: Iterable[Counted]) -> Names:
    """Return what the columns of a picture depend on."""
    shown = list(studies)
    figures = {study.present.label for study in shown if study.present}
    labels = [line.label for study in shown for line in study.lines]
    left_out = shared(labels).rfind(" | ") + 3 if len(labels) > 1 and " | " in shared(labels) else 0
    told = f"so far: {min(figures)}" if len(figures) == 1 else "so far"
    longest = max(disp_len(label[left_out:]) for label in [*labels, " " * left_out + WHOLE])
    return Names(left_out, longest, told if figures else "")


class Columns:
    """The columns of a picture, as many as there is room for."""

    def __init__(self, width: int, names: Names, utf: bool) -> None:
        room = width - (GAMES + SPEED + LEFT + 3)
        self._figures = bool(names.figure) and room >= LABEL + FIGURE
        if self._figures:
            room -= 1 + max(FIGURE, min(disp_len(names.figure), room - names.longest - BAR[1] - 2))
        rest = room - names.longest - 1
        self._bar = min(BAR[1], rest) if rest >= BAR[0] else 0
        self._label = max(0, min(names.longest, room - (self._bar + 1 if self._bar else 0)))
        self._charset, self._shared = Bar.UTF if utf else Bar.ASCII, names.shared
        self.head = self._row("", 0, "games", "games/s", "left", names.figure)

    def lines(self, studies: Iterable[Counted]) -> list[str]:
        """Return the lines of some studies."""
        return [self._line(study, line) for study in studies for line in study.lines]

    def _line(self, study: Counted, line: Line) -> str:
        arms = len(line.arms)
        left = "done" if study.ended else _clock((study.games - study.done) / study.speed)
        count = f"{_short(study.done * arms)}/{_short(study.games * arms)}"
        share, speed = study.done / study.games, _short(study.speed * arms)
        return self._row(line.label[self._shared :], share, count, speed, left, study.figure(line))

    def whole(self, tally: Tally) -> str:
        """Return the line of the whole run."""
        seconds, more = tally.left
        left = "done" if tally.done >= tally.games else _clock(seconds) + "+" * (more and math.isfinite(seconds))
        count = f"{_short(tally.done)}/{_short(tally.games)}"
        return self._row(WHOLE, tally.done / tally.games, count, _short(tally.speed), left, "")

    def _row(self, label: str, share: float, count: str, speed: str, left: str, figure: str) -> str:
        bar = f"{Bar(share, self._bar, self._charset)} " if self._bar else ""
        told = f" {figure}" if self._figures else ""
        return f"{fitted(label, self._label)} {bar}{count:>{GAMES}} {speed:>{SPEED}} {left:>{LEFT}}{told}".rstrip()


def is_utf(stream: TextIO) -> bool:
    """Tell whether a stream takes every sign."""
    return (stream.encoding or "").lower().replace("-", "").startswith("utf")


def size_of(stream: TextIO) -> os.terminal_size:
    """Return a terminal's columns and rows; SIZE where it doesn't say."""
    with suppress(OSError, ValueError):
        size = os.get_terminal_size(stream.fileno())
        return os.terminal_size((size.columns or SIZE.columns, size.lines or SIZE.lines))
    return SIZE


def fitted(text: str, width: int) -> str:
    """Return a text that fills so many cells of a terminal: what is too long loses its middle.

    Examples
    --------
    >>> fitted("greedy", 8), fitted("4 players | hand.visible=3", 15)
    ('greedy  ', '4 playe...ble=3')
    """
    kept = len(text)
    shown = text
    while disp_len(shown) > width and kept:
        kept -= 1
        shown = f"{text[: -(-kept // 2)]}...{text[len(text) - kept // 2 :]}"
    return disp_trim(shown, width) + " " * (width - disp_len(disp_trim(shown, width)))


def _short(number: float) -> str:
    """Return a number in few digits, such as ``45.0k``; nothing where it isn't known."""
    if not math.isfinite(number):
        return ""
    return f"{number:.0f}" if number < 1000 else str(tqdm.format_sizeof(number))


def _clock(seconds: float) -> str:
    """Return a time, such as ``01:30``; a dash where it isn't known."""
    return str(tqdm.format_interval(math.ceil(seconds))) if math.isfinite(seconds) else "-"
