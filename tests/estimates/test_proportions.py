import math

import pytest
from scipy.stats import binomtest
from statsmodels.stats.proportion import proportion_confint

from simlib.estimates.proportions import wilson


@pytest.mark.parametrize(("successes", "n"), [(0, 1), (1, 1), (0, 10), (10, 10), (3, 10), (61, 200), (12_300, 100_000)])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.999])
def test_agrees_with_scipy_and_statsmodels(successes, n, level):
    ours = wilson(successes, n, level=level)
    scipy = binomtest(successes, n).proportion_ci(level, method="wilson")
    assert (ours.low, ours.high) == pytest.approx((scipy.low, scipy.high), abs=1e-12)
    theirs = proportion_confint(successes, n, 1 - level, method="wilson")
    assert (ours.low, ours.high) == pytest.approx(theirs, abs=1e-12)
    assert (ours.value, ours.n, ours.level, ours.reason) == (successes / n, n, level, "")


def test_textbook_case():
    ours = wilson(1, 2)
    assert (ours.low, ours.high) == pytest.approx((0.0945, 0.9055), abs=5e-5)


def test_ends_are_exact_where_all_or_none():
    assert wilson(0, 7).low == 0.0
    assert wilson(7, 7).high == 1.0


def test_nothing_counted_gives_a_reason():
    nothing = wilson(0, 0)
    assert math.isnan(nothing.value) and math.isnan(nothing.low) and math.isnan(nothing.high)
    assert nothing.reason == "nothing to count" and not nothing.known


@pytest.mark.parametrize(("successes", "n"), [(-1, 3), (4, 3), (0, -1)])
def test_impossible_counts_are_refused(successes, n):
    with pytest.raises(ValueError, match="successes among"):
        wilson(successes, n)
