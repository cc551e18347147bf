"""Gara-tori's part of `search` (see `simlib.players.search`): which cards are weighed, and how a game goes on."""

from simlib.games.gara_tori.determinization import imagine as imagine
from simlib.games.gara_tori.rules import find_legal, lay_card, play
from simlib.hooks import called, compiled, decides
from simlib.players.search import MOVES, best_move, think
from simlib.streams import I64, U64, lowest_bit
from simlib.tricks import finish_round, finish_trick, seats_played


@decides(play, "search", "clairvoyant")
def search_play(rules, table, view, trick, word):
    """Weigh every legal card; of equal ones, one."""
    think(rules, table, view, word)
    mind, double = view.mind, view.mind.seats[0].views[U64(view.seat)]
    double.place = view.place
    find_legal(rules, double, trick)
    mind.moves[0] = I64(play(rules, table, double, trick, word))
    count, last = 1, rules.cards[U64(mind.moves[0])]
    usual = last
    for number in range(rules.words):
        legal = view.legal[U64(number)]
        while legal:
            chosen = U64(64 * number) + lowest_bit(legal)
            legal &= legal - U64(1)
            card = rules.cards[chosen]
            if card != usual and card != last and count < MOVES:
                mind.moves[U64(count)], last = I64(chosen), card
                count += 1
    return U64(mind.moves[U64(best_move(rules, table, view, trick, count, word))])


@called
def witness(rules, secret, seats, mind):
    """Copy all hands."""
    for seat in range(rules.players):
        for number in range(rules.words):
            mind.seats[0].views[U64(seat)].hand[U64(number)] = seats.views[U64(seat)].hand[U64(number)]


@compiled
def recall(rules, table, view, hands, secret, seats, stream, number):
    """Change nothing: all that `imagine` draws is the hands, which `witness` copied."""


@called
def carry_on(rules, table, secret, seats, seat, trick, move, stream):
    """Let a seat lay a card (its place in the sorted deck), and play on to the end of the round."""
    place, view = seats_played(rules, table, seat), seats.views[U64(seat)]
    view.place = place
    find_legal(rules, view, trick)
    trick = lay_card(rules, table, view, trick, seat, place, U64(move))
    finish_trick(rules, table, secret, seats, trick, place + 1, stream)
    finish_round(rules, table, secret, seats, stream)
