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
    """Return the end of an error sentence: an allowed name that is near, if any is, and all of them.

    Upper and lower case are alike, and of a dotted name the last part may be enough.

    Examples
    --------
    >>> did_you_mean("gredy", ["random", "greedy"])
    "; did you mean 'greedy'? (allowed: greedy, random)"
    >>> did_you_mean("size", ["hand.size", "rounds"])
    "; did you mean 'hand.size'? (allowed: hand.size, rounds)"
    """
    names = sorted(allowed)
    spellings = {each.rpartition(".")[2].casefold(): each for each in names} | {each.casefold(): each for each in names}
    near = difflib.get_close_matches(name[:100].casefold(), spellings, n=1, cutoff=0.7)
    hint = f"; did you mean {spellings[near[0]]!r}?" if near else ""
    return f"{hint} (allowed: {', '.join(names)})"


def one_line(text: str, most: int = 600) -> str:
    r"""Return a text without what could break or flood a line; of a long one the beginning and the end.

    Examples
    --------
    >>> one_line("a\nb\x1b[2J")
    'a b\\u001b[2J'
    >>> one_line("x" * 50 + ": not found", 24)
    'xxxxxxxxx...x: not found'
    """
    text = "".join(sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in " ".join(text.split()))
    tail = most // 2
    return text if len(text) <= most else f"{text[: most - tail - 3]}...{text[-tail:]}"
