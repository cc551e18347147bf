"""The command line: bad input is one line and status 2 at once; each verb does what it says."""

import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from simlib import cli
from simlib.cli import main
from simlib.games import game_named, games, make_variant
from simlib.games.suppose.parameters import MODEL
from simlib.variants import parameter_names

ROOT = Path(__file__).parent.parent
VERBS = (
    "games",
    "rules",
    "columns",
    "players",
    "simulate",
    "respond",
    "record",
    "verify",
    "experiment",
    "train",
    "compare",
    "figures",
    "history",
    "measures",
    "playtest",
    "sweep",
    "tell",
    "tune",
)
NUMBER = "it must be a whole number from"
POINTS = "it must be a number from 0 to 1000 with at most two decimals"
NINES = "9" * 5000

SETTINGS = {  # what stands in --set, blanks between: words of the complaint
    "bid.doubel=3": "unknown key 'bid.doubel'; did you mean 'bid.double'? (allowed: bid.double, bid.min_guesses",
    "double=3": "unknown key 'double'; did you mean 'bid.double'?",
    "HAND.SIZE=3": "unknown key 'HAND.SIZE'; did you mean 'hand.size'?",
    "bd.double=3": "unknown key 'bd.double'; did you mean 'bid.double'?",
    "xyzzy=3": "unknown key 'xyzzy' (allowed: bid.double",
    "bid.double.x=3": "bid.double = {'x': 3}: " + POINTS,
    "bid=3": "bid = 3",
    "bid.double=-1": f"bid.double = -1: {POINTS}",
    "bid.double=-0.01": f"bid.double = -0.01: {POINTS}",
    "bid.double=nan": f"bid.double = nan: {POINTS}",
    "bid.double=inf": f"bid.double = inf: {POINTS}",
    "bid.double=1e400": f"bid.double = inf: {POINTS}",
    "bid.double=0.001": f"bid.double = 0.001: {POINTS}",
    "bid.double=1001": f"bid.double = 1001: {POINTS}",
    f"bid.double={NINES}": POINTS,
    "bid.double=true": f"bid.double = True: {POINTS}",
    'bid.double="3"': f"bid.double = '3': {POINTS}",
    "bid.double=three": f"bid.double = 'three': {POINTS}",
    "bid.double=3,5": f"bid.double = '3,5': {POINTS}",
    "bid.double=": f"bid.double = '': {POINTS}",
    "bid.double=[3]": f"bid.double = [3]: {POINTS}",
    "bid.double={a=[{}]}": POINTS,
    "bid.double=2026-11-30": POINTS,
    "bid.double=\udcff": POINTS,
    "bid.double": "'bid.double' is not KEY=VALUE",
    "=3": "'=3' is not KEY=VALUE",
    "$(touch pwned)=3": "is not KEY=VALUE",
    "\udcff=3": "is not KEY=VALUE",
    "x" * 100_000 + "=3": "unknown key 'xxx",
    ".".join(["a"] * 5000) + "=3": "unknown key",
    "bid.double=3 bid.double=3": "'bid.double' is given twice",
    "bid={double=3} bid.double=3": "'bid.double' is given twice",
    "bid.double=3 bid={double=3}": "'bid.double' is given twice",
    "bid.double=3 bid.double.x=3": "'bid.double.x' puts a key below a value",
    "players=2": f"players = 2: {NUMBER} 3 to 4",
    "players=3.0": f"players = 3.0: {NUMBER} 3 to 4",
    "hand.size=13": "hand.size = 13: 4 hands need 52 cards and the deck has 48; at most 12 are allowed",
    "players=3 hand.size=14": "hand.size = 14: 3 hands need 42 cards and the deck has 40; at most 13 are allowed",
    "hand.size=0": f"hand.size = 0: {NUMBER} 1 to 256",
    f"hand.size={NINES}": f"{NUMBER} 1 to 256",
    "hand.visible=[0]": f"hand.visible = 0: {NUMBER} 1 to 11",
    "hand.visible=[1,1]": "hand.visible = [1, 1]: a position is given twice",
    "hand.visible=[[1]]": f"hand.visible = [1]: {NUMBER} 1 to 11",
    "hand.visible=" + "[" * 3000 + "]" * 3000: "hand.visible = '[[[",
    "hand.visible=[" + "9," * 1000 + "9]": "hand.visible = [9, 9, 9,",
    "deck.copies=-1": f"deck.copies = -1: {NUMBER} 0 to 256",
    "deck.copies=0": "4 hands need 44 cards and the deck has 0",
    "deck.copies=11": "deck.copies makes a deck of 264 cards: at most 256 are allowed",
    "deck.copies=[1,2]": "deck.copies = [1, 2]: it must have one number for each of the 6 ranks",
    "deck.copies={R=1,Q=1}": "unknown key 'deck.copies.Q' (allowed: R, B, G, Y, and ranks 1 to 6)",
    "deck.copies.R=nan": f"deck.copies.R = nan: {NUMBER} 0 to 256",
    "deck.colours=17": f"deck.colours = 17: {NUMBER} 1 to 16",
    "deck.ranks=33": f"deck.ranks = 33: {NUMBER} 1 to 32",
    "rounds=101": f"rounds = 101: {NUMBER} 1 to 100",
    "bid.min_guesses=3": f"bid.min_guesses = 3: {NUMBER} 0 to 2",
    "name=x": "unknown key 'name'",
}

