import math
import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb

from simlib.figures import charts, parts, small
from simlib.figures.style import CROSSING, MARKERS, luminance, to_svg

HOSTILE = ["<script>alert(1)</script>", "$(x) costs $5", 'say "hi" & bye', "日本語の名前"]


def dots(**options):
    frame = pd.DataFrame({"label": HOSTILE, "value": [0.1, 0.25, math.nan, -0.4]})
    frame["low"], frame["high"] = frame.value - 0.04, frame.value + 0.04
    return charts.interval_dots(frame, reference=0, reference_label="no change", x_label="points", **options)


def grouped_dots():
    frame = pd.DataFrame(
        [(a, b, 0.5) for a in HOSTILE for b in ("greedy", "random")], columns=["label", "who", "value"]
    )
    return charts.interval_dots(frame.assign(low=0.4, high=0.6), group="who")


def curve():
    frame = pd.DataFrame([(x, name, 0.1 * x + shift) for shift, name in enumerate(HOSTILE) for x in range(5)])
    frame.columns = ["x", "line", "value"]
    frame["low"], frame["high"] = frame.value - 0.1, frame.value + 0.1
    frame.loc[3, ["value", "low", "high"]] = math.nan
    return charts.curve(frame, line="line", present=2, present_label="as printed", x_label="reward", y_label="points")


def spread_frame(group="group"):
    frame = pd.DataFrame([(k, name, 1 / (k + 2)) for name in HOSTILE for k in range(4)], columns=["k", group, "share"])
    return frame.assign(low=frame.share - 0.02, high=frame.share + 0.02)


def distribution():
    return charts.distribution(spread_frame(), group="group", x_label="tricks", y_label="rounds")


def steps():
    return charts.distribution(spread_frame(), group="group", steps=True)


def calibration():
    said = np.linspace(0.05, 0.95, 7)
    frame = pd.DataFrame({"predicted": said, "realised": said**1.1, "count": range(7)})
    return charts.calibration(frame.assign(low=frame.realised - 0.05, high=frame.realised + 0.05), x_label=HOSTILE[0])


def heat():
    values = np.linspace(-1, 1, 16).reshape(4, 4)
    values[1, 2], values[2, 2] = math.nan, math.inf
    return charts.heat(pd.DataFrame(values, index=HOSTILE, columns=list("abcd")), centre=0, x_label="b", y_label="a")


ALL = [dots, grouped_dots, curve, distribution, steps, calibration, heat]


@pytest.mark.parametrize("draw", ALL)
def test_charts_are_sound_markup(draw):
    svg = to_svg(draw(), "key")
    root = ElementTree.fromstring(svg)
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert not tags & {"script", "image", "style"}
    assert not re.search(r"\b(nan|inf)\b", svg)
    assert to_svg(draw(), "key") == svg


def texts(figure):
    return [e.text or "" for e in ElementTree.fromstring(to_svg(figure, "key")).iter() if e.tag.endswith("}text")]


def test_labels_show_as_written():
    for figure in (grouped_dots(), curve(), distribution(), steps(), heat()):
        shown = " ".join(texts(figure))
        for label in HOSTILE:
            assert label.split()[0][:7] in shown, (label, shown)
    assert HOSTILE[0] in texts(calibration())


def test_dots_print_their_numbers():
    assert {"0.10 ±0.04", "0.25 ±0.04", "\u2013", "\u22120.40 ±0.04"} <= set(texts(dots()))
    assert {"10 % ±4", "25 % ±4", "no change", "points"} <= set(texts(dots(percent=True)))


def test_lopsided_intervals_are_brackets_for_all_dots_and_go_where_there_is_no_room():
    frame = pd.DataFrame({"label": ["a", "b"], "value": [0.5, 0.1], "low": [0.4, 0.05], "high": [0.6, 0.3]})
    assert {"0.50 [0.40, 0.60]", "0.10 [0.05, 0.30]"} <= set(texts(charts.interval_dots(frame)))
    assert {"0.50", "0.10"} <= set(texts(charts.interval_dots(frame, width=2.5)))


