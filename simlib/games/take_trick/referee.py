"""The referee of Take-Trick: judges a recorded game by the rules alone.

Rules: rule file take_trick, with its readings; form: the record format, "Take-Trick". The referee shares no code with
what plays games. It walks a record in the order of play, so the fault that it names is the first one.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from simlib.games.take_trick.parameters import LETTERS, TakeTrickParameters
from simlib.judging import (
    Card,
    check_keys,
    check_seat,
    check_value,
    fault,
    first_seat,
    is_points,
    is_same,
    is_whole,
    shown,
    take_from_deck,
)
from simlib.variants import Variant

SHINING = "shining"
ENVELOPE = ("format", "game", "variant", "parameters", "seed", "index", "players")
RESULT = ("trump", "rounds", "scores", "winners")
ROUND = ("leader", "dealt", "first", "passes", "tricks", "bamboo", "points", "totals", "ended_by_gift")
FIRST = ("card", "extra")
PASS = ("left", "right")
TRICK = ("leader", "plays", "winner", "captures", "scores")
CAPTURE = ("seat", "card", "extra", "gift")
GIFT = ("to", "accepted")
ITEMS = {  # what a list's items are called in a fault, and the first one's number
    "players": ("player at seat", 0),
    "rounds": ("round", 1),
    "dealt": ("hand of seat", 0),
    "hand": ("card", 1),
    "first": ("first bamboo of seat", 0),
    "passes": ("pass of seat", 0),
    "tricks": ("trick", 1),
    "plays": ("play", 1),
    "captures": ("capture", 1),
}


@dataclass
class Game:
    """A game up to now: the scores run on while tricks are settled."""

    rules: TakeTrickParameters
    trump: int
    scores: list[int]
    ended_by_gift: bool = False
    over: bool = False

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self.rules.players

    @property
    def size(self) -> int:
        """Cards in a hand, and tricks in a round."""
        return self.rules.hand.size or 0

    @property
    def letters(self) -> str:
        """Letters of the deck's colours."""
        return LETTERS[: self.rules.deck.colours]


@dataclass
class Table:
    """What lies on the table and in the hands in a round, up to now."""

    hands: list[list[Card]]
    bamboo: list[Counter[str]]
    pile: list[Card] = field(default_factory=list)  # its top at the end


@dataclass
class Trick:
    """A trick that is being settled: the seats that capture, in order, and the cards that nobody captures."""

    winner: int
    cards: dict[int, Card]
    capturing: list[int]
    uncaptured: list[Card]


def check(record: dict[str, Any], variant: Variant) -> None:
    """Judge a whole game of Take-Trick.

    Parameters
    ----------
    record : dict
        A parsed record; the values common to all games (``format``, ``variant`` ...) are judged before it comes here.
    variant : Variant
        The variant that the record names.

    Raises
    ------
    RuleViolation
        One line for the first fault: round, trick, play or capture (counted from 1), and what was expected.
    """
    rules: TakeTrickParameters = variant.parameters
    check_keys("record", record, ENVELOPE + RESULT, optional="parameters")
    _check_names(record, rules.players)
    game = Game(rules, _read_trump(record["trump"], rules), [0] * rules.players)
    leader = first_seat(record)
    for place, played in _each("", record, "rounds", rules.rounds.max, lambda: game.over):
        leader = _judge_round(place, played, leader, game)
    _check_row("", record, "scores", game.scores, is_points)
    _check_winners(record["winners"], game)


def trick_winner(cards: list[Card], trump: int) -> int:
    """Return which card wins a trick, 0 for the leader's.

    The earliest card of the trump rank wins; without one the highest rank of the leader's colour, of equal ones the
    earliest played (rule file: take_trick, round step 5).

    Examples
    --------
    >>> trick_winner([Card("G", 4), Card("P", 2), Card("S", 2), Card("G", 6)], trump=2)
    1
    >>> trick_winner([Card("G", 4), Card("P", 6), Card("G", 5), Card("G", 5)], trump=2)
    2
    """
    trumps = [turn for turn, card in enumerate(cards) if card.rank == trump]
    if trumps:
        return trumps[0]
    best = 0
    for turn, card in enumerate(cards):
        if card.colour == cards[0].colour and card.rank > cards[best].rank:
            best = turn
    return best


