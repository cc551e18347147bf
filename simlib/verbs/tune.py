"""``simlib tune``: search a space of variants for one that meets goals."""

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

GAMES = 20_000
REPEATED = ("GAME", "SPACE", "GOAL", "SET", "VARIANT", "POLICY", "GAMES", "SEED")  # in the command that repeats it
VARIABLES = (
    {
        "GAME": "the game",
        "SPACE": 'what to search, such as "bid.double=2..5:0.5 deck.copies=1..3"',
        "GOAL": 'what to reach, such as "double_bid_share=0.3..0.5 start_seat_edge<0.01" (the targets of VARIANT)',
        "SET": "parameters that are changed in all cells, split by blanks",
        "VARIANT": "a TOML file: the variant that the cells change (classic)",
        "POLICY": POLICY,
        "GAMES": f"games of a cell that is searched to the end, and of the winner afresh ({GAMES:,})",
        "OUT": "where the report goes (reports/tune_GAME)",
    }
    | SHARED
    | KEPT
)


def add(verbs: Any) -> None:
    """Add the verb to the command line."""
    sentence = "Search a space of variants for one that meets goals, and measure it afresh."
    add_report_verb(verbs, "tune", run, sentence, VARIABLES)


def run(options: argparse.Namespace) -> int:
    """Tune, and print the answer and where the report is."""
    given = asked_for(options, VARIABLES)
    game, language = _game(given), language_in(given)
    folder = report_folder(given, f"tune_{game}")
    if options.page:
        from simlib.tune.run import write_page

        sys.stdout.write(f"{write_page(folder, language)}\n")
        return 0
    space = _space(given, game)
    space.check()
    goals, fresh = _goals(given, space), fresh_in(given)

    from simlib.results import check_place
    from simlib.tune.run import run

    check_place(folder)
    with workers_in(given) as jobs:
        page = run(
            space, goals, folder, jobs, quiet=options.quiet, language=language, fresh=fresh, tell=tell,
            after=_into_history(folder, game),
        )  # fmt: skip
    sys.stdout.write(f"{page}\n")
    return 0


def _into_history(folder: Path, game: str) -> Any:
    """Return what prints a tune's answer and adds its run to the history, once its page is written."""
    from simlib import history
    from simlib.games import game_named

    def add(found: Any, headline: str) -> None:
        sys.stdout.write(f"{headline}\n")
        history.add(folder, history.entry_of(found, f"Tuning {game_named(game).title}", headline, "tune"))

    return add


def _game(given: Mapping[str, str]) -> str:
    """Return the game's name, checked: it becomes part of a path."""
    from simlib.games import game_named, games

    if "GAME" not in given:
        raise BadInput(f"GAME is missing: name a game{did_you_mean('', games())}")
    return game_named(given["GAME"]).name


def _space(given: Mapping[str, str], game: str) -> Any:
    """Return the space that is asked for, checked before anything heavy is imported."""
    from simlib.axes import check_keys, parse_axes
    from simlib.experiments import Request
    from simlib.games import game_named
    from simlib.tune.space import FOLDS, MOST, Space
    from simlib.variants import read_settings, split_settings

    games = whole_number("GAMES", given.get("GAMES", str(GAMES)), FOLDS, MOST_GAMES)
    axes = parse_axes(given.get("SPACE", ""), "SPACE", MOST)
    check_keys(axes, game_named(game), "SPACE")
    settings = read_settings(split_settings(given.get("SET", "")), "SET")
    for axis in axes:
        if axis.key in settings:
            raise BadInput(f"SPACE: {axis.key} is in SET, too: name it in one of them")
        if len(axis.values) == 1:
            raise BadInput(f"SPACE: {axis.key} takes one value alone: name several, or put it into SET")
    file = Path(given["VARIANT"]) if "VARIANT" in given else None
    request = Request(
        games, seed_in(given.get("SEED")), settings, file, make_command("tune", REPEATED, given, games), game
    )
    policy = given.get("POLICY", "greedy")
    players = tuple(player_named(text.strip(), game, "POLICY") for text in policy.split(","))
    return Space(game, axes, request, policy, players)


def _goals(given: Mapping[str, str], space: Any) -> Any:
    """Return the goals: those of GOAL, else the variant file's targets."""
    from simlib.games import TARGETS
    from simlib.targets import ALLOWED, goals_of, parse_goals

    own = goals_of(space.request.written.get(TARGETS, {}), space.game, f"{space.request.file}: {TARGETS}")
    goals = parse_goals(given["GOAL"], space.game, "GOAL") if "GOAL" in given else own
    if not goals:
        raise BadInput(f"GOAL is missing: say what to reach ({ALLOWED})")
    return goals
