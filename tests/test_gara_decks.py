"""The experiment on Gara-tori's decks: its counts, its words and what it refuses."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from simlib import experiments
from simlib.batch import Arm, columns_of, play_arm
from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.games import game_named, make_variant
from simlib.games.gara_tori.players import PLAYERS
from simlib.hooks import seated
from simlib.measures import joint_sums
from simlib.survey import DECENT, WEAK, Cell

decks = experiments.experiment_named("gara_decks")


def made(**settings):
    return make_variant(game_named("gara_tori"), settings={key.replace("_", "."): v for key, v in settings.items()})


def request(games: int = 3, **settings) -> experiments.Request:
    return experiments.Request(games, 1, {key.replace("_", "."): value for key, value in settings.items()})


def rows_of(variant, games: int = 200) -> np.ndarray:
    players = (seated("random", PLAYERS, "test"),) * variant.parameters.players
    return play_arm(Arm(variant, players), 5, 0, games)


@pytest.mark.parametrize("settings", [{}, {"players": 6}, {"players": 5, "deck_specials": 2}])
def test_counts_are_those_of_a_plain_reading(settings):
    variant = made(**settings)
    rows, names = rows_of(variant), columns_of(variant)
    counted = decks.count(rows, variant)
    seats, specials = range(variant.parameters.players), 4 * variant.parameters.deck.specials
    for at, values in enumerate(rows[:50].tolist()):
        row = dict(zip(names, values, strict=True))
        scores = [row[f"score_{seat}"] for seat in seats]
        out = specials - sum(row[f"specials_dealt_{seat}"] for seat in seats)
        plain = {
            "points": sum(scores),
            "gap": max(scores) - min(scores),
            "tied": scores.count(max(scores)) > 1,
            "turns": sum(turns * row[f"tricks_with_turns_{turns}"] for turns in seats),
            "locks": sum(row[f"locks_at_place_{place}"] for place in seats),
            "specials_out": out,
            "missing": out > 0,
            "specials": specials,
            "seats": len(seats),
            "tricks": 10,
        }
        assert {name: counted[name][at] for name in plain} == plain
    assert set(counted) == set(decks.COUNTS)


def test_specials_are_out_of_play_as_often_as_the_deal_says():
    variant = made()
    missing = decks.count(rows_of(variant, 4000), variant)["missing"]
    exact = 1 - comb(60, 36) / comb(64, 40)
    assert missing.mean() == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 4000))


@pytest.mark.parametrize(
    ("settings", "cards"),
    [
        ({}, [64, 60, 40]),
        ({"players": 5}, [64, 60, 52]),
        ({"players": 6}, [64, 60]),
        ({"deck_preset": "sixty"}, [60, 64, 40]),
        ({"deck_copies": 3}, [184, 172, 40]),
    ],
)
def test_other_decks_are_those_of_the_sheets_and_the_smallest(settings, cards):
    arms = decks.arms(made(**settings))
    assert [decks.cards_of(arm) for arm in arms.values()] == cards
    smallest = decks.fewest_ranks(made(**settings))
    assert decks.unused(made(**settings | {"deck_ranks": smallest})) >= 0
    if smallest > 1:
        with pytest.raises(BadInput):
            made(**settings | {"deck_ranks": smallest - 1})


def cell(kind=DECENT, variant=None, *, more=0, n=400) -> Cell:
    """Return a cell of made-up games, those of the first of the other decks with `more` points and turns each."""
    variant = variant or made()
    noise = np.random.default_rng(3).integers(0, 2, (n, len(decks.arms(variant)), len(decks.COUNTS)))
    plain = dict.fromkeys(decks.COUNTS, 4) | {"missing": 0, "tied": 0}
    values = noise + np.array([plain[name] for name in decks.COUNTS])
    values[:, :, [decks.COUNTS.index(name) for name in ("seats", "tricks")]] = 4
    values[:, 1, [decks.COUNTS.index(name) for name in ("points", "turns")]] += more
    return Cell(decks.SURVEY, joint_sums(values.reshape(n, -1)), "4 players", variant, kind)


def words(cells) -> str:
    found = {figure: decks.changed_by(cells, figure) for figure in (decks.POINTS, decks.TURNS)}
    return decks.headline_words(cells[0], found)


def test_the_headline_follows_the_numbers():
    assert "raise points a seat and game: 0." in words([cell(more=2)])
    assert "lower points a seat and game: \u22120." in words([cell(more=-2)])
    assert "hardly change points a seat and game" in words([cell(n=20_000)])
    assert "undecided whether they change points a seat and game" in words([cell(n=10)])


def test_strengths_say_when_a_change_flips():
    cells = [cell(WEAK, more=2), cell(DECENT, more=-2)]
    told = " ".join(decks.strength_words(cells, decks.POINTS, decks.changed_by(cells, decks.POINTS)))
    assert "60 cards (4 players): It flips: higher for weak (random); lower for decent (greedy)." in told


def estimate(value: float, half: float = 0.1) -> Estimate:
    return Estimate(value, value - half, value + half, 100, "Student t interval")


def test_what_more_players_change_follows_the_numbers():
    assert decks.trend([estimate(1), estimate(2), estimate(3)]) == "rise"
    assert decks.trend([estimate(3), estimate(2), estimate(1)]) == "fall"
    for values in ([1, 2, 2.05], [1, 3, 2], [1]):
        assert decks.trend([estimate(value) for value in values]) == "neither clearly rise nor fall"


def test_what_can_not_be_compared_is_refused_in_one_line():
    for wrong in ({"deck_copies": [2] * 14 + [1]}, {"deck_copies": {"R": 2}}):
        with pytest.raises(BadInput, match=r"deck\.copies: .*allowed: one number"):
            decks.plan(request(**wrong))
    assert list(decks.plan(request(players=5)).variants) == ["5 players"]
    assert all(len(decks.arms(made(players=seats))) > 1 for seats in (4, 5, 6))
    labels = [list(decks.arms(made(players=seats))) for seats in (4, 5, 6)]
    assert all(one[0] == other[0] == "played" for one, other in combinations(labels, 2))
