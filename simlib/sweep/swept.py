"""What a sweep found: estimates of each cell, of pairs of cells, and of what each parameter changes."""

import math
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import combinations, pairwise
from typing import Any, NamedTuple

from simlib.axes import Axis
from simlib.estimates import Estimate
from simlib.estimates.families import simultaneous
from simlib.findings import Finding, Headline, Saving
from simlib.landscape import Landscape
from simlib.languages import say
from simlib.measured import measures_of
from simlib.results import Results
from simlib.survey import Figure, sentence
from simlib.sweep.plan import TOGETHER, blocks_of, label_of, spelled
from simlib.sweep.run import AGAIN
from simlib.targets import Goal, target_finding


class Step(NamedTuple):
    """What a measure is more at one value of a parameter than at another, in the mean of cells alike in all else.

    Attributes
    ----------
    axis : Axis
    low, high : str
        The values, spelled.
    cells : int
        How many cells there are with each of both values.
    change : Estimate
        Its interval holds together with those of all other steps of the measure.
    ends : bool
        Whether it leads from the least number to the largest, and not from a value to the next.
    """

    axis: Axis
    low: str
    high: str
    cells: int
    change: Estimate
    ends: bool


class Pair(NamedTuple):
    """What a measure is more in a cell than in another; the interval holds together with those of all pairs shown."""

    label: str
    base: str
    change: Estimate


