"""Take-Trick's fast players. Each decision is a function of the rules, the table, the seat's own View and a word.

`greedy` weighs whole numbers alone (in 1/WORTH of a point), so that every machine plays alike. It values a seat's
standing in a colour by what it would score, were the round to end soon, and itself against all others: `players - 1`
times its own points less the sum of theirs.
"""

from simlib.cards import RANKS
from simlib.games.take_trick.rules import (
    COLOUR_SHIFT,
    GREEDY,
    LEFT,
    RANK_MASK,
    RIGHT,
    TRUMPED,
    answer,
    may_hold,
    next_seat,
    offer,
    pass_cards,
    play,
    previous_seat,
    strength_of,
)
from simlib.hooks import OPTIONS, Player, called, compiled, decides
from simlib.streams import I64, U64, accept, below, draw, lowest_bit

WORTH_SHIFT = 10
WORTH = 1 << WORTH_SHIFT
ENDS = 1 << 40  # the worth of winning the game at once: more than any number of points

HEURISTICS = {
    "random": Player("takes each legal choice with the same chance", looks=False, by_chance=True),
    "greedy": Player("wins cards that may score, ducks what would make it alone the first in a colour"),
    "trained": Player("weighs cards and gifts as greedy does, by numbers learned by self-play"),
}


@decides(pass_cards, "random")
def random_pass(rules, table, view, word):
    """Pass one of the ordered pairs of cards."""
    size = U64(rules.tricks)
    left, word = draw(accept(word, size * (size - U64(1))), size)
    right, word = draw(word, size - U64(1))
    view.gives[LEFT] = left
    view.gives[RIGHT] = right + U64(right >= left)


@decides(play, "random")
def random_play(rules, table, view, trick, word):
    """Play any card."""
    return below(word, U64(rules.tricks - table.trick))


@decides(offer, "random")
def random_offer(rules, table, view, card, count, word):
    """Offer to either neighbour."""
    return below(word, U64(2))


@decides(answer, "random")
def random_answer(rules, table, view, giver, card, count, word):
    """Accept half of the time."""
    return below(word, U64(2))


@decides(pass_cards, "greedy")
def greedy_pass(rules, table, view, word):
    pass_least_useful(rules, table, rules.weights[GREEDY], view)


@decides(pass_cards, "trained")
def trained_pass(rules, table, view, word):
    pass_least_useful(rules, table, learned(rules, view), view)


@decides(play, "greedy")
def greedy_play(rules, table, view, trick, word):
    return best_card(rules, table, rules.weights[GREEDY], view, trick)


@decides(play, "trained")
def trained_play(rules, table, view, trick, word):
    return best_card(rules, table, learned(rules, view), view, trick)


@decides(offer, "greedy")
def greedy_offer(rules, table, view, card, count, word):
    return better_neighbour(rules, table, rules.weights[GREEDY], view.seat, card, count)


@decides(offer, "trained")
def trained_offer(rules, table, view, card, count, word):
    return better_neighbour(rules, table, learned(rules, view), view.seat, card, count)


@decides(answer, "greedy")
def greedy_answer(rules, table, view, giver, card, count, word):
    return accepts(rules, table, rules.weights[GREEDY], giver, view.seat, card, count)


@decides(answer, "trained")
def trained_answer(rules, table, view, giver, card, count, word):
    return accepts(rules, table, learned(rules, view), giver, view.seat, card, count)


@compiled
def learned(rules, view):
    """Return what `trained` decides by: the champion's weights, or a challenger's while it learns."""
    return rules.weights[U64(view.options[OPTIONS - 1])]


@compiled
def accepts(rules, table, weights, giver, receiver, card, count):
    """Tell whether to accept a gift: what is better than the penalty of a refusal."""
    payer = payer_of(rules, table, giver)
    return 1 if likes_gift(rules, table, weights, giver, receiver, card, count, payer) else 0


