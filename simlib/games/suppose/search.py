"""Suppose's part of `search` (see `simlib.players.search`): what is weighed, and how a game goes on.

A bid is weighed without playing it: each playout tells how many tricks the left neighbour wins, and so which bids
would have been right, and what they would have been worth.
"""

from simlib.dealing import copy_all
from simlib.games.suppose import determinization
from simlib.games.suppose.determinization import can_imagine, imagine_deal, list_plays, show_hands
from simlib.games.suppose.heuristics import (
    BIDS_AT,
    FIRST_AT,
    NO_SHIFT,
    SECOND_AT,
    arranged_as_told,
    greedy_bid,
    greedy_play,
    guesses_wanted,
    set_guesses,
    show_low,
)
from simlib.games.suppose.rules import (
    BID,
    NO_GUESS,
    UNKNOWN,
    arrange,
    arrange_all,
    bid,
    draw_words,
    hand_over,
    lay_card,
    next_seat,
    play,
)
from simlib.hooks import called, compiled, decides, score_round, sees
from simlib.players.search import (
    AIM,
    MOVES,
    PLAYOUTS,
    ROLLOUT,
    best_move,
    is_certain,
    keep_better_half,
    own_stream,
    rounds_of,
    think,
    worth,
)
from simlib.state import copy_record
from simlib.streams import GOLDEN, I64, STEP_SEATS, U64, below, lowest_bit, mix64, popcount
from simlib.tricks import finish_round, finish_trick, play_tricks, seats_played

WISHED_BIDS, WISHED_ORDER = ROLLOUT + 1, ROLLOUT + 2  # places of the options `bids` and `shows`
ORDERS = 24  # the most orders of colours that are weighed: all of four


@called
def imagine(rules, table, view, hands, secret, seats, stream, number):
    """Draw a deal while cards are played, and let the other seats make their bids on it."""
    determinization.imagine(rules, table, view, hands, secret, seats, stream, number)
    draw_words(rules, table, secret, (mix64(stream[0] + number), GOLDEN))
    for maker in range(rules.players):
        if maker != view.seat:
            bid(rules, table, seats.views[U64(maker)], secret.words[U64(BID * STEP_SEATS + maker)])
            secret.guesses[U64(maker), U64(0)] = seats.views[U64(maker)].guesses[0]
            secret.guesses[U64(maker), U64(1)] = seats.views[U64(maker)].guesses[1]


@called
def witness(rules, secret, seats, mind):
    """Copy the deck, and what has been made of it: orders, hands, bids."""
    copy_record(mind.secrets[0], secret)
    for seat in range(rules.players):
        copy_all(mind.seats[0].views[U64(seat)].order, seats.views[U64(seat)].order)


@called
def recall(rules, table, view, hands, secret, seats, stream, number):
    """Show each seat what it sees of the true hands, while cards are played; words to come are drawn anew."""
    list_plays(rules, table, view, hands)
    show_hands(rules, hands, secret, seats)
    draw_words(rules, table, secret, (mix64(stream[0] + number), GOLDEN))


@compiled
def can_search(rules, view):
    """Tell whether a seat can make deals to play on: imagined ones, or the true one."""
    return sees(view) or can_imagine(rules)


@decides(play, "search", "clairvoyant")
def search_play(rules, table, view, trick, word):
    """Weigh every unplayed position; of equal known cards, one."""
    if not (can_search(rules, view) and think(rules, table, view, word)):
        return greedy_play(rules, table, view, trick, word)
    mind = view.mind
    usual = I64(play(rules, table, mind.seats[0].views[U64(view.seat)], trick, word))
    mind.moves[0] = usual
    count = 1
    for pick in range(rules.tricks - table.trick):
        if pick != usual and count < MOVES and not is_listed(table, view, count, pick):
            mind.moves[U64(count)] = pick
            count += 1
    return mind.moves[U64(best_move(rules, table, view, trick, count, word))]


@compiled
def is_listed(table, view, count, pick):
    """Tell whether a card equal to the one at an unplayed position is among the first `count` moves."""
    row, known = table.unplayed[U64(view.seat)], view.known[U64(view.seat)]
    card = known[U64(row[U64(pick)])]
    listed = False
    for place in range(count):
        listed |= known[U64(row[U64(view.mind.moves[U64(place)])])] == card
    return listed and card != UNKNOWN


