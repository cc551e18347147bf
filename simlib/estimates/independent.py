"""Differences of figures from games of their own, which share nothing."""

from collections.abc import Sequence
from dataclasses import replace

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


def summed(parts: Sequence[Estimate]) -> Estimate:
    """Return the sum of estimates that share no games: half widths add up as squares; the fewest games count.

    Examples
    --------
    >>> summed([Estimate(5, 2, 8, 90, ""), Estimate(2, -2, 6, 80, "")]).high
    12.0
    """
    first, *others = parts
    if not others:
        return first
    value = sum(part.value for part in parts)
    low = value - sum((part.value - part.low) ** 2 for part in parts) ** 0.5
    high = value + sum((part.high - part.value) ** 2 for part in parts) ** 0.5
    fewest, freedom = min(part.n for part in parts), min(part.freedom for part in parts)
    reason = next((part.reason for part in parts if part.reason), "")
    return replace(first, value=value, low=low, high=high, n=fewest, reason=reason, freedom=freedom)
