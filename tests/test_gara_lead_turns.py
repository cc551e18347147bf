"""The experiment on lead turns: its sums, its words and its page."""

import dataclasses
import json
import re

import numpy as np
import pandas as pd
import pytest

from simlib import experiments
from simlib.batch import Arm, columns_of, play_arm
from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.games import game_named, make_variant
from simlib.games.gara_tori import measures
from simlib.games.gara_tori.players import PLAYERS
from simlib.hooks import seated
from simlib.measures import win_shares
from simlib.results import Results

lead_turns = experiments.experiment_named("gara_lead_turns")


def estimate(value: float, half: float = 0.1, n: int = 100) -> Estimate:
    return Estimate(value, value - half, value + half, n, "Student t interval")


def unknown(reason: str) -> Estimate:
    return Estimate(0.5, float("nan"), float("nan"), 1, "", reason=reason)


def made(label: str, **settings):
    return make_variant(game_named("gara_tori"), settings={key.replace("_", "."): v for key, v in settings.items()})


def rows_of(variant, games: int = 300, player: str = "random") -> tuple[np.ndarray, pd.DataFrame]:
    arm = Arm(variant, (seated(player, PLAYERS, "test"),) * variant.parameters.players)
    rows = play_arm(arm, 5, 0, games)
    return rows, pd.DataFrame(rows, columns=columns_of(variant)).astype("int64")


def request(games: int = 3, **settings) -> experiments.Request:
    return experiments.Request(games, 1, settings)


# Words


@pytest.mark.parametrize(
    ("turning", "locking", "said"),
    [
        (estimate(2), estimate(3), ["wins more cards", "+2.0", "a lock is worth +3.0"]),
        (estimate(-2), estimate(3), ["wins fewer cards", "\u22122.0"]),
        (estimate(0.05), estimate(3), ["Whether turning", "more or fewer", "is undecided"]),
        (estimate(2), estimate(0.05), ["what a lock is worth is undecided"]),
        (unknown("only one game"), estimate(3), ["Undecided", "only one game"]),
    ],
)
def test_the_headline_follows_the_numbers(turning, locking, said):
    told = lead_turns.headline("greedy", turning, locking)
    assert all(words in told for words in said), told
    assert "nan" not in told


@pytest.mark.parametrize(
    ("points", "share", "said"),
    [
        (estimate(1), estimate(0.2), ["adds points", "wins more games"]),
        (estimate(-1), estimate(-0.2), ["costs points", "wins fewer games"]),
        (estimate(0), estimate(0), ["neither clearly adds nor costs points", "undecided"]),
    ],
)
def test_the_worth_of_a_special_follows_the_numbers(points, share, said):
    told = lead_turns.specials_headline("greedy", points, share)
    assert all(words in told for words in said), told


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (estimate(1), "turns more often"),
        (estimate(-1), "turns less often"),
        (estimate(0), "undecided"),
        (estimate(0, 0), "as often in every single game"),
        (unknown("only one game"), "undecided"),
    ],
)
def test_differences_follow_the_numbers(found, said):
    assert said in lead_turns._pair_words(("a | G2", "a"), found)


def cell(counts: list[dict[str, int]]):
    """Return a cell of hand-made games: what `measures.counts` would say, zero where nothing is given."""
    variant = make_variant(game_named("gara_tori"))
    names = measures.count_names(variant.parameters)
    table = np.array([[game.get(name, 0) for name in names] for game in counts])
    sums = {"games": np.array(len(table)), "totals": table.sum(axis=0), "products": table.T @ table}
    study = {f"x: {name}": array for name, array in sums.items()}
    return lead_turns.Cell(Results("gara_lead_turns", {}, {"greedy": study}), "x", variant, "greedy")


