"""The page that lists the reviews of several games."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from simlib.files import write_whole
from simlib.pages.page import environment
from simlib.pages.review import SIGNS


class Reviewed(NamedTuple):
    """A design that was reviewed.

    Attributes
    ----------
    game, title : str
        The game's name and title.
    variant : dict
        As plain values.
    headline : str
        The verdict.
    games : int
        How many it took.
    counts : mapping
        For each question, by its title, how many lines have each verdict.
    """

    game: str
    title: str
    variant: dict[str, Any]
    headline: str
    games: int
    counts: Mapping[str, Mapping[str, int]]


def write(folder: Path, reviewed: Sequence[Reviewed], left_out: Sequence[str], of: int, command: str) -> None:
    """Write ``index.html`` about reviews in folders named as their games.

    Parameters
    ----------
    left_out : sequence of str
        Which games aren't reviewed, and why.
    of : int
        How many there are to be: the page says so while some are missing.
    command : str
        What to type to get all again.
    """
    page = environment().get_template("overview.html")
    write_whole(
        folder / "index.html",
        page.render(reviewed=reviewed, left_out=left_out, of=of, command=command, signs=SIGNS),
    )  # fmt: skip
