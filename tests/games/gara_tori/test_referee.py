"""The referee of Gara-tori accepts every legal game and names the first fault of any other.

Random games come from the twin, which shares nothing with simlib; scripted games state what each trick must come to.
"""

import copy
import json
import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reference import dealing, streams
from reference import gara_tori as twin

from simlib.errors import RuleViolation
from simlib.games import game_named, make_variant
from simlib.games.gara_tori.referee import check
from simlib.records import judge

GARA_TORI = game_named("gara_tori")

VARIANTS = {
    "classic": {},
    "five players": {"players": 5},
    "six players": {"players": 6},
    "sixty": {"deck.preset": "sixty", "players": 6},
    "void seats don't turn": {"lead.void_match_turns": False},
    "specials don't oblige": {"follow.special_counts": False},
    "both readings": {"lead.void_match_turns": False, "follow.special_counts": False},
    "one card": {"hand.size": 1},
    "no specials": {"deck.specials": 0},
    "specials alone": {"deck.copies": 0, "deck.specials": 10},
    "four specials": {"deck.specials": 4, "deck.ranks": 6},
    "four specials that don't oblige": {"deck.specials": 4, "deck.ranks": 6, "follow.special_counts": False},
    "one colour": {"deck.colours": 1, "deck.copies": 3},
    "two copies": {"deck.ranks": 6, "deck.copies": 2, "lead.void_match_turns": False},
    "one rank": {"deck.ranks": 1, "deck.copies": 10},
    "sixteen colours": {"deck.colours": 16, "deck.ranks": 3, "players": 6},
    "thirty-two ranks": {"deck.ranks": 32, "hand.size": 33},
    "uneven colours": {"deck.ranks": 3, "deck.copies": {"R": [9, 9, 0], "B": 1, "Y": [0, 4, 8]}, "hand.size": 9},
    "small": {"deck.colours": 3, "deck.ranks": 4, "hand.size": 3},
}


def variant_of(changes):
    return make_variant(GARA_TORI, settings=changes)


def envelope(variant, *, table=True, seed=1):
    return {
        "format": "simlib-record/1",
        "game": "gara_tori",
        "variant": variant.name,
        "parameters": variant.flat(),
        "seed": None if table else seed,
        "index": None if table else 0,
        "players": ["human" if table else "random"] * variant.parameters.players,
    }


def played(variant, seed=1, dealer=0, *, table=False):
    """Return the record of one random game."""
    values = variant.parameters.model_dump()
    players, size = values["players"], values["hand"]["size"]
    hands = dealing.deal(twin.new_deck(values), players, size, seed, 0, 0)
    random.Random(seed).shuffle(hands[0])  # the order of a dealt hand is free
    seats = twin.Table(values, ["random"] * players, None, streams.game_stream(seed, 0))
    record = twin.play_hands(seats, hands, dealer)
    record["rounds"][0]["dealt"][0] = hands[0]
    return envelope(variant, table=table, seed=seed) | record


def with_all_kinds(variant):
    """Return a game with a turn, a locked trick, a special without power and a void seat."""
    for seed in range(10_000):
        record = played(variant, seed)
        row = twin.row(record, variant.parameters.model_dump())
        if row["turns"] and row["locks"] and row["specials_without_power"] and row["void_plays"]:
            return record
    raise AssertionError("no such game")


CLASSIC = variant_of({})
SMALL = variant_of(VARIANTS["small"])
GAME = with_all_kinds(CLASSIC)
SMALL_GAME = with_all_kinds(SMALL)


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
@pytest.mark.parametrize("seed", range(10))
def test_legal_games_pass(name, seed):
    variant = variant_of(VARIANTS[name])
    check(played(variant, seed), variant)
    check(played(variant, seed, dealer=seed % variant.parameters.players, table=True), variant)


def test_judging_leaves_the_record_alone():
    record = copy.deepcopy(GAME)
    check(record, CLASSIC)
    assert record == GAME


@pytest.mark.parametrize("preset", ["classic", "sixty"])
@pytest.mark.parametrize("players", [4, 5, 6])
def test_lines_that_name_a_preset_pass_with_and_without_parameters(preset, players):
    record = played(make_variant(GARA_TORI, base=preset, settings={"players": players}))
    assert record["variant"] == preset
    judge(json.dumps(record))
    judge(json.dumps(without("parameters")(record)))
    number = {"classic": "64", "sixty": "60"}[preset]
    judge(json.dumps(record | {"parameters": {"deck.preset": number, "deck": {"copies": {"R": 1}}}}))


# each value in turn: what is changed, to what, where the fault must be and what it must say

