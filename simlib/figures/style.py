"""One look for every figure, and figures as inline SVG: the same bytes for the same picture.

Figures are drawn in a few colours that stand for roles (ink, muted, grid, paper, the series). In the SVG each becomes
``currentColor`` or a CSS variable with the drawn colour as its fallback, so one picture serves light and dark pages.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from cycler import cycler

from simlib.heavy import matplotlib
from simlib.languages import say

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH = 4.7  # inches; at this width the type is still readable on a phone and not yet loud on a desktop
INK, MUTED, GRID, PAPER = "#000000", "#5b6068", "#dadde2", "#ffffff"
# M. Okabe and K. Ito, Color Universal Design (2008): distinct for all common kinds of colour vision
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
ON_DARK, ON_LIGHT = "#fefefe", "#010101"  # text on fills: stays as it is, whatever the page's own colours are
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
CROSSING = "*"  # no series' own: it marks where lines cross a height
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.8)), (0, (1.2, 1.4)), (0, (6, 1.5, 1.2, 1.5)), (0, (3, 1)), (0, (9, 3)))
TEXT, SMALL = 9.6, 9.0  # points
FONTS = "system-ui,-apple-system,'Segoe UI',Roboto,'Hiragino Sans','Noto Sans JP','Noto Sans CJK JP',sans-serif"

STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "font.family": ["DejaVu Sans"],  # ships with matplotlib: text is measured alike on every machine
    "font.size": TEXT,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "axes.edgecolor": MUTED,
    "axes.linewidth": 0.8,
    "axes.labelcolor": MUTED,
    "axes.labelsize": SMALL,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.axisbelow": True,
    "axes.prop_cycle": cycler(color=PALETTE),
    "axes.unicode_minus": True,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "text.color": INK,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "xtick.major.size": 3,
    "ytick.major.size": 0,
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
    "legend.frameon": False,
}


class Look(NamedTuple):
    """How one of several series is drawn: never by its colour alone."""

    colour: str
    marker: str
    dashes: Any


def look(rank: int) -> Look:
    """Return the look of the series of this rank, from 0; after 42 they begin again.

    Each seven series have all colours and all markers, and no two of the 42 share both.
    """
    colours, turn = (*PALETTE, INK), rank % 42 // 7
    return Look(colours[rank % 7], MARKERS[(rank + turn) % 7], DASHES[rank % 6])


class CardLook(NamedTuple):
    """How a card of some colour is drawn; its colour's name, or a sign of it, always stands beside."""

    fill: str
    ink: str


CARD_LOOKS = {  # apart for all common kinds of colour vision within each game, and from the colours of series
    "red": CardLook("#cc3a22", ON_DARK),
    "blue": CardLook("#0b68ae", ON_DARK),
    "green": CardLook("#1fa37a", ON_LIGHT),
    "yellow": CardLook("#f5dc52", ON_LIGHT),
    "purple": CardLook("#b08be0", ON_LIGHT),
    "orange": CardLook("#e8862a", ON_LIGHT),
    "pink": CardLook("#e070b0", ON_LIGHT),
    "silver": CardLook("#d3d7dc", ON_LIGHT),
}
OTHER_CARD = CardLook("#9aa0a8", ON_LIGHT)


def card_look(colour: str) -> CardLook:
    """Return the look of cards of a colour, such as ``red`` or ``silver``; one for all colours without their own."""
    return CARD_LOOKS.get(colour, OTHER_CARD)


