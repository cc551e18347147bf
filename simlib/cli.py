"""The command line. Each verb calls one function elsewhere; what is heavy to import is imported inside the verb."""

import argparse
import gc
import io
import json
import math
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from simlib import __version__, verbs
from simlib.arguments import (
    MOST_GAMES,
    SHARED,
    Parser,
    add_verb,
    asked_for,
    fresh_in,
    heed_quiet,
    jobs_in,
    language_in,
    players_in,
    positive_number,
    report_folder,
    seed_in,
    tell,
    variant_in,
    whole_number,
    workers_in,
)
from simlib.errors import BadInput, SimlibError, did_you_mean, one_line
from simlib.interrupts import terminated_like_interrupted

ALL = "all"  # the name that stands for every experiment
TOUR = (  # what may be given with it
    "GAMES", "SEED", "JOBS", "SET", "VARIANT", "OUT", "REPORT_LANGUAGE", "BACKEND", "ADDRESS",
)  # fmt: skip
ENVIRONMENT = (
    "NAME", "GAMES", "PRECISION", "TIME", "SEED", "JOBS", "SET", "VARIANT", "OUT", "REPORT_LANGUAGE", "FRESH",
    "BACKEND", "ADDRESS",
)  # fmt: skip

SWEEP = 50_000  # new objects between two searches for garbage: imports and figures, which make many, leave little


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status: 0 done, 1 a check failed, 2 bad input, 130 interrupted."""
    gc.set_threshold(SWEEP)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="surrogateescape")  # names of files that aren't UTF-8 leave as they came
    try:
        with terminated_like_interrupted():
            options = parser().parse_args(arguments)
            heed_quiet(options)
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
        print("simlib: interrupted. Run the same command again.", file=sys.stderr)
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
    added = top.add_subparsers(metavar="VERB", required=True, parser_class=Parser)
    for add in (_add_descriptions, _add_simulate, _add_respond, _add_records, _add_experiment, _add_train):
        add(added)
    verbs.add_all(added)
    return top


def _add_descriptions(verbs: Any) -> None:
    add_verb(verbs, "games", show_games, "List the games and their presets.")
    for name, run, sentence in (
        ("rules", show_rules, "Explain a game's parameters and readings, and show a variant resolved."),
        ("columns", show_columns, "Explain every column of the per-game row."),
    ):
        verb = add_verb(verbs, name, run, sentence)
        _add_variant(verb)
    add_verb(verbs, "players", show_players, "List a game's players and their options.").add_argument("game")


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
    verb = add_verb(verbs, "simulate", simulate, "Play games and write one row of integers a game, or print means.")
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
    verb = add_verb(verbs, "respond", respond, sentence)
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
    verb = add_verb(verbs, "record", record, "Play games and print them as records, one a line, or in words.")
    _add_variant(verb)
    _add_run(verb, 10)
    verb.add_argument("--index", default="0", metavar="N", help="number of the first game (0)")
    _add_policy(verb)
    verb.add_argument("--text", action="store_true", help="tell the games in words that a person can follow")
    verb.add_argument("--language", metavar="CODE", help="of --text: en or ja (en)")
    verb = add_verb(verbs, "verify", verify, "Judge records by the rules: a line a record, `ok` or the first fault.")
    verb.add_argument("file", type=Path, help="a file of records; - for standard input")


def _add_experiment(verbs: Any) -> None:
    verb = add_verb(verbs, "experiment", experiment, "Answer a question and write its report.")
    verb.add_argument("name", nargs="?", help="an experiment, as in --list")
    verb.add_argument("--list", action="store_true", help="list the experiments and their questions")
    verb.add_argument("--environment", action="store_true", help=f"take {', '.join(ENVIRONMENT)} from the environment")
    verb.add_argument("--page", action="store_true", help="make the page again from the kept result, without playing")
    verb.add_argument("--games", metavar="N", help="how much to play (the experiment's own default)")
    verb.add_argument("--precision", metavar="X", help="play until the headline figure is known to \u00b1 X")
    verb.add_argument("--time", metavar="SECONDS", help="play for so long at most")
    verb.add_argument("--seed", metavar="N", help="root of all random numbers (1)")
    for name in ("JOBS", "BACKEND", "ADDRESS"):
        verb.add_argument(f"--{name.lower()}", metavar=name, help=SHARED[name])
    verb.add_argument("--set", metavar="SETTINGS", help='changed parameters, such as "bid.double=3 players=3"')
    verb.add_argument("--variant", metavar="FILE", help="a TOML file")
    verb.add_argument("--out", metavar="FOLDER", help="where the report goes (reports/NAME)")
    verb.add_argument("--fresh", metavar="1", help="1: play all games, whatever an earlier run finished of them (0)")
    verb.add_argument("--report-language", metavar="CODE", help="the page's language: en or ja (en)")
    verb.add_argument("--quiet", action="store_true", help="no progress")


def _add_train(verbs: Any) -> None:
    verb = add_verb(verbs, "train", train, "Let `trained` learn a game by self-play, and write its weights.")
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


def _seats(options: argparse.Namespace, key: str = "--policy") -> tuple[Any, ...]:
    """Return the variant and the players named by a key; the kernels aren't imported before all is checked."""
    variant = variant_in(options)
    return variant, players_in(getattr(options, key.removeprefix("--")), variant, key)


