"""`trained`: what it learned is complete, training repeats itself, and it plays everywhere and says where it is new."""

import random

import numpy as np
import pytest

from benchmarks.soak import chunks
from simlib.batch import Arm, Seating
from simlib.cli import main
from simlib.errors import BadInput
from simlib.games import games, make_variant
from simlib.hooks import seated
from simlib.players.weights import file_of, hull, notices, outside, read_weights, shipped
from simlib.training import FINE, NORMAL, Course, candidates, changes_of, normal_numbers
from simlib.variants import read_toml

each_game = pytest.mark.parametrize("game", games().values(), ids=games())
WRITTEN = {"weights": {"keep": 3}}


def course_of(game, **changes):
    return Course(game, **{"seed": 1, "generations": 5, "deals": 2, "fresh": 4} | changes)


@each_game
def test_the_shipped_file_has_every_weight_and_how_it_was_made(game):
    written, weights = read_toml(file_of(game.name)), game.module("weights").WEIGHTS
    assert list(written["weights"]) == [weight.name for weight in weights]
    assert all(weight.least <= weight.start <= weight.most for weight in weights)
    assert shipped(game.name, weights) == tuple(written["weights"].values())
    made = written["made"]
    assert made["command"].startswith(f"simlib train {game.name} --seed ")
    (classic,) = [share for share in made["strength"] if share["variant"] == "4 players"]
    assert classic["interval"][0] > classic["fair"]


@each_game
def test_the_shipped_file_was_learned_in_what_is_practised(game):
    written = read_toml(file_of(game.name))
    assert written["learned"] == hull(course_of(game).variants)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({}, "f.toml: weights.catch = None: it must be a whole number from 1 to 64"),
        ({"catch": 65}, "f.toml: weights.catch = 65: it must be a whole number from 1 to 64"),
        ({"catch": 1.5}, "f.toml: weights.catch = 1.5: it must be a whole number from 1 to 64"),
        ({"cach": 1}, "f.toml: unknown weight 'cach'; did you mean 'catch'?"),
    ],
)
def test_a_wrong_weights_file_is_told_in_a_line(weights, message):
    known = games()["take_trick"].module("weights").WEIGHTS
    with pytest.raises(BadInput) as told:
        read_weights({"weights": weights}, known, "f.toml")
    assert str(told.value).startswith(message)


@each_game
def test_what_was_practised_is_inside(game):
    for variant in course_of(game).variants:
        assert outside(variant) == ""


@pytest.mark.kernel
@each_game
def test_what_it_does_not_heed_changes_no_decision(game):
    """In a first round it plays as it does whatever the number of rounds; nothing is told of that."""
    if "rounds" not in getattr(game.module("weights"), "UNHEEDED", ()):
        return
    seat = seated("trained", game.module("players").PLAYERS, "test")
    tables = []
    for rounds in (1, 4):
        variant = make_variant(game, settings={"rounds": rounds})
        assert notices(variant, [seat]) == []
        tables.append(Seating(Arm(variant, (seat,) * 4)).play(3, 0, 40, keep=True).tables[:, 0])
    assert np.array_equal(tables[0]["positions"], tables[1]["positions"])


@pytest.mark.parametrize(
    ("name", "settings", "words"),
    [
        ("suppose", {"hand.size": 5}, "hand.size = 5 (it learned "),
        ("suppose", {"bid.single": 50}, "bid.single = 50 (it learned "),
        ("gara_tori", {"deck.specials": 2}, "deck.specials = 2 (it learned 1)"),
        ("gara_tori", {"follow.special_counts": False}, "follow.special_counts = False"),
        ("take_trick", {"gift.extra": "forfeit"}, "gift.extra = 'forfeit'"),
    ],
)
def test_a_variant_outside_is_told(name, settings, words):
    variant = make_variant(games()[name], settings=settings)
    line = outside(variant)
    assert line.startswith(f"trained plays {name} outside what it learned: ")
    assert words in line
    known = games()[name].module("players").PLAYERS
    for player, told in (("greedy", []), ("trained", [line]), ("search:rollout=trained", [line])):
        assert notices(variant, [seated(player, known, "test")]) == told


