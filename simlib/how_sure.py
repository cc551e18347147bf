"""How sure the answer is: how closely the headline figure is known, what ended the run, what more games would bring."""

import math
from collections.abc import Sequence

from simlib.estimates import Estimate
from simlib.estimates.sequential import always
from simlib.estimates.words import number, text, with_unit
from simlib.findings import Finding, Headline, Saving
from simlib.languages import say
from simlib.precision import SPARE, Stop, half_width

LITTLE = 0.01  # a factor so near to 1 saves no games


def how_sure(headline: Headline, stop: Stop | None) -> Finding:
    """Say how closely the headline figure is known, what ended the run, and what more games would bring."""
    estimate = always(headline.estimate, stop.tuned) if stop else headline.estimate
    stopped = _stopped(headline, stop)
    return Finding(
        "how_sure",
        say("{stopped} {figure} ({label}).", stopped=stopped, figure=shown(headline, estimate), label=headline.label),
        text=tuple(filter(None, (_looks(stop), decided(headline, estimate), *_saved_by_all(headline.savings)))),
        title="How closely it is known",
    )


def shown(headline: Headline, estimate: Estimate) -> str:
    """Return the figure with its interval."""
    return text(estimate, headline.unit, percent=headline.percent)


def wish_words(headline: Headline, wish: float) -> str:
    """Return a wished precision in the figure's unit.

    Examples
    --------
    >>> wish_words(Headline("wins", Estimate(0.3, 0.28, 0.32, 9, ""), percent=True), 0.002)
    '\u00b1 0.2 %'
    """
    unit = headline.unit or ("%" if headline.percent else "")
    return "\u00b1 " + with_unit(f"{wish * (100 if headline.percent else 1):.6g}", unit)


def _stopped(headline: Headline, stop: Stop | None) -> str:
    if stop is None or not (stop.precision or stop.why == "time"):
        return say("How closely the headline figure is known:")
    wish = wish_words(headline, stop.precision)
    if stop.why == "precision":
        return say("As close as wished ({wish}):", wish=wish)
    if not stop.precision:
        return say("Time ran out:")
    ran = {"games": "Games", "time": "Time"}[stop.why]
    return say("{ran} ran out before the wish of {wish} was met:", ran=ran, wish=wish)


def _looks(stop: Stop | None) -> str:
    if stop is None:
        return ""
    often = say("once") if stop.looks == 1 else say("{count} times", count=stop.looks)
    return say(
        "It was looked at {often} while it was played, up to GAMES={games}. Its interval here is made to hold at "
        "every look, whenever one stops. All other intervals of this page are ordinary ones; stopping for a width "
        "leaves them true.",
        often=often, games=stop.games,
    )  # fmt: skip


def decided(headline: Headline, estimate: Estimate) -> str:
    """Return whether a difference is decided, or about how much more would decide it."""
    if not headline.difference:
        return ""
    if not estimate.known:
        return say("Undecided: {reason}.", reason=estimate.reason or "no interval")
    if estimate.sign:
        return say("Decided: the interval lies on one side of zero.")
    if estimate.value == 0:
        return say("Undecided; the figure is 0 so far, and no number of games can be named that would decide.")
    more = estimate.n * ((half_width(estimate) / abs(estimate.value)) ** 2 - 1) * SPARE
    return say(
        "Undecided; about {more} more games than the {played:,} so far would decide, if the difference is as large as "
        "it looks.",
        more=number(_two_digits(more), 0), played=estimate.n,
    )  # fmt: skip


def _saved_by_all(savings: Sequence[Saving]) -> list[str]:
    """Return what variance reduction saves, or that there is none in the figure."""
    none = say("No variance reduction: it is a figure of its games as they are.")
    return [_saved(saving) for saving in savings] or [none]


def _saved(saving: Saving) -> str:
    if not math.isfinite(saving.factor):
        return ""
    if abs(saving.factor - 1) < LITTLE:
        return say(
            "Variance reduction by {how}: none that counts here, one game is worth one without it.", how=saving.how
        )
    worth = number(saving.factor, 2 if saving.factor < 10 else 1)
    if saving.factor <= 1 or not saving.games:
        return say(
            "Variance reduction by {how}: one game is worth {worth} games without it.", how=saving.how, worth=worth
        )
    return say(
        "Variance reduction by {how}: one game is worth {worth} games without it; that saved about {saved} games.",
        how=saving.how, worth=worth, saved=number(_two_digits(saving.games * (saving.factor - 1)), 0),
    )  # fmt: skip


def _two_digits(value: float) -> float:
    """Round to two digits, as an estimate of an effort is no closer."""
    return round(value, 1 - math.floor(math.log10(value))) if value > 0 else 0.0
