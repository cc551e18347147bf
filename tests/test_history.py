"""All runs, in a file that loses none of them, and the page that lists them."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from simlib import experiments, history
from simlib.cli import main
from simlib.errors import BadInput, SimlibError
from simlib.games import game_named, make_variant
from simlib.history import Entry, entry_of, run_named
from simlib.languages import speaking
from simlib.results import Results
from tests.english_left import english_left

REPOSITORY = Path(__file__).parent.parent
HOSTILE = '<script>alert("x")</script> & <b>'


@pytest.fixture(autouse=True)
def reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(experiments, "ROOT", tmp_path)
    (tmp_path / "reports").mkdir()
    return tmp_path / "reports"


def variant(game: str = "suppose", label: str = "4 players", name: str = "", **settings: Any) -> dict[str, Any]:
    made = make_variant(game_named(game), settings={key.replace("_", "."): value for key, value in settings.items()})
    facts = {"label": label, "game": game, "name": name or made.name, "note": "", "parameters": made.flat()}
    return history.variant_entry(facts)


def entry(**changed: Any) -> Entry:
    given = {
        "kind": "experiment",
        "experiment": "suppose_bids",
        "title": "Suppose: one guess or two?",
        "headline": "Two guesses lose 1.2 points a bid.",
        "command": "make experiment NAME=suppose_bids GAMES=100 SEED=1",
        "games": 100,
        "seed": 1,
        "players": ["greedy"],
        "variants": [variant()],
    }
    return Entry.model_validate(given | changed)


def report(reports: Path, name: str, result: str = "{}") -> Path:
    """Return a folder with a report that has a result."""
    folder = reports / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.json").write_text(result)
    (folder / "index.html").write_text("a page")
    return folder


def page(reports: Path) -> str:
    return (reports / "index.html").read_text(encoding="utf-8")


def item(reports: Path, run: str) -> str:
    """Return what the page says of one run."""
    found = re.search(rf'<li id="{run}">.*?</li>', page(reports), re.DOTALL)
    assert found
    return found[0]


def test_a_run_is_a_line_and_stands_on_the_page(reports: Path) -> None:
    told = history.add(report(reports, "mine"), entry())
    assert told
    assert (told.id, told.folder) == ("r1", "mine")
    (line,) = (reports / "history.jsonl").read_text().splitlines()
    assert Entry.model_validate(json.loads(line)) == told
    assert history.read() == ([told], [])
    shown = item(reports, "r1")
    assert 'href="mine/index.html"' in shown
    assert "Two guesses lose 1.2 points a bid." in shown
    assert told.variants[0]["fingerprint"] in shown
    assert told.date[:10] in shown
    assert str(reports.parent) not in page(reports)


def test_only_reports_inside_the_reports_folder_are_listed(reports: Path, tmp_path: Path) -> None:
    for folder in (tmp_path / "elsewhere", reports, reports / "..", tmp_path / "reports2"):
        assert history.add(folder, entry()) is None
    assert list(reports.iterdir()) == []
    (tmp_path / "linked").symlink_to(report(reports, "deep/er"))
    told = history.add(tmp_path / "linked", entry())
    assert told
    assert told.folder == "deep/er"


def test_a_run_leads_to_its_report_until_another_is_written_there(reports: Path) -> None:
    history.add(report(reports, "mine", "one"), entry(seed=1))
    history.add(report(reports, "mine", "one"), entry(seed=1))
    assert ["href" in item(reports, run) for run in ("r1", "r2")] == [True, True], "the same run again"
    history.add(report(reports, "mine", "other"), entry(seed=2))
    assert ["href" in item(reports, run) for run in ("r1", "r2", "r3")] == [False, False, True]
    assert "replaced by a later run" in item(reports, "r1")
    shutil.rmtree(reports / "mine")
    history.write_index()
    assert "the report is gone" in item(reports, "r3")
    assert "href" not in item(reports, "r3")


def test_runs_stand_newest_first_by_game_and_experiment(reports: Path) -> None:
    gifts = {"experiment": "take_trick_gifts", "title": "Gifts", "variants": [variant("take_trick")]}
    for number, each in enumerate([{}, gifts, {}, {"kind": "sweep", "title": "A sweep"}]):
        history.add(report(reports, f"run{number}"), entry(**each))
    assert re.findall(r'<li id="(r\d+)">', page(reports)) == ["r4", "r3", "r1", "r2"]
    assert re.findall(r"<h2 id=[^>]*>([^<]*)</h2>", page(reports))[-3:] == ["Suppose", "Take-Trick", "Compare two runs"]
    heads = re.findall(r"<h3 id=[^>]*>([^<]*) \(<code>(\w+)</code>, (\w+)\)</h3>", page(reports))
    assert heads == [
        ("A sweep", "suppose_bids", "sweep"),
        ("Suppose: one guess or two?", "suppose_bids", "experiment"),
        ("Gifts", "take_trick_gifts", "experiment"),
    ]
    assert re.findall(r'<input type="checkbox" hidden value="(r\d)"', page(reports)) == ["r3", "r1", "r2"]


ADD = """
import sys
from pathlib import Path
from simlib import experiments, history
experiments.ROOT = Path(sys.argv[1])
folder = experiments.ROOT / "reports" / sys.argv[2]
folder.mkdir()
given = dict(kind="experiment", experiment="suppose_bids", title="t", headline="h" * 5000, command="c", games=1, seed=1)
for _ in range(8):
    history.add(folder, history.Entry(**given, players=[sys.argv[2]]))
