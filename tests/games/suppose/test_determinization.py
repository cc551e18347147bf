"""Imagined deals of Suppose: as likely as they should be, consistent, repeatable, and made of what a seat knows.

The exact chances of small games come from an enumeration in plain Python. `SAMPLES` in the environment sets how many
samples are checked for consistency (20,000).
"""

import math
import os
import random
from collections import Counter
from itertools import cycle, islice, product

import numpy as np
import pytest
from honesty.games.suppose import hidden_positions, is_laid_out, played_positions, shuffled_layouts, stacked
from honesty.harness import Board, Moment
from numba import njit
from scipy import stats

from simlib import play as kernel
from simlib.cards import RANKS
from simlib.games import game_named, make_variant
from simlib.games.suppose import determinization, rules
from simlib.games.suppose import players as suppose_players
from simlib.games.suppose.determinization import HANDS, can_imagine, imagine, imagine_deal, prepare, send_pilots
from simlib.games.suppose.rules import NO_GUESS, UNKNOWN, look, show, take_up
from simlib.streams import U64, game_stream

pytestmark = pytest.mark.kernel
SAMPLES = int(os.environ.get("SAMPLES", "20000"))
DRAWS = 100_000
SMALLEST_P = 1e-4
SEED, GAMES = 7, 12
GAME = game_named("suppose")
SMALL = {
    "three": {"players": 3, "deck.colours": 2, "deck.ranks": 3, "hand.size": 3},
    "three, one of each": {"players": 3, "deck.colours": 3, "deck.ranks": 4, "deck.copies": 1, "hand.size": 4},
    "three, blind": {"players": 3, "deck.colours": 3, "deck.ranks": 2, "hand.size": 3, "hand.visible": []},
    "three, open": {"players": 3, "deck.colours": 3, "deck.ranks": 2, "hand.size": 3, "hand.visible": [1, 2, 3]},
    "three, half": {"players": 3, "deck.colours": 3, "deck.ranks": 2, "hand.size": 4, "hand.visible": [2, 3]},
    "three, left half": {"players": 3, "deck.colours": 2, "deck.ranks": 4, "hand.size": 4, "hand.visible": [1, 2]},
    "four": {"deck.colours": 3, "deck.ranks": 3, "hand.size": 4},
    "four, middle": {"deck.colours": 2, "deck.ranks": 3, "hand.size": 3, "hand.visible": [2]},
    "four, all dealt": {"deck.colours": 2, "deck.ranks": 2, "deck.copies": 3, "hand.size": 3, "hand.visible": [1, 3]},
    "four, open": {"deck.colours": 3, "deck.ranks": 2, "hand.size": 3, "hand.visible": [1, 2, 3]},
}
LARGE = {
    "classic": {},
    "three": {"players": 3},
    "blind": {"hand.visible": []},
    "open": {"hand.visible": list(range(1, 12))},
    "half": {"hand.visible": [1, 3, 5, 7, 9, 11]},
    "eight colours": {
        "deck.colours": 8,
        "deck.ranks": 5,
        "deck.copies": 3,
        "hand.size": 30,
        "hand.visible": [2, 3, 30],
    },
    "one colour": {"deck.colours": 1, "deck.ranks": 32, "hand.size": 16, "hand.visible": [8]},
    "85 cards": {"players": 3, "deck.ranks": 32, "deck.copies": 2, "hand.size": 85, "hand.visible": [1, 40, 85]},
    "one rank": {"players": 3, "deck.ranks": 1, "deck.copies": 64, "hand.size": 60},
    "one card": {"players": 3, "hand.size": 1},
}
kernel.adopt(rules, suppose_players)


@njit(cache=True)
def see(rules_, secret_, seats_, plays):
    """Build all Views from the secret, by the kernel's own steps."""
    rules, secret, seats = rules_[0], secret_[0], seats_[0]
    for seat in range(rules.players):
        view = seats.views[U64(seat)]
        take_up(rules, secret, view, U64(seat))
        view.guesses[0], view.guesses[1] = secret.guesses[seat, 0], secret.guesses[seat, 1]
        if view.looks:
            look(rules, secret, view)
    for number in range(plays.shape[0]):
        owner, position = plays[number, 0], U64(plays[number, 1])
        show(rules, seats, owner, position, np.int64(secret.layouts[owner, position]))


@njit(cache=True)
def draw_many(rules_, table_, seats_, seat, hands_, secret_, imagined_, seed, numbers, proposes, layouts):
    """Fill `layouts`, (samples, players, tricks), with the samples of these numbers."""
    rules, table, view, hands = rules_[0], table_[0], seats_[0].views[U64(seat)], hands_[0]
    ready = prepare(rules, table, view, hands)
    if proposes:
        hands.cases = 0
        ready = send_pilots(view, hands)
    for number in range(len(numbers)):
        stream = game_stream(seed, U64(1))
        imagine(rules, table, view, hands, secret_[0], imagined_[0], stream, U64(numbers[number]))
        for owner in range(rules.players):
            for position in range(rules.tricks):
                layouts[number, owner, position] = secret_[0].layouts[owner, position]
    return ready


