"""Gara-tori's beliefs: plays that fit a hand are told as a plain twin does, and deals are as likely as they say."""

import math
import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest
from games.gara_tori.test_determinization import LARGE, SMALL, Scene, deals, duties, faults, scenes
from honesty.harness import Moment
from numba import njit
from scipy.stats import chisquare

from simlib import play as kernel
from simlib.cards import COLOUR_SHIFT, RANK_MASK, SPECIAL
from simlib.games import game_named
from simlib.games.gara_tori import rules
from simlib.games.gara_tori.beliefs import STRAY, believe, imagine
from simlib.games.gara_tori.determinization import imagine as imagine_by_rules
from simlib.games.gara_tori.determinization import prepare
from simlib.games.gara_tori.heuristics import greedy_play
from simlib.hooks import SEARCHING, seated
from simlib.players.search import furnish
from simlib.state import copy_record
from simlib.streams import U64, game_stream

pytestmark = [pytest.mark.kernel, pytest.mark.slow]
PLAYERS = game_named("gara_tori").module("players")
SMALLEST_P = 1e-4
kernel.adopt(rules, PLAYERS)


@njit(cache=True)
def walk_on(rules_, table_, seats_, seat, every, drawn, strays):
    """Fill `drawn`, (samples, seats, words), with hands that lie `every` deals apart, and `strays` with the last's."""
    view, stream = seats_[0].views[seat], game_stream(U64(7), U64(1))
    mind = view.mind
    copy_record(mind.tables[0], table_[0])
    prepare(rules_[0], table_[0], view, mind.hands)
    imagine_by_rules(rules_[0], table_[0], view, mind.hands, mind.secrets[0], mind.seats[0], stream, U64(0))
    believe(rules_[0], table_[0], view, stream)
    for number in range(len(drawn)):
        for _ in range(every):
            imagine(rules_[0], table_[0], view, mind.hands, mind.secrets[0], mind.seats[0], stream, U64(number))
        for owner in range(rules_[0].players):
            for word in range(rules_[0].words):
                drawn[number, owner, word] = mind.seats[0].views[owner].hand[word]
    for owner in range(rules_[0].players):
        strays[owner] = mind.hands.strays[owner]


def drawn_by(scene: Scene, samples: int, every: int) -> tuple[np.ndarray, np.ndarray]:
    """Return hands, (samples, seats, words), and each seat's strays with the last of them."""
    seats = np.zeros(1, kernel.seated_dtype(rules, PLAYERS, SEARCHING))
    view = seats["views"][0, scene.seat]
    for field in scene.seats["views"].dtype.names:
        view[field] = scene.seats["views"][0, scene.seat][field]
    model = seated("greedy", PLAYERS.PLAYERS, "test")
    furnish(view["mind"], [model] * scene.moment.players, kernel.player_numbers(PLAYERS))
    drawn = np.zeros((samples, scene.moment.players, int(scene.moment.rules["words"])), np.uint64)
    strays = np.zeros(scene.moment.players, np.int64)
    walk_on(scene.rules, scene.table, seats, scene.seat, every, drawn, strays)
    return drawn, strays


