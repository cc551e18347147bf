"""Figures of games that hang together: means, ratios and their differences from one matrix of sums."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from simlib.estimates import LEVEL, Estimate
from simlib.estimates.controlled import Controlled, controlled
from simlib.estimates.means import DELTA, mean, ratio, smooth, unknown
from simlib.estimates.paired import difference_of_ratios, difference_of_sums
from simlib.estimates.proportions import wilson


@dataclass(frozen=True)
class Joint:
    """Exact sums over games of several integers a game, and of all their products.

    Attributes
    ----------
    names : sequence
        What each integer is called, in the order of `sums`.
    sums : (figures,) int
    products : (figures, figures) int
    n : int
        Games.

    Examples
    --------
    >>> Joint(["offered", "accepted"], [12, 6], [[56, 28], [28, 14]], 3).ratio("accepted", "offered").value
    0.5
    """

    names: Sequence[Any]
    sums: Any
    products: Any
    n: int

    @cached_property
    def place(self) -> dict[Any, int]:
        """Where each integer stands."""
        return {name: at for at, name in enumerate(self.names)}

    def total(self, name: Any) -> int:
        """Return the sum of one integer over all games."""
        return int(self.sums[self.place[name]])

    def product(self, one: Any, other: Any) -> int:
        """Return the sum over games of a product of two."""
        return int(self.products[self.place[one]][self.place[other]])

    def mean(self, name: Any) -> Estimate:
        """Return the mean a game."""
        return mean(self.total(name), self.product(name, name), self.n)

    def share(self, name: Any) -> Estimate:
        """Return how often an integer that is 0 or 1 was 1."""
        return wilson(self.total(name), self.n)

    def ratio(self, top: Any, bottom: Any) -> Estimate:
        """Return the ratio of two sums."""
        return ratio(
            self.total(top),
            self.total(bottom),
            self.product(top, top),
            self.product(bottom, bottom),
            self.product(top, bottom),
            self.n,
        )

    def difference(self, one: Any, other: Any) -> Estimate:
        """Return the mean difference a game of two integers, paired by game."""
        return difference_of_sums(
            self.total(one),
            self.total(other),
            self.product(one, one),
            self.product(other, other),
            self.product(one, other),
            self.n,
        )

    def difference_of_ratios(self, one: tuple[Any, Any], other: tuple[Any, Any]) -> Estimate:
        """Return the difference of two ratios, each (top, bottom), paired by game."""
        names = (*one, *other)
        return difference_of_ratios(
            [self.total(name) for name in names],
            [[self.product(row, column) for column in names] for row in names],
            self.n,
        )

    def contrast(self, weights: Mapping[tuple[Any, Any], float]) -> Estimate:
        """Return a weighted sum of figures, each (top, bottom), by the delta method.

        Parameters
        ----------
        weights : mapping of (top, bottom) to float
            Ratios of sums; means a game where `bottom` is empty.

        Examples
        --------
        >>> Joint(["a", "b"], [12, 6], [[56, 28], [28, 14]], 3).contrast({("a", ""): 1, ("b", ""): -1}).value
        2.0
        """
        values, carrying = [], float(self.n)
        gradient = np.zeros(len(self.names))
        for (top, bottom), weight in weights.items():
            under = self.total(bottom) if bottom else self.n
            if not under:
                return unknown(math.nan, self.n, DELTA, LEVEL, "nothing to divide by" if self.n else "no games")
            values.append(weight * self.total(top) / under)
            for name, part in self._linear((top, bottom)).items():
                gradient[self.place[name]] += weight * part / self.n
            if bottom:
                carrying = min(carrying, under * under / self.product(bottom, bottom))
        at = np.flatnonzero(gradient)
        totals, products = np.asarray(self.sums)[at], np.asarray(self.products)[np.ix_(at, at)]
        return smooth(_sum(values), gradient[at], totals, products, self.n, carrying)

    def controlled(self, name: Any, controls: Sequence[Any]) -> Controlled:
        """Return the mean a game of one integer, less what it owes to the luck in `controls`, of true mean 0."""
        names = (name, *controls)
        return controlled(
            [self.total(each) for each in names],
            [[self.product(row, column) for column in names] for row in names],
            self.n,
        )

    def spread(self, weights: Mapping[Any, float]) -> float:
        """Return the variance a game of a weighted sum of integers.

        Examples
        --------
        >>> Joint(["a"], [12], [[56]], 3).spread({"a": 0.5})
        1.0
        """
        at = [self.place[name] for name in weights]
        factors = np.array(list(weights.values()))
        totals = np.array([int(self.sums[place]) for place in at], float)
        squares = np.array([[int(self.products[row][column]) for column in at] for row in at], float)
        centred = squares - np.outer(totals, totals) / max(self.n, 1)
        return float(factors @ centred @ factors) / max(self.n - 1, 1)

    def worth_of_pairing(self, one: tuple[Any, Any], other: tuple[Any, Any]) -> float:
        """Return how many games, played apart, one game is worth that two figures share: of their difference.

        Parameters
        ----------
        one, other : (top, bottom)
            Ratios of sums; means a game where `bottom` is empty.

        Returns
        -------
        float
            The variances of both added up, over that of their difference; nan where that is 0.
        """
        first, second = self._linear(one), self._linear(other)
        both = dict(first)
        for name, weight in second.items():
            both[name] = both.get(name, 0.0) - weight
        together, apart = self.spread(both), self.spread(first) + self.spread(second)
        return apart / together if together > 1e-12 * apart else float("nan")

    def _linear(self, figure: tuple[Any, Any]) -> dict[Any, float]:
        """Return what a game adds to a figure, to first order, as weights of its integers."""
        top, bottom = figure
        if not bottom:
            return {top: 1.0}
        under = self.total(bottom) or 1
        return {top: self.n / under, bottom: -self.n * self.total(top) / under**2}


def _sum(values: Sequence[float]) -> float:
    """Return a sum of floats, exactly 0 where no more than rounding is left of it."""
    total = math.fsum(values)
    return total if abs(total) > 1e-12 * max(map(abs, values), default=0.0) else 0.0