R, T, P = "rounds", "tricks", "plays"
NO_CARDS = ["", "R", "4", "4R", "R0", "R04", "R4 ", " R4", "r4", "R4\n", "R\u0664", "RR4", "R-1", "R4.0", "R**", "R100"]
NO_CARDS += ["*", "R0*", "R4*", "*R", "R\uff0a", "shining"]
MUTATIONS = [
    # the record
    ([], with_key, "record", "(allowed: format, game, index"),
    ([], without("winners"), "record", 'key "winners" is missing'),
    ([], without("seed"), "record", 'key "seed" is missing'),
    (["players"], "random", "record", 'players is "random", expected a list of 4'),
    (["players"], ["random"] * 3, "player at seat 3", "missing, expected 4"),
    (["players"], ["random"] * 5, "player at seat 4", "one too many, expected 4"),
    (["players", 2], " ", "player at seat 2", '" " is given, expected a name'),
    (["players", 0], 7, "player at seat 0", "7 is given, expected a name"),
    ([R], None, "record", "rounds is null, expected a list of 1"),
    ([R], [], "round 1", "missing, expected 1 in all"),
    ([R], lambda rounds: rounds * 2, "round 2", "one too many, expected 1"),
    ([R, 0], None, "round 1", "null is given, expected an object with dealer"),
    ([R, 0], with_key, "round 1", 'unknown key "remark"'),
    ([R, 0], lambda played: played | {"totals": played["points"]}, "round 1", 'unknown key "totals"'),
    *[([R, 0], without(key), "round 1", f'"{key}" is missing') for key in ("dealer", "dealt", "tricks", "taken")],
    ([R, 0], without("points"), "round 1", 'key "points" is missing'),
    # the dealer
    *[
        ([R, 0, "dealer"], value, "round 1", f"dealer is {text}, expected 0")
        for value, text in [(1, "1"), (False, "false"), (0.0, "0.0"), (None, "null"), ("0", '"0"'), (-1, "-1")]
    ],
    # hands
    ([R, 0, "dealt"], 5, "round 1", "dealt is 5, expected a list of 4"),
    ([R, 0, "dealt"], lambda hands: hands[:3], "round 1, hand of seat 3", "missing, expected 4"),
    ([R, 0, "dealt"], lambda hands: [*hands, hands[0]], "round 1, hand of seat 4", "one too many, expected 4"),
    ([R, 0, "dealt", 1], None, "round 1, hand of seat 1", "hand is null, expected a list of 10"),
    ([R, 0, "dealt", 1], "R4", "round 1, hand of seat 1", 'hand is "R4", expected a list of 10'),
    ([R, 0, "dealt", 2], lambda cards: cards[:9], "round 1, hand of seat 2, card 10", "missing, expected 10"),
    ([R, 0, "dealt", 2], lambda cards: cards * 2, "round 1, hand of seat 2, card 11", "one too many, expected 10"),
    *[
        ([R, 0, "dealt", 2, 5], text, "round 1, hand of seat 2, card 6", "expected a colour letter and a rank or *")
        for text in [*NO_CARDS, None, 4, True, ["R4"], {"R": 4}, 1.5]
    ],
    *[
        ([R, 0, "dealt", 2, 0], card, "round 1, hand of seat 2, card 1", f"{card} is not in the deck, expected colours")
        for card in ("R16", "P4", "P*", "Z4", "Z*", "R99")
    ],
    (
        [R, 0, "dealt", 1, 0],
        GAME[R][0]["dealt"][0][3],
        "round 1, hand of seat 1, card 1",
        f"{GAME[R][0]['dealt'][0][3]} comes once too often in this round, expected at most 1 of it",
    ),
    # tricks
    ([R, 0, T], {}, "round 1", "tricks is {}, expected a list of 10"),
    ([R, 0, T], lambda tricks: tricks[:9], "round 1, trick 10", "missing, expected 10"),
    ([R, 0, T], lambda tricks: [*tricks, tricks[0]], "round 1, trick 11", "one too many, expected 10"),
    ([R, 0, T, 4], None, "round 1, trick 5", "null is given, expected an object with leader"),
    ([R, 0, T, 4], with_key, "round 1, trick 5", "unknown key"),
    *[
        ([R, 0, T, 4], without(key), "round 1, trick 5", f'key "{key}" is missing')
        for key in ("leader", "plays", "leads", "locked", "winner")
    ],
    ([R, 0, T, 4, "leader"], lambda seat: (seat + 1) % 4, "round 1, trick 5", "leader is"),
    ([R, 0, T, 4, "leader"], float, "round 1, trick 5", "leader is"),
    ([R, 0, T, 4, "winner"], lambda seat: (seat + 1) % 4, "round 1, trick 5", "winner is"),
    ([R, 0, T, 4, "winner"], None, "round 1, trick 5", "winner is null, expected"),
    ([R, 0, T, 4, "locked"], lambda locked: not locked, "round 1, trick 5", "locked is"),
    ([R, 0, T, 4, "locked"], int, "round 1, trick 5", "locked is"),
    ([R, 0, T, 4, "locked"], None, "round 1, trick 5", "locked is null, expected"),
    ([R, 0, T, 4, "leads"], lambda leads: leads[:3], "round 1, trick 5, lead after play 4", "missing, expected 4"),
    ([R, 0, T, 4, "leads"], lambda leads: [*leads, "R"], "round 1, trick 5, lead after play 5", "one too many"),
    ([R, 0, T, 4, "leads"], "RRRR", "round 1, trick 5", 'leads is "RRRR", expected a list of 4'),
    *[
        ([R, 0, T, 4, "leads", 2], wrong, "round 1, trick 5, lead after play 3", "is given, expected")
        for wrong in ("", "P", "r", "red", None, 0, True, ["R"], lambda lead: lead + lead, lambda lead: [lead])
    ],
    ([R, 0, T, 4, P], lambda plays: plays[:3], "round 1, trick 5, play 4", "missing, expected 4"),
    ([R, 0, T, 4, P], lambda plays: plays * 2, "round 1, trick 5, play 5", "one too many, expected 4"),
    ([R, 0, T, 4, P], "R4", "round 1, trick 5", 'plays is "R4", expected a list of 4'),
    ([R, 0, T, 0, P], lambda plays: [plays[0], *plays[:0:-1]], "round 1, trick 1, play 2", "seat is 3, expected 1"),
    ([R, 0, T, 0, P, 1], None, "round 1, trick 1, play 2", "null is given, expected [seat, card]"),
    ([R, 0, T, 0, P, 1], lambda play: play[:1], "round 1, trick 1, play 2", "expected [seat, card]"),
    ([R, 0, T, 0, P, 1], lambda play: [play[0], 1, play[1]], "round 1, trick 1, play 2", "expected [seat, card]"),
    ([R, 0, T, 0, P, 1, 0], 2, "round 1, trick 1, play 2", "seat is 2, expected 1"),
    ([R, 0, T, 0, P, 1, 0], True, "round 1, trick 1, play 2", "seat is true, expected 1"),
    *[
        ([R, 0, T, 0, P, 1, 1], wrong, "round 1, trick 1, play 2", "expected one that seat 1 holds: ")
        for wrong in ["Z4", "R99", None, 4, True, ["R4"], {}, lambda card: [card], *NO_CARDS]
    ],
    # what was taken, and scores
    ([R, 0, "taken"], None, "round 1", "taken is null, expected a list of 4"),
    ([R, 0, "taken"], lambda row: row[:3], "round 1, taken of seat 3", "missing, expected 4"),
    ([R, 0, "taken"], lambda row: [*row, row[0]], "round 1, taken of seat 4", "one too many, expected 4"),
    ([R, 0, "taken", 2], 7, "round 1, taken of seat 2", "7 is given, expected an object with R, B, G, Y"),
    ([R, 0, "taken", 2], lambda counts: counts | {"P": 0}, "round 1, taken of seat 2", 'unknown key "P"'),
    ([R, 0, "taken", 2], lambda counts: counts | {"RB": 0}, "round 1, taken of seat 2", 'unknown key "RB"'),
    ([R, 0, "taken", 2], lambda counts: counts | {"": 0}, "round 1, taken of seat 2", 'unknown key ""'),
    *[([R, 0, "taken", 2], without(key), "round 1, taken of seat 2", f'"{key}" is missing') for key in "RBGY"],
    *[
        ([R, 0, "taken", 2, "G"], wrong, "round 1, taken of seat 2", "G is ")
        for wrong in (plus(1), plus(-1), plus(0.5), float, str, None, True, [])
    ],
    *[
        ([*path, 2], wrong, f"{place}points of seat 2" if place else "scores of seat 2", "is given, expected")
        for path, place in [([R, 0, "points"], "round 1, "), (["scores"], "")]
        for wrong in (plus(1), plus(-1), plus(0.01), str, None, True, [])
    ],
    ([R, 0, "points"], 0, "round 1", "points is 0, expected a list of 4"),
    ([R, 0, "points"], lambda row: row[:3], "round 1, points of seat 3", "missing, expected 4"),
    ([R, 0, "points"], lambda row: [*row, 0], "round 1, points of seat 4", "one too many, expected 4"),
    (["scores"], None, "record", "scores is null"),
    (["scores"], lambda row: row[:3], "scores of seat 3", "missing, expected 4"),
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


@pytest.mark.parametrize("wrong", [None, True, False, "", "x", "R*", -1, 99, 0.5, [], {}, [0], float("nan")])
def test_no_value_of_a_record_can_be_another(wrong):
    for path, value in LEAVES:
        if (path[0] == "players" and wrong in ("x", "R*")) or wrong is value or wrong == value == "R*":
            continue  # a name is free
        assert "expected" in fault_of(changed(path, wrong, SMALL_GAME), SMALL), (path, value)


def test_no_whole_number_can_be_another():
    for path, value in LEAVES:
        if type(value) is int:
            for wrong in (value + 1, value - 1):
                fault_of(changed(path, wrong, SMALL_GAME), SMALL)


def test_no_card_or_lead_can_be_another():
    deck = twin.new_deck(SMALL.parameters.model_dump())
    for path, value in LEAVES:
        others = deck if value in deck else "RBG" if value in tuple("RBG") else ()
        for wrong in others:
            if wrong != value:
                fault_of(changed(path, wrong, SMALL_GAME), SMALL)


def test_no_item_or_key_can_be_left_out_doubled_or_swapped():
    containers = {path[:depth] for path, _ in LEAVES for depth in range(1, len(path))}
    for path in sorted(containers, key=str):
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
            if here[0] != here[-1] and path[-2:-1] != ("dealt",):  # a hand may be listed in any order
                fault_of(changed(path, here[::-1], SMALL_GAME), SMALL)


def test_the_fault_is_in_the_trick_and_play_that_was_changed():
    for trick in range(10):
        for play in range(4):
            fault = fault_of(changed(["rounds", 0, "tricks", trick, "plays", play, 1], "B40"))
            assert fault.startswith(f"round 1, trick {trick + 1}, play {play + 1}: card is")
            fault = fault_of(changed(["rounds", 0, "tricks", trick, "leads", play], "P"))
            assert fault.startswith(f'round 1, trick {trick + 1}, lead after play {play + 1}: "P" is given')


def test_the_first_of_several_faults_is_named():
    record = changed(["rounds", 0, "points"], None)
    record["winners"] = "nobody"
    record["rounds"][0]["taken"] = None
    trick = record["rounds"][0]["tricks"][6]
    trick["winner"] = 9
    assert fault_of(record).startswith("round 1, trick 7: winner is 9")
    trick["locked"] = None
    assert fault_of(record).startswith("round 1, trick 7: locked is null")
    trick["plays"][3] = None
    assert fault_of(record).startswith("round 1, trick 7, play 4: null is given")
    trick["leads"][1] = trick["leads"][3] = None
    assert fault_of(record).startswith("round 1, trick 7, lead after play 2: null is given")
    trick["leads"] = trick["leads"][:1]
    trick["plays"][1] = None
    assert fault_of(record).startswith("round 1, trick 7, play 2: null is given")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just(10**4000),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(max_size=5), below, max_size=3),
    max_leaves=8,
)
TOKENS = st.sampled_from([*twin.new_deck(SMALL.parameters.model_dump()), *"RBGYP", *range(5), True, False])
EVERY_PLACE = sorted({path[:depth] for path, _ in leaves(SMALL_GAME) for depth in range(1, len(path) + 1)}, key=str)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(path=st.sampled_from(EVERY_PLACE), value=JSON | TOKENS | st.lists(TOKENS, max_size=4))
def test_any_value_anywhere_is_a_fault_or_right_but_never_a_crash(path, value):
    record = changed(path, value, SMALL_GAME)
    try:
        check(record, SMALL)
    except RuleViolation as fault:
        assert str(fault).isprintable()
    else:
        reordered = path[1:3] == (0, "dealt") and Counter(map(str, value)) == Counter(
            SMALL_GAME[R][0]["dealt"][path[3]]
        )
        assert path[0] not in JUDGED[1:] or record == SMALL_GAME or reordered


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
    for path in (["rounds", 0, "dealer"], ["rounds", 0, "tricks", 0, "locked"], ["rounds", 0, "tricks", 0, "leads", 0]):
        assert "too large to show" in fault_of(changed(path, lambda _: bomb))


