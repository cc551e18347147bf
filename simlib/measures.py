"""Per-game rows -> sums that add up exactly: what the measures of several games share."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from simlib.state import Column


def numbered(columns: Iterable[Column]) -> dict[str, int]:
    """Return the number of each column by its name."""
    return {column.name: number for number, column in enumerate(columns)}


def columns_starting(column: Mapping[str, int], start: str) -> list[int]:
    """Return the numbers of all columns whose names start so, in the row's order.

    Examples
    --------
    >>> columns_starting({"score_0": 0, "score_1": 1, "win_0": 2}, "score_")
    [0, 1]
    """
    return [number for name, number in column.items() if name.startswith(start)]


def win_shares(wins: np.ndarray, whole: int) -> np.ndarray:
    """Return each seat's share of the win in 1/`whole`; `wins` (games, seats) of 0 and 1."""
    return whole * wins // wins.sum(axis=1, keepdims=True)


def paired_sums(name: str, values: np.ndarray) -> dict[str, Any]:
    """Return sum and sum of squares of one integer a deal, named for an estimate."""
    values = values.astype(np.int64)
    return {name: values.sum(), f"{name}_squares": (values * values).sum()}


def joint_sums(values: np.ndarray) -> dict[str, Any]:
    """Return the sums of several integers a game and of all their products, for `simlib.estimates.joint`.

    Parameters
    ----------
    values : (games, figures) int

    Returns
    -------
    dict of int64
        ``n``, ``sums`` (figures,) and ``products`` (figures, figures).
    """
    values = values.astype(np.int64)
    return {"n": len(values), "sums": values.sum(axis=0), "products": values.T @ values}
