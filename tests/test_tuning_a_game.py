"""The walk-through of docs/tuning-a-game.md: its commands run as they stand, and the pages say what it quotes."""

import html
import re
import shlex
from pathlib import Path

import pytest

from simlib import experiments
from simlib.cli import main

pytestmark = pytest.mark.kernel
ROOT = Path(__file__).parent.parent
WALK = (ROOT / "docs/tuning-a-game.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^make (.*)$", WALK, flags=re.MULTILINE)
QUOTED = [" ".join(quote.replace("\n> ", "\n").split()) for quote in re.findall(r"^> ((?:.+\n)+)", WALK, re.MULTILINE)]


def run(command: str) -> int:
    """Run a make command's verb as its recipe does, by variables of the environment."""
    verb, *given = shlex.split(command)
    with pytest.MonkeyPatch.context() as patch:
        for name, _, text in (variable.partition("=") for variable in given):
            patch.setenv(name, text)
        return main([verb, "--environment", "--quiet"])


def words_of(page: Path) -> str:
    """Return a page's text with plain blanks."""
    text = re.sub(r"</?span[^>]*>", "", page.read_text(encoding="utf-8"))
    body = re.sub(r"<style.*?</style>|<svg.*?</svg>|<[^>]+>", " ", text, flags=re.DOTALL)
    return " ".join(html.unescape(body).split())


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    """Return the folder in which all commands were run, in order."""
    folder = tmp_path_factory.mktemp("walk")
    (variant,) = re.findall(r"```toml\n(.*?)```", WALK, flags=re.DOTALL)
    (folder / "more_ones.toml").write_text(variant, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(experiments, "ROOT", folder)
        for command in COMMANDS:
            assert run(command) == 0, command
    return folder


def test_pages_say_what_is_quoted(walked):
    pages = [words_of(walked / f"reports/{name}/index.html") for name in ("sweep_take_trick_gifts", "compare_design")]
    pages.append(words_of(walked / "reports/tune_take_trick/index.html"))
    assert len(QUOTED) == 3
    for quote, page in zip(QUOTED, pages, strict=True):
        assert quote in page


def test_figures_between_the_quotes_are_those_of_the_pages(walked):
    compared = words_of(walked / "reports/compare_design/index.html")
    assert "0.83 (99.88 % interval 0.77 to 0.89, n = 10,000)" in compared
    assert "9 points of a per cent (99.88 % interval 7 to 11, n = 10,000)" in compared
    assert "69.2 % (95 % interval" in compared
    assert "78.2 % (95 % interval" in compared
    steps = (walked / "reports/sweep_take_trick_gifts/data/gifts_a_round_steps.csv").read_text()
    assert re.search(r"deck.copies.1,1,2,higher,1,0.588\d", steps)
    assert re.search(r"deck.copies.1,5,6,higher,1,0.225\d", steps)
    assert ",0.71355," in (walked / "reports/tune_take_trick/data/cells.csv").read_text()


def test_the_last_report_says_that_the_target_is_still_met(walked):
    words = words_of(walked / "reports/take_trick_gifts/index.html")
    assert "met" in words
    assert "tuned: score.target=27" in words


def test_all_runs_are_listed(walked):
    words = words_of(walked / "reports/index.html")
    for quote in QUOTED:
        assert quote in words


REPORTS = ["sweep_take_trick_gifts", "compare_design", "tune_take_trick", "take_trick_gifts", "."]


@pytest.mark.parametrize("report", REPORTS)
def test_a_browser_shows_no_fault(report, walked, looked_at):
    looked_at(walked / "reports" / report / "index.html")
