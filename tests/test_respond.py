"""`simlib respond`: what a searching seat gains against a field, on paired deals."""

import json

import numpy as np
import pytest

from simlib import respond
from simlib.batch import Arm, Seating, play_arm
from simlib.cli import main
from simlib.games import game_named, games, make_variant
from simlib.hooks import seated

pytestmark = pytest.mark.kernel
GARA = game_named("gara_tori")
PLAYERS = GARA.module("players").PLAYERS
ASK = ["respond", "gara_tori", "--quiet", "--playouts=20"]


def told(capsys, *arguments: str) -> dict:
    assert main([*ASK, "--json", *arguments]) == 0
    return json.loads(capsys.readouterr().out)


def test_what_is_printed(capsys) -> None:
    found = told(capsys, "--field=random", "--games=40", "--seed=3")
    assert found["players"] == found["imagines"] == ["random"] * 4
    assert (found["search"], found["deals"], found["seed"]) == ("search:20", 40, 3)
    assert found["parameters"] == make_variant(GARA).flat()
    assert found["sees_all"] == [False] * 4
    assert len(found["gain_by_seat"]) == 4
    for gain in (found["gain"], *found["gain_by_seat"]):
        assert gain.keys() == {"win_share", "points"}
        assert all(each["low"] < each["mean"] < each["high"] and each["n"] == 40 for each in gain.values())
    for kind, gain in found["gain"].items():
        assert gain["mean"] == pytest.approx(found["of_search"][kind]["mean"] - found["of_field"][kind]["mean"])
        assert gain["mean"] == pytest.approx(np.mean([seat[kind]["mean"] for seat in found["gain_by_seat"]]))
        for level in ("of_field", "of_search"):
            assert found[level][kind].keys() == {"mean", "low", "high", "n"}
    assert found["of_field"]["win_share"]["mean"] == pytest.approx(0.25)


def test_random_players_can_be_exploited(capsys) -> None:
    found = told(capsys, "--field=random", "--games=100")
    assert found["gain"]["win_share"]["low"] > 0
    assert found["gain"]["points"]["low"] > 0
    assert found["meaning"][0].startswith("The field can be exploited")


def test_the_number_of_threads_changes_nothing(capsys) -> None:
    printed = set()
    for jobs in (1, 2):
        assert main([*ASK, "--field=greedy", "--games=50", f"--jobs={jobs}"]) == 0
        printed.add(capsys.readouterr().out)
    (text,) = printed
    assert "n = 50" in text
    assert "gain in win share: " in text and "gain in points a game: " in text


def test_gains_are_those_of_the_games_themselves() -> None:
    field = tuple(seated(name, PLAYERS, "test") for name in ("greedy", "random", "random", "random"))
    found = respond.respond(make_variant(GARA), field, 5, 2, 20, 1, quiet=True)
    alone = play_arm(Arm(found.variant, field), 2, 0, 20)
    for seat in range(4):
        changed = (*field[:seat], found.searcher, *field[seat + 1 :])
        rows = play_arm(Arm(found.variant, changed), 2, 0, 20)
        gain = rows[:, seat] - alone[:, seat]
        assert found.gain("points", seat).value == pytest.approx(gain.mean())
        shares = [part[:, 4 + seat] / part[:, 4:8].sum(axis=1) for part in (rows, alone)]
        assert found.gain("win_share", seat).value == pytest.approx((shares[0] - shares[1]).mean())


def test_points_are_whole_points(capsys) -> None:
    assert main(["respond", "suppose", "--field=random", "--quiet", "--json", "--playouts=1", "--games=30",
                 "--set=bid.single=4.5"]) == 0  # fmt: skip
    assert 5 < json.loads(capsys.readouterr().out)["of_field"]["points"]["mean"] < 40


def test_the_field_is_imagined_with_its_options() -> None:
    suppose = game_named("suppose")
    known = suppose.module("players").PLAYERS
    field = tuple(seated(name, known, "test") for name in ("greedy:bids=double", "chaser", "random", "search:3"))
    searcher = respond.respond(make_variant(suppose), field, 2, 1, 1, 1, quiet=True).searcher
    assert [model.text for model in searcher.models] == ["greedy:bids=double", "chaser", "random", "greedy"]
    seating = Seating(Arm(make_variant(suppose), (searcher, *field[1:])))
    imagined = seating.seats["views"][0, 0]["mind"]["seats"]["views"][0, :4]
    numbers = {number: name for name, number in zip(sorted(known), range(len(known)), strict=True)}
    assert [numbers[player] for player in imagined["player"]] == ["greedy", "chaser", "random", "greedy"]
    own = seated("greedy", known, "test")
    for seat, options in enumerate((own.options, field[1].options)):
        assert tuple(imagined["options"][seat, : len(options)]) == options


def test_players_that_cannot_be_imagined_are_named(capsys) -> None:
    found = told(capsys, "--field=search:3,clairvoyant,greedy,random", "--games=2")
    assert found["imagines"] == ["greedy", "greedy", "greedy", "random"]
    assert found["sees_all"] == [False, True, False, False]
    notes = " ".join(found["meaning"])
    assert "search:3 can't be imagined in a search: its rollout player greedy stands for it." in notes
    assert "clairvoyant sees all cards" in notes


@pytest.mark.slow
@pytest.mark.parametrize("game", games())
def test_every_game_has_an_answer(game: str, capsys) -> None:
    assert main(["respond", game, "--field=greedy", "--quiet", "--playouts=10", "--games=4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["deals"] == 4
