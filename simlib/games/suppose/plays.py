"""Suppose trick by trick (see `simlib.plays`): hands as they were laid out and played, and points as they stood."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from simlib.games.suppose.parameters import SupposeParameters
from simlib.games.suppose.rules import COLOUR_SHIFT
from simlib.plays import Options, Plays, hands_at, hands_of, places_of, seats_of


def plays_of(parameters: SupposeParameters, games: Any) -> Plays:
    """Return games, `batch.Played`, trick by trick."""
    tables, layouts = games.tables, games.secrets["layouts"].astype(np.int64)
    players, tricks = parameters.players, parameters.hand.size
    winners = tables["winners"][:, :, :tricks]
    seats = seats_of(tables["start"], winners, players)
    positions = positions_of(parameters, games)
    number, round_ = np.ogrid[: len(tables), : tables.shape[1]]
    cards = layouts[number[..., None, None], round_[..., None, None], seats, positions]
    played = np.ones(winners.shape, bool)
    return Plays(cards, seats, hands_of(cards, seats), places_of(seats, winners), played)


def positions_of(parameters: SupposeParameters, games: Any) -> np.ndarray:
    """Return the position in its hand of each card by trick and place, counted from 0."""
    return games.tables["positions"][:, :, : parameters.hand.size, : parameters.players].astype(np.int64)


def options_of(parameters: SupposeParameters, games: Any, plays: Plays) -> Iterator[Options]:
    """Yield what the seats could do, place by place: any card may be played."""
    best = plays.cards[..., 0]
    for place, (cards, held) in enumerate(hands_at(plays)):
        if not place:
            yield Options(cards, held, held, np.zeros_like(held))
            continue
        follows = cards >> COLOUR_SHIFT == best[..., None] >> COLOUR_SHIFT
        yield Options(cards, held, held & follows & (cards > best[..., None]), held & follows)
        laid = plays.cards[..., place]
        better = (laid >> COLOUR_SHIFT == best >> COLOUR_SHIFT) & (laid > best)
        best = np.where(better, laid, best)


def standings(parameters: SupposeParameters, games: Any, plays: Plays) -> np.ndarray:
    """Return every seat's points after each trick, (games, rounds, tricks, seats), in 1/`unit` points.

    Bids are secret: what they pay is added after the last trick of a round.
    """
    winners = np.take_along_axis(plays.seats, plays.winners[..., None], axis=3)
    won = winners == np.arange(parameters.players)
    after = games.tables["scores"][:, :, : parameters.players]
    before = np.concatenate([np.zeros_like(after[:, :1]), after[:, :-1]], axis=1)
    points = before[:, :, None] + int(parameters.score.trick * parameters.unit) * won.cumsum(axis=2)
    points[:, :, -1] = after
    return points


def contenders(parameters: SupposeParameters, games: Any, plays: Plays) -> np.ndarray:
    """Return how many cards of each trick were of the colour that led, (games, rounds, tricks)."""
    return (plays.cards >> COLOUR_SHIFT == plays.cards[..., :1] >> COLOUR_SHIFT).sum(axis=3)
