"""Gara-tori: full deals that agree with what a seat knows.

Known to it: its hand, all cards played, and that a seat which neither followed nor matched a pattern held nothing
that obliged it. Where a void seat's card doesn't turn the lead (reading G2), a card that could have turned it tells by
that whether its owner held something that obliged it. Every deal of the unseen cards that breaks none of this has the
same chance. That is the exact posterior if the other seats' plays carry no information beyond it, as when each takes
its cards in an order that was drawn before the deal.
"""

import numpy as np

from simlib.games.gara_tori.heuristics import look
from simlib.games.gara_tori.rules import SEATS, WORDS
from simlib.hooks import called, compiled
from simlib.streams import I64, U64, accept, draw, lowest_bit, mix64, nth_bit, popcount, word_at
from simlib.tricks import seats_played

ATTEMPTS = 64  # proposals, at most, while any of them is possible
SAMPLE_WORDS = 1 << 10  # words of a determinization
ATTEMPT_WORDS = SAMPLE_WORDS // ATTEMPTS  # ... and of a proposal, more than it uses
UNIT = 2.0**-53  # what the upper bits of a word count in, as a number below 1

HANDS = np.dtype(
    [
        ("unseen", "u8", (WORDS,)),  # set of the cards in other hands and out of play
        ("unseen_cards", "i8"),
        ("sizes", "i8", (SEATS,)),  # cards in each other seat's hand
        ("allowed", "u8", (SEATS, WORDS)),  # those of the unseen cards that each seat may hold
        ("allowed_cards", "i8", (SEATS,)),
        ("held", "u8", (SEATS,)),  # set of the colours of which each seat holds a card that obliges it
        ("order", "i8", (SEATS,)),  # the other seats, the one with the fewest cards to spare first
        ("left", "u8", (WORDS,)),  # set of the cards not yet drawn
        ("drawn", "u8", (SEATS, WORDS)),  # by seat
    ]
)


@called
def prepare(rules, table, view, hands):
    """Find the unseen cards, and which of them each other seat may hold; return 1."""
    look(rules, table, view)
    hands.unseen_cards = view.unseen_cards
    for number in range(rules.words):
        hands.unseen[U64(number)] = view.unseen[U64(number)]
    mine, count = seats_played(rules, table, view.seat), 0
    for seat in range(rules.players):
        if seat != view.seat:
            hands.sizes[U64(seat)] = rules.tricks - table.trick - I64(seats_played(rules, table, seat) < mine)
            hands.held[U64(seat)] = table.shown_held[U64(seat)]
            find_allowed(rules, table, hands, seat)
            hands.order[U64(count)] = seat
            count += 1
    sort_by_room(hands, count)
    return 1


@compiled
def find_allowed(rules, table, hands, seat):
    """Find which unseen cards a seat may hold: none that would have obliged it to follow a colour that it didn't."""
    hands.allowed_cards[U64(seat)] = 0
    for number in range(rules.words):
        barred, colours = U64(0), table.shown_void[U64(seat)]
        while colours:
            barred |= rules.obliging[lowest_bit(colours), U64(number)]
            colours &= colours - U64(1)
        hands.allowed[U64(seat), U64(number)] = hands.unseen[U64(number)] & ~barred
        hands.allowed_cards[U64(seat)] += popcount(hands.allowed[U64(seat), U64(number)])


@compiled
def sort_by_room(hands, count):
    """Put the other seats in order: first the one with the fewest cards to choose from."""
    for place in range(1, count):
        seat, slot = hands.order[U64(place)], place
        while slot > 0 and room(hands, hands.order[U64(slot - 1)]) > room(hands, seat):
            hands.order[U64(slot)] = hands.order[U64(slot - 1)]
            slot -= 1
        hands.order[U64(slot)] = seat


@compiled
def room(hands, seat):
    """Return how many cards more than it holds a seat may hold."""
    return hands.allowed_cards[U64(seat)] - hands.sizes[U64(seat)]


@called
def imagine(rules, table, view, hands, secret, seats, stream, number):
    """Draw the other hands: seat after seat, and the whole again if that was too likely or didn't work out.

    Where none of ATTEMPTS proposals is accepted, one of them is taken, each with a chance in proportion to its own.
    """
    first, accepted, total = number * U64(SAMPLE_WORDS), False, 0.0
    attempts = 0
    while not accepted and (attempts < ATTEMPTS or total == 0.0):
        chance = propose(rules, hands, word_at(stream, first))
        total += chance
        accepted = fraction(word_at(stream, first + U64(1))) < chance
        if accepted or fraction(word_at(stream, first + U64(2))) * total < chance:
            keep(rules, view, hands, seats)
        first += U64(ATTEMPT_WORDS)
        attempts += 1


@compiled
def fraction(word):
    """Return the number from 0 to below 1 that a word stands for."""
    return I64(word >> U64(11)) * UNIT


@called
def propose(rules, hands, word):
    """Draw each hand from what is left, and return how the chance of this deal is to be corrected (0 to 1).

    A seat with `a` cards to choose from has C(a, size) hands, each of them drawn with the chance 1 / C(a, size): the
    correction is proportional to the product of these counts.
    """
    left_cards, chance = hands.unseen_cards, 1.0
    for number in range(rules.words):
        hands.left[U64(number)] = hands.unseen[U64(number)]
    for place in range(rules.players - 1):
        seat = U64(hands.order[U64(place)])
        most = min(hands.allowed_cards[seat], left_cards)
        there = 0
        for number in range(rules.words):
            there += popcount(hands.allowed[seat, U64(number)] & hands.left[U64(number)])
            hands.drawn[seat, U64(number)] = U64(0)
        if there < hands.sizes[seat]:
            return 0.0
        for step in range(hands.sizes[seat]):
            chance *= (there - step) / (most - step)
            word = mix64(word + U64(step))
            draw_card(rules, hands, seat, U64(there - step), word)
        if lacks(rules, hands, seat):
            return 0.0
        left_cards -= hands.sizes[seat]
    return chance


@compiled
def lacks(rules, hands, seat):
    """Tell whether a drawn hand has no card that obliges its seat, in a colour of which it held one."""
    colours, lacking = hands.held[seat], False
    while colours:
        found = U64(0)
        for number in range(rules.words):
            found |= hands.drawn[seat, U64(number)] & rules.obliging[lowest_bit(colours), U64(number)]
        lacking |= found == U64(0)
        colours &= colours - U64(1)
    return lacking


@compiled
def draw_card(rules, hands, seat, bound, word):
    """Move one of `bound` cards that a seat may hold from what is left to the seat."""
    pick, _ = draw(accept(word, bound), bound)
    number = U64(0)
    cards = hands.allowed[seat, number] & hands.left[number]
    while pick >= U64(popcount(cards)):
        pick -= U64(popcount(cards))
        number += U64(1)
        cards = hands.allowed[seat, number] & hands.left[number]
    card = U64(1) << nth_bit(cards, pick)
    hands.left[number] &= ~card
    hands.drawn[seat, number] |= card


@compiled
def keep(rules, view, hands, seats):
    """Give each seat of the determinized game its hand."""
    for seat in range(rules.players):
        for number in range(rules.words):
            mine = seat == view.seat
            hand = view.hand[U64(number)] if mine else hands.drawn[U64(seat), U64(number)]
            seats.views[U64(seat)].hand[U64(number)] = hand
