"""Two designs on common deals: what differs, what moves, and games that show why."""

import json
import math
from itertools import pairwise

import numpy as np
import pytest

from simlib import compare, records, results
from simlib.cli import main
from simlib.compare import A, B, findings, headline, moves, telling_games
from simlib.telling import Part, Tale

pytestmark = pytest.mark.kernel


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return the report of a comparison of a deck with more ones, played once."""
    out = tmp_path_factory.mktemp("compare") / "report"
    typed = ["compare", "--a", "classic", "--b", "classic deck.copies.1=6", "--game", "take_trick"]
    assert main([*typed, "--games", "300", "--jobs", "2", "--out", str(out), "--quiet"]) == 0
    return out


def test_only_what_differs_is_listed_first(folder):
    table = findings(results.load(folder))[0].tables[0].frame
    assert table["setting"].tolist() == ["deck.copies"]
    assert table[B].tolist() == ["[6,3,3,3,3,3]"]


def test_moves_are_sorted_by_how_sure_they_are_and_hold_together(folder):
    found = moves(results.load(folder))
    assert len(found) > 30
    assert all(one.surely >= other.surely for one, other in pairwise(found))
    assert {move.measure.name for move in found[:3]} & {"gifts_a_round", "gifts_accepted", "trump_wins"}
    known = [move.change for move in found if move.change.known]
    assert all(math.isclose(change.level, 1 - 0.05 / len(known)) for change in known if change.low < change.high)


def test_differences_are_those_of_the_games(folder):
    """The page's paired difference is what rows of both designs, played apart, say."""
    from simlib import batch
    from simlib.experiments import variants_of
    from simlib.games import game_named
    from simlib.hooks import seated

    run = results.load(folder)
    known, means = game_named("take_trick").module("players").PLAYERS, {}
    for label, variant in variants_of(run).items():
        rows = batch.play_arm(batch.Arm(variant, (seated("greedy", known, ""),) * 4), 1, 0, 300)
        names = batch.columns_of(variant)
        means[label] = rows[:, names.index("gifts_offered")].sum() / rows[:, names.index("rounds")].sum()
    move = next(move for move in moves(run) if move.measure.name == "gifts_a_round")
    assert move.change.value == pytest.approx(means[B] - means[A])


def test_sample_games_are_sound_records_told_side_by_side(folder):
    run = results.load(folder)
    games = run.facts["games_shown"]["games"]
    assert 1 <= len(games) <= 3
    for game in games:
        for record in game["records"]:
            records.judge(json.dumps(record))
    tables = findings(run)[-1].tables
    assert len(tables) == len(games)
    assert all(set(table.frame.columns) == {"moment", A, B} for table in tables)
    assert [table.folded for table in tables] == [False, True, True][: len(tables)]
    assert "wins" in tables[0].frame[A].str.cat(sep=" ")


def test_moments_that_are_the_same_take_one_line_and_no_moment_leaves_a_column_empty():
    def part(place, line):
        return Part((1, place), f"Trick {place}", (line,))

    tales = [
        Tale("one", (part(1, "a"), part(2, "b"), part(3, "c"))),
        Tale("other", (part(1, "a"), part(2, "b"), part(3, "d"), part(4, "e"))),
    ]
    assert compare.told_beside(*tales) == [
        ("Trick 1 \u2026 Trick 2", "the same as under B", "the same as under A"),
        ("Trick 3", "c", "d"),
        ("Trick 4", "not in this game", "e"),
    ]


def test_the_headline_follows_the_numbers(folder):
    found = moves(results.load(folder))
    clear = [move for move in found if move.verdict in ("higher", "lower")]
    assert headline(found, clear, "greedy").startswith(f"{len(clear)} of {len(found)} measures clearly move")
    assert headline(found, [], "greedy") == f"No measure of {len(found)} clearly moves from A to B (greedy)."


def test_the_page_is_made_from_the_file_alone_and_any_threads_give_its_bytes(folder, tmp_path):
    page = (folder / "index.html").read_bytes()
    (folder / "index.html").unlink()
    compare.write_page(folder)
    assert (folder / "index.html").read_bytes() == page
    typed = ["compare", "--a", "classic", "--b", "classic deck.copies.1=6", "--game", "take_trick"]
    main([*typed, "--games", "300", "--jobs", "1", "--out", str(tmp_path / "one"), "--quiet"])
    assert (tmp_path / "one/index.html").read_bytes() == page


