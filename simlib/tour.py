"""`NAME=all`: a short version of every experiment about a design, and the review that they and its own games make."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from simlib import results, review
from simlib.errors import BadInput
from simlib.experiments import (
    ALL,
    Beside,
    Request,
    about,
    command,
    experiment_named,
    page_variants,
    play_on,
    run,
    variant_facts,
    versions,
)
from simlib.files import check_folder, write_whole
from simlib.games import game_named
from simlib.history import Entry, entry_of_tour
from simlib.languages import ENGLISH, say, speaking, with_language
from simlib.measured import experiments_about
from simlib.pages import overview
from simlib.pages.overview import Reviewed
from simlib.pages.review import Answer, Page, write

SHORTER = 20  # times fewer games than an experiment plays by itself
FILE = "tour.json"  # tells that a folder holds an earlier tour


class Asked(NamedTuple):
    """What is to be reviewed.

    Attributes
    ----------
    request : Request
        Its games are those of each experiment; 0 where all play their short version.
    typed : mapping
        GAMES, SEED, SET and VARIANT as typed, where they were; SET without its game.
    """

    request: Request
    typed: Mapping[str, str]

    def command(self, name: str, games: int = 0, game: str = "") -> str:
        """Return what to type to get an experiment, or the review, again."""
        settings = " ".join(filter(None, (f"game={game}" if game else "", self.typed.get("SET", ""))))
        given = dict(self.typed) | {"SET": settings} | ({"GAMES": str(games)} if games else {})
        return command(name, {key: given[key] for key in ("GAMES", "SEED", "SET", "VARIANT") if given.get(key)})


class Tour(NamedTuple):
    """The page, what it says, and of which designs."""

    page: Path
    headline: str
    reviewed: Sequence[Reviewed]


class Ways(NamedTuple):
    """How all is played and told."""

    jobs: int
    quiet: bool
    language: str
    tell: Callable[[list[str]], None]
    beside: Sequence[Beside]


def play_all(
    asked: Asked, folder: Path, jobs: int, *, quiet: bool = False, language: str = ENGLISH,
    tell: Callable[[list[str]], None] = lambda lines: None, beside: Sequence[Beside] = (),
) -> Tour:  # fmt: skip
    """Review a design of one game in a folder, or of each game in a folder of its own inside it.

    Pages are written anew after each experiment: what was done before an interruption stays, and is listed.

    Parameters
    ----------
    language : str, optional
        Of all pages.
    tell : callable, optional
        Takes what is to be said before each experiment is played.
    beside : sequence of Beside, optional
        What each plays and shows besides its own.

    Raises
    ------
    BadInput
        If the design can't be played, a target can't be read, or the folder holds something else or can't be written.
    """
    _check_place(folder)
    games, left_out = _games(asked.request)
    ways = Ways(jobs, quiet, language, tell, beside)
    write_whole(folder / FILE, json.dumps(games) + "\n")
    if asked.request.games_of(ALL) == games[:1]:
        made = _Reviewing(asked, games[0], folder, ways).play()
        return Tour(folder / "index.html", made.headline, [made])

    done: list[Reviewed] = []
    for game in games:
        write_whole(folder / game / FILE, json.dumps([game]) + "\n")
        done.append(_Reviewing(asked, game, folder / game, ways).play())
        with speaking(language):
            overview.write(folder, done, left_out, len(games), with_language(asked.command(ALL)))
    with speaking(language):
        told = say(" ").join(say("{game}: {told}", game=one.title, told=one.headline) for one in done)
    return Tour(folder / "index.html", told, done)


def entry_of(made: Tour, asked: Asked) -> Entry:
    """Return the entry of a tour in the list of all runs."""
    one = made.reviewed[0].game if len(made.reviewed) == 1 else ""
    variants = [each.variant for each in made.reviewed]
    games = sum(each.games for each in made.reviewed)
    return entry_of_tour(variants, made.headline, asked.command(ALL, game=one), games, asked.request.seed)


def _games(request: Request) -> tuple[list[str], list[str]]:
    """Return the games that can be played as asked, and why the others can't; their targets are checked, too."""
    request.check(ALL)
    found, left_out = [], []
    for game in request.games_of(ALL):
        try:
            review.variant_of(request, game)
        except BadInput as fault:
            left_out.append(f"Not played: {game_named(game).title}: {fault}.")
            continue
        review.targets_of(request, game)
        found.append(game)
    return found, left_out


