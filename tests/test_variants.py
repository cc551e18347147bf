"""Variants from files and settings: what is laid over what, and one line for each fault."""

from pathlib import Path
from typing import Any

import pytest

from simlib import results
from simlib.cli import main
from simlib.errors import BadInput
from simlib.experiments import Request
from simlib.games import game_named, make_variant
from simlib.pages.page import MOST_SOURCE
from simlib.variants import MOST_BYTES, read_settings, split_settings

HOSTILE = '<script>alert("x")</script>'


def made(game: str, file: str = "", settings: str = "", folder: Path | None = None) -> Any:
    """Return the variant of a file's text and of settings as they are typed."""
    path = None
    if file:
        assert folder
        path = folder / "mine.toml"
        path.write_text(file, encoding="utf-8")
    changed = read_settings(split_settings(settings), "SET")
    return make_variant(game_named(game), file=path, settings=changed, where="SET")


def copies(*given: Any, **where: Any) -> Any:
    return made(*given, **where).flat()["deck.copies"]


# ---- copies --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "file", "settings", "expected"),
    [
        ("take_trick", "", "deck.copies.1=4", [4, 3, 3, 3, 3, 3]),
        ("take_trick", "[deck.copies]\n1 = 4", "", [4, 3, 3, 3, 3, 3]),
        ("take_trick", "[deck]\ncopies = {1 = 4}", "", [4, 3, 3, 3, 3, 3]),
        ("take_trick", "deck.copies.1 = 4", "deck.copies.6=0", [4, 3, 3, 3, 3, 0]),
        ("take_trick", "base = 'nine'", "deck.copies.9=1", [2, 2, 2, 2, 2, 2, 2, 2, 1]),
        ("take_trick", "deck.preset = 'nine'", "deck.copies.9=1", [2, 2, 2, 2, 2, 2, 2, 2, 1]),
        ("take_trick", "", "deck.copies.1=4 deck.copies=2", [4, 2, 2, 2, 2, 2]),
        ("take_trick", "", "deck.copies=2 deck.copies.1=4", [4, 2, 2, 2, 2, 2]),
        ("take_trick", "", "deck.copies={1=4,2=5}", [4, 5, 3, 3, 3, 3]),
        ("take_trick", "deck.copies = 4", "deck.copies.2=1", [4, 1, 4, 4, 4, 4]),
        ("take_trick", "deck.copies = [5, 4, 3, 3, 3, 3]", "deck.copies.2=1", [5, 1, 3, 3, 3, 3]),
        ("take_trick", "deck.copies = [5, 4, 3, 3, 3, 3]", "deck.copies=4", 4),
        (
            "take_trick",
            "[deck.copies]\n1 = 4\nG = 2\nP = [1, 2, 3, 3, 4, 5]",
            "",
            {"G": [4, 2, 2, 2, 2, 2], "P": [4, 2, 3, 3, 4, 5], "S": [4, 3, 3, 3, 3, 3]},
        ),
        ("take_trick", "deck.copies.1 = 4", "deck.copies.G=2", {"G": 2, "P": [4, *[3] * 5], "S": [4, *[3] * 5]}),
        ("suppose", "", "deck.copies.6=3", [2, 2, 2, 2, 2, 3]),
        ("suppose", "", "deck.copies.6=3 players=3", [2, 2, 1, 1, 2, 3]),
        ("suppose", "deck.copies = 3", "deck.copies.R=1", {"R": 1, "B": 3, "G": 3, "Y": 3}),
        ("gara_tori", "base = 'sixty'", "deck.copies.14=2", [*[1] * 13, 2]),
        ("gara_tori", "", "deck.ranks=16 deck.copies.16=2", [*[1] * 15, 2]),
    ],
)
def test_copies_of_a_rank_or_colour_leave_the_others_as_they_are(
    game: str, file: str, settings: str, expected: Any, tmp_path: Path
) -> None:
    assert copies(game, file, settings, tmp_path) == expected


