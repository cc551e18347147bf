"""The experiment take_trick_majority: its counts are those of a plain reading, its words follow the numbers."""

import numpy as np
import pandas as pd
import pytest

from simlib import batch, experiments
from simlib.errors import BadInput
from simlib.experiments import Request
from simlib.games import game_named, make_variant
from simlib.measures import joint_sums
from simlib.survey import DECENT, PLAYED, WEAK, Cell

majority = experiments.experiment_named("take_trick_majority")
GAME = game_named(majority.GAME)


def variant(**settings):
    return make_variant(GAME, settings={key.replace("__", "."): value for key, value in settings.items()})


def points_of(counts):
    """Return each seat's points in a colour ("Scoring a round")."""
    alone = counts.count(max(counts)) == 1
    return [0 if alone and count == max(counts) else count * counts.count(count) for count in counts]


def share_of(scores, goal, seat):
    reached = [score for score in scores if score >= goal]
    best = min(reached) if reached else max(scores)
    return 60 // scores.count(best) * (scores[seat] == best)


def instead(counts, seat, cards):
    return [*counts[:seat], cards, *counts[seat + 1 :]]


def add_colour(found, counts):
    points, most = points_of(counts), max(counts)
    if not most:
        return
    tied = counts.count(most) > 1
    found["colours"] += 1
    found["alone"] += not tied
    found["alone_cards"] += most * (not tied)
    found["points"] += sum(points)
    for seat, (held, got) in enumerate(zip(counts, points, strict=True)):
        level = counts.count(held) > 1
        found["tied_points"] += got * (held == most)
        found["below_tied"] += got * (held < most and level)
        found["below_alone"] += got * (held < most and not level)
        if held:
            more, fewer = (points_of(instead(counts, seat, held + step))[seat] - got for step in (1, -1))
            size = min(held, 9)
            amounts = {
                "holdings": 1,
                "cards": held,
                "more": more,
                "fewer": fewer,
                f"held_{size}": 1,
                f"got_{size}": got,
                f"more_{size}": more,
            }
            amounts |= {f"with_{cards}": points_of(instead(counts, seat, cards))[seat] for cards in range(10)}
            for name, amount in amounts.items():
                found[name] += amount


def plain_counts(row, made):
    p = made.parameters
    found = dict.fromkeys(majority.names(made), 0)
    for number in range(row["rounds"] - row["ended_by_gift"]):
        found["scored"] += 1
        for letter in "GPS":
            counts = [row[f"bamboo_{number}_{seat}_{letter}"] for seat in range(p.players)]
            add_colour(found, counts)
            if number + 1 < p.rounds.max:
                continue
            rest = [row[f"score_{seat}"] - points for seat, points in enumerate(points_of(counts))]
            for seat, held in enumerate(counts):
                found["last_holdings"] += held > 0
                for cards in range(10 if held else 0):
                    points = points_of(instead(counts, seat, cards))
                    scores = [score + own for score, own in zip(rest, points, strict=True)]
                    found[f"wins_{cards}"] += share_of(scores, p.score.target, seat)
    return found


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("kind", "settings"),
    [(DECENT, {}), (WEAK, {"players": 6, "score__target": 12}), (WEAK, {"players": 3, "rounds__max": 1})],
)
def test_counts_equal_a_plain_reading(kind, settings):
    made = variant(**settings)
    arm = majority.SURVEY.studies({"x": made}, 1)[majority.SURVEY.kinds.index(kind)].arms[PLAYED]
    rows = batch.play_arm(arm, 3, 0, 60)
    ours = majority.count(rows, made)
    frame = pd.DataFrame(rows, columns=batch.columns_of(made)).astype(int)
    plain = pd.DataFrame([plain_counts(row, made) for row in frame.to_dict("records")])
    assert list(plain) == majority.names(made) and set(ours) == set(plain)
    for name in plain:
        assert np.asarray(ours[name]).astype(int).tolist() == plain[name].tolist(), name
    assert plain["last_holdings"].any()


def test_the_sheets_example():
    counts = np.array([[[[4, 3, 0], [2, 0, 2], [0, 3, 2]]]])
    found = majority.majorities(counts, np.array([[True]]))
    assert {name: int(values[0]) for name, values in found.items()} == {
        "scored": 1, "colours": 3, "alone": 1, "alone_cards": 4, "points": 22, "tied_points": 20, "below_tied": 0,
        "below_alone": 2,
    }  # fmt: skip


def cell(kind=DECENT, games=400, peak=2, more=-1, alone=2):
    """Return a cell of made-up counts: points and wins fall on both sides of a number of cards."""
    made = variant()
    noise = np.arange(games) % 2 * 2 - 1
    counts = dict.fromkeys(majority.names(made), 0) | {
        "scored": 3, "colours": 3, "alone": alone, "holdings": 10, "last_holdings": 10, "more": 10 * more + 3 * noise,
    }  # fmt: skip
    for cards in majority.TRIED:
        counts |= {f"with_{cards}": 30 - 5 * abs(cards - peak) + noise * (cards % 3)}
        counts |= {f"wins_{cards}": 150 - 5 * abs(cards - peak) + noise * (cards % 3)}
    for cards in majority.TRIED[1:]:
        counts |= {f"held_{cards}": 10, f"got_{cards}": 10, f"more_{cards}": 10 * (peak - cards) - 5 + noise}
    values = [np.zeros(games, np.int64) + counts[name] for name in majority.names(made)]
    return Cell(majority.SURVEY, joint_sums(np.stack(values, axis=1)), "4 players", made, kind)


def said(finding):
    return " ".join([finding.headline, *finding.text])


@pytest.mark.parametrize("peak", [2, 4])
def test_the_best_number_follows_the_points(peak):
    found = majority.answer([cell(peak=peak)], ())
    assert found.headline.startswith(f"{peak} cards of a colour score most, 3.0")
    assert f"Best numbers, 4 players: {peak} for decent (greedy)." in found.text
    assert majority.winning([cell(peak=peak)]).headline.startswith(
        f"In the last round {peak} cards of a colour win most"
    )


def test_it_says_when_the_best_number_flips():
    cells = [cell(WEAK, peak=3), cell()]
    assert "It flips: 3 for weak (random); 2 for decent (greedy)" in said(majority.answer(cells, ()))
    alike = [cell(WEAK, peak=3, games=2), cell()]
    assert "flips" not in said(majority.answer(alike, ()))


def test_too_few_games_are_undecided():
    one = [cell(games=1)]
    assert majority.answer(one, ()).headline.startswith("Undecided how many, perhaps 2, cards")
    assert majority.one_more(one).headline.startswith("Undecided whether one card more")
    assert majority.winning(one).headline.startswith("In the last round undecided how many")


@pytest.mark.parametrize(
    ("more", "words"), [(-1, "costs: 1.0"), (1, "pays: 1.0"), (0, "no difference larger than 0.05 points: ")]
)
def test_one_card_more_pays_or_costs(more, words):
    assert words in majority.one_more([cell(more=more, games=4000)]).headline


def test_the_next_card_turns_at_the_best_number():
    assert majority.turn_words(cell(peak=3)).startswith(
        "The next card pays for who holds 1 and 2 and costs for who holds 3"
    )


@pytest.mark.parametrize(("alone", "words"), [(2, "most colours have a sole"), (1, "most colours have a tied")])
def test_it_says_whether_most_majorities_are_sole(alone, words):
    assert words in said(majority.shared([cell(alone=alone)])).lower()


def test_one_trick_is_refused():
    with pytest.raises(BadInput, match=r"hand\.size = 1"):
        majority.plan(Request(10, 1, {"hand.size": 1}))
