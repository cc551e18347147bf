"""Game records as JSON Lines: the form that all games share (record format, "Every record").

A line goes through three gates: `parse` (is it sound JSON?), `variant_of` (which game, by which rules?) and the game's
own referee (was it played by them?). No game is known here by name.
"""

import dataclasses
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any, NoReturn

from simlib.errors import BadInput, RuleViolation
from simlib.games import Game, game_named, make_variant
from simlib.telling import Tale, tale_of
from simlib.variants import Variant

FORMAT = "simlib-record/1"
COPIES = "deck.copies"
MOST_BYTES = 10_000_000  # of a line, its line end not counted
MOST_DEPTH = 32  # lists and objects in each other: records need 8
MOST_DIGITS = 100  # of a number
MOST_TEXT = 1000  # characters of a name or text
MOST_PARAMETERS = 1000  # keys of a record's parameters: the largest game has some dozens
EMPTY = "the file is empty, expected a record a line"
CHUNK = 1_000_000  # bytes read at once where a line is only skipped


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found about one line of a file of records.

    Attributes
    ----------
    line : int
        The line's number, from 1.
    fault : str
        The first fault in one line; empty where the record is right.
    """

    line: int
    fault: str = ""

    @property
    def ok(self) -> bool:
        """Whether the record is right."""
        return not self.fault


def verify(lines: Iterable[bytes]) -> Iterator[Verdict]:
    """Judge each line of a file of records, in memory that doesn't grow with the file.

    Parameters
    ----------
    lines : iterable of bytes
        A file opened in binary mode, or any lines. Of a file's line no more than `MOST_BYTES` are held.

    Yields
    ------
    Verdict
        One for each line; one in all where there is none.
    """
    number = 0
    for number, line in enumerate(_bounded(lines), 1):
        yield Verdict(number, _fault_of(line))
    if not number:
        yield Verdict(1, EMPTY)


def accepted(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """Yield each record of a file, in memory that doesn't grow with the file.

    Parameters
    ----------
    lines : iterable of bytes
        As `verify` takes them.

    Raises
    ------
    RuleViolation
        At the first line with a fault, as `verify` words it.
    """
    number = 0
    for number, line in enumerate(_bounded(lines), 1):
        if fault := _fault_of(line):
            raise RuleViolation(f"{number}: {fault}")
        yield parse(line)
    if not number:
        raise RuleViolation(f"1: {EMPTY}")


def judge(line: str | bytes) -> None:
    """Judge one record: its form, its variant and the game.

    Raises
    ------
    RuleViolation
        One line for the first fault; nothing else is raised, whatever the line holds.
    """
    record = parse(line)
    variant = variant_of(record)
    game_named(variant.game).module("referee").check(record, variant)


def parse(line: str | bytes) -> dict[str, Any]:
    """Return the JSON object in one line of UTF-8.

    Raises
    ------
    RuleViolation
        If the line isn't one object in sound JSON: no key twice, no NaN, no half of a surrogate pair, nothing huge.

    Examples
    --------
    >>> parse('{"game": "suppose", "seed": 1}')
    {'game': 'suppose', 'seed': 1}
    """
    record = _load(_text(line))
    if not isinstance(record, dict):
        raise RuleViolation(f"{_shown(record)} is given, expected a JSON object")
    _check_sound(record)
    return record


def variant_of(record: dict[str, Any]) -> Variant:
    """Return the variant that a parsed record was played by, after judging what all records share.

    Raises
    ------
    RuleViolation
        Where the format, game, variant, parameters, seed or index are missing or don't fit.
    """
    for key in ("format", "game", "variant", "seed", "index", "players"):
        if key not in record:
            raise RuleViolation(f"key {_shown(key)} is missing")
    if record["format"] != FORMAT:
        raise RuleViolation(f"format is {_shown(record['format'])}, expected {_shown(FORMAT)}")
    game, name = _name(record, "game"), _name(record, "variant")
    _check_origin(record["seed"], record["index"])
    parameters = _parameters(record)
    # sorted, a table comes before the keys in it, whatever the record's order
    spelled = None if parameters is None else json.dumps(parameters, sort_keys=True)
    try:
        return _variant(game, name, spelled, _count(record["players"]))
    except BadInput as fault:
        raise RuleViolation(_one_line(str(fault))) from None


def told(record: dict[str, Any]) -> Tale:
    """Return a record that its referee has accepted in words, in the language that is spoken."""
    return tale_of(record, variant_of(record))


def _bounded(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield lines; of a longer one than is allowed only so much that it shows."""
    readline = getattr(lines, "readline", None)
    if readline is None:
        yield from lines
        return
    while line := readline(MOST_BYTES + 1):
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = readline(CHUNK)
        yield line


