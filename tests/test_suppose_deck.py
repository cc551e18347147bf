"""The experiment on copies and ranks: its decks, its sums, its words."""

import math

import numpy as np
import pytest

from simlib import batch, experiments
from simlib.errors import BadInput
from simlib.experiments import Request
from simlib.games import game_named, make_variant
from simlib.games.suppose.parameters import LETTERS
from simlib.hooks import seated
from simlib.measures import joint_sums
from simlib.survey import DECENT, PLAYED, STRONG, TRAINED, Cell

deck = experiments.experiment_named("suppose_deck")
GAME = game_named("suppose")
ONE, FOUR, MORE = "12 ranks, 1 copy", "3 ranks, 4 copies", "10 ranks, 2 copies"


def variant(**settings):
    return make_variant(GAME, settings={key.replace("__", "."): value for key, value in settings.items()})


def cell(kind=DECENT, games=400, hits=None, ties=None):
    """Return a cell of made-up games, with other right bids and contested tricks in some arms."""
    own, noise, ones = variant(), np.arange(games) % 5, np.ones(games, np.int64)
    x = 300 + noise
    columns = [
        {"ties": 8 + (ties or {}).get(arm, 0) + noise, "tricks": 44 * ones,
         "hits": 4 + (hits or {}).get(arm, 0) + noise, "bids": 16 * ones, "hands": 16 * ones,
         "x": 16 * x, "y": 16 * 3 * ones, "xx": 16 * x * x + 160,
         "yy": (16 * 9 + 80) * ones, "xy": 48 * x + 40 + noise}[name]
        for arm in deck.arms(own) for name in deck.COUNTS
    ]  # fmt: skip
    return deck.Told(Cell(deck.FAST, joint_sums(np.stack(columns, axis=1)), "4 players", own, kind))


# ---- words ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (1, "6.250 points of a per cent (the same every time, n = 400) more bids come true"),
        (-1, "6.250 points of a per cent (the same every time, n = 400) fewer bids come true"),
        (0, "exactly the same in bids that come true"),
    ],
)
def test_the_headline_turns_with_the_numbers(more, words):
    said = deck.answer([cell(hits={ONE: more}, ties={ONE: -8})], ()).headline
    assert said.startswith(f"With 12 ranks in 1 copy, {words}")
    assert ", and equal cards contest 4.5 % (" in said


def test_few_games_are_undecided():
    told = deck.answer([cell(games=1, hits={ONE: 1})], ())
    assert "whether more bids come true is undecided" in told.headline


def test_no_difference_is_larger_than_what_matters():
    told = deck.effect([cell(games=40_000)], deck.FORESEEN, "copies", deck.copies_in)
    assert "exactly the same" in told.headline or "no difference larger than 1" in told.headline


def test_players_who_differ_are_said_to():
    cells = cell(hits={ONE: 1}), cell(TRAINED, hits={ONE: 1}), cell(STRONG, hits={ONE: -1})
    told = deck.effect(cells, deck.HIT, "copies", deck.copies_in)
    flips = "It flips: higher for decent (greedy, trained); lower for strong (search:25)."
    assert told.text[0] == f"12 ranks in 1 copy, 4 players: {flips}"


def test_the_picture_shows_what_the_headline_says_of_right_bids():
    told = deck.answer([cell(hits={ONE: 1, FOUR: -1})], ())
    assert "12 ranks in 1 copy 6.250 points of a per cent" in told.picture.alt
    assert "3 ranks in 4 copies \u22126.250 points of a per cent" in told.picture.alt
    assert told.picture.of in [chart.key for chart in told.charts]


def test_the_curves_stand_at_copies_and_cards_left_over():
    told = deck.effect([cell()], deck.HIT, "left_over", deck.left_in)
    assert list(told.charts[0].table.frame["cards left over, by more ranks"]) == [4, 12, 20, 36]
    assert list(deck.copies_in(cell()).items()) == [(ONE, 1), (PLAYED, 2), ("4 ranks, 3 copies", 3), (FOUR, 4)]


