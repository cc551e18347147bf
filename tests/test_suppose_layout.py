"""The experiment on orders of colours: its sums, its words, what it plays."""

import numpy as np
import pytest

from simlib import batch, experiments
from simlib.errors import BadInput
from simlib.experiments import Request
from simlib.games import game_named, make_variant
from simlib.measures import joint_sums
from simlib.survey import DECENT, PLAYED, STRONG, TRAINED, WEAK, Cell

layout = experiments.experiment_named("suppose_layout")
GAME = game_named("suppose")


def variant(**settings):
    return make_variant(GAME, settings={key.replace("__", "."): value for key, value in settings.items()})


def cell(kind=DECENT, deals=400, wobble=1, **points):
    """Return a cell of made-up deals: so many points, wins and tricks more with some ways."""
    own, noise, ones = variant(), np.arange(deals) % 5, np.ones(deals, np.int64)
    more = {PLAYED: points.get("own", 0), layout.LOW: points.get("low", 0), layout.HIGH: points.get("high", 0)}
    columns = [
        {"points": 64 + more.get(way, 0) + wobble * noise * (way != layout.ANY), "games": 4 * ones,
         "wins": 12 + more.get(way, 0) + noise, "shares": 48 * ones, "hits": 4 + noise, "bids": 16 * ones,
         "taken": 44 + more.get(way, 0) + noise, "rounds": 16 * ones}[name]
        for way in layout.WAYS for name in layout.COUNTS
    ]  # fmt: skip
    return Cell(layout.SURVEY, joint_sums(np.stack(columns, axis=1)), "4 players", own, kind)


# ---- words ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ({"low": 8, "high": 16}, "showing high cards is worth 4.5"),
        ({"low": 8, "high": -16}, "showing low cards is worth 2.5"),
        ({"low": -8, "high": -2}, "showing high cards makes no difference larger than 0.1 points, "),
        ({"low": -16, "high": -8}, "showing high cards costs 1.5"),
    ],
)
def test_the_headline_turns_with_the_numbers(points, words):
    assert layout.answer([cell(**points)], ()).headline.startswith(f"Over an order by chance, {words}")


def test_few_deals_are_undecided():
    told = layout.answer([cell(deals=1, low=8)], ())
    assert "whether showing low cards pays is undecided, 2" in told.headline


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ({"low": 4}, "Show low cards: they earn 1"),
        ({"high": 4}, "Show high cards: they earn 1"),
        ({}, "Low or high cards shown: exactly the same"),
    ],
)
def test_which_cards_to_show_turns_with_the_numbers(points, words):
    assert layout.which([cell(**points)]).headline.startswith(words)


def test_players_who_differ_are_said_to():
    cells = [cell(WEAK, own=-2), cell(own=8), cell(TRAINED, own=8), cell(STRONG, own=-8)]
    assert layout.answer(cells, ()).text[0] == (
        "Points a game, its own order rather than any, 4 players: It flips: no difference larger than 0.1 points "
        "for weak (random); higher for decent (greedy, trained); lower for strong (search:25)."
    )


def test_why_tells_tricks_and_bids():
    told = layout.why([cell(low=-4, high=4)])
    assert "the left neighbour wins 0.5000 tricks (the same every time, n = 400) fewer a round" in told.headline
    assert "own bids that come true: exactly the same" in told.headline


def test_differences_of_win_shares_are_told_in_points():
    told = layout.answer([cell(high=4)], ())
    wins = next(each for each in told.tiles if each.label == "showing high cards: points of win share")
    assert wins.value == "8.333"
    assert "high cards shown 8.333 points of a per cent" in told.charts[1].alt


# ---- what is played ------------------------------------------------------------------------------------------------


def test_one_seat_moves_round_and_the_field_stays():
    studies = layout.SURVEY.studies({"3 players": variant(players=3)}, 100)
    arms = {study.key: study.arms for study in studies}
    names = [player.text for player in arms["3 players | trained"][f"{layout.HIGH} | 1"].players]
    assert names == ["trained", "trained:shows=high", "trained"]
    names = [player.text for player in arms["3 players | random"][f"{layout.ANY} | 2"].players]
    assert names == ["random", "random", "greedy:shows=any"]
    assert {len(each) for each in arms.values()} == {12}


def test_one_colour_leaves_nothing_to_choose():
    with pytest.raises(BadInput, match=r"deck.colours = 1 leaves no order"):
        layout.plan(Request(10, 1, {"deck.colours": 1, "deck.ranks": 24}))


# ---- sums ----------------------------------------------------------------------------------------------------------


@pytest.mark.kernel
@pytest.mark.parametrize("kind", [WEAK, DECENT, TRAINED])
def test_counts_equal_a_plain_count_of_the_rows(kind):
    own, names = variant(players=3, bid__double=4.5), batch.columns_of(variant(players=3))
    turns = [batch.play_arm(layout.arm_of(own, kind, layout.HIGH, at), 3, 0, 12) for at in range(3)]
    found = layout.count(turns, own)
    for deal in range(12):
        plain = dict.fromkeys(layout.COUNTS, 0)
        for at in range(3):
            value = dict(zip(names, turns[at][deal].tolist(), strict=True))
            left, rounds = (at + 1) % 3, range(3)
            wins = sum(value[f"win_{seat}"] for seat in range(3))
            plain["points"] += value[f"score_{at}"]
            plain["games"] += own.parameters.unit
            plain["wins"] += 12 * value[f"win_{at}"] // wins
            plain["shares"] += 12
            plain["hits"] += sum(value[f"hit_{number}_{at}"] for number in rounds)
            plain["bids"] += sum(value[f"guesses_{number}_{at}"] > 0 for number in rounds)
            plain["taken"] += sum(value[f"tricks_{number}_{left}"] for number in rounds)
            plain["rounds"] += 3
        assert {name: int(values[deal]) for name, values in found.items()} == plain
