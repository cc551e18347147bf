"""A recorded game in words that a person at a table can follow, in the language that is spoken.

A tale is made of a record alone, once its referee has accepted it. Each game's ``telling.py`` has ``opening`` (the
rules that this game was played by), ``rounds`` (a part for each deal, trick and scoring) and ``ending`` (who wins and
why); here is what they share, and two tales of one deal side by side.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from simlib.games import game_named
from simlib.judging import Card
from simlib.languages import say
from simlib.variants import Variant

DEAL, SCORING = 0, 10**6  # steps of a round, before and after its tricks, which count from 1
START, END = (0, 0), (10**6, 0)  # of a game
ARROW = "\u2192"


class Part(NamedTuple):
    """A deal, a trick, the scoring of a round, or what comes before and after all of them.

    Attributes
    ----------
    key : (int, int)
        Round and step: parts of two tales with the same key tell of the same moment.
    title : str
    lines : tuple of str
        What happens, in order.
    outcome : tuple of str
        What comes of it.
    """

    key: tuple[int, int]
    title: str
    lines: tuple[str, ...]
    outcome: tuple[str, ...] = ()

    @property
    def is_trick(self) -> bool:
        """Whether it tells of a trick."""
        return DEAL < self.key[1] < SCORING and START < self.key < END


class Tale(NamedTuple):
    """A whole game in words."""

    title: str
    parts: tuple[Part, ...]


class Beside(NamedTuple):
    """A moment of two games side by side; None where a game has no such moment."""

    one: Part | None
    other: Part | None

    @property
    def same(self) -> bool:
        """Whether the same happens in both."""
        return self.one == self.other


class SideBySide(NamedTuple):
    """Two games moment by moment, and what to call each."""

    titles: tuple[str, str]
    rows: tuple[Beside, ...]


def tale_of(record: Mapping[str, Any], variant: Variant) -> Tale:
    """Return a game in words, in the language that is spoken.

    Parameters
    ----------
    record : mapping
        A record that its referee has accepted.
    variant : Variant
        The variant that it names, as `records.variant_of` gives it.
    """
    game = game_named(variant.game)
    own, rules = game.module("telling"), variant.parameters
    opening = (_seating(record), *own.opening(record, rules))
    ending = (say("Final scores: {scores}.", scores=by_seat(record["scores"])),)
    return Tale(
        _title(record, game.title, variant.name),
        (
            Part(START, say("At the table"), opening),
            *own.rounds(record, rules),
            Part(END, say("The end"), ending, (own.ending(record, rules),)),
        ),
    )


def as_text(tale: Tale) -> str:
    """Return a tale as plain text, with a line end at its end."""
    told = [f"== {tale.title} =="]
    for part in tale.parts:
        told += ["", part.title, *_lines(part)]
    return "\n".join(told) + "\n"


def told_side_by_side(one: Tale, other: Tale, titles: tuple[str, str]) -> SideBySide:
    """Return two tales of one deal side by side, a row for each moment that either of them has.

    Parameters
    ----------
    titles : (str, str)
        What to call each, such as the names of two designs.
    """
    parts, others = ({part.key: part for part in tale.parts} for tale in (one, other))
    return SideBySide(titles, tuple(Beside(parts.get(key), others.get(key)) for key in sorted(parts | others)))


def side_by_side_as_text(told: SideBySide) -> str:
    """Return two tales as plain text: what is the same once, else one below the other, each behind its title."""
    lines = []
    for row in told.rows:
        if row.same and row.one:
            lines += ["", row.one.title, *_lines(row.one)]
            continue
        for title, part in zip(told.titles, row, strict=True):
            if part:
                lines += ["", f"[{title}] {part.title}", *_lines(part)]
    return "\n".join(lines[1:]) + "\n"


def _lines(part: Part) -> list[str]:
    return [f"  {line}" for line in (*part.lines, *(f"{ARROW} {line}" for line in part.outcome))]


# ---- words that games share ----------------------------------------------------------------------------------------


def card_of(text: str) -> Card:
    """Return the card that a record writes so."""
    return Card(text[0], 0 if text[1:] == "*" else int(text[1:]))


def cards_in(trick: Mapping[str, Any]) -> list[Card]:
    """Return the cards of a recorded trick in the order of play."""
    return [card_of(play[-1]) for play in trick["plays"]]


def winning_card(trick: Mapping[str, Any]) -> Card:
    """Return the card with which a recorded trick was won."""
    return next(card_of(play[-1]) for play in trick["plays"] if play[0] == trick["winner"])


def trick_title(number: int, trick: Mapping[str, Any]) -> str:
    """Return what a trick is called, and who leads it."""
    return say("Trick {number}: seat {seat} leads", number=number, seat=trick["leader"])


def spread_out(cards: Sequence[str], letters: str) -> str:
    """Return cards in the order of their colours' letters and rising ranks."""
    known = sorted(map(card_of, cards), key=lambda card: (letters.index(card.colour), card.rank))
    return " ".join(map(str, known))


