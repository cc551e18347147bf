"""Differences of figures from games of their own, which share nothing."""

from simlib.estimates import Estimate

METHOD = "difference of independent figures"


def apart(one: Estimate, other: Estimate) -> Estimate:
    """Return the difference of two estimates that share no games: half widths add up as squares.

    Notes
    -----
    R. G. Newcombe, "Interval estimation for the difference between independent proportions", Statistics in Medicine 17
    (1998), method 10: the ends are those of each estimate, so that Wilson's intervals keep their shape.

    Examples
    --------
    >>> apart(Estimate(5, 4, 6, 90, ""), Estimate(2, 2, 2, 80, "")).low
    2.0
    """
    value = one.value - other.value
    low = value - ((one.value - one.low) ** 2 + (other.high - other.value) ** 2) ** 0.5
    high = value + ((one.high - one.value) ** 2 + (other.value - other.low) ** 2) ** 0.5
    return Estimate(value, low, high, min(one.n, other.n), METHOD, one.level, one.reason or other.reason)
