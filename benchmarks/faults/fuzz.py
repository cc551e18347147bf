"""Command lines and variant files by chance: what is refused is refused in one line, with status 2, and nothing else.

Every verb with every option that the command line has is tried. Games are never played: where they would be, the
input was accepted, and that is the end of it.
"""

import argparse
import io
import json
import os
import subprocess
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from benchmarks.faults.children import lanes
from benchmarks.faults.rows import Row, Run, all_of, none_of

ROOT = Path(__file__).parents[2]
FILE = "variant.toml"
REFUSED, ACCEPTED = 2, (0, 1, 130)
PLAUSIBLE = (
    "suppose", "gara_tori", "take_trick", "suppose_bids", "skill_ladder", "design", "all", "greedy", "random", "1_0",
    "search:9", "greedy,random", "mine.py:cautious", "bid.double=3", "bid.double=2..3", "players=3..9",
    "deck.copies=1..3", "deck.copies=[1,2", "a=1..1000000 b=1..1000000", "right_bids=0.3..0.5", "right_bids>", "1", "0",
    "-1", "3", "1e9", "nan", "inf", "999999999999999999999", "0x10", "hand.size=1..9999", "ja", "en", "r1", "../..",
    "/dev/null", "/", ".", "trained", FILE, "missing.toml", "tcp://127.0.0.1:1", "processes", "dask", "=HYPERLINK(1)",
    "<script>", "$(id)", "`id`", "\x1b[2J",
)  # fmt: skip
TABLES = ("bid", "deck", "hand", "score", "gift", "trump", "lead", "follow", "targets", "nonsense")
KEYS = ("game", "base", "name", "note", "x")


class Accepted(BaseException):
    """What stands for the first game that is played."""


class Found(NamedTuple):
    """How many inputs there were, and how many were refused."""

    tried: int
    refused: int


