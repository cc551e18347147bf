"""The referee of Suppose: judges a recorded game by the rules alone.

Rules: rule file suppose, with its readings; form: the record format, "Suppose". The referee shares no code with what
plays games. It walks a record in the order of play, so the fault that it names is the first one.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from simlib.errors import RuleViolation, did_you_mean
from simlib.games.suppose.parameters import LETTERS, SupposeParameters
from simlib.variants import Variant

MOST_GUESSES = 2  # rule file: suppose, round step 2b
ENVELOPE = ("format", "game", "variant", "parameters", "seed", "index", "players", "rounds", "scores", "winners")
ROUND = ("start", "hands", "tricks", "tricks_won", "bonus", "points", "totals")
HAND = ("maker", "holder", "layout", "bid")
TRICK = ("leader", "plays", "winner")
ITEMS = {  # what a list's items are called in a fault, and the first one's number
    "players": ("player at seat", 0),
    "rounds": ("round", 1),
    "hands": ("hand of seat", 0),
    "layout": ("position", 1),
    "tricks": ("trick", 1),
    "plays": ("play", 1),
}


class Card(NamedTuple):
    """A card by its colour letter and published rank."""

    colour: str
    rank: int

    def __str__(self) -> str:
        """Return the card as records write it."""
        return f"{self.colour}{self.rank}"


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
    _check_keys("record", record, ENVELOPE, optional="parameters")
    _check_names(record, rules.players)
    start = _first_start(record)
    totals = [Decimal(0)] * rules.players
    for place, played in _each("", record, "rounds", rules.rounds or 0):
        _check_keys(place, played, ROUND)
        start = _check_start(place, played["start"], start, rules.players)
        totals = _judge_round(place, played, totals, rules)
        start = (start + 1) % rules.players  # rule file: suppose, round step 6
    _check_row("", record, "scores", totals, _is_points)
    _check_winners(record["winners"], totals)


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
    _check_row(place, played, "tricks_won", won, _is_same)
    _check_row(place, played, "bonus", bonus, _is_points, why=bids)
    _check_row(place, played, "points", points, _is_points)
    _check_row(place, played, "totals", totals, _is_points)
    return totals


def _check_names(record: dict[str, Any], seats: int) -> None:
    for place, name in _each("", record, "players", seats):
        if not isinstance(name, str) or not name.strip():
            raise _fault(place, f"{_shown(name)} is given, expected a name")


def _first_start(record: dict[str, Any]) -> int | None:
    """Return the seat that must start the first round; None for any (reading S4)."""
    at_the_table = record["seed"] is None and record["index"] is None
    return None if at_the_table else 0


def _check_start(place: str, given: Any, wanted: int | None, seats: int) -> int:
    if wanted is not None:
        _check_value(place, "start", given, wanted)
    elif not _is_within(given, 0, seats - 1):
        raise _fault(place, f"start is {_shown(given)}, expected a seat from 0 to {seats - 1}")
    return int(given)


def _read_hands(place: str, played: dict[str, Any], rules: SupposeParameters) -> list[Hand]:
    used: Counter[Card] = Counter()
    hands = _each(place, played, "hands", rules.players)
    return [_read_hand(here, given, maker, used, rules) for maker, (here, given) in enumerate(hands)]


def _read_hand(place: str, given: Any, maker: int, used: Counter[Card], rules: SupposeParameters) -> Hand:
    _check_keys(place, given, HAND)
    _check_value(place, "maker", given["maker"], maker)
    _check_value(place, "holder", given["holder"], (maker + 1) % rules.players)
    layout: list[Card] = []
    for here, text in _each(place, given, "layout", rules.hand.size):
        layout.append(_take_card(here, text, used, rules))
        _check_order(here, layout)
    return Hand(layout, _read_bid(place, given["bid"], rules))


def _take_card(place: str, text: Any, used: Counter[Card], rules: SupposeParameters) -> Card:
    """Return the card that a layout names, and count it as used (round step 1)."""
    spelling = re.fullmatch(r"([A-Z])([1-9][0-9]?)", text) if isinstance(text, str) else None
    if not spelling:
        raise _fault(place, f"card is {_shown(text)}, expected a colour letter and a rank, such as {_shown('R4')}")
    card = Card(spelling[1], int(spelling[2]))
    copies = _copies(card, rules)
    if not copies:
        raise _fault(place, f"{card} is not in the deck, expected {_deck_text(rules)}")
    if used[card] == copies:
        raise _fault(place, f"{card} comes once too often in this round, expected at most {copies} of it")
    used[card] += 1
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
        raise _fault(place, f"{card} stands apart from its colour, expected each colour in one group")
    if before[-1].rank < card.rank:
        raise _fault(place, f"{card} follows {before[-1]}, expected ranks that fall from left to right")


def _read_bid(place: str, given: Any, rules: SupposeParameters) -> list[int]:
    """Return the guesses of a bid (round step 2b, reading S1)."""
    fewest, most = rules.bid.min_guesses, rules.hand.size
    if not isinstance(given, list) or not fewest <= len(given) <= MOST_GUESSES:
        number = f"{fewest} to {MOST_GUESSES}" if fewest < MOST_GUESSES else f"{MOST_GUESSES}"
        raise _fault(place, f"bid is {_shown(given)}, expected a list of {number} guesses")
    for guess in given:
        if not _is_within(guess, 0, most):
            raise _fault(place, f"bid names {_shown(guess)}, expected a whole number from 0 to {most}")
    if given != sorted(set(given)):
        raise _fault(place, f"bid is {_shown(given)}, expected different guesses in rising order")
    return given


def _judge_tricks(place: str, played: dict[str, Any], hands: list[Hand], rules: SupposeParameters) -> list[int]:
    """Return how many tricks each seat won."""
    held = [dict(enumerate(hand.layout, 1)) for hand in hands[-1:] + hands[:-1]]  # by holder: step 3
    leader, won = played["start"], [0] * rules.players
    for here, trick in _each(place, played, "tricks", rules.hand.size):
        leader = _judge_trick(here, trick, leader, held, rules.hand.size)
        won[leader] += 1
    return won


def _judge_trick(place: str, trick: Any, leader: int, held: list[dict[int, Card]], size: int) -> int:
    """Return the seat that wins a trick, and take the cards played from what is held."""
    _check_keys(place, trick, TRICK)
    _check_value(place, "leader", trick["leader"], leader)
    cards = []
    for turn, (here, play) in enumerate(_each(place, trick, "plays", len(held))):
        seat = (leader + turn) % len(held)
        cards.append(_judge_play(here, play, seat, held[seat], size))
    winner = (leader + trick_winner(cards)) % len(held)
    _check_value(place, "winner", trick["winner"], winner)
    return winner


def _judge_play(place: str, play: Any, seat: int, unplayed: dict[int, Card], size: int) -> Card:
    if not isinstance(play, list) or len(play) != 3:
        raise _fault(place, f"{_shown(play)} is given, expected [seat, position, card]")
    _check_value(place, "seat", play[0], seat)
    position = play[1]
    if not _is_within(position, 1, size):
        raise _fault(place, f"position is {_shown(position)}, expected a whole number from 1 to {size}")
    if position not in unplayed:
        raise _fault(place, f"position {position} is empty, expected one of {_shown(list(unplayed))}")
    card = unplayed.pop(position)
    if play[2] != str(card):
        raise _fault(place, f"card is {_shown(play[2])}, expected {card} that stands at position {position}")
    return card


def _check_winners(given: Any, totals: list[Decimal]) -> None:
    """Check that all seats with the highest total share the win (rule file: suppose, after the round)."""
    wanted = [seat for seat, total in enumerate(totals) if total == max(totals)]
    if not isinstance(given, list) or not all(map(_is_whole, given)) or given != wanted:
        raise _fault("record", f"winners is {_shown(given)}, expected {wanted}")


def _fault(place: str, text: str) -> RuleViolation:
    return RuleViolation(f"{place}: {text}")


def _shown(value: Any) -> str:
    """Return a value as JSON on one line, cut to a readable length."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return "a value too large to show"
    text = text if len(text) <= 60 else text[:57] + "..."
    return "".join(sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in text)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_within(value: Any, least: int, most: int) -> bool:
    return _is_whole(value) and bool(least <= value <= most)


