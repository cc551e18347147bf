"""The referee of Gara-tori: judges a recorded game by the rules alone.

Rules: rule file gara_tori, with its readings; form: the record format, "Gara-tori". The referee shares no code with
what plays games. It walks a record in the order of play, so the fault that it names is the first one.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from simlib.cards import LETTERS
from simlib.games.gara_tori.parameters import GaraToriParameters
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
    shown,
    take_from_deck,
)
from simlib.variants import Variant

SPECIAL = 0  # stands for the rank of a special: the lowest of its colour (reading G4)
ROUND = ("dealer", "dealt", "tricks", "taken", "points")
TRICK = ("leader", "plays", "leads", "locked", "winner")


@dataclass
class Trick:
    """The cards of a trick in the order of play, and what they do to it (round steps 2 to 6).

    Attributes
    ----------
    lead : str
        The present lead colour; empty before the first card.
    lock : int or None
        Which card locked the trick, 0 for the leader's.

    Examples
    --------
    >>> trick = Trick(GaraToriParameters())
    >>> for card in (Card("B", 4), Card("Y", 4), Card("Y", 10), Card("R", 10)):
    ...     trick.add(card, is_void=False)
    >>> trick.lead, trick.winner()
    ('R', 3)
    """

    rules: GaraToriParameters
    cards: list[Card] = field(default_factory=list)
    lead: str = ""
    lock: int | None = None

    def is_void(self, hand: list[Card]) -> bool:
        """Tell whether no card of a hand obliges to follow (step 3, reading G3)."""
        specials_count = self.rules.follow.special_counts
        return all(card.colour != self.lead or (card.rank == SPECIAL and not specials_count) for card in hand)

    def is_played_pattern(self, card: Card) -> bool:
        """Tell whether a card's pattern lies in the trick; specials have none (step 5)."""
        return card.rank != SPECIAL and card.rank in {played.rank for played in self.cards}

    def legal(self, hand: list[Card]) -> list[Card]:
        """Return the cards that a seat with this hand may play (steps 2 and 3)."""
        if not self.cards or self.is_void(hand):
            return hand
        return [card for card in hand if card.colour == self.lead or self.is_played_pattern(card)]

    def add(self, card: Card, *, is_void: bool) -> None:
        """Play a card; `is_void` says whether its seat was void (steps 4 and 5, readings G2 and G5)."""
        self.lead = self.lead or card.colour
        if self.lock is None:
            if card.rank == SPECIAL and card.colour == self.lead:
                self.lock = len(self.cards)
            elif self.is_played_pattern(card) and (self.rules.lead.void_match_turns or not is_void):
                self.lead = card.colour
        self.cards.append(card)

    def winner(self) -> int:
        """Return which card wins, 0 for the leader's (steps 5 and 6); of equal ones, the earliest played."""
        if self.lock is not None:
            return self.lock
        ranks = [card.rank if card.colour == self.lead else -1 for card in self.cards]
        return ranks.index(max(ranks))


def check(record: dict[str, Any], variant: Variant) -> None:
    """Judge a whole game of Gara-tori.

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
    rules: GaraToriParameters = variant.parameters
    check_envelope(record, rules.players)
    scores: list[int] = []
    for place, played in each("", "rounds", record["rounds"], 1):
        check_keys(place, played, ROUND)
        dealer = check_seat(place, "dealer", played["dealer"], first_seat(record), rules.players)
        scores = _judge_round(place, played, dealer, rules)
    check_row("", "scores", record["scores"], scores, is_points)
    check_winners(record["winners"], scores)


def _judge_round(place: str, played: dict[str, Any], dealer: int, rules: GaraToriParameters) -> list[int]:
    """Return each seat's score: its taken cards of the colour of which it has most."""
    taken: list[Counter[str]] = [Counter() for _ in range(rules.players)]
    hands, leader = _read_hands(place, played["dealt"], rules), dealer
    for here, trick in each(place, "tricks", played["tricks"], rules.hand.size):
        leader, cards = _judge_trick(here, trick, leader, hands, rules)
        taken[leader].update(card.colour for card in cards)
    _check_taken(place, played["taken"], taken, rules)
    points = [max(counts.values(), default=0) for counts in taken]
    check_row(place, "points", played["points"], points, is_points)
    return points


