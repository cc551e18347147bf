"""A recorded game of Gara-tori in words (`simlib.telling`)."""

from collections.abc import Iterator, Mapping
from typing import Any

from simlib.cards import LETTERS
from simlib.games.gara_tori.parameters import GaraToriParameters
from simlib.games.gara_tori.referee import SPECIAL, Trick
from simlib.judging import Card
from simlib.languages import say
from simlib.telling import (
    DEAL,
    SCORING,
    Part,
    capital,
    card_of,
    colour_name,
    highest_wins,
    joined,
    points,
    spread_out,
    trick_title,
    why_highest,
    winning_card,
)

COLOURS = {"R": "red", "B": "blue", "G": "green", "Y": "yellow", "P": "purple", "O": "orange"}


def opening(record: Mapping[str, Any], rules: GaraToriParameters) -> tuple[str, ...]:
    """Return what patterns and specials do, and readings that differ from the usual ones."""
    told = [
        say("A card's number is its pattern. A card of a pattern that lies in the trick turns the lead to its colour.")
    ]
    if rules.deck.specials:
        told.append(say("A special (*) has no pattern; played while its colour leads, it locks the trick and wins it."))
    if not rules.lead.void_match_turns:
        told.append(say("A seat that can't follow doesn't turn the lead."))
    if not rules.follow.special_counts:
        told.append(say("A seat whose only card of the lead colour is a special need not follow."))
    return tuple(told)


def rounds(record: Mapping[str, Any], rules: GaraToriParameters) -> Iterator[Part]:
    """Yield the deal, each trick and the scoring of the one round."""
    for number, played in enumerate(record["rounds"], 1):
        hands = [[card_of(text) for text in hand] for hand in played["dealt"]]
        dealt = [
            say("Seat {seat}: {cards}", seat=seat, cards=spread_out(hand, LETTERS))
            for seat, hand in enumerate(played["dealt"])
        ]
        yield Part((number, DEAL), say("The deal: seat {seat} is the dealer", seat=played["dealer"]), tuple(dealt))
        for step, trick in enumerate(played["tricks"], 1):
            yield _trick((number, step), trick, hands, rules)
        scored = [_scored(played, seat) for seat in range(rules.players)]
        yield Part((number, SCORING), say("The score: the largest count of one colour"), tuple(scored))


def ending(record: Mapping[str, Any], rules: GaraToriParameters) -> str:
    """Return who wins and why."""
    return highest_wins(record)


def _trick(key: tuple[int, int], given: Mapping[str, Any], hands: list[list[Card]], rules: GaraToriParameters) -> Part:
    """Return a trick in words; its cards leave the hands."""
    trick, lines = Trick(rules), []
    for seat, text in given["plays"]:
        card, hand = card_of(text), hands[seat]
        is_void = trick.is_void(hand)
        lines.append(_play(seat, card, _does(card, trick, is_void=is_void), _freedom(hand, trick)))
        hand.remove(card)
        trick.add(card, is_void=is_void)
    outcome = say("Seat {seat} wins: {why}.", seat=given["winner"], why=_why(given, trick))
    return Part(key, trick_title(key[1], given), tuple(lines), (outcome,))


def _play(seat: int, card: Card, does: str, freedom: str) -> str:
    if freedom:
        return say("Seat {seat}, {freedom}: {card} {does}", seat=seat, freedom=freedom, card=str(card), does=does)
    return say("Seat {seat}: {card} {does}", seat=seat, card=str(card), does=does)


def _freedom(hand: list[Card], trick: Trick) -> str:
    """Return why a seat that answers need not follow; empty where it must."""
    if not trick.cards or not trick.is_void(hand):
        return ""
    if any(card.colour == trick.lead for card in hand):
        return say("not obliged by its special")
    return say("void in {colour}", colour=_colour(trick.lead))


def _does(card: Card, trick: Trick, *, is_void: bool) -> str:
    """Return what a card does to a trick."""
    if card.rank == SPECIAL:
        return _special_does(card, trick)
    if not trick.cards:
        return say("leads {colour}", colour=_colour(card.colour))
    if trick.lock is None and trick.is_played_pattern(card) and (trick.rules.lead.void_match_turns or not is_void):
        return _turns(card, trick)
    if card.colour == trick.lead:
        return say("follows")
    if not trick.is_played_pattern(card):
        return say("is thrown away")
    if trick.lock is not None:
        return say("has a pattern that lies there, but the trick is locked")
    return say("has a pattern that lies there, but a seat that can't follow doesn't turn the lead")


def _special_does(card: Card, trick: Trick) -> str:
    if not trick.cards:
        return say("leads {colour} and locks the trick: it is a special", colour=_colour(card.colour))
    if card.colour != trick.lead:
        return say("has no power: {colour} leads", colour=_colour(trick.lead))
    if trick.lock is not None:
        return say("follows; the trick is locked already")
    return say("locks the trick: it is a special of the lead colour")


def _turns(card: Card, trick: Trick) -> str:
    """Return what a card of a played pattern does to the lead of a trick that isn't locked."""
    if card.colour == trick.lead:
        return say("follows; pattern {rank} lies there, so {colour} stays the lead",
                   rank=card.rank, colour=_colour(card.colour))  # fmt: skip
    return say(
        "turns the lead from {old} to {new}: pattern {rank} lies there",
        old=_colour(trick.lead), new=_colour(card.colour), rank=card.rank,
    )  # fmt: skip


def _why(given: Mapping[str, Any], trick: Trick) -> str:
    """Return why a trick was won."""
    card = winning_card(given)
    if trick.lock is not None:
        return say("{card} locked the trick", card=str(card))
    why = why_highest(card, trick.cards, _colour(trick.lead))
    place = [seat for seat, _ in given["plays"]].index(given["winner"])
    if all(lead == trick.lead for lead in given["leads"][place:]):
        return why
    return say("{why}, counted though the lead turned to its colour later", why=why)


def _scored(played: Mapping[str, Any], seat: int) -> str:
    """Return what a seat took and scored."""
    counts = [say("{count} {colour}", count=count, colour=_colour(letter))
              for letter, count in played["taken"][seat].items() if count]  # fmt: skip
    score = capital(points(played["points"][seat]))
    return say("Seat {seat} took {cards}. {points}.", seat=seat, points=score,
               cards=joined(counts) if counts else say("nothing"))  # fmt: skip


def _colour(letter: str) -> str:
    return colour_name(letter, COLOURS)
