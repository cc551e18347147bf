"""Determinization for Suppose: whole deals that a seat may imagine, drawn from what it knows.

Before the play nothing but the own dealt cards is known, and all other cards are dealt anew (`imagine_deal`). Later
some hands are known in part. Then `prepare`, once for a decision, and `imagine`, once for a sample, draw exactly from
the chances that follow from a uniform deal, if every maker takes each order of its colour groups with the same chance
and neither bids nor plays tell anything. Given what is known, the chance of an assignment of unseen cards to hidden
places is proportional to the ways to choose its physical copies times 1 / groups! for each hand.

A *slot* is a hidden position of a hand. A *run* is what is hidden of a colour group: neighbouring slots. Say which run
of each hand has which colour, and the rest falls apart by colour: walking down the unseen copies of one colour, each
goes to the next free slot of one of the hands' runs or to none, where ranks allow it. Such walks are counted, so that

- the `Hand` with most slots is summed over all its runs, given the runs of the other hands (`sum_layouts`);
- the other hands' runs are few in a game where few positions are hidden. They are numbered, and one *case* is drawn;
- copies are then given to all hands at once, colour by colour (`give_out`).

Where there are too many cases, hands are filled one after the other, each exactly given those before it, and a whole
proposal is taken with the chance that it deserves (`propose`): nearly exact, and as quick as the proposals are good.
"""

import numpy as np

from simlib.cards import MOST_CARDS, RANKS
from simlib.dealing import copy_all, exchange
from simlib.games.suppose.rules import COLOUR_SHIFT, COLOURS, NO_GUESS, POSITIONS, UNKNOWN, look, next_seat, show
from simlib.hooks import called, compiled
from simlib.players.search import MOVES
from simlib.streams import GOLDEN, I64, U64, mix64, popcount, shuffle, word_at

MOST_COLOURS = 8  # layouts are summed by sets of colours
HIDDEN = 3  # hands that a seat may know in part: its own and, with four seats, those of two others
CASES = 1280  # enough for 34 * 34: in the classic game three hidden cards lie apart, in a hand of one colour at worst
CELLS = 40960  # enough for one hand of 85 cards in 8 colours; the classic game uses a tenth of them
WORDS = U64(1 << 20)  # of the stream, for each sample
PROPOSALS = 64  # for a sample, at most
PILOTS = 128  # proposals that show how good a proposal may be
MARGIN = 1.5  # how much better than the best pilot a proposal may be and still get its due
STRAY = 4096  # pilots, at most, where most lead nowhere
NONE = -1  # no colour, no case

