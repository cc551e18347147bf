import math

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from simlib.estimates.families import holm, simultaneous
from simlib.estimates.means import mean
from simlib.estimates.paired import difference
from simlib.estimates.proportions import wilson


@pytest.mark.parametrize("count", [1, 2, 7, 40])
def test_holm_agrees_with_statsmodels(count):
    p_values = (np.random.default_rng(count).random(count) ** 3).tolist()
    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1].tolist(), abs=1e-15)


def test_holm_by_hand_with_ties_and_gaps():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    adjusted = holm([math.nan, 0.02, 0.02])
    assert math.isnan(adjusted[0]) and adjusted[1:] == [0.04, 0.04]
    assert holm([]) == [] and holm([0.9, 0.8]) == [1.0, 1.0]


def test_simultaneous_is_bonferroni():
    family = [wilson(30, 100), mean(60, 900, 9), difference(12, 90, 25)]
    level = 1 - 0.05 / 3
    exact = [wilson(30, 100, level=level), mean(60, 900, 9, level=level), difference(12, 90, 25, level=level)]
    for wide, wanted in zip(simultaneous(family), exact, strict=True):
        assert (wide.low, wide.high, wide.level) == pytest.approx((wanted.low, wanted.high, wanted.level))
        assert wide.method == f"{wanted.method}, widened for 3 comparisons"


def test_simultaneous_skips_what_is_not_known():
    unknown, alone = simultaneous([mean(5, 25, 1), mean(60, 900, 9)])
    assert unknown == mean(5, 25, 1)
    assert (alone.low, alone.high) == pytest.approx((mean(60, 900, 9).low, mean(60, 900, 9).high))
    assert simultaneous([]) == []


def test_simultaneous_holds_together():
    draw = np.random.default_rng(5)
    held = 0
    for _ in range(1000):
        samples = draw.integers(0, 11, (6, 40))
        family = simultaneous([mean(int(s.sum()), int((s * s).sum()), 40) for s in samples])
        held += all(each.low <= 5 <= each.high for each in family)
    assert 0.93 <= held / 1000 <= 0.98
