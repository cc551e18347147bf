"""What the charts share: axes placed in inches, ticks, wrapped labels, marks."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from simlib.estimates.words import DASH, number, places_for
from simlib.figures.style import GRID, INK, MUTED, SMALL, TEXT, look, plain
from simlib.heavy import pd
from simlib.languages import say

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NO_BREAK = "\u00a0"  # a blank at which no line ends
ROW, KEY_ROW, LINE = 0.3, 0.18, 0.15  # inches
_SEQUENCE = np.array([[238, 244, 249], [158, 199, 226], [66, 137, 190], [9, 74, 128]]) / 255
_DIVERGING = np.array([[178, 80, 6], [241, 178, 116], [245, 245, 243], [128, 186, 222], [4, 98, 158]]) / 255
Percent = bool | Literal["points"]  # whether shares are shown in per cent, or their differences in points of one
POINTS: Literal["points"] = "points"


def column(frame: pd.DataFrame, name: str) -> np.ndarray:
    """Return a column as floats, all nan where the frame lacks it."""
    if name not in frame:
        return np.full(len(frame), math.nan)
    return pd.to_numeric(frame[name], errors="coerce").to_numpy(dtype=float, na_value=math.nan)


def groups(frame: pd.DataFrame, name: str | None) -> list[tuple[str, pd.DataFrame]]:
    """Return the parts of a frame by a column, in order of appearance; the whole as one where there is no column."""
    if name is None or name not in frame:
        return [("", frame)]
    return [(str(value), part) for value, part in frame.groupby(name, sort=False, dropna=False, observed=True)]


def kinds(given: pd.Series) -> list[Any]:
    """Return what the k axis shows: every whole number in range, or the texts in order of appearance."""
    values = given.dropna()
    if pd.api.types.is_numeric_dtype(values) and len(values) and (values == values.round()).all():
        lowest, highest = int(values.min()), int(values.max())
        if highest - lowest <= 400:
            return list(range(lowest, highest + 1))
    return list(dict.fromkeys(values))


def kind_text(kind: object) -> str:
    """Return one of `kinds` as text."""
    return number(kind, 0) if isinstance(kind, int) else str(kind)


def zero_line(reference: float | None, percent: Percent) -> float | None:
    """Return what values are read against: differences of shares against zero, others against what was given."""
    return 0.0 if reference is None and percent == POINTS else reference


def place(figure: Figure, left: float, right: float, top: float, bottom: float) -> Axes:
    """Return new axes at these margins in inches."""
    width, height = figure.get_size_inches()
    return figure.add_axes((left / width, bottom / height, 1 - (left + right) / width, 1 - (top + bottom) / height))


def sheet(figure: Figure) -> Axes:
    """Return axes over a whole figure in inches from its upper left corner, without ticks or frame."""
    width, height = figure.get_size_inches()
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()
    return axes


def write(axes: Axes, x: float, y: float, text: str, *, size: float = TEXT, **options: Any) -> None:
    """Write text on a sheet as it stands; `y` is the middle of its line."""
    axes.text(x, y + size * 0.36 / 72, plain(text), fontsize=size, va="baseline", **options)


def inches(axes: Axes) -> tuple[float, float]:
    """Return the size of axes."""
    box, (width, height) = axes.get_position(), cast("Figure", axes.figure).get_size_inches()
    return box.width * width, box.height * height


def text_width(text: str, size: float = TEXT) -> float:
    """Return about how wide a line of text is, in inches, whatever the browser's font."""
    signs = sum(1.0 if _is_wide(sign) else 0.6 for sign in text)
    return signs * size / 72


def wrap(text: str, most: float, size: float = TEXT, lines: int = 2, *, middle: bool = False) -> list[str]:
    """Return text, in the language that is spoken, as at most so many lines of at most so many inches, cut to fit.

    It is cut at its end, or in the `middle` of its last line, so that its end shows.
    """
    kept = [""]
    for piece in _pieces(say(str(text))):
        joined = (kept[-1] + piece).lstrip()
        if not kept[-1] or text_width(joined.rstrip(), size) <= most:
            kept[-1] = joined
        else:
            kept.append(piece.lstrip())
    kept = [line.rstrip() for line in kept]
    if len(kept) > lines:
        kept[lines - 1 :] = ["".join(_between(kept[lines - 1 :]))]
    return [_cut(line, most, size, middle=middle and at == len(kept) - 1) for at, line in enumerate(kept)]