@called
def carry_on(rules, table, secret, seats, seat, trick, move, stream):
    """Let a seat play one of its unplayed positions, and play on to the end of the round."""
    place = seats_played(rules, table, seat)
    trick = lay_card(rules, table, secret, seats, trick, seat, place, move)
    finish_trick(rules, table, secret, seats, trick, place + 1, stream)
    finish_round(rules, table, secret, seats, stream)


@decides(arrange, "search", "clairvoyant")
def search_arrange(rules, table, view, word):
    """Weigh orders of the colours by the best bid that each allows: all orders of up to four, some of more."""
    if arranged_as_told(view, word, view.options[WISHED_ORDER]):
        return
    show_low(view)
    if can_search(rules, view):
        count = list_orders(view, word)
        weigh_orders(rules, table, view, count, word)
        copy_order(view, view.mind.order[0])


@compiled
def list_orders(view, word):
    """Fill ``hands.orders`` with orders of the colours, the one in ``view.order`` first, and return how many."""
    orders, groups, count = view.mind.hands.orders, popcount(view.colours), 1
    wanted = 1
    for number in range(2, groups + 1):
        wanted = min(wanted * number, ORDERS)
    note_order(view, 0)
    code = U64(0)
    while count < wanted:
        number = code if groups <= 4 else below(mix64(word + code), U64(1) << U64(40))
        unrank(view, orders[U64(count)], number)
        code += U64(1)
        count += I64(groups > 4 or not same_order(orders, groups, count))
    return count


@compiled
def note_order(view, place):
    """Write ``view.order`` into a row of ``hands.orders``."""
    for number in range(popcount(view.colours)):
        view.mind.hands.orders[U64(place), U64(number)] = view.order[U64(number)]


@compiled
def copy_order(view, place):
    """Make a row of ``hands.orders`` the seat's answer."""
    for number in range(popcount(view.colours)):
        view.order[U64(number)] = view.mind.hands.orders[U64(place), U64(number)]


@compiled
def unrank(view, order, code):
    """Write the order of the colours that has this number (uint64) among all: insert each at a place it tells."""
    colours, count = view.colours, 0
    while colours:
        slot = I64(code % U64(count + 1))
        code //= U64(count + 1)
        for place in range(count, slot, -1):
            order[U64(place)] = order[U64(place - 1)]
        order[U64(slot)] = lowest_bit(colours)
        colours &= colours - U64(1)
        count += 1


@compiled
def same_order(orders, groups, place):
    """Tell whether a row of orders is the first one again."""
    same = True
    for number in range(groups):
        same &= orders[U64(place), U64(number)] == orders[U64(0), U64(number)]
    return same


@called
def weigh_orders(rules, table, view, count, word):
    """Play each order, drop the worse half, and so on: ``mind.order[0]`` is the best."""
    mind, stream = view.mind, own_stream(word)
    alive = min(count, max(view.options[PLAYOUTS], 1))
    for place in range(alive):
        mind.order[U64(place)] = place
        clear_tally(rules, mind, place)
    copy_record(mind.tables[0], table)
    left, number = view.options[PLAYOUTS], U64(0)
    while alive > 1:
        for _ in range(rounds_of(view, left, alive)):
            for place in range(alive):
                play_order(rules, view, mind.order[U64(place)], False, stream, number)
            left -= alive
            number += U64(1)
        for place in range(alive):
            order = U64(mind.order[U64(place)])
            mind.totals[order] = best_bid(rules, view, order)[2]
        alive = keep_better_half(mind, alive)
        alive = 1 if is_certain(view) else alive


@decides(bid, "search", "clairvoyant")
def search_bid(rules, table, view, word):
    """Play the hand as it was arranged, and make the bid that would have been worth most."""
    if not can_search(rules, view):
        bid_as_greedy(rules, table, view, word)
        return
    mind, stream = view.mind, own_stream(word)
    note_order(view, 0)
    clear_tally(rules, mind, 0)
    copy_record(mind.tables[0], table)
    for number in range(1 if is_certain(view) else max(view.options[PLAYOUTS], 1)):
        play_order(rules, view, 0, True, stream, U64(number))
    low, high, _ = best_bid(rules, view, U64(0))
    view.guesses[0], view.guesses[1] = NO_GUESS, NO_GUESS
    if low != NO_GUESS:
        set_guesses(view, low, low if high == NO_GUESS else high)


