"""Figures of games that hang together."""

import numpy as np
import pytest

from simlib.estimates.joint import Joint

VALUES = np.random.default_rng(1).integers(0, 9, (400, 4))
JOINT = Joint(list("abcd"), VALUES.sum(axis=0), VALUES.T @ VALUES, len(VALUES))


def test_a_contrast_of_two_figures_is_their_difference():
    ratios = JOINT.contrast({("a", "b"): 1, ("c", "d"): -1})
    wanted = JOINT.difference_of_ratios(("a", "b"), ("c", "d"))
    assert (ratios.value, ratios.low, ratios.high) == pytest.approx((wanted.value, wanted.low, wanted.high))
    means, wanted = JOINT.contrast({("a", ""): 1, ("b", ""): -1}), JOINT.difference("a", "b")
    assert (means.value, means.low, means.high) == pytest.approx((wanted.value, wanted.low, wanted.high))


def test_a_contrast_is_weighed():
    wanted = VALUES @ (0.5, 0.5, -1, 0)
    half = 1.966 * wanted.std(ddof=1) / len(wanted) ** 0.5
    found = JOINT.contrast({("a", ""): 0.5, ("b", ""): 0.5, ("c", ""): -1})
    assert (found.value, found.high - found.value) == pytest.approx((wanted.mean(), half), rel=1e-3)


def test_a_contrast_needs_something_to_divide_by():
    empty = Joint(["a", "b"], [3, 0], [[9, 0], [0, 0]], 5)
    found = empty.contrast({("a", "b"): 1})
    assert not found.known and found.reason == "nothing to divide by"
