"""The search: every cell is played a little, the hopeless are dropped, and the rest of the games go to the promising.

A cell is as far from its goals as it is from the one that it misses most, in widths of that goal's band (`Goal.miss`);
below 0 it meets all of them. Rounds play on from the games played before. At each round's end a cell is *dropped*
where its intervals show that it misses a goal, and by more than another cell misses any at its worst: all intervals of
the search hold together, of all cells and goals at all rounds' ends. Where more are left than may go on, those that
look farthest are *set aside*, which shows nothing of them.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

from simlib.checkpoints import Checkpoints, Summary, add
from simlib.landscape import Landscape, Spot, studies
from simlib.sweep.plan import Cell
from simlib.targets import Goal, Judged, judged
from simlib.tune.space import FOLDS

TIMES = 4  # a round has so many times the games of the one before it
PART = 64  # the first round plays one in so many of a finalist's games at least
FINALISTS = 8  # cells that may go on however few are left
FRESH = "fresh"  # the winner's block, played with a seed of its own


def rungs(games: int, cells: int) -> list[int]:
    """Return how many games of a cell were played at the end of each round: of few cells the first plays more.

    Examples
    --------
    >>> rungs(20_000, 400), rungs(20_000, 12), rungs(20, 1)
    ([312, 1248, 4992, 20000], [1666, 6664, 20000], [10, 20])
    """
    first = max(FOLDS, games // PART, min(games // cells, games // TIMES))
    ends = []
    while first * TIMES // 2 < games:
        ends.append(first)
        first *= TIMES
    return [*ends, games]


def folds(games: int) -> list[tuple[int, int]]:
    """Return the first round's games in parts, as (first, end)."""
    ends = [games * part // FOLDS for part in range(FOLDS + 1)]
    return list(pairwise(ends))


def going_on(cells: int, number: int) -> int:
    """Return how many of all cells may go on at most after a round.

    Examples
    --------
    >>> [going_on(400, number) for number in range(4)]
    [100, 25, 8, 8]
    """
    return max(FINALISTS, math.ceil(cells / TIMES ** (number + 1)))


class Standing(NamedTuple):
    """Where a cell stands: how far it is from its goals, and the least and the most that its intervals allow."""

    number: int
    score: float
    least: float
    most: float
    judged: tuple[Judged, ...]

    @property
    def order(self) -> tuple[float, ...]:
        """How far it is from each goal, the farthest first: of cells level in one the next decides."""
        return tuple(sorted((each.misses[0] for each in self.judged), reverse=True))

    @property
    def misses(self) -> bool:
        """Whether it is shown to miss a goal."""
        return self.least > 0

    @property
    def meets(self) -> bool:
        """Whether it is shown to meet all goals."""
        return self.most < 0


def standing(number: int, found: Sequence[Judged]) -> Standing:
    """Return where a cell stands from what came of its goals."""
    score, least, most = (max(part) for part in zip(*(each.misses for each in found), strict=True))
    return Standing(number, score, least, most, tuple(found))


def standings(goals: Sequence[Goal], land: Landscape, numbers: Iterable[int], family: int) -> list[Standing]:
    """Return where cells stand; `family` intervals hold together."""
    return [standing(number, judged(goals, land, [str(number)], family)) for number in numbers]


def hopeless(found: Sequence[Standing]) -> list[int]:
    """Return the cells that are shown to miss a goal, and by more than another cell misses any at its worst."""
    best = min(each.most for each in found)
    return [each.number for each in found if each.misses and each.least > best]


class Round(NamedTuple):
    """One round: games of each of its cells so far, and which of them don't go on."""

    games: int
    cells: list[int]
    dropped: list[int]
    aside: list[int]


class Ledger:
    """What was played, by study, and what is known of cells by it.

    Parameters
    ----------
    goals : sequence of Goal
    seed, jobs : int
    tell : callable, optional
        Takes how players of a designer's own file are played, before the first games.
    kept : Checkpoints, optional
        Where finished games are kept, and earlier ones taken from.

    Attributes
    ----------
    summaries : dict
        ``"<part> <cell's number> | <what was played>"``: sums.
    games : int
        Games that were played.
    """

    def __init__(
        self, goals: Sequence[Goal], seed: int, jobs: int, *, quiet: bool,
        tell: Callable[[list[str]], None] = lambda lines: None, kept: Checkpoints | None = None,
    ) -> None:  # fmt: skip
        self._kept = kept or Checkpoints()
        self.goals, self._seed, self._jobs, self._quiet, self._tell = goals, seed, jobs, quiet, tell
        self._studies: dict[int, list[Any]] = {}
        self.summaries: dict[str, Summary] = {}
        self.games = 0

    def play(self, cells: Mapping[int, Cell], parts: Mapping[str, tuple[int, int]]) -> None:
        """Play parts of the run's games, (first, end) each by name, with every cell."""
        from simlib import batch

        planned: list[Any] = []
        done: dict[str, int] = {}
        if cells and not self.summaries:
            some = next(iter(cells.values()))
            self._tell([line for line in [batch.make_ready(batch.Arm(some.variant, some.players))] if line])
        for number, cell in cells.items():
            for part, (first, end) in parts.items():
                own = [
                    replace(study, key=f"{part} {study.key}", games=end, label=_label(study.key, cell))
                    for study in self._of(number, cell)
                ]
                done |= {study.key: first for study in own}
                planned += own
                self.games += sum((end - first) * len(study.arms) for study in own)
        self.summaries |= batch.run(planned, self._seed, self._jobs, done=done, quiet=self._quiet, kept=self._kept)

    def _of(self, number: int, cell: Cell) -> list[Any]:
        """Return a cell's studies, made once: kernels are set up by their arms."""
        if number not in self._studies:
            spot = Spot(str(number), cell.variant, cell.players)
            self._studies[number] = studies(str(number), [spot], [goal.measure for goal in self.goals], 0)
        return self._studies[number]

    def land(self) -> Landscape:
        """Return all that is known of cells so far."""
        return landscape_of(self.summaries, self.goals)


def _label(key: str, cell: Cell) -> str:
    """Return what a study of a cell is called while it plays: what is played, and the cell's settings."""
    return f"{key.partition(' | ')[2]} | {cell.label}"


def landscape_of(summaries: Mapping[str, Summary], goals: Sequence[Goal]) -> Landscape:
    """Return the search's cells, labelled by their numbers, from the sums of all parts of the games."""
    totals: dict[str, Summary] = {}
    for key, summary in summaries.items():
        part, _, study = key.partition(" ")
        if part != FRESH:
            add(totals.setdefault(study, {}), summary)
    labels = dict.fromkeys(study.partition(" | ")[0] for study in totals)
    return Landscape({label: [label] for label in labels}, [goal.measure for goal in goals], totals)


def first_parts(games: int) -> dict[str, tuple[int, int]]:
    """Return the parts of the first round's games by name."""
    return {f"1.{fold}": part for fold, part in enumerate(folds(games))}


def search(ledger: Ledger, cells: Mapping[int, Cell], steps: Sequence[int]) -> list[Round]:
    """Play the rounds, each to so many games of a cell; the first one's games may have been played already."""
    alive, rounds = list(cells), list[Round]()
    family = len(cells) * len(ledger.goals) * len(steps)
    if not ledger.summaries:
        ledger.play(cells, first_parts(steps[0]))
    for number, step in enumerate(steps):
        if number:
            ledger.play({cell: cells[cell] for cell in alive}, {str(number + 1): (steps[number - 1], step)})
        found = standings(ledger.goals, ledger.land(), alive, family)
        dropped = hopeless(found)
        left = sorted((each for each in found if each.number not in dropped), key=lambda each: each.order)
        kept = left[: going_on(len(cells), number)] if number + 1 < len(steps) else left
        aside = sorted(each.number for each in left[len(kept) :])
        rounds.append(Round(step, alive, dropped, aside))
        alive = sorted(each.number for each in kept)
        if len(alive) == 1:
            break
    return rounds


def winner(standings: Sequence[Standing], rounds: Sequence[Round]) -> int:
    """Return the cell that looks nearest to the goals, or deepest inside them, of those that went on to the end."""
    last = rounds[-1]
    ended = {*last.dropped, *last.aside}
    finalists = [each for each in standings if each.number in last.cells and each.number not in ended]
    return min(finalists, key=lambda each: each.order).number
