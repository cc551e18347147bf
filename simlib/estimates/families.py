"""Several comparisons at once: error rates for the family, not for each alone."""

import math
from collections.abc import Sequence
from dataclasses import replace

from simlib.estimates import LEVEL, Estimate
from simlib.estimates.proportions import METHOD as WILSON
from simlib.estimates.proportions import wilson
from simlib.heavy import special


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for their number by Holm's step-down rule.

    Parameters
    ----------
    p_values : sequence of float
        One for each comparison; nan where there is none, which then doesn't count.

    Returns
    -------
    list of float
        In the given order.

    Notes
    -----
    S. Holm, Scand. J. Statist. 6 (1979), p. 65.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [math.nan] * len(p_values)
    ranked = sorted((p, place) for place, p in enumerate(p_values) if not math.isnan(p))
    largest = 0.0
    for rank, (p, place) in enumerate(ranked):
        largest = max(largest, min(1.0, p * (len(ranked) - rank)))
        adjusted[place] = largest
    return adjusted


def simultaneous(estimates: Sequence[Estimate], *, level: float = LEVEL) -> list[Estimate]:
    """Return the estimates with intervals so wide that all hold together at `level` (Bonferroni).

    Those without an interval stay as they are and don't count.

    Examples
    --------
    >>> first, second = simultaneous([wilson(5, 10), wilson(7, 10)])
    >>> first.low < wilson(5, 10).low
    True
    """
    family = sum(estimate.known for estimate in estimates)
    return [widened(each, family, level=level) for each in estimates]


def widened(estimate: Estimate, family: int, *, level: float = LEVEL) -> Estimate:
    """Return an estimate as one of `family` whose intervals all hold together at `level` (Bonferroni).

    Examples
    --------
    >>> widened(wilson(5, 10), 2).level
    0.975
    """
    return _widened(estimate, 1 - (1 - level) / family, family) if estimate.known else estimate


def _widened(estimate: Estimate, level: float, family: int) -> Estimate:
    method = f"{estimate.method}, widened for {family} comparisons"
    if estimate.method == WILSON:
        return replace(wilson(round(estimate.value * estimate.n), estimate.n, level=level), method=method)
    grow = _quantile(estimate, level) / _quantile(estimate, estimate.level)
    low = estimate.value - (estimate.value - estimate.low) * grow
    high = estimate.value + (estimate.high - estimate.value) * grow
    return replace(estimate, low=low, high=high, level=level, method=method)


def _quantile(estimate: Estimate, level: float) -> float:
    tail = (1 + level) / 2
    return float(special.stdtrit(estimate.freedom, tail) if math.isfinite(estimate.freedom) else special.ndtri(tail))