def test_differences_of_shares_are_points_around_a_drawn_zero_line():
    frame = pd.DataFrame({"label": ["a"], "x": [1], "value": [0.05], "low": [0.04], "high": [0.06]})
    dotted, line = charts.interval_dots(frame, percent="points"), charts.curve(frame, percent="points")
    assert {"+5.0 ±1.0", "no difference", "points of a per cent"} <= set(texts(dotted))
    assert "points of a per cent" in texts(line) and not any("%" in text for text in texts(dotted) + texts(line))
    assert dotted.axes[0].get_xlim()[0] < 0 and line.axes[0].get_ylim()[0] < 0
    named = charts.interval_dots(frame, percent="points", x_label="change of wins", reference_label="as now")
    assert {"change of wins (points of a per cent)", "as now"} <= set(texts(named))


def test_long_names_of_rows_take_lines_instead_of_being_cut():
    label = "games in which a seat past the target loses to a nearer one"
    frame = pd.DataFrame({"label": [label, "b"], "value": [0.1, 0.2], "low": 0.0, "high": 0.3})
    short = frame.assign(label=["a", "b"])
    for draw in (charts.interval_dots, small.dots):
        told = texts(draw(frame))
        assert label in " ".join(told)
        assert not any("\u2026" in text for text in told)
        assert draw(frame).get_size_inches()[1] > draw(short).get_size_inches()[1]


def test_what_is_so_at_present_is_marked():
    frame = pd.DataFrame({"label": ["a", "b"], "value": [0.1, 0.2], "low": 0.0, "high": 0.3})
    assert texts(charts.interval_dots(frame, present="b")).count("now") == 1
    assert "now" not in texts(charts.interval_dots(frame))
    values = pd.DataFrame([[1, 2], [3, 4]], index=["r", "s"], columns=["c", "d"])
    assert texts(charts.heat(values, present=("c", "s"))).count("now") == 2
    assert texts(charts.heat(values, present=("c", None))).count("now") == 1
    assert [patch.get_xy() for patch in charts.heat(values, present=("d", "s")).axes[0].patches] == [(1, 1)]
    for draw in (
        lambda: charts.interval_dots(frame, present="c"),
        lambda: charts.heat(values, present=("s", "c")),
    ):
        with pytest.raises(ValueError, match="nothing here is named"):
            draw()


def test_a_line_of_dots_has_room_for_its_own_series_alone():
    """Series of which each line has two, as of other numbers of players, take no more room than two series do."""
    rows = [(label, f"{who} of {at}", 0.5) for at, label in enumerate("abc") for who in ("greedy", "random")]
    many = pd.DataFrame(rows, columns=["label", "who", "value"]).assign(low=0.4, high=0.6)
    two = many.assign(who=[who.split()[0] for who in many["who"]])
    drawn, usual = (charts.interval_dots(frame, group="who").axes[0] for frame in (many, two))

    def heights(axes):
        dots = [line for line in axes.lines if line.get_linestyle() == "None"]
        return sorted(float(at) for line in dots for at in line.get_ydata())

    assert drawn.get_ylim() == usual.get_ylim()
    assert heights(drawn) == heights(usual)


def test_a_curve_shows_where_it_crosses():
    frame = pd.DataFrame({"x": [1, 2, 3, 4], "value": [-3, -1, 1, 3]})
    frame = frame.assign(low=frame.value - 1, high=frame.value + 1)
    assert "2.5 ±0.5" in texts(charts.curve(frame, reference=0, crossings=True))
    assert "2.5 ±0.5" not in texts(charts.curve(frame, reference=0))
    assert CROSSING in {line.get_marker() for line in charts.curve(frame, reference=0, crossings=True).axes[0].lines}
    assert CROSSING not in MARKERS
    given = pd.DataFrame({"value": [2.4], "low": [2.2], "high": [2.6]})
    assert "2.4 ±0.2" in texts(charts.curve(frame, reference=0, crossings=given))
    wide = frame.assign(low=frame.value - 9)
    assert "2.5 [2, \u2026]" in texts(charts.curve(wide, reference=0, crossings=True))
    several = pd.concat([frame.assign(line="one"), frame.assign(line="two", value=frame.value + 0.5)])
    shown = texts(charts.curve(several, line="line", reference=0, crossings=True))
    assert any(text.startswith("one: 2.5") for text in shown) and any(text.startswith("two: 2.2") for text in shown)


