"""All runs whose reports are in ``reports/``: a line each in ``history.jsonl``, and a page that lists them.

A line is never changed or removed. A run's id (``r12``) names its main variant wherever a design is asked for.
"""

import fcntl
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path, PurePosixPath
from typing import IO, Annotated, Any, NamedTuple

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from simlib import experiments, results
from simlib.errors import BadInput, SimlibError, did_you_mean, one_line
from simlib.games import game_named, games, make_variant
from simlib.languages import ENGLISH, language, say
from simlib.results import Results

FILE = "history.jsonl"
INDEX = "index.html"
EXPERIMENT, ALL = "experiment", "all"
KINDS = {  # what a run may be, in words
    EXPERIMENT: "experiment",
    "sweep": "sweep",
    "compare": "comparison",
    "tune": "tuning",
    "playtest": "playtest",
    ALL: "design review",
}
MOST_TEXT = 2000  # characters of a text that a line keeps
MOST_VARIANTS = 40


def _line(text: Any) -> Any:
    return one_line(text, MOST_TEXT) if isinstance(text, str) else text


def _inner(folder: str) -> str:
    """Return a folder's name if it is one inside the reports folder."""
    if folder and (PurePosixPath(folder).is_absolute() or ".." in PurePosixPath(folder).parts):
        raise ValueError("not a folder inside the reports folder")
    return folder


def _as_variant(variant: dict[str, Any]) -> dict[str, Any]:
    texts = (variant.get(key) for key in ("label", "game", "name", "note", "fingerprint"))
    parameters = variant.get("parameters")
    if not all(isinstance(text, str) for text in texts) or not isinstance(parameters, dict):
        raise ValueError("not a variant")
    if not isinstance(parameters.get("players"), int):
        raise ValueError("not for a number of players")
    return variant


Line = Annotated[str, BeforeValidator(_line)]
Kept = Annotated[dict[str, Any], AfterValidator(_as_variant)]


class Entry(BaseModel):
    """One run.

    Attributes
    ----------
    kind : str
        One of KINDS.
    experiment : str
        The experiment's name, or what stands for several: ``design``, ``all``.
    title : str
        The page's title, in English.
    variants : list of dict
        What was played, the main one first, as `variant_entry` gives each; `more` were played besides.
    players : list of str
    games, seed : int
        Games played in all, root of all random numbers.
    headline : str
        The answer, in the `language` of its page.
    command : str
        What to type to get the same again.
    id, date, folder, held : str
        Given by `add`: the run's name, its date (UTC), its folder inside the reports folder, and a digest of what that
        folder held.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")

    kind: str = Field(pattern=f"^({'|'.join(KINDS)})$")
    experiment: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    title: Line
    headline: Line
    command: Line
    games: int = Field(ge=0)
    seed: int = Field(ge=0)
    language: str = Field(ENGLISH, pattern="^[a-z]{2}$")
    players: list[Line] = []
    variants: list[Kept] = []
    more: int = Field(0, ge=0)
    id: str = Field("", pattern=r"^(r[1-9][0-9]{0,8})?$")
    date: str = Field("", pattern=r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)?$")
    folder: Annotated[str, AfterValidator(_inner)] = ""
    held: str = ""

    @property
    def game(self) -> str:
        """The one game that was played; empty where there were several."""
        played = {variant["game"] for variant in self.variants}
        return str(*played) if len(played) == 1 else ""

    @property
    def is_design(self) -> bool:
        """Whether it stands for one variant, so that it can be compared with another run."""
        return self.kind == EXPERIMENT and bool(self.game)

    @property
    def variant(self) -> dict[str, Any]:
        """Its main variant: game, name, note, flat parameters.

        Raises
        ------
        BadInput
            If it doesn't stand for one.
        """
        if not self.is_design:
            what = KINDS[self.kind] if self.kind != EXPERIMENT else "run about several games"
            raise BadInput(f"{self.id}: a {what} is no design: name a run of an experiment about one game")
        return self.variants[0]


class History(NamedTuple):
    """What the history's file holds: its runs, oldest first, and the numbers of lines that can't be read."""

    entries: list[Entry]
    broken: list[int]


def variant_entry(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return a variant, as `experiments.variant_facts` gives it, with its fingerprint."""
    made = make_variant(game_named(facts["game"]), settings=facts["parameters"], where=results.FILE)
    return {**facts, "fingerprint": made.fingerprint}


