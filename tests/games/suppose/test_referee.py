"""The referee of Suppose accepts every legal game and names the first fault of any other.

The games come from `played`, a plain random game written from the rule sheet that shares nothing with simlib's players.
"""

import copy
import random
import re
from collections import Counter
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simlib.errors import RuleViolation
from simlib.games import game_named, make_variant
from simlib.games.suppose.referee import Card, bid_bonus, check, trick_winner

SUPPOSE = game_named("suppose")
LETTERS = "RBGYPOWKNCMLTVSA"

VARIANTS = {
    "classic": {},
    "three players": {"players": 3},
    "two rounds": {"rounds": 2},
    "seven rounds": {"rounds": 7},
    "one card": {"hand.size": 1},
    "even hand": {"players": 3, "hand.size": 10},
    "nothing shown": {"hand.visible": []},
    "all shown": {"hand.visible": list(range(1, 12))},
    "one colour": {"players": 3, "deck.colours": 1, "deck.ranks": 12, "deck.copies": 3},
    "sixteen colours": {"deck.colours": 16, "deck.copies": 2, "hand.size": 48},
    "thirty-two ranks": {"deck.ranks": 32, "hand.size": 64},
    "one rank": {"deck.ranks": 1, "deck.copies": 12, "hand.size": 12},
    "no rank 1": {"deck.copies": [0, 2, 2, 2, 3, 3]},
    "uneven colours": {"deck.copies": {"R": [9, 9, 9, 9, 9, 0], "B": 1}},
    "fractions": {"bid.single": 2.5, "bid.double": 0.75, "score.trick": 0.1},
    "nothing pays": {"bid.single": 0, "bid.double": 0, "score.trick": 0},
    "no guess needed": {"bid.min_guesses": 0},
    "two guesses needed": {"bid.min_guesses": 2},
    "small": {"players": 3, "rounds": 2, "hand.size": 3, "bid.double": 2.5},
}


def variant_of(changes):
    return make_variant(SUPPOSE, settings=changes)


def number(points):
    return int(points) if points == int(points) else float(points)


def laid_out(cards, rng):
    colours = sorted({colour for colour, _ in cards})
    rng.shuffle(colours)
    return [f"{c}{rank}" for c in colours for rank in sorted((r for colour, r in cards if colour == c), reverse=True)]


def random_bid(rules, rng):
    counts = range(rules.hand.size + 1)
    return sorted(rng.sample(counts, rng.randint(rules.bid.min_guesses, 2)))


def played_trick(leader, held, rng):
    plays = []
    for turn in range(len(held)):
        seat = (leader + turn) % len(held)
        position = rng.choice(sorted(held[seat]))
        plays.append([seat, position, held[seat].pop(position)])
    followers = [(int(text[1:]), -turn) for turn, (_, _, text) in enumerate(plays) if text[0] == plays[0][2][0]]
    return {"leader": leader, "plays": plays, "winner": plays[-max(followers)[1]][0]}


def played_round(rules, start, totals, rng):
    n, size = rules.players, rules.hand.size
    rows = zip(LETTERS, rules.deck.copies, strict=False)
    deck = [(letter, rank) for letter, row in rows for rank, copies in enumerate(row, 1) for _ in range(copies)]
    rng.shuffle(deck)
    hands = [
        {
            "maker": seat,
            "holder": (seat + 1) % n,
            "layout": laid_out(deck[seat * size : (seat + 1) * size], rng),
            "bid": random_bid(rules, rng),
        }
        for seat in range(n)
    ]
    held = [dict(enumerate(hands[seat - 1]["layout"], 1)) for seat in range(n)]
    tricks, leader = [], start
    for _ in range(size):
        tricks.append(played_trick(leader, held, rng))
        leader = tricks[-1]["winner"]
    won = [sum(trick["winner"] == seat for trick in tricks) for seat in range(n)]
    pays = {1: rules.bid.single, 2: rules.bid.double}
    bonus = [pays[len(hand["bid"])] if won[hand["holder"]] in hand["bid"] else Decimal(0) for hand in hands]
    points = [won[seat] * rules.score.trick + bonus[seat] for seat in range(n)]
    totals[:] = [total + more for total, more in zip(totals, points, strict=True)]
    rows = {"bonus": bonus, "points": points, "totals": totals}
    plain = {key: [number(value) for value in row] for key, row in rows.items()}
    return {"start": start, "hands": hands, "tricks": tricks, "tricks_won": won} | plain


