"""The page of a design review: the verdict, its reasons line by line, and everything else that was asked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from markupsafe import Markup

from simlib.estimates import Estimate
from simlib.figures.goals import strip
from simlib.figures.style import slug, to_svg
from simlib.files import write_whole
from simlib.frames import frame_of
from simlib.heavy import pd
from simlib.languages import say
from simlib.pages import tables
from simlib.pages.page import VariantFacts, environment, parameter_rows

FINE, BROKEN, GOOD, WEAKNESS = "fine", "broken", "good", "weak"
MET, MISSED, UNDECIDED = "met", "missed", "undecided"  # as targets are judged
TOLD, ABSENT = "no limit", "doesn't arise"
SIGNS = {
    FINE: "\u2713", GOOD: "\u2713", MET: "\u2713",
    BROKEN: "\u2717", WEAKNESS: "\u2717", MISSED: "\u2717",
    UNDECIDED: "?", TOLD: "\u00b7", ABSENT: "\u2013",
}  # fmt: skip
TABLE = "data/review.csv"


@dataclass(frozen=True)
class Line:
    """One figure of a review and what it says.

    Attributes
    ----------
    name : str
        Of the measure, or of the experiment that takes it.
    label : str
        What it is, for people.
    verdict : str
        One of SIGNS.
    figure : str
        Its value with its interval, as a phrase.
    players : str
        Who plays for it.
    experiment : str
        The one that says more.
    estimate : Estimate
    wished, source : str
        The limit in words, and whose it is, such as an experiment; empty where there is none, and where it is our own.
    band : (float, float)
        The limit as it is drawn.
    percent : bool
    more : str
        What else there is to say.
    """

    name: str
    label: str
    verdict: str
    figure: str
    players: str
    experiment: str
    estimate: Estimate
    wished: str = ""
    source: str = ""
    band: tuple[float, float] = (-math.inf, math.inf)
    percent: bool = False
    more: str = ""

    @property
    def sign(self) -> str:
        """The verdict's sign: told apart by its shape, not by a colour."""
        return SIGNS[self.verdict]

    @property
    def whose(self) -> str:
        """Whose the limit is."""
        return say(self.source) if self.source else say("the review's own")

    @property
    def told(self) -> str:
        """All of it as a sentence."""
        words = say("{label}: {figure}", label=say(self.label), figure=self.figure)
        if self.wished:
            words = say("{told}; limit: {band}", told=words, band=self.wished)
        return say("{told} ({verdict}).", told=words, verdict=self.verdict)


class Section(NamedTuple):
    """One question of a review: its answer, its lines, and what these rest on."""

    key: str
    title: str
    headline: str
    lines: Sequence[Line]
    notes: Sequence[str]
    example: str = ""


class Answer(NamedTuple):
    """What one experiment found, in a folder of its name."""

    name: str
    title: str
    question: str
    headline: str
    command: str


class Page(NamedTuple):
    """A review as it stands.

    Attributes
    ----------
    game : str
        The game's title.
    variant, classic : VariantFacts
        What is reviewed, and the classic design for as many players.
    facts : mapping
        Of the review's own games: how many, seed, players, versions.
    sections : sequence of Section
        The answers to its questions, the verdict first.
    answers : sequence of Answer
        What the experiments found that have been played yet.
    of : int
        How many are to be played.
    refused : mapping of str to str
        The experiments that can't be asked of this design, and why.
    command : str
        What to type to get the page again.
    """

    game: str
    variant: VariantFacts
    classic: VariantFacts
    facts: Mapping[str, Any]
    sections: Sequence[Section]
    answers: Sequence[Answer]
    of: int
    refused: Mapping[str, str]
    command: str

    @property
    def linked(self) -> set[str]:
        """The experiments whose pages are there."""
        return {answer.name for answer in self.answers}

    @property
    def changed(self) -> list[tuple[str, tuple[str, ...]]]:
        """The parameters in which the design differs from the classic one, with both values."""
        return parameter_rows([self.classic, self.variant])[0]


def write(folder: Path, page: Page) -> None:
    """Write a review's page and its numbers: the same bytes for the same review.

    Raises
    ------
    SimlibError
        If a file can't be written.
    """
    write_whole(folder / TABLE, tables.to_csv(table_of(page.sections)))
    template = environment().get_template("review.html")
    write_whole(folder / "index.html", template.render(page=page, picture=picture, table=TABLE))


def picture(section: Section, line: Line) -> Markup:
    """Return a line's small chart; nothing where it has no value."""
    if math.isnan(line.estimate.value):
        return Markup()
    figure = strip(line.estimate, line.band, percent=line.percent)
    name = f"strip--{slug(section.key)}--{slug(line.name)}"
    return Markup(to_svg(figure, name, title=say(line.label), description=line.told))


def table_of(sections: Iterable[Section]) -> pd.DataFrame:
    """Return all lines with their numbers as a table."""
    rows = [(section, line) for section in sections for line in section.lines]
    return frame_of(
        [line.estimate for _, line in rows],
        section=[section.title for section, _ in rows],
        name=[line.name for _, line in rows],
        what=[line.label for _, line in rows],
        verdict=[line.verdict for _, line in rows],
        limit=[line.wished for _, line in rows],
        source=[line.source for _, line in rows],
        players=[line.players for _, line in rows],
    )
