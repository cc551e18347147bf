"""Take-Trick's players: who can play, and what kernels need of them."""

from simlib.games.take_trick import rules
from simlib.games.take_trick.determinization import HANDS
from simlib.games.take_trick.determinization import prepare as prepare
from simlib.games.take_trick.heuristics import HEURISTICS
from simlib.games.take_trick.search import carry_on as carry_on
from simlib.games.take_trick.search import imagine as imagine
from simlib.games.take_trick.search import recall as recall
from simlib.games.take_trick.search import witness as witness
from simlib.players.search import mind_dtype, searching_players

PLAYERS = {**HEURISTICS, **searching_players(["greedy", "random", "trained"])}
MIND = mind_dtype(rules.TABLE, rules.SECRET, rules.SEATED, HANDS)
SEARCH_COST = 150  # games of fast players that a survey plays for each one of search:25
