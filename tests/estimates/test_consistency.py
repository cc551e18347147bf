"""Consistency checks: exact where chances can be worked out, and right as often as they say under the model."""

import math
from functools import cache
from itertools import product

import numpy as np
import pytest
from scipy import stats

from simlib.estimates import consistency as module
from simlib.estimates.consistency import consistency, discernible
from simlib.playtest.figures import tally
from simlib.survey import Figure

MEAN, RATIO = Figure("x", "x"), Figure("x of y", "x", "y")
RUNS = 400
HUGE = 10**6  # simulated games, so that the own ones hardly count among all


def counted(x, y=None):
    return tally({"x": np.asarray(x), "y": np.asarray(x if y is None else y)}, MEAN if y is None else RATIO)


def kinds(*weights):
    """Return the tally of a figure with values 0, 1, ... and these numbers of games."""
    return np.array([[value, 1, games] for value, games in enumerate(weights) if games])


@pytest.mark.parametrize(("heads", "n"), [(8, 8), (5, 8), (4, 8), (0, 3), (7, 13)])
def test_heads_of_a_coin_are_the_binomial_test(heads, n):
    own = counted([1] * heads + [0] * (n - heads))
    wanted = stats.binomtest(heads, n, 0.5).pvalue
    assert consistency(own, kinds(HUGE, HUGE)) == pytest.approx(wanted, abs=1e-4)


def test_a_rare_event_is_far_off_on_its_own_side_alone():
    own = counted([1, 1] + [0] * 12)
    wanted = stats.binom.sf(1, 14, 0.02)  # no wins at all are nearer to 0.28 than two
    assert consistency(own, kinds(98 * HUGE, 2 * HUGE)) == pytest.approx(wanted, rel=1e-3)


def test_all_sums_are_counted_that_are_as_far_off():
    weights, own = (3, 1, 0, 2), [3, 3, 0]
    every = [sum(draw) for draw in product((0, 0, 0, 1, 3, 3), repeat=3)]
    mean = sum(every) / len(every)
    wanted = sum(abs(total - mean) >= abs(6 - mean) - 1e-9 for total in every) / len(every)
    assert consistency(counted(own), kinds(*(HUGE * weight for weight in weights))) == pytest.approx(wanted, abs=1e-5)


def test_one_game_is_as_odd_as_its_rank():
    simulated = np.array([[value, 1, 1] for value in range(99)])
    assert consistency(counted([98]), simulated) == pytest.approx(3 / 100)  # the own one, its twin, and 0
    assert consistency(counted([500]), simulated) == pytest.approx(1 / 100)  # never seen: not less than one of all


def test_what_never_varies_fits_or_can_not_be():
    assert consistency(counted([4, 4]), np.array([[4, 1, 500]])) == 1
    assert consistency(counted([5, 5]), np.array([[4, 1, 500]])) < 1e-4


def test_a_ratio_is_compared_by_what_it_is_off_and_not_by_its_bottom():
    simulated = np.array([[1, 2, HUGE], [0, 2, HUGE], [2, 2, HUGE]])
    many = np.array([[x, 2 * y, games] for y in (1, 4) for x, games in ((0, HUGE), (y, HUGE), (2 * y, HUGE))])
    balanced = counted([1, 1, 2, 0], [2, 2, 2, 2])
    assert consistency(balanced, simulated) == pytest.approx(1, abs=1e-6)
    assert consistency(counted([4] * 6, [8] * 6), many) == pytest.approx(1, abs=1e-6)
    assert consistency(counted([8] * 6, [8] * 6), many) < 0.01


def test_without_anything_to_divide_by_there_is_no_chance():
    assert math.isnan(consistency(counted([0, 0], [0, 0]), np.array([[1, 2, 50]])))
    assert math.isnan(consistency(np.zeros((0, 3), np.int64), np.array([[1, 1, 50]])))
    assert math.isnan(discernible(np.array([[0, 0, 50]]), 3))


def draws(game, n, rng):
    """Return what n games of a made-up kind add to top and bottom; the units tie what belongs to one game together."""
    strength = rng.gamma(3, 1, n)
    if game == "points":
        return rng.poisson(8 * strength), None
    if game == "rare":
        return (rng.random(n) < 0.06).astype(int), None
    bottom = rng.poisson(2 * strength)
    return rng.binomial(bottom, np.clip(0.2 + 0.1 * strength, 0, 1)), bottom


@cache
def chances(game, n, simulated_games, seed):
    rng = np.random.default_rng(seed)
    return np.array(
        [
            consistency(counted(*draws(game, n, rng)), counted(*draws(game, simulated_games, rng)))
            for _ in range(RUNS)
        ]
    )  # fmt: skip


@pytest.mark.parametrize("n", [1, 14, 100])
@pytest.mark.parametrize("game", ["points", "ratio"])
def test_under_the_model_chances_are_uniform(game, n):
    found = chances(game, n, 2000, seed=n)
    known = found[~np.isnan(found)]
    assert len(known) > 0.9 * RUNS
    if game == "points" or n > 1:
        assert stats.kstest(known, "uniform").statistic < 1.95 / math.sqrt(len(known))  # 0.1 % of true ones exceed it


@pytest.mark.parametrize("n", [1, 14, 100])
@pytest.mark.parametrize("game", ["points", "ratio", "rare"])
def test_under_the_model_no_chance_comes_too_often(game, n):
    found = chances(game, n, 2000, seed=n)
    for level in (0.01, 0.05, 0.2):
        assert np.mean(found <= level) < level + 3.5 * math.sqrt(level * (1 - level) / RUNS)


def test_a_log_as_long_as_the_simulation_makes_chances_large_and_never_small():
    found = chances("points", 200, 200, seed=3)
    assert np.mean(found <= 0.05) < 0.05
    assert np.mean(found <= 0.05) < np.mean(chances("points", 200, 4000, seed=3) <= 0.05)


def test_many_games_are_summed_by_a_normal_curve(monkeypatch):
    rng = np.random.default_rng(8)
    simulated, own = counted(rng.poisson(20, 5000)), counted(rng.poisson(20.4, 300))
    exact = consistency(own, simulated)
    monkeypatch.setattr(module, "LATTICE", 1000)
    assert consistency(own, simulated) == pytest.approx(exact, abs=0.003)
    assert consistency(own, simulated) != exact


def test_what_games_show_is_found_four_times_in_five():
    rng, n = np.random.default_rng(4), 60
    simulated = counted(rng.poisson(9, 20_000))
    shift = discernible(simulated, n)
    found = [consistency(counted(rng.poisson(9, n) + rng.binomial(1, shift % 1, n) + int(shift)), simulated)
             for _ in range(RUNS)]  # fmt: skip
    assert np.mean(np.array(found) <= 0.05) == pytest.approx(0.8, abs=0.06)


def test_a_family_needs_larger_differences_and_more_games_smaller_ones():
    simulated = kinds(HUGE, HUGE)
    assert discernible(simulated, 20, family=10) > 1.2 * discernible(simulated, 20)
    assert discernible(simulated, 80) == pytest.approx(discernible(simulated, 20) / 2, rel=1e-4)
    assert discernible(kinds(10, 10), 20) == pytest.approx(discernible(simulated, 20) * 2**0.5, rel=1e-4)
    doubled = np.array([[value, 2, games] for value, _, games in simulated])
    assert discernible(doubled, 20) == pytest.approx(discernible(simulated, 20) / 2)