def _is_same(value: Any, wanted: int) -> bool:
    return _is_whole(value) and bool(value == wanted)


def _is_points(value: Any, wanted: Decimal) -> bool:
    if isinstance(value, float):
        return Decimal(str(value)) == wanted
    return _is_whole(value) and bool(value == wanted)


def _check_keys(place: str, given: Any, wanted: Iterable[str], optional: str = "") -> None:
    if not isinstance(given, dict):
        raise _fault(place, f"{_shown(given)} is given, expected an object with {', '.join(wanted)}")
    for key in given:
        if key not in wanted:
            raise _fault(place, f"unknown key {_shown(key)}{did_you_mean(str(key), wanted)}")
    for key in wanted:
        if key not in given and key != optional:
            raise _fault(place, f"key {_shown(key)} is missing, expected {', '.join(wanted)}")


def _check_value(place: str, key: str, given: Any, wanted: int) -> None:
    if not _is_same(given, wanted):
        raise _fault(place, f"{key} is {_shown(given)}, expected {wanted}")


def _check_row(
    place: str,
    owner: dict[str, Any],
    key: str,
    wanted: list[Any],
    is_right: Callable[[Any, Any], bool],
    *,
    why: list[str] | None = None,
) -> None:
    """Check a list of one number for each seat."""
    for seat, (here, given) in enumerate(_each(place, owner, key, len(wanted))):
        if not is_right(given, wanted[seat]):
            reason = f" ({why[seat]})" if why else ""
            raise _fault(here, f"{_shown(given)} is given, expected {_plain(wanted[seat])}{reason}")


def _plain(number: int | Decimal) -> str:
    return f"{Decimal(number).normalize():f}"


def _each(place: str, owner: dict[str, Any], key: str, count: int) -> Iterator[tuple[str, Any]]:
    """Yield each item of a list with its place; a fault where it has not exactly `count` of them."""
    items = owner[key]
    name, first = ITEMS.get(key, (f"{key} of seat", 0))
    if not isinstance(items, list):
        raise _fault(place or "record", f"{key} is {_shown(items)}, expected a list of {count}")
    inside = f"{place}, {name}" if place else name
    for number, item in enumerate(items[:count], first):
        yield f"{inside} {number}", item
    if len(items) != count:
        extra = first + min(len(items), count)
        problem = "missing" if len(items) < count else "one too many"
        raise _fault(f"{inside} {extra}", f"{problem}, expected {count} in all")
