"""clairvoyant sees all cards, is marked wherever it is named, and shows nothing to those at its table."""

import dataclasses
import json
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from by_hand import blank
from numba import njit

from simlib import batch, experiments, hooks, play, results, tricks
from simlib.batch import Arm, Seating
from simlib.cli import main
from simlib.experiments import Plan, Request
from simlib.games import Game, game_named, games, make_variant
from simlib.hooks import BLIND, LOOKING, SEARCHING, SEEING, SEES_ALL, reveal, seated
from simlib.streams import U64, game_stream

each_game = pytest.mark.parametrize("game", games().values(), ids=games())
MANY = 60  # games


CLOSED = {  # settings by which nothing of a deal lies open but what is played
    "gara_tori": {},
    "suppose": {"rounds": 1},
    "take_trick": {
        "trump.ranks": [1],
        "deck.copies": 2,
        "hand.size": 9,
    },  # all cards are in hands: there are no first bamboos
}


def arm_of(game: Game, *names: str, **more) -> Arm:
    variant = make_variant(game, settings={"players": len(names)} | CLOSED[game.name])
    return Arm(variant, tuple(seated(name, game.module("players").PLAYERS, "test") for name in names), **more)


def first_decisions(game: Game, arm: Arm, seats: int) -> dict[str, np.ndarray]:
    """Return what the first seats decided before anything else was known, by name: (games, ...) each."""
    _, tables, secrets = Seating(arm).play(4, 0, MANY, keep=True)
    if game.name == "gara_tori":
        return {"play": tables["cards"][:, 0, 0, :seats]}
    if game.name == "take_trick":
        return {"pass_cards": secrets["gives"][:, 0, :seats]}
    return {
        "arrange": secrets["layouts"][:, 0, 1 : seats + 1, : arm.variant.parameters.hand.size] >> 5,
        "bid": secrets["guesses"][:, 0, :seats],
    }


# ---- what it sees --------------------------------------------------------------------------------------------------


@pytest.mark.kernel
@pytest.mark.slow
@each_game
def test_it_decides_otherwise_where_hidden_cards_lie_otherwise(game: Game) -> None:
    """Seat 0 keeps its hand in all games; the cards that it can't see are dealt anew in each."""
    for name, others in (("clairvoyant", "greedy"), ("greedy", "clairvoyant")):
        arm = arm_of(game, name, others, others, others, held=0, completions=MANY)
        for kind, answers in first_decisions(game, arm, 1).items():
            assert (len(np.unique(answers, axis=0)) > 1) == (name == "clairvoyant"), (name, kind)


@pytest.mark.kernel
@pytest.mark.slow
@each_game
def test_searching_seats_at_its_table_decide_as_ever(game: Game) -> None:
    """They draw from the same stream in both games, and so would decide otherwise if they knew more."""
    honest, mixed = (
        first_decisions(game, arm_of(game, "search:30", "search:30", "search:30", last), 3)
        for last in ("greedy", "clairvoyant")
    )
    for kind in honest:
        np.testing.assert_array_equal(honest[kind], mixed[kind])


@pytest.mark.kernel
@pytest.mark.slow
@each_game
def test_it_wins_more_than_search(game: Game) -> None:
    shares = {}
    for name in ("clairvoyant", "search:30"):
        rows = Seating(arm_of(game, name, "greedy", "greedy", "greedy")).play(1, 0, 200)[0]
        wins = rows[:, 4:8]
        shares[name] = (wins[:, 0] / wins.sum(axis=1)).mean()
    assert shares["clairvoyant"] > 0.6  # measured: 0.75 in Gara-tori, more in the others
    assert shares["clairvoyant"] > shares["search:30"]


@pytest.mark.kernel
@pytest.mark.slow
@each_game
@pytest.mark.parametrize("budget", ["1", "50", "50:rollout=random"])
def test_one_playout_of_each_move_is_enough_unless_they_are_played_by_chance(game: Game, budget: str) -> None:
    one, other = (
        Seating(arm_of(game, name, "greedy", "greedy", "greedy")).play(1, 0, 30)[0]
        for name in ("clairvoyant:200", f"clairvoyant:{budget}")
    )
    assert np.array_equal(one, other) == (budget == "50")


# ---- who sees nothing ----------------------------------------------------------------------------------------------


@njit
def show(rules_, secret_, seats_, seat):
    reveal(rules_[0], secret_[0], seats_[0], seats_[0].views[seat])


