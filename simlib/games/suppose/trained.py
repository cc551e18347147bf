"""Suppose's `trained`: chaser's sums with weights that were learned by self-play.

It weighs whole numbers alone (in 1/WORTH of a trick), so that every machine plays alike.
"""

from simlib.games.suppose.heuristics import (
    ESTIMATORS,
    SHOWS_AT,
    arranged_as_told,
    beats,
    bid_near,
    bottom,
    hidden_prospects,
    holds,
    look_around,
    move,
    order_by_top,
    stands_for_gap,
    threats,
    top,
)
from simlib.games.suppose.heuristics import KEEP as GREEDY_KEEP
from simlib.games.suppose.rules import (
    NO_GUESS,
    PACES,
    UNKNOWN,
    WORTH,
    arrange,
    bid,
    next_seat,
    play,
)
from simlib.hooks import OPTIONS, Player, compiled, decides
from simlib.streams import I64, U64, lowest_bit, popcount

TRAINED = {
    "trained": Player(
        "arranges, bids and steers its neighbour as chaser does, by numbers learned by self-play", options=ESTIMATORS
    )
}


@compiled
def own_weights(rules, view):
    """Return what the player decides by: the champion's weights, or the challenger's while it trains."""
    return rules.weights[U64(view.options[OPTIONS - 1])]


@decides(arrange, "trained")
def trained_arrange(rules, table, view, word):
    if not arranged_as_told(view, word, view.options[SHOWS_AT]):
        put_ends_by_weights(rules, view)


@compiled
def put_ends_by_weights(rules, view):
    """Put first the group whose top is to be shown, and last the one whose bottom is, by the learned weights."""
    weights = own_weights(rules, view)
    order_by_top(view)
    last = popcount(view.colours) - 1
    move(view, best_end(view, 0, last, weights.first_top, 0, weights.first_size), 0)
    if last > 1:
        move(view, best_end(view, 1, last, 0, weights.last_bottom, weights.last_size), last)


@compiled
def best_end(view, start, last, for_top, for_bottom, for_size):
    """Return the place of the group, from `start` to `last`, that is the best one for an end of the hand."""
    best, most = start, -(1 << 40)
    for place in range(start, last + 1):
        colour = I64(view.order[U64(place)])
        size = view.ends[U64(colour)] - (view.ends[U64(colour - 1)] if colour > 0 else 0)
        merit = for_top * top(view, colour) + for_bottom * bottom(view, colour) + for_size * size
        if merit >= most:
            best, most = place, merit
    return best


