"""A tune finds what playing everything at length finds, prints fresh figures alone, and is the same for any threads."""

import html
import math
import re
import tomllib
from itertools import pairwise

import numpy as np
import pytest

from simlib import results
from simlib.axes import Axis, parse_axes
from simlib.cli import main
from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.experiments import Request
from simlib.games import game_named, make_variant
from simlib.hooks import seated
from simlib.results import Results
from simlib.targets import Judged, goals_of, parse_goals
from simlib.tune import proposals
from simlib.tune.effects import effects, levels_of
from simlib.tune.run import fresh_seed, run, write_page
from simlib.tune.search import (
    FOLDS,
    FRESH,
    Ledger,
    folds,
    going_on,
    hopeless,
    landscape_of,
    rungs,
    search,
    standing,
    standings,
    winner,
)
from simlib.tune.space import Space
from simlib.tune.tuned import Tuned

GAME = "suppose"
GOALS = parse_goals("right_bids=0.3..0.5 points_a_seat<12", GAME, "GOAL")


def player(text="random"):
    return seated(text, game_named(GAME).module("players").PLAYERS, "POLICY")


def space(text, games=100, seed=1, policy="random", **more) -> Space:
    request = Request(games, seed, more, command="make it", game=GAME)
    return Space(GAME, parse_axes(text, "SPACE"), request, policy, (player(policy),))


def text_of(page) -> str:
    page = page.read_text(encoding="utf-8")
    page = re.sub(r"</?span[^>]*>", "", page)
    return " ".join(
        html.unescape(re.sub(r"<style.*?</style>|<nav.*?</nav>|<svg.*?</svg>|<[^>]+>", " ", page, flags=re.S)).split()
    )


def estimate(value, half) -> Estimate:
    return Estimate(value, value - half, value + half, 900, "made up")


def stands(number, *parts):
    """Return where a cell stands of whose goals these are values and half intervals."""
    return standing(
        number, [Judged(goal, str(number), estimate(*part)) for goal, part in zip(GOALS, parts, strict=True)]
    )


