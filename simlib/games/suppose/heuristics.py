"""Suppose's fast players. Each decision is a function of the rules, the table, the seat's own View and a word.

`greedy` and `chaser` weigh whole numbers alone (in 1/WORTH of a trick), so that every machine plays alike.
"""

from simlib.cards import RANKS
from simlib.games.suppose.rules import COLOUR_SHIFT, NO_GUESS, UNKNOWN, WORTH, arrange, bid, next_seat, play
from simlib.hooks import Option, Player, called, compiled, decides
from simlib.streams import I64, U64, accept, below, draw, lowest_bit, popcount

FREE, SINGLE, DOUBLE, AHEAD = range(4)  # values of the option `bids`
OWN, LOW, HIGH, ANY = range(4)  # values of the option `shows`
BIDS_AT, SHOWS_AT, FIRST_AT, SECOND_AT = range(4)  # places of the options, but for players that search
RANK = RANKS - 1  # the bits of a card that are its rank
KEEP = 2  # eighths of a card's worth as a lead that playing it costs
LEAD_KEEP = -8  # the same for the card that a chaser leads: below 0, as who wins keeps the lead
SLOPE = 12  # eighths of a trick for each unit of strength; this and the next three: see docs/players.md
GREEDY_DROP = 5  # eighths of a trick by which the likeliest count falls behind the mean, for each trick below a fair
CHASER_DROP = 1  # share: greedy's and chaser's
SPREAD = 3
URGE = 3  # how many times its worth a chaser lets its own bid weigh
NO_SHIFT = 99  # value of `first` and `second` where they are left out
BIDS = Option(
    {"free": FREE, "single": SINGLE, "double": DOUBLE, "ahead": AHEAD},
    "how many guesses: as it likes, always one, always two, or two only while it leads alone",
)
SHOWS = Option(
    {"own": OWN, "low": LOW, "high": HIGH, "any": ANY},
    "its order of colours: its own, one that shows the left neighbour low cards, or high ones, or any by chance",
)
SHIFTS = {f"{shift:+d}": shift for shift in range(-4, 5)}
FIRST = Option(SHIFTS, "guess its own estimate moved by this many tricks", NO_SHIFT)
SECOND = Option(SHIFTS, "a second guess, moved likewise", NO_SHIFT)
ESTIMATORS = {"bids": BIDS, "shows": SHOWS, "first": FIRST, "second": SECOND}

HEURISTICS = {
    "random": Player(
        "takes each legal choice with the same chance", looks=False, by_chance=True, options={"bids": BIDS}
    ),
    "greedy": Player(
        "shows its neighbour low cards, bids on the hand's strength, plays for its own tricks", options=ESTIMATORS
    ),
    "chaser": Player(
        "counts cards, shows its neighbour high ones, and steers it towards the own bid", options=ESTIMATORS
    ),
}


@decides(arrange, "random")
def random_arrange(rules, table, view, word):
    any_order(view, word)


@compiled
def any_order(view, word):
    """Put the groups in any order, each with the same chance."""
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
    """Make any legal bid, each with the same chance."""
    counts = U64(rules.tricks + 1)
    fewest, most = guesses_wanted(rules, table, view.seat, view.options[BIDS_AT])
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
def guesses_wanted(rules, table, seat, wish):
    """Return the fewest and most guesses that a value of the option `bids` and the rules leave a seat."""
    if wish == FREE:
        return rules.min_guesses, 2
    wanted = 2 if wish == DOUBLE or (wish == AHEAD and leads_alone(rules, table, seat)) else 1
    wanted = max(wanted, rules.min_guesses)
    return wanted, wanted


@compiled
def leads_alone(rules, table, seat):
    """Tell whether a seat's score is above every other seat's."""
    behind = 0
    for other in range(rules.players):
        behind += table.scores[other] < table.scores[seat]
    return behind == rules.players - 1


@compiled
def set_guesses(view, one, two):
    """Make two counts the bid, or one where they are equal."""
    view.guesses[0] = min(one, two)
    view.guesses[1] = max(one, two) if one != two else NO_GUESS


@decides(play, "random")
def random_play(rules, table, view, trick, word):
    """Play any card, each with the same chance."""
    return below(word, U64(trick[3]))


@decides(arrange, "greedy")
def greedy_arrange(rules, table, view, word):
    if not arranged_as_told(view, word, view.options[SHOWS_AT]):
        show_low(view)