@njit(cache=True)
def deal_many(rules_, seats_, seat, secret_, seed, decks):
    """Fill `decks`, (samples, deck size), for a decision before the play."""
    for number in range(decks.shape[0]):
        imagine_deal(rules_[0], seats_[0].views[U64(seat)], secret_[0], game_stream(seed, U64(2)), U64(number))
        for place in range(decks.shape[1]):
            decks[number, place] = secret_[0].deck[place]


class Scene:
    """A moment of a real game with the Views of all seats, ready for samples."""

    def __init__(self, moment: Moment) -> None:
        board, secret = moment.board, moment.round.secret
        self.moment, self.rules, self.seat = moment, board.seating.rules, moment.seat
        self.empty = board.seating.seats.copy()
        self.empty["views"]["looks"][0, self.seat] = 1
        self.table = board.play_again(moment, moment.deck, moment.answers).table
        self.plays = np.array(sorted(played_positions(moment)), np.int64).reshape(-1, 2)
        self.deck = Counter(self.rules["cards"][0, : int(self.rules["deck_size"][0])].tolist())
        self.seats = self.seen(secret["layouts"][0, : moment.players, : moment.tricks].tolist(), secret["guesses"][0])
        self.view = self.seats["views"][0, self.seat]
        self.hidden = sorted(hidden_positions(moment))
        self.imagined = self.empty.copy()
        self.hands, self.secret = np.zeros(1, HANDS), np.zeros(1, rules.SECRET)

    def seen(self, layouts, guesses) -> np.ndarray:
        """Return the seats with all Views if these are the hands and bids."""
        undealt = self.deck - Counter(card for hand in layouts for card in hand)
        secret, seats = self.moment.round.secret.copy(), self.empty.copy()
        secret["layouts"][0, : self.moment.players, : self.moment.tricks] = layouts
        secret["guesses"] = guesses
        secret["deck"] = stacked(self.moment, [*layouts, list(undealt.elements())])
        see(self.rules, secret, seats, self.plays)
        return seats

    def draw(self, numbers, proposes: bool = False) -> np.ndarray:
        """Return samples, (samples, players, tricks)."""
        layouts = np.zeros((len(numbers), self.moment.players, self.moment.tricks), np.int64)
        numbers = np.array(numbers, np.uint64)
        ready = draw_many(
            self.rules, self.table, self.seats, self.seat, self.hands, self.secret, self.imagined, U64(SEED), numbers,
            proposes, layouts,
        )  # fmt: skip
        assert ready == 1
        return layouts


def scenes(settings: dict, count: int, source: random.Random, names=("greedy",)):
    """Yield moments of the play of real games: the later ones later in a round."""
    parameters = make_variant(GAME, settings=settings).parameters
    players, plays = parameters.players, parameters.players * parameters.hand.size
    board = Board(GAME, settings, list(islice(cycle(names), players)))
    games = [board.record(game) for game in range(min(GAMES, count))]
    for number in range(count):
        place = number * plays // count + source.randrange(-(-plays // count))
        yield Scene(Moment(board, source.choice(source.choice(games)), 2 * players + min(place, plays - 1)))


