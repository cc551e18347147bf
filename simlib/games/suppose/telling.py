"""A recorded game of Suppose in words (`simlib.telling`)."""

from collections.abc import Iterator, Mapping
from typing import Any

from simlib.games.suppose.parameters import SupposeParameters
from simlib.languages import say
from simlib.telling import (
    DEAL,
    SCORING,
    Part,
    answered,
    capital,
    cards_in,
    colour_name,
    highest_wins,
    plain,
    points,
    trick_title,
    why_highest,
    winning_card,
)

COLOURS = {"R": "red", "B": "blue", "G": "green", "Y": "yellow", "P": "purple", "O": "orange"}


def opening(record: Mapping[str, Any], rules: SupposeParameters) -> tuple[str, ...]:
    """Return what a game was played for, and how hands are written."""
    seen = say("Its holder sees the cards in [brackets] alone, the others all but these.")
    if not rules.hand.visible:
        seen = say("Its holder sees none of its cards, the others all.")
    hands = say("A hand stands as its maker laid it out, from left to right. {seen}", seen=seen)
    pays = say(
        "A trick pays {trick}; a right bid with one guess {single}, with two {double}.",
        trick=points(rules.score.trick), single=points(rules.bid.single), double=points(rules.bid.double),
    )  # fmt: skip
    return hands, pays


def rounds(record: Mapping[str, Any], rules: SupposeParameters) -> Iterator[Part]:
    """Yield each round's hands and bids, its tricks and its scoring."""
    for number, played in enumerate(record["rounds"], 1):
        title = say("Round {round}: seat {seat} starts", round=number, seat=played["start"])
        yield Part((number, DEAL), title, tuple(_hand(hand, rules) for hand in played["hands"]))
        won = [0] * rules.players
        for step, trick in enumerate(played["tricks"], 1):
            won[trick["winner"]] += 1
            yield _trick((number, step), trick, won[trick["winner"]], rules)
        title = say("Round {round} is scored", round=number)
        yield Part((number, SCORING), title, tuple(_scored(played, seat, rules) for seat in range(rules.players)))


def ending(record: Mapping[str, Any], rules: SupposeParameters) -> str:
    """Return who wins and why."""
    return highest_wins(record)


def _hand(hand: Mapping[str, Any], rules: SupposeParameters) -> str:
    shown = [f"[{card}]" if position in rules.hand.visible else card for position, card in enumerate(hand["layout"], 1)]
    return say(
        "Seat {holder} gets {cards} from seat {maker}, {bid}.",
        holder=hand["holder"], maker=hand["maker"], cards=" ".join(shown), bid=_bid(hand),
    )  # fmt: skip


def _bid(hand: Mapping[str, Any]) -> str:
    if not hand["bid"]:
        return say("which guesses nothing")
    return say("which guesses that seat {holder} wins {tricks}", holder=hand["holder"], tricks=_guessed(hand["bid"]))


def _guessed(bid: list[int]) -> str:
    """Return one or two guesses as a phrase."""
    if len(bid) == 1:
        return _tricks(bid[0])
    return say("{one} or {other} tricks", one=bid[0], other=bid[1])


def _tricks(count: int) -> str:
    return say("1 trick") if count == 1 else say("{count} tricks", count=count)


def _trick(key: tuple[int, int], trick: Mapping[str, Any], won: int, rules: SupposeParameters) -> Part:
    cards = cards_in(trick)
    colour = colour_name(cards[0].colour, COLOURS)
    lines = tuple(
        _play(play, answered(cards[place], cards[:place], colour), rules) for place, play in enumerate(trick["plays"])
    )
    why = why_highest(winning_card(trick), cards, colour)
    outcome = say(
        "Seat {seat} wins: {why}. {tricks} so far.", seat=trick["winner"], why=why, tricks=capital(_tricks(won))
    )
    return Part(key, trick_title(key[1], trick), lines, (outcome,))


def _play(play: tuple[int, int, str], does: str, rules: SupposeParameters) -> str:
    seat, position, card = play
    if position in rules.hand.visible:
        return say("Seat {seat}: {card} (seen by it) {does}", seat=seat, card=card, does=does)
    return say("Seat {seat}: {card} (unseen by it) {does}", seat=seat, card=card, does=does)


def _scored(played: Mapping[str, Any], seat: int, rules: SupposeParameters) -> str:
    """Return how a seat scored in a round, line by line."""
    tricks = played["tricks_won"][seat]
    return say(
        "Seat {seat}: {paid} for {tricks}; {bid}. {points} in this round, {total} in all.",
        seat=seat,
        paid=points(tricks * rules.score.trick),
        tricks=_tricks(tricks),
        bid=_judged(played, played["hands"][seat], seat),
        points=capital(points(played["points"][seat])),
        total=plain(played["totals"][seat]),
    )


def _judged(played: Mapping[str, Any], hand: Mapping[str, Any], seat: int) -> str:
    """Return whether a seat's bid was right."""
    if not hand["bid"]:
        return say("it guessed nothing")
    guess, holder, won = _guessed(hand["bid"]), hand["holder"], played["tricks_won"][hand["holder"]]
    if won not in hand["bid"]:
        return say("it guessed {guess} for seat {holder}, which won {won}: wrong", guess=guess, holder=holder, won=won)
    return say(
        "it guessed {guess} for seat {holder}, which won {won}: right, {bonus}",
        guess=guess, holder=holder, won=won, bonus=points(played["bonus"][seat]),
    )  # fmt: skip
