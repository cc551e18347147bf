"""Differences between arms that share deals: taken unit by unit, so what they share cancels."""

from simlib.estimates import LEVEL, Estimate
from simlib.estimates.means import mean_of

PAIRED = "paired by {unit}, Student t interval"


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