HAND = np.dtype(
    [
        ("holder", "i8"),
        ("slots", "i8"),
        ("sets", "i8"),  # of the colours that no known card shows
        ("shown", "i8"),  # number of the other colours
        ("groups", "i8"),  # in the layout at hand
        ("runs", "i8"),  # cell where the weights of runs begin
        ("sums", "i8"),  # cell where the sums over layouts begin, by position and set of used colours
        ("position", "i4", (POSITIONS,)),  # of each slot
        ("before", "i4", (POSITIONS,)),  # slots to the left of each position
        ("next", "i4", (POSITIONS,)),  # first known position from each on; `tricks` where there is none
        ("colour", "i4", (POSITIONS,)),  # of each known card
        ("begins", "i4", (POSITIONS,)),  # whether a group may begin at a position
        ("last", "i4", (MOST_COLOURS,)),  # last known position of each colour
        ("bit", "i4", (MOST_COLOURS,)),  # of each colour in sets; 0 where a known card shows it
        ("rows", "i4", (MOST_COLOURS,)),  # cell, from `runs` on, of each colour's weights: by first slot and length
        ("width", "i4", (MOST_COLOURS,)),  # of such a row
        ("low", "i4", (MOST_COLOURS, POSITIONS)),  # lowest and highest rank that fit a slot
        ("high", "i4", (MOST_COLOURS, POSITIONS)),
        ("start", "i4", (MOST_COLOURS,)),  # the layout at hand: each colour's first slot,
        ("count", "i4", (MOST_COLOURS,)),  # and how many
        ("cards", "i4", (POSITIONS,)),  # of the slots
        ("kept", "i4", (POSITIONS,)),  # of the proposal to take if none is accepted
        ("spare", "i4", (POSITIONS,)),  # of a proposal made beforehand
    ]
)
HANDS = np.dtype(
    [
        ("hands", HAND, (HIDDEN,)),  # the one with most slots first
        ("tricks", "i8"),
        ("colours", "i8"),
        ("ranks", "i8"),
        ("cases", "i8"),  # of the other hands' runs; 0 where there are too many
        ("second", "i8"),  # cases of the third hand alone
        ("case", "i8"),  # for which the weights stand
        ("word", "u8"),  # number of the next word of the stream
        ("best", "f8"),  # weight of a proposal so far
        ("bound", "f8"),  # above which a proposal is taken in any case
        ("scratch", "i8"),  # first free cell
        ("first", "i4", (MOST_COLOURS + 1,)),  # where each colour's unseen copies begin
        ("copies", "i4", (MOST_CARDS,)),  # ranks of the unseen copies, falling in each colour
        ("given", "i4", (MOST_CARDS,)),  # whether a copy went to a hand
        ("beside", "i8", (MOST_COLOURS,)),  # the other hands' runs for which a colour's weights stand
        ("ways", "f8", (MOST_COLOURS,)),  # to fill these runs alone
        ("shares", "f8", (MOST_COLOURS + 1,)),  # 1 / groups!
        ("plays", "i8"),  # cards played in this round
        ("owners", "i4", (MOST_CARDS,)),
        ("places", "i4", (MOST_CARDS,)),
        ("played", "i4", (POSITIONS,)),  # scratch of `list_plays`
        ("cells", "f8", (CELLS,)),
        ("orders", "u1", (MOVES, COLOURS)),  # orders of the colours that are weighed; from here on: scratch of `search`
        ("plain", "i8", (MOVES,)),  # by order: the worth of its playouts without a bonus,
        ("one", "i8", (MOVES, POSITIONS)),  # and by tricks won what a right guess would have added,
        ("two", "i8", (MOVES, POSITIONS)),  # or a right one of two
    ]
)


@compiled
def can_imagine(rules):
    """Tell whether a variant's hands can be imagined."""
    return I64(rules.colours <= MOST_COLOURS)


@compiled
def imagine_deal(rules, view, secret, stream, number):
    """Deal all but a seat's own dealt cards anew, for a decision before the play.

    Parameters
    ----------
    view : VIEW record
        Its `seat` and `dealt` are read.
    secret : SECRET record
        Its `deck` is filled; `take_up` and what follows it in `open_round` then make hands of it.
    stream : (key, gamma), uint64
    number : uint64
        The sample's number; it uses the words from ``number * WORDS`` on.
    """
    deck, size, own = secret.deck, rules.tricks, 0
    for place in range(rules.deck_size):
        if own < size and rules.cards[U64(place)] == view.dealt[U64(own)]:
            deck[U64(own)] = place
            own += 1
        else:
            deck[U64(size + place - own)] = place
    shuffle(deck, size, rules.deck_size, rules.plans[1], stream, number * WORDS)
    for seat in range(view.seat):
        exchange(deck, seat * size, (seat + 1) * size, size)


@called
def prepare(rules, table, view, hands):
    """Make ready for samples of what a seat that is to play doesn't know.

    Parameters
    ----------
    table : TABLE record
    view : VIEW record
        `seat`, `known` and `unseen` are read.
    hands : HANDS record, filled

    Returns
    -------
    int
        1, or 0 where no deal was found that fits; then `imagine` mustn't be called.
    """
    hands.tricks, hands.colours, hands.ranks = rules.tricks, rules.colours, rules.ranks
    list_plays(rules, table, view, hands)
    list_copies(view, hands)
    share = 1.0
    for groups in range(rules.colours + 1):
        share /= max(groups, 1)
        hands.shares[U64(groups)] = share
    survey_hands(rules, view, hands)
    count_cases(hands)
    if hands.cases:
        return I64(weigh_cases(hands) > 0)
    return send_pilots(view, hands)


