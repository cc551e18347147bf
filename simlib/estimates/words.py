"""Estimates as words: as many digits as the interval supports, and verdicts that can be undecided."""

import math
from collections.abc import Iterable

from simlib.estimates import Estimate
from simlib.languages import AsTyped, say

DASH = "\u2013"
MINUS = "\u2212"
MOST_PLACES = 6
ONE = {  # units of a single one
    "points": "point", "points of a per cent": "point of a per cent", "points a round": "point a round",
    "points a game": "point a game", "points a bid": "point a bid",
}  # fmt: skip


def number(value: float, places: int) -> str:
    """Return a number with thousands separators and a true minus sign; a dash where it isn't finite.

    Examples
    --------
    >>> number(12345.678, 1)
    '12,345.7'
    """
    if not math.isfinite(value):
        return DASH
    text = f"{abs(value):,.{places}f}"
    return MINUS + text if value < 0 and text.strip("0.,") else text


def places_for(width: float) -> int:
    """Return the decimals that show an interval of this width in at least four steps.

    Examples
    --------
    >>> places_for(0.8), places_for(0.13), places_for(25)
    (1, 2, 0)
    """
    if not 0 < width < math.inf:
        return 0
    return min(MOST_PLACES, max(0, math.ceil(-math.log10(width / 4) - 1e-9)))


def text(estimate: Estimate, unit: str = "", places: int | None = None, percent: bool = False) -> str:
    """Return an estimate as a phrase with its interval.

    Parameters
    ----------
    estimate : Estimate
        What to say.
    unit : str
        Put after the value, such as ``points``.
    places : int, optional
        Decimals; by default as many as the interval's width supports.
    percent : bool
        Whether a share 0..1 is shown in per cent.

    Returns
    -------
    str
        Such as ``12.3 % (95 % interval 11.9 to 12.7, n = 20,000)``; a dash and the reason where there is no value.

    Examples
    --------
    >>> text(Estimate(0.123, 0.119, 0.127, 20000, "Wilson"), percent=True)
    '12.3 % (95 % interval 11.9 to 12.7, n = 20,000)'
    """
    shown, how_sure = value_and_bracket(estimate, unit, places, percent=percent)
    return say("{value} ({how_sure})", value=shown, how_sure=how_sure)


def value_and_bracket(
    estimate: Estimate, unit: str = "", places: int | None = None, *, percent: bool = False
) -> tuple[str, str]:
    """Return the two parts of `text`: the value with its unit, and how sure it is."""
    scale = 100 if percent else 1
    value, low, high = (part * scale for part in (estimate.value, estimate.low, estimate.high))
    if places is None:
        places = places_for(high - low) if high > low else _own_places(value)
    unit = "%" if percent and not unit else unit
    shown = with_unit(number(value, places), unit) if math.isfinite(value) else DASH
    return shown, _bracket(estimate, number(low, places), number(high, places))


def short(estimate: Estimate, *, percent: bool = False) -> str:
    """Return a value and its interval for where there is little room; nothing where either isn't known.

    Examples
    --------
    >>> short(Estimate(0.249, 0.245, 0.253, 20000, "Wilson"), percent=True)
    '24.9 % (24.5 to 25.3)'
    """
    if not estimate.known:
        return ""
    scale = 100 if percent else 1
    value, low, high = (part * scale for part in (estimate.value, estimate.low, estimate.high))
    places = places_for(high - low) if high > low else _own_places(value)
    if low == high:
        return f"{with_unit(number(value, places), '%' * percent)} every time"
    return f"{with_unit(number(value, places), '%' * percent)} ({number(low, places)} to {number(high, places)})"


def with_unit(value: str, unit: str) -> str:
    """Return a number with its unit behind it.

    Examples
    --------
    >>> with_unit("3", "points"), with_unit("1", "points"), with_unit("3", "")
    ('3 points', '1 point', '3')
    """
    one = ONE.get(unit, unit) if value.lstrip(MINUS) == "1" else unit
    return say("{value} {unit}", value=value, unit=one) if unit else value


def _bracket(estimate: Estimate, low: str, high: str) -> str:
    reason = estimate.reason or "not known"
    if not math.isfinite(estimate.value):
        return say(reason)
    if not estimate.known:
        return say("no interval: {reason}", reason=reason)
    if estimate.low == estimate.high:
        return say("the same every time, n = {n:,}", n=estimate.n)
    return say("{level} interval {low} to {high}, n = {n:,}", level=level(estimate), low=low, high=high, n=estimate.n)


def listed(labels: Iterable[str], estimates: Iterable[Estimate], unit: str = "", *, percent: bool = False) -> str:
    """Return several estimates as one phrase, each behind its label.

    Examples
    --------
    >>> listed(["3 players"], [Estimate(0.5, 0.25, 0.75, 9, "Wilson")], percent=True)
    '3 players 50 % (95 % interval 25 to 75, n = 9)'
    """
    pairs = zip(labels, estimates, strict=True)
    told = [say("{label} {figure}", label=label, figure=text(each, unit, percent=percent)) for label, each in pairs]
    return say("; ").join(told)


def extremes(labels: Iterable[str], estimates: Iterable[Estimate], unit: str = "", *, percent: bool = False) -> str:
    """Return the lowest and the highest of several estimates as one phrase, each behind its label.

    Examples
    --------
    >>> made = [Estimate(value, value, value, 9, "counted") for value in (3, 1, 2)]
    >>> extremes(["a", "b", "c"], made, "points")
    'lowest: b 1 points (the same every time, n = 9); highest: a 3 points (the same every time, n = 9)'
    """
    pairs = zip(labels, estimates, strict=True)
    ranked = sorted((pair for pair in pairs if math.isfinite(pair[1].value)), key=lambda pair: pair[1].value)
    if not ranked:
        return say("nothing is known")
    low, high = (listed([label], [each], unit, percent=percent) for label, each in (ranked[0], ranked[-1]))
    return say("lowest: {low}; highest: {high}", low=AsTyped(low), high=AsTyped(high))


def level(estimate: Estimate) -> str:
    """Return the nominal coverage, such as ``95 %``."""
    return f"{100 * estimate.level:.4g} %"


def verdict(
    estimate: Estimate, smallest_that_matters: float | None = None, *, unit: str = "", percent: bool = False
) -> str:
    """Return what an interval for a difference says.

    Parameters
    ----------
    estimate : Estimate
        A difference.
    smallest_that_matters : float, optional
        A difference up to this size is as good as none, on the scale of the estimate.
    unit, percent
        How that size is printed.

    Returns
    -------
    str
        ``no difference larger than x`` where the whole interval lies within it, else ``higher`` or ``lower``
        where it lies on one side of zero, else ``undecided``.

    Examples
    --------
    >>> verdict(Estimate(0.4, 0.1, 0.7, 900, "paired"))
    'higher'
    >>> verdict(Estimate(0.4, 0.1, 0.7, 900, "paired"), 1)
    'no difference larger than 1'
    """
    margin = smallest_that_matters
    if margin is not None and estimate.known and -margin <= estimate.low and estimate.high <= margin:
        size = with_unit(f"{100 * margin if percent else margin:,.6g}", unit or ("%" if percent else ""))
        return say("no difference larger than {size}", size=size)
    return {1: "higher", -1: "lower", 0: "undecided"}[estimate.sign]


def _own_places(value: float) -> int:
    if not math.isfinite(value) or value == round(value):
        return 0
    return min(MOST_PLACES, max(0, 3 - math.floor(math.log10(abs(value)))))
