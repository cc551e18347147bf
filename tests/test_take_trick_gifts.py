"""The experiment take_trick_gifts: its words follow the numbers, its sums are those of the rows."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from simlib import batch, experiments, results
from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.estimates.means import mean
from simlib.estimates.paired import difference, difference_of_ratios
from simlib.experiments import Request
from simlib.games import game_named, make_variant
from simlib.games.take_trick import measures
from simlib.measures import joint_sums
from simlib.survey import DECENT, PLAYED, STRONG, TRAINED, WEAK, Cell

NAME = "take_trick_gifts"
gifts = experiments.experiment_named(NAME)
GAME = game_named(gifts.GAME)


def variant(**settings):
    return make_variant(GAME, settings={key.replace("__", "."): value for key, value in settings.items()})


def summary(played, other=None):
    """Return sums as if each game had these counts, in the arm as played and in the two others."""
    names = measures.COUNTS
    filled = [{name: np.zeros(len(played["points"]), np.int64) for name in names} | arm for arm in (
        played, other or played, other or played)]  # fmt: skip
    values = np.stack([np.asarray(arm[name]) for arm in filled for name in names], axis=1)
    return joint_sums(values)


def counts(gap=0, games=100, **changes):
    noise = np.arange(games) % 2 * 2 - 1
    made = {
        "rounds": 3, "tricks": 30, "offered": 9, "accepted": 4, "forced": 2, "refused": 3, "points": 60 + noise,
        "gift_points": 8 + noise, "penalties": 4, "owed": 30 + 30 * noise, "later_rounds": 2, "leading": -60 * gap,
        "trailing": 60 * gap, "gap": 120 * gap + 60 * noise,
    }  # fmt: skip
    return {name: np.zeros(games, np.int64) + value for name, value in (made | changes).items()}


def cell(played, other=None, kind=DECENT):
    return Cell(gifts.SURVEY, summary(played, other), "classic, 4 players", variant(), kind)


# ---- words ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gap", "words"), [(1, "they help the seat that trails"), (-1, "the seat that leads"), (0, "is undecided (")]
)
def test_the_headline_says_whom_gifts_help(gap, words):
    said = gifts.answer_words([cell(counts(gap))])
    assert words in said
    assert said.startswith("Gifts bring 13.3 % (95 % interval")
    assert "50 % (95 % interval 40 to 60, n = 100) of the wins" in said


def test_the_headline_changes_with_the_share():
    assert gifts.answer_words([cell(counts(gift_points=30 + np.arange(100) % 3))]).startswith("Gifts bring 51")


def test_a_leader_that_gains_more_is_told_as_a_positive_number():
    said = gifts.kingmaking([cell(counts(-1))]).headline
    assert re.search(r"1\.0\d? points a round \(95 % interval 0\.\d+ to 1\.\d+", said), said


def test_too_few_games_are_undecided():
    said = gifts.answer_words([cell(counts(games=1))])
    assert said == "Undecided: too few games to say what gifts are worth (only one game; greedy, classic, 4 players)."


def test_kingmaking_says_when_it_flips():
    cells = [cell(counts(-1), kind=WEAK), cell(counts(1)), cell(counts(0), kind=TRAINED)]
    found = gifts.kingmaking(cells)
    assert found.headline.startswith("Gifts help the seat that trails")
    assert found.text == (
        "In classic, 4 players: It flips: gifts help the seat that leads for weak (random); gifts help the seat that "
        "trails for decent (greedy); undecided for decent (trained).",
    )


def test_readings_say_how_the_share_changes():
    played = counts()
    same, lower = cell(played), cell(played, counts(gift_points=4 + np.arange(100) % 3))
    assert "the share of gift points is exactly the same" in gifts.readings([same]).headline
    noisy = cell(played, counts(gift_points=8 + np.roll(np.arange(100) % 5 - 2, 1)))
    assert "undecided whether the share of gift points changes" in gifts.readings([noisy]).headline
    said = gifts.readings([lower]).headline
    assert said.startswith("With gift.penalty_falls_on = giver (T2) the share of gift points is lower")
    assert "With gift.extra = forfeit (T3) the share of gift points is lower" in said


def test_readings_are_turned_from_what_the_variant_has():
    assert gifts.other_way(variant(gift__extra="forfeit"), "T3") == "together"
    arms = gifts.readings_of(variant(gift__extra="forfeit"))
    assert [arms[name].flat()["gift.extra"] for name in ("played", "T2", "T3")] == ["forfeit", "forfeit", "together"]
    assert arms["T2"].flat()["gift.penalty_falls_on"] == "giver"


# ---- what is played ------------------------------------------------------------------------------------------------


def chosen(file=None, **settings):
    request = Request(10, 1, {key.replace("__", "."): value for key, value in settings.items()}, file)
    found, left_out = gifts.chosen_variants(request)
    return list(found), left_out, found


def test_all_presets_and_numbers_of_seats_are_played():
    labels, left_out, found = chosen()
    assert labels == [f"{preset}, {count} players" for preset in ("classic", "nine") for count in (3, 4, 5, 6)]
    assert {each.name for each in found.values()} == {"classic", "nine"}
    assert not left_out


def test_strong_players_play_the_first_four_player_preset_alone():
    studies = gifts.SURVEY.studies(chosen()[2], 3000)
    assert [study.key for study in studies if STRONG.text in study.key] == ["classic, 4 players | search:25"]
    assert len(studies) == 3 * 8 + 1


def test_a_setting_applies_to_all():
    _, left_out, found = chosen(gift__points=2)
    assert len(found) == 8 and not left_out
    assert {each.parameters.gift.points for each in found.values()} == {2}


def test_fixed_players_leave_one_number_of_seats():
    assert chosen(players=5)[0] == ["classic, 5 players", "nine, 5 players"]


def test_a_fixed_deck_leaves_one_preset_and_says_so(tmp_path):
    labels, left_out, _ = chosen(deck__preset="nine", players=3)
    assert labels == ["nine, 3 players"]
    assert left_out == ["Presets are not compared: deck.preset is set."]
    file = tmp_path / "mine.toml"
    file.write_text('base = "nine"\n[gift]\npoints = 2\n')
    labels, left_out, found = chosen(file)
    assert labels == [f"mine, {count} players" for count in (3, 4, 5, 6)]
    assert left_out == ["Presets are not compared: the variant file says which deck is played."]
    assert all(each.parameters.deck.ranks == 9 for each in found.values())


def test_what_does_not_fit_is_said():
    labels, left_out, _ = chosen(hand__size=12)
    assert labels == ["classic, 3 players", "classic, 4 players", "nine, 3 players", "nine, 4 players"]
    assert len(left_out) == 4 and all("hand.size = 12" in sentence for sentence in left_out)
    assert "the same game" in chosen(deck__ranks=6, deck__copies=3, trump__ranks=[2, 3], players=4)[1][0]


def test_what_never_fits_is_refused():
    with pytest.raises(BadInput, match=r"hand\.size"):
        chosen(hand__size=40)


# ---- sums ----------------------------------------------------------------------------------------------------------


def played_rows(kind, players, games=300, **settings):
    made = variant(players=players, **settings)
    own = next(each for each in gifts.SURVEY.kinds if each.text == kind)
    study = gifts.SURVEY.studies({"x": made}, 1)[gifts.SURVEY.kinds.index(own)]
    rows = batch.play_arm(study.arms[PLAYED], 3, 0, games)
    return made, rows, pd.DataFrame(rows, columns=batch.columns_of(made)).astype(int)


def wins_of(scores, target):
    reached = [score for score in scores if score >= target]
    best = min(reached) if reached else max(scores)
    return [score == best for score in scores]


def counts_of(row, players, target):
    """Return a game's counts from its row, one seat at a time."""
    seats = range(players)
    scores, points = [row[f"score_{s}"] for s in seats], [row[f"gift_points_{s}"] for s in seats]
    won, owed, all_owed, moved, spoiled = sum(row[f"win_{s}"] for s in seats), 0, True, 0, 0
    without_all = wins_of([score - point for score, point in zip(scores, points, strict=True)], target)
    for s in seats:
        alone = wins_of([score - points[s] * (t == s) for t, score in enumerate(scores)], target)[s]
        owed += 60 // won * (row[f"win_{s}"] and not alone)
        moved += 60 // won * (row[f"win_{s}"] and not without_all[s])
        all_owed &= not (row[f"win_{s}"] and alone)
        spoiled |= not row[f"win_{s}"] and alone
    return {
        "points": sum(scores), "gift_points": sum(points), "penalties": sum(row[f"penalties_{s}"] for s in seats),
        "owed": owed, "owed_all": moved, "owed_ended": int(row["ended_by_gift"] and all_owed),
        "spoiled": int(spoiled), "later_rounds": row["rounds"] - 1,
    }  # fmt: skip


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("kind", "players", "settings"),
    [("random", 3, {}), ("greedy", 4, {}), ("greedy", 6, {"gift__points": 3}), ("random", 5, {"score__target": 9})],
)
def test_counts_equal_a_plain_count_of_the_rows(kind, players, settings):
    made, rows, frame = played_rows(kind, players, **settings)
    ours = pd.DataFrame(measures.game_counts(rows, made.parameters))
    plain = pd.DataFrame([counts_of(row, players, made.parameters.score.target) for row in frame.to_dict("records")])
    assert (ours[list(plain)].to_numpy() == plain.to_numpy()).all()
    for name, of in measures.GAME_COLUMNS.items():
        assert (ours[name].to_numpy() == frame[of].to_numpy()).all()
    sums = gifts.SURVEY.sums({PLAYED: rows, "T2": rows[::-1]}, made)
    both = np.hstack([ours[list(measures.COUNTS)].to_numpy(), ours[list(measures.COUNTS)].to_numpy()[::-1]])
    assert (sums["sums"] == both.sum(axis=0)).all() and (sums["products"] == both.T @ both).all()