def played(variant, seed=1, start=0, *, table=False):
    """Return the record of one random game."""
    rules, rng = variant.parameters, random.Random(seed)
    totals = [Decimal(0)] * rules.players
    rounds = [played_round(rules, (start + i) % rules.players, totals, rng) for i in range(rules.rounds)]
    return {
        "format": "simlib-record/1",
        "game": "suppose",
        "variant": variant.name,
        "parameters": variant.flat(),
        "seed": None if table else seed,
        "index": None if table else 0,
        "players": ["random"] * rules.players,
        "rounds": rounds,
        "scores": [number(total) for total in totals],
        "winners": [seat for seat in range(rules.players) if totals[seat] == max(totals)],
    }


CLASSIC = variant_of({})
SMALL = variant_of(VARIANTS["small"])
GAME = played(CLASSIC)
SMALL_GAME = played(SMALL)


def changed(path, value, record=GAME):
    """Return a copy of a record with another value at a path; a function is given the old value."""
    record = copy.deepcopy(record)
    *above, last = path
    here = record
    for key in above:
        here = here[key]
    here[last] = value(here[last]) if callable(value) else value
    return record


def fault_of(record, variant=CLASSIC):
    with pytest.raises(RuleViolation) as caught:
        check(record, variant)
    text = str(caught.value)
    assert text.isprintable() and len(text) < 400
    return text


def plus(more):
    return lambda value: value + more


def without(key):
    return lambda table: {name: value for name, value in table.items() if name != key}


def with_key(table):
    return table | {"remark": "well played"}


# legal games


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("seed", range(4))
def test_legal_games_pass(name, seed):
    variant = variant_of(VARIANTS[name])
    check(played(variant, seed), variant)
    check(played(variant, seed, start=seed % variant.parameters.players, table=True), variant)


def test_the_games_reach_every_kind_of_bid_and_result():
    records = [played(CLASSIC, seed) for seed in range(60)]
    bonuses = Counter(bonus for record in records for played in record["rounds"] for bonus in played["bonus"])
    assert set(bonuses) == {0, 2, 5}
    assert {len(record["winners"]) for record in records} >= {1, 2}


def test_judging_leaves_the_record_alone():
    record = copy.deepcopy(GAME)
    check(record, CLASSIC)
    assert record == GAME


# each value in turn: what is changed, to what, where the fault must be and what it must say

