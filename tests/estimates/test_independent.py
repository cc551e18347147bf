"""Differences of figures that share no games."""

import pytest

from simlib.estimates import Estimate
from simlib.estimates.independent import apart, summed
from simlib.estimates.means import unknown
from simlib.estimates.proportions import wilson


def test_a_difference_of_proportions_is_newcombes():
    """R. G. Newcombe, Statistics in Medicine 17 (1998), table II, example a."""
    found = apart(wilson(56, 70), wilson(48, 80))
    assert (found.low, found.high) == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_halves_add_up_as_squares():
    found = apart(Estimate(10, 7, 13, 50, ""), Estimate(4, 0, 8, 40, ""))
    assert (found.value, found.low, found.high, found.n) == (6, 1, 11, 40)


def test_what_one_of_them_lacks_the_difference_lacks():
    found = apart(unknown(1.0, 1, "", 0.95, "only one game"), Estimate(1, 1, 1, 9, ""))
    assert not found.known
    assert found.reason == "only one game"


def test_halves_of_a_sum_add_up_as_squares():
    found = summed([Estimate(10, 7, 13, 50, ""), Estimate(-4, -8, 0, 40, "")])
    assert (found.value, found.low, found.high, found.n) == (6, 1, 11, 40)
    assert summed([Estimate(10, 7, 13, 50, "")]) == Estimate(10, 7, 13, 50, "")
    assert summed([unknown(1.0, 1, "", 0.95, "only one game"), Estimate(1, 1, 1, 9, "")]).reason == "only one game"
