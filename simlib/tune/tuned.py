"""What a tune found: where cells stand, which one won, how it does afresh, and what each parameter does."""

import json
import math
from functools import cached_property
from typing import Any

from simlib.axes import Axis
from simlib.games import TARGETS, game_named, make_variant
from simlib.landscape import Landscape
from simlib.results import FILE, Results
from simlib.sweep.plan import spelled
from simlib.targets import MET, MISSED, UNDECIDED, Goal, Judged, goals_of, judged
from simlib.tune.effects import Effects, Level, effects, levels_of
from simlib.tune.search import FRESH, Round, Standing, landscape_of, standings


class Tuned:
    """A tune's result.

    Attributes
    ----------
    facts : dict
    game : str
    axes : list of Axis
    goals : list of Goal
    settings : list of dict
        What is set in each cell that was played, by its number.
    labels : list of str
        The cells'.
    rounds : list of Round
    winner : int
        The number of the cell that was measured afresh.
    """

    def __init__(self, run: Results) -> None:
        self.facts, self._summaries = run.facts, run.summaries
        self.game: str = run.facts["game"]
        self.axes = [Axis(axis["key"], tuple(axis["values"])) for axis in run.facts["axes"]]
        self.goals = goals_of(dict(run.facts["goals"]), self.game, FILE)
        self.labels: list[str] = [cell["label"] for cell in run.facts["cells"]]
        self.settings: list[dict[str, Any]] = [cell["settings"] for cell in run.facts["cells"]]
        self.rounds = [Round(**each) for each in run.facts["rounds"]]
        self.winner: int = run.facts["winner"]
        self.land = landscape_of(run.summaries, self.goals)

    @cached_property
    def standings(self) -> list[Standing]:
        """Where each cell stands after the games that it got; all intervals hold together, at every round's end."""
        family = len(self.labels) * len(self.goals) * self.facts["looks"]
        return standings(self.goals, self.land, range(len(self.labels)), family)

    @property
    def ranked(self) -> list[Standing]:
        """Where cells stand, the nearest to the goals first."""
        return sorted(self.standings, key=lambda each: each.order)

    @property
    def varied(self) -> list[Axis]:
        """The axes of which several values were played; the first one where there is none."""
        return [axis for axis, levels in zip(self.axes, self.levels, strict=True) if len(levels) > 1] or self.axes[:1]

    def ended(self, number: int) -> tuple[int, str]:
        """Return the round in which a cell ended, and how: ``dropped``, ``aside``, or ``kept`` to the end."""
        for at, each in enumerate(self.rounds, 1):
            if number in each.dropped:
                return at, "dropped"
            if number in each.aside:
                return at, "aside"
        return len(self.rounds), "kept"

    def games(self, number: int) -> int:
        """Return how many games of a cell the search played."""
        return self.rounds[self.ended(number)[0] - 1].games

    # ---- the winner ----

    @property
    def label(self) -> str:
        """The winner's label."""
        return self.labels[self.winner]

    @cached_property
    def fresh(self) -> list[Judged]:
        """What came of the goals when the winner was played afresh; the intervals hold together."""
        own = {key.removeprefix(f"{FRESH} "): sums for key, sums in self._summaries.items() if key.startswith(FRESH)}
        label = str(self.winner)
        land = Landscape({label: [label]}, [goal.measure for goal in self.goals], own)
        return [each._replace(label=self.label) for each in judged(self.goals, land, [label])]

    @property
    def verdict(self) -> str:
        """MET where the winner meets all goals, MISSED where it misses one, else UNDECIDED."""
        verdicts = {each.verdict for each in self.fresh}
        return MISSED if MISSED in verdicts else MET if verdicts == {MET} else UNDECIDED

    @property
    def all_miss(self) -> bool:
        """Whether every cell of the space is shown to miss a goal, the winner by its fresh games."""
        others = [each for each in self.standings if each.number != self.winner]
        return self.facts["small"] and self.verdict == MISSED and all(each.misses for each in others)

    @cached_property
    def rivals(self) -> list[int]:
        """The cells that aren't shown to be farther from the goals than the winner may be, at its worst."""
        own = self.standings[self.winner]
        return [each.number for each in self.standings if each.number != self.winner and each.least <= own.most]

    @cached_property
    def front(self) -> list[int]:
        """The cells that no other one beats: nearer to a goal, and no farther from any."""
        misses = [self.misses(number) for number in range(len(self.labels))]
        return [
            number for number, own in enumerate(misses)
            if all(map(math.isfinite, own)) and not any(_beats(other, own) for other in misses)
        ]  # fmt: skip

    def misses(self, number: int) -> tuple[float, ...]:
        """Return how far a cell is from each goal, 0 where it meets it."""
        return tuple(max(0.0, each.misses[0]) for each in self.standings[number].judged)

    # ---- what parameters do ----

    @cached_property
    def levels(self) -> list[dict[str, Level]]:
        """The levels of each axis, by its values as they are spelled."""
        return [levels_of(axis, [each[axis.key] for each in self.settings]) for axis in self.axes]

    def levels_of(self, axis: Axis) -> list[Level]:
        """Return an axis' levels, in order."""
        return sorted(set(self.levels[self.axes.index(axis)].values()), key=lambda level: level.rank)

    def level_at(self, number: int, axis: Axis) -> Level:
        """Return a cell's level of an axis."""
        return self.levels[self.axes.index(axis)][spelled(self.settings[number][axis.key])]

    def effects(self, goal: Goal) -> Effects | None:
        """Return what each parameter does to a goal's measure; None where they can't be told apart."""
        levels = {str(at): [self.level_at(at, axis) for axis in self.axes] for at in range(len(self.labels))}
        return effects(goal, levels, self._summaries, self.rounds[0].games)

    # ---- the winner as a variant file ----

    @property
    def toml(self) -> str:
        """The winner as a variant file, with the goals as its targets."""
        entry = self.facts["variants"][0]
        game = game_named(self.game)
        made = make_variant(game, settings=entry["parameters"], where=FILE).flat()
        classic = make_variant(game, settings={"players": made["players"]}).flat()
        kept = {key: value for key, value in made.items() if key == "players" or value != classic.get(key)}
        lines = [f"game = {_toml(self.game)}", 'base = "classic"', f"name = {_toml(f'tuned: {self.label}')}"]
        lines += [f"{key} = {_toml(value)}" for key, value in kept.items()]
        lines += ["", f"[{TARGETS}]", *(f"{goal.name} = {_toml(goal.text)}" for goal in self.goals)]
        return "\n".join([*lines, ""])


def _beats(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one != other and all(mine <= its for mine, its in zip(one, other, strict=True))


def _toml(value: Any) -> str:
    """Return a value as TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
