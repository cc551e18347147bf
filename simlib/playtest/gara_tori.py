"""Gara-tori's part of a playtest log: turns of the lead and locked tricks."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from simlib.playtest.cells import Impossible, Row

if TYPE_CHECKING:  # heavy to import: not before a log is checked
    from simlib.survey import Figure

COLUMNS = {
    "turns": "how often the lead colour changed within a trick, in the whole game",
    "locks": "tricks that a special locked",
}
COUNTS = {"turns": "turns of the lead", "locks": "locked tricks"}  # what is counted, by the column that tells it
WINS = "the highest score wins"


def most(rules: Any) -> int:
    """Return the most points of a seat: all cards of a colour."""
    return min(max(_colours(rules)), _cards(rules))


def winners(scores: Sequence[int], rules: Any) -> list[int]:
    """Return the seats with the highest score."""
    return [seat for seat, score in enumerate(scores) if score == max(scores)]


def read(row: Row, scores: Sequence[int], rules: Any) -> dict[str, int]:
    """Return the own counts of a CSV line, checked.

    A seat that won t tricks took t cards of each seat; its score is between these, parted evenly by colour, and all.
    """
    players, colours, tricks = rules.players, rules.deck.colours, rules.hand.size
    least = sum(-(-score // players) for score in scores)
    highest = sum(score * colours // players for score in scores)
    if not least <= tricks <= highest:
        needed = f"{least} tricks at least" if least > tricks else f"{highest} tricks at most"
        raise Impossible("scores", f"{'/'.join(map(str, scores))}: they need {needed}, and there are {tricks}")
    bounds = {
        "turns": tricks * (players - 1),
        "locks": min(tricks, colours * rules.deck.specials),
    }
    told = {name: row.whole(name, 0, bound) for name, bound in bounds.items()}
    return {COUNTS[name]: count for name, count in told.items() if count is not None}


def recorded(record: Mapping[str, Any], rules: Any) -> dict[str, int]:
    """Return the own counts of a record."""
    tricks = [trick for played in record["rounds"] for trick in played["tricks"]]
    return {
        COUNTS["turns"]: sum(before != after for trick in tricks for before, after in pairwise(trick["leads"])),
        COUNTS["locks"]: sum(trick["locked"] for trick in tricks),
    }


def simulated(row: Mapping[str, np.ndarray], rules: Any) -> dict[str, np.ndarray]:
    """Return the own counts of simulated games."""
    return {count: row[column] for column, count in COUNTS.items()}


def figures(rules: Any) -> "dict[str, Figure]":
    """Return the figures of the own counts."""
    from simlib.survey import Figure

    return {
        "turns": Figure("turns of the lead a game", "turns of the lead"),
        "locks": Figure("locked tricks a game", "locked tricks"),
    }


def _colours(rules: Any) -> list[int]:
    """Return the cards of each colour."""
    return [sum(row) + rules.deck.specials for row in rules.deck.copies]


def _cards(rules: Any) -> int:
    return int(rules.players * rules.hand.size)
