"""Gara-tori: deals that are the likelier the better the other seats' plays fit the hands in them.

A seat that searches has a model of each other seat: the player that it imagines there. Cards that were played tell of
hands by it: a play is a *stray* if the model, with the hand that a deal gives the seat, would have laid another card.
No player is taken for its model to the letter: each stray leaves STRAY of the chance that a deal has by the rules.

Deals come from a chain (Metropolis): two unseen cards change places, and back where that makes the plays unlikely.
"""

import numpy as np

from simlib.cards import MOST_CARDS
from simlib.games.gara_tori.determinization import HANDS, fraction, keep, lacks
from simlib.games.gara_tori.determinization import imagine as imagine_by_rules
from simlib.games.gara_tori.rules import (
    SEATS,
    TABLE,
    TRICKS,
    WORDS,
    clear_counts,
    close_trick,
    find_legal,
    lay_card,
    open_trick,
    play,
)
from simlib.hooks import called, compiled
from simlib.state import copy_record
from simlib.streams import I64, U64, accept, draw, lowest_bit, mix64, word_at
from simlib.tricks import seats_played

STRAY = 1 / 32  # what a stray leaves of the chance of a deal
WARM_UP = 10  # steps before the first deal, for each card in other hands
APART = 1  # ... and between two deals
CHAIN_WORDS = U64(1 << 40)  # where a decision's words for its chain begin

MOMENT = np.dtype(  # of a play
    [
        ("table", TABLE),  # before it
        ("lead", "i8"),  # these five are the trick (see `open_trick`)
        ("patterns", "u8"),
        ("matching", "u8"),
        ("locker", "i8"),
        ("turns", "i8"),
        ("seat", "i8"),
        ("place", "i8"),
        ("chosen", "u8"),  # the card: its place in the sorted deck
        ("held", "u8", (WORDS,)),  # set of the cards that its seat has played from here on
    ]
)
BELIEFS = np.dtype(
    [
        *((name, HANDS[name]) for name in HANDS.names or ()),
        ("believes", "i8"),  # whether deals come from the chain
        ("moments", MOMENT, (MOST_CARDS,)),  # all plays of the round so far
        ("plays", "i8"),  # how many these are
        ("cards", "u8", (MOST_CARDS,)),  # the unseen cards, those in hands first
        ("listed", "i8"),  # how many these are
        ("owners", "i8", (MOST_CARDS,)),  # whose each of them is; the own seat's are out of play
        ("in_hands", "i8"),
        ("own", "i8"),  # the seat that thinks
        ("told", "i8", (SEATS,)),  # how many plays tell of a seat's hand
        ("telling", "i8", (SEATS, TRICKS)),  # numbers of these, the last first
        ("strays", "i8", (SEATS,)),  # by seat
        ("weights", "f8", (SEATS, TRICKS + 1)),  # chance of a seat's plays by the number of its strays, none being 1
        ("steps", "i8"),  # of the chain so far
    ]
)


@called
def believe(rules, table, view, stream):
    """Begin a chain at the deal that was imagined last, if any play tells of another hand."""
    mind, hands = view.mind, view.mind.hands
    recollect(rules, table, view)
    take_stock(rules, view, hands, mind.seats[0])
    told = I64(0)
    for seat in range(rules.players):
        weigh_strays(hands, seat)
        told += hands.told[U64(seat)]
        hands.strays[U64(seat)] = count_strays(rules, mind, seat, 1.0, 0.0)
    hands.believes = (told > 0) & (hands.in_hands > 0) & (not mind.by_chance)
    if hands.believes:
        hands.steps = 0
        walk(rules, mind, stream, WARM_UP * hands.in_hands)


@called
def imagine(rules, table, view, hands, secret, seats, stream, number):
    """Walk on to the chain's next deal; where a seat doesn't believe plays, draw one by the rules alone."""
    if hands.believes:
        walk(rules, view.mind, stream, APART * hands.in_hands)
        keep(rules, view, hands, seats)
    else:
        imagine_by_rules(rules, table, view, hands, secret, seats, stream, number)


