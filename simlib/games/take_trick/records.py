"""A Take-Trick game as trump, rounds, scores and winners of a game record, from what the kernel kept of it."""

from typing import Any

import numpy as np

from simlib.cards import RANKS, token
from simlib.games.take_trick.parameters import LETTERS, TakeTrickParameters
from simlib.games.take_trick.rules import NO_CARD, SHINING
from simlib.variants import Variant


def result(variant: Variant, tables: np.ndarray, secrets: np.ndarray) -> dict[str, Any]:
    """Return one game's ``trump``, ``rounds``, ``scores`` and ``winners`` (record format, Take-Trick).

    Parameters
    ----------
    tables, secrets : (rounds,) arrays of TABLE and SECRET
        As each round closed; zeros for rounds that weren't played.
    """
    parameters = variant.parameters
    rounds: list[dict[str, Any]] = []
    scores = [0] * parameters.players
    for table, secret in zip(tables, secrets, strict=True):
        if table["round"] > len(rounds):
            rounds.append(_round(parameters, table, secret, scores))
            scores = rounds[-1]["totals"]
    return {
        "trump": int(tables[0]["trump"]) + 1,
        "rounds": rounds,
        "scores": scores,
        "winners": _winners(scores, parameters.score.target),
    }


def _winners(scores: list[int], target: int) -> list[int]:
    reached = [score for score in scores if score >= target]
    best = min(reached) if reached else max(scores)
    return [seat for seat, score in enumerate(scores) if score == best]


def _round(parameters: TakeTrickParameters, table: Any, secret: Any, before: list[int]) -> dict[str, Any]:
    players = parameters.players
    dealt = _dealt(parameters, secret)
    letters = LETTERS[: parameters.deck.colours]
    return {
        "leader": int(table["start"]),
        "dealt": dealt,
        "first": [
            {"card": _text(table["first"][seat]), "extra": _text(secret["first_extra"][seat])}
            for seat in range(players)
        ],
        "passes": _passes(dealt, secret),
        "tricks": _tricks(parameters, table, secret, before),
        "bamboo": [
            {letter: int(table["bamboo"][seat, colour]) for colour, letter in enumerate(letters)}
            for seat in range(players)
        ],
        "points": [int(points) for points in table["points"][:players]],
        "totals": [int(score) for score in table["scores"][:players]],
        "ended_by_gift": bool(table["ended_by_gift"]),
    }


def _text(card: Any) -> str | None:
    if card == NO_CARD:
        return None
    return "shining" if card == SHINING else token(int(card), LETTERS)


def _dealt(parameters: TakeTrickParameters, secret: Any) -> list[list[str]]:
    deck = [
        f"{letter}{rank}"
        for letter, row in zip(LETTERS, parameters.deck.copies, strict=False)
        for rank, copies in enumerate(row, start=1)
        for _ in range(copies)
    ]
    hands = secret["deck"][: parameters.players * parameters.tricks].reshape(parameters.players, -1)
    return [[deck[place] for place in hand] for hand in hands]


def _passes(dealt: list[list[str]], secret: Any) -> list[dict[str, str]]:
    if len(dealt[0]) == 1:  # a seat can't pass two cards
        return []
    return [
        {"left": hand[left], "right": hand[right]} for hand, (left, right) in zip(dealt, secret["gives"], strict=False)
    ]


def _tricks(parameters: TakeTrickParameters, table: Any, secret: Any, before: list[int]) -> list[dict[str, Any]]:
    players, leader, scores = parameters.players, int(table["start"]), before
    gifts = list(table["gifts"][: table["gift_count"]])
    tricks = []
    for number in range(int(table["trick"]) + 1):
        seats = [(leader + place) % players for place in range(players)]
        played = [int(card) for card in table["cards"][number, :players]]
        winner = int(table["winners"][number])
        made = [gift for gift in gifts if gift["trick"] == number]
        captures = _captures(seats, played, winner, _text(secret["extra"][number]), made)
        if made and table["ended_by_gift"] and made[-1] is gifts[-1]:
            captures = captures[: 1 + [capture["seat"] for capture in captures].index(made[-1]["giver"])]
        if made:
            scores = [int(score) for score in made[-1]["scores"][:players]]
        plays = [[seat, token(card, LETTERS)] for seat, card in zip(seats, played, strict=True)]
        tricks.append(
            {"leader": leader, "plays": plays, "winner": winner, "captures": captures, "scores": list(scores)}
        )
        leader = winner
    return tricks


def _captures(
    seats: list[int], played: list[int], winner: int, extra: str | None, gifts: list[Any]
) -> list[dict[str, Any]]:
    """Return a trick's captures: the winner's, then those of the others who played a 1 of the leader's colour."""
    one = played[0] - played[0] % RANKS
    to = {int(gift["giver"]): {"to": int(gift["receiver"]), "accepted": bool(gift["accepted"])} for gift in gifts}
    captors = [place for place, seat in enumerate(seats) if seat == winner]
    captors += [place for place, card in enumerate(played) if card == one and seats[place] != winner]
    return [
        {
            "seat": seats[place],
            "card": token(played[place], LETTERS),
            "extra": extra if seats[place] == winner else None,
            "gift": to.get(seats[place]),
        }
        for place in captors
    ]
