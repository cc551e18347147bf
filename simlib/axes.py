"""A space of variants as it is typed, ``players=3..4 deck.copies=1..4 bid.double=2,2.5,3``: its axes and its cells."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, NoReturn

from simlib.errors import BadInput, did_you_mean
from simlib.games import Game
from simlib.variants import brief, parameter_names, read_settings, split_outside, split_settings

MOST_CELLS = 10_000
MOST_DIGITS = 40
COPIES = "deck.copies"  # the one parameter with keys below it: colours and ranks
EXAMPLE = 'such as "players=3..4 bid.double=2..5:0.5"'


@dataclass(frozen=True)
class Axis:
    """A parameter and the values that it takes, each once, in the order in which they were typed.

    Attributes
    ----------
    key : str
        The parameter's dotted name; below ``deck.copies`` a colour's or a rank's, too.
    values : tuple
        As TOML would read them.
    """

    key: str
    values: tuple[Any, ...]

    @property
    def numeric(self) -> bool:
        """Whether all values are numbers."""
        return all(isinstance(value, int | float) and not isinstance(value, bool) for value in self.values)


def parse_axes(text: str, where: str, most: int = MOST_CELLS) -> list[Axis]:
    """Return the axes in a text: ``key=values``, parted by blanks outside quotes and brackets.

    Parameters
    ----------
    text : str
        Values are parted by commas outside quotes and brackets. Each is a value as in ``SET``, or a range: ``a..b`` of
        whole numbers, ``a..b:step`` of exact decimals.
    where : str
        What to call the text in an error.
    most : int
        Cells that they may make.

    Raises
    ------
    BadInput
        If there is no axis, if one comes twice or can't be read, or if they make too many cells.

    Examples
    --------
    >>> parse_axes("bid.double=2..3:0.5 deck.copies=1,[1,2,3]", "SWEEP")
    [Axis(key='bid.double', values=(2, 2.5, 3)), Axis(key='deck.copies', values=(1, [1, 2, 3]))]
    """
    axes: dict[str, Axis] = {}
    for setting in split_settings(text):
        axis = _axis(setting, where)
        if axis.key in axes:
            raise BadInput(f"{where}: {brief(axis.key)} is given twice")
        axes[axis.key] = axis
    if not axes:
        raise BadInput(f"{where}: it names no parameter to change, {EXAMPLE}")
    if (count := count_cells(list(axes.values()))) > most:
        _too_many(count, where, most)
    return list(axes.values())


def check_keys(axes: Sequence[Axis], game: Game, where: str) -> None:
    """Check that each axis is a parameter of a game.

    Raises
    ------
    BadInput
        If one isn't; it names the nearest that is.
    """
    known = parameter_names(game.model)
    for axis in axes:
        if axis.key not in known and not (COPIES in known and axis.key.rpartition(".")[0] == COPIES):
            raise BadInput(f"{where}: unknown key {brief(axis.key)} of {game.name}" + did_you_mean(axis.key, known))


def cells(axes: Sequence[Axis]) -> Iterator[dict[str, Any]]:
    """Yield the settings of each cell by dotted key; the last axis changes fastest.

    Examples
    --------
    >>> list(cells([Axis("a", (1, 2)), Axis("b", (3,))]))
    [{'a': 1, 'b': 3}, {'a': 2, 'b': 3}]
    """
    for values in product(*(axis.values for axis in axes)):
        yield {axis.key: value for axis, value in zip(axes, values, strict=True)}


def count_cells(axes: Sequence[Axis]) -> int:
    """Return how many cells there are, without making them."""
    return math.prod(len(axis.values) for axis in axes)


def _too_many(count: int, where: str, most: int) -> NoReturn:
    raise BadInput(f"{where}: {count:,} cells: at most {most:,} are allowed")


def _axis(setting: str, where: str) -> Axis:
    key, equals, text = setting.partition("=")
    if not equals or not text or not re.fullmatch(r"[A-Za-z_][\w-]*(\.[\w-]+)*", key):
        raise BadInput(f"{where}: {brief(setting)} is not KEY=VALUES, {EXAMPLE}")
    found: dict[str, Any] = {}
    for part in split_outside(text, ",".__eq__):
        for value in _values(key, part.strip(), where):
            if repr(value) in found:
                raise BadInput(f"{where}: {key} takes the value {brief(value)} twice")
            found[repr(value)] = value
    return Axis(key, tuple(found.values()))


def _values(key: str, text: str, where: str) -> Sequence[Any]:
    """Return the one value in a text, or those of a range."""
    if not text:
        raise BadInput(f"{where}: {key} lacks a value beside a comma")
    if ".." in text and text[0] not in "\"'[{":
        return _range(key, text, where)
    return [read_settings([f"value={text}"], where)["value"]]


def _range(key: str, text: str, where: str) -> list[int | float]:
    number = r"([+-]?[0-9]+(?:\.[0-9]+)?)"
    found = re.fullmatch(rf"{number}\.\.{number}(?::{number})?", text)
    if not found or len(text) > MOST_DIGITS:
        raise BadInput(f"{where}: {key} = {brief(text)}: a range is a..b or a..b:step, such as 3..6 or 2..5:0.5")
    low, high, step = (Fraction(part or "1") for part in found.groups())
    if not found[3] and low.denominator * high.denominator > 1:
        raise BadInput(f"{where}: {key} = {brief(text)}: a range of decimals needs a step, such as 2..5:0.5")
    if step <= 0:
        raise BadInput(f"{where}: {key} = {brief(text)}: the step must be above 0")
    if high < low:
        raise BadInput(f"{where}: {key} = {brief(text)}: an empty range, as {found[1]} is above {found[2]}")
    count = (high - low) // step + 1
    if count > MOST_CELLS:  # before any is made
        _too_many(count, where, MOST_CELLS)
    return [_plain(low + place * step) for place in range(count)]


def _plain(number: Fraction) -> int | float:
    return int(number) if number.denominator == 1 else float(number)
