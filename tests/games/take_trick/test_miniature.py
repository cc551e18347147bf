"""A Take-Trick so small that every deal, pass, play, gift and answer can be counted, against those who play it.

Three seats with two cards each and nine cards in all, one colour in front of each seat, one round, and a target that a
second gift reaches. What is counted here is written from the rules for this variant alone: both cards of a hand are
passed, a seat's colour is that of its first bamboo, and all extra first cards are shining ones. Chances of deals are
fractions; after the deal all chances are products of halves, which floating-point numbers hold exactly.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import comb, factorial, prod, sqrt
from statistics import fmean, pstdev
from typing import NamedTuple

import pytest
from reference import take_trick as twin

from simlib.batch import Arm, columns_of, play_arm
from simlib.games import game_named, make_variant
from simlib.hooks import seated

GAME = game_named("take_trick")
SETTINGS = {
    "players": 3,
    "deck.ranks": 3,
    "deck.copies": {"G": [3, 0, 1], "P": [0, 4, 0], "S": [1, 0, 0]},
    "hand.size": 2,
    "trump.ranks": [1, 2],
    "colours.max": 1,
    "score.target": 2,
    "rounds.max": 1,
}
DECK = Counter({"G1": 3, "G3": 1, "P2": 4, "S1": 1})
TARGET = 2


class State(NamedTuple):
    """A round up to now; of what lies in front of a seat the colour never changes."""

    trump: int
    colours: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...]
    counts: tuple[int, ...]
    scores: tuple[int, ...] = (0, 0, 0)
    pile: tuple[str, ...] = ()
    leader: int = 0
    accepted: int = 0
    forced: int = 0
    refused: int = 0
    extras: int = 0
    ended: bool = False


def deals() -> Iterator[tuple[Fraction, list[tuple[str, str]], list[str]]]:
    """Yield each deal with its chance: three hands and three first cards."""
    ways = comb(9, 2) * comb(7, 2) * comb(5, 2) * 6
    pairs = list(combinations_with_replacement(sorted(DECK), 2))

    def split(left: Counter, hands: list) -> Iterator:
        if len(hands) < 3:
            for pair in pairs:
                wanted = Counter(pair)
                picks = prod(comb(left[card], count) for card, count in wanted.items())
                if picks:
                    for more, deal, rest in split(left - wanted, [*hands, pair]):
                        yield picks * more, deal, rest
        else:
            yield 1, hands, left

    for picks, hands, left in split(DECK, []):
        for first in sorted(set(permutations(left.elements()))):
            same = prod(factorial(count) for count in left.values())
            yield Fraction(picks * same, ways), hands, list(first)


def passed(hands: list[tuple[str, str]]) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Yield the hands after each of the eight ways to pass; (left, right) is what a seat gives."""
    for gives in product(*[(hand, hand[::-1]) for hand in hands]):
        yield tuple(tuple(sorted((gives[(seat + 1) % 3][1], gives[(seat - 1) % 3][0]))) for seat in range(3))


def starts() -> Counter:
    """Return the chance of each state before the first trick."""
    chances: Counter = Counter()
    for chance, hands, first in deals():
        for after in passed(hands):
            for trump in (1, 2):
                counts = tuple(2 if card[1] == str(trump) else 1 for card in first)
                chances[State(trump, tuple(card[0] for card in first), after, counts)] += chance / 16
    return chances


def ends(state: State, chance: float) -> Iterator[tuple[float, State]]:
    """Yield every way in which a round can go on, with its chance."""
    if state.ended or not state.hands[0]:
        yield chance, state
        return
    for cards, hands, share in plays(state.hands):
        for more, after in settled(state._replace(hands=hands), cards):
            yield from ends(after, chance * more * share)


def plays(hands: tuple[tuple[str, ...], ...]) -> Iterator[tuple[list[str], tuple[tuple[str, ...], ...], float]]:
    """Yield the cards that the seats can play, what they have left, and the chance of it."""
    if len(hands[0]) == 1:
        yield [card for (card,) in hands], ((), (), ()), 1.0
        return
    ways = Counter(product(*[((a, (b,)), (b, (a,))) for a, b in hands]))
    for choice, count in ways.items():
        yield [card for card, _ in choice], tuple(left for _, left in choice), count / 8


def settled(state: State, cards: list[str]) -> Iterator[tuple[float, State]]:
    """Yield every way in which a trick can be settled; `cards` are by seat."""
    order = [(state.leader + place) % 3 for place in range(3)]
    lead = cards[state.leader][0]
    trumps = [seat for seat in order if cards[seat][1] == str(state.trump)]
    winner = trumps[0] if trumps else max(order, key=lambda seat: (cards[seat][0] == lead, cards[seat][1]))
    todo = [winner] + [seat for seat in order if cards[seat] == lead + "1" and seat != winner]
    loose = [cards[seat] for seat in order if seat not in todo]
    extra = ""
    if trumps and state.pile:
        extra, state = state.pile[-1], state._replace(pile=state.pile[:-1])
    elif trumps and loose:
        extra = loose.pop(0)
    state = state._replace(leader=winner, extras=state.extras + bool(extra))
    moved = [([cards[winner], extra] if extra else [cards[winner]])] + [[cards[seat]] for seat in todo[1:]]
    for chance, after in captured(state, list(zip(todo, moved, strict=True))):
        yield chance, after._replace(pile=after.pile + tuple(loose))


