"""A recorded game of Take-Trick in words (`simlib.telling`)."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from simlib.games.take_trick.parameters import LETTERS, TakeTrickParameters
from simlib.games.take_trick.referee import SHINING, colour_points
from simlib.judging import Card
from simlib.languages import say
from simlib.telling import (
    DEAL,
    SCORING,
    Part,
    answered,
    by_seat,
    capital,
    card_of,
    cards_in,
    colour_name,
    joined,
    points,
    seats_named,
    spread_out,
    trick_title,
    why_highest,
    winning_card,
)

COLOURS = {"G": "green", "P": "pink", "S": "silver", "R": "red", "B": "blue", "Y": "yellow"}


@dataclass
class Table:
    """What a record leaves to be counted up to now: scores, what lies before each seat, cards on the discard pile."""

    rules: TakeTrickParameters
    trump: int
    scores: list[int]
    bamboo: list[Counter[str]] = field(default_factory=list)
    pile: int = 0

    def is_full(self, seat: int, card: Card) -> bool:
        """Tell whether a card's colour would be one too many before a seat."""
        return card.colour not in self.bamboo[seat] and len(self.bamboo[seat]) >= self.rules.colours.max

    def held(self, seat: int) -> str:
        """Return the colours before a seat as a phrase."""
        return joined([_colour(letter) for letter in sorted(self.bamboo[seat], key=LETTERS.index)])


def opening(record: Mapping[str, Any], rules: TakeTrickParameters) -> tuple[str, ...]:
    """Return the trump, and what a game was played for."""
    most, target = rules.colours.max, rules.score.target
    told = [
        say("Rank {rank} is trump: it beats all other ranks, whatever the colour.", rank=record["trump"]),
        say("No seat may have more than {most} colours before it: a card beyond is offered to a neighbour.", most=most),
        say("An accepted gift pays giver and receiver {reward}; a refused one costs {payer} {penalty}.",
            reward=points(rules.gift.points), penalty=points(rules.gift.penalty), payer=_payer(rules)),
        say("The game ends at {target} points, or after {rounds}.", target=target, rounds=_rounds(rules)),
    ]  # fmt: skip
    if rules.gift.extra == "forfeit":
        told.append(say("A trump that its seat may not have brings no extra card."))
    return tuple(told)


def _payer(rules: TakeTrickParameters) -> str:
    falls_on_winner = rules.gift.penalty_falls_on == "trick_winner"
    return say("the winner of the trick") if falls_on_winner else say("its giver")


def _rounds(rules: TakeTrickParameters) -> str:
    return say("1 round") if rules.rounds.max == 1 else say("{number} rounds", number=rules.rounds.max)


def rounds(record: Mapping[str, Any], rules: TakeTrickParameters) -> Iterator[Part]:
    """Yield each round's deal, first bamboos and passes, its tricks and its scoring."""
    table = Table(rules, record["trump"], [0] * rules.players)
    for number, played in enumerate(record["rounds"], 1):
        title = say("Round {round}: seat {seat} leads", round=number, seat=played["leader"])
        yield Part((number, DEAL), title, tuple(_set_up(played, seat) for seat in range(rules.players)))
        table.pile, table.bamboo = 0, [_first_bamboo(first) for first in played["first"]]
        for step, trick in enumerate(played["tricks"], 1):
            yield _trick((number, step), trick, table)
        table.scores = played["totals"]
        yield _scoring(number, played, rules)


def ending(record: Mapping[str, Any], rules: TakeTrickParameters) -> str:
    """Return who wins and why."""
    winners, target = record["winners"], rules.score.target
    reached = sum(score >= target for score in record["scores"])
    facts = {"seats": capital(seats_named(winners)), "points": points(record["scores"][winners[0]]), "target": target}
    if not reached and len(winners) == 1:
        return say("{seats} wins: nobody has reached {target}, and {points} is the highest score.", **facts)
    if not reached:
        return say("{seats} share the win: nobody has reached {target}, and {points} is the highest score.", **facts)
    if reached == 1:
        return say("{seats} wins: it alone has reached {target}, with {points}.", **facts)
    if len(winners) == 1:
        return say("{seats} wins: of those that have reached {target} it is the nearest to it, with {points}.", **facts)
    return say(
        "{seats} share the win: of those that have reached {target} they are the nearest to it, with {points}.", **facts
    )


# ---- setting up ----------------------------------------------------------------------------------------------------