def entry_of(run: Results, title: str, headline: str, kind: str = EXPERIMENT) -> Entry:
    """Return a run's entry from its result file's content; an experiment's main variant comes first."""
    from simlib.survey import main_labels

    facts, variants = run.facts, run.facts["variants"]
    if kind == EXPERIMENT:
        mains = main_labels(experiments.variants_of(run))
        variants = sorted(variants, key=lambda each: each["label"] not in mains)
    return Entry(
        kind=kind,
        experiment=facts.get("name", run.experiment),
        title=title,
        headline=headline,
        language=language(),
        command=facts["command"],
        games=facts["games"],
        seed=facts["seed"],
        players=list(dict.fromkeys(name.partition(" (")[0] for name in facts["players"])),
        variants=[variant_entry(each) for each in variants[:MOST_VARIANTS]],
        more=len(variants[MOST_VARIANTS:]),
    )


def entry_of_tour(
    variants: Sequence[Mapping[str, Any]], headline: str, command: str, games: int, seed: int
) -> Entry:  # fmt: skip
    """Return the entry of a review of one design, or of a design of each game."""
    return Entry(
        kind=ALL,
        experiment=ALL,
        title="Design review",
        headline=headline,
        language=language(),
        command=command,
        games=games,
        seed=seed,
        variants=[variant_entry(each) for each in variants],
    )


# ---- the file ------------------------------------------------------------------------------------------------------


def reports() -> Path:
    """Return the folder of all reports."""
    return experiments.ROOT / "reports"


