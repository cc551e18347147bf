"""Playing until the headline figure is known as closely as wished, or games or time run out."""

import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from simlib.estimates import Estimate

FIRST = 64  # the first look comes after one in so many of an experiment's usual games
MOST = 64  # and the last, where no other end is given, after so many times as many
STEP = (1.25, 4.0)  # the next look comes after so many times the games of the last one, at least and at most
SPARE = 1.02  # ... and so much more than should be enough
TOO_FEW = 1.02  # a look is not worth its while for less


@dataclass(frozen=True)
class Wish:
    """What ends a run.

    Attributes
    ----------
    precision : float
        How far the headline figure's interval may reach to each side, on the figure's scale; 0 where none is wished.
    seconds : float
        How long it may play; infinite where nothing is said.
    """

    precision: float = 0.0
    seconds: float = math.inf

    @property
    def given(self) -> bool:
        """Whether anything is wished."""
        return self.precision > 0 or self.seconds < math.inf


@dataclass(frozen=True)
class Stop:
    """How a run ended.

    Attributes
    ----------
    why : str
        ``precision``, ``games`` or ``time``: which of them ran out or was reached.
    precision : float
        The wish.
    games : int
        What GAMES would have played as much.
    looks : int
        How often the figure was looked at.
    tuned : float
        Units for which the interval of many looks was made.
    """

    why: str
    precision: float
    games: int
    looks: int
    tuned: float

    @property
    def facts(self) -> dict[str, Any]:
        """Plain values for the result file."""
        return asdict(self)


def play_until(wish: Wish, usual: int, most: int, look: Callable[[int], Estimate]) -> Stop:
    """Play on until a wish is fulfilled; what was played at each look depends on the sums alone, but for time.

    Parameters
    ----------
    usual, most : int
        Games, as GAMES counts them, that the experiment plays by itself; and at the last look.
    look : callable
        Plays up to so many games in all and returns the headline figure.
    """
    from simlib.estimates.sequential import always

    begun, games, looks, tuned = time.monotonic(), min(most, math.ceil(usual / FIRST)), 0, 0.0
    while True:
        estimate, looks = look(games), looks + 1
        tuned = tuned or max(estimate.n, 1) * usual / games
        reach = half_width(always(estimate, tuned))
        fitting = games * wish.seconds / max(time.monotonic() - begun, 1e-9)
        ends = {"precision": reach <= wish.precision, "games": games >= most, "time": fitting < games * TOO_FEW}
        for why, here in ends.items():
            if here:
                return Stop(why, wish.precision, games, looks, tuned)
        games = min(most, int(min(fitting, following(games, reach, wish.precision))))


def following(games: int, reach: float, precision: float) -> int:
    """Return after how many games to look again: when the interval should be narrow enough, but not too far ahead."""
    wanted = games * (reach / precision) ** 2 * SPARE if precision and math.isfinite(reach) else math.inf
    least, most = (math.ceil(games * step) for step in STEP)
    return int(min(max(wanted, least), most))


def half_width(estimate: Estimate) -> float:
    """Return how far an interval reaches, to the side where it reaches further; infinite where there is none."""
    return max(estimate.high - estimate.value, estimate.value - estimate.low) if estimate.known else math.inf
