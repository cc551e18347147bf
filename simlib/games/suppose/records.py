"""A Suppose game as the rounds, scores and winners of a game record, from what the kernel kept of it."""

from typing import Any

import numpy as np

from simlib.cards import token
from simlib.games.suppose.parameters import LETTERS
from simlib.games.suppose.rules import NO_GUESS
from simlib.variants import Variant


def result(variant: Variant, tables: np.ndarray, secrets: np.ndarray) -> dict[str, Any]:
    """Return one game's ``rounds``, ``scores`` and ``winners`` (record format, Suppose).

    Parameters
    ----------
    tables, secrets : (rounds,) arrays of TABLE and SECRET
        As each round closed.
    """
    rounds, before = [], [0] * variant.parameters.players
    for table, secret in zip(tables, secrets, strict=True):
        totals = [int(score) for score in table["scores"][: len(before)]]
        rounds.append(_round(variant, table, secret, before, totals))
        before = totals
    scores = rounds[-1]["totals"]
    return {
        "rounds": rounds,
        "scores": scores,
        "winners": [seat for seat, score in enumerate(scores) if score == max(scores)],
    }


def _round(variant: Variant, table: Any, secret: Any, before: list[int], totals: list[int]) -> dict[str, Any]:
    parameters = variant.parameters
    players, unit = parameters.players, parameters.unit
    won = [int(tricks) for tricks in table["tricks_won"][:players]]
    gains = [total - earlier for total, earlier in zip(totals, before, strict=True)]
    bonus = [gain - tricks * int(parameters.score.trick * unit) for gain, tricks in zip(gains, won, strict=True)]
    return {
        "start": int(table["start"]),
        "hands": [_hand(parameters, secret, maker) for maker in range(players)],
        "tricks": _tricks(parameters, table, secret),
        "tricks_won": won,
        "bonus": [_points(points, unit) for points in bonus],
        "points": [_points(points, unit) for points in gains],
        "totals": [_points(points, unit) for points in totals],
    }


def _points(kernel_points: int, unit: int) -> int | float:
    return kernel_points // unit if kernel_points % unit == 0 else kernel_points / unit


def _hand(parameters: Any, secret: Any, maker: int) -> dict[str, Any]:
    holder = (maker + 1) % parameters.players
    layout = secret["layouts"][holder, : parameters.hand.size]
    return {
        "maker": maker,
        "holder": holder,
        "layout": [token(int(card), LETTERS) for card in layout],
        "bid": [int(guess) for guess in secret["guesses"][maker] if guess != NO_GUESS],
    }


def _tricks(parameters: Any, table: Any, secret: Any) -> list[dict[str, Any]]:
    players, leader, tricks = parameters.players, int(table["start"]), []
    for positions, winner in zip(table["positions"], table["winners"][: parameters.hand.size], strict=False):
        seats = [(leader + place) % players for place in range(players)]
        plays = [
            [seat, int(position) + 1, token(int(secret["layouts"][seat, position]), LETTERS)]
            for seat, position in zip(seats, positions, strict=False)
        ]
        tricks.append({"leader": leader, "plays": plays, "winner": int(winner)})
        leader = int(winner)
    return tricks
