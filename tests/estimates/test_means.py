import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.weightstats import DescrStatsW

from simlib.estimates import Estimate
from simlib.estimates.means import mean, ratio
from simlib.estimates.paired import difference, difference_of_sums


def sums(values):
    return sum(values), sum(value * value for value in values), len(values)


def pair_sums(x, y):
    return sum(x), sum(y), *(sum(a * b for a, b in zip(p, q, strict=True)) for p, q in ((x, x), (y, y), (x, y))), len(x)


def test_mean_by_hand():
    ours = mean(*sums([1, 2, 3, 4, 5]))
    half = 2.7764451 * math.sqrt(2.5 / 5)
    assert (ours.value, ours.low, ours.high) == pytest.approx((3, 3 - half, 3 + half), abs=1e-6)


def test_shifted_moves_the_interval():
    ours, moved = mean(*sums([1, 2, 3])), mean(*sums([1, 2, 3])).shifted(-2)
    assert (moved.value, moved.low, moved.high) == (0, ours.low - 2, ours.high - 2)


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_mean_agrees_with_scipy_and_statsmodels(level):
    values = np.random.default_rng(7).integers(-40, 90, 57).tolist()
    ours = mean(*sums(values), level=level)
    scipy = stats.ttest_1samp(values, 0).confidence_interval(level)
    assert (ours.low, ours.high) == pytest.approx((scipy.low, scipy.high), rel=1e-10)
    assert (ours.low, ours.high) == pytest.approx(DescrStatsW(values).tconfint_mean(1 - level), rel=1e-10)


def test_mean_does_not_cancel():
    near = mean(*sums([1, 2, 3, 4]))
    far = mean(*sums([10**15 + step for step in (1, 2, 3, 4)]))
    assert far.high - far.low == pytest.approx(near.high - near.low, abs=0.5)
    spread = mean(4 * 10**15 + 10, sum((10**15 + step) ** 2 for step in (1, 2, 3, 4)), 4)
    assert spread.low < 10**15 + 2.5 < spread.high


def test_mean_of_sums_beyond_floats():
    ours = mean(*sums([10**200, -(10**200), 10**200]))
    assert ours.known and ours.value == pytest.approx(1e200 / 3)
    assert mean(*sums([0, 1] * 10**3), level=0.95).known
    tiny = mean(1, 1, 10**30)
    assert tiny.known and tiny.value == 1e-30


def test_numpy_integers_do_not_wrap():
    values = [2**31, 2**31 + 2] * 20
    exact = mean(*sums(values))
    total, squares, n = sums(values)
    assert mean(np.int64(total), squares, np.int64(n)) == exact


@pytest.mark.parametrize("estimator", [mean, difference])
def test_no_or_one_unit_gives_reasons(estimator):
    nothing, one = estimator(0, 0, 0), estimator(5, 25, 1)
    assert (math.isnan(nothing.value), nothing.known, nothing.reason) == (True, False, "no games")
    assert (one.value, one.known, one.reason) == (5.0, False, "only one game")


def test_units_all_alike():
    few, many = mean(26, 52, 13), mean(200, 400, 100)
    assert (few.value, few.known, few.reason) == (2.0, False, "the same in all of only 13 games")
    assert (many.low, many.value, many.high, many.reason) == (2.0, 2.0, 2.0, "")


def test_impossible_sums_are_refused():
    with pytest.raises(ValueError, match="sum of squares"):
        mean(10, 1, 5)
    with pytest.raises(ValueError, match="no numbers"):
        ratio(10, 5, 1, 10, 20, 5)


def test_ratio_by_hand():
    x, y = [1, 3, 2, 5, 0, 4], [4, 5, 4, 8, 2, 7]
    ours = ratio(*pair_sums(x, y))
    share = 15 / 30
    left = sum((a - share * b) ** 2 for a, b in zip(x, y, strict=True))
    carrying = Fraction(30 * 30, sum(b * b for b in y))
    half = stats.t.ppf(0.975, float(carrying) - 1) * math.sqrt(left * float(carrying / (carrying - 1))) / 30
    assert (ours.value, ours.low, ours.high) == pytest.approx((share, share - half, share + half), rel=1e-12)


def test_ratio_to_a_constant_is_a_mean():
    x = [1, 3, 2, 5, 0, 4]
    of_ones, plain = ratio(*pair_sums(x, [1] * 6)), mean(*sums(x))
    assert (of_ones.value, of_ones.low, of_ones.high) == pytest.approx((plain.value, plain.low, plain.high))


def test_ratio_agrees_with_clustered_regression_in_large_samples():
    import statsmodels.api as sm

    draw = np.random.default_rng(11)
    y = draw.poisson(6, 4000) + 1
    x = draw.binomial(y, draw.beta(2, 5, 4000))
    ours = ratio(*pair_sums(x.tolist(), y.tolist()))
    outcome = np.concatenate([np.repeat([1.0, 0.0], [a, b - a]) for a, b in zip(x, y, strict=True)])
    games = np.repeat(np.arange(4000), y)
    fit = sm.OLS(outcome, np.ones_like(outcome)).fit(cov_type="cluster", cov_kwds={"groups": games})
    half = 1.96 * fit.bse[0]
    assert ours.value == pytest.approx(fit.params[0], rel=1e-12)
    assert ours.high - ours.value == pytest.approx(half, rel=0.005)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ((0, 0, 0, 0, 0, 0), "no games"),
        ((0, 0, 0, 0, 0, 9), "nothing to divide by"),
        ((2, 4, 4, 16, 8, 1), "only one game"),
        ((2, 4, 4, 16, 8, 500), "only one game"),
        ((0, 3, 0, 3, 0, 500), "the same in all of only 3 games"),
    ],
)
def test_ratios_without_enough_games(given, reason):
    ours = ratio(*given)
    assert (ours.known, ours.reason) == (False, reason)
    assert math.isnan(ours.value) == (given[1] == 0)


def test_difference_is_the_paired_t_interval():
    draw = np.random.default_rng(3)
    a = draw.integers(0, 30, 40)
    b = a + draw.integers(-3, 2, 40)
    theirs = stats.ttest_rel(a, b).confidence_interval()
    ours = difference(*sums((a - b).tolist()), unit="deal")
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), rel=1e-10)
    assert ours.method == "paired by deal, Student t interval"
    assert difference_of_sums(*pair_sums(a.tolist(), b.tolist()), unit="deal") == ours


def test_difference_has_a_direction():
    assert difference(*sums([3, 4, 5, 4])).sign == 1
    assert difference(*sums([-3, -4, -5, -4])).sign == -1
    assert difference(*sums([-3, 4, -5, 4])).sign == 0


def test_what_a_figure_can_be_ends_its_interval():
    made = Estimate(0.9, 0.7, 1.1, 5, "").within(0, 1)
    assert (made.value, made.low, made.high) == (0.9, 0.7, 1)
    assert math.isnan(Estimate(1.0, math.nan, math.nan, 1, "").within(0, 1).low)
    with pytest.raises(ValueError, match=r"-0\.1 is not between"):
        Estimate(-0.1, -0.2, 0.0, 5, "").within(0, 1)
