"""The experiment skill_ladder: its words follow the numbers, its sums are the rows', its ladder ends in time."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from simlib import batch, experiments, results
from simlib.batch import Speeds
from simlib.cli import main
from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.experiments import Request
from simlib.games import game_named, games, make_variant
from simlib.measures import joint_sums
from simlib.survey import variants_by_seats

NAME = "skill_ladder"
skill = experiments.experiment_named(NAME)


def variant(game="suppose", **settings):
    return make_variant(game_named(game), settings={key.replace("__", "."): value for key, value in settings.items()})


def match_of(share, deals=200, ahead=2):
    """Return a match's sums where the one player wins this share of the games of four seats, and is so far ahead."""
    noise = np.arange(deals) % 2 * 2 - 1
    wins = np.rint(240 * share + 12 * noise)
    values = [wins, 4 * ahead + noise, *(np.full(deals, each) for each in (11, 66, 33, 99))]
    return joint_sums(np.stack(values, axis=1))


def step_of(gain, deals=200):
    noise = np.arange(deals) % 3 - 1
    less, more = np.full(deals, 120), 120 + np.rint(240 * gain + 6 * noise)
    values = [less, less, np.full(deals, 44), more, more, np.full(deals, 44)]
    return joint_sums(np.stack(values, axis=1))


def made(strong=0.9, weak=0.6, gains=(0.1, 0.0), deals=200, **settings):
    """Return a result of one game of four, with these win shares and gains of the ladder's steps."""
    request = Request(100, 1, {"players": 4} | settings, command="make it", game="suppose")
    plan = skill.plan(request)
    (label,) = plan.facts["mains"]
    summaries = {}
    for study in plan.studies:
        _, one, field = study.key.split(" | ")
        if not one.startswith("from "):
            better = one.startswith("search") - field.startswith("search") or (one == "greedy") - (field == "greedy")
            share = {1: weak, 0: 0.25, -1: 0.1}[better]
            summaries[study.key] = match_of(strong if one == skill.STRONG else share, deals, 10 * (share - 0.25))
    for gain, less, more in zip(gains, skill.LADDER, skill.LADDER[1:], strict=False):
        summaries[skill.Step(label, less, more).key] = step_of(gain, deals)
    summaries = {key: {name: np.asarray(array) for name, array in part.items()} for key, part in summaries.items()}
    return results.Results(NAME, experiments._facts(skill, plan, request), summaries)


def found(run):
    return {finding.key: finding for finding in skill.findings(run)}


# ---- words ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("strong", "words"),
    [
        (0.95, "thinking ahead decides: one search:200 among 3 greedy wins 95.0 %"),
        (0.5, "thinking ahead matters much"),
        (0.35, "thinking ahead matters:"),
        (0.27, "thinking ahead matters little"),
        (0.25, "whether thinking ahead wins more is undecided"),
        (0.15, "thinking ahead wins less"),
    ],
)
def test_the_headline_follows_the_strong_players_share(strong, words):
    told = found(made(strong))["answer"].headline
    assert words in told
    assert "95 % interval" in told or "97.5 % interval" in told
    assert "n = 200" in told and "where 25 % is fair" in told
    assert told.startswith("Suppose: a rule of thumb matters much; ")


def test_swapped_arms_turn_the_words_round():
    run = made(0.9)
    label = run.facts["plan"]["mains"][0]
    strong, weak = (skill.Match(label, *pair).key for pair in ((skill.STRONG, "greedy"), ("random", "greedy")))
    swapped = run.summaries | {strong: run.summaries[weak], weak: run.summaries[strong]}
    told = found(replace(run, summaries=swapped))["answer"].headline
    assert "ahead decides" in found(run)["answer"].headline
    assert "ahead wins less" in told


@pytest.mark.parametrize("deals", [1, 2])
def test_too_few_deals_are_undecided(deals):
    told = found(made(gains=(0.1,), deals=deals))
    assert "whether thinking ahead wins more is undecided" in told["answer"].headline
    assert "no doubling clearly pays" in told["ladder"].headline
    assert "no player clearly wins more" in told["beats_suppose"].headline


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (0.51, 0.6, "decides"),
        (0.49, 0.6, "matters much"),
        (0.06, 0.9, "matters"),
        (0.01, 0.14, "matters little"),
        (0.01, 0.3, "matters, how much is undecided"),
        (-0.01, 0.3, "whether it wins more is undecided"),
        (-0.2, -0.1, "wins less"),
        (np.nan, np.nan, "whether it wins more is undecided"),
    ],
)
def test_words_promise_no_more_than_the_interval(low, high, words):
    told = skill.matters(Estimate((low + high) / 2, low, high, 9, ""), "it")
    assert told.removeprefix("it ") == words


