"""The part of the per-game row that all games share.

A row is int32: one integer a column, in the order of the game's `columns`.
"""

from dataclasses import dataclass

from simlib.hooks import compiled
from simlib.streams import U64

CHOICE_COLUMNS = {
    "leader_plays": "cards led",
    "leader_choices": "legal cards to choose from, summed over all leads",
    "follower_plays": "cards played by followers",
    "follower_choices": "legal cards to choose from, summed over all plays of followers",
}


@dataclass(frozen=True)
class Column:
    """One integer of the per-game row."""

    name: str
    sentence: str


def whole_game_columns(players: int, unit: int) -> list[Column]:
    """Return the columns that `write_whole_game` fills; scores count in 1/`unit` points."""
    points = "points" if unit == 1 else f"1/{unit} points"
    seats = range(players)
    return [
        *(Column(f"score_{seat}", f"final score of seat {seat}, in {points}") for seat in seats),
        *(Column(f"win_{seat}", f"1 if seat {seat} won or shared the win") for seat in seats),
        *(Column(name, sentence) for name, sentence in CHOICE_COLUMNS.items()),
        *(
            Column(f"won_from_place_{place}", f"tricks won by card number {place} of a trick, 0 = led")
            for place in seats
        ),
    ]


def copy_record(target, source):
    """Copy a record as it lies in memory (see `machine`: an assignment takes long to compile)."""
    for name in target.dtype.names:
        target[name] = source[name]


@compiled
def highest_score(players, table):
    """Return the highest of the seats' scores."""
    best = table.scores[0]
    for seat in range(1, players):
        best = max(best, table.scores[U64(seat)])
    return best


@compiled
def whole_game_width(players):
    """Return the number of columns that `write_whole_game` fills."""
    return 3 * players + 4


@compiled
def write_whole_game(players, table, row, leader_plays, leader_choices, follower_plays, follower_choices):
    """Fill the row's shared part from the final `table.scores` and the counts of choices."""
    best = highest_score(players, table)
    for seat in range(players):
        row[U64(seat)] = table.scores[seat]
        row[U64(players + seat)] = table.scores[seat] == best
        row[U64(2 * players + 4 + seat)] = table.won_from_place[seat]
    row[U64(2 * players)] = leader_plays
    row[U64(2 * players + 1)] = leader_choices
    row[U64(2 * players + 2)] = follower_plays
    row[U64(2 * players + 3)] = follower_choices