# the clauses of the rules, one by one: scripted tricks that say what they must come to

LOCKED = True


def scripted(hands, *tricks, dealer=0, **parameters):
    """Return a table record, right if its scripted tricks are, and its variant.

    Each trick is its cards in the order of play, the lead colour after each, the winner, and `LOCKED` where it is.
    The twin plays the rest of the game.
    """
    hands = [hand.split() for hand in hands]
    n, size = len(hands), len(hands[0])
    variant = variant_of({"players": n, "hand.size": size} | parameters)
    table = twin.Table(variant.parameters.model_dump(), ["random"] * n, None, streams.game_stream(1, 0))
    taken = [dict.fromkeys(table.letters, 0) for _ in hands]
    state = twin.State(copy.deepcopy(hands), [], taken, [set() for _ in hands])
    leader = dealer
    for cards, leads, winner, *locked in tricks:
        plays = [[(leader + turn) % n, card] for turn, card in enumerate(cards.split())]
        state.tricks.append(
            {"leader": leader, "plays": plays, "leads": list(leads), "locked": bool(locked), "winner": winner}
        )
        for seat, card in plays:
            taken[winner][card[0]] += 1
            state.hands[seat].remove(card)
        leader = winner
    for number in range(len(tricks), size):
        leader = twin.play_trick(table, state, number, leader)
    points = [max(counts.values()) for counts in taken]
    played = {"dealer": dealer, "dealt": hands, "tricks": state.tricks, "taken": taken, "points": points}
    winners = [seat for seat in range(n) if points[seat] == max(points)]
    return envelope(variant) | {"rounds": [played], "scores": list(points), "winners": winners}, variant


