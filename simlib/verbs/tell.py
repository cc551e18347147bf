"""``simlib tell``: recorded games in words that a person at a table can follow."""

import argparse
import sys
from pathlib import Path
from typing import Any

from simlib.arguments import add_verb
from simlib.errors import BadInput
from simlib.languages import ENGLISH, language_named, speaking


def add(verbs: Any) -> None:
    """Add the verb to the command line."""
    verb = add_verb(verbs, "tell", run, "Tell recorded games in words, up to the first record with a fault.")
    verb.add_argument("file", type=Path, help="a file of records; - for standard input")
    verb.add_argument("--language", default=ENGLISH, metavar="CODE", help="en or ja (en)")


def run(options: argparse.Namespace) -> None:
    """Print each game of a file in words."""
    from simlib import records
    from simlib.telling import as_text

    language = language_named(options.language, "--language")
    try:
        with sys.stdin.buffer if str(options.file) == "-" else options.file.open("rb") as lines, speaking(language):
            for record in records.accepted(lines):
                sys.stdout.write(f"{as_text(records.told(record))}\n")
    except OSError as fault:
        raise BadInput(f"{options.file}: can't be read: {fault.strerror or fault}") from None