# ---- rounds --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("games", [10, 11, 39, 100, 20_000, 10**6])
@pytest.mark.parametrize("cells", [1, 2, 9, 64, 512])
def test_rounds_grow_and_end_with_all_games(games, cells):
    steps = rungs(games, cells)
    assert steps[-1] == games
    assert steps == sorted(set(steps))
    assert steps[0] >= FOLDS
    assert cells * steps[0] <= max(games, cells * FOLDS, cells * games // 64) or steps[0] == games


def test_the_first_rounds_parts_are_all_its_games_once():
    parts = folds(312)
    assert parts[0][0] == 0 and parts[-1][1] == 312
    assert all(first < end for first, end in parts)
    assert all(one[1] == other[0] for one, other in pairwise(parts))


def test_only_what_is_shown_to_be_farther_is_hopeless():
    near = stands(0, (0.55, 0.01), (10, 0.1))  # 0.25 band widths off, 0.3 at its worst
    wide = stands(1, (0.65, 0.08), (10, 0.1))  # at its best 0.35 off
    doubtful = stands(2, (0.65, 0.1), (10, 0.1))  # at its best as near as the first at its worst
    inside = stands(3, (0.4, 0.2), (10, 0.1))  # nothing is shown of it
    assert hopeless([near, wide, doubtful]) == [1]
    assert hopeless([wide, doubtful]) == []
    assert hopeless([inside, stands(4, (0.4, 0.01), (10, 0.1))]) == []
    assert hopeless([wide]) == []
    far = stands(5, (0.4, 0.01), (40, 0.1))  # one goal met, the other far off
    assert hopeless([near, far]) == [5]


def test_where_a_cell_stands_is_its_worst_goals_matter():
    cell = stands(0, (0.6, 0.01), (18, 0.1))
    assert cell.score == pytest.approx(0.5)
    assert cell.misses
    assert not cell.meets
    assert stands(0, (0.4, 0.01), (11, 0.1)).meets


def test_no_more_cells_go_on_than_may():
    assert [going_on(400, number) for number in range(5)] == [100, 25, 8, 8, 8]


# ---- effects -------------------------------------------------------------------------------------------------------

AXES = (Axis("a", (1, 2, 3)), Axis("b", ("x", "y")))
TRUE = {("a", "1"): -3.0, ("a", "2"): 0.0, ("a", "3"): 3.0, ("b", "x"): 1.0, ("b", "y"): -1.0}


def made(values, noise=0.0, left_out=(), seed=7):
    """Return levels and sums of cells whose mean is given, with noise that cells share by deal and have apart."""
    stream = np.random.Generator(np.random.PCG64(seed))
    shared = stream.normal(size=FOLDS)
    goal = parse_goals("points_a_seat<12", GAME, "GOAL")[0]
    own = [levels_of(axis, axis.values) for axis in AXES]
    levels, summaries = {}, {}
    for number, (one, other) in enumerate((one, other) for one in "123" for other in "xy"):
        if number in left_out:
            continue
        levels[str(number)] = [own[0][one], own[1][other]]
        for fold in range(FOLDS):
            mean = values(one, other) + noise * (shared[fold] * (1 if one == "3" else 0) + 0.2 * stream.normal())
            summaries[f"1.{fold} {number} | rows"] = {
                "points_a_seat n": 50, "points_a_seat sums": np.array([mean * 50, 50]),
            }  # fmt: skip
    return goal, levels, summaries, 500


def test_effects_that_add_up_are_found():
    found = effects(*made(lambda one, other: 10 + TRUE["a", one] + TRUE["b", other]))
    for level, each in found.levels.items():
        assert each.value == pytest.approx(TRUE[level.key, level.text])
    assert [each.change.value for each in found.changes] == pytest.approx([6, -2])
    assert all(each.value == pytest.approx(0) for each in found.rests.values())
    assert not any(each.sign for each in found.rests.values())


def test_effects_are_the_same_where_cells_are_missing():
    found = effects(*made(lambda one, other: 10 + TRUE["a", one] + TRUE["b", other], left_out=(0, 3)))
    assert [each.change.value for each in found.changes] == pytest.approx([6, -2])


def test_what_does_not_add_up_is_left_over():
    found = effects(*made(lambda one, other: 10 + TRUE["a", one] + 6 * (one == "3" and other == "y"), noise=0.1))
    assert any(each.sign for each in found.rests.values())
    assert max(found.rests, key=lambda cell: found.rests[cell].value) == "5"


def test_luck_that_cells_share_is_in_the_interval():
    """A level whose cells all have the same luck is no better known for being several cells."""
    found = effects(*made(lambda one, other: 10.0, noise=1.0))
    widths = {level.text: each.high - each.low for level, each in found.levels.items()}
    assert widths["3"] > 3 * widths["x"]


def test_the_intervals_of_all_effects_hold_together_also_where_they_dont_add_up():
    def mean(one, other):
        return 10 + TRUE["a", one] + 6 * (one == "3" and other == "y")

    true = effects(*made(mean))
    runs = [effects(*made(mean, noise=0.5, seed=seed)) for seed in range(200)]
    for kind in ("levels", "rests"):
        held = [
            all(each.low <= getattr(true, kind)[key].value <= each.high for key, each in getattr(found, kind).items())
            for found in runs
        ]
        assert np.mean(held) > 0.92


def test_parameters_that_always_change_together_are_not_told_apart():
    assert effects(*made(lambda one, other: 10.0, left_out=(1, 2, 4, 5))) is None


@pytest.mark.parametrize("count", [2, 8, 9, 30])
def test_levels_hold_every_value_in_order(count):
    axis = Axis("a", tuple(range(count)))
    levels = levels_of(axis, list(reversed(axis.values)))
    ranks = [levels[str(value)].rank for value in axis.values]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) == min(count, 8)


# ---- the search ----------------------------------------------------------------------------------------------------


def tuned(folder) -> Tuned:
    return Tuned(results.load(folder))


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Return the folder of a small tune's report."""
    folder = tmp_path_factory.mktemp("tune") / "report"
    run(space("bid.double=2..4:1 deck.copies=1..3", 400), GOALS, folder, 2, quiet=True)
    return folder


@pytest.mark.kernel
def test_any_number_of_threads_gives_the_same_bytes(small, tmp_path):
    run(space("bid.double=2..4:1 deck.copies=1..3", 400), GOALS, tmp_path / "one", 1, quiet=True)
    for file in ("run.json", "index.html", "winner.toml"):
        assert (tmp_path / "one" / file).read_bytes() == (small / file).read_bytes()