def test_a_rank_is_the_same_in_a_file_and_on_the_command_line(tmp_path: Path, capsys) -> None:
    file = made("take_trick", "[deck.copies]\n1 = 4", folder=tmp_path)
    listed = made("take_trick", settings="deck.copies=[4,3,3,3,3,3]")
    assert file.fingerprint == listed.fingerprint == made("take_trick", settings="deck.copies.1=4").fingerprint
    assert main(["rules", "take_trick", "--set", "deck.copies.1=4"]) == 0
    assert f"(fingerprint {file.fingerprint})" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ("deck.copies.7=1", "SET: unknown key 'deck.copies.7' (allowed: G, P, S, and ranks 1 to 6)"),
        ("deck.copies.0=1", "SET: unknown key 'deck.copies.0' (allowed: G, P, S, and ranks 1 to 6)"),
        ("deck.copies.01=1", "SET: unknown key 'deck.copies.01' (allowed"),
        ("deck.copies.g=1", "SET: unknown key 'deck.copies.g'; did you mean 'G'? (allowed"),
        ("deck.copies.1=257", "SET: deck.copies.1 = 257: it must be a whole number from 0 to 256"),
        ("deck.copies.1=[1]", "SET: deck.copies.1 = [1]: it must be a whole number from 0 to 256"),
        ("deck.copies.1.2=3", "SET: deck.copies.1 = {'2': 3}: it must be a whole number from 0 to 256"),
        ("deck.copies.1=100", "SET: deck.copies makes a deck of 345 cards: at most 256 are allowed"),
        ("1.deck=3", "SET: '1.deck=3' is not KEY=VALUE"),
    ],
)
def test_a_faulty_copy_is_one_line(settings: str, words: str) -> None:
    with pytest.raises(BadInput) as fault:
        made("take_trick", settings=settings)
    assert str(fault.value).startswith(words)


# ---- faults of a file ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("[bids]\ndouble = 3", "unknown key 'bids.double'; did you mean 'bid.double'?"),
        ("[bid]\nduble = 3", "unknown key 'bid.duble'; did you mean 'bid.double'?"),
        ("nam = 'x'", "unknown key 'nam'; did you mean 'name'?"),
        ("nots = 'x'", "unknown key 'nots'; did you mean 'note'?"),
        ("bas = 'classic'", "unknown key 'bas'; did you mean 'base'?"),
        ("[hand]\nvisibel = [1]", "unknown key 'hand.visibel'; did you mean 'hand.visible'?"),
        ("base = 'clasic'", "unknown preset 'clasic' of suppose; did you mean 'classic'? (allowed: classic)"),
        ("bid = 3", "bid = 3: it must be a table, of bid.single, bid.double, bid.min_guesses"),
        ("[rounds]\nmax = 3", "rounds = {'max': 3}: it must be a whole number from 1 to 100"),
        ("note = 3", "note = 3: it must be text"),
        ("[deck.copies]\n9 = 1", "unknown key 'deck.copies.9' (allowed: R, B, G, Y, and ranks 1 to 6)"),
    ],
)
@pytest.mark.parametrize("settings", ["", "score.trick=2"])
def test_a_fault_names_the_file_and_what_is_near(file: str, words: str, settings: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput) as fault:
        made("suppose", file, settings, tmp_path)
    assert str(fault.value).startswith(f"{tmp_path / 'mine.toml'}: {words}")


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("gift.penalty_falls_on = 'givr'", "it must be 'trick_winner' or 'giver'; did you mean 'giver'?"),
        ("gift.extra = 'Forfeit'", "it must be 'together' or 'forfeit'; did you mean 'forfeit'?"),
        ("deck.preset = 'ninne'", "it must be 'six' or 'nine'; did you mean 'nine'?"),
        ("deck.preset = 9", "deck.preset = 9: it must be 'six' or 'nine'"),
    ],
)
def test_a_wrong_reading_names_the_nearest(file: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput) as fault:
        made("take_trick", file, folder=tmp_path)
    assert str(fault.value).endswith(words)


