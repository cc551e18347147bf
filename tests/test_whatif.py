"""What-if: the page's script tells what the experiment tells, at every place of the sliders."""

import json
import math
from types import SimpleNamespace

import browser
import numpy as np
import pytest

from simlib import experiments
from simlib.estimates import Estimate
from simlib.estimates.families import simultaneous
from simlib.estimates.words import text
from simlib.findings import Finding
from simlib.games import game_named, make_variant
from simlib.games.suppose import measures
from simlib.languages import speaking
from simlib.pages.page import RunFacts, render
from simlib.whatif import Line, Measure, Slider, WhatIf

bids = experiments.experiment_named("suppose_bids")
HANDS = 60


def cell(kind, seats, double):
    """Return a cell of made-up hands whose best guess comes true in a third, and whose best pair in `double`."""
    made = make_variant(game_named("suppose"), settings={"players": seats})
    half, at = bids.COMPLETIONS[kind] // 2, np.arange(HANDS * 2).reshape(HANDS, 2)
    single, pair = (np.rint(half * (share + at % odd / 40)).astype(int) for share, odd in ((0.3, 5), (double, 7)))
    sums = measures.bid_sums(single, pair, made.parameters, measures.bonus_grid(made.parameters), 2 * half)
    nothing = {name: 0 * part for name, part in sums.items()}
    summaries = {f"hands {seats} {kind} {seat}": sums if seat == 0 else nothing for seat in range(seats)}
    run = SimpleNamespace(summaries=summaries | {f"games {seats} {kind}": {}})
    return bids.Cell(run, f"{seats} players", made, kind)


@pytest.fixture(scope="module")
def cells():
    return [cell(kind, seats, 0.5 + 0.1 * (kind == "greedy")) for seats in (4, 3) for kind in ("random", "greedy")]


def recomputed(source, *values):
    """Return what a source of the page's JSON gives at some values of the sliders, by a plain reading."""
    means, squares, count = source["means"], source["squares"], len(values)
    value = sum(mean * at for mean, at in zip(means, values, strict=True))
    square = sum(squares[i * count + j] * values[i] * values[j] for i in range(count) for j in range(count))
    return [value, value - math.sqrt(square), value + math.sqrt(square)]


@pytest.mark.parametrize(("double", "single"), [(2, 5), (3, 5), (0, 5), (7.5, 0.5), (2.9, 7)])
def test_what_the_page_holds_gives_the_experiments_own_figures(cells, double, single):
    groups = json.loads(json.dumps(bids.answer(cells).whatif.data()))["groups"]
    sources = [line["sources"] for group in groups for line in group["lines"]]
    gains = simultaneous([each.gain(double, single) for each in cells])
    for (gain, even), expected, own in zip(sources, gains, cells, strict=True):
        breaks = own.break_even(single)
        assert recomputed(gain, double, single) == pytest.approx([expected.value, expected.low, expected.high])
        assert recomputed(even, double, single) == pytest.approx([breaks.value, breaks.low, breaks.high])
        assert (gain["n"], gain["level"]) == (HANDS, "98.75 %")


def page_of(folder, *findings):
    path = folder / "index.html"
    path.write_text(render(findings, RunFacts("t", "q", "e", "g")), encoding="utf-8")
    return path


def told(page):
    return page.locator("output").inner_text().replace("\u00a0", " ")


def test_the_script_says_what_the_experiment_says(cells, chromium, tmp_path):
    answer, main = bids.answer(cells), cells[1]
    with browser.visited(chromium(), page_of(tmp_path, answer)) as (page, heard):
        double, single = (page.locator(".whatif input").nth(at) for at in (0, 1))
        for pressed, words in ((0, "two guesses lose"), (15, "two guesses gain"), (-9, "it is undecided")):
            for _ in range(abs(pressed)):
                double.press("ArrowRight" if pressed > 0 else "ArrowLeft")
            bonus = float(double.get_attribute("aria-valuetext"))
            gain = simultaneous([each.gain(bonus) for each in cells])[1]
            figure = text(gain.negated() if gain.sign < 0 else gain, "points a bid")
            assert words in told(page)
            assert figure in told(page)
        page.locator(".whatif button").click()
        single.press("ArrowRight")
        assert f"With 2 for two guesses and 5.5 for one, two guesses lose {shown(main.gain(2, 5.5), cells)}" in told(
            page
        )
        assert text(main.break_even(5.5)) in told(page)
        page.locator(".whatif button").click()
        page.locator(".whatif select").select_option("3 players")
        rows = [row.replace("\u00a0", " ") for row in page.locator(".whatif tbody tr").all_inner_texts()]
        expected = simultaneous([each.gain(2) for each in cells])[2:]
        assert all(text(gain) in row for gain, row in zip(expected, rows, strict=True))
        assert len(page.locator(".whatif svg path[stroke-width='1.8']").all()) == 2
        page.emulate_media(media="print")
        assert not page.locator(".whatif").is_visible()
    assert not heard


def shown(gain, cells):
    known = [gain, *(each.gain(1) for each in cells[1:])]
    return text(simultaneous(known)[0].negated(), "points a bid")


def made(estimates, label="share", group="4 players"):
    slider = Slider("x", label, [1, 2.5, 4][: len(estimates)], 1)
    measure = Measure(label, ("At {x}: {figure} ({line}).",), percent=True)
    return Finding(
        "answer", "h", whatif=WhatIf("Turn.", (slider,), (measure,), {group: [Line("greedy", [estimates])]}, "")
    )


def test_known_points_are_told_as_the_page_tells_them(chromium, tmp_path):
    estimates = [
        Estimate(0.123, 0.119, 0.127, 1234567, ""),
        Estimate(1, 1, 1, 1234567, ""),
        Estimate(math.nan, math.nan, math.nan, 1234567, "", reason="not played"),
    ]
    with browser.visited(chromium(), page_of(tmp_path, made(estimates))) as (page, heard):
        for at, estimate in zip(("1", "2.5", "4"), estimates, strict=True):
            assert told(page) == f"At {at}: {text(estimate, percent=True)} (greedy)."
            page.locator(".whatif input").press("ArrowRight")
    assert not heard


def test_without_a_script_the_box_stays_hidden(chromium, tmp_path):
    path = page_of(tmp_path, made([Estimate(0.1, 0.05, 0.15, 9, "")]))
    with browser.visited(chromium(), path, java_script_enabled=False) as (page, _):
        assert not page.locator(".whatif").is_visible()


def test_no_name_ends_the_data_or_becomes_markup(tmp_path):
    bad = "</script><b>&'"
    words = page_of(tmp_path, made([Estimate(0.1, 0.05, 0.15, 9, "")], bad, bad)).read_text(encoding="utf-8")
    assert "</script><b>" not in words
    data = words.split('<script type="application/json">')[1].split("</script>")[0]
    assert json.loads(data)["groups"][0]["label"] == bad


def test_what_is_not_known_is_no_number_in_the_data():
    data = made([Estimate(math.nan, math.nan, math.nan, 5, "", reason="not played")]).whatif.data()
    [source] = data["groups"][0]["lines"][0]["sources"]
    assert source["points"] == [["not played", None, None, None]]


def test_a_page_without_sliders_has_no_script(tmp_path):
    assert "<script" not in page_of(tmp_path, Finding("answer", "h")).read_text(encoding="utf-8")


def test_its_words_are_in_the_pages_language(cells):
    with speaking("ja"):
        data = bids.answer(cells).whatif.data()
    assert "\u4e88\u60f3" in data["measures"][0]["words"][0]
    assert data["groups"][0]["label"] == "4\u4eba"