@called
def recollect(rules, table, view):
    """Play the round so far again as all saw it, and note each moment of it."""
    hands, past, secret = view.mind.hands, view.mind.tables[1], view.mind.secrets[1]
    copy_record(past, table)
    clear_counts(rules, past, secret)
    past.leader = table.start
    for seat in range(rules.players):
        past.shown_void[U64(seat)] = past.shown_held[U64(seat)] = U64(0)
    for number in range(rules.words):
        past.played[U64(number)] = U64(0)
    hands.plays = table.trick * rules.players + seats_played(rules, table, view.seat)
    for trick in range(table.trick + 1):
        past.trick = trick
        play_again(rules, table, view.mind, min(rules.players, hands.plays - trick * rules.players))
    note_held(rules, hands)


@compiled
def play_again(rules, table, mind, plays):
    """Play so many cards of a trick again."""
    hands, past = mind.hands, mind.tables[1]
    trick, seat = open_trick(rules, past), past.leader
    for place in range(plays):
        moment, view = hands.moments[U64(past.trick * rules.players + place)], mind.seats[1].views[U64(seat)]
        copy_record(moment.table, past)
        moment.seat, moment.place, moment.chosen = seat, place, place_of(rules, table, past, place)
        moment.lead, moment.patterns, moment.matching, moment.locker, moment.turns = trick
        view.void = table.leads[U64(past.trick), U64(place)] == trick[0]  # reading G2: a void seat's card turns nothing
        trick = lay_card(rules, past, view, trick, seat, place, moment.chosen)
        seat = seat + 1 if seat + 1 < rules.players else 0
    if plays == rules.players:
        close_trick(rules, past, mind.secrets[1], mind.seats[1], trick, (U64(0), U64(0)))


@compiled
def place_of(rules, table, past, place):
    """Return which card was played next: its place in the sorted deck (uint64), of equal ones the first not noted."""
    card, chosen = table.cards[U64(past.trick), U64(place)], U64(0)
    for number in range(rules.words):
        played = table.played[U64(number)] & ~past.played[U64(number)]
        while played:
            other = U64(64 * number) + lowest_bit(played)
            if rules.cards[other] == card:
                return other
            played &= played - U64(1)
    return chosen


@compiled
def note_held(rules, hands):
    """Note with each play which cards its seat is known to have held then: those it played from there on."""
    for seat in range(rules.players):
        for number in range(rules.words):
            hands.drawn[U64(seat), U64(number)] = U64(0)
    for number in range(hands.plays - 1, -1, -1):
        moment = hands.moments[U64(number)]
        hands.drawn[U64(moment.seat), moment.chosen >> U64(6)] |= U64(1) << (moment.chosen & U64(63))
        for word in range(rules.words):
            moment.held[U64(word)] = hands.drawn[U64(moment.seat), U64(word)]


@compiled
def take_stock(rules, view, hands, seats):
    """List the unseen cards, those in hands first, as they were imagined last; the own seat stands for out of play."""
    own = U64(view.seat)
    hands.own, hands.listed, hands.in_hands, hands.held[own] = view.seat, 0, 0, U64(0)
    for number in range(rules.words):
        hands.drawn[own, U64(number)] = hands.allowed[own, U64(number)] = hands.unseen[U64(number)]
    for step in range(1, rules.players + 1):
        seat = U64((view.seat + step) % rules.players)
        for number in range(rules.words):
            if seat != own:
                hands.drawn[seat, U64(number)] = seats.views[seat].hand[U64(number)]
                hands.drawn[own, U64(number)] &= ~hands.drawn[seat, U64(number)]
            list_cards(hands, hands.drawn[seat, U64(number)], number, seat)
        hands.in_hands += hands.sizes[seat] if seat != own else 0


@compiled
def list_cards(hands, cards, number, owner):
    """Add word `number` of a set of cards to the list."""
    while cards:
        hands.cards[U64(hands.listed)] = U64(64 * number) + lowest_bit(cards)
        hands.owners[U64(hands.listed)] = owner
        hands.listed += 1
        cards &= cards - U64(1)