def passes(hands, *tricks, **parameters):
    """Check that a scripted game is right, and that none of its scripted tricks can be led, locked or won otherwise."""
    record, variant = scripted(hands, *tricks, **parameters)
    check(record, variant)
    for number in range(len(tricks)):
        path = ["rounds", 0, "tricks", number]
        trick = record["rounds"][0]["tricks"][number]
        for seat in range(len(hands)):
            if seat != trick["winner"]:
                assert "winner is" in fault_of(changed([*path, "winner"], seat, record), variant)
            for letter in "RBGY":
                if letter != trick["leads"][seat]:
                    fault = fault_of(changed([*path, "leads", seat], letter, record), variant)
                    assert f"lead after play {seat + 1}" in fault
        assert "locked is" in fault_of(changed([*path, "locked"], not trick["locked"], record), variant)
    return record


def refused(hands, *tricks, **parameters):
    """Return the fault of a scripted game."""
    return fault_of(*scripted(hands, *tricks, **parameters))


ALL_READINGS = [
    {"lead.void_match_turns": turns, "follow.special_counts": counts}
    for turns in (True, False)
    for counts in (True, False)
]
NO_VOID_TURNS = {"lead.void_match_turns": False}
NO_SPECIAL_COUNTS = {"follow.special_counts": False}


