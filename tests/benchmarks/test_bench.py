"""``make bench``: figures and their bars, what is kept of them, the page, what an install holds. Nothing is timed."""

from pathlib import Path

import pytest

from benchmarks import __main__ as command
from benchmarks import growth, install, page
from benchmarks.measuring import Cost, Found, Measure

FOUND = {
    "kernels": Found([Measure("a / b", 0.8, 0.75), Measure("games/s", 2_000_000.0)]),
    "growth": Found(
        [Measure("exponent", 1.1, 0.98, 1.02)],
        tuple(
            Cost(of, "A game", size, 2.0 * size, size, 3.0 * size) for of in ("deck", "hand") for size in (10, 20, 40)
        ),
    ),
}


@pytest.mark.parametrize(
    ("measure", "told"),
    [
        (Measure("a / b", 0.75, 0.75), "a / b: 0.75 (bar: at least 0.75): met"),
        (Measure("a / b", 0.7499, 0.75), "a / b: 0.75 (bar: at least 0.75): missed"),
        (Measure("start", 6.5, most=6), "start: 6.5 (bar: at most 6): missed"),
        (Measure("exponent", 1.02, 0.98, 1.02), "exponent: 1.02 (bar: 0.98 to 1.02): met"),
        (Measure("games/s", 2_000_000.4), "games/s: 2,000,000"),
    ],
)
def test_a_figure_is_told_with_its_bar(measure: Measure, told: str) -> None:
    assert str(measure) == told


@pytest.fixture
def latest(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.setattr(command, "LATEST", tmp_path / "latest.json")
    monkeypatch.setattr(page, "FOLDER", tmp_path / "page")
    return tmp_path


def test_a_part_that_is_measured_again_leaves_what_is_known_of_the_others(latest: Path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(command, "PARTS", {part: lambda found=found: found for part, found in FOUND.items()})
    assert command.main([]) == 0
    assert command.kept() == FOUND
    again = Found([Measure("a / b", 0.7, 0.75)])
    monkeypatch.setitem(command.PARTS, "kernels", lambda: again)
    capsys.readouterr()
    assert command.main(["kernels"]) == 0
    assert command.kept() == FOUND | {"kernels": again}
    assert capsys.readouterr().out.splitlines()[0] == "a / b: 0.7 (bar: at least 0.75): missed"


@pytest.mark.parametrize("text", ['{"kernels": {"games/s": 5}}', '{"kernels": {"measures": 5}}', "[]", "{"])
def test_what_an_earlier_version_kept_is_replaced(text: str, latest: Path, monkeypatch) -> None:
    monkeypatch.setattr(command, "PARTS", {part: lambda found=found: found for part, found in FOUND.items()})
    (latest / "latest.json").write_text(text)
    assert command.main([]) == 0
    assert command.kept() == FOUND


def test_an_unknown_part_is_told_and_nothing_is_run(latest: Path, capsys) -> None:
    assert command.main(["kernel"]) == 2
    assert capsys.readouterr().err.startswith("unknown part kernel (allowed: kernels, ")
    assert list(latest.iterdir()) == []


def test_the_page_has_every_figure_with_its_verdict_and_what_larger_games_cost(latest: Path) -> None:
    text = page.write(FOUND).read_text(encoding="utf-8")
    assert "Kernels: 1 of 1 bars are met." in text
    assert "Growth: 0 of 1 bars are met." in text
    assert "Missed: exponent." in text
    assert "What a game costs, by cards in the deck" in text
    assert (latest / "page" / "data" / "cost-hand.csv").read_text().count("A game") == 3


def test_every_part_has_a_title_for_the_page() -> None:
    assert command.PARTS.keys() == page.TITLES.keys()


def test_the_exponent_is_that_of_the_power_that_time_grows_as(monkeypatch) -> None:
    monkeypatch.setattr(growth, "_seconds", lambda run, size: 3.0 * size**1.5)
    assert growth.exponent((10, 100, 1000), lambda size: None) == pytest.approx(1.5)


def test_what_is_locked_is_used() -> None:
    """An install of packages one by one says which are heavy; none of these may be there for nothing."""
    names = [name for name, entry in install.locked() if entry.startswith(f"{name}==") and "--hash=" in entry]
    assert {"numba", "pandas", "llvmlite"} <= set(names)
    assert {"numba", "numpy", "scipy", "pandas", "matplotlib", "llvmlite", "pillow", "fonttools"} <= install.used()
