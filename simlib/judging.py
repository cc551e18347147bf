"""What referees of all games share: how a fault is told, and checks of values, keys, lists, cards and seats.

A referee walks a record in the order of play, so the first check that fails names the first fault. It judges by the
rules alone and shares no code with what plays games; no game is known here by name.
"""

import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from decimal import Decimal
from typing import Any, NamedTuple

from simlib.errors import RuleViolation, did_you_mean

ENVELOPE = ("format", "game", "variant", "parameters", "seed", "index", "players", "rounds", "scores", "winners")
ITEMS = {  # what a list's items are called in a fault, and the first one's number; others are numbered by seat
    "players": ("player at seat", 0),
    "rounds": ("round", 1),
    "hands": ("hand of seat", 0),
    "dealt": ("hand of seat", 0),
    "hand": ("card", 1),
    "layout": ("position", 1),
    "tricks": ("trick", 1),
    "plays": ("play", 1),
    "leads": ("lead after play", 1),
}


class Card(NamedTuple):
    """A card by its colour letter and published rank; a special has rank 0."""

    colour: str
    rank: int

    def __str__(self) -> str:
        """Return the card as records write it."""
        return f"{self.colour}{self.rank or '*'}"


def fault(place: str, text: str) -> RuleViolation:
    """Return the exception that tells a fault and its place in one line."""
    return RuleViolation(f"{place}: {text}")


def shown(value: Any) -> str:
    """Return a value as JSON on one line, cut to a readable length.

    Examples
    --------
    >>> shown([1, "R4", None])
    '[1, "R4", null]'
    """
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return "a value too large to show"
    text = text if len(text) <= 60 else text[:57] + "..."
    return "".join(sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in text)


def is_whole(value: Any) -> bool:
    """Tell whether a value is a whole number, and not true or false."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_within(value: Any, least: int, most: int) -> bool:
    """Tell whether a value is a whole number within bounds."""
    return is_whole(value) and bool(least <= value <= most)


def is_same(value: Any, wanted: int) -> bool:
    """Tell whether a value is this whole number, and not spelled with a fraction of nothing."""
    return is_whole(value) and bool(value == wanted)


def is_points(value: Any, wanted: Decimal | int) -> bool:
    """Tell whether a value is exactly that many points, in whatever spelling."""
    if isinstance(value, float):
        return Decimal(str(value)) == wanted
    return is_whole(value) and bool(value == wanted)


def check_envelope(record: Any, seats: int) -> None:
    """Check a record's keys and the names of its players; `simlib.records` has judged the other common values."""
    check_keys("record", record, ENVELOPE, optional="parameters")
    for place, name in each("", "players", record["players"], seats):
        if not isinstance(name, str) or not name.strip():
            raise fault(place, f"{shown(name)} is given, expected a name")


def check_keys(place: str, given: Any, wanted: Iterable[str], optional: str = "") -> None:
    """Check that a value is an object with these keys and no others."""
    if not isinstance(given, dict):
        raise fault(place, f"{shown(given)} is given, expected an object with {', '.join(wanted)}")
    for key in given:
        if key not in wanted:
            raise fault(place, f"unknown key {shown(key)}{did_you_mean(str(key), wanted)}")
    for key in wanted:
        if key not in given and key != optional:
            raise fault(place, f"key {shown(key)} is missing, expected {', '.join(wanted)}")


def check_value(place: str, key: str, given: Any, wanted: int) -> None:
    """Check a whole number that the rules or the game so far leave no choice about."""
    if not is_same(given, wanted):
        raise fault(place, f"{key} is {shown(given)}, expected {wanted}")


def check_row(
    place: str,
    key: str,
    given: Any,
    wanted: list[Any],
    is_right: Callable[[Any, Any], bool],
    *,
    why: list[str] | None = None,
) -> None:
    """Check a list of one number for each seat; `why` explains the wanted ones."""
    for seat, (here, number) in enumerate(each(place, key, given, len(wanted))):
        if not is_right(number, wanted[seat]):
            reason = f" ({why[seat]})" if why else ""
            raise fault(here, f"{shown(number)} is given, expected {_plain(wanted[seat])}{reason}")


def _plain(number: int | Decimal) -> str:
    return f"{Decimal(number).normalize():f}"


def each(place: str, key: str, items: Any, count: int) -> Iterator[tuple[str, Any]]:
    """Yield each item of the list under a key with its place; a fault where it has not exactly `count` of them."""
    name, first = ITEMS.get(key, (f"{key} of seat", 0))
    if not isinstance(items, list):
        raise fault(place or "record", f"{key} is {shown(items)}, expected a list of {count}")
    inside = f"{place}, {name}" if place else name
    for number, item in enumerate(items[:count], first):
        yield f"{inside} {number}", item
    if len(items) != count:
        extra = first + min(len(items), count)
        problem = "missing" if len(items) < count else "one too many"
        raise fault(f"{inside} {extra}", f"{problem}, expected {count} in all")


def take_from_deck(place: str, card: Hashable, used: Counter[Any], copies: int, deck: str) -> None:
    """Count a dealt card as used; a fault where the deck, `deck` in words, has no more `copies` of it."""
    if not copies:
        raise fault(place, f"{card} is not in the deck, expected {deck}")
    if used[card] == copies:
        raise fault(place, f"{card} comes once too often in this round, expected at most {copies} of it")
    used[card] += 1


def first_seat(record: dict[str, Any]) -> int | None:
    """Return the seat that must begin the game: 0 where the toolkit dealt it, None (any) where a table did."""
    at_the_table = record["seed"] is None and record["index"] is None
    return None if at_the_table else 0


def check_seat(place: str, key: str, given: Any, wanted: int | None, seats: int) -> int:
    """Return the seat that a record names, if it is the wanted one; None wants any."""
    if wanted is not None:
        check_value(place, key, given, wanted)
    elif not is_within(given, 0, seats - 1):
        raise fault(place, f"{key} is {shown(given)}, expected a seat from 0 to {seats - 1}")
    return int(given)


def check_winners(given: Any, scores: list[Any]) -> None:
    """Check that all seats with the highest final score share the win."""
    wanted = [seat for seat, score in enumerate(scores) if score == max(scores)]
    if not isinstance(given, list) or not all(map(is_whole, given)) or given != wanted:
        raise fault("record", f"winners is {shown(given)}, expected {wanted}")
