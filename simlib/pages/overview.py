"""A page that lists reports: the question of each, its answer, and where it is."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from simlib.files import write_whole
from simlib.pages.page import environment


class Entry(NamedTuple):
    """One report, in a folder named as its experiment."""

    name: str
    title: str
    question: str
    headline: str
    command: str


def write(folder: Path, entries: Sequence[Entry], of: int) -> None:
    """Write ``index.html`` for the reports below a folder.

    Parameters
    ----------
    of : int
        How many there are to be: the page says so while some are missing.
    """
    write_whole(folder / "index.html", environment().get_template("overview.html").render(entries=entries, of=of))
