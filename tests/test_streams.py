"""Random streams: published vectors, agreement with the plain twin, exact bounds, fair deals.

Chi-square tests are at a level of 0.001 at either end; seeds are fixed, so that each comes out the same every time.
"""

from itertools import combinations

import numpy as np
import pytest
from numba import njit
from reference import streams as twin
from scipy.stats import chi2

from simlib import streams
from simlib.batch import Arm, Seating
from simlib.games import game_named, make_variant
from simlib.hooks import seated

pytestmark = pytest.mark.kernel
GAME = game_named("suppose")
ALPHA = 0.001
DEALS = 200_000
SEATS, CARDS = 4, 24
SIZE = CARDS // SEATS  # all cards are dealt, and all differ
WORD = 2**64


def arm(held: int = -1, completions: int = 1) -> Arm:
    settings = {"deck.copies": 1, "hand.size": SIZE, "rounds": 1}
    player = seated("random", GAME.module("players").PLAYERS, "test")
    return Arm(make_variant(GAME, settings=settings), (player,) * SEATS, held, completions)


SEATING = Seating(arm())  # makes numba know the functions of streams


@njit
def mixed(words):
    return [streams.mix64(word) for word in words]


@njit
def streams_of(seed, games):
    return [streams.game_stream(seed, game) for game in games]


@njit
def accepted(words, bounds):
    return [streams.accept(word, bound) for word, bound in zip(words, bounds)]  # noqa: B905  (numba knows no strict)


@njit
def numbers_below(words, bounds):
    return [streams.below(word, bound) for word, bound in zip(words, bounds)]  # noqa: B905


def words(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.uint64)


def test_splitmix64_gives_its_published_numbers() -> None:
    published = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    states = [(1234567 + twin.GOLDEN * (step + 1)) % WORD for step in range(5)]
    assert mixed(words(*states)) == published
    assert [twin.mix64(state) for state in states] == published


@pytest.mark.parametrize("seed", [0, 1, 2**63, WORD - 1])
def test_game_streams_are_those_of_the_twin(seed: int) -> None:
    games = [0, 1, 2, 77, 10**12, WORD - 1, *(twin.mix64(number) for number in range(200))]
    assert streams_of(np.uint64(seed), words(*games)) == [tuple(twin.game_stream(seed, game)) for game in games]


def test_streams_of_near_seeds_and_games_share_nothing() -> None:
    found = [stream for seed in range(50) for stream in streams_of(np.uint64(seed), words(*range(200)))]
    assert len({key for key, _ in found}) == len({gamma for _, gamma in found}) == len(found)