def test_where_the_lead_turns_most_follows_the_numbers():
    games = [{"turn_1": 1, "turn_2": 2, "turn_3": 4 + spare, "tricks_with_turns_0": 3 + spare} for spare in (0, 1) * 20]
    assert "most often at the fourth place" in lead_turns.turns_headline(cell(games))
    swapped = [game | {"turn_1": game["turn_3"], "turn_3": 1} for game in games]
    assert "most often at the second place" in lead_turns.turns_headline(cell(swapped))
    mixed = [game | {"turn_1": 5 - game["turn_3"] % 2} for game in games]
    assert "where most often is undecided" in lead_turns.turns_headline(cell(mixed))


def test_the_last_place_follows_the_numbers():
    main = cell([{"won_3": 4 + spare} for spare in (0, 1) * 20])
    for wanted, words in ((0.2, "more than an even"), (-0.2, "less than an even"), (0, "is undecided")):
        assert words in lead_turns.places_headline(main, estimate(wanted))


def test_what_turning_is_worth_worked_by_hand():
    """At the second place 3 of 4 turners and 1 of 8 others win, at the third 1 of 1 and 2 of 4."""
    games = [
        {"turn_1": 3, "turn_won_1": 2, "other_1": 4, "other_won_1": 1, "turn_2": 1, "turn_won_2": 1, "other_2": 2},
        {"turn_1": 1, "turn_won_1": 1, "other_1": 4, "other_2": 2, "other_won_2": 2},
    ]
    games += [{"other_1": 0, "other_2": 0}]
    worth = cell(games).worth("turn")
    assert worth.value == pytest.approx(4 * (4 * (3 / 4 - 1 / 8) + 1 * (1 - 2 / 4)) / 5)
    assert not cell(games).worth("lock").known


def test_the_interval_of_what_turning_is_worth_fits_the_jackknife():
    variant = make_variant(game_named("gara_tori"))
    rows, _ = rows_of(variant, 400)
    found = measures.counts(measures.columns_by_name(rows, variant.parameters), variant.parameters)
    games = pd.DataFrame(found).to_dict("records")
    whole = cell(games).worth("turn")
    parts = [cell(games[:at] + games[at + 10 :]).worth("turn").value for at in range(0, 400, 10)]
    error = np.sqrt(39 / 40 * np.square(np.array(parts) - np.mean(parts)).sum())
    assert (whole.high - whole.low) / 2 / 1.966 == pytest.approx(error, rel=0.35)


# Sums


@pytest.mark.parametrize("settings", [{}, {"players": 5}, {"players": 6, "deck_preset": "sixty"}])
def test_sums_are_those_of_the_rows(settings):
    variant = made("", **settings)
    rows, frame = rows_of(variant)
    parameters, seats = variant.parameters, range(variant.parameters.players)
    sums = measures.game_sums(measures.columns_by_name(rows, parameters), parameters)
    totals = dict(zip(measures.count_names(parameters), sums["totals"].tolist(), strict=True))
    assert sums["games"] == len(frame)
    for place in seats:
        turned, locked = frame.get(f"turns_at_place_{place}", 0), frame[f"locks_at_place_{place}"]
        by_turn = frame.get(f"won_by_turn_at_place_{place}", 0)
        assert totals[f"other_{place}"] == (10 - turned - locked).sum()
        assert totals[f"won_{place}"] == frame[f"won_from_place_{place}"].sum()
        assert totals[f"other_won_{place}"] == (frame[f"won_from_place_{place}"] - by_turn - locked).sum()
        assert 0 <= totals[f"turn_won_{place}"] <= totals[f"turn_{place}"]
    assert totals["turns"] == frame["turns"].sum() == sum(totals[f"turn_{place}"] for place in seats)
    assert totals["locks"] == frame["locks"].sum() == sum(totals[f"lock_{place}"] for place in seats)
    names = measures.count_names(parameters)
    assert sums["products"][names.index("turns"), names.index("won_1")] == frame["turns"] @ frame["won_from_place_1"]


