"""Take-Trick's part of `search` (see `simlib.players.search`): what is weighed, and how a game goes on.

While a trick is settled, what a seat was asked about stands in place of the trick: (ASKED_OFFER or ASKED_ANSWER,
giver, card, count, 0).
"""

from simlib.dealing import copy_all
from simlib.games.take_trick.determinization import imagine as imagine
from simlib.games.take_trick.heuristics import later_use, look_around, rate_colours, share_beating
from simlib.games.take_trick.rules import (
    GREEDY,
    LEFT,
    PASS,
    PLAY,
    RIGHT,
    answer,
    lay_card,
    offer,
    open_trick,
    pass_cards,
    play,
    resume_answer,
    resume_offer,
    resume_pass,
)
from simlib.hooks import called, compiled, decides
from simlib.players.search import MOVES, best_move, think
from simlib.state import copy_record
from simlib.streams import I64, U64
from simlib.tricks import finish_round, finish_trick, seats_played

ASKED_OFFER, ASKED_ANSWER = -2, -3  # below any strength that a trick may have
PASSED_BY = 5  # cards, those of least use, of which all pairs are weighed for passing
HAND = 256  # a pair of cards to pass is the number HAND * left + right


@decides(play, "search", "clairvoyant")
def search_play(rules, table, view, trick, word):
    """Weigh every card of the hand; of equal ones, one."""
    think(rules, table, view, word)
    usual = I64(play(rules, table, view.mind.seats[0].views[U64(view.seat)], trick, word))
    view.mind.moves[0] = usual
    count = 1
    for index in range(rules.tricks - table.trick):
        if count < MOVES and is_new(view, index, usual):
            view.mind.moves[U64(count)] = index
            count += 1
    return U64(view.mind.moves[U64(best_move(rules, table, view, trick, count, word))])


@compiled
def is_new(view, index, usual):
    """Tell whether no earlier card of the hand is equal to this one, nor the usual one."""
    card, new = view.hand[U64(index)], view.hand[U64(index)] != view.hand[U64(usual)]
    for earlier in range(index):
        new &= view.hand[U64(earlier)] != card
    return new


@decides(pass_cards, "search", "clairvoyant")
def search_pass(rules, table, view, word):
    """Weigh the usual pair of cards, and all pairs of the few that are of least use."""
    think(rules, table, view, word)
    double = view.mind.seats[0].views[U64(view.seat)]
    pass_cards(rules, table, double, word)
    usual = HAND * I64(double.gives[LEFT]) + I64(double.gives[RIGHT])
    view.mind.moves[0] = usual
    few = sort_by_use(rules, table, view)
    count = 1
    for left in range(few):
        for right in range(few):
            pair = HAND * view.mind.order[U64(left)] + view.mind.order[U64(right)]
            if left != right and pair != usual and count < MOVES:
                view.mind.moves[U64(count)] = pair
                count += 1
    pair = view.mind.moves[U64(best_move(rules, table, view, open_trick(rules, table), count, word))]
    view.gives[LEFT], view.gives[RIGHT] = pair // HAND, pair % HAND


@compiled
def sort_by_use(rules, table, view):
    """Write the places in the hand of the PASSED_BY cards of least use into ``mind.order``; return how many."""
    weights = rules.weights[GREEDY]
    rate_colours(rules, table, weights, view.seat, view)
    sight = look_around(rules, table, view)
    order, uses, few = view.mind.order, view.mind.totals, 0
    for index in range(rules.tricks):
        card = I64(view.hand[U64(index)])
        share = share_beating(rules, table, weights, view, sight, card)
        use, slot = later_use(rules, table, weights, view, card, share), few
        while slot > 0 and uses[U64(slot - 1)] > use:
            order[U64(slot)], uses[U64(slot)] = order[U64(slot - 1)], uses[U64(slot - 1)]
            slot -= 1
        order[U64(slot)], uses[U64(slot)] = index, use
        few = min(few + 1, PASSED_BY)
    return few


@decides(offer, "search", "clairvoyant")
def search_offer(rules, table, view, card, count, word):
    """Weigh both neighbours."""
    think(rules, table, view, word)
    usual = I64(offer(rules, table, view.mind.seats[0].views[U64(view.seat)], card, count, word))
    view.mind.moves[0] = usual
    view.mind.moves[1] = LEFT + RIGHT - usual
    asked = (I64(ASKED_OFFER), I64(view.seat), I64(card), I64(count), I64(0))
    return U64(view.mind.moves[U64(best_move(rules, table, view, asked, 2, word))])


@decides(answer, "search", "clairvoyant")
def search_answer(rules, table, view, giver, card, count, word):
    """Weigh accepting and refusing."""
    think(rules, table, view, word)
    usual = I64(answer(rules, table, view.mind.seats[0].views[U64(view.seat)], giver, card, count, word))
    view.mind.moves[0] = usual
    view.mind.moves[1] = 1 - usual
    asked = (I64(ASKED_ANSWER), I64(giver), I64(card), I64(count), I64(0))
    return U64(view.mind.moves[U64(best_move(rules, table, view, asked, 2, word))])


@called
def witness(rules, secret, seats, mind):
    """Copy all hands, and what lies face down."""
    copy_record(mind.secrets[0], secret)
    for seat in range(rules.players):
        copy_all(mind.seats[0].views[U64(seat)].hand, seats.views[U64(seat)].hand)


@compiled
def recall(rules, table, view, hands, secret, seats, stream, number):
    """Change nothing: all that `imagine` draws is the hands, which `witness` copied."""


@called
def carry_on(rules, table, secret, seats, seat, trick, move, stream):
    """Let a seat pass, play, offer or answer, and play on to the end of the round."""
    asked, giver, card, count, _ = trick
    if table.step == PASS:
        resume_pass(rules, table, secret, seats, seat, move // HAND, move % HAND, stream)
        table.trick = -1  # `finish_round` plays the tricks behind this one
    elif table.step == PLAY:
        place = seats_played(rules, table, seat)
        trick = lay_card(rules, table, seats.views[U64(seat)], trick, seat, place, U64(move))
        finish_trick(rules, table, secret, seats, trick, place + 1, stream)
    elif asked == ASKED_OFFER:
        resume_offer(rules, table, secret, seats, giver, card, count, move, stream)
    else:
        resume_answer(rules, table, secret, seats, giver, seat, card, count, move, stream)
    finish_round(rules, table, secret, seats, stream)
