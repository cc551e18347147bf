"""``simlib figures``: a report's figures as files for slides."""

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlib.arguments import add_verb
from simlib.errors import BadInput, did_you_mean, one_line
from simlib.languages import ENGLISH, language_named, languages

if TYPE_CHECKING:
    from simlib.findings import Finding
    from simlib.pages.page import RunFacts
    from simlib.results import Results

FORMATS, BACKGROUNDS = ("svg", "png"), ("white", "transparent")


def add(verbs: Any) -> None:
    """Add the verb to the command line."""
    verb = add_verb(verbs, "figures", run, "Write each figure of a report as a file for slides.")
    verb.add_argument("report", metavar="RUN", help="a run's id, as in reports/index.html (r12), or a report's folder")
    verb.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder that they go into")
    verb.add_argument("--format", default="svg", metavar="FORMAT", help="svg, or png, 1920 pixels wide (svg)")
    verb.add_argument("--background", default="white", metavar="WHAT", help="white or transparent (white)")
    verb.add_argument("--language", metavar="CODE", help="en or ja (that of the report's page)")
    verb.add_argument("--overwrite", action="store_true", help="replace files of these names, if there are any")


def run(options: argparse.Namespace) -> None:
    """Write the figures and print where they are."""
    from simlib.files import check_folder, write_whole
    from simlib.languages import speaking
    from simlib.results import load

    _check("--format", options.format, FORMATS)
    _check("--background", options.background, BACKGROUNDS)
    folder = _folder(options.report)
    language = language_named(options.language, "--language") if options.language else _language_of(folder)
    where = f"--out {one_line(str(options.out))}"
    check_folder(options.out, where)
    found = load(folder)

    from simlib.figures import slides

    with speaking(language):
        ways = {"as_png": options.format == "png", "transparent": options.background == "transparent"}
        drawn = slides.files(*_page_of(found), **ways)
    if not drawn:
        raise BadInput(f"RUN: {one_line(options.report)}: its page has no figures")
    there = [name for name in drawn if (options.out / name).exists()]
    if there and not options.overwrite:
        raise BadInput(f"{where}: {there[0]} is there already; --overwrite replaces it")
    for name, content in drawn.items():
        write_whole(options.out / name, content)
    sys.stdout.writelines(f"{options.out / name}\n" for name in drawn)


def _check(key: str, text: str, allowed: tuple[str, ...]) -> None:
    if text not in allowed:
        raise BadInput(f"{key} {one_line(repr(text), 60)}: unknown" + did_you_mean(text, allowed))


def _folder(text: str) -> Path:
    """Return a report's folder: by its path, or as the history names it.

    Raises
    ------
    BadInput
        If there is none, or it holds several reports.
    """
    from simlib import history, results, tour

    folder = Path(text)
    if not _is_file(folder / results.FILE):
        folder = folder if _is_file(folder / tour.FILE) else history.report_of(text, "RUN")
    if _is_file(folder / tour.FILE):
        raise BadInput(f"RUN: {one_line(text)}: it holds reports of several experiments: name one of them")
    return folder


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name too long, or with a null sign
        return False


def _language_of(folder: Path) -> str:
    """Return the language of a report's page; English where it has none."""
    try:
        head = (folder / "index.html").read_text(encoding="utf-8", errors="replace")[:1000]
    except OSError:
        return ENGLISH
    told = re.search(r'<html lang="([a-z]{2})"', head)
    return told[1] if told and told[1] in languages() else ENGLISH


def _page_of(found: "Results") -> "tuple[list[Finding], RunFacts]":
    """Return what a report's page says, of whatever kind it is."""
    from simlib import compare, experiments, samples, targets
    from simlib.playtest import page as playtest
    from simlib.sweep import run as sweep
    from simlib.tune import run as tune

    for kind in (compare, playtest, sweep, tune):
        if found.experiment == kind.KIND:
            return kind.page_of(found)
    return experiments.page_of(found, (targets.JUDGED, samples.BESIDE))