def colour_points(counts: list[int]) -> list[int]:
    """Return what each seat scores for its cards of one colour.

    The count times the number of seats that have it, but nothing for a seat that alone has the most (rule file:
    take_trick, "Scoring a round").

    Examples
    --------
    >>> colour_points([4, 2, 2, 0])
    [0, 4, 4, 0]
    >>> colour_points([3, 3, 1])
    [6, 6, 1]
    """
    seats = Counter(counts)
    return [0 if count == max(counts) and seats[count] == 1 else count * seats[count] for count in counts]


def winners(scores: list[int], target: int) -> list[int]:
    """Return who wins: of those at the target the nearest to it, or else the highest; equals share.

    Examples
    --------
    >>> winners([26, 27, 28], 25)
    [0]
    >>> winners([7, 9, 9], 25)
    [1, 2]
    """
    reached = [score for score in scores if score >= target]
    best = min(reached) if reached else max(scores)
    return [seat for seat, score in enumerate(scores) if score == best]


def _judge_round(place: str, played: Any, leader: int | None, game: Game) -> int:
    """Return the seat that leads the next round: the winner of the last trick."""
    check_keys(place, played, ROUND)
    table = _set_up(place, played, check_seat(place, "leader", played["leader"], leader, game.seats), game)
    winner = played["leader"]
    for here, trick in _each(place, played, "tricks", game.size, lambda: game.ended_by_gift):
        winner = _judge_trick(here, trick, winner, table, game)
    _judge_scores(place, played, table, game)
    return int(winner)


def _set_up(place: str, played: dict[str, Any], leader: int, game: Game) -> Table:
    """Return the table as the first trick begins (round steps 1 to 3)."""
    used: Counter[Card] = Counter()
    hands = [_read_hand(here, hand, used, game) for here, hand in _each(place, played, "dealt", game.seats)]
    table = Table(hands, _read_first(place, played, leader, used, game))
    _pass_cards(place, played, table, game)
    return table


def _judge_scores(place: str, played: dict[str, Any], table: Table, game: Game) -> None:
    """Check what a round ends with (rule file: "Scoring a round", readings T8 and T11)."""
    for seat, (here, given) in enumerate(_each(place, played, "bamboo", game.seats)):
        check_keys(here, given, tuple(game.letters))
        for letter in game.letters:
            check_value(here, letter, given[letter], table.bamboo[seat][letter])
    points = [0] * game.seats if game.ended_by_gift else _round_points(table, game)
    game.scores = [score + more for score, more in zip(game.scores, points, strict=True)]
    game.over = game.ended_by_gift or max(game.scores) >= game.rules.score.target
    _check_row(place, played, "points", points, is_points)
    _check_row(place, played, "totals", game.scores, is_points)
    if played["ended_by_gift"] is not game.ended_by_gift:
        wanted = shown(game.ended_by_gift)
        raise fault(place, f"ended_by_gift is {shown(played['ended_by_gift'])}, expected {wanted}")


def _round_points(table: Table, game: Game) -> list[int]:
    by_colour = [colour_points([bamboo[letter] for bamboo in table.bamboo]) for letter in game.letters]
    return [sum(column) for column in zip(*by_colour, strict=True)]


def _check_names(record: dict[str, Any], seats: int) -> None:
    for place, name in _each("", record, "players", seats):
        if not isinstance(name, str) or not name.strip():
            raise fault(place, f"{shown(name)} is given, expected a name")


def _read_trump(given: Any, rules: TakeTrickParameters) -> int:
    if not is_whole(given) or given not in rules.trump.ranks:
        raise fault("record", f"trump is {shown(given)}, expected one of the ranks {shown(rules.trump.ranks)}")
    return int(given)


# Setting up


def _read_hand(place: str, given: Any, used: Counter[Card], game: Game) -> list[Card]:
    cards = _each(place, {"hand": given}, "hand", game.size)
    return [_take_card(here, text, used, game) for here, text in cards]


