"""From a question's name to its report: find it, plan it, play it, keep the result, write the page.

An experiment is a module ``experiments/<name>.py`` with

- a docstring whose first line is the question,
- ``GAME``, the game's name, or ALL: then ``SET="game=..."`` or a variant file's ``game`` chooses one,
- ``TITLE``, ``GAMES``, the default of ``GAMES=``, and ``GLOSSARY``,
- ``plan(request) -> Plan`` and ``findings(results) -> list of Finding``,
- ``headline_figure(results) -> Headline``, the figure that a wish for precision speaks of.
"""

import ast
import csv
import importlib.metadata
import importlib.util
import io
import platform
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from simlib import __version__, results
from simlib.checkpoints import Checkpoints, Finished, kept_in
from simlib.errors import BadInput, did_you_mean, one_line
from simlib.files import write_whole
from simlib.games import game_named, games, make_variant
from simlib.heavy import import_for_pages
from simlib.identity import identity, why_other
from simlib.languages import ENGLISH, say, speaking, with_language
from simlib.players.weights import notices
from simlib.precision import Stop, Wish, play_until
from simlib.variants import Variant, brief, flatten, parse_toml, read_text

if TYPE_CHECKING:
    from simlib.batch import Speeds, Study
    from simlib.checkpoints import Summary
    from simlib.estimates import Estimate
    from simlib.findings import Finding
    from simlib.pages.page import RunFacts, VariantFacts

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "experiments"
ALL = "all"  # an experiment's GAME where it is about each of them
DESIGN = "design"  # the NAME that stands for all experiments about a game, in sweeps and comparisons
SPEEDS = "speeds.csv"
PACKAGES = ("numpy", "numba", "scipy", "pandas", "matplotlib")


@dataclass(frozen=True)
class Request:
    """What the user asked for.

    Attributes
    ----------
    games, seed : int
    settings : dict
        Changed parameters, dotted.
    file : Path or None
        A variant file.
    command : str
        What to type to get the same again.
    game : str
        The one game asked for, of an experiment that is about all of them.
    wish : Wish
        How closely the headline figure is to be known, and how long that may take.
    most : int
        Games to play at most, where there is a wish; `games` are those of the look at hand.
    """

    games: int
    seed: int
    settings: dict[str, Any] = field(default_factory=dict)
    file: Path | None = None
    command: str = ""
    game: str = ""
    wish: Wish = field(default_factory=Wish)
    most: int = 0

    @cached_property
    def source(self) -> str:
        """The variant file's own text, read once: it may be a pipe, or change meanwhile."""
        return read_text(self.file) if self.file else ""

    @cached_property
    def written(self) -> dict[str, Any]:
        """The variant file's content."""
        return parse_toml(self.source, self.file) if self.file else {}

    def variants(self, game: str, players: tuple[int, ...]) -> list[Variant]:
        """Return the asked variant for each number of players; for one alone where the request fixes it."""
        if self.fixes("players"):
            return [self.variant(game)]
        return [self.variant(game, players=count) for count in players]

    def variant(self, game: str, *, base: str = "classic", **settings: Any) -> Variant:
        """Return the asked variant, laid over a preset, with more settings; None leaves one as it is."""
        changed = self.settings | {key: value for key, value in settings.items() if value is not None}
        return make_variant(
            game_named(game), base=base, file=self.file, written=self.written, settings=changed, where="SET"
        )

    def games_of(self, game: str) -> list[str]:
        """Return the names of the games to play, of an experiment about `game` or about ALL.

        Raises
        ------
        BadInput
            If something is changed that is one game's own, and no game is named.
        """
        if game != ALL:
            return [game]
        named = self.game or str(self.written.get("game", ""))
        if named and named not in games():
            where = "SET" if self.game else str(self.file)
            raise BadInput(f"{where}: unknown game {brief(named)}" + did_you_mean(named, games()))
        if named:
            return [named]
        own = sorted(set(self.settings) - {"players"})
        if own or self.file:
            what = f"VARIANT={self.file}" if self.file else f"SET: {brief(own[0])}"
            raise BadInput(f'{what}: say of which game, by SET="game=..." (allowed: {", ".join(games())})')
        return list(games())

    def check(self, game: str) -> None:
        """Raise BadInput where none of the games to play can be played as asked."""
        faults = []
        for name in (names := self.games_of(game)):
            try:
                self.variant(name)
            except BadInput as fault:
                faults.append(fault)
        if len(faults) == len(names):
            raise faults[0]

    def command_at(self, stop: Stop) -> str:
        """Return what to type to get the same again: the games that were played stand for what ended the run."""
        return f"{self.command} GAMES={stop.games}"

    def fixes(self, key: str) -> bool:
        """Tell whether the request gives a top-level parameter, or a dotted one by its full name."""
        return key in self.settings or key in flatten(self.written)


