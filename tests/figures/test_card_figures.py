"""Card grids, trick diagrams, ridges and small pictures."""

import math
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from simlib.figures import cardgrid, ridges, small, style, tricks
from simlib.figures.style import CARD_LOOKS, OTHER_CARD, card_look, ink_on, luminance, to_svg
from simlib.languages import speaking

CSS = (Path(style.__file__).parents[1] / "pages/templates/page.css").read_text(encoding="utf-8")
ODD = ["<b>1</b>", "$5", "日本語の長い長い長い名前です", "long " * 30]
TURNING = {"plays": [[1, "B4"], [2, "Y4"], [3, "Y10"], [0, "R10"]], "leads": list("BYYR"), "locked": False, "winner": 0}
LOCKED = {"plays": [[0, "B4"], [1, "B13"], [2, "B*"], [3, "G13"]], "leads": list("BBBB"), "locked": True, "winner": 2}


def texts(figure):
    svg = to_svg(figure, "key")
    assert not re.search(r"\b(nan|inf)\b", svg)
    return [e.text or "" for e in ElementTree.fromstring(svg).iter() if e.tag.endswith("}text")]


def frame(values, **columns):
    made = pd.DataFrame({"value": values, **columns})
    return made.assign(low=made.value - 0.02, high=made.value + 0.02)


# ---- colours -------------------------------------------------------------------------------------------------------


def rgb(colour):
    return [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]


def contrast(one, other):
    dark, light = sorted(luminance(rgb(colour)) + 0.05 for colour in (one, other))
    return light / dark


def blocks():
    """Return the variables of the page in light, in dark and in print."""
    light, dark, on_paper = (dict(re.findall(r"--(card-\w+): (#\w{6})", part)) for part in re.split("@media", CSS)[:3])
    printed = dict(re.findall(r"--(card-\w+): (#\w{6})", CSS[CSS.index("@media print") :]))
    assert not on_paper
    return [light, dark, printed]


def test_text_on_cards_can_be_read_in_light_dark_and_print():
    for page in blocks():
        assert set(page) == {f"card-{name}" for name in CARD_LOOKS}
        for name, own in CARD_LOOKS.items():
            assert contrast(page[f"card-{name}"], own.ink) >= 4.5, (name, page)
    assert all(contrast(own.fill, own.ink) >= 4.5 for own in (*CARD_LOOKS.values(), OTHER_CARD))
    assert blocks()[0] == {f"card-{name}": own.fill for name, own in CARD_LOOKS.items()}


SIGHT = {  # G. Machado et al., IEEE TVCG 15 (2009): no long, or no middle wavelengths seen
    "all": np.eye(3),
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
}


