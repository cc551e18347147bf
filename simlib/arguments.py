"""What is typed becomes values: numbers, variants, players and the variables of `make`. Each fault is one line."""

import argparse
import math
import os
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from simlib.errors import BadInput, one_line

MOST_GAMES = 10**12
MOST_JOBS = 256
MOST_DIGITS = 40


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line, with status 2."""

    def error(self, message: str) -> NoReturn:
        """Raise the complaint instead of printing usage."""
        raise BadInput(f"{message} (see {self.prog} --help)")


def add_verb(verbs: Any, name: str, run: Any, sentence: str) -> Parser:
    """Return the parser of a new verb, which calls `run` with its options."""
    verb: Parser = verbs.add_parser(name, help=sentence, description=sentence, allow_abbrev=False)
    verb.set_defaults(run=run)
    return verb


def add_variables(verb: Parser, variables: Mapping[str, str]) -> None:
    """Give a verb an option for each variable of `make` that it takes, and one that takes them from the environment.

    Parameters
    ----------
    variables : mapping
        What each is, by its name in capitals.
    """
    for name, sentence in variables.items():
        verb.add_argument(f"--{name.lower().replace('_', '-')}", metavar=name, help=sentence)
    taken = ", ".join([*variables, QUIET])
    verb.add_argument("--environment", action="store_true", help=f"take {taken} from the environment")
    verb.add_argument("--quiet", action="store_true", help="no progress")


QUIET = "QUIET"  # the variable that stands for --quiet
POLICY = "one player for all seats, or one a seat, split by commas (greedy)"
SHARED = {  # variables that every verb of the designer's loop takes
    "SEED": "root of all random numbers (1)",
    "JOBS": "threads, or workers started here (all cores); the result doesn't depend on it",
    "BACKEND": "what plays: threads, processes, or dask (threads); the result doesn't depend on it",
    "ADDRESS": "of a dask scheduler, such as tcp://10.0.0.1:8786 (one is started here)",
    "REPORT_LANGUAGE": "the page's language: en or ja (en)",
}
KEPT = {  # those of verbs that go on where an earlier run ended
    "FRESH": "1: play all games, whatever an earlier run finished of them (0)",
}


def add_report_verb(verbs: Any, name: str, run: Any, sentence: str, variables: Mapping[str, str]) -> None:
    """Add a verb that writes a report, and can write its page again."""
    verb = add_verb(verbs, name, run, sentence)
    add_variables(verb, variables)
    verb.add_argument("--page", action="store_true", help="make the page again from the kept result, without playing")


def make_command(verb: str, names: Iterable[str], given: Mapping[str, str], games: int) -> str:
    """Return the make command that repeats a run: games, seed, and those of the names that were given, in order."""
    told = {"SEED": "1"} | dict(given) | {"GAMES": str(games)}
    return " ".join([f"make {verb}", *(f"{name}={shlex.quote(told[name])}" for name in names if name in told)])


def asked_for(
    options: argparse.Namespace, variables: Iterable[str], environment: Mapping[str, str] = os.environ
) -> dict[str, str]:
    """Return what was asked for by the variables' names: what was typed, else the environment where that is wished."""
    names = list(variables)
    wished = {key: environment[key] for key in names if options.environment and environment.get(key)}
    typed = {key: getattr(options, key.lower()) for key in names}
    return wished | {key: text for key, text in typed.items() if text is not None}


def heed_quiet(options: argparse.Namespace, environment: Mapping[str, str] = os.environ) -> None:
    """Let QUIET=1 do what ``--quiet`` does, where variables are taken from the environment.

    Raises
    ------
    BadInput
        If it is neither 0 nor 1.
    """
    if getattr(options, "environment", False) and environment.get(QUIET):
        options.quiet |= whole_number(QUIET, environment[QUIET], 0, 1) == 1


def whole_number(name: str, text: str, least: int, most: int) -> int:
    """Return the whole number in a text.

    Raises
    ------
    BadInput
        If it isn't one, or out of bounds.
    """
    is_whole = len(text) <= MOST_DIGITS and re.fullmatch(r"[+-]?[0-9]+(_[0-9]+)*", text)
    if not is_whole or not least <= int(text) <= most:
        raise BadInput(f"{name} = {one_line(repr(text), 60)}: it must be a whole number from {least:_} to {most:_}")
    return int(text)


