"""Sweeps: what is played, what is told of it, and what can't be."""

import html
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from english_left import english_left

from simlib import batch, experiments, results
from simlib.axes import Axis
from simlib.checkpoints import Checkpoints
from simlib.cli import main
from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.estimates.means import unknown
from simlib.games import game_named, games
from simlib.sweep import findings, plan
from simlib.sweep.run import _present, write_page
from simlib.sweep.swept import Step, Swept
from simlib.variants import read_settings, split_settings
from simlib.verbs import sweep as verb

pytestmark = pytest.mark.kernel
ROOT = Path(__file__).parent.parent
SPACE = "players=3..4 bid.double=1,5 deck.copies=1,3"  # with one copy no hands can be dealt
GAMES = 300


def asked(space=SPACE, name="suppose_bids", **given):
    typed = {key: str(value) for key, value in given.items()}
    return verb._asked({"NAME": name, "SWEEP": space, "POLICY": "random"} | typed, name)


def swept(folder, space=SPACE, name="suppose_bids", **given):
    """Play a sweep by its command line and return its status."""
    typed = {"name": name, "sweep": space, "policy": "random", "games": GAMES, "out": folder} | given
    options = [f"--{key.replace('_', '-')}={value}" for key, value in typed.items() if value is not None]
    return main(["sweep", *options, "--quiet"])


def text_of(folder):
    page = (folder / "index.html").read_text(encoding="utf-8")
    page = re.sub(r"<style.*?</style>|<svg.*?</svg>|<[^>]+>", " ", page, flags=re.S)
    return re.sub(r"\s+", " ", html.unescape(page))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return the folder of a small sweep's report."""
    place = tmp_path_factory.mktemp("sweep") / "report"
    assert swept(place) == 0
    return place


@pytest.fixture(scope="module")
def found(folder):
    return Swept(results.load(folder))


# ---- what is played ------------------------------------------------------------------------------------------------


def test_cells_that_cannot_be_played_are_listed_with_their_reason():
    legal, illegal = asked().sorted_out
    assert [cell.label for cell in legal] == [
        f"players={players} bid.double={double} deck.copies=3" for players in (3, 4) for double in (1, 5)
    ]
    assert len(illegal) == 4
    assert all(each.reason.startswith("hand.size = 11: ") for each in illegal)


def test_a_player_a_seat_fits_the_cells_of_as_many_seats():
    legal, illegal = asked("players=3..4", POLICY="random,greedy,random").sorted_out
    assert [[seat.text for seat in cell.players] for cell in legal] == [["random", "greedy", "random"]]
    assert [each.reason for each in illegal] == ["POLICY names 3 players for 4 seats"]


def test_a_label_can_be_typed_after_set():
    settings = {"deck.copies": {"R": 1, "G": [1, 2, 3, 4, 5, 6]}, "deck.preset": "six", "x": "a b", "y": True, "z": "1"}
    told = plan.label_of(settings)
    assert read_settings(split_settings(told), "SET") == settings


def test_blocks_hold_every_cell_and_the_first_one_each():
    labels = [str(number) for number in range(200)]
    blocks = plan.blocks_of(labels)
    assert all(block[0] == "0" and 2 <= len(block) <= plan.BLOCK for block in blocks.values())
    assert sorted(label for block in blocks.values() for label in block[1:]) == sorted(labels[1:])
    assert list(plan.blocks_of(labels[: plan.TOGETHER]).values()) == [labels[: plan.TOGETHER]]


@pytest.mark.parametrize("game", games())
def test_each_game_says_what_its_players_cost(game):
    costs = game_named(game).module("measures").COSTS
    assert costs.keys() == {"blind", "fast", "search"}
    assert 0 < costs["blind"] < costs["fast"] < costs["search"]


