"""Suppose's players. Each decision is a function of the rules, the table, the seat's own View and a word.

`greedy` and `chaser` weigh whole numbers alone (in 1/WORTH of a trick), so that every machine plays alike.
"""

from simlib.cards import RANKS
from simlib.games.suppose.rules import COLOUR_SHIFT, NO_GUESS, UNKNOWN, WORTH, arrange, bid, next_seat, play
from simlib.hooks import Option, Player, compiled, decides
from simlib.streams import I64, U64, accept, below, draw, lowest_bit, popcount

FREE, SINGLE, DOUBLE, AHEAD = range(4)  # values of the option `bids`
NO_SHIFT = 99  # value of `first` and `second` where they are left out
BIDS = Option(
    {"free": FREE, "single": SINGLE, "double": DOUBLE, "ahead": AHEAD},
    "how many guesses: as it likes, always one, always two, or two only while it leads alone",
)
SHIFTS = {f"{shift:+d}": shift for shift in range(-4, 5)}
FIRST = Option(SHIFTS, "guess its own estimate moved by this many tricks", NO_SHIFT)
SECOND = Option(SHIFTS, "a second guess, moved likewise", NO_SHIFT)
ESTIMATORS = {"bids": BIDS, "first": FIRST, "second": SECOND}

PLAYERS = {
    "random": Player("takes each legal choice with the same chance", looks=False, options={"bids": BIDS}),
    "greedy": Player(
        "shows its neighbour low cards, bids on the hand's strength, plays for its own tricks", options=ESTIMATORS
    ),
    "chaser": Player("as greedy, and steers its left neighbour towards its own bid", options=ESTIMATORS),
}


@decides(arrange, "random")
def random_arrange(rules, table, view, word):
    groups, orders = U64(0), U64(1)
    colours = view.colours
    while colours:
        view.order[groups] = lowest_bit(colours)
        colours &= colours - U64(1)
        groups += U64(1)
        orders *= groups
    word = accept(word, orders)
    while groups > U64(1):
        pick, word = draw(word, groups)
        groups -= U64(1)
        kept = view.order[groups]
        view.order[groups] = view.order[pick]
        view.order[pick] = kept


