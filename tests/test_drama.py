"""The experiment drama: measures worked by hand, sums against a plain reading, words that follow the numbers."""

from itertools import pairwise

import numpy as np
import pytest

from simlib import experiments
from simlib.batch import Arm, play_whole
from simlib.estimates import Estimate
from simlib.experiments import Request
from simlib.games import game_named, make_variant
from simlib.hooks import seated
from simlib.measures import joint_sums
from simlib.results import Results
from simlib.survey import DECENT, KINDS, WEAK, Cell

drama = experiments.experiment_named("drama")


def tension(standings, wins):
    found = drama.tension(np.array([standings]), np.array([len(standings)]), np.array([wins], bool))
    return {name: int(values[0]) for name, values in found.items()}


def test_a_game_worked_by_hand():
    """Three seats, four tricks: seat 0 wins from behind, led by seats 1, both, then 2."""
    told = tension([[0, 1, 0], [2, 2, 1], [2, 2, 3], [4, 2, 3]], [1, 0, 0])
    assert (told["moments"], told["behind"], told["secure"]) == (3, 2, 1)
    assert told["severity"] == 2 * round(1000 * (0.75 - 0.5) ** 0.5)  # one seat ahead of it: rank 1/2, threshold 3/4
    assert (told["changes"], told["steps"]) == (2, 3)  # 1, level, 2, 0
    assert told["settled"] == 750 and told["last"] == 1
    assert told["leader_5"] == 30 and told["leader_1"] == 20 and told["leader_9"] == 0


def test_a_game_that_its_winner_leads_all_along():
    told = tension([[1, 0], [2, 0], [2, 1]], [1, 0])
    assert told["behind"] == told["severity"] == told["changes"] == told["settled"] == told["last"] == 0
    assert told["leader_4"] == 60


def test_tricks_that_were_not_played_count_for_nothing():
    short = drama.tension(np.array([[[1, 0], [1, 2], [9, 0]]]), np.array([2]), np.array([[False, True]]))
    assert (short["moments"][0], short["behind"][0], short["changes"][0], short["settled"][0]) == (1, 1, 1, 500)


def test_shared_wins_count_for_each_winner():
    told = tension([[1, 0, 0], [1, 1, 0]], [1, 1, 0])
    assert (told["moments"], told["behind"], told["last"]) == (2, 1, 0)


def plain_changes(points):
    """Count lead changes of one game from its points after each trick."""
    leaders = [[seat for seat, score in enumerate(row) if score == max(row)] for row in points]
    alone = [seats[0] for seats in leaders if len(seats) == 1]
    return sum(one != other for one, other in pairwise(alone))


@pytest.mark.kernel
def test_lead_changes_are_those_of_records():
    made = make_variant(game_named("gara_tori"))
    known = game_named("gara_tori").module("players").PLAYERS
    games = play_whole(Arm(made, (seated("random", known, "test"),) * 4), 4, 0, 12)
    counts, records = drama.count(games, made), game_named("gara_tori").module("records")
    for number in range(12):
        taken, points = [dict.fromkeys("RBGY", 0) for _ in range(4)], []
        for trick in records.result(made, games.tables[number], games.secrets[number])["rounds"][0]["tricks"]:
            for _, card in trick["plays"]:
                taken[trick["winner"]][card[0]] += 1
            points.append([max(own.values()) for own in taken])
        assert counts["changes"][number] == plain_changes(points)


def test_the_variance_between_cards_is_unbiased_of_chance():
    """Shares are card + noise: the variance of 0, 1, 2, 3 is 5/3, and pure noise has none."""
    hands, games = 400, 100
    number = np.arange(hands * games).reshape(hands, games)
    cards = number * 7919 // 13 % 4
    noise = (number * 2654435761 // 1009) % 1000 / 1000 - 0.5
    assert drama.variances(cards, cards + 4 * noise).mean() == pytest.approx(5 / 3, rel=0.05)
    assert drama.variances(cards, 4 * noise).mean() == pytest.approx(0, abs=0.02)


def cells(settled, games=60, kinds=KINDS, flip=False):
    made, found = make_variant(game_named("suppose")), []
    noise = np.arange(games) % 3 * 10
    for kind in kinds:
        part = 1000 - settled if flip and kind == WEAK else settled
        table = {name: np.ones(games, np.int64) for name in drama.names(made)} | {"settled": part + noise}
        sums = joint_sums(np.stack([table[name] for name in drama.names(made)], axis=1))
        found.append(Cell(drama.SURVEY, sums, "Suppose, 4 players", made, kind))
    return found


def test_words_follow_the_numbers():
    assert "70." in drama.answer(cells(700), cells(700), ()).headline.replace("71.0", "70.")
    assert "in the second half for weak" in drama.late_words(cells(700))
    assert "in the first half for weak" in drama.late_words(cells(200))
    assert "It flips" in drama.late_words(cells(700, flip=True))
    assert "It flips" not in drama.late_words(cells(700))
    assert "undecided" in drama.half_words(Estimate(0.5, 0.2, 0.8, 4, ""))
    assert drama.half_words(Estimate(0.5, 0.49, 0.51, 900, "")) == "about half way"


@pytest.mark.parametrize(("won", "order"), [(60, 0.0), (240, 1.0), (105, 0.25)])
def test_order_is_the_gain_over_a_fair_share(won, order):
    """Four seats in turn won so many 60ths together."""
    noise = np.arange(60) % 3 - 1
    run = Results("drama", {}, {f"order | x | {DECENT.text}": joint_sums((won + noise)[:, None])})
    made = make_variant(game_named("suppose"))
    assert drama.order_of(run, "x", made, DECENT).value == pytest.approx(order)


def test_order_words_say_when_they_flip():
    one, two = cells(500, kinds=KINDS[:2])
    more, less = Estimate(0.3, 0.2, 0.4, 9, ""), Estimate(-0.3, -0.4, -0.2, 9, "")
    assert "It flips" in drama.order_words("x", [(one, more), (two, less)])
    assert "It flips" not in drama.order_words("x", [(one, more), (two, more)])
    assert "undecided" in drama.order_words("x", [(one, Estimate(0, -1, 1, 9, ""))])


def test_the_plan_plays_every_seat_in_turn():
    plan = drama.plan(Request(20, 1, {"players": 4}, game="suppose"))
    orders = [study for study in plan.studies if study.key.startswith("order")]
    assert all(len(study.arms) == 4 for study in orders)
    for seat, arm in enumerate(orders[0].arms.values()):
        assert [player.text for player in arm.players].index(DECENT.text) == seat
