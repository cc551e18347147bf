"""Many variants measured on common deals: what a sweep, a comparison and a tune are made of."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from simlib.estimates import Estimate
from simlib.estimates.independent import summed
from simlib.estimates.joint import Joint
from simlib.estimates.words import short
from simlib.hooks import Seated
from simlib.measured import Measure
from simlib.progress import Present
from simlib.survey import Figure, change_of, figure_of
from simlib.variants import Variant

EXACT = 2.0**53  # whole numbers below are exact as floats


@dataclass(frozen=True)
class Spot:
    """A variant in a landscape.

    Attributes
    ----------
    label : str
        Unique in the landscape.
    variant : Variant
    players : tuple of Seated
        One a seat.
    """

    label: str
    variant: Variant
    players: tuple[Seated, ...]


def studies(block: str, spots: Sequence[Spot], measures: Iterable[Measure], games: int) -> list[Any]:
    """Return the studies that measure some variants on common deals: one for all measures that are played alike.

    Parameters
    ----------
    block : str
        Names these variants among several blocks; only those of one block can be paired.
    """
    from simlib.batch import Arm, Study

    found = []
    for alike, own in played_alike(measures).items():
        first = own[0].measured
        tables = {
            f"{spot.label} | {number}" if first.guest else spot.label: _Table(spot, number, players)
            for spot in spots
            for number, players in enumerate(first.tables(spot.variant, spot.players))
        }
        found.append(
            Study(
                f"{block} | {alike}",
                {name: Arm(table.spot.variant, table.players) for name, table in tables.items()},
                games,
                partial(_sums, tables=tables, measures=own),
                whole=first.whole,
                count=partial(_counted, tables=tables, measures=own),
                sums=" ".join(measure.name for measure in own),
                present=Present(own[0].figure.label, partial(_so_far, block=block, spots=spots, measure=own[0])),
            )
        )
    return found


def _so_far(summary: Mapping[str, Any], block: str, spots: Sequence[Spot], measure: Measure) -> dict[str, str]:
    """Return a measure of each variant of a study in words, while it plays."""
    labels = [spot.label for spot in spots]
    land = Landscape({block: labels}, [measure], {f"{block} | {measure.measured.played}": summary})
    return {label: short(land.estimate(measure.name, label), percent=measure.figure.percent) for label in labels}


class _Table(NamedTuple):
    """One of the tables at which a variant's deals are played, and who sits there."""

    spot: Spot
    number: int
    players: tuple[Seated, ...]


def played_alike(measures: Iterable[Measure]) -> dict[str, list[Measure]]:
    """Return measures by what has to be played for them."""
    found: dict[str, list[Measure]] = {}
    for measure in measures:
        found.setdefault(measure.measured.played, []).append(measure)
    return found


def _counted(name: str, games: Any, tables: Mapping[str, _Table], measures: Sequence[Measure]) -> np.ndarray:
    """Return what measures are made of at one table, (parts, games) int64, measure after measure."""
    table = tables[name]
    counting = {measure.experiment: measure.measured for measure in measures}
    counts = {
        experiment: measured.counted_at(games, table.spot.variant, table.number)
        for experiment, measured in counting.items()
    }
    return np.array([counts[measure.experiment][part] for measure in measures for part in measure.parts], np.int64)


def _sums(
    counted: Mapping[str, np.ndarray], tables: Mapping[str, _Table], measures: Sequence[Measure]
) -> dict[str, Any]:
    """Return for each measure the joint sums of what it is made of in all variants, variant after variant."""
    spots: dict[str, Any] = {}  # a deal counts once: the tables of a variant are added up
    for name, counts in counted.items():
        label = tables[name].spot.label
        spots[label] = spots.get(label, 0) + counts
    found: dict[str, Any] = {}
    first = 0
    for measure in measures:
        last = first + len(measure.parts)
        values = np.concatenate([counts[first:last] for counts in spots.values()]).T
        found |= {f"{measure.name} n": np.int64(len(values)), f"{measure.name} sums": values.sum(axis=0)}
        found[f"{measure.name} products"] = _products(values)
        first = last
    return found


def _products(values: np.ndarray) -> np.ndarray:
    """Return ``values.T @ values`` of (games, columns) int64: by floats where they are exact, as they are faster."""
    largest = float(np.abs(values).max(initial=0))
    if largest * largest * len(values) < EXACT:
        exact = values.astype(np.float64)
        return (exact.T @ exact).astype(np.int64)
    return values.T @ values


class Landscape:
    """Estimates of measures of variants.

    Parameters
    ----------
    blocks : mapping of str to sequence of str
        The labels of each block's variants, in order.
    measures : sequence of Measure
    summaries : mapping
        {study's key: {name: array}}, as `studies` sum up.
    """

    def __init__(
        self, blocks: Mapping[str, Sequence[str]], measures: Sequence[Measure],
        summaries: Mapping[str, Mapping[str, Any]],
    ) -> None:  # fmt: skip
        self.blocks = {name: list(labels) for name, labels in blocks.items()}
        self.measures = {measure.name: measure for measure in measures}
        self._summaries = summaries
        self._joints: dict[tuple[str, str], Joint] = {}

    @cached_property
    def block_of(self) -> dict[str, str]:
        """The block of each label: the first one, where it is in several."""
        return {label: block for block, labels in reversed(self.blocks.items()) for label in labels}

    @property
    def labels(self) -> list[str]:
        """All variants' labels, each once."""
        return list(dict.fromkeys(label for labels in self.blocks.values() for label in labels))

    def figure(self, name: str) -> Figure:
        """Return a measure's figure."""
        return self.measures[name].figure

    def joint(self, name: str, block: str) -> Joint:
        """Return a measure's sums in a block; its integers are named (label, count)."""
        if (name, block) not in self._joints:
            measure = self.measures[name]
            sums = self._summaries[f"{block} | {measure.measured.played}"]
            names = [(label, part) for label in self.blocks[block] for part in measure.parts]
            made = Joint(names, sums[f"{name} sums"], sums[f"{name} products"], int(sums[f"{name} n"]))
            self._joints[name, block] = made
        return self._joints[name, block]

    def estimate(self, name: str, label: str) -> Estimate:
        """Return a measure of a variant."""
        return figure_of(self.joint(name, self.block_of[label]), self.figure(name), label)

    def change(self, name: str, label: str, base: str) -> Estimate:
        """Return what a measure is more in one variant than in another of its block, paired by deal."""
        return change_of(self.joint(name, self.block_of[label]), self.figure(name), label, base)

    def contrast(self, name: str, weights: Mapping[str, float]) -> Estimate:
        """Return a weighted sum of a measure of variants, by label; blocks must not share games."""
        figure = self.figure(name)
        parts: dict[str, dict[tuple[Any, Any], float]] = {}
        for label, weight in weights.items():
            ratio = ((label, figure.top), (label, figure.bottom) if figure.bottom else "")
            parts.setdefault(self.block_of[label], {})[ratio] = weight
        return summed([self.joint(name, block).contrast(own) for block, own in parts.items()]).scaled(figure.scale)