FILES = {  # a variant file's bytes: words of the complaint
    b"players = 4\nname = '\xff'": "not UTF-8 text (byte 20)",
    b"players == 4": "not TOML: Invalid value (at line 1, column 10)",
    b"players = 4\nplayers = 4": "not TOML: Cannot overwrite a value",
    b"bid.single = 4\n[bid]\nsingle = 4": "not TOML",
    b"bid.single = 4\n'bid.single' = 4": "'bid.single' is given twice",
    b"x = " + b"[" * 5000: "not TOML",
    b".".join([b"a"] * 3000) + b" = 1": "unknown key 'a",
    b"#" * 1_000_001: "larger than 1,000,000 bytes",
    b"players = " + b"9" * 5000: "not TOML",
    b"\xef\xbb\xbfplayers = 4": "not TOML",
    b"players = 4\0": "not TOML",
    b"base = 'clasic'": "unknown preset 'clasic' of suppose; did you mean 'classic'? (allowed: classic)",
    b"game = 'take_trick'": "game = 'take_trick': this run plays 'suppose'",
    b"name = 3": "name = 3: it must be text",
    b"[bid]\ndoubel = 3": "unknown key 'bid.doubel'; did you mean 'bid.double'?",
    b"'a\\nb' = 3\n\"c\\nd\" = 3": "unknown key",
    b"hand.size = 99": "hand.size = 99: 4 hands need 396 cards",
    b"bid.double = nan": f"bid.double = nan: {POINTS}",
}

PLACES = {  # a path in a folder where `folder`, `pipe`, `file` are such: words of the complaint
    "missing.toml": "No such file or directory",
    "folder": "Is a directory",
    "file/x": "Not a directory",
    "pipe": "a pipe, not a file; a pipe goes through /dev/stdin",
    "a\nb": "a b: can't be read: No such file",
    "\x1b[31m": "\\u001b[31m: can't be read",
    "\udcff": "No such file",
    "x" * 300: "File name too long",
    "/dev/zero": "larger than 1,000,000 bytes",
}

