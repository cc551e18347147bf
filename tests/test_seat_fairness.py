"""The experiment seat_fairness: its counts are the records', its words follow the numbers, its check finds a fault."""

import json
from dataclasses import replace

import numpy as np
import pytest

from simlib import batch, experiments, records, results
from simlib.batch import Arm
from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.experiments import Request
from simlib.games import game_named, games, make_variant
from simlib.hooks import seated
from simlib.measures import joint_sums
from simlib.survey import PLAYED

NAME = "seat_fairness"
fairness = experiments.experiment_named(NAME)


def variant(game="gara_tori", **settings):
    return make_variant(game_named(game), settings={key.replace("__", "."): value for key, value in settings.items()})


def greedy(made):
    players = game_named(made.game).module("players").PLAYERS
    return Arm(made, (seated("greedy", players, "players"),) * made.parameters.players)


def counts(made, start=0.25, games=400, turned=0):
    """Return counts of games that one seat wins, the start seat with this chance; player 1 gets `turned` wins."""
    seats = made.parameters.players
    chances = np.array([start, *[(1 - start) / (seats - 1)] * (seats - 1)])
    wins = np.repeat(np.eye(seats, dtype=np.int64), np.rint(games * chances).astype(int), axis=0)
    wins = np.vstack([wins, np.eye(seats, dtype=np.int64)[: games - len(wins)]])
    moved = np.roll(wins, 1, axis=0)
    moved[:turned] = np.eye(seats, dtype=np.int64)[1]
    names = fairness.names(made)
    values = {name: np.zeros(len(wins), np.int64) for name in names} | {"units": 1, "rounds": 1}
    for place in range(seats):
        values |= {f"share_{place}": 60 * wins[:, place], f"points_{place}": 5 + wins[:, place]}
        values |= {f"round_{place}": 5 + wins[:, place], f"rotated_{place}": 60 * moved[:, place]}
    values["ahead"] = seats * values["points_0"] - sum(values[f"points_{place}"] for place in range(seats))
    return joint_sums(np.stack([np.zeros(len(wins), np.int64) + values[name] for name in names], axis=1))


def made(start=0.25, games=400, turned=0, weak=None, **settings):
    """Return a result of one game of four, greedy players with this win share of the start seat."""
    request = Request(400, 1, {"players": 4} | settings, command="make it", game="gara_tori")
    plan = fairness.plan(request)
    (played,) = plan.variants.values()
    summaries = {
        study.key: counts(played, weak if weak and "random" in study.key else start, games, turned)
        for study in plan.studies
    }
    summaries = {key: {name: np.asarray(array) for name, array in part.items()} for key, part in summaries.items()}
    return results.Results(NAME, experiments._facts(fairness, plan, request), summaries)


def found(run):
    return {finding.key: finding for finding in fairness.findings(run)}


# ---- counts --------------------------------------------------------------------------------------------------------