@pytest.mark.parametrize("bound", [*range(1, 70), 2**32, 2**48 - 1, 3 * 2**62])
def test_each_number_has_exactly_as_many_words_as_any_other(bound: int) -> None:
    shown = range(bound) if bound < 100 else [0, 1, bound // 2, bound - 1]
    firsts = [-(-number * WORD // bound) for number in shown]
    ends = [-(-(number + 1) * WORD // bound) for number in shown]
    refused = [first * bound % WORD < WORD % bound for first in firsts]  # at most the first word of a number is
    fair = WORD // bound
    assert [end - first - no for first, end, no in zip(firsts, ends, refused, strict=True)] == [fair] * len(firsts)
    bounds = np.full(len(firsts), bound, np.uint64)
    for edge, are_refused in ((firsts, refused), ([end - 1 for end in ends], [False] * len(ends))):
        taken = accepted(words(*edge), bounds)
        again = [twin.accept(twin.mix64(word + twin.GOLDEN), bound) for word in edge]
        wanted = [other if no and bound > 1 else word for word, other, no in zip(edge, again, are_refused, strict=True)]
        if bound < 2**62:  # so that there is no second word to refuse
            assert taken == wanted
        assert [
            number for number, no in zip(numbers_below(words(*edge), bounds), are_refused, strict=True) if not no
        ] == [number for number, no in zip(shown, are_refused, strict=True) if not no]


def test_refused_words_are_followed_by_those_of_the_twin() -> None:
    tried = [twin.mix64(number) for number in range(2000)]
    bound = 3 * 2**62  # refuses a quarter of all words
    bounds = np.full(len(tried), bound, np.uint64)
    assert accepted(words(*tried), bounds) == [twin.accept(word, bound) for word in tried]
    assert sum(word != other for word, other in zip(tried, accepted(words(*tried), bounds), strict=True)) > 400
    assert numbers_below(words(*tried), bounds) == [twin.below(word, bound) for word in tried]


def dealt(seating: Seating, seed: int, deals: int = DEALS) -> np.ndarray:
    """Return (deals, CARDS) cards by place: seat s is dealt those from s * SIZE on."""
    parts = []
    for first in range(0, deals, 20_000):
        _, _, secrets = seating.play(seed, first, min(20_000, deals - first), keep=True)
        parts.append(secrets["deck"][:, 0, :CARDS].copy())
    decks = np.concatenate(parts)
    assert (np.sort(decks, axis=1) == np.arange(CARDS)).all()
    return decks


def assert_chi_square(statistic: float, freedom: int) -> None:
    low, high = chi2.ppf([ALPHA / 2, 1 - ALPHA / 2], freedom)
    assert low < statistic < high


def assert_permutations_are_fair(rows: np.ndarray) -> None:
    """Assert that each thing is equally often at each place, over permutations in rows."""
    count, size = rows.shape
    seen = np.array([np.bincount(column, minlength=size) for column in rows.T])
    even = count / size
    # the counts' covariance is count / (n - 1) times a projection of rank (n - 1)^2
    assert_chi_square(((seen - even) ** 2).sum() / even * (size - 1) / size, (size - 1) ** 2)


def test_each_card_comes_equally_often_to_each_place() -> None:
    assert_permutations_are_fair(dealt(SEATING, 1))


def test_each_pair_of_cards_comes_equally_often_into_one_hand() -> None:
    hands = np.sort(dealt(SEATING, 2).reshape(-1, SIZE), axis=1).astype(np.int64)
    together = np.zeros(CARDS * CARDS, np.int64)
    for one, other in combinations(range(SIZE), 2):
        together += np.bincount(hands[:, one] * CARDS + hands[:, other], minlength=CARDS * CARDS)
    seen = together.reshape(CARDS, CARDS)[np.triu_indices(CARDS, 1)]
    share = SEATS * SIZE * (SIZE - 1) / (CARDS * (CARDS - 1))
    # a card has SIZE - 1 mates in every deal, which leaves n (n - 3) / 2 free sums of one variance
    variance = DEALS * share * (1 - share) * (CARDS - 1) / (CARDS - 3)
    assert_chi_square(((seen - DEALS * share) ** 2).sum() / variance, CARDS * (CARDS - 3) // 2)


@pytest.mark.parametrize("held", [0, 2, 3])
def test_held_hands_stay_and_the_rest_is_dealt_fairly_around_them(held: int) -> None:
    completions = 100
    decks = dealt(Seating(arm(held, completions)), 3).reshape(-1, completions, CARDS)
    mine = slice(held * SIZE, (held + 1) * SIZE)
    hands = np.sort(decks[:, :, mine], axis=2)
    assert (hands == hands[:, :1]).all()

    kept = np.zeros((len(hands), CARDS), np.int64)
    np.put_along_axis(kept, hands[:, 0].astype(np.int64), 1, axis=1)
    share, groups = SIZE / CARDS, len(hands)
    variance = groups * share * (1 - share) * CARDS / (CARDS - 1)
    assert_chi_square(((kept.sum(axis=0) - groups * share) ** 2).sum() / variance, CARDS - 1)

    others = np.delete(decks, np.arange(CARDS)[mine], axis=2).reshape(-1, CARDS - SIZE)
    assert_permutations_are_fair(others.argsort(axis=1))
