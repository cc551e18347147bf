"""Dealing as all games do it: a whole deck shuffled, or around one hand that a group of games shares."""

from reference import streams


def deal(
    deck: list[str], seats: int, size: int, seed: int, game: int, round_number: int, held: tuple[int, int] | None = None
) -> list[list[str]]:
    """Return the cards dealt to each seat in a round.

    Parameters
    ----------
    deck
        All cards in rising order.
    seats, size
        Hands, and cards in a hand.
    seed, game, round_number
        Which deal it is.
    held
        A seat and a number of completions: that many games in a row deal the seat one and the same hand.
    """
    if held is not None:
        return deal_held(deck, seats, size, seed, game, round_number, held)
    deck = list(deck)
    streams.shuffle(deck, seats * size, streams.deal_words(streams.game_stream(seed, game), round_number))
    return slices(deck, seats, size)


def deal_held(
    deck: list[str], seats: int, size: int, seed: int, game: int, round_number: int, held: tuple[int, int]
) -> list[list[str]]:
    """Return the cards dealt to each seat where one seat holds the hand that its group of games shares."""
    seat, completions = held
    dealt = seats * size
    group = streams.game_stream(seed, game // completions)
    deck = list(deck)
    streams.shuffle(deck, dealt, streams.held_deal_words(group, round_number))
    for i in range(size):
        deck[i], deck[seat * size + i] = deck[seat * size + i], deck[i]

    rest = deck[size:]
    streams.shuffle(rest, dealt - size, streams.deal_words(streams.game_stream(seed, game), round_number))
    hands = slices(rest, seats - 1, size)
    hands.insert(seat, deck[:size])
    return hands


def slices(deck: list[str], hands: int, size: int) -> list[list[str]]:
    """Cut hands of `size` cards from the front of a deck."""
    return [deck[hand * size : (hand + 1) * size] for hand in range(hands)]