class Swept:
    """A sweep's result.

    Attributes
    ----------
    facts : dict
    axes : list of Axis
        With the values that some legal cell takes.
    labels : list of str
        The legal cells'.
    measures : dict of str to Figure
        The most telling one first.
    """

    def __init__(self, run: Results) -> None:
        self.facts = run.facts
        known = measures_of(run.facts["game"])
        named = [known[name] for name in run.facts["measures"]]
        self.axes = [Axis(axis["key"], tuple(axis["values"])) for axis in run.facts["axes"]]
        self.labels: list[str] = [cell["label"] for cell in run.facts["cells"]]
        self.measures = {measure.name: measure.figure for measure in named}
        self._land = Landscape(blocks_of(self.labels), named, run.summaries)
        self._again = Landscape({AGAIN: run.facts["again"]}, named[:1], run.summaries)
        self.values = cache(self._values)
        self.pairs = cache(self._pairs)
        self.steps = cache(self._steps)

    @property
    def first(self) -> str:
        """The name of the measure that the answer speaks of."""
        return next(iter(self.measures))

    @property
    def together(self) -> bool:
        """Whether all cells were played on common deals."""
        return len(self.labels) <= TOGETHER

    @cached_property
    def at(self) -> dict[str, tuple[str, ...]]:
        """The values of each cell, spelled, in the order of the axes."""
        return {
            cell["label"]: tuple(spelled(cell["settings"][axis.key]) for axis in self.axes)
            for cell in self.facts["cells"]
        }

    def lines(self, axis: Axis) -> dict[str, dict[str, str]]:
        """Return the cells along an axis by its value, for each setting of the others."""
        found: dict[str, dict[str, str]] = {}
        for cell in self.facts["cells"]:
            others = {key: value for key, value in cell["settings"].items() if key != axis.key}
            found.setdefault(label_of(others), {})[spelled(cell["settings"][axis.key])] = cell["label"]
        return found

    def targets(self, goals: Sequence[Goal], *, chart: bool) -> Finding:
        """Return what comes of goals in each cell, drawn or in a table alone."""
        return target_finding(goals, self._land, self.labels, self.facts["policy"], chart=chart)

    def _values(self, name: str) -> dict[str, Estimate]:
        """Return a measure of each cell."""
        return {label: self._land.estimate(name, label) for label in self.labels}

    def _pairs(self, name: str) -> list[Pair]:
        """Return the differences of all cells, or of each from the first where not all share deals."""
        first, *others = self.labels
        pairs = combinations(self.labels, 2) if self.together else ((first, label) for label in others)
        named = [(label, base) for base, label in pairs]
        changes = simultaneous([self._land.change(name, label, base) for label, base in named])
        return [Pair(*who, change) for who, change in zip(named, changes, strict=True)]

    def _steps(self, name: str) -> list[Step]:
        """Return what each axis changes, from each value to the next and from end to end."""
        found = [step for axis in self.axes for step in self._along(name, axis)]
        changes = simultaneous([step.change for step in found])
        return [step._replace(change=change) for step, change in zip(found, changes, strict=True)]

    def _along(self, name: str, axis: Axis) -> Iterator[Step]:
        texts = [spelled(value) for value in axis.values]
        wanted = [(low, high, False) for low, high in pairwise(texts)]
        if axis.numeric and len(texts) > 2:
            wanted.append((texts[0], texts[-1], True))
        known = self.values(name)
        lines = [
            {text: label for text, label in line.items() if math.isfinite(known[label].value)}
            for line in self.lines(axis).values()
        ]
        for low, high, ends in wanted:
            both = [line for line in lines if low in line and high in line]
            if both:
                weights = {line[high]: 1 / len(both) for line in both} | {line[low]: -1 / len(both) for line in both}
                yield Step(axis, low, high, len(both), self._land.contrast(name, weights), ends)

    def means(self, name: str, axis: Axis) -> dict[str, Estimate]:
        """Return the mean of a measure at each value of an axis, over settings of the others legal at all values."""
        known = self.values(name)
        lines = [line for line in self.lines(axis).values() if len(line) == len(axis.values)]
        lines = [line for line in lines if all(math.isfinite(known[label].value) for label in line.values())]
        texts = [spelled(value) for value in axis.values] if lines else []
        return {
            text: self._land.contrast(name, {line[text]: 1 / len(lines) for line in lines}) for text in texts
        }  # fmt: skip

    # ---- the highest and the lowest cell, on games of their own ----

    @property
    def ends(self) -> Sequence[str]:
        """The labels of the cells where the first measure came out highest and lowest; none where it has no two."""
        ends: Sequence[str] = self.facts["again"]
        return ends

    def again(self, label: str) -> Estimate:
        """Return the first measure of one of the `ends` on games of its own."""
        return self._again.estimate(self.first, label)

    @cached_property
    def gap(self) -> Estimate:
        """What the first measure is more in the highest cell than in the lowest, on games of their own."""
        return self._again.change(self.first, *self.ends)

    def not_told_from(self, end: str) -> list[str]:
        """Return the other cells that can't be told from the highest or the lowest, by intervals that hold together."""
        if self.together:
            pairs = [pair for pair in self.pairs(self.first) if end in (pair.label, pair.base)]
            return [pair.base if pair.label == end else pair.label for pair in pairs if not pair.change.sign]
        known = dict(zip(self.labels, simultaneous(list(self.values(self.first).values())), strict=True))
        own = known.pop(end)
        return [label for label, each in known.items() if not (each.high < own.low or each.low > own.high)]

    def headline(self) -> Headline:
        """Return the figure that the answer speaks of."""
        figure = self.measures[self.first]
        if not self.ends:
            label = self.labels[0]
            named = say("{label}, {cell}", label=sentence(figure.label), cell=label)
            return Headline(named, self.values(self.first)[label], percent=figure.percent, unit=figure.unit)
        return Headline(
            say("{label}, highest cell less lowest", label=sentence(figure.label)),
            self.gap,
            percent=figure.percent,
            unit=figure.change_unit,
            difference=True,
            savings=(self._saving(figure),),
        )

    def _saving(self, figure: Figure) -> Saving:
        high, low = (((end, figure.top), (end, figure.bottom) if figure.bottom else "") for end in self.ends)
        joint = self._again.joint(self.first, AGAIN)
        worth: Any = joint.worth_of_pairing(high, low)
        return Saving("common deals", worth, joint.n)
