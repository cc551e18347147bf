"""Gara-tori's fast players. Each decision is a function of the rules, the table, the seat's own View and a word.

`greedy` weighs whole numbers alone (in 1/WORTH of a card of the colour that a seat has most of), so that every
machine plays alike.
"""

from simlib.cards import COLOUR_SHIFT, RANK_MASK, SPECIAL
from simlib.games.gara_tori.rules import UNLOCKED, best_place, cards_of_patterns, effect, play
from simlib.hooks import Player, compiled, decides
from simlib.streams import I64, U64, below, lowest_bit, nth_bit, popcount

WORTH = 1024
# fitted on classic games of greedy players among themselves and among random ones
TRICK, GIFT, KEPT = 8, 3, 7  # weights of the trick that is won, of a card that others win, of what a card may win later
CAUTION = (6, 8)  # of the unseen cards in hands, how many are feared: some threats can't be, or aren't, played
PATIENCE = 16  # quarters of a card, for each trick to come: a colour that is so far behind is worth half

HEURISTICS = {
    "random": Player("takes each legal choice with the same chance", looks=False, by_chance=True),
    "greedy": Player(
        "takes tricks it wins surely, saves high cards and specials for them, gives others what they don't gather"
    ),
}


@decides(play, "random")
def random_play(rules, table, view, trick, word):
    pick = below(word, U64(view.choices))
    if rules.words == 1:
        return nth_bit(view.legal[0], pick)
    number = U64(0)
    while pick >= U64(popcount(view.legal[number])):
        pick -= U64(popcount(view.legal[number]))
        number += U64(1)
    return number * U64(64) + nth_bit(view.legal[number], pick)


@decides(play, "greedy")
def greedy_play(rules, table, view, trick, word):
    look(rules, table, view)
    for seat in range(rules.players):
        weigh_colours(rules, table, view, seat)
    best_gain, best = -(1 << 60), U64(0)
    for number in range(rules.words):
        legal = view.legal[number]
        while legal:
            place = U64(64 * number) + lowest_bit(legal)
            legal &= legal - U64(1)
            gain = gain_of(rules, table, view, trick, place)
            if gain > best_gain:
                best_gain, best = gain, place
    return best


@compiled
def look(rules, table, view):
    """Find the cards that a seat hasn't seen: in other hands, or out of play."""
    view.unseen_cards = 0
    for number in range(rules.words):
        known = view.hand[number] | table.played[number]
        view.unseen[number] = U64(0)
        for colour in range(rules.colours):
            view.unseen[number] |= rules.of_colour[colour, number] & ~known
        view.unseen_cards += popcount(view.unseen[number])


@compiled
def weigh_colours(rules, table, view, seat):
    """Weigh what a card of each colour is worth to a seat: the less, the further the colour is behind its best one."""
    best, left = 0, rules.tricks - table.trick
    for colour in range(rules.colours):
        best = max(best, gathered(rules, table, view, seat, colour))
    for colour in range(rules.colours):
        behind = best - gathered(rules, table, view, seat, colour)
        view.weights[seat, colour] = WORTH * PATIENCE * left // (PATIENCE * left + behind)


@compiled
def gathered(rules, table, view, seat, colour):
    """Return a seat's cards of a colour in quarters: four for each that it took, one for each in its own hand."""
    cards = 4 * table.taken[seat, colour]
    if seat == view.seat:
        for number in range(rules.words):
            cards += popcount(view.hand[number] & rules.of_colour[colour, number])
    return cards


@compiled
def gain_of(rules, table, view, trick, chosen):
    """Return what a card gains: the trick, if it wins it, less the gift, if not, less what the card may win later."""
    card = I64(rules.cards[chosen])
    lead, _, power = effect(rules, view, trick, view.place, card)
    others, left = rules.players - 1, rules.tricks - table.trick
    wins = chance_to_win(rules, table, view, trick, chosen, lead, power, feared((others - view.place) * left))
    colour = card >> COLOUR_SHIFT
    rival = rival_seat(rules, table, view, trick, lead, wins)
    later = chance_when_led(rules, table, view, chosen, feared(others * (left - 1)))
    kept = rules.players * view.weights[view.seat, colour] * later
    won = wins * trick_worth(rules, table, view, colour, lead)
    return TRICK * won - GIFT * (WORTH - wins) * view.weights[rival, colour] - KEPT * kept


@compiled
def feared(cards):
    """Return how many of so many unseen cards in hands are feared."""
    share, of = CAUTION
    return cards * share // of


@compiled
def chance_to_win(rules, table, view, trick, chosen, lead, power, cards):
    """Return the chance (times WORTH) that a card wins the trick, if `cards` of the unseen ones are feared."""
    card, locker = I64(rules.cards[chosen]), trick[3]
    if locker != UNLOCKED or card >> COLOUR_SHIFT != lead:
        return 0
    if power:
        return WORTH
    for place in range(view.place):
        other = I64(table.cards[U64(table.trick), U64(place)])
        if other >> COLOUR_SHIFT == lead and other >= card:
            return 0
    patterns = trick[1] | U64(1) << U64(card & RANK_MASK)
    return holds(view, threats(rules, view, chosen, lead, patterns), cards)


@compiled
def threats(rules, view, chosen, lead, patterns):
    """Count the unseen cards that could take a trick from a card: higher ones, specials, ones that turn the lead."""
    cards = 0
    for number in range(rules.words):
        turning = cards_of_patterns(rules, patterns, number) & ~rules.of_colour[lead, number]
        taking = rules.above[chosen, number] | rules.specials[lead, number] | turning
        cards += popcount(view.unseen[number] & taking)
    return cards


@compiled
def holds(view, dangers, cards):
    """Return the chance (times WORTH) that none of so many unseen cards is a danger."""
    if view.unseen_cards == 0:
        return WORTH
    safe, chance = WORTH * (view.unseen_cards - dangers) // view.unseen_cards, WORTH
    for _ in range(cards):
        chance = chance * safe // WORTH
    return chance


@compiled
def chance_when_led(rules, table, view, chosen, cards):
    """Return the chance (times WORTH) that a card would win if its seat led it later, `cards` being feared then."""
    if table.trick == rules.tricks - 1:
        return 0
    card = I64(rules.cards[chosen])
    rank = card & RANK_MASK
    if rank == SPECIAL:
        return WORTH
    dangers = threats(rules, view, chosen, card >> COLOUR_SHIFT, U64(1) << U64(rank))
    return holds(view, dangers, cards)


@compiled
def trick_worth(rules, table, view, colour, lead):
    """Return what the trick is worth to its seat with a card of a colour in it, if those to come mostly follow."""
    weights = view.weights[view.seat]
    worth = weights[colour] + (rules.players - 1 - view.place) * weights[lead] * 3 // 4
    for place in range(view.place):
        worth += weights[table.cards[table.trick, place] >> COLOUR_SHIFT]
    return worth


@compiled
def rival_seat(rules, table, view, trick, lead, wins):
    """Return the seat that takes the trick if this one doesn't: the one that has it now, or else the next one."""
    seat, place = view.seat + 1, view.place
    if wins == 0:
        locker = trick[3]
        place = locker if locker != UNLOCKED else best_place(table, lead, view.place)
    if place < view.place:  # else nobody has it but this seat
        seat = table.leader + place
    return seat if seat < rules.players else seat - rules.players
