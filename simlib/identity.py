"""What a run's numbers depend on, in a few digests: results of another identity are never added to them."""

import hashlib
import importlib.metadata
import json
import platform
from functools import cache
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parent
EXPERIMENTS = PACKAGE.parent / "experiments"
NUMERIC = ("numpy", "numba", "scipy")
SHOWING = {  # parts that only show what came out
    "arguments", "cli", "figures", "findings", "frames", "history", "how_sure", "languages", "pages", "progress",
    "telling", "verbs",
}  # fmt: skip
REASONS = {  # what a changed part of an identity means to people, the first that differs
    "seed": "the seed is another one",
    "study": "the settings are others",
    "versions": "Python or a package has another version",
    "code": "the code has changed",
}


@cache
def code_digest() -> str:
    """Return a digest of all code and data that numbers can depend on."""
    made = hashlib.sha256()
    sources = [path for kind in ("*.py", "*.toml") for path in PACKAGE.rglob(kind)]
    for source in sorted([*sources, *EXPERIMENTS.glob("*.py")]):
        name = source.relative_to(PACKAGE.parent)
        if name.parts[0] == EXPERIMENTS.name or name.parts[1].removesuffix(".py") not in SHOWING:
            made.update(name.as_posix().encode() + b"\0" + source.read_bytes() + b"\0")
    return made.hexdigest()[:16]


@cache
def versions_digest() -> str:
    """Return a digest of the versions of Python and of the packages that compute."""
    told = [platform.python_version(), *(importlib.metadata.version(package) for package in NUMERIC)]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def identity(study: Any, seed: int) -> dict[str, str]:
    """Return what the sums of a study depend on besides the number of games.

    Parameters
    ----------
    study : simlib.batch.Study
    """
    arms = {
        name: [arm.variant.fingerprint, [_player(seat) for seat in arm.players], arm.held, arm.completions]
        for name, arm in study.arms.items()
    }
    told = json.dumps([study.key, study.unit, study.whole, study.sums, arms])
    return {
        "seed": str(seed),
        "study": hashlib.sha256(told.encode()).hexdigest()[:16],
        "versions": versions_digest(),
        "code": code_digest(),
    }


def _player(seat: Any) -> list[Any]:
    """Return what a seat's play depends on: its text, whom it imagines, and a designer's own file."""
    return [seat.text, list(seat.options), [model.text for model in seat.models], seat.own.digest if seat.own else ""]


def why_other(one: dict[str, str], other: dict[str, str]) -> str:
    """Return why two identities differ, in a few words; empty where they are the same.

    Examples
    --------
    >>> why_other({"seed": "1", "code": "a"}, {"seed": "2", "code": "b"})
    'the seed is another one'
    """
    return next((reason for part, reason in REASONS.items() if one.get(part) != other.get(part)), "")
