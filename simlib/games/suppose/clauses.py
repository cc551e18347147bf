"""Suppose clause by clause (see `simlib.clauses`)."""

from typing import Any

import numpy as np

from simlib import cards as coding
from simlib.clauses import BIDS, GAMES, PLAYS, ROUNDS, TRICKS, Clause
from simlib.games.suppose.parameters import SupposeParameters
from simlib.games.suppose.plays import options_of, positions_of
from simlib.games.suppose.rules import NO_GUESS
from simlib.measures import columns_starting
from simlib.plays import Plays


def has_copies(parameters: SupposeParameters) -> bool:
    """Tell whether any card is there twice."""
    return max(map(max, parameters.deck.copies)) > 1


CLAUSES = (
    Clause("tie", "equal cards: the first", "of equal highest cards the one played first wins", TRICKS, has_copies),
    Clause("discard", "not following though able", "a seat that could follow may play another colour", PLAYS),
    Clause(
        "blind",
        "an unseen card played",
        "a follower may play a card that it can't see",
        PLAYS,
        lambda p: len(p.hand.visible) < p.hand.size,
        lambda p: {"hand.visible": list(range(1, p.hand.size + 1))},
    ),
    Clause(
        "hit",
        "one guess, right",
        "a right bid with one guess pays",
        BIDS,
        lambda p: p.bid.min_guesses < 2,
        lambda p: {"bid.single": 0, "bid.double": 0},
    ),
    Clause("double", "two guesses", "a bid may name two counts", BIDS),
    Clause(
        "double_hit",
        "two guesses, right",
        "a right bid with two guesses pays",
        BIDS,
        without=lambda p: {"bid.double": 0},
    ),
    Clause("silent", "no guess", "a bid may name no count", BIDS, lambda p: p.bid.min_guesses == 0),
    Clause("shared", "win shared", "level seats share the win", GAMES),
)
NOUNS = {TRICKS: "tricks", PLAYS: "plays", BIDS: "bids", GAMES: "games"}


def units(parameters: SupposeParameters, games: Any, plays: Plays) -> dict[str, np.ndarray]:
    """Return how many tricks, plays of followers and the like each game has."""
    tricks = plays.played.sum(axis=(1, 2))
    rounds = np.full(len(tricks), parameters.rounds)
    return {
        TRICKS: tricks,
        PLAYS: tricks * (parameters.players - 1),
        ROUNDS: rounds,
        BIDS: rounds * parameters.players,
        GAMES: np.ones_like(tricks),
    }


def fired(
    parameters: SupposeParameters, games: Any, plays: Plays, column: dict[str, int]
) -> dict[str, np.ndarray]:  # fmt: skip
    """Return how often each clause came into play in each game; `column` numbers the row's columns."""
    winning = np.take_along_axis(plays.cards, plays.winners[..., None], axis=3)
    discards = np.zeros(len(plays.cards), np.int64)
    for options in options_of(parameters, games, plays):
        could = options.following.any(axis=3)
        discards += (could & ~options.chosen(options.following)).sum(axis=(1, 2))
    visible = np.isin(np.arange(parameters.hand.size), np.array(parameters.hand.visible, int) - 1)
    guesses = games.secrets["guesses"][:, :, : parameters.players] != NO_GUESS
    named = guesses.sum(axis=3).reshape(len(discards), -1)
    hits = games.rows[:, columns_starting(column, "hit_")]
    return {
        "tie": ((plays.cards == winning).sum(axis=3) > 1).sum(axis=(1, 2)),
        "discard": discards,
        "blind": (~visible[positions_of(parameters, games)[..., 1:]]).sum(axis=(1, 2, 3)),
        "hit": (hits * (named == 1)).sum(axis=1),
        "double": (named == 2).sum(axis=1),
        "double_hit": (hits * (named == 2)).sum(axis=1),
        "silent": (named == 0).sum(axis=1),
        "shared": games.rows[:, columns_starting(column, "win_")].sum(axis=1) > 1,
    }


def ranks(parameters: SupposeParameters) -> dict[int, str]:
    """Return the name of each rank by what `rank_of` makes of a card."""
    return {rank: str(rank) for rank in range(1, parameters.deck.ranks + 1)}


def rank_of(cards: np.ndarray) -> np.ndarray:
    """Return the ranks of cards."""
    return cards % coding.RANKS + 1


def turning(parameters: SupposeParameters, games: Any, plays: Plays) -> np.ndarray | None:
    """Return which cards turned the lead; None in a game in which none can."""
    return None
