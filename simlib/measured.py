"""What an experiment measures of one variant by itself: what sweeps, comparisons, tunes and targets speak of.

An experiment names its measures in ``MEASURES``. A measure's name is unique among all experiments about one game.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from simlib.errors import BadInput, did_you_mean
from simlib.experiments import ALL, about, experiment_named, questions
from simlib.games import game_named
from simlib.hooks import Seated, seated
from simlib.survey import Figure, seats_of
from simlib.variants import Variant, brief


@dataclass(frozen=True)
class Measured:
    """Figures of a variant, and how they are counted.

    Attributes
    ----------
    count : callable
        Takes the games of a table and the variant, and returns {count's name: (games,) integers}. What it takes are
        rows, (games, columns) int32, or `batch.Played` if `whole`. With a `guest` it takes the guest's seat, too.
    figures : dict of str to Figure
        Each measure by its name, the most telling one first.
    whole : bool
        Whether counts need deals and plays besides the rows.
    guest : tuple of str
        (one, others): every deal is played once for each seat of `one` among `others`, and counts are added up;
        empty where whoever is asked for takes all seats.
    headline : str
        The name of the figure that is behind the experiment's headline; the first one where it is empty.
    """

    count: Callable[..., Mapping[str, np.ndarray]]
    figures: Mapping[str, Figure] = field(default_factory=dict)
    whole: bool = False
    guest: tuple[str, ...] = ()
    headline: str = ""

    @property
    def played(self) -> str:
        """What has to be played for it, in a few words: the same for measures of one study."""
        return f"{'whole' if self.whole else 'rows'} {' among '.join(self.guest)}".rstrip()

    def tables(self, variant: Variant, players: tuple[Seated, ...]) -> list[tuple[Seated, ...]]:
        """Return who sits at the tables at which each deal is played."""
        if not self.guest:
            return [players]
        known = game_named(variant.game).module("players").PLAYERS
        one, other = (seated(text, known, "players") for text in self.guest)
        seats = range(seats_of(variant))
        return [tuple(one if place == seat else other for place in seats) for seat in seats]

    def counted_at(self, games: Any, variant: Variant, seat: int) -> Mapping[str, np.ndarray]:
        """Return the counts of each game at one table: the guest's seat says which."""
        return self.count(games, variant, seat) if self.guest else self.count(games, variant)


class Measure(NamedTuple):
    """One measure of a game: its name, the experiment that has it, and its figure."""

    name: str
    experiment: str
    figure: Figure

    @property
    def measured(self) -> Measured:
        """How its experiment counts it."""
        found: Measured = experiment_named(self.experiment).MEASURES
        return found

    @property
    def parts(self) -> tuple[str, ...]:
        """The counts that it is made of."""
        return tuple(filter(None, (self.figure.top, self.figure.bottom)))


def experiments_about(game: str) -> list[str]:
    """Return the experiments that a game can be put to."""
    return [name for name in questions() if about(name).game in (game, ALL)]


@cache
def measures_of(game: str) -> dict[str, Measure]:
    """Return all measures of a game by name, those of its own experiments first."""
    names = sorted(experiments_about(game), key=lambda name: about(name).game == ALL)
    return {
        key: Measure(key, name, figure)
        for name in names
        for key, figure in experiment_named(name).MEASURES.figures.items()
    }


def measure_named(name: str, game: str, where: str) -> Measure:
    """Return a measure of a game.

    Raises
    ------
    BadInput
        If it has none of that name.
    """
    known = measures_of(game)
    if name not in known:
        raise BadInput(f"{where}: unknown measure {brief(name)} of {game}" + did_you_mean(name, known))
    return known[name]