class Twin:
    """Counts strays slowly: each moment comes from the game itself, played again, and greedy runs in plain Python."""

    def __init__(self, scene: Scene) -> None:
        moment = scene.moment
        past = (Moment(moment.board, moment.round, number) for number in range(len(scene.plays)))
        self.scene = scene
        self.tables = [moment.board.play_again(then, moment.deck, moment.answers).table for then in past]

    def strays(self, seat: int, hand: frozenset[int]) -> int:
        """Count the plays of a seat that greedy wouldn't have made with a hand."""
        strays, held = 0, hand
        for number, (owner, place) in reversed(list(enumerate(self.scene.plays))):
            if owner == seat:
                held |= {place}
                strays += self.is_stray(number, held)
        return strays

    def is_stray(self, number: int, hand: frozenset[int]) -> bool:
        """Tell whether greedy would have played another card than number `number` from the hand that it was then."""
        seat, place = self.scene.plays[number]
        known, table = (array.view(np.recarray)[0] for array in (self.scene.rules, self.tables[number]))
        view = np.zeros(1, rules.VIEW).view(np.recarray)[0]
        view.seat, view.place = seat, number % self.scene.moment.players
        for card in hand:
            view.hand[card // 64] |= np.uint64(1 << card % 64)
        trick = self.trick(known, table, int(view.place))
        rules.find_legal(known, view, trick)
        return self.scene.cards[int(greedy_play(known, table, view, trick, U64(0)))] != self.scene.cards[place]

    def trick(self, known: Any, table: Any, place: int) -> tuple:
        """Return a trick before its card number `place`, as `open_trick` and `lay_card` tell it."""
        cards, leads = (field[table.trick][:place].tolist() for field in (table.cards, table.leads))
        ranks = {card & RANK_MASK for card in cards} - {SPECIAL}
        locks = [
            at for at, card in enumerate(cards) if card & RANK_MASK == SPECIAL and card >> COLOUR_SHIFT == leads[at]
        ]
        matching = np.bitwise_or.reduce(known.of_pattern[sorted(ranks), 0])
        patterns = U64(sum(1 << rank for rank in ranks))
        return leads[-1] if leads else rules.NOTHING_LEADS, patterns, matching, locks[0] if locks else -1, 0


def places(row: np.ndarray) -> frozenset[int]:
    """Return a set of cards that kernels keep in words."""
    return frozenset(64 * n + bit for n, word in enumerate(row.tolist()) for bit in range(64) if word >> bit & 1)


VARIANTS = {"classic": {}, "turns tell": SMALL["turns tell"], "two of each": SMALL["two of each"]}
VARIANTS |= {name: LARGE[name] for name in ("six", "wide", "no specials")}


@pytest.mark.parametrize("name", VARIANTS)
def test_strays_are_counted_as_by_the_twin(name: str) -> None:
    for scene in islice(scenes(VARIANTS[name], random.Random(name)), 12):
        drawn, strays = drawn_by(scene, 1, 1)
        twin = Twin(scene)
        for seat in set(range(scene.moment.players)) - {scene.seat}:
            assert strays[seat] == twin.strays(seat, places(drawn[0, seat]))


@pytest.mark.parametrize("name", LARGE)
def test_no_deal_contradicts_anything(name: str) -> None:
    for scene in islice(scenes(LARGE[name], random.Random(name)), 10):
        known = list(duties(scene, LARGE[name].get("follow.special_counts", True)))
        assert faults(scene, known, drawn_by(scene, 100, 1)[0]) == 0


def words(deal: tuple[frozenset[int], ...]) -> tuple[int, ...]:
    """Return hands as kernels keep them in a deck of at most 64 cards."""
    return tuple(sum(1 << card for card in hand) for hand in deal)


def weigh(scene: Scene, others: list[int], exact: list[tuple[frozenset[int], ...]]) -> list[float]:
    """Return what the chance of each deal is in proportion to."""
    twin = Twin(scene)
    hands = {pair for deal in exact for pair in zip(others, deal, strict=True)}
    weights = {pair: STRAY ** twin.strays(*pair) for pair in hands}
    return [math.prod(weights[pair] for pair in zip(others, deal, strict=True)) for deal in exact]


def told_scenes(name: str, wanted: int) -> Iterator[tuple[Scene, dict[tuple[int, ...], float]]]:
    """Yield decisions with the chance of each deal, where plays tell of hands and there are few deals."""
    for scene in scenes(SMALL[name], random.Random(name), ["greedy"]):
        exact = list(islice(deals(scene, list(duties(scene, True))), 3001)) if len(scene.plays) > 4 else []
        others = [seat for seat in range(scene.moment.players) if seat != scene.seat]
        if 20 < len(exact) <= 3000 and any(scene.real[seat] for seat in others):
            yield scene, {words(deal): weight for deal, weight in zip(exact, weigh(scene, others, exact), strict=True)}
            wanted -= 1
        if not wanted:
            return


@pytest.mark.parametrize("name", ["three colours", "two of each", "turns tell"])
def test_deals_are_as_likely_as_their_strays_say(name: str) -> None:
    for scene, weights in told_scenes(name, 4):
        samples = 20_000
        rows = np.delete(drawn_by(scene, samples, 40)[0][:, :, 0], scene.seat, axis=1)
        found = dict.fromkeys(weights, 0)
        for row in map(tuple, rows.tolist()):
            found[row] += 1
        expected = samples * np.array(list(weights.values())) / sum(weights.values())
        likely, counts = expected >= 5, np.array(list(found.values()))
        pooled = [[*each[likely], each[~likely].sum()] for each in (counts, expected)]
        keep = slice(None) if pooled[1][-1] >= 5 else slice(-1)
        observed, wanted = (np.array(each[keep], float) for each in pooled)
        assert len(observed) == 1 or chisquare(observed, wanted * observed.sum() / wanted.sum()).pvalue >= SMALLEST_P