R, P = "rounds", "plays"
NO_CARDS = ["", "R", "4", "4R", "R0", "R04", "R4 ", " R4", "r4", "R4\n", "R\u0664", "RR4", "R-1", "R4.0", "R*", "R100"]
MUTATIONS = [
    # the record
    ([], with_key, "record", "(allowed: format, game, index"),
    ([], without("winners"), "record", 'key "winners" is missing'),
    ([], without("seed"), "record", 'key "seed" is missing'),
    (["players"], "random", "record", 'players is "random", expected a list of 4'),
    (["players"], ["random"] * 3, "player at seat 3", "missing, expected 4"),
    (["players"], ["random"] * 5, "player at seat 4", "one too many, expected 4"),
    (["players", 2], "", "player at seat 2", '"" is given, expected a name'),
    (["players", 0], 7, "player at seat 0", "7 is given, expected a name"),
    (["players", 3], None, "player at seat 3", "null is given"),
    ([R], None, "record", "rounds is null, expected a list of 4"),
    ([R], {}, "record", "rounds is {}, expected a list of 4"),
    ([R], [], "round 1", "missing, expected 4"),
    ([R], lambda rounds: rounds[:3], "round 4", "missing, expected 4"),
    ([R], lambda rounds: [*rounds, rounds[0]], "round 5", "one too many, expected 4"),
    ([R, 1], None, "round 2", "null is given, expected an object with start"),
    ([R, 2], with_key, "round 3", 'unknown key "remark"'),
    ([R, 2], without("points"), "round 3", 'key "points" is missing'),
    # the start marker
    ([R, 0, "start"], 1, "round 1", "start is 1, expected 0"),
    ([R, 0, "start"], False, "round 1", "start is false, expected 0"),
    ([R, 0, "start"], 0.0, "round 1", "start is 0.0, expected 0"),
    ([R, 1, "start"], 0, "round 2", "start is 0, expected 1"),
    ([R, 3, "start"], "3", "round 4", 'start is "3", expected 3'),
    # hands
    ([R, 0, "hands"], lambda hands: hands[:3], "round 1, hand of seat 3", "missing, expected 4"),
    ([R, 0, "hands"], lambda hands: hands[:1], "round 1, hand of seat 1", "missing, expected 4"),
    ([R, 0, "hands"], lambda hands: [*hands, hands[0]], "round 1, hand of seat 4", "one too many"),
    ([R, 0, "hands"], lambda hands: hands[::-1], "round 1, hand of seat 0", "maker is 3, expected 0"),
    ([R, 0, "hands"], 5, "round 1", "hands is 5, expected a list of 4"),
    ([R, 0, "hands", 1], with_key, "round 1, hand of seat 1", 'unknown key "remark"'),
    ([R, 0, "hands", 1], without("bid"), "round 1, hand of seat 1", 'key "bid" is missing'),
    ([R, 0, "hands", 1], [], "round 1, hand of seat 1", "[] is given, expected an object with maker"),
    ([R, 0, "hands", 1, "maker"], True, "round 1, hand of seat 1", "maker is true, expected 1"),
    ([R, 0, "hands", 1, "maker"], 1.0, "round 1, hand of seat 1", "maker is 1.0, expected 1"),
    ([R, 0, "hands", 1, "holder"], 1, "round 1, hand of seat 1", "holder is 1, expected 2"),
    ([R, 0, "hands", 3, "holder"], 4, "round 1, hand of seat 3", "holder is 4, expected 0"),
    ([R, 1, "hands", 2, "layout"], lambda cards: cards[:10], "round 2, hand of seat 2, position 11", "missing"),
    ([R, 1, "hands", 2, "layout"], lambda cards: [*cards, "R1"], "round 2, hand of seat 2, position 12", "too many"),
    ([R, 1, "hands", 2, "layout"], "R4", "round 2, hand of seat 2", 'layout is "R4", expected a list of 11'),
    *[
        ([R, 1, "hands", 2, "layout", 5], text, "round 2, hand of seat 2, position 6", "expected a colour letter")
        for text in NO_CARDS
    ],
    *[
        ([R, 1, "hands", 2, "layout", 5], value, "round 2, hand of seat 2, position 6", "expected a colour letter")
        for value in (None, 4, True, ["R4"], {"R": 4})
    ],
    (
        [R, 1, "hands", 2, "layout", 0],
        "R7",
        "round 2, hand of seat 2, position 1",
        "R7 is not in the deck, expected",
    ),
    ([R, 1, "hands", 2, "layout", 0], "P4", "round 2, hand of seat 2, position 1", "P4 is not in the deck"),
    ([R, 1, "hands", 2, "layout", 0], "Z4", "round 2, hand of seat 2, position 1", "colours RBGY and ranks 1 to 6"),
    # bids
    *[
        ([R, 2, "hands", 0, "bid"], bid, "round 3, hand of seat 0", text)
        for bid, text in [
            (None, "bid is null, expected a list of 1 to 2 guesses"),
            (3, "bid is 3, expected a list"),
            ([], "bid is [], expected a list of 1 to 2"),
            ([1, 2, 3], "bid is [1, 2, 3], expected a list"),
            ([3, 3], "bid is [3, 3], expected different guesses in rising order"),
            ([4, 3], "bid is [4, 3], expected different"),
            ([-1], "bid names -1, expected a whole number from 0 to 11"),
            ([12], "bid names 12"),
            ([3, 12], "bid names 12"),
            ([True], "bid names true"),
            ([3.0], "bid names 3.0"),
            (["3"], 'bid names "3"'),
            ([None, 3], "bid names null"),
        ]
    ],
    # tricks
    ([R, 0, "tricks"], lambda tricks: tricks[:10], "round 1, trick 11", "missing, expected 11"),
    ([R, 0, "tricks"], lambda tricks: [*tricks, tricks[0]], "round 1, trick 12", "one too many, expected 11"),
    ([R, 0, "tricks"], {}, "round 1", "tricks is {}"),
    ([R, 0, "tricks", 4], None, "round 1, trick 5", "null is given, expected an object with leader"),
    ([R, 0, "tricks", 4], with_key, "round 1, trick 5", "unknown key"),
    ([R, 0, "tricks", 4], without("winner"), "round 1, trick 5", 'key "winner" is missing'),
    ([R, 0, "tricks", 4, "leader"], lambda seat: (seat + 1) % 4, "round 1, trick 5", "leader is"),
    ([R, 0, "tricks", 4, "leader"], float, "round 1, trick 5", "leader is"),
    ([R, 0, "tricks", 4, "winner"], lambda seat: (seat + 1) % 4, "round 1, trick 5", "winner is"),
    ([R, 0, "tricks", 4, "winner"], None, "round 1, trick 5", "winner is null, expected"),
    ([R, 0, "tricks", 4, P], lambda plays: plays[:3], "round 1, trick 5, play 4", "missing, expected 4"),
    ([R, 0, "tricks", 4, P], lambda plays: plays * 2, "round 1, trick 5, play 5", "one too many, expected 4"),
    ([R, 0, "tricks", 4, P], "R4", "round 1, trick 5", 'plays is "R4"'),
    (
        [R, 0, "tricks", 0, P],
        lambda plays: [plays[0], *plays[:0:-1]],
        "round 1, trick 1, play 2",
        "seat is 3, expected 1",
    ),
    ([R, 0, "tricks", 0, P, 1], None, "round 1, trick 1, play 2", "null is given, expected [seat, position, card]"),
    ([R, 0, "tricks", 0, P, 1], lambda play: play[:2], "round 1, trick 1, play 2", "expected [seat, position, card]"),
    ([R, 0, "tricks", 0, P, 1], lambda play: [*play, 0], "round 1, trick 1, play 2", "expected [seat, position, card]"),
    ([R, 0, "tricks", 0, P, 1, 0], 2, "round 1, trick 1, play 2", "seat is 2, expected 1"),
    ([R, 0, "tricks", 0, P, 1, 0], True, "round 1, trick 1, play 2", "seat is true, expected 1"),
    *[
        ([R, 0, "tricks", 0, P, 1, 1], position, "round 1, trick 1, play 2", "expected a whole number from 1 to 11")
        for position in (0, -1, 12, 1.0, True, None, "1", [1], 10**80)
    ],
    ([R, 0, "tricks", 0, P, 1, 2], "R7", "round 1, trick 1, play 2", 'card is "R7", expected'),
    ([R, 0, "tricks", 0, P, 1, 2], ["R4"], "round 1, trick 1, play 2", 'card is ["R4"], expected'),
    ([R, 0, "tricks", 0, P, 1, 2], None, "round 1, trick 1, play 2", "card is null, expected"),
    # scores
    *[
        ([R, 1, key, 2], wrong, f"round 2, {key} of seat 2", "is given, expected")
        for key in ("tricks_won", "bonus", "points", "totals")
        for wrong in (plus(1), plus(-1), plus(0.01), str, None, True, [])
    ],
    *[
        ([R, 1, key], lambda row: row[:3], f"round 2, {key} of seat 3", "missing, expected 4")
        for key in ("tricks_won", "bonus", "points", "totals")
    ],
    *[
        ([R, 1, key], lambda row: [*row, 0], f"round 2, {key} of seat 4", "one too many, expected 4")
        for key in ("tricks_won", "bonus", "points", "totals")
    ],
    ([R, 1, "tricks_won", 0], float, "round 2, tricks_won of seat 0", "expected"),
    ([R, 1, "bonus"], 0, "round 2", "bonus is 0, expected a list of 4"),
    (["scores", 1], plus(1), "scores of seat 1", "expected"),
    (["scores"], lambda row: row[:3], "scores of seat 3", "missing, expected 4"),
    (["scores"], None, "record", "scores is null"),
    (["winners"], [], "record", "winners is [], expected ["),
    (["winners"], [0, 1, 2, 3], "record", "winners is [0, 1, 2, 3], expected"),
    (["winners"], lambda seats: [float(seat) for seat in seats], "record", "winners is ["),
    (["winners"], lambda seats: seats * 2, "record", "winners is ["),
    (["winners"], lambda seats: seats[0], "record", "winners is"),
]