@called
def list_plays(rules, table, view, hands):
    """Note owner and position of the cards played in this round."""
    count, place = U64(0), (view.seat - table.leader) % rules.players
    for owner in range(rules.players):
        has_played = (owner - table.leader) % rules.players < place
        for position in range(rules.tricks):
            hands.played[U64(position)] = 1
        for number in range(rules.tricks - table.trick - has_played):
            hands.played[U64(table.unplayed[U64(owner), U64(number)])] = 0
        for position in range(rules.tricks):
            if hands.played[U64(position)]:
                hands.owners[count] = owner
                hands.places[count] = position
                count += U64(1)
    hands.plays = I64(count)


@called
def list_copies(view, hands):
    """List the unseen copies by colour, ranks falling."""
    count = 0
    for colour in range(hands.colours):
        hands.first[U64(colour)] = count
        for rank in range(hands.ranks - 1, -1, -1):
            for _ in range(view.unseen[U64(RANKS * colour + rank)]):
                hands.copies[U64(count)] = rank
                hands.given[U64(count)] = 0
                count += 1
    hands.first[U64(hands.colours)] = count


@called
def survey_hands(rules, view, hands):
    """Survey the hands that the seat may know in part, the one with most slots first."""
    left = next_seat(rules, view.seat)
    number, most = 0, 0
    hands.hands[U64(HIDDEN - 1)].slots = 0  # with three seats there is none
    for owner in range(rules.players):
        if owner != left:
            hand = hands.hands[U64(number)]
            hand.holder = owner
            find_slots(view, hands, hand)
            most = number if hand.slots > hands.hands[U64(most)].slots else most
            number += 1
    swap_holders(hands.hands[U64(0)], hands.hands[U64(most)])
    for each in range(HIDDEN):
        hand = hands.hands[U64(each)]
        if each < number:
            find_slots(view, hands, hand)
        clear_runs(hands, hand)
        if hand.slots:
            find_neighbours(view, hands, hand)
            find_groups(hands, hand)


@compiled
def swap_holders(one, other):
    """Let two hands change places."""
    holder = one.holder
    one.holder = other.holder
    other.holder = holder


@called
def find_slots(view, hands, hand):
    """Find the hidden positions of a hand."""
    slots = 0
    for position in range(hands.tricks):
        hand.before[U64(position)] = slots
        if view.known[U64(hand.holder), U64(position)] == UNKNOWN:
            hand.position[U64(slots)] = position
            slots += 1
    hand.before[U64(hands.tricks)] = slots
    hand.slots = slots


@called
def find_neighbours(view, hands, hand):
    """Note what the nearest known cards mean for each position: where groups may go, and which ranks fit a slot."""
    known, size = view.known[U64(hand.holder)], hands.tricks
    hand.next[U64(size)] = size
    for position in range(size - 1, -1, -1):
        hidden = known[U64(position)] == UNKNOWN
        hand.next[U64(position)] = hand.next[U64(position + 1)] if hidden else position
        hand.colour[U64(position)] = I64(known[U64(position)]) >> COLOUR_SHIFT
    left = UNKNOWN
    for position in range(size):
        card = I64(known[U64(position)])
        if card == UNKNOWN:
            after = hand.next[U64(position)]
            right = I64(known[U64(after)]) if after < size else UNKNOWN
            bound_ranks(hands, hand, hand.before[U64(position)], left, right)
        else:
            left = card


@compiled
def bound_ranks(hands, hand, slot, left, right):
    """Note which ranks of each colour fit a slot between two known cards (UNKNOWN: none)."""
    for colour in range(hands.colours):
        falls = left >> COLOUR_SHIFT == colour
        hand.high[U64(colour), U64(slot)] = left & (RANKS - 1) if falls else hands.ranks - 1
        rises = right >> COLOUR_SHIFT == colour
        hand.low[U64(colour), U64(slot)] = right & (RANKS - 1) if rises else 0


