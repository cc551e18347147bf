"""Charts as files for slides, each to stand alone: a title above it, and below it where its numbers come from."""

import io
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from matplotlib import font_manager
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.ft2font import FT2Font
from matplotlib.text import Text

from simlib.errors import BadInput, SimlibError
from simlib.estimates.words import number
from simlib.figures.parts import wrap
from simlib.figures.style import FONTS, INK, MUTED, PAPER, STYLE, WIDTH, plain, slug, style, to_svg
from simlib.findings import Chart, Finding
from simlib.languages import AsTyped, say

if TYPE_CHECKING:
    from simlib.pages.page import RunFacts

HEADLINE = "headline"  # the name of the answer's small picture
PIXELS = 1920  # across a PNG: as wide as a slide
MOST_PIXELS = 2**16 - 1  # what matplotlib draws at most, up and down
TITLE, SOURCE, MARGIN = 12.0, 7.5, 0.12  # points and points at the usual width, inches
BOLD = 1.12  # how much wider bold type runs than the plain one that texts are measured by
MOST_LINES = 12
PREFERRED = (
    "Noto Sans CJK JP", "Noto Sans JP", "Source Han Sans", "IPAexGothic", "IPAGothic", "VL Gothic", "Hiragino Sans",
    "Yu Gothic", "Meiryo", "MS Gothic",
)  # fmt: skip


class Slide(NamedTuple):
    """A figure with its name, what stands above it, and what it shows, in words."""

    key: str
    title: str
    figure: Figure
    alt: str


def files(
    findings: Sequence[Finding], facts: "RunFacts", *, as_png: bool, transparent: bool
) -> dict[str, str | bytes]:  # fmt: skip
    """Return each figure of some findings as a file's content, by its name; the figures are used up.

    Parameters
    ----------
    findings : sequence of Finding
    facts : RunFacts
        What the line below each figure says of its numbers.
    as_png : bool
        PNG files instead of SVG.
    transparent : bool
        Without a background; else it is white.

    Raises
    ------
    BadInput
        If a PNG needs signs that no installed font has.
    SimlibError
        If two figures share a name.
    """
    drawn: dict[str, str | bytes] = {}
    source = source_of(facts)
    for slide in _slides(findings):
        name = f"{slug(slide.key)}.{'png' if as_png else 'svg'}"
        if name in drawn:
            raise SimlibError(f"two figures of this report share the name {name}")
        frame(slide.figure, slide.title, source)
        slide.figure.set_facecolor("none" if transparent else PAPER)
        drawn[name] = png(slide.figure) if as_png else standalone_svg(slide)
    return drawn


def _slides(findings: Sequence[Finding]) -> Iterator[Slide]:
    """Yield the answer's small picture, if it has one, and all charts in the page's order."""
    for finding in findings:
        if finding.picture:
            yield Slide(HEADLINE, finding.headline, finding.picture.figure, finding.picture.alt)
        yield from (_slide(chart) for chart in finding.charts)


def _slide(chart: Chart) -> Slide:
    return Slide(chart.key, chart.title, chart.figure, chart.alt)


def source_of(facts: "RunFacts") -> str:
    """Return the line that says what a figure's numbers come from: the question, the run, the players and the seed."""
    names = dict.fromkeys(name.partition(" (")[0] for name, _ in facts.players)
    return say(
        "{game}: {question} From a run of {games} games in all; the report says how many each number rests on (n); "
        "players: {players}; seed {seed}",
        game=AsTyped(say(facts.game)), question=AsTyped(say(facts.question)), games=number(facts.games, 0),
        players=AsTyped(say(", ").join(map(say, names))), seed=facts.seed,
    )  # fmt: skip


# ---- the frame -----------------------------------------------------------------------------------------------------


def frame(figure: Figure, title: str, source: str) -> None:
    """Give a figure margins, and write a title above what it holds and a source below, wrapped to its width."""
    width, height = figure.get_size_inches()
    large, small = (size * width / WIDTH for size in (TITLE, SOURCE))  # alike in all files, as these are equally wide
    above = wrap(title, width, BOLD * large, MOST_LINES)
    below = wrap(AsTyped(source), width, small, MOST_LINES)
    top = 2 * MARGIN + len(above) * _line(large)
    bottom = 2 * MARGIN + len(below) * _line(small)
    wide, tall = width + 2 * MARGIN, top + height + bottom
    figure.set_size_inches(wide, tall)
    for axes in figure.axes:
        box = axes.get_position()
        left, low = MARGIN + box.x0 * width, bottom + box.y0 * height
        axes.set_position((left / wide, low / tall, box.width * width / wide, box.height * height / tall))
    with style():
        _write(figure, above, tall - MARGIN, large, INK, weight="bold")
        _write(figure, below, bottom - MARGIN, small, MUTED, weight="normal")