def _fault_of(line: bytes) -> str:
    if not line.strip():
        return "empty line, expected a record"
    try:
        judge(line)
    except RuleViolation as fault:
        return str(fault)
    return ""


def _text(line: str | bytes) -> str:
    raw = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
    if len(raw.removesuffix(b"\n")) > MOST_BYTES:
        raise RuleViolation(f"the line is longer than {MOST_BYTES:,} bytes, the most a record may have")
    if raw.startswith(b"\xef\xbb\xbf"):
        raise RuleViolation("the line begins with a byte order mark, expected UTF-8 without one")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise RuleViolation(f"not UTF-8 text (byte {fault.start + 1} of the line)") from None


def _load(text: str) -> Any:
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_whole,
            parse_float=_decimal,
            parse_constant=_refuse_constant,
        )
    except json.JSONDecodeError as fault:
        what = fault.msg.lower().removesuffix(": ").removesuffix(" at")
        raise RuleViolation(f"not JSON: {what} (character {fault.pos + 1} of the line)") from None
    except RecursionError:
        raise RuleViolation(f"lists and objects are more than {MOST_DEPTH} deep in each other") from None
    except MemoryError:
        raise RuleViolation("the line needs more memory than there is") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise RuleViolation(f"key {_shown(twice)} is given twice in one object")
    return table


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise RuleViolation(f"a number of {len(digits)} digits, more than the {MOST_DIGITS} that are allowed")
    return int(digits)


def _decimal(digits: str) -> float:
    """Return a number with a fraction or exponent, if it is held without loss: points are compared exactly."""
    number = float(digits)
    try:
        exact = math.isfinite(number) and len(digits) <= MOST_DIGITS and Decimal(digits) == Decimal(repr(number))
    except InvalidOperation:
        exact = False
    if not exact:
        raise RuleViolation(f"the number {digits[:40]} can't be held exactly")
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise RuleViolation(f"not JSON: {name} is no number")


def _check_sound(value: Any, depth: int = 1) -> None:
    """Refuse what JSON can spell and no record holds: depth, long text, halves of surrogate pairs."""
    if isinstance(value, str):
        _check_text(value)
    elif isinstance(value, dict | list):
        if depth > MOST_DEPTH:
            raise RuleViolation(f"lists and objects are more than {MOST_DEPTH} deep in each other")
        if isinstance(value, dict):
            for key in value:
                _check_text(key)
        for item in value.values() if isinstance(value, dict) else value:
            _check_sound(item, depth + 1)


def _check_text(text: str) -> None:
    if len(text) > MOST_TEXT:
        raise RuleViolation(f"a text of {len(text)} characters, more than the {MOST_TEXT} that are allowed")
    if not text.isascii() and any("\ud800" <= sign <= "\udfff" for sign in text):
        raise RuleViolation(f"not UTF-8 text: {_shown(text)} holds half of a surrogate pair")


def _name(record: dict[str, Any], key: str) -> str:
    name = record[key]
    if not isinstance(name, str) or not name.strip():
        raise RuleViolation(f"{key} is {_shown(name)}, expected a name")
    return name


def _count(players: Any) -> int:
    if not isinstance(players, list):
        raise RuleViolation(f"players is {_shown(players)}, expected a list of names")
    return len(players)


