"""Games trick by trick, rebuilt from what the kernel kept of them: for counts that no row holds.

Each game's ``plays.py`` makes `Plays` of `batch.Played`, and says of every card in a hand whether it might be played
and whether it would take the lead of its trick.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np


class Plays(NamedTuple):
    """Some games, trick by trick.

    Attributes
    ----------
    cards : (games, rounds, tricks, places) int64
        Cards as the game codes them, in the order of play; meaningless where none was played.
    seats : (games, rounds, tricks, places) int64
        Who played them.
    hands : (games, rounds, seats, tricks) int64
        Each seat's cards: number t is the one that it played to trick t; those that it never played come last.
    winners : (games, rounds, tricks) int64
        The place whose card won.
    played : (games, rounds, tricks) bool
        Whether the trick was played.
    """

    cards: np.ndarray
    seats: np.ndarray
    hands: np.ndarray
    winners: np.ndarray
    played: np.ndarray


class Options(NamedTuple):
    """What the seats at one place of their tricks could do, each (games, rounds, tricks, cards).

    Attributes
    ----------
    cards : int64
        Their hands: number t of trick t is the card that was played.
    legal : bool
        Cards that may be played.
    taking : bool
        Legal cards that would win the trick if no other followed.
    following : bool
        Legal cards of the colour that leads; none for the leader.
    """

    cards: np.ndarray
    legal: np.ndarray
    taking: np.ndarray
    following: np.ndarray

    def chosen(self, which: np.ndarray) -> np.ndarray:
        """Return whether the card that was played is one of `which`, (games, rounds, tricks) bool."""
        tricks = which.shape[2]
        return which[:, :, np.arange(tricks), np.arange(tricks)]


def seats_of(start: np.ndarray, winners: np.ndarray, players: int) -> np.ndarray:
    """Return who played each card.

    Parameters
    ----------
    start : (games, rounds) int
        The seats that led the first tricks.
    winners : (games, rounds, tricks) int
        The seats that won each trick and led the next.

    Returns
    -------
    (games, rounds, tricks, places) int64
    """
    leaders = np.concatenate([start[:, :, None], winners[:, :, :-1]], axis=2).astype(np.int64)
    return (leaders[..., None] + np.arange(players)) % players


def hands_of(cards: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Return the cards by seat and trick, (games, rounds, seats, tricks), from those by trick and place."""
    place_of = np.argsort(seats, axis=3)
    return np.take_along_axis(cards, place_of, axis=3).swapaxes(2, 3)


def places_of(seats: np.ndarray, winners: np.ndarray) -> np.ndarray:
    """Return the place, (games, rounds, tricks), of each trick's winner, given as a seat."""
    return (winners.astype(np.int64) - seats[..., 0]) % seats.shape[3]


def hands_at(plays: Plays) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield, place by place, the cards of the seat there and which of them it still holds.

    Yields
    ------
    cards, held : (games, rounds, tricks, cards) int64 and bool
        Nothing is held at a trick that wasn't played.
    """
    tricks = plays.seats.shape[2]
    left = np.arange(tricks)[:, None] <= np.arange(tricks)
    held = left & plays.played[..., None]
    for place in range(plays.seats.shape[3]):
        seats = plays.seats[:, :, :, place, None]
        yield np.take_along_axis(plays.hands, seats, axis=2), held


def different(cards: np.ndarray, among: np.ndarray) -> np.ndarray:
    """Return how many different cards there are `among` some, along the last axis; copies are equal."""
    marked = np.sort(np.where(among, cards, -1), axis=-1)
    new = np.concatenate([marked[..., :1] >= 0, marked[..., 1:] != marked[..., :-1]], axis=-1)
    return (new & (marked >= 0)).sum(axis=-1)