def test_a_line_that_never_or_often_crosses():
    frame = pd.DataFrame({"x": [1, 2, 3], "value": [-1, 1, -1], "low": math.nan, "high": math.nan})
    assert {"1.5", "2.5"} <= set(texts(charts.curve(frame, reference=0, crossings=True)))
    texts(charts.curve(frame, reference=5, crossings=True))


def test_each_of_few_values_has_its_tick():
    for values in ([3, 4, 5, 6], [0.5, 1, 2.25], [10, 25]):
        frame = pd.DataFrame({"x": values, "value": 1.0, "low": 0.5, "high": 1.5})
        assert list(charts.curve(frame).axes[0].get_xticks()) == values
    many = pd.DataFrame({"x": range(200), "value": 1.0, "low": 0.5, "high": 1.5})
    ticks = charts.curve(many).axes[0].get_xticks()
    assert len(ticks) <= 6 and (ticks == ticks.round()).all()


def test_names_that_begin_alike_show_where_they_differ():
    names = [f"hand.visible=[{place}, 6, 11]" for place in range(1, 7)]
    key = parts.KeyLines(names, 3.0)
    assert key.head == "hand.visible=" and next(name for name, *_ in key.spots) == "[1, 6, 11]"
    assert parts.KeyLines(names[:2], 6.0).head == ""
    assert parts.wrap_all(["a" * 40 + " 1", "a" * 40 + " 2"], 1.0, 9.6, 1)[1][0].endswith("2")
    assert parts.beginning(["one"]) == parts.beginning(["ab", "ac"]) == ""


def test_long_names_of_axes_are_written_in_full():
    words = "a rather long name of an axis that says what its numbers are and of what they are the share, too"
    frame = pd.DataFrame({"label": ["a"], "x": [1], "value": [0.5], "low": [0.4], "high": [0.6], "k": [1]})
    for figure in (
        charts.interval_dots(frame, x_label=words),
        charts.curve(frame, x_label=words),
        charts.curve(frame, y_label=words),
        charts.distribution(frame, share="value", y_label=words),
    ):
        assert words in " ".join(texts(figure))


def test_numbers_in_cells_can_be_read():
    values = np.linspace(-1, 1, 100).reshape(10, 10)
    for centre in (None, 0):
        axes = charts.heat(pd.DataFrame(values), centre=centre).axes[0]
        shades = axes.collections[0].get_facecolor()[:, :3]
        assert len(shades) == 100
        for shade, text in zip(shades, axes.texts[10:110], strict=True):
            dark, light = sorted((luminance(shade) + 0.05, luminance(to_rgb(text.get_color())) + 0.05))
            assert light / dark >= 4.5


def test_heat_prints_every_number_and_dashes():
    shown = texts(heat())
    assert shown.count("\u2013") == 2 and "\u22121.00" in shown and "1.00" in shown


def test_heats_show_every_panel_in_the_same_colours():
    low, high = (pd.DataFrame([[value, value + 1]], index=["row"], columns=["c", "d"]) for value in (0.0, 4.0))
    figure = charts.heats({"first": low, "second": high}, x_label="x", y_label="y")
    shown = texts(figure)
    assert {"first", "second", "0", "1", "4", "5"} <= set(shown)
    assert shown.count("c") == 1 and shown.count("row") == 2
    fills = [axes.collections[0].get_facecolor()[:, :3].tolist() for axes in figure.axes]
    assert len({tuple(shade) for part in fills for shade in part}) == 4


