"""What a playtest is asked for: a log, and what its games are compared with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from simlib.hooks import Seated
from simlib.playtest.logs import Played
from simlib.variants import Variant


@dataclass(frozen=True)
class Asked:
    """A log, and what its games are compared with.

    Attributes
    ----------
    file : str
        The log's name, without folders.
    log : sequence of Played
    variants : dict of int to Variant
        By number of players.
    seats : dict of int to tuple of Seated
        Who plays the simulated games, by number of players.
    policy : str
        As typed.
    games, seed : int
        Simulated games for each number of players; root of all their random numbers.
    command : str
        What to type to get the same again.
    sources : sequence of (str, str)
        Names of the variant files, and their text as it was written.
    """

    file: str
    log: Sequence[Played]
    variants: Mapping[int, Variant]
    seats: Mapping[int, tuple[Seated, ...]]
    policy: str
    games: int
    seed: int
    command: str
    sources: Sequence[tuple[str, str]] = ()