COUNTS = [
    "0",
    "-1",
    "1.5",
    "nan",
    "inf",
    "1e3",
    NINES,
    "",
    "x",
    "0x10",
    "٣",
    " 5",
    "5\n",
    "+",
    "1,000",
    "1__0",
    "1_",
    "\udcff",
]
NAMES = {
    "suppose_bid": "did you mean 'suppose_bids'?",
    "SUPPOSE_BIDS": "did you mean 'suppose_bids'?",
    "suppose_bids.py": "did you mean 'suppose_bids'?",
    "../suppose_bids": "unknown experiment NAME='../suppose_bids'",
    "../../etc/passwd": "unknown experiment NAME='../../etc/passwd' (allowed: ",
    str(ROOT / "experiments/suppose_bids"): "unknown experiment",
    "./suppose_bids": "unknown experiment",
    "suppose_bids\n": "unknown experiment NAME='suppose_bids\\n'",
    "$(touch pwned)": "unknown experiment NAME='$(touch pwned)'",
    "'; touch pwned; '": "unknown experiment",
    "\udcff": "unknown experiment NAME='\\udcff'",
    "x" * 100_000: "unknown experiment NAME='xxx",
    "__init__": "unknown experiment",
    "..": "unknown experiment",
}
POLICIES = {
    "gredy": "unknown player 'gredy'; did you mean 'greedy'? (allowed: chaser, clairvoyant, greedy, random, search, ",
    "": "unknown player ''",
    "x" * 9999: "unknown player 'xxx",
    "random,greedy": "'random,greedy': it must name one player, or one for each of the 4 seats",
    ",".join(["random"] * 5): "one for each of the 4 seats",
    "random,random,random,": "unknown player ''",
    "random:bid=single": "random has no option 'bid'; did you mean 'bids'? (allowed: bids)",
    "random:first=+1": "random has no option 'first'",
    "random:bids": "option bids = '' of random (allowed: ahead, double, free, single)",
    "greedy:first=9": "option first = '9' of greedy",
    "greedy:bids=single:bids=single": "option 'bids' of greedy is given twice",
    "\udcff": "unknown player '\\udcff'",
}
OUTS = {
    "x": "the name must end in .csv, .npz, .parquet",
    "x.CSV": "the name must end in",
    "missing/x.csv": "it must be a file in a folder that exists",
    "folder.csv": "it must be a file in a folder that exists",
    "file/x.csv": "can't be written: Not a directory",
    "x" * 300 + ".csv": "it must be a file in a folder that exists",
}
PLAYING = (["simulate", "suppose", "--json", "--quiet"], ["record", "suppose"])
RESPONDING = ["respond", "suppose"]
DESCRIBING = (["rules", "suppose"], ["columns", "suppose"])
ASKING = ["experiment", "suppose_bids", "--games=100", "--out=report"]


