"""Every experiment, found by looking: it plays at a tiny size, and its page holds what a page must hold."""

import html
import math
import os
import re
import shutil
import statistics
from dataclasses import replace
from pathlib import Path

import browser
import pytest
from behind_figures import faults_behind, faults_of, unchanged_words
from english_left import english_left

from simlib import experiments, results
from simlib.errors import BadInput
from simlib.experiments import Request
from simlib.findings import Finding, Headline
from simlib.games import game_named
from simlib.precision import FIRST, Wish

pytestmark = pytest.mark.kernel
NAMES = list(experiments.questions())
each_experiment = pytest.mark.parametrize("name", NAMES)
TINY = 24
ALONE = int(os.environ.get("SIMLIB_ALONE", "1"))  # every how many pages of one game are made; CI makes fewer


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Return the folder of an experiment's report at a tiny size, played once."""
    folders: dict[str, Path] = {}

    def folder_of(name):
        if name not in folders:
            folders[name] = tmp_path_factory.mktemp(name) / "report"
            experiments.run(experiments.about(name), Request(TINY, 1, command="again"), folders[name], 2, quiet=True)
        return folders[name]

    return folder_of


@pytest.fixture(scope="module")
def found(played):
    """Return what an experiment finds in that report, computed once."""
    known: dict[str, list[Finding]] = {}

    def findings_of(name):
        if name not in known:
            known[name] = experiments.experiment_named(name).findings(results.load(played(name)))
        return known[name]

    return findings_of


def text_of(folder):
    page = (folder / "index.html").read_text(encoding="utf-8")
    return html.unescape(re.sub(r"<style.*?</style>|<script.*?</script>|<svg.*?</svg>|<[^>]+>", " ", page, flags=re.S))


@each_experiment
def test_its_file_says_what_it_is(name):
    about, module = experiments.about(name), experiments.experiment_named(name)
    assert about.question.endswith("?")
    assert module.TITLE
    assert dict(module.GLOSSARY).keys() >= {"interval", "n"}


@each_experiment
def test_its_page_holds_an_answer_and_no_number_that_is_none(name, played):
    page = text_of(played(name))
    assert not re.search(r"\b(nan|inf|None|NaN)\b", page)
    assert "Numbers behind this figure" in page
    assert not re.search(r"\d\.\d{9}", page)  # no digits that no interval supports
    for csv in (played(name) / "data").glob("*.csv"):
        assert "inf" not in csv.read_text(encoding="utf-8").replace("information", "")


INTERVAL = re.compile(r"\([^()]*(?:interval|the same every time|n =|games?\b|deals?\b)[^()]*\)")
EXACT = re.compile(  # limits, fair shares and sizes of decks: known without playing
    r"larger than [\d.]+|[\d.]+ % is fair|share (?:of|is) [\d.]+ %|of [\d.]+ what could|[\d.]+ % of the cards|"
    r"(?:more|fewer) than [\d.]+ %|chi-square [\d.,]+|p = [\d.]+|lowest of \d+ p is [\d.]+|in [\d.]+ % of deals|"
    r"bonus (?:of|points) [\d.]+|about [\d.]+ points|0 to 1\b"
)
FIGURE = re.compile(r"(?<![\w.,:=+/-])[\u2212-]?\d[\d,]*(?:\.\d+(?: ?%)?| ?%)")
BEHIND = re.compile(r"[ \w%]{0,45}\(interval\)")


@each_experiment
def test_no_sentence_has_a_figure_without_its_interval(name, found):
    for finding in found(name):
        for words in (finding.headline, *finding.text):
            bare = EXACT.sub("", INTERVAL.sub("(interval)", words))
            left = [found.group() for found in FIGURE.finditer(bare) if not BEHIND.match(bare, found.end())]
            assert not left, words


@each_experiment
def test_its_figures_have_their_numbers_and_words_behind_them(name, played, found):
    assert faults_of(found(name)) == []
    assert faults_behind(played(name), found(name)) == []