# the published sheet's three examples, where followers hold the lead colour, and with single cards


@pytest.mark.parametrize("readings", ALL_READINGS)
class TestSheetExamples:
    def test_1_the_lead_turns_twice(self, readings):
        passes(["B4 G1", "Y4 B1", "Y10 G2", "R10 Y1"], ("B4 Y4 Y10 R10", "BYYR", 3), **readings)

    def test_2_after_two_turns_an_earlier_card_wins(self, readings):
        passes(["G6 R1", "B6 G15", "B3 R2", "G3 B15"], ("G6 B6 B3 G3", "GBBG", 0), **readings)

    def test_3_a_special_holds_the_lead_and_wins(self, readings):
        passes(["B4 R1", "B13 R2", "B* R3", "G13 B1"], ("B4 B13 B* G13", "BBBB", 2, LOCKED), **readings)


def test_the_sheets_examples_with_single_cards():
    passes(["B4", "Y4", "Y10", "R10"], ("B4 Y4 Y10 R10", "BYYR", 3))
    passes(["G6", "B6", "B3", "G3"], ("G6 B6 B3 G3", "GBBG", 0))
    passes(["B4", "B13", "B*", "G13"], ("B4 B13 B* G13", "BBBB", 2, LOCKED))


# steps 2 and 3: what may be played


@pytest.mark.parametrize("card", ["B1", "R15", "G7"])
def test_the_dealer_leads_any_card(card):
    passes(["B1 R15 G7", "Y2 Y5 Y8", "Y3 Y6 Y9", "Y4 Y10 Y11"], (f"{card} Y2 Y3 Y4", card[0] * 4, 0))


def test_a_seat_that_holds_the_lead_colour_follows():
    hands = ["B4 R1", "B2 Y9", "G3 R9", "G5 Y6"]
    passes(hands, ("B4 B2 G3 Y6", "BBBB", 0))
    fault = refused(hands, ("B4 Y9 G3 Y6", "BBBB", 0))
    assert fault == "round 1, trick 1, play 2: Y9 doesn't follow the lead colour B, expected one of B2"


def test_or_plays_the_pattern_of_any_card_of_the_trick():
    hands = ["B4 R1", "Y4 B9", "Y9 B1", "G2 Y1"]
    passes(hands, ("B4 B9 Y9 Y1", "BBYY", 2))
    passes(hands, ("B4 B9 B1 G2", "BBBB", 1))
    passes(hands, ("B4 Y4 Y9 Y1", "BYYY", 2))


def test_all_cards_that_may_be_played_are_named():
    hands = ["B4 R1 R2 R3", "Y4 B9 B* G9", "Y9 B1 B2 B3", "G4 Y1 G7 G8"]
    assert refused(hands, ("B4 G9 B1 G7", "BBBB", 0)).endswith("expected one of Y4, B9, B*")


def test_a_pattern_of_an_earlier_trick_is_none():
    hands = ["B9 B1 R1", "B4 B3 Y4", "B5 G7 G2", "B6 R2 R3"]
    first = ("B9 B4 B5 B6", "BBBB", 0)
    passes(hands, first, ("B1 B3 G7 R2", "BBBB", 1))
    fault = refused(hands, first, ("B1 Y4 G7 R2", "BBBB", 0))
    assert fault == "round 1, trick 2, play 2: Y4 doesn't follow the lead colour B, expected one of B3"


def test_a_seat_without_the_lead_colour_plays_anything():
    hands = ["B4 R1 R2", "Y9 G1 Y*", "B3 Y1 Y2", "B5 Y3 Y5"]
    for card in ("Y9", "G1", "Y*"):
        passes(hands, (f"B4 {card} B3 B5", "BBBB", 3))


