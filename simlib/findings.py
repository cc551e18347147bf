"""What an experiment has to say: sentences, tables and figures, still without any page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from simlib.estimates import Estimate
from simlib.estimates.words import value_and_bracket
from simlib.heavy import pd
from simlib.languages import say
from simlib.whatif import WhatIf

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Table:
    """Numbers with a title; `key` names its CSV download (``data/<key>.csv``).

    Attributes
    ----------
    frame : DataFrame
        What the download holds, and the page shows unless there is `shown`.
    shown : DataFrame or None
        What the page shows in its place, where rows of unlike units read better as words.
    folded : bool
        Whether the page shows its title alone until it is opened; a print has what is open.
    """

    key: str
    title: str
    frame: pd.DataFrame
    note: str = ""
    shown: pd.DataFrame | None = None
    folded: bool = False


@dataclass(frozen=True)
class Chart:
    """A figure with its alternative text and the numbers behind it."""

    key: str
    title: str
    figure: Figure
    alt: str
    caption: str
    table: Table


class Picture(NamedTuple):
    """A small picture of the answer, to stand beside its sentence.

    Attributes
    ----------
    figure : Figure
    alt : str
        What it shows, in words.
    of : str
        Key of the chart that has its numbers.
    """

    figure: Figure
    alt: str
    of: str


@dataclass(frozen=True)
class Tile:
    """One number that a reader should not miss, as text, with its interval and unit of count."""

    label: str
    value: str
    detail: str


def tile(label: str, estimate: Estimate, where: str, unit: str = "", *, percent: bool = False) -> Tile:
    """Return an estimate as a tile; `where` says for whom it holds."""
    value, how_sure = value_and_bracket(estimate, unit, percent=percent)
    return Tile(label, value, say("{how_sure}; {where}", how_sure=how_sure, where=where))


@dataclass(frozen=True)
class Saving:
    """What makes a figure sharper than games played apart would.

    Attributes
    ----------
    how : str
        Such as ``common deals``.
    factor : float
        Games, played apart, that one game is worth; nan where it isn't known.
    games : int
        Games that were played so.
    """

    how: str
    factor: float
    games: int = 0


@dataclass(frozen=True)
class Headline:
    """The one figure that a wish for precision speaks of, and how it was made sharp.

    Attributes
    ----------
    label : str
        What it is, and for whom.
    estimate : Estimate
    percent : bool
        Whether it is a share; a precision is then a share, too: 0.002 is 0.2 points of a per cent.
    unit : str
        Put after its value, such as ``points``.
    difference : bool
        Whether it is a difference, which is decided when its interval lies on one side of zero.
    savings : tuple of Saving
    """

    label: str
    estimate: Estimate
    percent: bool = False
    unit: str = ""
    difference: bool = False
    savings: tuple[Saving, ...] = ()


class Listing(NamedTuple):
    """A text to copy as it stands, such as a variant file."""

    title: str
    text: str


@dataclass(frozen=True)
class Finding:
    """One answer: a computed headline that states it with its interval, then the evidence.

    Attributes
    ----------
    key : str
        Short name, used as the section's anchor.
    headline : str
        The answer, computed from the numbers.
    text : tuple of str
        Paragraphs.
    assumes : tuple of str
        What the answer rests on: players, readings, sizes.
    listings : tuple of Listing
    whatif : WhatIf or None
        Sliders that recompute a curve of this finding.
    title : str
        What it is about, in a few words, for the list of contents; the answer's own is "The evidence".
    picture : Picture or None
        Of the answer alone.
    """

    key: str
    headline: str
    text: tuple[str, ...] = ()
    tiles: tuple[Tile, ...] = ()
    charts: tuple[Chart, ...] = ()
    tables: tuple[Table, ...] = ()
    assumes: tuple[str, ...] = field(default=())
    listings: tuple[Listing, ...] = ()
    whatif: WhatIf | None = None
    title: str = ""
    picture: Picture | None = None
