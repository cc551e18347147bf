"""Playtest logs, a CSV file or one of records: every line is checked against the rules before anything is played."""

import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from simlib import records
from simlib.errors import BadInput, RuleViolation, one_line
from simlib.playtest import own_part, points_text, unit_of
from simlib.playtest.cells import BETWEEN, Impossible, Row, perhaps_a_date, rows_of, shown
from simlib.variants import Variant, brief

MOST_BYTES = {"a CSV log": 1_000_000, "a log of records": 20_000_000}  # a record has some 10,000
MOST_GAMES = 10_000
MOST_TEXT = 500  # characters of a note, a date or a name that are kept
COLUMNS = {  # of the logs of all games; one that ends in _ is a column a seat
    "players": "how many played; as many as there are scores, where it is left out",
    "scores": "all final scores in one cell, clockwise, such as 23/17/25",
    "score_": "in place of that, the final score of each seat: score_0, score_1, ... clockwise",
    "winner": "who won: seat numbers from 0, or names; several set off by slashes, such as 0/2",
    "names": "who sat there, in the order of the scores, such as Ann/Bob/Cid",
    "start": "the seat that led the first trick, from 0",
    "date": "when, in any form",
    "note": "anything",
}
VariantFor = Callable[[int], Variant]  # takes a number of players


@dataclass(frozen=True)
class Played:
    """One game of a log.

    Attributes
    ----------
    line : int
        Where it begins in the file.
    scores : tuple of int
        By seat, in 1/unit points.
    winners : tuple of int
        Seats.
    start : int or None
        The seat that started, where it is known.
    counts : dict of str to int
        What the game's own part counts, as far as the log tells.
    names : tuple of str
        By seat; empty where they aren't told.
    date, note : str
    """

    line: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    start: int | None = None
    counts: dict[str, int] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    date: str = ""
    note: str = ""

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.scores)

    def plain(self) -> dict[str, Any]:
        """Return it as plain values."""
        return asdict(self)


def played_from(plain: Mapping[str, Any]) -> Played:
    """Return the game that plain values stand for."""
    rows = {name: tuple(plain[name]) for name in ("scores", "winners", "names")}
    return Played(**{**plain, **rows})


def read_log(path: Path, game: str, variant_for: VariantFor, called: str) -> list[Played]:
    """Return the games of a log in its order.

    Parameters
    ----------
    game : str
        The game's name.
    variant_for : callable
        Takes a number of players and returns the variant that was played; BadInput where there is none.
    called : str
        What the user called the file.

    Raises
    ------
    BadInput
        One line for the first fault: file, line, column, and what is possible.
    """
    content = _content(path, called)
    found: list[Played] = []
    try:
        for played in _games(content, game, cache(variant_for)):
            found.append(played)
            if len(found) > MOST_GAMES:
                raise BadInput(f"line {played.line}: more than the {MOST_GAMES:,} games that a log may have")
        if not found:
            raise BadInput("it holds no games")
    except BadInput as fault:
        raise BadInput(f"{called}: {fault}") from None
    return found


def _content(path: Path, called: str) -> bytes:
    most = max(MOST_BYTES.values())
    try:
        is_pipe = stat.S_ISFIFO(path.stat().st_mode)
        if is_pipe and path.parts[:2] != ("/", "dev"):  # one that nobody fills waits for ever
            raise BadInput(f"{called}: a pipe, not a file; a pipe goes through /dev/stdin")
        with path.open("rb") as file:
            return file.read(most + 1)
    except (OSError, ValueError) as fault:
        raise BadInput(f"{called}: can't be read: {getattr(fault, 'strerror', None) or fault}") from None


def _games(content: bytes, game: str, variant_for: VariantFor) -> Iterator[Played]:
    recorded = content.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")
    kind = "a log of records" if recorded else "a CSV log"
    if len(content) > MOST_BYTES[kind]:
        raise BadInput(f"larger than {MOST_BYTES[kind]:,} bytes, the most {kind} may have")
    yield from (_recorded if recorded else _written)(content, game, variant_for)


# ---- records -------------------------------------------------------------------------------------------------------


def _recorded(content: bytes, game: str, variant_for: VariantFor) -> Iterator[Played]:
    """Yield the games of records, a line each; the referee judges each of them."""
    for number, line in enumerate(content.split(b"\n"), 1):
        if line.strip():
            try:
                records.judge(line)
            except RuleViolation as fault:
                raise BadInput(f"line {number}: {fault}") from None
            yield _of_record(number, records.parse(line), game, variant_for)


def _of_record(number: int, record: dict[str, Any], game: str, variant_for: VariantFor) -> Played:
    variant = records.variant_of(record)
    if variant.game != game:
        raise BadInput(f"line {number}, game: {brief(variant.game)}: it must be {game!r}, the game that is compared")
    _check_same(number, variant, _asked(number, len(record["players"]), variant_for))
    rules = variant.parameters
    first = record["rounds"][0]
    return Played(
        number,
        tuple(int(Decimal(str(score)) * unit_of(rules)) for score in record["scores"]),
        tuple(record["winners"]),
        next(int(first[key]) for key in ("start", "leader", "dealer") if key in first),
        own_part(game).recorded(record, rules),
        tuple(map(_kept, record["players"])),
    )