def bad_input() -> list[tuple[list[str], str]]:
    """Return command lines that are wrong, and words of the complaint."""
    cases = [(list(verb), words) for verb, words in (([], "VERB"), (["nope"], "'nope'"), (["--vers"], "VERB"))]
    for start in (*PLAYING, *DESCRIBING):
        one_by_one = [
            ([part for each in text.split(" ") for part in ("--set", each)], w) for text, w in SETTINGS.items()
        ]
        # a value with a blank in it would be torn apart; none above has one
        cases += [([*start, *typed], words) for typed, words in one_by_one]
        cases += [([*start, f"--variant={place}"], words) for place, words in PLACES.items()]
        cases += [([*start, f"--variant={number}.toml"], words) for number, words in enumerate(FILES.values())]
        cases += [
            ([start[0], "supose", *start[2:]], "unknown game 'supose'; did you mean 'suppose'?"),
            ([start[0], "../suppose", *start[2:]], "unknown game '../suppose'"),
            ([start[0], *start[2:]], "required: game"),
            ([*start, "--preset="], "unknown preset '' of suppose (allowed: classic)"),
            ([*start, "--preset=../x"], "unknown preset '../x' of suppose"),
            ([*start, "--players=3", "--set=players=3"], "'players' is given twice"),
            ([*start, "--players=five"], f"players = 'five': {NUMBER} 3 to 4"),
            ([*start, "--bogus"], "unrecognized arguments: --bogus"),
            ([*start, "--pol=random"], "unrecognized arguments"),
        ]
    for start in PLAYING:
        cases += [([*start, f"--games={text}"], "--games = ") for text in COUNTS]
        cases += [([*start, f"--seed={text}"], "--seed = ") for text in ("-1", str(2**64), "x", "", NINES)]
        cases += [([*start, f"--policy={text}"], words) for text, words in POLICIES.items()]
    cases += [(["simulate", "suppose", f"--out={place}"], words) for place, words in OUTS.items()]
    cases += [
        (["simulate", "suppose"], "one of the arguments --out --json is required"),
        (["simulate", "suppose", "--json", "--out=x.csv"], "not allowed with"),
        *((["simulate", "suppose", "--json", f"--jobs={text}"], "JOBS = ") for text in ("0", "257", "x", "")),
        *(([*RESPONDING, f"--field={text}"], words) for text, words in POLICIES.items()),
        *(([*RESPONDING, "--field=greedy", f"--playouts={text}"], "--playouts = ") for text in COUNTS),
        *(([*RESPONDING, "--field=greedy", f"--games={text}"], "--games = ") for text in COUNTS),
        (RESPONDING, "required: --field"),
        ([*RESPONDING, "--field=greedy", "--set=bid.doubel=3"], "unknown key 'bid.doubel'"),
        ([*RESPONDING, "--field=greedy", "--playouts=1000001"], "a whole number from 1 to 1_000_000"),
        ([*RESPONDING, "--field=greedy", "--jobs=0"], "JOBS = "),
        (["respond", "supose", "--field=greedy"], "did you mean 'suppose'?"),
        (["players", "supose"], "did you mean 'suppose'?"),
        (["verify", "missing"], "missing: can't be read: No such file or directory"),
        (["verify", "folder"], "folder: can't be read: Is a directory"),
        (["verify"], "required: file"),
        (["experiment"], "NAME is missing: name an experiment (allowed: "),
        ([*ASKING, "--set=bid.min_guesses=2"], "compares one guess with two: 0 or 1 are allowed"),
        ([*ASKING[:-1], "--out=foreign"], "OUT=foreign: neither an earlier report nor an empty folder"),
        ([*ASKING[:-1], "--out=file"], "OUT=file: can't be written: Not a directory"),
        ([*ASKING[:-1], "--out=file/x"], "OUT=file/x: can't be written"),
        ([*ASKING[:-1], f"--out={'x' * 300}"], "File name too long"),
        ([*ASKING[:-1], "--out=misleading"], "OUT=misleading: neither"),
        (["experiment", "suppose_bids", "--page", "--out=folder"], "run.json: can't be read"),
        (["compare"], "A is missing: name a preset"),
        (["compare", "--a=classic", "--b=nope", "--game=suppose"], "B: no preset, variant file or run 'nope'"),
        (["compare", "--a=classic", "--b=classic bid.doubel=2", "--game=suppose"], "unknown key 'bid.doubel'"),
        (["sweep", "--name=suppose_bids", "--sweep=bid.doubel=2,3"], "'bid.doubel'"),
        (
            ["tune", "--game=suppose", "--space=bid.double=2,3", "--goal=right_bid=0.3..0.5"],
            "did you mean 'right_bids'?",
        ),
        (["playtest", "--game=suppose", "--log=missing.csv"], "missing.csv: can't be read"),
        (["tell", "missing"], "missing: can't be read"),
        (["figures", "folder", "--out=slides"], "RUN: no run 'folder'"),
        (["measures", "supose"], "did you mean 'suppose'?"),
        (["train", "suppose", "--out=x.txt"], "the name must end in .toml"),
    ]
    for environment in (False, True):
        cases += [asked(environment, words, NAME=text) for text, words in NAMES.items()]
        cases += [asked(environment, words, SET=text) for text, words in SETTINGS.items()]
        cases += [asked(environment, words, VARIANT=place) for place, words in PLACES.items()]
        cases += [asked(environment, words, VARIANT=f"{n}.toml") for n, words in enumerate(FILES.values())]
        for key in ("PRECISION", "TIME"):
            cases += [asked(environment, f"{key} = ", **{key: text}) for text in NUMBERS if text or not environment]
        cases += [asked(environment, words, NAME="all", **{key: text}) for key, text, words in REVIEWS]
        for key in ("GAMES", "SEED", "JOBS"):
            texts = [text for text in COUNTS if text and (key, text) != ("SEED", "0")]
            cases += [asked(environment, f"{key} = ", **{key: text}) for text in texts]
    return cases