def gains_by_round(row, players, colours="GPS"):
    """Return each later round's gift gains by seat, and the scores before it, from scores and bamboo alone."""
    for number in range(1, row["rounds"]):
        gains = []
        for s in range(players):
            points = 0
            for letter in colours:
                held = [row[f"bamboo_{number}_{t}_{letter}"] for t in range(players)]
                if held[s] < max(held) or held.count(held[s]) > 1:
                    points += held[s] * held.count(held[s])
            if row["ended_by_gift"] and number == row["rounds"] - 1:
                points = 0
            gains.append(row[f"round_score_{number}_{s}"] - row[f"round_score_{number - 1}_{s}"] - points)
        yield gains, [row[f"round_score_{number - 1}_{s}"] for s in range(players)]


@pytest.mark.kernel
@pytest.mark.parametrize(("kind", "players", "target"), [("greedy", 3, 25), ("random", 6, 25), ("greedy", 4, 12)])
def test_gains_of_leading_and_trailing_seats(kind, players, target):
    made, rows, frame = played_rows(kind, players, score__target=target)
    ours = measures.game_counts(rows, made.parameters)
    for number, row in enumerate(frame.to_dict("records")):
        ends = {max: 0.0, min: 0.0}
        for gains, before in gains_by_round(row, players):
            for end in ends:
                at = [gain for gain, score in zip(gains, before, strict=True) if score == end(before)]
                ends[end] += sum(at) / len(at)
        assert ours["leading"][number] == pytest.approx(60 * ends[max], abs=1e-9)
        assert ours["trailing"][number] == pytest.approx(60 * ends[min], abs=1e-9)
        assert ours["gap"][number] == ours["trailing"][number] - ours["leading"][number]


