"""The experiment luck_and_skill: its parts are those of made-up results with known ones, its words follow them."""

import numpy as np
import pytest

from simlib import batch, experiments, results
from simlib.batch import Arm
from simlib.experiments import Request
from simlib.games import game_named, games, make_variant
from simlib.hooks import seated
from simlib.survey import scores_in, wins_in

NAME = "luck_and_skill"
luck = experiments.experiment_named(NAME)
SCALE = 1000


def variant(game="gara_tori", **settings):
    return make_variant(game_named(game), settings={key.replace("__", "."): value for key, value in settings.items()})


def drawn(deals, skill=0.0, deal=0.0, seat=0.0, rest=1.0, seats=4, seed=1, fair=False):
    """Return results by seat and player whose parts have these standard deviations, (deals, seats, players)."""
    chance = np.random.Generator(np.random.PCG64(seed))
    ladder = np.linspace(-1, 1, seats) / np.linspace(-1, 1, seats).std()
    noise = chance.normal(size=(deals, seats, seats))
    if fair:  # the seats of each game share a fixed sum
        for turn in range(seats):
            at = np.arange(seats), (np.arange(seats) - turn) % seats
            noise[:, at[0], at[1]] -= noise[:, at[0], at[1]].mean(axis=1, keepdims=True)
    values = rest * noise + skill * ladder + seat * ladder[::-1, None]
    hands = chance.normal(size=(deals, seats))
    return np.rint(SCALE * (values + deal * hands[..., None])).astype(np.int64)


def shares(values):
    made = luck.components({name: moment.sum(axis=0) for name, moment in luck.moments(values).items()}, len(values))
    return {name: value / SCALE**2 for name, value in made.items()}


def summary(wins, points):
    counted = {"n": np.bincount(np.arange(len(wins)) % luck.BATCHES, minlength=luck.BATCHES)}
    for result, values in (("wins", wins), ("points", points)):
        for name, moment in luck.moments(values).items():
            parts = [moment[batch :: luck.BATCHES].sum(axis=0) for batch in range(luck.BATCHES)]
            counted[f"{result}_{name}"] = np.array(parts)
    return counted


def made(deals=400, **parts):
    """Return a result of Gara-tori with four seats whose wins and points have these parts."""
    request = Request(400, 1, {"players": 4}, command="make it", game="gara_tori")
    plan = luck.plan(request)
    values = drawn(deals, **parts)
    return results.Results(
        NAME, experiments._facts(luck, plan, request), {study.key: summary(values, values) for study in plan.studies}
    )


def found(run):
    return {finding.key: finding for finding in luck.findings(run)}


# ---- sums ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", games())
def test_every_player_plays_every_seat_of_each_deal_once(game):
    own = variant(game)
    study = luck.table_study("x", own, luck.WIDEST, 400)
    seats = own.parameters.players
    met = {(seat, arm.players[seat].text) for arm in study.arms.values() for seat in range(seats)}
    assert len(met) == seats**2
    assert study.unit == luck.BATCHES
    named = {
        name: np.array([[0] * seats + [int(p.text == luck.TABLES[luck.WIDEST][2]) for p in arm.players]])
        for name, arm in study.arms.items()
    }
    values = luck.square(named, lambda rows, _: rows[:, seats:], own)
    assert values[0].sum() == seats
    assert (values[0, :, 2] == 1).all()


@pytest.mark.kernel
def test_sums_are_those_of_the_rows():
    own = variant()
    players = game_named(own.game).module("players").PLAYERS
    mixed = [seated(name, players, "players") for name in ("greedy", "random", "trained", "greedy")]
    arms = {f"turn {turn}": Arm(own, tuple(mixed[seat - turn] for seat in range(4))) for turn in range(4)}
    rows = {name: batch.play_arm(arm, 1, 0, 24) for name, arm in arms.items()}
    total = luck.table_sums(rows, own)
    assert total["n"].tolist() == [2] * 4 + [1] * 16
    for result, reading in (("wins", wins_in), ("points", scores_in)):
        values = luck.square(rows, reading, own)
        assert (total[f"{result}_cells"].sum(axis=0) == values.sum(axis=0)).all()
        assert (total[f"{result}_by_seat"][0] == (values[[0, 20]].sum(axis=2) ** 2).sum(axis=0)).all()
    assert total["wins_cells"].sum() == 24 * 4 * 60


# ---- estimates -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fair", [False, True])
@pytest.mark.parametrize(
    "parts",
    [{"skill": 1.0}, {"deal": 1.0}, {"seat": 1.0}, {"skill": 0.5, "deal": 0.8, "seat": 0.3}, {}],
)
def test_parts_are_found(parts, fair):
    got = shares(drawn(20_000, **parts, fair=fair))
    for name in ("skill", "deal", "seat"):
        assert got[name] == pytest.approx(parts.get(name, 0) ** 2, abs=0.03)
    assert got["rest"] == pytest.approx(0.75 if fair else 1, abs=0.03)
    assert got["total"] == pytest.approx(sum(got[name] for name in luck.PARTS))


@pytest.mark.slow
def test_few_deals_are_not_biased():
    got = [shares(drawn(5, skill=0.5, deal=0.8, seed=seed)) for seed in range(2000)]
    for name, true in (("skill", 0.25), ("deal", 0.64), ("seat", 0), ("rest", 1)):
        values = np.array([each[name] for each in got])
        assert abs(values.mean() - true) < 4 * values.std() / 2000**0.5


@pytest.mark.slow
def test_the_jackknife_covers_as_told():
    runs = [
        luck.Split(summary(*[drawn(100, skill=0.5, deal=0.8, seed=seed)] * 2), "x", luck.WIDEST, variant())
        for seed in range(300)
    ]
    made = [split.part("points", "skill") for split in runs]
    true = 0.25 / 1.89
    covered = np.mean([each.low <= true <= each.high for each in made])
    assert 0.91 <= covered <= 0.985


# ---- words ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"skill": 1.0, "deal": 0.2}, "skill decides more, 49"),
        ({"skill": 0.2, "deal": 1.0}, "the deal decides more, 49 %"),
        ({"skill": 0.5, "deal": 0.5, "deals": 41}, "whether skill or the deal decides more is open"),
        ({"skill": 1.0, "deals": 5}, "whether skill or the deal decides more is open"),
    ],
)
def test_the_headline_follows_the_parts(parts, words):
    told = found(made(**parts))
    assert words in told["answer"].headline
    assert words in told["points"].headline


def test_more_skill_shows_after_fewer_games():
    assert "half skill after 1.0" in found(made(skill=1.0))["answer"].text[0]
    assert "half skill after 3.9" in found(made(skill=0.5, deals=4000))["answer"].text[0]
    assert "too little to say after how many games it shows" in found(made())["answer"].text[0]


def test_the_better_player_is_named_first():
    headline = found(made(skill=1.0))["players"].headline
    names = luck.TABLES[luck.WIDEST][:4]
    assert headline.index(names[3]) < headline.index(names[0])


def test_other_numbers_of_players_find_as_many_unlike_ones():
    for seats in range(3, 7):
        own = variant("take_trick", players=seats)
        assert all(len(set(luck.at_table(table, own))) == seats for table in luck.TABLES)
