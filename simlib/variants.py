"""A variant: a game and a value for each of its parameters, checked as a whole.

Everything a designer may write (a preset's name, a TOML file, ``key=value``) becomes one frozen
`Variant` or one `BadInput` sentence that names the place, the key, the value and what is allowed.
"""

import hashlib
import json
import re
import stat
import tomllib
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from simlib.cards import MOST_CARDS
from simlib.errors import BadInput, did_you_mean

COPIES = "copies"  # the key, of a deck, whose value may be a table
MOST_BYTES = 1_000_000  # of a variant file: far above any sheet, far below what hurts


class Parameters(BaseModel):
    """Base of a game's parameters: frozen, exact types, no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    def resolve(self) -> "Parameters":
        """Return the same parameters with every default filled in; ValueError where they don't fit."""
        raise NotImplementedError

    def spelled(self) -> dict[str, Any]:
        """Return the resolved parameters as nested plain values, in their shortest spelling."""
        raise NotImplementedError


def exact_decimal(value: Any) -> Decimal:
    """Return a number as an exact decimal with at most two places; ValueError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise ValueError("not a number")
    number = Decimal(str(value))
    if not number.is_finite() or abs(number) > 10**9 or number != round(number, 2):
        raise ValueError("not a decimal with at most two places")
    return number


def whole(key: str, value: Any, least: int, most: int) -> int:
    """Return `value` if it is a whole number within bounds; ValueError with a sentence if not."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"{key} = {brief(value)}: it must be a whole number from {least} to {most}")
    return value


class CopiesOver(dict[str, Any]):
    """A table of ``deck.copies`` by colour and rank, and the spelling of them that it is laid over."""

    def __init__(self, table: Mapping[str, Any], under: Any) -> None:
        super().__init__(table)
        self.under = under


def copies_table(given: Any, classic: list[int], letters: str) -> list[list[int]]:
    """Return the copies of each card by colour and rank from any spelling of ``deck.copies``.

    Parameters
    ----------
    given : object
        None for the classic ones, a number, a list by rank, or a table. A table has a number or a list by rank for
        some colours, by letter, and a number for some ranks, which holds in every colour and goes before its list.
    classic : list of int
        By rank; for what a table leaves out, unless it is laid over other copies.
    letters : str
        The colours' letters.

    Raises
    ------
    ValueError
        A sentence, where it is none of these.
    """
    ranks = len(classic)
    if not isinstance(given, dict):
        return [_copies_by_rank("deck.copies", classic if given is None else given, ranks) for _ in letters]
    _check_copies_keys(given, ranks, letters)
    rows = copies_table(given.under if isinstance(given, CopiesOver) else None, classic, letters)
    for place, letter in enumerate(letters):
        row = _copies_by_rank(f"deck.copies.{letter}", given.get(letter, rows[place]), ranks)
        by_rank = {rank: given[str(rank)] for rank in range(1, ranks + 1) if str(rank) in given}
        own = {rank: whole(f"deck.copies.{rank}", copies, 0, MOST_CARDS) for rank, copies in by_rank.items()}
        rows[place] = [own.get(rank, copies) for rank, copies in enumerate(row, start=1)]
    return rows


def _check_copies_keys(given: Mapping[str, Any], ranks: int, letters: str) -> None:
    known = [*letters, *map(str, range(1, ranks + 1))]
    for key in given:
        if key not in known:
            near = f"; did you mean {key.upper()!r}?" if key.upper() in known else ""
            allowed_keys = f"{', '.join(letters)}, and ranks 1 to {ranks}"
            raise ValueError(f"unknown key {brief(f'deck.copies.{key}')}{near} (allowed: {allowed_keys})")


def _copies_by_rank(key: str, given: Any, ranks: int) -> list[int]:
    row = given if isinstance(given, list) else [given] * ranks
    if len(row) != ranks:
        raise ValueError(f"{key} = {brief(given)}: it must have one number for each of the {ranks} ranks")
    return [whole(key, copies, 0, MOST_CARDS) for copies in row]


def shortest_copies(copies: list[list[int]], letters: str) -> Any:
    """Return the shortest spelling of ``deck.copies`` that `copies_table` reads."""
    if any(row != copies[0] for row in copies):
        return {letter: shortest_copies([row], letters) for letter, row in zip(letters, copies, strict=False)}
    return copies[0][0] if len(set(copies[0])) == 1 else copies[0]


def check_hands(cards: int, players: int, size: int) -> None:
    """Check that a deck isn't too large, and large enough for the hands.

    Raises
    ------
    ValueError
        A sentence, where it isn't.
    """
    if cards > MOST_CARDS:
        raise ValueError(f"deck.copies makes a deck of {cards} cards: at most {MOST_CARDS} are allowed")
    if players * size > cards:
        raise ValueError(
            f"hand.size = {size}: {players} hands need {players * size} cards and the deck has {cards}; "
            f"at most {cards // players} are allowed"
        )


