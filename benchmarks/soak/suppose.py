"""Suppose for the soak: random variants, and what must hold in a game of any (rule file: suppose)."""

import random
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from benchmarks.soak.invariants import BEFORE_PLAY, Broken, count_choices, deal_out, shared_columns
from simlib.cards import LETTERS as LETTERS
from simlib.cards import RANKS, deck
from simlib.games.suppose.parameters import SupposeParameters

SEATS, ROUNDS = 4, 5  # the most of both
NO_GUESS = -1


def random_settings(source: random.Random) -> dict[str, Any]:
    """Return settings of a random legal variant: any deck, hand, visible positions, bonuses and rounds."""
    players = source.choice([3, 4])
    colours, ranks = source.choice([(4, 6), (4, 6), (1, 5), (3, 9), (7, 7), (16, 4), (5, 32), (16, 32)])
    most = max(1, 256 // (colours * ranks)) if colours * ranks <= 256 else 1
    while True:
        copies = [source.randint(0, min(most, 4)) for _ in range(ranks)]
        cards = colours * sum(copies)
        if players <= cards <= 256:
            break
    size = source.randint(1, cards // players) if source.random() < 0.7 else min(11, cards // players)
    return {
        "players": players,
        "deck.colours": colours,
        "deck.ranks": ranks,
        "deck.copies": copies,
        "hand.size": size,
        "hand.visible": sorted(source.sample(range(1, size + 1), source.randint(0, min(size, 5)))),
        "bid.single": source.choice([5, 0, 2.5, 3.25]),
        "bid.double": source.choice([2, 0, 3, 1.5]),
        "bid.min_guesses": source.randint(0, 2),
        "score.trick": source.choice([1, 0, 2, 0.5]),
        "rounds": source.randint(1, ROUNDS),
    }


class Rules(NamedTuple):
    """What a variant says; points count in 1/`unit`."""

    players: int
    rounds: int
    tricks: int
    min_guesses: int
    single: int
    double: int
    trick: int
    deck: np.ndarray


TALLY = np.dtype(
    [
        *shared_columns(SEATS, ROUNDS),
        ("tricks", "i8", (ROUNDS, SEATS)),
        ("guesses", "i8", (ROUNDS, SEATS)),
        ("low", "i8", (ROUNDS, SEATS)),
        ("high", "i8", (ROUNDS, SEATS)),
        ("hit", "i8", (ROUNDS, SEATS)),
        ("ranks", "i8", (ROUNDS, SEATS)),
    ]
)


def rules_of(parameters: SupposeParameters) -> Rules:
    """Return a variant's rules for the checker."""
    pays = (parameters.bid.single, parameters.bid.double, parameters.score.trick)
    single, double, trick = (int(pay * parameters.unit) for pay in pays)
    cards = np.array(deck(parameters.deck.copies))
    rounds = parameters.rounds or 0
    return Rules(
        parameters.players, rounds, parameters.hand.size, parameters.bid.min_guesses, single, double, trick, cards
    )


@njit(nogil=True)
def check_games(rules, tables, secrets, tallies, at):
    """Check games, (games, rounds), and add up their TALLYs; `at` says in which game, round and trick it is."""
    hands = np.zeros((rules.players, rules.deck.max() + 1), np.int64)
    for game in range(len(tables)):
        at[0], tally = game, tallies[game]
        for round_ in range(rules.rounds):
            at[1], at[2] = round_, BEFORE_PLAY
            check_round(rules, round_, tables[game, round_], secrets[game, round_], hands, tally, at)
        best = tally.score[: rules.players].max()
        for seat in range(rules.players):
            tally.win[seat] = tally.score[seat] == best


@njit(nogil=True)
def check_round(rules, round_, table, secret, hands, tally, at):
    """Check a round and add it up."""
    if table.start != round_ % rules.players:
        raise Broken("the start marker isn't where it moved to")
    tally.start[round_] = table.start
    deal_out(rules, secret.deck, hands)
    for maker in range(rules.players):
        tally.ranks[round_, maker] = sum_of_ranks(hands[maker])
        check_layout(rules, secret.layouts[(maker + 1) % rules.players], hands[maker])
        check_bid(rules, secret.guesses[maker])
    check_tricks(rules, round_, table, secret.layouts, tally, at)
    score_round(rules, round_, table, secret.guesses, tally)


@njit(nogil=True)
def sum_of_ranks(hand):
    """Return the sum of the published ranks of a hand, which says how many there are of each card."""
    total = 0
    for card in range(len(hand)):
        total += hand[card] * (card % RANKS + 1)
    return total


@njit(nogil=True)
def check_layout(rules, layout, hand):
    """Check that a layout is the dealt hand, by colours, each falling in rank; the hand is empty then."""
    ended = np.zeros(len(LETTERS), np.bool_)
    for position in range(rules.tricks):
        card = layout[position]
        if card >= len(hand) or hand[card] == 0:
            raise Broken("a hand is laid out with a card that wasn't dealt to its maker")
        hand[card] -= 1
        before = layout[max(position - 1, 0)]
        if card // RANKS != before // RANKS:
            ended[before // RANKS] = True
        elif card > before:
            raise Broken("a rank rises within a colour of a layout")
        if ended[card // RANKS]:
            raise Broken("a layout has a colour in two places")


@njit(nogil=True)
def check_bid(rules, guesses):
    """Check that a bid names enough guesses, each a count of tricks, rising."""
    low, high = guesses[0], guesses[1]
    if (low != NO_GUESS) + (high != NO_GUESS) < rules.min_guesses:
        raise Broken("a bid has too few guesses")
    if low < NO_GUESS or low > rules.tricks or high < NO_GUESS or high > rules.tricks:
        raise Broken("a guess isn't a count of tricks")
    if high != NO_GUESS and (low == NO_GUESS or low >= high):
        raise Broken("the guesses of a bid don't rise")


@njit(nogil=True)
def check_tricks(rules, round_, table, layouts, tally, at):
    """Check that each position is played once, and who wins; count the tricks of each seat."""
    played = np.zeros((rules.players, rules.tricks), np.bool_)
    leader = table.start
    for trick in range(rules.tricks):
        at[2] = trick
        best, best_place = np.int64(-1), 0
        for place in range(rules.players):
            seat, position = (leader + place) % rules.players, table.positions[trick, place]
            if position >= rules.tricks or played[seat, position]:
                raise Broken("a position is played that holds no card")
            played[seat, position] = True
            card = np.int64(layouts[seat, position])
            if place == 0 or (card // RANKS == best // RANKS and card > best):
                best, best_place = card, place
            count_choices(tally, place, rules.tricks - trick)
        leader = (leader + best_place) % rules.players
        if table.winners[trick] != leader:
            raise Broken("a trick isn't won by the highest of the lead colour")
        tally.won_from_place[best_place] += 1
        tally.tricks[round_, leader] += 1
    at[2] = BEFORE_PLAY


@njit(nogil=True)
def score_round(rules, round_, table, guesses, tally):
    """Add up a round's points: tricks, and the bonus for a guess that the left neighbour made true."""
    for seat in range(rules.players):
        low, high = guesses[seat, 0], guesses[seat, 1]
        won = tally.tricks[round_, (seat + 1) % rules.players]
        hit = won in (low, high)
        bonus = rules.single if high == NO_GUESS else rules.double
        tally.score[seat] += rules.trick * tally.tricks[round_, seat] + hit * bonus
        tally.low[round_, seat], tally.high[round_, seat], tally.hit[round_, seat] = low, high, hit
        tally.guesses[round_, seat] = (low != NO_GUESS) + (high != NO_GUESS)
        if table.scores[seat] != tally.score[seat]:
            raise Broken("a score isn't what tricks and bids add up to")
    if table.over != (round_ + 1 == rules.rounds):
        raise Broken("the game ends with another round than its last")
