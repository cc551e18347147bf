"""Gara-tori's players. Each decision is a function of the rules, the table, the seat's own View and a word."""

from simlib.games.gara_tori.rules import play
from simlib.hooks import Player, decides
from simlib.streams import U64, below, nth_bit, popcount

PLAYERS = {
    "random": Player("takes each legal choice with the same chance", looks=False),
}


@decides(play, "random")
def random_play(rules, table, view, trick, word):
    pick = below(word, U64(view.choices))
    if rules.words == 1:
        return nth_bit(view.legal[0], pick)
    number = U64(0)
    while pick >= U64(popcount(view.legal[number])):
        pick -= U64(popcount(view.legal[number]))
        number += U64(1)
    return number * U64(64) + nth_bit(view.legal[number], pick)
