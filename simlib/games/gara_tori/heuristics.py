"""Gara-tori's fast players. Each decision is a function of the rules, the table, the seat's own View and a word.

`greedy` weighs whole numbers alone (in 1/WORTH of a card of the colour that a seat has most of), so that every
machine plays alike.
"""

from simlib.cards import COLOUR_SHIFT, RANK_MASK, SPECIAL
from simlib.games.gara_tori.rules import UNLOCKED, WORTH, best_place, cards_of_patterns, effect, play
from simlib.hooks import Player, compiled, decides
from simlib.streams import I64, U64, below, lowest_bit, nth_bit, popcount

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
    weigh_colours(rules, table, view)
    best_gain, best = -(1 << 60), U64(0)
    for number in range(rules.words):
        legal = view.legal[U64(number)]
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
        unseen = rules.all_cards[U64(number)] & ~(view.hand[U64(number)] | table.played[U64(number)])
        view.unseen[U64(number)] = unseen
        view.unseen_cards += popcount(unseen)


@compiled
def weigh_colours(rules, table, view):
    """Weigh what a card of each colour is worth to this seat: as to others, but what it holds counts, too."""
    best, weights = I64(0), view.weights[U64(view.seat)]
    for colour in range(rules.colours):
        held = I64(0)
        for number in range(rules.words):
            held += popcount(view.hand[U64(number)] & rules.of_colour[U64(colour), U64(number)])
        weights[U64(colour)] = 4 * table.taken[U64(view.seat), U64(colour)] + held
        best = max(best, weights[U64(colour)])
    for colour in range(rules.colours):
        weights[U64(colour)] = weight_of(rules, table, PATIENCE, best - weights[U64(colour)])


@compiled
def weight_to(rules, table, seat, colour):
    """Return what a card of a colour is worth to another seat: the less, the further it is behind its best one."""
    best = I64(0)
    for other in range(rules.colours):
        best = max(best, table.taken[U64(seat), U64(other)])
    return weight_of(rules, table, PATIENCE, 4 * (best - table.taken[U64(seat), U64(colour)]))


@compiled
def weight_of(rules, table, patience, behind):
    """Return what a card (times WORTH) is worth of a colour that is so far behind a seat's best one.

    Parameters
    ----------
    patience, behind : int
        How far behind, for each trick to come, a colour is worth half; and how far it is: in the same parts of a card.
    """
    patience *= rules.tricks - table.trick
    return WORTH * patience // (patience + behind)


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
    kept = rules.players * view.weights[U64(view.seat), U64(colour)] * later
    won = wins * trick_worth(rules, table, view, colour, lead)
    return TRICK * won - GIFT * (WORTH - wins) * weight_to(rules, table, rival, colour) - KEPT * kept


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
    dangers = I64(0)
    for number in range(rules.words):
        matching = rules.of_pattern[U64(card & RANK_MASK), U64(number)] | matching_cards(rules, trick, number)
        dangers += threats(rules, view, chosen, lead, matching, number)
    return holds(rules, view, dangers, cards)


@compiled
def matching_cards(rules, trick, number):
    """Return word `number` of the set of the cards of all patterns in a trick."""
    return trick[2] if rules.words == 1 else cards_of_patterns(rules, trick[1], number)


@compiled
def threats(rules, view, chosen, lead, matching, number):
    """Count the unseen cards that could take a trick from a card: higher ones, specials, ones that turn the lead.

    Parameters
    ----------
    matching, number
        Those of a played pattern; the word of all sets that is counted.
    """
    word = U64(number)
    turning = matching & ~rules.of_colour[U64(lead), word]
    return popcount(view.unseen[word] & (rules.above[chosen, word] | rules.specials[U64(lead), word] | turning))


@compiled
def holds(rules, view, dangers, cards):
    """Return the chance (times WORTH) that none of so many unseen cards is a danger."""
    if view.unseen_cards == 0:
        return I64(WORTH)
    safe = WORTH * (view.unseen_cards - dangers) // view.unseen_cards
    return I64(rules.all_safe[U64(cards), U64(safe)])


@compiled
def chance_when_led(rules, table, view, chosen, cards):
    """Return the chance (times WORTH) that a card would win if its seat led it later, `cards` being feared then."""
    if table.trick == rules.tricks - 1:
        return 0
    card = I64(rules.cards[chosen])
    rank = card & RANK_MASK
    if rank == SPECIAL:
        return WORTH
    dangers = I64(0)
    for number in range(rules.words):
        matching = rules.of_pattern[U64(rank), U64(number)]
        dangers += threats(rules, view, chosen, card >> COLOUR_SHIFT, matching, number)
    return holds(rules, view, dangers, cards)


@compiled
def trick_worth(rules, table, view, colour, lead):
    """Return what the trick is worth to its seat with a card of a colour in it, if those to come mostly follow."""
    weights = view.weights[U64(view.seat)]
    worth = weights[U64(colour)] + (rules.players - 1 - view.place) * weights[U64(lead)] * 3 // 4
    for place in range(view.place):
        worth += weights[U64(table.cards[U64(table.trick), U64(place)] >> COLOUR_SHIFT)]
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
