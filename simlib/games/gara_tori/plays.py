"""Gara-tori trick by trick (see `simlib.plays`)."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from simlib.cards import COLOUR_SHIFT, RANK_MASK, SPECIAL
from simlib.games.gara_tori.parameters import GaraToriParameters
from simlib.plays import Options, Plays, hands_at, hands_of, places_of, seats_of


class Trick(NamedTuple):
    """Tricks before a card of theirs, each (games, rounds, tricks); `top` has a last axis of colours.

    Attributes
    ----------
    lead : int64
        The colour that leads; -1 before the first card.
    patterns : int64
        Set of the patterns played.
    locked : bool
    top : int64
        The highest rank of each colour so far; -1 where there is none.
    """

    lead: np.ndarray
    patterns: np.ndarray
    locked: np.ndarray
    top: np.ndarray


class Effects(NamedTuple):
    """What cards do if they are played, each of the cards' shape, bool.

    Attributes
    ----------
    matches : bool
        Its pattern was played before.
    turns : bool
        It turns the lead to another colour.
    locks : bool
        It is a special that locks the trick.
    leads : bool
        It is of the colour that leads after it.
    """

    matches: np.ndarray
    turns: np.ndarray
    locks: np.ndarray
    leads: np.ndarray


def plays_of(parameters: GaraToriParameters, games: Any) -> Plays:
    """Return games, `batch.Played`, trick by trick."""
    tables = games.tables
    players, tricks = parameters.players, parameters.hand.size
    winners = tables["winners"][:, :, :tricks]
    seats = seats_of(tables["start"], winners, players)
    cards = tables["cards"][:, :, :tricks, :players].astype(np.int64)
    played = np.ones(winners.shape, bool)
    return Plays(cards, seats, hands_of(cards, seats), places_of(seats, winners), played)


def options_of(parameters: GaraToriParameters, games: Any, plays: Plays) -> Iterator[Options]:
    """Yield what the seats could do, place by place (round, step 3)."""
    for trick, (cards, held) in zip(tricks_of(parameters, games, plays), hands_at(plays), strict=True):
        void = is_void(parameters, trick, cards, held)
        found = effects(parameters, trick, cards, void[..., None])
        follows = cards >> COLOUR_SHIFT == trick.lead[..., None]
        legal = held & (void[..., None] | follows | found.matches)
        colour = np.minimum(cards >> COLOUR_SHIFT, parameters.deck.colours - 1)
        highest = (cards & RANK_MASK) > np.take_along_axis(trick.top, colour, axis=3)
        taking = legal & found.leads & ~trick.locked[..., None] & (found.locks | highest)
        yield Options(cards, legal, taking, legal & follows)


def tricks_of(parameters: GaraToriParameters, games: Any, plays: Plays) -> Iterator[Trick]:
    """Yield all tricks as the seat at each place finds them."""
    shape, colours = plays.winners.shape, np.arange(parameters.deck.colours)
    trick = Trick(
        np.full(shape, -1), np.zeros(shape, np.int64), np.zeros(shape, bool), np.full((*shape, len(colours)), -1)
    )
    for place in range(parameters.players):
        yield trick
        card = plays.cards[..., place]
        lead = games.tables["leads"][:, :, : shape[2], place].astype(np.int64)
        colour, rank = card >> COLOUR_SHIFT, card & RANK_MASK
        locks = (rank == SPECIAL) & (colour == lead)
        top = np.where(colour[..., None] == colours, np.maximum(trick.top, rank[..., None]), trick.top)
        patterns = trick.patterns | np.where(rank == SPECIAL, 0, 1 << rank)
        trick = Trick(lead, patterns, trick.locked | locks, top)


def is_void(parameters: GaraToriParameters, trick: Trick, cards: np.ndarray, held: np.ndarray) -> np.ndarray:
    """Return whether nothing that a seat holds obliges it to follow (reading G3)."""
    obliges = held & (cards >> COLOUR_SHIFT == trick.lead[..., None])
    if not parameters.follow.special_counts:
        obliges &= cards & RANK_MASK != SPECIAL
    return ~obliges.any(axis=3)


def effects(parameters: GaraToriParameters, trick: Trick, cards: np.ndarray, void: np.ndarray) -> Effects:
    """Return what cards, (games, rounds, tricks, cards), do in a trick (round, steps 4 and 5; reading G2)."""
    lead, locked = trick.lead[..., None], trick.locked[..., None]
    colour, rank = cards >> COLOUR_SHIFT, cards & RANK_MASK
    matches = (rank != SPECIAL) & (trick.patterns[..., None] >> rank & 1 == 1)
    turns = matches & ~locked & (colour != lead) & (~void | parameters.lead.void_match_turns)
    leads = turns | (colour == lead) | (lead < 0)
    return Effects(matches, turns, leads & (rank == SPECIAL) & ~locked, leads)


def standings(parameters: GaraToriParameters, games: Any, plays: Plays) -> np.ndarray:
    """Return every seat's points after each trick, (games, rounds, tricks, seats): its largest count of a colour."""
    winners = np.take_along_axis(plays.seats, plays.winners[..., None], axis=3)
    won = winners == np.arange(parameters.players)
    colours = (plays.cards[..., None] >> COLOUR_SHIFT == np.arange(parameters.deck.colours)).sum(axis=3)
    return (won[..., None] * colours[:, :, :, None]).cumsum(axis=2).max(axis=4)


def contenders(parameters: GaraToriParameters, games: Any, plays: Plays) -> np.ndarray:
    """Return how many cards of each trick were of the colour that led in the end, (games, rounds, tricks)."""
    lead = games.tables["leads"][:, :, : parameters.hand.size, parameters.players - 1]
    return (plays.cards >> COLOUR_SHIFT == lead[..., None]).sum(axis=3)