@compiled
def bid_as_greedy(rules, table, view, word):
    """Make greedy's bid: at the places of its options, this seat's own ones mean other things."""
    bids, first, second = view.options[BIDS_AT], view.options[FIRST_AT], view.options[SECOND_AT]
    view.options[BIDS_AT] = view.options[WISHED_BIDS]
    view.options[FIRST_AT], view.options[SECOND_AT] = NO_SHIFT, NO_SHIFT
    greedy_bid(rules, table, view, word)
    view.options[BIDS_AT], view.options[FIRST_AT], view.options[SECOND_AT] = bids, first, second


@compiled
def clear_tally(rules, mind, place):
    """Forget what playouts of an order have told."""
    mind.hands.plain[U64(place)] = 0
    for count in range(rules.tricks + 1):
        mind.hands.one[U64(place), U64(count)] = 0
        mind.hands.two[U64(place), U64(count)] = 0


@called
def play_order(rules, view, order, is_laid, stream, number):
    """Deal the other cards (sample `number`), play the round with the own colours in an order, and tally it.

    Parameters
    ----------
    is_laid : bool
        Whether all hands lie before their holders: a seat that sees all then knows the others' orders.
    """
    mind, me = view.mind, U64(view.seat)
    copy_record(mind.tables[1], mind.tables[0])
    table, secret, seats = mind.tables[1], mind.secrets[1], mind.seats[1]
    if sees(view):
        copy_all(secret.deck, mind.secrets[0].deck)
    else:
        imagine_deal(rules, view, secret, stream, number)
    arrange_all(rules, table, secret, seats, (mix64(stream[0] + number), GOLDEN))
    if is_laid and sees(view):
        for seat in range(rules.players):
            copy_all(seats.views[U64(seat)].order, mind.seats[0].views[U64(seat)].order)
    for group in range(popcount(view.colours)):
        seats.views[me].order[U64(group)] = mind.hands.orders[U64(order), U64(group)]
    hand_over(rules, table, secret, seats)
    secret.guesses[me, U64(0)], secret.guesses[me, U64(1)] = NO_GUESS, NO_GUESS
    play_tricks(rules, table, secret, seats, 0, stream)
    score_round(rules, table, secret)
    tally(rules, view, table, U64(order))


@compiled
def tally(rules, view, table, order):
    """Add up what the round is worth without a bonus, and what a bid on the tricks won would have added."""
    hands, aim, me = view.mind.hands, view.options[AIM], U64(view.seat)
    won = U64(table.tricks_won[U64(next_seat(rules, view.seat))])
    plain = worth(rules, table, view.seat, aim)
    table.scores[me] += rules.single
    one = worth(rules, table, view.seat, aim)
    table.scores[me] += rules.double - rules.single
    two = worth(rules, table, view.seat, aim)
    hands.plain[order] += plain
    hands.one[order, won] += one - plain
    hands.two[order, won] += two - plain


@compiled
def best_bid(rules, view, order):
    """Return the bid that would have been worth most with an order, and its worth: (low, high, total)."""
    hands = view.mind.hands
    first, second, single = 0, 1, 0
    for count in range(1, rules.tricks + 1):
        if hands.one[order, U64(count)] > hands.one[order, U64(single)]:
            single = count
    if hands.two[order, U64(1)] > hands.two[order, U64(0)]:
        first, second = 1, 0
    for count in range(2, rules.tricks + 1):
        if hands.two[order, U64(count)] > hands.two[order, U64(first)]:
            first, second = count, first
        elif hands.two[order, U64(count)] > hands.two[order, U64(second)]:
            second = count
    plain = hands.plain[order]
    alone, pair = hands.one[order, U64(single)], hands.two[order, U64(first)] + hands.two[order, U64(second)]
    fewest, most = guesses_wanted(rules, view.mind.tables[0], view.seat, view.options[WISHED_BIDS])
    if fewest == 2 or (most == 2 and pair > alone):
        return first, second, plain + pair
    return single, NO_GUESS, plain + alone
