"""``simlib history``: all runs, and the page that lists them made anew."""

import argparse
import sys
from typing import Any

from simlib.arguments import add_variables, add_verb, asked_for, language_in, tell

VARIABLES = {"REPORT_LANGUAGE": "the page's language: en or ja (en)"}


def add(verbs: Any) -> None:
    """Add the verb to the command line."""
    verb = add_verb(verbs, "history", run, "List all runs, newest first, and make reports/index.html anew.")
    add_variables(verb, VARIABLES)


def run(options: argparse.Namespace) -> int:
    """Print all runs and where the page that lists them is."""
    language = language_in(asked_for(options, VARIABLES))

    from simlib import history
    from simlib.languages import speaking

    known = history.read()
    for line in known.broken:
        tell([f"reports/{history.FILE}: line {line} can't be read; it stays as it is, and is left out"])
    if not known.entries:
        sys.stdout.write("no runs yet: a report in reports/ is listed once it is written\n")
        return 0
    for entry in reversed(known.entries):
        sys.stdout.write(f"{history.listed(entry)}\n")
    with speaking(language):
        sys.stdout.write(f"{history.write_index()}\n")
    return 0
