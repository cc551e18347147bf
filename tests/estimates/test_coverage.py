"""Intervals hold the true value about as often as they say, on data like ours."""

import numpy as np
import pytest

from simlib.estimates.means import mean, ratio
from simlib.estimates.paired import difference
from simlib.estimates.proportions import wilson

RUNS = 2000
SIZES = (10, 30, 100, 1000)
# 4 standard errors of a share of 0.95 in 2000 runs are 0.02; small samples of skewed integers may fall short by 0.02.
BOUNDS = {10: (0.91, 0.985), 30: (0.92, 0.98), 100: (0.93, 0.97), 1000: (0.93, 0.97)}


def check(estimates, truth, n):
    known = [estimate for estimate in estimates if estimate.known]
    covered = np.mean([estimate.low <= truth <= estimate.high for estimate in known])
    low, high = BOUNDS[n]
    assert len(known) > 0.9 * RUNS
    assert low <= covered <= high, covered


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("share", [0.25, 0.5])
def test_wilson(n, share):
    counts = np.random.default_rng([1, n]).binomial(n, share, RUNS)
    check([wilson(count, n) for count in counts.tolist()], share, n)


@pytest.mark.parametrize("n", SIZES)
def test_mean_of_skewed_scores(n):
    scores = np.random.default_rng([2, n]).poisson(3, (RUNS, n))
    totals, squares = scores.sum(1).tolist(), (scores**2).sum(1).tolist()
    check([mean(t, s, n) for t, s in zip(totals, squares, strict=True)], 3, n)


@pytest.mark.parametrize("n", SIZES)
def test_paired_on_shared_deals(n):
    draw = np.random.default_rng([3, n])
    luck = draw.normal(0, 20, (RUNS, n))
    gaps = np.rint(luck + draw.normal(1.5, 4, (RUNS, n))).astype(int) - np.rint(luck).astype(int)
    totals, squares = gaps.sum(1).tolist(), (gaps**2).sum(1).tolist()
    check([difference(t, s, n) for t, s in zip(totals, squares, strict=True)], 1.5, n)


@pytest.mark.parametrize("n", SIZES)
def test_ratio_with_games_that_differ(n):
    draw = np.random.default_rng([4, n])
    tried = draw.poisson(5, (RUNS, n))
    hit = draw.binomial(tried, draw.beta(3, 7, (RUNS, n)))
    pairs = [(hit, None), (tried, None), (hit, hit), (tried, tried), (hit, tried)]
    columns = [(a if b is None else a * b).sum(1).tolist() for a, b in pairs]
    check([ratio(*row, n) for row in zip(*columns, strict=True)], 0.3, n)
