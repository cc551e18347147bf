"""Large spaces: optuna proposes cells by what came out of earlier ones, the same for a seed whatever plays them."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from simlib.axes import Axis
from simlib.sweep.plan import Cell, Illegal
from simlib.targets import Goal
from simlib.tune.search import Ledger, first_parts, standings
from simlib.tune.space import Space, none_legal

TRIALS = 256  # cells that are played
AT_ONCE = 16  # proposed before any of them is played, whatever the number of threads
PATIENCE = 4  # proposals at most, as a multiple of TRIALS: some are illegal, some were proposed before
FIRST = 32  # cells drawn by chance, before any is proposed by what came out; also a generation


def proposed(space: Space, ledger: Ledger, games: int) -> tuple[dict[int, Cell], list[Illegal]]:
    """Return cells of a large space, each played so many games, and those that can't be played.

    Raises
    ------
    BadInput
        If none that was proposed can be played.
    """
    study, steps = _study(ledger.goals, space.request.seed), first_parts(games)
    known: dict[tuple[int, ...], int | Illegal] = {}
    cells: dict[int, Cell] = {}
    for _ in range(TRIALS * PATIENCE // AT_ONCE):
        trials = [study.ask() for _ in range(AT_ONCE)]
        places = [_places(trial, space.axes) for trial in trials]
        new: dict[int, Cell] = {}
        for place in dict.fromkeys(places):
            if place in known or len(cells) + len(new) == TRIALS:
                continue
            found = space.cell({axis.key: axis.values[at] for axis, at in zip(space.axes, place, strict=True)})
            known[place] = found if isinstance(found, Illegal) else len(cells) + len(new)
            if isinstance(found, Cell):
                new[len(cells) + len(new)] = found
        ledger.play(new, steps)
        cells |= new
        _tell(study, trials, [known.get(place) for place in places], ledger)
        if len(cells) == TRIALS or len(known) == space.size:
            break
    illegal = [each for each in known.values() if isinstance(each, Illegal)]
    if not cells:
        raise none_legal(illegal)
    return cells, illegal


def _study(goals: Sequence[Goal], seed: int) -> Any:
    """Return what proposes cells: a tree of Parzen estimators for one goal, NSGA-II for several."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # parts of it call themselves experimental
        small = seed % 2**32
        sampler = (
            optuna.samplers.TPESampler(seed=small, n_startup_trials=FIRST, constant_liar=True)
            if len(goals) == 1
            else optuna.samplers.NSGAIISampler(seed=small, population_size=FIRST)
        )
    return optuna.create_study(directions=["minimize"] * len(goals), sampler=sampler)


def _places(trial: Any, axes: Sequence[Axis]) -> tuple[int, ...]:
    """Return which value of each axis a trial takes; numbers are proposed as such, in order."""
    return tuple(_place(trial, axis) for axis in axes)


def _place(trial: Any, axis: Axis) -> int:
    if not axis.numeric:
        return int(trial.suggest_categorical(axis.key, tuple(range(len(axis.values)))))
    ranked = sorted(range(len(axis.values)), key=lambda at: axis.values[at])
    return ranked[trial.suggest_int(axis.key, 0, len(ranked) - 1)]


def _tell(study: Any, trials: Sequence[Any], found: Sequence[int | Illegal | None], ledger: Ledger) -> None:
    """Say what came of some trials: how far each goal is missed, and by how much it is met where there is one alone."""
    import optuna

    numbers = [each for each in found if isinstance(each, int)]
    misses = _misses(ledger, numbers)
    for trial, each in zip(trials, found, strict=True):
        if isinstance(each, int):
            study.tell(trial, misses[each])
        else:
            study.tell(trial, state=optuna.trial.TrialState.FAIL)


def _misses(ledger: Ledger, numbers: Sequence[int]) -> Mapping[int, list[float]]:
    found = standings(ledger.goals, ledger.land(), dict.fromkeys(numbers), 1)
    least = -float("inf") if len(ledger.goals) == 1 else 0.0  # of several goals one that is met is no reason to go on
    return {
        each.number: [max(least, one.misses[0]) for one in each.judged] for each in found
    }  # fmt: skip
