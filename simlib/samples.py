"""Which games a report shows: three typical ones, and the most extreme one, by the figure behind its headline.

They are picked among the first games of the run's main variants, and kept as records that `simlib verify` accepts.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from simlib.experiments import Beside, experiment_named, variants_of
from simlib.games import game_named
from simlib.hooks import Seated, seated
from simlib.results import Results
from simlib.variants import Variant

if TYPE_CHECKING:
    from simlib.measured import Measured
    from simlib.survey import Figure

MOST = 400  # games among which they are picked
TYPICAL = 3
MOST_SETS = 3  # main variants whose games are shown
PLAYER = "greedy"  # who takes all seats, where a measure names nobody
OTHERWISE = ("player_counts", "first_less_last")  # the experiment and figure that pick where a run has no figure


class Sample(NamedTuple):
    """A game that is shown: its number, its figure, and whether it is the most extreme one."""

    number: int
    value: float
    extreme: bool


def kept(run: Results) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what is told of the games that a run's report shows, and their records as a file."""
    from simlib.pages.games import RECORDS, SAMPLES
    from simlib.survey import main_labels

    variants = variants_of(run)
    sets, lines = [], []
    for label in main_labels(variants)[:MOST_SETS]:
        games = min(MOST, run.facts["asked"])
        facts, records = sampled(run.experiment, variants[label], run.facts["seed"], games)
        sets.append({"label": label} | facts)
        lines += records
    return {SAMPLES: sets}, {RECORDS: "".join(f"{line}\n" for line in lines)}


BESIDE = Beside(kept=kept)


def sampled(experiment: str, variant: Variant, seed: int, games: int) -> tuple[dict[str, Any], list[str]]:
    """Return what is told of the games that show a variant, and their records.

    Parameters
    ----------
    experiment : str
        The figure behind its headline picks them, if it has one for each game.
    seed, games : int
        They are picked among the games number 0 to `games` - 1 of the seed.
    """
    measured, figure, values = next(
        (measured, figure, values)
        for measured, figure in _telling(experiment)
        if np.isfinite(values := values_of(measured, figure, variant, seed, games)).any()
    )
    shown = picked(values)
    facts = {
        "game": variant.game,
        "players": list(measured.guest) or [PLAYER],
        "figure": figure.label,
        "percent": figure.percent,
        "chance": figure.chance,
        "unit": figure.unit,
        "games": games,
        "median": float(np.nanmedian(values)),
        "shown": [sample._asdict() for sample in shown],
    }
    return facts, [record_of(measured, variant, seed, sample.number) for sample in shown]


def _telling(experiment: str) -> "Iterator[tuple[Measured, Figure]]":
    """Yield how an experiment counts the figure behind its headline, if it has one, then what tells of any game."""
    measured: Measured = experiment_named(experiment).MEASURES
    if measured.figures:
        yield measured, measured.figures[measured.headline or next(iter(measured.figures))]
    name, figure = OTHERWISE
    measured = experiment_named(name).MEASURES
    yield measured, measured.figures[figure]


def picked(values: np.ndarray) -> list[Sample]:
    """Return the games to show by one value for each game; nan where it has none.

    Typical are those nearest to the median, extreme is the one farthest from it, if any differs from it. Of equally
    near or far ones the first is taken.

    Examples
    --------
    >>> [(game.number, game.extreme) for game in picked(np.array([3.0, 9.0, 3.0, 2.0, 4.0, 3.0]))]
    [(0, False), (2, False), (5, False), (1, True)]
    """
    known = np.flatnonzero(np.isfinite(values))
    away = np.abs(values - np.nanmedian(values))
    nearest = sorted(known.tolist(), key=lambda index: (away[index], index))
    farthest = min(nearest, key=lambda index: (-away[index], index))
    differs = away[farthest] > 0
    typical = [index for index in nearest if not differs or index != farthest][:TYPICAL]
    found = [Sample(index, float(values[index]), extreme=False) for index in typical]
    return [*found, Sample(farthest, float(values[farthest]), extreme=True)] if differs else found


def values_of(
    measured: "Measured", figure: "Figure", variant: Variant, seed: int, games: int, players: tuple[Seated, ...] = ()
) -> np.ndarray:
    """Return a figure of each game number 0 to `games` - 1, (games,) float64; nan where it is nothing over nothing.

    Where a measure has a guest, the seat that it takes goes round with the number of the game.

    Parameters
    ----------
    players : tuple of Seated, optional
        One a seat; PLAYER at all seats if left out.
    """
    from simlib.batch import Arm, chunks, games_at_once, play_whole

    arms = [Arm(variant, seats) for seats in _tables(measured, variant, players)]
    parts = []
    for first, count in chunks(games, games_at_once(arms, whole=True)):
        values = []
        for seat, arm in enumerate(arms):
            played = play_whole(arm, seed, first, count)
            counts = measured.counted_at(played if measured.whole else played.rows, variant, seat)
            values.append(_over(counts, figure))
        numbers = np.arange(first, first + count)
        parts.append(np.stack(values)[numbers % len(arms), numbers - first])
    return np.concatenate(parts)


def _over(counts: Any, figure: "Figure") -> np.ndarray:
    top = np.asarray(counts[figure.top], np.float64)
    bottom = np.asarray(counts[figure.bottom], np.float64) if figure.bottom else np.ones(len(top))
    return figure.scale * np.divide(top, bottom, out=np.full(len(top), np.nan), where=bottom != 0)


def _tables(measured: "Measured", variant: Variant, players: tuple[Seated, ...] = ()) -> Sequence[tuple[Seated, ...]]:
    known = game_named(variant.game).module("players").PLAYERS
    return measured.tables(variant, players or (seated(PLAYER, known, "players"),) * variant.parameters.players)


def record_of(measured: "Measured", variant: Variant, seed: int, index: int, players: tuple[Seated, ...] = ()) -> str:
    """Return a game as `values_of` played it, as a record's line."""
    from simlib.batch import Arm, play_whole
    from simlib.records import line_of

    tables = _tables(measured, variant, players)
    arm = Arm(variant, tables[index % len(tables)])
    played = play_whole(arm, seed, index, 1)
    return line_of(arm, seed, index, played.tables[0], played.secrets[0])
