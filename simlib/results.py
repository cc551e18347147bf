"""A run's result file: what was asked for and the exact sums that came out. Pages are made from it alone."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from simlib.checkpoints import FOLDER as UNFINISHED
from simlib.errors import BadInput
from simlib.files import check_folder, is_half, write_whole
from simlib.made import note_made
from simlib.sealed import Broken, sealed, unsealed

FORMAT = "simlib-run/3"
FILE = "run.json"
STALE = ("data/*.csv", "data/games.jsonl", "games/*.html", "winner.toml", "speeds.csv")  # what pages lie beside


@dataclass(frozen=True)
class Results:
    """What a run left.

    Attributes
    ----------
    experiment : str
        Its name.
    facts : dict
        Plain values: variants, players, seed, games, versions, command.
    summaries : dict
        {study's key: {name: int64 array}}.
    studies : dict
        {study's key: {"identity": what its sums depend on, "games": how many they are of}}; a later run that asks for
        more goes on from there.
    """

    experiment: str
    facts: dict[str, Any]
    summaries: dict[str, dict[str, np.ndarray]]
    studies: dict[str, dict[str, Any]] = field(default_factory=dict)


def save(folder: Path, results: Results) -> None:
    """Write a run's result file, whole or not at all; tables and games of an earlier result go.

    The page that belongs to it is to be written right after. When that was, and how long it took, stands in a file of
    its own: no two runs share it.
    """
    tree = {
        "format": FORMAT,
        "experiment": results.experiment,
        "facts": results.facts,
        "summaries": {
            key: {name: array.tolist() for name, array in summary.items()} for key, summary in results.summaries.items()
        },
        "studies": results.studies,
    }
    write_whole(folder / FILE, sealed(tree))
    for pattern in STALE:
        for path in folder.glob(pattern):
            path.unlink(missing_ok=True)
    note_made(folder)


def load(folder: Path, kind: str = "") -> Results:
    """Return the run that a folder holds.

    Parameters
    ----------
    kind : str, optional
        What it must be a run of, such as ``sweep``.

    Raises
    ------
    BadInput
        If there is none, it is of another kind, or its file isn't one of this version, exactly as it was written.
    """
    path = folder / FILE
    try:
        tree = unsealed(path.read_bytes().decode("utf-8"))
    except OSError as fault:
        raise BadInput(f"{path}: can't be read: {fault.strerror or fault}") from None
    except (Broken, ValueError):
        raise BadInput(f"{path}: not a result file as this version ({FORMAT}) writes it, or changed since") from None
    if tree.get("format") != FORMAT:
        raise BadInput(f"{path}: not a result file of this version ({FORMAT})")
    if kind and tree["experiment"] != kind:
        raise BadInput(f"{path}: the result of {tree['experiment']}, not of a {kind}")
    summaries = {
        key: {name: np.array(values, np.int64) for name, values in summary.items()}
        for key, summary in tree["summaries"].items()
    }
    return Results(tree["experiment"], tree["facts"], summaries, tree.get("studies", {}))


def check_place(folder: Path) -> None:
    """Check that a report may be written into a folder.

    Raises
    ------
    BadInput
        If it holds something else, or can't be written.
    """
    check_folder(folder, f"OUT={folder}")
    if not _may_hold_a_report(folder):
        raise BadInput(f"OUT={folder}: neither an earlier report nor an empty folder")


def _may_hold_a_report(folder: Path) -> bool:
    """Tell whether a folder is new, empty, or holds an earlier run, ended or not."""
    if not folder.exists():
        return True
    return folder.is_dir() and (_is_ours(folder / FILE) or all(map(_is_unfinished, folder.iterdir())))


def _is_unfinished(path: Path) -> bool:
    """Tell whether a first run that was cut off leaves this."""
    return path.name == UNFINISHED or is_half(path)


def _is_ours(path: Path) -> bool:
    """Tell whether a file is a result file, of whatever version, even if it was changed since."""
    try:
        return b'"format":"simlib-run/' in path.read_bytes()
    except OSError:
        return False
