"""What a seat of Gara-tori sees: its own hand, and each card played."""

import random

import numpy as np
from honesty.harness import Moment, walk

from simlib.cards import COLOUR_SHIFT, RANK_MASK
from simlib.games.gara_tori.rules import play

KINDS = {play: None}
VARIANTS = {
    "classic": {},
    "five": {"players": 5, "deck.preset": "sixty"},
    "six": {"players": 6},
    "kept_lead": {"lead.void_match_turns": False, "follow.special_counts": False, "deck.specials": 2},
    "wide": {"players": 5, "deck.colours": 5, "deck.ranks": 10, "deck.copies": 2, "deck.specials": 2, "hand.size": 15},
}


def shuffled(moment: Moment, source: random.Random) -> tuple[np.ndarray, np.ndarray]:
    """Shuffle all cards that aren't in the seat's hand and haven't been played."""
    deck = moment.deck.tolist()
    hidden = hidden_slots(moment, deck)
    if moment.rules["void_match_turns"]:
        cards = [deck[slot] for slot in hidden]
        source.shuffle(cards)
        for slot, card in zip(hidden, cards, strict=True):
            deck[slot] = card
    else:
        walk_with_leads(moment, deck, hidden, source)
    return np.array(deck), moment.answers


def hidden_slots(moment: Moment, deck: list[int]) -> list[int]:
    """Return which cards of the deck, in its order, the seat doesn't know."""
    played = {answer[0] for _, answer in moment.decided(play)}
    own = range(moment.seat * moment.tricks, (moment.seat + 1) * moment.tricks)
    return [slot for slot in range(moment.rules["deck_size"]) if slot not in own and deck[slot] not in played]


def walk_with_leads(moment: Moment, deck: list[int], hidden: list[int], source: random.Random) -> None:
    """Shuffle where a lead that didn't turn shows that its seat was void (reading G2): leads must stay as they were."""
    turns = chances_to_turn(moment)
    was = [is_void(moment, deck, *turn) for turn in turns]

    def swap(one: int, other: int) -> None:
        deck[one], deck[other] = deck[other], deck[one]

    walk(hidden, swap, lambda *_: [is_void(moment, deck, *turn) for turn in turns] == was, source)


def chances_to_turn(moment: Moment) -> list[tuple[int, int, set[int]]]:
    """Return (seat, lead colour, places of the cards that had been played) of each play that turns unless void."""
    leads, cards = moment.round.after["leads"][0], moment.rules["cards"]
    plays, found = moment.decided(play), []
    for number, (seat, (place, *_)) in enumerate(plays):
        trick, turn = divmod(number, moment.players)
        before = [answer[0] for _, answer in plays[:number]]
        ranks = {cards[other] & RANK_MASK for other in before[trick * moment.players :]} - {0}
        lead = leads[trick, turn - 1]
        if turn and cards[place] & RANK_MASK in ranks and cards[place] >> COLOUR_SHIFT != lead:
            found.append((seat, int(lead), set(before)))
    return found


def is_void(moment: Moment, deck: list[int], seat: int, lead: int, gone: set[int]) -> bool:
    """Tell whether nothing in a seat's hand obliges it to follow a lead."""
    hand = set(deck[seat * moment.tricks : (seat + 1) * moment.tricks]) - gone
    obliging = moment.rules["obliging"][lead]
    return not any(int(obliging[place // 64]) >> place % 64 & 1 for place in hand)