@called
def find_groups(hands, hand):
    """Note which colours are shown, and where groups may begin: not inside a group that known cards show."""
    size = hands.tricks
    for colour in range(hands.colours):
        hand.last[U64(colour)] = NONE
    for position in range(size):
        after = hand.next[U64(position)]
        hand.begins[U64(position)] = after == size or hand.last[U64(hand.colour[U64(after)])] == NONE
        if after == position:
            hand.last[U64(hand.colour[U64(position)])] = position
    hand.sets, hand.shown = 1, 0
    for colour in range(hands.colours):
        shown = hand.last[U64(colour)] != NONE
        hand.bit[U64(colour)] = 0 if shown else hand.sets
        hand.shown += I64(shown)
        hand.sets <<= I64(not shown)


@compiled
def clear_runs(hands, hand):
    """Forget the layout of a hand."""
    hand.groups = 0
    for colour in range(hands.colours):
        hand.start[U64(colour)] = 0
        hand.count[U64(colour)] = 0


@called
def allot(hands, hand, cell):
    """Give a hand's tables their cells, from `cell` on; return the first one behind them."""
    hand.runs, row = cell, 0
    for colour in range(hands.colours):
        copies = hands.first[U64(colour + 1)] - hands.first[U64(colour)]
        hand.rows[U64(colour)] = row
        hand.width[U64(colour)] = min(copies, hand.slots) + 1
        row += hand.width[U64(colour)] * (hand.slots + 1)
    hand.sums = cell + row
    return hand.sums + (hands.tricks + 1) * hand.sets


@called
def count_cases(hands):
    """Count the cases of all hands but the first, and lay the cells out: 0 cases where they are too many."""
    cell, cases, scratch = I64(CASES), 1.0, most_scratch(hands)
    for number in range(1, HIDDEN + 1):
        hand, ways = hands.hands[U64(number % HIDDEN)], 1.0
        if hand.slots:
            cell = allot(hands, hand, cell)
            hands.scratch = cell
            if cell + scratch > CELLS:
                cases = 0.0
            elif number < HIDDEN:
                ways = tabulate(hands, number, True)
        cases *= ways
        hands.second = I64(ways) if number == HIDDEN - 1 and ways <= CASES else hands.second
    hands.cases = I64(cases) if cases <= CASES else 0


@compiled
def most_scratch(hands):
    """Return the most cells that `give_out` may need for a colour of all hands."""
    most = 0
    for colour in range(hands.colours):
        copies = hands.first[U64(colour + 1)] - hands.first[U64(colour)]
        cells = copies + 1
        for number in range(HIDDEN):
            cells *= min(copies, hands.hands[U64(number)].slots) + 1
        most = max(most, cells)
    return most


@called
def weigh_cases(hands):
    """Sum the weights of the cases up, one by one; return the total."""
    total = 0.0
    hands.case = NONE
    forget(hands)
    for case in range(hands.cases):
        weight = take_case(hands, case)
        for colour in range(hands.colours):
            weight *= hands.ways[U64(colour)]
        for number in range(1, HIDDEN):
            weight *= hands.shares[U64(hands.hands[U64(number)].groups)]
        total += weight
        hands.cells[U64(case)] = total
    return total


@compiled
def forget(hands):
    """Let all weights be made anew."""
    for colour in range(hands.colours):
        hands.beside[U64(colour)] = NONE
        hands.ways[U64(colour)] = 1.0


