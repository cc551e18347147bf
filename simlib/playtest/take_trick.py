"""Take-Trick's part of a playtest log: gifts, rounds, and whether the target was reached."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from simlib.games.take_trick import referee
from simlib.playtest.cells import Impossible, Row

if TYPE_CHECKING:  # heavy to import: not before a log is checked
    from simlib.survey import Figure

COLUMNS = {
    "rounds": "rounds that were played, one that a gift ended included",
    "gifts_offered": "gifts offered, in the whole game",
    "gifts_accepted": "gifts accepted",
    "ended_by_gift": "yes if a gift took a seat to the target and ended the game, else no",
}
COUNTS = {  # what is counted, by the column that tells it
    "rounds": "rounds",
    "gifts_offered": "gifts offered",
    "gifts_accepted": "gifts accepted",
    "ended_by_gift": "ended by a gift",
}
REACHED = "target reached"
WINS = "of those at the target the nearest to it wins, else the highest score"


def most(rules: Any) -> int:
    """Return a bound of a seat's points: one short of the target before the last points are given.

    These are those of a gift, or of a round: at most one for each card that lies before all seats.
    """
    cards = rules.players * (rules.tricks + 2)  # all that is played, and two first cards each
    return int(rules.score.target - 1 + max(rules.gift.points, cards))


def winners(scores: Sequence[int], rules: Any) -> list[int]:
    """Return the seats at the target that are nearest to it, or else those with the highest score."""
    return referee.winners(list(scores), rules.score.target)


def read(row: Row, scores: Sequence[int], rules: Any) -> dict[str, int]:
    """Return the own counts of a CSV line, checked."""
    rounds = row.whole("rounds", 1, rules.rounds.max)
    offered = row.whole("gifts_offered", 0, rules.players * rules.tricks * (rounds or rules.rounds.max))
    accepted = row.whole("gifts_accepted", 0, rules.players * rules.tricks * (rounds or rules.rounds.max))
    ended = row.yes("ended_by_gift")
    if offered is not None and accepted is not None and accepted > offered:
        raise Impossible("gifts_accepted", f"{accepted}: it must be at most the {offered} that were offered")
    _check_end(scores, rounds, accepted, ended, rules)
    told = zip(COUNTS.values(), (rounds, offered, accepted, ended), strict=True)
    known = {name: int(count) for name, count in told if count is not None}
    return known | {REACHED: int(max(scores) >= rules.score.target)}


def _check_end(scores: Sequence[int], rounds: int | None, accepted: int | None, ended: bool | None, rules: Any) -> None:
    """Check that the game can have ended when it did."""
    best, target, last = max(scores), rules.score.target, rules.rounds.max
    if rounds is not None and rounds < last and best < target:
        raise Impossible("rounds", f"{rounds}: nobody reached the target of {target}, so it must be {last}")
    if ended and (accepted == 0 or not rules.gift.points):
        raise Impossible("ended_by_gift", "yes: no accepted gift gave points, so it must be no")
    if ended and not target <= best < target + rules.gift.points:
        wanted = f"{target} to {target + rules.gift.points - 1}" if rules.gift.points > 1 else f"{target}"
        raise Impossible("ended_by_gift", f"yes: the highest score must be {wanted} after such a gift, not {best}")


def recorded(record: Mapping[str, Any], rules: Any) -> dict[str, int]:
    """Return the own counts of a record."""
    captures = [
        capture for played in record["rounds"] for trick in played["tricks"] for capture in trick["captures"]
    ]  # fmt: skip
    gifts = [capture["gift"] for capture in captures if capture["gift"]]
    accepted, ended = sum(gift["accepted"] for gift in gifts), record["rounds"][-1]["ended_by_gift"]
    told = zip(COUNTS.values(), (len(record["rounds"]), len(gifts), accepted, int(ended)), strict=True)
    return dict(told) | {REACHED: int(max(record["scores"]) >= rules.score.target)}


def simulated(row: Mapping[str, np.ndarray], rules: Any) -> dict[str, np.ndarray]:
    """Return the own counts of simulated games."""
    best = np.max([row[f"score_{seat}"] for seat in range(rules.players)], axis=0)
    return {count: row[column] for column, count in COUNTS.items()} | {
        REACHED: (best >= rules.score.target).astype(np.int64)
    }


def figures(rules: Any) -> "dict[str, Figure]":
    """Return the figures of the own counts."""
    from simlib.survey import Figure

    return {
        "reached": Figure("games that reach the target", REACHED, percent=True, chance=True),
        "offered": Figure("gifts offered a game", "gifts offered"),
        "kept": Figure("gifts accepted of those offered", "gifts accepted", "gifts offered", percent=True),
        "ended": Figure("games that a gift ends", "ended by a gift", percent=True, chance=True),
        "rounds": Figure("rounds a game", "rounds"),
    }
