"""Goals are read as they are typed, and judged by whole intervals; a file's targets are on every page about it."""

import html
import math
import re

import pytest

from simlib import experiments, targets
from simlib.cli import main
from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.experiments import Request
from simlib.games import game_named, make_variant
from simlib.languages import speaking
from simlib.measured import measures_of
from simlib.targets import MET, MISSED, UNDECIDED, Goal, goals_of, judge, parse_goals, sized

GAME = "suppose"
SHARE, EDGE, POINTS = "double_bid_share", "start_seat_edge", "points_a_seat"


def one(text: str) -> Goal:
    return parse_goals(text, GAME, "GOAL")[0]


def estimate(low: float, high: float, **more) -> Estimate:
    return Estimate((low + high) / 2, low, high, 900, "made up", **more)


@pytest.mark.parametrize(
    ("text", "low", "high", "strict"),
    [
        (f"{SHARE}=0.3..0.5", 0.3, 0.5, False),
        (f"{SHARE}=30%..50%", 0.3, 0.5, False),
        (f"{SHARE} = 30 .. 50 %", 0.3, 0.5, False),
        (f"{EDGE}<0.01", -math.inf, 0.01, True),
        (f"{EDGE} <= 1%", -math.inf, 0.01, False),
        (f"{POINTS}>12", 12, math.inf, True),
        (f"{POINTS}>=.5", 0.5, math.inf, False),
        (f"{POINTS}=-2..+3.25", -2, 3.25, False),
    ],
)
def test_bands_as_they_are_typed(text, low, high, strict):
    goal = one(text)
    assert (goal.low, goal.high, goal.strict) == (low, high, strict)
    assert one(goal.typed) == goal


def test_several_goals_keep_their_order():
    assert [goal.name for goal in parse_goals(f"{EDGE}<0.01  {SHARE}=0.3..0.5\n{POINTS}>1", GAME, "GOAL")] == [
        EDGE,
        SHARE,
        POINTS,
    ]


def test_a_files_table_says_the_same_as_what_is_typed():
    table = {SHARE: [0.3, 0.5], EDGE: "<0.01", POINTS: "8..12"}
    typed = parse_goals(f"{SHARE}=0.3..0.5 {EDGE}<0.01 {POINTS}=8..12", GAME, "GOAL")
    assert goals_of(table, GAME, "mine.toml") == typed


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "GOAL: it names no goal"),
        ("duble_bid_share=0.3..0.5", r"GOAL: unknown measure 'duble_bid_share' of suppose; did you mean '(.*)'\?"),
        (f"{SHARE}", "'double_bid_share' is no goal"),
        (f"{SHARE}=0.3", "double_bid_share = '0.3' is no band"),
        (f"{SHARE}=0.5..0.3", "an empty band: its lower end must be below its upper end"),
        (f"{SHARE}=0.3..0.3", "an empty band"),
        (f"{SHARE}=0.3..", "is no band"),
        (f"{SHARE}<nan", "is no band"),
        (f"{SHARE}<1e999", "is no band"),
        (f"{SHARE}=30..50", "is a share, so from 0 to 1, such as 0.3 or 30%"),
        (f"{POINTS}<30%", "is no share, so not in per cent"),
        (f"{SHARE}>0.3 {SHARE}<0.5", "is given twice; both ends are one goal, double_bid_share=a..b"),
        ("gifts_a_round>1", "unknown measure 'gifts_a_round' of suppose"),
    ],
)
def test_what_is_no_goal_is_told_in_one_line(text, told):
    with pytest.raises(BadInput, match=told) as fault:
        parse_goals(text, GAME, "GOAL")
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize("band", [0.3, [0.3], [0.5, 0.3], [0.3, math.inf], [True, 2], {"low": 0}, None, "", "\x1b[2J"])
def test_what_is_no_band_in_a_file_names_file_and_key(band):
    with pytest.raises(BadInput, match=r"^mine.toml: targets: double_bid_share = "):
        goals_of({SHARE: band}, GAME, "mine.toml: targets")


def test_targets_are_a_table():
    with pytest.raises(BadInput, match=r"mine.toml: targets = 3: it must be a table"):
        goals_of(3, GAME, "mine.toml: targets")


