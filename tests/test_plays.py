"""Games rebuilt trick by trick agree with the rows, the tables and the records of the same games."""

import numpy as np
import pytest

from simlib.batch import Arm, columns_of, play_whole
from simlib.games import game_named, make_variant
from simlib.hooks import seated
from simlib.plays import different

GAMES = 60
VARIANTS = [
    ("suppose", {}),
    ("suppose", {"players": 3, "hand.size": 5, "rounds": 2}),
    ("gara_tori", {}),
    ("gara_tori", {"players": 6, "deck.copies": 2, "lead.void_match_turns": False}),
    ("gara_tori", {"deck.specials": 3, "follow.special_counts": False}),
    ("take_trick", {}),
    ("take_trick", {"players": 6, "score.target": 9}),
    ("take_trick", {"players": 3, "deck.preset": "nine", "score.target": 5, "gift.extra": "forfeit"}),
    ("take_trick", {"hand.size": 1, "colours.max": 1}),
]


@pytest.fixture(params=VARIANTS, ids=str, scope="module")
def played(request):
    """Return a variant, its games, its module of plays and the games trick by trick."""
    name, settings = request.param
    variant = make_variant(game_named(name), settings=settings)
    players = game_named(name).module("players").PLAYERS
    games = play_whole(Arm(variant, (seated("random", players, "test"),) * variant.parameters.players), 3, 0, GAMES)
    module = game_named(name).module("plays")
    return variant, games, module, module.plays_of(variant.parameters, games)


def column(variant, games, name):
    return games.rows[:, columns_of(variant).index(name)]


def test_legal_cards_are_those_that_the_row_counts(played):
    variant, games, module, plays = played
    options = list(module.options_of(variant.parameters, games, plays))
    legal = [each.legal.sum(axis=(1, 2, 3)) for each in options]
    assert (legal[0] == column(variant, games, "leader_choices")).all()
    assert (sum(legal[1:]) == column(variant, games, "follower_choices")).all()
    assert (plays.played.sum(axis=(1, 2)) == column(variant, games, "leader_plays")).all()


def test_the_last_card_that_took_the_lead_won(played):
    variant, games, module, plays = played
    best = np.zeros(plays.winners.shape, int)
    for place, options in enumerate(module.options_of(variant.parameters, games, plays)):
        assert options.chosen(options.legal)[plays.played].all()
        assert (options.chosen(options.cards) == plays.cards[..., place])[plays.played].all()
        best = np.where(options.chosen(options.taking), place, best)
    if variant.game != "gara_tori":  # there a card may lose because the lead turns away and back
        assert (best == plays.winners)[plays.played].all()
    else:
        assert (best == plays.winners)[plays.played].mean() > 0.9
    for place in range(plays.seats.shape[3]):
        won = ((plays.winners == place) & plays.played).sum(axis=(1, 2))
        assert (won == column(variant, games, f"won_from_place_{place}")).all()


def test_standings_end_at_the_final_scores(played):
    variant, games, module, plays = played
    standings = module.standings(variant.parameters, games, plays)
    shape = (GAMES, -1, standings.shape[-1])
    numbers = plays.played.reshape(GAMES, -1).sum(axis=1) - 1
    flat, finals = standings.reshape(shape), games.rows[:, : standings.shape[-1]]
    tricks = plays.played.shape[2]
    last = [flat[game, tricks * (at // tricks) + at % tricks] for game, at in enumerate(numbers)]
    wins = games.rows[:, standings.shape[-1] : 2 * standings.shape[-1]]
    for standing, final, win in zip(last, finals, wins, strict=True):
        assert ((standing == standing.max()) == win).all()
        assert np.array_equal(standing, final) or variant.game == "take_trick"


def test_bamboo_is_that_of_the_tables():
    name, settings = "take_trick", {"players": 4, "score.target": 9}
    variant = make_variant(game_named(name), settings=settings)
    players = game_named(name).module("players").PLAYERS
    games = play_whole(Arm(variant, (seated("greedy", players, "test"),) * 4), 3, 0, GAMES)
    module = game_named(name).module("plays")
    plays = module.plays_of(variant.parameters, games)
    counts = module.bamboo(variant.parameters, games, plays)
    rounds = np.argwhere(games.tables["round"] > 0)
    assert games.tables["ended_by_gift"].any()
    for game, number in rounds:
        last = games.tables["trick"][game, number]
        told = games.tables["bamboo"][game, number, :4, :3]
        assert np.array_equal(counts[game, number, last], told)


def test_hands_after_the_pass_are_what_is_played():
    variant = make_variant(game_named("take_trick"), settings={"score.target": 10_000})
    players = game_named("take_trick").module("players").PLAYERS
    games = play_whole(Arm(variant, (seated("random", players, "test"),) * 4), 3, 0, 20)
    module = game_named("take_trick").module("plays")
    held = module.held_after_pass(variant.parameters, games)
    hands = module.plays_of(variant.parameters, games).hands
    for index in np.ndindex(held.shape[:3]):
        assert np.array_equal(np.repeat(np.arange(held.shape[3]), held[index]), np.sort(hands[index]))


def test_copies_count_once():
    cards = np.array([[3, 3, 5, 7], [0, 0, 0, 0]])
    assert different(cards, np.array([[1, 1, 1, 0], [0, 1, 1, 0]], bool)).tolist() == [2, 1]
