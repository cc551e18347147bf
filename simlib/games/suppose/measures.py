"""Per-game rows of Suppose -> sums that add up exactly, for questions about bids.

A *hand* is one seat's dealt cards, completed many times; its completions are split into two halves (folds).
What is chosen on one fold is valued on the other, and the other way round, so that the best of many noisy
options isn't reported with the luck that made it the best (cross-fitting).
"""

from typing import Any

import numpy as np

from simlib.games.suppose.parameters import SupposeParameters

FOLDS = 2
STRENGTHS = ("very weak", "weak", "average", "strong", "very strong")
BINS = 20  # of predicted chances
GRID = 81  # double bonuses on the curve
MILLI = 1000
CLEAR = 3  # standard errors of one hand's completions: beyond them a hand counts as better one way
COSTS = {"blind": 3, "fast": 20, "search": 660}  # microseconds a game, of search a playout; see sweep.plan
SHARES = 12  # a win counts 12, shared by up to four winners


def fold_counts(kinds: np.ndarray, completions: int, most: int) -> np.ndarray:
    """Count how often each kind came in each fold of each hand.

    Parameters
    ----------
    kinds : (hands * completions,) int
        One number 0 .. most - 1 for each game.

    Returns
    -------
    (hands, FOLDS, most) int64
    """
    hands = len(kinds) // completions
    fold = (np.arange(len(kinds)) % completions) * FOLDS // completions
    cell = (np.arange(len(kinds)) // completions * FOLDS + fold) * most + kinds
    return np.bincount(cell, minlength=hands * FOLDS * most).reshape(hands, FOLDS, most)


def cross_fitted(hits: np.ndarray) -> np.ndarray:
    """Return each hand's right guesses under the option that did best on the other fold, over both folds.

    Parameters
    ----------
    hits : (hands, FOLDS, options) int

    Returns
    -------
    (hands, FOLDS) int
        Column f: chosen on the other fold, counted on fold f.
    """
    chosen = hits.argmax(axis=2)[:, ::-1]
    return np.take_along_axis(hits, chosen[:, :, None], axis=2)[:, :, 0]


def best_pairs(counts: np.ndarray) -> np.ndarray:
    """Return `cross_fitted` for all pairs of counts: the two likeliest ones on the other fold."""
    order = np.argsort(-counts, axis=2, kind="stable")[:, ::-1, :2]
    return np.take_along_axis(counts, order, axis=2).sum(axis=2)


def bid_sums(
    single: np.ndarray, double: np.ndarray, parameters: SupposeParameters, grid: np.ndarray, completions: int
) -> dict[str, Any]:
    """Sum up what the best single and the best double bid of each hand hit.

    Parameters
    ----------
    single, double : (hands, FOLDS) int
        From `cross_fitted`.
    grid : (GRID,) int
        Double bonuses in 1/MILLI points.

    Returns
    -------
    dict of int64
        Sums, squares and product of right guesses over hands; for each bonus of the grid, and for the
        variant's own, in how many hands the double bid pays more; in how many it is better or worse under the
        variant's own bonus by more than CLEAR standard errors of the hand's own completions; and how far the
        two folds differ in the bonus at which a hand breaks even.
    """
    one, two = single.sum(axis=1), double.sum(axis=1)
    bonus = int(parameters.bid.single * MILLI)
    present = int(parameters.bid.double * MILLI) * two - bonus * one
    noise = _noise(one, two, bonus, int(parameters.bid.double * MILLI), completions)
    even = bonus * single // np.maximum(double, 1)
    usable = (double > 0).all(axis=1)
    return {
        "hands": len(one),
        "single": one.sum(),
        "single_squares": (one * one).sum(),
        "double": two.sum(),
        "double_squares": (two * two).sum(),
        "products": (one * two).sum(),
        "double_pays": (grid[None, :] * two[:, None] > bonus * one[:, None]).sum(axis=0),
        "double_better": (present > CLEAR * noise).sum(),
        "single_better": (present < -CLEAR * noise).sum(),
        "blur_squares": np.square(even[usable, 0] - even[usable, 1]).sum(),
        "blur_hands": usable.sum(),
    }


def _noise(one: np.ndarray, two: np.ndarray, single: int, double: int, completions: int) -> np.ndarray:
    """Return the standard error of ``double * two - single * one``, as if the two were drawn apart: at most that."""
    spread_one, spread_two = (hits * (completions - hits) / completions for hits in (one, two))
    return np.sqrt(single * single * spread_one + double * double * spread_two)


def bonus_grid(parameters: SupposeParameters) -> np.ndarray:
    """Return the double bonuses of the curve in 1/MILLI points: 1 to `bid.single`; from 0 where that is below 1."""
    top = int(parameters.bid.single * MILLI)
    bottom = MILLI if top > MILLI else 0
    return bottom + (top - bottom) * np.arange(GRID) // (GRID - 1)


def calibration_sums(predicted: np.ndarray, realised: np.ndarray, half: int) -> dict[str, np.ndarray]:
    """Sum predictions from one fold and what the other fold shows, by size of the prediction.

    Parameters
    ----------
    predicted, realised : (cases,) int
        Right guesses among `half` completions.

    Returns
    -------
    dict of (BINS,) int64
    """
    place = np.minimum(predicted * BINS // half, BINS - 1)

    def summed(values: np.ndarray) -> np.ndarray:
        return np.bincount(place, weights=values, minlength=BINS).astype(np.int64)

    return {
        "cases": np.bincount(place, minlength=BINS),
        "predicted": summed(predicted),
        "realised": summed(realised),
        "realised_squares": summed(realised * realised),
    }


def strength_bounds(parameters: SupposeParameters) -> np.ndarray:
    """Return the sums of ranks that part the five STRENGTHS: half and one and a half spreads from the mean.

    The spread is the standard deviation of the sum over hands dealt without replacement.
    """
    copies = np.array(parameters.deck.copies).sum(axis=0)
    ranks, cards, size = np.arange(1, len(copies) + 1), copies.sum(), parameters.hand.size
    mean = (copies * ranks).sum() / cards
    variance = (copies * (ranks - mean) ** 2).sum() / cards
    spread = np.sqrt(size * variance * (cards - size) / max(cards - 1, 1))
    return size * mean + spread * np.array([-1.5, -0.5, 0.5, 1.5])


def by_strength(counts: np.ndarray, ranks: np.ndarray, parameters: SupposeParameters) -> dict[str, np.ndarray]:
    """Sum how often each count of tricks came, by strength of the hand.

    Parameters
    ----------
    counts : (hands, kinds) int
    ranks : (hands,) int
        Sums of the dealt ranks.

    Returns
    -------
    dict of int64
        ``strength_hands`` (5,), ``strength_counts`` and ``strength_squares`` (5, kinds).
    """
    groups = np.searchsorted(strength_bounds(parameters), ranks)
    member = (groups[None, :] == np.arange(len(STRENGTHS))[:, None]).astype(np.int64)
    return {
        "strength_hands": member.sum(axis=1),
        "strength_counts": member @ counts,
        "strength_squares": member @ (counts * counts),
    }


def own_bid_sums(hits: np.ndarray) -> dict[str, Any]:
    """Sum how often each hand's own bid was right; `hits` (hands, FOLDS) int."""
    own = hits.sum(axis=1)
    return {"own": own.sum(), "own_squares": (own * own).sum()}
