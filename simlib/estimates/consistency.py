"""Whether a few games fit many others: how often as many of those would give a figure at least so far off."""

import math
from fractions import Fraction

import numpy as np

from simlib.estimates import LEVEL
from simlib.heavy import fft, special

POWER = 0.8
LATTICE = 1 << 20  # sums up to here are added up exactly; beyond, so many terms are summed that a normal curve does
DENOMINATOR = 60  # ratios are rounded to fractions of this at most: chances are taken about the mean, which sums keep


def consistency(own: np.ndarray, simulated: np.ndarray) -> float:
    """Return the chance that as many games of one kind as there are `own` would be at least as far off as these.

    Parameters
    ----------
    own, simulated : (kinds, 3) int
        What a game adds to the figure's top and to its bottom, and how many games did so; the figure is the ratio
        of both sums, a mean where all games add the same to the bottom.

    Returns
    -------
    float
        0..1; nan where no own game adds anything to the bottom.

    Notes
    -----
    If own and simulated games are of one kind, the own ones could as well have been any n of all of them. So n games
    are drawn from all, own ones among them, and what they add up to has the n-fold convolution of what one game adds:
    computed by fast Fourier transform, with no random numbers. "Off" is the distance of that sum from its mean; of a
    ratio, the sum of ``top - ratio * bottom``, with the ratio of all games. Where several sums are as far off as the
    own one, all count, so that a chance is never told too small for a figure with few values. Drawing with
    replacement, which real games don't, makes it somewhat too large where n isn't small beside the simulated games.

    Examples
    --------
    >>> coin = np.array([[0, 1, 5000], [1, 1, 5000]])
    >>> round(consistency(np.array([[1, 1, 8]]), coin), 3)  # eight heads, or eight tails: 2 in 256
    0.008
    """
    n = int(own[:, 2].sum())
    pool = np.concatenate([own, simulated]).astype(np.int64)
    if not n or not own[:, 1].any():
        return math.nan
    parts = _residuals(pool)
    return _tail(parts, pool[:, 2], n, int(parts[: len(own)] @ own[:, 2]))


def discernible(
    simulated: np.ndarray, n: int, *, family: int = 1, power: float = POWER, level: float = LEVEL
) -> float:  # fmt: skip
    """Return the smallest difference of a figure that n games would show with a chance of `power`.

    Parameters
    ----------
    simulated : (kinds, 3) int
        As of `consistency`.
    family : int
        How many figures are looked at, all of which together raise a false alarm in 1 - `level` of cases.

    Returns
    -------
    float
        On the scale of top over bottom, by normal curves; nan without games.

    Examples
    --------
    >>> round(discernible(np.array([[0, 1, 50_000], [1, 1, 50_000]]), 100), 2)
    0.14
    """
    top, bottom, games = (simulated[:, part].astype(float) for part in range(3))
    total = float(bottom @ games)
    if n < 1 or not total:
        return math.nan
    parts = top - bottom * float(top @ games) / total
    spread = math.sqrt(float(parts * parts @ games) / float(games.sum()))
    reach = float(special.ndtri(1 - (1 - level) / 2 / family) + special.ndtri(power))
    return reach * spread * math.sqrt(1 / n + 1 / float(games.sum())) * float(games.sum()) / total


def _residuals(pool: np.ndarray) -> np.ndarray:
    """Return what each kind of game adds to the sum that is looked at, as whole numbers."""
    top, bottom, games = pool.T
    if (bottom == bottom[0]).all():
        return np.asarray(top)
    ratio = Fraction(int(top @ games), int(bottom @ games)).limit_denominator(DENOMINATOR)
    return np.asarray(top * ratio.denominator - bottom * ratio.numerator)


def _tail(values: np.ndarray, games: np.ndarray, n: int, total: int) -> float:
    """Return the chance that n draws add up at least as far from their mean as a total that they can have."""
    low = int(values.min())
    step = int(np.gcd.reduce(values - low))
    if not step:
        return 1.0
    places = (values - low) // step
    centre = float(Fraction(n * int(places @ games), int(games.sum())))
    far = abs((total - n * low) // step - centre)
    size = n * int(places.max()) + 1
    if size > LATTICE:
        return _normal_tail(places, games, n, far)
    one = np.bincount(places, weights=games) / games.sum()
    length = fft.next_fast_len(size, real=True)
    chances = fft.irfft(fft.rfft(one, length) ** n, length)[:size]
    off = np.abs(np.arange(size) - centre) >= far - 1e-12 * size - 1e-9
    return float(np.clip(chances[off].sum(), 0, 1))


def _normal_tail(places: np.ndarray, games: np.ndarray, n: int, far: float) -> float:
    """Return `_tail` by a normal curve, from the half step before the total on."""
    mean = float(places @ games) / float(games.sum())
    spread = math.sqrt(float((places - mean) ** 2 @ games) / float(games.sum()) * n)
    return float(min(1.0, 2 * special.ndtr(-max(0.0, far - 0.5) / spread)))
