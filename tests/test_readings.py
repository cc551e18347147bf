"""The experiment readings: every reading has its place, arms differ by it alone, words follow the numbers."""

import json

import numpy as np
import pytest

from simlib import batch, experiments, records, results
from simlib.batch import Arm
from simlib.estimates import Estimate
from simlib.experiments import Request
from simlib.games import game_named, games, make_variant
from simlib.hooks import seated
from simlib.measures import joint_sums
from simlib.survey import PLAYED

NAME = "readings"
readings = experiments.experiment_named(NAME)


def variant(game="suppose", **settings):
    return make_variant(game_named(game), settings={key.replace("__", "."): value for key, value in settings.items()})


def greedy(made):
    players = game_named(made.game).module("players").PLAYERS
    return Arm(made, (seated("greedy", players, "players"),) * made.parameters.players)


def counts(made, gaps, games):
    """Return counts of games whose gap differs by this much in the arms named so."""
    noise, values = np.arange(games) % 2, []
    for arm in readings.arms(made):
        own = {name: np.zeros(games, np.int64) for name in readings.names(made)}
        own |= {"points": 80 + noise, "gap": 100 * np.ones(games) + round(100 * gaps.get(arm, 0)) + noise}
        own |= {"start": 15 + 0 * noise, "choices": 600, "plays": 100, "seats": 400, "units": 100}
        own["moved"] = (np.arange(games) % 4 == 0) * bool(gaps.get(arm, 0))
        values += [np.zeros(games, np.int64) + np.asarray(own[name]).astype(np.int64) for name in readings.names(made)]
    return joint_sums(np.stack(values, axis=1))


def made(gaps=None, games=400, game="suppose", **settings):
    """Return a result of one game of four with these changes of the gap between first and last, by arm."""
    request = Request(400, 1, {"players": 4} | settings, command="make it", game=game)
    plan = readings.plan(request)
    (played,) = plan.variants.values()
    summaries = {study.key: counts(played, gaps or {}, games) for study in plan.studies}
    summaries = {key: {name: np.asarray(array) for name, array in part.items()} for key, part in summaries.items()}
    return results.Results(NAME, experiments._facts(readings, plan, request), summaries)


def found(run):
    return {finding.key: finding for finding in readings.findings(run)}


# ---- arms and counts -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", games())
def test_every_reading_is_varied_scored_anew_a_name_or_counted(game):
    own = variant(game)
    for reading in game_named(game).readings:
        told = [
            reading in readings.PARAMETERS,
            reading in readings.ANEW,
            reading in readings.NAMING,
            reading in readings.names(own),
        ]
        assert sum(told) == 1, reading


@pytest.mark.parametrize("game", games())
def test_an_arm_differs_by_its_reading_alone(game):
    own = variant(game)
    for arm, other in readings.arms(own).items():
        changed = {key for key, value in other.flat().items() if value != own.flat()[key]}
        reading = readings.reading_of(arm)
        if arm == PLAYED or reading in readings.ANEW:
            assert not changed
        elif readings.same_deals(arm):
            assert changed == {readings.PARAMETERS[reading].key}
        else:
            assert readings.PARAMETERS[reading].key in changed <= set(readings._WITH_DECK)


@pytest.mark.parametrize(
    ("game", "settings", "arms"),
    [
        ("suppose", {}, {"S1 = 0", "S1 = 2", "S3 = bonus to who won the tricks"}),
        ("suppose", {"bid__min_guesses": 2}, {"S1 = 0", "S1 = 1", "S3 = bonus to who won the tricks"}),
        ("gara_tori", {}, {"G1 = sixty", "G2 = false", "G3 = false"}),
        ("gara_tori", {"deck__ranks": 20}, {"G2 = false", "G3 = false"}),
        ("gara_tori", {"hand__size": 16, "players": 4}, {"G2 = false", "G3 = false"}),
        ("take_trick", {"deck__preset": "nine"}, {"T1 = six", "T2 = giver", "T3 = forfeit"}),
        ("take_trick", {"deck__copies": 5}, {"T2 = giver", "T3 = forfeit"}),
    ],
)
def test_other_values_are_those_that_fit_the_variant(game, settings, arms):
    assert set(readings.arms(variant(game, **settings))) - {PLAYED} == arms