def luminance(shade: Iterable[float]) -> float:
    """Return the relative luminance of red, green and blue, each 0..1, as WCAG 2 defines it."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in shade]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ink_on(shade: Iterable[float]) -> str:
    """Return the text colour, dark or light, that stands out better from a shade: by 4.5 to 1 or more from any."""
    ground = luminance(shade) + 0.05
    light, dark = (luminance(matplotlib.colors.to_rgb(ink)) + 0.05 for ink in (ON_DARK, ON_LIGHT))
    return ON_DARK if light / ground > ground / dark else ON_LIGHT


def styled(draw: Callable[..., Figure]) -> Callable[..., Figure]:
    """Return a drawing function that draws in the house style."""

    @wraps(draw)
    def drawn(*args: Any, **options: Any) -> Figure:
        with style():
            return draw(*args, **options)

    return drawn


@contextmanager
def style() -> Iterator[None]:
    """Draw in the house style inside this block, whatever the user's own matplotlib settings are.

    Examples
    --------
    >>> with style():
    ...     axes = new_figure().add_axes((0.1, 0.2, 0.8, 0.7))
    """
    with matplotlib.rc_context(STYLE), warnings.catch_warnings():
        # The browser picks the font: glyphs missing from the measuring font show all the same.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


def new_figure(width: float = WIDTH, height: float = 3.0) -> Figure:
    """Return an empty figure in the house style that no global list holds on to.

    Parameters
    ----------
    width, height : float
        Inches.
    """
    with style():
        figure = matplotlib.figure.Figure(figsize=(width, height))
    matplotlib.backends.backend_svg.FigureCanvasSVG(figure)
    return figure


def plain(text: object) -> str:
    r"""Return text that matplotlib draws as it stands: no mathtext, no control characters.

    Examples
    --------
    >>> print(plain("$5 or $6"))
    \$5 or \$6
    """
    kept = "".join(sign for sign in say(str(text)) if sign == "\n" or sign.isprintable() or sign.isspace())
    return re.sub(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", " ", kept).replace("$", r"\$")


def slug(text: str) -> str:
    """Return a name that is safe as an id and as a file name.

    Examples
    --------
    >>> slug("Hits, by bid")
    'hits-by-bid'
    """
    return re.sub(r"[^a-z0-9_]+", "-", text.lower()).strip("-") or "x"


def to_svg(figure: Figure, key: str, *, title: str = "", description: str = "") -> str:
    """Return a figure as an ``<svg>`` element to stand inside a page.

    Parameters
    ----------
    figure : Figure
        Any figure; those of `new_figure` follow the page's colours.
    key : str
        Unique on the page: every id begins with it.
    title, description : str
        What a screen reader says.

    Returns
    -------
    str
        The same bytes for the same picture and key.
    """
    prefix = key if re.fullmatch("[a-z][a-z0-9_-]*", key) else slug(key)
    with style(), matplotlib.rc_context({"svg.hashsalt": prefix}), io.StringIO() as sink:
        matplotlib.backends.backend_svg.FigureCanvasSVG(figure).print_svg(
            sink, metadata=dict.fromkeys(("Date", "Creator", "Format", "Type"))
        )
        drawn = sink.getvalue()
    body = drawn[drawn.index(">", drawn.index("<svg")) + 1 : drawn.rindex("</svg>")]
    body = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", body, flags=re.DOTALL)
    return _opening(figure, prefix, title, description) + _tags(body, prefix) + "</svg>"


def _opening(figure: Figure, prefix: str, title: str, description: str) -> str:
    width, height = (round(72 * inches, 2) for inches in figure.get_size_inches())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="100%" role="img" '
        f'aria-labelledby="{prefix}-title {prefix}-desc" fill="currentColor" stroke-linejoin="round" '
        f'font-family="{FONTS}">'
        f'<title id="{prefix}-title">{escape(title or key_words(prefix))}</title>'
        f'<desc id="{prefix}-desc">{escape(description)}</desc>'
    )


def key_words(key: str) -> str:
    """Return a key as words, for a figure that was given no title."""
    return key.replace("-", " ").replace("_", " ")


_TAG = re.compile(r"<[^>]*>")
_LONG = re.compile(r"(\.\d\d)\d+")
_LINES = re.compile(r"\s*\n\s*")
_IDLE = re.compile(r' ?transform="rotate\(-0 [^"]*\)"| ?id="[A-Z]?[A-Za-z.]+[0-9]?[a-z]?_\d+"|font-family: [^;"]*;? ?')
_NAMES = re.compile(r'\bid="|url\(#|xlink:href="#')
_COLOURS = re.compile("#[0-9a-f]{6}")
_ROLES = {
    INK: "currentColor",
    MUTED: f"var(--muted,{MUTED})",
    GRID: f"var(--grid,{GRID})",
    PAPER: f"var(--paper,{PAPER})",
} | {colour: f"var(--series-{number},{colour})" for number, colour in enumerate(PALETTE, 1)}
_ROLES |= {own.fill: f"var(--card-{name},{own.fill})" for name, own in CARD_LOOKS.items()}


def _tags(body: str, prefix: str) -> str:
    """Return the drawing with ids, colours and numbers rewritten inside its tags; text stays untouched."""

    def rewritten(match: re.Match[str]) -> str:
        tag = _IDLE.sub("", _LONG.sub(r"\1", _LINES.sub(" ", match.group())))
        tag = _NAMES.sub(lambda found: f"{found.group().removeprefix('xlink:')}{prefix}-", tag)
        return _COLOURS.sub(lambda found: _ROLES.get(found.group(), found.group()), tag)

    return re.sub(r">\s*\n\s*<", ">\n<", _TAG.sub(rewritten, body))