def captured(state: State, todo: list[tuple[int, list[str]]]) -> Iterator[tuple[float, State]]:
    """Yield every way in which the captures that are still to be settled can end."""
    if state.ended or not todo:
        yield 1.0, state
        return
    (seat, cards), *rest = todo
    if state.colours[seat] == cards[0][0]:
        yield from captured(_more(state, seat, cards), rest)
        return
    for to in ((seat + 1) % 3, (seat - 1) % 3):
        for half, after in answered(state, seat, to, cards):
            for chance, end in captured(after, rest):
                yield half * chance / 2, end


def answered(state: State, seat: int, to: int, cards: list[str]) -> Iterator[tuple[float, State]]:
    """Yield what can become of a gift; a refusal costs the winner of the trick, who leads the next."""
    scores = list(state.scores)
    scores[state.leader] = max(0, scores[state.leader] - 1)
    no = state._replace(scores=tuple(scores), pile=state.pile + tuple(cards))
    if state.colours[to] != cards[0][0]:
        yield 1.0, no._replace(forced=no.forced + 1)
        return
    yield 0.5, no._replace(refused=no.refused + 1)
    scores = tuple(score + (one in (seat, to)) for one, score in enumerate(state.scores))
    yes = _more(state, to, cards)
    yield 0.5, yes._replace(scores=scores, accepted=yes.accepted + 1, ended=max(scores) >= TARGET)


def _more(state: State, seat: int, cards: list[str]) -> State:
    return state._replace(counts=tuple(count + len(cards) * (one == seat) for one, count in enumerate(state.counts)))


def result(end: State) -> dict[str, int]:
    """Return the measures of a game that has ended."""
    scores = list(end.scores)
    for seat in range(0 if end.ended else 3):
        same = [end.counts[one] for one in range(3) if end.colours[one] == end.colours[seat]]
        own = end.counts[seat]
        alone = own == max(same) and same.count(own) == 1
        scores[seat] += 0 if alone else own * same.count(own)
    best = min([score for score in scores if score >= TARGET], default=max(scores))
    measures = {f"score_{seat}": scores[seat] for seat in range(3)}
    measures |= {f"win_{seat}": int(scores[seat] == best) for seat in range(3)}
    measures |= {"gifts_accepted": end.accepted, "gifts_forced": end.forced, "gifts_refused": end.refused}
    return measures | {"extras_taken": end.extras, "ended_by_gift": int(end.ended)}


@pytest.fixture(scope="module")
def exact() -> dict[str, Fraction]:
    """The exact mean of each measure."""
    means: Counter = Counter()
    total = Fraction(0)
    for start, chance in starts().items():
        here: Counter = Counter()
        for more, end in ends(start, 1.0):
            here["total"] += more
            for name, value in result(end).items():
                here[name] += more * value
        total += chance * Fraction(here.pop("total"))
        for name, mean in here.items():
            means[name] += chance * Fraction(mean)
    assert total == 1
    return dict(means)


def assert_agree(exact: dict[str, Fraction], rows: dict[str, list[int]]) -> None:
    """Assert that the mean of each measure is within four standard errors of the exact one."""
    for name, mean in exact.items():
        games, found = len(rows[name]), fmean(rows[name])
        error = pstdev(rows[name]) / sqrt(games)
        assert abs(found - float(mean)) < 4 * error, (name, found, float(mean), error)


def test_the_chances_add_up_to_one():
    assert sum(starts().values()) == 1
    assert sum(chance for chance, _, _ in deals()) == 1


@pytest.mark.slow
def test_the_exact_means(exact):
    """Accepted and refused by choice are equally likely; the seats differ because seat 0 leads first."""
    assert exact["gifts_accepted"] == exact["gifts_refused"]
    assert exact == {
        "score_0": Fraction(712091, 573440),
        "score_1": Fraction(42037, 32256),
        "score_2": Fraction(1730893, 1290240),
        "win_0": Fraction(352841, 645120),
        "win_1": Fraction(1532117, 2580480),
        "win_2": Fraction(50207, 81920),
        "gifts_accepted": Fraction(1687019, 5160960),
        "gifts_forced": Fraction(3176011, 2580480),
        "gifts_refused": Fraction(1687019, 5160960),
        "extras_taken": Fraction(34261, 20160),
        "ended_by_gift": Fraction(100993, 2580480),
    }


@pytest.mark.slow
def test_the_twin_agrees(exact):
    parameters = make_variant(GAME, settings=SETTINGS).parameters.model_dump()
    games = [twin.row(twin.play_game(parameters, 1, game, ["random"] * 3), parameters) for game in range(20_000)]
    assert_agree(exact, {name: [row[name] for row in games] for name in exact})


@pytest.mark.slow
@pytest.mark.kernel
def test_the_kernel_agrees(exact):
    variant = make_variant(GAME, settings=SETTINGS)
    arm = Arm(variant, (seated("random", GAME.module("players").PLAYERS, "test"),) * 3)
    rows = play_arm(arm, 2, 0, 200_000)
    assert_agree(exact, {name: rows[:, columns_of(variant).index(name)].tolist() for name in exact})