def _read_hands(place: str, given: Any, rules: GaraToriParameters) -> list[list[Card]]:
    """Return the dealt hands, all from one deck (round step 1)."""
    used: Counter[Card] = Counter()
    return [
        [_read_card(here, text, used, rules) for here, text in each(hand_place, "hand", hand, rules.hand.size)]
        for hand_place, hand in each(place, "dealt", given, rules.players)
    ]


def _read_card(place: str, text: Any, used: Counter[Card], rules: GaraToriParameters) -> Card:
    spelling = re.fullmatch(r"([A-Z])([1-9][0-9]?|\*)", text) if isinstance(text, str) else None
    if not spelling:
        wanted = f"a colour letter and a rank or *, such as {shown('R4')} or {shown('R*')}"
        raise fault(place, f"card is {shown(text)}, expected {wanted}")
    card = Card(spelling[1], SPECIAL if spelling[2] == "*" else int(spelling[2]))
    take_from_deck(place, card, used, _copies(card, rules), _deck_text(rules))
    return card


def _copies(card: Card, rules: GaraToriParameters) -> int:
    colour = LETTERS.find(card.colour)
    if not 0 <= colour < rules.deck.colours:
        return 0
    by_rank = [rules.deck.specials, *rules.deck.copies[colour]]
    return by_rank[card.rank] if card.rank < len(by_rank) else 0


def _deck_text(rules: GaraToriParameters) -> str:
    text = f"colours {_letters(rules)}, ranks 1 to {rules.deck.ranks}"
    text += " and specials" if rules.deck.specials else " and no specials"
    return text if all(map(all, rules.deck.copies)) else f"{text}, without those of 0 copies"


def _letters(rules: GaraToriParameters) -> str:
    return LETTERS[: rules.deck.colours]


def _judge_trick(
    place: str, given: Any, leader: int, hands: list[list[Card]], rules: GaraToriParameters
) -> tuple[int, list[Card]]:
    """Return the seat that wins a trick and the trick's cards, and take those from the hands."""
    check_keys(place, given, TRICK)
    check_value(place, "leader", given["leader"], leader)
    trick, seats = Trick(rules), len(hands)
    wanted = _leads(place, given["plays"], leader, hands, trick)
    for lead, (here, text) in zip(wanted, each(place, "leads", given["leads"], seats), strict=True):
        if text != lead:
            raise fault(here, f"{shown(text)} is given, expected {shown(lead)}")
    if given["locked"] is not (trick.lock is not None):
        raise fault(place, f"locked is {shown(given['locked'])}, expected {shown(trick.lock is not None)}")
    winner = (leader + trick.winner()) % seats
    check_value(place, "winner", given["winner"], winner)
    return winner, trick.cards


def _leads(place: str, plays: Any, leader: int, hands: list[list[Card]], trick: Trick) -> Iterator[str]:
    """Judge each play, and yield the lead colour after it."""
    for turn, (here, play) in enumerate(each(place, "plays", plays, len(hands))):
        seat = (leader + turn) % len(hands)
        _judge_play(here, play, seat, hands[seat], trick)
        yield trick.lead


def _judge_play(place: str, play: Any, seat: int, hand: list[Card], trick: Trick) -> None:
    """Take a play's card from the hand to the trick."""
    if not isinstance(play, list) or len(play) != 2:
        raise fault(place, f"{shown(play)} is given, expected [seat, card]")
    check_value(place, "seat", play[0], seat)
    card = next((held for held in hand if str(held) == play[1]), None)
    if card is None:
        raise fault(place, f"card is {shown(play[1])}, expected one that seat {seat} holds: {_listed(hand)}")
    legal = trick.legal(hand)
    if card not in legal:
        raise fault(place, f"{card} doesn't follow the lead colour {trick.lead}, expected one of {_listed(legal)}")
    is_void = trick.is_void(hand)
    hand.remove(card)
    trick.add(card, is_void=is_void)


def _listed(cards: list[Card]) -> str:
    return ", ".join(map(str, cards[:20])) + (", ..." if len(cards) > 20 else "")


def _check_taken(place: str, given: Any, taken: list[Counter[str]], rules: GaraToriParameters) -> None:
    """Check each seat's taken cards by colour (round step 7)."""
    letters = tuple(_letters(rules))
    for seat, (here, counts) in enumerate(each(place, "taken", given, rules.players)):
        check_keys(here, counts, letters)
        for letter in letters:
            check_value(here, letter, counts[letter], taken[seat][letter])