def seen(colour, sight):
    """Return a colour as L*a*b* of what an eye of some kind sees."""
    linear = np.array([part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb(colour)])
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.cbrt(to_xyz @ np.clip(np.array(SIGHT[sight]) @ linear, 0, 1) / [0.9505, 1, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("colours", ["red blue green yellow purple orange", "green pink silver red blue yellow"])
def test_colours_of_a_game_are_apart_for_all_eyes(colours):
    names = colours.split()
    for page in blocks():
        for sight in SIGHT:
            found = [seen(page[f"card-{name}"], sight) for name in names]
            apart = [np.linalg.norm(a - b) for at, a in enumerate(found) for b in found[at + 1 :]]
            assert min(apart) > 12, (sight, names)


def test_ink_stands_out_from_any_shade():
    for shade in np.random.default_rng(5).random((2000, 3)):
        ink = ink_on(shade)
        dark, light = sorted((luminance(shade) + 0.05, luminance(rgb(ink)) + 0.05))
        assert light / dark >= 4.5


def test_colours_without_a_look_share_one():
    assert card_look("colour W") == card_look("mauve") == OTHER_CARD != card_look("red")


# ---- card grids ----------------------------------------------------------------------------------------------------


def test_a_grid_prints_rank_value_and_reach_and_says_what_is_clear():
    cards = frame([0.5, 0.01, math.nan], rank=["1", "2", "special"], colour="red")
    shown = texts(cardgrid.card_grid(cards, row="colour", colour="colour"))
    assert {"1", "2", "special", "0.50", "0.01", "±0.02", "\u2013", "red"} <= set(shown)
    assert shown.count("red") == 4  # the row's head, and on each card
    svg = to_svg(cardgrid.card_grid(cards, colour="colour"), "key")
    bold = [
        text
        for weight, text in re.findall(r'<text style="([^"]*)"[^>]*>([^<]*)<', svg)
        if "bold" in weight or "700" in weight
    ]
    assert "0.50" in bold and "0.01" not in bold
    assert f"var(--card-red,{CARD_LOOKS['red'].fill})" in svg


def test_a_grid_of_points_says_so():
    shown = texts(cardgrid.card_grid(frame([0.05], rank=["1"]), percent="points"))
    assert "+5" in shown and any("points of a per cent" in text for text in shown)


@pytest.mark.parametrize("count", [0, 1, 12])
def test_odd_grids(count):
    names = (ODD * 3)[:count]
    texts(cardgrid.card_grid(frame(np.array([1e-9, 1e12, math.nan] * 4)[:count], rank=names, who=names), row="who"))
    texts(cardgrid.card_grid(pd.DataFrame({"rank": names, "value": 0.0}), centre=None))


# ---- tricks --------------------------------------------------------------------------------------------------------


def test_a_recorded_trick_says_what_each_card_does():
    assert list(tricks.trick_frame(TURNING)["act"]) == ["leads", "turns", "follows", "turns"]
    locked = tricks.trick_frame(LOCKED)
    assert list(locked["act"]) == ["leads", "follows", "locks", "plays"] and list(locked["won"]) == [0, 0, 1, 0]


def test_the_diagram_shows_the_lead_as_it_turns_and_who_wins():
    shown = texts(tricks.lead_turns(tricks.trick_frame(TURNING)))
    assert [text for text in shown if text.endswith(" leads")] == ["blue leads", "yellow leads", "red leads"]
    assert shown.count("turns the") + shown.count("turns the lead") >= 1 and any("wins" in text for text in shown)
    assert "blue leads, locked" in texts(tricks.lead_turns(tricks.trick_frame(LOCKED)))


def test_the_diagram_shows_each_places_share():
    shares = tricks.trick_frame(TURNING).assign(value=[math.nan, 0.08, 0.13, 0.15])
    shown = texts(tricks.lead_turns(shares.assign(low=shares.value - 0.01, high=shares.value + 0.01)))
    assert {"\u2013", "8.0 % ±1.0", "15.0 % ±1.0"} <= set(shown)


def test_a_trick_in_japanese():
    with speaking("ja"):
        shown = texts(tricks.lead_turns(tricks.trick_frame(LOCKED)))
    assert "リードは青\uff08固定\uff09" in shown and "緑" in shown


# ---- ridges --------------------------------------------------------------------------------------------------------


def test_ridges_mark_the_mean_or_the_median_of_each_group():
    spread = pd.DataFrame({"group": ["a"] * 3 + ["b"] * 2, "k": [0, 1, 5, 2, 4], "share": [3, 2, 1, 1, 1]})
    assert {"mean", "a", "b", "1.17", "3"} <= set(texts(ridges.ridges(spread)))
    assert {"median", "0", "2"} <= set(texts(ridges.ridges(spread, mark="median")))
    marks = pd.DataFrame({"group": ["b"], "value": [3.0], "low": [2.5], "high": [3.5]})
    assert {"3.0 ±0.5", "\u2013"} <= set(texts(ridges.ridges(spread, marks=marks)))


@pytest.mark.parametrize("k", [[], [3], [math.nan], [1e-9], [1e12], list(range(-50, 900)), [0.1, 0.2, 0.4]])
def test_odd_ridges(k):
    texts(ridges.ridges(pd.DataFrame({"group": (ODD * 300)[: len(k)], "k": k, "share": 1.0}), x_label="points"))


# ---- small pictures ------------------------------------------------------------------------------------------------


def test_small_dots_print_value_and_reach():
    shown = texts(small.dots(frame([0.31, 0.25], label=["a", "b"]), reference=0.25, percent=True))
    assert {"a", "b", "31 % ±2", "25 % ±2"} <= set(shown)
    with pytest.raises(ValueError, match="6 rows"):
        small.dots(frame([0.1] * 7, label=list("abcdefg")))


def test_a_small_line_names_its_present_value():
    points = frame([0.2, 0.3, 0.4], x=[1, 2, 3])
    shown = texts(small.line(points, present=2, percent=True))
    assert {"30 % ±2", "now 2", "1", "3"} <= set(shown)
    assert "35 % ±2" in texts(small.line(points, present=2.5, percent=True))  # read off between points
    assert "\u2013" in texts(small.line(points, present=9, percent=True))


def test_small_bars_name_their_ends_and_the_highest():
    assert {"0", "2", "4", "40 %"} <= set(
        texts(small.bars(pd.DataFrame({"k": range(5), "share": [0.1, 0.2, 0.4, 0.2, 0.1]})))
    )


@pytest.mark.parametrize("values", [[], [0.0], [math.nan] * 3, [1e-9, 1e12]])
def test_odd_small_pictures(values):
    names = ODD[: len(values)]
    texts(small.dots(frame(np.array(values, float), label=names), percent="points"))
    texts(small.line(frame(np.array(values, float), x=range(len(values))), present=0))
    texts(small.bars(frame(np.array(values, float), k=names), value="value"))
