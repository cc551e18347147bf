"""A page that lists all runs, newest first, by game and experiment; two ticked ones give what compares them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from simlib.files import write_whole
from simlib.pages.page import environment


class Shown(NamedTuple):
    """One run: its entry in the history, its report's folder if that is still its own, and what is to be said else."""

    entry: Any
    folder: str
    gone: str
    changes: Sequence[str]

    @property
    def link(self) -> str:
        """Where its report is, seen from the page."""
        return f"{quote(self.folder)}/index.html" if self.folder else ""


class Group(NamedTuple):
    """The runs of one experiment and kind."""

    experiment: str
    title: str
    kind: str
    runs: Sequence[Shown]


class Section(NamedTuple):
    """The groups about one game."""

    key: str
    title: str
    groups: Sequence[Group]


def write(path: Path, sections: Sequence[Section], broken: Sequence[int]) -> Path:
    """Write the page, whole or not at all, and return its path.

    Parameters
    ----------
    broken : sequence of int
        Numbers of the history's lines that can't be read.

    Raises
    ------
    SimlibError
        If it can't be written.
    """
    runs = [run for section in sections for group in section.groups for run in group.runs]
    pairs = [group for section in sections for group in section.groups if group.runs[0].entry.is_design]
    page = environment().get_template("history.html").render(sections=sections, runs=runs, broken=broken, pairs=pairs)
    write_whole(path, page)
    return path
