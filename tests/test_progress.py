"""What a run shows while it plays: sentences in a log, lines on a terminal, and nothing where it is quiet."""

import fcntl
import io
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from simlib.cli import main
from simlib.progress import SIZE, Columns, Counted, Counting, Line, Present, Progress, counted_of, fitted, names_of

ROOT = Path(__file__).parent.parent
PLAYED = [sys.executable, "-m", "simlib", "simulate", "suppose", "--json", "--jobs=2"]


class Clock:
    """A clock that stands still until it is told."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def words(summary: Mapping[str, np.ndarray]) -> dict[str, str]:
    return {"played": f"{100 * int(summary['wins']) // int(summary['n'])} %"}


def counted(label: str, table: str, games: int, done: int = 0, *, key: str = "") -> Counted:
    lines, present = [Line(label, ("played",))], Present("wins", words)
    return Counted(key or label, label, lines, {"played": table}, games, done, present)


def play(progress: Progress, clock: Clock, parts: list[tuple[str, int, float]]) -> None:
    """Let games come in, each part after so many seconds of both of two threads."""
    with progress:
        for key, games, seconds in parts:
            clock.now += seconds
            progress.add(key, games, {"played": 2 * seconds})


def shown(studies: list[Counted], parts: list[tuple[str, int, float]], **options) -> list[str]:
    clock, stream = Clock(), io.StringIO()
    progress = Progress(studies, quiet=False, stream=stream, clock=clock, **options)
    play(progress, clock, parts)
    return stream.getvalue().splitlines()


def test_a_log_has_a_sentence_at_the_start_and_end_of_each_study_and_now_and_then():
    studies = [counted("weak", "random", 1000), counted("strong", "search", 100, done=40)]
    parts = [("weak", 500, 2.0), ("weak", 500, 2.0), ("strong", 30, 40.0), ("strong", 30, 20.0)]
    sums = {"wins": np.int64(1), "n": np.int64(4)}
    assert shown(studies, parts, sums=lambda key: sums, headline=lambda: "25 %: wins of all") == [
        "simlib: 2 tables: 40 of 1,100 games played",
        "simlib: weak: 500 of 1,000 games, 250 games/s, 00:02 left",
        "simlib: weak: 1,000 of 1,000 games, 250 games/s, 00:04 taken; so far wins: 25 %",
        "simlib: strong: 70 of 100 games, 1 games/s, 00:40 left",
        "simlib: strong: 70 of 100 games, 1 games/s, 00:40 left; so far wins: 25 %",
        "simlib: in all: 1,070 of 1,100 games, 23 games/s, 00:40 left; so far 25 %: wins of all",
        "simlib: strong: 100 of 100 games, 1 games/s, 01:00 taken; so far wins: 25 %",
        "simlib: in all: 1,100 of 1,100 games, 17 games/s, 01:04 taken; so far 25 %: wins of all",
    ]


def test_time_left_goes_by_who_plays_and_says_where_it_isnt_known():
    studies = [counted("a", "random", 1000), counted("b", "search", 100), counted("c", "search", 100)]
    parts = [("a", 1000, 1.0), ("b", 50, 31.0), ("b", 50, 31.0), ("c", 100, 62.0)]
    told = [line for line in shown(studies, parts) if "in all" in line]
    assert [re.search(r"[^,]* (left|taken)", line)[0].strip() for line in told] == [
        "01:33 left",  # half of b, and c, which is played by the same
        "01:02 left",
        "02:05 taken",
    ]
    parts = [("a", 500, 40.0), ("a", 500, 1.0)]
    assert ", at least 00:40 left" in "".join(shown([counted("a", "random", 1000), counted("b", "search", 9)], parts))


def test_what_partial_sums_dont_suffice_for_is_left_out():
    def headline() -> str:
        raise KeyError("a study that wasn't played yet")

    told = shown([counted("a", "random", 10)], [("a", 5, 2.0), ("a", 5, 2.0)], headline=headline)
    assert [line.partition(" games")[0] for line in told] == [
        "simlib: a: 0 of 10",
        "simlib: a: 5 of 10",
        "simlib: a: 10 of 10",
    ]
    assert "so far" not in "".join(told)


def test_studies_of_one_label_are_one_line():
    studies = [counted("cell", "random", 10, key="1"), counted("cell", "random", 20, key="2")]
    sums = {"1": {"wins": np.int64(1), "n": np.int64(10)}, "2": {"wins": np.int64(5), "n": np.int64(20)}}
    told = shown(studies, [("1", 10, 2.0), ("2", 20, 2.0)], sums=sums.__getitem__)
    assert told[-1] == "simlib: cell: 30 of 30 games, 8 games/s, 00:04 taken; so far wins: 20 %"


def test_arms_that_differ_in_who_sits_where_share_a_line():
    def arm(*players: str) -> SimpleNamespace:
        table = ", ".join(sorted(players))
        return SimpleNamespace(variant=SimpleNamespace(game="x", fingerprint="f"), players=players, table=table)

    arms = {"seat 0": arm("a", "b"), "seat 1": arm("b", "a"), "field": arm("b", "b")}
    study = SimpleNamespace(key="k", label="", arms=arms, present=None)
    lines = counted_of(study, 10, 0).lines
    assert lines == [Line("k | seat (2 seatings)", ("seat 0", "seat 1")), Line("k | field", ("field",))]


@pytest.mark.parametrize("width", [5, 20, 39, 60, 79, 200])
def test_lines_fit_any_width_and_columns_stand_below_their_heads(width: int):
    study = counted("4 players | greedy | 11 visible", "greedy", 100_000)
    study.told = {"played": "24.9 % (24.5 to 25.3)"}
    study.done = study.new = 45_000
    study.seconds = 3.0
    columns = Columns(width, names_of([study]), utf=True)
    (line,) = columns.lines([study])
    assert len(line[: len(columns.head)]) <= max(width, 30) + 24
    if width >= 39:
        assert line.index("15.0k") + len("15.0k") == columns.head.index("games/s") + len("games/s")
        assert len(line) <= width
    assert ("24.9 % (24.5 to 25.3)" in line) == (width >= 79)


def test_labels_fill_their_column_and_wide_signs_count_twice():
    assert [fitted(text, 8) for text in ("", "greedy", "4 players | greedy")] == [" " * 8, "greedy  ", "4 p...dy"]
    assert fitted("竹取物語変種", 8) == "竹...種 "


def test_a_reader_who_left_costs_nothing():
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    with Counting("games", 10, quiet=False, stream=Gone()) as progress:
        progress.update(10)


def on_terminal(columns: int, rows: int, *options: str) -> tuple[int, str, str]:
    """Return status, what a terminal of a size got, and standard output."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    kept = {name: text for name, text in os.environ.items() if name not in ("COLUMNS", "LINES")}
    with subprocess.Popen(
        [*PLAYED, *options], stdout=subprocess.PIPE, stderr=theirs, cwd=ROOT, env=kept | {"TERM": "xterm"}, text=True
    ) as process:
        os.close(theirs)
        got = b""
        while True:
            try:
                got += (more := os.read(ours, 1 << 16))
            except OSError:  # the other side is closed
                break
            if not more:
                break
        os.close(ours)
        assert process.stdout
        return process.wait(), got.decode(), process.stdout.read()


