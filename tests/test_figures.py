"""The figures of every kind of report: as files for slides, with their numbers behind them, and in words."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from simlib import compare, experiments, results
from simlib.cli import main
from simlib.figures.style import slug
from simlib.playtest import page as playtest
from simlib.sweep import run as sweep
from simlib.tune import run as tune
from tests.behind_figures import faults_behind, faults_of, unchanged_words

pytestmark = pytest.mark.kernel
ROOT = Path(__file__).parent.parent
TYPED = {
    compare: ["compare", "--a", "classic", "--b", "classic score.target=15", "--game", "take_trick", "--games", "200"],
    sweep: ["sweep", "--name", "suppose_bids", "--sweep", "players=3..4 bid.double=2,3", "--games", "60"],
    tune: ["tune", "--game", "take_trick", "--space", "score.target=10..30:10 hand.size=6..7", "--games", "200"],
    playtest: ["playtest", "--game", "take_trick", "--games", "100"],
}
MORE = {
    tune: ["--goal", "target_reached=60%..70% start_seat_edge<0.05"],
    playtest: ["--log", str(ROOT / "examples/playtest_take_trick.csv")],
}
each_kind = pytest.mark.parametrize("kind", TYPED, ids=[kind.KIND for kind in TYPED])


@pytest.fixture(scope="module", autouse=True)
def reports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a folder of reports of each kind, played once; two with another seed, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(experiments, "ROOT", tmp_path_factory.mktemp("root"))
        folder = experiments.ROOT / "reports"
        for kind, typed in TYPED.items():
            for seed in ("1", "2") if kind in (compare, sweep) else ("1",):
                out = folder / f"{kind.KIND}_{seed}"
                ways = ["--seed", seed, "--out", str(out), "--jobs", "2", "--quiet"]
                assert main([*typed, *MORE.get(kind, []), *ways]) == 0
        yield folder


def id_of(reports: Path, name: str) -> str:
    """Return the id of the run whose report is in a folder."""
    entries = [json.loads(line) for line in (reports / "history.jsonl").read_text().splitlines()]
    (own,) = (entry["id"] for entry in entries if entry["folder"] == name)
    return own


def findings_of(kind, folder):
    return kind.page_of(results.load(folder))[0]


@each_kind
def test_its_figures_become_files_named_by_their_keys(kind, reports, tmp_path, capsys) -> None:
    folder = reports / f"{kind.KIND}_1"
    assert main(["figures", str(folder), "--out", str(tmp_path / "new")]) == 0
    charts = [slug(chart.key) for finding in findings_of(kind, folder) for chart in finding.charts]
    drawn = sorted((tmp_path / "new").iterdir())
    assert {path.stem for path in drawn} - {"headline"} == set(charts) != set()
    assert capsys.readouterr().out.count("\n") == len(drawn)


@each_kind
def test_its_tables_are_what_is_drawn_downloaded_and_shown(kind, reports) -> None:
    folder = reports / f"{kind.KIND}_1"
    findings = findings_of(kind, folder)
    assert faults_of(findings) == []
    assert faults_behind(folder, findings) == []


@each_kind
def test_its_downloads_are_the_same_in_every_language(kind, reports, tmp_path) -> None:
    folder = reports / f"{kind.KIND}_1"
    copy = shutil.copytree(folder, tmp_path / "copy")
    kind.write_page(copy, "ja")
    names = [path.name for path in (folder / "data").glob("*.csv")]
    assert names
    for name in names:
        assert (copy / "data" / name).read_bytes() == (folder / "data" / name).read_bytes(), name


@pytest.mark.parametrize("kind", [compare, sweep], ids=["compare", "sweep"])
def test_its_words_for_figures_change_with_the_data(kind, reports) -> None:
    one, other = (findings_of(kind, reports / f"{kind.KIND}_{seed}") for seed in "12")
    assert unchanged_words(one, other) == []


def test_a_run_is_named_by_its_id_and_speaks_its_pages_language(reports, tmp_path, capsys) -> None:
    folder = shutil.copytree(reports / "sweep_1", tmp_path / "copy")
    sweep.write_page(folder, "ja")
    for run, words in ((id_of(reports, "sweep_1"), "games in all"), (str(folder), "プレイヤー")):
        assert main(["figures", run, "--out", str(tmp_path / run[-4:])]) == 0
        first = capsys.readouterr().out.splitlines()[0]
        told = re.sub(r"<[^>]+>", "", Path(first).read_text(encoding="utf-8"))
        assert words in " ".join(told.split())


def fault(capsys, *typed: object) -> str:
    assert main(["figures", *map(str, typed)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err.removeprefix("simlib: ").rstrip()


def test_files_that_are_there_stay_unless_told_otherwise(reports, tmp_path, capsys) -> None:
    typed = ["figures", str(reports / "sweep_1"), "--out", str(tmp_path)]
    assert main(typed) == 0
    first = Path(capsys.readouterr().out.splitlines()[0])
    drawn = first.read_bytes()
    first.write_text("mine")
    told = fault(capsys, *typed[1:])
    assert told == f"--out {tmp_path}: {first.name} is there already; --overwrite replaces it"
    assert first.read_text() == "mine"
    assert main([*typed, "--overwrite"]) == 0
    assert first.read_bytes() == drawn


def test_bad_input_is_one_line_and_writes_nothing(reports, tmp_path, capsys) -> None:
    run, out = reports / "sweep_1", ["--out", tmp_path / "out"]
    assert fault(capsys, "r99", *out).startswith("RUN: no run 'r99'")
    assert "did you mean 'sweep_1'" in fault(capsys, "swep_1", *out)
    assert fault(capsys, run, *out, "--format", "pgn") == "--format 'pgn': unknown (allowed: png, svg)"
    assert (
        fault(capsys, run, *out, "--background", "red") == "--background 'red': unknown (allowed: transparent, white)"
    )
    assert fault(capsys, run, *out, "--language", "xx").startswith("--language: unknown language 'xx'")
    assert "can't be written" in fault(capsys, run, "--out", reports / "history.jsonl" / "new")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "run.json").write_text("{}")
    assert "not a result file" in fault(capsys, tmp_path / "broken", *out)
    assert not (tmp_path / "out").exists()


def test_a_report_that_a_later_run_replaced_has_no_figures(reports, tmp_path, capsys) -> None:
    file, own = reports / "sweep_2" / "run.json", id_of(reports, "sweep_2")
    kept = file.read_bytes()
    for content, why in (((reports / "sweep_1" / "run.json").read_bytes(), "was replaced by a later run's"), (b"", "")):
        file.write_bytes(content)
        assert why in fault(capsys, own, "--out", tmp_path / "out")
    shutil.move(file.parent, tmp_path / "away")
    assert fault(capsys, own, "--out", tmp_path / "out") == f"RUN: {own}: its report in sweep_2 is gone"
    shutil.move(tmp_path / "away", file.parent)
    file.write_bytes(kept)


def test_words_that_say_nothing_and_tables_that_lack_something_are_noticed(reports) -> None:
    first, *_ = (finding for finding in findings_of(sweep, reports / "sweep_1") if finding.charts)
    words = "A chart of what was measured, as lines with bands, or as dots."
    tables = [replace(chart.table, frame=chart.table.frame.head(0)) for chart in first.charts]
    charts = [replace(chart, alt=words, table=table) for chart, table in zip(first.charts, tables, strict=True)]
    faults = "\n".join(faults_of([replace(first, charts=tuple(charts))]))
    assert "an extreme, is not in its words" in faults
    assert "is drawn and not in the table" in faults
