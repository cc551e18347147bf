"""Determinization of Take-Trick: how the cards that a seat hasn't seen may lie, given what it knows.

Any card may be played, and cards are passed unseen. If the other seats choose with equal chances, what they play tells
nothing, and one thing alone is known: which card was passed to each neighbour. All other unseen cards lie in hands and
stock in any order with the same chance.

Think of copies as labelled, and of a neighbour's hand as lying in the order in which it will be played. The card that
was passed to it lies at any of its places with the same chance, and the others in any order at the places that are
left. Now count the orders that agree with what was played since. Let the neighbour have `held` cards left and have
played `played` cards equal to the one passed, let `copies` of it be unseen now, and `unseen` cards in all (in other
hands and in the stock). The orders in which the very card that was passed is still held are to those in which it has
been played as ::

    held * copies : played * unseen

`weigh` counts so for both neighbours at once.
"""

import numpy as np

from simlib.cards import MOST_CARDS
from simlib.games.take_trick.rules import (
    COLOUR_SHIFT,
    LEFT,
    NO_CARD,
    OFFER,
    PLAY,
    RIGHT,
    SEATS,
    next_seat,
    previous_seat,
)
from simlib.hooks import called, compiled
from simlib.streams import BATCH, I64, U64, accept, draw, word_at

SAMPLE_WORDS = U64(64)  # of a sample: one for the passed cards, and 43 at most for dealing 256 cards
NEITHER, LEFT_HOLDS, RIGHT_HOLDS, BOTH = 0, 1, 2, 3  # which neighbours still hold the card passed to them: bits

HANDS = np.dtype(
    [
        ("sizes", "i8", (SEATS,)),  # cards in each seat's hand
        ("dealt", "i8"),  # cards in the hands of the other seats
        ("unseen", "i8"),  # cards in other hands and in the stock
        ("cards", "u2", (MOST_CARDS,)),  # those, in rising order
        ("places", "i8", (2,)),  # where among them the cards stand that were passed to the left and to the right
        ("weights", "u8", (4,)),  # how likely NEITHER to BOTH are
        ("order", "u2", (MOST_CARDS,)),  # scratch: a sample's order of the unseen cards
    ]
)


@called
def prepare(rules, table, view, hands):
    """Fill `hands` with what a seat knows of the other hands, once for all samples of a decision; return 1.

    Parameters
    ----------
    table, view : TABLE, VIEW
        At a decision of the seat (`pass_cards`, `play`, `offer` or `answer`); the seat looks.
    hands : HANDS
    """
    hands.dealt = 0
    for seat in range(rules.players):
        hands.sizes[U64(seat)] = hand_size(rules, table, view.seat, seat)
        hands.dealt += hands.sizes[U64(seat)]
    hands.dealt -= hands.sizes[U64(view.seat)]
    list_unseen(rules, table, view, hands)
    weigh(rules, table, view, hands)
    return 1


@called
def imagine(rules, table, view, hands, secret, seats, stream, number):
    """Deal all hands of an imagined game: a sample from what they may be, given what a seat knows.

    Parameters
    ----------
    hands : HANDS
        From `prepare`.
    secret : SECRET
        Stays as it is: which cards are in the stock, the pile and under bamboo changes nothing in the round.
    seats : SEATED
        Every ``views[seat].hand`` is filled, that of the seat itself as in `view`. Who plays (``seat``, ``player``,
        ``options``, ``looks``) is the caller's to set.
    stream : (key, gamma)
        The samples' words.
    number : uint64
        The sample's number; nothing of a sample depends on earlier ones.
    """
    first = number * SAMPLE_WORDS
    left, right = next_seat(rules, view.seat), previous_seat(rules, view.seat)
    holders, left_place, right_place = draw_holders(hands, left, right, word_at(stream, first))
    left_holds, right_holds = holders & 1, holders >> 1
    unseen = set_aside(hands, left_holds, right_holds)
    shuffle_front(hands, unseen, hands.dealt - left_holds - right_holds, stream, first + U64(1))
    place = 0
    for seat in range(rules.players):
        if seat != view.seat:
            size = hands.sizes[U64(seat)] - (left_holds if seat == left else 0) - (right_holds if seat == right else 0)
            take_hand(hands, seats.views[U64(seat)], place, size)
            place += size
    for place in range(hands.sizes[U64(view.seat)]):
        seats.views[U64(view.seat)].hand[U64(place)] = view.hand[U64(place)]
    if left_holds:
        insert(seats.views[U64(left)], left_place, hands.sizes[U64(left)] - 1, view.passed[LEFT])
    if right_holds:
        insert(seats.views[U64(right)], right_place, hands.sizes[U64(right)] - 1, view.passed[RIGHT])


@compiled
def hand_size(rules, table, me, seat):
    """Return how many cards a seat has in hand at a decision of `me`."""
    size = rules.tricks - table.trick
    if table.step == OFFER:
        return size - 1
    if table.step == PLAY:
        return size - (place_of(rules, table.leader, seat) < place_of(rules, table.leader, me))
    return size


@compiled
def place_of(rules, leader, seat):
    """Return a seat's place in a trick."""
    return seat - leader if seat >= leader else seat - leader + rules.players


@called
def list_unseen(rules, table, view, hands):
    """List the cards that have not been face up and are not in the seat's own hand."""
    unseen = 0
    for colour in range(rules.colours):
        for card in range(colour << COLOUR_SHIFT, (colour << COLOUR_SHIFT) + rules.ranks):
            for _ in range(table.unseen[U64(card)] - copies_in_hand(view, hands, card)):
                hands.cards[U64(unseen)] = card
                unseen += 1
    hands.unseen = unseen


