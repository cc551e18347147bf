"""The experiment take_trick_trump: what it counts and compares, and its words, which follow the numbers."""

import numpy as np
import pytest

from simlib import batch, experiments
from simlib.errors import BadInput
from simlib.experiments import Request
from simlib.games import game_named, make_variant
from simlib.measures import joint_sums
from simlib.survey import DECENT, PLAYED, STRONG, WEAK, Cell

trump = experiments.experiment_named("take_trick_trump")
GAME = game_named(trump.GAME)


def variant(**settings):
    return make_variant(GAME, settings={key.replace("__", "."): value for key, value in settings.items()})


# ---- what is played and counted ------------------------------------------------------------------------------------


def test_each_trump_rank_and_the_other_deck_are_arms():
    arms = trump.arms_of(variant())
    assert list(arms) == [
        "played", *(f"trump {rank}" for rank in range(2, 7)), "deck nine",
        *(f"nine, trump {rank}" for rank in range(3, 8)),
    ]  # fmt: skip
    assert arms["trump 4"].parameters.trump.ranks == [4]
    assert arms["nine, trump 3"].parameters.deck.ranks == 9
    assert "deck six" in trump.arms_of(variant(deck__preset="nine"))


@pytest.mark.parametrize("settings", [{"deck__copies": 4}, {"trump__ranks": [2, 3]}])
def test_decks_that_are_no_presets_are_not_compared(settings):
    assert not any("nine" in arm for arm in trump.arms_of(variant(**settings)))
    request = Request(10, 1, {key.replace("__", "."): value for key, value in settings.items()})
    assert "Decks are not compared" in trump.plan(request).facts["left_out"][0]


def test_one_trump_rank_is_refused():
    with pytest.raises(BadInput, match=r"trump\.ranks = \[3\]"):
        trump.plan(Request(10, 1, {"trump.ranks": [3]}))


def test_the_share_of_trumps():
    assert trump.trump_share(variant()) == pytest.approx(9 / 54)
    assert trump.trump_share(variant(deck__preset="nine")) == pytest.approx(6 / 54)
    assert trump.trump_share(variant(deck__copies=[0, 2, 2, 2, 2, 4], hand__size=9)) == pytest.approx(2.4 / 12)


def plain_counts(record, players, target):
    rounds, found = record["rounds"], dict.fromkeys(trump.NAMES, 0)
    for each in rounds:
        for trick in each["tricks"]:
            seats = [seat for seat, _ in trick["plays"]]
            card = dict(trick["plays"])[trick["winner"]]
            by_trump = int(card[1:]) == record["trump"]
            found["tricks"] += 1
            found["trump_wins"] += by_trump
            found["extras"] += trick["captures"][0]["extra"] is not None
            found["due"] += by_trump
            found["first"] += trick["winner"] == seats[0]
            found["last"] += trick["winner"] == seats[-1]
            found["gifts"] += sum(capture["gift"] is not None for capture in trick["captures"])
    found["missing"] = found["due"] - found["extras"]
    found |= {"rounds": len(rounds), "seat_rounds": len(rounds) * players, "points": sum(record["scores"])}
    return found | {"reached": int(max(record["scores"]) >= target)}


@pytest.mark.kernel
@pytest.mark.parametrize(("kind", "settings"), [(DECENT, {"players": 3}), (WEAK, {"score__target": 12})])
def test_counts_equal_a_plain_reading_of_the_records(kind, settings):
    made = variant(**settings)
    study = trump.SURVEY.studies({"x": made}, 1)[trump.SURVEY.kinds.index(kind)]
    for arm in (PLAYED, "trump 6", "nine, trump 3"):
        played = batch.play_whole(study.arms[arm], 5, 0, 12)
        ours = trump.count(played.rows, made)
        reader = GAME.module("records")
        games = [
            reader.result(study.arms[arm].variant, *game) for game in zip(played.tables, played.secrets, strict=True)
        ]
        plain = [plain_counts(game, made.parameters.players, made.parameters.score.target) for game in games]
        for name in trump.NAMES:
            assert np.asarray(ours[name]).astype(int).tolist() == [game[name] for game in plain], name
        assert arm == PLAYED or {f"trump {game['trump']}" for game in games} == {arm.removeprefix("nine, ")}


# ---- words ---------------------------------------------------------------------------------------------------------


def cell(kind=DECENT, games=400, slope=0, points=0, nine=-1, **settings):
    """Return a cell of made-up counts: tricks won by trumps rise by `slope` with the rank, points by `points`."""
    made = variant(**settings)
    noise = np.arange(games) % 2 * 2 - 1
    base = dict.fromkeys(trump.NAMES, 5) | {"tricks": 100, "trump_wins": 40 + noise, "rounds": 3, "seat_rounds": 12}
    base |= {"points": 84 + noise, "reached": noise > 0}
    values = []
    for arm, other in trump.arms_of(made).items():
        rank = other.parameters.trump.ranks[0] if len(other.parameters.trump.ranks) == 1 else 4
        own = base | {"trump_wins": 40 + slope * (rank - 4) + noise * (1 + rank % 3), "points": 84 + 12 * points * rank}
        own |= {"trump_wins": own["trump_wins"] + 5 * nine} if "nine" in arm else {}
        values += [np.zeros(games, np.int64) + own[name] for name in trump.NAMES]
    return Cell(trump.SURVEY, joint_sums(np.stack(values, axis=1)), "4 players", made, kind)


def said(finding):
    return " ".join([finding.headline, *finding.text])


@pytest.mark.parametrize(
    ("slope", "words", "trend"),
    [
        (3, "most with trump 6", "More with trump 6 than with trump 2 for all"),
        (-3, "most with trump 2", "Fewer with trump 6 than with trump 2 for all"),
        (0, "no difference larger than 1 point of a per cent between trump ranks", "No difference larger than 1"),
    ],
)
def test_the_headline_says_which_rank_wins_most(slope, words, trend):
    found = trump.answer([cell(slope=slope)], ())
    assert found.headline.startswith("Trumps win 40.0")
    assert "with 16.7 % of the cards" in found.headline and words in found.headline
    assert trend in said(found)
    assert "2.40" in found.text[0]


def test_few_games_are_undecided():
    assert "undecided whether the rank matters" in trump.answer([cell(games=4)], ()).headline


def test_a_flip_between_kinds_is_said():
    cells = [cell(WEAK, slope=-3), cell(slope=3)]
    assert "It flips: fewer with trump 6 than with trump 2 for weak (random); more" in said(trump.answer(cells, ()))


def test_points_by_rank():
    assert "most with trump 6, 4" in trump.ranks_besides([cell(points=1)]).headline
    assert "exactly the same between trump ranks" in trump.ranks_besides([cell()]).headline


@pytest.mark.parametrize(
    ("nine", "words"), [(-1, "per cent (the same every time, n = 400) less"), (1, "n = 400) more")]
)
def test_the_other_deck_wins_more_or_less(nine, words):
    found = trump.decks([cell(nine=nine)])
    assert found.headline.startswith(f"With deck nine instead of six trumps win {40 + 5 * nine}.0")
    assert words in found.headline
    assert "11.1 % of the cards then" in found.text[0]


def test_strong_players_play_the_main_variant_alone():
    studies = trump.SURVEY.studies({"3 players": variant(players=3), "4 players": variant()}, 1000)
    assert [study.key for study in studies if STRONG.text in study.key] == ["4 players | search:25"]