def test_the_estimate_of_time_grows_with_what_is_played():
    few, many, deep = (plan.seconds(asked(GAMES=100, POLICY=each)) for each in ("random", "greedy", "search:50"))
    assert few < many < deep
    assert plan.seconds(asked(GAMES=200, POLICY="search:50")) == pytest.approx(2 * deep)
    assert plan.seconds(asked(GAMES=100, POLICY="search:100")) == pytest.approx(2 * deep, rel=0.01)


@pytest.mark.parametrize("name", experiments.questions())
def test_what_an_experiment_measures_is_read_without_running_it(name):
    about, measured = experiments.about(name), experiments.experiment_named(name).MEASURES
    told = (about.measures, about.whole, about.guest)
    assert told == (tuple(measured.figures), measured.whole, bool(measured.guest))


@pytest.mark.parametrize(
    ("name", "game"), [("suppose_bids", None), ("skill_ladder", "gara_tori"), ("design", "gara_tori")]
)
def test_as_many_games_are_played_as_a_dry_run_says(name, game, tmp_path, capsys):
    space = SPACE if game is None else "players=4..5"
    assert swept(tmp_path / "report", space, name, game=game, dry=1, games=5) == 0
    told = capsys.readouterr().out
    wanted = int(re.search(r"\n([\d,]+) games by random, about \d+ s on ", told)[1].replace(",", ""))
    assert not (tmp_path / "report").exists()
    assert swept(tmp_path / "report", space, name, game=game, games=5) == 0
    run = results.load(tmp_path / "report")
    seats = {cell["label"]: cell["settings"].get("players", 4) for cell in run.facts["cells"]}
    played = 0
    for key, sums in run.summaries.items():
        block, alike = key.split(" | ")
        labels = run.facts["again"] if block == "again" else list(seats)
        deals = next(int(value) for name, value in sums.items() if name.endswith(" n"))
        played += sum(deals * (seats[label] if "among" in alike else 1) for label in labels)
    assert played == run.facts["games"] == wanted


def test_a_dry_run_lists_cells_and_imports_nothing_heavy(tmp_path):
    code = (
        "import sys; from simlib.cli import main\n"
        f"main(['sweep', '--name=suppose_bids', '--sweep={SPACE}', '--dry=1', '--out={tmp_path / 'report'}'])\n"
        "print(*{name.partition('.')[0] for name in sys.modules} & {'numba', 'pandas', 'matplotlib', 'scipy'})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    lines = done.stdout.splitlines()
    assert lines[0] == "cells: 4" and lines[5] == "illegal cells, left out: 4"
    assert lines[1].split()[-1] == asked().sorted_out[0][0].variant.fingerprint
    assert "hand.size = 11" in lines[6]
    assert lines[-1] == ""
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"space": "bid.duoble=2..3"}, "SWEEP: unknown key 'bid.duoble' of suppose; did you mean 'bid.double'?"),
        ({"space": "players=1..101 bid.double=1..100"}, "SWEEP: 10,100 cells: at most 10,000 are allowed"),
        ({"space": ""}, "SWEEP: it names no parameter"),
        ({"space": None}, "SWEEP: it names no parameter"),
        ({"space": "players=7..8"}, "SWEEP: none of 2 cells can be played: players=7: players = 7"),
        ({"space": "players=3..4", "set": "players=3"}, "SWEEP: players is in SET, too"),
        ({"set": "bid.duoble=2"}, "SET: unknown key 'bid.duoble' of suppose; did you mean 'bid.double'?"),
        ({"name": "supose_bids"}, "unknown experiment NAME='supose_bids'; did you mean 'suppose_bids'?"),
        ({"name": "../suppose_bids"}, "unknown experiment"),
        ({"name": None}, "NAME is missing"),
        ({"name": "suppose_layout"}, "NAME=suppose_layout: it measures nothing of a variant by itself"),
        ({"name": "drama"}, "NAME=drama: say of which game, by GAME=..."),
        ({"name": "design"}, "NAME=design: say of which game, by GAME=..."),
        ({"game": "take_trick"}, "GAME=take_trick: NAME=suppose_bids is about suppose"),
        ({"name": "drama", "game": "supose"}, "unknown game 'supose'; did you mean 'suppose'?"),
        ({"policy": "gredy"}, "POLICY: unknown player 'gredy'; did you mean 'greedy'?"),
        ({"policy": "random,gredy,random"}, "POLICY: unknown player 'gredy'"),
        ({"games": "0"}, "GAMES = '0'"),
        ({"dry": "2"}, "DRY = '2': it must be a whole number from 0 to 1"),
        ({"dry": "yes"}, "DRY = 'yes'"),
        ({"jobs": "0"}, "JOBS = '0'"),
        ({"report_language": "xx"}, "REPORT_LANGUAGE: unknown language"),
        ({"variant": "/nowhere/mine.toml"}, "/nowhere/mine.toml: can't be read"),
    ],
)
def test_what_cannot_be_swept_is_one_line(given, said, tmp_path, capsys):
    assert swept(tmp_path / "report", **({"space": SPACE} | given)) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1
    assert said in told.err
    assert not any(tmp_path.iterdir())


