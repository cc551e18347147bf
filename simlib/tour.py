"""`NAME=all`: a short version of every experiment, and a page that lists what each found."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from simlib import experiments, results
from simlib.errors import BadInput
from simlib.experiments import Beside, Request, about, command, questions, run
from simlib.files import check_folder, write_whole
from simlib.languages import ENGLISH, speaking

SHORTER = 20  # times fewer games than an experiment plays by itself
FILE = "tour.json"  # tells that a folder holds an earlier tour


def play_all(
    folder: Path, seed: int, jobs: int, *, quiet: bool = False, language: str = ENGLISH,
    tell: Callable[[list[str]], None] = lambda lines: None, beside: Sequence[Beside] = (),
) -> Path:  # fmt: skip
    """Play a short version of each experiment into a folder of its own, and return the path of the page about all.

    The page is written anew after each: what was done before an interruption stays, and is listed.

    Parameters
    ----------
    language : str, optional
        Of all pages.
    tell : callable, optional
        Takes what is to be said before each is played.
    beside : sequence of Beside, optional
        What each plays and shows besides its own.

    Raises
    ------
    BadInput
        If the folder holds something else, or can't be written.
    """
    check_folder(folder, f"OUT={folder}")
    if folder.exists() and not (folder / FILE).is_file() and any(folder.iterdir()):
        raise BadInput(f"OUT={folder}: neither an earlier NAME=all nor an empty folder")
    names = list(questions())
    write_whole(folder / FILE, json.dumps(names) + "\n")
    for number, name in enumerate(names, 1):
        tell([f"{number} of {len(names)}: {name}"])
        asked = about(name)
        games = max(1, asked.games // SHORTER)
        again = command(name, {"GAMES": str(games), "SEED": str(seed)})
        request = Request(games, seed, command=again)
        run(asked, request, folder / name, jobs, quiet=quiet, language=language, beside=beside)
        with speaking(language):
            write_overview(folder, names[:number])
    return folder / "index.html"


def write_overview(folder: Path, names: list[str]) -> None:
    """Write the page about some experiments of a folder, from their results."""
    from simlib.pages.overview import Entry, write

    entries = []
    for name in names:
        found = results.load(folder / name)
        module = experiments.experiment_named(name)
        first = module.findings(found)[0]
        entries.append(Entry(name, module.TITLE, found.facts["question"], first.headline, found.facts["command"]))
    write(folder, entries, len(questions()))