@called
def pass_least_useful(rules, table, weights, view):
    """Pass the two cards of least use: the least useful one to the left."""
    rate_colours(rules, table, weights, view.seat, view)
    sight = look_around(rules, table, view)
    least, second, use_of_least, use_of_second = 0, 0, 1 << 60, 1 << 60
    for index in range(rules.tricks):
        card = I64(view.hand[U64(index)])
        use = later_use(rules, table, weights, view, card, share_beating(rules, table, weights, view, sight, card))
        if use < use_of_least:
            second, use_of_second = least, use_of_least
            least, use_of_least = index, use
        elif use < use_of_second:
            second, use_of_second = index, use
    view.gives[LEFT] = least
    view.gives[RIGHT] = second


@called
def best_card(rules, table, weights, view, trick):
    """Return which card gains most: by what it wins or lets others win now, less its later use."""
    rate_colours(rules, table, weights, view.seat, view)
    sight = look_around(rules, table, view)
    best, _, _, one, _ = trick
    behind = seats_behind(rules, table, view.seat)
    leads = behind == rules.players - 1
    spared = I64(0) if leads else leader_gain(rules, table, weights, view, sight, trick, behind) * weights.spared >> 6
    best_gain, pick = -(1 << 60), 0
    for index in range(rules.tricks - table.trick):
        card = I64(view.hand[U64(index)])
        lead = card - (card & RANK_MASK) if leads else one
        gain = capture_gain(table, view, card) if card == lead else I64(0)
        share = share_beating(rules, table, weights, view, sight, card)
        strength = strength_of(table, card, lead)
        if strength > best:
            wins = holds(share * weights.feared >> 6, behind)
            prize = win_gain(table, view, card, strength) + weights.lead * (WORTH >> 6) * (rules.players - 1)
            gain += (wins * (prize - gain)) >> WORTH_SHIFT
        else:
            gain += spared
        gain -= later_use(rules, table, weights, view, card, share) * keep_of(table, weights, card, leads) >> 6
        if gain > best_gain:
            best_gain, pick = gain, index
    return pick


@compiled
def keep_of(table, weights, card, leads):
    """Return how much of a card's later use playing it costs, in 1/64."""
    trump = card & RANK_MASK == table.trump
    return weights.keep + (weights.keep_lead if leads else 0) + (weights.keep_trump if trump else 0)


@called
def better_neighbour(rules, table, weights, me, card, count):
    """Return to whom to offer a gift: to the neighbour from whom more may be expected."""
    payer = payer_of(rules, table, me)
    left = offer_gain(rules, table, weights, me, next_seat(rules, me), card, count, payer)
    right = offer_gain(rules, table, weights, me, previous_seat(rules, me), card, count, payer)
    return LEFT if left >= right else RIGHT


@compiled
def promise(weights, count, most, ties, left):
    """Return what a count of a colour promises (times WORTH) if the others' most is `most` and `ties` are equal."""
    if count == 0:
        return I64(0)
    if count > most:  # alone with the most: worth something only if somebody catches up
        return WORTH * count * left // (left + weights.catch * (count - most))
    worth = WORTH * count + (WORTH >> 6) * (weights.held + (weights.near if count + 1 == most else I64(0)))
    if ties == 0:
        return worth
    bonus = WORTH * count * ties * weights.tie // max(weights.tie + 8 * left, 1)
    return worth + (bonus * weights.top_tie >> 6 if count == most else bonus)


