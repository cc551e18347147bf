"""Per-game rows of Take-Trick -> integers a game, for questions about gifts."""

import numpy as np

from simlib.games.take_trick.parameters import TakeTrickParameters
from simlib.games.take_trick.rules import columns
from simlib.measures import numbered, win_shares

COSTS = {"blind": 3, "fast": 100, "search": 2500}  # microseconds a game, of search a playout; see sweep.plan
SHARES = 60  # a win, or what tied seats share, counts 60: up to six seats share it evenly
GAME_COLUMNS = {  # what of the row is summed up as it is
    "rounds": "rounds",
    "tricks": "leader_plays",
    "offered": "gifts_offered",
    "accepted": "gifts_accepted",
    "forced": "gifts_forced",
    "refused": "gifts_refused",
    "ended": "ended_by_gift",
}
COUNTS = (
    *GAME_COLUMNS,
    "points",
    "gift_points",
    "penalties",
    "owed",
    "owed_all",
    "owed_ended",
    "spoiled",
    "later_rounds",
    "leading",
    "trailing",
    "gap",
)


def game_counts(rows: np.ndarray, parameters: TakeTrickParameters) -> dict[str, np.ndarray]:
    """Return the COUNTS of each game.

    Parameters
    ----------
    rows : (games, columns) int

    Returns
    -------
    dict of (games,) int64
        The row's own counts, and

        - ``points``, ``gift_points``, ``penalties``: final scores, points got for gifts and points lost for refusals,
          of all seats together;
        - ``owed``: the share of the win, in 1/SHARES, of winners that wouldn't have won had their own gift points not
          counted (`wins_without_gifts`);
        - ``owed_all``: the same, had nobody's gift points been counted;
        - ``owed_ended``: 1 if a gift ended the game and every winner owes its win to its own gift points;
        - ``spoiled``: 1 if a seat didn't win that would have won had its own gift points not counted;
        - ``later_rounds``: rounds after the first;
        - ``leading``, ``trailing``: gift points less penalties, in 1/SHARES and summed over later rounds, of the seats
          with the most and the fewest points at the end of the round before, a mean over seats that are level;
          ``gap``: the second less the first.
    """
    column, seats = numbered(columns(parameters)), range(parameters.players)
    wide = rows.astype(np.int64)

    def by_seat(name: str) -> np.ndarray:
        return wide[:, [column[f"{name}_{seat}"] for seat in seats]]

    scores, gifts, wins = by_seat("score"), by_seat("gift_points"), by_seat("win")
    without = wins_without_gifts(scores, gifts, parameters.score.target)
    ended = wide[:, column["ended_by_gift"]]
    shares = win_shares(wins, SHARES)
    owed = (shares * ~without).sum(axis=1)
    leading, trailing = later_gains(wide, parameters)
    return {name: wide[:, column[of]] for name, of in GAME_COLUMNS.items()} | {
        "points": scores.sum(axis=1),
        "gift_points": gifts.sum(axis=1),
        "penalties": by_seat("penalties").sum(axis=1),
        "owed": owed,
        "owed_all": (shares * ~winners(scores - gifts, parameters.score.target)).sum(axis=1),
        "owed_ended": ended * ~(without & (wins == 1)).any(axis=1),
        "spoiled": (without & (wins == 0)).any(axis=1).astype(np.int64),
        "later_rounds": wide[:, column["rounds"]] - 1,
        "leading": leading,
        "trailing": trailing,
        "gap": trailing - leading,
    }


def winners(scores: np.ndarray, target: int) -> np.ndarray:
    """Return who wins with these final scores, (games, seats) bool: the nearest at or above the target, or the most."""
    reached = scores >= target
    nearest = np.where(reached, scores, np.iinfo(np.int64).max).min(axis=1)
    best = np.where(reached.any(axis=1), nearest, scores.max(axis=1))
    return scores == best[:, None]


def wins_without_gifts(scores: np.ndarray, gifts: np.ndarray, target: int) -> np.ndarray:
    """Return for each seat whether it wins if its own gift points are taken off its final score.

    All else stays as it was played: the other seats' scores, and where the game ended.

    Parameters
    ----------
    scores, gifts : (games, seats) int

    Returns
    -------
    (games, seats) bool
    """
    wins = np.empty(scores.shape, bool)
    for seat in range(scores.shape[1]):
        changed = scores.copy()
        changed[:, seat] -= gifts[:, seat]
        wins[:, seat] = winners(changed, target)[:, seat]
    return wins


def later_gains(rows: np.ndarray, parameters: TakeTrickParameters) -> tuple[np.ndarray, np.ndarray]:
    """Return what gifts brought the seats that led, and those that trailed, in the rounds after the first.

    Returns
    -------
    leading, trailing : (games,) int64
        See `game_counts`.
    """
    column = numbered(columns(parameters))
    leading, trailing = np.zeros((2, len(rows)), np.int64)
    before = round_scores(rows, column, 0, parameters)
    for number in range(1, parameters.rounds.max):
        played = rows[:, column["rounds"]] > number
        scores = round_scores(rows, column, number, parameters)
        ended = rows[:, column["ended_by_gift"]] * (rows[:, column["rounds"]] == number + 1)
        majority = majority_points(bamboo(rows, column, number, parameters)) * (1 - ended[:, None])
        gains = (scores - before - majority) * played[:, None]
        leading += level_mean(gains, before == before.max(axis=1, keepdims=True))
        trailing += level_mean(gains, before == before.min(axis=1, keepdims=True))
        before = scores
    return leading, trailing


def level_mean(gains: np.ndarray, among: np.ndarray) -> np.ndarray:
    """Return each game's mean gain in 1/SHARES among some seats; exact, as SHARES can be parted by up to six."""
    return SHARES * (gains * among).sum(axis=1) // among.sum(axis=1)


def round_scores(rows: np.ndarray, column: dict[str, int], number: int, parameters: TakeTrickParameters) -> np.ndarray:
    """Return the scores at a round's end, (games, seats)."""
    return rows[:, [column[f"round_score_{number}_{seat}"] for seat in range(parameters.players)]]


def bamboo(rows: np.ndarray, column: dict[str, int], number: int, parameters: TakeTrickParameters) -> np.ndarray:
    """Return the cards before each seat at a round's end, (games, seats, colours)."""
    first, colours = column[f"bamboo_{number}_0_G"], parameters.deck.colours
    cells = parameters.players * colours
    return rows[:, first : first + cells].reshape(len(rows), parameters.players, colours)


def majority_points(counts: np.ndarray) -> np.ndarray:
    """Return what a round scores, (games, seats), from (games, seats, colours) cards ("Scoring a round")."""
    level = (counts[:, :, None] == counts[:, None, :]).sum(axis=2)
    alone = (counts == counts.max(axis=1, keepdims=True)) & (level == 1)
    return np.where(alone, 0, counts * level).sum(axis=2)
