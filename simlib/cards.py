"""Cards and their tokens: the only place that knows how a card is encoded.

A card is the integer ``32 * colour + rank``, both counted from 0; copies of one colour and rank are equal.
A larger card of one colour has the higher rank.
"""

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