def _take_card(place: str, text: Any, used: Counter[Card], game: Game) -> Card:
    """Return a card that comes from the deck, and count it as used (round step 1)."""
    spelling = re.fullmatch(r"([A-Z])([1-9][0-9]?)", text) if isinstance(text, str) else None
    if not spelling:
        raise fault(place, f"card is {shown(text)}, expected a colour letter and a rank, such as {shown('G4')}")
    card = Card(spelling[1], int(spelling[2]))
    take_from_deck(place, card, used, _copies(card, game), _deck_text(game))
    return card


def _copies(card: Card, game: Game) -> int:
    deck = game.rules.deck
    known = card.colour in game.letters and card.rank <= len(deck.copies[0])
    return int(deck.copies[game.letters.index(card.colour)][card.rank - 1]) if known else 0


def _deck_text(game: Game) -> str:
    copies = game.rules.deck.copies
    whole = f"colours {game.letters} and ranks 1 to {len(copies[0])}"
    return whole if all(map(all, copies)) else f"{whole}, without those of 0 copies"


def _read_first(place: str, played: dict[str, Any], leader: int, used: Counter[Card], game: Game) -> list[Counter[str]]:
    """Return the first bamboos: the stock goes round from the leader, and shining ones stand in (step 2, T6)."""
    stock = sum(map(sum, game.rules.deck.copies)) - sum(used.values())
    given = list(_each(place, played, "first", game.seats))
    cards: list[Card | None] = []
    for seat, (here, first) in enumerate(given):
        check_keys(here, first, FIRST)
        cards.append(_read_drawn(here, "card", first["card"], (seat - leader) % game.seats < stock, used, game))
    doubled = [seat for seat in _clockwise(leader, game.seats) if _is_trump(cards[seat], game)]
    with_card = doubled[: max(0, stock - game.seats)]
    for seat, (here, first) in enumerate(given):
        if seat in doubled:
            _read_drawn(here, "extra", first["extra"], seat in with_card, used, game)
        elif first["extra"] is not None:
            raise fault(here, f"extra is {shown(first['extra'])}, expected null: its card is no trump")
    counts = [2 if seat in doubled else 1 for seat in range(game.seats)]
    return [Counter({card.colour: count} if card else {}) for card, count in zip(cards, counts, strict=True)]


def _read_drawn(place: str, key: str, given: Any, in_stock: bool, used: Counter[Card], game: Game) -> Card | None:
    """Return a card drawn from the stock; None for a shining one, which has neither colour nor rank."""
    if in_stock and given == SHINING:
        raise fault(place, f"{key} is {shown(given)}, expected a card: the stock hasn't run out")
    if in_stock:
        return _take_card(f"{place}, {key}", given, used, game)
    if given != SHINING:
        raise fault(place, f"{key} is {shown(given)}, expected {shown(SHINING)}: the stock has run out")
    return None


def _is_trump(card: Card | None, game: Game) -> bool:
    return card is not None and card.rank == game.trump


def _clockwise(leader: int, seats: int) -> list[int]:
    return [(leader + turn) % seats for turn in range(seats)]


def _pass_cards(place: str, played: dict[str, Any], table: Table, game: Game) -> None:
    """Let each seat give a card to both neighbours, all at once (round step 3); a hand of one card stays."""
    seats = game.seats
    passes = list(_each(place, played, "passes", seats if game.size > 1 else 0))
    given: list[dict[str, Card]] = []
    for (here, passed), hand in zip(passes, table.hands, strict=False):
        check_keys(here, passed, PASS)
        given.append({side: _take_from(here, side, passed[side], hand) for side in PASS})
    for seat, cards in enumerate(given):
        table.hands[(seat + 1) % seats].append(cards["left"])
        table.hands[(seat - 1) % seats].append(cards["right"])