def rows(run: Run) -> Iterator[Row]:
    """Try command lines and variant files in one process, then some of the refused ones each in its own."""
    parts = lanes(lambda part: _tried(run, part), range(run.jobs), run.jobs, run.folder)
    found = Found(*(sum(counts) for counts in zip(*(part["counts"] for part in parts), strict=True)))
    faults, kept = ([each for part in parts for each in part[what]] for what in ("faults", "kept"))
    yield none_of(f"tracebacks or long complaints of {found.tried:,} inputs", faults)
    yield Row(
        "inputs refused in one line, with status 2", f"{found.refused:,}", "most", found.refused > found.tried / 3
    )
    processes = kept[:: max(1, len(kept) // run.size.processes)][: run.size.processes]
    odd = [text for each in processes if (text := _in_a_process(run, each))]
    yield all_of("the same, each in a process of its own", len(processes), odd)


# ---- what is tried -------------------------------------------------------------------------------------------------


@cache
def verbs() -> dict[str, list[tuple[str, bool]]]:
    """Return each verb's options, and places of its own as empty names, with whether a value belongs to it."""
    from simlib.cli import parser

    (choice,) = (each for each in parser()._actions if isinstance(each, argparse._SubParsersAction))
    return {
        name: [(next(iter(each.option_strings), ""), each.nargs != 0) for each in verb._actions if each.dest != "help"]
        for name, verb in choice.choices.items()
    }


TEXTS = st.one_of(st.sampled_from(PLAUSIBLE), st.text(max_size=30), st.integers().map(str), st.floats().map(str))


@st.composite
def command_lines(draw: Any) -> list[str]:
    """Return a command that is fine but for a part or two, or a verb with some of its options, most of them odd."""
    texts = TEXTS.map(lambda text: text.replace("\0", ""))
    if draw(st.booleans()):
        typed = list(draw(st.sampled_from(FINE)))
        for at in draw(st.lists(st.integers(1, len(typed)), min_size=1, max_size=2, unique=True)):
            typed[at : at + 1] = [draw(texts)]
        return typed
    verb = draw(st.sampled_from(sorted(verbs())))
    typed = [verb]
    for option, takes in (
        draw(st.lists(st.sampled_from(verbs()[verb]), max_size=6, unique=True)) if verbs()[verb] else ()
    ):
        typed += [part for part in (option, draw(texts) if takes else "") if part]
    return typed


VALUES = st.recursive(
    st.one_of(st.integers(), st.booleans(), st.floats(), st.text(max_size=20), st.sampled_from(PLAUSIBLE)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=8,
)


@st.composite
def variant_files(draw: Any) -> bytes:
    """Return a file's content: nearly a variant, or anything."""
    if draw(st.integers(0, 4)) == 0:
        return draw(
            st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")))
        )
    keys = st.sampled_from([*KEYS, *parameters()])
    flat = draw(st.dictionaries(keys, VALUES, max_size=4))
    parts = st.dictionaries(keys.map(lambda key: key.rpartition(".")[2]), VALUES, max_size=3)
    tables = draw(st.dictionaries(st.sampled_from(TABLES), parts, max_size=2))
    lines = [f"{key} = {toml(value)}" for key, value in flat.items()]
    for name, table in tables.items():
        lines += [f"[{name}]", *(f"{key} = {toml(value)}" for key, value in table.items())]
    return "\n".join(lines).encode("utf-8", "replace")


@cache
def parameters() -> list[str]:
    """Return the names of all parameters of all games."""
    from simlib.games import games
    from simlib.variants import parameter_names

    return sorted({name for game in games().values() for name in parameter_names(game.model)})


def toml(value: Any) -> str:
    """Return a value as TOML, more or less."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return repr(value) if isinstance(value, float) else json.dumps(value)


FINE = [
    text.split()
    for text in (
        "experiment suppose_bids --games 10 --set bid.double=3 --seed 1 --jobs 2 --out report",
        "experiment skill_ladder --precision 0.1 --time 1 --set game=take_trick --backend threads --out report",
        "sweep --name suppose_bids --sweep deck.copies=1..2 --policy random --games 10 --dry 1 --out report",
        "compare --a classic --b sixty --game gara_tori --name design --games 10 --out report",
        "tune --game suppose --space bid.double=2..3 --goal right_bids=0.3..0.5 --games 20 --out report",
        "playtest --game take_trick --log games.csv --games 100 --out report",
        "simulate take_trick --players 4 --games 10 --policy random --out rows.csv",
        "record gara_tori --games 2 --index 3 --policy greedy --text --language ja",
        "respond suppose --field greedy --playouts 10 --games 2 --json",
        "train suppose --out weights.toml --games 1 --generations 1 --fresh 2",
        "rules take_trick --set score.target=20 --preset classic --players 4",
        "history", "measures suppose", "tell games.jsonl", "verify games.jsonl", "players gara_tori", "columns suppose",
    )
]  # fmt: skip
WITH_FILE = [
    ["rules", "suppose", "--variant", FILE],
    ["rules", "gara_tori", "--variant", FILE],
    ["rules", "take_trick", "--variant", FILE],
    ["experiment", "suppose_bids", "--variant", FILE, "--out", "report"],
    ["sweep", "--name", "design", "--game", "suppose", "--sweep", "players=3..4", "--variant", FILE, "--dry", "1"],
    ["tune", "--game", "take_trick", "--space", "players=3..4", "--variant", FILE, "--out", "report"],
    ["compare", "--a", "classic", "--b", FILE, "--game", "gara_tori", "--out", "report"],
    ["simulate", "suppose", "--variant", FILE, "--json"],
]

# ---- what must come of it ------------------------------------------------------------------------------------------


class Trial:
    """Counts what comes of inputs, each tried in an empty folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder, self.tried, self.refused = folder, 0, 0
        self.faults: list[str] = []
        self.kept: list[dict[str, Any]] = []  # refused inputs

    def try_(self, typed: Sequence[str], content: bytes | None = None) -> None:
        """Run a command line, with a variant file in the folder if there is to be one."""
        self.tried += 1
        place = self._folder / str(self.tried)
        place.mkdir()
        if content is not None:
            (place / FILE).write_bytes(content)
        with chdir(place):
            status, told = called(typed)
        left = sorted(path.name for path in place.iterdir() if path.name != FILE)
        if status == REFUSED:
            self.refused += 1
            self.kept.append({"typed": list(typed), "content": None if content is None else content.hex()})
        if fault := odd(status, told, left):
            self.faults.append(f"{list(typed)!r} {content!r}: {fault}")


def odd(status: int, told: str, left: Sequence[str]) -> str:
    """Return what is wrong with how an input was answered; empty if nothing is."""
    if "Traceback" in told or status not in (REFUSED, *ACCEPTED):
        return f"status {status}: {told[-1000:]}"
    if status != REFUSED:
        return ""
    lines = told.splitlines()
    if len(lines) != 1 or not lines[0].startswith("simlib: ") or not lines[0].isprintable():
        return f"not one line: {told[-500:]!r}"
    return f"it left {left[0]}" if left else ""


def called(typed: Sequence[str]) -> tuple[int, str]:
    """Return the status of a command line and what it told on standard error."""
    from simlib.cli import main

    told = io.StringIO()
    with redirect_stderr(told), redirect_stdout(io.StringIO()):
        try:
            status = main(list(typed))
        except Accepted:
            status = 0
        except SystemExit as end:
            status = int(end.code or 0)
        except BaseException:
            status = 70
            traceback.print_exc()
    return status, told.getvalue()


def _tried(run: Run, part: int) -> dict[str, Any]:
    """Try one of as many parts of all inputs as there are jobs, and return what came of them."""
    from simlib import batch, experiments, play

    def begun(*_: Any) -> None:
        raise Accepted

    play.play_games = batch.over_workers = begun  # type: ignore[assignment]
    experiments.ROOT = run.folder / f"part-{part}" / "root"
    experiments.ROOT.mkdir(parents=True)
    trial = Trial(experiments.ROOT.parent)
    count, chance = -(-run.size.inputs // run.jobs), run.seed * 1_000_003 + part

    @seed(chance)
    @settings(max_examples=count // 2, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(command_lines())
    def lines(typed: list[str]) -> None:
        trial.try_(typed)

    @seed(chance)
    @settings(max_examples=count - count // 2, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(variant_files(), st.sampled_from(WITH_FILE))
    def files(content: bytes, typed: list[str]) -> None:
        trial.try_(typed, content)

    lines()
    files()
    return {"counts": (trial.tried, trial.refused), "faults": trial.faults, "kept": trial.kept}


def _in_a_process(run: Run, kept: Mapping[str, Any]) -> str:
    """Return what is wrong with how a refused input is answered by a process of its own."""
    place = run.folder / "own"
    place.mkdir(exist_ok=True)
    (place / FILE).unlink(missing_ok=True)
    if kept["content"] is not None:
        (place / FILE).write_bytes(bytes.fromhex(kept["content"]))
    command = [sys.executable, "-m", "simlib", *kept["typed"]]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=place, capture_output=True, env=environment, timeout=60, check=False)
    fault = odd(done.returncode, done.stderr.decode(errors="replace"), [])
    return f"{kept['typed']!r}: {fault}" if fault or done.returncode != REFUSED else ""