def _check_origin(seed: Any, index: Any) -> None:
    """Check that seed and index say together where a game comes from: both null for one played at the table."""
    for key, value in (("seed", seed), ("index", index)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise RuleViolation(f"{key} is {_shown(value)}, expected a whole number or null")
    if (seed is None) != (index is None):
        raise RuleViolation("seed and index must both be whole numbers or both null")
    if index is not None and index < 0:
        raise RuleViolation(f"index is {index}, expected the game's number, from 0")


def _parameters(record: dict[str, Any]) -> dict[str, Any] | None:
    """Return the parameters under dotted names only; None where they are left out."""
    if "parameters" not in record:
        return None
    if not isinstance(record["parameters"], dict):
        raise RuleViolation(f"parameters is {_shown(record['parameters'])}, expected an object")
    flat: dict[str, Any] = {}
    for key, value in _leaves(record["parameters"]):
        if key in flat:
            raise RuleViolation(f"parameters: {_shown(key)} is given twice")
        if value is None:
            raise RuleViolation(f"parameters: {_shown(key)} is null, expected a value (or leave it out)")
        flat[key] = value
        if len(flat) > MOST_PARAMETERS:
            raise RuleViolation(f"parameters: more than the {MOST_PARAMETERS} keys that are allowed")
    _check_copies(flat)
    return flat


def _check_copies(flat: dict[str, Any]) -> None:
    """Refuse what variant files may say of copies, and records may not: ranks as keys, and parts laid over a whole."""
    for key in flat:
        part = key.removeprefix(f"{COPIES}.")
        if part != key and COPIES in flat:
            raise RuleViolation(f"parameters: {_shown(key)} puts a key below a value")
        if part != key and part.isdecimal():
            raise RuleViolation(f"parameters: unknown key {_shown(key)}, expected a colour's letter")


def _leaves(tree: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in tree.items():
        dotted = prefix + key
        if dotted.count(".") > MOST_DEPTH:
            raise RuleViolation(f"parameters: unknown key {_shown(dotted)}")
        if isinstance(value, dict) and value:
            yield from _leaves(value, dotted + ".")
        else:
            yield dotted, value


@lru_cache(maxsize=64)
def _variant(game_name: str, name: str, spelled: str | None, count: int) -> Variant:
    """Return the checked variant; kept, because the games of a file are mostly of one variant."""
    game = game_named(game_name)
    given: dict[str, Any] = {"players": count} | json.loads(spelled or "{}")
    is_preset = name in game.presets()
    if spelled is None and not is_preset:
        raise BadInput(f"key {_shown('parameters')} is missing: {_shown(name)} is no preset of {game.name}")
    base = name if is_preset else "classic"
    variant = make_variant(game, base=base, settings=given, where="parameters")
    if is_preset:
        _check_agrees(game, variant, base)
    return dataclasses.replace(variant, name=name)


def _check_agrees(game: Game, variant: Variant, preset: str) -> None:
    """Check that a record which names a preset has no other value than it."""
    settings = {"players": variant.parameters.players}
    published = make_variant(game, base=preset, settings=settings, where="parameters").flat()
    for key, value in variant.flat().items():
        if value != published[key]:
            raise BadInput(
                f"parameters: {key} is {_shown(value)}, expected {_shown(published[key])} "
                f"as in the preset {_shown(preset)} (a changed variant has another name)"
            )


def _shown(value: Any) -> str:
    """Return a parsed value as JSON, cut to a readable length."""
    return _one_line(json.dumps(value, ensure_ascii=False), 60)


def _one_line(text: str, most: int = MOST_TEXT) -> str:
    """Return a text without what could break or flood a fault's line."""
    text = text if len(text) <= most else text[: most - 3] + "..."
    return "".join(sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in text)


def written(arm: Any, seed: int, games: int, first: int = 0) -> Iterator[str]:
    """Play games and return each as a record's line.

    Parameters
    ----------
    arm : simlib.batch.Arm
        Variant and players.
    seed, games, first : int
        The run's seed, and how many of its games from which number on.
    """
    from simlib.batch import Seating  # players are heavy, and judging needs none

    seating = Seating(arm)
    for index in range(first, first + games):
        _, tables, secrets = seating.play(seed, index, 1, keep=True)
        yield line_of(arm, seed, index, tables[0], secrets[0])


def line_of(arm: Any, seed: int, index: int, tables: Any, secrets: Any) -> str:
    """Return a game that was played and kept as a record's line.

    Parameters
    ----------
    arm : simlib.batch.Arm
        Variant and players.
    seed, index : int
        The run's seed, and the game's number in it.
    tables, secrets : (rounds,) arrays of the game's records
        As each round closed.
    """
    game = game_named(arm.variant.game)
    head = {
        "format": FORMAT,
        "game": game.name,
        "variant": arm.variant.name,
        "parameters": arm.variant.flat(),
        "seed": seed,
        "index": index,
        "players": [player.text for player in arm.players],
    }
    return json.dumps(head | game.module("records").result(arm.variant, tables, secrets))
