"""What suppose_bids says follows from its sums: other sums, other words."""

import html
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from simlib import experiments, results
from simlib.errors import BadInput
from simlib.experiments import Request, experiment_named
from simlib.findings import Finding
from simlib.games.suppose import measures
from simlib.measures import paired_sums

BIDS = experiment_named("suppose_bids")
HANDS, DEALS = 60, 90
KINDS = tuple(BIDS.PLAYERS)


def spread(mean: float, hands: int, most: int) -> np.ndarray:
    """Return (hands, FOLDS) whole numbers around a mean, none of them alike by much."""
    steps = np.linspace(-0.1, 0.1, hands) if hands > 1 else np.zeros(1)
    fold = np.clip(np.rint((mean + steps) * most / measures.FOLDS), 0, most // measures.FOLDS).astype(np.int64)
    return np.stack([fold, np.roll(fold, 1)], axis=1)


def hand_sums(kind: str, parameters, one: float, two: float, hands: int) -> dict:
    completions = BIDS.COMPLETIONS[kind]
    single, double = spread(one, hands, completions), spread(two, hands, completions)
    sums = measures.bid_sums(single, double, parameters, measures.bonus_grid(parameters), completions)
    if kind != BIDS.SEARCH:
        sums |= measures.own_bid_sums(single)
    if kind in BIDS.STEERERS:
        for key in ("steered", "unsteered", "steered_own"):
            sums |= paired_sums(key, single.sum(axis=1) - completions // 10)
    elif kind != BIDS.SEARCH:
        half = completions // measures.FOLDS
        sums |= measures.calibration_sums(single.ravel(), single.ravel(), half)
        counts = np.zeros((hands, parameters.hand.size + 1), np.int64)
        counts[:, 0], counts[:, 1] = completions - np.arange(hands) % 7, np.arange(hands) % 7
        ranks = measures.strength_bounds(parameters)[1] + np.arange(hands)
        sums |= measures.by_strength(counts, ranks, parameters)
    return sums


def game_sums(deals: int, double: int, ahead: int) -> dict:
    """Sum up whole games in which the two other ways to bid win so much more than always guessing once."""
    sums = {"deals": np.int64(deals)}
    noise = np.arange(deals) % 3
    won = {"single": 12 + noise, "double": 12 + double + noise[::-1], "ahead": 12 + ahead + noise}
    for quantity in ("points", "wins"):
        for way, values in won.items():
            sums |= paired_sums(f"{quantity} {way}", values)
        for way in ("double", "ahead"):
            sums |= paired_sums(f"{quantity} {way} - single", won[way] - won["single"])
    return sums


def made(chances=None, *, hands: int = HANDS, deals: int = DEALS, double=-5, ahead=1, **settings) -> results.Results:
    """Return a result with the chances of a right single and double bid that are given for each kind of player."""
    request = Request(
        BIDS.SEARCHED, 1, {key.replace("__", "."): value for key, value in settings.items()}, command="make it"
    )
    plan = BIDS.plan(request)
    chances = dict.fromkeys(KINDS, (0.3, 0.5)) | (chances or {})
    summaries: dict[str, dict] = {}
    for variant in plan.variants.values():
        parameters = variant.parameters
        for kind in KINDS:
            for seat in range(parameters.players):
                key = f"hands {parameters.players} {kind} {seat}"
                summaries[key] = hand_sums(kind, parameters, *chances[kind], hands)
            summaries[f"games {parameters.players} {kind}"] = game_sums(deals, double, ahead)
    assert summaries.keys() == {study.key for study in plan.studies}
    summaries = {key: {name: np.asarray(array) for name, array in part.items()} for key, part in summaries.items()}
    return results.Results("suppose_bids", experiments._facts(BIDS, plan, request), summaries)


def cells_of(run: results.Results) -> list:
    return [BIDS.Cell(run, label, v, kind) for label, v in experiments.variants_of(run).items() for kind in KINDS]


def headlines(run: results.Results, *keys: str) -> dict[str, str]:
    made_by = {"answer": BIDS.answer, "bonus": BIDS.what_bonus, "steering": BIDS.steering, "winning": BIDS.winning}
    return {key: made_by[key](cells_of(run)).headline for key in keys or ("answer",)}


def swapped(run: results.Results) -> results.Results:
    """Return a result in which what single and double bids hit has changed places."""
    place = {"single": "double", "double": "single", "single_squares": "double_squares"}
    place |= {"double_squares": "single_squares", "single_better": "double_better", "double_better": "single_better"}
    summaries = {
        key: {name: part[place[name]] if place.get(name) in part else array for name, array in part.items()}
        for key, part in run.summaries.items()
    }
    return results.Results(run.experiment, run.facts, summaries)


def test_under_the_classic_bonuses_two_guesses_never_win() -> None:
    told = headlines(made(), "answer", "bonus")
    assert told["answer"].startswith(
        "Two guesses never win on average: under a double bonus of 2 and a single bonus of 5"
    )
    assert "for greedy, 4 players, and lose for every kind of player" in told["answer"]
    assert BIDS.answer(cells_of(made())).text[0].startswith("The loss is smallest for")
    assert re.search(r"0\.(49|50) points a bid", told["answer"])  # 5 x 0.3 - 2 x 0.5
    assert "a double bonus of 3.00" in told["bonus"] or "a double bonus of 3.0 " in told["bonus"]
    assert "so today's bonus is too small" in told["bonus"]


def test_swapped_sums_turn_the_answer_round() -> None:
    run = made({kind: (0.2, 0.6) for kind in KINDS}, bid__single=3, bid__double=2)
    assert headlines(run)["answer"].startswith("Two guesses win on average: under a double bonus of 2")
    assert headlines(swapped(run))["answer"].startswith("Two guesses never win on average: under a double bonus of 2")


@pytest.mark.parametrize(("bonus", "words"), [(2, "Two guesses never win"), (3.9, "Two guesses win on average:")])
def test_a_larger_double_bonus_turns_the_answer_round(bonus: float, words: str) -> None:
    told = headlines(made(bid__double=bonus), "answer", "bonus")
    assert told["answer"].startswith(words)
    assert f"a double bonus of {bonus:g} " in told["answer"]
    assert ("today's is past it" in told["bonus"]) == (bonus > 3)


def test_players_who_differ_make_it_depend_on_them() -> None:
    open_ = dict.fromkeys(("chaser", "trained", BIDS.SEARCH), (0.3, 0.75))
    told = headlines(made({"random": (0.2, 0.6)} | open_))["answer"]
    assert told.startswith("It depends on the players")
    assert "they win on average for random, 4 players, random, 3 players;" in told
    assert "they lose for greedy, 4 players, greedy, 3 players;" in told
    assert "it is undecided for chaser, 4 players, trained, 4 players, search:25, 4 players, chaser, 3 players" in told
    assert "At most: 0.2" in told


def test_an_open_question_names_those_it_is_open_for() -> None:
    told = headlines(made({"random": (0.3, 0.75), "greedy": (0.9, 0.9)}))["answer"]
    assert told.startswith("Two guesses win on average for no kind of player, but")
    assert "undecided whether they lose for random, 4 players:" in told or "for random, 3 players:" in told


def test_one_hand_decides_nothing() -> None:
    run = made(hands=1, deals=1, players=3)
    cells = cells_of(run)
    for cell in cells:
        cell.sums, cell.hands = run.summaries[f"hands 3 {cell.kind} 0"], 1  # of the other seats none
    told = BIDS.answer(cells)
    assert told.headline.startswith("Undecided: too few hands to say whether two guesses pay")
    assert told.headline.endswith("(only one game).")
    assert BIDS.what_bonus(cells).headline == "The break-even bonus is not known: only one game."
    assert "no interval: only one game" in BIDS.predictability(cells).headline
    assert "may add nothing" in BIDS.steering(cells).headline
    assert "no interval: only one game" in BIDS.winning(cells).headline


def test_winning_and_steering_follow_their_signs() -> None:
    told = headlines(made(double=-5, ahead=3), "steering", "winning")
    assert "Guessing twice loses games" in told["winning"]
    assert "while ahead wins them" in told["winning"]
    assert "its left neighbour adds:" in told["steering"]
    assert "Guessing twice neither clearly wins nor loses games" in headlines(made(double=0), "winning")["winning"]


def test_who_differs_is_said_of_every_finding() -> None:
    run = made(double=-5, ahead=3)
    run.summaries["games 4 random"] = {name: np.asarray(each) for name, each in game_sums(DEALS, 5, 3).items()}
    said = BIDS.winning(cells_of(run)).text
    assert said[0] == (
        "Always two, 4 players: it flips: wins for weak (random); "
        "loses for decent (greedy, chaser, trained) and strong (search:25)."
    )
    assert said[2].startswith("Two while leading, 4 players and 3 players: wins for all kinds of player: weak (random)")
    assert "search:25, 4 players 3.0" in BIDS.what_bonus(cells_of(run)).charts[0].alt


def test_the_headline_figure_is_the_gain_of_two_guesses() -> None:
    found = BIDS.headline_figure(made())
    assert found.estimate.value == pytest.approx(2 * 0.5 - 5 * 0.3, abs=0.02)
    assert found.label == "what two guesses gain over one, a bid (greedy, 4 players)"


def text_of(page: str) -> str:
    return html.unescape(re.sub(r"<(style|script).*?</\1>", "", page, flags=re.DOTALL))


NO_NUMBER = re.compile(r"(?<![\w-])(?:nan|NaN|inf|None|Infinity)(?!\w)")
EXTREMES = {
    "one hand a seat": {"hands": 1, "deals": 1},
    "nothing pays": {"bid__single": 0, "bid__double": 0, "score__trick": 0},
    "thousands": {"bid__single": 1000, "bid__double": 1000},
    "nobody is ever right": {"chances": dict.fromkeys(KINDS, (-1, -1))},
    "everybody is always right": {"chances": dict.fromkeys(KINDS, (2, 2))},
    "one card a hand": {"hand__size": 1},
}


@pytest.mark.parametrize("settings", EXTREMES.values(), ids=EXTREMES)
def test_no_page_shows_what_is_no_number(settings: dict, tmp_path: Path) -> None:
    results.save(tmp_path, made(**settings))
    page = text_of(experiments.write_page(tmp_path).read_text(encoding="utf-8"))
    assert not [page[max(0, found.start() - 60) : found.end() + 20] for found in NO_NUMBER.finditer(page)]
    for path in (tmp_path / "data").iterdir():
        assert not NO_NUMBER.search(path.read_text(encoding="utf-8")), path.name


def test_shares_stay_between_0_and_1() -> None:
    cell = cells_of(made())[0]
    cell.hands = 2
    cell.sums |= {"single": cell.completions, "single_squares": cell.completions**2}  # never right, and always
    chance = cell.chance("single")
    assert (chance.value, chance.low, chance.high) == (0.5, 0, 1)


def test_a_single_bonus_of_nothing_breaks_even_at_nothing() -> None:
    run = made(bid__single=0)
    assert "at a double bonus of 0 " in headlines(run, "bonus")["bonus"]
    points = table([BIDS.answer(cells_of(run))], "bids")
    assert points.loc[points["figure"] == "best single guess, points", "value"].eq(0).all()


def table(found: list[Finding], key: str) -> pd.DataFrame:
    return next(each.frame for finding in found for each in finding.tables if each.key == key)


def test_experiments_are_described_without_being_run(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "mine.py").write_text('"""Why?\n\nMore.\n"""\nraise SystemExit\nGAME = "suppose"\nGAMES = 1_000\n')
    (tmp_path / "_own.py").write_text("")
    (tmp_path / "Loud.py").write_text("")
    monkeypatch.setattr(experiments, "FOLDER", tmp_path)
    assert experiments.questions() == {"mine": "Why?"}
    assert experiments.about("mine") == experiments.About("mine", "Why?", "suppose", 1000)
    for name in ("_own", "Loud", "mine.py", "../mine", ""):
        with pytest.raises(BadInput, match="unknown experiment"):
            experiments.about(name)


def test_asked_variants_leave_the_request_as_it_is() -> None:
    request = Request(100, 1, {"bid": {"single": 4}, "bid.double": 3})
    for _ in range(2):
        shown = [
            (v.parameters.players, v.parameters.bid.single, v.parameters.bid.double)
            for v in request.variants("suppose", (4, 3))
        ]
        assert shown == [(4, 4, 3), (3, 4, 3)]
    assert request.settings == {"bid": {"single": 4}, "bid.double": 3}
    assert len(Request(100, 1, {"players": 3}).variants("suppose", (4, 3))) == 1


@pytest.mark.kernel
def test_more_games_go_on_from_the_last_result_and_the_same_play_nothing(tmp_path, monkeypatch):
    """Twice the games play the second half alone, to the bytes of one run; a changed seed plays all and says why."""
    from simlib import batch

    played = []
    monkeypatch.setattr(batch, "chunks", lambda *given, real=batch.chunks: played.append(given) or real(*given))
    about = experiments.about("gara_decks")
    told: list[str] = []
    ways = {"quiet": True, "tell": told.extend}
    experiments.run(about, Request(40, 1, command="x"), tmp_path / "more", 2, **ways)
    experiments.run(about, Request(80, 1, command="x"), tmp_path / "more", 2, **ways)
    assert any("games of the last result are taken over" in line for line in told)
    experiments.run(about, Request(80, 1, command="x"), tmp_path / "once", 2, **ways)
    for file in ("run.json", "index.html"):
        assert (tmp_path / "more" / file).read_bytes() == (tmp_path / "once" / file).read_bytes()
    played.clear()
    experiments.run(about, Request(80, 1, command="x"), tmp_path / "once", 2, **ways)
    assert played == []
    experiments.run(about, Request(80, 1, command="x"), tmp_path / "once", 2, fresh=True, **ways)
    assert played
    told.clear()
    experiments.run(about, Request(80, 2, command="x"), tmp_path / "once", 2, **ways)
    assert "starting afresh, as the seed is another one" in told


@pytest.mark.kernel
def test_a_run_that_was_cut_off_goes_on(tmp_path, monkeypatch):
    """Whatever was finished when a run breaks down, the next one ends with the bytes of one that went through."""
    from simlib import batch
    from simlib.checkpoints import Checkpoints

    monkeypatch.setattr(batch, "CHUNK_CELLS", 2000)
    monkeypatch.setattr("simlib.checkpoints.EVERY", 0)
    about, whole = experiments.about("gara_decks"), tmp_path / "whole"
    experiments.run(about, Request(40, 1), whole, 1, quiet=True)
    keep, kept = Checkpoints.keep, []

    def breaking(self, *given):
        keep(self, *given)
        kept.append(given)
        if len(kept) in (3, 8):
            raise KeyboardInterrupt

    monkeypatch.setattr(Checkpoints, "keep", breaking)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            experiments.run(about, Request(40, 1), tmp_path / "cut", 1, quiet=True)
        assert not (tmp_path / "cut/run.json").exists()
    experiments.run(about, Request(40, 1), tmp_path / "cut", 1, quiet=True)
    ranges = [(study.key, first, games) for study, first, games, _ in kept]
    assert len(set(ranges)) == len(ranges)  # nothing was played twice
    assert (tmp_path / "cut/run.json").read_bytes() == (whole / "run.json").read_bytes()
    assert not (tmp_path / "cut/unfinished").exists()
