"""Figures of games that hang together: means, ratios and their differences from one matrix of sums."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from simlib.estimates import Estimate
from simlib.estimates.means import mean, ratio
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

    def total(self, name: Any) -> int:
        """Return the sum of one integer over all games."""
        return int(self.sums[self.names.index(name)])

    def product(self, one: Any, other: Any) -> int:
        """Return the sum over games of a product of two."""
        return int(self.products[self.names.index(one)][self.names.index(other)])

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
