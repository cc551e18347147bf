"""Gara-tori's determinization: as likely as by plain enumeration, consistent with real games, and seldom stopped short.

`SAMPLES` in the environment sets how many samples are checked for consistency (20,000).
"""

import math
import os
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, count, cycle, islice
from typing import Any

import numpy as np
import pytest
from honesty.games.gara_tori import VARIANTS
from honesty.harness import Board, Moment
from numba import njit
from scipy.stats import chisquare

from simlib import play as kernel
from simlib.cards import COLOUR_SHIFT, RANK_MASK, SPECIAL
from simlib.games import game_named
from simlib.games.gara_tori import rules
from simlib.games.gara_tori.determinization import (
    ATTEMPT_WORDS,
    ATTEMPTS,
    HANDS,
    SAMPLE_WORDS,
    fraction,
    imagine,
    prepare,
    propose,
)
from simlib.games.gara_tori.rules import play
from simlib.streams import U64, game_stream, word_at

pytestmark = pytest.mark.kernel
SAMPLES = int(os.environ.get("SAMPLES", "20000"))
DRAWS = 100_000
SMALLEST_P = 1e-4
SEED = 7
GAME = game_named("gara_tori")
NO_G2, NO_G3 = {"lead.void_match_turns": False}, {"follow.special_counts": False}
kernel.adopt(rules, GAME.module("players"))


@njit(cache=True)
def draw_many(rules_, table_, seats_, seat, hands_, secret_, imagined_, first, drawn):
    """Fill `drawn`, (samples, seats, words), with the hands of samples number `first` and on."""
    view, stream = seats_[0].views[seat], game_stream(U64(SEED), U64(1))
    prepare(rules_[0], table_[0], view, hands_[0])
    for number in range(len(drawn)):
        imagine(rules_[0], table_[0], view, hands_[0], secret_[0], imagined_[0], stream, first + U64(number))
        for owner in range(rules_[0].players):
            for word in range(rules_[0].words):
                drawn[number, owner, word] = imagined_[0].views[owner].hand[word]


class Scene:
    """A decision in a real game, and what its seat and all that watch know of it, in plain Python."""

    def __init__(self, moment: Moment) -> None:
        board = moment.board
        seen = board.play_again(moment, moment.deck, moment.answers)
        self.moment, self.rules, self.seat = moment, board.seating.rules, moment.seat
        self.table, self.seats = seen.table, board.seating.seats.copy()
        self.seats["views"]["hand"][0, self.seat] = seen.view["hand"]
        self.plays = [(seat, answer[0]) for seat, answer in moment.decided(play)]
        self.cards = moment.rules["cards"][: moment.rules["deck_size"]].tolist()
        played = {place for _, place in self.plays}
        tricks = moment.tricks
        self.real = [
            sorted(set(moment.deck[s * tricks : (s + 1) * tricks].tolist()) - played) for s in range(moment.players)
        ]
        self.unseen = sorted(set(range(len(self.cards))) - played - set(self.real[self.seat]))
        self.facts = list(facts(moment, self.plays, self.cards))

    def draw(self, number: int, first: int = 0) -> np.ndarray:
        """Return hands of samples, (samples, seats, words) uint64."""
        drawn = np.zeros((number, self.moment.players, int(self.moment.rules["words"])), np.uint64)
        scratch = np.zeros(1, HANDS), np.zeros(1, rules.SECRET), np.zeros(1, rules.SEATED)
        draw_many(self.rules, self.table, self.seats, self.seat, *scratch, U64(first), drawn)
        return drawn


def facts(moment: Moment, plays: list[tuple[int, int]], cards: list[int]) -> Iterator[tuple[int, int, int, bool]]:
    """Yield (seat, lead colour, number of the play, whether nothing obliged it to follow) of plays that tell."""
    leads, tells_by_turn = moment.round.after["leads"][0], not moment.rules["void_match_turns"]
    for number, (seat, place) in enumerate(plays):
        trick, turn = divmod(number, moment.players)
        before = [cards[other] for _, other in plays[trick * moment.players : number]]
        lead, card = int(leads[trick, turn - 1]), cards[place]
        if turn == 0 or card >> COLOUR_SHIFT == lead:
            continue
        ranks = {other & RANK_MASK for other in before} - {SPECIAL}
        locks = [
            other & RANK_MASK == SPECIAL and other >> COLOUR_SHIFT == leads[trick, i] for i, other in enumerate(before)
        ]
        if card & RANK_MASK not in ranks:
            yield seat, lead, number, True
        elif tells_by_turn and not any(locks):
            yield seat, lead, number, bool(leads[trick, turn] == lead)