def colour_name(letter: str, names: Mapping[str, str]) -> str:
    """Return what a colour is called; one that the published game doesn't have goes by its letter."""
    return say(names[letter]) if letter in names else say("colour {letter}", letter=letter)


def joined(parts: Sequence[str]) -> str:
    """Return parts as one phrase.

    Examples
    --------
    >>> joined(["a", "b", "c"])
    'a, b and c'
    """
    if len(parts) < 2:
        return "".join(parts)
    return say("{parts} and {last}", parts=say(", ").join(parts[:-1]), last=parts[-1])


def seats_named(seats: Sequence[int]) -> str:
    """Return seats as a phrase, such as ``seat 0 and seat 2``."""
    return joined([say("seat {seat}", seat=seat) for seat in seats])


def plain(number: float | Decimal) -> str:
    """Return a number of points as short as it can be written.

    Examples
    --------
    >>> plain(3), plain(2.5), plain(100.0)
    ('3', '2.5', '100')
    """
    return f"{Decimal(str(number)).normalize():f}"


def points(number: float | Decimal) -> str:
    """Return a number of points as a phrase."""
    return say("1 point") if number == 1 else say("{number} points", number=plain(number))


def by_seat(numbers: Sequence[float]) -> str:
    """Return one number for each seat as a phrase.

    Examples
    --------
    >>> by_seat([7, 2.5])
    '7 (seat 0), 2.5 (seat 1)'
    """
    return say(", ").join(
        say("{number} (seat {seat})", seat=seat, number=plain(number)) for seat, number in enumerate(numbers)
    )


def answered(card: Card, before: Sequence[Card], colour: str) -> str:
    """Return what a card does that is played where nobody need follow.

    Parameters
    ----------
    before : sequence of Card
        Those played before it to the trick, the leader's first; none where it leads.
    colour : str
        What the leader's colour is called.
    """
    if not before:
        return say("leads {colour}", colour=colour)
    if card.colour != before[0].colour:
        return say("is of another colour and can't win")
    best = max(played for played in before if played.colour == card.colour)
    if card.rank > best.rank:
        return say("follows, above {best}", best=str(best))
    if card.rank == best.rank:
        return say("follows, too late: an equal card lies there")
    return say("follows, below {best}", best=str(best))


def why_highest(card: Card, cards: Sequence[Card], colour: str) -> str:
    """Return why a card of the lead colour, called `colour`, wins among the cards of its trick."""
    same_colour = [other for other in cards if other.colour == card.colour]
    equal = same_colour.count(card)
    if len(same_colour) == 1:
        return say("{card} is the only {colour} card", card=str(card), colour=colour)
    if equal > 1:
        return say(
            "{card} is the highest {colour} card, the earliest of {equal} equal ones",
            card=str(card), colour=colour, equal=equal,
        )  # fmt: skip
    return say("{card} is the highest {colour} card", card=str(card), colour=colour)


def highest_wins(record: Mapping[str, Any]) -> str:
    """Return who wins a game in which the highest final score does."""
    winners, best = record["winners"], points(max(record["scores"]))
    if len(winners) == 1:
        return say("Seat {seat} wins with the highest score, {best}.", seat=winners[0], best=best)
    return say(
        "{seats} share the win with the highest score, {best} each.", seats=capital(seats_named(winners)), best=best
    )


def capital(words: str) -> str:
    """Return words with a capital at their start."""
    return words[:1].upper() + words[1:]


# ---- parts ---------------------------------------------------------------------------------------------------------


def _title(record: Mapping[str, Any], game: str, variant: str) -> str:
    facts = {"game": say(game), "variant": variant, "index": record["index"], "seed": record["seed"]}
    if record["seed"] is None:
        return say("{game} ({variant}): a game played at the table").format(**facts)
    return say("{game} ({variant}): game {index} of seed {seed}").format(**facts)


def _seating(record: Mapping[str, Any]) -> str:
    template = say("seat {seat} ({player})")  # names stay as they are, whatever a catalogue has
    seats = [template.format(seat=seat, player=player) for seat, player in enumerate(record["players"])]
    return say("Clockwise, each the left neighbour of the one before: {seats}.").format(seats=say(", ").join(seats))