def _arm(seats: tuple[Any, ...]) -> Any:
    """Return who plays what; of players in a designer's own file, standard error says how they are played."""
    from simlib.batch import Arm, make_ready

    arm = Arm(*seats)
    if told := make_ready(arm):
        tell([told])
    return arm


def _run_numbers(options: argparse.Namespace) -> tuple[int, int]:
    return (
        whole_number("--games", options.games, 1, MOST_GAMES),
        seed_in(options.seed, "--seed"),
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
    """Print a game's parameters with what is allowed, the variant's values, what differs from classic, and readings."""
    from simlib.games import game_named, make_variant
    from simlib.variants import allowed, parameters_of, read_toml

    written = read_toml(options.variant) if options.variant else {}
    variant = variant_in(options, written)
    targets = _targets_told(written, variant, options.variant)
    game = game_named(variant.game)
    values = variant.flat()
    classic = make_variant(game, settings={"players": values["players"]}).flat()
    print(f"{game.title}: {game.summary}\nvariant {variant.name} (fingerprint {variant.fingerprint})")
    for line in variant.note.splitlines():
        print(f"  {one_line(line)}")
    for key, field in parameters_of(game.model).items():
        print(f"  {key} = {json.dumps(values[key])}  {field.description}; {allowed(field)}")
    print(f"differs from classic with {values['players']} players:")
    changed = [
        f"{key} = {json.dumps(values[key])}; classic: {json.dumps(classic[key])}"
        for key in values
        if values[key] != classic[key]
    ]
    for line in changed or ["nothing"]:
        print(f"  {line}")
    for line in targets:
        print(line)
    print("readings")
    for number, sentence in game.readings.items():
        print(f"  {number} {sentence}")


def _targets_told(written: Mapping[str, Any], variant: Any, file: Path) -> list[str]:
    """Return the targets of a variant file, checked, as lines; nothing where it has none."""
    from simlib.games import TARGETS

    if TARGETS not in written:
        return []
    from simlib.targets import goals_of  # it looks up measures in all experiments

    goals = goals_of(written[TARGETS], variant.game, f"{file}: {TARGETS}")
    return [TARGETS, *(f"  {goal.typed}  {goal.measure.figure.label}: {goal.band}" for goal in goals)]


def show_columns(options: argparse.Namespace) -> None:
    """Print each column of the per-game row with a sentence."""
    from simlib.games import game_named

    variant = variant_in(options)
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
    """Print games as records, or in words."""
    from simlib import records
    from simlib.languages import ENGLISH, language_named, speaking
    from simlib.telling import as_text

    games, seed = _run_numbers(options)
    first = whole_number("--index", options.index, 0, MOST_GAMES)
    language = language_named(options.language or ENGLISH, "--language")
    if options.language and not options.text:
        raise BadInput(f"--language {options.language}: it is for --text, which is missing")
    seats = _seats(options)

    with speaking(language):
        for line in records.written(_arm(seats), seed, games, first):
            print(as_text(records.told(records.parse(line))) if options.text else line)


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
    from simlib import experiments, samples, targets

    if options.list:
        review = "is a design broken, is it good? A review, with a short version of each"
        for name, question in {**experiments.questions(), ALL: review}.items():
            print(f"{name}: {question}")
        return 0
    given = asked_for(options, ENVIRONMENT)
    name = given.pop("NAME", "")
    if not name:
        raise BadInput(f"NAME is missing: name an experiment{did_you_mean(name, experiments.questions())}")
    if name == ALL and not options.page:
        return _tour(given, quiet=options.quiet)
    about = experiments.about(name)
    folder = report_folder(given, name)
    language = language_in(given)
    beside = (targets.JUDGED, samples.BESIDE)
    if options.page:
        print(experiments.write_page(folder, language, beside=beside))
        return 0
    request, fresh = _request(about, given), fresh_in(given)
    with workers_in(given) as jobs:
        page = experiments.run(
            about, request, folder, jobs,
            quiet=options.quiet, language=language, fresh=fresh, tell=tell, beside=beside, after=_into_history(folder),
        )  # fmt: skip
    print(page)
    return 0


def _into_history(folder: Path) -> Any:
    """Return what adds a run's result to the history, once its page is written."""
    from simlib import experiments, history

    def add(run: Any, headline: str) -> None:
        history.add(folder, history.entry_of(run, experiments.experiment_named(run.experiment).TITLE, headline))

    return add


def _tour(given: Mapping[str, str], *, quiet: bool) -> int:
    """Review a design of the game that is named, or of each, and print where the page is."""
    from simlib import history, samples, tour
    from simlib.languages import speaking

    if own := sorted(given.keys() - TOUR):
        raise BadInput(f"{own[0]} = {one_line(repr(given[own[0]]), 60)}: NAME={ALL} takes {', '.join(TOUR)} alone")
    asked = _reviewed(given)
    games = asked.request.games_of(ALL)
    folder = report_folder(given, ALL if len(games) > 1 else f"{ALL}_{games[0]}")
    language = language_in(given)
    with workers_in(given) as jobs:
        made = tour.play_all(
            asked, folder, jobs, quiet=quiet, language=language, tell=tell, beside=(samples.BESIDE,)
        )  # fmt: skip
    with speaking(language):
        history.add(folder, tour.entry_of(made, asked))
    print(made.page)
    return 0


def _reviewed(given: Mapping[str, str]) -> Any:
    """Return what NAME=all is asked about."""
    from simlib.experiments import Request
    from simlib.tour import Asked
    from simlib.variants import read_settings, split_settings

    games = whole_number("GAMES", given["GAMES"], 1, MOST_GAMES) if "GAMES" in given else 0
    seed, parts = seed_in(given.get("SEED")), split_settings(given.get("SET", ""))
    settings = read_settings(parts, "SET")
    game = str(settings.pop("game", ""))
    file = Path(given["VARIANT"]) if "VARIANT" in given else None
    rest = " ".join(part for part in parts if not part.startswith("game="))
    typed = {"SEED": str(seed)} | {key: given[key] for key in ("GAMES", "VARIANT") if key in given} | {"SET": rest}
    return Asked(Request(games, seed, settings, file, game=game), typed)


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
    seed = seed_in(options.seed, "--seed")
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
    seed = seed_in(given.get("SEED"))
    settings = read_settings(split_settings(given.get("SET", "")), "SET")
    game = str(settings.pop("game", "")) if about.game == ALL else ""
    file = Path(given["VARIANT"]) if "VARIANT" in given else None
    shown = {} if wish.given else {"GAMES": str(games)}  # with a wish, those that were played are named in the end
    shown |= {"SEED": str(seed)} | {key: given[key] for key in ("PRECISION", "SET", "VARIANT") if key in given}
    return Request(games, seed, settings, file, command(about.name, shown), game, wish, most)


if __name__ == "__main__":
    sys.exit(main())