def _take_from(place: str, key: str, text: Any, hand: list[Card]) -> Card:
    """Return the card that a text names, and take it out of a hand."""
    for card in hand:
        if text == str(card):
            hand.remove(card)
            return card
    held = ", ".join(map(str, sorted(set(hand))))
    raise fault(place, f"{key} is {shown(text)}, expected a card in the seat's hand: {held}")


# Tricks


def _judge_trick(place: str, given: Any, leader: int, table: Table, game: Game) -> int:
    """Return the seat that wins a trick, and settle it on the table."""
    check_keys(place, given, TRICK, optional="scores")
    check_value(place, "leader", given["leader"], leader)
    plays = enumerate(_each(place, given, "plays", game.seats))
    seats = _clockwise(leader, game.seats)
    cards = [_judge_play(here, play, seats[turn], table.hands[seats[turn]]) for turn, (here, play) in plays]
    winner = seats[trick_winner(cards, game.trump)]
    check_value(place, "winner", given["winner"], winner)
    _settle(place, given, _captures(winner, dict(zip(seats, cards, strict=True))), table, game)
    if "scores" in given:
        _check_row(place, given, "scores", game.scores, is_points)
    return winner


def _judge_play(place: str, play: Any, seat: int, hand: list[Card]) -> Card:
    if not isinstance(play, list) or len(play) != 2:
        raise fault(place, f"{shown(play)} is given, expected [seat, card]")
    check_value(place, "seat", play[0], seat)
    return _take_from(place, "card", play[1], hand)


def _captures(winner: int, cards: dict[int, Card]) -> Trick:
    """Return who captures: the winner, then in the order of play the other 1s of the leader's colour (step 6, T4)."""
    one = Card(next(iter(cards.values())).colour, 1)
    capturing = [winner] + [seat for seat, card in cards.items() if card == one and seat != winner]
    return Trick(winner, cards, capturing, [card for seat, card in cards.items() if seat not in capturing])


def _settle(place: str, given: dict[str, Any], trick: Trick, table: Table, game: Game) -> None:
    """Settle the captures seat by seat, then discard what nobody captured (round steps 6 to 8)."""
    captures = _each(place, given, "captures", len(trick.capturing), lambda: game.ended_by_gift)
    for (here, capture), seat in zip(captures, trick.capturing, strict=False):
        _judge_capture(here, capture, seat, trick, table, game)
    table.pile += trick.uncaptured


def _judge_capture(place: str, given: Any, seat: int, trick: Trick, table: Table, game: Game) -> None:
    check_keys(place, given, CAPTURE)
    check_value(place, "seat", given["seat"], seat)
    card = trick.cards[seat]
    if given["card"] != str(card):
        raise fault(place, f"card is {shown(given['card'])}, expected {shown(str(card))}, which seat {seat} played")
    forbidden = _is_beyond(card, table.bamboo[seat], game.rules)
    moved = [card, *_judge_extra(place, given["extra"], seat, forbidden, trick, table, game)]
    if forbidden:
        _judge_gift(f"{place}, gift", given["gift"], seat, trick, moved, table, game)
    elif given["gift"] is not None:
        raise fault(place, f"gift is {shown(given['gift'])}, expected null: seat {seat} may hold {card}")
    else:
        table.bamboo[seat][card.colour] += len(moved)


def _is_beyond(card: Card, bamboo: Counter[str], rules: TakeTrickParameters) -> bool:
    """Tell whether a card would bring a seat a colour beyond `colours.max` (round step 7)."""
    return card.colour not in bamboo and len(bamboo) >= rules.colours.max


def _judge_extra(
    place: str, given: Any, seat: int, forbidden: bool, trick: Trick, table: Table, game: Game
) -> list[Card]:
    """Return the extra card of a capture, if there is one, and take it from where it lies (readings T3, T5, T11)."""
    forfeited = forbidden and game.rules.gift.extra == "forfeit"
    source: list[Card] = []
    if seat != trick.winner or trick.cards[seat].rank != game.trump:
        why = "only a winning trump has one"
    elif forfeited:
        why = "a trump that its seat may not hold has none"
    elif table.pile:
        why, source = "top of the discard pile", table.pile[-1:]
    else:
        source = trick.uncaptured[:1]
        why = "the earliest card that nobody captures" if source else "neither a pile nor an uncaptured card is there"
    wanted = str(source[0]) if source else None
    if given != wanted:
        raise fault(place, f"extra is {shown(given)}, expected {shown(wanted)}: {why}")
    if source:
        del (table.pile or trick.uncaptured)[-1 if table.pile else 0]
    return source


