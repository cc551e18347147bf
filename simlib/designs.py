"""A design as it is typed: a preset, a variant file or an earlier run, and what is changed of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from simlib import results
from simlib.errors import BadInput, did_you_mean
from simlib.experiments import questions, variants_of
from simlib.games import TARGETS, Game, game_named, games, make_variant
from simlib.history import run_named
from simlib.survey import main_labels
from simlib.targets import Goal, goals_of
from simlib.variants import Variant, brief, read_settings, read_toml, split_settings

MOST_NAME = 1000  # signs: longer texts name no folder


@dataclass(frozen=True)
class Design:
    """What a text names.

    Attributes
    ----------
    text : str
        What it is called: a preset's, a file's or a run's name, and what is changed of it.
    variant : Variant
    experiment : str
        Whose run it is; empty for a preset or a file.
    targets : dict
        The file's own table of targets; empty where there is none.
    """

    text: str
    variant: Variant
    experiment: str = ""
    targets: dict[str, Any] | None = None


@dataclass(frozen=True)
class _Source:
    """Where a design starts from: what a preset, a file or a run says, before anything is changed."""

    text: str
    game: str = ""
    experiment: str = ""
    file: Path | None = None
    written: dict[str, Any] | None = None
    base: str = "classic"
    played: dict[str, Any] | None = None  # a run's main variant: name, note, flat parameters


def designs_in(texts: dict[str, str], game: str) -> list[Design]:
    """Return the designs that some texts name, all of one game.

    Parameters
    ----------
    texts : dict
        By the variable that holds them, such as ``{"A": "classic", "B": "mine.toml players=3"}``.
    game : str
        The game's name, or empty where files or runs say it.

    Raises
    ------
    BadInput
        If a text names nothing, no game is named, they are of several games, or runs of different experiments.
    """
    sources = {where: _source(text, where) for where, text in texts.items()}
    own = _game(sources, game)
    _check_alike(sources)
    return [_design(source, texts[where], own, where) for where, source in sources.items()]


def goals_in(designs: Sequence[Design]) -> list[Goal]:
    """Return the targets of some designs' files; of two for one measure the later design's.

    Raises
    ------
    BadInput
        If one can't be read.
    """
    found = {}
    for design in designs:
        for goal in goals_of(design.targets or {}, design.variant.game, f"{design.text}: {TARGETS}"):
            found[goal.name] = goal
    return list(found.values())


def _source(text: str, where: str) -> _Source:
    """Return what the first word of a text names, without what is changed of it."""
    first = _words(text, where)[0]
    path = Path(first)
    if path.suffix == ".toml":
        written = read_toml(path)
        return _Source(first, str(written.get("game", "")), file=path, written=written)
    if len(first) <= MOST_NAME and (path / results.FILE).is_file():
        return _of_run(first, path)
    presets = {name for game in games().values() for name in game.presets()}
    if first in presets:
        return _Source(first, base=first)
    entry = run_named(first, where, presets)
    return _Source(first, entry.variant["game"], entry.experiment, played=entry.variant)


def _words(text: str, where: str) -> list[str]:
    words = split_settings(text)
    if not words:
        raise BadInput(f"{where} is missing: name a preset, a variant file, or a run in the reports folder")
    first = words[0]
    if len(first) > 1 and first[0] == first[-1] and first[0] in "\"'":
        words[0] = first[1:-1]  # a file's name with blanks
    return words


def _of_run(text: str, folder: Path) -> _Source:
    run = results.load(folder)
    if run.experiment not in questions():
        raise BadInput(f"{text}: a {run.experiment} is no design: name a run of an experiment about one game")
    main = main_labels(variants_of(run))[0]
    played = next(variant for variant in run.facts["variants"] if variant["label"] == main)
    return _Source(text, played["game"], run.experiment, played=played)


def _game(sources: dict[str, _Source], named: str) -> Game:
    """Return the one game that all are about."""
    told = {source.game for source in sources.values() if source.game} | ({named} if named else set())
    if not told:
        raise BadInput(f"GAME is missing: say of which game the designs are (allowed: {', '.join(games())})")
    found = [game_named(name).name for name in sorted(told)]
    if len(found) > 1:
        raise BadInput(f"{' and '.join(sources)}: designs of one game can be compared, not of {' and '.join(found)}")
    return game_named(found[0])


def _check_alike(sources: dict[str, _Source]) -> None:
    """Check that runs are of one experiment."""
    named = {where: source.experiment for where, source in sources.items() if source.experiment}
    if len(set(named.values())) > 1:
        told = " and ".join(f"{where} of {experiment}" for where, experiment in named.items())
        raise BadInput(f"runs of different experiments can't be compared: {told}")


def _called(source: _Source) -> str:
    """Return what a source is called: a file by its own name, where it has one; a run with its variant's name."""
    if source.file:
        return str((source.written or {}).get("name") or source.file.stem)
    return f"{source.text} ({source.played['name']})" if source.played else source.text


def _design(source: _Source, text: str, game: Game, where: str) -> Design:
    changed = read_settings(_words(text, where)[1:], where)
    if source.file is None and source.played is None and source.base not in game.presets():
        raise BadInput(
            f"{where}: unknown preset {brief(source.base)} of {game.name}" + did_you_mean(source.base, game.presets())
        )
    settings = (source.played["parameters"] if source.played else {}) | changed
    variant = make_variant(
        game, base=source.base, file=source.file, written=source.written, settings=settings, where=where
    )
    if source.played and not changed:
        variant = replace(variant, name=source.played["name"], note=source.played["note"])
    name = " ".join([_called(source), *_words(text, where)[1:]])
    return Design(name, variant, source.experiment, (source.written or {}).get("targets"))