def _set_up(played: Mapping[str, Any], seat: int) -> str:
    """Return a seat's hand, its first bamboo and what it passes."""
    seats = len(played["dealt"])
    dealt = say("Seat {seat}: {cards}. First bamboo: {first}.", seat=seat, first=_first(played["first"][seat]),
                cards=spread_out(played["dealt"][seat], LETTERS))  # fmt: skip
    if not played["passes"]:
        return dealt
    passes = played["passes"][seat]
    return say(
        "{dealt} It passes {left} to seat {left_seat} on its left and {right} to seat {right_seat} on its right.",
        dealt=dealt, left=passes["left"], left_seat=(seat + 1) % seats,
        right=passes["right"], right_seat=(seat - 1) % seats,
    )  # fmt: skip


def _first(first: Mapping[str, Any]) -> str:
    if first["card"] == SHINING:
        return say("a shining one, of no colour")
    if first["extra"] is None:
        return str(first["card"])
    return say(
        "{card}, a trump, so {extra} lies face down on it and counts as {colour} too",
        card=first["card"], extra=_drawn(first["extra"]), colour=_colour(card_of(first["card"]).colour),
    )  # fmt: skip


def _drawn(card: str) -> str:
    return say("a shining one") if card == SHINING else card


def _first_bamboo(first: Mapping[str, Any]) -> Counter[str]:
    if first["card"] == SHINING:
        return Counter()
    return Counter({card_of(first["card"]).colour: 1 if first["extra"] is None else 2})


# ---- tricks --------------------------------------------------------------------------------------------------------


def _trick(key: tuple[int, int], trick: Mapping[str, Any], table: Table) -> Part:
    """Return a trick in words, and settle it on the table."""
    cards = cards_in(trick)
    lines = [
        say("Seat {seat}: {card} {does}", seat=seat, card=text, does=_does(cards[place], cards[:place], table.trump))
        for place, (seat, text) in enumerate(trick["plays"])
    ]
    before = list(table.scores)
    outcome = [say("Seat {seat} wins: {why}.", seat=trick["winner"], why=_why(trick, cards, table.trump))]
    from_pile = table.pile > 0
    for capture in trick["captures"]:
        outcome += _capture(capture, trick["winner"], table, from_pile=from_pile)
    extras = sum(capture["extra"] is not None for capture in trick["captures"])
    table.pile += len(cards) - len(trick["captures"]) - extras
    if table.scores != before:
        outcome.append(say("Scores: {scores}.", scores=by_seat(table.scores)))
    return Part(key, trick_title(key[1], trick), tuple(lines), tuple(outcome))


def _does(card: Card, before: list[Card], trump: int) -> str:
    """Return what a card does where nobody need follow and a trump beats all."""
    earlier = next((other for other in before if other.rank == trump), None)
    if card.rank != trump and earlier:
        return say("loses to the trump {card}", card=str(earlier))
    if card.rank != trump:
        return answered(card, before, _colour(card.colour))
    if earlier:
        return say("is a trump, too late: {card} came earlier", card=str(earlier))
    if before:
        return say("is a trump and beats what lies there")
    return say("leads {colour} with a trump", colour=_colour(card.colour))


def _why(trick: Mapping[str, Any], cards: list[Card], trump: int) -> str:
    """Return why a trick was won."""
    card, trumps = winning_card(trick), sum(other.rank == trump for other in cards)
    if not trumps:
        return why_highest(card, cards, _colour(card.colour))
    if trumps == 1:
        return say("{card} is the only trump", card=str(card))
    return say("{card} is the earliest of {trumps} trumps", card=str(card), trumps=trumps)


def _capture(capture: Mapping[str, Any], winner: int, table: Table, *, from_pile: bool) -> list[str]:
    """Return what becomes of a captured card and its extra one, and see to it on the table."""
    seat, card, extra = capture["seat"], card_of(capture["card"]), capture["extra"]
    if capture["gift"] is not None:
        return _gift(capture, winner, table)
    table.bamboo[seat][card.colour] += 1 if extra is None else 2
    if seat != winner:
        return [say("Seat {seat} captures {card}: it is a 1 of the leader's colour.", seat=seat, card=str(card))]
    if extra is None and card.rank == table.trump:
        return [say("Seat {seat} captures {card}; no extra card is left for it.", seat=seat, card=str(card))]
    if extra is None:
        return [say("Seat {seat} captures {card}.", seat=seat, card=str(card))]
    facts = {"seat": seat, "card": str(card), "extra": extra, "colour": _colour(card.colour)}
    if from_pile:
        return [
            say("Seat {seat} captures {card}, and {extra} from the discard pile as one more {colour} card.", **facts)
        ]
    return [say("Seat {seat} captures {card}, and {extra} of this trick as one more {colour} card.", **facts)]


