"""The experiment player_counts: its counts are the records', its words follow the numbers."""

import json

import numpy as np
import pytest

from simlib import batch, experiments, records, results
from simlib.batch import Arm
from simlib.errors import BadInput
from simlib.experiments import Request
from simlib.games import game_named, games, make_variant
from simlib.hooks import seated
from simlib.measures import joint_sums

NAME = "player_counts"
audit = experiments.experiment_named(NAME)


def variant(game="gara_tori", **settings):
    return make_variant(game_named(game), settings={key.replace("__", "."): value for key, value in settings.items()})


def counts(made, games, points=5.0, sole=0.75, leader=0.25):
    """Return counts of games with these points a seat, share of sole winners and of tricks won by leaders."""
    seats, noise = made.parameters.players, np.arange(games) % 2
    own = {name: 0 for name in audit.names(made)}
    own |= {"points": np.rint(seats * points * 100).astype(int) + 100 * noise, "gap": 300 + noise, "lead": 100 + noise}
    own |= {"sole": np.arange(games) < sole * games, "start": 60, "tricks": 1000, "rounds": 1, "cards": 40}
    own |= {"won_0": round(1000 * leader) + noise, "led": seats * (round(1000 * leader) + noise)}
    own |= {"leader_plays": 10, "leader_choices": 55 + noise, "follower_plays": 30, "follower_choices": 80 + noise}
    own |= {"seats": 100 * seats, "units": 100}
    columns = [np.zeros(games, np.int64) + np.asarray(own[name]).astype(np.int64) for name in audit.names(made)]
    return joint_sums(np.stack(columns, axis=1))


def made(games=400, most=None, game="gara_tori", weak=None, **settings):
    """Return a result of one game where the most players have other figures."""
    request = Request(400, 1, settings, command="make it", game=game)
    plan = audit.plan(request)
    last = list(plan.variants)[-1]
    summaries = {}
    for study in plan.studies:
        label, _, kind = study.key.partition(" | ")
        other = weak if weak and kind == "random" else most
        summaries[study.key] = counts(plan.variants[label], games, **((other or {}) if label == last else {}))
    summaries = {key: {name: np.asarray(array) for name, array in part.items()} for key, part in summaries.items()}
    return results.Results(NAME, experiments._facts(audit, plan, request), summaries)


def found(run):
    return {finding.key: finding for finding in audit.findings(run)}


@pytest.mark.kernel
@pytest.mark.parametrize("game", games())
def test_counts_are_those_of_the_records(game):
    own = variant(game)
    players = game_named(game).module("players").PLAYERS
    arm = Arm(own, (seated("greedy", players, "players"),) * own.parameters.players)
    counted = audit.count(batch.play_arm(arm, 5, 0, 10), own)
    unit, seats = getattr(own.parameters, "unit", 1), own.parameters.players
    for number, line in enumerate(records.written(arm, 5, 10)):
        record = json.loads(line)
        tricks = [trick for round_ in record["rounds"] for trick in round_["tricks"]]
        places = [[seat for seat, *_ in trick["plays"]].index(trick["winner"]) for trick in tricks]
        scores, winners = sorted(record["scores"]), record["winners"]
        expected = {
            "points": unit * sum(scores),
            "gap": unit * (scores[-1] - scores[0]),
            "lead": unit * (scores[-1] - scores[-2]),
            "sole": len(winners) == 1,
            "start": seats * (60 // len(winners)) * (tricks[0]["leader"] in winners),
            "rounds": len(record["rounds"]),
            "cards": seats * len(tricks),
            "tricks": len(tricks),
            "led": seats * places.count(0),
        }
        assert {name: counted[name][number] for name in expected} == expected
        assert [counted[f"won_{place}"][number] for place in range(seats)] == [places.count(p) for p in range(seats)]


@pytest.mark.parametrize(
    ("most", "games", "words"),
    [
        ({"points": 9.0}, 400, "4 to 6 players: most changes points a seat and game, from 5.1"),
        ({"points": 1.0}, 400, "most changes points a seat and game, from 5.1"),
        ({"sole": 0.2}, 400, "n = 400) to 20 % (95 % interval 16 to 24, n = 400): \u221255 points of a per cent"),
        ({"sole": 0.5}, 2, "nothing changes clearly"),
    ],
)
def test_the_headline_names_what_changes_most(most, games, words):
    fair = {"leader": 0.25 * 4 / 6}  # the same in fair shares
    assert words in found(made(games, fair | most))["answer"].headline


def test_the_audit_says_what_rises_falls_stays_and_is_open():
    told = found(made(40_000, {"points": 9.0, "sole": 0.2}))["gara_tori"]
    words = dict(part.split(": ") for part in told.headline.rstrip(".").partition("(greedy): ")[2].split("; "))
    assert "points a seat and game" in words["up"]
    assert "sole winners" in words["down"]
    assert "first less last" in words["much the same"]
    swapped = found(made(40_000, {"points": 1.0, "sole": 0.9}))["gara_tori"].headline
    assert "down: points a seat and game" in swapped


def test_a_change_that_flips_between_players_says_so():
    told = found(made(400, {"points": 9.0}, weak={"points": 1.0}))["gara_tori"].text[0]
    assert "It flips: lower for weak (random); higher for decent" in told


def test_one_number_of_players_has_nothing_to_compare():
    told = found(made(players=5))
    assert told["answer"].headline == "Gara-tori: one number of players alone, so nothing to compare."
    assert told["gara_tori"].tables
    with pytest.raises(BadInput, match="players"):
        audit.plan(Request(10, 1, {"players": 9}, command="make it"))