def test_series_differ_by_more_than_colour():
    svg = to_svg(curve(), "key")
    assert len(set(re.findall(r"stroke-dasharray: ([\d.,]+)", svg))) >= 3
    assert len(set(re.findall(r'<path id="[^"]*-m[^"]*" d="([^"]*)"', svg))) >= 4


EMPTY = pd.DataFrame(columns=["label", "x", "k", "value", "low", "high", "share", "predicted", "realised", "count"])


@pytest.mark.parametrize(
    "chart", [charts.interval_dots, charts.curve, charts.distribution, charts.calibration, charts.heat]
)
def test_charts_of_nothing(chart):
    given = EMPTY if chart is not charts.heat else pd.DataFrame()
    ElementTree.fromstring(to_svg(chart(given), "key"))


def test_a_curve_without_lines():
    ElementTree.fromstring(to_svg(charts.curve(EMPTY, line="label"), "key"))


@pytest.mark.parametrize("value", [0.0, 5.0, math.nan, 1e-9, 1e12])
def test_charts_of_one_value(value):
    row = pd.DataFrame([{**dict.fromkeys(EMPTY.columns, value), "label": "only", "k": 3, "x": 3, "count": 1}])
    for chart in (charts.interval_dots, charts.curve, charts.distribution, charts.calibration):
        svg = to_svg(chart(row, percent=False), "key")
        assert not re.search(r"\b(nan|inf)\b", svg)
    to_svg(charts.heat(pd.DataFrame([[value]])), "key")


def test_distribution_of_texts_and_gaps_in_k():
    frame = pd.DataFrame({"k": ["none", "one", "more"], "share": [0.2, 0.5, 0.3]})
    assert [text for text in texts(charts.distribution(frame)) if text in set(frame.k)] == ["none", "one", "more"]
    gaps = pd.DataFrame({"k": [0, 3], "share": [0.5, 0.5]})
    assert {"0", "1", "2", "3"} <= set(texts(charts.distribution(gaps)))


def test_ticks_are_round_and_inside():
    for low, high in [(0, 1), (-3.2, 1.7), (1e-7, 3e-7), (999, 1001), (0, 123456)]:
        at = parts.ticks(low, high)
        assert 2 <= len(at) <= 6 and low <= at[0] and at[-1] <= high
    assert parts.tick_texts([0, 0.25, 0.5], percent=True) == ["0", "25", "50 %"]
    assert parts.tick_texts([-0.5, 0.0, 0.5]) == ["\u22120.5", "0.0", "0.5"]


def test_spread_keeps_order_gap_and_range():
    placed = parts.spread([0.5, 0.52, 0.51, 0.99], 0.1, 0, 1)
    assert sorted(range(4), key=placed.__getitem__) == [0, 2, 1, 3]
    assert np.diff(sorted(placed)).min() >= 0.1 - 1e-12 and min(placed) >= 0 and max(placed) <= 1
    assert parts.spread([], 0.1, 0, 1) == []


def test_wrap_ends_japanese_lines_where_they_may_end():
    lines = parts.wrap("\u65e5\u65e5\u3001\u65e5\uff08\u65e5\uff09\u65e5", 0.45, 10, lines=9)
    assert "".join(lines) == "\u65e5\u65e5\u3001\u65e5\uff08\u65e5\uff09\u65e5"
    assert len(lines) > 2
    assert not any(line[0] in "\u3001\uff09" or line[-1] == "\uff08" for line in lines)


def test_wrap_cuts_what_does_not_fit():
    assert parts.wrap("short", 2) == ["short"]
    lines = parts.wrap("a rather long label that goes on and on and on and on", 1.0)
    assert len(lines) == 2 and lines[1].endswith("\u2026")
    assert all(parts.text_width(line) <= 1 for line in [*lines, *parts.wrap("日" * 40, 1.0)])
