"""The cells of a CSV log: what people and spreadsheets write into them becomes values, or one sentence."""

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from simlib.errors import BadInput, did_you_mean, one_line

SEPARATORS = ",;\t"
BETWEEN = "/"  # parts of one cell, such as all scores of a game
ANSWERS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
DATE = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{2,4}|\d{1,2}[-. ]*[A-Za-z]{3,9}[-. ]*\d*|[A-Za-z]{3}[-. ]\d+|\d+月\d+日")
Part = TypeVar("Part")


class Impossible(Exception):
    """A cell that can't be.

    Attributes
    ----------
    column, text : str
        Where it stands; what is there, and what it must be.
    """

    def __init__(self, column: str, text: str) -> None:
        super().__init__(f"{column}: {text}")
        self.column, self.text = column, text


class Row:
    """One line of a log by column; columns that aren't there are empty.

    Attributes
    ----------
    line : int
        Where it begins in the file, from 1.
    """

    def __init__(self, line: int, cells: Mapping[str, str]) -> None:
        self.line, self._cells = line, cells

    def text(self, column: str) -> str:
        """Return a cell as it was written, without blanks around it."""
        return self._cells.get(column, "").strip()

    def value(self, column: str) -> str:
        """Return a cell's text with digits and signs of full width made plain."""
        return unicodedata.normalize("NFKC", self.text(column)).strip()

    def parts(self, column: str) -> list[str]:
        """Return the parts of a cell that are set off by slashes."""
        return [part.strip() for part in self.value(column).split(BETWEEN)]

    def whole(self, column: str, least: int, most: int) -> int | None:
        """Return a cell's whole number; None where it is empty."""
        return whole(column, self.value(column), least, most) if self.value(column) else None

    def yes(self, column: str) -> bool | None:
        """Return a cell's yes or no; None where it is empty."""
        told = self.value(column).casefold()
        if told and told not in ANSWERS:
            raise Impossible(column, f"{shown(self.text(column))}: it must be yes or no")
        return ANSWERS.get(told)

    def by_round(
        self, start: str, seats: int, rounds: int, read: Callable[[str, str], Part]
    ) -> list[list[Part]] | None:
        """Return what the seats did in each round, (seats, rounds); None where no seat's cell says.

        Parameters
        ----------
        start : str
            What the columns' names have before the seat's number.
        read : callable
            Takes a column and a part of its cell.
        """
        columns = [f"{start}{seat}" for seat in range(seats)]
        filled = [column for column in columns if self.value(column)]
        if not filled:
            return None
        for column in columns:
            if column not in filled:
                raise Impossible(column, f"empty, while {filled[0]} isn't: it must be given for all seats or for none")
            if len(self.parts(column)) != rounds:
                given = f"{shown(self.text(column))}: it must have {rounds} parts, one a round, set off by {BETWEEN}"
                raise Impossible(column, given + perhaps_a_date(self.text(column)))
        return [[read(column, part) for part in self.parts(column)] for column in columns]


def whole(column: str, text: str, least: int, most: int) -> int:
    """Return the whole number in a text; spreadsheets may have put ``.0`` behind it.

    Raises
    ------
    Impossible
        If it isn't one, or out of bounds.
    """
    found = re.fullmatch(r"([+-]?[0-9]{1,9})([.,]0{1,2})?", text)
    if not found or not least <= int(found[1]) <= most:
        wanted = f"a whole number from {least} to {most}" if most > least else f"{least}"
        raise Impossible(column, f"{shown(text)}: it must be {wanted}{perhaps_a_date(text)}")
    return int(found[1])


def perhaps_a_date(text: str) -> str:
    """Return a hint where a spreadsheet seems to have made a date of what was typed."""
    found = DATE.fullmatch(text.strip())
    return " (if a spreadsheet made a date of it, format the column as text)" if found else ""


def shown(text: str) -> str:
    """Return a cell's text for an error line."""
    return repr(one_line(text, 60))


def rows_of(text: str, known: Sequence[str]) -> Iterator[Row]:
    """Yield the lines of a CSV text that hold anything; its first one names the columns.

    Parameters
    ----------
    known : sequence of str
        Names of columns; one that ends in ``_`` stands for a column a seat, from ``_0`` on.

    Raises
    ------
    BadInput
        If a column has no name, one of another meaning or one that is there twice, or the quotes don't match: the
        message begins with the line.
    """
    separator, skipped = _separator(text)
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    columns: list[str] = []
    line = 1
    try:
        for number, cells in enumerate(lines):
            if number >= skipped and any(cell.strip() for cell in cells):
                if columns:
                    yield Row(line, _named(line, columns, cells))
                else:
                    columns = [_column(line, cell, known) for cell in cells]
                    _check_once(line, columns)
            line = lines.line_num + 1
    except csv.Error as fault:
        raise BadInput(f"line {line}: not CSV: {fault}") from None


def _separator(text: str) -> tuple[str, int]:
    """Return what sets cells off, and how many lines only say so, as spreadsheets write it."""
    first = text.partition("\n")[0].strip().strip('"')
    if told := re.fullmatch("sep=(.)", first, re.IGNORECASE):
        return told[1], 1
    return max(SEPARATORS, key=first.count), 0


def _column(line: int, cell: str, known: Sequence[str]) -> str:
    """Return a column's name; upper case, blanks and hyphens are as good as what is documented."""
    name = re.sub(r"[\s-]+", "_", unicodedata.normalize("NFKC", cell).strip().casefold())
    seat = re.fullmatch(r"(.+_)(0|[1-9][0-9]?)", name)
    if name and name not in known and (seat is None or seat[1] not in known):
        spelled = [f"{each}0" if each.endswith("_") else each for each in known]
        raise BadInput(f"line {line}: unknown column {shown(cell.strip())}" + did_you_mean(name, spelled))
    if name.endswith("_"):
        raise BadInput(f"line {line}: column {shown(cell.strip())} lacks its seat, such as {name}0")
    return name


def _check_once(line: int, columns: Sequence[str]) -> None:
    for name in columns:
        if name and columns.count(name) > 1:
            raise BadInput(f"line {line}: two columns are named {name}")


def _named(line: int, columns: Sequence[str], cells: Sequence[str]) -> dict[str, str]:
    for place, cell in enumerate(cells):
        if cell.strip() and (place >= len(columns) or not columns[place]):
            raise BadInput(f"line {line}: {shown(cell.strip())} stands in column {place + 1}, which has no name")
    return {name: cell for name, cell in zip(columns, cells, strict=False) if name}