def positive_number(name: str, text: str | None, default: float) -> float:
    """Return the number above 0 in a text; the default where there is none.

    Raises
    ------
    BadInput
        If it isn't one.
    """
    if text is None:
        return default
    is_number = len(text) <= MOST_DIGITS and re.fullmatch(r"([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", text)
    if not is_number or not 0 < float(text) < math.inf:
        raise BadInput(f"{name} = {one_line(repr(text), 60)}: it must be a number above 0")
    return float(text)


def jobs_in(text: str | None) -> int:
    """Return the number of threads asked for; all cores by default."""
    return whole_number("JOBS", text, 1, MOST_JOBS) if text is not None else os.cpu_count() or 1


@contextmanager
def workers_in(given: Mapping[str, str]) -> Iterator[int]:
    """Have the games of a block played by what BACKEND, ADDRESS and JOBS ask for, and give the block JOBS.

    Raises
    ------
    BadInput
        If one of them can't be used; workers are started, or sought, with the first games to play.
    """
    from simlib.backends import THREADS, backend_named, played_by

    jobs = jobs_in(given.get("JOBS"))
    backend = backend_named(given.get("BACKEND", THREADS), given.get("ADDRESS", ""), jobs, tell)
    with played_by(backend):
        yield jobs


def seed_in(text: str | None, name: str = "SEED") -> int:
    """Return the seed asked for; 1 by default."""
    return whole_number(name, "1" if text is None else text, 0, 2**64 - 1)


def fresh_in(given: Mapping[str, str]) -> bool:
    """Return whether all games are to be played, whatever an earlier run finished of them."""
    return whole_number("FRESH", given.get("FRESH", "0"), 0, 1) == 1


def language_in(given: Mapping[str, str]) -> str:
    """Return the code of the language that a page is wished in; English by default.

    Raises
    ------
    BadInput
        If there is no such language.
    """
    from simlib.languages import ENGLISH, language_named

    return language_named(given.get("REPORT_LANGUAGE", ENGLISH), "REPORT_LANGUAGE")


def variant_in(options: argparse.Namespace, written: dict[str, Any] | None = None) -> Any:
    """Return the variant that a verb's ``game``, ``--preset``, ``--variant``, ``--players`` and ``--set`` give.

    Parameters
    ----------
    written : dict, optional
        The file's content, where it was read before.
    """
    from simlib.games import game_named, make_variant
    from simlib.variants import read_settings

    settings = list(options.set)
    if options.players is not None:
        settings.append(f"players={options.players}")
    game = game_named(options.game)
    changed = read_settings(settings, "--set")
    base = "classic" if options.preset is None else options.preset
    return make_variant(game, base=base, file=options.variant, written=written, settings=changed, where="--set")


def players_in(named: str, variant: Any, key: str) -> tuple[Any, ...]:
    """Return the players of a variant's seats, one for all or one a seat; standard error tells what is to be known.

    Parameters
    ----------
    named : str
        As typed, such as ``greedy`` or ``greedy,random,random,random``.
    key : str
        What to call it in an error.

    Raises
    ------
    BadInput
        If there is no such player, or a number of them that doesn't fit; the kernels aren't imported before.
    """
    from simlib.players.weights import notices

    seats, texts = variant.parameters.players, named.split(",")
    if len(texts) not in (1, seats):
        raise BadInput(f"{key} {one_line(named, 60)!r}: it must name one player, or one for each of the {seats} seats")
    players = tuple(player_named(text.strip(), variant.game, key) for text in texts) * (seats // len(texts))
    tell(notices(variant, players))
    return players


def player_named(text: str, game: str, key: str) -> Any:
    """Return a player of a game, or one of a designer's own file.

    Raises
    ------
    BadInput
        If there is none of that name.
    """
    from simlib.games import game_named
    from simlib.hooks import seated
    from simlib.own import is_own, own_player

    if is_own(text):
        return own_player(text, game, key)
    return seated(text, game_named(game).module("players").PLAYERS, key)


def tell(lines: Sequence[str]) -> None:
    """Print notices on standard error."""
    for line in lines:
        sys.stderr.write(f"simlib: {line}\n")


def report_folder(given: Mapping[str, str], name: str) -> Path:
    """Return where a report goes: OUT, or its own folder among the reports.

    Raises
    ------
    BadInput
        If OUT is the folder of all reports: the list of them is there.
    """
    from simlib.experiments import ROOT

    reports = ROOT / "reports"
    if "OUT" in given and os.path.realpath(given["OUT"]) == os.path.realpath(reports):
        raise BadInput(f"OUT={given['OUT']}: the folder of all reports; name one inside it")
    return Path(given["OUT"]) if "OUT" in given else reports / name
