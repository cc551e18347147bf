"""The experiment dead_rules: its clauses are found in games worked through plainly, its words follow the numbers."""

from collections import Counter

import numpy as np
import pytest

from simlib import experiments
from simlib.batch import Arm, play_whole
from simlib.experiments import Request
from simlib.games import game_named, games, make_variant
from simlib.hooks import seated
from simlib.measures import joint_sums
from simlib.survey import KINDS, Cell

dead = experiments.experiment_named("dead_rules")


def variant(game, **settings):
    return make_variant(game_named(game), settings={key.replace("__", "."): value for key, value in settings.items()})


def whole(made, count=25, player="random"):
    known = game_named(made.game).module("players").PLAYERS
    played = play_whole(Arm(made, (seated(player, known, "test"),) * made.parameters.players), 4, 0, count)
    result = game_named(made.game).module("records").result
    return played, [result(made, played.tables[at], played.secrets[at]) for at in range(count)]


def rank(card):
    return 0 if card[1:] == "*" else int(card[1:])


def plain_gara(record):
    """Count clauses of one Gara-tori game from its record."""
    found = Counter(shared=len(record["winners"]) > 1)
    for trick in record["rounds"][0]["tricks"]:
        cards = [card for _, card in trick["plays"]]
        leads = [trick["leads"][0], *trick["leads"]]
        turns = [at for at in range(1, len(cards)) if leads[at] != leads[at + 1]]
        place = [seat for seat, _ in trick["plays"]].index(trick["winner"])
        found["turn"] += bool(turns)
        found["turn_again"] += len(turns) > 1
        found["lock"] += trick["locked"]
        found["lock_led"] += rank(cards[0]) == 0
        found["before"] += bool(turns) and not trick["locked"] and place < turns[-1]
        off = [card for card, lead in zip(cards, leads[1:], strict=True) if rank(card) == 0 and card[0] != lead]
        found["powerless"] += len(off)
        found["stays_powerless"] += not trick["locked"] and any(card[0] == leads[-1] for card in off)
    return found


def plain_take(record, variant):
    """Count clauses of one Take-Trick game from its record."""
    trump, target = record["trump"], variant.parameters.score.target
    found = Counter(shared=len(record["winners"]) > 1, gift_ends=record["rounds"][-1]["ended_by_gift"])
    reached = [score for score in record["scores"] if score >= target]
    found["nearest"] = len(set(reached)) > 1
    found["distance"] = not reached
    for played in record["rounds"]:
        found["first_trump"] += any(first["extra"] is not None for first in played["first"])
        for trick in played["tricks"]:
            cards, places = [card for _, card in trick["plays"]], [seat for seat, _ in trick["plays"]]
            won = cards[places.index(trick["winner"])]
            trumps = [card for card in cards if rank(card) == trump]
            ones = [at for at, card in enumerate(cards) if card == f"{cards[0][0]}1"]
            found["trump"] += rank(won) == trump and won[0] != cards[0][0]
            found["trump_tie"] += len(trumps) > 1
            found["tie"] += not trumps and cards.count(won) > 1
            found["winner_one"] += won == f"{cards[0][0]}1"
            found["loser_one"] += any(places[at] != trick["winner"] for at in ones)
            found["extra"] += trick["captures"][0]["extra"] is not None
            made = [capture for capture in trick["captures"] if capture["gift"]]
            found["gift"] += bool(made)
            refused = [capture for capture in made if not capture["gift"]["accepted"]]
            found["elsewhere"] += sum(capture["seat"] != trick["winner"] for capture in refused)
            found["double_gift"] += sum(capture["extra"] is not None for capture in made)
            found["penalty"] += len(refused)
        if not played["ended_by_gift"]:
            counts = list(zip(*(own.values() for own in played["bamboo"]), strict=True))
            found["majority"] += any(max(row) and row.count(max(row)) == 1 for row in counts)
            found["level"] += any(row.count(each) > 1 for row in counts for each in row if each)
    return found


@pytest.mark.kernel
@pytest.mark.parametrize("settings", [{}, {"players": 5, "deck__specials": 2}])
def test_clauses_of_gara_tori(settings):
    made = variant("gara_tori", **settings)
    played, records = whole(made)
    counts = dead.count(played, made)
    for number, record in enumerate(records):
        for key, wanted in plain_gara(record).items():
            assert counts[key][number] == wanted, key
    assert (counts["void"] == played.rows[:, dead.numbered(
        game_named("gara_tori").module("rules").columns(made.parameters))["void_plays"]]).all()  # fmt: skip


@pytest.mark.kernel
@pytest.mark.parametrize("settings", [{}, {"score__target": 9}, {"players": 3, "deck__preset": "nine"}])
def test_clauses_of_take_trick(settings):
    made = variant("take_trick", **settings)
    played, records = whole(made)
    counts = dead.count(played, made)
    column = dead.numbered(game_named("take_trick").module("rules").columns(made.parameters))
    lost = played.rows[:, dead.columns_starting(column, "penalties_")].sum(axis=1)
    assert np.array_equal(counts["spared"], counts["penalty"] - lost)
    for number, record in enumerate(records):
        for key, wanted in plain_take(record, made).items():
            assert counts[key][number] == wanted, key


