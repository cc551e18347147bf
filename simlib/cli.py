"""The command line. Each verb calls one function elsewhere; what is heavy to import is imported inside the verb."""

import argparse
import io
import json
import math
import os
import re
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from simlib import __version__
from simlib.errors import BadInput, SimlibError, did_you_mean, one_line

MOST_GAMES = 10**12
MOST_JOBS = 256
MOST_DIGITS = 40
ALL = "all"  # the name that stands for every experiment
TOUR = ("SEED", "JOBS", "OUT")  # what may be given with it
ENVIRONMENT = ("NAME", "GAMES", "PRECISION", "TIME", "SEED", "JOBS", "SET", "VARIANT", "OUT")


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line, with status 2."""

    def error(self, message: str) -> NoReturn:
        """Raise the complaint instead of printing usage."""
        raise BadInput(f"{message} (see {self.prog} --help)")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status: 0 done, 1 a check failed, 2 bad input, 130 interrupted."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="surrogateescape")  # names of files that aren't UTF-8 leave as they came
    try:
        options = parser().parse_args(arguments)
        status = options.run(options) or 0
        sys.stdout.flush()
        return status
    except SimlibError as fault:
        print(f"simlib: {one_line(str(fault))}", file=sys.stderr)
        return fault.status
    except BrokenPipeError:  # whoever read the output has enough
        _give_up_output()
        return 0
    except OSError as fault:  # such as a full disk behind the output
        _give_up_output()
        print(f"simlib: {one_line(str(fault.filename or 'the output'))}: {fault.strerror or fault}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("simlib: interrupted; nothing was changed. Run the same command again to start afresh.", file=sys.stderr)
        return 130


def _give_up_output() -> None:
    """Send what is still to come nowhere, so that leaving doesn't stumble over it again."""
    with suppress(OSError):  # it may be no file at all
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def parser() -> Parser:
    """Return the parser of all verbs."""
    top = Parser(
        prog="simlib", description="Monte-Carlo strategy analysis for trick-taking card games.", allow_abbrev=False
    )
    top.add_argument("--version", action="version", version=f"simlib {__version__}")
    verbs = top.add_subparsers(metavar="VERB", required=True, parser_class=Parser)
    _add_descriptions(verbs)
    _add_simulate(verbs)
    _add_respond(verbs)
    _add_records(verbs)
    _add_experiment(verbs)
    _add_train(verbs)
    return top


def _verb(verbs: Any, name: str, run: Any, sentence: str) -> Parser:
    verb: Parser = verbs.add_parser(name, help=sentence, description=sentence, allow_abbrev=False)
    verb.set_defaults(run=run)
    return verb


def _add_descriptions(verbs: Any) -> None:
    _verb(verbs, "games", show_games, "List the games and their presets.")
    for name, run, sentence in (
        ("rules", show_rules, "Explain a game's parameters and readings, and show a variant resolved."),
        ("columns", show_columns, "Explain every column of the per-game row."),
    ):
        verb = _verb(verbs, name, run, sentence)
        _add_variant(verb)
    _verb(verbs, "players", show_players, "List a game's players and their options.").add_argument("game")


def _add_variant(verb: Parser) -> None:
    verb.add_argument("game", help="a game, as in `simlib games`")
    verb.add_argument("--preset", default=None, help="the preset to start from (classic)")
    verb.add_argument("--variant", type=Path, default=None, metavar="FILE", help="a TOML file")
    verb.add_argument("--players", default=None, metavar="N", help="number of seats")
    verb.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="change a parameter; may be repeated"
    )


def _add_run(verb: Parser, games: int, what: str = "games to play") -> None:
    verb.add_argument("--games", default=str(games), metavar="N", help=f"{what} ({games:,})")
    verb.add_argument("--seed", default="1", metavar="N", help="root of all random numbers (1)")


def _add_simulate(verbs: Any) -> None:
    verb = _verb(verbs, "simulate", simulate, "Play games and write one row of integers a game, or print means.")
    _add_variant(verb)
    _add_run(verb, 10_000)
    _add_policy(verb)
    _add_jobs(verb)
    out = verb.add_mutually_exclusive_group(required=True)
    out.add_argument("--out", type=Path, metavar="FILE", help="write rows to a .csv, .npz or .parquet file")
    out.add_argument("--json", action="store_true", help="print each column's mean, interval and count")
    verb.add_argument("--quiet", action="store_true", help="no progress")


