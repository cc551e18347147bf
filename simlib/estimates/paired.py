"""Differences between arms that share deals: taken unit by unit, so what they share cancels."""

import math
from collections.abc import Sequence
from fractions import Fraction

from simlib.estimates import LEVEL, Estimate
from simlib.estimates.means import mean_of, ratio_of, unknown

PAIRED = "paired by {unit}, Student t interval"
PAIRED_RATIOS = "ratios paired by {unit}, delta method, Student t interval"


def difference(total: int, total_squares: int, n: int, *, unit: str = "game", level: float = LEVEL) -> Estimate:
    """Return the mean difference of two arms from the exact sums of their differences.

    Parameters
    ----------
    total, total_squares : int
        Sum, and sum of squares, of one difference for each unit.
    n : int
        Number of units.
    unit : str
        What was paired: the ``game``, or the ``deal`` where several games share one and are summed first.
    level : float
        Nominal coverage.

    Returns
    -------
    Estimate
        First arm minus second.

    Examples
    --------
    >>> difference(4, 8, 4).value
    1.0
    """
    return mean_of(int(total), int(total_squares), int(n), PAIRED.format(unit=unit), level)


def difference_of_sums(
    sum_a: int, sum_b: int, sum_aa: int, sum_bb: int, sum_ab: int, n: int, *, unit: str = "game", level: float = LEVEL
) -> Estimate:
    """Return `difference` of arm a minus arm b from the arms' own sums, squares and products.

    Examples
    --------
    >>> difference_of_sums(10, 6, 30, 14, 20, 4).value
    1.0
    """
    a, b, aa, bb, ab = (int(part) for part in (sum_a, sum_b, sum_aa, sum_bb, sum_ab))
    return difference(a - b, aa - 2 * ab + bb, n, unit=unit, level=level)


def difference_of_ratios(
    sums: Sequence[int], products: Sequence[Sequence[int]], n: int, *, unit: str = "game", level: float = LEVEL
) -> Estimate:
    """Return the difference of two ratios whose units are shared, by the delta method.

    Parameters
    ----------
    sums : sequence of 4 int
        Sums over units of x, y, u and v.
    products : 4 x 4 int
        Sums of their products.
    n : int
        Number of units.
    unit : str
        What was paired.
    level : float
        Nominal coverage.

    Returns
    -------
    Estimate
        ``x / y - u / v``; no interval, and a reason, where one of the two has none for want of units.

    Notes
    -----
    As `means.ratio`, with the spread of ``(x - ratio * y) / sum_y`` minus the same of u and v, which hang together.

    Examples
    --------
    >>> products = [[14, 28, 7, 28], [28, 56, 14, 56], [7, 14, 5, 14], [28, 56, 14, 56]]
    >>> difference_of_ratios([6, 12, 3, 12], products, 3).value
    0.25
    """
    method = PAIRED_RATIOS.format(unit=unit)
    x, y, u, v = (int(part) for part in sums)
    if n < 1 or not y or not v:
        return unknown(math.nan, n, method, level, "no games" if n < 1 else "nothing to divide by")
    one, other = Fraction(x, y), Fraction(u, v)
    weights = [Fraction(1, y), -one / y, Fraction(-1, v), other / v]
    scatter = Fraction(0)
    for weight, row in zip(weights, products, strict=True):
        scatter += weight * sum(other_weight * int(part) for other_weight, part in zip(weights, row, strict=True))
    carrying = min(Fraction(y * y, int(products[1][1])), Fraction(v * v, int(products[3][3])))
    return ratio_of(one - other, scatter, 1, carrying, int(n), method, level)
