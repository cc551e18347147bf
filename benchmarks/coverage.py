"""How often intervals hold the true figure: on data like ours, made so that the truth is known.

``python -m benchmarks coverage`` tries each kind of interval RUNS times at each size; the tests do so less often.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from simlib.estimates import Estimate
from simlib.estimates.controlled import controlled
from simlib.estimates.families import simultaneous
from simlib.estimates.joint import Joint
from simlib.estimates.means import mean, ratio
from simlib.estimates.paired import difference
from simlib.estimates.proportions import wilson
from simlib.estimates.sequential import always

RUNS = 10_000
SIZES = (10, 30, 100, 1000)
WANTED = (0.94, 0.96)
LOOKS = 40  # of a sequence, from its first size on to LONG times as many
LONG = 50
Generator = np.random.Generator
Case = Callable[[Generator, int, int], Iterator[bool | None]]


def holds(estimate: Estimate, truth: float) -> bool | None:
    """Tell whether an interval holds the truth; None where there is none."""
    return bool(estimate.low <= truth <= estimate.high) if estimate.known else None


def shares(draw: Generator, n: int, runs: int) -> Iterator[bool | None]:
    """Count wins; each run has a true share of its own, as intervals for counts hold more here and less there."""
    for share in draw.uniform(0.1, 0.9, runs).tolist():
        yield holds(wilson(int(draw.binomial(n, share)), n), share)


def scores(draw: Generator, n: int, runs: int) -> Iterator[bool | None]:
    """Take the mean of points a game: small, skewed whole numbers."""
    for values in draw.poisson(3, (runs, n)):
        yield holds(mean(int(values.sum()), int((values * values).sum()), n), 3)


def pairs(draw: Generator, n: int, runs: int) -> Iterator[bool | None]:
    """Compare two arms on common deals, whose luck is far larger than the difference."""
    luck = draw.normal(0, 20, (runs, n))
    gaps = np.rint(luck + draw.normal(1.5, 4, (runs, n))).astype(int) - np.rint(luck).astype(int)
    for values in gaps:
        yield holds(difference(int(values.sum()), int((values * values).sum()), n), 1.5)


def ratios(draw: Generator, n: int, runs: int) -> Iterator[bool | None]:
    """Count hits among tries, of which games have unlike numbers, and each game its own rate."""
    for tried, hit in zip(*_tries(draw, n, runs, 0.3), strict=True):
        x, y = hit.tolist(), tried.tolist()
        yield holds(ratio(sum(x), sum(y), _dot(x, x), _dot(y, y), _dot(x, y), n), 0.3)


def ratio_differences(draw: Generator, n: int, runs: int) -> Iterator[bool | None]:
    """Compare two such ratios on the same games."""
    names = ["hit", "tried", "other", "others"]
    one, two = _tries(draw, n, runs, 0.3), _tries(draw, n, runs, 0.4)
    for values in zip(one[1], one[0], two[1], two[0], strict=True):
        rows = np.array(values)
        joint = Joint(names, rows.sum(axis=1), rows @ rows.T, n)
        yield holds(joint.difference_of_ratios(("other", "others"), ("hit", "tried")), 0.1)


def controlled_means(draw: Generator, n: int, runs: int) -> Iterator[bool | None]:
    """Take means with the luck of the deal taken off."""
    luck = np.rint(draw.normal(0, 5, (runs, n))).astype(int)
    values = np.rint(10 + luck + draw.normal(0, 4, (runs, n))).astype(int)
    for value, dealt in zip(values, luck, strict=True):
        rows = np.array([value, dealt])
        yield holds(controlled(rows.sum(axis=1).tolist(), (rows @ rows.T).tolist(), n).estimate, 10)


def families(draw: Generator, n: int, runs: int) -> Iterator[bool | None]:
    """Take five means at once, widened: whether all hold."""
    for values in draw.poisson(3, (runs, 5, n)):
        made = simultaneous([mean(int(part.sum()), int((part * part).sum()), n) for part in values])
        yield all(holds(each, 3) for each in made) if all(each.known for each in made) else None


def looks(draw: Generator, n: int, runs: int) -> Iterator[bool | None]:
    """Look at a mean LOOKS times while games are played, its interval made to hold at all of them."""
    sizes = np.unique(np.geomspace(n, LONG * n, LOOKS).astype(int))
    for _ in range(runs):
        values = draw.poisson(3, LONG * n)
        totals, squares = np.cumsum(values)[sizes - 1].tolist(), np.cumsum(values * values)[sizes - 1].tolist()
        seen = [mean(*sums) for sums in zip(totals, squares, sizes.tolist(), strict=True)]
        yield all(holds(always(each, LONG * n / 4), 3) for each in seen)


def peeks(draw: Generator, n: int, runs: int) -> Iterator[bool | None]:
    """Play until a mean's ordinary interval is narrow enough: stopping for a width leaves it true."""
    sizes = np.unique(np.geomspace(n, LONG * n, LOOKS).astype(int))
    width = 2 * 1.96 * 3**0.5 / (LONG * n / 4) ** 0.5
    for _ in range(runs):
        values = draw.poisson(3, LONG * n)
        totals, squares = np.cumsum(values)[sizes - 1].tolist(), np.cumsum(values * values)[sizes - 1].tolist()
        seen = (mean(*sums) for sums in zip(totals, squares, sizes.tolist(), strict=True))
        yield holds(next(each for each in seen if each.high - each.low <= width), 3)


def _tries(draw: Generator, n: int, runs: int, share: float) -> tuple[Any, Any]:
    tried = draw.poisson(5, (runs, n))
    return tried, draw.binomial(tried, draw.beta(10 * share, 10 * (1 - share), (runs, n)))


def _dot(one: list[int], other: list[int]) -> int:
    return sum(a * b for a, b in zip(one, other, strict=True))


CASES: dict[str, Case] = {
    "Wilson, share of games": shares,
    "Student t, points a game": scores,
    "paired by deal": pairs,
    "ratio, delta method": ratios,
    "difference of ratios, paired": ratio_differences,
    "mean, luck controlled": controlled_means,
    "family of 5, all hold": families,
    "stopped for a width": peeks,
}
AT_LEAST: dict[str, Case] = {"held at every look": looks}  # these may hold more often than they say


def covered(case: Case, n: int, runs: int, seed: int = 1) -> tuple[float, int]:
    """Return how often intervals held, and of how many; runs without an interval don't count."""
    held = [each for each in case(np.random.default_rng([seed, n]), n, runs) if each is not None]
    return float(np.mean(held)), len(held)
