"""Suppose's part of a playtest log: tricks and bids by round, and what scores they can make."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from simlib.playtest import points_text
from simlib.playtest.cells import Impossible, Row, perhaps_a_date, shown, whole

if TYPE_CHECKING:  # heavy to import: not before a log is checked
    from simlib.survey import Figure

COLUMNS = {
    "tricks_": "tricks that a seat won, round after round, such as 3/2/4/1",
    "bids_": "what a seat bid on its left neighbour, round after round, such as 3/2-5/4/1",
}
WINS = "the highest score wins"
RIGHT, DOUBLE = "right bids", "bids with two guesses"  # what is counted
SHOWN = 12  # possible scores that a message lists
Bid = tuple[int, ...]


def most(rules: Any) -> int:
    """Return the most points of a seat, in 1/unit: all tricks and all bonuses."""
    single, double, trick = _pays(rules)
    return _tricks(rules) * trick + int(rules.rounds) * max(single, double)


def winners(scores: Sequence[int], rules: Any) -> list[int]:
    """Return the seats with the highest score."""
    return [seat for seat, score in enumerate(scores) if score == max(scores)]


def read(row: Row, scores: Sequence[int], rules: Any) -> dict[str, int]:
    """Return the own counts of a CSV line; checked, its scores as far as tricks and bids are known."""
    size = rules.hand.size

    def tricks_in(column: str, part: str) -> int:
        return whole(column, part, 0, size)

    def bid_in(column: str, part: str) -> Bid:
        return _bid(column, part, rules)

    tricks = row.by_round("tricks_", rules.players, rules.rounds, tricks_in)
    bids = row.by_round("bids_", rules.players, rules.rounds, bid_in)
    if tricks:
        _check_rounds(tricks, size)
    _check_scores(scores, tricks, bids, rules)
    if bids is None:
        return {}
    return _counts(tricks, bids)


def _counts(tricks: Any, bids: Sequence[Sequence[Bid]]) -> dict[str, int]:
    """Return how many bids had two guesses, and, where tricks are known, how many were right."""
    double = {DOUBLE: sum(len(bid) == 2 for own in bids for bid in own)}
    if tricks is None:
        return double
    return double | {RIGHT: sum(sum(_right(tricks, bids, seat)) for seat in range(len(bids)))}


def _bid(column: str, text: str, rules: Any) -> Bid:
    """Return the guesses of one bid, such as ``3`` or ``2-5``; ``2+5`` is as good, and ``-`` is no guess."""
    parts = [] if text in ("", "-") else re.split(r"\s*[-+\u2013]\s*", text)
    guesses = {whole(column, part, 0, rules.hand.size) for part in parts}
    if len(guesses) < len(parts) or not rules.bid.min_guesses <= len(guesses) <= 2:
        wanted = {0: "none to two", 1: "one or two"}.get(rules.bid.min_guesses, "two")
        raise Impossible(column, f"{shown(text)}: it must be {wanted} different counts{perhaps_a_date(text)}")
    return tuple(sorted(guesses))


def _check_rounds(tricks: Sequence[Sequence[int]], size: int) -> None:
    for number, won in enumerate(zip(*tricks, strict=True), 1):
        if sum(won) != size:
            told = f"{'/'.join(map(str, won))} in round {number} add up to {sum(won)}"
            raise Impossible("tricks_0", f"the tricks of all seats, {told}: it must be {size}")


def _right(tricks: Sequence[Sequence[int]], bids: Sequence[Sequence[Bid]], seat: int) -> list[bool]:
    """Return in which rounds a seat's bid was right: its left neighbour's tricks are among its guesses."""
    return [won in bid for won, bid in zip(tricks[(seat + 1) % len(tricks)], bids[seat], strict=True)]


def _check_scores(scores: Sequence[int], tricks: Any, bids: Any, rules: Any) -> None:
    """Check that tricks and bonuses can make each score, and all of them at once."""
    trick = _pays(rules)[2]
    reach = 1  # bit t is set where the seats so far can have won t tricks
    for seat, score in enumerate(scores):
        own = [sum(tricks[seat])] if tricks else range(_tricks(rules) + 1)
        bonuses = _bonuses(_paid(tricks, bids, seat, rules))
        fitting = [won for won in own if score - trick * won in bonuses]
        if not fitting:
            raise Impossible(f"score_{seat}", _unreachable(score, own, bonuses, rules))
        reach = _any_of(reach << won for won in fitting)
    if not reach >> _tricks(rules) & 1:
        told = "/".join(points_text(score, rules) for score in scores)
        made = f"{_tricks(rules)} tricks of all seats and bonuses of {_bonus_words(rules)}"
        raise Impossible("scores", f"{told}: they must be made of {made}")


def _any_of(words: Any) -> int:
    found = 0
    for word in words:
        found |= word
    return found


def _paid(tricks: Any, bids: Any, seat: int, rules: Any) -> tuple[tuple[int, ...], ...]:
    """Return what a seat's bids can have paid, round by round, as far as is known."""
    single, double, _ = _pays(rules)
    if bids is None:
        return ((0, single, double),) * rules.rounds
    pays = [(0, single, double)[len(bid)] for bid in bids[seat]]
    if tricks is None:
        return tuple((0, pay) for pay in pays)
    return tuple((pay * right,) for pay, right in zip(pays, _right(tricks, bids, seat), strict=True))