@dataclass
class Duty:
    """What a seat's hand must hold something of, or nothing of."""

    seat: int
    places: frozenset[int]
    void: bool

    def agrees(self, hand: frozenset[int]) -> bool:
        """Tell whether a hand may be the seat's."""
        return self.void == self.places.isdisjoint(hand)


def duties(scene: Scene, special_counts: bool) -> Iterator[Duty]:
    """Yield what is known of the hands now: what a seat was obliged by may have been played since."""
    for seat, lead, number, void in scene.facts:
        places = frozenset(
            place
            for place, card in enumerate(scene.cards)
            if card >> COLOUR_SHIFT == lead and (special_counts or card & RANK_MASK != SPECIAL)
        )
        played_since = {place for owner, place in scene.plays[number:] if owner == seat}
        if seat != scene.seat and (void or places.isdisjoint(played_since)):
            yield Duty(seat, places, void)


def scenes(settings: dict[str, Any], source: random.Random, names=("random", "greedy")) -> Iterator[Scene]:
    """Yield decisions in real games, any number."""
    board = Board(GAME, settings, list(islice(cycle(names), settings.get("players", 4))))
    for game in count():
        played = board.record(game)[0]
        yield Scene(Moment(board, played, source.randrange(len(played.owners))))


def deals(scene: Scene, known: list[Duty]) -> Iterator[tuple[frozenset[int], ...]]:
    """Yield all hands of the other seats, in order, that agree with what is known."""
    others = [seat for seat in range(scene.moment.players) if seat != scene.seat]

    def fill(left: frozenset[int], seats: list[int]) -> Iterator[tuple[frozenset[int], ...]]:
        if not seats:
            yield ()
            return
        for cards in map(frozenset, combinations(sorted(left), len(scene.real[seats[0]]))):
            if all(duty.agrees(cards) for duty in known if duty.seat == seats[0]):
                for rest in fill(left - cards, seats[1:]):
                    yield cards, *rest

    return fill(frozenset(scene.unseen), others)


def ways(scene: Scene) -> float:
    """Return how many deals there are, whatever is known."""
    left, total = len(scene.unseen), 1
    for seat, hand in enumerate(scene.real):
        if seat != scene.seat:
            total *= math.comb(left, len(hand))
            left -= len(hand)
    return total


SMALL = {
    "three colours": {"deck.colours": 3, "deck.ranks": 4, "hand.size": 3},
    "two of each": {"deck.colours": 3, "deck.ranks": 2, "deck.copies": 2, "hand.size": 3},
    "no duty from specials": {"deck.colours": 3, "deck.ranks": 3, "deck.specials": 2, "hand.size": 3} | NO_G3,
    "turns tell": {"deck.colours": 3, "deck.ranks": 4, "hand.size": 3} | NO_G2,
    "both": {"deck.colours": 3, "deck.ranks": 3, "deck.specials": 2, "hand.size": 3} | NO_G2 | NO_G3,
    "five seats": {"players": 5, "deck.colours": 3, "deck.ranks": 4, "hand.size": 3},
    "six seats": {"players": 6, "deck.colours": 3, "deck.ranks": 5, "hand.size": 3},
}


def wanted_scenes(name: str) -> Iterator[tuple[Scene, list[Duty]]]:
    """Yield decisions of which 0, 1 and more seats something is known, and one of each kind of what is known."""
    source, seen = random.Random(name), set()
    for scene in islice(scenes(SMALL[name], source), 600):
        known = list(duties(scene, SMALL[name].get("follow.special_counts", True)))
        telling = [duty for duty in known if not duty.places.isdisjoint(scene.unseen)]
        kind = min(len({duty.seat for duty in telling}), 2), any(not duty.void for duty in telling)
        if 100 < ways(scene) <= 60_000 and kind not in seen:
            seen.add(kind)
            yield scene, known
    assert {seats for seats, _ in seen} == {0, 1, 2}
    assert any(held for _, held in seen) == (not SMALL[name].get("lead.void_match_turns", True))


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_every_deal_that_agrees_is_as_likely(name: str) -> None:
    for scene, known in wanted_scenes(name):
        exact = {tuple(sum(1 << place for place in hand) for hand in deal) for deal in deals(scene, known)}
        rows = np.delete(scene.draw(max(DRAWS, 10 * len(exact)))[:, :, 0], scene.seat, axis=1)
        kinds, counts = np.unique(rows, axis=0, return_counts=True)
        assert {tuple(kind) for kind in kinds.tolist()} <= exact
        padded = [*counts, *[0] * (len(exact) - len(counts))]
        assert len(exact) == 1 or chisquare(padded).pvalue >= SMALLEST_P, (len(scene.plays), known)