@pytest.mark.kernel
def test_the_page_is_made_again_from_the_result(small):
    before = {file: (small / file).read_bytes() for file in ("index.html", "winner.toml", "data/cells.csv")}
    for file in before:
        (small / file).unlink()
    write_page(small)
    assert {file: (small / file).read_bytes() for file in before} == before


@pytest.mark.kernel
def test_the_page_shows_what_was_searched(small):
    text, found = text_of(small / "index.html"), tuned(small)
    assert not re.search(r"\b(nan|inf|None|NaN)\b", text)
    assert found.label in text.partition("The evidence")[0]
    assert "Cells that can't be played" in text
    assert "bid.double=2 deck.copies=1 hand.size = 11: 4 hands need 44 cards" in text
    for words in ("What each parameter does", "All cells that were played", "not beaten", "dropped", "played afresh"):
        assert words in text
    assert "make it" in text
    cells = (small / "data/cells.csv").read_text(encoding="utf-8").splitlines()
    assert len(cells) == 1 + 6


@pytest.mark.kernel
def test_the_winner_can_be_played_as_a_variant_file(small):
    found = tuned(small)
    file = small / "winner.toml"
    written = tomllib.loads(file.read_text(encoding="utf-8"))
    settings = found.settings[found.winner]
    assert make_variant(game_named(GAME), file=file).fingerprint == make_variant(
        game_named(GAME), settings=settings
    ).fingerprint  # fmt: skip
    assert goals_of(written["targets"], GAME, "winner.toml") == GOALS


def test_a_winner_with_any_parameters_survives_as_a_variant_file(tmp_path):
    parameters = {
        "players": 3,
        "deck.copies": {"R": [3, 3, 2, 1, 3, 3], "G": 2},
        "bid.double": 2.5,
        "hand.visible": [1, 2],
    }
    known = make_variant(game_named(GAME), settings=parameters)
    entry = {"label": "x", "game": GAME, "name": "x", "note": "", "parameters": known.flat()}
    facts = {
        "game": GAME, "axes": [], "goals": [], "cells": [{"label": '"\\\x7f', "settings": {}}], "rounds": [],
        "winner": 0, "variants": [entry],
    }  # fmt: skip
    (tmp_path / "x.toml").write_text(Tuned(Results("tune", facts, {})).toml, encoding="utf-8")
    again = make_variant(game_named(GAME), file=tmp_path / "x.toml")
    assert again.fingerprint == known.fingerprint


@pytest.mark.kernel
def test_it_finds_what_playing_everything_at_length_finds():
    """The cell that is best by brute force is the winner, or one that the search doesn't tell from it."""
    goals = parse_goals("points_a_seat=9..10 right_bids=0.1..0.2", GAME, "GOAL")
    asked = space("bid.double=2..5:1 deck.copies=2..4", 400)
    cells = dict(enumerate(asked.sorted_out[0]))
    brute = Ledger(goals, 99, 2, quiet=True)
    brute.play(cells, {"2": (0, 20_000)})
    best = min(standings(goals, brute.land(), cells, 1), key=lambda each: each.score).number
    for seed in range(4):
        ledger = Ledger(goals, seed, 2, quiet=True)
        steps = rungs(400, len(cells))
        rounds = search(ledger, cells, steps)
        found = standings(goals, ledger.land(), cells, len(cells) * len(goals) * len(steps))
        won = found[winner(found, rounds)]
        assert best == won.number or found[best].least <= won.most
        assert not any(best in each.dropped for each in rounds)


@pytest.mark.kernel
def test_what_is_printed_is_no_luckier_than_it_should_be():
    """The winner of many noisy cells looks too good by the search's games, and as it is by fresh ones."""
    goals = parse_goals("points_a_seat>1000", GAME, "GOAL")  # out of reach: the search looks for the most points
    cells = dict(enumerate(space("deck.copies=2..7 hand.size=9..10").sorted_out[0]))
    truth = Ledger(goals, 12345, 2, quiet=True)
    truth.play(cells, {"2": (0, 20_000)})
    searched, fresh = [], []
    for seed in range(24):
        ledger, again = Ledger(goals, seed, 2, quiet=True), Ledger(goals, fresh_seed(seed), 2, quiet=True)
        rounds = search(ledger, cells, [FOLDS])
        best = winner(standings(goals, ledger.land(), cells, 1), rounds)
        again.play({best: cells[best]}, {"2": (0, FOLDS)})
        true = truth.land().estimate("points_a_seat", str(best)).value
        searched.append(ledger.land().estimate("points_a_seat", str(best)).value - true)
        fresh.append(again.land().estimate("points_a_seat", str(best)).value - true)
    error = np.std(fresh) / math.sqrt(len(fresh))
    assert abs(np.mean(fresh)) < 3.5 * error
    assert np.mean(searched) > 3.5 * error  # without fresh games this test would fail