@each_experiment
def test_its_headline_figure_is_one(name, played):
    figure = experiments.experiment_named(name).headline_figure(results.load(played(name)))
    assert isinstance(figure, Headline)
    assert figure.label
    assert figure.estimate.n >= 0
    assert math.isfinite(figure.estimate.value) or figure.estimate.reason


@each_experiment
def test_all_its_players_are_named_and_its_findings_assume_something(name, played, found):
    run = results.load(played(name))
    told = " ".join(run.facts["players"]) + text_of(played(name))
    assert {"random", "greedy", "trained", "search"} - set(re.findall(r"[a-z]+", told)) == set()
    assert any(finding.assumes for finding in found(name))


@each_experiment
def test_its_page_in_japanese_has_no_english_left_and_the_same_downloads(name, played, tmp_path, looked_at):
    page = experiments.write_page(shutil.copytree(played(name), tmp_path / "report"), "ja")
    assert english_left(page.read_text(encoding="utf-8")) == []
    for csv in (played(name) / "data").glob("*.csv"):
        assert (page.parent / "data" / csv.name).read_bytes() == csv.read_bytes()
    looked_at(page, browser.faults_of_words)


@each_experiment
def test_its_page_has_no_fault_that_a_browser_shows(name, played, looked_at):
    looked_at(played(name) / "index.html")


def test_a_typical_page_is_small(played):
    assert statistics.median((played(name) / "index.html").stat().st_size for name in NAMES) < 500_000


@pytest.mark.parametrize("name", NAMES[::ALONE])
def test_one_game_gives_a_page_that_says_so_and_other_words_for_its_figures(name, found, tmp_path):
    experiments.run(experiments.about(name), Request(1, 1), tmp_path / "one", 1, quiet=True)
    assert not re.search(r"\b(nan|inf|None|NaN)\b", text_of(tmp_path / "one"))
    other = experiments.experiment_named(name).findings(results.load(tmp_path / "one"))
    assert unchanged_words(found(name), other) == []
    if name in NAMES[::3]:  # its page of more games is read in Japanese above; other words are said of one alone
        page = experiments.write_page(tmp_path / "one", "ja")
        assert english_left(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("name", NAMES[::5])
def test_other_chunks_and_threads_give_the_same_bytes(name, played, tmp_path, monkeypatch):
    monkeypatch.setattr("simlib.batch.CHUNK_CELLS", 4000)
    experiments.run(experiments.about(name), Request(TINY, 1, command="again"), tmp_path / "other", 1, quiet=True)
    for file in ("run.json", "index.html"):
        assert (tmp_path / "other" / file).read_bytes() == (played(name) / file).read_bytes()


def test_a_wish_for_precision_plays_on_from_what_was_played(tmp_path):
    """What several looks play adds up to what one run of as many games plays."""
    about = replace(experiments.about("gara_decks"), games=TINY * FIRST)
    experiments.run(about, Request(TINY, 1, wish=Wish(1e-9), most=5 * TINY), tmp_path / "looks", 2, quiet=True)
    experiments.run(about, Request(5 * TINY, 1), tmp_path / "once", 2, quiet=True)
    one, other = ((tmp_path / name / "run.json").read_text().partition('"summaries"') for name in ("looks", "once"))
    assert one[2] == other[2]
    assert '"looks":3' in one[0]
    assert '"why":"games"' in one[0]
    assert f'"command":" GAMES={5 * TINY}"' in one[0]


@each_experiment
def test_it_plays_for_other_numbers_of_players(name):
    """A plan can be made for whatever number of players its game allows, or says in one line why not."""
    about = experiments.about(name)
    for game in [about.game] if about.game != experiments.ALL else ["suppose", "take_trick"]:
        for count in range(3, 7):
            settings = {"players": count}
            request = Request(TINY, 1, settings, game=game if about.game == experiments.ALL else "")
            try:
                plan = experiments.experiment_named(name).plan(request)
            except BadInput as fault:
                assert "\n" not in str(fault)
            else:
                assert plan.studies
                assert {variant.parameters.players for variant in plan.variants.values()} == {count}
                assert all(game_named(variant.game) for variant in plan.variants.values())