def test_the_command_says_where_trained_is_new(capsys):
    arguments = ["record", "gara_tori", "--games", "1", "--policy", "trained", "--set"]
    assert main([*arguments, "hand.size=8"]) == 0
    assert capsys.readouterr().err.startswith("simlib: trained plays gara_tori outside what it learned: hand.size = 8")
    assert main([*arguments, "hand.size=10"]) == 0
    assert capsys.readouterr().err == ""


def test_what_is_tried_lies_about_the_champion_in_pairs_within_bounds():
    course = course_of(games()["suppose"])
    champion = np.array([weight.start * FINE for weight in course.weights], np.int64)
    tried = candidates(course, champion, 0)
    for place, weight in enumerate(course.weights):
        assert weight.least * FINE <= tried[:, place].min() < tried[:, place].max() <= weight.most * FINE
    half = len(tried) // 2
    inside = (tried[:half] != tried[:half].min(axis=0)) & (tried[:half] + tried[half:] == 2 * champion)
    assert inside.any(axis=0).sum() > len(champion) // 2
    last = candidates(course, champion, 4)
    assert (np.ptp(last, axis=0) < np.ptp(tried, axis=0)).all()


def test_normal_numbers_are_normal_and_differ_between_generations_and_seeds():
    numbers = normal_numbers(1, 0, (500, 20))
    assert abs(numbers.mean()) < 4 * NORMAL / 100
    assert abs(numbers.std() - NORMAL) < 0.3
    for other in (normal_numbers(1, 1, (500, 20)), normal_numbers(2, 0, (500, 20))):
        assert abs(np.corrcoef(numbers.ravel(), other.ravel())[0, 1]) < 0.05


def test_changes_name_what_differs_from_the_classic_game():
    variant = make_variant(games()["suppose"], settings={"players": 3, "bid.single": 4})
    assert changes_of(variant) == {"bid.single": 4}


@pytest.mark.slow
@pytest.mark.kernel
@each_game
def test_training_writes_the_same_file_whatever_the_jobs(game, tmp_path, capsys):
    arguments = ["train", game.name, "--games", "2", "--generations", "2", "--fresh", "40", "--players", "4", "--quiet"]
    one, other, third = (tmp_path / name for name in ("one.toml", "other.toml", "third.toml"))
    assert main([*arguments, "--out", str(one), "--jobs", "1"]) == 0
    assert main([*arguments, "--out", str(other), "--jobs", "2"]) == 0
    assert main([*arguments, "--out", str(third), "--seed", "2"]) == 0
    assert one.read_bytes() == other.read_bytes() != third.read_bytes()
    read_weights(read_toml(one), game.module("weights").WEIGHTS, "one")
    assert main([*arguments, "--out", str(one)]) == 2
    assert "it is there already; --overwrite replaces it" in capsys.readouterr().err
    assert main([*arguments, "--out", str(one), "--overwrite"]) == 0
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--out", "x.txt"], "must end in .toml"),
        (["--out", "x.toml", "--games", "0"], "--games = '0'"),
        (["--out", "x.toml", "--players", "9"], "--players = '9'"),
        (["--out", "/proc/none/x.toml"], "can't be written"),
        ([], "--out"),
    ],
)
def test_bad_input_to_train_is_told_in_a_line(arguments, words, capsys):
    assert main(["train", "suppose", *arguments]) == 2
    told = capsys.readouterr().err
    assert words in told
    assert told.count("\n") == 1


@pytest.mark.slow
@pytest.mark.kernel
@each_game
def test_it_plays_random_variants_without_a_fault(game):
    source = random.Random(3)
    known = game.module("players").PLAYERS
    trained = seated("trained", known, "test")
    for _ in range(60):
        variant = make_variant(game, settings=chunks.checker_of(game).random_settings(source))
        arm = Arm(variant, (trained,) * variant.parameters.players)
        assert chunks.play_and_check(game, arm, source.getrandbits(40), 0, 3)[1] == ""