@cache
def _bonuses(paid: tuple[tuple[int, ...], ...]) -> frozenset[int]:
    """Return all sums of one payment a round."""
    sums = {0}
    for pays in paid:
        sums = {total + pay for total in sums for pay in pays}
    return frozenset(sums)


def _unreachable(score: int, own: Sequence[int], bonuses: frozenset[int], rules: Any) -> str:
    trick = _pays(rules)[2]
    told = f"{points_text(score, rules)}: it must be made of"
    if len(own) > 1:
        return (
            f"{told} up to {len(own) - 1} tricks at {points_text(trick, rules)} and up to {rules.rounds} bonuses of "
            f"{_bonus_words(rules)}"
        )
    possible = [points_text(own[0] * trick + bonus, rules) for bonus in sorted(bonuses)]
    more = ", ..." if len(possible) > SHOWN else ""
    return f"{told} its {own[0]} tricks and its bonuses: {', '.join(possible[:SHOWN])}{more}"


def _bonus_words(rules: Any) -> str:
    single, double, _ = _pays(rules)
    return f"{points_text(single, rules)} or {points_text(double, rules)}"


def _pays(rules: Any) -> tuple[int, int, int]:
    """Return what a right bid with one guess, one with two, and a trick pay, in 1/unit points."""
    unit = rules.unit
    return int(rules.bid.single * unit), int(rules.bid.double * unit), int(rules.score.trick * unit)


def _tricks(rules: Any) -> int:
    """Return the tricks of a game."""
    return int(rules.hand.size * rules.rounds)


def recorded(record: Mapping[str, Any], rules: Any) -> dict[str, int]:
    """Return the own counts of a record."""
    tricks = list(zip(*(played["tricks_won"] for played in record["rounds"]), strict=True))
    bids = list(zip(*([tuple(hand["bid"]) for hand in played["hands"]] for played in record["rounds"]), strict=True))
    return _counts(tricks, bids)


def simulated(row: Mapping[str, np.ndarray], rules: Any) -> dict[str, np.ndarray]:
    """Return the own counts of simulated games."""
    bids = [f"{number}_{seat}" for number in range(rules.rounds) for seat in range(rules.players)]
    return {
        DOUBLE: np.sum([row[f"guesses_{bid}"] == 2 for bid in bids], axis=0),
        RIGHT: np.sum([row[f"hit_{bid}"] for bid in bids], axis=0),
    }


def figures(rules: Any) -> "dict[str, Figure]":
    """Return the figures of the own counts."""
    from simlib.survey import Figure

    share = 1 / (rules.players * rules.rounds)
    return {
        "right": Figure("right bids", RIGHT, scale=share, percent=True),
        "double": Figure("bids with two guesses", DOUBLE, scale=share, percent=True),
    }