def _add_respond(verbs: Any) -> None:
    sentence = "Estimate what one seat gains by searching against a fixed field of players."
    verb = _verb(verbs, "respond", respond, sentence)
    verb.description = (
        f"{sentence} It knows their policies, not their cards. Each deal is played by the field alone, and with the "
        "searching seat in each place in turn. The gain tells how far the field can be exploited: at least so much, as "
        "a search finds only part of a best response."
    )
    _add_variant(verb)
    verb.add_argument(
        "--field", required=True, metavar="PLAYERS", help="one player for all seats, or one a seat, split by commas"
    )
    verb.add_argument(
        "--playouts", default="200", metavar="N", help="playouts of a decision of the searching seat (200)"
    )
    _add_run(verb, 1_000, "deals to play, each once by the field and once with the search at each seat")
    _add_jobs(verb)
    verb.add_argument("--json", action="store_true", help="print plain values instead of sentences")
    verb.add_argument("--quiet", action="store_true", help="no progress")


def _add_jobs(verb: Parser) -> None:
    verb.add_argument("--jobs", default=None, metavar="N", help="threads (all cores); the result doesn't depend on it")


def _add_policy(verb: Parser) -> None:
    verb.add_argument(
        "--policy", default="random", metavar="PLAYERS", help="one player for all seats, or one a seat, split by commas"
    )


def _add_records(verbs: Any) -> None:
    verb = _verb(verbs, "record", record, "Play games and print them as records, one a line.")
    _add_variant(verb)
    _add_run(verb, 10)
    _add_policy(verb)
    verb = _verb(verbs, "verify", verify, "Judge records by the rules: a line a record, `ok` or the first fault.")
    verb.add_argument("file", type=Path, help="a file of records; - for standard input")


def _add_experiment(verbs: Any) -> None:
    verb = _verb(verbs, "experiment", experiment, "Answer a question and write its report.")
    verb.add_argument("name", nargs="?", help="an experiment, as in --list")
    verb.add_argument("--list", action="store_true", help="list the experiments and their questions")
    verb.add_argument("--environment", action="store_true", help=f"take {', '.join(ENVIRONMENT)} from the environment")
    verb.add_argument("--page", action="store_true", help="make the page again from the kept result, without playing")
    verb.add_argument("--games", metavar="N", help="how much to play (the experiment's own default)")
    verb.add_argument("--precision", metavar="X", help="play until the headline figure is known to \u00b1 X")
    verb.add_argument("--time", metavar="SECONDS", help="play for so long at most")
    verb.add_argument("--seed", metavar="N", help="root of all random numbers (1)")
    verb.add_argument("--jobs", metavar="N", help="threads (all cores); the result doesn't depend on it")
    verb.add_argument("--set", metavar="SETTINGS", help='changed parameters, such as "bid.double=3 players=3"')
    verb.add_argument("--variant", metavar="FILE", help="a TOML file")
    verb.add_argument("--out", metavar="FOLDER", help="where the report goes (reports/NAME)")
    verb.add_argument("--quiet", action="store_true", help="no progress")


def _add_train(verbs: Any) -> None:
    verb = _verb(verbs, "train", train, "Let `trained` learn a game by self-play, and write its weights.")
    verb.add_argument("game", help="a game, as in `simlib games`")
    verb.add_argument("--out", type=Path, required=True, metavar="FILE", help="the weights file (.toml)")
    verb.add_argument("--overwrite", action="store_true", help="replace the file, if there is one")
    verb.add_argument("--seed", default="1", metavar="N", help="root of all random numbers (1)")
    verb.add_argument(
        "--games", default="200", metavar="N", help="deals a generation, for each variant practised (200)"
    )
    verb.add_argument("--generations", default="20", metavar="N", help="steps of learning (20)")
    verb.add_argument("--fresh", default="10000", metavar="N", help="deals to measure the result on (10,000)")
    verb.add_argument("--players", default=None, metavar="N", help="practise this number of seats alone")
    verb.add_argument("--jobs", default=None, metavar="N", help="threads (all cores); the result doesn't depend on it")
    verb.add_argument("--quiet", action="store_true", help="no progress")


# ---- reading arguments ---------------------------------------------------------------------------------------------


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


def _variant(options: argparse.Namespace) -> Any:
    from simlib.games import game_named, make_variant
    from simlib.variants import read_settings

    settings = list(options.set)
    if options.players is not None:
        settings.append(f"players={options.players}")
    game = game_named(options.game)
    changed = read_settings(settings, "--set")
    base = "classic" if options.preset is None else options.preset
    return make_variant(game, base=base, file=options.variant, settings=changed, where="--set")


