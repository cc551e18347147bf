"""The joint test of equal means: against scipy, its size under equality, and with little or constant data."""

import math

import numpy as np
import pytest
from scipy import stats

from simlib.estimates.equality import equality
from simlib.estimates.joint import Joint
from simlib.measures import joint_sums


def joint(values):
    sums = joint_sums(values)
    return Joint(list(range(values.shape[1])), sums["sums"], sums["products"], int(sums["n"]))


def drawn(games, seats, seed, first=0):
    """Return who won alone, one 1 a game; the first seat wins so much more."""
    chances = np.full(seats, 1 / seats)
    chances[0] += first
    return np.random.Generator(np.random.PCG64(seed)).multinomial(1, chances / chances.sum(), games)


def test_two_means_are_students_paired_test():
    values = np.array([[3, 1], [5, 4], [2, 2], [7, 3]])
    test, expected = equality(joint(values), [0, 1]), stats.ttest_rel(values[:, 0], values[:, 1])
    assert test.statistic == pytest.approx(expected.statistic**2)
    assert test.p == pytest.approx(expected.pvalue)


def test_one_winner_a_game_is_nearly_pearsons_chi_square():
    wins = drawn(20_000, 4, 1)
    test, expected = equality(joint(wins), range(4)), stats.chisquare(wins.sum(axis=0))
    assert (test.freedom, test.n) == (3, 20_000)
    assert test.statistic == pytest.approx(expected.statistic, rel=0.01)


def test_equal_means_are_called_unequal_no_more_often_than_told():
    p = np.array([equality(joint(drawn(400, 4, seed)), range(4)).p for seed in range(400)])
    assert stats.kstest(p, "uniform").pvalue > 1e-3


def test_unequal_means_are_found():
    assert equality(joint(drawn(20_000, 4, 2, first=0.02)), range(4)).p < 1e-4


@pytest.mark.parametrize(("games", "p"), [(1, math.nan), (2, math.nan), (50, 1)])
def test_what_never_varies_or_has_few_games(games, p):
    values = np.full((games, 3), 20) if games != 2 else np.array([[1, 0, 5], [0, 1, 2]])
    assert equality(joint(values), range(3)).p == pytest.approx(p, nan_ok=True)