def wrap_all(labels: Iterable[object], most: float, size: float = TEXT, lines: int = 3) -> list[list[str]]:
    """Return labels of one chart as lines. If one doesn't fit, their common beginning goes; then its middle is cut."""
    texts = [say(str(label)) for label in labels]
    wrapped = [wrap(text, most, size, lines) for text in texts]
    if not any(_is_cut(text, own) for text, own in zip(texts, wrapped, strict=True)):
        return wrapped
    return [wrap(text, most, size, lines, middle=True) for text in without_beginning(texts)]


def _is_cut(text: str, lines: Sequence[str]) -> bool:
    return "\u2026" in lines[-1] and "\u2026" not in text


_ENDS = re.compile(r"[\s=:,;|\u3001\uff1a]")


def without_beginning(texts: Sequence[str]) -> list[str]:
    """Return texts without the words that all of them begin with, as long as something of each is left.

    Examples
    --------
    >>> without_beginning(["hand.visible=[1, 6]", "hand.visible=[1]"])
    ['[1, 6]', '[1]']
    """
    common = len(beginning(texts))
    return [text[common:] for text in texts]


def beginning(texts: Sequence[str]) -> str:
    """Return the words that all of several texts begin with, with the mark behind them; nothing for one text."""
    if len(set(texts)) < 2:
        return ""
    least, most = min(texts), max(texts)  # what these two share in the beginning all share
    common = least[: next((at for at, (a, b) in enumerate(zip(least, most, strict=False)) if a != b), len(least))]
    ends = [found.end() for found in _ENDS.finditer(common) if all(text[found.end() :].strip() for text in texts)]
    return common[: ends[-1]] if ends else ""


def widest(lines: Iterable[Sequence[str]], size: float = TEXT) -> float:
    """Return the width in inches of the widest of some wrapped labels."""
    return max((text_width(line, size) for each in lines for line in each), default=0.0)


_WIDE = r"\u3000-\u9fff\uff00-\uffef"
_BREAKS = re.compile(rf"\s*\uff08*(?:[^\s{_WIDE}]+|[{_WIDE}])[\u3001\u3002\u30fc\uff09\uff1a\uff1b]*")


def _pieces(text: str) -> list[str]:
    """Return a text's parts between which a line may end: words, and each sign of Chinese characters and kana.

    No line begins with a full-width comma or bracket that closes what stands before, or ends with an opening one.
    """
    return _BREAKS.findall(" ".join(text.split()))


