"""Per-game rows of Gara-tori -> sums that add up exactly, for questions about the lead, places and specials."""

from typing import Any

import numpy as np

from simlib.games.gara_tori.parameters import GaraToriParameters
from simlib.games.gara_tori.rules import columns
from simlib.measures import win_shares

COSTS = {"blind": 1, "fast": 7, "search": 100}  # microseconds a game, of search a playout; see sweep.plan
SHARES = 60  # a win counts 60, shared by up to six winners; means over seats or followers stay whole as well
KINDS = 4  # numbers of specials told apart: 0, 1, 2, and 3 or more
PLAIN = ("turns", "locks", "void_plays", "specials_with_power", "specials_without_power")
ACTS = ("turn", "lock", "other")  # what a card at a place did: turned the lead, locked the trick, or neither


def columns_by_name(rows: np.ndarray, parameters: GaraToriParameters) -> dict[str, np.ndarray]:
    """Return the columns of (games, columns) rows as int64 arrays by name."""
    names = [column.name for column in columns(parameters)]
    return dict(zip(names, rows.T.astype(np.int64), strict=True))


def counts(row: dict[str, np.ndarray], parameters: GaraToriParameters) -> dict[str, np.ndarray]:
    """Return what is counted of each game.

    Parameters
    ----------
    row : dict of (games,) int
        From `columns_by_name`.

    Returns
    -------
    dict of (games,) int
        The PLAIN columns; ``tricks_with_turns_k``; for each place p ``won_p``, tricks won there, and for each
        of ACTS ``turn_p``, cards that did it there, and ``turn_won_p``, those whose seat won the trick.
    """
    places = range(parameters.players)
    found = {name: row[name] for name in (*PLAIN, *(f"tricks_with_turns_{turns}" for turns in places))}
    nothing = np.zeros_like(row["turns"])
    for place in places:
        turned, locked = row.get(f"turns_at_place_{place}", nothing), row[f"locks_at_place_{place}"]
        by_turn, won = row.get(f"won_by_turn_at_place_{place}", nothing), row[f"won_from_place_{place}"]
        found |= {f"won_{place}": won, f"turn_{place}": turned, f"turn_won_{place}": by_turn}
        found |= {f"lock_{place}": locked, f"lock_won_{place}": locked}
        found[f"other_{place}"] = parameters.hand.size - turned - locked
        found[f"other_won_{place}"] = won - by_turn - locked
    return found


def count_names(parameters: GaraToriParameters) -> list[str]:
    """Return the names of `counts` in order."""
    nothing = {column.name: np.zeros(0, np.int64) for column in columns(parameters)}
    return list(counts(nothing, parameters))


def game_sums(row: dict[str, np.ndarray], parameters: GaraToriParameters) -> dict[str, Any]:
    """Return the number of games, and totals and products of all `counts` over games."""
    table = np.stack(list(counts(row, parameters).values()), axis=1)
    exact = table.astype(np.float64)  # whole numbers far below 2 ** 53
    return {"games": len(table), "totals": table.sum(axis=0), "products": (exact.T @ exact).astype(np.int64)}


def special_sums(row: dict[str, np.ndarray], parameters: GaraToriParameters) -> dict[str, Any]:
    """Sum what specials do for the seats they were dealt to, within each game.

    Returns
    -------
    dict of int64
        For ``score`` and ``share`` (of the win, in 1/SHARES): ``<name>_slope`` (5,), the `ratio_sums` whose ratio is
        the least-squares slope of a seat's result against its number of specials, both less the game's mean;
        ``<name>_kinds`` (KINDS, 5), those of players times the result, less the game's mean, of the seats that
        were dealt so many. ``seats_of_kind`` (KINDS,) counts these seats.
    """
    seats = range(parameters.players)
    dealt = np.stack([row[f"specials_dealt_{seat}"] for seat in seats], axis=1)
    wins = np.stack([row[f"win_{seat}"] for seat in seats], axis=1)
    results = {"score": np.stack([row[f"score_{seat}"] for seat in seats], axis=1), "share": win_shares(wins, SHARES)}
    spread = len(seats) * (dealt * dealt).sum(axis=1) - dealt.sum(axis=1) ** 2
    kind = np.minimum(dealt, KINDS - 1)[:, :, None] == np.arange(KINDS)
    sums: dict[str, Any] = {"seats_of_kind": kind.sum(axis=(0, 1))}
    for name, result in results.items():
        ahead = len(seats) * result - result.sum(axis=1, keepdims=True)
        sums[f"{name}_slope"] = ratio_sums((dealt * ahead).sum(axis=1), spread)
        of_kind = [(ahead * kind[:, :, each]).sum(axis=1) for each in range(KINDS)]
        sums[f"{name}_kinds"] = np.stack(
            [ratio_sums(total, kind[:, :, each].sum(axis=1)) for each, total in enumerate(of_kind)]
        )
    return sums


def ratio_sums(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return sums of x, y, their squares and products: what `simlib.estimates.means.ratio` takes."""
    return np.array([x.sum(), y.sum(), (x * x).sum(), (y * y).sum(), (x * y).sum()], np.int64)


def compared(row: dict[str, np.ndarray], parameters: GaraToriParameters) -> dict[str, np.ndarray]:
    """Return each game's figures that variants are compared by, in 1/SHARES.

    Returns
    -------
    dict of (games,) int
        Turns and locks; tricks that the last place won beyond its even share; the mean score of a seat; cards
        that void followers played, among as many as a follower plays.
    """
    players, tricks = parameters.players, parameters.hand.size
    scores = np.sum([row[f"score_{seat}"] for seat in range(players)], axis=0)
    return {
        "turns": SHARES * row["turns"],
        "locks": SHARES * row["locks"],
        "last": SHARES * row[f"won_from_place_{players - 1}"] - SHARES // players * tricks,
        "score": SHARES // players * scores,
        "void": SHARES // (players - 1) * row["void_plays"],
    }
