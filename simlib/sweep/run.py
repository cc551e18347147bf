"""From what a sweep is asked for to its report: play the cells, keep the result, write the page."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlib import results
from simlib.checkpoints import Checkpoints, kept_in
from simlib.errors import BadInput
from simlib.experiments import DESIGN, experiment_named, page_facts, variant_facts, versions
from simlib.languages import ENGLISH, say, speaking
from simlib.results import Results
from simlib.sweep.plan import Asked, Cell, blocks_of, label_of, spelled, tables
from simlib.targets import with_goals
from simlib.variants import Variant

if TYPE_CHECKING:
    from simlib.findings import Finding
    from simlib.landscape import Landscape
    from simlib.measured import Measure
    from simlib.pages.page import RunFacts

KIND = "sweep"
AGAIN = "again"  # the block of the highest and the lowest cell, on games of their own
After = Callable[[Results, str], None]  # takes a result and its answer


def run(
    asked: Asked, folder: Path, jobs: int, *, quiet: bool = False, language: str = ENGLISH,
    fresh: bool = False, tell: Callable[[list[str]], None] = lambda lines: None,
    after: After = lambda run, headline: None,
) -> Path:  # fmt: skip
    """Play a sweep, keep its result in the folder and return the page's path.

    Parameters
    ----------
    fresh : bool, optional
        Play all games, whatever an earlier run finished of them.
    tell : callable, optional
        Takes what is to be said before it is played.
    after : callable, optional
        Takes the result and the answer, once the page is written.
    """
    from simlib.landscape import Landscape

    legal, _ = asked.sorted_out
    tell(asked.notices)
    measures = measures_in(asked)
    blocks = blocks_of([cell.label for cell in legal])
    with kept_in(folder, f"OUT={folder}", fresh=fresh, tell=tell) as kept:
        play = _Player(asked, jobs, tell, kept, quiet=quiet)
        played = play.blocks(blocks, measures)
        ends = extremes(Landscape(blocks, measures, played), measures[0].name)
        if ends:
            played |= play.blocks({AGAIN: ends}, measures[:1])
        results.save(folder, Results(KIND, _facts(asked, measures, ends), played))
        page = write_page(folder, language, after)
        kept.clear()
    return page


def measures_in(asked: Asked) -> "list[Measure]":
    """Return what is measured of each cell, the most telling measure first."""
    from simlib.measured import measures_of

    names = [source.name for source in asked.sources]
    own = [measure for measure in measures_of(asked.game).values() if measure.experiment in names]
    return with_goals(own, asked.goals)


def extremes(land: "Landscape", name: str) -> list[str]:
    """Return the labels of the cells where a measure is highest and lowest; none where fewer than two have it."""
    values = {label: land.estimate(name, label).value for label in land.labels}
    known = [label for label in land.labels if math.isfinite(values[label])]
    if len(known) < 2:
        return []
    highest = max(known, key=values.__getitem__)
    return [highest, min((label for label in known if label != highest), key=values.__getitem__)]


class _Player:
    """Plays blocks of cells, each on games of its own."""

    def __init__(
        self, asked: Asked, jobs: int, tell: Callable[[list[str]], None], kept: Checkpoints, *, quiet: bool
    ) -> None:
        from simlib.batch import Arm, make_ready

        self._asked, self._jobs, self._kept, self._quiet = asked, jobs, kept, quiet
        self._cells: dict[str, Cell] = {cell.label: cell for cell in asked.sorted_out[0]}
        self._first = 0  # the number of the next block's first game
        first = asked.sorted_out[0][0]
        tell([line for line in [make_ready(Arm(first.variant, first.players))] if line])

    def blocks(self, blocks: Mapping[str, Sequence[str]], measures: "Sequence[Measure]") -> dict[str, Any]:
        """Return the summaries of some blocks' studies, by key."""
        from simlib import batch
        from simlib.landscape import Spot, studies

        planned: list[Any] = []
        done: dict[str, int] = {}
        for block, labels in blocks.items():
            cells = [self._cells[label] for label in labels]
            spots = [Spot(cell.label, cell.variant, cell.players) for cell in cells]
            own = studies(block, spots, measures, self._first + self._asked.request.games)
            done |= {study.key: self._first for study in own}
            planned += own
            self._first += self._asked.request.games
        seed = self._asked.request.seed
        return dict(batch.run(planned, seed, self._jobs, done=done, quiet=self._quiet, kept=self._kept))


