"""Suppose's players: who can play, and what kernels need of them."""

from simlib.games.suppose import rules
from simlib.games.suppose.determinization import HANDS
from simlib.games.suppose.determinization import prepare as prepare
from simlib.games.suppose.heuristics import BIDS, HEURISTICS, SHOWS
from simlib.games.suppose.search import carry_on as carry_on
from simlib.games.suppose.search import imagine as imagine
from simlib.games.suppose.search import recall as recall
from simlib.games.suppose.search import witness as witness
from simlib.games.suppose.trained import TRAINED
from simlib.players.search import mind_dtype, searching_players

PLAYERS = {
    **HEURISTICS,
    **TRAINED,
    **searching_players(["greedy", "random", "chaser", "trained"], {"bids": BIDS, "shows": SHOWS}),
}
MIND = mind_dtype(rules.TABLE, rules.SECRET, rules.SEATED, HANDS)
SEARCH_COST = 60  # games of fast players that a survey plays for each one of search:25
