"""``simlib measures``: what can be measured of a game's variants, by the names that goals and targets take."""

import argparse
import sys
from typing import Any

from simlib.arguments import add_verb


def add(verbs: Any) -> None:
    """Add the verb to the command line."""
    verb = add_verb(verbs, "measures", run, "List a game's measures, each with its experiment: for GOAL and [targets].")
    verb.add_argument("game", help="a game, as in `simlib games`")


def run(options: argparse.Namespace) -> None:
    """Print a game's measures."""
    from simlib.games import game_named

    game = game_named(options.game).name

    from simlib.measured import measures_of

    for measure in measures_of(game).values():
        unit = "a share, from 0 to 1" if measure.figure.percent else measure.figure.unit or "a number"
        sys.stdout.write(f"{measure.name}: {measure.figure.label}; {unit} ({measure.experiment})\n")
