"""The experiment choices: its counts are those of a plain reading of records, its words follow the numbers."""

import numpy as np
import pytest

from simlib import experiments
from simlib.batch import Arm, play_whole
from simlib.errors import BadInput
from simlib.estimates import Estimate
from simlib.experiments import Request
from simlib.games import game_named, make_variant
from simlib.hooks import seated
from simlib.measures import joint_sums
from simlib.survey import DECENT, KINDS, Cell

choices = experiments.experiment_named("choices")


def variant(game="suppose", **settings):
    return make_variant(game_named(game), settings={key.replace("__", "."): value for key, value in settings.items()})


def whole(made, games=12):
    known = game_named(made.game).module("players").PLAYERS
    return play_whole(Arm(made, (seated("random", known, "test"),) * made.parameters.players), 4, 0, games)


def plain_reading(record, players):
    """Count one Suppose game from its record, card by card."""
    counts = dict.fromkeys(("tricks", "follows", "forced", "losing", "must_take", "meaningful", "ducks", "following",
                            "uncontested", "caught"), 0)  # fmt: skip
    for played in record["rounds"]:
        hands = {hand["holder"]: list(hand["layout"]) for hand in played["hands"]}
        for trick in played["tricks"]:
            counts["tricks"] += 1
            led, best = "", ("", 0)
            caught = {}
            for place, (seat, _, card) in enumerate(trick["plays"]):
                hand = hands[seat]
                taking = [other for other in hand if not place or (other[0] == led and int(other[1:]) > best[1])]
                if place:
                    counts["follows"] += 1
                    counts["following"] += card[0] == led
                    several = len(set(hand)) > 1
                    counts["forced"] += not several
                    counts["losing"] += several and not taking
                    counts["must_take"] += several and len(taking) == len(hand)
                    counts["meaningful"] += 0 < len(taking) < len(hand)
                    counts["ducks"] += 0 < len(taking) < len(hand) and card not in taking
                    caught[seat] = len(taking) == len(hand)
                led = led or card[0]
                best = (seat, int(card[1:])) if card in taking else best
                hand.remove(card)
            counts["uncontested"] += sum(card[0] == led for _, _, card in trick["plays"]) == 1
            counts["caught"] += caught.get(trick["winner"], False)
    return counts


@pytest.mark.kernel
@pytest.mark.parametrize("settings", [{}, {"players": 3, "hand__size": 4, "deck__ranks": 3}])
def test_counts_are_those_of_records(settings):
    made = variant(**settings)
    games = whole(made)
    counts = choices.count(games, made)
    records = game_named("suppose").module("records")
    for number in range(len(games.rows)):
        record = records.result(made, games.tables[number], games.secrets[number])
        for name, wanted in plain_reading(record, made.parameters.players).items():
            assert counts[name][number] == wanted, name


@pytest.mark.kernel
@pytest.mark.parametrize("game", ["suppose", "gara_tori", "take_trick"])
def test_parts_add_up(game):
    made = variant(game)
    counts = choices.count(whole(made), made)
    assert set(counts) >= set(choices.names(made))
    parts = sum(counts[name] for name in ("forced", "losing", "must_take", "meaningful"))
    assert (parts == counts["follows"]).all()
    shown = sum(counts[f"follows_{trick}"] for trick in range(choices.tricks_shown(made)))
    assert (shown <= counts["follows"]).all() and (counts["caught"] <= counts["tricks"]).all()


def cells(share, games=60, kinds=KINDS, game="suppose", flip=False):
    """Return cells of made-up games: of 100 plays so many are meaningful, others of random players if it flips."""
    made, found = variant(game), []
    noise = np.arange(games) % 3 - 1
    for kind in kinds:
        part = 100 - share if flip and kind.text == "random" else share
        table = {name: np.zeros(games, np.int64) for name in choices.names(made)}
        table |= {"follows": np.full(games, 100), "tricks": np.full(games, 50), "meaningful": part + noise}
        table |= {"losing": 100 - part - noise, "ducks": (part + noise) // 4, "follows_0": np.full(games, 100)}
        sums = joint_sums(np.stack([table[name] for name in choices.names(made)], axis=1))
        found.append(Cell(choices.SURVEY, sums, f"{game_named(game).title}, 4 players", made, kind))
    return found


def test_the_headline_follows_the_numbers():
    one, two = cells(40), cells(60, game="take_trick")
    said = choices.answer([*one, *two], [*one, *two], ()).headline
    assert "40" in said and "60" in said and "It is most in Take-Trick." in said
    swapped = [*cells(60), *cells(40, game="take_trick")]
    assert "It is most in Suppose." in choices.answer(swapped, swapped, ()).headline
    few = [*cells(50, games=3), *cells(50, games=3, game="take_trick")]
    assert "is undecided" in choices.answer(few, few, ()).headline


def test_what_plays_mostly_are_flips_with_the_players():
    assert "for all kinds of player" in choices.parts_words(cells(30))
    flipped = choices.parts_words(cells(30, flip=True))
    assert "depends on who plays" in flipped and "a meaningful choice for weak (random)" in flipped
    assert "undecided" in choices.largest(cells(50, games=4, kinds=(DECENT,))[0])
    assert "It flips" in choices.more_or_less(cells(30, flip=True), choices.MEANINGFUL, "choose")
    assert "It flips" not in choices.more_or_less(cells(30), choices.MEANINGFUL, "choose")


def test_half_the_time_may_be_undecided():
    assert choices.half_words(Estimate(0.4, 0.3, 0.45, 9, "")) == "less often than not"
    assert "undecided" in choices.half_words(Estimate(0.4, float("nan"), float("nan"), 1, "", reason="one game"))


def test_one_card_hands_are_refused():
    with pytest.raises(BadInput, match=r"hand.size = 1"):
        choices.plan(Request(2, 1, {"hand.size": 1}, game="suppose"))
