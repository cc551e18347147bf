"""Charts of goals: what is wished is shaded, open bands to the chart's end; verdicts are written."""

import math

import pandas as pd
import pytest

from simlib.figures.goals import along, bands, trade_off
from simlib.figures.style import to_svg

INF = math.inf


def rows(*parts):
    names = ["measure", "variant", "value", "low", "high", "from", "to", "percent", "verdict"]
    return pd.DataFrame(parts, columns=names).assign(name=[part[0] for part in parts])


def shaded(axes, vertical=True):
    """Return the ends of the shaded range."""
    box = axes.patches[0].get_extents().transformed(axes.transData.inverted())
    return (box.x0, box.x1) if vertical else (box.y0, box.y1)


@pytest.mark.parametrize(("first", "last"), [(0.3, 0.5), (-INF, 0.35), (0.35, INF), (0.8, 0.9)])
def test_bands_are_shaded_to_their_ends_or_the_charts(first, last):
    (axes,) = bands(rows(("share", "x", 0.4, 0.38, 0.42, first, last, True, "? undecided"))).axes
    low, high = axes.get_xlim()
    assert low < 0.38 < 0.42 < high
    assert shaded(axes) == pytest.approx((max(first, low), min(last, high)))
    ends = [
        line.get_xdata()[0] for line in axes.lines if len(set(line.get_xdata())) == 1 and len(line.get_xdata()) == 2
    ]
    assert ends == [end for end in (first, last) if math.isfinite(end)]


def test_every_measure_has_a_panel_and_every_variant_a_verdict():
    frame = rows(
        ("share", "one", 0.4, 0.38, 0.42, 0.3, 0.5, True, "\u2713 met"),
        ("share", "other", math.nan, math.nan, math.nan, 0.3, 0.5, True, "? undecided"),
        ("points", "one", 12.0, 11.0, 13.0, -INF, 10.0, False, "\u2717 missed"),
    )
    figure = bands(frame)
    assert len(figure.axes) == 2
    svg = to_svg(figure, "x")
    for text in ("share", "points", "one", "other", "\u2713 met", "? undecided", "\u2717 missed"):
        assert f">{text}<" in svg
    assert svg == to_svg(bands(frame), "x")


def test_a_band_along_a_parameter():
    frame = pd.DataFrame({"x": [2, 3], "value": [0.3, 0.6], "low": [0.2, 0.5], "high": [0.4, 0.7]})
    (axes,) = along(frame, (0.35, INF), x_label="bid.double", y_label="share", percent=True).axes
    assert shaded(axes, vertical=False) == pytest.approx((0.35, axes.get_ylim()[1]))


def test_a_trade_off_names_what_is_not_beaten():
    frame = pd.DataFrame(
        {
            "x": [0.0, 0.5, 0.7],
            "y": [0.6, 0.0, 0.9],
            **{f"{axis}_{end}": [0.0, 0.1, 0.2] for axis in "xy" for end in ("low", "high")},
            "letter": ["A", "B", ""],
        }
    )
    figure = trade_off(frame, x_label="distance from a", y_label="distance from b")
    (axes,) = figure.axes
    assert {text.get_text() for text in axes.texts} >= {"A", "B"}
    assert [len(line.get_xdata()) for line in axes.lines] == [1, 2]
    assert all(low < 0 for low, _ in (axes.get_xlim(), axes.get_ylim()))