@compiled
def copies_in_hand(view, hands, card):
    """Return how many copies of a card the seat itself holds."""
    copies = 0
    for place in range(hands.sizes[U64(view.seat)]):
        copies += view.hand[U64(place)] == card
    return copies


@called
def weigh(rules, table, view, hands):
    """Weigh which neighbours still hold the cards passed to them, and find those cards among the unseen ones.

    A weight is the number of orders that agree with what was played, over a common factor. Each passed card lies at a
    place of its neighbour's: of a card in hand, or of an equal card that was played. The other unseen cards lie in any
    order: n! orders, (n - 1)! or (n - 2)! of n unseen cards less those held. And for each passed card that is held one
    copy more of those that weren't passed has been played: a choice among as many as are unseen now.
    """
    for holders in range(4):
        hands.weights[U64(holders)] = 0
    hands.weights[NEITHER] = 1
    if view.passed[LEFT] != NO_CARD:
        weigh_passed(rules, table, hands, next_seat(rules, view.seat), previous_seat(rules, view.seat), view.passed)


@compiled
def weigh_passed(rules, table, hands, left, right, passed):
    """Fill ``hands.weights`` and ``hands.places`` where cards were passed to two neighbours."""
    same = passed[LEFT] == passed[RIGHT]
    left_copies, right_copies = copies_unseen(hands, passed[LEFT]), copies_unseen(hands, passed[RIGHT])
    hands.places[LEFT] = last_place(hands, passed[LEFT])
    hands.places[RIGHT] = last_place(hands, passed[RIGHT]) - (same and right_copies > 1)  # a copy for each
    left_held, left_played = hands.sizes[U64(left)], times_played(rules, table, hands, left, passed[LEFT])
    right_held, right_played = hands.sizes[U64(right)], times_played(rules, table, hands, right, passed[RIGHT])
    unseen, others = max(hands.unseen, 1), max(hands.unseen - 1, 1)  # where they are 0, nothing is held
    hands.weights[NEITHER] = left_played * right_played * unseen * others
    hands.weights[LEFT_HOLDS] = left_held * left_copies * right_played * others
    hands.weights[RIGHT_HOLDS] = right_held * right_copies * left_played * others
    hands.weights[BOTH] = left_held * left_copies * right_held * (right_copies - same)


@compiled
def copies_unseen(hands, card):
    """Return how many copies of a card are unseen."""
    copies = 0
    for place in range(hands.unseen):
        copies += hands.cards[U64(place)] == card
    return copies


@compiled
def last_place(hands, card):
    """Return the place of a card's last copy among the unseen cards."""
    place = -1
    for other in range(hands.unseen):
        place += hands.cards[U64(other)] <= card
    return place


@compiled
def times_played(rules, table, hands, seat, card):
    """Return how often a seat has played a card in this round."""
    times, leader = 0, table.start
    for trick in range(rules.tricks - hands.sizes[U64(seat)]):
        times += table.cards[U64(trick), U64(place_of(rules, leader, seat))] == card
        leader = I64(table.winners[U64(trick)])
    return times


@compiled
def draw_holders(hands, left, right, word):
    """Draw which neighbours hold the cards passed to them, as bits, and the places of both in their hands."""
    left_size, right_size = U64(max(hands.sizes[U64(left)], 1)), U64(max(hands.sizes[U64(right)], 1))
    total = U64(0)
    for holders in range(4):
        total += hands.weights[U64(holders)]
    pick, word = draw(accept(word, total * left_size * right_size), total)
    left_place, word = draw(word, left_size)
    right_place, word = draw(word, right_size)
    holders = NEITHER
    while pick >= hands.weights[U64(holders)]:
        pick -= hands.weights[U64(holders)]
        holders += 1
    return holders, I64(left_place), I64(right_place)


@compiled
def set_aside(hands, left_holds, right_holds):
    """Begin a sample's order without the passed cards that are held, and return how many cards it has."""
    for place in range(hands.unseen):
        hands.order[U64(place)] = hands.cards[U64(place)]
    size = hands.unseen
    if left_holds:
        size -= 1
        hands.order[U64(hands.places[LEFT])] = hands.order[U64(size)]
    if right_holds:
        size -= 1
        place = hands.places[RIGHT]  # its card may have moved just now
        hands.order[U64(place if place <= size else hands.places[LEFT])] = hands.order[U64(size)]
    return size


@compiled
def shuffle_front(hands, size, dealt, stream, number):
    """Shuffle the first `dealt` of `size` cards with the words from `number` on, as many draws from each as it holds.

    What `streams.shuffle` does, where no plan could be made before the game.
    """
    place, bound, left = U64(0), U64(size), U64(dealt)
    while left > U64(0):
        draws, product = U64(1), bound
        while draws < left and product * (bound - draws) <= U64(BATCH):
            product *= bound - draws
            draws += U64(1)
        word = accept(word_at(stream, number), product)
        number += U64(1)
        left -= draws
        for _ in range(draws):
            pick, word = draw(word, bound)
            card = hands.order[place + pick]
            hands.order[place + pick] = hands.order[place]
            hands.order[place] = card
            place += U64(1)
            bound -= U64(1)


@compiled
def take_hand(hands, view, first, size):
    """Give a seat the cards of a sample's order from place `first` on."""
    for number in range(size):
        view.hand[U64(number)] = hands.order[U64(first + number)]


@compiled
def insert(view, place, size, card):
    """Put a card into a hand of `size` cards; the one at its place goes to the end."""
    view.hand[U64(size)] = view.hand[U64(place)]
    view.hand[U64(place)] = card
