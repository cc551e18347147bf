"""``simlib compare``: what moves from one design to another."""

import argparse
import sys
from typing import Any

from simlib.arguments import (
    KEPT,
    MOST_GAMES,
    POLICY,
    SHARED,
    add_report_verb,
    asked_for,
    fresh_in,
    language_in,
    make_command,
    players_in,
    report_folder,
    seed_in,
    tell,
    whole_number,
    workers_in,
)
from simlib.errors import BadInput

GAMES = 10_000
REPEATED = ("A", "B", "NAME", "GAME", "POLICY", "GAMES", "SEED")  # what the command that repeats it names
VARIABLES = (
    {
        "A": "a preset, a variant file (.toml) or an earlier run, and settings to change, split by blanks",
        "B": "the other one, likewise",
        "NAME": "the experiment whose measures are compared; design for all that the toolkit measures (design)",
        "GAME": "the game, where neither a file nor a run says it",
        "POLICY": POLICY,
        "GAMES": f"deals, each played under both ({GAMES:,})",
        "OUT": "where the report goes (reports/compare_NAME)",
    }
    | SHARED
    | KEPT
)


def add(verbs: Any) -> None:
    """Add the verb to the command line."""
    sentence = "Compare two designs: what differs, what moves, and games that show why."
    add_report_verb(verbs, "compare", run, sentence, VARIABLES)


def run(options: argparse.Namespace) -> int:
    """Compare two designs and print where the report is."""
    given = asked_for(options, VARIABLES)
    name = given.get("NAME", "design")
    folder, language = report_folder(given, f"compare_{name}"), language_in(given)

    from simlib import compare
    from simlib.results import check_place

    if options.page:
        sys.stdout.write(f"{compare.write_page(folder, language)}\n")
        return 0
    asked, fresh = _asked(given, name), fresh_in(given)
    check_place(folder)
    with workers_in(given) as jobs:
        page = compare.run(asked, folder, jobs, quiet=options.quiet, language=language, fresh=fresh, tell=tell)
    sys.stdout.write(f"{page}\n")
    return 0


def _asked(given: dict[str, str], name: str) -> Any:
    """Return what is asked for, checked before anything is played."""
    from simlib.compare import Asked, measures_for
    from simlib.designs import designs_in, goals_in

    games = whole_number("GAMES", given.get("GAMES", str(GAMES)), 1, MOST_GAMES)
    seed = seed_in(given.get("SEED"))
    designs = designs_in({where: given.get(where, "") for where in ("A", "B")}, _game(given, name))
    if designs[0].variant.fingerprint == designs[1].variant.fingerprint:
        raise BadInput(f"A and B are the same design ({designs[0].variant.fingerprint}): change one of them")
    measures_for(name, designs[0].variant.game)
    policy = given.get("POLICY", "greedy")
    players = [players_in(policy, design.variant, "POLICY") for design in designs]
    goals = goals_in(designs)
    return Asked(name, designs, players, policy, games, seed, make_command("compare", REPEATED, given, games), goals)


def _game(given: dict[str, str], name: str) -> str:
    """Return the game that GAME or the experiment names; empty where neither does."""
    from simlib.experiments import ALL, DESIGN, about

    own = about(name, DESIGN).game if name != DESIGN else ALL
    return given.get("GAME", "" if own == ALL else own)