@decides(bid, "random")
def random_bid(rules, table, view, word):
    counts = U64(rules.tricks + 1)
    fewest, most = guesses_wanted(rules, table, view)
    nones, singles = U64(fewest == 0), U64((fewest <= 1) & (most >= 1)) * counts
    pairs = U64(most == 2) * (counts * (counts - U64(1)) // U64(2))
    bids = nones + singles + pairs
    pick, word = draw(accept(word, bids * counts * (counts - U64(1))), bids)
    view.guesses[0] = NO_GUESS
    view.guesses[1] = NO_GUESS
    if pick >= nones + singles:
        low, word = draw(word, counts)
        high, word = draw(word, counts - U64(1))
        set_guesses(view, I64(low), I64(high + U64(high >= low)))
    elif pick >= nones:
        view.guesses[0] = I64(pick - nones)


@compiled
def guesses_wanted(rules, table, view):
    """Return the fewest and most guesses that the option `bids` and the rules leave."""
    wish = view.options[0]
    if wish == FREE:
        return rules.min_guesses, 2
    wanted = 2 if wish == DOUBLE or (wish == AHEAD and leads_alone(rules, table, view.seat)) else 1
    wanted = max(wanted, rules.min_guesses)
    return wanted, wanted


@compiled
def leads_alone(rules, table, seat):
    """Tell whether a seat's score is above every other seat's."""
    for other in range(rules.players):
        if other != seat and table.scores[other] >= table.scores[seat]:
            return False
    return True


@compiled
def set_guesses(view, one, two):
    """Make two counts the bid, or one where they are equal."""
    view.guesses[0] = min(one, two)
    view.guesses[1] = max(one, two) if one != two else NO_GUESS


@decides(play, "random")
def random_play(rules, table, view, trick, word):
    return below(word, U64(rules.tricks - table.trick))


@decides(arrange, "greedy", "chaser")
def greedy_arrange(rules, table, view, word):
    # The holder sees the top of the first group and the bottom of the last one: show it low cards.
    groups = popcount(view.colours)
    last = lowest_bottom(view)
    place, colours = 0, view.colours
    while colours:
        colour = I64(lowest_bit(colours))
        colours &= colours - U64(1)
        if colour != last:
            insert_by_top(view, place, colour)
            place += 1
    view.order[groups - 1] = last


@compiled
def lowest_bottom(view):
    """Return the colour whose lowest card is the lowest (the first of equals)."""
    first, best, found = 0, RANKS, 0
    colours = view.colours
    while colours:
        colour = I64(lowest_bit(colours))
        colours &= colours - U64(1)
        bottom = view.dealt[first] % RANKS
        if bottom < best:
            best, found = bottom, colour
        first = I64(view.ends[colour])
    return found


@compiled
def insert_by_top(view, place, colour):
    """Put a colour among the first `place` ones of the order, by rising rank of its highest card."""
    while place > 0 and top(view, view.order[place - 1]) > top(view, colour):
        view.order[place] = view.order[place - 1]
        place -= 1
    view.order[place] = colour


@compiled
def top(view, colour):
    """Return the rank of the highest dealt card of a colour."""
    return view.dealt[I64(view.ends[colour]) - 1] % RANKS


@decides(bid, "greedy", "chaser")
def greedy_bid(rules, table, view, word):
    estimate = expected_tricks(rules, view)
    nearest = (estimate + WORTH // 2) // WORTH
    if view.options[1] != NO_SHIFT:
        bid_shifted(rules, view, nearest)
        return
    other = nearest + 1 if estimate >= nearest * WORTH else nearest - 1
    if not 0 <= other <= rules.tricks:
        other = 2 * nearest - other
    fewest, most = guesses_wanted(rules, table, view)
    one, two = likelihood(rules, estimate, nearest), likelihood(rules, estimate, other)
    double = fewest == 2 or (most == 2 and rules.double * (one + two) > rules.single * one)
    set_guesses(view, nearest, other if double else nearest)


@compiled
def bid_shifted(rules, view, nearest):
    """Bid the counts that the options `first` and `second` name, within what a hand can win."""
    one = min(max(nearest + view.options[1], 0), rules.tricks)
    two = one
    if view.options[2] != NO_SHIFT:
        two = min(max(nearest + view.options[2], 0), rules.tricks)
    if two == one and (view.options[2] != NO_SHIFT or rules.min_guesses == 2):
        two = one + 1 if one < rules.tricks else one - 1
    set_guesses(view, one, two)


@compiled
def expected_tricks(rules, view):
    """Return how many tricks (times WORTH) the dealt cards may win: an even share, more for higher cards."""
    strength = 0
    for number in range(rules.tricks):
        strength += rules.strength[view.dealt[number]] - WORTH // 2
    estimate = rules.tricks * WORTH // rules.players + strength * SLOPE_TOP // SLOPE_BOTTOM
    return min(max(estimate, 0), rules.tricks * WORTH)


SLOPE_TOP, SLOPE_BOTTOM = 1, 2  # tricks for each unit of strength, fitted on greedy fields (docs/players.md)


@compiled
def likelihood(rules, estimate, count):
    """Return a weight for winning `count` tricks: falls off around the estimate like 1 / (1 + d^2 / 2s^2)."""
    distance = count * WORTH - estimate
    # variance of binomial tricks: tricks / players * (1 - 1 / players)
    spread = 2 * rules.tricks * (rules.players - 1) * WORTH * WORTH // (rules.players * rules.players)
    return WORTH * spread // (spread + distance * distance)


@decides(play, "greedy")
def greedy_play(rules, table, view, trick, word):
    return best_pick(rules, table, view, trick, False)


@decides(play, "chaser")
def chaser_play(rules, table, view, trick, word):
    return best_pick(rules, table, view, trick, True)


@compiled
def best_pick(rules, table, view, trick, chases):
    """Return the pick that gains most: chance to win this trick, less what the card may win later."""
    left = next_seat(rules, view.seat)
    urge = urge_of_neighbour(rules, table, view, left) if chases else 0
    best_gain, best = -(1 << 60), 0
    for pick in range(rules.tricks - table.trick):
        wins, worth, shown = prospects(rules, table, view, trick, table.unplayed[view.seat, pick])
        gain = wins - worth * 5 // 8
        if urge:
            gain += urge * neighbour_wins(rules, table, view, trick, left, wins, shown) // WORTH
        if gain > best_gain:
            best_gain, best = gain, pick
    return best


@compiled
def prospects(rules, table, view, trick, position):
    """Return the chance that this own card wins the trick, its worth as a lead (both times WORTH), and the card."""
    mine = view.known[view.seat, position]
    lead_seats = rules.players - 1
    behind = lead_seats - place_in_trick(rules, table, view.seat)
    if mine != UNKNOWN:
        worth = rules.worth[mine]
        return holds(worth, behind, lead_seats) * beats(rules, trick, mine, behind), worth, mine
    return unseen_prospects(rules, view, trick, position, behind, lead_seats)


@compiled
def place_in_trick(rules, table, seat):
    """Return how many seats have played before this one."""
    place = seat - table.leader
    return place if place >= 0 else place + rules.players


@compiled
def holds(worth, behind, lead_seats):
    """Return the chance (times WORTH) that a winning card stays best with `behind` seats to come."""
    return WORTH - (WORTH - worth) * behind // lead_seats


@compiled
def beats(rules, trick, card, behind):
    """Tell whether a card would win the trick as it stands; it does when it is led."""
    return behind == rules.players - 1 or ((card ^ trick[0]) < RANKS and card > trick[0])


@compiled
def unseen_prospects(rules, view, trick, position, behind, lead_seats):
    """Weigh what a hidden own card may be: unseen cards that fit the groups and falling ranks around it."""
    before, after = known_around(rules, view, position)
    copies, winning, worth = 0, 0, 0
    for colour in range(rules.colours):
        low, high = ranks_possible(rules, view, position, before, after, colour)
        for rank in range(low, high + 1):
            card = RANKS * colour + rank
            count = view.unseen[card]
            copies += count
            worth += count * rules.worth[card]
            if beats(rules, trick, card, behind):
                winning += count * holds(rules.worth[card], behind, lead_seats)
    if copies == 0:  # can't be: the card itself is unseen
        return 0, 0, UNKNOWN
    return winning // copies, worth // copies, UNKNOWN


@compiled
def known_around(rules, view, position):
    """Return the nearest positions left and right of an own hidden card whose cards are known (-1, tricks: none)."""
    before, after = position - 1, position + 1
    while before >= 0 and view.known[view.seat, before] == UNKNOWN:
        before -= 1
    while after < rules.tricks and view.known[view.seat, after] == UNKNOWN:
        after += 1
    return before, after


@compiled
def ranks_possible(rules, view, position, before, after, colour):
    """Return the lowest and highest rank (from 0) that a hidden own card may have in a colour; 0, -1 for none."""
    low, high = 0, rules.ranks - 1
    left = view.known[view.seat, before] if before >= 0 else UNKNOWN
    right = view.known[view.seat, after] if after < rules.tricks else UNKNOWN
    in_left = left != UNKNOWN and left >> COLOUR_SHIFT == colour
    in_right = right != UNKNOWN and right >> COLOUR_SHIFT == colour
    if left != UNKNOWN and right != UNKNOWN and left >> COLOUR_SHIFT == right >> COLOUR_SHIFT and not in_left:
        return 0, -1
    if in_left:
        high = left % RANKS
    if in_right:
        low = right % RANKS
    if not in_left and not in_right and shown_elsewhere(rules, view, before, after, colour):
        return 0, -1
    return low, high


@compiled
def shown_elsewhere(rules, view, before, after, colour):
    """Tell whether a colour's group stands outside the gap between two known own cards."""
    for position in range(rules.tricks):
        if position < before or position > after:
            card = view.known[view.seat, position]
            if card != UNKNOWN and card >> COLOUR_SHIFT == colour:
                return True
    return False


@compiled
def urge_of_neighbour(rules, table, view, left):
    """Return how much (times WORTH, in tricks) this seat wants its left neighbour to win the trick; < 0: to lose it."""
    won, to_come = table.tricks_won[left], rules.tricks - table.trick
    target = view.guesses[0]
    if view.guesses[1] != NO_GUESS and won > target:
        target = view.guesses[1]
    need = target - won
    if target == NO_GUESS or need < 0 or need > to_come:
        return 0
    bonus = rules.single if view.guesses[1] == NO_GUESS else rules.double
    if rules.trick > 0:
        bonus = bonus // rules.trick
    fair = to_come * WORTH // rules.players
    return bonus * (need * WORTH - fair) // to_come


@compiled
def neighbour_wins(rules, table, view, trick, left, wins, shown):
    """Return the chance (times WORTH) that the left neighbour wins the trick if this seat's play wins by `wins`."""
    if table.leader == left:  # it has played before this seat
        return WORTH - wins if trick[1] == left else 0
    if table.leader == view.seat:
        return share_above(rules, table, view, left, shown) if shown != UNKNOWN else WORTH // rules.players
    above_best = share_above(rules, table, view, left, trick[0])
    above_mine = share_above(rules, table, view, left, shown) if shown != UNKNOWN else above_best // 2
    return (wins * above_mine + (WORTH - wins) * above_best) // WORTH


@compiled
def share_above(rules, table, view, left, card):
    """Return the share (times WORTH) of the left neighbour's unplayed cards that beat a card."""
    above, cards = 0, rules.tricks - table.trick
    for number in range(cards):
        other = view.known[left, table.unplayed[left, number]]
        above += (other ^ card) < RANKS and other > card
    return WORTH * above // cards