@pytest.mark.parametrize(("path", "value", "place", "text"), MUTATIONS)
def test_each_fault_is_named_with_its_place(path, value, place, text):
    record = changed(path, value) if path else value(copy.deepcopy(GAME))
    fault = fault_of(record)
    assert fault.startswith(f"{place}: "), fault
    assert text in fault, fault


def leaves(value, path=()):
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from leaves(value[key], (*path, key))
    else:
        yield path, value


JUDGED = ("players", "rounds", "scores", "winners")
LEAVES = [(path, value) for path, value in leaves(SMALL_GAME) if path[0] in JUDGED]


@pytest.mark.parametrize("wrong", [None, True, False, "", "x", -1, 99, 0.5, [], {}, [0], float("nan")])
def test_no_value_of_a_record_can_be_another(wrong):
    for path, value in LEAVES:
        if path[0] == "players" and wrong == "x":
            continue  # a name is free
        fault = fault_of(changed(path, wrong, SMALL_GAME), SMALL)
        assert "expected" in fault, (path, value, fault)


def test_no_whole_number_can_be_another():
    for path, value in LEAVES:
        if isinstance(value, int) and "bid" not in path:  # most other bids are as legal, and as wrong
            for wrong in (value + 1, value - 1):
                fault_of(changed(path, wrong, SMALL_GAME), SMALL)