@decides(bid, "trained")
def trained_bid(rules, table, view, word):
    weights = own_weights(rules, view)
    fair, strength = rules.tricks * WORTH // rules.players, I64(0)
    for number in range(rules.tricks):
        strength += rules.strength[U64(view.dealt[U64(number)])]
    starts = I64(table.start == next_seat(rules, view.seat))
    estimate = fair + (strength * weights.slope + WORTH * (weights.offset + weights.starts * starts)) // 64
    below, above = max(0, fair - estimate), max(0, estimate - fair)
    bid_near(rules, table, view, estimate - (below * weights.drop - above * weights.rise) // 64)


@decides(play, "trained")
def trained_play(rules, table, view, trick, word):
    weights = own_weights(rules, view)
    sight = look_around(rules, table, view, trick)
    urge = urge_of_neighbour(rules, table, view, weights, next_seat(rules, view.seat))
    passed = taken_if_passed(rules, table, view, weights, trick, sight)
    keep = weights.lead_keep if sight[0] == UNKNOWN else weights.keep
    best, best_gain, best_copies = 0, -(1 << 50), 1  # times 256 copies it still fits
    for pick in range(rules.tricks - table.trick):
        position = table.unplayed[U64(view.seat), U64(pick)]
        if stands_for_gap(view, position):
            copies, worth, wins, taken = weigh_card(rules, table, view, weights, sight, position, passed)
            gain = (64 * wins - keep * worth * (rules.players - 1)) * max(rules.trick, 1) + urge * taken
            if gain * best_copies > best_gain * copies:
                best, best_gain, best_copies = pick, gain, copies
    return best


@compiled
def weigh_card(rules, table, view, weights, sight, position, passed):
    """Return `prospects` of an own card, and the chance that the left neighbour wins, summed likewise (times WORTH)."""
    card = I64(view.known[U64(view.seat), U64(position)])
    if card == UNKNOWN:
        copies, worth, wins = hidden_prospects(rules, view, sight, position)
        return copies, worth, wins, passed * (copies - wins // (2 * WORTH * (rules.players - 1)))
    worth = counted_worth(rules, table, view, sight, card)
    if not beats(card, sight[0]):
        return 1, worth, I64(0), passed
    held, taken = answers(rules, table, view, weights, sight, card)
    return 1, worth, held * (rules.players - 1), taken


@compiled
def counted_worth(rules, table, view, sight, card):
    """Return the chance (times WORTH) that a card would win as a lead, by counting what each other seat may hold."""
    worth, seat = WORTH, view.seat
    for step in range(1, rules.players):
        seat = next_seat(rules, seat)
        cards = rules.tricks - table.trick - (step > sight[1])
        if cards > 0:
            worth = worth * (cards * WORTH - threats(rules, table, view, sight, seat, cards, card)) // (cards * WORTH)
    return worth


@compiled
def answers(rules, table, view, weights, sight, card):
    """Return the chances (times WORTH) that a card stays the best one, and that the left neighbour wins over it."""
    held, taken, seat, behind = WORTH, I64(0), view.seat, sight[1]
    for step in range(behind):
        seat = next_seat(rules, seat)
        chance, lasts = answer(rules, table, view, weights, sight, seat, card, behind - 1 - step)
        held = held * (WORTH - chance) // WORTH
        if step == 0:
            taken = lasts
    return held, taken


@compiled
def taken_if_passed(rules, table, view, weights, trick, sight):
    """Return the chance (times WORTH) that the left neighbour wins the trick if the own card doesn't change it."""
    left = next_seat(rules, view.seat)
    if table.leader == left:  # it has played already, and this seat plays last
        return WORTH if trick[1] == left else I64(0)
    if sight[0] == UNKNOWN:
        return WORTH * weights.blind // 64
    return answer(rules, table, view, weights, sight, left, sight[0], sight[1] - 1)[1]


@compiled
def answer(rules, table, view, weights, sight, seat, bar, behind):
    """Return the chances (times WORTH) that a seat to come beats a card, and that it wins the trick by that.

    Taken as greedy: it plays the best of the cards that it sees, or the leftmost of a gap of others that promises more.
    """
    cards, others = rules.tricks - table.trick, rules.players - 1
    standing = standing_at(table, seat, cards)
    best_gain, best_beats, best_wins = -(1 << 40), I64(0), I64(0)
    gap, gain, first_beats, first_wins = 0, I64(0), I64(0), I64(0)
    all_beats = all_wins = I64(0)
    before = -2
    while standing:
        position = lowest_bit(standing)
        standing &= standing - U64(1)
        card = I64(view.known[U64(seat), position])
        if card == UNKNOWN:
            continue
        worth = rules.worth[U64(card)]
        wins = holds(rules, behind, 1, worth) if beats(card, bar) else I64(0)
        if gap == 0 or I64(position) != before + 1 or rules.visible[position] or rules.visible[position - U64(1)]:
            if gap > 0 and gain > best_gain * gap:
                best_gain, best_beats, best_wins = gain // gap, first_beats, first_wins
            gap, gain, first_beats, first_wins = 0, I64(0), I64(wins > 0), wins
        gap, before = gap + 1, I64(position)
        gain += 8 * wins - GREEDY_KEEP * worth * others
        all_beats += wins > 0
        all_wins += wins
    if gap > 0 and gain > best_gain * gap:
        best_beats, best_wins = first_beats, first_wins
    likely = weights.likely if seat == next_seat(rules, view.seat) else weights.others
    beating = (likely * best_beats + (64 - likely) * all_beats // cards) * WORTH // 64
    return beating, (likely * best_wins + (64 - likely) * (all_wins // cards)) // (64 * others)


@compiled
def standing_at(table, seat, cards):
    """Return the set of a seat's unplayed positions, of the first 64."""
    standing = U64(0)
    for number in range(cards):
        position = table.unplayed[U64(seat), U64(number)]
        standing |= U64(position < 64) << U64(position & 63)
    return standing


@compiled
def urge_of_neighbour(rules, table, view, weights, left):
    """Return what the neighbour's winning the trick, rather than losing it, adds to the bonus to come.

    In the unit of a gain of a trick (64 for a sure trick), for each WORTH of chance, times the other seats.
    """
    won, after = table.tricks_won[U64(left)], rules.tricks - table.trick - 1
    bonus = rules.single if view.guesses[1] == NO_GUESS else rules.double
    steered = rules.paced[U64(view.options[OPTIONS - 1]), U64(pace_of(rules, table, view, weights, left, after + 1))]
    chance = I64(0)
    for number in range(2):
        need = view.guesses[U64(number)] - won
        if view.guesses[U64(number)] != NO_GUESS and 0 <= need <= after + 1:
            chance -= steered[U64(0), U64(after), U64(need)]
            if need > 0:
                chance += steered[U64(1), U64(after), U64(need - 1)]
    return 4 * weights.urge * (rules.players - 1) * bonus * chance // WORTH


@compiled
def pace_of(rules, table, view, weights, left, cards):
    """Return how fast the neighbour wins, for its cards left: PACES // 4 is a fair share."""
    strength = I64(0)
    for number in range(cards):
        position = U64(table.unplayed[U64(left), U64(number)])
        strength += rules.strength[U64(view.known[U64(left), position])]
    return min(max(PACES // 4 + strength * weights.pace // (cards * 4 * WORTH), 0), PACES - 1)
