"""Intervals for many looks: their width, and where it is least."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from simlib.estimates import Estimate
from simlib.estimates.means import unknown
from simlib.estimates.sequential import always, factor


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
@pytest.mark.parametrize("tuned", [30, 1000, 10**6])
def test_it_is_narrowest_where_it_is_tuned(tuned, level):
    """At `tuned` units no other tuning is narrower: found by looking, without Lambert's W."""
    best = minimize_scalar(lambda log: factor(tuned, tuned * math.exp(log), level), bounds=(-3, 3), method="bounded")
    assert best.x == pytest.approx(0, abs=1e-3)


def test_the_formula_as_it_is_printed():
    n, tuned, alpha = 500, 2000, 0.05
    rho = math.sqrt((-2 * math.log(alpha) + math.log(-2 * math.log(alpha) + 1)) / tuned)  # the paper's shortcut
    grown = n * rho**2 + 1
    printed = math.sqrt(2 * grown / (n**2 * rho**2) * math.log(math.sqrt(grown) / alpha)) * math.sqrt(n)
    assert factor(n, tuned, 0.95) == pytest.approx(printed, rel=0.01)


def test_a_skewed_interval_stays_skewed_and_an_unknown_one_unknown():
    wide = always(Estimate(0.1, 0.05, 0.2, 100, "Wilson"), 100)
    assert (wide.high - wide.value) / (wide.value - wide.low) == pytest.approx(2)
    assert wide.level == 0.95
    assert not always(unknown(1.0, 1, "Student", 0.95, "only one game"), 100).known


def test_far_from_where_it_is_tuned_it_is_wider():
    factors = np.array([factor(n, 1000, 0.95) for n in (1, 10, 100, 1000, 10**4, 10**6)])
    assert factors.argmin() in (3, 4)
    assert np.all(factors > 1.96)