def test_one_deal_is_too_few_and_says_so(tmp_path, capsys):
    typed = ["compare", "--a", "classic", "--b", "classic players=3", "--game", "suppose", "--name", "suppose_bids"]
    assert main([*typed, "--games", "1", "--out", str(tmp_path / "one"), "--quiet"]) == 0
    words = (tmp_path / "one/index.html").read_text()
    assert "No measure of 3 clearly moves" in words
    assert "shares its random numbers, not its cards" in words


def test_games_that_show_a_move_are_average_strong_and_strongest():
    before, after = np.zeros(8), np.array([1.0, -3, 2, 9, 4, np.nan, 0, 3])
    chosen = telling_games(before, after, up=True)
    assert [game.number for game in chosen] == [2, 4, 3]  # the mean is 16 / 7, a quarter of seven is the second largest
    assert [game.number for game in telling_games(before, -after, up=False)] == [2, 4, 3]
    assert telling_games(np.full(3, np.nan), np.zeros(3), up=True) == []


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (["--a", "classic", "--b", "classic", "--game", "suppose"], "A and B are the same design"),
        (["--a", "classic", "--game", "suppose"], "B is missing"),
        (["--a", "classic", "--b", "sixty", "--name", "gara_deck"], "did you mean 'gara_decks'"),
        (["--a", "classic", "--b", "sixty", "--name", "readings", "--game", "gara_tori"], "measures nothing"),
        (["--a", "classic", "--b", "sixty", "--game", "gara_tori", "--policy", "gredy"], "did you mean 'greedy'"),
        (["--a", "classic", "--b", "sixty", "--game", "gara_tori", "--games", "0"], "GAMES"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(typed, told, tmp_path, capsys):
    assert main(["compare", *typed, "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_files_targets_are_judged_under_both_designs(tmp_path, monkeypatch):
    file = tmp_path / "mine.toml"
    file.write_text('base = "classic"\n[score]\ntarget = 12\n[targets]\ntarget_reached = "0.9..1"\n')
    typed = ["compare", "--a", "classic", "--b", str(file), "--game", "take_trick", "--name", "take_trick_gifts"]
    assert main([*typed, "--games", "300", "--out", str(tmp_path / "out"), "--quiet"]) == 0
    met = findings(results.load(tmp_path / "out"))[1]
    assert met.headline == "Targets: 1 of 2 met, 1 missed, 0 undecided"
    file.write_text('[targets]\ntarget_reachd = "0.9..1"\n')
    assert main([*typed, "--out", str(tmp_path / "none"), "--quiet"]) == 2
    assert not (tmp_path / "none").exists()


def test_another_run_into_a_folder_leaves_none_of_the_first_ones_tables(tmp_path):
    typed = [
        "compare",
        "--a",
        "classic",
        "--game",
        "take_trick",
        "--name",
        "take_trick_target",
        "--games",
        "40",
        "--quiet",
    ]
    for target, out in (("20", "one"), ("30", "one"), ("30", "other")):
        assert main([*typed, "--b", f"classic score.target={target}", "--out", str(tmp_path / out)]) == 0
    one, other = (sorted(path.name for path in (tmp_path / out).rglob("*")) for out in ("one", "other"))
    assert one == other


def test_cards_are_the_same_where_only_what_is_seen_differs(tmp_path):
    typed = ["compare", "--a", "classic", "--game", "suppose", "--name", "suppose_bids", "--games", "20", "--quiet"]
    for settings, same in (("hand.visible=[1]", True), ("deck.copies=3", False)):
        assert main([*typed, "--b", f"classic {settings}", "--out", str(tmp_path / "out")]) == 0
        words = (tmp_path / "out/index.html").read_text(encoding="utf-8")
        assert ("the same cards in the same hands" in words) == same


def test_a_result_that_was_changed_is_refused(folder, tmp_path, capsys):
    (tmp_path / "run.json").write_text((folder / "run.json").read_text().replace('"seed":1', '"seed":2'))
    assert main(["compare", "--page", "--out", str(tmp_path)]) == 2
    assert "changed since" in capsys.readouterr().err


@pytest.mark.parametrize(
    "typed",
    [["compare"], ["playtest", "--game", "suppose"], ["sweep", "--name", "drama"], ["tune", "--game", "suppose"]],
)
def test_a_page_of_another_kind_of_run_is_refused(typed, tmp_path, capsys):
    results.save(tmp_path, results.Results("drama", {}, {}))
    assert main([*typed, "--page", "--out", str(tmp_path)]) == 2
    assert f"the result of drama, not of a {typed[0]}" in capsys.readouterr().err