def _check_same(number: int, variant: Variant, asked: Variant) -> None:
    """Check that a record was played by the variant that it is compared with."""
    own, wanted = variant.flat(), asked.flat()
    for key in own:
        if own[key] != wanted[key]:
            raise BadInput(
                f"line {number}, parameters: {key} is {brief(own[key])}: it must be {brief(wanted[key])}, as in the "
                "variant that the games are compared with (VARIANT= and SET= choose it)"
            )


def _asked(number: int, players: int, variant_for: VariantFor) -> Variant:
    try:
        return variant_for(players)
    except BadInput as fault:
        told = str(fault).rpartition(f"players = {players}: ")[2]
        raise BadInput(f"line {number}, players: {players}: {told}") from None


# ---- CSV -----------------------------------------------------------------------------------------------------------


def _written(content: bytes, game: str, variant_for: VariantFor) -> Iterator[Played]:
    """Yield the games of a CSV file, a line each."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise BadInput(f"not UTF-8 text (byte {fault.start + 1}); save it as CSV UTF-8") from None
    if "\0" in text:
        raise BadInput("not CSV: it holds a zero byte")
    own = own_part(game)
    for row in rows_of(text, [*COLUMNS, *own.COLUMNS]):
        try:
            yield _of_row(row, own, variant_for)
        except Impossible as fault:
            raise BadInput(f"line {row.line}, {_own_column(row, fault.column)}: {fault.text}") from None


def _of_row(row: Row, own: Any, variant_for: VariantFor) -> Played:
    texts = _score_texts(row)
    row.whole("players", len(texts), len(texts))
    rules = _asked(row.line, len(texts), variant_for).parameters
    most = own.most(rules)
    scores = tuple(_score(f"score_{seat}", text, most, rules) for seat, text in enumerate(texts))
    counts = own.read(row, scores, rules)
    winners = own.winners(scores, rules)
    names = tuple(map(_kept, row.text("names").split(BETWEEN))) if row.text("names") else ()
    if names and len(names) != len(scores):
        raise Impossible("names", f"{shown(row.text('names'))}: it must be {len(scores)} names, as there are scores")
    _check_winner(row, names, winners, f"{own.WINS}, and the scores are {_told(scores, rules)}")
    start = row.whole("start", 0, len(scores) - 1)
    return Played(
        row.line, scores, tuple(winners), start, counts, names, _kept(row.text("date")), _kept(row.text("note"))
    )  # fmt: skip


def _score_texts(row: Row) -> list[str]:
    """Return the scores as they were written, by seat."""
    by_seat = [row.value(f"score_{seat}") for seat in range(100)]
    filled = max((seat + 1 for seat, text in enumerate(by_seat) if text), default=0)
    if filled and row.value("scores"):
        raise Impossible("scores", f"{shown(row.text('scores'))}: it must be empty where score_0 and the others aren't")
    if not filled and not row.value("scores"):
        raise Impossible("scores", "empty: it must hold all final scores, or score_0, score_1, ... one each")
    return by_seat[:filled] or row.parts("scores")


def _score(column: str, text: str, most: int, rules: Any) -> int:
    """Return a score in 1/unit points."""
    unit = unit_of(rules)
    number = re.fullmatch(r"[+-]?[0-9]{1,9}([.,][0-9]{1,2})?", text)
    score = Decimal(text.replace(",", ".")) * unit if number else None
    if score is None or score != int(score) or not 0 <= score <= most:
        steps = "a whole number of points" if unit == 1 else f"points in steps of {points_text(1, rules)}"
        wanted = f"{steps} from 0 to {points_text(most, rules)}"
        raise Impossible(column, f"{shown(text)}: it must be {wanted}{perhaps_a_date(text)}")
    return int(score)


def _check_winner(row: Row, names: tuple[str, ...], winners: list[int], why: str) -> None:
    """Check that who is said to have won did win by the scores."""
    if not row.text("winner"):
        return
    spelled = [_kept(part) for part in row.text("winner").split(BETWEEN)]
    wanted = [names[seat] if names else str(seat) for seat in winners]
    seats = {str(seat) for seat in winners}
    if sorted(spelled) != sorted(wanted) and set(row.parts("winner")) != seats:
        told = f"{shown(row.text('winner'))}: it must be {BETWEEN.join(wanted)}"
        raise Impossible("winner", f"{told} ({why})")


def _told(scores: Iterable[int], rules: Any) -> str:
    return BETWEEN.join(points_text(score, rules) for score in scores)


def _own_column(row: Row, column: str) -> str:
    """Return the column of a score as it is named in this file."""
    if not column.startswith("score"):
        return column
    if row.value("scores"):
        return "scores"
    return "score_0 and the others" if column == "scores" and row.value("score_0") else column


def _kept(text: str) -> str:
    return one_line(text.strip(), MOST_TEXT)