@pytest.mark.parametrize(
    ("text", "low", "high", "verdict"),
    [
        (f"{SHARE}=0.3..0.5", 0.3, 0.5, MET),
        (f"{SHARE}=0.3..0.5", 0.29, 0.4, UNDECIDED),
        (f"{SHARE}=0.3..0.5", 0.2, 0.6, UNDECIDED),
        (f"{SHARE}=0.3..0.5", 0.1, 0.29, MISSED),
        (f"{SHARE}=0.3..0.5", 0.51, 0.6, MISSED),
        (f"{POINTS}>3", 3, 4, UNDECIDED),
        (f"{POINTS}>=3", 3, 4, MET),
        (f"{POINTS}>3", 2, 3, MISSED),
        (f"{POINTS}>=3", 2, 3, UNDECIDED),
        (f"{EDGE}<0.01", -0.009, 0.009, MET),
        (f"{EDGE}<0.01", -0.02, 0.009, UNDECIDED),
        (f"{EDGE}<0.01", -0.03, -0.02, MISSED),
        (f"{EDGE}>0.01", -0.03, -0.02, MET),
        (f"{EDGE}>0.01", -0.005, 0.005, MISSED),
        (f"{EDGE}=-0.05..-0.01", -0.04, -0.02, MET),
        (f"{EDGE}=-0.05..-0.01", 0.02, 0.04, MISSED),
        (f"{EDGE}<-0.01", 0.02, 0.04, MISSED),
    ],
)
def test_a_verdict_needs_the_whole_interval(text, low, high, verdict):
    assert judge(one(text), estimate(low, high)) == verdict


def test_no_interval_is_undecided_with_its_reason():
    unknown = Estimate(0.4, math.nan, math.nan, 1, "made up", reason="too few games")
    goal = one(f"{SHARE}=0.3..0.5")
    assert judge(goal, unknown) == UNDECIDED
    assert targets.reason(goal, unknown) == "too few games"
    assert targets.reason(goal, estimate(0.31, 0.32)) == ""
    assert goal.misses(unknown)[1:] == (-math.inf, math.inf)


@pytest.mark.parametrize("band", [f"{SHARE}=0.3..0.5", f"{SHARE}<0.2", f"{POINTS}>3", f"{EDGE}<0.01", f"{EDGE}>0.01"])
def test_how_far_a_goal_is_missed_lies_within_what_its_interval_allows(band):
    goal = one(band)
    for low in range(-50, 50, 7):
        for width in (0.1, 3, 40):
            made = estimate((low + 0.01) / 50 * goal.unit, (low + width) / 50 * goal.unit)
            value, least, most = goal.misses(made)
            steps = [made.low + (made.high - made.low) * place / 200 for place in range(201)]
            inside = [goal.miss(goal.seen(estimate(step, step)).value) for step in steps]
            assert least <= value <= most
            assert math.isclose(max(inside), most, abs_tol=0.001 * width)
            assert least <= min(inside) + 1e-9
            assert min(inside) - least < 0.02 * width
            verdict = judge(goal, made)
            assert (most < 0, least > 0) == (verdict == MET, verdict == MISSED)


def test_how_far_is_in_widths_of_the_band_or_in_the_limit():
    assert math.isclose(one(f"{SHARE}=0.3..0.5").miss(0.6), 0.5)
    assert math.isclose(one(f"{SHARE}<0.2").miss(0.3), 0.5)
    assert one(f"{SHARE}=0.3..0.5").beyond(estimate(0.2, 0.24)).value == pytest.approx(0.08)
    assert one(f"{EDGE}<0.01").beyond(estimate(-0.04, -0.02)).value == pytest.approx(0.02)


def test_the_size_of_a_figure_that_straddles_0_reaches_down_to_it():
    made = sized(estimate(-0.02, 0.01))
    assert (made.low, made.high) == (0, 0.02)
    assert (sized(estimate(-0.03, -0.01)).low, sized(estimate(-0.03, -0.01)).high) == (0.01, 0.03)


def test_verdicts_are_told_apart_without_colour():
    words = [targets.marked(verdict) for verdict in (MET, MISSED, UNDECIDED)]
    assert words == ["\u2713 met", "\u2717 missed", "? undecided"]


def test_bands_in_words():
    texts = [f"{SHARE}=0.3..0.5", f"{EDGE}<0.01", f"{POINTS}>=3", f"{EDGE}=-0.01..0.02"]
    told = [one(text).band for text in texts]
    assert told == [
        "30 to 50 %",
        "below 1 point of a per cent to either side of 0",
        "at least 3 points",
        "\u22121 to 2 points of a per cent",
    ]
    with speaking("ja"):
        assert not any(re.search("[a-z]{3}", one(text).band) for text in texts)


@pytest.mark.parametrize("game", ["suppose", "gara_tori", "take_trick"])
def test_any_measure_of_a_game_can_be_a_target(game):
    table = {name: [0, 1] for name in measures_of(game)}
    assert [goal.name for goal in goals_of(table, game, "mine.toml")] == list(table)


