"""The experiment take_trick_target: its counts are those of a plain reading, its words follow the numbers."""

import numpy as np
import pandas as pd
import pytest

from simlib import batch, experiments
from simlib.errors import BadInput
from simlib.experiments import Request
from simlib.games import game_named, make_variant
from simlib.measures import joint_sums
from simlib.survey import DECENT, PLAYED, STRONG, TRAINED, WEAK, Cell

target = experiments.experiment_named("take_trick_target")
GAME = game_named(target.GAME)


def variant(**settings):
    return make_variant(GAME, settings={key.replace("__", "."): value for key, value in settings.items()})


def shares_of(scores, goal):
    reached = [score for score in scores if score >= goal]
    best = min(reached) if reached else max(scores)
    winners = [score == best for score in scores]
    return [60 // sum(winners) * won for won in winners]


def rank_share(before, shares, rank):
    """Return the share of the seat with this rank: seats that are level take each order with the same chance."""
    own = sorted(before, reverse=True)[rank]
    level = [share for score, share in zip(before, shares, strict=True) if score == own]
    return 60 * sum(level) // len(level)


def plain_counts(row, players, goal):
    seats = range(players)
    scores, last = [row[f"score_{s}"] for s in seats], row["rounds"] - 1
    shares = shares_of(scores, goal)
    past = [s for s in seats if scores[s] >= goal]
    gain = {s: shares_of([score - (t == s) for t, score in enumerate(scores)], goal)[s] - shares[s] for s in seats}
    before = [row[f"round_score_{last - 1}_{s}"] for s in seats] if last else [0] * players
    ahead, second = (rank_share(before, shares, rank) * (last > 0) for rank in (0, 1))
    found = {
        "reached": int(bool(past)), "overshot": int(any(shares[s] == 0 for s in past)),
        "excess": min(scores[s] for s in past) - goal if past else 0, "less_past": sum(gain[s] for s in past),
        "past": len(past), "less": sum(gain.values()), "later": int(last > 0), "ahead": ahead, "second": second,
        "lead": ahead - second, "rounds": row["rounds"],
    }  # fmt: skip
    found |= {f"reached_{r}": int(bool(past) and row["rounds"] == r) for r in (1, 2, 3)}
    for at in range(9):
        own = [s for s in seats if last and min((goal - before[s] - 1) // 3, 8) == at]
        found |= {f"missing_seats_{at}": len(own), f"missing_wins_{at}": sum(shares[s] for s in own)}
    for short in range(1, 6):
        there = [r for r in range(last + 1) if any(row[f"round_score_{r}_{s}"] >= goal - short for s in seats)]
        found |= {f"path_reached_{short}": int(bool(there)), f"path_rounds_{short}": min([*there, last]) + 1}
    return found


@pytest.mark.kernel
@pytest.mark.parametrize(("kind", "players", "goal"), [(DECENT, 4, 25), (WEAK, 6, 8), (TRAINED, 3, 15)])
def test_counts_equal_a_plain_reading(kind, players, goal):
    made = variant(players=players, score__target=goal)
    arm = target.SURVEY.studies({"x": made}, 1)[target.SURVEY.kinds.index(kind)].arms[PLAYED]
    rows = batch.play_arm(arm, 3, 0, 150)
    ours = target.count(rows, made)
    frame = pd.DataFrame(rows, columns=batch.columns_of(made)).astype(int)
    plain = pd.DataFrame([plain_counts(row, players, goal) for row in frame.to_dict("records")])
    assert set(ours) == set(target.names(made)) == {*plain, "seats"}
    for name in plain:
        assert np.asarray(ours[name]).astype(int).tolist() == plain[name].tolist(), name


def cell(kind=DECENT, games=400, reached=0.7, lead=1, arm_overshot=0.3, further=0, times=1):
    """Return a cell of made-up counts: how many games reach the target, and whether who is ahead wins more.

    All games were played so many `times`.
    """
    made = variant()
    noise = np.arange(games) % 2 * 2 - 1
    base = dict.fromkeys(target.names(made), 0) | {
        "reached": np.arange(games) < reached * games, "overshot": np.arange(games) < 0.3 * games, "later": 1,
        "seats": 4, "rounds": 3, "ahead": 900 * (2 + lead + noise), "second": 900 * (2 + noise), "past": 1,
        "lead": 900 * (lead + 2 * noise), "less_past": 6 * (lead + noise), "less": noise,
        "reached_3": np.arange(games) < reached * games, "missing_seats_0": 2, "missing_seats_1": 2,
        "missing_wins_0": 40 + noise, "missing_wins_1": 40 + 10 * further + 2 * noise,
    }  # fmt: skip
    other = base | {"overshot": np.arange(games) < arm_overshot * games}
    filled = [base, *[other] * (len(target.arms(made)) - 1)]
    values = [np.zeros(games, np.int64) + arm[name] for arm in filled for name in target.names(made)]
    sums = {name: times * part for name, part in joint_sums(np.stack(values, axis=1)).items()}
    return Cell(target.SURVEY, sums, "4 players", made, kind)


def said(finding):
    return " ".join([finding.headline, *finding.text])


@pytest.mark.parametrize(
    ("reached", "words"),
    [(0.7, "Most games reach the target"), (0.2, "Most games end without it"), (0.5, "Undecided for all")],
)
def test_it_says_whether_most_games_reach_the_target(reached, words):
    found = target.answer([cell(reached=reached)], ())
    assert f"Somebody reaches 25 points in {100 * reached:.0f} %" in found.headline
    assert words in said(found)


def test_a_flip_between_kinds_is_said():
    cells = [cell(WEAK, reached=0.1), cell(reached=0.9)]
    assert "It flips: most games end without it for weak (random); most games reach" in said(target.answer(cells, ()))


def test_one_game_decides_nothing():
    one = [cell(games=1)]
    assert "Undecided for all kinds" in said(target.answer(one, ()))
    assert target.stalling(one).headline.startswith("Undecided whether")


@pytest.mark.parametrize(
    ("lead", "words", "less"),
    [
        (1, "No: ", "would win more often"),
        (-1, "Yes: ", "would win less often"),
        (0, "Undecided whether", "might win more or less"),
    ],
)
def test_whether_holding_back_pays_follows_the_lead(lead, words, less):
    found = target.stalling([cell(lead=lead)])
    assert found.headline.startswith(words)
    assert f"a seat at or past the target {less}" in found.text[0]


@pytest.mark.parametrize(
    ("further", "start", "words"),
    [
        (1, "Close to the target", "4 to 6 short of the target wins more than 1 to 3 for all"),
        (-1, "No: ", "1 to 3 short of the target wins more than 4 to 6 for all"),
        (0, "No: ", "No difference larger than 1 point of a per cent for all"),
    ],
)
def test_close_to_the_target_it_may_pay_to_be_further_off(further, start, words):
    found = target.stalling([cell(further=further, times=10)])
    assert found.headline.startswith(start)
    assert words in said(found)


def test_overshooting_says_what_another_target_changes():
    assert "Target 35: Higher for all kinds" in said(target.overshooting([cell(arm_overshot=0.6)]))
    assert "Target 35: Lower for all kinds" in said(target.overshooting([cell(arm_overshot=0.1)]))
    same = said(target.overshooting([cell(times=10, arm_overshot=0.302)]))
    assert "No difference larger than 1 point of a per cent" in same


def test_the_target_as_played_is_no_other_arm():
    made = variant(score__target=20)
    assert [target.target_of(arm) for arm in target.arms(made).values()] == [20, 15, 25, 30, 35]


def test_rounds_beyond_the_fourth_are_told_together():
    assert [figure.label for figure in target.round_figures(variant(rounds__max=6))][-1] == "round 4 or later"


def test_one_round_alone_is_refused():
    with pytest.raises(BadInput, match=r"rounds\.max = 1"):
        target.plan(Request(10, 1, {"rounds.max": 1}))


def test_each_target_is_read_from_the_next_one_that_was_played():
    told = target.paths(cell())
    assert list(told) == list(range(11, 36))
    assert (told[25], told[24], told[26]) == ((PLAYED, 0), (PLAYED, 1), ("target 30", 4))


def sources_of(found):
    """Return the shares that the page's sliders give by target, for each kind of player."""
    [lines] = found.whatif.groups.values()
    return {line.name: dict(zip(found.whatif.sliders[0].values, line.sources[0], strict=True)) for line in lines}


def test_the_slider_says_what_the_page_says_and_tells_search_only_where_it_played():
    found = sources_of(target.answer([cell(), cell(STRONG)], ()))
    assert found["greedy"][25] == cell().figure(target.REACHED)
    assert found["greedy"][24].value == 0  # none of the made-up games reaches it on its path
    assert [at for at, share in found["search:25"].items() if share.known] == [15, 20, 25, 30, 35]


def test_how_far_paths_are_off_is_said():
    told = target.off_words([cell()])
    assert "4 pairs" in told
    assert "they say \u221270 points of a per cent" in told  # paths that reach nothing, against 70 % of the games