@pytest.mark.kernel
def test_gains_of_all_rounds_are_the_gift_points_less_penalties():
    made, rows, frame = played_rows("greedy", 4, score__target=15)
    column, before, total = measures.numbered(GAME.module("rules").columns(made.parameters)), 0, 0
    for number in range(3):
        counted = measures.majority_points(measures.bamboo(rows, column, number, made.parameters))
        by_gift = (frame["ended_by_gift"] * (frame["rounds"] == number + 1)).to_numpy()[:, None]
        scores = measures.round_scores(rows, column, number, made.parameters)
        total = total + (scores - before - counted * (1 - by_gift)) * (frame["rounds"] > number).to_numpy()[:, None]
        before = scores
    net = [frame[f"gift_points_{seat}"] - frame[f"penalties_{seat}"] for seat in range(4)]
    assert frame["ended_by_gift"].any() and (total == np.stack(net, axis=1)).all()


@pytest.mark.kernel
@pytest.mark.parametrize(("players", "settings"), [(3, {}), (6, {"score__target": 10})])
def test_winners_are_the_rows_own(players, settings):
    made, _, frame = played_rows("greedy", players, **settings)
    scores, wins = ([frame[f"{name}_{seat}"] for seat in range(players)] for name in ("score", "win"))
    found = measures.winners(np.stack(scores, axis=1), made.parameters.score.target)
    assert (found == np.stack(wins, axis=1)).all()


