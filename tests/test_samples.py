"""Which games reports show, that they are what their pages say, and that pages are made from files alone."""

import html
import re
from pathlib import Path

import numpy as np
import pytest
from english_left import english_left

from simlib import experiments, measured, records, results, samples
from simlib.batch import Arm, play_whole
from simlib.errors import BadInput
from simlib.experiments import Request
from simlib.games import game_named
from simlib.hooks import seated
from simlib.languages import say, speaking
from simlib.pages.games import RECORDS, SAMPLES
from simlib.survey import Figure

TINY = 12
NAMES = ("gara_decks", "skill_ladder", "readings")
BESIDE = (samples.BESIDE,)


def played(name, folder, games=TINY, language="en", jobs=1, **asked):
    request = Request(games, 1, command="again", **asked)
    experiments.run(experiments.about(name), request, folder, jobs, quiet=True, language=language, beside=BESIDE)
    return folder


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Return the folders of some reports, each played once."""
    made: dict[str, Path] = {}

    def folder_of(name):
        if name not in made:
            made[name] = played(name, tmp_path_factory.mktemp(name) / "report")
        return made[name]

    return folder_of


def sets_of(folder):
    """Return what a run says of the games that it shows, each with its record."""
    with (folder / RECORDS).open("rb") as lines:
        kept = list(records.accepted(lines))
    left = iter(kept)
    sets = [(own, [(game, next(left)) for game in own["shown"]]) for own in results.load(folder).facts[SAMPLES]]
    assert not list(left)
    return sets


# ---- picking -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "typical", "extreme"),
    [
        ([5, 1, 5, 9, 5, 5], [0, 2, 4], [1]),  # of two equally far ones the first
        ([5, 1, 5, 10, 5, 5], [0, 2, 4], [3]),
        ([7, 7, 7, 7], [0, 1, 2], []),
        ([4], [0], []),
        ([4, 6], [1], [0]),
        ([0, 1, 1], [1, 2], [0]),
        ([np.nan, 3, np.nan, 8, 3, 4], [1, 4, 5], [3]),
        ([10, 1, 2, 3, 4, 5, 6], [4, 3, 5], [0]),
    ],
)
def test_typical_games_are_near_the_median_and_the_extreme_one_is_far(values, typical, extreme):
    found = samples.picked(np.array(values, float))
    assert [game.number for game in found if not game.extreme] == typical
    assert [game.number for game in found if game.extreme] == extreme
    assert all(game.value == values[game.number] for game in found)


@pytest.mark.parametrize("name", experiments.questions())
def test_the_figure_behind_a_headline_is_one_of_the_experiments_own(name):
    own = experiments.experiment_named(name).MEASURES
    assert not own.headline or own.headline in own.figures
    *_, (fallback, figure) = samples._telling(name)
    assert fallback is experiments.experiment_named("player_counts").MEASURES
    assert figure.label == "first less last"


def test_games_without_the_figure_are_told_by_another():
    def nothing(rows, variant):
        return {"top": np.zeros(len(rows)), "bottom": np.zeros(len(rows))}

    figure = Figure("none", "top", "bottom")
    module = experiments.experiment_named("gara_decks")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MEASURES", measured.Measured(nothing, {"none": figure}))
        facts, lines = samples.sampled("gara_decks", variant_of("gara_tori"), 1, 5)
    assert facts["figure"] == "first less last"
    assert len(lines) == 4


def variant_of(game):
    return Request(1, 1).variant(game)


# ---- what is shown -------------------------------------------------------------------------------------------------


@pytest.mark.kernel
@pytest.mark.parametrize("name", NAMES)
def test_records_are_sound_and_pages_of_them_are_linked(name, folders):
    folder = folders(name)
    page = (folder / "index.html").read_text(encoding="utf-8")
    links = re.findall(r'href="(games/[^"]+)"', page)
    sets = sets_of(folder)
    assert links == [f"games/{own['game']}-{game['number']}.html" for own, games in sets for game, _ in games]
    assert len(set(links)) == len(links) == 4 * len(sets)
    assert len(sets) == (1 if name == "gara_decks" else 3)
    assert f'href="{RECORDS}"' in page
    for link in links:
        own = (folder / link).read_text(encoding="utf-8")
        assert 'href="../index.html"' in own
        assert f'href="../{RECORDS}"' in own
        assert "<script" not in own
        assert not re.search(r"(?:src|href)=\"(?:https?:)?//", own)
    for own, games in sets:
        for game, record in games:
            assert (record["game"], record["index"], record["seed"]) == (own["game"], game["number"], 1)


@pytest.mark.kernel
def test_a_page_tells_the_game_of_its_record(folders):
    folder = folders("gara_decks")
    for own, games in sets_of(folder):
        for game, record in games:
            page = (folder / f"games/{own['game']}-{game['number']}.html").read_text(encoding="utf-8")
            text = html.unescape(page)
            for part in records.told(record).parts:
                assert all(line in text for line in (part.title, *part.lines, *part.outcome))


@pytest.mark.kernel
def test_values_are_those_of_the_games(folders):
    """`readings` has no figure of its own: what tells is how far the final scores are apart."""
    for own, games in sets_of(folders("readings")):
        assert own["figure"] == "first less last"
        assert [game["value"] for game, _ in games] == [max(r["scores"]) - min(r["scores"]) for _, r in games]
        away = [abs(game["value"] - own["median"]) for game, _ in games]
        assert away == sorted(away)


@pytest.mark.kernel
def test_a_guest_goes_round_the_seats_and_its_wins_are_counted(folders):
    for own, games in sets_of(folders("skill_ladder")):
        assert own["players"] == ["greedy", "random"]
        for game, record in games:
            seat = game["number"] % len(record["players"])
            assert record["players"] == ["greedy" if place == seat else "random" for place in range(4)]
            wins = 1 / len(record["winners"]) if seat in record["winners"] else 0
            assert game["value"] == pytest.approx(wins)


@pytest.mark.kernel
def test_values_of_whole_games_agree_with_what_the_experiment_estimates():
    name, variant = "choices", variant_of("suppose")
    own, figure = next(samples._telling(name))
    assert own.whole
    values = samples.values_of(own, figure, variant, 5, 30)
    arm = Arm(variant, (seated("greedy", game_named("suppose").module("players").PLAYERS, "test"),) * 4)
    counts = own.count(play_whole(arm, 5, 0, 30), variant)
    top, bottom = (np.asarray(counts[part], float) for part in (figure.top, figure.bottom))
    assert np.average(values, weights=bottom) == pytest.approx(figure.scale * top.sum() / bottom.sum())


# ---- the same bytes, and files alone -------------------------------------------------------------------------------


def files_in(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.kernel
def test_other_chunks_and_threads_give_the_same_bytes(folders, tmp_path, monkeypatch):
    monkeypatch.setattr("simlib.batch.CHUNK_CELLS", 4000)
    assert files_in(played("gara_decks", tmp_path / "other", jobs=2)) == files_in(folders("gara_decks"))


@pytest.mark.kernel
def test_pages_are_made_again_from_what_was_kept(folders):
    folder = folders("gara_decks")
    before = files_in(folder)
    for page in (folder / "games").iterdir():
        page.unlink()
    experiments.write_page(folder)
    assert files_in(folder) == before


@pytest.mark.kernel
def test_kept_records_that_are_not_the_runs_are_a_fault(folders, tmp_path):
    folder = tmp_path / "report"
    folder.mkdir()
    (folder / "run.json").write_bytes((folders("gara_decks") / "run.json").read_bytes())
    with pytest.raises(BadInput, match=r"games\.jsonl: can't be read: No such file"):
        experiments.write_page(folder)
    (folder / "data").mkdir()
    first, *others = (folders("gara_decks") / RECORDS).read_text(encoding="utf-8").splitlines()
    wrong = {
        "it doesn't hold the games that run.json names": [*others, first],
        "5: ": [first, *others, "{}"],
        "1: ": [first.replace('"locked": true', '"locked": false', 1), *others],
    }
    for fault, lines in wrong.items():
        (folder / RECORDS).write_text("\n".join(lines), encoding="utf-8")
        with pytest.raises(BadInput, match=re.escape(fault)):
            experiments.write_page(folder)


@pytest.mark.kernel
def test_with_one_game_that_is_shown_and_the_page_says_so(tmp_path):
    page = (played("gara_decks", tmp_path, games=1) / "index.html").read_text(encoding="utf-8")
    assert re.findall(r'href="(games/[^"]+)"', page) == ["games/gara_tori-0.html"]
    assert "One game was played (greedy)." in page
    assert not re.search(
        r"\b(nan|inf|None)\b", html.unescape(re.sub(r"<style.*?</style>|<[^>]+>", " ", page, flags=re.S))
    )


@pytest.mark.kernel
def test_games_follow_the_language_of_the_page(tmp_path):
    folder = played("gara_decks", tmp_path, language="ja")
    with speaking("ja"):
        heading = say("Sample games")
    assert f">{heading}</h2>" in (folder / "index.html").read_text(encoding="utf-8")
    for page in (folder / "games").iterdir():
        text = page.read_text(encoding="utf-8")
        assert '<html lang="ja">' in text
        assert english_left(text.replace("（classic）", "")) == []  # noqa: RUF001


@pytest.mark.kernel
def test_what_players_and_variants_are_called_stays_text(tmp_path):
    name = "<b>&quot;=1"
    file = tmp_path / "own.toml"
    file.write_text(f"name = '{name}'\nhand.size = 3\n", encoding="utf-8")
    folder = played("gara_decks", tmp_path / "report", games=2, file=file, settings={"players": 4})
    page = next((folder / "games").iterdir()).read_text(encoding="utf-8")
    assert name not in page
    assert html.escape(name) in page


@pytest.mark.kernel
@pytest.mark.parametrize("name", NAMES)
def test_a_browser_shows_no_fault_of_a_game_that_is_told(name, folders, looked_at):
    looked_at(next((folders(name) / "games").glob("*.html")))
