"""The games, found by looking: each folder here is one game, and nothing else knows them by name."""

import importlib
import pkgutil
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from simlib import variants
from simlib.errors import BadInput, did_you_mean, one_line
from simlib.variants import Variant

TEXTS = ("base", "name", "note", "game")  # what a variant file may say beside parameters
TARGETS = "targets"  # its table of what a designer wishes to measure (`simlib.targets`)
CHANGED = "custom"  # the name of a variant that differs from what it started from


@dataclass(frozen=True)
class Game:
    """What the rest of the toolkit knows of a game before it plays.

    Attributes
    ----------
    name : str
        The folder's name, as typed on the command line.
    title, summary : str
        For people.
    readings : dict of str to str
        Each numbered reading of the rule sheet in a sentence.
    """

    name: str
    title: str
    summary: str
    readings: dict[str, str] = field(default_factory=dict)

    def module(self, part: str) -> ModuleType:
        """Return one of the game's files: parameters, rules, players, referee, records."""
        return importlib.import_module(f"simlib.games.{self.name}.{part}")

    @property
    def model(self) -> Any:
        """The pydantic model of the game's parameters."""
        return self.module("parameters").MODEL

    def presets(self) -> dict[str, dict[str, Any]]:
        """Return each preset's TOML table by name."""
        folder = Path(__file__).parent / self.name / "variants"
        return {path.stem: variants.read_toml(path) for path in sorted(folder.glob("*.toml"))}


@cache
def games() -> dict[str, Game]:
    """Return all games by name."""
    names = sorted(part.name for part in pkgutil.iter_modules(__path__) if part.ispkg)
    return {name: importlib.import_module(f"simlib.games.{name}").GAME for name in names}


def game_named(name: str) -> Game:
    """Return a game.

    Raises
    ------
    BadInput
        If there is none of that name.
    """
    if name not in games():
        raise BadInput(f"unknown game {variants.brief(name)}" + did_you_mean(name, games()))
    return games()[name]


def make_variant(
    game: Game,
    *,
    base: str = "classic",
    file: Path | None = None,
    written: dict[str, Any] | None = None,
    settings: dict[str, Any] | None = None,
    where: str = "settings",
) -> Variant:
    """Return a checked variant of a game from a preset, a TOML file and changed values.

    Parameters
    ----------
    base : str
        The preset to start from; a file's own ``base`` comes before it.
    file : Path, optional
        A TOML file of nested tables; ``base``, ``name``, ``note``, ``game`` and a table ``targets`` may stand beside
        the parameters.
    written : dict, optional
        The file's content, where it was read before.
    settings : dict, optional
        Dotted keys and values, laid over preset and file.
    where : str
        What to call the settings in an error.

    Raises
    ------
    BadInput
        One line that names the place, the key, the value and what is allowed.
    """
    if written is None:
        written = variants.read_toml(file) if file else {}
    written = variants.nest(written, str(file))
    texts = {key: _text(written, key, str(file)) for key in TEXTS}
    written.pop(TARGETS, None)  # none of its parameters
    _check_keys(game.model, written, str(file))
    if texts["game"] and texts["game"] != game.name:
        raise BadInput(f"{file}: game = {texts['game']!r}: this run plays {game.name!r}")
    base = texts["base"] or base
    presets = game.presets()
    if base not in presets:
        place = f"{file}: " if texts["base"] else ""
        raise BadInput(f"{place}unknown preset {variants.brief(base)} of {game.name}" + did_you_mean(base, presets))
    changed = variants.nest(settings or {}, where)
    under = variants.overlay(_without_texts(presets[base]), written)
    parameters = variants.check_laid(game.model, under, changed, str(file or f"{game.name} {base}"), where)
    own = one_line(texts["name"]) or one_line(file.stem) if file else base
    name = own if own and not changed.keys() - {"players"} else CHANGED
    return _named_as_preset(game, base, Variant(game.name, name, parameters, texts["note"]))


def _named_as_preset(game: Game, base: str, variant: Variant) -> Variant:
    """Give a variant a preset's name where it is that preset, for some number of players, and only there."""
    name, presets = base if variant.name == CHANGED else variant.name, game.presets()
    if name not in presets:
        return variant
    plain = variants.overlay(_without_texts(presets[name]), {"players": variant.parameters.players})
    same = Variant(game.name, name, variants.check(game.model, plain, name), variant.note)
    return same if same.fingerprint == variant.fingerprint else replace(variant, name=CHANGED)


def _check_keys(model: Any, written: dict[str, Any], where: str) -> None:
    """Check the keys at the top of a variant file, where texts may stand beside the parameters."""
    for key, value in written.items():
        if key not in model.model_fields:
            known = [*variants.parameter_names(model), *TEXTS, TARGETS]
            raise BadInput(f"{where}: {variants.unknown_key(key, value, known)}")


def _text(table: dict[str, Any], key: str, where: str) -> str:
    value = table.pop(key, "")
    if not isinstance(value, str):
        raise BadInput(f"{where}: {key} = {variants.brief(value)}: it must be text")
    return value


def _without_texts(preset: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in preset.items() if key not in ("title", "note")}