def test_a_fault_of_the_settings_names_the_settings(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"^SET: unknown key 'rnds'; did you mean 'rounds'"):
        made("suppose", "bid.double = 3", "rnds=3", tmp_path)
    with pytest.raises(BadInput, match=r"^SET: hand.size = 13: 4 hands need 52 cards"):
        made("suppose", "bid.double = 3", "hand.size=13", tmp_path)
    assert made("suppose", "hand.size = 13", "players=3", tmp_path).parameters.hand.size == 13


def test_a_game_that_there_is_not_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("game = 'supose'")
    with pytest.raises(BadInput, match=r"mine\.toml: unknown game 'supose'; did you mean 'suppose'\?"):
        Request(10, 1, file=file).check("all")
    with pytest.raises(BadInput, match=r"^SET: unknown game 'supose'"):
        Request(10, 1, game="supose").check("all")


def test_a_file_may_not_be_too_large(tmp_path: Path) -> None:
    assert made("suppose", "#" * MOST_BYTES, folder=tmp_path).name == "mine"
    with pytest.raises(BadInput, match=r"mine\.toml: larger than 1,000,000 bytes"):
        made("suppose", "#" * (MOST_BYTES + 1), folder=tmp_path)


# ---- names, notes and comments -------------------------------------------------------------------------------------


def test_a_variant_keeps_its_name_for_any_number_of_players_and_no_other_change(tmp_path: Path) -> None:
    file = "name = 'three for two'\nbid.double = 3"
    assert made("suppose", file, folder=tmp_path).name == "three for two"
    assert made("suppose", file, "players=3", tmp_path).name == "three for two"
    assert made("suppose", file, "players=3 rounds=2", tmp_path).name == "custom"
    assert made("suppose", "name = 'classic'\nbid.double = 3", "players=3", tmp_path).name == "custom"
    assert made("suppose", settings="players=3").name == "classic"
    assert made("suppose", settings="players=3 rounds=2").name == "custom"


def test_rules_print_the_name_the_note_and_what_differs(tmp_path: Path, capsys) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(f'name = "mine \\u001b[2J"\nnote = """{HOSTILE}\nand a second line\\u001b[2J"""\nbid.double = 3')
    assert main(["rules", "suppose", "--variant", str(file)]) == 0
    out = capsys.readouterr().out
    assert "\nvariant mine \\u001b[2J (fingerprint" in out
    assert f"\n  {HOSTILE}\n  and a second line\\u001b[2J\n  players = 4" in out
    assert "\ndiffers from classic with 4 players:\n  bid.double = 3; classic: 2\nreadings\n" in out
    assert main(["rules", "suppose", "--players", "3"]) == 0
    assert "\ndiffers from classic with 3 players:\n  nothing\nreadings\n" in capsys.readouterr().out


@pytest.mark.kernel
def test_a_report_shows_the_file_as_it_was_written(tmp_path: Path) -> None:
    file, folder = tmp_path / "mine.toml", tmp_path / "report"
    source = f'''# why: {HOSTILE}
game = "take_trick"
name = "{HOSTILE.replace('"', "'")}"   # a name
note = """two
lines {HOSTILE.replace('"', "'")}"""

[deck.copies]
1 = 4
'''
    file.write_text(source + "#" * MOST_SOURCE)
    asked = ["experiment", "take_trick_majority", "--games=2", f"--variant={file}", "--jobs=1", "--quiet"]
    assert main([*asked, f"--out={folder}"]) == 0
    facts = results.load(folder).facts
    assert facts["sources"] == [["mine.toml", source + "#" * MOST_SOURCE]]
    assert {each["name"] for each in facts["variants"]} == {HOSTILE.replace('"', "'")}
    page = (folder / "index.html").read_text()
    assert "alert(" in page
    assert "<script>" not in page
    escaped = source.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert f"<code>{escaped.replace(chr(34), '&#34;').replace(chr(39), '&#39;')}###" in page
    assert f"The first {MOST_SOURCE:,} characters; the file has {len(source):,} more." in page
    assert "How this was measured" in page[: page.index("# why: ")]
