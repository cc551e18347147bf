"""Miniature games whose deals and plays are all gone through: exact averages for twin and kernel to meet.

The program here is the rule sheet once more, as short as can be, and shares nothing with simlib or the twin. A card is
(colour, rank), rank 0 for a special. Every deal is equally likely, and so is every legal card of a seat.
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import lcm, sqrt
from typing import NamedTuple

import pytest
from reference import gara_tori as twin

from simlib.games import game_named, make_variant

GARA_TORI = game_named("gara_tori")


class Rules(NamedTuple):
    """A miniature: how many of everything, and readings G2 and G3."""

    players: int = 4
    colours: int = 2
    copies: tuple[int, ...] = (1, 1, 1)  # by rank
    specials: int = 1
    hand: int = 2
    void_turns: bool = True
    special_counts: bool = True


MINIATURES = {
    "two colours": Rules(),
    "two colours, void seats don't turn": Rules(void_turns=False),
    "two colours, specials don't oblige": Rules(special_counts=False),
    "two colours, neither": Rules(void_turns=False, special_counts=False),
    "copies": Rules(copies=(2, 1)),
    "two specials": Rules(copies=(1, 1), specials=2, special_counts=False),
    "four colours": Rules(colours=4, copies=(1, 1), specials=0),
    "four colours, void seats don't turn": Rules(colours=4, copies=(1, 1), specials=0, void_turns=False),
    "six seats, two cards out of play": Rules(players=6, hand=1),
    "one trick, eight cards out of play": Rules(colours=3, hand=1, void_turns=False),
}


class Trick(NamedTuple):
    """A trick under way: its cards, and the lead colour, which depends on who was void."""

    cards: tuple = ()
    lead: int = -1
    lock: int = -1  # the place of the special that locked it


@cache
def exact(rules: Rules) -> dict[str, Fraction]:
    """Return the exact average of each measure over all deals and all plays of random players."""
    deck = [(c, rank) for c in range(rules.colours) for rank in ranks(rules)]
    sums: Counter[str] = Counter()
    deals, unit = 0, lcm(*range(1, rules.hand + 1)) ** (rules.players * rules.hand)
    for hands in all_deals(tuple(range(len(deck))), rules.players, rules.hand):
        deals += 1
        held = tuple(tuple(deck[place] for place in hand) for hand in hands)
        play_on(rules, held, Trick(), 0, [], unit, sums)
    return {name: Fraction(sums[name], deals * unit) for name in measures(rules)}


def ranks(rules: Rules) -> list[int]:
    """Return the ranks of one colour's cards, 0 for specials."""
    return [0] * rules.specials + [rank for rank, copies in enumerate(rules.copies, 1) for _ in range(copies)]


def measures(rules: Rules) -> list[str]:
    """Return the names of what is averaged, as in the per-game row."""
    numbered = [f"{name}_{number}" for name in ("score", "win", "won_from_place") for number in range(rules.players)]
    turns = [f"turns_at_place_{place}" for place in range(1, rules.players)]
    return [*numbered, *turns, "turns", "locks", "void_plays", "leader_choices", "follower_choices"]


def all_deals(places, players, size):
    """Yield every deal once: the places that each seat gets, all copies told apart."""
    if players == 0:
        yield ()
        return
    for hand in combinations(places, size):
        rest = tuple(place for place in places if place not in hand)
        for others in all_deals(rest, players - 1, size):
            yield (hand, *others)


def play_on(rules, hands, trick, leader, taken, weight, sums):
    """Go through all ways in which a game of some weight can go on, and add up what happens."""
    place = len(trick.cards)
    if place == rules.players:
        finish_trick(rules, hands, trick, leader, taken, weight, sums)
        return
    seat = (leader + place) % rules.players
    void = not any(colour == trick.lead and (rank or rules.special_counts) for colour, rank in hands[seat])
    patterns = {rank for _, rank in trick.cards if rank}
    free = place == 0 or void
    legal = [at for at, (colour, rank) in enumerate(hands[seat]) if free or colour == trick.lead or rank in patterns]
    sums["follower_choices" if place else "leader_choices"] += weight * len(legal)
    sums["void_plays"] += weight * (place > 0 and void)
    for at in legal:
        after = laid(trick, hands[seat][at], patterns, rules.void_turns or not void)
        share = weight // len(legal)
        if place and after.lead != trick.lead:
            sums["turns"] += share
            sums[f"turns_at_place_{place}"] += share
        left = (*hands[:seat], hands[seat][:at] + hands[seat][at + 1 :], *hands[seat + 1 :])
        play_on(rules, left, after, leader, taken, share, sums)


