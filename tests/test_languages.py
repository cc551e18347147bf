"""Every text that a page shows is in every language's catalogue, with the same holes."""

import ast
import re
import string
import tomllib
from pathlib import Path

import pandas as pd
import pytest

from simlib.errors import BadInput
from simlib.languages import ENGLISH, AsTyped, catalogue, language_named, languages, say, speaking
from simlib.pages.tables import grid

ROOT = Path(__file__).parent.parent
SOURCES = sorted([*(ROOT / "simlib").rglob("*.py"), *(ROOT / "experiments").glob("*.py")])
TEMPLATES = sorted((ROOT / "simlib/pages/templates").glob("*.html"))
OTHERS = [code for code in languages() if code != ENGLISH]
CATALOGUES = [path for code in OTHERS for path in sorted(ROOT.glob(f"*/**/{code}/*.toml")) if ".venv" not in path.parts]
each_language = pytest.mark.parametrize("code", OTHERS)


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


def holes(template: str) -> list[str]:
    """Return the names of a template's holes, sorted."""
    return sorted(name for _, name, _, _ in string.Formatter().parse(template) if name is not None)


def said(path: Path) -> set[str]:
    """Return the templates of all calls of `say` in a Python file."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say":
            found |= {each.value for each in ast.walk(node.args[0]) if isinstance(each, ast.Constant)}
    return {text for text in found if isinstance(text, str)}


def said_in_page(path: Path) -> set[str]:
    """Return the templates of all calls of `say` in a page's template."""
    calls = re.findall(r'\bsay\(((?:[^()"]|"[^"]*")*)\)', path.read_text(encoding="utf-8"))
    return {text for call in calls for text in re.findall(r'"([^"]*)"', call.split(", ")[0])}


@each_language
@pytest.mark.parametrize("path", SOURCES, ids=shown)
def test_all_that_code_says_is_in_the_catalogue(path: Path, code: str) -> None:
    assert not {text for text in said(path) if text not in catalogue(code)}


@each_language
@pytest.mark.parametrize("path", TEMPLATES, ids=shown)
def test_all_that_pages_say_is_in_the_catalogue(path: Path, code: str) -> None:
    assert said_in_page(path) or "say(" not in path.read_text(encoding="utf-8")
    assert not {text for text in said_in_page(path) if text not in catalogue(code)}


WORDS = re.compile(r"[a-z]{2,} |[a-z] [a-z]{2,}")
UNSEEN = {
    "BadInput",
    "add_argument",
    "split",
    "partition",
    "_hand_study",
    "Joint",
}  # what takes texts that no page shows


def texts_with_blanks(path: Path) -> set[str]:
    """Return all plain texts of words in an experiment, but docstrings, keys and what errors say."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped: set[int] = set()
    for node in ast.walk(tree):
        name = ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
        if isinstance(node, ast.Expr | ast.JoinedStr | ast.Raise | ast.Subscript | ast.Compare) or name in UNSEEN:
            skipped |= {id(each) for each in ast.walk(node) if isinstance(each, ast.Constant)}
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in skipped}
    return {text for text in texts if isinstance(text, str) and WORDS.search(text)}


@each_language
@pytest.mark.parametrize("path", sorted((ROOT / "experiments").glob("*.py")), ids=shown)
def test_all_plain_texts_of_an_experiment_are_in_the_catalogue(path: Path, code: str) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    question = (ast.get_docstring(tree) or "").partition("\n")[0]
    assert not {text for text in {question, *texts_with_blanks(path)} if text not in catalogue(code)}


@each_language
def test_a_translation_has_the_holes_of_its_text(code: str) -> None:
    unlike = {text for text, other in catalogue(code).items() if holes(text) != holes(other)}
    assert not unlike


@pytest.mark.parametrize("path", CATALOGUES, ids=shown)
def test_one_text_has_one_translation(path: Path) -> None:
    known = catalogue(path.parent.name)
    assert not {key for key, text in tomllib.loads(path.read_text(encoding="utf-8")).items() if known[key] != text}


def test_english_is_said_as_it_is_written() -> None:
    assert say("{count:,} of {label}", count=1200, label="points") == "1,200 of points"
    assert say("braces {without a hole}") == "braces {without a hole}"


def test_text_in_a_hole_is_said_in_the_language_too() -> None:
    with speaking("ja"):
        assert say("{value} {unit}", value="3", unit="points") == "3 点"
        assert say("greedy (Suppose)") == "greedy\uff08\u30b5\u30dd\u30fc\u30ba\uff09"
        assert say("no such text") == "no such text"
    assert say("points") == "points"


def test_labels_that_were_put_together_are_said_part_by_part() -> None:
    with speaking("ja"):
        assert say("games, Suppose, 4 players, random and search:25") == (
            "\u30b2\u30fc\u30e0\u3001\u30b5\u30dd\u30fc\u30ba\u30014\u4eba\u3001random\u3001search:25"
        )
        assert say("{label}: {words}", label="Suppose, 4 players", words="yes") == (
            "\u30b5\u30dd\u30fc\u30ba\u30014\u4eba\uff1a\u306f\u3044"
        )
        assert say("hand.visible = [1, 6], nothing known") == "hand.visible = [1, 6], nothing known"
    assert say("games, 4 players; random and greedy") == "games, 4 players; random and greedy"


def test_an_unknown_language_is_told() -> None:
    with pytest.raises(BadInput, match=r"REPORT_LANGUAGE: unknown language 'jp' .allowed: en, ja."):
        language_named("jp", "REPORT_LANGUAGE")


def test_what_a_user_typed_is_said_in_no_other_language() -> None:
    with speaking("ja"):
        assert say("{value} {unit}", value="3", unit=AsTyped("points")) == "3 points"
        assert grid(pd.DataFrame({"x": [AsTyped("points"), "points"]}, dtype=object)).rows[0][0].text == "points"
