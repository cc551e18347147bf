"""The report: the answer, its evidence, how it was measured, and how to run it again."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from simlib.errors import SimlibError
from simlib.estimates.words import DASH
from simlib.figures.style import slug, to_svg
from simlib.files import write_whole
from simlib.findings import Chart, Finding, Picture, Table
from simlib.hooks import SEES_ALL
from simlib.languages import ENGLISH, language, say, speaking
from simlib.made import made_in
from simlib.pages import tables

MOST_TILES = 4
MOST_SOURCE = 20_000  # characters of a variant file that a page shows
TEMPLATES = Path(__file__).parent / "templates"
Row = tuple[str, tuple[str, ...]]


class VariantFacts(NamedTuple):
    """One variant that was played; `parameters` are flat, as `Variant.flat` gives them."""

    label: str
    name: str
    parameters: Mapping[str, Any]
    fingerprint: str
    note: str = ""
    game: str = ""


@dataclass(frozen=True)
class RunFacts:
    """What a page tells of how its numbers were made.

    Attributes
    ----------
    title, question, experiment, game : str
        The page's title, the designer's question, the experiment's name, the game's title.
    variants : sequence of VariantFacts or of such tuples
        What was played.
    readings : mapping
        How unclear rules were read.
    players : sequence of (str, str)
        Name, and a sentence on how it plays.
    sees_all : sequence of str
        Players that took part and see all cards, as their sentences tell: the page says so below the answer, too.
    seed, games : int
        Root of all random numbers; games played in all.
    played : sequence of (str, int)
        What was played how often.
    versions : mapping
        Programs and their versions.
    command : str
        What to type to get this page again.
    glossary : sequence of (str, str)
        Terms and their meaning.
    sources : sequence of (str, str)
        Names of the variant files, and their text as it was written.
    samples : sequence of games.Shown
        Games that the page links.
    """

    title: str
    question: str
    experiment: str
    game: str
    variants: Sequence[VariantFacts | tuple[Any, ...]] = ()
    readings: Mapping[str, Any] | None = None
    players: Sequence[tuple[str, str]] = ()
    sees_all: Sequence[str] = ()
    seed: int = 0
    games: int = 0
    played: Sequence[tuple[str, int]] = ()
    versions: Mapping[str, str] | None = None
    command: str = ""
    glossary: Sequence[tuple[str, str]] = ()
    sources: Sequence[tuple[str, str]] = ()
    samples: Sequence[Any] = ()


def render(findings: Sequence[Finding], run: RunFacts, made: str = "") -> str:
    """Return the whole page as HTML: the same bytes for the same findings and facts.

    Parameters
    ----------
    made : str, optional
        When it was made, and how long that took: it stands in a block of its own, marked by comments.

    Raises
    ------
    SimlibError
        If two findings, charts or tables share a key, or the answer's picture is of no chart.
    """
    _check_keys(findings)
    variants = [VariantFacts(*facts) for facts in run.variants]
    parameters = [(own, *parameter_rows(own)) for own in _by_game(variants)]
    heading, sections = _heading_tiles(findings)
    return environment().get_template("page.html").render(
        run=run, findings=findings, tiles=heading, section_tiles=sections,
        variants=variants, parameters=parameters, most_source=MOST_SOURCE, made=made,
    )  # fmt: skip


def write(
    folder: Path, findings: Sequence[Finding], run: RunFacts, again: Callable[[], Sequence[Finding]] | None = None
) -> Path:  # fmt: skip
    """Write ``data/<key>.csv`` for every table and chart, then ``index.html``, and return the page's path.

    Each file is there whole or not at all.

    Parameters
    ----------
    again : callable, optional
        Returns the findings once more, in the language that is spoken: downloads are the same for every page's
        language, in English.

    Raises
    ------
    SimlibError
        If keys clash or a file can't be written.
    """
    page = render(findings, run, made_in(folder))
    for table in all_tables(_in_english(findings, again)):
        write_whole(folder / "data" / f"{slug(table.key)}.csv", tables.to_csv(table.frame))
    index = folder / "index.html"
    write_whole(index, page)
    return index


def _in_english(findings: Sequence[Finding], again: Callable[[], Sequence[Finding]] | None) -> Sequence[Finding]:
    if again is None or language() == ENGLISH:
        return findings
    with speaking(ENGLISH):
        return again()


def all_tables(findings: Iterable[Finding]) -> list[Table]:
    """Return the tables of all charts and findings, in the page's order."""
    return [
        table
        for finding in findings
        for table in (*(chart.table for chart in finding.charts), *finding.tables)
    ]  # fmt: skip


