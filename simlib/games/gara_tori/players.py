"""Gara-tori's players. Each decision is a function of the rules, the table, the seat's own View and a word."""

from simlib.games.gara_tori.rules import play
from simlib.hooks import Player, compiled, decides
from simlib.streams import U64, below, lowest_bit, popcount

PLAYERS = {
    "random": Player("takes each legal choice with the same chance", looks=False),
}


@decides(play, "random")
def random_play(rules, table, view, trick, word):
    pick = below(word, U64(view.choices))
    if rules.words == 1:
        return bit_number(view.legal[0], pick)
    number = U64(0)
    while pick >= U64(popcount(view.legal[number])):
        pick -= U64(popcount(view.legal[number]))
        number += U64(1)
    return number * U64(64) + bit_number(view.legal[number], pick)


@compiled
def bit_number(bits, pick):
    """Return the place of set bit number `pick`, from 0, of a uint64."""
    while pick:
        bits &= bits - U64(1)
        pick -= U64(1)
    return lowest_bit(bits)
