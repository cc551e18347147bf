"""Whether several means are all the same: one joint test for figures that hang together."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from simlib.estimates.joint import Joint
from simlib.heavy import special


class Equality(NamedTuple):
    """A joint test that means are equal.

    Attributes
    ----------
    statistic : float
        Hotelling's T squared: a chi-square with `freedom` degrees of freedom where there are many units.
    freedom : int
        Independent differences of the means.
    p : float
        How often equal means would part at least as far; nan where too few units can say.
    n : int
        Units.
    """

    statistic: float
    freedom: int
    p: float
    n: int


def equality(joint: Joint, names: Sequence[Any]) -> Equality:
    """Return the joint test that integers of a game have the same mean, whatever their covariances.

    Parameters
    ----------
    joint : Joint
    names : sequence
        Two or more of its integers.

    Notes
    -----
    H. Hotelling, "The generalization of Student's ratio", Ann. Math. Statist. 2 (1931), p. 360: the differences from
    the first figure against 0, by an F distribution. Differences that never vary are left out.

    Examples
    --------
    >>> joint = Joint(["a", "b"], [12, 6], [[56, 24], [24, 14]], 3)
    >>> [round(part, 3) for part in equality(joint, ["a", "b"])]
    [2.4, 1, 0.261, 3]
    """
    at = [joint.place[name] for name in names]
    sums = np.array([int(joint.sums[place]) for place in at], float)
    products = np.array([[int(joint.products[row][column]) for column in at] for row in at], float)
    contrasts = np.hstack([-np.ones((len(at) - 1, 1)), np.eye(len(at) - 1)])
    totals, squares = contrasts @ sums, contrasts @ products @ contrasts.T
    scatter = squares - np.outer(totals, totals) / max(joint.n, 1)
    freedom = int(np.linalg.matrix_rank(scatter, tol=1e-9 * max(np.trace(squares), 1.0), hermitian=True))
    if not freedom:
        return Equality(0.0, 0, math.nan if joint.n < 2 or totals.any() else 1.0, joint.n)
    rest = joint.n - freedom
    if joint.n < len(at):
        return Equality(math.nan, freedom, math.nan, joint.n)
    inverse = np.linalg.pinv(scatter, rcond=1e-9, hermitian=True)
    statistic = float(totals @ inverse @ totals) * (joint.n - 1) / joint.n
    p = float(special.fdtrc(freedom, rest, statistic * rest / (freedom * (joint.n - 1))))
    return Equality(statistic, freedom, p, joint.n)
