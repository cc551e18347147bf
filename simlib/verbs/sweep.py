"""``simlib sweep``: measure many variants, and tell what each parameter changes."""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
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
    player_named,
    report_folder,
    seed_in,
    tell,
    whole_number,
    workers_in,
)
from simlib.errors import BadInput, did_you_mean

GAMES = 10_000
REPEATED = ("NAME", "SWEEP", "GAME", "SET", "VARIANT", "POLICY", "GAMES", "SEED")  # in the command that repeats it
VARIABLES = (
    {
        "NAME": "the experiment whose measures are taken; design for all that the toolkit measures",
        "SWEEP": 'what to change, such as "players=3..4 deck.copies=1..4 bid.double=2..5:0.5"',
        "GAME": "the game, where the experiment is about all of them",
        "SET": "parameters that are changed in all cells, split by blanks",
        "VARIANT": "a TOML file: the variant that the cells change (classic)",
        "POLICY": POLICY,
        "GAMES": f"games of each cell ({GAMES:,})",
        "OUT": "where the report goes (reports/sweep_NAME)",
        "DRY": "1 prints what would be played, and about how long it takes, and plays nothing (0)",
    }
    | SHARED
    | KEPT
)


def add(verbs: Any) -> None:
    """Add the verb to the command line."""
    sentence = "Measure many variants: where a measure is highest, what each parameter changes."
    add_report_verb(verbs, "sweep", run, sentence, VARIABLES)


def run(options: argparse.Namespace) -> int:
    """Play a sweep and print where its report is; or print what would be played."""
    from simlib.results import check_place
    from simlib.sweep.run import run, write_page

    given = asked_for(options, VARIABLES)
    name = _name(given)
    folder, language = report_folder(given, f"sweep_{name}"), language_in(given)
    if options.page:
        sys.stdout.write(f"{write_page(folder, language)}\n")
        return 0
    dry = whole_number("DRY", given.get("DRY", "0"), 0, 1)
    asked, fresh = _asked(given, name), fresh_in(given)
    asked.check()
    check_place(folder)
    with workers_in(given) as jobs:
        if dry:
            return _dry_run(asked, jobs)
        page = run(
            asked, folder, jobs, quiet=options.quiet, language=language, fresh=fresh, tell=tell,
            after=_into_history(folder),
        )  # fmt: skip
    sys.stdout.write(f"{page}\n")
    return 0


def _into_history(folder: Path) -> Any:
    """Return what adds a sweep's result to the history, once its page is written."""
    from simlib import history
    from simlib.sweep.run import KIND, title_of

    def add(found: Any, headline: str) -> None:
        history.add(folder, history.entry_of(found, title_of(found), headline, KIND))

    return add


def _dry_run(asked: Any, jobs: int) -> int:
    from simlib.sweep.plan import dry_run

    for line in dry_run(asked, jobs):
        sys.stdout.write(f"{line}\n")
    return 0


def _name(given: Mapping[str, str]) -> str:
    """Return the experiment's name, checked: it becomes part of a path."""
    from simlib.experiments import DESIGN, about, questions

    name = given.get("NAME", "")
    if not name:
        raise BadInput(f"NAME is missing: name an experiment, or {DESIGN}{did_you_mean(name, questions())}")
    return name if name == DESIGN else about(name, DESIGN).name


def _asked(given: Mapping[str, str], name: str) -> Any:
    """Return what is asked for, checked before anything heavy is imported."""
    from simlib.axes import Axis, check_keys, parse_axes
    from simlib.experiments import Request
    from simlib.games import game_named
    from simlib.sweep.plan import Asked
    from simlib.variants import read_settings, split_settings

    games = whole_number("GAMES", given.get("GAMES", str(GAMES)), 1, MOST_GAMES)
    axes = parse_axes(given.get("SWEEP", ""), "SWEEP")
    settings = read_settings(split_settings(given.get("SET", "")), "SET")
    named = given.get("GAME") or str(settings.pop("game", ""))
    file = Path(given["VARIANT"]) if "VARIANT" in given else None
    command = make_command("sweep", REPEATED, given, games)
    request = Request(games, seed_in(given.get("SEED")), settings, file, command, named)
    game = _game(request, name)
    check_keys(axes, game_named(game), "SWEEP")
    check_keys([Axis(key, ()) for key in settings], game_named(game), "SET")
    if both := [axis.key for axis in axes if axis.key in settings]:
        raise BadInput(f"SWEEP: {both[0]} is in SET, too: name it in one of them")
    policy = given.get("POLICY", "greedy")
    players = tuple(player_named(text.strip(), game, "POLICY") for text in policy.split(","))
    return Asked(name, game, axes, request, policy, players)


def _game(request: Any, name: str) -> str:
    """Return the one game that is swept.

    Raises
    ------
    BadInput
        If none is named, or another one than the experiment's.
    """
    from simlib.experiments import ALL, DESIGN, about
    from simlib.games import game_named

    own = ALL if name == DESIGN else about(name).game
    named = game_named(request.game).name if request.game else ""
    found: list[str] = request.games_of(own)
    if len(found) > 1:
        raise BadInput(f"NAME={name}: say of which game, by GAME=... (allowed: {', '.join(found)})")
    if named and named != found[0]:
        raise BadInput(f"GAME={named}: NAME={name} is about {found[0]}")
    return found[0]
