"""Gara-tori's part of `search` (see `simlib.players.search`): which cards are weighed, and how a game goes on."""

from simlib.games.gara_tori.rules import find_legal, lay_card, play
from simlib.hooks import called, decides
from simlib.players.search import best_move
from simlib.streams import U64, lowest_bit
from simlib.tricks import finish_round, finish_trick, seats_played


@decides(play, "search")
def search_play(rules, table, view, trick, word):
    """Weigh every legal card; of equal ones, one."""
    count = 0
    for number in range(rules.words):
        legal = view.legal[U64(number)]
        while legal:
            chosen = U64(64 * number) + lowest_bit(legal)
            legal &= legal - U64(1)
            if count == 0 or rules.cards[chosen] != rules.cards[U64(view.mind.moves[U64(count - 1)])]:
                view.mind.moves[U64(count)] = chosen
                count += 1
    return U64(view.mind.moves[U64(best_move(rules, table, view, trick, count, word))])


@called
def carry_on(rules, table, secret, seats, seat, trick, move, stream):
    """Let a seat lay a card (its place in the sorted deck), and play on to the end of the round."""
    place, view = seats_played(rules, table, seat), seats.views[U64(seat)]
    view.place = place
    find_legal(rules, view, trick)
    trick = lay_card(rules, table, view, trick, seat, place, U64(move))
    finish_trick(rules, table, secret, seats, trick, place + 1, stream)
    finish_round(rules, table, secret, seats, stream)