@dataclass(frozen=True)
class Variant:
    """A game with all its parameters resolved.

    Attributes
    ----------
    game : str
        The game's name, as in ``simlib games``.
    name : str
        The preset's or the designer's name for it; ``custom`` where a preset was changed.
    parameters : Parameters
        The game's own model, resolved and checked.
    note : str
        The designer's remark, shown as plain text.
    """

    game: str
    name: str
    parameters: Any
    note: str = ""

    def flat(self) -> dict[str, Any]:
        """Return the parameters under dotted names, as records and reports print them."""
        return flatten(self.parameters.spelled())

    @property
    def fingerprint(self) -> str:
        """Twelve hexadecimal digits shared by all spellings of one variant."""
        text = json.dumps([self.game, self.flat()], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]


def flatten(tree: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return nested tables as one with dotted keys.

    Examples
    --------
    >>> flatten({"players": 4, "bid": {"single": 5}})
    {'players': 4, 'bid.single': 5}
    """
    flat: dict[str, Any] = {}
    for key, value in tree.items():
        dotted = prefix + key
        if isinstance(value, Mapping) and dotted != "deck.copies":
            flat.update(flatten(value, dotted + "."))
        else:
            flat[dotted] = value
    return flat


def nest(flat: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return dotted keys as nested tables; copies of a colour or rank are laid over those of all cards.

    Raises
    ------
    BadInput
        Where a key is both a value and a table.
    """
    tree: dict[str, Any] = {}
    for dotted, value in sorted(flat.items(), key=lambda item: item[0].count(".")):  # the whole before its parts
        *tables, last = dotted.split(".")
        here = tree
        for table in tables:
            below = here.get(table, {})
            if table == COPIES and not isinstance(below, dict):
                below = CopiesOver({}, below)
            if not isinstance(below, dict):
                raise BadInput(f"{where}: {brief(dotted)} puts a key below a value")
            here[table] = here = copy(below)  # a copy: tables among the values stay as they are
        if last in here:
            raise BadInput(f"{where}: {brief(dotted)} is given twice")
        here[last] = value
    return tree


def read_toml(path: Path) -> dict[str, Any]:
    """Return a TOML file's content.

    Raises
    ------
    BadInput
        If it is missing, a folder, too large, not UTF-8 or not TOML.
    """
    return parse_toml(read_text(path), path)


def read_text(path: Path) -> str:
    """Return a TOML file's text as it was written, comments and all.

    Raises
    ------
    BadInput
        If it is missing, a folder, too large or not UTF-8.
    """
    try:
        return _content(path).decode("utf-8")
    except OSError as fault:
        raise BadInput(f"{path}: can't be read: {fault.strerror or fault}") from None
    except UnicodeDecodeError as fault:
        raise BadInput(f"{path}: not UTF-8 text (byte {fault.start})") from None


def parse_toml(text: str, path: Path) -> dict[str, Any]:
    """Return what a TOML file's text says.

    Raises
    ------
    BadInput
        If it isn't TOML.
    """
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as fault:
        raise BadInput(f"{path}: not TOML: {str(fault) or type(fault).__name__}") from None


def _content(path: Path) -> bytes:
    if stat.S_ISFIFO(path.stat().st_mode) and path.parts[:2] != ("/", "dev"):  # one that nobody fills waits for ever
        raise BadInput(f"{path}: a pipe, not a file; a pipe goes through /dev/stdin")
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise BadInput(f"{path}: larger than {MOST_BYTES:,} bytes, the most a variant file may have")
    return content


def split_settings(text: str) -> list[str]:
    """Split ``a=1 b="x y" c=[1, 2]`` at the blanks outside quotes and brackets.

    Examples
    --------
    >>> split_settings('players=3 deck.copies=[2, 2, 1] deck.name="A|B; C"')
    ['players=3', 'deck.copies=[2, 2, 1]', 'deck.name="A|B; C"']
    """
    return [part for part in split_outside(text, str.isspace) if part]


def split_outside(text: str, ends: Callable[[str], bool]) -> list[str]:
    """Split a text at each sign that ends a part, outside quotes and brackets.

    Examples
    --------
    >>> split_outside("six,[1, 2],,'a,b'", ",".__eq__)
    ['six', '[1, 2]', '', "'a,b'"]
    """
    parts, depth, quote = [""], 0, ""
    for sign in text:
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        else:
            depth += (sign in "[{") - (sign in "]}")
        if ends(sign) and not quote and depth <= 0:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def read_settings(settings: Iterable[str], where: str) -> dict[str, Any]:
    """Return ``key=value`` texts as a dotted table; values are TOML, or plain text.

    Raises
    ------
    BadInput
        If a text has no key, or a key comes twice.
    """
    flat: dict[str, Any] = {}
    for setting in settings:
        key, equals, text = setting.partition("=")
        key = key.strip()
        if not equals or not re.fullmatch(r"[A-Za-z_][\w-]*(\.[\w-]+)*", key):
            raise BadInput(f"{where}: {brief(setting)} is not KEY=VALUE, such as bid.double=3")
        if key in flat:
            raise BadInput(f"{where}: {brief(key)} is given twice")
        flat[key] = _toml_value(text.strip())
    return flat


def _toml_value(text: str) -> Any:
    try:
        table = tomllib.loads(f"value = {text}")
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return text
    return table["value"] if len(table) == 1 else text


def overlay(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return nested tables with the values of `over` in place of those of `under`.

    A table of copies keeps what it is laid over, of which it may change one rank alone.
    """
    merged = dict(under)
    for key, value in over.items():
        below = merged.get(key)
        if key == COPIES and isinstance(value, Mapping):
            merged[key] = value if isinstance(value, CopiesOver) else CopiesOver(value, below)
        else:
            both = isinstance(value, Mapping) and isinstance(below, Mapping)
            merged[key] = overlay(dict(below or {}), value) if both else value
    return merged


def check(model: type[Parameters], values: Mapping[str, Any], where: str) -> Any:
    """Return the game's parameters, resolved, from nested tables.

    Raises
    ------
    BadInput
        One line for the first fault: place, key, value and what is allowed.
    """
    try:
        return resolved(model, values)
    except ValueError as fault:
        raise BadInput(f"{where}: {fault}") from None


def check_laid(
    model: type[Parameters], under: Mapping[str, Any], over: Mapping[str, Any], place: str, where: str
) -> Any:
    """Return the game's parameters, resolved, from nested tables and what is laid over them.

    Raises
    ------
    BadInput
        One line as `check` has it; it names the `place` of the tables below where the fault is theirs.
    """
    try:
        return resolved(model, overlay(under, over))
    except ValueError as fault:
        raise BadInput(f"{place if not over or _fault(model, under) == str(fault) else where}: {fault}") from None


def _fault(model: type[Parameters], values: Mapping[str, Any]) -> str:
    try:
        resolved(model, values)
    except ValueError as fault:
        return str(fault)
    return ""


def resolved(model: type[Parameters], values: Mapping[str, Any]) -> Any:
    """Return the game's parameters, resolved, from nested tables.

    Raises
    ------
    ValueError
        A sentence for the first fault: key, value and what is allowed.
    """
    try:
        return model.model_validate(values).resolve()
    except ValidationError as faults:
        raise ValueError(_sentence(model, faults)) from None


def _sentence(model: type[Parameters], faults: ValidationError) -> str:
    fault = faults.errors(include_url=False)[0]
    keys = [str(key) for key in fault["loc"]]
    key = ".".join(keys)
    if fault["type"] == "extra_forbidden":
        return unknown_key(key, fault["input"], parameter_names(model))
    given = brief(fault.get("input"))
    field = parameters_of(model).get(key) or parameters_of(model).get(".".join(keys[:-1]))
    if field is None:
        parts = [name for name in parameter_names(model) if name.startswith(f"{key}.")]
        return f"{key} = {given}: it must be a table, of {', '.join(parts)}"
    return f"{key} = {given}: it must be {allowed(field)}{_nearest(fault)}"


def unknown_key(key: str, inside: Any, known: Iterable[str]) -> str:
    """Return an error sentence for a key that there isn't, with its value: of a table, a key in it was written."""
    while isinstance(inside, Mapping) and inside:
        below, inside = next(iter(inside.items()))
        key += f".{below}"
    return f"unknown key {brief(key)}" + did_you_mean(key, known)


def _nearest(fault: Mapping[str, Any]) -> str:
    """Return a hint at the choice that is nearest to what was written, where there are choices."""
    choices = re.findall(r"'([^']+)'", fault.get("ctx", {}).get("expected", ""))
    return did_you_mean(str(fault["input"]), choices).partition(" (")[0] if choices else ""


def brief(value: object) -> str:
    """Return a value's text for an error line, cut to a readable length."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def parameters_of(model: type[BaseModel], prefix: str = "") -> dict[str, Any]:
    """Return each parameter's pydantic field under its dotted name, in declared order."""
    fields: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            fields.update(parameters_of(kind, f"{prefix}{name}."))
        else:
            fields[prefix + name] = field
    return fields


def parameter_names(model: type[BaseModel]) -> list[str]:
    """Return the dotted names of all parameters."""
    return list(parameters_of(model))


def allowed(field: Any) -> str:
    """Return what a parameter may be, from its field's declared bounds."""
    extra = field.json_schema_extra or {}
    if "allowed" in extra:
        return str(extra["allowed"])
    bounds: dict[str, Any] = {}
    for part in field.metadata:
        for end in ("ge", "le"):
            if getattr(part, end, None) is not None:
                bounds[end] = getattr(part, end)
    return f"a whole number from {bounds['ge']} to {bounds['le']}"