def _judge_gift(place: str, given: Any, seat: int, trick: Trick, moved: list[Card], table: Table, game: Game) -> None:
    """Judge the offer of a card that its seat may not hold, and see to cards and points (round step 7)."""
    if given is None:
        raise fault(place, f"null is given, expected to and accepted: {_full(seat, table)}")
    check_keys(place, given, GIFT)
    neighbours = [(seat + 1) % game.seats, (seat - 1) % game.seats]
    if not is_whole(given["to"]) or given["to"] not in neighbours:
        raise fault(place, f"to is {shown(given['to'])}, expected a neighbour of seat {seat}: {shown(neighbours)}")
    if not isinstance(given["accepted"], bool):
        raise fault(place, f"accepted is {shown(given['accepted'])}, expected true or false")
    if given["accepted"]:
        _accept(place, seat, given["to"], moved, table, game)
    else:
        table.pile += moved
        payer = trick.winner if game.rules.gift.penalty_falls_on == "trick_winner" else seat
        game.scores[payer] = max(0, game.scores[payer] - game.rules.gift.penalty)


def _accept(place: str, giver: int, receiver: int, moved: list[Card], table: Table, game: Game) -> None:
    """Lay a gift before its receiver; both score, which can end the game (readings T8 and T10)."""
    if _is_beyond(moved[0], table.bamboo[receiver], game.rules):
        raise fault(place, f"accepted is true, expected false: {_full(receiver, table)}")
    table.bamboo[receiver][moved[0].colour] += len(moved)
    for seat in (giver, receiver):
        game.scores[seat] += game.rules.gift.points
    game.ended_by_gift = max(game.scores) >= game.rules.score.target


def _full(seat: int, table: Table) -> str:
    return f"seat {seat} holds {', '.join(sorted(table.bamboo[seat]))} and may hold no other colour"


def _check_winners(given: Any, game: Game) -> None:
    wanted = winners(game.scores, game.rules.score.target)
    if not isinstance(given, list) or not all(map(is_whole, given)) or given != wanted:
        raise fault("record", f"winners is {shown(given)}, expected {wanted}")


# Lists


def _check_row(
    place: str, owner: dict[str, Any], key: str, wanted: list[int], is_right: Callable[[Any, Any], bool] = is_same
) -> None:
    """Check a list of one number for each seat."""
    for seat, (here, given) in enumerate(_each(place, owner, key, len(wanted))):
        if not is_right(given, wanted[seat]):
            raise fault(here, f"{shown(given)} is given, expected {wanted[seat]}")


def _each(
    place: str, owner: dict[str, Any], key: str, most: int, is_over: Callable[[], bool] | None = None
) -> Iterator[tuple[str, Any]]:
    """Yield each item of a list with its place; a fault where it has not as many as it must.

    It must have `most` of them, or as many as there are once `is_over` says so.
    """
    items = owner[key]
    name, first = ITEMS.get(key, (f"{key} of seat", 0))
    if not isinstance(items, list):
        raise fault(place or "record", f"{key} is {shown(items)}, expected a list of {_number(most, is_over)}")
    inside = f"{place}, {name}" if place else name
    count = 0
    while count < min(most, len(items)) and not (count and is_over and is_over()):
        yield f"{inside} {first + count}", items[count]
        count += 1
    over = count == most or bool(count and is_over and is_over())
    if len(items) > count:
        raise fault(f"{inside} {first + count}", f"one too many, expected {count} in all")
    if not over:
        raise fault(f"{inside} {first + count}", f"missing, expected {_number(most, is_over)} in all")


def _number(most: int, is_over: Callable[[], bool] | None) -> str:
    return f"up to {most}" if is_over and most > 1 else f"{most}"