@compiled
def weigh_strays(hands, seat):
    """Find which plays tell of a seat's hand, and the chance of them by the number of strays."""
    told, weight = I64(0), 1.0
    for number in range(hands.plays - 1, -1, -1):
        if hands.moments[U64(number)].seat == seat and seat != hands.own:
            hands.telling[U64(seat), U64(told)] = number
            told += 1
    hands.told[U64(seat)] = told
    for strays in range(told + 1):
        hands.weights[U64(seat), U64(strays)] = weight
        weight *= STRAY


@called
def count_strays(rules, mind, seat, weight, least):
    """Count a seat's plays that its model wouldn't have made with its imagined hand.

    Not all of them, once `weight` times the chance of that many is below `least`.
    """
    hands, strays = mind.hands, I64(0)
    view = mind.seats[1].views[U64(seat)]
    for place in range(hands.told[U64(seat)]):
        strays += is_stray(rules, hands, hands.moments[U64(hands.telling[U64(seat), U64(place)])], view)
        if weight * hands.weights[U64(seat), U64(strays)] < least:
            break
    return strays


@compiled
def is_stray(rules, hands, moment, view):
    """Tell whether the model would have laid another card: any of equal ones is the same."""
    for number in range(rules.words):
        view.hand[U64(number)] = hands.drawn[U64(moment.seat), U64(number)] | moment.held[U64(number)]
    view.place = moment.place
    trick = (moment.lead, moment.patterns, moment.matching, moment.locker, moment.turns)
    find_legal(rules, view, trick)
    if view.choices == 1:
        return I64(0)
    chosen = U64(play(rules, moment.table, view, trick, U64(0)))
    return I64(rules.cards[chosen] != rules.cards[moment.chosen])


@called
def walk(rules, mind, stream, steps):
    """Take so many steps of the chain."""
    hands = mind.hands
    for step in range(hands.steps, hands.steps + steps):
        word = word_at(stream, CHAIN_WORDS + U64(step))
        bounds = U64(hands.in_hands) * U64(hands.unseen_cards)
        one, rest = draw(accept(word, bounds), U64(hands.in_hands))
        other, _ = draw(rest, U64(hands.unseen_cards))
        if fits(hands, one, other):
            exchange(hands, one, other)
            if not is_taken(rules, mind, hands.owners[one], hands.owners[other], fraction(mix64(word))):
                exchange(hands, one, other)
    hands.steps += steps


@compiled
def fits(hands, one, other):
    """Tell whether two listed cards, the first of them in a hand, may change places."""
    return (
        hands.owners[one] != hands.owners[other]
        and may_hold(hands, hands.owners[one], hands.cards[other])
        and may_hold(hands, hands.owners[other], hands.cards[one])
    )


@compiled
def may_hold(hands, owner, card):
    """Tell whether a seat may hold a card."""
    return hands.allowed[U64(owner), card >> U64(6)] >> (card & U64(63)) & U64(1) != U64(0)


@compiled
def exchange(hands, one, other):
    """Let two listed cards change places."""
    card, given = hands.cards[one], hands.cards[other]
    move(hands, hands.owners[one], card, given)
    move(hands, hands.owners[other], given, card)
    hands.cards[one], hands.cards[other] = given, card


@compiled
def move(hands, owner, card, given):
    """Take a card from a seat and give it another."""
    hands.drawn[U64(owner), card >> U64(6)] &= ~(U64(1) << (card & U64(63)))
    hands.drawn[U64(owner), given >> U64(6)] |= U64(1) << (given & U64(63))


@called
def is_taken(rules, mind, one, other, luck):
    """Decide whether two owners keep their new hands, and count their strays anew if they do."""
    hands = mind.hands
    if lacks(rules, hands, U64(one)) or lacks(rules, hands, U64(other)):
        return False
    least = luck * weight_of(hands, one, hands.strays[one]) * weight_of(hands, other, hands.strays[other])
    first = count_strays(rules, mind, one, 1.0, least)
    weight = weight_of(hands, one, first)
    if weight < least:
        return False
    second = count_strays(rules, mind, other, weight, least)
    if weight * weight_of(hands, other, second) < least:
        return False
    hands.strays[one], hands.strays[other] = first, second
    return True


@compiled
def weight_of(hands, owner, strays):
    """Return the chance of an owner's plays with so many strays, in that of none."""
    return hands.weights[U64(owner), U64(strays)]