@dataclass(frozen=True)
class Plan:
    """What to play.

    Attributes
    ----------
    studies : list of Study
    variants : dict of str to Variant
        Label of each variant that is played.
    players : dict of str to str
        Each player's name and what it does.
    played : dict of str to int
        What is counted, for the page's foot.
    facts : dict
        Plain values that `findings` wants back.
    further : callable or None
        Takes the summaries of all studies; returns the plan with more of them, or None when enough was played. What
        it decides on must be these sums alone, so that the same inputs give the same plan.
    timed : bool
        Whether a file SPEEDS in the report's folder says how fast each table was played. No two runs have the same
        one: the result and the page don't hold it.
    """

    studies: "list[Study]"
    variants: dict[str, Variant]
    players: dict[str, str]
    played: dict[str, int]
    facts: dict[str, Any] = field(default_factory=dict)
    further: "Callable[[dict[str, Summary]], Plan | None] | None" = None
    timed: bool = False

    @property
    def notices(self) -> list[str]:
        """What is to be said of variants that a player of theirs didn't learn, each once."""
        arms = [arm for study in self.studies for arm in study.arms.values()]
        return list(dict.fromkeys(line for arm in arms for line in notices(arm.variant, arm.players)))


BESIDE = "beside | "  # how keys of studies begin that aren't the experiment's own: it doesn't get to see them


class Beside(NamedTuple):
    """What every experiment plays and shows besides its own, such as whether a file's targets are met.

    Attributes
    ----------
    planned : callable
        Takes a plan and its request, and returns the plan with what is played besides; keys of such studies begin
        with BESIDE.
    findings : callable
        Takes the results, and returns the sections that stand right after the answer.
    kept : callable
        Takes the results, and returns facts and files, {path in the report's folder: text}, to keep with them.
    """

    planned: "Callable[[Plan, Request], Plan]" = lambda plan, request: plan
    findings: "Callable[[results.Results], list[Finding]]" = lambda run: []
    kept: "Callable[[results.Results], tuple[dict[str, Any], dict[str, str]]]" = lambda run: ({}, {})


@dataclass(frozen=True)
class About:
    """What an experiment's file says of itself, read without running it.

    Attributes
    ----------
    name, question, game : str
    games : int
        How much it plays by itself.
    measures : tuple of str
        The names of what it measures of a variant by itself, in its MEASURES.
    whole, guest : bool
        What has to be played for these: whole games; every deal once for each seat.
    """

    name: str
    question: str
    game: str
    games: int
    measures: tuple[str, ...] = ()
    whole: bool = False
    guest: bool = False


def questions() -> dict[str, str]:
    """Return each experiment's question."""
    return {path.stem: about(path.stem).question for path in _files()}


def _files() -> list[Path]:
    return [path for path in sorted(FOLDER.glob("*.py")) if re.fullmatch(r"[a-z][a-z0-9_]*", path.stem)]