def fillings(hand: list[int], deck: Counter):
    """Yield all ways to fill what is unknown of a hand, with 1 / groups! of each."""
    hidden = [position for position, card in enumerate(hand) if card == UNKNOWN]
    for cards in product(sorted(deck), repeat=len(hidden)):
        full = list(hand)
        for position, card in zip(hidden, cards, strict=True):
            full[position] = card
        if is_laid_out(full):
            yield cards, 1 / math.factorial(len({card // RANKS for card in full}))


def chances(scene: Scene) -> dict[tuple[int, ...], float]:
    """Return the chance of each assignment of cards to the hidden places, in order of owner and position."""
    players, size = scene.moment.players, scene.moment.tricks
    known = scene.view["known"][:players, :size].tolist()
    pool = scene.deck - Counter(card for hand in known for card in hand if card != UNKNOWN)
    partial = {(): (1.0, pool)}
    for hand in known:
        longer = {}
        for cards, (weight, left) in partial.items():
            for more, share in fillings(hand, left):
                need = Counter(more)
                if need <= left:
                    ways = math.prod(math.comb(left[card], copies) for card, copies in need.items())
                    longer[cards + more] = weight * share * ways, left - need
        partial = longer
    total = sum(weight for weight, _ in partial.values())
    return {cards: weight / total for cards, (weight, _) in partial.items()}


def p_value(samples: np.ndarray, scene: Scene) -> float:
    """Return the chance of samples as far from the exact chances or further (chi-square, rare cases put together)."""
    exact = chances(scene)
    seen = Counter(
        map(tuple, samples[:, [owner for owner, _ in scene.hidden], [at for _, at in scene.hidden]].tolist())
    )
    assert seen.keys() <= exact.keys()
    rows = [(seen[cards], chance * len(samples)) for cards, chance in sorted(exact.items(), key=lambda item: item[1])]
    bins, rest = [], [0, 0.0]
    for count, expected in rows:
        rest = [rest[0] + count, rest[1] + expected]
        if rest[1] >= 10:
            bins.append(rest)
            rest = [0, 0.0]
    bins[-1] = [bins[-1][0] + rest[0], bins[-1][1] + rest[1]]
    if len(bins) == 1:
        return 1.0
    return float(stats.chisquare(*zip(*bins, strict=True), sum_check=False).pvalue)


@pytest.mark.slow
@pytest.mark.parametrize("proposes", [False, True], ids=["cases", "proposals"])
@pytest.mark.parametrize("name", SMALL)
def test_samples_are_as_likely_as_the_deals(name: str, proposes: bool) -> None:
    source = random.Random(name)
    for number, scene in enumerate(scenes(SMALL[name], 3, source)):
        first = number * DRAWS
        samples = scene.draw(range(first, first + DRAWS), proposes)
        assert proposes or scene.hands["cases"][0] > 0, "these are small enough to be exact"
        assert p_value(samples, scene) >= SMALLEST_P, f"after {len(scene.plays)} plays"
        assert not proposes or scene.hands["best"][0] <= scene.hands["bound"][0]


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4])
def test_late_samples_of_the_classic_game_are_as_likely_as_the_deals(players: int) -> None:
    late = list(scenes({"players": players}, 44, random.Random(players)))[28:38:2]
    for scene in late:
        assert p_value(scene.draw(range(DRAWS)), scene) >= SMALLEST_P, f"after {len(scene.plays)} plays"


def faults(samples: np.ndarray, scene: Scene) -> int:
    """Count the samples that contradict the rules, the deck or what the seat knows."""
    count, players, size = samples.shape
    colours = samples // RANKS
    same = colours[:, :, 1:] == colours[:, :, :-1]
    rising = (same & (samples[:, :, 1:] > samples[:, :, :-1])).any(axis=(1, 2))
    ordered = np.sort(colours, axis=2)
    kinds = 1 + (ordered[:, :, 1:] != ordered[:, :, :-1]).sum(axis=2)
    split = (1 + (~same).sum(axis=2) != kinds).any(axis=1)
    known = scene.view["known"][:players, :size]
    changed = ((known != UNKNOWN) & (samples != known)).any(axis=(1, 2))
    cells = np.arange(count)[:, None] * rules.CODES + samples.reshape(count, -1)
    copies = np.bincount(cells.ravel(), minlength=count * rules.CODES).reshape(count, -1)
    return int((rising | split | changed | (copies > scene.rules["copies"][0]).any(axis=1)).sum())


def test_contradictions_are_noticed() -> None:
    scene = next(scenes({}, 1, random.Random(2)))
    samples = scene.draw(range(9))
    assert faults(samples, scene) == 0
    samples[1, 0] = samples[1, 0, ::-1].copy()  # rising ranks, or a known card elsewhere
    samples[3, scene.seat, 1:6] = samples[3, scene.seat, 0]  # too many copies
    known = np.argwhere(scene.view["known"][:4, :11] != UNKNOWN)
    samples[(5, *known[0])] ^= 1
    samples[(7, *known[-1])] ^= RANKS
    assert faults(samples, scene) == 4


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_no_sample_contradicts_anything(name: str) -> None:
    moments = 20
    each = -(-SAMPLES // (len(LARGE) * moments))
    for scene in scenes(LARGE[name], moments, random.Random(name), ("chaser", "greedy")):
        for first in range(0, each, 1000):
            assert faults(scene.draw(range(first, min(first + 1000, each))), scene) == 0


@pytest.mark.parametrize("players", [3, 4])
def test_the_classic_game_is_always_exact(players: int) -> None:
    for scene in scenes({"players": players}, 60, random.Random(players)):
        scene.draw([])
        assert 0 < scene.hands["cases"][0] <= determinization.CASES


@pytest.mark.parametrize("name", ["classic", "three", "open", "half"])
def test_a_sample_depends_on_stream_and_number_alone(name: str) -> None:
    for scene in scenes(LARGE[name], 8, random.Random(name)):
        samples = scene.draw(range(40))
        assert (scene.draw(range(39, -1, -1)) == samples[::-1]).all()
        scene.hands, scene.secret = np.zeros(1, HANDS), np.zeros(1, rules.SECRET)
        assert (scene.draw([17]) == samples[17]).all()


def records(dtype: np.dtype) -> np.dtype:
    """Return the same type with records that plain Python reads by attribute, within others too."""
    if dtype.subdtype:
        return np.dtype((records(dtype.subdtype[0]), dtype.shape))
    if not dtype.names:
        return dtype
    formats = [records(dtype[name]) for name in dtype.names]
    offsets = [dtype.fields[name][1] for name in dtype.names]
    return np.dtype(
        (np.record, {"names": dtype.names, "formats": formats, "offsets": offsets, "itemsize": dtype.itemsize})
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["classic", "three", "open"])
def test_plain_python_imagines_the_same(name: str) -> None:
    for scene in scenes(LARGE[name], 4, random.Random(name)):
        compiled = scene.draw([0, 5])[1]
        for array in (scene.hands, scene.secret, scene.imagined):
            for field in set(array.dtype.names) - {"views"}:
                array[field] = 0
        table, made, hands, secret, seats = (
            array.view(records(array.dtype))[0]
            for array in (scene.table, scene.imagined, scene.hands, scene.secret, scene.seats)
        )
        plain_rules, view = scene.rules.view(records(scene.rules.dtype))[0], seats.views[scene.seat]
        with np.errstate(all="ignore"):
            assert prepare(plain_rules, table, view, hands) == 1
            imagine(plain_rules, table, view, hands, secret, made, game_stream(U64(SEED), U64(1)), U64(5))
        assert (secret.layouts[: scene.moment.players, : scene.moment.tricks] == compiled).all()


@pytest.mark.parametrize("name", ["classic", "three", "blind", "open", "eight colours"])
def test_imagined_seats_see_what_they_would_see(name: str) -> None:
    for scene in scenes(LARGE[name], 12, random.Random(name), ("greedy", "random", "chaser")):
        layouts = scene.draw([3])[0].tolist()
        guesses = np.full((rules.SEATS, 2), NO_GUESS)
        guesses[scene.seat] = scene.view["guesses"]
        assert (scene.secret["guesses"][0, : scene.moment.players] == guesses[: scene.moment.players]).all()
        seats = scene.seen(layouts, guesses)
        for seat in range(scene.moment.players):
            real, made = seats["views"][0, seat], scene.imagined["views"][0, seat]
            for field in rules.VIEW.names:
                if real["looks"] and field != "order":
                    assert (made[field] == real[field]).all(), field
        own, made = scene.view, scene.imagined["views"][0, scene.seat]
        assert all((made[field] == own[field]).all() for field in rules.VIEW.names if field != "order")


@pytest.mark.parametrize("name", ["classic", "three", "half"])
def test_samples_come_from_nothing_hidden(name: str) -> None:
    source = random.Random(name)
    for scene in scenes(LARGE[name], 8, source):
        samples = scene.draw(range(20))
        *layouts, _ = shuffled_layouts(scene.moment, source)
        scene.seats = scene.seen(layouts, scene.moment.round.secret["guesses"][0, ::-1])
        scene.seats["views"]["guesses"][0, scene.seat] = scene.view["guesses"]
        scene.secret["layouts"], scene.secret["marks"] = 7, 7
        assert (scene.draw(range(20)) == samples).all()


@pytest.mark.parametrize("players", [3, 4])
def test_before_the_play_all_other_cards_are_dealt_anew(players: int) -> None:
    settings = {"players": players, "deck.colours": 2, "deck.ranks": 4, "hand.size": 3}
    scene = next(scenes(settings, 1, random.Random(players)))
    size, cards = scene.moment.tricks, scene.rules["cards"][0, : int(scene.rules["deck_size"][0])]
    decks = np.zeros((20_000, len(cards)), np.int64)
    deal_many(scene.rules, scene.seats, scene.seat, scene.secret, U64(SEED), decks)
    own = slice(scene.seat * size, (scene.seat + 1) * size)
    assert (np.sort(decks, axis=1) == np.arange(len(cards))).all()
    assert (cards[decks[:, own]] == scene.view["dealt"][:size]).all()
    others = np.delete(decks, range(own.start, own.stop), axis=1)[:, : (players - 1) * size]
    for column in others.T:
        counts = np.delete(np.bincount(column, minlength=len(cards)), decks[0, own])
        assert stats.chisquare(counts).pvalue >= SMALLEST_P / players


def test_more_than_eight_colours_are_not_imagined() -> None:
    for colours, answer in ((8, 1), (9, 0)):
        variant = make_variant(GAME, settings={"deck.colours": colours, "hand.size": 5})
        assert can_imagine(rules.rules_array(variant.parameters).view(np.recarray)[0]) == answer