def test_other_folders_are_left_alone(tmp_path, capsys):
    (tmp_path / "mine.txt").write_text("x", encoding="utf-8")
    assert swept(tmp_path) == 2
    assert "neither an earlier report nor an empty folder" in capsys.readouterr().err


def test_the_command_that_repeats_a_sweep_is_quoted():
    request = asked("players=3..4", SET="bid.double=3", SEED="7").request
    assert request.command == (
        "make sweep NAME=suppose_bids SWEEP=players=3..4 SET=bid.double=3 POLICY=random GAMES=10000 SEED=7"
    )
    assert "SWEEP='players=3..4 bid.double=1..2'" in asked("players=3..4 bid.double=1..2").request.command


# ---- what comes out ------------------------------------------------------------------------------------------------


def double_bids(cell, first, count):
    """Return bids of two guesses and all bids of each game, counted from rows."""
    arm = batch.Arm(cell.variant, cell.players)
    counts = experiments.experiment_named("suppose_bids").MEASURES.count(
        batch.play_arm(arm, 1, first, count), cell.variant
    )
    figure = experiments.experiment_named("suppose_bids").MEASURES.figures["double_bid_share"]
    return np.asarray(counts[figure.top]), np.asarray(counts[figure.bottom])


def test_a_cell_is_what_its_games_say(found):
    for cell in asked().sorted_out[0]:
        top, bottom = double_bids(cell, 0, GAMES)
        estimate = found.values("double_bid_share")[cell.label]
        assert estimate.value == pytest.approx(top.sum() / bottom.sum())
        assert estimate.n == GAMES


def test_the_ends_are_measured_again_on_other_games(found):
    cells = {cell.label: cell for cell in asked().sorted_out[0]}
    shares = {}
    for end in found.ends:
        top, bottom = double_bids(cells[end], GAMES, GAMES)
        shares[end] = top.sum() / bottom.sum()
        assert found.again(end).value == pytest.approx(shares[end])
        assert found.again(end).value != found.values("double_bid_share")[end].value
    high, low = found.ends
    first = {label: estimate.value for label, estimate in found.values("double_bid_share").items()}
    assert first[high] == max(first.values()) and first[low] == min(first.values())
    assert found.gap.value == pytest.approx(shares[high] - shares[low])


def test_a_step_is_the_mean_of_pairs_alike_in_all_else(found):
    values = {label: each.value for label, each in found.values("double_bid_hits").items()}
    by_key = {(step.axis.key, step.ends): step for step in found.steps("double_bid_hits")}
    assert by_key.keys() == {("players", False), ("bid.double", False)}
    three, four = (
        [values[f"players={seats} bid.double={double} deck.copies=3"] for double in (1, 5)] for seats in (3, 4)
    )
    wanted = np.mean(four) - np.mean(three)
    step = by_key["players", False]
    assert (step.low, step.high, step.cells) == ("3", "4", 2)
    assert step.change.value == pytest.approx(wanted)
    assert step.change.level == pytest.approx(1 - 0.05 / 2)


