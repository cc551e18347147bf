"""A wish for precision: when to look, when to stop, and what is said of it."""

import math
from dataclasses import replace

import numpy as np
import pytest

from simlib import how_sure, precision
from simlib.estimates import Estimate
from simlib.estimates.means import mean, unknown
from simlib.estimates.sequential import always
from simlib.findings import Headline, Saving
from simlib.precision import Stop, Wish, play_until

USUAL = 6400
STOP = Stop("precision", 0.5, 1000, 3, 4000.0)


def looker(spread=10, each=1):
    """Return a figure that is looked at, a game after game, and at what numbers of games it was."""
    values = np.rint(np.random.default_rng(1).normal(100, spread, 10**6)).astype(int)
    seen = []

    def look(games):
        seen.append(games)
        own = values[: games // each]
        return mean(int(own.sum()), int((own * own).sum()), len(own))

    return look, seen


def test_it_stops_when_the_interval_is_narrow_enough():
    look, seen = looker()
    stop = play_until(Wish(0.5), USUAL, 10**6, look)
    assert (stop.why, stop.games, stop.looks) == ("precision", seen[-1], len(seen))
    reach = [precision.half_width(always(look(games), stop.tuned)) for games in seen[:]]
    assert reach[-1] <= 0.5 < reach[-2]
    assert stop.games < 2 * (10 * 3.5 / 0.5) ** 2  # about as many as it takes


def test_what_is_played_depends_on_sums_alone():
    (look, seen), (again, seen_again) = looker(), looker()
    assert play_until(Wish(0.5), USUAL, 10**6, look) == play_until(Wish(0.5), USUAL, 10**6, again)
    assert seen == seen_again


def test_games_run_out():
    look, seen = looker()
    stop = play_until(Wish(0.001), USUAL, 3000, look)
    assert (stop.why, stop.games, seen[-1]) == ("games", 3000, 3000)


def test_a_run_that_time_ended_is_repeated_by_its_games(monkeypatch):
    clock = iter(np.arange(0, 1000, 5.0).tolist())
    monkeypatch.setattr(precision.time, "monotonic", lambda: next(clock))
    look, seen = looker()
    stop = play_until(Wish(0.001, seconds=22), USUAL, 10**6, look)
    assert stop.why == "time"
    again, seen_again = looker()
    monkeypatch.setattr(precision.time, "monotonic", lambda: 0.0)
    repeated = play_until(Wish(0.001), USUAL, stop.games, again)
    assert repeated == replace(stop, why="games", looks=repeated.looks)
    assert seen_again[-1] == seen[-1]


def test_without_an_interval_it_plays_on():
    stop = play_until(Wish(0.5), USUAL, 500, lambda games: unknown(1.0, 1, "", 0.95, "only one game"))
    assert (stop.why, stop.games) == ("games", 500)


def test_it_never_looks_far_ahead_nor_too_often():
    assert precision.following(100, math.inf, 0.1) == 400
    assert precision.following(100, 0.1001, 0.1) == 125
    assert precision.following(100, 0.13, 0.1) == int(100 * 1.69 * 1.02)


# ---- words ---------------------------------------------------------------------------------------------------------


def headline(value=2.0, half=0.4, **more):
    return Headline("points, greedy", Estimate(value, value - half, value + half, 900, "Student t interval"), **more)


@pytest.mark.parametrize(
    ("stop", "words"),
    [
        (None, "How closely the headline figure is known: 2.0"),
        (STOP, "As close as wished (± 0.5 points): 2.0"),
        (replace(STOP, why="games"), "Games ran out before the wish of ± 0.5 points was met: "),
        (replace(STOP, why="time"), "Time ran out before the wish of ± 0.5 points was met: "),
        (replace(STOP, why="time", precision=0.0), "Time ran out: "),
    ],
)
def test_it_says_what_ended_the_run(stop, words):
    said = how_sure.how_sure(headline(unit="points"), stop)
    assert said.headline.startswith(words)
    assert said.headline.endswith("n = 900) (points, greedy).")
    assert any("looked at 3 times" in each for each in said.text) == (stop is not None)


def test_looking_widens_the_interval():
    one, other = (how_sure.how_sure(headline(), stop).headline for stop in (None, STOP))
    assert "1.6 to 2.4" in one
    assert "1.3 to 2.7" in other


@pytest.mark.parametrize(
    ("value", "words"),
    [(2.0, "Decided"), (-2.0, "Decided"), (0.2, "about 2,800 more games than the 900 so far"), (0.0, "no number")],
)
def test_it_says_what_would_decide_a_difference(value, words):
    told = headline(value, difference=True)
    assert words in how_sure.decided(told, told.estimate)
    assert not how_sure.decided(headline(value), told.estimate)


def test_no_interval_is_undecided_with_its_reason():
    told = Headline("x", unknown(1.0, 1, "", 0.95, "only one game"), difference=True)
    said = how_sure.how_sure(told, STOP)
    assert "Undecided: only one game." in said.text
    assert "nan" not in said.headline + "".join(said.text)


def test_savings_are_told():
    savings = (Saving("common deals", 3.0, 1000), Saving("luck", 0.9, 1000), Saving("nothing known", math.nan, 5))
    said = how_sure.how_sure(headline(savings=savings), None).text
    assert how_sure.how_sure(headline(), None).text == (
        "No variance reduction: it is a figure of its games as they are.",
    )
    assert "none that counts" in how_sure.how_sure(headline(savings=(Saving("pairs", 1.004, 9),)), None).text[0]
    assert said == (
        "Variance reduction by common deals: one game is worth 3.00 games without it; that saved about 2,000 games.",
        "Variance reduction by luck: one game is worth 0.90 games without it.",
    )
