"""Means made sharper by what luck is known to have dealt: control variates."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from simlib.estimates import LEVEL, Estimate
from simlib.estimates.means import mean, unknown
from simlib.heavy import special

CONTROLLED = "regression on {controls} luck controls, Student t interval"


class Controlled(NamedTuple):
    """A mean with luck taken off, and how many games of the plain mean one game of it is worth."""

    estimate: Estimate
    factor: float


def controlled(sums: Sequence[int], products: Any, n: int, *, level: float = LEVEL) -> Controlled:
    """Return the mean of a figure, less what it owes to luck that is known to be fair.

    Parameters
    ----------
    sums : (1 + controls,) int
        Sums over independent units of the figure, then of each control. A control's true mean must be 0 by the rules,
        as a seat's dealt strength less that of the others is.
    products : (1 + controls, 1 + controls) int
        Sums of their products.
    n : int
        Number of units.
    level : float
        Nominal coverage.

    Returns
    -------
    Controlled
        The plain mean and a factor of 1 where there are too few units to fit the controls, or they don't vary.

    Notes
    -----
    S. S. Lavenberg and P. D. Welch, "A perspective on the use of control variables to increase the efficiency of
    Monte Carlo simulations", Management Science 27 (1981), eq. 10 to 19: the intercept of the least-squares line, its
    standard error and Student's t with ``n - controls - 1`` degrees of freedom. The factor is the ratio of the two
    standard errors squared. Exact for normal figures, close for others from some dozens of units on.

    Examples
    --------
    >>> y, x = [1, 3, 5, 7, 10, 12], [-2, -1, 0, 0, 1, 2]
    >>> rows = np.array([y, x])
    >>> round(controlled(rows.sum(axis=1), rows @ rows.T, 6).estimate.value, 2)
    6.33
    """
    plain = mean(int(sums[0]), int(products[0][0]), n, level=level)
    controls = len(sums) - 1
    freedom = n - controls - 1
    if not plain.known or freedom < 1 or plain.low == plain.high:
        return Controlled(plain, 1.0)
    totals, squares = np.array(sums, float), np.array(products, float)
    spread = squares - np.outer(totals, totals) / n
    varying = np.flatnonzero(np.diag(spread)[1:] > 1e-9 * np.diag(squares)[1:]) + 1
    if not len(varying):
        return Controlled(plain, 1.0)
    weights = np.linalg.lstsq(spread[np.ix_(varying, varying)], spread[varying, 0], rcond=None)[0]
    rest = float(spread[0, 0] - weights @ spread[varying, 0])
    method = CONTROLLED.format(controls=controls)
    if rest <= 1e-12 * spread[0, 0]:
        return Controlled(unknown(plain.value, n, method, level, "luck explains every game"), 1.0)
    offsets = totals[varying] / n
    leverage = 1 / n + float(offsets @ np.linalg.lstsq(spread[np.ix_(varying, varying)], offsets, rcond=None)[0])
    error = (rest / freedom * leverage) ** 0.5
    value = float(totals[0] / n - weights @ offsets)
    half = float(special.stdtrit(freedom, (1 + level) / 2)) * error
    factor = spread[0, 0] / (n * (n - 1)) / error**2
    return Controlled(Estimate(value, value - half, value + half, n, method, level, freedom=freedom), float(factor))