def test_what_is_so_at_present_is_known_however_it_is_spelled():
    space = "deck.copies.1=1..3 hand.visible=[1,6],[1,6,11] bid.single=6,7"
    assert _present(asked(space)) == {"deck.copies.1": 2, "hand.visible": [1, 6, 11], "bid.single": 5}


def test_pairs_hold_together(found):
    pairs = found.pairs("double_bid_share")
    assert len(pairs) == 6
    assert [pair.change.level for pair in pairs] == pytest.approx([1 - 0.05 / 6] * 6)


def test_the_bytes_do_not_depend_on_threads(tmp_path):
    for jobs in (1, 2):
        assert swept(tmp_path / str(jobs), "players=3..4 bid.double=1,5", games=4000, jobs=jobs) == 0
    one, other = (sorted((tmp_path / str(jobs)).rglob("*.*")) for jobs in (1, 2))
    assert len(one) > 10
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in other]


def test_a_page_is_made_again_from_the_result(folder, tmp_path, capsys):
    for file in ("run.json", "made.json"):
        (tmp_path / file).write_bytes((folder / file).read_bytes())
    assert main(["sweep", "--page", "--name=suppose_bids", f"--out={tmp_path}"]) == 0
    assert (tmp_path / "index.html").read_bytes() == (folder / "index.html").read_bytes()
    results.save(tmp_path, replace(results.load(tmp_path), experiment="drama"))
    capsys.readouterr()
    assert main(["sweep", "--page", "--name=suppose_bids", f"--out={tmp_path}"]) == 2
    assert "the result of drama, not of a sweep" in capsys.readouterr().err


def test_one_long_table_has_every_figure(folder):
    frame = pd.read_csv(folder / "data/cells.csv")
    assert len(frame) == 4 * 3
    assert list(frame.columns[:5]) == ["cell", "players", "bid.double", "deck.copies", "measure"]
    assert {"value", "low", "high", "n"} <= set(frame.columns)
    illegal = pd.read_csv(folder / "data/illegal.csv")
    assert len(illegal) == 4 and illegal["reason"].str.contains("hand.size = 11").all()


def test_more_cells_are_played_in_blocks(tmp_path):
    assert swept(tmp_path / "report", "players=3..4 bid.double=1..9:0.25", games=40) == 0
    found = Swept(results.load(tmp_path / "report"))
    first, *others = found.labels
    assert len(others) == 65
    pairs = found.pairs("double_bid_share")
    assert {pair.base for pair in pairs} == {first} and [pair.label for pair in pairs] == others
    page = text_of(tmp_path / "report")
    assert "More than 64 cells" in page
    cells = asked("players=3..4 bid.double=1..9:0.25").sorted_out[0]
    for at, block in ((5, 0), (40, 1)):  # every block has games of its own
        top, bottom = double_bids(cells[at], 40 * block, 40)
        value = found.values("double_bid_share")[cells[at].label].value
        assert value == pytest.approx(top.sum() / bottom.sum())


def test_a_sweep_of_one_cell_tells_its_figure(tmp_path):
    assert swept(tmp_path / "report", "players=3") == 0
    told = r"Bids of two guesses: [\d.]+ % \(95 % interval [^()]*\) with players=3 \(random\)\."
    assert re.search(told, text_of(tmp_path / "report"))


# ---- what is told --------------------------------------------------------------------------------------------------


def test_a_page_holds_what_it_must(folder):
    page = text_of(folder)
    assert "What changes with players, bid.double and deck.copies?" in page
    assert "measured again on 300 other games" in page
    assert "All 4 cells; 4 more are illegal" in page
    assert "make sweep NAME=suppose_bids SWEEP='players=3..4 bid.double=1,5 deck.copies=1,3'" in page
    assert not re.search(r"\b(nan|inf|None|NaN)\b", page)
    assert not re.search(r"\d\.\d{9}", page)


