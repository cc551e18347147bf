"""The benchmarks' page, in the style of all reports: every figure with its bar, and what larger games cost."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from benchmarks.measuring import Cost, Found, short
from simlib.experiments import ROOT, versions
from simlib.figures import charts
from simlib.findings import Chart, Finding, Table
from simlib.languages import ENGLISH, speaking
from simlib.pages import page

FOLDER = ROOT / "reports" / "bench"
TITLES = {
    "kernels": "Kernels",
    "jobs": "Two jobs",
    "experiment": "Experiment against kernel",
    "warm": "Warm start",
    "cold": "Cold start",
    "playouts": "Search",
    "memory": "Memory",
    "growth": "Growth",
    "install": "Install",
    "honesty": "Nothing hidden is used",
    "coverage": "Intervals hold",
}
LABELS = {"deck": "cards in the deck", "hand": "cards of a hand"}


def write(found: Mapping[str, Found]) -> Path:
    """Write the page about what was measured of each part, and return its path."""
    with speaking(ENGLISH):
        facts = page.RunFacts(
            title="Benchmarks", question="How near is everything to its limit?", experiment="bench", game="All games",
            versions=versions(), command="make bench",
        )  # fmt: skip
        return page.write(FOLDER, [_finding(part, own) for part, own in found.items()], facts)


def _finding(part: str, found: Found) -> Finding:
    judged = [measure for measure in found.measures if measure.bar]
    missed = [measure.name for measure in judged if not measure.met]
    headline = f"{len(judged) - len(missed)} of {len(judged)} bars are met" if judged else "No bar"
    frame = pd.DataFrame(
        [(each.name, short(each.value), each.bar, each.verdict) for each in found.measures],
        columns=["what", "measured", "bar", "verdict"],
    )
    told = (f"Missed: {'; '.join(missed)}.",) if missed else ()
    table = Table(part, TITLES[part], frame)
    drawn = tuple(_chart(what, [cost for cost in found.costs if cost.of == what]) for what in LABELS if found.costs)
    return Finding(part, f"{TITLES[part]}: {headline}.", told, charts=drawn, tables=(table,), title=TITLES[part])


def _chart(what: str, costs: list[Cost]) -> Chart:
    frame = pd.DataFrame(costs)
    figure = charts.curve(
        frame, x="size", y="microseconds", line="game", x_label=LABELS[what], y_label="microseconds a game"
    )  # fmt: skip
    title = f"What a game costs, by {LABELS[what]}"
    return Chart(
        f"cost-{what}", title, figure, f"Lines of microseconds a game against {LABELS[what]}, a line a game.",
        "Random players, one core; the median of five runs, the band from the fastest to the slowest.",
        Table(f"cost-{what}", title, frame[["game", "size", "microseconds", "low", "high"]]),
    )  # fmt: skip