def _check_place(folder: Path) -> None:
    check_folder(folder, f"OUT={folder}")
    if folder.exists() and not (folder / FILE).is_file() and any(folder.iterdir()):
        raise BadInput(f"OUT={folder}: neither an earlier NAME=all nor an empty folder")


class _Reviewing:
    """A review while it is made: what has been played of it yet."""

    def __init__(self, asked: Asked, game: str, folder: Path, ways: Ways) -> None:
        self.game, self._folder, self._ways = game, folder, ways
        self._request = replace(asked.request, game=game)
        self._goals = review.targets_of(self._request, game)
        self._requests, self._refused = _requests(asked, game)
        self._command = with_language(asked.command(ALL, game=game))
        self._answers: list[Answer] = []
        self._played: dict[str, results.Results] = {}

    def play(self) -> Reviewed:
        """Play all of it, and write its page after each part."""
        ways = self._ways
        ways.tell([f"{self.game}: games of the review's own"])
        self._own = self._play_own()
        self._show()
        for number, (name, request) in enumerate(self._requests.items(), 1):
            ways.tell([f"{self.game}, {number} of {len(self._requests)}: {name}"])
            run(
                about(name), request, self._folder / name, ways.jobs,
                quiet=ways.quiet, language=ways.language, beside=ways.beside, after=self._keep,
            )  # fmt: skip
            self._show()
        return self._reviewed()

    def _play_own(self) -> results.Results:
        request = self._request
        label, variant = review.variant_of(request, self.game)
        plan = review.plan(request, label, variant, self._goals)
        facts = {
            "variants": variant_facts({label: variant}),
            "players": plan.players,
            "games": sum(study.games * len(study.arms) for study in plan.studies),
            "seed": request.seed,
            "command": self._command,
            "versions": versions(),
        }
        return play_on(
            review.NAME, plan, facts, request.seed, self._folder, self._ways.jobs,
            quiet=self._ways.quiet, tell=self._ways.tell,
        )  # fmt: skip

    def _keep(self, found: results.Results, headline: str) -> None:
        """Keep what an experiment found; its page has just been written."""
        title, facts = experiment_named(found.experiment).TITLE, found.facts
        again = with_language(facts["command"])
        self._answers.append(Answer(found.experiment, title, facts["question"], headline, again))
        self._played[found.experiment] = found

    @property
    def _review(self) -> review.Review:
        return review.Review(self._own, self._goals, self._played.get(review.DEAD))

    @property
    def _page(self) -> Page:
        made = self._review
        classic, variant = page_variants({"classic": made.classic, made.label: made.variant})
        return Page(
            game_named(self.game).title, variant, classic, self._own.facts, made.sections,
            self._answers, len(self._requests), self._refused, self._command,
        )  # fmt: skip

    def _show(self) -> None:
        with speaking(self._ways.language):
            write(self._folder, self._page)

    def _reviewed(self) -> Reviewed:
        games = sum(found.facts["games"] for found in (self._own, *self._played.values()))
        with speaking(self._ways.language):
            made, title = self._review, game_named(self.game).title
            return Reviewed(self.game, title, self._own.facts["variants"][0], made.headline, games, made.counts)


def _requests(asked: Asked, game: str) -> tuple[dict[str, Request], dict[str, str]]:
    """Return what is asked of each experiment about a game, and why some can't be asked of this design."""
    found: dict[str, Request] = {}
    refused: dict[str, str] = {}
    for name in experiments_about(game):
        own = about(name)
        games = asked.request.games or max(1, own.games // SHORTER)
        narrowed = game if own.game == ALL else ""
        request = replace(asked.request, games=games, game=narrowed, command=asked.command(name, games, narrowed))
        try:
            experiment_named(name).plan(request)
        except BadInput as fault:
            refused[name] = str(fault)
        else:
            found[name] = request
    return found, refused
