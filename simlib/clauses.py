"""What a game's rules are made of, clause by clause: for questions about which of them ever come into play."""

from collections.abc import Callable
from typing import Any, NamedTuple

TRICKS, PLAYS, ROUNDS, BIDS, GIFTS, GAMES = "tricks", "plays", "rounds", "bids", "gifts", "games"


def always(parameters: Any) -> bool:
    """Tell that a clause can come into play in every variant."""
    return True


class Clause(NamedTuple):
    """One clause of a game's rules.

    Attributes
    ----------
    key : str
        Names its count.
    short : str
        A few words for it.
    text : str
        What it says.
    unit : str
        In what it comes into play: TRICKS, PLAYS of followers, ROUNDS, BIDS, GIFTS or GAMES.
    possible : callable
        Takes parameters; whether it can come into play at all in that variant.
    without : callable or None
        Takes parameters and returns the settings that take it out; None where no parameter does.
    """

    key: str
    short: str
    text: str
    unit: str
    possible: Callable[[Any], bool] = always
    without: Callable[[Any], dict[str, Any]] | None = None
