"""What a seat of Take-Trick sees: its hand, what it passed and was passed, each card played or laid face up."""

import random

import numpy as np
from honesty.harness import Moment

from simlib.games.take_trick.rules import LEFT, RIGHT, answer, offer, pass_cards, play

KINDS = {pass_cards: "gives", play: None, offer: None, answer: None}
VARIANTS = {
    "classic": {},
    "three": {"players": 3, "deck.preset": "nine", "gift.penalty_falls_on": "giver"},
    "six": {"players": 6, "gift.extra": "forfeit"},
    "narrow": {"players": 5, "colours.max": 1, "gift.points": 2},
    "wide": {"deck.colours": 6, "deck.ranks": 8, "deck.copies": 5, "hand.size": 20, "trump.ranks": [1, 3, 8]},
}


def shuffled(moment: Moment, source: random.Random) -> tuple[np.ndarray, np.ndarray]:
    """Shuffle all cards but those that the seat has held or seen face up, and who passed what to whom."""
    deck, answers = moment.deck, moment.answers
    passed = moment.kind is not pass_cards
    if passed:
        exchange(moment, deck, answers)
    seen = seen_slots(moment, passed)
    hidden = [slot for slot in range(moment.rules["deck_size"]) if slot not in seen]
    deck[hidden] = source.sample(deck[hidden].tolist(), len(hidden))
    pass_others(moment, answers, source)
    if passed:
        exchange(moment, deck, answers)
    return deck, answers


def exchange(moment: Moment, deck: np.ndarray, gives: np.ndarray) -> None:
    """Pass cards, or take them back: what goes left changes places with what comes to the right."""
    for right in range(moment.players):
        one = slot_of(moment, right, gives[right, LEFT])
        other = slot_of(moment, right + 1, gives[(right + 1) % moment.players, RIGHT])
        deck[[one, other]] = deck[[other, one]]


def slot_of(moment: Moment, seat: int, index: int) -> int:
    """Return which card of the deck, in its order, a seat holds at an index."""
    return seat % moment.players * moment.tricks + int(index)


def seen_slots(moment: Moment, passed: bool) -> set[int]:
    """Return which cards the seat knows: where they lie in the deck, or would if it had been dealt as passed."""
    seat, dealt, gives = moment.seat, moment.players * moment.tricks, moment.answers
    hands = [[slot_of(moment, owner, index) for index in range(moment.tricks)] for owner in range(moment.players)]
    seen = {*hands[seat], *range(dealt, dealt + moment.players)}  # the first bamboos lie behind the hands
    if passed:
        left, right = (seat + 1) % moment.players, (seat - 1) % moment.players
        seen |= {hands[left][gives[left, RIGHT]], hands[right][gives[right, LEFT]]}  # where its own cards went
    for owner, (index, *_) in moment.decided(play):
        hand = hands[owner]
        seen.add(hand[index])
        hand[index] = hand[-1]
        hand.pop()
    return seen


def pass_others(moment: Moment, gives: np.ndarray, source: random.Random) -> None:
    """Let seats pass any cards to each other, but for those that the deciding seat passes or is passed."""
    for right in range(moment.players):
        left = (right + 1) % moment.players
        if moment.seat not in (left, right):
            for giver, to in ((right, LEFT), (left, RIGHT)):
                free = set(range(moment.tricks)) - {int(gives[giver, 1 - to])}
                gives[giver, to] = source.choice(sorted(free))


def disturb(secret: np.ndarray, source: random.Random) -> None:
    """Shuffle what lies face down: the pile and the extra cards."""
    for name in ("pile", "first_extra", "extra"):
        source.shuffle(secret[name][0])