def test_a_page_in_japanese_has_no_english_left(folder, tmp_path):
    (tmp_path / "run.json").write_bytes((folder / "run.json").read_bytes())
    page = write_page(tmp_path, "ja").read_text(encoding="utf-8")
    left = [text for text in english_left(page) if not text.startswith("hand.size = 11: ")]  # errors stay English
    assert not left


@pytest.mark.parametrize(
    ("gap", "said"),
    [
        (Estimate(0.3, 0.2, 0.4, 9, ""), "Bids of two guesses: highest with "),
        (Estimate(0.3, -0.2, 0.8, 9, ""), "Bids of two guesses: undecided between the cells that look highest and "),
        (Estimate(-0.3, -0.4, -0.2, 9, ""), "Bids of two guesses: undecided between "),
        (Estimate(0.001, -0.004, 0.006, 9, ""), "no difference larger than 1 "),
        (Estimate(0.0, 0.0, 0.0, 99, ""), "Bids of two guesses: exactly the same between "),
        (unknown(0.1, 1, "", 0.95, "only one game"), "(no interval: only one game) (random)."),
    ],
)
def test_the_answer_can_be_undecided(gap, said, found):
    doubted = Swept(results.Results("sweep", found.facts, {}))
    doubted.values, doubted.gap = found.values, gap
    doubted.again = found.again
    assert said in findings.headline(doubted)


def test_what_nothing_is_known_of_is_told(found):
    doubted = Swept(results.Results("sweep", found.facts | {"again": []}, {}))
    doubted.values = lambda name: {label: unknown(np.nan, 9, "", 0.95, "no games") for label in found.labels}
    assert findings.headline(doubted) == "Bids of two guesses: not known in any cell (random)."


def test_cells_that_cannot_be_told_from_an_end(found):
    for end in found.ends:
        pairs = [pair for pair in found.pairs(found.first) if end in (pair.label, pair.base)]
        alike = {pair.label if pair.base == end else pair.base for pair in pairs if pair.change.sign == 0}
        assert set(found.not_told_from(end)) == alike
    assert findings.named([], 3) == "none"
    assert findings.named(list("abc"), 3) == "all others"
    assert findings.named(list("ab"), 3) == "a and b"
    assert findings.named(list("abcdefgh"), 9) == "a, b, c, d, e, f and 2 more"


def test_what_is_at_the_end_of_what_was_tried_is_said_of_one_and_of_several():
    axes = [Axis("players", (3, 4, 5)), Axis("score.target", (15, 20, 25))]
    swept = SimpleNamespace(ends=("a", "b"), axes=axes, at={"a": ("3", "25"), "b": ("5", "20")})
    both, one = findings.at_the_edge(swept)
    assert both.startswith("Where it is highest, players and score.target are at the end")
    assert one.startswith("Where it is lowest, players is at the end")


def step(verdict, low="3", high="4", ends=False):
    change = {"higher": (0.3, 0.2, 0.4), "lower": (-0.3, -0.4, -0.2), "undecided": (0.3, -0.2, 0.8)}[verdict]
    return Step(Axis("players", (3, 4, 5)), low, high, 2, Estimate(*change, 9, ""), ends)


def test_what_an_axis_changes_is_told_step_by_step(found):
    figure = found.measures["double_bid_share"]
    axis = step("higher").axis
    both = [step("higher"), step("lower", "4", "5"), step("undecided", "3", "5", ends=True)]
    assert findings.change_words(axis, both, figure) == "it changes with players"
    told = findings.axis_words(axis, both, figure)
    assert told.startswith("players, from 3 to 5: undecided, 30 points of a per cent (95 % interval ")
    assert told.endswith("Step by step: higher (3 \u2192 4); lower (4 \u2192 5).")
    alike = [step("lower"), step("lower", "4", "5"), step("lower", "3", "5", ends=True)]
    assert findings.change_words(axis, alike, figure) == "lower the higher players"
    assert findings.axis_words(axis, alike, figure).endswith("Step by step: lower at each.")
    assert findings.change_words(axis, [step("undecided")], figure) == "no clear change with players"
    words = replace(axis, values=("a", "b"))
    assert findings.change_words(words, [step("higher")._replace(axis=words)], figure) == "it changes with players"