# ---- gifts ---------------------------------------------------------------------------------------------------------


def _gift(capture: Mapping[str, Any], winner: int, table: Table) -> list[str]:
    """Return how a card that its seat may not have is offered and what comes of it, and see to it on the table."""
    card, extra, giver, receiver = card_of(capture["card"]), capture["extra"], capture["seat"], capture["gift"]["to"]
    facts = {"giver": giver, "receiver": receiver, "card": str(card), "held": table.held(giver), "extra": extra}
    if extra is None:
        told = say("Seat {giver} may not have {card} besides {held}: it offers it to seat {receiver}.", **facts)
    else:
        told = say(
            "Seat {giver} may not have {card} besides {held}: it offers it, with {extra} as its extra card, "
            "to seat {receiver}.", **facts
        )  # fmt: skip
    moved = 1 if extra is None else 2
    if capture["gift"]["accepted"]:
        return [told, *_accepted(giver, receiver, card, moved, table)]
    payer = winner if table.rules.gift.penalty_falls_on == "trick_winner" else giver
    return [told, _refused(receiver, payer, card, moved, table)]


def _accepted(giver: int, receiver: int, card: Card, moved: int, table: Table) -> list[str]:
    table.bamboo[receiver][card.colour] += moved
    reward, target = table.rules.gift.points, table.rules.score.target
    table.scores = [score + reward * (seat in (giver, receiver)) for seat, score in enumerate(table.scores)]
    told = say("Seat {receiver} accepts: {points} for each of the two.", receiver=receiver, points=points(reward))
    reached = [seat for seat, score in enumerate(table.scores) if score >= target]
    if not reached:
        return [told]
    facts = {"target": target, "seats": seats_named(reached)}
    return [told, say("That is {target} points or more for {seats}: the game ends at once.", **facts)]


def _refused(receiver: int, payer: int, card: Card, moved: int, table: Table) -> str:
    lost = min(table.scores[payer], table.rules.gift.penalty)
    table.scores = [score - lost * (seat == payer) for seat, score in enumerate(table.scores)]
    table.pile += moved
    facts = {"receiver": receiver, "payer": payer, "points": points(lost)}
    if table.is_full(receiver, card):
        held = table.held(receiver)
        return say("Seat {receiver} must refuse, as it has {held}: seat {payer} loses {points}.", held=held, **facts)
    return say("Seat {receiver} refuses, though it may accept: seat {payer} loses {points}.", **facts)


# ---- scoring -------------------------------------------------------------------------------------------------------


def _scoring(number: int, played: Mapping[str, Any], rules: TakeTrickParameters) -> Part:
    """Return a round's scoring, a line a colour; a gift that ends the game leaves it out."""
    if played["ended_by_gift"]:
        return Part((number, SCORING), say("Round {round} is not scored: a gift has ended the game", round=number), ())
    lines = [_colour_scored(letter, [bamboo[letter] for bamboo in played["bamboo"]])
             for letter in LETTERS[: rules.deck.colours]]  # fmt: skip
    outcome = (
        say("Points of the round: {points}.", points=by_seat(played["points"])),
        say("Scores: {scores}.", scores=by_seat(played["totals"])),
    )
    return Part((number, SCORING), say("Round {round} is scored", round=number), tuple(lines), outcome)


def _colour_scored(letter: str, counts: list[int]) -> str:
    """Return what each seat scores for its cards of a colour, those with most first."""
    earned = colour_points(counts)
    groups = [_group(count, counts, earned) for count in sorted(set(counts) - {0}, reverse=True)]
    told = say("; ").join(groups) if groups else say("nobody has any")
    return say("{colour}: {told}.", colour=capital(_colour(letter)), told=told)


def _group(count: int, counts: list[int], earned: list[int]) -> str:
    seats = [seat for seat, own in enumerate(counts) if own == count]
    facts = {"seats": seats_named(seats), "count": count, "number": len(seats), "points": points(earned[seats[0]])}
    if not earned[seats[0]]:
        return say("{seats} alone has the most, {count}, and scores nothing", **facts)
    if len(seats) == 1:
        return say("{seats} has {count}, {points}", **facts)
    return say("{seats} have {count} each, {count} x {number} = {points} each", **facts)


def _colour(letter: str) -> str:
    return colour_name(letter, COLOURS)