def laid(trick, card, patterns, may_turn):
    """Return the trick with one more card."""
    colour, rank = card
    lead, lock = trick.lead, trick.lock
    if not trick.cards:
        lead = colour
    if lock < 0 and rank == 0 and colour == lead:
        lock = len(trick.cards)
    if lock < 0 and rank in patterns and may_turn:
        lead = colour
    return Trick((*trick.cards, card), lead, lock)


def finish_trick(rules, hands, trick, leader, taken, weight, sums):
    """Give a full trick to its winner, and go on or score."""
    place = trick.lock
    if place < 0:
        place = max(range(rules.players), key=lambda at: (trick.cards[at][0] == trick.lead, trick.cards[at][1], -at))
    winner = (leader + place) % rules.players
    sums[f"won_from_place_{place}"] += weight
    sums["locks"] += weight * (trick.lock >= 0)
    taken = [*taken, *((winner, colour) for colour, _ in trick.cards)]
    if hands[0]:
        play_on(rules, hands, Trick(), winner, taken, weight, sums)
        return
    scores = [max(taken.count((seat, colour)) for colour in range(rules.colours)) for seat in range(rules.players)]
    for seat, score in enumerate(scores):
        sums[f"score_{seat}"] += weight * score
        sums[f"win_{seat}"] += weight * (score == max(scores))


def variant_of(rules: Rules):
    """Return a miniature as a variant of simlib."""
    return make_variant(
        GARA_TORI,
        settings={
            "players": rules.players,
            "deck.colours": rules.colours,
            "deck.ranks": len(rules.copies),
            "deck.copies": list(rules.copies),
            "deck.specials": rules.specials,
            "hand.size": rules.hand,
            "lead.void_match_turns": rules.void_turns,
            "follow.special_counts": rules.special_counts,
        },
    )


def assert_near(rules: Rules, columns: dict) -> None:
    """Assert that each measure's average over games, one value a game, is within four standard errors of the exact."""
    for name, expected in exact(rules).items():
        values = columns[name]
        games, total, squares = len(values), sum(values), sum(value * value for value in values)
        variance = (squares - total * total / games) / (games - 1)
        assert abs(total / games - expected) <= 4 * sqrt(variance / games), name


each_miniature = pytest.mark.parametrize("rules", MINIATURES.values(), ids=MINIATURES)


@each_miniature
def test_the_exact_averages_add_up(rules):
    averages = exact(rules)
    seats = range(rules.players)
    assert sum(averages[f"won_from_place_{place}"] for place in seats) == rules.hand
    assert sum(averages[f"turns_at_place_{place}"] for place in seats[1:]) == averages["turns"]
    assert sum(averages[f"win_{seat}"] for seat in seats) >= 1
    assert averages["leader_choices"] == sum(range(1, rules.hand + 1))
    assert len(list(all_deals(range(8), 4, 2))) == 2520


def averages_of(**changes):
    averages = exact(Rules(specials=0, hand=1)._replace(**changes))
    return [averages[f"score_{seat}"] for seat in range(4)], averages["turns"], averages["locks"]


def test_miniatures_that_can_be_told_without_counting():
    """Four cards of one pattern: the last turns; of one colour: the highest takes four, or the special does."""
    assert averages_of(colours=4, copies=(1,)) == ([0, 0, 0, 1], 3, 0)
    assert averages_of(colours=4, copies=(1,), void_turns=False) == ([1, 0, 0, 0], 0, 0)
    assert averages_of(colours=1, copies=(1, 1, 1, 1)) == ([1, 1, 1, 1], 0, 0)
    assert averages_of(colours=1, copies=(1, 1, 1), specials=1) == ([1, 1, 1, 1], 0, 1)
    assert averages_of(colours=1, copies=(4,)) == ([4, 0, 0, 0], 0, 0)
    assert averages_of(colours=4, copies=(), specials=1) == ([1, 0, 0, 0], 0, 1)


@each_miniature
def test_the_twin_meets_the_exact_averages(rules):
    values = variant_of(rules).parameters.model_dump()
    games = [twin.play_game(values, 1, game, ["random"] * rules.players) for game in range(3000)]
    rows = [twin.row(game, values) for game in games]
    assert_near(rules, {name: [row[name] for row in rows] for name in measures(rules)})


@pytest.mark.kernel
@each_miniature
def test_the_kernel_meets_the_exact_averages(rules):
    from simlib.batch import Arm, columns_of, play_arm
    from simlib.hooks import seated

    variant, players = variant_of(rules), GARA_TORI.module("players").PLAYERS
    rows = play_arm(Arm(variant, (seated("random", players, "test"),) * rules.players), 1, 0, 200_000)
    columns = dict(zip(columns_of(variant), rows.T.tolist(), strict=True))
    assert_near(rules, columns)