@called
def taking_gain(rules, table, weights, me, taker, colour, more):
    """Return how much better off `me` is, against the others, if `taker` lays `more` cards of a colour."""
    left = rules.tricks - 1 - table.trick
    taken = table.bamboo[U64(taker), U64(colour)]
    before = after = I64(0)
    for seat in range(rules.players):
        count = table.bamboo[U64(seat), U64(colour)]
        if count == 0 and seat != taker:  # which promises nothing
            continue
        had, has, most, ties, ties_then = count, count, I64(0), I64(0), I64(0)
        if seat == taker:
            has += more
        for other in range(rules.players):
            if other != seat and other != taker:
                held = table.bamboo[U64(other), U64(colour)]
                most = max(most, held)
                ties += held == had
                ties_then += held == has
        most_then = most
        if seat != taker:
            most, ties = max(most, taken), ties + (taken == had)
            most_then, ties_then = max(most_then, taken + more), ties_then + (taken + more == has)
        part = 64 * (rules.players - 1) if seat == me else -others_part(table, weights, me, seat)
        before += part * promise(weights, had, most, ties, left)
        after += part * promise(weights, has, most_then, ties_then, left)
    return (after >> 6) - (before >> 6)


@compiled
def others_part(table, weights, me, seat):
    """Return how much of another seat's promise counts against the own one, in 1/64."""
    return max(weights.others + weights.rich * (table.scores[U64(seat)] - table.scores[U64(me)]), 0)


@called
def rate_colours(rules, table, weights, me, view):
    """Fill ``view.gains``, for each colour in this seat's hand, with what capturing one card or two is worth to it.

    Two come with a trump; of all other cards one, and of a 1 when another card wins.
    """
    needed = U64(0)
    for index in range(rules.tricks - table.trick):
        card = I64(view.hand[U64(index)])
        rank = card & RANK_MASK
        alone, two = (rank != table.trump) | (rank == 0), rank == table.trump
        needed |= (U64(alone) | U64(two) << U64(1)) << U64(2 * (card >> COLOUR_SHIFT))
    while needed:
        colour, more = I64(lowest_bit(needed)) >> 1, I64(lowest_bit(needed)) & 1
        needed &= needed - U64(1)
        view.gains[U64(colour), U64(more)] = gain_of_capture(rules, table, weights, me, colour, more + 1)


@compiled
def gain_of_capture(rules, table, weights, me, colour, count):
    """Return what capturing so many cards of a colour is worth to a seat, whether it may hold them or gives them."""
    card = colour << COLOUR_SHIFT
    if may_hold(rules, table, me, card):
        return taking_gain(rules, table, weights, me, me, colour, count)
    left = offer_gain(rules, table, weights, me, next_seat(rules, me), card, count, me)
    return max(left, offer_gain(rules, table, weights, me, previous_seat(rules, me), card, count, me))


@compiled
def capture_gain(table, view, card):
    """Return what capturing this card alone is worth."""
    return view.gains[U64(card >> COLOUR_SHIFT), U64(0)]


@compiled
def win_gain(table, view, card, strength):
    """Return what winning with this card is worth: a trump brings an extra card."""
    return view.gains[U64(card >> COLOUR_SHIFT), U64(strength == TRUMPED)]


@called
def later_use(rules, table, weights, view, card, share):
    """Return what a card may be worth in a later trick: as a lead, or as a 1 of the leader's colour.

    Parameters
    ----------
    share : int
        From `share_beating`.
    """
    rank = card & RANK_MASK
    if rank == 0 and table.trump != 0:
        return capture_gain(table, view, card) * weights.one >> 6
    strength = TRUMPED if rank == table.trump else rank
    wins = holds(share * weights.feared_later >> 6, rules.players - 1)
    return (wins * win_gain(table, view, card, strength)) >> WORTH_SHIFT


@called
def leader_gain(rules, table, weights, view, sight, trick, behind):
    """Return what it is worth to this seat to let the best card so far win."""
    best, winner, place, _, _ = trick
    card = I64(table.cards[U64(table.trick), U64(place)])
    if not may_hold(rules, table, winner, card):
        return I64(0)
    more = 2 if best == TRUMPED else 1
    gain = taking_gain(rules, table, weights, view.seat, winner, card >> COLOUR_SHIFT, more)
    return (holds(share_beating(rules, table, weights, view, sight, card), behind) * gain) >> WORTH_SHIFT