@decides(arrange, "chaser")
def chaser_arrange(rules, table, view, word):
    if not arranged_as_told(view, word, view.options[SHOWS_AT]):
        show_high(view)


@called
def arranged_as_told(view, word, wish):
    """Arrange as the option `shows` wishes, and tell whether it wishes anything."""
    if wish == LOW:
        show_low(view)
    elif wish == HIGH:
        show_high(view)
    elif wish == ANY:
        any_order(view, word)
    return wish != OWN


@compiled
def show_low(view):
    """Show the neighbour low cards: it sees the top of the first group and the bottom of the last one."""
    order_by_top(view)
    move(view, lowest_bottom(view), popcount(view.colours) - 1)


@compiled
def show_high(view):
    """Show the neighbour high cards: what it knows of its hand, it plays as foreseen."""
    order_by_top(view)
    last = popcount(view.colours) - 1
    move(view, last, 0)
    move(view, highest_bottom(view), last)


@compiled
def order_by_top(view):
    """Put the groups in order of their highest ranks, the lowest one first."""
    place, colours = 0, view.colours
    while colours:
        insert_by_top(view, place, I64(lowest_bit(colours)))
        colours &= colours - U64(1)
        place += 1


@compiled
def insert_by_top(view, place, colour):
    """Put a colour among the first `place` ones of the order, by rising rank of its highest card."""
    while place > 0 and top(view, view.order[U64(place - 1)]) > top(view, colour):
        view.order[U64(place)] = view.order[U64(place - 1)]
        place -= 1
    view.order[U64(place)] = colour


@compiled
def move(view, start, end):
    """Move a group to another place of the order; those between make room."""
    colour, step = view.order[start], 1 if end > start else -1
    for place in range(start, end, step):
        view.order[place] = view.order[place + step]
    view.order[end] = colour


@compiled
def top(view, colour):
    """Return the rank of the highest dealt card of a colour."""
    return view.dealt[U64(view.ends[U64(colour)] - 1)] & RANK


@compiled
def bottom(view, colour):
    """Return the rank of the lowest dealt card of a colour."""
    return view.dealt[U64(view.ends[U64(colour - 1)] if colour > 0 else 0)] & RANK


@compiled
def lowest_bottom(view):
    """Return the place of the group whose lowest card is the lowest (the first of equals)."""
    best = 0
    for place in range(1, popcount(view.colours)):
        if bottom(view, view.order[U64(place)]) < bottom(view, view.order[U64(best)]):
            best = place
    return best


@compiled
def highest_bottom(view):
    """Return the place of the group, but for the first one, whose lowest card is the highest (the last of equals)."""
    best = popcount(view.colours) - 1
    for place in range(best - 1, 0, -1):
        if bottom(view, view.order[U64(place)]) > bottom(view, view.order[U64(best)]):
            best = place
    return best


