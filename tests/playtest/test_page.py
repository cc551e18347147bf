"""From a log to its page: what fits and what doesn't, whatever people wrote, and bad input in one line."""

import csv
import html
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from english_left import english_left
from written_logs import arm_of, cells_of, csv_of, played

from simlib import results
from simlib.batch import columns_of, play_arm
from simlib.cli import main
from simlib.experiments import variant_facts
from simlib.playtest.figures import figures, simulated_counts
from simlib.playtest.page import ALPHA, Playtest, chance_text, label_of
from simlib.playtest.run import simulated

pytestmark = pytest.mark.kernel

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = {
    "playtest_take_trick.csv": "take_trick",
    "playtest_take_trick.jsonl": "take_trick",
    "playtest_suppose.csv": "suppose",
    "playtest_gara_tori.csv": "gara_tori",
}


def playtest(*options):
    return main(["playtest", "--quiet", "--games", "1000", *map(str, options)])


def page_of(tmp_path, game, log, *options):
    """Return the page of a log that is given as CSV text."""
    (tmp_path / "g.csv").write_text(log, encoding="utf-8")
    assert playtest("--game", game, "--log", tmp_path / "g.csv", "--out", tmp_path / "out", *options) == 0
    return (tmp_path / "out/index.html").read_text(encoding="utf-8")


def headline(page):
    told = re.sub("<[^>]*>", "", re.search("<h1>(.*?)</h1>", page, re.DOTALL)[1])
    return html.unescape(told).replace("\u00a0", " ")