@pytest.mark.kernel
@pytest.mark.parametrize("game", games())
def test_counts_are_those_of_the_records(game):
    made = variant(game)
    arm = greedy(made)
    rows = batch.play_arm(arm, 5, 0, 12)
    counted = fairness.count(rows, made)
    written = [json.loads(line) for line in records.written(arm, 5, 12)]
    for number, record in enumerate(written):
        start = record["rounds"][0]["tricks"][0]["leader"]
        totals = record["scores"]
        seats = len(totals)
        unit = getattr(made.parameters, "unit", 1)
        places = [(start + place) % seats for place in range(seats)]
        assert [counted[f"points_{place}"][number] for place in range(seats)] == [totals[at] * unit for at in places]
        winners = record["winners"]
        shares = [60 // len(winners) * (at in winners) for at in places]
        assert [counted[f"share_{place}"][number] for place in range(seats)] == shares
        assert [counted[f"rotated_{player}"][number] for player in range(seats)] == [
            shares[(player + number) % seats] for player in range(seats)
        ]
        assert counted["ahead"][number] == unit * (seats * totals[start] - sum(totals))
        assert sum(counted[f"round_{place}"][number] for place in range(seats)) == sum(totals) * unit
        assert counted["rounds"][number] == len(record["rounds"]) * unit


@pytest.mark.kernel
def test_luck_is_zero_on_average_and_goes_with_points():
    made = variant("suppose")
    counted = fairness.count(batch.play_arm(greedy(made), 3, 0, 2000), made)
    luck = np.stack([counted[f"luck_{place}"] for place in range(4)])
    assert (luck.sum(axis=0) == 0).all()
    assert np.abs(luck.mean(axis=1)).max() < 4 * luck.std() / 2000**0.5


def test_chunks_begin_where_player_0_sits_at_the_start_seat():
    plan = fairness.plan(Request(10, 1, {}, command="make it"))
    assert all(study.unit == len(study.arms[PLAYED].players) for study in plan.studies)


# ---- words ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "games", "words"),
    [
        (0.4, 4000, "Starting helps in Gara-tori: the start seat wins 40"),
        (0.1, 4000, "Starting hurts in Gara-tori: the start seat wins 10"),
        (0.26, 400, "Whether starting helps or hurts is undecided in Gara-tori: the start seat wins"),
        (0.25, 400_000, "Starting makes no difference larger than 0.75 points of a per cent in Gara-tori"),
    ],
)
def test_the_headline_follows_the_start_seats_wins(start, games, words):
    told = found(made(start, games))
    assert words in told["answer"].headline
    assert "where 25 % is fair" in told["answer"].headline
    assert "(4 players, all greedy)" in told["answer"].headline


def test_a_finding_that_flips_between_players_says_so():
    told = found(made(0.4, 4000, weak=0.1))
    assert "It flips: lower for weak (random); higher for decent" in told["answer"].text[0]


@pytest.mark.parametrize(
    ("start", "games", "words"),
    [
        (0.4, 4000, "Win shares differ between places in Gara-tori with 4 players"),
        (0.25, 4000, "Win shares aren't told apart between places in Gara-tori with 4 players"),
        (0.25, 2, "Too few games in Gara-tori with 4 players"),
    ],
)
def test_places_are_called_different_only_by_the_joint_test(start, games, words):
    assert words in found(made(start, games))["places"].headline


def test_the_rotated_check_finds_players_that_dont_win_alike():
    assert "all players win alike, as they must" in found(made())["rotated"].headline
    assert "players don't win alike, as they must" in found(made(turned=150))["rotated"].headline
    assert found(made(games=2))["rotated"].headline == "Rotated start: too few games to check."


def test_suppose_must_be_fair_by_its_own_rules():
    cell = fairness.SURVEY.cells(made())[0]
    assert not fairness.goes_round(cell.variant)
    assert fairness.goes_round(variant("suppose"))
    assert not fairness.goes_round(variant("suppose", rounds=2))


def test_luck_taken_off_is_told_with_its_factor():
    told = found(made(0.4, 4000))["answer"].assumes
    assert "specials dealt in Gara-tori, 4 players: 1" in " ".join(told)
    assert fairness.headline_figure(made(0.4, 4000)).savings[0].factor == 1


def test_p_values_are_written_as_people_do():
    assert [fairness.p_text(p) for p in (0.5, 0.04, 0.004, 1e-7, float("nan"))] == [
        "p = 0.50", "p = 0.040", "p = 0.0040", "p < 0.0001", "no p: too few games"
    ]  # fmt: skip


# ---- requests ------------------------------------------------------------------------------------------------------


def test_a_number_of_players_that_no_game_has_is_one_line():
    with pytest.raises(BadInput, match="players"):
        fairness.plan(Request(10, 1, {"players": 9}, command="make it"))


def test_variants_of_one_game_are_planned_and_estimates_are_known():
    run = made(**{"deck.ranks": 14})
    headline = fairness.headline_figure(run)
    assert isinstance(headline.estimate, Estimate)
    assert headline.percent
    swapped = replace(run, summaries={key: counts(variant(deck__ranks=14), 0.6) for key in run.summaries})
    assert fairness.headline_figure(swapped).estimate.value > headline.estimate.value
