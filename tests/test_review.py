"""Design reviews: what is judged, what the verdict says, and the page that NAME=all leaves."""

import csv
import math
import re
from dataclasses import replace
from pathlib import Path

import pytest

from simlib import history, results, review, samples, tour
from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.experiments import Request, experiment_named
from simlib.games import game_named, make_variant
from simlib.measured import measures_of
from simlib.pages.review import ABSENT, BROKEN, FINE, GOOD, TOLD, WEAKNESS, Line
from simlib.review import FAULTY, WORTHY, Limit
from simlib.targets import MET, MISSED, UNDECIDED
from tests.english_left import english_left

TARGETS = """
game = "gara_tori"
players = 5
[targets]
lead_turns = ">0.1"
locked_tricks = ">90%"
"""


def line(verdict: str, label: str = "ties", figure: str = "7 %") -> Line:
    return Line("name", label, verdict, figure, "greedy", "drama", estimate(0.05, 0.09))


def estimate(low: float, high: float) -> Estimate:
    return Estimate((low + high) / 2, low, high, 900, "Student t")


@pytest.mark.parametrize(
    ("verdicts", "words"),
    [
        ([FINE, FINE], "Nothing broken was found in 2 checks."),
        ([FINE, ABSENT], "Nothing broken was found in 1 checks."),
        ([FINE, UNDECIDED], "Nothing broken was found in 1 checks. Undecided: ties."),
        ([BROKEN, FINE], "Broken: ties, 7 %."),
        ([BROKEN, UNDECIDED], "Broken: ties, 7 %. Undecided: ties."),
        ([UNDECIDED, ABSENT], "Whether anything is broken is undecided: there are too few games."),
    ],
)
def test_the_verdict_follows_from_the_lines(verdicts: list[str], words: str) -> None:
    assert review._broken_words([line(verdict) for verdict in verdicts]) == words


def test_limits_are_those_of_the_experiments() -> None:
    variant = make_variant(game_named("take_trick"), settings={"players": 5})
    fairness, ladder, drama = (experiment_named(name) for name in ("seat_fairness", "skill_ladder", "drama"))
    assert review.faults(variant)["start_seat_edge"].high == fairness.EXCESS.matters
    assert review.merits(variant)["greedy_among_random"] == Limit(
        low=0.2 + 0.8 * min(ladder.LEVELS), source="skill_ladder"
    )
    assert review.merits(variant)["winner_known"].low == 0.5 - drama.NEAR
    assert {"target_reached", "gifts_refused_by_force"} <= review.faults(variant).keys()
    assert review.PATHOLOGIES.keys() <= {
        name for game in ("suppose", "gara_tori", "take_trick") for name in measures_of(game)
    }


@pytest.mark.parametrize(
    ("low", "high", "fault", "merit"),
    [
        (-0.005, 0.005, FINE, GOOD),
        (0.01, 0.02, BROKEN, WEAKNESS),
        (-0.02, -0.01, BROKEN, WEAKNESS),
        (0, 0.01, *[UNDECIDED] * 2),
    ],
)
def test_a_line_is_judged_where_its_whole_interval_lies_on_one_side(
    low: float, high: float, fault: str, merit: str
) -> None:
    edge = measures_of("suppose")["start_seat_edge"]
    limit = Limit(high=0.0075, source="seat_fairness")
    for words, verdict in ((FAULTY, fault), (WORTHY, merit)):
        made = review._limited(edge, estimate(low, high), limit, words)
        assert (made.verdict, made.source, made.band) == (verdict, "seat_fairness", (-0.0075, 0.0075))
        assert "0.75 points of a per cent to either side of 0" in made.told


def test_what_has_no_limit_or_no_value_is_told_but_not_judged() -> None:
    edge = measures_of("suppose")["start_seat_edge"]
    assert review._limited(edge, estimate(0.1, 0.2), None, FAULTY).verdict == TOLD
    nothing = Estimate(math.nan, math.nan, math.nan, 900, "ratio", reason="nothing to divide by")
    assert review._limited(edge, nothing, Limit(high=0.1), FAULTY).verdict == ABSENT
    assert review._limited(edge, nothing, None, FAULTY).verdict == ABSENT


def test_a_folder_with_something_else_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("own")
    with pytest.raises(BadInput, match="neither an earlier NAME=all nor an empty folder"):
        tour.play_all(tour.Asked(Request(2, 1), {}), tmp_path, 1, quiet=True)
    assert [path.name for path in tmp_path.iterdir()] == ["own.txt"]


