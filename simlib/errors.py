"""What goes wrong because of what a user gave, told in one line each."""

import difflib
from collections.abc import Iterable


class SimlibError(Exception):
    """A fault whose text is one line for the user, never a traceback.

    The command line prints it and leaves with `status`.
    """

    status = 1


class BadInput(SimlibError):
    """A name, key, value or file that can't be used; nothing was played or written."""

    status = 2


class RuleViolation(SimlibError):
    """A record that departs from the rules or from the record format (raised by referees)."""


def did_you_mean(name: str, allowed: Iterable[str]) -> str:
    """Return the end of an error sentence: the nearest allowed name and all of them.

    Examples
    --------
    >>> did_you_mean("gredy", ["random", "greedy"])
    "; did you mean 'greedy'? (allowed: greedy, random)"
    """
    names = sorted(allowed)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"; did you mean {near[0]!r}?" if near else ";"
    return f"{hint} (allowed: {', '.join(names)})"