@decides(bid, "greedy")
def greedy_bid(rules, table, view, word):
    """Guess the likeliest count; for weak hands it lies below the mean."""
    fair = rules.tricks * WORTH // rules.players
    estimate = expected_tricks(rules, view)
    bid_near(rules, table, view, estimate - max(0, fair - estimate) * GREEDY_DROP // 8)


@decides(bid, "chaser")
def chaser_bid(rules, table, view, word):
    """As greedy: a hand that knows its high cards wins a little more, and the neighbour can be lifted from below."""
    fair = rules.tricks * WORTH // rules.players
    estimate = expected_tricks(rules, view) + fair // 20
    bid_near(rules, table, view, estimate - max(0, fair - estimate) * CHASER_DROP // 8)


@compiled
def bid_near(rules, table, view, likeliest):
    """Bid the count nearest to `likeliest` (times WORTH), and the next one where two guesses pay or must be."""
    likeliest = min(max(likeliest, 0), rules.tricks * WORTH)
    nearest = (likeliest + WORTH // 2) // WORTH
    if view.options[FIRST_AT] != NO_SHIFT:
        bid_shifted(rules, view, nearest)
        return
    other = nearest + 1 if likeliest >= nearest * WORTH else nearest - 1
    if not 0 <= other <= rules.tricks:
        other = 2 * nearest - other
    fewest, most = guesses_wanted(rules, table, view.seat, view.options[BIDS_AT])
    one, two = likelihood(rules, likeliest, nearest), likelihood(rules, likeliest, other)
    double = fewest == 2 or (most == 2 and rules.double * (one + two) > rules.single * one)
    set_guesses(view, nearest, other if double else nearest)


@compiled
def bid_shifted(rules, view, nearest):
    """Bid the counts that the options `first` and `second` name, within what a hand can win."""
    one = min(max(nearest + view.options[FIRST_AT], 0), rules.tricks)
    two = one
    if view.options[SECOND_AT] != NO_SHIFT:
        two = min(max(nearest + view.options[SECOND_AT], 0), rules.tricks)
    if two == one and (view.options[SECOND_AT] != NO_SHIFT or rules.min_guesses == 2):
        two = one + 1 if one < rules.tricks else one - 1
    set_guesses(view, one, two)


@compiled
def expected_tricks(rules, view):
    """Return how many tricks (times WORTH) the dealt cards may win: an even share, more for high cards."""
    strength = 0
    for number in range(rules.tricks):
        strength += rules.strength[U64(view.dealt[U64(number)])]
    return rules.tricks * WORTH // rules.players + strength * SLOPE // 8


@compiled
def likelihood(rules, likeliest, count):
    """Return a weight for winning `count` tricks: falls off around the likeliest like 1 / (1 + d^2 / s^2)."""
    distance = count * WORTH - likeliest
    # SPREAD times the variance of binomial tricks, tricks / players * (1 - 1 / players)
    spread = SPREAD * rules.tricks * (rules.players - 1) * WORTH * WORTH // (rules.players * rules.players)
    return WORTH * spread // (spread + distance * distance)


@decides(play, "greedy")
def greedy_play(rules, table, view, trick, word):
    """Gain most: the chance to win this trick, less what the card may win later."""
    sight = look_around(rules, table, view, trick)
    best, best_gain, best_copies = 0, -1, 0
    for pick in range(rules.tricks - table.trick):
        position = table.unplayed[U64(view.seat), U64(pick)]
        if stands_for_gap(view, position):
            copies, worth, wins = prospects(rules, view, sight, position)
            gain = 8 * wins - (KEEP) * worth * (rules.players - 1)
            if gain * best_copies > best_gain * copies:  # gain / copies: on average over what the card may be
                best, best_gain, best_copies = pick, gain, copies
    return best


@compiled
def gain_of(rules, sight, worth, wins, lead_keep):
    """Return 8 times the tricks that a card wins now, less what it might have won later; scaled as `wins` is."""
    keep = lead_keep if sight[0] == UNKNOWN else KEEP
    return 8 * wins - keep * worth * (rules.players - 1)


@compiled
def look_around(rules, table, view, trick):
    """Return what does not depend on the card to play.

    The card to beat (UNKNOWN for a lead), the seats to come, and of the unseen copies: how many are of colours not
    shown in the own hand, their worth, and how many there are in all.
    """
    copies = worth = unseen = 0
    for colour in range(rules.colours):
        end = U64(top_card(rules, colour))
        unseen += view.unseen_to[end]
        hides = I64(~(view.shown >> U64(colour)) & U64(1))
        copies += hides * view.unseen_to[end]
        worth += hides * view.worth_to[end]
    behind = rules.players - 1 - place_in_trick(rules, table, view.seat)
    return (UNKNOWN if behind == rules.players - 1 else trick[0]), behind, copies, worth, unseen


@compiled
def place_in_trick(rules, table, seat):
    """Return how many seats have played before this one."""
    place = seat - table.leader
    return place if place >= 0 else place + rules.players


@compiled
def top_card(rules, colour):
    """Return the highest card of a colour."""
    return (colour << COLOUR_SHIFT) + rules.ranks - 1


@compiled
def stands_for_gap(view, position):
    """Tell whether an own card is known, or the leftmost of the hidden ones that stand side by side."""
    known = view.known[U64(view.seat)]
    left = known[U64(position - (position > 0))]
    return (known[U64(position)] != UNKNOWN) | (position == 0) | (left != UNKNOWN)


@compiled
def prospects(rules, view, sight, position):
    """Weigh an own card, over all cards that it may be.

    Returns
    -------
    copies : int
        Unseen copies that it may be; 1 for a known card.
    worth : int
        Their chances to win as a lead, summed, times WORTH.
    wins : int
        Their chances to win this trick, summed, times WORTH times the number of other seats.
    """
    card = I64(view.known[U64(view.seat), U64(position)])
    if card == UNKNOWN:
        return hidden_prospects(rules, view, sight, position)
    best, behind = sight[0], sight[1]
    worth = rules.worth[U64(card)]
    return 1, worth, holds(rules, behind, 1, worth) if beats(card, best) else 0


@compiled
def beats(card, best):
    """Tell whether a card would win over the best one so far; a lead does."""
    return best == UNKNOWN or ((card ^ best) < RANKS and card > best)


@compiled
def holds(rules, behind, copies, worth):
    """Return the summed chances of winning cards to stay best, times WORTH times the number of other seats."""
    return copies * WORTH * (rules.players - 1 - behind) + worth * behind


@compiled
def hidden_prospects(rules, view, sight, position):
    """Return `prospects` of a hidden card: unseen cards that fit the groups and falling ranks around it."""
    # sums of truth values rather than branches: what a hidden card may be is hard to foresee for a processor, too
    best, behind, copies, worth, _ = sight
    left, right = cards_around(rules, view, position)
    has_left, has_right = I64(left != UNKNOWN), I64(right != UNKNOWN)
    closed = has_left & has_right & I64((left ^ right) < RANKS)
    first, last = U64(max(left, 0)), U64(max(right, 0))
    end = U64(left if closed else top_card(rules, I64(last) >> COLOUR_SHIFT))
    unseen = view.unseen[last]
    copies = (1 - closed) * (copies + has_left * view.unseen_to[first])
    copies += has_right * (view.unseen_to[end] - view.unseen_to[last] + unseen)
    worth = (1 - closed) * (worth + has_left * view.worth_to[first])
    worth += has_right * (view.worth_to[end] - view.worth_to[last] + unseen * rules.worth[last])
    if best == UNKNOWN:
        return copies, worth, holds(rules, behind, copies, worth)
    winning, winning_worth = hidden_winners(rules, view, best, left, right)
    return copies, worth, holds(rules, behind, winning, winning_worth)


@compiled
def cards_around(rules, view, position):
    """Return the nearest known own cards to the left and right (UNKNOWN: none) of the first card in a gap."""
    known = view.known[U64(view.seat)]
    left = I64(known[U64(position - 1)]) if position > 0 else UNKNOWN
    for after in range(position + 1, rules.tricks):
        if known[U64(after)] != UNKNOWN:
            return left, I64(known[U64(after)])
    return left, UNKNOWN


@compiled
def hidden_winners(rules, view, best, left, right):
    """Return the unseen copies above the best card that fit between two known own cards, and their summed worth."""
    colour = best >> COLOUR_SHIFT  # an UNKNOWN card has none: -1
    in_left, in_right = left >> COLOUR_SHIFT == colour, right >> COLOUR_SHIFT == colour
    closed = (left != UNKNOWN) & (left >> COLOUR_SHIFT == right >> COLOUR_SHIFT)
    elsewhere = closed | (I64(view.shown >> U64(colour) & U64(1)) == 1)
    high = left if in_left else top_card(rules, colour)
    low = max(best, right - 1) if in_right else best
    fits = I64((in_left | in_right | (not elsewhere)) & (high > low))
    copies = view.unseen_to[U64(high)] - view.unseen_to[U64(low)]
    return fits * copies, fits * (view.worth_to[U64(high)] - view.worth_to[U64(low)])


@decides(play, "chaser")
def chaser_play(rules, table, view, trick, word):
    """As greedy, and count what the left neighbour's winning or losing the trick does to the own bid."""
    sight = look_around(rules, table, view, trick)
    left = next_seat(rules, view.seat)
    urge = urge_of_neighbour(rules, table, view, left)
    best, best_gain, best_copies = 0, -1, 0
    for pick in range(rules.tricks - table.trick):
        position = table.unplayed[U64(view.seat), U64(pick)]
        if stands_for_gap(view, position):
            copies, worth, wins = counted_prospects(rules, table, view, sight, position)
            gain = gain_of(rules, sight, worth, wins, LEAD_KEEP) * max(rules.trick, 1)
            if urge != 0:
                card = I64(view.known[U64(view.seat), U64(position)])
                taken = neighbour_takes(rules, table, view, trick, sight, card, copies, wins)
                gain += urge * taken
            if gain * best_copies > best_gain * copies:
                best, best_gain, best_copies = pick, gain, copies
    return best


@compiled
def counted_prospects(rules, table, view, sight, position):
    """Return `prospects`; of a known card, by counting what every other seat may still hold against it."""
    card = I64(view.known[U64(view.seat), U64(position)])
    if card == UNKNOWN:
        return hidden_prospects(rules, view, sight, position)
    behind, worth, held = sight[1], WORTH, WORTH
    seat = view.seat
    for step in range(1, rules.players):
        seat = next_seat(rules, seat)
        cards = rules.tricks - table.trick - (step > behind)
        if cards > 0:
            worth = worth * (cards * WORTH - threats(rules, table, view, sight, seat, cards, card)) // (cards * WORTH)
        if step == behind:
            held = worth
    return 1, worth, held * (rules.players - 1) if beats(card, sight[0]) else 0


@compiled
def threats(rules, table, view, sight, seat, cards, card):
    """Return how many of another seat's unplayed cards (times WORTH) may be higher than a card of its colour."""
    row, known, above, hidden = table.unplayed[U64(seat)], view.known[U64(seat)], 0, 0
    for number in range(cards):
        other = I64(known[U64(row[U64(number)])])
        hidden += other == UNKNOWN
        above += ((other ^ card) < RANKS) & (other > card)
    higher = view.unseen_to[U64(top_card(rules, card >> COLOUR_SHIFT))] - view.unseen_to[U64(card)]
    return above * WORTH + hidden * higher * WORTH // max(sight[4], 1)


@compiled
def urge_of_neighbour(rules, table, view, left):
    """Return what the neighbour's winning the trick, rather than losing it, adds to the bonus to come.

    In the unit of a gain of a trick (8 for a sure trick), for each WORTH of chance, times the other seats.
    """
    won, after = table.tricks_won[U64(left)], U64(rules.tricks - table.trick - 1)
    bonus = rules.single if view.guesses[1] == NO_GUESS else rules.double
    chance = 0
    for number in range(2):
        need = view.guesses[U64(number)] - won
        if view.guesses[U64(number)] != NO_GUESS and 0 <= need <= I64(after) + 1:
            chance -= rules.steered[U64(0), after, U64(need)]
            if need > 0:
                chance += rules.steered[U64(1), after, U64(need - 1)]
    return 8 * URGE * (rules.players - 1) * bonus * chance // WORTH


@compiled
def neighbour_takes(rules, table, view, trick, sight, card, copies, wins):
    """Return the chance that the left neighbour wins the trick after a play, times WORTH, summed over `copies`."""
    left, others = next_seat(rules, view.seat), rules.players - 1
    if table.leader == left:  # it has played already, and this seat plays last
        return copies * WORTH - wins // others if trick[1] == left else 0
    best, behind = sight[0], sight[1] - 1
    if card != UNKNOWN:
        return taken_from(rules, table, view, left, card if beats(card, best) else best, behind)
    if best == UNKNOWN:
        return copies * WORTH // rules.players
    over = taken_from(rules, table, view, left, best, behind)
    return copies * over - over * (wins // others) // (2 * WORTH)


@compiled
def taken_from(rules, table, view, left, bar, behind):
    """Return the chance (times WORTH) that the left neighbour, next to play, wins a trick whose best card is `bar`.

    Taken as greedy: it plays the best of the cards that it sees, or any of the others where they promise more.
    """
    cards, others = rules.tricks - table.trick, rules.players - 1
    hidden = hidden_gain = hidden_wins = all_wins = best_wins = best_gain = 0
    sees = False
    for number in range(cards):
        position = U64(table.unplayed[U64(left), U64(number)])
        card = I64(view.known[U64(left), position])
        worth = rules.worth[U64(card)]
        wins = holds(rules, behind, 1, worth) if beats(card, bar) else 0
        gain = 8 * wins - KEEP * worth * others
        all_wins += wins
        if rules.visible[position] == 0:
            hidden, hidden_gain, hidden_wins = hidden + 1, hidden_gain + gain, hidden_wins + wins
        elif not sees or gain > best_gain:
            sees, best_gain, best_wins = True, gain, wins
    shows_best = sees and (hidden == 0 or best_gain * hidden > hidden_gain)
    likely = best_wins if shows_best else hidden_wins // hidden
    return (3 * likely + all_wins // cards) // (4 * others)
