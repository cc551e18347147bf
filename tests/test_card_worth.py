"""The experiment on what cards are worth: its counts against records, its words and what it refuses."""

import numpy as np
import pytest

from simlib import experiments
from simlib.batch import Arm, play_whole
from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.games import game_named, make_variant
from simlib.hooks import seated
from simlib.measures import joint_sums
from simlib.survey import DECENT, WEAK, Cell

card_worth = experiments.experiment_named("card_worth")
DEALT = {  # of a recorded round, by seat
    "gara_tori": lambda played: played["dealt"],
    "suppose": lambda played: [hand["layout"] for hand in sorted(played["hands"], key=lambda hand: hand["maker"])],
    "take_trick": lambda played: played["dealt"],
}


def made(game: str, **settings):
    return make_variant(game_named(game), settings={key.replace("_", "."): v for key, v in settings.items()})


def request(games: int = 3, game: str = "", **settings) -> experiments.Request:
    return experiments.Request(games, 1, {key.replace("_", "."): v for key, v in settings.items()}, game=game)


def played(variant, games: int = 12):
    known = game_named(variant.game).module("players").PLAYERS
    return play_whole(Arm(variant, (seated("random", known, "test"),) * variant.parameters.players), 5, 0, games)


def is_kind(card: str, kind: str, trump: int | None) -> bool:
    rank = {"special": "*", "trump": str(trump)}.get(kind, kind)
    return card[1:] == rank and (kind == "trump" or rank != str(trump))


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("gara_tori", {}),
        ("gara_tori", {"players": 5, "deck_specials": 0, "deck_copies": 2}),
        ("suppose", {}),
        ("suppose", {"players": 3, "bid_double": 2.5, "rounds": 2}),
        ("take_trick", {}),
        ("take_trick", {"players": 6, "deck_preset": "nine", "score_target": 12}),
    ],
)
def test_what_cards_do_for_seats_is_that_of_the_records(game, settings):
    """By hand, round by round: sums over seats of deviations from the round's mean, players times."""
    variant = made(game, **settings)
    games, seats, unit = played(variant), variant.parameters.players, card_worth.unit_of(variant)
    counted = card_worth.count_held(games, variant)
    assert sorted(counted) == sorted(card_worth.held_names(variant))
    for at in range(len(games.rows)):
        record = game_named(game).module("records").result(variant, games.tables[at], games.secrets[at])
        share = np.array([60 // len(record["winners"]) * (seat in record["winners"]) for seat in range(seats)])
        wanted = dict.fromkeys(counted, 0.0)
        before = np.zeros(seats)
        for each in record["rounds"]:
            totals = np.array(each.get("totals", each["points"]), float)
            results = {"points": unit * (totals - before), "share": share}
            for kind, name in card_worth.kinds_of_card(variant).items():
                hands = DEALT[game](each)
                held = np.array([sum(is_kind(card, name, record.get("trump")) for card in hand) for hand in hands])
                off = held - held.mean()
                wanted[f"spread_{kind}"] += seats * (off * held).sum()
                for role in card_worth.roles_of(variant):
                    for result, values in results.items():
                        mine = np.array([values[(seat + role.shift) % seats] for seat in range(seats)])
                        wanted[f"{result}_{role.name}_{kind}"] += seats * (off * mine).sum()
            before = totals
        assert {name: values[at] for name, values in counted.items()} == pytest.approx(wanted)


@pytest.mark.parametrize("game", ["gara_tori", "suppose", "take_trick"])
def test_other_decks_have_one_copy_more_or_fewer_in_each_colour(game):
    variant = made(game)
    arms = card_worth.arms(variant)
    colours = variant.parameters.deck.colours
    size = len(card_worth.sorted_ranks(variant))
    more = {name: len(card_worth.sorted_ranks(arm)) - size for name, arm in arms.items()}
    assert len(arms) == 7
    assert all(cards == colours * (name.endswith("more") - name.endswith("fewer")) for name, cards in more.items())


def test_decks_too_small_for_the_hands_are_left_out():
    arms = card_worth.arms(made("gara_tori", players=6, deck_preset="sixty"))
    assert not any(name.endswith("fewer") for name in arms)


def estimate(value: float, half: float = 0.01) -> Estimate:
    return Estimate(value, value - half, value + half, 100, "Student t interval")


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (estimate(0.5), "one 6 adds 0.50"),
        (estimate(-0.5), "one 6 costs 0.50"),
        (estimate(0), "what one 6 adds is no difference larger than 0.02 points"),
        (estimate(0, 1), "what one 6 adds is undecided"),
    ],
)
def test_what_a_card_adds_follows_the_numbers(found, said):
    figure = card_worth.worth(made("suppose"), 6, card_worth.HOLDER)
    assert card_worth.adds("one 6", figure, found).startswith(said)