@pytest.mark.kernel
def test_fresh_games_are_none_of_the_searchs(small):
    found, run_ = tuned(small), results.load(small)
    key = f"{found.winner} | rows"
    assert {name.partition(" ")[0] for name in run_.summaries} >= {FRESH, "1.0"}
    own = landscape_of(run_.summaries, GOALS).estimate("right_bids", str(found.winner))
    assert run_.summaries[f"{FRESH} {key}"]["right_bids n"] == 400
    assert own.value != found.fresh[0].estimate.value
    assert len({fresh_seed(seed) for seed in range(50)} | set(range(50))) == 100


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("goal", "told"),
    [
        ("right_bids<0.9", "With bid.double=[23] all goals are met: right_bids is"),
        ("right_bids>0.9", "No cell meets all goals; nearest is .* missed by .* points of a per cent"),
        ("right_bids=0.15..0.16", "Undecided whether"),
    ],
)
def test_the_answer_is_what_fresh_games_show(goal, told, tmp_path):
    page = run(space("bid.double=2..3"), parse_goals(goal, GAME, "GOAL"), tmp_path / "r", 2, quiet=True)
    headline = text_of(page).partition("The evidence")[0]
    assert re.search(told, headline), headline


@pytest.mark.kernel
def test_rounds_account_for_every_cell(small):
    found = tuned(small)
    ends = [found.ended(number) for number in range(len(found.labels))]
    assert len(found.labels) == 6
    for at, each in enumerate(found.rounds, 1):
        out = {number for number, (end, how) in enumerate(ends) if end == at and how != "kept"}
        assert out == {*each.dropped, *each.aside} <= set(each.cells)
    assert found.games(found.winner) == found.rounds[-1].games
    played = [int(sums["right_bids n"]) for sums in results.load(small).summaries.values()]
    assert found.facts["games"] == sum(played)


@pytest.mark.kernel
def test_cells_that_are_not_beaten(small):
    found = tuned(small)
    misses = [found.misses(number) for number in range(len(found.labels))]
    assert found.front
    for number, own in enumerate(misses):
        better = [each for each in misses if each != own and all(a <= b for a, b in zip(each, own, strict=True))]
        assert (number in found.front) == (not better)


# ---- large spaces --------------------------------------------------------------------------------------------------

LARGE = "bid.double=0..20:0.25 bid.single=0..20:1 hand.size=8..12"


@pytest.fixture
def few(monkeypatch):
    for name, value in (("TRIALS", 12), ("AT_ONCE", 4), ("FIRST", 4)):
        monkeypatch.setattr(proposals, name, value)
    monkeypatch.setattr("simlib.tune.run.TRIALS", 12)


@pytest.mark.kernel
@pytest.mark.parametrize("goal", ["points_a_seat=20..30", "points_a_seat=20..30 right_bids>0.2"])
def test_a_large_space_is_searched_alike_by_any_number_of_threads(goal, few, tmp_path):
    goals = parse_goals(goal, GAME, "GOAL")
    for jobs in (1, 2):
        run(space(LARGE, 40), goals, tmp_path / str(jobs), jobs, quiet=True)
    for file in ("run.json", "index.html"):
        assert (tmp_path / "1" / file).read_bytes() == (tmp_path / "2" / file).read_bytes()
    text, found = text_of(tmp_path / "1/index.html"), tuned(tmp_path / "1")
    assert f"{len(found.labels)} of 8,505 cells were played" in text
    assert 2 <= len(found.labels) <= 12
    assert len(set(found.labels)) == len(found.labels)
    assert "No cell meets all goals" not in text
    assert not re.search(r"\b(nan|inf|None|NaN)\b", text)