def test_the_worth_of_specials_is_that_of_the_rows():
    variant = made("", players=5)
    rows, frame = rows_of(variant)
    seats = range(5)
    tidy = pd.concat(
        [
            pd.DataFrame({"game": frame.index, "k": frame[f"specials_dealt_{s}"], "y": frame[f"score_{s}"]})
            for s in seats
        ]
    )
    off = tidy[["k", "y"]] - tidy.groupby("game")[["k", "y"]].transform("mean")
    sums = measures.special_sums(measures.columns_by_name(rows, variant.parameters), variant.parameters)
    slope = sums["score_slope"]
    assert slope[0] / slope[1] == pytest.approx((off["k"] * off["y"]).sum() / (off["k"] ** 2).sum())
    for kind in range(measures.KINDS):
        mine = tidy["k"].clip(upper=measures.KINDS - 1) == kind
        total, count = sums["score_kinds"][kind][:2]
        assert count == sums["seats_of_kind"][kind] == mine.sum()
        assert total == pytest.approx(5 * off.loc[mine, "y"].sum())
    shares = frame[[f"win_{seat}" for seat in seats]]
    whole = win_shares(shares.to_numpy(), measures.SHARES)
    assert (whole.sum(axis=1) == measures.SHARES).all()
    assert np.array_equal(whole, (measures.SHARES * shares.div(shares.sum(axis=1), axis=0)).round().astype(int))


def test_differences_are_those_of_the_rows():
    plan = lead_turns.plan(request(games=200, players=4))
    study = plan.studies[0]
    rows = {name: play_arm(arm, 1, 0, 200) for name, arm in study.arms.items()}
    sums = study.measure(rows)
    frames = {name: pd.DataFrame(rows[name], columns=columns_of(arm.variant)) for name, arm in study.arms.items()}
    base = frames["4 players, 64 cards"]
    for reading in ("G2", "G3"):
        gap = 60 * (frames[f"4 players, 64 cards | {reading}"]["turns"] - base["turns"]).astype("int64")
        key = f"4 players, 64 cards | {reading} - 4 players, 64 cards: turns"
        assert (sums[key], sums[f"{key}_squares"]) == (gap.sum(), (gap * gap).sum())
        assert gap.any()
    last = sums["4 players, 60 cards - 4 players, 64 cards: last"]
    assert last == 60 * (frames["4 players, 60 cards"]["won_from_place_3"] - base["won_from_place_3"]).sum()


# Requests


def test_both_decks_and_all_seats_are_played_unless_the_request_fixes_them(tmp_path):
    both = [f"{seats} players, {cards} cards" for cards in (64, 60) for seats in (4, 5, 6)]
    assert list(lead_turns.plan(request()).variants) == both
    assert list(lead_turns.plan(request(players=5)).variants) == ["5 players, 64 cards", "5 players, 60 cards"]
    assert list(lead_turns.plan(request(**{"deck.ranks": 14, "players": 6})).variants) == ["6 players, 60 cards"]
    assert list(lead_turns.plan(request(**{"hand.size": 15})).variants) == [
        "4 players, 64 cards",
        "4 players, 60 cards",
    ]
    file = tmp_path / "mine.toml"
    file.write_text('base = "sixty"\nplayers = 4\n')
    asked = dataclasses.replace(request(), file=file)
    assert list(lead_turns.plan(asked).variants) == ["4 players, 60 cards"]
    with pytest.raises(BadInput):
        lead_turns.plan(request(**{"hand.size": 60}))


# The page


@pytest.mark.slow
@pytest.mark.kernel
@pytest.mark.parametrize(
    ("games", "settings"), [(1, {}), (2, {"deck.specials": 0, "deck.ranks": 15}), (40, {"players": 4})]
)
def test_a_tiny_run_writes_a_page(tmp_path, games, settings):
    page = experiments.run(
        experiments.about("gara_lead_turns"), request(games, **settings), tmp_path / "out", 1, quiet=True
    )
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"\bnan\b", text, flags=re.IGNORECASE)
    assert text.count("<section") >= 3
    facts = json.loads((tmp_path / "out" / "run.json").read_text())["body"]["facts"]
    assert facts["asked"] == games