def _line(size: float) -> float:
    """Return how tall a line of text is, in inches."""
    return size * 1.25 / 72


def _write(figure: Figure, lines: Sequence[str], top: float, size: float, colour: str, *, weight: str) -> None:
    """Write lines of text from a height in inches downward."""
    width, height = figure.get_size_inches()
    for row, line in enumerate(lines):
        down = top - (row + 0.8) * _line(size)
        figure.text(MARGIN / width, down / height, plain(AsTyped(line)), fontsize=size, color=colour, fontweight=weight)


# ---- SVG -----------------------------------------------------------------------------------------------------------

_TAG = re.compile(r"<[^>]*>")
_VARIABLE = re.compile(r"var\(--[a-z0-9-]+,(#[0-9a-f]{6})\)")
_PAGE_FONTS = "system-ui,-apple-system,"  # names that browsers alone know


def standalone_svg(slide: Slide) -> str:
    """Return a figure as an SVG file in its own colours, which follows no page's."""
    width, height = slide.figure.get_size_inches()
    drawn = to_svg(slide.figure, f"chart--{slug(slide.key)}", title=say(slide.title), description=say(slide.alt))
    alone = _TAG.sub(lambda tag: _VARIABLE.sub(r"\1", tag.group()).replace("currentColor", INK), drawn)
    size = f'width="{72 * width:.2f}pt" height="{72 * height:.2f}pt"'
    alone = alone.replace('width="100%"', size, 1).replace(FONTS, FONTS.removeprefix(_PAGE_FONTS), 1)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{alone}\n'


# ---- PNG -----------------------------------------------------------------------------------------------------------


def png(figure: Figure) -> bytes:
    """Return a figure as a PNG file, PIXELS wide.

    Raises
    ------
    BadInput
        If it has signs that no installed font has: they would come out as empty boxes.
    """
    width, height = figure.get_size_inches()
    figure.set_dpi(min((PIXELS + 0.01) / width, MOST_PIXELS / height))  # a whole number of pixels, whatever rounding
    with style(), io.BytesIO() as sink:
        canvas = FigureCanvasAgg(figure)
        _set_fonts(figure)
        canvas.print_png(sink, metadata={"Software": None})
        return sink.getvalue()


def _set_fonts(figure: Figure) -> None:
    """Give a figure's texts a second font where the house's lacks signs of theirs."""
    figure.draw_without_rendering()  # ticks write their texts when they are drawn
    texts = figure.findobj(Text)
    house = STYLE["font.family"]
    signs = frozenset("".join(text.get_text() for text in texts)) - {"\n"}
    lacking = signs - _signs_of(font_manager.findfont(house[0]))
    if not lacking:
        return
    second = second_font(lacking)
    for text in texts:
        text.set_fontfamily([*house, second])


@cache
def second_font(signs: frozenset[str]) -> str:
    """Return the name of an installed font that has all these signs, and make it known to matplotlib.

    Raises
    ------
    BadInput
        If there is none.
    """
    found = [path for path in sorted(font_manager.findSystemFonts()) if signs <= _signs_of(path)]
    if not found:
        shown = "".join(sorted(signs)[:8])
        raise BadInput(
            f"--format png: no installed font has the signs {shown}: install one that does, such as {PREFERRED[0]}, "
            "or take --format svg"
        )
    names = {path: _name_of(path) for path in found}
    best = min(names.values(), key=lambda name: (PREFERRED.index(name) if name in PREFERRED else len(PREFERRED), name))
    for path in (path for path, name in names.items() if name == best):
        fontManager.addfont(path)
    return best


def _name_of(path: str) -> str:
    return FT2Font(path).family_name


@cache
def _signs_of(path: str | Path) -> frozenset[str]:
    """Return the signs that a font file has; none where it can't be read."""
    try:
        return frozenset(map(chr, FT2Font(path).get_charmap()))
    except (OSError, RuntimeError):
        return frozenset()