def test_a_card_is_played_once():
    record, variant = scripted(["B4 R1", "B2 B3", "G3 R9", "G5 Y6"], ("B4 B2 G3 Y6", "BBBB", 0))
    again = changed(["rounds", 0, "tricks", 1, "plays", 1, 1], "B2", record)
    assert fault_of(again, variant) == ('round 1, trick 2, play 2: card is "B2", expected one that seat 1 holds: B3')


def test_a_card_of_another_seat_is_not_played():
    fault = fault_of(changed(["rounds", 0, "tricks", 0, "plays", 0, 1], GAME["rounds"][0]["dealt"][1][0]))
    assert "expected one that seat 0 holds" in fault


# step 4: the lead turns


def test_the_seats_after_a_turn_follow_the_new_lead_colour():
    hands = ["B4 R1", "Y4 B1", "Y2 B2", "Y3 B3"]
    passes(hands, ("B4 Y4 Y2 Y3", "BYYY", 1))
    fault = refused(hands, ("B4 Y4 B2 Y3", "BYYY", 1))
    assert fault == "round 1, trick 1, play 3: B2 doesn't follow the lead colour Y, expected one of Y2"


def test_a_void_seat_turns_the_lead_too():
    hands = ["B4 R1", "Y4 G1", "Y9 B3", "B5 Y2"]
    passes(hands, ("B4 Y4 Y9 Y2", "BYYY", 2))
    fault = refused(hands, ("B4 Y4 B3 B5", "BBBB", 3))
    assert fault == 'round 1, trick 1, lead after play 2: "B" is given, expected "Y"'


def test_a_void_seat_does_not_turn_the_lead_where_the_variant_says_so():
    hands = ["B4 R1", "Y4 G1", "Y9 B3", "B5 Y2"]
    passes(hands, ("B4 Y4 B3 B5", "BBBB", 3), **NO_VOID_TURNS)
    fault = refused(hands, ("B4 Y4 Y9 Y2", "BYYY", 2), **NO_VOID_TURNS)
    assert fault == 'round 1, trick 1, lead after play 2: "Y" is given, expected "B"'


@pytest.mark.parametrize("readings", ALL_READINGS)
def test_a_card_thrown_by_a_void_seat_is_a_played_pattern(readings):
    passes(["B4 R1", "Y9 G1", "R9 B3", "R2 G2"], ("B4 Y9 R9 R2", "BBRR", 2), **readings)


@pytest.mark.parametrize("readings", ALL_READINGS)
def test_a_card_of_the_lead_colour_and_a_played_pattern_leaves_the_lead(readings):
    two = {"deck.copies": 2} | readings
    passes(["B4 R1", "B4 G1", "B3 Y1", "B2 Y2"], ("B4 B4 B3 B2", "BBBB", 0), **two)


@pytest.mark.parametrize("readings", ALL_READINGS)
def test_the_lead_can_turn_back(readings):
    two = {"deck.copies": 2} | readings
    passes(["B4 R1", "Y4 B1", "B4 Y1", "B9 G1"], ("B4 Y4 B4 B9", "BYBB", 3), **two)
    passes(["B4 R1", "Y4 B1", "B4 Y1", "B2 G1"], ("B4 Y4 B4 B2", "BYBB", 0), **two)  # of equal cards, the first


# step 5: specials


@pytest.mark.parametrize("readings", ALL_READINGS)
def test_a_special_that_is_led_locks_the_trick(readings):
    passes(["B* R1", "B9 G1", "B3 Y1", "Y9 B1"], ("B* B9 B3 Y9", "BBBB", 0, LOCKED), **readings)


@pytest.mark.parametrize("readings", ALL_READINGS)
def test_a_special_of_a_lead_colour_that_has_turned_locks_the_trick(readings):
    passes(["B4 R1", "Y4 B1", "Y* G2", "Y15 R2"], ("B4 Y4 Y* Y15", "BYYY", 2, LOCKED), **readings)


@pytest.mark.parametrize("readings", ALL_READINGS)
def test_followers_of_a_locked_trick_still_follow_it(readings):
    hands = ["B4 Y8", "B* Y1", "Y4 B1", "B9 G1"]
    passes(hands, ("B4 B* Y4 B9", "BBBB", 1, LOCKED), **readings)
    passes(hands, ("B4 B* B1 B9", "BBBB", 1, LOCKED), **readings)
    fault = refused(hands, ("B4 B* Y4 G1", "BBBB", 1, LOCKED), **readings)
    assert fault == "round 1, trick 1, play 4: G1 doesn't follow the lead colour B, expected one of B9"


@pytest.mark.parametrize("readings", ALL_READINGS)
def test_void_seats_do_not_turn_a_locked_trick(readings):
    passes(["B4 Y8", "B* Y1", "Y4 G1", "R4 G2"], ("B4 B* Y4 R4", "BBBB", 1, LOCKED), **readings)


@pytest.mark.parametrize("readings", ALL_READINGS)
def test_a_special_of_another_colour_does_not_follow(readings):
    fault = refused(["B4 R1", "Y* B1", "B3 Y1", "B5 Y2"], ("B4 Y* B3 B5", "BBBB", 3), **readings)
    assert fault == "round 1, trick 1, play 2: Y* doesn't follow the lead colour B, expected one of B1"