@pytest.mark.kernel
def test_clauses_of_suppose():
    made = variant("suppose")
    played, records = whole(made)
    counts = dead.count(played, made)
    for number, record in enumerate(records):
        ties = blind = 0
        for round_ in record["rounds"]:
            for trick in round_["tricks"]:
                cards = {seat: card for seat, _, card in trick["plays"]}
                ties += list(cards.values()).count(cards[trick["winner"]]) > 1
                blind += sum(position not in (1, 6, 11) for _, position, _ in trick["plays"][1:])
        assert (counts["tie"][number], counts["blind"][number]) == (ties, blind)
        bids = [len(hand["bid"]) for round_ in record["rounds"] for hand in round_["hands"]]
        assert counts["double"][number] == bids.count(2)


@pytest.mark.kernel
@pytest.mark.parametrize("game", list(games()))
def test_every_clause_is_counted_in_its_unit(game):
    made = variant(game)
    played, _ = whole(made)
    counts = dead.count(played, made)
    for clause in dead.clauses(made):
        assert (counts[clause.key] <= counts[clause.unit]).all(), clause.key
        assert np.array_equal(counts[f"any_{clause.key}"], counts[clause.key] > 0)
    module = game_named(game).module("clauses")
    cards = sum(counts[f"played_{code}"] for code in module.ranks(made.parameters))
    assert (cards == counts["tricks"] * made.parameters.players).all()
    assert (sum(counts[f"won_{code}"] for code in module.ranks(made.parameters)) == counts["tricks"]).all()


def cell(fires, count=50, game="suppose", kind=KINDS[1]):
    """Return a cell of made-up games: each clause comes into play in every game but those that are named."""
    made = variant(game)
    table = {name: np.ones(count, np.int64) for name in dead.names(made)}
    for key, times in fires.items():
        some = (np.arange(count) < times).astype(np.int64)
        table |= {key: some} | ({f"any_{key}": some} if f"any_{key}" in table else {})
    sums = joint_sums(np.stack([table[name] for name in dead.names(made)], axis=1))
    return Cell(dead.SURVEY, sums, f"{game_named(game).title}, 4 players", made, kind)


def test_what_was_never_seen_is_said_with_its_bound():
    assert dead.never_words(cell({})).startswith("none of Suppose's 7 (n = 50 games")
    said = dead.never_words(cell({"tie": 0})) + dead.unseen_words(cell({"tie": 0}))
    assert said.startswith("1 of Suppose's 7") and "at most 13 %" in said and "of equal highest cards" in said
    assert "at most 1.4 %" in dead.never_words(cell({"tie": 0}, 498))


def test_what_is_rare_must_be_clearly_so():
    assert "no rule" in dead.rare_words(cell({"tie": 1}, 100))
    assert "of equal highest cards" in dead.rare_words(cell({"tie": 1}, 3000))


def test_it_flips_with_the_players():
    same = [cell({}, kind=kind) for kind in KINDS]
    assert "the same rules" in dead.flip_words(same)
    others = [cell({"tie": 0 if kind != KINDS[0] else 5}, kind=kind) for kind in KINDS]
    assert "Seen only with weak (random): \u201cof equal" in dead.flip_words(others)


def test_what_changes_who_wins_follows_the_numbers():
    made = variant("suppose")
    known = [clause for clause in dead.clauses(made) if clause.key in dead.arms(made)]
    assert [clause.key for clause in known] == ["blind", "hit", "double_hit"]

    def words(*totals, n=1000):
        shares = dead.changed({"n": n, "changed": np.array(totals)})
        return dead.matter_words(known, shares, sorted(range(3), key=lambda at: -shares[at].value))

    assert "can't see\u201d changes who wins in 60" in words(600, 100, 0) and "more than any other" in words(
        600, 100, 0
    )
    assert "one guess pays\u201d changes" in words(100, 600, 0)
    assert "among the most" in words(31, 30, 0, n=60)
    assert words(0, 0, 0).startswith("none of 3 rules")


def test_cards_that_never_win_are_named():
    won = {"won_1": 0, "won_2": 0}
    assert "rank 1 and 2 never won a trick" in dead.card_words(cell(won))
    assert "every rank of Suppose wins tricks" in dead.card_words(cell({"won_1": 5}))


@pytest.mark.parametrize(
    ("game", "settings", "missing"),
    [
        ("suppose", {"deck__copies": 1, "hand__size": 5}, "tie"),
        ("gara_tori", {"deck__specials": 0}, "lock"),
        ("take_trick", {"colours__max": 3}, "gift"),
    ],
)
def test_what_a_variant_rules_out_is_no_dead_rule(game, settings, missing):
    made = variant(game, **settings)
    assert missing not in {clause.key for clause in dead.clauses(made)}
    assert dead.arms(made)
    plan = dead.plan(Request(4, 1, {key.replace("__", "."): value for key, value in settings.items()}, game=game))
    assert plan.studies