def test_no_item_or_key_can_be_left_out_doubled_or_swapped():
    containers = {path[:depth] for path, _ in LEAVES for depth in range(1, len(path))}
    for path in sorted(containers, key=str):
        if path[-1] == "bid":
            continue  # another legal bid, in most cases
        here = SMALL_GAME
        for key in path:
            here = here[key]
        if isinstance(here, dict):
            for key in here:
                assert f'"{key}" is missing' in fault_of(changed(path, without(key), SMALL_GAME), SMALL)
            assert "unknown key" in fault_of(changed(path, with_key, SMALL_GAME), SMALL)
        else:
            fault_of(changed(path, here[:-1], SMALL_GAME), SMALL)
            fault_of(changed(path, [*here, here[-1]], SMALL_GAME), SMALL)
            if here[0] != here[-1] and path[-1] != "tricks":  # turned round, these tricks are as legal
                fault_of(changed(path, here[::-1], SMALL_GAME), SMALL)


def test_the_fault_is_in_the_round_trick_and_play_that_was_changed():
    for number_of_round in range(2):
        for trick in range(3):
            for play in range(3):
                place = ["rounds", number_of_round, "tricks", trick, "plays", play, 2]
                fault = fault_of(changed(place, "B40", SMALL_GAME), SMALL)
                assert fault.startswith(f"round {number_of_round + 1}, trick {trick + 1}, play {play + 1}: card is")


def test_the_first_of_several_faults_is_named():
    record = changed(["rounds", 2, "start"], 9)
    record["winners"] = "nobody"
    record["rounds"][1]["tricks"][6]["winner"] = 9
    record["rounds"][1]["points"] = None
    assert fault_of(record).startswith("round 2, trick 7: winner is 9")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just(10**4000),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(max_size=5), below, max_size=3),
    max_leaves=8,
)
EVERY_PLACE = sorted({path[:depth] for path, _ in leaves(SMALL_GAME) for depth in range(1, len(path) + 1)}, key=str)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(path=st.sampled_from(EVERY_PLACE), value=JSON)
def test_any_value_anywhere_is_a_fault_or_right_but_never_a_crash(path, value):
    record = changed(path, value, SMALL_GAME)
    try:
        check(record, SMALL)
    except RuleViolation as fault:
        assert str(fault).isprintable()
    else:
        assert path[0] not in JUDGED[1:] or "bid" in path or record == SMALL_GAME


@given(value=JSON)
def test_anything_but_a_record_is_a_fault(value):
    fault_of(value)


def test_a_number_that_python_cannot_print_is_a_fault():
    for path, _ in LEAVES:
        assert "too large to show" in fault_of(changed(path, 10**5000, SMALL_GAME), SMALL)


def test_a_nesting_bomb_is_a_fault():
    bomb = []
    for _ in range(5000):
        bomb = [bomb]
    assert "too large to show" in fault_of(changed(["rounds", 0, "start"], lambda _: bomb))


# the clauses of the rules, one by one: small scripted games of one round


def scripted(layouts, positions, bids=None, *, start=0, **parameters):
    """Return a right one-round table record and its variant, from layouts by maker and positions by trick and turn."""
    layouts = [layout.split() for layout in layouts]
    n, size = len(layouts), len(layouts[0])
    bids = bids or [[0]] * n
    variant = variant_of({"players": n, "hand.size": size, "rounds": 1} | parameters)
    rules = variant.parameters
    hands = [{"maker": seat, "holder": (seat + 1) % n, "layout": layouts[seat], "bid": bids[seat]} for seat in range(n)]
    tricks, leader = [], start
    for turns in positions:
        seats = [(leader + turn) % n for turn in range(n)]
        plays = [[seat, at, layouts[seat - 1][at - 1]] for seat, at in zip(seats, turns, strict=True)]
        best = plays[0]
        for play in plays[1:]:
            if play[2][0] == best[2][0] and int(play[2][1:]) > int(best[2][1:]):
                best = play
        tricks.append({"leader": leader, "plays": plays, "winner": best[0]})
        leader = best[0]
    won = [sum(trick["winner"] == seat for trick in tricks) for seat in range(n)]
    bonus = []
    for seat in range(n):
        pay = 0 if won[(seat + 1) % n] not in bids[seat] else [rules.bid.single, rules.bid.double][len(bids[seat]) - 1]
        bonus.append(pay)
    points = [won[seat] * rules.score.trick + bonus[seat] for seat in range(n)]
    row = [number(value) for value in points]
    played = {
        "start": start,
        "hands": hands,
        "tricks": tricks,
        "tricks_won": won,
        "bonus": [number(value) for value in bonus],
        "points": row,
        "totals": list(row),
    }
    record = {
        "format": "simlib-record/1",
        "game": "suppose",
        "variant": "scripted",
        "parameters": variant.flat(),
        "seed": None,
        "index": None,
        "players": ["human"] * n,
        "rounds": [played],
        "scores": list(row),
        "winners": [seat for seat in range(n) if row[seat] == max(row)],
    }
    return record, variant


