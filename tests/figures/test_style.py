import re
import subprocess
import sys
from xml.etree import ElementTree

import matplotlib
import pytest
from matplotlib.figure import Figure

from simlib.figures.style import GRID, INK, PALETTE, look, new_figure, plain, slug, style, to_svg


def picture(text="a & b"):
    figure = new_figure(3, 2)
    with style():
        axes = figure.add_axes((0.2, 0.2, 0.7, 0.7))
        axes.plot([1, 2, 3], [1, 3, 2], marker="o")
        axes.fill_between([1, 2, 3], [0, 1, 1], [2, 4, 3], alpha=0.2)
        axes.vlines([2], 0, 3, color=INK)
        axes.set_title(plain(text))
    return figure


def test_is_one_svg_element_without_any_head():
    svg = to_svg(picture(), "one", title="A title", description='Up, then "down" & <gone>')
    root = ElementTree.fromstring(svg)
    assert svg.startswith("<svg ") and svg.endswith("</svg>")
    assert root.get("role") == "img" and root.get("width") == "100%" and root.get("viewBox") == "0 0 216 144"
    assert not re.search(r"<\?xml|<!DOCTYPE|<metadata|<style|<script|xlink|DejaVu|<image", svg)
    ids = {element.get("id"): element for element in root.iter() if element.get("id")}
    title, description = (ids[name] for name in root.get("aria-labelledby").split())
    assert (title.text, description.text) == ("A title", 'Up, then "down" & <gone>')


def test_no_address_but_the_namespace():
    assert re.findall(r"https?://[^\"' ]*", to_svg(picture(), "one")) == ["http://www.w3.org/2000/svg"]


def test_same_picture_same_bytes_even_in_another_process():
    code = (
        "from simlib.figures.style import new_figure, to_svg;f = new_figure();"
        "f.add_axes((.1, .1, .8, .8)).plot([1, 2], [2, 1], 'o-');print(to_svg(f, 'k'), end='')"
    )
    first, second = (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(2)
    )
    assert first.stdout == second.stdout and first.stderr == ""
    assert to_svg(picture(), "k") == to_svg(picture(), "k")
    figure = picture()
    assert to_svg(figure, "k") == to_svg(figure, "k")


def test_two_figures_on_a_page_share_no_id():
    first, second = (to_svg(picture(), key) for key in ("first", "second"))
    ids = [set(re.findall(r'\bid="([^"]+)"', svg)) for svg in (first, second)]
    assert not ids[0] & ids[1]
    for svg, known in zip((first, second), ids, strict=True):
        used = set(re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"', svg))
        assert used and {a or b for a, b in used} <= known


def test_ink_follows_the_page():
    svg = to_svg(picture(), "one")
    assert "currentColor" in svg and INK not in svg and "var(--series-1,#0072b2)" in svg
    assert not re.search(f"[^,](?:{'|'.join([GRID, *PALETTE])})", svg)


@pytest.mark.parametrize("text", ["$(x)", "$5 or $6", r"\$a\$b$", "<script>", "日本語 & café", "_^{}%", "a$b$c$d", ""])
def test_text_stays_as_it_is(text):
    root = ElementTree.fromstring(to_svg(picture(text), "one"))
    assert text in [element.text or "" for element in root.iter() if element.tag.endswith("}text")] or not text


def test_numbers_in_text_keep_their_digits():
    assert ">0.123456 #000000 id=" in to_svg(picture("0.123456 #000000 id="), "one")


def test_control_characters_do_not_break_the_markup():
    ElementTree.fromstring(to_svg(picture("a\x00b\x1bc\ud800"), "one"))


def test_users_settings_change_nothing_and_stay():
    usual = to_svg(picture(), "one")
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.fonttype": "path"}):
        assert to_svg(picture(), "one") == usual
        assert matplotlib.rcParams["font.size"] == 30


def test_figures_of_other_hands_are_drawn_too():
    figure = Figure((2, 2))
    figure.add_subplot().set_title("plain")
    assert "currentColor" in to_svg(figure, "other")


def test_slug_and_looks():
    assert [slug(text) for text in ("Hits, by bid", "../../etc", "日本", "a__b")] == ["hits-by-bid", "etc", "x", "a__b"]
    assert len({look(rank)[:2] for rank in range(42)}) == 42 == len({look(rank)[::2] for rank in range(42)})
    assert look(42) == look(0)


def test_pyplot_is_never_imported():
    code = "import sys, simlib.figures.charts, simlib.pages; print({'matplotlib.pyplot', 'scipy'} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "set()\n"