@pytest.mark.parametrize(
    ("gains", "words"),
    [
        ((0.1, 0.05, 0.0), "doubling pays up to 100 playouts; from 100 to 200 the gain is undecided: 0"),
        ((0.0,), "no doubling clearly pays; from 25 to 50 the gain is undecided"),
        ((0.1, -0.1), "doubling pays up to 50 playouts; from 50 to 100 it loses: \u221210"),
        ((0.1,) * 6, "each doubling up to 1600 playouts wins more; the last gains 10"),
    ],
)
def test_the_ladder_says_where_it_ends(gains, words):
    assert words in found(made(gains=gains))["ladder"].headline


def test_who_beats_whom_is_told_with_what_is_open():
    told = found(made())["beats_suppose"]
    assert told.headline.startswith("Suppose, 4 players: search:50 clearly wins more than a fair share against")
    undecided = told.text[0].partition("undecided: ")[2]
    assert "one chaser among 3 random" in undecided and "one random among 3 chaser" in undecided
    frame = told.charts[0].table.frame
    played = frame.dropna(subset=["low"])  # a field alone wins its fair share by itself
    assert len(played) > 10 and (frame.drop(played.index)["above fair"] == 0).all()
    assert (played["low"] <= played["above fair"]).all() and (played["n"] == 200).all()


def test_more_wins_with_fewer_points_are_told():
    run = made()
    key = skill.Match(run.facts["plan"]["mains"][0], "greedy", "random").key
    other = replace(run, summaries=run.summaries | {key: match_of(0.6, ahead=-2)})
    assert "More wins go with fewer points" not in found(run)["beats_suppose"].text[0]
    assert found(other)["beats_suppose"].text[0].endswith("or the reverse, for one greedy among 3 random.")


def test_choices_and_costs_are_counted_from_rows():
    told = found(made(gains=(0.1, 0.0)))
    assert told["choices"].headline.startswith("Suppose: 6 (the same every time, n = 200) cards to choose from")
    costs = told["ladder"].tables[0].frame
    assert costs["playouts a decision"].tolist() == [50, 100]
    assert costs["playouts a game"].tolist() == [50 * 11, 100 * 11]


# ---- what is played ------------------------------------------------------------------------------------------------


def labels(**asked):
    return variants_by_seats(Request(10, 1, **asked), skill.GAME)


def test_all_games_and_numbers_of_seats_are_played():
    variants, left_out = labels()
    assert {each.game for each in variants.values()} == set(games()) and not left_out
    assert skill.main_labels(variants) == ["Gara-tori, 4 players", "Suppose, 4 players", "Take-Trick, 4 players"]
    assert "Suppose, 3 players" in variants and "Take-Trick, 6 players" in variants


def test_a_named_game_is_played_alone():
    variants, _ = labels(game="take_trick", settings={"players": 5, "gift.points": 2})
    assert list(variants) == ["Take-Trick, 5 players"] == skill.main_labels(variants)


def test_what_a_game_has_not_is_left_out_and_told():
    variants, left_out = labels(settings={"players": 5})
    assert list(variants) == ["Gara-tori, 5 players", "Take-Trick, 5 players"]
    assert len(left_out) == 1 and left_out[0].startswith("Not played: Suppose: ")


def test_a_game_is_asked_for_where_a_setting_is_its_own(tmp_path):
    with pytest.raises(BadInput, match=r"SET: 'gift\.points': say of which game"):
        labels(settings={"gift.points": 2})
    file = tmp_path / "mine.toml"
    file.write_text("[gift]\npoints = 2\n")
    with pytest.raises(BadInput, match="say of which game"):
        labels(file=file)
    file.write_text('game = "take_trick"\n[gift]\npoints = 2\n')
    assert {each.game for each in labels(file=file)[0].values()} == {"take_trick"}


