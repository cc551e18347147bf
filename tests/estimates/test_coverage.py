"""Intervals hold the true value about as often as they say; `python -m benchmarks coverage` tries longer."""

import pytest

from benchmarks.coverage import AT_LEAST, CASES, SIZES, WANTED, covered

RUNS = 1000
LEVEL = 0.95
NOISE = 4 * (LEVEL * (1 - LEVEL) / RUNS) ** 0.5


@pytest.mark.parametrize("n", SIZES[:3])
@pytest.mark.parametrize("case", CASES)
def test_intervals_hold_as_often_as_they_say(case, n):
    share, runs = covered(CASES[case], n, RUNS)
    assert runs > 0.98 * RUNS
    assert WANTED[0] - NOISE < share < WANTED[1] + NOISE


@pytest.mark.parametrize("case", AT_LEAST)
def test_an_interval_for_many_looks_holds_at_all_of_them(case):
    share, _ = covered(AT_LEAST[case], SIZES[1], RUNS // 2)
    assert share > LEVEL - NOISE


def test_an_ordinary_interval_does_not_hold_at_many_looks(monkeypatch):
    monkeypatch.setattr("benchmarks.coverage.always", lambda estimate, _: estimate)
    share, _ = covered(AT_LEAST["held at every look"], SIZES[1], RUNS // 4)
    assert share < LEVEL - 2 * NOISE