def test_a_win_owed_to_gifts_and_one_spoiled_by_them():
    scores, points = np.array([[25, 26, 10], [27, 26, 3], [9, 8, 8]]), np.array([[1, 0, 5], [2, 0, 0], [0, 3, 2]])
    assert measures.wins_without_gifts(scores, points, 25).tolist() == [
        [False, False, False], [True, True, False], [True, False, False],
    ]  # fmt: skip


# ---- estimates -----------------------------------------------------------------------------------------------------


def test_a_difference_of_ratios_over_one_is_the_paired_difference():
    first, second = [3, 1, 4, 1, 5, 9], [2, 7, 1, 8, 2, 8]
    columns = np.array([first, [1] * 6, second, [1] * 6]).T
    ours = difference_of_ratios(columns.sum(axis=0), columns.T @ columns, 6)
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    plain = difference(sum(gaps), sum(gap * gap for gap in gaps), 6)
    assert (ours.value, ours.low, ours.high) == pytest.approx((plain.value, plain.low, plain.high))


def test_a_difference_of_ratios_has_the_spread_of_its_linear_parts():
    rng = np.random.default_rng(5)
    columns = rng.integers(1, 9, (400, 4))
    ours = difference_of_ratios(columns.sum(axis=0), columns.T @ columns, 400)
    x, y, u, v = columns.T
    parts = (x - x.sum() / y.sum() * y) / y.mean() - (u - u.sum() / v.sum() * v) / v.mean()
    assert ours.value == pytest.approx(x.sum() / y.sum() - u.sum() / v.sum())
    assert ours.high - ours.value == pytest.approx(1.966 * parts.std(ddof=1) / 20, rel=0.01)


def test_a_difference_of_ratios_without_a_bottom_is_not_known():
    made = difference_of_ratios([1, 2, 0, 0], [[1, 2, 0, 0], [2, 4, 0, 0], [0] * 4, [0] * 4], 1)
    assert not made.known and made.reason == "nothing to divide by"


def test_negated_turns_the_interval():
    made = replace(mean(6, 20, 3)).negated()
    assert isinstance(made, Estimate) and made.low < made.value == -2 < made.high


# ---- the page ------------------------------------------------------------------------------------------------------


@pytest.mark.kernel
@pytest.mark.slow
@pytest.mark.parametrize(
    ("games", "settings"), [(1, {"players": 3}), (2, {"players": 6}), (40, {"players": 3, "gift.points": 0})]
)
def test_a_tiny_run_writes_a_page_without_nan(tmp_path, games, settings):
    page = experiments.run(experiments.about(NAME), Request(games, 2, settings), tmp_path, 1, quiet=True)
    html = page.read_text(encoding="utf-8")
    assert not re.search(r"\b(nan|inf|None)\b", html)
    assert results.load(tmp_path).facts["plan"] == {"left_out": []}
    assert ("Undecided: too few games" in html) == (games <= 2)
    assert html.count("<h2") > 5
