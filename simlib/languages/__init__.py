"""The languages of pages: English as the code writes it, and catalogues of what it says in others.

A sentence with figures in it is written ``say("{count} of {all} games", count=..., all=...)``; its template is its key
in the catalogue. Plain texts (titles, heads, glossaries) are looked up as they are where a page prints them, and labels
that were put together, such as "Suppose, 4 players", part by part.
A catalogue is all TOML files in ``simlib/languages/<code>/`` and ``experiments/<code>/``: ``"English" = "other"``.
"""

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any

from simlib.errors import BadInput, did_you_mean

ENGLISH = "en"
HERE = Path(__file__).parent
EXPERIMENTS = HERE.parent.parent / "experiments"
MARKS = ("; ", ", ", ": ", " and ")  # between the parts of a label, the widest first
BRACKETS = "{value} ({how_sure})"  # as labels that end in brackets, such as "greedy (Suppose)", are said, too
_language: ContextVar[str] = ContextVar("language", default=ENGLISH)


def languages() -> list[str]:
    """Return the codes of the languages that pages can be in."""
    return [ENGLISH, *sorted(path.parent.name for path in HERE.glob("*/general.toml"))]


def language_named(code: str, where: str) -> str:
    """Return a language's code.

    Raises
    ------
    BadInput
        If there is no such language.
    """
    if code not in languages():
        raise BadInput(f"{where}: unknown language {code[:60]!r}" + did_you_mean(code, languages()))
    return code


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Say everything in a language inside this block."""
    token = _language.set(code)
    try:
        yield
    finally:
        _language.reset(token)


def language() -> str:
    """Return the code of the language that is spoken."""
    return _language.get()


class AsTyped(str):
    """A text that a user wrote: it is said in no other language than its own."""

    __slots__ = ()


def with_language(command: str) -> str:
    """Return a make command that makes its page in the language that is spoken."""
    return command if language() == ENGLISH else f"{command} REPORT_LANGUAGE={language()}"


def say(template: str, **holes: Any) -> str:
    """Return a sentence in the language that is spoken, with its holes filled.

    Parameters
    ----------
    template : str
        English, with holes as of `str.format`.
    holes
        What goes in; texts that the catalogue has, or parts of, are said in the language, too.

    Examples
    --------
    >>> say("{count:,} games", count=1200)
    '1,200 games'
    """
    known = catalogue(language())
    if not holes:
        return _said(template, known)
    told = {name: _said(hole, known) if isinstance(hole, str) else hole for name, hole in holes.items()}
    return known.get(template, template).format(**told)


def _said(text: str, known: Mapping[str, str]) -> str:
    """Return a text as a catalogue has it; where that has some of its parts alone, part by part; else as it is."""
    if isinstance(text, AsTyped):
        return text
    if text in known:
        return known[text]
    for mark in MARKS:
        parts = text.split(mark)
        if any(part in known for part in parts):
            return known.get(mark, mark).join(_said(part, known) for part in parts)
    name, _, bracket = text.removesuffix(")").partition(" (")
    if text.endswith(")") and (name in known or bracket in known):
        return known[BRACKETS].format(value=_said(name, known), how_sure=_said(bracket, known))
    return text


@cache
def catalogue(code: str) -> dict[str, str]:
    """Return what a language says for each English text; nothing for English itself."""
    if code == ENGLISH:
        return {}
    found: dict[str, str] = {}
    for path in sorted([*(HERE / code).glob("*.toml"), *(EXPERIMENTS / code).glob("*.toml")]):
        found |= tomllib.loads(path.read_text(encoding="utf-8"))
    return found