def add(folder: Path, entry: Entry) -> Entry | None:
    """Add a run whose report is in a folder, and make the page anew; nothing for a folder outside the reports folder.

    Runs that are added at once wait for each other. A line that was cut off, as by a power failure, stays, and the
    next one begins below it.

    Raises
    ------
    SimlibError
        If the file or the page can't be written.
    """
    place = inside(folder)
    if not place:
        return None
    with _locked() as file:
        content = file.read()
        known = _history(content)
        numbers = [int(each.id[1:]) for each in known.entries if each.id]
        told = entry.model_copy(
            update={
                "id": f"r{max([len(numbers) + len(known.broken), *numbers]) + 1}",
                "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
                "folder": place,
                "held": _held(folder),
            }
        )
        cut = b"\n" if content and not content.endswith(b"\n") else b""
        file.write(cut + json.dumps(told.model_dump(), sort_keys=True).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
        _write_index(History([*known.entries, told], known.broken))
    return told


def inside(folder: Path) -> str:
    """Return a folder's path inside the reports folder; empty where it is outside, or that folder itself."""
    place = Path(os.path.realpath(folder))
    whole = Path(os.path.realpath(reports()))
    return place.relative_to(whole).as_posix() if whole in place.parents else ""


@contextmanager
def _locked() -> Iterator[IO[bytes]]:
    """Open the history's file for reading and appending, alone."""
    try:
        with (reports() / FILE).open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            yield file
    except OSError as fault:
        raise SimlibError(f"reports/{FILE}: can't be written: {fault.strerror or fault}") from None


def read() -> History:
    """Return what the history's file holds; nothing where there is none.

    Raises
    ------
    SimlibError
        If it can't be read.
    """
    try:
        return _history((reports() / FILE).read_bytes())
    except FileNotFoundError:
        return History([], [])
    except OSError as fault:
        raise SimlibError(f"reports/{FILE}: can't be read: {fault.strerror or fault}") from None


def _history(content: bytes) -> History:
    entries, broken = [], []
    for number, line in enumerate(content.split(b"\n"), 1):
        try:
            if line.strip():
                entries.append(Entry.model_validate(json.loads(line)))
        except (ValueError, RecursionError):
            broken.append(number)
    return History(entries, broken)


def _held(folder: Path) -> str:
    """Return a digest of a report's result, or of its page where it has none; empty where there is neither."""
    for name in (results.FILE, INDEX):
        if (folder / name).is_file():
            return hashlib.sha256((folder / name).read_bytes()).hexdigest()[:12]
    return ""


def run_named(text: str, where: str, presets: Iterable[str] = (), what: str = "preset, variant file or run") -> Entry:
    """Return a run by its id, or the last one of a folder.

    Parameters
    ----------
    where : str
        What names it, for an error.
    presets : iterable of str, optional
        What else could have been named there.
    what : str, optional
        What could have been named there, in words.

    Raises
    ------
    BadInput
        If there is none.
    """
    entries = read().entries
    known = {entry.folder: entry for entry in entries} | {entry.id: entry for entry in entries}
    found = known.get(text) or known.get(inside(Path(text)))
    if found is None:
        near = did_you_mean(text, {*known, *presets}).partition(" (")[0]
        folders = ", ".join(sorted({entry.folder for entry in entries})) or "there is none yet"
        raise BadInput(
            f"{where}: no {what} {one_line(repr(text), 60)}{near} "
            f"(runs: {folders}; or an id such as r1, as reports/{INDEX} lists them)"
        )
    return found


def report_of(text: str, where: str) -> Path:
    """Return the folder of a run's report, by the run's id or the folder's name.

    Raises
    ------
    BadInput
        If there is no such run, or its report is gone or was replaced by a later run's.
    """
    entry = run_named(text, where, what="run")
    folder = reports() / entry.folder
    held = _held(folder)
    if held != entry.held or not held:
        gone = "was replaced by a later run's" if held else "is gone"
        raise BadInput(f"{where}: {entry.id}: its report in {one_line(entry.folder)} {gone}")
    return folder


# ---- the page ------------------------------------------------------------------------------------------------------


def write_index() -> Path:
    """Make the page that lists all runs anew, and return its path.

    Raises
    ------
    SimlibError
        If it can't be written.
    """
    return _write_index(read())


def _write_index(history: History) -> Path:
    from simlib.pages.history import write

    newest_first = history.entries[::-1]
    held = {name: _held(reports() / name) for name in {entry.folder for entry in newest_first}}
    return write(reports() / INDEX, _sections(newest_first, held), history.broken)


def _sections(entries: Sequence[Entry], held: Mapping[str, str]) -> list[Any]:
    """Return the page's sections, one a game, of groups of runs, one an experiment and kind."""
    from simlib.pages.history import Group, Section

    found: dict[str, dict[tuple[str, str], list[Entry]]] = {}
    for entry in entries:
        found.setdefault(entry.game, {}).setdefault((entry.experiment, entry.kind), []).append(entry)
    return [
        Section(
            game or "several",
            games()[game].title if game in games() else game or "Several games",
            [
                Group(name, runs[0].title, KINDS[kind], [_shown(entry, held) for entry in runs])
                for (name, kind), runs in groups.items()
            ],
        )
        for game, groups in found.items()
    ]


def _shown(entry: Entry, held: Mapping[str, str]) -> Any:
    """Return a run as the page shows it; it leads to the report if that is still the run's own."""
    from simlib.pages.history import Shown

    own = held[entry.folder] == entry.held != ""
    gone = say("replaced by a later run") if held[entry.folder] else say("the report is gone")
    return Shown(entry, entry.folder if own else "", "" if own else gone, changes(entry))


def changes(entry: Entry) -> list[str]:
    """Return how a run's main variant differs from the classic one, such as ``bid.double = 3``."""
    if not entry.is_design or entry.game not in games():
        return []
    parameters = entry.variants[0]["parameters"]
    classic = _classic(entry.game, parameters["players"])
    return [f"{key} = {json.dumps(value)}" for key, value in parameters.items() if classic.get(key, value) != value]


@cache
def _classic(game: str, players: int) -> dict[str, Any]:
    with suppress(BadInput):  # a number of players that the game allowed once
        return make_variant(game_named(game), settings={"players": players}).flat()
    return {}


def listed(entry: Entry) -> str:
    """Return a run as a line of text."""
    names = ", ".join(dict.fromkeys(variant["name"] for variant in entry.variants[:1]))
    date = entry.date.replace("T", " ")[:16]
    return "  ".join(filter(None, [entry.id, date, entry.kind, entry.experiment, names, entry.headline]))