@pytest.mark.kernel
@each_game
@pytest.mark.parametrize("seeing", [True, False])
def test_the_truth_goes_to_one_mind_alone(game: Game, seeing: bool) -> None:
    names = ["search:5", "search:5", "clairvoyant" if seeing else "search:5", "greedy"]
    seating = Seating(arm_of(game, *names))
    seating.secret["deck"] = 7
    seating.seats["views"]["hand" if game.name != "suppose" else "order"] = 1
    before = seating.seats.copy()
    for seat in range(4):
        show(seating.rules, seating.secret, seating.seats, seat)
    for seat, view in enumerate(seating.seats["views"][0]):
        assert (view.tobytes() != before["views"][0, seat].tobytes()) == (seeing and seat == 2)


@each_game
def test_only_tables_with_such_a_seat_have_room_for_the_truth(game: Game) -> None:
    fields = {}
    for depth in (BLIND, LOOKING, SEARCHING, SEEING):
        fields[depth] = play.seated_dtype(game.module("rules"), game.module("players"), depth)["views"].base.names
    assert "sees" in fields[SEEING]
    assert not any("sees" in fields[depth] for depth in (BLIND, LOOKING, SEARCHING))
    for name, player in game.module("players").PLAYERS.items():
        assert (player.depth == SEEING) == player.sees_all == (name == "clairvoyant")


@each_game
def test_every_decision_comes_right_after_the_truth_was_shown_to_that_seat(game: Game) -> None:
    """The rules run as plain Python, with players that ask whether they were."""
    rules = game.module("rules")
    stubs = [stub for stub in hooks.CHOICES if stub.__module__ == rules.__name__]
    shown, decided = [], set()

    def decides(stub):
        def decide(rules_, table, view, *rest):
            assert shown.pop() == view.seat, stub.__name__
            decided.add(stub)
            return hooks.CHOICES[stub]["random"](rules_, table, view, *rest)

        return decide

    records = [blank(getattr(rules, name)) for name in ("TABLE", "SECRET", "SEATED")]
    variant = make_variant(game)
    for seat, view in enumerate(records[2].views):
        view.seat = seat
    known = [blank(rules.RULES, rules.rules_array(variant.parameters)[0]), *records]
    patched = {stub.__name__: decides(stub) for stub in stubs}
    patched["reveal"] = lambda rules_, secret, seats, view: shown.append(view.seat)
    steps = {name: getattr(rules, name) for name in ("open_trick", "take_turn", "close_trick")}
    with mock.patch.multiple(rules, **patched), mock.patch.multiple(tricks, **steps), np.errstate(all="ignore"):
        for number in range(3):
            stream = game_stream(U64(1), U64(number))
            rules.open_game(*known)
            rules.open_round(*known, stream)
            tricks.play_tricks(*known, 0, stream)
    assert decided == set(stubs)
    assert not shown


# ---- how it is marked ----------------------------------------------------------------------------------------------


@each_game
def test_the_list_of_players_marks_it(game: Game, capsys) -> None:
    assert main(["players", game.name]) == 0
    marked = [line for line in capsys.readouterr().out.splitlines() if SEES_ALL in line]
    assert [line.partition(":")[0] for line in marked] == ["clairvoyant"]


@pytest.mark.kernel
def test_means_mark_it(capsys) -> None:
    policy = "--policy=clairvoyant:3,greedy,search:3,random"
    assert main(["simulate", "gara_tori", "--games=2", "--json", "--quiet", policy]) == 0
    told = json.loads(capsys.readouterr().out)
    assert dict(zip(told["players"], told["sees_all"], strict=True)) == {
        "clairvoyant:3": True,
        "greedy": False,
        "search:3": False,
        "random": False,
    }


@pytest.mark.kernel
@pytest.mark.parametrize("name", ["clairvoyant:3", "greedy"])
def test_pages_mark_it(name: str, tmp_path: Path) -> None:
    """Whatever an experiment's plan says of its players: what is played counts."""
    about = experiments.about("gara_lead_turns")
    module = experiments.experiment_named(about.name)
    asked = Request(20, 1, {"players": 4})
    made: Plan = module.plan(asked)
    player = seated(name, game_named(about.game).module("players").PLAYERS, "test")
    studies = [
        dataclasses.replace(
            study,
            arms={k: dataclasses.replace(arm, players=(player, *arm.players[1:])) for k, arm in study.arms.items()},
        )
        for study in made.studies
    ]
    plan = dataclasses.replace(made, studies=studies)
    facts = experiments._facts(module, plan, asked)
    results.save(tmp_path, results.Results(about.name, facts, batch.run(studies, 1, 1, quiet=True)))
    page = experiments.write_page(tmp_path).read_text(encoding="utf-8")
    assert (f"<b>clairvoyant:3</b> {SEES_ALL}." in page) == (name != "greedy")
    assert page.count(SEES_ALL) == (2 if name != "greedy" else 0)  # below the answer, and beside its name


def test_no_experiment_uses_it() -> None:
    for path in experiments.FOLDER.glob("*.py"):
        assert "clairvoyant" not in path.read_text(encoding="utf-8")
