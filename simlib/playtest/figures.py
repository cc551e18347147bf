"""What is counted of each game, a played or a simulated one alike, and the figures made of it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from simlib.estimates import Estimate
from simlib.estimates.joint import Joint
from simlib.measures import win_shares
from simlib.playtest import own_part, unit_of
from simlib.survey import WHOLE, Figure, figure_of

OF_START = ("start",)  # counts that tell of the seat that started


def figures(game: str, rules: Any) -> dict[str, Figure]:
    """Return all figures of a game by name, those of scores first."""
    point = 1 / unit_of(rules)
    return {
        "points": Figure("points of a seat", "points", scale=point / rules.players, unit="points"),
        "best": Figure("points of the winner", "best", scale=point, unit="points"),
        "gap": Figure("highest less lowest score", "gap", scale=point, unit="points"),
        "shared": Figure("shared wins", "shared", percent=True, chance=True),
        "start": Figure("wins of the seat that starts", "start", scale=1 / WHOLE, percent=True),
    } | dict(own_part(game).figures(rules))


def result_counts(scores: np.ndarray, wins: np.ndarray, starts: np.ndarray) -> dict[str, np.ndarray]:
    """Return what is counted of the results of games.

    Parameters
    ----------
    scores : (games, seats) int
        In 1/unit points.
    wins : (games, seats) of 0 and 1
    starts : (games,) int
        The seat that started; any, where it isn't known.
    """
    wide, won = scores.astype(np.int64), wins.astype(np.int64)
    return {
        "points": wide.sum(axis=1),
        "best": (wide * won).sum(axis=1) // won.sum(axis=1),
        "gap": wide.max(axis=1) - wide.min(axis=1),
        "shared": (won.sum(axis=1) > 1).astype(np.int64),
        "start": np.take_along_axis(win_shares(won, WHOLE), starts[:, None], axis=1)[:, 0],
    }


def played_counts(scores: Sequence[int], winners: Iterable[int], start: int | None) -> dict[str, int]:
    """Return `result_counts` of one game of a log, without those that need what it doesn't tell."""
    wins = np.zeros((1, len(scores)), np.int64)
    wins[0, list(winners)] = 1
    counted = result_counts(np.array([scores], np.int64), wins, np.array([start or 0]))
    return {name: int(values[0]) for name, values in counted.items() if start is not None or name not in OF_START}


def simulated_counts(game: str, row: Mapping[str, np.ndarray], rules: Any) -> dict[str, np.ndarray]:
    """Return all counts of simulated games, from the columns of their rows by name."""
    seats = range(rules.players)
    scores, wins = (np.stack([row[f"{name}_{seat}"] for seat in seats], axis=1) for name in ("score", "win"))
    return result_counts(scores, wins, row["start_0"].astype(np.int64)) | dict(own_part(game).simulated(row, rules))


# ---- tallies: (kinds, 3) int64, what games add to a figure's top and bottom, and how many games add that -------------


def tally(counts: Mapping[str, np.ndarray], figure: Figure) -> np.ndarray:
    """Return the tally of a figure over games, (kinds, 3), from their counts."""
    top = np.asarray(counts[figure.top], np.int64)
    bottom = np.asarray(counts[figure.bottom], np.int64) if figure.bottom else np.ones_like(top)
    return merged([np.stack([top, bottom, np.ones_like(top)], axis=1)])


def played_tally(games: Iterable[Mapping[str, int]], figure: Figure) -> np.ndarray:
    """Return the tally of a figure over those games of a log that tell what it needs."""
    needed = [name for name in (figure.top, figure.bottom) if name]
    telling = [game for game in games if all(name in game for name in needed)]
    return tally({name: np.array([game[name] for game in telling], np.int64) for name in needed}, figure)


def merged(tallies: Sequence[np.ndarray]) -> np.ndarray:
    """Return tallies as one, in rising order."""
    stacked = np.concatenate(tallies)
    kinds, place = np.unique(stacked[:, :2], axis=0, return_inverse=True)
    games = np.zeros(len(kinds), np.int64)
    np.add.at(games, place.ravel(), stacked[:, 2])
    return np.column_stack([kinds, games])


def estimate(counted: np.ndarray, figure: Figure) -> Estimate:
    """Return a figure with its interval from its tally; a share's is cut off at 0 and 1."""
    values, games = counted[:, :2].astype(object), counted[:, 2].astype(object)  # whole numbers of any size
    names = [("", figure.top), ("", figure.bottom)]
    products = [[sum(values[:, one] * values[:, other] * games) for other in (0, 1)] for one in (0, 1)]
    joint = Joint(names, [sum(values[:, part] * games) for part in (0, 1)], products, int(sum(games)))
    return figure_of(joint, figure, "")