@pytest.mark.parametrize("readings", ALL_READINGS)
def test_specials_have_no_pattern(readings):
    fault = refused(["B4 R1", "Y* G1", "R* B3", "B5 Y2"], ("B4 Y* R* B5", "BBBB", 3), **readings)
    assert fault == "round 1, trick 1, play 3: R* doesn't follow the lead colour B, expected one of B3"
    passes(["B4 R1", "Y* G1", "R* G3", "B5 Y2"], ("B4 Y* R* B5", "BBBB", 3), **readings)


@pytest.mark.parametrize("readings", ALL_READINGS)
def test_a_special_without_power_stays_so_and_is_the_lowest_of_its_colour(readings):
    passes(["B1 R9", "Y* G1", "Y1 B3", "G9 R2"], ("B1 Y* Y1 G9", "BBYY", 2), **readings)
    passes(["B1 R9", "Y* G1", "Y1 B3", "R1 Y2"], ("B1 Y* Y1 R1", "BBYR", 3), **readings)


@pytest.mark.parametrize("readings", ALL_READINGS)
def test_a_special_of_the_former_lead_colour_gets_no_power_when_the_lead_turns_back(readings):
    hands = ["B4 R1", "Y4 B1", "B* G1", "Y9 R2", "B9 Y1"]
    passes(hands, ("B4 Y4 B* Y9 B9", "BYYYB", 4), **readings)


@pytest.mark.parametrize("readings", ALL_READINGS)
def test_the_first_special_that_locks_wins(readings):
    two = {"deck.specials": 2} | readings
    passes(["B4 R1", "B* G1", "B* Y1", "B9 Y2"], ("B4 B* B* B9", "BBBB", 1, LOCKED), **two)
    passes(["B* R1", "B* G1", "B3 Y1", "B9 Y2"], ("B* B* B3 B9", "BBBB", 0, LOCKED), **two)
    passes(["B1 R9", "Y* G1", "Y1 B3", "Y* R2"], ("B1 Y* Y1 Y*", "BBYY", 3, LOCKED), **two)


def test_a_special_of_the_lead_colour_obliges_to_follow():
    fault = refused(["B4 R1", "B* Y9", "B3 Y1", "B9 Y2"], ("B4 Y9 B3 B9", "BBBB", 3))
    assert fault == "round 1, trick 1, play 2: Y9 doesn't follow the lead colour B, expected one of B*"


@pytest.mark.parametrize("turns", [True, False])
def test_or_does_not_where_the_variant_says_so_but_may_be_played_and_locks(turns):
    readings = NO_SPECIAL_COUNTS | {"lead.void_match_turns": turns}
    hands = ["B4 R1", "B* Y9", "B3 Y1", "B9 Y2"]
    passes(hands, ("B4 Y9 B3 B9", "BBBB", 3), **readings)
    passes(hands, ("B4 B* B3 B9", "BBBB", 1, LOCKED), **readings)
    hands = ["B4 R1 R2", "B* B2 Y9", "B3 Y1 Y3", "B9 Y2 Y5"]
    passes(hands, ("B4 B* B3 B9", "BBBB", 1, LOCKED), **readings)
    fault = refused(hands, ("B4 Y9 B3 B9", "BBBB", 3), **readings)
    assert fault == "round 1, trick 1, play 2: Y9 doesn't follow the lead colour B, expected one of B*, B2"


def test_what_counts_as_void_decides_which_seats_turn_the_lead():
    hands = ["B4 R1", "B* Y4", "B3 Y1", "B9 Y2"]
    turned, stayed = ("B4 Y4 Y1 Y2", "BYYY", 1), ("B4 Y4 B3 B9", "BBBB", 3)
    passes(hands, turned)
    passes(hands, turned, **NO_VOID_TURNS)  # it holds a card of the lead colour
    passes(hands, turned, **NO_SPECIAL_COUNTS)
    passes(hands, stayed, **NO_VOID_TURNS, **NO_SPECIAL_COUNTS)


# steps 6 and 7: who wins a trick, and what it brings


def test_the_highest_rank_of_the_lead_colour_wins():
    passes(["B9 R1", "B10 G1", "B2 Y1", "Y15 R2"], ("B9 B10 B2 Y15", "BBBB", 1))


def test_of_equal_cards_the_first_played_wins():
    passes(["B3 R1", "B9 G1", "B9 Y1", "B2 Y2"], ("B3 B9 B9 B2", "BBBB", 1), **{"deck.copies": 2})


def test_the_winner_leads_the_next_trick():
    hands = ["B1 R1", "B2 R2", "B3 R3", "B4 R4"]
    record = passes(hands, ("B1 B2 B3 B4", "BBBB", 3), ("R4 R1 R2 R3", "RRRR", 3))
    variant = variant_of({"hand.size": 2})
    wrong = changed(["rounds", 0, "tricks", 1, "leader"], 0, record)
    assert fault_of(wrong, variant) == "round 1, trick 2: leader is 0, expected 3"


