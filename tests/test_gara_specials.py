"""The experiment on Gara-tori's specials: its counts against records, its words and what it refuses."""

import numpy as np
import pytest

from simlib import experiments
from simlib.batch import Arm, play_whole
from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.games import game_named, make_variant
from simlib.games.gara_tori.players import PLAYERS
from simlib.games.gara_tori.records import result
from simlib.hooks import seated
from simlib.measures import joint_sums
from simlib.survey import DECENT, Cell

specials = experiments.experiment_named("gara_specials")


def made(**settings):
    return make_variant(game_named("gara_tori"), settings={key.replace("_", "."): v for key, v in settings.items()})


def request(games: int = 3, **settings) -> experiments.Request:
    return experiments.Request(games, 1, {key.replace("_", "."): value for key, value in settings.items()})


def played(variant, games: int = 30):
    players = (seated("random", PLAYERS, "test"),) * variant.parameters.players
    return play_whole(Arm(variant, players), 5, 0, games)


@pytest.mark.parametrize("settings", [{}, {"players": 6}, {"players": 5, "deck_specials": 3}])
def test_what_specials_do_for_seats_is_that_of_the_records(settings):
    """By hand: sums over seats of deviations from the game's mean, players times."""
    variant = made(**settings)
    games, seats = played(variant), variant.parameters.players
    counted = specials.count_held(games, variant)
    assert sorted(counted) == sorted(specials.held_names(variant))
    for at in range(len(games.rows)):
        record = result(variant, games.tables[at], games.secrets[at])
        scores = np.array(record["scores"])
        share = np.array([60 // len(record["winners"]) * (seat in record["winners"]) for seat in range(seats)])
        for of, ending in (("any", "*"), ("R", "R*"), ("Y", "Y*")):
            held = np.array([sum(card.endswith(ending) for card in hand) for hand in record["rounds"][0]["dealt"]])
            off = held - held.mean()
            for name, other in (("spread", held), ("points", scores), ("share", share)):
                assert counted[f"{name}_{of}"][at] == pytest.approx(seats * (off * other).sum())
        held = np.array([sum(card.endswith("*") for card in hand) for hand in record["rounds"][0]["dealt"]])
        for level in range(4):
            those = np.minimum(held, 3) == level
            assert counted[f"seats_with_{level}"][at] == those.sum()
            assert counted[f"points_with_{level}"][at] == seats * scores[those].sum() - scores.sum() * those.sum()


def test_a_worth_is_the_slope_within_games():
    variant = made()
    games = played(variant, 300)
    sums = joint_sums(np.stack([specials.count_held(games, variant)[n] for n in specials.held_names(variant)], axis=1))
    names = specials.held_names(variant)
    scores = games.rows[:, :4].astype(float)
    held = specials.specials_held(games, variant).sum(axis=2).astype(float)
    off, ahead = (part - part.mean(axis=1, keepdims=True) for part in (held, scores))
    slope = sums["sums"][names.index("points_any")] / sums["sums"][names.index("spread_any")]
    assert slope == pytest.approx((off * ahead).sum() / (off * off).sum())


def test_decks_without_with_more_and_with_a_rank_in_place_of_specials():
    arms = specials.decks(made(deck_specials=2))
    told = [(arm.parameters.deck.specials, len(arm.parameters.deck.copies[0])) for arm in arms.values()]
    assert told == [(2, 15), (4, 15), (0, 15), (0, 16)]
    last = arms[specials.RANK].parameters.deck.copies
    assert last == [[1] * 15 + [2]] * 4
    assert specials.RANK not in specials.decks(made(deck_ranks=32))


def estimate(value: float, half: float = 0.05, n: int = 100) -> Estimate:
    return Estimate(value, value - half, value + half, n, "Student t interval")


@pytest.mark.parametrize(
    ("points", "share", "said"),
    [
        (estimate(1), estimate(0.2), ["A special dealt adds points", "it wins more games"]),
        (estimate(-1), estimate(-0.2), ["A special dealt costs points", "it wins fewer games"]),
        (estimate(0), estimate(0, 0.001), ["no difference larger than 0.1 points", "no difference larger than 1"]),
        (estimate(1, 2), estimate(0), ["points that a special dealt adds: undecided", "win share that it adds: undec"]),
    ],
)
def test_the_headline_follows_the_numbers(points, share, said):
    told = specials.worth_words("greedy, 4 players", points, share)
    assert all(words.lower() in told.lower() for words in said), told


def test_colours_are_told_apart_only_where_their_intervals_are():
    assert "R* is worth more than B*" in specials.each_words("x", {"R*": estimate(2), "B*": estimate(1)})
    several = {"red": estimate(2), "blue": estimate(1.04), "green": estimate(1)}
    assert specials.each_words("x", several).startswith("Red is worth more than blue and green. Lowest: green")
    alike = specials.each_words("x", {"R*": estimate(1.05), "B*": estimate(1)})
    assert "No colour's special is told apart" in alike


def test_a_further_special_follows_the_numbers():
    missing = Estimate(float("nan"), float("nan"), float("nan"), 9, "", reason="nothing to divide by")
    told = specials.further_words("x", [estimate(1), estimate(0.5), missing])
    assert told.startswith("The first adds 1.00 points") and "third" not in told
    assert "undecided" in specials.further_words("x", [missing] * 3)


def cell(worth: int, doubled: int, n: int = 100) -> Cell:
    """Return a cell of made-up games in which a special adds so many points, and so many where they are doubled."""
    variant = made()
    names = specials.held_names(variant)
    values = np.random.default_rng(2).integers(-4, 5, (n, 2, len(names)))
    values[:, :, names.index("spread_any")] = 4
    values[:, :, names.index("points_any")] += np.array([4 * worth, 4 * doubled])
    return Cell(specials.HELD, joint_sums(values.reshape(n, -1)), "4 players", variant, DECENT)


@pytest.mark.parametrize(
    ("doubled", "n", "said"),
    [
        (3, 100, "each is worth more"),
        (1, 100, "each is worth less"),
        (2, 10_000, "no difference larger than 0.1 points"),
        (2, 8, "undecided"),
    ],
)
def test_the_worth_among_twice_as_many_follows_the_numbers(doubled, n, said):
    main = cell(2, doubled, n)
    (arm,) = [name for name in main.arms if name != "played"]
    assert said in specials.twice_words(main, arm, main.change(specials.WORTH, arm))


def test_a_deck_without_specials_is_refused_in_one_line():
    with pytest.raises(BadInput, match=r"deck\.specials = 0: .*allowed: 1 or more"):
        specials.plan(request(deck_specials=0))
    with pytest.raises(BadInput):
        specials.plan(request(deck_specials=300))
    assert len(specials.plan(request(players=4)).studies) == 8