def _between(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines that belong together, with a blank between those that were parted at one."""
    for before, line in pairwise(["", *lines]):
        parted = before and not (_is_wide(before[-1]) or _is_wide(line[:1] or "."))
        yield (" " if parted else "") + line


def _is_wide(sign: str) -> bool:
    return unicodedata.east_asian_width(sign) in "WF"


def _cut(line: str, most: float, size: float, *, middle: bool) -> str:
    if text_width(line, size) <= most:
        return line
    for kept in range(len(line) - 1, 0, -1):
        head = -(-kept // 2) if middle else kept
        cut = line[:head].rstrip() + "\u2026" + line[len(line) - (kept - head) :].lstrip()
        if text_width(cut, size) <= most:
            return cut
    return "\u2026"


def finite(values: Iterable[object]) -> list[float]:
    """Return the finite numbers among values."""
    numbers = np.asarray(list(values), dtype=float)
    return [float(value) for value in numbers[np.isfinite(numbers)]]


def span(values: Iterable[object], pad: float = 0.05) -> tuple[float, float]:
    """Return an axis range around the finite values; 0..1 where there are none, or nothing but zeros."""
    kept = finite(values)
    if not kept:
        return 0.0, 1.0
    low, high = min(kept), max(kept)
    if low == high == 0:
        return -pad, 1.0
    room = (high - low) * pad or abs(high) * 0.1 or 0.5
    return low - room, high + room


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Return round numbers within a range, at most so many."""
    rough = (high - low) / most
    power = 10 ** math.floor(math.log10(rough))
    step = next(power * size for size in (1, 2, 2.5, 5, 10, 20) if (high - low) / (power * size) <= most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(place * step, 12) + 0.0 for place in range(first, last + 1)]


def tick_texts(places: Sequence[float], *, percent: Percent = False) -> list[str]:
    """Return the numbers of ticks, all with the same decimals; the unit of shares only at the last."""
    scale = 100 if percent else 1
    values = [scale * value for value in places]
    near = 1e-6 * min((abs(b - a) for a, b in pairwise(values) if a != b), default=1.0)
    decimals = next((d for d in range(7) if all(abs(round(value, d) - value) <= near for value in values)), 6)
    texts = [number(value, decimals) for value in values]
    return [*texts[:-1], f"{texts[-1]} %"] if percent is True and texts else texts


def ticks_at(
    values: Iterable[object], limits: tuple[float, float], room: float, *, percent: Percent, most: int
) -> list[float]:
    """Return where ticks stand along `room` inches: at each of the values if their numbers fit, else at round numbers.

    Whole values get no ticks between them.
    """
    given = sorted(set(finite(values)))
    if given and _fit(given, limits, room, percent=percent):
        return given
    whole = bool(given) and all(value == round(value) for value in given)
    found = [[at for at in ticks(*limits, count) if not whole or at == round(at)] for count in range(most, 1, -1)]
    return next((each for each in found if _fit(each, limits, room, percent=percent)), found[-1][:1])


def _fit(places: Sequence[float], limits: tuple[float, float], room: float, *, percent: Percent) -> bool:
    """Tell whether the numbers of ticks stand apart along `room` inches."""
    wide = [text_width(text, SMALL) for text in tick_texts(places, percent=percent)]
    gaps = [(b - a) / (limits[1] - limits[0]) * room - 0.08 for a, b in pairwise(places)]
    return all(gap >= (one + other) / 2 for gap, (one, other) in zip(gaps, pairwise(wide), strict=True))


def x_axis(
    axes: Axes, limits: tuple[float, float], label: str, *, percent: Percent = False, most: int = 5,
    values: Iterable[object] = (),
) -> None:  # fmt: skip
    """Set a numeric x axis, with ticks at the `values` that it shows where these are few."""
    axes.set_xlim(*limits)
    at = ticks_at(values, limits, inches(axes)[0], percent=percent, most=most)
    axes.set_xticks(at, tick_texts(at, percent=percent))
    below(axes, label)


def y_axis(axes: Axes, limits: tuple[float, float], *, percent: Percent = False, most: int = 5) -> None:
    """Set a numeric y axis with grid lines."""
    axes.set_ylim(*limits)
    at = ticks(*limits, most)
    axes.set_yticks(at, tick_texts(at, percent=percent))
    axes.grid(axis="y")


def y_room(limits: tuple[float, float], *, percent: Percent = False, most: int = 5) -> float:
    """Return the left margin, in inches, that the numbers of a y axis need."""
    texts = tick_texts(ticks(*limits, most), percent=percent)
    return 0.12 + max((text_width(text, SMALL) for text in texts), default=0.2)


def unit(percent: Percent) -> str:
    """Return the unit that stands with the axis of differences of shares; nothing for other numbers."""
    return "points of a per cent" if percent == POINTS else ""


def axis_name(label: str, percent: Percent) -> str:
    """Return an axis' name: for differences of shares with their unit, unless it tells it."""
    if percent != POINTS or unit(percent) in label:
        return label
    return say("{value} ({how_sure})", value=label, how_sure=unit(percent)) if label else unit(percent)


def name_lines(label: str, width: float) -> list[str]:
    """Return an axis' name as lines that a figure of some inches has room for; none for no name."""
    return wrap(label, width - 0.1, SMALL, lines=3) if label else []


def name_room(label: str, width: float) -> float:
    """Return how much higher, in inches, an axis' name is than one line."""
    return LINE * max(0, len(name_lines(label, width)) - 1)


def below(axes: Axes, label: str) -> None:
    """Write an x axis' name under its numbers, in the middle as far as the figure's edges let it."""
    width = float(cast("Figure", axes.figure).get_size_inches()[0])
    box = axes.get_position()
    for row, line in enumerate(name_lines(label, width)):
        half = text_width(line, SMALL) / 2
        middle = min(max((box.x0 + box.width / 2) * width, half + 0.03), width - half - 0.03)
        note(axes, (middle / width - box.x0) / box.width, 0, line, down=27 + 72 * LINE * row, ha="center")


def above(axes: Axes, label: str, left: float, *, up: float = 8) -> None:
    """Write a y axis' name over its numbers, flush with the figure's left edge (`left` inches away)."""
    lines = name_lines(label, float(cast("Figure", axes.figure).get_size_inches()[0]))
    for rise, line in zip(reversed(range(len(lines))), lines, strict=True):
        note(axes, 0, 1, line, down=-up - 72 * LINE * rise, right=-72 * left + 1)


def note(axes: Axes, x: float, y: float, text: str, *, down: float = 0, right: float = 0, ha: str = "left") -> None:
    """Write small muted text at a place in the axes, moved by points."""
    axes.annotate(
        plain(text), (x, y), xycoords="axes fraction", xytext=(right, -down), textcoords="offset points",
        ha=ha, va="baseline", color=MUTED, fontsize=SMALL, annotation_clip=False,
    )  # fmt: skip


def lines_at(
    axes: Axes, x: float, y: float, lines: Sequence[str], *, right: float, ha: str, size: float = TEXT,
    weight: str = "normal",
) -> None:  # fmt: skip
    """Write lines of text centred on a height in data units, at a share of the axes' width moved by points."""
    for row, line in enumerate(lines):
        down = (row - (len(lines) - 1) / 2) * size * 1.15 + size * 0.36
        axes.annotate(
            plain(line), (x, y), xycoords=("axes fraction", "data"), xytext=(right, -down), fontweight=weight,
            textcoords="offset points", ha=ha, va="baseline", fontsize=size, color=INK, annotation_clip=False,
        )  # fmt: skip


class KeyLines:
    """The key of several series as lines of markers and names, broken to a width; nothing for one series.

    Where it takes more than a line, what all names begin with stands once before them.
    """

    def __init__(self, names: Sequence[str], width: float):
        texts = [say(str(name)) for name in names] if len(names) > 1 else []
        self.head, self.spots = "", self._spots(texts, "", width)
        if self._last > 0 and (head := beginning(texts)):
            (self.head,) = wrap(head.rstrip(" ,;|"), width / 2, SMALL, lines=1)
            self.spots = self._spots(without_beginning(texts), self.head, width)
        self.lines = self._last + 1
        self.height = KEY_ROW * self.lines

    @property
    def _last(self) -> int:
        return self.spots[-1][2] if self.spots else -1

    @staticmethod
    def _spots(texts: Sequence[str], head: str, width: float) -> list[tuple[str, float, int]]:
        """Return each name with its place along its line, in inches, and the line's number."""
        found: list[tuple[str, float, int]] = []
        at, line = text_width(head, SMALL) + 0.1 * bool(head), 0
        for text in texts:
            (name,) = wrap(text, width - 0.34, SMALL, lines=1, middle=True)
            wide = text_width(name, SMALL) + 0.34
            if at and at + wide > width:
                at, line = 0.0, line + 1
            found.append((name, at, line))
            at += wide
        return found

    def draw(self, axes: Axes, left: float, up: float) -> None:
        """Write the key from `up` points above the axes and `left` inches before them."""
        wide, tall = inches(axes)
        if self.head:
            note(axes, -left / wide, 1, self.head, down=-up - 72 * KEY_ROW * (self.lines - 1), right=1)
        for rank, (name, at, line) in enumerate(self.spots):
            rise = up + 72 * KEY_ROW * (self.lines - 1 - line)
            x, mark = (at - left + 0.06) / wide, look(rank)
            y = 1 + (rise + 2.8) / 72 / tall
            axes.plot([x], [y], marker=mark.marker, color=mark.colour, transform=axes.transAxes, clip_on=False)
            note(axes, x, 1, name, down=-rise, right=7)


def reference_line(axes: Axes, at: float, label: str = "", *, vertical: bool = True) -> None:
    """Draw a thin line through a value that others are read against, with its name at the far end."""
    draw = axes.axvline if vertical else axes.axhline
    draw(at, color=MUTED, lw=1, ls=(0, (3, 2)), zorder=1)
    if label and vertical:
        low, high = axes.get_xlim()
        share = (at - low) / (high - low)
        note(axes, share, 1, label, down=-3, ha="left" if share < 0.3 else "right" if share > 0.7 else "center")


def spread(wanted: Sequence[float], gap: float | Sequence[float], low: float, high: float) -> list[float]:
    """Return heights as near to the wanted ones as a least gap between neighbours allows, within a range.

    Parameters
    ----------
    gap : float or sequence of float
        The same for all, or how tall each is: neighbours are then half of both apart.
    """
    tall = [gap] * len(wanted) if isinstance(gap, int | float) else list(gap)
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    placed = list(wanted)
    for before, after in pairwise(order):
        placed[after] = max(placed[after], placed[before] + (tall[before] + tall[after]) / 2)
    if order and placed[order[-1]] > high:
        placed[order[-1]] = high
        for after, before in pairwise(reversed(order)):
            placed[before] = min(placed[before], placed[after] - (tall[before] + tall[after]) / 2)
    lift = max(0.0, low - placed[order[0]]) if order else 0.0
    return [height + lift for height in placed]


def own_places(value: float) -> int:
    """Return the fewest decimals, six at most, that show the first three digits of a number without an interval.

    Examples
    --------
    >>> own_places(40), own_places(0.25), own_places(45.6789)
    (0, 2, 1)
    """
    most = min(6, max(0, 2 - math.floor(math.log10(abs(value))))) if value else 0
    return next(places for places in range(most + 1) if round(value, places) == round(value, most))


def shown(value: float, width: float, *, percent: Percent = False) -> str:
    """Return a value with the digits that an interval of this width supports; a dash where unknown."""
    if not math.isfinite(value):
        return DASH
    scale = 100 if percent else 1
    decimals = places_for(width * scale) if width > 0 else own_places(value * scale)
    plus = "+" if percent == POINTS and scale * value >= 0.5 / 10**decimals else ""
    return plus + number(scale * value, decimals) + (" %" if percent is True else "")


def interval_texts(ends: Sequence[np.ndarray], *, percent: Percent = False) -> list[tuple[str, str]]:
    """Return each value with how far its interval reaches: as ``\u00b10.02``, or all as brackets if one is lopsided.

    Parameters
    ----------
    ends : three arrays
        Values, lower and upper ends; what isn't known is a dash or left out.

    Examples
    --------
    >>> interval_texts(np.array([[0.31], [0.29], [0.33]])), interval_texts(np.array([[0.2], [0.15], [0.5]]))
    ([('0.31', '\u00b10.02')], [('0.20', '[0.15, 0.50]')])
    """
    scale = 100 if percent else 1
    rows = [tuple(map(float, row)) for row in zip(*ends, strict=True)]
    told = [shown(value, high - low if high > low else 0.0, percent=percent) for value, low, high in rows]
    sure = [math.isfinite(value) and 0 < high - low < math.inf for value, low, high in rows]
    arms, brackets = [], []
    for value, low, high in rows:
        places = places_for(scale * (high - low))
        arms.append([number(scale * reach, places) for reach in (value - low, high - value)])
        brackets.append(f"[{number(scale * low, places)}, {number(scale * high, places)}]")
    even = all(down == up for (down, up), known in zip(arms, sure, strict=True) if known)
    reaches = [f"\u00b1{up}" if even else bracket for (_, up), bracket in zip(arms, brackets, strict=True)]
    return [(value, reach if known else "") for value, reach, known in zip(told, reaches, sure, strict=True)]


def interval_cells(ends: Sequence[np.ndarray], *, percent: Percent = False) -> list[str]:
    """Return the same as texts for a table's cells, whose lines break at most between a value and its interval."""
    pairs = interval_texts(ends, percent=percent)
    return [" ".join(part.replace(" ", NO_BREAK) for part in pair if part) for pair in pairs]


def shades(values: np.ndarray, centre: float | None) -> np.ndarray:
    """Return red, green and blue for each value, light for low ones or those near a centre; nan where there is none."""
    known = values[np.isfinite(values)]
    low, high = (known.min(), known.max()) if len(known) else (0.0, 1.0)
    if centre is not None:
        reach = max(abs(low - centre), abs(high - centre)) or 1.0
        low, high = centre - reach, centre + reach
    scale = _SEQUENCE if centre is None else _DIVERGING
    share = (np.where(np.isfinite(values), values, math.nan) - low) / ((high - low) or 1.0)
    at = np.linspace(0, 1, len(scale))
    return np.stack([np.interp(share, at, scale[:, part], left=math.nan) for part in range(3)], axis=-1)


def nothing(axes: Axes) -> None:
    """Say that there is nothing to draw."""
    note(axes, 0.5, 0.5, "no data", ha="center")


def grid_x(axes: Axes) -> None:
    """Draw vertical grid lines only."""
    axes.grid(axis="x", color=GRID)
