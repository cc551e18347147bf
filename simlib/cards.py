"""Cards and their tokens: the only place that knows how a card is encoded.

A card is the integer ``32 * colour + rank``, both counted from 0; copies of one colour and rank are equal.
A larger card of one colour has the higher rank. In a game with special cards it is ``64 * colour + rank`` with
the published rank, counted from 1, and rank 0 for a special: without power it is the lowest of its colour.
"""

MOST_CARDS = 256  # in a deck
LETTERS = "RBGYPO" + "WKNCMLTVSA"  # red, blue, green, yellow, purple, orange; more for larger variants
RANKS = 32  # the most ranks a deck may have
NO_CARD = -1


def card(colour: int, rank: int) -> int:
    """Return the card of a colour (0 ..) and a published rank (1 ..)."""
    return RANKS * colour + rank - 1


def token(card: int, letters: str) -> str:
    """Return a card's text, such as ``R4``; `letters` are the game's colour letters in order."""
    return f"{letters[card // RANKS]}{card % RANKS + 1}"


def deck(copies: list[list[int]]) -> list[int]:
    """Return all cards of a deck in rising order from its copies by colour and rank."""
    return [
        RANKS * colour + rank
        for colour, row in enumerate(copies)
        for rank, count in enumerate(row)
        for _ in range(count)
    ]


SPECIAL = 0  # the rank of a special card
COLOUR_SHIFT = 6  # in a game with special cards, a card's colour is card >> COLOUR_SHIFT,
RANK_MASK = 63  # and its rank card & RANK_MASK


def token_or_special(card: int, letters: str) -> str:
    """Return the text of a card of a game with special cards, such as ``R4`` or ``R*``."""
    rank = card & RANK_MASK
    return letters[card >> COLOUR_SHIFT] + ("*" if rank == SPECIAL else str(rank))


def deck_with_specials(copies: list[list[int]], specials: int) -> list[int]:
    """Return all cards of a deck in rising order: in each colour `specials` special cards, then its ranks."""
    return [
        (colour << COLOUR_SHIFT) + rank
        for colour, row in enumerate(copies)
        for rank, count in enumerate([specials, *row])
        for _ in range(count)
    ]
