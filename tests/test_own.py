"""Players in a designer's own file: found, compiled or called back, the same either way, and told of in one line."""

import json
from pathlib import Path

import numpy as np
import pytest

from simlib import batch
from simlib.batch import Arm, make_ready, play_arm
from simlib.cli import main
from simlib.errors import BadInput
from simlib.games import game_named, make_variant
from simlib.hooks import seated
from simlib.own import own_player

EXAMPLES = Path(__file__).parent.parent / "examples" / "mine.py"
PLAYERS = [("gara_tori", "lowest"), ("suppose", "cautious"), ("take_trick", "proud")]


def arm(game, *texts):
    """Return four seats, the first ones taken by these players, the others by greedy ones."""
    known = game_named(game).module("players").PLAYERS
    names = [*texts, *["greedy"] * (4 - len(texts))]
    own = [
        own_player(name, game, "--policy") if ".py" in name else seated(name, known, "--policy") for name in names
    ]  # fmt: skip
    return Arm(make_variant(game_named(game), settings={"players": 4}), tuple(own))


def written(tmp_path, body, arguments="rules, table, view, trick, word", name="odd"):
    file = tmp_path / "mine.py"
    file.write_text(f"import math\n\n\ndef {name}({arguments}):\n    {body}\n")
    return f"{file}:{name}"


def refused(capsys, *policy):
    """Return the one line that is said of a player."""
    assert main(["simulate", "suppose", "--games", "20", "--json", "--quiet", "--policy", *policy]) == 2
    said = capsys.readouterr()
    assert not said.out
    lines = [line for line in said.err.splitlines() if "plain Python" not in line and ": compiled" not in line]
    assert len(lines) == 1 and lines[0].startswith("simlib: ")
    return lines[0]


@pytest.mark.kernel
@pytest.mark.slow
@pytest.mark.parametrize(("game", "name"), PLAYERS)
def test_an_example_plays_the_same_compiled_and_plain(game, name):
    text = f"{EXAMPLES}:{name}"
    found = []
    for own, way in ((text, "compiled"), (f"{text}:plain", "plain Python")):
        played = arm(game, own)
        assert way in make_ready(played)
        found.append(play_arm(played, 3, 0, 40))
    np.testing.assert_array_equal(*found)
    assert (found[0] != play_arm(arm(game), 3, 0, 40)).any()


@pytest.mark.kernel
@pytest.mark.slow
def test_records_of_an_own_player_are_legal_games(capsys, tmp_path):
    policy = f"{EXAMPLES}:proud:plain"
    assert main(["record", "take_trick", "--games", "3", "--policy", policy]) == 0
    said = capsys.readouterr()
    assert said.err.strip() == f"simlib: {policy}: plain Python, slowly"
    assert json.loads(said.out.splitlines()[0])["players"] == [policy] * 4
    (tmp_path / "games.jsonl").write_text(said.out)
    assert main(["verify", str(tmp_path / "games.jsonl")]) == 0


@pytest.mark.kernel
def test_an_edited_file_is_another_player(tmp_path):
    rows = []
    for body in ("return 0", "return rules.tricks - table.trick - 1"):
        played = arm("suppose", written(tmp_path, body) + ":plain")
        make_ready(played)
        rows.append(play_arm(played, 3, 0, 20))
    assert (rows[0] != rows[1]).any()


def test_an_edited_file_is_another_kernel(tmp_path):
    marks = set()
    for body in ("return 0", "return 1"):
        (own,) = arm("suppose", written(tmp_path, body)).owned
        marks.add(batch.play._mark((own,)))
    assert len(marks) == 2


@pytest.mark.kernel
@pytest.mark.slow
def test_what_can_not_be_compiled_is_played_plain(capsys, tmp_path):
    text = written(tmp_path, "return len([each for each in sorted({'a': 1}.items(), key=str)]) - 1 + eval('0')")
    played = arm("suppose", text)
    told = make_ready(played)
    assert told.startswith(f"{text}: plain Python, slowly (it can't be compiled: ") and "\n" not in told
    np.testing.assert_array_equal(
        play_arm(played, 3, 0, 10), play_arm(arm("suppose", written(tmp_path, "return 0") + ":plain"), 3, 0, 10)
    )


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("return 1 // int(table.trick)", "line 5: ZeroDivisionError: "),
        ("return None", "must return a whole number from 0, not None"),
        ("return -3", "must return a whole number from 0, not -3"),
        ("return table.nothing", "line 5: AttributeError: "),
    ],
)
def test_a_fault_in_a_plain_player_is_one_line(capsys, tmp_path, body, words):
    said = refused(capsys, written(tmp_path, body) + ":plain")
    assert words in said and str(tmp_path / "mine.py") in said


def test_bad_files_and_functions_are_one_line(capsys, tmp_path):
    text = written(tmp_path, "return 0")
    assert "can't be read" in refused(capsys, str(tmp_path / "none.py") + ":odd")
    assert "did you mean 'odd'? (allowed: odd)" in refused(capsys, text + "e")
    assert "has no function ''" in refused(capsys, text.removesuffix(":odd"))
    assert "only 'plain' may follow" in refused(capsys, text + ":fast")
    wrong = written(tmp_path, "return 0", "rules, view")
    assert "odd must take (rules, table, view, trick, word), not (rules, view)" in refused(capsys, wrong)
    (tmp_path / "mine.py").write_text("def odd(:\n")
    assert "line 1: SyntaxError" in refused(capsys, text)
    (tmp_path / "mine.py").write_text("\nimport nothing_of_that_name\n")
    assert "line 2: ModuleNotFoundError" in refused(capsys, text)


def test_a_player_is_read_once_and_again_when_its_file_changes(tmp_path):
    text = written(tmp_path, "return 0")
    (first,), (again,) = arm("suppose", text).owned, arm("suppose", text).owned
    (other,) = arm("suppose", written(tmp_path, "return 1")).owned
    assert first is again is not other


def test_what_a_file_does_not_decide_is_greedys():
    own = own_player(f"{EXAMPLES}:cautious", "suppose", "--policy")
    assert {choice.__name__ for choice in own.own.functions} == {"play", "bid"}
    with pytest.raises(BadInput, match="unknown game"):
        own_player(f"{EXAMPLES}:cautious", "chess", "--policy")
