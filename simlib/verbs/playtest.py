"""``simlib playtest``: one's own games beside simulated ones."""

import argparse
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlib.arguments import (
    MOST_GAMES,
    SHARED,
    add_report_verb,
    asked_for,
    language_in,
    make_command,
    players_in,
    report_folder,
    seed_in,
    tell,
    whole_number,
    workers_in,
)
from simlib.errors import BadInput, did_you_mean, one_line

if TYPE_CHECKING:
    from simlib.experiments import Request
    from simlib.playtest.asked import Asked
    from simlib.playtest.logs import VariantFor
    from simlib.variants import Variant

GAMES, LEAST = 20_000, 100
REPEATED = ("GAME", "LOG", "VARIANT", "SET", "POLICY", "GAMES", "SEED")  # what the command that repeats it names
VARIABLES = {
    "GAME": "the game that was played",
    "LOG": "your games: a CSV file or one of records (docs/playtest-logs.md)",
    "VARIANT": "a TOML file with the variant that was played (the classic game)",
    "SET": "changed parameters, such as 'bid.double=3'",
    "POLICY": "who plays the simulated games: one player for all seats, or one a seat, split by commas (greedy)",
    "GAMES": f"simulated games for each number of players in the log ({GAMES:,})",
    "OUT": "where the report goes (reports/playtest_GAME)",
} | SHARED


def add(verbs: Any) -> None:
    """Add the verb to the command line."""
    sentence = "Check a log of your own games, and lay them beside simulated ones."
    add_report_verb(verbs, "playtest", run, sentence, VARIABLES)


def run(options: argparse.Namespace) -> int:
    """Compare a log with simulated games and print where the report is."""
    given = asked_for(options, VARIABLES)
    game = _game(given)
    folder, language = report_folder(given, f"playtest_{game.name}"), language_in(given)
    if options.page:
        from simlib.playtest.page import write_page

        sys.stdout.write(f"{write_page(folder, language)}\n")
        return 0
    from simlib.checkpoints import held
    from simlib.results import check_place

    asked = _asked(given, game.name)
    check_place(folder)

    from simlib.playtest import run as playing

    with workers_in(given) as jobs, held(folder, f"OUT={folder}"):
        page = playing.run(asked, folder, jobs, quiet=options.quiet, language=language, tell=tell)
    sys.stdout.write(f"{page}\n")
    return 0


def _game(given: dict[str, str]) -> Any:
    from simlib.games import game_named, games

    if "GAME" not in given:
        raise BadInput(f"GAME is missing: name the game that was played{did_you_mean('', games())}")
    return game_named(given["GAME"])


def _asked(given: dict[str, str], game: str) -> "Asked":
    """Return what is asked for, checked before anything is played; nothing heavy is imported for it."""
    from simlib.games import TARGETS
    from simlib.playtest.asked import Asked
    from simlib.playtest.logs import read_log
    from simlib.targets import goals_of

    count = whole_number("GAMES", given.get("GAMES", str(GAMES)), LEAST, MOST_GAMES)
    seed = seed_in(given.get("SEED"))
    if "LOG" not in given:
        raise BadInput("LOG is missing: name a file with your games (docs/playtest-logs.md says how to write one)")
    path, policy = Path(given["LOG"]), given.get("POLICY", "greedy")
    request = _request(given, seed)
    goals_of(request.written.get(TARGETS, {}), game, f"{request.file}: {TARGETS}")  # so that faults in them are told
    variant_for = _variants(request, game)
    log = read_log(path, game, variant_for, f"LOG={path}")
    variants = {players: variant_for(players) for players in sorted({played.players for played in log})}
    seats = {players: players_in(policy, variant, "POLICY") for players, variant in variants.items()}
    command = make_command("playtest", REPEATED, given, count)
    sources = [(one_line(request.file.name), request.source)] if request.file else []
    return Asked(one_line(path.name), log, variants, seats, policy, count, seed, command, sources)


def _request(given: dict[str, str], seed: int) -> "Request":
    from simlib.experiments import Request
    from simlib.variants import read_settings, split_settings

    settings = read_settings(split_settings(given.get("SET", "")), "SET")
    return Request(1, seed, settings, Path(given["VARIANT"]) if "VARIANT" in given else None)


def _variants(request: "Request", game: str) -> "VariantFor":
    """Return what gives the asked variant for a number of players, and refuses others where the request fixes one."""
    request.variant(game)  # what can't be played at all is told before the log is read

    @cache
    def variant_for(players: int) -> "Variant":
        variant = request.variant(game, players=None if request.fixes("players") else players)
        if variant.parameters.players != players:
            raise BadInput(f"it must be {variant.parameters.players}, as the variant has")
        return variant

    return variant_for