"""


def test_processes_that_add_at_once_lose_nothing(tmp_path: Path, reports: Path) -> None:
    names = ["a", "b", "c"]
    running = [
        subprocess.Popen([sys.executable, "-c", ADD, str(tmp_path), name], cwd=REPOSITORY, stderr=subprocess.PIPE)
        for name in names
    ]
    assert [process.communicate()[1] for process in running] == [b""] * len(names)
    entries, broken = history.read()
    assert broken == []
    assert [each.id for each in entries] == [f"r{number}" for number in range(1, 25)]
    assert sorted(each.players[0] for each in entries) == [name for name in names for _ in range(8)]
    assert page(reports).count("<li id=") == 24


BROKEN = [
    b"{",
    b"\xff",
    b"null",
    b'{"kind": "experiment"}',
    b"[" * 100_000,
    json.dumps(entry(id="r7").model_dump() | {"folder": "../../etc"}).encode(),
    json.dumps(entry(id="r7").model_dump() | {"folder": "/etc"}).encode(),
    json.dumps(entry(id="r7").model_dump() | {"id": "x"}).encode(),
    json.dumps(entry(id="r7").model_dump() | {"experiment": "$(x)"}).encode(),
    json.dumps(entry(id="r7").model_dump() | {"variants": [{"game": "suppose"}]}).encode(),
    json.dumps(entry(id="r7").model_dump() | {"games": "1"}).encode(),
]


@pytest.mark.parametrize("line", BROKEN, ids=[str(line[-30:]) for line in BROKEN])
def test_a_line_that_cannot_be_read_is_left_out_told_and_kept(line: bytes, reports: Path, capsys) -> None:
    history.add(report(reports, "mine"), entry())
    with (reports / "history.jsonl").open("ab") as file:
        file.write(line)  # cut off: no line ends here
    told = history.add(report(reports, "other"), entry())
    assert told
    assert told.id == "r3"
    content = (reports / "history.jsonl").read_bytes().split(b"\n")
    assert content[1] == line
    assert [each.id for each in history.read().entries] == ["r1", "r3"]
    assert history.read().broken == [2]
    assert "they stay in the file: 2." in page(reports)
    assert main(["history"]) == 0
    out, complaint = capsys.readouterr()
    assert complaint == "simlib: reports/history.jsonl: line 2 can't be read; it stays as it is, and is left out\n"
    assert [text.split()[0] for text in out.splitlines()[:-1]] == ["r3", "r1"]


def test_the_history_may_be_empty(reports: Path, capsys) -> None:
    assert main(["history"]) == 0
    assert capsys.readouterr().out == "no runs yet: a report in reports/ is listed once it is written\n"
    assert list(reports.iterdir()) == []


def test_an_unwritable_history_is_one_line(reports: Path) -> None:
    (reports / "history.jsonl").mkdir()
    with pytest.raises(SimlibError, match=r"reports/history\.jsonl: can't be written: Is a directory"):
        history.add(report(reports, "mine"), entry())
    with pytest.raises(SimlibError, match=r"reports/history\.jsonl: can't be read: Is a directory"):
        history.read()


def test_a_run_is_named_by_its_number_its_folder_or_its_path(reports: Path, monkeypatch) -> None:
    first = history.add(report(reports, "mine"), entry())
    last = history.add(report(reports, "mine", "other"), entry(variants=[variant(bid_double=3)]))
    assert run_named("r1", "A") == first
    assert run_named("mine", "A") == last
    monkeypatch.chdir(reports.parent)
    assert run_named("reports/mine", "A") == last
    assert last
    assert last.variant["game"] == "suppose"
    assert last.variant["parameters"]["bid.double"] == 3
    shutil.rmtree(reports / "mine")
    assert run_named("r1", "A") == first, "a run is a design even when its folder is gone"


def test_what_names_no_run_or_no_design_is_one_line(reports: Path) -> None:
    with pytest.raises(
        BadInput, match=r"^A: no preset, variant file or run 'mine' \(runs: there is none yet; or an id"
    ):
        run_named("mine", "A")
    history.add(report(reports, "mine"), entry())
    with pytest.raises(BadInput, match=r"^B: no preset, .* 'mnie'; did you mean 'mine'\? \(runs: mine; or an id"):
        run_named("mnie", "B")
    sweep = history.add(report(reports, "sweep"), entry(kind="sweep"))
    several = history.add(report(reports, "all"), entry(variants=[variant(), variant("gara_tori")]))
    assert sweep
    assert several
    with pytest.raises(BadInput, match=r"^r2: a sweep is no design"):
        _ = sweep.variant
    with pytest.raises(BadInput, match=r"^r3: a run about several games is no design"):
        _ = several.variant


def test_names_and_headlines_are_plain_text(reports: Path) -> None:
    named = variant(name=HOSTILE, label=HOSTILE)
    given = {"title": HOSTILE, "headline": HOSTILE, "players": [HOSTILE], "variants": [named]}
    history.add(report(reports, 'a "b" <c> #?'), entry(**given))
    assert 'alert("x")' not in page(reports)
    assert "<b> (" not in page(reports)
    assert page(reports).count("&lt;script&gt;alert(&#34;x&#34;)&lt;/script&gt; &amp; &lt;b&gt;") >= 5
    assert 'href="a%20%22b%22%20%3Cc%3E%20%23%3F/index.html"' in page(reports)


def test_texts_of_any_kind_fit_on_a_line(reports: Path) -> None:
    odd = "two\nlines \udcff \x1b[2J" + "x" * 10_000
    told = history.add(report(reports, "mine"), entry(headline=odd, command=odd))
    assert history.read() == ([told], [])
    assert told
    assert len(told.headline) == history.MOST_TEXT


def test_the_page_tells_what_differs_from_the_classic_game(reports: Path) -> None:
    history.add(report(reports, "mine"), entry(variants=[variant(bid_double=3, players=3)]))
    assert "<code>bid.double = 3</code>" in item(reports, "r1")
    odd = variant() | {"game": "suppose"}
    odd["parameters"] = odd["parameters"] | {"players": 40}
    history.add(report(reports, "other"), entry(variants=[odd]))
    assert "<code>" in item(reports, "r2")


def test_the_page_speaks_japanese(reports: Path) -> None:
    given = {"title": "Take-Trick: what are gifts worth?", "headline": "贈り物は得点の22 %です。"}
    for folder in ("mine", "mine", "other"):
        history.add(report(reports, folder, folder), entry(**given))
    history.add(report(reports, "tour", "x"), history.entry_of_tour([], "20件の実験", "make", 9, 1))
    with (reports / "history.jsonl").open("a") as file:
        file.write("broken")
    with speaking("ja"):
        history.write_index()
    assert english_left(page(reports)) == ["simlib"]
    assert "data-none" in page(reports)


def test_the_main_variant_of_an_experiment_comes_first() -> None:
    plain = [variant(label=f"{count} players", players=count) for count in (3, 4)]
    facts = {
        "variants": [{key: each[key] for key in each if key != "fingerprint"} for each in plain],
        "players": {"greedy (Suppose)": "", "greedy (Take-Trick)": "", "trained": "", "trained (1)": ""},
        "games": 10,
        "seed": 2**64 - 1,
        "command": "make experiment",
    }
    made = entry_of(Results("suppose_bids", facts, {}), "title", "answer")
    assert made.variants == plain[::-1]
    assert made.players == ["greedy", "trained"]
    many = facts | {"variants": facts["variants"] * 30}
    swept = entry_of(Results("suppose_bids", many, {}), "title", "answer", kind="sweep")
    assert swept.variants[:2] == plain
    assert (len(swept.variants), swept.more) == (40, 20)


def test_the_folder_of_all_reports_takes_no_report(reports: Path, capsys) -> None:
    assert main(["experiment", "suppose_bids", "--games=1", f"--out={reports}/../reports"]) == 2
    assert "the folder of all reports; name one inside it" in capsys.readouterr().err


@pytest.mark.kernel
def test_an_experiment_is_added_once_its_page_is_written(reports: Path, tmp_path: Path, capsys) -> None:
    asked = ["experiment", "take_trick_majority", "--games=4", "--set=players=4", "--quiet", "--jobs=1"]
    assert main([*asked, f"--out={tmp_path / 'elsewhere'}"]) == 0
    assert not (reports / "history.jsonl").exists()
    assert main([*asked, "--report-language=ja"]) == 0
    (told,), broken = history.read()
    assert broken == []
    assert (told.experiment, told.game, told.seed) == ("take_trick_majority", "take_trick", 1)
    assert (told.folder, told.language) == ("take_trick_majority", "ja")
    text = re.sub("<[^>]*>", "", (reports / "take_trick_majority/index.html").read_text())
    assert "".join(told.headline.split()) in "".join(text.split())
    assert "すべての実行" in page(reports)
    capsys.readouterr()
    assert main(["history"]) == 0
    listed, where = capsys.readouterr().out.splitlines()
    assert listed.startswith("r1  ")
    assert where == str(reports / "index.html")
    assert "All runs" in page(reports)


def test_both_designs_of_a_comparison_are_named(reports: Path) -> None:
    designs = [variant(label="A"), variant(label="B", name="mine", bid_double=3)]
    history.add(report(reports, "compared"), entry(kind="compare", variants=designs))
    for each in designs:
        assert f"<b>{each['name']}</b> ({each['label']}, <code>{each['fingerprint']}</code>)" in item(reports, "r1")
    history.add(report(reports, "swept"), entry(kind="sweep", variants=designs * 2, more=3))
    assert "; 6 more<br>" in item(reports, "r2")