@pytest.mark.kernel
def test_another_seed_proposes_other_cells(few, tmp_path):
    goals = parse_goals("points_a_seat=20..30", GAME, "GOAL")
    for seed in (1, 2):
        run(space(LARGE, 40, seed), goals, tmp_path / str(seed), 2, quiet=True)
    assert tuned(tmp_path / "1").labels != tuned(tmp_path / "2").labels


def test_a_large_space_without_optuna_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr("simlib.tune.space.importlib.util.find_spec", lambda name: None)
    with pytest.raises(BadInput, match=r"8,505 cells.*optuna, which isn't installed: .venv.bin.pip install"):
        space(LARGE).check()


# ---- what is typed -------------------------------------------------------------------------------------------------

SPACE, GOAL = "bid.double=2..3", "right_bids=0.1..0.5"
TARGETS = 'game = "suppose"\n[targets]\nright_bids = ">99%"\n'


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"game": ""}, "unknown game ''"),
        ({"game": "supose"}, "unknown game 'supose'; did you mean 'suppose'?"),
        ({"space": ""}, "SPACE: it names no parameter to change"),
        ({"space": "bid.duble=2..3"}, "SPACE: unknown key 'bid.duble' of suppose; did you mean 'bid.double'?"),
        ({"space": "bid.double=3..2"}, "an empty range"),
        ({"space": "bid.double=2.."}, "a range is a..b or a..b:step"),
        ({"space": "bid.double=2"}, "SPACE: bid.double takes one value alone: name several"),
        ({"space": "bid.double=0..9999 bid.single=0..9999 hand.size=1..99"}, "at most 1,000,000,000 are allowed"),
        ({"space": "deck.copies=0..1"}, "SPACE: none of 2 cells can be played; deck.copies=0: "),
        ({"set": "bid.double=3"}, "SPACE: bid.double is in SET, too"),
        ({"goal": ""}, "GOAL: it names no goal"),
        ({"goal": "rihgt_bids=0.1..0.5"}, "unknown measure 'rihgt_bids' of suppose; did you mean 'right_bids'?"),
        ({"goal": "right_bids=0.5..0.1"}, "GOAL: right_bids = '0.5..0.1': an empty band"),
        ({"goal": None}, "GOAL is missing: say what to reach"),
        ({"games": "9"}, "GAMES = '9': it must be a whole number from 10"),
        ({"policy": "gredy"}, "did you mean 'greedy'?"),
        ({"policy": "greedy,greedy"}, "POLICY names 2 players for 4 seats"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(given, told, tmp_path, capsys):
    options = {"game": GAME, "space": SPACE, "goal": GOAL, "out": str(tmp_path / "r"), **given}
    typed = [part for key, text in options.items() if text is not None for part in (f"--{key}", text)]
    assert main(["tune", *typed]) == 2
    out, err = capsys.readouterr()
    assert told in err
    assert err.count("\n") == 1
    assert not out
    assert not list(tmp_path.iterdir())


def test_a_folder_with_something_else_stays_as_it_is(tmp_path, capsys):
    (tmp_path / "own.txt").write_text("own")
    assert main(["tune", "--game", GAME, "--space", SPACE, "--goal", GOAL, "--out", str(tmp_path)]) == 2
    assert "neither an earlier report nor an empty folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["own.txt"]


@pytest.mark.kernel
def test_the_targets_of_a_file_are_goals_where_none_are_typed(tmp_path, capsys):
    file = tmp_path / "mine.toml"
    file.write_text(TARGETS)
    given = ["tune", "--game", GAME, "--space", SPACE, "--variant", str(file), "--games", "20", "--policy", "random"]
    assert main([*given, "--out", str(tmp_path / "r"), "--jobs", "2", "--quiet"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("No cell meets all goals; nearest is bid.double=")
    assert "missed by" in out
    assert out.endswith("r/index.html\n")
    text = text_of(tmp_path / "r/index.html")
    assert f"make tune GAME=suppose SPACE={SPACE} VARIANT={file} POLICY=random GAMES=20 SEED=1" in text
    assert "[targets] right_bids = \">99%\"" in text  # fmt: skip


@pytest.mark.kernel
def test_the_page_in_japanese(small, tmp_path):
    from english_left import english_left

    page = write_page(small, "ja").read_text(encoding="utf-8")
    write_page(small)
    left = [text for text in english_left(page) if text not in ("tune", "make it")]
    assert not [text for text in left if not text.startswith("hand.size = 11:")]  # why cells can't be played