@cache
def about(name: str, *others: str) -> About:
    """Return what an experiment's file says of itself.

    Parameters
    ----------
    *others : str
        What else could have been named there, for an error.

    Raises
    ------
    BadInput
        If `experiments/` has no such file; nothing outside it is looked at.
    """
    paths = {path.stem: path for path in _files()}
    if name not in paths:
        raise BadInput(f"unknown experiment NAME={brief(name)}" + did_you_mean(name, [*paths, *others]))
    tree = ast.parse(paths[name].read_text(encoding="utf-8"))
    assigned = {
        target.id: statement.value
        for statement in tree.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    constants = {key: value.value for key, value in assigned.items() if isinstance(value, ast.Constant)}
    question = (ast.get_docstring(tree) or "").partition("\n")[0]
    measured = _measured(assigned.get("MEASURES"))
    return About(name, question, str(constants["GAME"]), int(str(constants["GAMES"])), **measured)


def _measured(made: ast.expr | None) -> dict[str, Any]:
    """Return what the call that makes an experiment's MEASURES says of them."""
    if not isinstance(made, ast.Call):
        return {}
    given = {keyword.arg for keyword in made.keywords}
    tables = [part for part in made.args if isinstance(part, ast.Dict)]
    names = tuple(key.value for table in tables for key in table.keys if isinstance(key, ast.Constant))
    return {"measures": names, "whole": "whole" in given, "guest": "guest" in given}


@cache
def experiment_named(name: str) -> ModuleType:
    """Return an experiment's module.

    Raises
    ------
    BadInput
        If there is none of that name.
    """
    about(name)
    spec = importlib.util.spec_from_file_location(f"experiments.{name}", FOLDER / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(
    about: About,
    request: Request,
    folder: Path,
    jobs: int,
    *,
    quiet: bool = False,
    language: str = ENGLISH,
    fresh: bool = False,
    tell: Callable[[list[str]], None] = lambda lines: None,
    after: "After" = lambda run, headline: None,
    beside: Sequence[Beside] = (),
) -> Path:
    """Play an experiment, keep its result in the folder and return the page's path.

    What an earlier run into the folder finished is taken over where nothing that it depends on has changed.

    Parameters
    ----------
    language : str, optional
        Of the page.
    fresh : bool, optional
        Play all games, whatever is finished of them.
    tell : callable, optional
        Takes what is to be said before it is played.
    after : callable, optional
        Takes the result and the answer, once the page is written.
    beside : sequence of Beside, optional
        What is played and shown besides.

    Raises
    ------
    BadInput
        If the request doesn't fit the experiment, or the folder holds something else or can't be written.
    """
    results.check_place(folder)
    request.check(about.game)  # what can't be played is told before anything heavy is imported
    module = experiment_named(about.name)
    plan = _planned(module, request, beside)
    tell(plan.notices)

    with kept_in(folder, f"OUT={folder}", fresh=fresh, tell=tell) as kept:
        found, speeds = _played(module, about, request, plan, beside, _Ways(folder, jobs, quiet, fresh, kept, tell))
        _keep(folder, found, beside)
        if speeds:
            write_whole(folder / SPEEDS, speeds)
        kept.clear()
        return write_page(folder, language, after, beside)


class _Ways(NamedTuple):
    """How a run is played, which its result doesn't depend on."""

    folder: Path
    jobs: int
    quiet: bool
    fresh: bool
    kept: Checkpoints
    tell: Callable[[list[str]], None]


def _played(
    module: ModuleType, about: About, request: Request, plan: Plan, beside: Sequence[Beside], ways: _Ways
) -> tuple[results.Results, str]:
    """Play a plan, or as long as the request wishes; return the result, and how fast, if that counts."""
    ledger = Ledger(request.seed, ways, timed=plan.timed, so_far=partial(_so_far, module, about, request))
    more: dict[str, Any] = {}
    if request.wish.given:
        stop = _play_until(module, about, request, ledger, beside)
        request = replace(request, games=stop.games, command=request.command_at(stop))
        more["stop"] = stop.facts
    else:
        ledger.play(plan)
    facts = _facts(module, ledger.plan, request) | more
    return results.Results(about.name, facts, ledger.summaries, ledger.studies), ledger.speeds


def play_on(
    name: str, plan: Plan, facts: Mapping[str, Any], seed: int, folder: Path, jobs: int, *,
    quiet: bool = False, tell: Callable[[list[str]], None] = lambda lines: None,
) -> results.Results:  # fmt: skip
    """Play a plan that is no experiment's, going on from what the folder holds of it; keep its result and return it."""
    with kept_in(folder, f"OUT={folder}", tell=tell) as kept:
        ledger = Ledger(seed, _Ways(folder, jobs, quiet, False, kept, tell), timed=False)
        ledger.play(plan)
        found = results.Results(name, dict(facts), ledger.summaries, ledger.studies)
        results.save(folder, found)
        kept.clear()
    return found


def _keep(folder: Path, found: results.Results, beside: Sequence[Beside]) -> None:
    """Write a result, and what else is to be kept with it."""
    more = [other.kept(found) for other in beside]
    facts = found.facts | {key: value for own, _ in more for key, value in own.items()}
    results.save(folder, replace(found, facts=facts))
    for path, text in (file for _, files in more for file in files.items()):
        write_whole(folder / path, text)


def _own(summaries: "dict[str, Summary]") -> "dict[str, Summary]":
    """Return what an experiment's own studies summed up."""
    return {key: summary for key, summary in summaries.items() if not key.startswith(BESIDE)}


def _planned(module: ModuleType, request: Request, beside: Sequence[Beside]) -> Plan:
    plan: Plan = module.plan(request)
    for other in beside:
        plan = other.planned(plan, request)
    return plan


def _so_far(
    module: ModuleType, about: About, request: Request, plan: Plan, summaries: "dict[str, Summary]"
) -> str:  # fmt: skip
    """Return what the headline figure is so far, in words; nothing where it isn't known."""
    from simlib.estimates.words import short

    found = module.headline_figure(results.Results(about.name, _facts(module, plan, request), _own(summaries)))
    told = short(found.estimate, percent=found.percent)
    scale, unit = (100, " %") if found.percent else (1, "")
    wish = f", wished \u00b1 {request.wish.precision * scale:g}{unit}" if request.wish.precision else ""
    return f"{told}{wish}: {found.label}" if told else ""


class Ledger:
    """What was played of a plan so far; it plays on where more is asked for.

    Parameters
    ----------
    so_far : callable, optional
        Takes a plan and the sums so far, and returns in words what they say, to be shown while it plays.
    """

    def __init__(
        self, seed: int, ways: _Ways, *, timed: bool,
        so_far: "Callable[[Plan, dict[str, Summary]], str]" = lambda plan, summaries: "",
    ) -> None:  # fmt: skip
        from simlib.batch import Speeds

        self._so_far = so_far
        self._seed, self._ways, self._speeds = seed, ways, Speeds() if timed else None
        self._earlier = _earlier(ways)
        self.summaries: dict[str, Summary] = {}
        self.studies: dict[str, dict[str, Any]] = {}

    def play(self, plan: Plan) -> None:
        """Play what a plan's studies lack, and studies that it adds when it sees what came out; keep the last plan."""
        more: Plan | None = plan
        while more:
            self.plan = more
            self._play_on([study for study in more.studies if study.games > self._games(study.key)])
            more = more.further(self.summaries) if more.further else None

    @property
    def speeds(self) -> str:
        """How fast each table was played, as CSV; nothing where that isn't asked for, or nothing was played."""
        return _speeds(self._speeds) if self._speeds and self._speeds.table() else ""

    def _games(self, key: str) -> int:
        return int(self.studies.get(key, {}).get("games", 0))

    def _play_on(self, studies: "list[Study]") -> None:
        from simlib import batch

        ways = self._ways
        import_for_pages()
        self._take_over([study for study in studies if study.key not in self.studies])
        self.summaries |= batch.run(
            studies, self._seed, ways.jobs, quiet=ways.quiet, speeds=self._speeds, kept=ways.kept,
            headline=lambda: self._so_far(self.plan, self._sums_of(studies)),
        )  # fmt: skip
        for study in studies:
            self.studies[study.key] = {"identity": identity(study, self._seed), "games": study.games}

    def _sums_of(self, studies: "list[Study]") -> "dict[str, Summary]":
        """Return all sums so far, while these studies play."""
        playing = {study.key: self._ways.kept.sums(study.key) for study in studies}
        return self.summaries | {key: summary for key, summary in playing.items() if summary}

    def _take_over(self, studies: "list[Study]") -> None:
        """Go on from what the folder's last result holds of studies that begin, and say why not where it can't be."""
        reasons, games = [], 0
        for study in studies:
            known = self._earlier.studies.get(study.key)
            if known is None:
                continue
            why = why_other(known["identity"], identity(study, self._seed))
            if not why and known["games"] <= study.games:
                finished = Finished([(0, known["games"])], self._earlier.summaries[study.key])
                self._ways.kept.start_with(study, self._seed, finished)
                games += known["games"] * len(study.arms)
            reasons.append(why)
        told = [f"starting afresh, as {why}" for why in dict.fromkeys(filter(None, reasons))][:1]
        self._ways.tell(told + ([f"{games:,} games of the last result are taken over"] if games else []))


def _earlier(ways: _Ways) -> results.Results:
    """Return the folder's last result; an empty one where there is none, or nothing is to be taken from it."""
    nothing = results.Results("", {}, {})
    if ways.fresh or not (ways.folder / results.FILE).is_file():
        return nothing
    try:
        return results.load(ways.folder)
    except BadInput as fault:
        ways.tell([f"{fault}; it is replaced when this run ends"])
        return nothing


def _play_until(module: ModuleType, about: About, request: Request, ledger: Ledger, beside: Sequence[Beside]) -> Stop:
    """Play until the request's wish is fulfilled or can't be."""

    def look(games: int) -> "Estimate":
        asked = replace(request, games=games)
        ledger.play(_planned(module, asked, beside))
        found = results.Results(about.name, _facts(module, ledger.plan, asked), _own(ledger.summaries))
        return module.headline_figure(found).estimate

    return play_until(request.wish, about.games, request.most, look)


def _speeds(speeds: "Speeds") -> str:
    """Return games and games/s of one thread by who plays, as CSV."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["game", "players", "who plays", "games", "games/s of a thread"])
    table.writerows((*who, games, f"{speed:.4g}") for *who, games, speed in speeds.table())
    return text.getvalue()


def _facts(module: ModuleType, plan: Plan, request: Request) -> dict[str, Any]:
    return {
        "question": (module.__doc__ or "").partition("\n")[0],
        "variants": variant_facts(plan.variants),
        "players": plan.players
        | _seeing(plan)
        | {f"trained ({number})": line for number, line in enumerate(plan.notices, 1)},
        "sees_all": list(_seeing(plan)),
        "played": plan.played,
        "games": sum(study.games * len(study.arms) for study in plan.studies),
        "asked": request.games,
        "seed": request.seed,
        "command": request.command,
        "versions": versions(),
        "plan": plan.facts,
        "sources": [[one_line(request.file.name), request.source]] if request.file else [],
    }


def variant_facts(variants: Mapping[str, Variant]) -> list[dict[str, Any]]:
    """Return variants, by label, as plain values that `variants_of` reads."""
    return [
        {
            "label": label,
            "game": variant.game,
            "name": variant.name,
            "note": variant.note,
            "parameters": variant.flat(),
        }
        for label, variant in variants.items()
    ]


def _seeing(plan: Plan) -> dict[str, str]:
    """Return the players that see all cards, with their marked sentences: pages name them, whatever the plan names."""
    seats = [seat for study in plan.studies for arm in study.arms.values() for seat in arm.players]
    return {seat.text: seat.sentence for seat in seats if seat.player.sees_all}


def versions() -> dict[str, str]:
    """Return the versions of what computes a result."""
    own = {"simlib": __version__, "Python": platform.python_version()}
    return own | {package: importlib.metadata.version(package) for package in PACKAGES}


After = Callable[[results.Results, str], None]  # takes a result and its answer


def write_page(
    folder: Path,
    language: str = ENGLISH,
    after: After = lambda run, headline: None,
    beside: Sequence[Beside] = (),
) -> Path:
    """Make a run's page and downloads from its result file alone, in a language; return the page's path."""
    with speaking(language):
        return _write_page(folder, after, beside)


def _write_page(folder: Path, after: After, beside: Sequence[Beside]) -> Path:
    from simlib.pages.games import write_games
    from simlib.pages.page import write

    run = results.load(folder)
    findings, facts = page_of(run, beside)
    facts = replace(facts, samples=write_games(folder, run.facts, facts.title))
    page = write(folder, findings, facts, lambda: page_of(run, beside)[0])
    after(run, findings[0].headline)
    return page


def page_of(run: results.Results, beside: Sequence[Beside] = ()) -> "tuple[list[Finding], RunFacts]":
    """Return what a run's page says: its findings, the answer first, and how its numbers were made.

    Raises
    ------
    BadInput
        If it is of no experiment that there is.
    """
    from simlib.how_sure import how_sure

    module = experiment_named(run.experiment)
    stop = Stop(**run.facts["stop"]) if "stop" in run.facts else None
    alone = replace(run, summaries=_own(run.summaries))
    answer, *evidence = module.findings(alone)
    besides = [finding for other in beside for finding in other.findings(run)]
    findings = [answer, *besides, *evidence, how_sure(module.headline_figure(alone), stop)]
    return findings, page_facts(run, module.TITLE, run.facts["question"], module.GLOSSARY)


def page_facts(run: results.Results, title: str, question: str, glossary: Sequence[tuple[str, str]]) -> "RunFacts":
    """Return what a page tells of how a run's numbers were made, from what its result file holds."""
    from simlib.pages.page import RunFacts

    facts, variants = run.facts, variants_of(run)
    played = [game_named(name) for name in dict.fromkeys(variant.game for variant in variants.values())]
    return RunFacts(
        title=title,
        question=question,
        experiment=facts.get("name", run.experiment),
        game=say(", ").join(say(game.title) for game in played),
        variants=page_variants(variants),
        readings={number: text for game in played for number, text in game.readings.items()},
        players=[(name, _player_words(kept)) for name, kept in facts["players"].items()],
        sees_all=facts.get("sees_all", ()),
        seed=facts["seed"],
        games=facts["games"],
        played=list(facts["played"].items()),
        versions=facts["versions"],
        command=with_language(facts["command"]),
        glossary=glossary,
        sources=facts.get("sources", ()),
    )


def _player_words(kept: str) -> str:
    """Return what a result file says of a player, in the language that is spoken."""

    def learned(found: re.Match[str]) -> str:
        template = " (it learned {low} to {high})" if found[2] else " (it learned {low})"
        return say(template, low=found[1], high=found[2])

    return re.sub(r" \(it learned (\S+?)(?: to (\S+))?\)", learned, say(kept))


def page_variants(variants: Mapping[str, Variant]) -> "list[VariantFacts]":
    """Return variants, by label, as a page tells of them."""
    from simlib.pages.page import VariantFacts

    return [
        VariantFacts(label, each.name, each.flat(), each.fingerprint, each.note, game_named(each.game).title)
        for label, each in variants.items()
    ]


def variants_of(run: results.Results) -> dict[str, Variant]:
    """Return the variants of a run by their labels."""
    found = {}
    for entry in run.facts["variants"]:
        made = make_variant(game_named(entry["game"]), settings=entry["parameters"], where=results.FILE)
        found[entry["label"]] = Variant(made.game, entry["name"], made.parameters, entry["note"])
    return found


def command(name: str, given: dict[str, str]) -> str:
    """Return the make command that repeats a run; `given` are its variables in order."""
    return " ".join(["make experiment", f"NAME={name}", *(f"{key}={shlex.quote(text)}" for key, text in given.items())])