def test_clear_cards_are_named():
    named = {0: "special", 1: "1", 2: "2", 3: "3", 4: "trump"}
    found = {0: estimate(1), 1: estimate(-1), 2: estimate(-1), 3: estimate(0), 4: estimate(1)}
    told = card_worth.clear_words(named, found)
    assert told == "worth more than an average card: special and trump; worth less: 1 and 2; undecided: 3"


def cell(kind=DECENT, *, worths=(0,) * 6, fewer=0, survey=card_worth.HELD, n=200) -> Cell:
    """Return a cell of made-up games of Suppose: what each rank adds to who plays it, and one 1 fewer to all scores."""
    variant = made("suppose")
    names = survey.names(variant) if survey is card_worth.HELD else card_worth.GAME_COUNTS
    values = np.random.default_rng(4).integers(-1, 2, (n, len(survey.arms(variant)), len(names)))
    for rank, added in enumerate(worths, 1):
        if survey is card_worth.HELD:
            values[:, :, names.index(f"spread_{rank}")] = 4
            values[:, :, names.index(f"points_next_{rank}")] += 4 * added
    if survey is card_worth.DECKS:
        values[:, :, names.index("units")] = values[:, :, names.index("seats")] = 1
        values[:, list(survey.arms(variant)).index("one 1 fewer"), names.index("points")] += fewer
        values[:, :, names.index("tied")] = np.arange(n)[:, None] % 2
    return Cell(survey, joint_sums(values.reshape(n, -1)), "Suppose, 4 players", variant, kind)


def test_cards_and_flips_follow_the_numbers():
    up, down = (-2, -2, 0, 1, 2, 3), (-2, -2, 0, 1, 2, -3)
    cells = [cell(WEAK, worths=up), cell(DECENT, worths=down)]
    points = card_worth.worths(cells, card_worth.HOLDER, "points")
    named = card_worth.kinds_of_card(cells[0].variant)
    assert "more than an average card: 4 to 6; worth less: 1 and 2" in card_worth.clear_words(named, points[cells[0]])
    flipped = card_worth.flips_words(named, points)
    assert flipped == "It flips: 6 is worth more for weak (random), less for decent (greedy)."
    assert "No card" in card_worth.flips_words(named, {cells[0]: points[cells[0]]})


@pytest.mark.parametrize(
    ("fewer", "n", "said"),
    [
        (2, 200, "points a seat and game, higher:"),
        (-2, 200, "points a seat and game, lower:"),
        (0, 20_000, "points a seat and game, no difference larger than 0.1 points:"),
        (0, 20, "points a seat and game, undecided:"),
    ],
)
def test_what_a_copy_changes_follows_the_numbers(fewer, n, said):
    main = cell(survey=card_worth.DECKS, fewer=fewer, n=n)
    change = card_worth.changes([main], card_worth.POINTS, ["one 1 fewer"])[main, "one 1 fewer"]
    told = card_worth.copies_words(main, "one 1 fewer", {card_worth.POINTS: change})
    assert told.startswith(f"one 1 fewer in each colour: {said}")


def test_what_is_played_and_what_is_refused():
    assert list(card_worth.plan(request()).variants) == [
        f"{t}, 4 players" for t in ("Gara-tori", "Suppose", "Take-Trick")
    ]
    assert list(card_worth.plan(request(game="suppose", players=3)).variants) == ["Suppose, 3 players"]
    with pytest.raises(BadInput, match="say of which game"):
        card_worth.plan(request(deck_colours=5))
    with pytest.raises(BadInput, match=r"deck\.copies: .*allowed"):
        card_worth.plan(request(game="gara_tori", deck_copies=0, deck_specials=20))