def winner_of(text):
    return trick_winner([Card(card[0], int(card[1:])) for card in text.split()])


def test_highest_rank_of_the_lead_colour_wins():
    assert winner_of("R2 R5 R4 R1") == 1


def test_other_colours_never_win():
    assert winner_of("R1 B6 G6 Y6") == 0


def test_earliest_of_equal_ranks_wins():
    assert winner_of("R2 R5 R5 R1") == 1
    assert winner_of("R5 R5 R5 R5") == 0
    record, variant = scripted(["B5 B1", "B5 B2", "R6 R5"], [(2, 1, 1), (1, 2, 2)])
    assert [play[2] for play in record["rounds"][0]["tricks"][0]["plays"]] == ["R5", "B5", "B5"]
    check(record, variant)
    record, variant = scripted(["B5", "B5", "B1"], [(1, 1, 1)])
    assert record["rounds"][0]["tricks"][0]["winner"] == 1
    check(record, variant)
    later = changed(["rounds", 0, "tricks", 0, "winner"], 2, record)
    assert fault_of(later, variant) == "round 1, trick 1: winner is 2, expected 1"


def test_ranks_compare_as_numbers():
    assert winner_of("R9 R10 R2") == 1


def test_there_is_no_duty_to_follow():
    record, variant = scripted(["R5 B1", "R4 B2", "R6 B3"], [(1, 2, 2), (2, 1, 1)])
    assert [play[2] for play in record["rounds"][0]["tricks"][0]["plays"]] == ["R6", "B1", "B2"]
    check(record, variant)


def test_a_hidden_card_may_be_played():
    record, variant = scripted(["R5 B2 B1", "R4 G3 G2", "R3 Y2 Y1"], [(2, 2, 2), (1, 1, 1), (3, 3, 3)])
    assert variant.parameters.hand.visible == [1, 2, 3]
    check(record, make_variant(SUPPOSE, settings=variant.flat() | {"hand.visible": []}))


def test_a_seat_plays_from_the_hand_that_its_right_neighbour_made():
    record, variant = scripted(["R5 B1", "G4 B2", "Y6 B3"], [(1, 1, 1), (2, 2, 2)])
    assert record["rounds"][0]["tricks"][0]["plays"][0] == [0, 1, "Y6"]
    own = changed(["rounds", 0, "tricks", 0, "plays", 0, 2], "R5", record)
    assert "expected Y6 that stands at position 1" in fault_of(own, variant)


def test_a_position_is_played_once():
    record, variant = scripted(["R5 B1", "G4 B2", "Y6 B3"], [(1, 1, 1), (2, 2, 2)])
    again = changed(["rounds", 0, "tricks", 1, "plays", 1], [1, 1, "R5"], record)
    assert fault_of(again, variant) == "round 1, trick 2, play 2: position 1 is empty, expected one of [2]"


def test_copies_are_told_apart_by_position():
    record, variant = scripted(["R5 R5", "G4 B2", "Y6 B3"], [(1, 1, 1), (2, 2, 2)])
    again = changed(["rounds", 0, "tricks", 1, "plays", 1], [1, 1, "R5"], record)
    assert "position 1 is empty" in fault_of(again, variant)


def test_the_winner_leads_the_next_trick():
    record, variant = scripted(["R5 B1", "R6 B2", "R4 B3"], [(1, 1, 1), (2, 2, 2)])
    assert record["rounds"][0]["tricks"][1]["leader"] == 2
    check(record, variant)
    assert "leader is 0, expected 2" in fault_of(changed(["rounds", 0, "tricks", 1, "leader"], 0, record), variant)


def test_play_goes_clockwise():
    record, variant = scripted(["R5 B1", "R6 B2", "R4 B3"], [(1, 1, 1), (2, 2, 2)])
    turned = changed(["rounds", 0, "tricks", 0, "plays"], lambda plays: [plays[0], plays[2], plays[1]], record)
    assert fault_of(turned, variant) == "round 1, trick 1, play 2: seat is 2, expected 1"


def test_groups_may_stand_in_any_order_of_colours():
    check(*scripted(["Y1 R6 R5", "G2 B6 B5", "B1 G6 Y6"], [(1, 1, 1), (2, 2, 2), (3, 3, 3)]))


def test_equal_ranks_may_stand_side_by_side():
    check(*scripted(["R5 R5 R1", "G2 B6 B6", "B1 G6 Y6"], [(1, 1, 1), (2, 2, 2), (3, 3, 3)]))