NUMBERS = ["0", "0.0", "-1", "+1", "nan", "inf", "1e999", "1e-999", "0x1", "1,5", "1 2", "x", "", " ", "1" * 400]


def asked(environment: bool, words: str, **given: str) -> tuple[list[str], str]:
    """Return an experiment's command line; what comes through the environment stands before it."""
    given = {"NAME": "suppose_bids", "GAMES": "100", "OUT": "report"} | given
    if environment:
        return [*(f"{key}={text}" for key, text in given.items()), "experiment", "--environment"], words
    options = [f"--{key.lower()}={text}" for key, text in given.items() if key != "NAME"]
    return ["experiment", *options, "--", given["NAME"]], words


REVIEWS = [  # of NAME=all
    ("PRECISION", "0.1", "PRECISION = '0.1': NAME=all takes GAMES, SEED, JOBS, SET, VARIANT, OUT, REPORT_LANGUAGE"),
    ("GAMES", "0", "GAMES = '0': "),
    ("SET", "game=take_trik", "SET: unknown game 'take_trik'; did you mean 'take_trick'?"),
    ("SET", "bid.double=3", "SET: 'bid.double': say of which game"),
    ("SET", "game=suppose bid.doubel=3", "unknown key 'bid.doubel'"),
    ("SET", "players=9", "players = 9"),
    ("OUT", "foreign", "OUT=foreign: neither an earlier NAME=all nor an empty folder"),
    ("VARIANT", "missing.toml", "missing.toml: can't be read"),
]
# All are tried in one process that can't import what is heavy.
TRY_ALL = """
import contextlib, io, json, os, sys, time, traceback
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name in ("numba", "pandas", "matplotlib", "scipy"):
            raise RuntimeError(f"{name} is imported")
sys.meta_path.insert(0, Refuse())
from simlib.cli import main
results = []
for arguments in json.load(sys.stdin):
    given = arguments[: arguments.index("experiment")] if "--environment" in arguments else []
    os.environ.update(text.split("=", 1) for text in given)
    out = [io.TextIOWrapper(io.BytesIO(), "utf-8", errors="backslashreplace") for _ in range(2)]
    start = time.process_time()
    with contextlib.redirect_stdout(out[0]), contextlib.redirect_stderr(out[1]):
        try:
            status = main(arguments[len(given):])
        except BaseException:
            status = traceback.format_exc()[-300:]
    spent = time.process_time() - start
    for text in given:
        os.environ.pop(text.partition("=")[0], None)
    [stream.flush() for stream in out]
    results.append([status, *(stream.buffer.getvalue().decode() for stream in out), spent])
json.dump(results, sys.stdout)
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("place")
    for name in ("folder", "folder.csv", "foreign", "misleading/run.json"):
        (folder / name).mkdir(parents=True)
    for name in ("file", "foreign/own"):
        (folder / name).write_text("own")
    os.mkfifo(folder / "pipe")
    for number, content in enumerate(FILES):
        (folder / f"{number}.toml").write_bytes(content)
    return folder


def run(
    arguments: list[str], folder: Path, given: str | None = None, **environment: str
) -> subprocess.CompletedProcess:
    kept = {name: text for name, text in os.environ.items() if name not in cli.ENVIRONMENT}
    return subprocess.run(
        [sys.executable, *arguments],
        input=given,
        capture_output=True,
        text=True,
        errors="surrogateescape",
        check=False,
        cwd=folder,
        env=kept | {"PYTHONPATH": str(ROOT)} | environment,
        timeout=300,
    )


@pytest.fixture(scope="module")
def complaints(place: Path) -> list:
    before = sorted(place.rglob("*"))
    done = run(["-c", TRY_ALL], place, json.dumps([arguments for arguments, _ in bad_input()]))
    assert done.returncode == 0, done.stderr
    assert sorted(place.rglob("*")) == before, "something was written"
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("number", "arguments", "words"),
    [
        pytest.param(n, *case, id=f"{n} {' '.join(case[0])}"[:70].encode("unicode_escape").decode())
        for n, case in enumerate(bad_input())
    ],
)
def test_bad_input_is_one_line_and_status_2(complaints: list, number: int, arguments: list[str], words: str) -> None:
    status, out, complaint, spent = complaints[number]
    assert status == 2, (status, complaint)
    assert out == ""
    assert complaint.startswith("simlib: ")
    assert complaint.endswith("\n")
    assert complaint[:-1].isprintable(), "more than a line, or what moves the cursor"
    assert len(complaint) < 650
    assert words in complaint
    assert spent < 2


JUNK = [
    "",
    "-1",
    "nan",
    "inf",
    "1e400",
    NINES,
    "0.001",
    "true",
    "'x'",
    "[]",
    "[[1]]",
    "[nan]",
    "{a=1}",
    "{'\\n'=[{}]}",
    "a\nb",
    "\udcff",
    "[" * 3000,
]


@pytest.mark.parametrize("game", games())
def test_no_value_of_any_parameter_of_any_game_is_too_much(game: str, capsys) -> None:
    for key in parameter_names(games()[game].model):
        for text in JUNK:
            status = main(["rules", game, "--set", f"{key}={text}"])
            out, complaint = capsys.readouterr()
            assert (status, out != "", complaint != "") in ((0, True, False), (2, False, True)), (key, text)
            assert complaint.removesuffix("\n").isprintable(), (key, text)
            assert len(complaint) < 650
            assert status == 0 or key in complaint, (key, text, complaint)


def test_bad_input_ends_within_two_seconds_of_work(tmp_path: Path) -> None:
    for arguments in (
        ["experiment", "suppose_bids", "--set=bid.doubel=3"],
        ["simulate", "suppose", "--json", "--seed=x"],
    ):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = run(["-m", "simlib", *arguments], tmp_path)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
        assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 2
    assert list(tmp_path.iterdir()) == []


def test_arguments_need_not_be_utf8(tmp_path: Path) -> None:
    done = run(["-m", "simlib", "rules", "suppose", b"--variant=\xff\n.toml"], tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "simlib: \\udcff .toml: can't be read: No such file or directory\n"


@pytest.mark.parametrize("verb", VERBS)
def test_help_of_each_verb(verb: str, capsys) -> None:
    with pytest.raises(SystemExit) as left:
        main([verb, "--help"])
    assert left.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: simlib {verb}")


def test_help_names_every_verb(capsys) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = re.findall(r"^    (\w+)", capsys.readouterr().out, re.MULTILINE)
    assert shown == list(VERBS)


def test_games_lists_presets(capsys) -> None:
    assert main(["games"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^suppose: .+\n  classic: .+", out, re.MULTILINE)


def test_rules_show_every_parameter_and_reading_of_the_variant_asked_for(capsys) -> None:
    assert main(["rules", "suppose", "--players", "3", "--set", "bid.double=3.5"]) == 0
    out = capsys.readouterr().out
    for name, value in make_variant(game_named("suppose"), settings={"players": 3}).flat().items():
        wanted = 3.5 if name == "bid.double" else value
        assert f"  {name} = {json.dumps(wanted)}  " in out
    assert "; classic: 2\n" in out
    assert "variant custom" in out
    assert all(f"  {reading} " in out for reading in ("S1", "S2", "S3", "S4"))
    assert all(f"  {name} = " in out for name in parameter_names(MODEL))


@pytest.mark.kernel
def test_columns_are_those_of_the_file(tmp_path: Path, capsys) -> None:
    variant = ["suppose", "--players=3", "--set=rounds=2"]
    assert main(["columns", *variant]) == 0
    explained = [line.split(": ", 1) for line in capsys.readouterr().out.splitlines()]
    assert main(["simulate", *variant, "--games=3", "--quiet", f"--out={tmp_path / 'r.csv'}"]) == 0
    header = (tmp_path / "r.csv").read_text().partition("\n")[0]
    assert header.split(",") == ["game", *(name for name, _ in explained)]
    assert all(len(sentence) > 5 for _, sentence in explained)


@pytest.mark.kernel
def test_every_player_and_option_that_is_listed_can_play(capsys) -> None:
    assert main(["players", "suppose"]) == 0
    policies, name = [], ""
    for line in capsys.readouterr().out.splitlines():
        if line.startswith("  "):
            key, values = line.strip().partition(": ")[0].split("=")
            policies += [f"{name}:{key}={value.partition('..')[0]}" for value in values.split("|")]
        else:
            name = line.partition(": ")[0]
            policies.append(name)
    assert {"random", "greedy", "chaser", "greedy:bids=ahead"} <= set(policies)
    for policy in policies:
        assert main(["simulate", "suppose", "--games=2", "--json", "--quiet", f"--policy={policy}"]) == 0
        assert json.loads(capsys.readouterr().out)["players"] == [policy] * 4


VARIANTS = [
    [],
    ["hand.size=1"],
    ["hand.size=12", "hand.visible=[]"],
    ["deck.copies=[0,0,0,0,0,12]", "hand.size=10"],
    ["deck.colours=16", "deck.ranks=16", "deck.copies=1", "hand.size=64", "rounds=1"],
    ["deck.colours=8", "deck.ranks=32", "deck.copies=1", "hand.size=64", "hand.visible=[64]", "rounds=1"],
    ["rounds=100", "hand.size=2"],
    ["bid.single=0", "bid.double=1000", "score.trick=0.01"],
    ["bid.min_guesses=0", "bid.single=2.75", "score.trick=0"],
    ["bid.min_guesses=2"],
]


@pytest.mark.kernel
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("settings", VARIANTS, ids=" ".join)
def test_what_is_recorded_is_verified(players: int, settings: list[str], tmp_path: Path, capsys) -> None:
    file, changed = tmp_path / "g.jsonl", [f"--set={text}" for text in [f"players={players}", *settings]]
    mixed = ",".join(["greedy", "random:bids=double", "chaser:first=+4:second=-4", "chaser"][:players])
    for policy in ("random", "greedy", "chaser", mixed):
        assert main(["record", "suppose", *changed, "--games=4", f"--policy={policy}", "--seed=3"]) == 0
        file.write_text(capsys.readouterr().out)
        assert main(["verify", str(file)]) == 0
        assert capsys.readouterr().out == "".join(f"{line}: ok\n" for line in range(1, 5))


@pytest.mark.kernel
@pytest.mark.parametrize("name", ["classic", " ", "x" * 5000, "\\u001b\\n"])
def test_records_of_any_variant_file_are_verified(name: str, tmp_path: Path, capsys) -> None:
    """A changed variant may not bear a preset's name, however its file is called."""
    for variant in (tmp_path / "classic.toml", tmp_path / "\udcff.toml"):
        variant.write_text(f'name = "{name}"\nbid.double = 3')
        assert main(["record", "suppose", f"--variant={variant}", "--games=1"]) == 0
        (tmp_path / "g.jsonl").write_text(capsys.readouterr().out)
        assert main(["verify", str(tmp_path / "g.jsonl")]) == 0
        assert capsys.readouterr().out == "1: ok\n"


