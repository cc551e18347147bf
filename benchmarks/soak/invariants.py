"""What the checkers of all games share: faults, deals, hands, winners, and the rows of kept games re-added.

A game's checker is plain loops over the records that the kernel kept as each round closed, compiled for speed. It
walks a game in the order of play, so the fault that it raises is the game's first one. What it counts goes into a
TALLY, a record whose fields are named as the columns of the per-game row, with an index for each part behind a name:
column ``taken_2_R`` is ``tally.taken[2, 0]``.
"""

from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from simlib.batch import columns_of
from simlib.variants import Variant

MOST_CARDS = 256
BEFORE_PLAY = -1  # in place of a trick's number


def shared_columns(seats: int, rounds: int) -> list[tuple[Any, ...]]:
    """Return the fields of a TALLY that all games have, for at most so many seats and rounds."""
    return [
        ("score", "i8", (seats,)),
        ("win", "i8", (seats,)),
        ("leader_plays", "i8"),
        ("leader_choices", "i8"),
        ("follower_plays", "i8"),
        ("follower_choices", "i8"),
        ("won_from_place", "i8", (seats,)),
        ("start", "i8", (rounds,)),
    ]


class Broken(Exception):
    """An invariant that a game doesn't keep."""


class Fault(NamedTuple):
    """The first fault found among some games: the game's place among them, and what is broken where."""

    game: int
    text: str


@njit(nogil=True)
def deal_out(rules, deck, hands):
    """Fill `hands`, (players, codes), with how often each seat was dealt each card; what is left wasn't dealt."""
    seen = np.zeros(MOST_CARDS, np.bool_)
    size = len(rules.deck)
    for number in range(size):
        place = deck[number]
        if place >= size or seen[place]:
            raise Broken("the shuffled deck isn't the deck: a card is missing")
        seen[place] = True
    hands[:] = 0
    for seat in range(rules.players):
        for number in range(seat * rules.tricks, (seat + 1) * rules.tricks):
            hands[seat, rules.deck[deck[number]]] += 1


@njit(nogil=True)
def take_from_hand(hands, seat, card):
    """Take a card out of a seat's hand."""
    if card < 0 or card >= hands.shape[1] or hands[seat, card] == 0:
        raise Broken("a card is played that its seat doesn't hold")
    hands[seat, card] -= 1


@njit(nogil=True)
def count_choices(tally, place, choices):
    """Count a play and the legal cards that there were for it."""
    if place == 0:
        tally.leader_plays += 1
        tally.leader_choices += choices
    else:
        tally.follower_plays += 1
        tally.follower_choices += choices


def first_fault(
    checker: ModuleType, variant: Variant, rows: np.ndarray, tables: np.ndarray, secrets: np.ndarray
) -> Fault | None:
    """Return the first fault among kept games, None where all is as it must be.

    Parameters
    ----------
    checker : module
        The game's file in this folder.
    rows, tables, secrets
        As `simlib.batch.Seating.play` returns them.
    """
    tallies, at = np.zeros(len(rows), checker.TALLY), np.zeros(3, np.int64)
    try:
        checker.check_games(checker.rules_of(variant.parameters), tables, secrets, tallies, at)
    except Broken as fault:
        game, round_, trick = at.tolist()
        place = f"round {round_ + 1}" + (f", trick {trick + 1}" if trick != BEFORE_PLAY else "")
        return Fault(game, f"{place}: {fault}")
    return _first_fault_of_rows(rows, tallies, columns_of(variant), checker.LETTERS)


def _first_fault_of_rows(rows: np.ndarray, tallies: np.ndarray, columns: list[str], letters: str) -> Fault | None:
    """Return the first column of a game that isn't what the plays add up to."""
    wanted = np.stack([_column(tallies, name, letters) for name in columns], axis=1)
    for game, column in np.argwhere(rows != wanted)[:1].tolist():
        given, sum_ = rows[game, column], wanted[game, column]
        return Fault(game, f"column {columns[column]} is {given}, and the plays add up to {sum_}")
    return None


def _column(tallies: np.ndarray, name: str, letters: str) -> np.ndarray:
    """Return a column of the per-game row as the tallies have it."""
    fields = [field for field in tallies.dtype.names or () if f"{name}_".startswith(f"{field}_")]
    field = max(fields, key=len)
    parts = name.removeprefix(field).split("_")[1:]
    column: np.ndarray = tallies[field]
    for part in parts:
        column = column[:, letters.index(part) if part in letters else int(part)]
    return column