def test_ranks_fall_within_a_group():
    record, variant = scripted(["R5 R6 R1", "G2 B6 B5", "B1 G6 Y6"], [(1, 1, 1), (2, 2, 2), (3, 3, 3)])
    fault = fault_of(record, variant)
    assert fault.startswith("round 1, hand of seat 0, position 2: R6 follows R5, expected ranks that fall")


def test_each_colour_stands_in_one_group():
    record, variant = scripted(["G6 G2 B1", "R5 B6 R4", "B1 G6 Y6"], [(1, 1, 1), (2, 2, 2), (3, 3, 3)])
    assert fault_of(record, variant).startswith("round 1, hand of seat 1, position 3: R4 stands apart")


def test_no_card_is_dealt_more_often_than_the_deck_has_it():
    check(*scripted(["R5", "R5", "B1"], [(1, 1, 1)]))
    record, variant = scripted(["R5", "R5", "R5"], [(1, 1, 1)])
    fault = fault_of(record, variant)
    assert fault.startswith("round 1, hand of seat 2, position 1: R5 comes once too often")
    assert fault.endswith("expected at most 2 of it")


def test_three_players_have_one_3_and_one_4_of_each_colour():
    check(*scripted(["R3", "B3", "R4"], [(1, 1, 1)]))
    for rank in (3, 4):
        record, variant = scripted([f"R{rank}", f"R{rank}", "B1"], [(1, 1, 1)])
        assert "expected at most 1 of it" in fault_of(record, variant)


def test_cards_may_come_again_in_the_next_round():
    assert set(GAME["rounds"][0]["hands"][0]["layout"]) & set(GAME["rounds"][1]["hands"][0]["layout"])
    check(GAME, CLASSIC)


def test_a_card_of_no_copies_is_not_in_the_deck():
    record, variant = scripted(["R1", "R2", "B1"], [(1, 1, 1)], **{"deck.copies": [0, 2, 2, 2, 2, 2]})
    assert "R1 is not in the deck" in fault_of(record, variant)
    assert "without those of 0 copies" in fault_of(record, variant)


def test_colours_have_their_own_copies():
    copies = {"deck.copies": {"R": 3, "B": 1}}
    check(*scripted(["R1", "R1", "R1"], [(1, 1, 1)], **copies))
    record, variant = scripted(["B1", "B1", "R1"], [(1, 1, 1)], **copies)
    assert "expected at most 1 of it" in fault_of(record, variant)


def test_the_last_colour_and_rank_of_the_largest_decks():
    check(*scripted(["A1", "A1", "S1"], [(1, 1, 1)], **{"deck.colours": 16, "deck.ranks": 2, "deck.copies": 2}))
    check(*scripted(["R32", "B32", "R31"], [(1, 1, 1)], **{"deck.ranks": 32}))
    record, variant = scripted(["R33", "B32", "R31"], [(1, 1, 1)], **{"deck.ranks": 32})
    assert "R33 is not in the deck" in fault_of(record, variant)


def test_the_start_marker_goes_to_the_left_neighbour_each_round():
    assert [played["start"] for played in GAME["rounds"]] == [0, 1, 2, 3]
    seven = variant_of({"rounds": 7})
    record = played(seven)
    assert [played["start"] for played in record["rounds"]] == [0, 1, 2, 3, 0, 1, 2]
    check(record, seven)
    assert fault_of(changed(["rounds", 4, "start"], 1, record), seven) == "round 5: start is 1, expected 0"


def test_a_table_game_may_start_anywhere_and_the_toolkit_starts_at_seat_0():
    record = played(CLASSIC, start=2, table=True)
    check(record, CLASSIC)
    assert fault_of(record | {"seed": 1, "index": 0}) == "round 1: start is 2, expected 0"
    for start in (4, -1, None, 1.0, True):
        fault = fault_of(changed(["rounds", 0, "start"], start, record))
        assert "expected a seat from 0 to 3" in fault


def test_the_marker_moves_from_where_a_table_game_began():
    record = played(CLASSIC, start=3, table=True)
    assert [played["start"] for played in record["rounds"]] == [3, 0, 1, 2]
    check(record, CLASSIC)
    assert fault_of(changed(["rounds", 1, "start"], 1, record)) == "round 2: start is 1, expected 0"


ONE_TRICK = (["R5", "R6", "R4"], [(1, 1, 1)])  # seat 2, with the hand of seat 1, wins the only trick


