"""From a log that was checked to a kept result: games of the same numbers of players are simulated, and tallied."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from simlib import history, results
from simlib.experiments import variant_facts, versions
from simlib.languages import ENGLISH, speaking
from simlib.playtest.asked import Asked
from simlib.playtest.figures import figures, merged, played_counts, simulated_counts, tally
from simlib.playtest.page import KIND, TITLE, answer_of, label_of, write_page
from simlib.results import Results


def run(
    asked: Asked, folder: Path, jobs: int, *, quiet: bool = False, language: str = ENGLISH,
    tell: Callable[[list[str]], None] = lambda lines: None,
) -> Path:  # fmt: skip
    """Simulate games of each number of players, keep the result in the folder and return the page's path.

    Parameters
    ----------
    tell : callable, optional
        Takes what is to be said of players in a file of their own.
    """
    from simlib.batch import Arm, make_ready

    found = {}
    for players, variant in asked.variants.items():
        arm = Arm(variant, asked.seats[players])
        if told := make_ready(arm):
            tell([told])
        found[label_of(players)] = simulated(arm, asked.seed, asked.games, jobs, quiet=quiet)
    kept = Results(KIND, _facts(asked), found)
    results.save(folder, kept)
    page = write_page(folder, language)
    with speaking(language):
        history.add(folder, history.entry_of(kept, TITLE, answer_of(kept).headline, KIND))
    return page


def simulated(arm: Any, seed: int, games: int, jobs: int, *, quiet: bool) -> dict[str, np.ndarray]:
    """Return the tally of each figure over simulated games; the same for any number of threads."""
    from simlib.batch import columns_of, stream_rows

    variant, names = arm.variant, columns_of(arm.variant)
    wanted = figures(variant.game, variant.parameters)
    found: dict[str, np.ndarray] = {}
    with closing(stream_rows(arm, seed, games, jobs, quiet=quiet)) as chunks:
        for rows in chunks:
            counts = simulated_counts(variant.game, dict(zip(names, rows.T, strict=True)), variant.parameters)
            for name, figure in wanted.items():
                own = tally(counts, figure)
                found[name] = merged([found[name], own]) if name in found else own
    return found


def _facts(asked: Asked) -> dict[str, Any]:
    labelled = {label_of(players): variant for players, variant in asked.variants.items()}
    seated = [seat for seats in asked.seats.values() for seat in seats]
    return {
        "name": KIND,
        "question": f"Do the games in {asked.file} fit the model?",
        "file": asked.file,
        "log": [
            game.plain() | {"counts": game.counts | played_counts(game.scores, game.winners, game.start)}
            for game in asked.log
        ],
        "policy": asked.policy,
        "variants": variant_facts(labelled),
        "players": {seat.text: seat.sentence for seat in seated},
        "sees_all": list(dict.fromkeys(seat.text for seat in seated if seat.player.sees_all)),
        "played": dict.fromkeys(labelled, asked.games),
        "games": asked.games * len(labelled),
        "asked": asked.games,
        "seed": asked.seed,
        "command": asked.command,
        "sources": [list(source) for source in asked.sources],
        "versions": versions(),
    }
