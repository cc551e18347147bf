"""A Gara-tori game as the rounds, scores and winners of a game record, from what the kernel kept of it."""

from typing import Any

import numpy as np

from simlib.cards import LETTERS, deck_with_specials, token_or_special
from simlib.variants import Variant


def result(variant: Variant, tables: np.ndarray, secrets: np.ndarray) -> dict[str, Any]:
    """Return one game's ``rounds``, ``scores`` and ``winners`` (record format, Gara-tori).

    Parameters
    ----------
    tables, secrets : (rounds,) arrays of TABLE and SECRET
        As each round closed.
    """
    rounds = [_round(variant.parameters, table, secret) for table, secret in zip(tables, secrets, strict=True)]
    scores = rounds[-1]["points"]
    return {
        "rounds": rounds,
        "scores": scores,
        "winners": [seat for seat, score in enumerate(scores) if score == max(scores)],
    }


def _round(parameters: Any, table: Any, secret: Any) -> dict[str, Any]:
    seats, letters = range(parameters.players), LETTERS[: parameters.deck.colours]
    return {
        "dealer": int(table["start"]),
        "dealt": [_hand(parameters, secret, seat) for seat in seats],
        "tricks": _tricks(parameters, table),
        "taken": [dict(zip(letters, table["taken"][seat].tolist(), strict=False)) for seat in seats],
        "points": table["scores"][: parameters.players].tolist(),
    }


def _hand(parameters: Any, secret: Any, seat: int) -> list[str]:
    """Return the cards dealt to a seat in rising order."""
    deck = deck_with_specials(parameters.deck.copies, parameters.deck.specials)
    size = parameters.hand.size
    places = sorted(secret["deck"][seat * size : (seat + 1) * size].tolist())
    return [token_or_special(deck[place], LETTERS) for place in places]


def _tricks(parameters: Any, table: Any) -> list[dict[str, Any]]:
    players, leader = parameters.players, int(table["start"])
    tricks: list[dict[str, Any]] = []
    for number in range(parameters.hand.size):
        cards, leads = table["cards"][number, :players].tolist(), table["leads"][number, :players].tolist()
        tricks.append(
            {
                "leader": leader,
                "plays": [
                    [(leader + place) % players, token_or_special(card, LETTERS)] for place, card in enumerate(cards)
                ],
                "leads": [LETTERS[lead] for lead in leads],
                "locked": bool(table["locked"][number]),
                "winner": int(table["winners"][number]),
            }
        )
        leader = int(table["winners"][number])
    return tricks