@pytest.mark.parametrize("setting", ["game=chess", "gift.points=2", "game=suppose gift.points=2", "players=9"])
def test_bad_input_is_one_line(setting, capsys, tmp_path):
    assert main(["experiment", NAME, "--set", setting, "--out", str(tmp_path / "out"), "--quiet"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "allowed" in said or "must be" in said
    assert not (tmp_path / "out").exists()


def test_players_are_found_and_who_sees_all_is_left_out(monkeypatch):
    module = game_named("suppose").module("players")
    fair = list(skill.known_players("suppose"))
    assert {"random", "greedy", "chaser", "search:50"} <= set(fair)

    class Seer:
        searches, sees_all, sentence = False, True, "sees all"

    monkeypatch.setattr(module, "PLAYERS", module.PLAYERS | {"seer": Seer()})
    assert list(skill.known_players("suppose")) == fair


def test_every_player_meets_every_field_at_the_main_tables():
    variants, _ = labels()
    mains = skill.main_labels(variants)
    matches = skill.matches_of(variants, mains)
    names = list(skill.known_players("suppose"))
    met = {(match.one, match.field) for match in matches if match.label == "Suppose, 4 players"}
    assert met == {(one, other) for one in names for other in names if one != other} | {(skill.STRONG, "greedy")}
    assert len(set(match.key for match in matches)) == len(matches)
    for label in variants:
        assert skill.Match(label, "greedy", "random") in matches


def test_searching_players_play_fewer_deals():
    run = skill.plan(Request(1000, 1, game="suppose"))
    deals = {study.key: study.games for study in run.studies}
    label = "Suppose, 4 players"
    assert deals[skill.Match(label, "greedy", "random").key] == 1000
    assert (
        2 <= deals[skill.Match(label, "greedy", "search:50").key] < deals[skill.Match(label, "search:50", "greedy").key]
    )
    assert all(study.games >= 2 for study in skill.plan(Request(1, 1)).studies if "search" in study.key)


@pytest.mark.parametrize(("gain", "further"), [(0.1, True), (0.0, False), (-0.1, False)])
def test_a_ladder_goes_on_only_after_a_clear_gain(gain, further):
    plan = skill.plan(Request(100, 1, {"players": 4}, game="suppose"))
    (label,) = plan.facts["mains"]
    summaries = {study.key: {} for study in plan.studies}
    summaries[skill.Step(label, 25, 50).key] = step_of(gain)
    more = plan.further(summaries)
    assert (more is not None) == further
    if further:
        assert [study.key for study in more.studies[len(plan.studies) :]] == [skill.Step(label, 50, 100).key]
        assert sum(more.played.values()) == sum(study.games * len(study.arms) for study in more.studies)


def test_the_highest_rung_ends_the_ladder():
    run = made(gains=(0.1,) * 6)
    (label,) = run.facts["plan"]["mains"]
    assert skill.step_after(skill.ladder(run.summaries, label, variant(), 1)) is None


# ---- sums ----------------------------------------------------------------------------------------------------------


@pytest.mark.kernel
@pytest.mark.parametrize(("game", "players"), [("suppose", 3), ("gara_tori", 5), ("take_trick", 4)])
def test_match_sums_equal_a_plain_count_of_the_rows(game, players):
    made_variant, deals = variant(game, players=players), 40
    study = skill.match_study(skill.Match("it", "greedy", "random"), {"it": made_variant}, deals)
    rows = {name: batch.play_arm(arm, 3, 0, deals) for name, arm in study.arms.items()}
    frames = {name: pd.DataFrame(part, columns=batch.columns_of(made_variant)) for name, part in rows.items()}
    share = ahead = 0
    for seat in range(players):
        own = frames[f"seat {seat}"]
        assert study.arms[f"seat {seat}"].players[seat].name == "greedy"
        winners = sum(own[f"win_{other}"] for other in range(players))
        share += (60 * own[f"win_{seat}"] // winners).sum()
        ahead += own[f"score_{seat}"].sum() - frames["field"][f"score_{seat}"].sum()
    cell = skill.Cell(study.measure(rows), skill.Match("it", "greedy", "random"), made_variant)
    assert cell.share.value == pytest.approx(share / 60 / players / deals)
    assert cell.ahead.value == pytest.approx(ahead / players / deals / skill.unit_of(made_variant))
    field = frames["field"]
    assert cell.choices("leader").value == pytest.approx(field["leader_choices"].sum() / field["leader_plays"].sum())


@pytest.mark.kernel
@pytest.mark.parametrize("game", sorted(games()))
def test_greedy_beats_random_and_a_field_beats_itself_by_nothing(game):
    """The direction is known, and a player among its own kind wins a fair share of every deal."""
    made_variant = variant(game, players=4)
    for one, above in (("greedy", 1), ("random", 0)):
        match = skill.Match("it", one, "random")
        study = skill.match_study(match, {"it": made_variant}, 300)
        rows = {name: batch.play_arm(arm, 3, 0, study.games) for name, arm in study.arms.items()}
        cell = skill.Cell(study.measure(rows), match, made_variant)
        (over,) = skill.above_fair([cell])
        assert over.sign == above
        if not above:
            assert over.low == over.high == cell.ahead.value == 0


@pytest.mark.parametrize(("share", "certain"), [(0.0, "low"), (1.0, "high")])
def test_who_won_none_or_all_is_not_sure_to_do_so_again(share, certain):
    cells = [skill.Cell(match_all(share, 62), skill.Match("it", "one", "other"), variant("suppose", players=4))] * 12
    told = skill.shares_of(cells)[0]
    assert getattr(told, certain) == told.value == share
    assert 0.03 < told.high - told.low < 0.2


def match_all(share, deals):
    """Return the sums of a match in which each deal was won as often."""
    won = round(share * 4 * skill.WHOLE)
    values = np.tile(np.array([won, 0, 11, 66, 33, 198], np.int64), (deals, 1))
    return joint_sums(values)


# ---- the page ------------------------------------------------------------------------------------------------------


@pytest.fixture
def small(monkeypatch):
    """Let searching players be weak ones, and their deals few."""
    monkeypatch.setattr(skill, "SEARCHED", 2)
    monkeypatch.setattr(skill, "LADDER", (2, 4, 8))
    monkeypatch.setattr(skill, "STRONG", "search:3")


@pytest.mark.kernel
@pytest.mark.slow
def test_a_run_is_the_same_bytes_for_any_workers_and_chunks(tmp_path: Path, monkeypatch, small):
    pages = []
    for jobs, playouts in ((1, 1 << 14), (2, 40), (3, 1)):
        monkeypatch.setattr(batch, "CHUNK_PLAYOUTS", playouts)
        folder = tmp_path / str(jobs)
        request = Request(60, 2, {"players": 4}, command="as typed", game="gara_tori")
        experiments.run(experiments.about(NAME), request, folder, jobs, quiet=True)
        files = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        assert b"search:3" in files.pop(Path("speeds.csv"))
        pages.append(files)
    assert pages[1] == pages[0] == pages[2]


@pytest.mark.kernel
@pytest.mark.slow
@pytest.mark.parametrize("deals", [1, 30])
def test_a_tiny_run_of_all_games_writes_a_page_without_nan(tmp_path, small, deals):
    page = experiments.run(experiments.about(NAME), Request(deals, 2), tmp_path, 2, quiet=True)
    html = page.read_text(encoding="utf-8")
    assert not re.search(r"\b(nan|inf|None)\b", html)
    for game in games().values():
        assert f"{game.title}: " in html
        assert all(number in html for number in game.readings)
    before = page.read_bytes()
    page.unlink()
    assert experiments.write_page(tmp_path).read_bytes() == before


def test_chunks_are_small_where_a_seat_searches():
    few, many = (
        batch.games_at_once([skill._arm(variant(players=4), [name, "greedy", "greedy", "greedy"])])
        for name in ("search:1600", "greedy")
    )
    assert few == batch.CHUNK_PLAYOUTS // 1601
    assert many > 1000
    assert batch.games_at_once([skill._arm(variant(players=4), ["search:1000000"] * 4)]) == 1


def test_speeds_count_each_table_however_seated():
    speeds = Speeds()
    seats = ["search:25", "greedy", "greedy", "greedy"]
    for at in range(4):
        speeds.add(skill._arm(variant(players=4), seats[-at:] + seats[:-at]), 10, 0.5)
    assert speeds.table() == [("suppose", 4, "greedy x3, search:25", 40, 20.0)]
