"""Dealing: a whole deck shuffled, or one seat's hand held while the other cards are dealt anew.

Kernels call `deal` with a game's records. It reads ``rules.deck_size``, ``rules.tricks`` (cards in a
hand), ``rules.held``, ``rules.plans`` and ``table.round``, and fills ``secret.deck``
with places in the sorted deck: seat s is dealt the slice that starts at ``s * rules.tricks``; what lies behind the
hands is the stock.
"""

import numpy as np

from simlib.hooks import compiled
from simlib.streams import DEAL_WORDS, HELD_WORDS, PLAN, STEPS, U64, shuffle, shuffle_plan


def dealing_plans(size: int, dealt: int, hand: int) -> np.ndarray:
    """Return the plans, (2,) PLAN, for dealing a whole deck and for dealing around a held hand.

    Parameters
    ----------
    size, dealt, hand : int
        Cards in the deck, cards needed from its front, cards in a hand.
    """
    plans = np.zeros(2, PLAN)
    plans[0], plans[1] = shuffle_plan(size, dealt), shuffle_plan(size - hand, dealt - hand)
    return plans


@compiled
def copy_all(target, source):
    """Copy an array (``target[:] = source`` takes numba most of a kernel's compile time)."""
    for place in range(len(target)):
        target[U64(place)] = source[U64(place)]


@compiled
def deal(rules, table, secret, stream):
    """Shuffle what the seats need of the sorted deck; a held hand stays, and the rest is dealt around it."""
    deck = secret.deck
    for place in range(len(deck)):
        deck[U64(place)] = place
    round_words = U64(table.round * STEPS)
    if rules.held < 0:
        shuffle(deck, 0, rules.deck_size, rules.plans[0], stream, DEAL_WORDS + round_words)
        return
    held_stream = (secret.held_stream[0], secret.held_stream[1])
    shuffle(deck, 0, rules.deck_size, rules.plans[0], held_stream, HELD_WORDS + round_words)
    size = rules.tricks
    exchange(deck, 0, rules.held * size, size)
    shuffle(deck, size, rules.deck_size, rules.plans[1], stream, DEAL_WORDS + round_words)
    for seat in range(rules.held):  # the held hand moves back behind those of earlier seats
        exchange(deck, seat * size, (seat + 1) * size, size)


@compiled
def exchange(deck, one, other, size):
    """Swap two slices of the deck that start at `one` and `other`."""
    for step in range(size):
        kept = deck[one + step]
        deck[one + step] = deck[other + step]
        deck[other + step] = kept