def test_what_is_no_number_is_drawn_as_dots_and_nothing_typed_reaches_the_page(tmp_path):
    space = 'deck.preset=six,nine,"<b>" players=3..4'
    assert swept(tmp_path / "report", space, "take_trick_trump", games=20) == 0
    page = (tmp_path / "report/index.html").read_text(encoding="utf-8")
    assert "<b>&#34;" not in page and "&lt;b&gt;" in page
    assert (tmp_path / "report/data/trump_wins_by_deck-preset.csv").is_file()
    assert (tmp_path / "report/data/trump_wins_heat.csv").is_file()


@pytest.mark.parametrize(
    ("sizes", "can"),
    [((20, 5), True), ((21, 2), False), ((10, 10, 10), True), ((4, 4, 4, 4), False), ((11, 10, 10), False)],
)
def test_heat_maps_are_drawn_where_they_can_be_read(sizes, can):
    axes = [Axis(str(number), tuple(range(size))) for number, size in enumerate(sizes)]
    assert findings.readable(axes) is can


def test_a_page_stays_small(folder):
    assert (folder / "index.html").stat().st_size < 500_000


def test_names_of_experiments_about_another_game_are_told():
    with pytest.raises(BadInput, match="it is about suppose, not about take_trick"):
        plan.sources_of("suppose_bids", "take_trick")
    names = [source.name for source in plan.sources_of(plan.DESIGN, "suppose")]
    assert names[0] == "suppose_bids" and names[-1] == "skill_ladder"


@pytest.mark.kernel
def test_a_files_targets_are_judged_in_every_cell(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('base = "classic"\n[targets]\ntarget_reached = "0.6..1"\n')
    typed = ["sweep", "--name", "take_trick_gifts", "--sweep", "score.target=10,60", "--variant", str(file)]
    assert main([*typed, "--games", "200", "--policy", "random", "--out", str(tmp_path / "out"), "--quiet"]) == 0
    words = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    assert "Targets: 1 of 2 met, 1 missed, 0 undecided" in words
    file.write_text('[targets]\ntarget_reachd = "0.6..1"\n')
    assert main([*typed, "--dry", "1"]) == 2


@pytest.mark.kernel
def test_a_sweep_that_was_cut_off_goes_on(tmp_path, monkeypatch):
    """What was finished when it broke down isn't played again, and the bytes are those of one that went through."""
    typed = ["sweep", "--name", "suppose_bids", "--sweep", "players=3..4 bid.double=1,5", "--games", "300", "--quiet"]
    typed += ["--policy", "random", "--jobs", "1"]
    assert main([*typed, "--out", str(tmp_path / "whole")]) == 0
    monkeypatch.setattr("simlib.batch.CHUNK_CELLS", 50_000)
    monkeypatch.setattr("simlib.checkpoints.EVERY", 0)
    keep, kept = Checkpoints.keep, []

    def breaking(self, *given):
        keep(self, *given)
        kept.append(given)
        if len(kept) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(Checkpoints, "keep", breaking)
    assert main([*typed, "--out", str(tmp_path / "cut")]) == 130
    assert main([*typed, "--out", str(tmp_path / "cut")]) == 0
    played = [(study.key, first) for study, first, _, _ in kept]
    assert len(set(played)) == len(played) > 3
    for file in ("run.json", "index.html"):
        assert (tmp_path / "cut" / file).read_bytes() == (tmp_path / "whole" / file).read_bytes()
