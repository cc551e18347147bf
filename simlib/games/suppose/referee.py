"""The referee of Suppose: judges a recorded game by the rules alone.

Rules: rule file suppose, with its readings; form: the record format, "Suppose". The referee shares no code with what
plays games. It walks a record in the order of play, so the fault that it names is the first one.
"""

import re
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from simlib.games.suppose.parameters import LETTERS, SupposeParameters
from simlib.judging import (
    Card,
    check_envelope,
    check_keys,
    check_row,
    check_seat,
    check_value,
    check_winners,
    each,
    fault,
    first_seat,
    is_points,
    is_same,
    is_within,
    shown,
    take_from_deck,
)
from simlib.variants import Variant

MOST_GUESSES = 2  # rule file: suppose, round step 2b
ROUND = ("start", "hands", "tricks", "tricks_won", "bonus", "points", "totals")
HAND = ("maker", "holder", "layout", "bid")
TRICK = ("leader", "plays", "winner")


@dataclass(frozen=True)
class Hand:
    """A hand as its maker laid it out for the left neighbour, and the maker's bid on it."""

    layout: list[Card]
    bid: list[int]


def check(record: dict[str, Any], variant: Variant) -> None:
    """Judge a whole game of Suppose.

    Parameters
    ----------
    record : dict
        A parsed record; the values common to all games (``format``, ``variant`` ...) are judged before it comes here.
    variant : Variant
        The variant that the record names.

    Raises
    ------
    RuleViolation
        One line for the first fault: round, trick and play (counted from 1), and what was expected.
    """
    rules: SupposeParameters = variant.parameters
    check_envelope(record, rules.players)
    start = first_seat(record)  # reading S4
    totals = [Decimal(0)] * rules.players
    for place, played in each("", "rounds", record["rounds"], rules.rounds or 0):
        check_keys(place, played, ROUND)
        start = check_seat(place, "start", played["start"], start, rules.players)
        totals = _judge_round(place, played, totals, rules)
        start = (start + 1) % rules.players  # rule file: suppose, round step 6
    check_row("", "scores", record["scores"], totals, is_points)
    check_winners(record["winners"], totals)


def trick_winner(cards: list[Card]) -> int:
    """Return which card wins a trick, 0 for the leader's.

    The highest rank of the lead colour wins; of equal ones, the earliest played (rule file: suppose, round step 4).

    Examples
    --------
    >>> trick_winner([Card("R", 4), Card("B", 6), Card("R", 5), Card("R", 5)])
    2
    """
    best = 0
    for turn, card in enumerate(cards):
        if card.colour == cards[0].colour and card.rank > cards[best].rank:
            best = turn
    return best


def bid_bonus(bid: list[int], tricks: int, rules: SupposeParameters) -> Decimal:
    """Return what a bid earns when the left neighbour won so many tricks (rule file: suppose, round step 5).

    Examples
    --------
    >>> bid_bonus([3, 4], 4, SupposeParameters())
    Decimal('2')
    """
    if tricks not in bid:
        return Decimal(0)
    return rules.bid.single if len(bid) == 1 else rules.bid.double


def _judge_round(place: str, played: dict[str, Any], totals: list[Decimal], rules: SupposeParameters) -> list[Decimal]:
    hands = _read_hands(place, played, rules)
    won = _judge_tricks(place, played, hands, rules)
    return _judge_scores(place, played, hands, won, totals, rules)


def _judge_scores(
    place: str,
    played: dict[str, Any],
    hands: list[Hand],
    won: list[int],
    totals: list[Decimal],
    rules: SupposeParameters,
) -> list[Decimal]:
    """Check the four rows of a round's scoring; return the new totals (round step 5, reading S3)."""
    neighbours = won[1:] + won[:1]
    bonus = [bid_bonus(hand.bid, tricks, rules) for hand, tricks in zip(hands, neighbours, strict=True)]
    points = [tricks * rules.score.trick + extra for tricks, extra in zip(won, bonus, strict=True)]
    totals = [before + more for before, more in zip(totals, points, strict=True)]
    bids = [f"bid {hand.bid}, left neighbour won {tricks}" for hand, tricks in zip(hands, neighbours, strict=True)]
    check_row(place, "tricks_won", played["tricks_won"], won, is_same)
    check_row(place, "bonus", played["bonus"], bonus, is_points, why=bids)
    check_row(place, "points", played["points"], points, is_points)
    check_row(place, "totals", played["totals"], totals, is_points)
    return totals


def _read_hands(place: str, played: dict[str, Any], rules: SupposeParameters) -> list[Hand]:
    used: Counter[Card] = Counter()
    hands = each(place, "hands", played["hands"], rules.players)
    return [_read_hand(here, given, maker, used, rules) for maker, (here, given) in enumerate(hands)]