# ---- beside an experiment ------------------------------------------------------------------------------------------

TOML = """
game = "suppose"
name = "three for two"
players = 3
[bid]
double = 3
[targets]
points_a_seat = [0, 1000]
right_bids = ">99%"
start_seat_edge = "<0.01"
greedy_among_random = "0.3..1"
"""


@pytest.fixture
def file(tmp_path):
    (tmp_path / "mine.toml").write_text(TOML)
    return tmp_path / "mine.toml"


def played(file, folder, name="suppose_visible", games=40, **more):
    request = Request(games, 1, file=file, command="again", **more)
    page = experiments.run(
        experiments.about(name), request, folder, 2, quiet=True, beside=(targets.JUDGED,)
    )  # fmt: skip
    return html.unescape(re.sub(r"<style.*?</style>|<[^>]+>", " ", page.read_text(encoding="utf-8"), flags=re.S))


@pytest.mark.kernel
@pytest.mark.parametrize("name", ["suppose_visible", "skill_ladder"])
def test_every_page_about_a_file_judges_all_its_targets(file, tmp_path, name):
    text = " ".join(played(file, tmp_path / "report", name).split())
    assert re.search(r"Targets: \d of 4 met, \d missed, \d undecided", text)
    assert "\u2713 met: points a seat and game (points_a_seat), wished 0 to 1000 points, is" in text
    assert "\u2717 missed: bids that come true (right_bids), wished above 99 %, is" in text
    assert "greedy among random" in text
    assert re.search(r"98.75 % interval \S+ to \S+, n = 40", text)
    before = (tmp_path / "report/index.html").read_bytes()
    (tmp_path / "report/index.html").unlink()
    assert experiments.write_page(tmp_path / "report", beside=(targets.JUDGED,)).read_bytes() == before


@pytest.mark.kernel
def test_targets_are_measured_on_the_files_variant_alone(file, tmp_path):
    """What a page says of a target is what its measure is of the file's variant, whatever is asked."""
    played(file, tmp_path / "report")
    run = experiments.results.load(tmp_path / "report")
    own = run.summaries["beside | targets | rows"]

    from simlib.batch import run as play
    from simlib.landscape import Spot, studies

    known = game_named(GAME).module("players").PLAYERS
    seat = targets.seated("greedy", known, "players")
    spot = Spot("x", make_variant(game_named(GAME), settings={"players": 3, "bid.double": 3}), (seat,) * 3)
    measures = [measures_of(GAME)[name] for name in (POINTS, "right_bids", EDGE)]
    again = play(studies("x", [spot], measures, 40), 1, 1, quiet=True)["x | rows"]
    assert own.keys() == again.keys()
    assert all((own[name] == again[name]).all() for name in own)


@pytest.mark.kernel
def test_a_wish_for_precision_measures_the_targets_of_what_was_played(file, tmp_path):
    from simlib.precision import Wish

    played(file, tmp_path / "report", "suppose_visible", games=40, wish=Wish(1e-9), most=60)
    run = experiments.results.load(tmp_path / "report")
    assert run.summaries["beside | targets | rows"]["right_bids n"] == run.facts["asked"] == 60


def test_a_wrong_target_is_told_before_anything_is_written(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(TOML.replace("right_bids", "rihgt_bids"))
    with pytest.raises(BadInput, match=r"mine.toml: targets: unknown measure 'rihgt_bids'.*did you mean 'right_bids'"):
        played(file, tmp_path / "report")
    assert not (tmp_path / "report").exists()


def test_rules_tells_a_files_targets(file, capsys):
    assert main(["rules", GAME, "--variant", str(file)]) == 0
    assert "\ntargets\n  points_a_seat=0..1000  points a seat and game: 0 to 1000 points\n" in capsys.readouterr().out
    file.write_text(TOML.replace("right_bids", "rihgt_bids"))
    assert main(["rules", GAME, "--variant", str(file)]) == 2
    assert "mine.toml: targets: unknown measure 'rihgt_bids' of suppose; did you mean 'right_bids'?" in (
        capsys.readouterr().err
    )


def test_targets_are_no_parameters(file):
    written = experiments.Request(1, 1, file=file).written
    with_targets = make_variant(game_named(GAME), file=file, written=written)
    without = make_variant(game_named(GAME), settings={"players": 3, "bid.double": 3})
    assert with_targets.fingerprint == without.fingerprint


@pytest.mark.parametrize("band", ["0.3..50%", "30%..50"])
def test_a_band_that_can_be_read_in_two_ways_is_refused(band):
    with pytest.raises(BadInput, match="GOAL"):
        parse_goals(f"right_bids={band}", "suppose", "GOAL")
