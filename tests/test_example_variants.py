"""The example variants: each is legal, says why it is there, plays, and the referee agrees."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from simlib.cli import main
from simlib.games import game_named, games, make_variant

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples" / "variants").glob("*/*.toml"))


def shown(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


each_example = pytest.mark.parametrize("path", EXAMPLES, ids=shown)


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def written(path: Path) -> dict[str, Any]:
    return tomllib.loads(text_of(path))


@pytest.mark.parametrize("game", games())
def test_there_are_some_for_each_game(game: str) -> None:
    assert len([path for path in EXAMPLES if path.parent.name == game]) >= 3


def test_they_show_every_spelling_of_copies() -> None:
    copies = [written(path).get("deck", {}).get("copies") for path in EXAMPLES]
    assert {type(each) for each in copies} >= {int, list, dict}
    keys = {key for each in copies if isinstance(each, dict) for key in each}
    assert any(key.isdigit() for key in keys)
    assert any(key.isalpha() for key in keys)


@each_example
def test_an_example_says_what_it_is_and_why(path: Path) -> None:
    assert written(path).keys() >= {"game", "base", "name", "note"}
    assert written(path)["game"] == path.parent.name
    assert text_of(path).startswith("# ")


@each_example
def test_no_two_examples_are_the_same_or_the_classic_game(path: Path) -> None:
    game = game_named(path.parent.name)
    fingerprints = [make_variant(game, file=other).fingerprint for other in path.parent.glob("*.toml")]
    assert len({*fingerprints, make_variant(game).fingerprint}) == len(fingerprints) + 1


@each_example
def test_commands_in_comments_name_what_there_is(path: Path) -> None:
    words = [word for line in text_of(path).splitlines() if "make experiment" in line for word in line.split()]
    for key, _, value in (word.partition("=") for word in words):
        assert key != "NAME" or (ROOT / "experiments" / f"{value}.py").is_file()
        assert key != "VARIANT" or (ROOT / value).is_file()


@each_example
def test_rules_show_an_example_resolved(path: Path, capsys) -> None:
    assert main(["rules", path.parent.name, "--variant", str(path)]) == 0
    out = capsys.readouterr().out
    assert f"\nvariant {written(path)['name']} (fingerprint " in out
    assert f"\n  {written(path)['note']}\n" in out
    _, _, differing = out.partition("\ndiffers from classic with 4 players:\n")
    assert differing
    assert "  nothing\n" not in differing


@pytest.mark.kernel
@each_example
def test_an_example_plays_and_the_referee_agrees(path: Path, tmp_path: Path, capsys) -> None:
    given = [path.parent.name, "--variant", str(path), "--policy", "greedy"]
    assert main(["simulate", *given, "--games", "20", "--json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)
    assert main(["record", *given, "--games", "2"]) == 0
    games = tmp_path / "games.jsonl"
    games.write_text(capsys.readouterr().out)
    assert json.loads(games.read_text().splitlines()[0])["variant"] == written(path)["name"]
    assert main(["verify", str(games)]) == 0
    assert capsys.readouterr().out == "1: ok\n2: ok\n"


DOCUMENT = (ROOT / "docs" / "variant-files.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", re.findall(r"```toml\n(.*?)```", DOCUMENT, re.DOTALL))
def test_files_in_the_documentation_are_legal(text: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    assert make_variant(game_named(tomllib.loads(text)["game"]), file=file).fingerprint


@pytest.mark.parametrize("spelled", re.findall(r"^\| `(copies = .*?)` \|", DOCUMENT, re.MULTILINE))
def test_spellings_of_copies_in_the_documentation_are_legal(spelled: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(f"players = 3\nhand.size = 5\n[deck]\n{spelled}", encoding="utf-8")
    assert make_variant(game_named("suppose"), file=file).fingerprint
