"""Gara-tori's `trained`: greedy's sum with weights that were learned by self-play, and a few terms more.

It weighs whole numbers alone (in 1/WORTH of a card of the colour that a seat has most of), so that every machine plays
alike.
"""

from simlib.cards import COLOUR_SHIFT, RANK_MASK, SPECIAL
from simlib.games.gara_tori.heuristics import chance_to_win, chance_when_led, holds, look, rival_seat, weight_of
from simlib.games.gara_tori.rules import WORTH, effect, play
from simlib.hooks import OPTIONS, Player, compiled, decides
from simlib.streams import I64, U64, lowest_bit, popcount

TRAINED = {"trained": Player("weighs a card as greedy does, by numbers learned by self-play, and whom it helps")}


@decides(play, "trained")
def trained_play(rules, table, view, trick, word):
    weights = rules.weights[U64(view.options[OPTIONS - 1])]
    look(rules, table, view)
    holder = seat_ahead(rules, table, view, trick)
    for seat in (view.seat, holder):
        weigh_colours(rules, table, view, weights, seat)
    best_gain, best = -(1 << 60), U64(0)
    for number in range(rules.words):
        legal = view.legal[U64(number)]
        while legal:
            place = U64(64 * number) + lowest_bit(legal)
            legal &= legal - U64(1)
            gain = gain_of(rules, table, view, weights, trick, holder, place)
            if gain > best_gain:
                best_gain, best = gain, place
    return best


@compiled
def seat_ahead(rules, table, view, trick):
    """Return the seat that has the trick now; before the first card, the next one."""
    return rival_seat(rules, table, view, trick, trick[0], I64(view.place == 0))


@compiled
def weigh_colours(rules, table, view, weights, seat):
    """Weigh what a card of each colour is worth to a seat: the less, the further the colour is behind its best one."""
    best = I64(0)
    for colour in range(rules.colours):
        best = max(best, gathered(rules, table, view, weights, seat, colour))
    for colour in range(rules.colours):
        behind = best - gathered(rules, table, view, weights, seat, colour)
        view.weights[U64(seat), U64(colour)] = weight_of(rules, table, weights.patience, behind)


@compiled
def weight_to(rules, table, weights, seat, colour):
    """Return what a card of a colour is worth to another seat."""
    behind = 16 * (most_taken(rules, table, seat) - table.taken[U64(seat), U64(colour)])
    return weight_of(rules, table, weights.patience, behind)


@compiled
def gathered(rules, table, view, weights, seat, colour):
    """Return a seat's cards of a colour in 1/16: those that it took, and a part of those in its own hand."""
    cards = 16 * table.taken[U64(seat), U64(colour)]
    if seat == view.seat:
        for number in range(rules.words):
            held = popcount(view.hand[U64(number)] & rules.of_colour[U64(colour), U64(number)])
            cards += weights.held * held
    return cards


@compiled
def most_taken(rules, table, seat):
    """Return how many cards of its best colour a seat has taken."""
    most = I64(0)
    for colour in range(rules.colours):
        most = max(most, table.taken[U64(seat), U64(colour)])
    return most


@compiled
def gain_of(rules, table, view, weights, trick, holder, chosen):
    """Return what a card gains: the trick, if it wins it, less the gift, if not, less what the card may win later."""
    card = I64(rules.cards[chosen])
    lead, _, power = effect(rules, view, trick, view.place, card)
    wins = chance_to_win(rules, table, view, trick, chosen, lead, power, feared(rules, table, view, weights, lead))
    colour = card >> COLOUR_SHIFT
    gain = weights.turn * WORTH * I64((view.place > 0) & (lead != trick[0]))
    if wins > 0:
        following = seats_following(rules, table, view, lead)
        prize = weights.trick * trick_worth(rules, table, view, weights, view.seat, colour, lead, following)
        prize += weights.denied * trick_worth(rules, table, view, weights, holder, colour, lead, following)
        gain += wins * (prize // WORTH + weights.lead)
    if wins < WORTH:
        rival = rival_seat(rules, table, view, trick, lead, wins)
        ahead = most_taken(rules, table, rival) - most_taken(rules, table, view.seat)
        gift = weights.gift + weights.gift_ahead * ahead
        gain -= gift * (WORTH - wins) * weight_to(rules, table, weights, rival, colour) // WORTH
    cards = (rules.players - 1) * (rules.tricks - table.trick - 1) * weights.feared_later // 16
    later = chance_when_led(rules, table, view, chosen, cards)
    kept = weights.special if card & RANK_MASK == SPECIAL else weights.kept
    return gain - kept * later * rules.players * view.weights[U64(view.seat), U64(colour)] // WORTH


@compiled
def feared(rules, table, view, weights, lead):
    """Return how many unseen cards are feared in the trick at hand: fewer of seats that are known to be void."""
    void = seats_void(rules, table, view, lead)
    seats = (rules.players - 1 - view.place - void) * weights.feared + void * weights.feared_void
    return seats * (rules.tricks - table.trick) // 16


@compiled
def seats_void(rules, table, view, lead):
    """Return how many of the seats to come have shown that nothing obliges them to follow a colour."""
    void, seat = I64(0), view.seat
    for _ in range(rules.players - 1 - view.place):
        seat = seat + 1 if seat + 1 < rules.players else 0
        void += I64(table.shown_void[U64(seat)] >> U64(lead) & U64(1))
    return void


@compiled
def seats_following(rules, table, view, lead):
    """Return how many of the seats to come may be expected (times WORTH) to have a card of the lead colour."""
    cards = I64(0)
    for number in range(rules.words):
        cards += popcount(view.unseen[U64(number)] & rules.of_colour[U64(lead), U64(number)])
    seats = rules.players - 1 - view.place - seats_void(rules, table, view, lead)
    return seats * (WORTH - holds(rules, view, cards, rules.tricks - table.trick))


@compiled
def trick_worth(rules, table, view, weights, seat, colour, lead, following):
    """Return what the trick is worth to a seat with a card of a colour in it, and with what those to come may add."""
    worths, mean = view.weights[U64(seat)], I64(0)
    for other in range(rules.colours):
        mean += worths[U64(other)]
    thrown = ((rules.players - 1 - view.place) * WORTH - following) * (mean // rules.colours) // WORTH
    followed = worths[U64(lead)] * following // WORTH
    worth = worths[U64(colour)] + (followed * weights.follow + thrown * weights.thrown) // 16
    for place in range(view.place):
        worth += worths[U64(table.cards[U64(table.trick), U64(place)] >> COLOUR_SHIFT)]
    return worth
