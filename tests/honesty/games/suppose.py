"""What a seat of Suppose sees: the hand that it made, parts of all others, each card played, its own bid."""

import random
from itertools import pairwise

import numpy as np
from honesty.harness import Moment, walk
from honesty.watched import WIDEST

from simlib.cards import RANKS
from simlib.games.suppose.rules import arrange, bid, play

KINDS = {arrange: "order", bid: "guesses", play: None}
VARIANTS = {
    "classic": {},
    "three": {"players": 3},
    "open": {"hand.visible": list(range(1, 12)), "bid.double": 4},
    "blind": {"players": 3, "hand.visible": []},
    "wide": {"deck.colours": 16, "deck.ranks": 4, "deck.copies": 3, "hand.size": 40, "hand.visible": [2, 17, 18, 40]},
}


def shuffled(moment: Moment, source: random.Random) -> tuple[np.ndarray, np.ndarray]:
    """Shuffle the cards that the seat doesn't know, its own ones too, in keeping with the order of hands; and bids."""
    layouts = shuffled_layouts(moment, source)
    return stacked(moment, layouts), with_makers(moment, layouts, source)


def shuffled_layouts(moment: Moment, source: random.Random) -> list[list[int]]:
    """Return hands, by holder, that the seat can't tell from the real ones; the last row is not dealt."""
    layouts = moment.round.secret["layouts"][0, : moment.players, : moment.tricks].tolist()
    undealt = moment.rules["cards"][: moment.rules["deck_size"]].tolist()
    for card in (card for hand in layouts for card in hand):
        undealt.remove(card)
    hands = [*layouts, undealt]

    def swap(one: tuple[int, int], other: tuple[int, int]) -> None:
        (hand, i), (hand_2, j) = one, other
        hands[hand][i], hands[hand_2][j] = hands[hand_2][j], hands[hand][i]

    def fits(*slots: tuple[int, int]) -> bool:
        return all(hand == moment.players or is_laid_out(hands[hand]) for hand, _ in slots)

    stock = [(moment.players, number) for number in range(len(undealt))]
    walk(hidden_positions(moment) + stock, swap, fits, source)
    return hands


def hidden_positions(moment: Moment) -> list[tuple[int, int]]:
    """Return the (holder, position) of all cards that the seat doesn't know."""
    left, played = (moment.seat + 1) % moment.players, played_positions(moment)
    visible = moment.rules["visible"][: moment.tricks].tolist()
    return [
        (holder, position)
        for holder in range(moment.players)
        for position, shows in enumerate(visible)
        if holder != left  # it made that hand
        and (moment.kind is not play or not (shows == (holder == moment.seat) or (holder, position) in played))
    ]


def played_positions(moment: Moment) -> set[tuple[int, int]]:
    """Return the (holder, position) of the cards played so far."""
    positions = moment.round.after["positions"][0, : moment.tricks, : moment.players].ravel().tolist()
    return {(seat, position) for (seat, _), position in zip(moment.decided(play), positions, strict=False)}


def is_laid_out(hand: list[int]) -> bool:
    """Tell whether a hand stands in groups of falling ranks."""
    colours = [card // RANKS for card in hand]
    groups = 1 + sum(one != other for one, other in pairwise(colours))
    falling = all(one >= other or one // RANKS != other // RANKS for one, other in pairwise(hand))
    return falling and groups == len(set(colours))


def stacked(moment: Moment, hands: list[list[int]]) -> np.ndarray:
    """Return a deck from which each maker is dealt what its left neighbour then holds."""
    places: dict[int, list[int]] = {}
    for place in range(moment.rules["deck_size"]):
        places.setdefault(int(moment.rules["cards"][place]), []).append(place)
    *layouts, undealt = hands
    cards = [card for hand in (*layouts[1:], layouts[0], undealt) for card in hand]
    deck = moment.deck
    deck[: len(cards)] = [places[card].pop() for card in cards]
    return deck


def with_makers(moment: Moment, layouts: list[list[int]], source: random.Random) -> np.ndarray:
    """Return the round's decisions with arrangements that lead to these hands, and with other bids of other seats."""
    answers, kinds = moment.answers, list(KINDS)
    for number in range(2 * moment.players):
        kind, maker = kinds[moment.round.kinds[number]], int(moment.round.owners[number])
        if maker == moment.seat:
            continue
        if kind is arrange:
            order = list(dict.fromkeys(card // RANKS for card in layouts[(maker + 1) % moment.players]))
            answers[number] = order + [0] * (WIDEST - len(order))
        else:
            answers[number, :2] = sorted(source.sample(range(moment.tricks + 1), 2))
    return answers