def _read_hand(place: str, given: Any, maker: int, used: Counter[Card], rules: SupposeParameters) -> Hand:
    check_keys(place, given, HAND)
    check_value(place, "maker", given["maker"], maker)
    check_value(place, "holder", given["holder"], (maker + 1) % rules.players)
    layout: list[Card] = []
    for here, text in each(place, "layout", given["layout"], rules.hand.size):
        layout.append(_take_card(here, text, used, rules))
        _check_order(here, layout)
    return Hand(layout, _read_bid(place, given["bid"], rules))


def _take_card(place: str, text: Any, used: Counter[Card], rules: SupposeParameters) -> Card:
    """Return the card that a layout names, and count it as used (round step 1)."""
    spelling = re.fullmatch(r"([A-Z])([1-9][0-9]?)", text) if isinstance(text, str) else None
    if not spelling:
        raise fault(place, f"card is {shown(text)}, expected a colour letter and a rank, such as {shown('R4')}")
    card = Card(spelling[1], int(spelling[2]))
    take_from_deck(place, card, used, _copies(card, rules), _deck_text(rules))
    return card


def _copies(card: Card, rules: SupposeParameters) -> int:
    colour = LETTERS.find(card.colour)
    known = 0 <= colour < rules.deck.colours and card.rank <= rules.deck.ranks
    return rules.deck.copies[colour][card.rank - 1] if known else 0


def _deck_text(rules: SupposeParameters) -> str:
    whole = f"colours {LETTERS[: rules.deck.colours]} and ranks 1 to {rules.deck.ranks}"
    return whole if all(map(all, rules.deck.copies)) else f"{whole}, without those of 0 copies"


def _check_order(place: str, layout: list[Card]) -> None:
    """Check that the newest card stands right: colours grouped, ranks falling (round step 2a)."""
    *before, card = layout
    if not before or card.colour not in {other.colour for other in before}:
        return
    if before[-1].colour != card.colour:
        raise fault(place, f"{card} stands apart from its colour, expected each colour in one group")
    if before[-1].rank < card.rank:
        raise fault(place, f"{card} follows {before[-1]}, expected ranks that fall from left to right")


def _read_bid(place: str, given: Any, rules: SupposeParameters) -> list[int]:
    """Return the guesses of a bid (round step 2b, reading S1)."""
    fewest, most = rules.bid.min_guesses, rules.hand.size
    if not isinstance(given, list) or not fewest <= len(given) <= MOST_GUESSES:
        number = f"{fewest} to {MOST_GUESSES}" if fewest < MOST_GUESSES else f"{MOST_GUESSES}"
        raise fault(place, f"bid is {shown(given)}, expected a list of {number} guesses")
    for guess in given:
        if not is_within(guess, 0, most):
            raise fault(place, f"bid names {shown(guess)}, expected a whole number from 0 to {most}")
    if given != sorted(set(given)):
        raise fault(place, f"bid is {shown(given)}, expected different guesses in rising order")
    return given


def _judge_tricks(place: str, played: dict[str, Any], hands: list[Hand], rules: SupposeParameters) -> list[int]:
    """Return how many tricks each seat won."""
    held = [dict(enumerate(hand.layout, 1)) for hand in hands[-1:] + hands[:-1]]  # by holder: step 3
    leader, won = played["start"], [0] * rules.players
    for here, trick in each(place, "tricks", played["tricks"], rules.hand.size):
        leader = _judge_trick(here, trick, leader, held, rules.hand.size)
        won[leader] += 1
    return won


def _judge_trick(place: str, trick: Any, leader: int, held: list[dict[int, Card]], size: int) -> int:
    """Return the seat that wins a trick, and take the cards played from what is held."""
    check_keys(place, trick, TRICK)
    check_value(place, "leader", trick["leader"], leader)
    cards = []
    for turn, (here, play) in enumerate(each(place, "plays", trick["plays"], len(held))):
        seat = (leader + turn) % len(held)
        cards.append(_judge_play(here, play, seat, held[seat], size))
    winner = (leader + trick_winner(cards)) % len(held)
    check_value(place, "winner", trick["winner"], winner)
    return winner


def _judge_play(place: str, play: Any, seat: int, unplayed: dict[int, Card], size: int) -> Card:
    if not isinstance(play, list) or len(play) != 3:
        raise fault(place, f"{shown(play)} is given, expected [seat, position, card]")
    check_value(place, "seat", play[0], seat)
    position = play[1]
    if not is_within(position, 1, size):
        raise fault(place, f"position is {shown(position)}, expected a whole number from 1 to {size}")
    if position not in unplayed:
        raise fault(place, f"position {position} is empty, expected one of {shown(list(unplayed))}")
    card = unplayed.pop(position)
    if play[2] != str(card):
        raise fault(place, f"card is {shown(play[2])}, expected {card} that stands at position {position}")
    return card