def _by_game(variants: Sequence[VariantFacts]) -> list[list[VariantFacts]]:
    """Return the variants of each game, which share its parameters."""
    games = dict.fromkeys(variant.game for variant in variants)
    return [[variant for variant in variants if variant.game == game] for game in games]


def parameter_rows(variants: Sequence[VariantFacts]) -> tuple[list[Row], list[Row]]:
    """Return the parameters that differ, each with its value in every variant; and the others with their one value."""
    names = dict.fromkeys(name for variant in variants for name in variant.parameters)
    rows = [(name, tuple(_spelled(variant.parameters.get(name)) for variant in variants)) for name in names]
    alike = [(name, values[:1]) for name, values in rows if len(set(values)) == 1]
    return [(name, values) for name, values in rows if len(set(values)) > 1], alike


def _spelled(value: Any) -> str:
    if value is None:
        return DASH
    if isinstance(value, bool):
        return say("yes" if value else "no")
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_spelled(part)}" for key, part in value.items())
    return ", ".join(map(_spelled, value)) if isinstance(value, list | tuple) else str(value)


def _heading_tiles(findings: Sequence[Finding]) -> tuple[list[Any], list[list[Any]]]:
    """Return the tiles below the answer, and those left for each section."""
    if not findings:
        return [], []
    first, *others = (list(finding.tiles) for finding in findings)
    return first[:MOST_TILES], [first[MOST_TILES:], *others]


def _check_keys(findings: Sequence[Finding]) -> None:
    charts = [chart.key for finding in findings for chart in finding.charts]
    keys = {
        "findings": [finding.key for finding in findings],
        "charts": charts,
        "tables": [table.key for table in all_tables(findings)],
    }
    for what, given in keys.items():
        names = [slug(key) for key in given]
        for name in names:
            if names.count(name) > 1:
                raise SimlibError(f"two {what} of this report share the key {name!r}")
    for finding in findings:
        if finding.picture and finding.picture.of not in charts:
            raise SimlibError(f"a picture is of {finding.picture.of!r}, which is no chart of this report")


@cache
def environment() -> Environment:
    """Return what renders the templates of this folder."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    environment.filters.update(
        slug=slug,
        grid=tables.grid,
        svg=_svg,
        small_svg=_small_svg,
        known=_known,
        headline=_headline,
        as_told=_as_told,
        say=say,
    )
    environment.globals.update(say=say, language=language, sees_all=SEES_ALL)
    environment.globals["css"] = Markup((TEMPLATES / "page.css").read_text(encoding="utf-8"))
    return environment


def _svg(chart: Chart) -> Markup:
    return Markup(to_svg(chart.figure, f"chart--{slug(chart.key)}", title=say(chart.title), description=say(chart.alt)))


def _small_svg(picture: Picture) -> Markup:
    return Markup(to_svg(picture.figure, "picture", title=say("The answer"), description=say(picture.alt)))


_NO_NUMBER = re.compile(r"(?<![\w.])[-+\u2212]?(?:nan|inf)(?![\w.]\w)(?!\w)")
_UNIT = re.compile(r"(?<=\d) (?=%)|(?<=n =) (?=\d)|(?<=n) (?== \d)")


_HOW_SURE = re.compile(
    r"\((?=[^()]*(?:interval|n\u00a0=))[^()]*\)|\uff08(?=[^\uff08\uff09]*(?:\u533a\u9593|n\u00a0=))[^\uff08\uff09]*\uff09"
)


_PARTS = re.compile(r"(?<=[;.]) (?=[A-Z])|(?<=\u3002)(?=.)")
LONG = 180  # signs of a heading that is set part by part, a line each


def _headline(text: str) -> Markup:
    """Return a sentence as a heading sets it: how sure its figures are stands in brackets, smaller."""
    told = _known(text)
    parts = _PARTS.split(told) if len(told) > LONG else [told]
    set_ = [_HOW_SURE.sub(r'<span class="sure">\g<0></span>', str(escape(part))) for part in parts]
    return Markup(set_[0] if len(set_) == 1 else " ".join(f'<span class="part">{part}</span>' for part in set_))


def _known(text: str) -> str:
    """Return a sentence, in the language that is spoken, as `_as_told` sets it."""
    return _as_told(say(str(text)))


def _as_told(text: str) -> str:
    """Return a sentence with a dash for any number it lacks, and numbers kept beside their units."""
    return _UNIT.sub("\u00a0", _NO_NUMBER.sub(DASH, text))