def words(places: Iterable[int], scene: Scene) -> np.ndarray:
    """Return a set of cards as kernels keep it, (words,) uint64."""
    whole = sum(1 << place for place in set(places))
    return np.array([whole >> 64 * n & (1 << 64) - 1 for n in range(int(scene.moment.rules["words"]))], np.uint64)


def faults(scene: Scene, known: list[Duty], drawn: np.ndarray) -> int:
    """Count the samples that contradict the rules or what the seat knows."""
    sizes = np.bitwise_count(drawn).sum(axis=2)
    bad = (sizes != [len(hand) for hand in scene.real]).any(axis=1)
    bad |= (drawn[:, scene.seat] != words(scene.real[scene.seat], scene)).any(axis=1)
    union = np.bitwise_or.reduce(drawn, axis=1)
    bad |= np.bitwise_count(union).sum(axis=1) != sizes.sum(axis=1)
    bad |= (union & ~words([*scene.unseen, *scene.real[scene.seat]], scene)).any(axis=1)
    for duty in known:
        bad |= (drawn[:, duty.seat] & words(duty.places, scene)).any(axis=1) == duty.void
    return int(bad.sum())


ODD = {
    "turns tell, specials don't oblige": NO_G2 | NO_G3 | {"players": 5, "hand.size": 12},
    "two colours": {"players": 6, "deck.colours": 2, "deck.ranks": 32, "hand.size": 11},
    "one rank": {"deck.ranks": 1, "deck.copies": 8, "deck.specials": 3, "hand.size": 11},
    "no specials": {"deck.specials": 0, "hand.size": 15},
    "all dealt": {"hand.size": 16},
    "256 cards": {"deck.colours": 16, "deck.ranks": 15, "hand.size": 64} | NO_G2,
    "one card": {"players": 5, "hand.size": 1},
}
LARGE = VARIANTS | ODD


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_no_sample_contradicts_anything(name: str) -> None:
    moments = 20
    each = -(-SAMPLES // (len(LARGE) * moments))
    for scene in islice(scenes(LARGE[name], random.Random(name)), moments):
        known = list(duties(scene, LARGE[name].get("follow.special_counts", True)))
        for first in range(0, each, 10_000):
            assert faults(scene, known, scene.draw(min(10_000, each - first), first)) == 0


def test_contradictions_are_noticed() -> None:
    scene = next(scene for scene in scenes({}, random.Random(3)) if len(scene.plays) == 20)
    drawn = scene.draw(9)
    assert faults(scene, [], drawn) == 0
    other = (scene.seat + 1) % 4
    drawn[1, other] = drawn[1, scene.seat]  # a card in two hands
    drawn[3, other] &= drawn[3, other] - np.uint64(1)  # a card too few
    drawn[5, [other, scene.seat]] = drawn[5, [scene.seat, other]]
    assert faults(scene, [], drawn) == 3
    held = frozenset(place for place in scene.unseen if int(drawn[0, other, 0]) >> place & 1)
    assert faults(scene, [Duty(other, held, void=True)], drawn[:1]) == 1
    assert faults(scene, [Duty(other, held, void=False)], drawn[:1]) == 0


def test_a_sample_depends_on_its_number_alone() -> None:
    for scene in islice(scenes({}, random.Random(5)), 10):
        drawn = scene.draw(40)
        assert (scene.draw(40) == drawn).all()
        assert (scene.draw(1, 29)[0] == drawn[29]).all()


@njit(cache=True)
def count_stopped(rules_, table_, seats_, seat, hands_, samples):
    """Return how many samples find no deal that is accepted within ATTEMPTS."""
    prepare(rules_[0], table_[0], seats_[0].views[seat], hands_[0])
    stream, stopped = game_stream(U64(SEED), U64(1)), 0
    for number in range(samples):
        accepted, first = False, number * SAMPLE_WORDS
        for attempt in range(first, first + ATTEMPTS * ATTEMPT_WORDS, ATTEMPT_WORDS):
            chance = propose(rules_[0], hands_[0], word_at(stream, U64(attempt)))
            accepted |= fraction(word_at(stream, U64(attempt + 1))) < chance
        stopped += not accepted
    return stopped


@pytest.mark.slow
@pytest.mark.parametrize("players", [4, 5, 6])
def test_the_classic_game_is_as_good_as_exact(players: int) -> None:
    samples, moments, stopped = 100, 200, 0
    for scene in islice(scenes({"players": players}, random.Random(players)), moments):
        stopped += count_stopped(scene.rules, scene.table, scene.seats, scene.seat, np.zeros(1, HANDS), samples)
    assert stopped <= samples * moments // 100
