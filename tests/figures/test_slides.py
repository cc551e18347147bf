"""Charts as files for slides."""

import re
from collections.abc import Iterator
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from matplotlib.image import imread

from simlib.errors import BadInput, SimlibError
from simlib.figures import charts, slides
from simlib.findings import Chart, Finding, Picture, Table
from simlib.languages import speaking
from simlib.pages.page import RunFacts

TRAP = "var(--muted,#5b6068) & <currentColor>"
FACTS = RunFacts(
    "A title", "Is $5 worth it?", "trial", "Take-Trick", players=[("greedy (Suppose)", ""), ("random", "")], seed=7,
    games=12345,
)  # fmt: skip


def findings(label: str = TRAP, **changed: object) -> list[Finding]:
    frame = pd.DataFrame({"label": [label, "b"], "value": [0.2, 0.4], "low": [0.1, 0.3], "high": [0.3, 0.5]})
    figure = charts.interval_dots(frame, group="label", reference=0, x_label="points")
    chart = Chart("How far", "How far it goes", figure, "From 0.2 to 0.4.", "", Table("how_far", "", frame))
    return [Finding("one", "It goes far.", charts=(chart,), **changed)]


def svg_of(label: str = TRAP, *, transparent: bool = False) -> str:
    (content,) = slides.files(findings(label), FACTS, as_png=False, transparent=transparent).values()
    assert isinstance(content, str)
    return content


def png_of(label: str = "a", *, transparent: bool = False) -> bytes:
    (content,) = slides.files(findings(label), FACTS, as_png=True, transparent=transparent).values()
    assert isinstance(content, bytes)
    return content


def texts(svg: str, tag: str = "text") -> Iterator[str]:
    return (e.text or "" for e in ElementTree.fromstring(svg).iter() if e.tag == f"{{http://www.w3.org/2000/svg}}{tag}")


def test_an_svg_says_what_it_is_and_where_its_numbers_come_from() -> None:
    svg = svg_of()
    assert list(texts(svg, "title")) == ["How far it goes"]
    assert list(texts(svg, "desc")) == ["From 0.2 to 0.4."]
    said = " ".join(texts(svg))
    assert "How far it goes" in said
    assert "Take-Trick: Is $5 worth it? From a run of 12,345 games in all; the report says" in said
    assert "n = " not in said


def test_an_svg_stands_alone_in_its_own_colours() -> None:
    svg = svg_of()
    tags = "".join(re.findall(r"<[^>]*>", svg))
    assert not re.search(r"var\(|currentColor|system-ui|100%", tags)
    assert {"#000000", "#0072b2"} <= set(re.findall(r"#[0-9a-f]{6}", tags))
    assert TRAP in " ".join(texts(svg)), "what a label says stays"
    assert re.search(r'<svg xmlns="http://www.w3.org/2000/svg" viewBox="[^"]+" width="[\d.]+pt" height="[\d.]+pt"', svg)


def test_the_background_is_white_or_none() -> None:
    assert "fill: #ffffff" in svg_of()
    assert "fill: #ffffff" not in svg_of(transparent=True)
    corners = [imread(BytesIO(png_of(transparent=each)))[0, 0].tolist() for each in (False, True)]
    assert corners[0] == [1, 1, 1, 1]
    assert corners[1][3] == 0


def test_a_png_is_as_wide_as_a_slide_and_what_is_drawn_keeps_its_shape() -> None:
    assert imread(BytesIO(png_of())).shape[1] == slides.PIXELS
    figure = findings()[0].charts[0].figure
    before = [axes.get_window_extent().size / figure.dpi for axes in figure.axes]
    slides.frame(figure, "A long title " * 20, "a source " * 40)
    after = [axes.get_window_extent().size / figure.dpi for axes in figure.axes]
    assert np.allclose(before, after)


def test_the_same_bytes_each_time() -> None:
    assert svg_of() == svg_of()
    assert png_of() == png_of()


def test_signs_that_no_font_has_are_refused_and_never_drawn_as_boxes(monkeypatch) -> None:
    monkeypatch.setattr("matplotlib.font_manager.findSystemFonts", list)
    slides.second_font.cache_clear()
    with pytest.raises(BadInput, match=r"^--format png: no installed font has the signs 日本: install one .*CJK"):
        png_of("日本")
    assert png_of("plain")
    assert "日本" in " ".join(texts(svg_of("日本")))


def test_a_second_font_has_every_sign_that_the_first_lacks(monkeypatch) -> None:
    known = {"/one.ttf": "日", "/two.ttf": "日本", "/last.ttf": "日本語"}
    names = {"/one.ttf": "One", "/two.ttf": "IPAexGothic", "/last.ttf": "A Font"}
    monkeypatch.setattr("matplotlib.font_manager.findSystemFonts", lambda: list(known))
    monkeypatch.setattr(slides, "_signs_of", lambda path: frozenset(known[path]))
    monkeypatch.setattr(slides, "_name_of", names.__getitem__)
    added: list[str] = []
    monkeypatch.setattr(slides.fontManager, "addfont", added.append)
    slides.second_font.cache_clear()
    assert slides.second_font(frozenset("日本")) == "IPAexGothic", "one made for Japanese goes first"
    assert slides.second_font(frozenset("日本語")) == "A Font"
    assert added == ["/two.ttf", "/last.ttf"]
    slides.second_font.cache_clear()


def test_the_answers_small_picture_has_its_sentence_as_title() -> None:
    small = findings()[0].charts[0].figure
    drawn = slides.files(findings(picture=Picture(small, "small", "How far")), FACTS, as_png=False, transparent=False)
    assert list(drawn) == ["headline.svg", "how-far.svg"]
    assert list(texts(str(drawn["headline.svg"]), "title")) == ["It goes far."]


def test_two_figures_of_one_name_are_an_error() -> None:
    with pytest.raises(SimlibError, match=r"two figures of this report share the name how-far\.svg"):
        slides.files(findings() * 2, FACTS, as_png=False, transparent=False)


def test_it_speaks_the_pages_language() -> None:
    with speaking("ja"):
        said = "".join(texts(svg_of()))
    assert "全12,345ゲーム" in said
    assert "greedy、random。シード7" in said
