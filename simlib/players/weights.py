"""Weights of `trained`: what a game's player learned, read from ``games/<game>/trained.toml``.

The file holds three tables: ``weights``, ``learned`` (each parameter's values in the variants that were practised) and
``made`` (how the weights came about, and what they are worth on deals that had no part in it).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from simlib.errors import BadInput, did_you_mean
from simlib.games import game_named
from simlib.hooks import Seated
from simlib.variants import Variant, brief, read_toml, whole

FOLDER = Path(__file__).parent.parent / "games"
CHAMPION, CHALLENGER = range(2)  # rows of ``rules.weights``: what a player plays by, and what training tries


@dataclass(frozen=True)
class Weight:
    """One number that `trained` decides by.

    Attributes
    ----------
    start : int
        Where training begins.
    least, most : int
        What it may become.
    """

    name: str
    start: int
    least: int
    most: int
    sentence: str


def weights_dtype(weights: Sequence[Weight]) -> np.dtype:
    """Return the type of a row of ``rules.weights``: a record, which kernels pass on as a bare pointer."""
    return np.dtype([(weight.name, "i8") for weight in weights])


def file_of(game: str) -> Path:
    """Return the file of a game's shipped weights."""
    return FOLDER / game / "trained.toml"


@cache
def shipped(game: str, weights: tuple[Weight, ...]) -> tuple[int, ...]:
    """Return a game's shipped weights, in the order of `weights`."""
    path = file_of(game)
    return read_weights(read_toml(path), weights, str(path))


def read_weights(written: Mapping[str, Any], weights: Sequence[Weight], where: str) -> tuple[int, ...]:
    """Return the values of a weights file's table, in the order of `weights`.

    Raises
    ------
    BadInput
        If one is missing, unknown, not a whole number or out of its bounds.
    """
    table = written.get("weights", {})
    names = [weight.name for weight in weights]
    for name in table:
        if name not in names:
            raise BadInput(f"{where}: unknown weight {brief(name)}" + did_you_mean(name, names))
    try:
        return tuple(
            whole(f"weights.{weight.name}", table.get(weight.name), weight.least, weight.most) for weight in weights
        )
    except ValueError as fault:
        raise BadInput(f"{where}: {fault}") from None


def hull(variants: Sequence[Variant]) -> dict[str, list[Any]]:
    """Return each parameter's values in some variants: least and most of numbers, else each one."""
    flats = [variant.flat() for variant in variants]
    found = {}
    for key in flats[0]:
        values = [flat[key] for flat in flats]
        found[key] = [min(values), max(values)] if all(map(_is_number, values)) else _each_once(values)
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _each_once(values: list[Any]) -> list[Any]:
    return [value for place, value in enumerate(values) if value not in values[:place]]


def outside(variant: Variant) -> str:
    """Return a sentence that says where a variant is outside what `trained` learned; empty where it is inside."""
    learned, strange = _learned(variant.game), []
    unheeded = getattr(game_named(variant.game).module("weights"), "UNHEEDED", ())
    for key, value in variant.flat().items():
        if key in unheeded:
            continue
        values = learned.get(key, [])
        if _is_number(value) and values and all(map(_is_number, values)):
            if not min(values) <= value <= max(values):
                strange.append(f"{key} = {value} (it learned {_from_to(values)})")
        elif value not in values:
            strange.append(f"{key} = {brief(value)}")
    if not strange:
        return ""
    return f"trained plays {variant.game} outside what it learned: " + ", ".join(strange)


def notices(variant: Variant, players: Iterable[Seated]) -> list[str]:
    """Return what is to be said of a variant if `trained` plays it, in a search's playouts too: one line, or none."""
    learned = any(player.name == "trained" or "rollout=trained" in player.text.split(":") for player in players)
    return [line for line in [outside(variant)] if line] if learned else []


@cache
def _learned(game: str) -> dict[str, list[Any]]:
    learned: dict[str, list[Any]] = read_toml(file_of(game)).get("learned", {})
    return learned


def _from_to(values: list[Any]) -> str:
    return f"{min(values)}" if min(values) == max(values) else f"{min(values)} to {max(values)}"
