"""Gara-tori's players: who can play, and what kernels need of them."""

from simlib.games.gara_tori import rules
from simlib.games.gara_tori.determinization import HANDS
from simlib.games.gara_tori.determinization import prepare as prepare
from simlib.games.gara_tori.heuristics import HEURISTICS
from simlib.games.gara_tori.search import carry_on as carry_on
from simlib.games.gara_tori.search import imagine as imagine
from simlib.games.gara_tori.search import recall as recall
from simlib.games.gara_tori.search import witness as witness
from simlib.games.gara_tori.trained import TRAINED
from simlib.players.search import mind_dtype, searching_players

PLAYERS = {**HEURISTICS, **TRAINED, **searching_players(["greedy", "random", "trained"])}
MIND = mind_dtype(rules.TABLE, rules.SECRET, rules.SEATED, HANDS)