def test_the_bonus_is_for_the_seat_that_predicted():
    record, variant = scripted(*ONE_TRICK, [[1], [1], [1]])
    assert record["rounds"][0]["tricks_won"] == [0, 0, 1]
    assert record["rounds"][0]["bonus"] == [0, 5, 0]
    check(record, variant)
    wrong = changed(["rounds", 0, "bonus"], [0, 0, 5], record)
    assert fault_of(wrong, variant) == (
        "round 1, bonus of seat 1: 0 is given, expected 5 (bid [1], left neighbour won 1)"
    )


def test_a_right_bid_of_two_guesses_pays_the_double_bonus():
    record, variant = scripted(*ONE_TRICK, [[0, 1], [0, 1], [0]])
    assert record["rounds"][0]["bonus"] == [2, 2, 5]
    check(record, variant)


def test_a_wrong_bid_pays_nothing():
    assert bid_bonus([3], 4, CLASSIC.parameters) == 0
    assert bid_bonus([3, 5], 4, CLASSIC.parameters) == 0
    assert bid_bonus([3, 5], 5, CLASSIC.parameters) == 2
    assert bid_bonus([5], 5, CLASSIC.parameters) == 5


def test_no_guess_is_a_bid_only_where_the_variant_allows_it():
    record, variant = scripted(*ONE_TRICK, [[], [1], [0, 1]], **{"bid.min_guesses": 0})
    check(record, variant)
    assert record["rounds"][0]["bonus"] == [0, 5, 2]
    strict = make_variant(SUPPOSE, settings=variant.flat() | {"bid.min_guesses": 1})
    assert "bid is [], expected a list of 1 to 2 guesses" in fault_of(record, strict)
    stricter = make_variant(SUPPOSE, settings=variant.flat() | {"bid.min_guesses": 2})
    assert "expected a list of 2 guesses" in fault_of(changed(["rounds", 0, "hands", 0, "bid"], [1], record), stricter)


def test_bids_go_up_to_the_hand_size():
    record, variant = scripted(["R5 B1", "R6 B2", "R4 B3"], [(1, 1, 1), (2, 2, 2)], [[2], [2], [2]])
    check(record, variant)
    wrong = changed(["rounds", 0, "hands", 0, "bid"], [3], record)
    assert "bid names 3, expected a whole number from 0 to 2" in fault_of(wrong, variant)


def test_points_are_compared_exactly_as_decimals():
    record, variant = scripted(*ONE_TRICK, [[1], [1], [0]], **{"score.trick": 0.1, "bid.single": 0.2})
    assert record["scores"] == [0, 0.2, 0.3]
    check(record, variant)
    sloppy = changed(["rounds", 0, "points", 2], 0.1 + 0.2, record)
    assert fault_of(sloppy, variant) == "round 1, points of seat 2: 0.30000000000000004 is given, expected 0.3"


def test_points_may_be_spelled_with_a_fraction_of_nothing():
    floats = changed(["rounds", 0, "points"], lambda row: [float(value) for value in row])
    floats["scores"] = [float(value) for value in floats["scores"]]
    check(floats, CLASSIC)


def test_totals_add_up_over_the_rounds():
    totals = [sum(column) for column in zip(*(played["points"] for played in GAME["rounds"]), strict=True)]
    assert GAME["scores"] == totals == GAME["rounds"][-1]["totals"]
    alone = changed(["rounds", 1, "totals"], GAME["rounds"][1]["points"])
    assert re.match(r"round 2, totals of seat \d: \d+ is given, expected \d+$", fault_of(alone))


def test_equal_highest_totals_share_the_win():
    record, variant = scripted(*ONE_TRICK, [[1], [0], [1]])
    assert record["scores"] == [0, 0, 1] and record["winners"] == [2]
    check(record, variant)
    record, variant = scripted(*ONE_TRICK, [[0], [0], [0]], **{"bid.single": 1})
    assert record["scores"] == [1, 0, 2] and record["winners"] == [2]
    check(record, variant)
    record, variant = scripted(*ONE_TRICK, [[0], [0], [1]], **{"bid.single": 1})
    assert record["scores"] == [1, 0, 1] and record["winners"] == [0, 2]
    check(record, variant)
    for wrong in ([0], [2], [2, 0], [0, 1, 2]):
        assert "expected [0, 2]" in fault_of(record | {"winners": wrong}, variant)


def test_where_nothing_pays_all_seats_win():
    record = played(variant_of(VARIANTS["nothing pays"]))
    assert record["winners"] == [0, 1, 2, 3]


def test_the_number_of_rounds_is_the_variants():
    assert fault_of(GAME, variant_of({"rounds": 5})) == "round 5: missing, expected 5 in all"
    assert fault_of(GAME, variant_of({"rounds": 3})) == "round 4: one too many, expected 3 in all"