def test_play_goes_clockwise():
    record, variant = scripted(["B1", "B2", "B3", "B4"], ("B1 B2 B3 B4", "BBBB", 3))
    turned = changed(["rounds", 0, "tricks", 0, "plays"], lambda plays: [plays[0], *plays[:0:-1]], record)
    assert fault_of(turned, variant) == "round 1, trick 1, play 2: seat is 3, expected 1"


def test_a_score_is_the_largest_count_of_one_colour_and_specials_count():
    hands = ["B4 R1", "B13 R2", "B* R3", "G13 B1"]
    record = passes(hands, ("B4 B13 B* G13", "BBBB", 2, LOCKED), ("R3 B1 R1 R2", "RRRR", 2))
    played = record["rounds"][0]
    assert played["taken"][2] == {"R": 3, "B": 4, "G": 1, "Y": 0}
    assert played["taken"][0] == {"R": 0, "B": 0, "G": 0, "Y": 0}
    assert record["scores"] == played["points"] == [0, 0, 4, 0]
    assert record["winners"] == [2]


def test_equal_highest_scores_share_the_win():
    hands = ["B4 G9", "B5 G3", "B3 G2", "B2 G1"]
    record = passes(hands, ("B4 B5 B3 B2", "BBBB", 1), ("G3 G2 G1 G9", "GGGG", 0))
    assert (record["scores"], record["winners"]) == ([4, 4, 0, 0], [0, 1])
    for wrong in ([0], [1], [1, 0], [0, 1, 2]):
        assert "expected [0, 1]" in fault_of(record | {"winners": wrong}, variant_of({"hand.size": 2}))


def test_points_may_be_spelled_with_a_fraction_of_nothing():
    floats = changed(["rounds", 0, "points"], lambda row: [float(value) for value in row])
    floats["scores"] = [float(value) for value in floats["scores"]]
    check(floats, CLASSIC)


# the deck, and who deals


def test_each_card_comes_once_and_each_colour_has_one_special():
    for card in ("R4", "R*"):
        fault = refused([card, card, "B1", "B2"], (f"{card} {card} B1 B2", "RRRR", 0))
        assert fault == (
            f"round 1, hand of seat 1, card 1: {card} comes once too often in this round, expected at most 1 of it"
        )
    passes(["R* R2", "B* B2", "G* G2", "Y* Y2"])


def test_rank_15_is_not_in_the_english_deck():
    hands = ["R15", "B14", "G14", "Y*"]
    passes(hands)
    fault = refused(hands, **{"deck.preset": "sixty"})
    assert fault == (
        "round 1, hand of seat 0, card 1: R15 is not in the deck, expected colours RBGY, ranks 1 to 14 and specials"
    )
    passes(["R14", "B14", "G14", "Y*"], **{"deck.preset": "60"})


def test_decks_of_other_sizes():
    copies = {"deck.ranks": 2, "deck.copies": {"R": 3, "B": [0, 2]}, "deck.specials": 2}
    passes(["R1 R1 R1", "B2 B2 G1", "G2 G* G*", "Y1 Y2 Y*"], **copies)
    fault = refused(["B1 R1 R1", "B2 B2 G1", "G2 G* G*", "Y1 Y2 Y*"], **copies)
    assert fault.endswith("expected colours RBGY, ranks 1 to 2 and specials, without those of 0 copies")
    fault = refused(["R1 G* G*", "B2 B2 G1", "G2 G* R1", "Y1 Y2 Y*"], **copies)
    assert "G* comes once too often in this round, expected at most 2 of it" in fault
    fault = refused(["R1", "R2", "R*", "B1"], **{"deck.specials": 0})
    assert fault.endswith("R* is not in the deck, expected colours RBGY, ranks 1 to 15 and no specials")
    passes(["A2", "S2", "A*", "S*"], **{"deck.colours": 16, "deck.ranks": 2})
    passes(["R32", "B32", "R*", "B31"], **{"deck.ranks": 32})


def test_a_table_game_may_have_any_dealer_and_the_toolkits_is_seat_0():
    for dealer in range(4):
        record = played(CLASSIC, dealer=dealer, table=True)
        assert record["rounds"][0]["tricks"][0]["leader"] == dealer
        check(record, CLASSIC)
        if dealer:
            fault = fault_of(record | {"seed": 1, "index": 0})
            assert fault == f"round 1: dealer is {dealer}, expected 0"
    for dealer in (4, -1, None, 1.0, True):
        fault = fault_of(changed(["rounds", 0, "dealer"], dealer, record))
        assert "expected a seat from 0 to 3" in fault


def test_the_dealer_leads_the_first_trick():
    fault = fault_of(changed(["rounds", 0, "dealer"], 2, played(CLASSIC, dealer=1, table=True)))
    assert fault == "round 1, trick 1: leader is 1, expected 2"
