"""Take-Trick's players. Each decision is a function of the rules, the table, the seat's own View and a word."""

from simlib.games.take_trick.rules import LEFT, RIGHT, answer, offer, pass_cards, play
from simlib.hooks import Player, decides
from simlib.streams import U64, accept, below, draw

PLAYERS = {
    "random": Player("takes each legal choice with the same chance", looks=False),
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