def table(folder, name):
    with (folder / f"data/{name}.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def whole(folder):
    return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


# ---- what a page says ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("log", "game"), EXAMPLES.items())
def test_examples_give_the_same_page_for_any_number_of_threads(log, game, tmp_path):
    for jobs in (1, 2):
        options = ("--log", ROOT / "examples" / log, "--jobs", jobs, "--out", tmp_path / str(jobs))
        assert playtest("--game", game, *options) == 0
    first, second = whole(tmp_path / "1"), whole(tmp_path / "2")
    assert first == second and len(first) > 5
    kept = results.load(tmp_path / "1").facts
    assert len(kept["log"]) == len(table(tmp_path / "1", "games")) >= 3


def test_games_that_were_played_otherwise_do_not_fit(tmp_path, looked_at):
    strong = [cells_of(record) for record in played("take_trick", "random", 9, 14)]
    page = page_of(tmp_path, "take_trick", csv_of(strong))
    said = headline(page)
    assert re.match(r"Your 14 games don't fit this model in [2-9] of 10 figures: ", said)
    assert re.search(r"\(yours [^;]+ n = 14\); the model [^;]+ n = 1,000\); adjusted p < 0.0001\)", said)
    wrong = {row["figure"] for row in table(tmp_path / "out", "checks") if row["what it says"] == "does not fit"}
    assert {"Gifts offered a game", "Points of a seat"} <= wrong
    assert "the model's players are greedy" in page.replace("&#39;", "'")
    assert headline(page_of(tmp_path, "take_trick", csv_of(strong), "--policy", "random")).startswith(
        "Your 14 games fit this model: none of 10 figures"
    )
    looked_at(tmp_path / "out/index.html")


@pytest.mark.parametrize("game", ["suppose", "gara_tori", "take_trick"])
def test_logs_of_the_model_fit_as_often_as_is_said(game):
    logs, count, simulated_games = 150, 14, 3000
    arm = arm_of(game, "greedy")
    rules, label = arm.variant.parameters, label_of(arm.variant.parameters.players)
    rows = play_arm(arm, 77, 0, logs * count)
    counts = simulated_counts(game, dict(zip(columns_of(arm.variant), rows.T, strict=True)), rules)
    facts = {"variants": variant_facts({label: arm.variant}), "log": []}
    tallies = {label: simulated(arm, 1, simulated_games, 1, quiet=True)}
    alarms, chances = 0, []
    for first in range(0, logs * count, count):
        test = Playtest(results.Results("playtest", facts, tallies))
        test.log = [Game(rules.players, counts, number) for number in range(first, first + count)]
        assert len(test.checks) == len(figures(game, rules))
        alarms += any(not check.fits for check in test.checks)
        chances += [check.p for check in test.checks if check.name == "points"]
    assert alarms / logs < ALPHA + 3 * (ALPHA / logs) ** 0.5
    assert np.mean(np.array(chances) < 0.5) == pytest.approx(0.5, abs=3.5 * 0.5 / logs**0.5)


class Game:
    """A simulated game in place of one of a log."""

    def __init__(self, players, counts, number):
        self.players, self.counts = players, {name: int(values[number]) for name, values in counts.items()}


def test_one_game_can_not_say_much(tmp_path):
    page = page_of(tmp_path, "gara_tori", "scores\n6/5/7/3\n")
    assert headline(page).startswith(
        "One game can't say much: none of its 4 figures is further off than chance explains"
    )
    assert "One game can tell only differences larger than about" in page
    assert "no interval" in page
    odd = headline(page_of(tmp_path, "gara_tori", "scores\n16/9/8/1\n"))
    assert odd.startswith("Your one game doesn't fit this model in ")


def test_each_number_of_players_is_compared_with_its_own(tmp_path):
    rows = [
        {"scores": cells_of(record)["scores"]}
        for players in (5, 4)
        for record in played("gara_tori", "greedy", 3, 4, players=players)
    ]
    page = page_of(tmp_path, "gara_tori", csv_of(rows))
    told = table(tmp_path / "out", "checks")
    assert [row["players"] for row in told] == ["4 players"] * 4 + ["5 players"] * 4
    assert {row["yours, n"] for row in told} == {"4"} and {row["simulated, n"] for row in told} == {"1000"}
    assert headline(page).startswith("Your 8 games fit this model: none of 8 figures")
    assert "points of a seat, 4 players" in page
    points = {row["players"]: float(row["yours, value"]) for row in told if row["figure"] == "Points of a seat"}
    for players, own in (("5 players", rows[:4]), ("4 players", rows[4:])):
        scores = [int(score) for row in own for score in row["scores"].split("/")]
        assert points[players] == pytest.approx(np.mean(scores))


def test_figures_rest_on_the_games_that_tell_them(tmp_path):
    page_of(tmp_path, "take_trick", "scores,start,gifts_offered\n25/14/19,1,9\n18/26/12,,8\n11/2/9,0,\n")
    counted = {row["figure"]: row["yours, n"] for row in table(tmp_path / "out", "checks")}
    assert counted["Points of a seat"] == "3"
    assert counted["Gifts offered a game"] == counted["Wins of the seat that starts"] == "2"
    assert "Rounds a game" not in counted and "Gifts accepted of those offered" not in counted


def test_no_gifts_at_all_give_no_share_of_them(tmp_path):
    page_of(tmp_path, "take_trick", "scores,gifts_offered,gifts_accepted\n25/14/19,0,0\n18/26/12,0,0\n")
    kept = next(row for row in table(tmp_path / "out", "checks") if row["figure"].startswith("Gifts accepted"))
    assert (kept["p"], kept["p, adjusted"], kept["what it says"]) == ("", "", "not known")


# ---- whatever people wrote -----------------------------------------------------------------------------------------


def test_what_was_typed_is_plain_text(tmp_path):
    log = (
        "scores,names,date,note\n"
        "25/14/19,NA/null/<b>x,=1+1,<script>alert(1)\n"
        "18/26/12,-1/@a/$x$,NA,null\n"
        "11/2/9,Ann/Bob/竹,,nan\n"
    )
    page = page_of(tmp_path, "take_trick", log)
    assert "<script>alert" not in page and "&lt;script&gt;alert(1)" in page and "<b>x" not in page
    rows = table(tmp_path / "out", "games")
    assert [row["names"] for row in rows] == ["NA/null/<b>x", "'-1/@a/$x$", "Ann/Bob/竹"]
    assert [row["date"] for row in rows] == ["'=1+1", "NA", ""]
    assert [row["note"] for row in rows] == ["<script>alert(1)", "null", "nan"]
    for text in ("NA/null/&lt;b&gt;x", ">NA<", ">null<", ">nan<", "-1/@a/$x$"):
        assert text in page


def test_a_page_is_made_again_without_playing_and_in_another_language(tmp_path, monkeypatch):
    log = ROOT / "examples/playtest_suppose.csv"
    assert playtest("--game", "suppose", "--log", log, "--out", tmp_path / "out", "--seed", "3") == 0
    first = whole(tmp_path / "out")
    (tmp_path / "out/index.html").unlink()
    monkeypatch.setattr("simlib.playtest.run.run", None)
    again = ["playtest", "--game", "suppose", "--out", str(tmp_path / "out"), "--page"]
    assert main(again) == 0
    assert whole(tmp_path / "out") == first
    assert main([*again, "--report-language", "ja"]) == 0
    page = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    names = {"/".join(game["names"]) for game in results.load(tmp_path / "out").facts["log"]}
    assert set(english_left(page)) - names <= {"playtest"}
    assert "実際の9ゲームは" in headline(page)


def test_games_of_a_variant_are_compared_with_it(tmp_path):
    file = ROOT / "examples/variants/take_trick/target_20.toml"
    log = "scores\n21/14/19\n18/20/12\n"
    page = page_of(tmp_path, "take_trick", log, "--variant", file, "--set", "gift.points=2")
    told = {row["figure"]: row for row in table(tmp_path / "out", "checks")}
    assert told["Games that reach the target"]["yours, value"] == "1.0"
    assert "score.target" in page and "If few games reach 25 points" in page
    assert results.load(tmp_path / "out").facts["variants"][0]["parameters"]["gift.points"] == 2


def test_the_page_says_how_to_repeat_it(tmp_path):
    folder = tmp_path / "it's here"
    folder.mkdir()
    page = page_of(
        folder, "suppose", "scores\n18/16/13\n", "--policy", "random", "--set", "players=3 bid.min_guesses=1"
    )
    command = html.unescape(re.search("<pre[^>]*><code>(.*?)</code>", page, re.DOTALL)[1])
    assert command.startswith("make playtest GAME=suppose LOG='") and command.endswith(
        "POLICY=random GAMES=1000 SEED=1"
    )
    assert "SET='players=3 bid.min_guesses=1'" in command


# ---- bad input -----------------------------------------------------------------------------------------------------

GOOD = "scores\n23/26/17\n"
FAULTS = [  # options, the log, words of the complaint
    ([], GOOD, "GAME is missing: name the game that was played (allowed: gara_tori, suppose, take_trick)"),
    (["--game", "take_trik"], GOOD, "unknown game 'take_trik'; did you mean 'take_trick'?"),
    (["--game", "take_trick", "--games", "99"], GOOD, "GAMES = '99': it must be a whole number from 100 to"),
    (["--game", "take_trick", "--seed", "x"], GOOD, "SEED = 'x': it must be a whole number"),
    (["--game", "take_trick", "--jobs", "0"], GOOD, "JOBS = '0': it must be a whole number"),
    (["--game", "take_trick", "--policy", "gredy"], GOOD, "did you mean 'greedy'?"),
    (["--game", "take_trick", "--policy", "greedy,random"], GOOD, "POLICY 'greedy,random': it must name one player"),
    (["--game", "take_trick", "--set", "players=4"], GOOD, "line 2, players: 3: it must be 4, as the variant has"),
    (["--game", "take_trick", "--set", "score.tarket=4"], GOOD, "did you mean 'score.target'?"),
    (["--game", "take_trick", "--set", "deck.copies=1"], GOOD, "hand.size"),
    (["--game", "take_trick", "--variant", "none.toml"], GOOD, "none.toml: can't be read"),
    (["--game", "take_trick", "--report-language", "jp"], GOOD, "REPORT_LANGUAGE: unknown language 'jp'"),
    (["--game", "take_trick"], "scores\n23/26/-1\n", "line 2, scores: '-1': it must be a whole number of points"),
    (["--game", "gara_tori"], GOOD, "line 2, players: 3: it must be a whole number from 4 to 6"),
]


@pytest.mark.parametrize(("options", "log", "wanted"), FAULTS, ids=range(len(FAULTS)))
def test_bad_input_is_one_line_and_writes_nothing(options, log, wanted, tmp_path, capsys):
    (tmp_path / "g.csv").write_text(log)
    given = ["--games", "100", *options] if "--games" not in options else options
    status = main(["playtest", "--log", str(tmp_path / "g.csv"), "--out", str(tmp_path / "out"), *given])
    told = capsys.readouterr()
    assert status == 2 and told.out == "" and not (tmp_path / "out").exists()
    assert told.err.startswith("simlib: ") and told.err.count("\n") == 1 and wanted in told.err


def test_a_log_is_needed_and_a_folder_that_holds_no_report_stays(tmp_path, capsys):
    assert main(["playtest", "--game", "suppose"]) == 2
    assert "LOG is missing" in capsys.readouterr().err
    (tmp_path / "g.csv").write_text(GOOD)
    assert playtest("--game", "take_trick", "--log", tmp_path / "g.csv", "--out", tmp_path) == 2
    assert "neither an earlier report nor an empty folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["g.csv"]
    assert main(["playtest", "--game", "suppose", "--page", "--out", str(tmp_path)]) == 2


def test_nothing_heavy_is_imported_for_a_log_that_is_refused(tmp_path):
    (tmp_path / "g.csv").write_text("scores\n23/26/-1\n")
    options = ["playtest", "--game", "take_trick", "--log", str(tmp_path / "g.csv"), "--out", str(tmp_path / "out")]
    code = (
        f"import sys; from simlib.cli import main\nassert main({options!r}) == 2\n"
        "print(*{name.partition('.')[0] for name in sys.modules} & {'numba', 'pandas', 'matplotlib', 'scipy'})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == ""


def test_chances_have_as_many_digits_as_are_told():
    told = [chance_text(p) for p in (1, 0.314, 0.0314, 0.00314, 0.0000314, float("nan"))]
    assert told == ["= 1.00", "= 0.31", "= 0.031", "= 0.0031", "< 0.0001", "\u2013"]


def test_the_result_file_holds_all_that_was_read(tmp_path):
    page_of(tmp_path, "take_trick", "scores,winner,start,note\n25/14/19,0,2,so\n")
    run = results.load(tmp_path / "out")
    (game,) = run.facts["log"]
    assert (game["scores"], game["winners"], game["start"], game["note"]) == ([25, 14, 19], [0], 2, "so")
    assert game["counts"] == {"points": 58, "best": 25, "gap": 11, "shared": 0, "start": 0, "target reached": 1}
    gap = run.summaries["3 players"]["gap"]
    assert gap.shape[1] == 3 and gap[:, 2].sum() == 1000 and (gap[:, 1] == 1).all()
