"""Means and ratios of per-game integers, from sums that add up exactly."""

import math
from fractions import Fraction

import numpy as np

from simlib.estimates import LEVEL, Estimate
from simlib.heavy import special
from simlib.languages import say

MEAN = "Student t interval"
RATIO = "ratio of sums, delta method, Student t interval"
DELTA = "delta method, Student t interval"
FEW = 30  # fewer units than this that are all alike say nothing of how much units vary


def mean(total: int, total_squares: int, n: int, *, level: float = LEVEL) -> Estimate:
    """Return the mean of `n` integers with Student's t interval.

    Parameters
    ----------
    total, total_squares : int
        Sum of the values and of their squares over independent units.
    n : int
        Number of units.
    level : float
        Nominal coverage.

    Returns
    -------
    Estimate
        No interval, and a reason, where `n` is below 2 or a handful of units are all alike.

    Notes
    -----
    The variance is computed with integers, so nothing cancels however large the sums are.

    Examples
    --------
    >>> mean(15, 55, 5).value
    3.0
    """
    return mean_of(int(total), int(total_squares), int(n), MEAN, level)


def mean_of(total: int, total_squares: int, n: int, method: str, level: float) -> Estimate:
    """Return `mean` under another method's name."""
    if n < 1:
        return unknown(math.nan, n, method, level, "no games")
    scatter = n * total_squares - total * total  # n (n - 1) times the variance
    if scatter < 0:
        raise ValueError(f"no {n} numbers have the sum {total} and the sum of squares {total_squares}")
    value = float(Fraction(total, n))
    if reason := _too_few(n, scatter == 0):
        return unknown(value, n, method, level, reason)
    half = _quantile(n - 1, level) * _root(Fraction(scatter, n * n * (n - 1)))
    return Estimate(value, value - half, value + half, n, method, level, freedom=n - 1)


def ratio(sum_x: int, sum_y: int, sum_xx: int, sum_yy: int, sum_xy: int, n: int, *, level: float = LEVEL) -> Estimate:
    """Return `sum_x / sum_y`, such as gifts accepted among gifts offered, by the delta method.

    Parameters
    ----------
    sum_x, sum_y : int
        Sums over independent units (games), within which x and y may hang together.
    sum_xx, sum_yy, sum_xy : int
        Sums of squares and of products.
    n : int
        Number of units, those without any y among them.
    level : float
        Nominal coverage.

    Returns
    -------
    Estimate
        No interval, and a reason, where fewer than two units carry the ratio.

    Notes
    -----
    W. G. Cochran, Sampling Techniques (3rd ed. 1977), eq. 2.39 and 2.46. The spread of ``x - ratio * y`` is exact;
    it is divided, and Student's t taken, as for ``sum_y ** 2 / sum_yy`` units, a lower bound of the number of units
    with any y, in place of `n` (L. Kish, Survey Sampling, 1965), so that a ratio resting on a few units says so.

    Examples
    --------
    >>> ratio(6, 12, 14, 56, 28, 3).value
    0.5
    """
    sums = [int(part) for part in (sum_x, sum_y, sum_xx, sum_yy, sum_xy)]
    sum_x, sum_y, sum_xx, sum_yy, sum_xy = sums
    if n < 1 or sum_y == 0:
        return unknown(math.nan, int(n), RATIO, level, "no games" if n < 1 else "nothing to divide by")
    share = Fraction(sum_x, sum_y)
    scatter = sum_xx - 2 * share * sum_xy + share * share * sum_yy
    if scatter < 0:
        raise ValueError("no numbers have these sums, squares and products")
    carrying = Fraction(sum_y * sum_y, sum_yy)
    return ratio_of(share, scatter, abs(sum_y), carrying, int(n), RATIO, level)


def ratio_of(
    value: Fraction, scatter: Fraction, bottom: int, carrying: Fraction, n: int, method: str, level: float
) -> Estimate:
    """Return a figure made of ratios, from the sum of squares of its linear parts times `bottom`."""
    if reason := _too_few(carrying, scatter == 0):
        return unknown(float(value), n, method, level, reason)
    freedom = float(carrying) - 1
    half = _quantile(freedom, level) * (_root(scatter * carrying / (carrying - 1)) / bottom)
    return Estimate(float(value), float(value) - half, float(value) + half, n, method, level, freedom=freedom)


def smooth(
    value: float,
    gradient: np.ndarray,
    totals: np.ndarray,
    products: np.ndarray,
    n: int,
    carrying: float,
    *,
    level: float = LEVEL,
) -> Estimate:
    """Return a smooth function of several sums, such as a difference of two ratios, by the delta method.

    Parameters
    ----------
    value : float
        The function at the sums.
    gradient : (k,) float
        Its derivatives there.
    totals : (k,) int
        Sums over independent units (games), within which they may hang together.
    products : (k, k) int
        Sums of products over units.
    n : int
        Number of units.
    carrying : float
        How many units it rests on, at least: as in `ratio`, the square of the sum that it is divided by over
        the sum of squares.
    level : float
        Nominal coverage.

    Examples
    --------
    >>> smooth(0.5, np.array([1 / 12, -0.5 / 12]), np.array([6, 12]), np.array([[14, 28], [28, 56]]), 3, 18 / 7).value
    0.5
    """
    squares = np.outer(gradient, gradient) * products
    scatter = float(squares.sum() - (gradient @ totals) ** 2 / max(n, 1))
    alike = scatter <= 1e-12 * float(np.abs(squares).sum())
    if reason := _too_few(min(n, carrying), alike):
        return unknown(value, n, DELTA, level, reason)
    spread = 0.0 if alike else math.sqrt(scatter * carrying / (carrying - 1))
    freedom = min(n, carrying) - 1
    half = _quantile(freedom, level) * spread
    return Estimate(value, value - half, value + half, n, DELTA, level, freedom=freedom)


def _too_few(n: float | Fraction, alike: bool) -> str:
    if n < 2:
        return "only one game"
    if alike and n < FEW:
        return say("the same in all of only {count} games", count=math.floor(n))
    return ""


def _quantile(freedom: float, level: float) -> float:
    return float(special.stdtrit(freedom, (1 + level) / 2))


def _root(square: Fraction) -> float:
    """Return the square root of an exact fraction of any size, without overflow."""
    shift = (square.denominator.bit_length() - square.numerator.bit_length()) // 2 * 2
    scaled = square * Fraction(2) ** shift
    return math.ldexp(math.sqrt(scaled), -shift // 2)


def unknown(value: float, n: int, method: str, level: float, reason: str) -> Estimate:
    """Return an estimate without an interval."""
    return Estimate(value, math.nan, math.nan, n, method, level, reason)