def _facts(asked: Asked, measures: "Sequence[Measure]", ends: Sequence[str]) -> dict[str, Any]:
    legal, illegal = asked.sorted_out
    request, seats = asked.request, {player.text: player for player in asked.players}
    again = {"games of the highest and of the lowest cell, once more": request.games} if ends else {}
    return {
        "name": asked.name,
        "game": asked.game,
        "axes": [{"key": axis.key, "values": _values(axis.key, legal)} for axis in asked.axes],
        "cells": [{"label": c.label, "settings": c.settings, "fingerprint": c.variant.fingerprint} for c in legal],
        "illegal": [{"label": label_of(each.settings), "reason": each.reason,
                     "settings": {key: spelled(value) for key, value in each.settings.items()}} for each in illegal],
        "measures": [measure.name for measure in measures],
        "goals": [[goal.name, goal.text] for goal in asked.goals],
        "again": list(ends),
        "present": _present(asked),
        "variants": variant_facts({legal[0].label: legal[0].variant}),
        "policy": asked.policy,
        "players": {text: player.sentence for text, player in seats.items()}
        | {f"trained ({number})": line for number, line in enumerate(asked.notices, 1)},
        "sees_all": [text for text, player in seats.items() if player.player.sees_all],
        "played": {"games of each cell": request.games} | again,
        "games": sum(games for _, _, games in tables(asked, ends)),
        "asked": request.games,
        "seed": request.seed,
        "command": request.command,
        "versions": versions(),
        "sources": [[request.file.name, request.source]] if request.file else [],
    }  # fmt: skip


def _values(key: str, legal: Iterable[Cell]) -> list[Any]:
    """Return the values that a parameter takes in legal cells; numbers in order."""
    values = list({spelled(cell.settings[key]): cell.settings[key] for cell in legal}.values())
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
    return sorted(values) if numbers else values


def _present(asked: Asked) -> dict[str, Any]:
    """Return the values of the axes' parameters in the variant that cells change, where that can be played.

    Of an axis' values it is the one that changes nothing, however it is spelled.
    """
    try:
        played = asked.request.variant(asked.game)
    except BadInput:
        return {}
    flat = played.flat()
    found = {axis.key: [each for each in axis.values if _is(asked, axis.key, each, played)] for axis in asked.axes}
    return {key: same[0] if same else flat[key] for key, same in found.items() if same or key in flat}


def _is(asked: Asked, key: str, value: Any, played: Variant) -> bool:
    """Tell whether a parameter has a value in the variant that is played."""
    try:
        return asked.request.variant(asked.game, **{key: value}).fingerprint == played.fingerprint
    except BadInput:
        return False


def title_of(run: Results) -> str:
    """Return what a sweep is about: its experiment's title."""
    name = run.facts["name"]
    return "all measures" if name == DESIGN else str(experiment_named(name).TITLE)


def write_page(folder: Path, language: str = ENGLISH, after: After = lambda run, headline: None) -> Path:
    """Make a sweep's page and downloads from its result file alone, in a language; return the page's path.

    Raises
    ------
    BadInput
        If the folder holds no sweep.
    """
    found = results.load(folder, KIND)

    from simlib.pages.page import write

    with speaking(language):
        findings, facts = page_of(found)
        page = write(folder, findings, facts, lambda: page_of(found)[0])
        after(found, findings[0].headline)
    return page


def page_of(found: results.Results) -> "tuple[list[Finding], RunFacts]":
    """Return what a sweep's page says, as `experiments.page_of` does."""
    from simlib.sweep.findings import GLOSSARY, findings, question

    title = say("Sweep: {title}", title=title_of(found))
    return findings(found), page_facts(found, title, question(found), GLOSSARY)