def test_verify_tells_faults_by_line_and_leaves_with_1(tmp_path: Path, capsys) -> None:
    (tmp_path / "g.jsonl").write_bytes(b"{}\n\xff\n\n")
    assert main(["verify", str(tmp_path / "g.jsonl")]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["1", "2", "3"]
    assert not any(line.endswith("ok") for line in lines)


def test_a_variant_may_come_through_a_pipe_and_keep_its_dotted_keys(tmp_path: Path) -> None:
    text = '"bid.double" = 3\nplayers = 3\n'
    done = run(["-m", "simlib", "rules", "suppose", "--variant=/dev/stdin"], tmp_path, text)
    assert "  bid.double = 3  " in done.stdout
    assert "  players = 3  " in done.stdout


@pytest.mark.kernel
def test_an_experiment_reads_its_variant_once_and_settings_may_be_tables(tmp_path: Path) -> None:
    asked = {"NAME": "suppose_bids", "GAMES": "80", "OUT": "o", "VARIANT": "/dev/stdin"}
    asked |= {"SET": "bid={single=4} bid.min_guesses=0"}
    done = run(["-m", "simlib", "experiment", "--environment", "--quiet"], tmp_path, "bid.double = 2.5\n", **asked)
    assert (done.returncode, done.stdout) == (0, "o/index.html\n")
    assert done.stderr == "simlib: trained plays suppose outside what it learned: bid.min_guesses = 0 (it learned 1)\n"
    variants = json.loads((tmp_path / "o/run.json").read_text())["body"]["facts"]["variants"]
    shown = [{key: v["parameters"][key] for key in ("players", "bid.single", "bid.double")} for v in variants]
    assert shown == [{"players": players, "bid.single": 4, "bid.double": 2.5} for players in (4, 3)]


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [(["games"], 1, "No space left on device"), (["record", "suppose", "--games=30"], 1, "No space left on device")],
)
def test_a_full_disk_behind_the_output_is_one_line(arguments, status, words, tmp_path: Path) -> None:
    command = f'"$0" -m simlib {" ".join(arguments)} >/dev/full'
    done = subprocess.run(["sh", "-c", command, sys.executable], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == status
    assert len(done.stderr.splitlines()) == 1
    assert words in done.stderr


@pytest.mark.kernel
def test_a_reader_that_has_enough_is_no_fault() -> None:
    command = '"$0" -m simlib record suppose --games=300 | head -c 9'
    done = subprocess.run(["sh", "-c", command, sys.executable], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.stdout, done.stderr) == ('{"format"', "")


def heed_interrupts() -> None:
    """Undo what a shell does to a suite that it runs in the background: its children would ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["experiment", "suppose_bids", "--games=900000"],
            "interrupted; what was finished is kept. Run the same command again to go on from there.",
        ),
        (["simulate", "suppose", "--games=90000000"], "interrupted. Run the same command again."),
    ],
)
def test_an_interrupted_run_leaves_what_was_there(arguments: list[str], words: str, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    if arguments[0] == "experiment":
        out.mkdir()
        (out / "run.json").write_text('{"format":"simlib-run/1"}')
    else:
        out.write_text("earlier")
    before = {path: path.is_file() and path.read_text() for path in tmp_path.rglob("*")}
    process = subprocess.Popen(
        [sys.executable, "-m", "simlib", *arguments, "--jobs=2", f"--out={out}"],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        preexec_fn=heed_interrupts,
    )
    assert process.stderr
    os.set_blocking(process.stderr.fileno(), False)
    shown, begun = b"", time.monotonic()
    while not re.search(rb"[1-9][0-9,]* of [0-9,]{7,} games, ", shown) and time.monotonic() < begun + 120:
        shown += process.stderr.read() or b""
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    os.set_blocking(process.stderr.fileno(), True)
    try:
        printed, rest = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, printed) == (130, b"")
    told = [line for line in rest.decode().replace("\r", "\n").splitlines() if "games/s" not in line and line.strip()]
    assert told[-1] == f"simlib: {words}"
    left = {path: path.is_file() and path.read_text() for path in tmp_path.rglob("*") if "unfinished" not in path.parts}
    assert left == before


@pytest.mark.kernel
def test_a_report_may_lie_anywhere(tmp_path: Path) -> None:
    name = os.fsdecode(b'o\xff "<b>$(x)')
    done = run(
        [
            "-X",
            "utf8",
            "-m",
            "simlib",
            "experiment",
            "suppose_bids",
            "--games=80",
            "--set=players=3",
            "--quiet",
            f"--out={name}",
        ],
        tmp_path,
        PYTHONIOENCODING="utf-8:strict",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / name / "index.html").is_file()