@pytest.mark.kernel
def test_scores_with_the_bonus_to_who_won_the_tricks_are_those_of_the_records():
    own = variant()
    arm = greedy(own)
    scores, wins = readings.scored_anew(batch.play_arm(arm, 4, 0, 10), own)
    for line, anew, shares in zip(records.written(arm, 4, 10), scores, wins, strict=True):
        expected = [0] * 4
        for round_ in json.loads(line)["rounds"]:
            won = [sum(trick["winner"] == seat for trick in round_["tricks"]) for seat in range(4)]
            for hand in round_["hands"]:
                maker, holder = hand["maker"], hand["holder"]
                expected[maker] += won[maker]
                expected[holder] += {1: 5, 2: 2}[len(hand["bid"])] * (won[holder] in hand["bid"])
        assert anew.tolist() == expected
        assert [bool(share) for share in shares] == [score == max(expected) for score in expected]


@pytest.mark.kernel
def test_winners_that_change_are_counted_against_the_game_as_played():
    own = variant("take_trick")
    arms = readings.arms(own)
    rows = {name: batch.play_arm(greedy(each), 3, 0, 40) for name, each in arms.items()}
    sums = readings.SURVEY.sums(rows, own)
    names = [(arm, name) for arm in arms for name in readings.names(own)]
    total = dict(zip(names, sums["sums"].tolist(), strict=True))
    wins = {name: each[:, [4, 5, 6, 7]].tolist() for name, each in rows.items()}
    for arm in arms:
        different = sum(one != other for one, other in zip(wins[arm], wins[PLAYED], strict=True))
        assert total[arm, "moved"] == different
    assert total[PLAYED, "plays"] == rows[PLAYED][:, [8, 10]].sum()


# ---- words ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gaps", "games", "words"),
    [
        ({"S1 = 2": 1}, 400, "S1 = 2 matters; S1 = 0 and S3 = bonus to who won the tricks change little on average"),
        ({"S1 = 2": -1}, 400, "Most changes with S1 = 2: first less last, points a game by \u22121 point"),
        ({}, 400, "change little on average"),
        ({"S1 = 2": 1}, 2, "are undecided"),
    ],
)
def test_the_headline_follows_the_changes(gaps, games, words):
    assert words in found(made(gaps, games))["answer"].headline


def test_swapped_arms_swap_the_words():
    one, other = (found(made({arm: 1}))["suppose"].headline for arm in ("S1 = 0", "S1 = 2"))
    assert "S1 = 0 matters" in one
    assert "S1 = 2 changes nothing at all" in one
    assert "S1 = 2 matters" in other


def test_a_change_that_no_interval_puts_beyond_small_is_not_called_one_that_matters():
    wide, narrow = Estimate(0.4, -0.1, 0.9, 90, ""), Estimate(0.4, 0.3, 0.5, 90, "")
    assert not readings.clearly(readings.GAP, wide)
    assert readings.clearly(readings.GAP, narrow)


def test_readings_that_are_names_or_stand_firm_are_said_to_be():
    told = found(made(game="take_trick"))["firm"].headline
    assert "Only about naming, so that nothing hangs on it: T7 and T9." in told
    assert "T4, T5, T6, T8, T10 and T11 in none" in told
    table = found(made())["answer"].tables[0].frame
    assert table.set_index("reading")["here"].to_dict() == {
        "S1": "varied", "S2": "a name", "S3": "scored anew", "S4": "a name"
    }  # fmt: skip


def test_the_headline_figure_is_not_picked_by_what_came_out():
    labels = {readings.headline_figure(made({arm: -2})).label for arm in ("S1 = 0", "S1 = 2")}
    assert labels == {"points a seat and game, S1 = 0 less as played (greedy, Suppose, 4 players)"}
