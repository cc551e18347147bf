"""Shares: how often something happened among independent units."""

import math

from simlib.estimates import LEVEL, Estimate
from simlib.heavy import special

METHOD = "Wilson score interval"


def wilson(successes: int, n: int, *, level: float = LEVEL) -> Estimate:
    """Return the share `successes / n` with its Wilson score interval.

    Parameters
    ----------
    successes, n : int
        Counts of independent units (games, not seats); ``0 <= successes <= n``.
    level : float
        Nominal coverage.

    Returns
    -------
    Estimate
        On the scale 0..1; nan with a reason where `n` is 0.

    Notes
    -----
    E. B. Wilson, J. Am. Stat. Assoc. 22 (1927), p. 209, without continuity correction.

    Examples
    --------
    >>> wilson(3, 10).value
    0.3
    """
    successes, n = int(successes), int(n)
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes among {n}")
    if n == 0:
        return Estimate(math.nan, math.nan, math.nan, 0, METHOD, level, "nothing to count")
    low, high = _ends(successes, n, float(special.ndtri((1 + level) / 2)))
    return Estimate(successes / n, low, high, n, METHOD, level)


def _ends(successes: int, n: int, z: float) -> tuple[float, float]:
    share, extra = successes / n, z * z / n
    centre = (share + extra / 2) / (1 + extra)
    half = z * math.sqrt(share * (1 - share) / n + extra / (4 * n)) / (1 + extra)
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return low, high
