"""A figure with its uncertainty: what every estimator returns and every page prints."""

import math
from dataclasses import dataclass, replace

LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """One figure.

    Attributes
    ----------
    value, low, high : float
        The estimate and the ends of its interval; nan where there is none (`reason` then says why).
    n : int
        Independent units behind it (games, deals or hands, never seats).
    method : str
        How the interval was made, in a few words.
    level : float
        The interval's nominal coverage.
    reason : str
        Why there is no figure, or no interval; empty otherwise.
    freedom : float
        Degrees of freedom of Student's t behind the interval; infinite where it is a normal one.
    """

    value: float
    low: float
    high: float
    n: int
    method: str
    level: float = LEVEL
    reason: str = ""
    freedom: float = math.inf

    @property
    def known(self) -> bool:
        """Whether there is a value with an interval."""
        return all(map(math.isfinite, (self.value, self.low, self.high)))

    @property
    def sign(self) -> int:
        """1 or -1 where the interval lies on one side of zero, 0 while undecided."""
        if not self.known:
            return 0
        return int(self.low > 0) - int(self.high < 0)

    def scaled(self, factor: float) -> "Estimate":
        """Return the same estimate in another unit; `factor` is positive."""
        return replace(self, value=self.value * factor, low=self.low * factor, high=self.high * factor)

    def shifted(self, by: float) -> "Estimate":
        """Return the same estimate with a number added."""
        return replace(self, value=self.value + by, low=self.low + by, high=self.high + by)

    def within(self, least: float, most: float) -> "Estimate":
        """Return the same estimate, whose interval goes no further than what it can be.

        Raises
        ------
        ValueError
            If it isn't between these itself: then it is something else, such as a difference of shares.
        """
        if not self.known:
            return self
        if not least <= self.value <= most:
            raise ValueError(f"{self.value} is not between {least} and {most}")
        return replace(self, low=max(self.low, least), high=min(self.high, most))

    def negated(self) -> "Estimate":
        """Return the same estimate with the other sign."""
        return replace(self, value=-self.value, low=-self.high, high=-self.low)