# ---- decks ---------------------------------------------------------------------------------------------------------


def test_decks_of_as_many_cards_and_of_more():
    for players in (3, 4):
        own = variant(players=players)
        same, more = deck.as_many_cards(own), deck.more_cards(own)
        assert {deck.deck_size(each) for each in same.values()} == {deck.deck_size(own)}
        assert all(deck.left_over(each) > deck.left_over(own) for each in more.values())
        assert all(each.parameters.bid == own.parameters.bid for each in (*same.values(), *more.values()))
    assert list(same) == [ONE, "4 ranks, 3 copies", FOUR] and list(more)[-1] == MORE
    assert deck.told_of(own) == [ONE, FOUR, MORE]


def test_the_chance_of_a_highest_card_left_over():
    own = variant()
    assert deck.highest_left_over(own) == pytest.approx(1 - math.prod((40 - i) / (48 - i) for i in range(4)))
    assert deck.highest_left_over(variant(hand__size=12)) == 0


def test_a_deck_that_allows_no_other_is_refused():
    copies = {letter: [1 + (letter == "R"), *[1] * 31] for letter in LETTERS[:7]}
    with pytest.raises(BadInput, match="no other number of copies or ranks"):
        deck.plan(Request(10, 1, {"deck.colours": 7, "deck.ranks": 32, "deck.copies": copies}))


# ---- sums ----------------------------------------------------------------------------------------------------------


def test_the_share_told_by_hands_is_the_squared_correlation_and_its_slopes_are_right():
    rng = np.random.default_rng(3)
    x, y = rng.integers(10, 60, 200), rng.integers(0, 9, 200)
    sums = np.array([x.sum(), y.sum(), (x * x).sum(), (y * y).sum(), (x * y).sum()], float)
    share, slopes = deck.explained(sums, 200)
    assert share == pytest.approx(np.corrcoef(x, y)[0, 1] ** 2)
    for place in range(5):
        step = np.zeros(5)
        step[place] = 1e-4 * sums[place]
        moved = [deck.explained(sums + sign * step, 200)[0] for sign in (1, -1)]
        assert slopes[place] == pytest.approx((moved[0] - moved[1]) / (2 * step[place]), rel=1e-3)
    assert math.isnan(deck.explained(np.array([200.0, y.sum(), 200, (y * y).sum(), y.sum()]), 200)[0])


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("players", "settings"), [(4, {}), (3, {"deck__ranks": 3, "deck__copies": 4, "hand__size": 9})]
)
def test_counts_equal_a_plain_count_of_the_records(players, settings):
    own = variant(players=players, **settings)
    arm = batch.Arm(own, (seated("greedy", GAME.module("players").PLAYERS, "test"),) * players)
    played = batch.play_whole(arm, 3, 0, 12)
    found, module = deck.count(played, own), GAME.module("records")
    for game in range(12):
        rounds = module.result(own, played.tables[game], played.secrets[game])["rounds"]
        plays = [trick for each in rounds for trick in each["tricks"]]
        cards = [([card for _, _, card in trick["plays"]], trick) for trick in plays]
        won = [next(card for seat, _, card in trick["plays"] if seat == trick["winner"]) for _, trick in cards]
        ties = sum(hand.count(best) > 1 for (hand, _), best in zip(cards, won, strict=True))
        pairs = [
            (sum(int(card[1:]) for card in hand["layout"]), each["tricks_won"][hand["holder"]])
            for each in rounds
            for hand in each["hands"]
        ]
        assert (found["ties"][game], found["tricks"][game]) == (ties, len(plays))
        assert (found["x"][game], found["y"][game]) == tuple(map(sum, zip(*pairs, strict=True)))
        assert found["xy"][game] == sum(x * y for x, y in pairs)
        assert (found["xx"][game], found["yy"][game]) == (sum(x * x for x, _ in pairs), sum(y * y for _, y in pairs))
        assert found["hands"][game] == len(pairs)