def _seats(options: argparse.Namespace, key: str = "--policy") -> tuple[Any, ...]:
    """Return the variant and the players named by a key; the kernels aren't imported before all is checked."""
    from simlib.games import game_named
    from simlib.players.weights import notices

    variant = _variant(options)
    named = getattr(options, key.removeprefix("--"))
    seats, texts = variant.parameters.players, named.split(",")
    known = game_named(variant.game).module("players").PLAYERS
    if len(texts) not in (1, seats):
        raise BadInput(f"{key} {one_line(named, 60)!r}: it must name one player, or one for each of the {seats} seats")
    players = tuple(_player(text.strip(), variant.game, known, key) for text in texts) * (seats // len(texts))
    _tell(notices(variant, players))
    return variant, players


def _tell(lines: Iterable[str]) -> None:
    """Print notices on standard error."""
    for line in lines:
        print(f"simlib: {line}", file=sys.stderr)


def _player(text: str, game: str, known: dict[str, Any], key: str) -> Any:
    from simlib.hooks import seated
    from simlib.own import is_own, own_player

    return own_player(text, game, key) if is_own(text) else seated(text, known, key)


def _arm(seats: tuple[Any, ...]) -> Any:
    """Return who plays what; of players in a designer's own file, standard error says how they are played."""
    from simlib.batch import Arm, make_ready

    arm = Arm(*seats)
    if told := make_ready(arm):
        _tell([told])
    return arm


def _run_numbers(options: argparse.Namespace) -> tuple[int, int]:
    return (
        whole_number("--games", options.games, 1, MOST_GAMES),
        whole_number("--seed", options.seed, 0, 2**64 - 1),
    )


# ---- verbs ---------------------------------------------------------------------------------------------------------


def show_games(_: argparse.Namespace) -> None:
    """Print the games and their presets."""
    from simlib.games import games

    for game in games().values():
        print(f"{game.name}: {game.summary}")
        for name, preset in game.presets().items():
            print(f"  {name}: {preset.get('title', '')}")


def show_rules(options: argparse.Namespace) -> None:
    """Print a game's parameters with what is allowed, its readings, and the variant's values."""
    from simlib.games import game_named, make_variant
    from simlib.variants import allowed, parameters_of

    variant = _variant(options)
    game = game_named(variant.game)
    values = variant.flat()
    classic = make_variant(game, settings={"players": values["players"]}).flat()
    print(f"{game.title}: {game.summary}\nvariant {variant.name} (fingerprint {variant.fingerprint})")
    for key, field in parameters_of(game.model).items():
        changed = f"; classic: {json.dumps(classic[key])}" if values[key] != classic[key] else ""
        print(f"  {key} = {json.dumps(values[key])}  {field.description}; {allowed(field)}{changed}")
    print("readings")
    for number, sentence in game.readings.items():
        print(f"  {number} {sentence}")


def show_columns(options: argparse.Namespace) -> None:
    """Print each column of the per-game row with a sentence."""
    from simlib.games import game_named

    variant = _variant(options)
    for column in game_named(variant.game).module("rules").columns(variant.parameters):
        print(f"{column.name}: {column.sentence}")


def show_players(options: argparse.Namespace) -> None:
    """Print a game's players and their options."""
    from simlib.games import game_named

    for name, player in game_named(options.game).module("players").PLAYERS.items():
        print(f"{name}: {player.marked_sentence}")
        for key, option in player.options.items():
            print(f"  {key}={'|'.join(option.allowed)}: {option.sentence}")


def simulate(options: argparse.Namespace) -> None:
    """Play games; write rows to a file, or print means."""
    from simlib import rows

    games, seed = _run_numbers(options)
    jobs, seats = jobs_in(options.jobs), _seats(options)
    if options.out:
        rows.check_place(options.out)

    arm = _arm(seats)
    if options.out:
        rows.write(options.out, arm, seed, games, jobs, quiet=options.quiet)
    else:
        print(json.dumps(rows.means(arm, seed, games, jobs, quiet=options.quiet), indent=1))


def respond(options: argparse.Namespace) -> None:
    """Play a field with and without a searching seat, and print what searching gains."""
    from simlib.players.search import MOST_PLAYOUTS

    deals, seed = _run_numbers(options)
    playouts = whole_number("--playouts", options.playouts, 1, MOST_PLAYOUTS)
    jobs, (variant, field) = jobs_in(options.jobs), _seats(options, "--field")

    from simlib import respond

    found = respond.respond(variant, field, playouts, seed, deals, jobs, quiet=options.quiet)
    print(json.dumps(respond.as_json(found), indent=1) if options.json else respond.as_text(found))


def record(options: argparse.Namespace) -> None:
    """Print games as records."""
    from simlib import records

    games, seed = _run_numbers(options)
    seats = _seats(options)

    for line in records.written(_arm(seats), seed, games):
        print(line)


def verify(options: argparse.Namespace) -> int:
    """Judge records; return 1 where any has a fault."""
    from simlib import records

    try:
        with sys.stdin.buffer if str(options.file) == "-" else options.file.open("rb") as lines:
            faults = 0
            for verdict in records.verify(lines):
                print(f"{verdict.line}: {verdict.fault or 'ok'}")
                faults += not verdict.ok
    except OSError as fault:
        raise BadInput(f"{options.file}: can't be read: {fault.strerror or fault}") from None
    return int(faults > 0)


def experiment(options: argparse.Namespace) -> int:
    """Play an experiment and print where its report is; or list the experiments."""
    from simlib import experiments

    if options.list:
        for name, question in {**experiments.questions(), ALL: "a short version of each, and a page about all"}.items():
            print(f"{name}: {question}")
        return 0
    given = _given(options, os.environ)
    name = given.pop("NAME", "")
    if not name:
        raise BadInput(f"NAME is missing: name an experiment{did_you_mean(name, experiments.questions())}")
    if name == ALL and not options.page:
        return _tour(given, quiet=options.quiet)
    about = experiments.about(name)
    folder = Path(given.get("OUT") or experiments.ROOT / "reports" / name)
    if options.page:
        print(experiments.write_page(folder))
        return 0
    request, jobs = _request(about, given), jobs_in(given.get("JOBS"))
    print(experiments.run(about, request, folder, jobs, quiet=options.quiet, tell=_tell))
    return 0


def _tour(given: Mapping[str, str], *, quiet: bool) -> int:
    """Play a short version of every experiment and print where the page about all is."""
    from simlib import experiments, tour

    if own := sorted(given.keys() - TOUR):
        raise BadInput(f"{own[0]} = {one_line(repr(given[own[0]]), 60)}: NAME={ALL} takes {', '.join(TOUR)} alone")
    seed = whole_number("SEED", given.get("SEED", "1"), 0, 2**64 - 1)
    folder = Path(given.get("OUT") or experiments.ROOT / "reports" / ALL)
    print(tour.play_all(folder, seed, jobs_in(given.get("JOBS")), quiet=quiet, tell=_tell))
    return 0


def train(options: argparse.Namespace) -> None:
    """Let `trained` learn, and write its weights file; one that is there stays, unless told otherwise."""
    from simlib.files import check_folder, write_whole
    from simlib.games import game_named

    out = options.out
    game, jobs = game_named(options.game), jobs_in(options.jobs)
    numbers = {
        name: whole_number(f"--{name}", getattr(options, name), least, MOST_GAMES)
        for name, least in (("games", 1), ("generations", 1), ("fresh", 2))
    }
    seed = whole_number("--seed", options.seed, 0, 2**64 - 1)
    players = _practised(game, options.players)
    if out.suffix != ".toml":
        raise BadInput(f"--out {str(out)!r}: the name must end in .toml")
    if out.exists() and not options.overwrite:
        raise BadInput(f"--out {str(out)!r}: it is there already; --overwrite replaces it")
    check_folder(out.parent, f"--out {str(out)!r}")

    from simlib import training

    course = training.Course(game, seed, numbers["generations"], numbers["games"], numbers["fresh"], players)
    write_whole(out, training.run(course, jobs, quiet=options.quiet))
    print(out)


def _practised(game: Any, text: str | None) -> int:
    """Return the number of seats asked for, 0 for all that `trained` practises."""
    counts = {settings["players"] for settings in game.module("weights").PRACTICE}
    if text is None:
        return 0
    return whole_number("--players", text, min(counts), max(counts))


def _given(options: argparse.Namespace, environment: Mapping[str, str]) -> dict[str, str]:
    """Return what was asked for by the variables' names: what was typed, else the environment where that is wished."""
    wished = {key: environment[key] for key in ENVIRONMENT if options.environment and environment.get(key)}
    typed = {key: getattr(options, key.lower()) for key in ENVIRONMENT}
    return wished | {key: text for key, text in typed.items() if text is not None}


def _request(about: Any, given: Mapping[str, str]) -> Any:
    from simlib.experiments import ALL, Request, command
    from simlib.precision import MOST, Wish
    from simlib.variants import read_settings, split_settings

    games = whole_number("GAMES", given.get("GAMES", str(about.games)), 1, MOST_GAMES)
    wish = Wish(
        positive_number("PRECISION", given.get("PRECISION"), 0),
        positive_number("TIME", given.get("TIME"), math.inf),
    )
    most = games if "GAMES" in given or not wish.given else games * MOST
    seed = whole_number("SEED", given.get("SEED", "1"), 0, 2**64 - 1)
    settings = read_settings(split_settings(given.get("SET", "")), "SET")
    game = str(settings.pop("game", "")) if about.game == ALL else ""
    file = Path(given["VARIANT"]) if "VARIANT" in given else None
    shown = {} if wish.given else {"GAMES": str(games)}  # with a wish, those that were played are named in the end
    shown |= {"SEED": str(seed)} | {key: given[key] for key in ("PRECISION", "SET", "VARIANT") if key in given}
    return Request(games, seed, settings, file, command(about.name, shown), game, wish, most)


if __name__ == "__main__":
    sys.exit(main())