@called
def take_case(hands, case):
    """Give all hands but the first their runs, and make the first one's tables; return the sum over its layouts."""
    hands.case = case
    draw_layout(hands, hands.hands[U64(1)], float(case // hands.second))
    draw_layout(hands, hands.hands[U64(2)], float(case % hands.second))
    return tabulate(hands, 0, False)


@called
def tabulate(hands, number, counts):
    """Weigh what a hand may hold, given the runs of the other hands.

    Parameters
    ----------
    counts : bool
        Whether to count the runs that some copies fill, rather than to weigh them.

    Returns
    -------
    float
        The sum over all its layouts.
    """
    hand = hands.hands[U64(number)]
    if hand.slots == 0:
        return 1.0
    one, two = hands.hands[U64((number + 1) % HIDDEN)], hands.hands[U64((number + 2) % HIDDEN)]
    if counts:
        forget(hands)
    for colour in range(hands.colours):
        c = U64(colour)
        beside = ((one.start[c] * MOST_CARDS + one.count[c]) * MOST_CARDS + two.start[c]) * MOST_CARDS + two.count[c]
        if beside != hands.beside[c]:
            hands.beside[c] = beside
            weigh_colour(hands, hand, one, two, colour, counts)
    return sum_layouts(hands, hand, counts)


@called
def weigh_colour(hands, hand, one, two, colour, counts):
    """Weigh all runs of a colour in a hand: the ways to fill them and the other hands' runs, by those without them."""
    c, cells = U64(colour), hands.cells
    step = (one.count[c] + 1) * (two.count[c] + 1)
    spread(hands, hand, one, two, colour, 0, 0, 0)
    ways = cells[U64(hands.scratch + step - 1)]
    hands.ways[c] = ways
    share = 1 / ways if ways > 0 else 0.0
    for position in range(hands.tricks):
        end = furthest_end(hands, hand, colour, position)
        if end > 0:
            start = I64(hand.before[U64(position)])
            most = min(hand.before[U64(end)] - start, hand.width[c] - 1)
            spread(hands, hand, one, two, colour, start, most, 0)
            row = row_of(hand, colour, start)
            for length in range(most + 1):
                ways = cells[U64(hands.scratch + (length + 1) * step - 1)]
                cells[U64(row + length)] = min(ways, 1.0) if counts else ways * share


@compiled
def row_of(hand, colour, start):
    """Return the cell of the weight of a colour's run of no slots before slot `start`; longer ones follow."""
    return I64(hand.runs + hand.rows[U64(colour)] + start * hand.width[U64(colour)])


@compiled
def furthest_end(hands, hand, colour, position):
    """Return the last position behind which a group that begins at a position may end; 0 if none can begin there."""
    after = I64(hand.next[U64(position)])
    if hand.begins[U64(position)] and hand.bit[U64(colour)]:
        return after if after > position else 0
    if hand.begins[U64(position)] and after < hands.tricks and hand.colour[U64(after)] == colour:
        return I64(hand.next[U64(hand.last[U64(colour)] + 1)])
    return 0


@called
def spread(hands, hand, one, two, colour, start, most, layer):
    """Count, in scratch, the ways to give a colour's copies to the other hands' runs and to slots from `start` on.

    They stand by number of slots filled: of this hand (up to `most`), of hand `one`, of hand `two`. Each copy's counts
    follow those before it by `layer` cells; with 0 they take their place.
    """
    c, cell = U64(colour), hands.scratch
    for place in range((most + 1) * (one.count[c] + 1) * (two.count[c] + 1)):
        hands.cells[U64(cell + place)] = 0.0
    hands.cells[U64(cell)] = 1.0
    for number in range(hands.first[c], hands.first[U64(colour + 1)]):
        add_copy(hands, hand, one, two, colour, start, most, hands.copies[U64(number)], cell, cell + layer)
        cell += layer


@compiled
def add_copy(hands, hand, one, two, colour, start, most, rank, source, target):
    """Count the ways after one more copy of this rank, from those before it; `source` and `target` may be the same."""
    cells, c = hands.cells, U64(colour)
    ones, twos = one.count[c], two.count[c]
    step = twos + 1
    stride = (ones + 1) * step
    for i in range(most, -1, -1):
        fits = i > 0 and fits_slot(hand, c, start + i - 1, rank)
        for j in range(ones, -1, -1):
            fits_one = j > 0 and fits_slot(one, c, one.start[c] + j - 1, rank)
            for k in range(twos, -1, -1):
                cell = source + i * stride + j * step + k
                ways = cells[U64(cell)]
                if fits:
                    ways += cells[U64(cell - stride)]
                if fits_one:
                    ways += cells[U64(cell - step)]
                if k > 0 and fits_slot(two, c, two.start[c] + k - 1, rank):
                    ways += cells[U64(cell - 1)]
                cells[U64(cell - source + target)] = ways


@compiled
def fits_slot(hand, colour, slot, rank):
    """Tell whether a card fits the known ones around a slot."""
    return hand.low[colour, U64(slot)] <= rank <= hand.high[colour, U64(slot)]


@called
def sum_layouts(hands, hand, counts):
    """Sum the weights of all layouts of what lies from each position on, after each set of used colours."""
    cells, end = hands.cells, hand.sums + hands.tricks * hand.sets
    for used in range(hand.sets):
        cells[U64(end + used)] = 1.0 if counts else hands.shares[U64(hand.shown + popcount(U64(used)))]
    for position in range(hands.tricks - 1, -1, -1):
        for used in range(hand.sets):
            total = pass_over(hands, hand, position, used, np.inf)[0]
            cells[U64(hand.sums + position * hand.sets + used)] = total
    return cells[U64(hand.sums)]


@called
def pass_over(hands, hand, position, used, limit):
    """Sum the weights of all groups that may begin at a position, until the sum is above a limit.

    Returns
    -------
    total : float
    colour, end : int
        The group that came last: its colour and the position behind it.
    limit : float
        What is left of the limit for the layouts of what follows this group.
    """
    cells, before = hands.cells, hand.before
    total = under = 0.0
    share, chosen, chosen_end = 1.0, NONE, position
    for colour in range(hands.colours):
        bit = I64(hand.bit[U64(colour)])
        if used & bit:
            continue
        row = row_of(hand, colour, before[U64(position)]) - before[U64(position)]
        follow = hand.sums + (used | bit)
        nearest = position + 1 if bit else hand.last[U64(colour)] + 1
        for end in range(nearest, furthest_end(hands, hand, colour, position) + 1):
            if before[U64(end)] - before[U64(position)] >= hand.width[U64(colour)]:
                break
            weight = cells[U64(row + before[U64(end)])]
            value = weight * cells[U64(follow + end * hand.sets)]
            if value > 0:
                under, share, chosen, chosen_end = total, weight, colour, end
                total += value
                if total > limit:
                    return total, chosen, chosen_end, (limit - under) / share
    return total, chosen, chosen_end, (limit - under) / share


@called
def draw_layout(hands, hand, limit):
    """Give a hand the layout at which the sum over its layouts rises above a limit."""
    clear_runs(hands, hand)
    position, used = 0, 0
    while hand.slots and position < hands.tricks:
        _, colour, end, limit = pass_over(hands, hand, position, used, limit)
        c, start = U64(colour), hand.before[U64(position)]
        hand.start[c] = start
        hand.count[c] = hand.before[U64(end)] - start
        hand.groups += 1
        used |= hand.bit[c]
        position = end


@compiled
def chance(hands, stream):
    """Return a number from 0 up to 1, without it, from the sample's next word."""
    word = word_at(stream, hands.word)
    hands.word += U64(1)
    return float(word >> U64(11)) * 2.0**-53


@called
def give_out(hands, stream):
    """Give unseen copies to the runs of all hands."""
    for colour in range(hands.colours):
        c, slots = U64(colour), 0
        for number in range(HIDDEN):
            slots += hands.hands[U64(number)].count[c]
        if slots:
            give_colour(hands, stream, colour)


@called
def give_colour(hands, stream, colour):
    """Give copies of a colour to the runs of all hands: count the ways down the ranks, then go back through them."""
    c, cells = U64(colour), hands.cells
    hand, one, two = hands.hands[U64(0)], hands.hands[U64(1)], hands.hands[U64(2)]
    i, j, k = I64(hand.count[c]), I64(one.count[c]), I64(two.count[c])
    step = k + 1
    stride = (j + 1) * step
    layer = (i + 1) * stride
    first, end = hands.first[c], hands.first[U64(colour + 1)]
    spread(hands, hand, one, two, colour, I64(hand.start[c]), i, layer)
    cell = hands.scratch + (end - first) * layer
    cell += layer - 1  # all slots filled
    for number in range(end - 1, first - 1, -1):
        rank = hands.copies[U64(number)]
        limit = chance(hands, stream) * cells[U64(cell)]
        cell -= layer
        total = cells[U64(cell)]
        if limit < total:
            continue
        hands.given[U64(number)] = 1
        card = RANKS * colour + rank
        if i > 0 and fits_slot(hand, c, hand.start[c] + i - 1, rank):
            total += cells[U64(cell - stride)]
            if limit < total:
                i, cell = i - 1, cell - stride
                hand.cards[U64(hand.start[c] + i)] = card
                continue
        if j > 0 and fits_slot(one, c, one.start[c] + j - 1, rank):
            total += cells[U64(cell - step)]
            if limit < total:
                j, cell = j - 1, cell - step
                one.cards[U64(one.start[c] + j)] = card
                continue
        k, cell = k - 1, cell - 1
        two.cards[U64(two.start[c] + k)] = card


@called
def propose(view, hands, stream):
    """Fill the hands one after the other, each exactly given those before it.

    Returns
    -------
    float
        The weight of the proposal: how much likelier it is than it is proposed, up to a factor; 0 where a hand can't
        be filled.
    """
    list_copies(view, hands)
    for number in range(HIDDEN):
        clear_runs(hands, hands.hands[U64(number)])
    weight = 1.0
    for number in range(1, HIDDEN + 1):
        hand = hands.hands[U64(number % HIDDEN)]
        if weight > 0 and hand.slots:
            hands.scratch = allot(hands, hand, I64(CASES))
            forget(hands)
            total = tabulate(hands, number % HIDDEN, False)
            weight *= total
            if total > 0:
                draw_layout(hands, hand, chance(hands, stream) * total)
                give_out(hands, stream)
                clear_runs(hands, hand)
                drop_given(hands)
    return weight


@called
def drop_given(hands):
    """Take the copies that were given to a hand off the list."""
    left = 0
    for colour in range(hands.colours):
        first = hands.first[U64(colour)]
        hands.first[U64(colour)] = left
        left = keep_copies(hands, first, hands.first[U64(colour + 1)], left)
    hands.first[U64(hands.colours)] = left


@compiled
def keep_copies(hands, first, end, left):
    """Move the copies of a slice that weren't given to place `left` and on; return the place behind them."""
    for number in range(first, end):
        given = hands.given[U64(number)]
        hands.given[U64(number)] = 0
        if not given:
            hands.copies[U64(left)] = hands.copies[U64(number)]
            left += 1
    return left


@called
def send_pilots(view, hands):
    """Learn from proposals how much they may weigh, and keep one of them; return 1, or 0 where all failed."""
    stream, sent = (mix64(GOLDEN), GOLDEN), 0
    hands.word, hands.best = U64(0), 0.0
    while sent < PILOTS or (hands.best == 0 and sent < STRAY):
        hands.bound = np.inf  # so that none is taken
        take_proposal(view, hands, stream)
        sent += PROPOSALS
        for number in range(HIDDEN):
            copy_all(hands.hands[U64(number)].spare, hands.hands[U64(number)].cards)
    hands.bound = MARGIN * hands.best
    return I64(hands.bound > 0)


@called
def take_proposal(view, hands, stream):
    """Take a proposal with a chance proportional to its weight; where none is taken, one of those seen."""
    total = 0.0
    for _ in range(PROPOSALS):
        weight = propose(view, hands, stream)
        hands.best = max(hands.best, weight)
        if chance(hands, stream) * hands.bound < weight:
            return
        total += weight
        if chance(hands, stream) * total < weight:
            for number in range(HIDDEN):
                copy_all(hands.hands[U64(number)].kept, hands.hands[U64(number)].cards)
    for number in range(HIDDEN):
        hand = hands.hands[U64(number)]
        copy_all(hand.cards, hand.kept if total > 0 else hand.spare)


@called
def draw_case(hands, stream):
    """Draw a case, a layout of the first hand, and the cards of all hands."""
    limit = chance(hands, stream) * hands.cells[U64(hands.cases - 1)]
    low, high = 0, hands.cases - 1
    while low < high:
        middle = (low + high) // 2
        if hands.cells[U64(middle)] > limit:
            high = middle
        else:
            low = middle + 1
    if low != hands.case:
        take_case(hands, low)
    hand = hands.hands[U64(0)]
    if hand.slots:
        draw_layout(hands, hand, chance(hands, stream) * hands.cells[U64(hand.sums)])
    give_out(hands, stream)


@called
def imagine(rules, table, view, hands, secret, seats, stream, number):
    """Draw a deal that fits what a seat knows, and show each seat what it would see of it.

    Other seats' bids stay open (NO_GUESS): an imagined player can make one from its View's `dealt`.

    Parameters
    ----------
    table, view
        As they were given to `prepare`.
    hands : HANDS record
        From `prepare`; the sample doesn't depend on those drawn before.
    secret : SECRET record
        Its `layouts` and `guesses` are filled; its `turn` is scratch.
    seats : SEATED record
        Imagined seats, their players set; the Views of those that look are filled, all but `order`.
    stream : (key, gamma), uint64
    number : uint64
        The sample's number; it uses the words from ``number * WORDS`` on.
    """
    hands.word = number * WORDS
    if hands.cases:
        draw_case(hands, stream)
    else:
        take_proposal(view, hands, stream)
    lay_hands(rules, view, hands, secret)
    for seat in range(rules.players):
        own = seat == view.seat
        for guess in range(2):
            secret.guesses[U64(seat), U64(guess)] = view.guesses[U64(guess)] if own else NO_GUESS
    show_hands(rules, hands, secret, seats)


@called
def lay_hands(rules, view, hands, secret):
    """Lay out what the seat knows, and what it imagines at the other places."""
    for owner in range(rules.players):
        for position in range(rules.tricks):
            secret.layouts[U64(owner), U64(position)] = max(view.known[U64(owner), U64(position)], 0)
    for number in range(HIDDEN):
        hand = hands.hands[U64(number)]
        for slot in range(hand.slots):
            secret.layouts[U64(hand.holder), U64(hand.position[U64(slot)])] = hand.cards[U64(slot)]


@called
def show_hands(rules, hands, secret, seats):
    """Show each seat that looks what it would see of the hands and of the plays so far."""
    for seat in range(rules.players):
        view = seats.views[U64(seat)]
        if view.looks:
            show_made(rules, secret, view)
            look(rules, secret, view)
    for number in range(hands.plays):
        owner, position = I64(hands.owners[U64(number)]), U64(hands.places[U64(number)])
        show(rules, seats, owner, position, I64(secret.layouts[U64(owner), position]))


@compiled
def show_made(rules, secret, view):
    """Show a maker its bid, and the cards dealt to it, rising: those of its left neighbour's hand."""
    view.guesses[0], view.guesses[1] = secret.guesses[U64(view.seat), 0], secret.guesses[U64(view.seat), 1]
    layout, turn = secret.layouts[U64(next_seat(rules, view.seat))], secret.turn
    for colour in range(rules.colours):
        view.ends[U64(colour)] = 0
    for position in range(rules.tricks):
        view.ends[U64(layout[U64(position)] >> COLOUR_SHIFT)] += 1
    count, colours = 0, U64(0)
    for colour in range(rules.colours):
        colours |= U64(view.ends[U64(colour)] > 0) << U64(colour)
        count += view.ends[U64(colour)]
        view.ends[U64(colour)] = count
        turn[U64(colour)] = U64(count)
    view.colours = colours
    for position in range(rules.tricks):  # ranks fall in a group: it is filled from its end
        card = layout[U64(position)]
        colour = U64(card >> COLOUR_SHIFT)
        turn[colour] -= U64(1)
        view.dealt[turn[colour]] = card