@compiled
def seats_behind(rules, table, seat):
    """Return how many seats play to this trick after this one."""
    place = seat - table.leader
    return rules.players - 1 - (place if place >= 0 else place + rules.players)


@compiled
def holds(share, behind):
    """Return the chance (times WORTH) that `behind` cards, each beating with a chance of `share`, all don't."""
    chance, share = I64(WORTH), min(share, WORTH)
    for _ in range(behind):
        chance = (chance * (WORTH - share)) >> WORTH_SHIFT
    return chance


@compiled
def look_around(rules, table, view):
    """Return how many trumps, and how many cards in all, lie where this seat can't see them."""
    hand, trumps = rules.tricks - table.trick, I64(0)
    for colour in range(rules.colours):
        trumps += table.unseen[U64(RANKS * colour + table.trump)]
    for index in range(hand):
        trumps -= I64(view.hand[U64(index)]) & RANK_MASK == table.trump
    return trumps, max(table.unseen_cards - hand, 1)


@called
def share_beating(rules, table, weights, view, sight, card):
    """Return the share (times WORTH) of the cards unseen by this seat that beat a card of the leader's colour."""
    rank = card & RANK_MASK
    if rank == table.trump:  # the earliest trump wins
        return I64(0)
    trumps, cards = sight
    first, beating = card - rank, I64(0)
    for other in range(card + 1, first + rules.ranks):
        beating += table.unseen[U64(other)]
    if table.trump > rank:  # counted among all trumps
        beating -= table.unseen[U64(first + table.trump)]
    for index in range(rules.tricks - table.trick):
        own = I64(view.hand[U64(index)])
        beating -= (own & RANK_MASK != table.trump) & (own ^ card < RANKS) & (own > card)
    return (WORTH * (64 * beating + weights.trumps * trumps) >> 6) // cards


@compiled
def payer_of(rules, table, giver):
    """Return who pays the penalty of a refused gift, once its trick is won."""
    return giver if rules.giver_pays else table.leader


@compiled
def refusal_gain(rules, table, me, payer):
    """Return how much better off `me` is if a gift is refused and `payer` pays the penalty."""
    loss = WORTH * min(rules.gift_penalty, table.scores[U64(payer)])
    return -loss * (rules.players - 1) if payer == me else loss


@called
def acceptance_gain(rules, table, weights, me, giver, receiver, card, count):
    """Return how much better off `me`, who is giver or receiver, is if a gift is accepted."""
    one, other = table.scores[U64(giver)] + rules.gift_points, table.scores[U64(receiver)] + rules.gift_points
    if max(one, other) >= rules.target:
        mine, others = (one, other) if me == giver else (other, one)
        wins = mine >= rules.target and (others < rules.target or mine <= others)
        return ENDS if wins else -ENDS
    points = WORTH * rules.gift_points * (rules.players - 2)
    return points + taking_gain(rules, table, weights, me, receiver, card >> COLOUR_SHIFT, count)


@called
def likes_gift(rules, table, weights, giver, receiver, card, count, payer):
    """Tell whether accepting a gift is better for the receiver than refusing it."""
    accepted = acceptance_gain(rules, table, weights, receiver, giver, receiver, card, count)
    accepted += weights.accept * (WORTH >> 6) * (rules.players - 1)
    return accepted >= refusal_gain(rules, table, receiver, payer)


@called
def offer_gain(rules, table, weights, giver, receiver, card, count, payer):
    """Return what a giver may expect of an offer, if the receiver mostly does what is good for it."""
    refused = refusal_gain(rules, table, giver, payer)
    if not may_hold(rules, table, receiver, card):
        return refused
    accepted = acceptance_gain(rules, table, weights, giver, giver, receiver, card, count)
    likes = likes_gift(rules, table, weights, giver, receiver, card, count, payer)
    likely = weights.likely if likes else weights.unlikely
    return (accepted * likely + refused * (64 - likely)) >> 6