def test_targets_are_checked_before_anything_is_played(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('game = "suppose"\n[targets]\nrigth_bids = "<0.5"\n', encoding="utf-8")
    with pytest.raises(BadInput, match="unknown measure 'rigth_bids' of suppose; did you mean 'right_bids'"):
        tour.play_all(tour.Asked(Request(2, 1, file=file), {}), tmp_path / "all", 1, quiet=True)
    assert not (tmp_path / "all").exists()


def test_a_game_that_cannot_be_played_so_is_left_out_with_its_reason() -> None:
    games, left_out = tour._games(Request(2, 1, {"players": 5}))
    assert games == ["gara_tori", "take_trick"]
    assert len(left_out) == 1
    assert "Suppose: " in left_out[0] and "3 to 4" in left_out[0]


# ---- played --------------------------------------------------------------------------------------------------------


class Made:
    """A review with targets of few games and experiments."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "mine.toml"
        self.file.write_text(TARGETS, encoding="utf-8")
        self.folder, self.told = folder / "all", list[str]()
        self.asked = tour.Asked(
            Request(20, 1, {}, self.file, game=""), {"GAMES": "20", "SEED": "1", "VARIANT": "mine.toml"}
        )
        self.tour = self.play()

    def play(self, language: str = "en") -> tour.Tour:
        return tour.play_all(
            self.asked, self.folder, 2, quiet=True, language=language, tell=self.told.extend, beside=(samples.BESIDE,)
        )  # fmt: skip

    @property
    def page(self) -> str:
        return (self.folder / "index.html").read_text(encoding="utf-8")

    @property
    def rows(self) -> list[dict[str, str]]:
        return list(csv.DictReader((self.folder / "data/review.csv").read_text(encoding="utf-8-sig").splitlines()))


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Made:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tour, "experiments_about", lambda game: ["dead_rules", "gara_specials"])
        return Made(tmp_path_factory.mktemp("review"))


@pytest.fixture
def two(monkeypatch) -> None:
    monkeypatch.setattr(tour, "experiments_about", lambda game: ["dead_rules", "gara_specials"])


@pytest.mark.kernel
def test_the_page_answers_all_three_questions_and_links_what_was_asked(made: Made, looked_at) -> None:
    words = re.findall(r"<h2 id=\"title--[^>]*>([^<]*)</h2>", made.page)
    assert words == ["Is it broken?", "Is it good?", "Does it meet its targets?"]
    assert [line.split(": ")[1] for line in made.told[1:]] == ["dead_rules", "gara_specials"]
    for name in ("dead_rules", "gara_specials"):
        assert (made.folder / name / "index.html").is_file()
        assert f'href="{name}/index.html"' in made.page
        assert f"make experiment NAME={name} GAMES=20 SEED=1" in made.page
    assert "make experiment NAME=all GAMES=20 SEED=1 SET=game=gara_tori VARIANT=mine.toml" in made.page
    assert made.tour.headline.startswith(("Nothing broken", "Broken", "Whether"))
    assert "have been played yet" not in made.page
    assert list((made.folder / "gara_specials/games").iterdir())
    looked_at(made.folder / "index.html")


@pytest.mark.kernel
def test_each_line_has_its_numbers_in_the_table_and_in_a_picture(made: Made) -> None:
    verdicts = {row["name"]: row["verdict"] for row in made.rows}
    assert verdicts["lead_turns"] == MET
    assert verdicts["locked_tricks"] == MISSED  # its target: the line about what is broken comes first
    assert {row["section"] for row in made.rows} == {"Is it broken?", "Is it good?", "Does it meet its targets?"}
    known = [row for row in made.rows if row["value"]]
    assert made.page.count('class="verdict"') == len(made.rows)
    assert made.page.count("<svg") == len(known)
    for row in known:
        assert not row["low"] or float(row["low"]) <= float(row["value"]) <= float(row["high"])


@pytest.mark.kernel
def test_a_second_run_plays_nothing_and_leaves_the_same_bytes(made: Made, two: None) -> None:
    before = made.page
    made.told.clear()
    made.play()
    assert made.page == before
    assert (
        sum("of the last result are taken over" in line for line in made.told) == 1
    )  # of the review's own; experiments say nothing


@pytest.mark.kernel
def test_the_page_speaks_japanese(made: Made, two: None) -> None:
    made.play("ja")
    assert english_left(made.page) == ["mine"]  # as the file is called


@pytest.mark.kernel
def test_a_rule_is_dead_only_if_nobody_ever_used_it(made: Made) -> None:
    run = results.load(made.folder / "dead_rules")
    own = results.load(made.folder)
    own = replace(own, summaries={key: dict(sums) for key, sums in own.summaries.items()})
    key = next(key for key in own.summaries if key.startswith("rules | ") and key.endswith("greedy"))
    names = list(review.rules_survey().names(review.Review(own, []).variant))
    place = names.index("any_turn")
    for each in (key, key.replace("greedy", "random")):
        sums = own.summaries[each]["sums"].copy()
        sums[place] = 0
        own.summaries[each]["sums"] = sums
        own.summaries[each]["n"] = own.summaries[each]["n"] * 1000
    assert review._rules_line(review.Review(own, [])).verdict == UNDECIDED  # dead_rules is still to be played
    assert review._rules_line(review.Review(own, [], run)).verdict == FINE  # and there it is seen
    blind = replace(
        run, summaries={key: sums | {"sums": sums.get("sums", 0) * 0} for key, sums in run.summaries.items()}
    )
    assert review._rules_line(review.Review(own, [], blind)).verdict == BROKEN


@pytest.mark.kernel
def test_its_entry_in_the_list_of_runs_names_the_design(made: Made) -> None:
    entry = tour.entry_of(made.tour, made.asked)
    assert (entry.kind, entry.game, entry.variants[0]["name"]) == ("all", "gara_tori", "mine")
    assert entry.headline == made.tour.headline
    assert entry.games > 100
    with pytest.raises(BadInput, match="a design review is no design"):
        entry.variant  # noqa: B018
    assert history.KINDS["all"] == "design review"
