"""The experiment on what a holder sees: its sums, its words, what it plays."""

import dataclasses

import numpy as np
import pytest

from simlib import batch, experiments
from simlib.errors import BadInput
from simlib.experiments import Request
from simlib.games import game_named, make_variant
from simlib.hooks import seated
from simlib.measures import joint_sums
from simlib.survey import DECENT, PLAYED, STRONG, TRAINED, Cell

visible = experiments.experiment_named("suppose_visible")
SURVEY = visible.SURVEY
GAME = game_named("suppose")


def variant(**settings):
    return make_variant(GAME, settings={key.replace("__", "."): value for key, value in settings.items()})


def cell(kind=DECENT, games=400, own=None, **more):
    """Return a cell of made-up games, with so many more right bids of each 160 in some arms."""
    own = own or variant()
    noise, ones = np.arange(games) % 5, np.ones(games, np.int64)
    columns = [
        {"hits": 40 + more.get(arm.replace(" ", "_"), 0) + noise, "bids": 160 * ones, "points": 64 + noise,
         "gap": 10 + noise[::-1] % 3, "seats": 4 * ones, "units": ones}[name]
        for arm in SURVEY.arms(own) for name in SURVEY.names(own)
    ]  # fmt: skip
    return Cell(SURVEY, joint_sums(np.stack(columns, axis=1)), "4 players", own, kind)


def answer(*cells):
    return visible.answer(list(cells), ())


# ---- words ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (8, "With all 11 cards visible, 5 points of a per cent (the same every time, n = 400) more bids come true"),
        (-8, "With all 11 cards visible, 5 points of a per cent (the same every time, n = 400) fewer bids come true"),
        (0, "Bids that come true with all 11 cards visible: exactly the same, 0 points of a per cent"),
    ],
)
def test_the_headline_turns_with_the_numbers(more, words):
    assert answer(cell(**{"11_visible": more})).headline.startswith(words)


def test_a_small_difference_is_no_larger_than_what_matters():
    change = dataclasses.replace(cell().change(visible.HIT, "11 visible"), value=0.001, low=-0.001, high=0.003)
    said = visible.change_words(cell(), "11 visible", visible.HIT, change)
    assert ": no difference larger than 0.5 points of a per cent, 0.1 points" in said


def test_few_games_are_undecided():
    assert answer(cell(games=1)).headline.startswith("Bids that come true with all 11 cards visible: undecided, ")


def test_players_who_differ_are_said_to():
    cells = cell(**{"11_visible": 8}), cell(TRAINED, **{"11_visible": 8}), cell(STRONG, **{"11_visible": -8})
    kinds = "decent (greedy, trained) and strong (search:25)"
    assert answer(*cells).text == (
        "Bids that come true with all 11 cards visible, 4 players: "
        "It flips: higher for decent (greedy, trained); lower for strong (search:25).",
        f"Bids that come true with no card visible, 4 players: Exactly the same for all kinds of player: {kinds}.",
    )


def test_effects_name_what_is_played():
    told = visible.effect([cell()], visible.POINTS)
    assert told.headline.startswith("Points a seat and game with all 11 cards visible: exactly the same")
    assert "on 16.5" in told.headline


def test_what_is_seen_is_named_and_the_tiles_go_from_the_least_to_the_most():
    assert [each.label for each in answer(cell()).tiles] == [
        "no card visible",
        "as played: 3 cards visible",
        "all 11 cards visible",
    ]
    narrow = cell(own=variant(hand__size=1, hand__visible=[1], deck__ranks=2))
    assert [each.label for each in answer(narrow).tiles] == ["no card visible", "as played: 1 card visible"]


def test_the_curve_has_every_number_of_positions():
    frame = visible.curve_of([cell(**{"0_visible": -8})], visible.HIT).table.frame
    assert list(frame["visible cards of a hand"]) == [0, 1, 3, 5, 8, 11]
    assert frame["value"].round(4).tolist() == [0.2125, *[0.2625] * 5]


def test_the_headline_figure_is_what_all_cards_change():
    found = visible.most(cell())
    assert found == "11 visible"
    assert visible.most(cell(own=variant(hand__visible=list(range(1, 12))))) == "0 visible"


# ---- what is played ------------------------------------------------------------------------------------------------


def test_positions_are_spread_over_the_hand_and_the_played_ones_stay():
    arms = visible.arms(variant(hand__visible=[2, 3]))
    seen = {name: list(arm.parameters.hand.visible) for name, arm in arms.items()}
    assert seen[PLAYED] == [2, 3] and seen["3 visible"] == [1, 6, 11] and seen["0 visible"] == []
    assert "3 visible" not in visible.arms(variant())
    assert list(visible.arms(variant(hand__size=2))) == [PLAYED, "0 visible", "1 visible"]


def test_what_cannot_be_played_is_refused():
    with pytest.raises(BadInput, match=r"hand\.size"):
        visible.plan(Request(10, 1, {"hand.size": 40}))


# ---- sums ----------------------------------------------------------------------------------------------------------


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("player", "settings"), [("random", {"bid__min_guesses": 0}), ("greedy", {"bid__double": 2.5})]
)
def test_counts_equal_a_plain_count_of_the_rows(player, settings):
    own = variant(players=3, **settings)
    arm = batch.Arm(own, (seated(player, GAME.module("players").PLAYERS, "test"),) * 3)
    rows = batch.play_arm(arm, 3, 0, 30)
    found, names = visible.count(rows, own), batch.columns_of(own)
    for game, row in enumerate(rows.tolist()):
        value = dict(zip(names, row, strict=True))
        scores = [value[f"score_{seat}"] for seat in range(3)]
        turns = [(number, seat) for number in range(3) for seat in range(3)]
        assert found["hits"][game] == sum(value[f"hit_{number}_{seat}"] for number, seat in turns)
        assert found["bids"][game] == sum(value[f"guesses_{number}_{seat}"] > 0 for number, seat in turns)
        assert (found["points"][game], found["gap"][game]) == (sum(scores), max(scores) - min(scores))
        assert (found["seats"][game], found["units"][game]) == (3 * own.parameters.unit, own.parameters.unit)