@pytest.mark.kernel
def test_on_a_terminal_lines_are_drawn_over_and_end_below_themselves():
    """The picture's size changes nothing of the result; no line is longer than the terminal is wide."""
    printed = set()
    for columns in (40, 0):  # 0: a terminal that doesn't say, taken for one of 80
        status, got, out = on_terminal(columns, 24 if columns else 0, "--games=40000")
        printed.add(out)
        assert status == 0
        last = got.split("\x1b[2A")[-1]
        assert re.sub(r"\x1b\[[KJ]", "", last).strip().endswith("done")
        assert got.endswith("\n\x1b[J")
        lines = re.sub(r"\x1b\[\d*[A-K]|\r", "", got).split("\n")
        assert max(map(len, lines)) < (columns or SIZE.columns)
        assert ("█" in last) == (columns != 40)
    assert len(printed) == 1


@pytest.mark.kernel
@pytest.mark.parametrize("how", ["variable", "terminal"])
def test_quiet_means_silent(how: str, tmp_path, capfd, monkeypatch):
    if how == "terminal":
        assert on_terminal(80, 24, "--games=100", "--quiet")[:2] == (0, "")
        return
    monkeypatch.setenv("QUIET", "1")
    typed = ["suppose_visible", "--set=players=3", "--games=2", "--jobs=1", f"--out={tmp_path / 'out'}"]
    assert main(["experiment", *typed, "--environment"]) == 0
    assert " games" not in capfd.readouterr().err
