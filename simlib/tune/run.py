"""From what is to be tuned to its report: search, measure the winner afresh, keep the result, write the page."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlib import results
from simlib.checkpoints import Checkpoints, kept_in
from simlib.errors import one_line
from simlib.experiments import page_facts, variant_facts, versions
from simlib.files import write_whole
from simlib.games import game_named
from simlib.languages import ENGLISH, say, speaking
from simlib.players.weights import notices
from simlib.results import Results
from simlib.sweep.plan import Cell, Illegal, label_of
from simlib.targets import Goal
from simlib.tune.proposals import TRIALS, proposed
from simlib.tune.search import FRESH, Ledger, rungs, search, standings, winner
from simlib.tune.space import Space

if TYPE_CHECKING:
    from simlib.findings import Finding
    from simlib.pages.page import RunFacts

KIND = "tune"
FILE = "winner.toml"  # the winner as a variant file, beside the page
MOST_NOTICES = 20
After = Callable[[Results, str], None]  # takes a result and its answer


def fresh_seed(seed: int) -> int:
    """Return the seed that the winner is measured with: another root, so none of the search's games.

    Examples
    --------
    >>> fresh_seed(1) != fresh_seed(2)
    True
    """
    return int.from_bytes(hashlib.sha256(f"{seed} {FRESH}".encode()).digest()[:8], "big")


def run(
    space: Space, goals: Sequence[Goal], folder: Path, jobs: int, *, quiet: bool = False, language: str = ENGLISH,
    fresh: bool = False, tell: Callable[[list[str]], None] = lambda lines: None,
    after: After = lambda run, headline: None,
) -> Path:  # fmt: skip
    """Tune, keep the result in the folder and return the page's path.

    What an earlier run into the folder finished is taken over where nothing that it depends on has changed: the search
    then takes the same way again.

    Parameters
    ----------
    fresh : bool, optional
        Play all games, whatever is finished of them.
    tell : callable, optional
        Takes what is to be said before games are played.
    after : callable, optional
        Takes the result and the answer, once the page is written.
    """
    with kept_in(folder, f"OUT={folder}", fresh=fresh, tell=tell) as kept:
        results.save(folder, _tuned(space, goals, jobs, kept, quiet=quiet, tell=tell))
        page = write_page(folder, language, after)
        kept.clear()
    return page


def _tuned(
    space: Space, goals: Sequence[Goal], jobs: int, kept: Checkpoints, *, quiet: bool, tell: Callable[[list[str]], None]
) -> Results:
    """Search, and play the winner afresh."""
    steps = rungs(space.request.games, len(space.sorted_out[0]) if space.small else TRIALS)
    ledger = Ledger(goals, space.request.seed, jobs, quiet=quiet, tell=tell, kept=kept)
    if space.small:
        legal, illegal = space.sorted_out
        cells = dict(enumerate(legal))
        tell(told_of(legal))
    else:
        cells, illegal = proposed(space, ledger, steps[0])
    rounds = search(ledger, cells, steps)
    best = winner(standings(ledger.goals, ledger.land(), rounds[-1].cells, 1), rounds)
    again = Ledger(goals, fresh_seed(space.request.seed), jobs, quiet=quiet, kept=kept)
    again.play({best: cells[best]}, {FRESH: (0, space.request.games)})
    facts = _facts(space, goals, cells, illegal) | {
        "looks": len(steps),
        "rounds": [each._asdict() for each in rounds],
        "winner": best,
        "variants": variant_facts({cells[best].label: cells[best].variant}),
        "games": ledger.games + again.games,
        "played": {f"games of a cell, by the end of round {at}": each.games for at, each in enumerate(rounds, 1)}
        | {"games of the winner, played afresh": space.request.games},
    }
    return Results(KIND, facts, ledger.summaries | again.summaries)


def told_of(cells: Iterable[Cell]) -> list[str]:
    """Return what is to be known of cells that a player of theirs didn't learn, each once; of many the first."""
    lines = list(dict.fromkeys(line for cell in cells for line in notices(cell.variant, cell.players)))
    more = [f"... and {len(lines) - MOST_NOTICES} more such cells"] if len(lines) > MOST_NOTICES else []
    return [*lines[:MOST_NOTICES], *more]


def _facts(
    space: Space, goals: Sequence[Goal], cells: Mapping[int, Cell], illegal: Sequence[Illegal]
) -> dict[str, Any]:
    request, seats = space.request, {player.text: player for player in space.players}
    return {
        "name": KIND,
        "game": space.game,
        "axes": [{"key": axis.key, "values": list(axis.values)} for axis in space.axes],
        "size": space.size,
        "small": space.small,
        "goals": [[goal.name, goal.text] for goal in goals],
        "cells": [{"label": cell.label, "settings": cell.settings} for cell in cells.values()],
        "illegal": [{"label": label_of(each.settings), "reason": each.reason} for each in illegal],
        "policy": space.policy,
        "players": {text: player.sentence for text, player in seats.items()}
        | {f"trained ({number})": line for number, line in enumerate(told_of(cells.values()), 1)},
        "sees_all": [text for text, player in seats.items() if player.player.sees_all],
        "asked": request.games,
        "seed": request.seed,
        "command": request.command,
        "versions": versions(),
        "sources": [[one_line(request.file.name), request.source]] if request.file else [],
    }


def write_page(folder: Path, language: str = ENGLISH, after: After = lambda run, headline: None) -> Path:
    """Make a tune's page, its downloads and the winner's variant file from its result file alone.

    Returns
    -------
    Path
        The page's.

    Raises
    ------
    BadInput
        If the folder holds no tune.
    """
    found = results.load(folder, KIND)

    from simlib.pages.page import write
    from simlib.tune.tuned import Tuned

    with speaking(language):
        findings, facts = page_of(found)
        page = write(folder, findings, facts, lambda: page_of(found)[0])
        write_whole(folder / FILE, Tuned(found).toml)
        after(found, findings[0].headline)
    return page


def page_of(found: results.Results) -> "tuple[list[Finding], RunFacts]":
    """Return what a tune's page says, as `experiments.page_of` does."""
    from simlib.tune.findings import GLOSSARY, findings, question
    from simlib.tune.tuned import Tuned

    tuned = Tuned(found)
    title = say("Tuning {game}", game=game_named(tuned.game).title)
    return findings(tuned), page_facts(found, title, question(tuned), GLOSSARY)
