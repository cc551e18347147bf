import math
import re

import pytest

from simlib.estimates import Estimate
from simlib.estimates.means import mean
from simlib.estimates.proportions import wilson
from simlib.estimates.words import number, text, verdict


def est(value, low, high, n=900):
    return Estimate(value, low, high, n, "made up")


@pytest.mark.parametrize(
    ("estimate", "options", "words"),
    [
        (est(0.123, 0.119, 0.127, 20000), {"percent": True}, "12.3 % (95 % interval 11.9 to 12.7, n = 20,000)"),
        (est(1.3217, 1.2, 1.44), {"unit": "points"}, "1.32 points (95 % interval 1.20 to 1.44, n = 900)"),
        (est(-0.5, -1.5, 0.5), {}, "\u22120.5 (95 % interval \u22121.5 to 0.5, n = 900)"),
        (est(12345.6, 12000, 12700), {}, "12,346 (95 % interval 12,000 to 12,700, n = 900)"),
        (est(0.5, 0.4, 0.6), {"places": 3}, "0.500 (95 % interval 0.400 to 0.600, n = 900)"),
        (est(-0.0001, -1, 1), {}, "0.0 (95 % interval \u22121.0 to 1.0, n = 900)"),
        (est(4.0, 4.0, 4.0), {}, "4 (the same every time, n = 900)"),
        (est(0.0, 0.0, 0.0), {"percent": True}, "0 % (the same every time, n = 900)"),
        (wilson(0, 0), {"percent": True}, "\u2013 (nothing to count)"),
        (mean(0, 0, 0), {"unit": "points"}, "\u2013 (no games)"),
        (mean(5, 25, 1), {"unit": "points"}, "5 points (no interval: only one game)"),
    ],
)
def test_text(estimate, options, words):
    assert text(estimate, **options) == words


@pytest.mark.parametrize("power", range(-5, 9))
def test_digits_tell_the_interval_apart_and_no_finer(power):
    scale = 10.0**power
    words = text(est(1.2345678 * scale, 1.1 * scale, 1.37 * scale))
    value, low, high = (float(part.replace(",", "")) for part in re.findall(r"(?<!\S)[\d,.]+\d(?! %)", words)[:3])
    assert low < value < high
    assert power > 0 or len(f"{value / scale:.6g}") <= 4


def test_never_nan():
    for estimate in (est(math.nan, math.nan, math.nan), est(math.inf, 0, math.inf), est(1, math.nan, math.inf)):
        assert "nan" not in text(estimate) and "inf" not in text(estimate)
    assert number(math.nan, 2) == number(-math.inf, 0) == "\u2013"


@pytest.mark.parametrize(
    ("low", "high", "margin", "words"),
    [
        (0.1, 0.7, None, "higher"),
        (-0.7, -0.1, None, "lower"),
        (-0.1, 0.7, None, "undecided"),
        (0.0, 0.7, None, "undecided"),
        (-0.1, 0.7, 1, "no difference larger than 1"),
        (0.1, 0.7, 0.7, "no difference larger than 0.7"),
        (0.1, 1.7, 1, "higher"),
        (-1.1, 0.7, 1, "undecided"),
        (math.nan, math.nan, 1, "undecided"),
    ],
)
def test_verdict(low, high, margin, words):
    assert verdict(est(0.3, low, high), margin) == words


def test_verdict_in_units():
    assert verdict(est(0, -0.01, 0.01), 0.02, percent=True) == "no difference larger than 2 %"
    assert verdict(est(0, -0.01, 0.01), 0.5, unit="points") == "no difference larger than 0.5 points"
