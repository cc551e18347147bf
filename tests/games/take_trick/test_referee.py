"""The referee of Take-Trick accepts every legal game and names the first fault of any other.

Whole games come from the plain twin, which shares nothing with the referee; the clauses of the rules have games that
are written by hand, with results worked out from the rule sheet.
"""

import copy
import json
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reference import take_trick as twin

from simlib.errors import RuleViolation
from simlib.games import game_named, make_variant
from simlib.games.suppose.referee import Card
from simlib.games.take_trick.referee import check, colour_points, trick_winner, winners
from simlib.records import judge

TAKE_TRICK = game_named("take_trick")

VARIANTS = {
    "classic": {},
    "three players": {"players": 3},
    "five players": {"players": 5},
    "six players": {"players": 6},
    "nine ranks": {"deck.preset": "nine"},
    "the giver pays": {"gift.penalty_falls_on": "giver", "gift.penalty": 2},
    "extras are forfeited": {"gift.extra": "forfeit"},
    "gifts pay much": {"gift.points": 7, "score.target": 15},
    "nothing pays": {"gift.points": 0, "gift.penalty": 0},
    "a low target": {"score.target": 2},
    "one colour in front": {"colours.max": 1},
    "any colour in front": {"colours.max": 3},
    "one card": {"hand.size": 1},
    "two cards": {"hand.size": 2, "rounds.max": 7},
    "rank 1 is trump": {"trump.ranks": [1]},
    "no stock at all": {"players": 3, "hand.size": 18},
    "a stock of first cards alone": {"players": 3, "deck.copies": [3, 3, 3, 3, 3, 0], "hand.size": 14},
    "a stock of four for five seats": {"players": 5, "hand.size": 10},
    "one colour": {"players": 3, "deck.colours": 1, "deck.copies": 9},
    "six colours": {"players": 6, "deck.colours": 6},
    "only 1s and 2s": {"deck.ranks": 2, "deck.copies": 9, "trump.ranks": [2]},
    "uneven colours": {"deck.copies": {"G": [9, 9, 9, 9, 9, 0], "P": 1}},
    "thirty-two ranks": {"players": 3, "deck.ranks": 32, "deck.copies": 2, "hand.size": 60},
    "small": {"players": 3, "hand.size": 4, "rounds.max": 2, "colours.max": 1},
}


def variant_of(changes):
    return make_variant(TAKE_TRICK, settings=changes)


def enveloped(variant, part, *, seed=None, index=None, player="human"):
    players = [player] * variant.parameters.players
    head = {"format": "simlib-record/1", "game": "take_trick", "variant": variant.name, "parameters": variant.flat()}
    return head | {"seed": seed, "index": index, "players": players} | part


def played(variant, seed=1, index=0):
    """Return the record of one random game."""
    players = ["random"] * variant.parameters.players
    part = twin.play_game(variant.parameters.model_dump(), seed, index, players)
    return enveloped(variant, part, seed=seed, index=index, player="random")


def turned(record, by):
    """Return the same game with all seats moved `by` places clockwise, as a game played at the table."""
    n = len(record["players"])

    def seat(old):
        return (old + by) % n

    def rows(row):
        return [row[(new - by) % n] for new in range(n)]

    def gift(old):
        return old and old | {"to": seat(old["to"])}

    def trick(old):
        return old | {
            "leader": seat(old["leader"]),
            "winner": seat(old["winner"]),
            "plays": [[seat(player), card] for player, card in old["plays"]],
            "captures": [c | {"seat": seat(c["seat"]), "gift": gift(c["gift"])} for c in old["captures"]],
            "scores": rows(old["scores"]),
        }

    rounds = [
        old
        | {key: rows(old[key]) for key in ("dealt", "first", "bamboo", "points", "totals")}
        | {"passes": rows(old["passes"]) if old["passes"] else []}
        | {"leader": seat(old["leader"]), "tricks": [trick(each) for each in old["tricks"]]}
        for old in record["rounds"]
    ]
    won = sorted(seat(old) for old in record["winners"])
    return record | {"seed": None, "index": None, "rounds": rounds, "scores": rows(record["scores"]), "winners": won}


def gifts_of(record):
    return [
        ["rounds", i, "tricks", j, "captures", k, "gift"]
        for i, played in enumerate(record["rounds"])
        for j, trick in enumerate(played["tricks"])
        for k, capture in enumerate(trick["captures"])
        if capture["gift"]
    ]


def at(record, path):
    for key in path:
        record = record[key]
    return record


def first_game(variant, wanted):
    """Return the first of the random games that is as wanted."""
    return next(record for record in (played(variant, 1, game) for game in range(1000)) if wanted(record))


def has_all_kinds(record):
    """Tell whether gifts are accepted and refused in all rounds, a 1 is captured by a loser, and extras are taken."""
    return all(
        {at(record, gift)["accepted"] for gift in gifts_of(record) if gift[1] == number} == {True, False}
        and any(len(trick["captures"]) > 1 for trick in played["tricks"])
        and any(trick["captures"][0]["extra"] for trick in played["tricks"])
        for number, played in enumerate(record["rounds"])
    )


CLASSIC = variant_of({})
SMALL = variant_of(VARIANTS["small"])
GAME = first_game(CLASSIC, lambda record: has_all_kinds(record) and len(record["rounds"]) == 3)
SMALL_GAME = first_game(SMALL, lambda record: has_all_kinds(record) and len(record["rounds"]) == 2)
ENDING = variant_of({"score.target": 4})
ENDED = first_game(ENDING, lambda record: record["rounds"][0]["ended_by_gift"])


def changed(path, value, record=GAME):
    """Return a copy of a record with another value at a path; a function is given the old value."""
    record = copy.deepcopy(record)
    *above, last = path
    here = at(record, above)
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
def test_legal_games_pass(name):
    variant = variant_of(VARIANTS[name])
    for seed in range(25):
        record = played(variant, seed, index=seed)
        check(record, variant)
        check(turned(record, seed % variant.parameters.players), variant)


def test_the_games_reach_every_kind_of_end_and_gift():
    seen = Counter()
    for changes in VARIANTS.values():
        variant = variant_of(changes)
        for seed in range(25):
            record = played(variant, seed, index=seed)
            row = twin.row(record, variant.parameters.model_dump())
            seen.update({key: row[key] for key in row if key.startswith(("gifts", "extras", "ended", "loser"))})
            seen[f"{len(record['rounds'])} rounds"] += 1
            seen[f"{len(record['winners'])} winners"] += 1
            seen["shining"] += str(record).count("shining")
    kinds = ("gifts_accepted", "gifts_forced", "gifts_refused", "extras_missing", "ended_by_gift", "loser_ones")
    assert all(seen[kind] for kind in (*kinds, "shining", "1 rounds", "2 rounds", "3 rounds", "2 winners"))


def test_judging_leaves_the_record_alone():
    record = copy.deepcopy(GAME)
    check(record, CLASSIC)
    assert record == GAME


def test_running_scores_may_be_left_out():
    record = copy.deepcopy(GAME)
    for round_played in record["rounds"]:
        for trick in round_played["tricks"]:
            del trick["scores"]
    check(record, CLASSIC)


def test_keys_may_stand_in_any_order():
    def backwards(value):
        if isinstance(value, dict):
            return {key: backwards(value[key]) for key in reversed(value)}
        return [backwards(item) for item in value] if isinstance(value, list) else value

    check(backwards(GAME), CLASSIC)


# each value in turn: what is changed, to what, where the fault must be and what it must say

R = "rounds"
NO_CARDS = ["", "G", "4", "4G", "G0", "G04", "G4 ", " G4", "g4", "G4\n", "G\u0664", "GG4", "G-1", "G4.0", "G*", "G100"]
NOT_CARDS = [*NO_CARDS, None, 4, True, ["G4"], {"G": 4}, "shining"]
ACCEPTED = next(gift for gift in gifts_of(GAME) if at(GAME, gift)["accepted"])
REFUSED = next(gift for gift in gifts_of(GAME) if not at(GAME, gift)["accepted"])
PLAIN = next(
    [R, 0, "tricks", number, "captures", 0]
    for number, trick in enumerate(GAME[R][0]["tricks"])
    if trick["captures"][0]["extra"] is None and trick["captures"][0]["gift"] is None
)
TRUMP = next(
    [R, 0, "tricks", number, "captures", 0]
    for number, trick in enumerate(GAME[R][0]["tricks"])
    if trick["captures"][0]["extra"] and trick["captures"][0]["gift"] is None
)
LOSER = next(
    [R, 0, "tricks", number, "captures", 1]
    for number, trick in enumerate(GAME[R][0]["tricks"])
    if len(trick["captures"]) > 1
)
LONE = next(
    [R, 0, "tricks", number, "captures"]
    for number, trick in enumerate(GAME[R][0]["tricks"])
    if len(trick["captures"]) == 1
)


def place_of(path):
    """Return what a fault calls the place of a capture or gift."""
    text = f"round {path[1] + 1}, trick {path[3] + 1}"
    return text + (f", capture {path[5] + 1}" if len(path) > 5 else "") + (", gift" if path[-1] == "gift" else "")


MUTATIONS = [
    # the record
    ([], with_key, "record", "(allowed: format, game, index"),
    *[([], without(key), "record", f'key "{key}" is missing') for key in ("trump", "winners", "seed", "rounds")],
    (["players"], "random", "record", 'players is "random", expected a list of 4'),
    (["players"], ["random"] * 3, "player at seat 3", "missing, expected 4"),
    (["players"], ["random"] * 5, "player at seat 4", "one too many, expected 4"),
    (["players", 2], "", "player at seat 2", '"" is given, expected a name'),
    (["players", 0], 7, "player at seat 0", "7 is given, expected a name"),
    *[(["trump"], wrong, "record", "trump is") for wrong in (None, 1, 7, 0, -2, "4", True, [4], {}, 4.0, 10**80)],
    ([R], None, "record", "rounds is null, expected a list of up to 3"),
    ([R], {}, "record", "rounds is {}, expected a list of up to 3"),
    ([R], [], "round 1", "missing, expected up to 3"),
    ([R], lambda rounds: rounds[:2], "round 3", "missing, expected up to 3"),
    ([R], lambda rounds: [*rounds, rounds[0]], "round 4", "one too many, expected 3"),
    ([R, 1], None, "round 2", "null is given, expected an object with leader"),
    ([R, 2], with_key, "round 3", 'unknown key "remark"'),
    *[
        ([R, 2], without(key), "round 3", f'key "{key}" is missing')
        for key in ("leader", "dealt", "first", "passes", "tricks", "bamboo", "points", "totals", "ended_by_gift")
    ],
    # the leader
    *[([R, 0, "leader"], wrong, "round 1", "expected 0") for wrong in (1, False, 0.0, None, "0", -4)],
    ([R, 1, "leader"], lambda seat: (seat + 1) % 4, "round 2", "leader is"),
    ([R, 2, "leader"], float, "round 3", "leader is"),
    # hands
    ([R, 0, "dealt"], lambda hands: hands[:3], "round 1, hand of seat 3", "missing, expected 4"),
    ([R, 0, "dealt"], lambda hands: [*hands, []], "round 1, hand of seat 4", "one too many, expected 4"),
    ([R, 0, "dealt"], 5, "round 1", "dealt is 5, expected a list of 4"),
    ([R, 0, "dealt", 2], "G4", "round 1, hand of seat 2", 'hand is "G4", expected a list of 10'),
    ([R, 0, "dealt", 2], lambda cards: cards[:9], "round 1, hand of seat 2, card 10", "missing, expected 10"),
    ([R, 0, "dealt", 2], lambda cards: [*cards, "G1"], "round 1, hand of seat 2, card 11", "one too many"),
    *[([R, 1, "dealt", 2, 5], w, "round 2, hand of seat 2, card 6", "expected a colour letter") for w in NOT_CARDS],
    ([R, 1, "dealt", 2, 0], "G7", "round 2, hand of seat 2, card 1", "G7 is not in the deck, expected colours GPS"),
    ([R, 1, "dealt", 2, 0], "R4", "round 2, hand of seat 2, card 1", "R4 is not in the deck"),
    ([R, 1, "dealt", 2, 0], "Z4", "round 2, hand of seat 2, card 1", "colours GPS and ranks 1 to 6"),
    # first bamboos
    ([R, 0, "first"], lambda first: first[:3], "round 1, first bamboo of seat 3", "missing, expected 4"),
    ([R, 0, "first"], lambda first: first * 2, "round 1, first bamboo of seat 4", "one too many, expected 4"),
    ([R, 0, "first"], None, "round 1", "first is null"),
    ([R, 0, "first", 1], "G4", "round 1, first bamboo of seat 1", '"G4" is given, expected an object with card'),
    ([R, 0, "first", 1], with_key, "round 1, first bamboo of seat 1", "unknown key"),
    ([R, 0, "first", 1], without("extra"), "round 1, first bamboo of seat 1", 'key "extra" is missing'),
    *[([R, 0, "first", 1, "card"], wrong, "round 1, first bamboo of seat 1", "expected a") for wrong in NOT_CARDS],
    # passes
    ([R, 0, "passes"], lambda passes: passes[:3], "round 1, pass of seat 3", "missing, expected 4"),
    ([R, 0, "passes"], lambda passes: passes * 2, "round 1, pass of seat 4", "one too many, expected 4"),
    ([R, 0, "passes"], [], "round 1, pass of seat 0", "missing, expected 4"),
    ([R, 0, "passes"], {}, "round 1", "passes is {}"),
    ([R, 0, "passes", 3], ["G4", "G5"], "round 1, pass of seat 3", "expected an object with left, right"),
    ([R, 0, "passes", 3], with_key, "round 1, pass of seat 3", "unknown key"),
    ([R, 0, "passes", 3], without("right"), "round 1, pass of seat 3", 'key "right" is missing'),
    *[
        ([R, 0, "passes", 3, side], wrong, "round 1, pass of seat 3", "expected a card in the seat's hand")
        for side in ("left", "right")
        for wrong in NOT_CARDS
    ],
    # tricks
    ([R, 0, "tricks"], lambda tricks: tricks[:9], "round 1, trick 10", "missing, expected up to 10"),
    ([R, 0, "tricks"], lambda tricks: [*tricks, tricks[0]], "round 1, trick 11", "one too many, expected 10"),
    ([R, 0, "tricks"], {}, "round 1", "tricks is {}, expected a list of up to 10"),
    ([R, 0, "tricks", 4], None, "round 1, trick 5", "null is given, expected an object with leader"),
    ([R, 0, "tricks", 4], with_key, "round 1, trick 5", "unknown key"),
    *[
        ([R, 0, "tricks", 4], without(key), "round 1, trick 5", f'key "{key}" is missing')
        for key in ("leader", "plays", "winner", "captures")
    ],
    ([R, 0, "tricks", 4, "leader"], lambda seat: (seat + 1) % 4, "round 1, trick 5", "leader is"),
    ([R, 0, "tricks", 4, "leader"], float, "round 1, trick 5", "leader is"),
    ([R, 0, "tricks", 4, "winner"], lambda seat: (seat + 1) % 4, "round 1, trick 5", "winner is"),
    ([R, 0, "tricks", 4, "winner"], None, "round 1, trick 5", "winner is null, expected"),
    ([R, 0, "tricks", 4, "plays"], lambda plays: plays[:3], "round 1, trick 5, play 4", "missing, expected 4"),
    ([R, 0, "tricks", 4, "plays"], lambda plays: plays * 2, "round 1, trick 5, play 5", "one too many, expected 4"),
    ([R, 0, "tricks", 4, "plays"], "G4", "round 1, trick 5", 'plays is "G4"'),
    (
        [R, 0, "tricks", 0, "plays"],
        lambda plays: [plays[0], *plays[:0:-1]],
        "round 1, trick 1, play 2",
        "seat is 3, expected 1",
    ),
    ([R, 0, "tricks", 0, "plays", 1], None, "round 1, trick 1, play 2", "null is given, expected [seat, card]"),
    ([R, 0, "tricks", 0, "plays", 1], lambda play: play[:1], "round 1, trick 1, play 2", "expected [seat, card]"),
    ([R, 0, "tricks", 0, "plays", 1], lambda play: [*play, 0], "round 1, trick 1, play 2", "expected [seat, card]"),
    *[([R, 0, "tricks", 0, "plays", 1, 0], w, "round 1, trick 1, play 2", "expected 1") for w in (2, True, 1.0, None)],
    *[
        ([R, 0, "tricks", 0, "plays", 1, 1], wrong, "round 1, trick 1, play 2", "expected a card in the seat's hand")
        for wrong in NOT_CARDS
    ],
    # captures
    (LONE, [], f"{place_of(LONE)}, capture 1", "missing, expected 1"),
    (LONE, lambda captures: captures * 2, f"{place_of(LONE)}, capture 2", "one too many, expected 1"),
    (LONE, None, place_of(LONE), "captures is null, expected a list of 1"),
    (LOSER[:-1], lambda captures: captures[:1], place_of(LOSER), "missing"),
    (LOSER[:-1], lambda captures: captures[::-1], place_of([*LOSER[:-1], 0]), "seat is"),
    (PLAIN, None, place_of(PLAIN), "null is given, expected an object with seat"),
    (PLAIN, with_key, place_of(PLAIN), "unknown key"),
    *[(PLAIN, without(key), place_of(PLAIN), "is missing") for key in ("seat", "card", "extra", "gift")],
    ([*PLAIN, "seat"], lambda seat: (seat + 1) % 4, place_of(PLAIN), "seat is"),
    ([*PLAIN, "seat"], float, place_of(PLAIN), "seat is"),
    *[([*PLAIN, "card"], wrong, place_of(PLAIN), "card is") for wrong in NOT_CARDS],
    *[
        ([*PLAIN, "extra"], wrong, place_of(PLAIN), "expected null: only a winning trump has one")
        for wrong in ("G4", "shining", False, 0, [])
    ],
    *[([*LOSER, "extra"], w, place_of(LOSER), "only a winning trump has one") for w in ("G4", "shining", False)],
    *[([*TRUMP, "extra"], wrong, place_of(TRUMP), "extra is") for wrong in NOT_CARDS],
    *[
        ([*PLAIN, "gift"], wrong, place_of(PLAIN), "expected null: seat")
        for wrong in ({"to": 0, "accepted": True}, False, {}, [])
    ],
    # gifts
    (REFUSED, None, place_of(REFUSED), "null is given, expected to and accepted: seat"),
    (REFUSED, [], place_of(REFUSED), "[] is given, expected an object with to, accepted"),
    (REFUSED, with_key, place_of(REFUSED), "unknown key"),
    (REFUSED, without("to"), place_of(REFUSED), 'key "to" is missing'),
    (REFUSED, without("accepted"), place_of(REFUSED), 'key "accepted" is missing'),
    *[
        ([*REFUSED, "to"], wrong, place_of(REFUSED), "expected a neighbour of seat")
        for wrong in (at(GAME, REFUSED[:-1])["seat"], (at(GAME, REFUSED[:-1])["seat"] + 2) % 4, None, True, "1", 4, -1)
    ],
    *[([*REFUSED, "accepted"], w, place_of(REFUSED), "expected true or false") for w in (None, 0, 1, "no", [])],
    ([*ACCEPTED, "accepted"], False, f"round {ACCEPTED[1] + 1}", "expected"),
    # scores
    *[
        ([R, 0, "tricks", 4, "scores"], wrong, "round 1, trick 5", "scores")
        for wrong in (None, {}, [], [0] * 5, [99, 0, 0, 0], [None] * 4)
    ],
    *[([R, 1, "bamboo", 2, "G"], wrong, "round 2, bamboo of seat 2", "G is") for wrong in (plus(1), float, str, None)],
    ([R, 1, "bamboo", 2], without("S"), "round 2, bamboo of seat 2", 'key "S" is missing'),
    ([R, 1, "bamboo", 2], lambda counts: counts | {"GP": 0}, "round 2, bamboo of seat 2", 'unknown key "GP"'),
    ([R, 1, "bamboo", 2], lambda counts: counts | {"R": 0}, "round 2, bamboo of seat 2", 'unknown key "R"'),
    ([R, 1, "bamboo"], lambda row: row[:3], "round 2, bamboo of seat 3", "missing, expected 4"),
    *[
        ([R, 1, key, 2], wrong, f"round 2, {key} of seat 2", "is given, expected")
        for key in ("points", "totals")
        for wrong in (plus(1), plus(-1), plus(0.01), str, None, True, [])
    ],
    *[([R, 1, key], lambda row: row[:3], f"round 2, {key} of seat 3", "missing") for key in ("points", "totals")],
    *[([R, 1, key], lambda row: [*row, 0], f"round 2, {key} of seat 4", "one too") for key in ("points", "totals")],
    *[([R, 1, "ended_by_gift"], w, "round 2", "ended_by_gift is") for w in (True, None, 0, "false", 0.0)],
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
    assert fault.startswith((f"{place}: ", f"{place}, ")), fault
    assert text in fault, fault


def leaves(value, path=()):
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from leaves(value[key], (*path, key))
    else:
        yield path, value


JUDGED = ("players", "trump", "rounds", "scores", "winners")
LEAVES = [(path, value) for path, value in leaves(SMALL_GAME) if path[0] in JUDGED]


def is_free(path):
    """Tell whether another value may be as legal: an extra card that nobody saw, or to whom a refused card went."""
    return ("first" in path and path[-1] == "extra") or (path[-1] == "to" and not at(SMALL_GAME, path[:-1])["accepted"])


def is_refused(path):
    """Tell whether a refused gift stands there: to whom it was offered is free."""
    return path[-1] == "gift" and (at(SMALL_GAME, path) or {}).get("accepted") is False


@pytest.mark.parametrize("wrong", [None, True, False, "", "x", -1, 99, 0.5, [], {}, [0], float("nan")])
def test_no_value_of_a_record_can_be_another(wrong):
    for path, value in LEAVES:
        if (path[0] == "players" and wrong == "x") or value is wrong:
            continue  # a name is free
        fault = fault_of(changed(path, wrong, SMALL_GAME), SMALL)
        assert "expected" in fault, (path, value, fault)


def test_no_whole_number_can_be_another():
    for path, value in LEAVES:
        if isinstance(value, int) and not isinstance(value, bool) and not is_free(path):
            for wrong in (value + 1, value - 1):
                fault_of(changed(path, wrong, SMALL_GAME), SMALL)


def test_no_answer_to_a_gift_can_be_another():
    for path in gifts_of(SMALL_GAME):
        fault_of(changed([*path, "accepted"], lambda accepted: not accepted, SMALL_GAME), SMALL)


def test_no_card_can_be_another():
    cards = [f"{letter}{rank}" for letter in "GPS" for rank in range(1, 7)]
    for path, value in LEAVES:
        if isinstance(value, str) and path[0] == "rounds" and "first" not in path:
            for wrong in cards:
                if wrong != value:
                    fault_of(changed(path, wrong, SMALL_GAME), SMALL)


def test_no_item_or_key_can_be_left_out_doubled_or_swapped():
    containers = {path[:depth] for path, _ in LEAVES for depth in range(1, len(path))}
    for path in sorted(containers, key=str):
        here = at(SMALL_GAME, path)
        if isinstance(here, dict):
            for key in here:
                if key != "scores":
                    assert f'"{key}" is missing' in fault_of(changed(path, without(key), SMALL_GAME), SMALL)
            assert "unknown key" in fault_of(changed(path, with_key, SMALL_GAME), SMALL)
        else:
            fault_of(changed(path, here[:-1], SMALL_GAME), SMALL)
            fault_of(changed(path, [*here, here[-1]], SMALL_GAME), SMALL)
            no_order = path[-2:-1] == ("dealt",) or path[-1] == "first"  # a hand, and first cards of one colour
            if here != here[::-1] and not no_order:
                fault_of(changed(path, here[::-1], SMALL_GAME), SMALL)


def test_the_fault_is_in_the_round_trick_and_play_that_was_changed():
    for number in range(2):
        for trick in range(4):
            for play in range(3):
                path = ["rounds", number, "tricks", trick, "plays", play, 1]
                fault = fault_of(changed(path, "G40", SMALL_GAME), SMALL)
                assert fault.startswith(f"round {number + 1}, trick {trick + 1}, play {play + 1}: card is")


def test_the_first_of_several_faults_is_named():
    record = changed(["rounds", 2, "leader"], 9)
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
        assert path[0] not in JUDGED[1:] or is_free(path) or record == SMALL_GAME


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(path=st.sampled_from(EVERY_PLACE), other=st.sampled_from(EVERY_PLACE))
def test_a_part_of_a_record_in_another_place_is_a_fault_or_right_but_never_a_crash(path, other):
    record = changed(path, copy.deepcopy(at(SMALL_GAME, other)), SMALL_GAME)
    try:
        check(record, SMALL)
    except RuleViolation as fault:
        assert str(fault).isprintable()
    else:
        free = is_free(path) or "first" in path or (is_refused(path) and is_refused(other))
        assert path[0] not in JUDGED[1:] or free or record == SMALL_GAME


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
    assert "too large to show" in fault_of(changed(["rounds", 0, "leader"], lambda _: bomb))


# the clauses of the rules, one by one: rounds written by hand


def capture(text):
    """Return a capture written as "1 S4", "1 S4+P5" (with an extra card), "1 S4 >2 yes" or "1 S4 >2 no"."""
    seat, cards, *gift = text.split()
    card, _, extra = cards.partition("+")
    given = {"to": int(gift[0][1:]), "accepted": gift[1] == "yes"} if gift else None
    return {"seat": int(seat), "card": card, "extra": extra or None, "gift": given}


def bamboo(text):
    return {letter: 0 for letter in "GPS"} | {part[0]: int(part[1:]) for part in text.split()}


def dealt(hands):
    """Return passes and dealt hands after which the seats hold `hands`; the first two cards were received."""
    n = len(hands)
    if len(hands[0]) == 1:
        return [], hands
    passes = [{"left": hands[(s + 1) % n][0], "right": hands[(s - 1) % n][1]} for s in range(n)]
    return passes, [[*hand[2:], given["left"], given["right"]] for hand, given in zip(hands, passes, strict=True)]


def scripted(first, tricks, in_front, points, totals, *, leader=0, rest=("", "", ""), ended=False):
    """Return a round.

    `first` and `in_front` have a text for each seat, and `tricks` are (plays in their order, winner, captures ...).
    """
    n, turn = len(first), leader
    hands, played_tricks = [text.split() for text in rest], []
    for plays, winner, *captures in tricks:
        seated = [[(turn + place) % n, card] for place, card in enumerate(plays.split())]
        for seat, card in seated:
            hands[seat].append(card)
        trick = {"leader": turn, "plays": seated, "winner": winner, "captures": [capture(text) for text in captures]}
        played_tricks.append(trick)
        turn = winner
    passes, hands = dealt(hands)
    cards = [text.partition("+") for text in first]
    return {
        "leader": leader,
        "dealt": hands,
        "first": [{"card": card, "extra": extra or None} for card, _, extra in cards],
        "passes": passes,
        "tricks": played_tricks,
        "bamboo": [bamboo(text) for text in in_front],
        "points": points,
        "totals": totals,
        "ended_by_gift": ended,
    }


def table_game(rounds, won, *, trump=2, **changes):
    """Return a record of a game at the table and its variant; the scores are those after the last round."""
    size = len(rounds[0]["dealt"][0])
    given = {"players": len(rounds[0]["dealt"]), "hand.size": size, "rounds.max": len(rounds)} | changes
    variant = variant_of(given)
    part = {"trump": trump, "rounds": rounds, "scores": rounds[-1]["totals"], "winners": won}
    return enveloped(variant, part), variant


def one_round(*args, won, trump=2, changes=None, **kwargs):
    return table_game([scripted(*args, **kwargs)], won, trump=trump, **(changes or {}))


def judged(record, variant, path, value):
    return fault_of(changed(["rounds", 0, *path], value, record), variant)


def test_the_example_of_the_sheet():
    """Three seats, cards in front: A green 4, pink 3; B green 2, silver 2; C pink 3, silver 2."""
    record, variant = one_round(
        ["G3", "G3", "P3"],
        [
            ("G2 G4 P4", 0, "0 G2+G4"),
            ("P2 S4 S5", 0, "0 P2+P4"),
            ("G6 G5 S6", 0, "0 G6"),
            ("P6 P5 S3", 0, "0 P6"),
            ("S5 S2 G5", 1, "1 S2+S3"),
            ("G6 G4 P5", 1, "1 G6"),
            ("P4 P2 S4", 2, "2 P2+P5"),
            ("S2 S5 G5", 2, "2 S2+S4"),
        ],
        ["G4 P3", "G2 S2", "P3 S2"],
        [6, 6, 10],
        [6, 6, 10],
        won=[2],
    )
    check(record, variant)
    assert judged(record, variant, ["points", 1], 4) == "round 1, points of seat 1: 4 is given, expected 6"
    assert winners([26, 27, 28], 25) == [0]


def winner_of(text, trump=2):
    return trick_winner([Card(card[0], int(card[1:])) for card in text.split()], trump)


def test_a_trump_beats_everything():
    assert winner_of("G6 P2 G5 S6") == 1
    assert winner_of("G6 P6 S6 G2") == 3


def test_the_earliest_trump_wins_whatever_its_colour():
    assert winner_of("G6 P2 G2 S2") == 1
    assert winner_of("G2 G2 G2 G2") == 0


def test_without_a_trump_the_highest_of_the_leaders_colour_wins():
    assert winner_of("G3 P6 G5 S6") == 2
    assert winner_of("G1 P6 P6 S6") == 0


def test_the_earliest_of_equal_ranks_wins():
    assert winner_of("G3 G5 G5 G4") == 1


def test_ranks_compare_as_numbers():
    assert winner_of("G9 G10 G3") == 1


def test_a_seat_with_none_and_the_most_alone_score_nothing():
    assert colour_points([0, 0, 0]) == [0, 0, 0]
    assert colour_points([1, 0, 0]) == [0, 0, 0]
    assert colour_points([5, 5, 5, 2, 0]) == [15, 15, 15, 2, 0]
    assert colour_points([5, 2, 2, 1]) == [0, 4, 4, 1]


ONES = (["G3", "G3", "P3"], [("G1 G6 G1", 1, "1 G6", "0 G1", "2 G1")], ["G2", "G2", "P1 G1"], [4, 4, 1], [4, 4, 1])


def test_every_1_of_the_leaders_colour_is_captured_by_the_seat_that_played_it():
    record, variant = one_round(*ONES, won=[0, 1])
    check(record, variant)
    fault = judged(record, variant, ["tricks", 0, "captures"], lambda captures: captures[:2])
    assert fault == "round 1, trick 1, capture 3: missing, expected up to 3 in all"


def test_a_1_of_another_colour_is_not_captured():
    record, variant = one_round(
        ["G3", "G3", "P3"], [("G1 G6 P1", 1, "1 G6", "0 G1")], ["G2", "G2", "P1"], [4, 4, 0], [4, 4, 0], won=[0, 1]
    )
    check(record, variant)
    fault = judged(record, variant, ["tricks", 0, "captures"], lambda captures: [*captures, capture("2 P1")])
    assert fault == "round 1, trick 1, capture 3: one too many, expected 2 in all"


def test_first_bamboos_of_the_trump_rank_count_twice():
    record, variant = one_round(
        ["G2+P5", "G3", "S2+G2"], [("P6 S4 P4", 0, "0 P6")], ["G2 P1", "G1", "S2"], [0, 1, 0], [0, 1, 0], won=[1]
    )
    check(record, variant)
    assert "extra: card is null, expected a colour letter" in judged(record, variant, ["first", 0, "extra"], None)
    fault = judged(record, variant, ["first", 1, "extra"], "P5")
    assert fault == 'round 1, first bamboo of seat 1: extra is "P5", expected null: its card is no trump'


def test_no_card_comes_more_often_than_the_deck_has_it():
    tricks, in_front = [("G4 G5 G4", 1, "1 G5")], ["G1", "P1 G1", "S1"]
    check(*one_round(["G4", "P3", "S3"], tricks, in_front, [2, 2, 0], [2, 2, 0], won=[0, 1]))
    one = {"deck.copies": {"G": [3, 3, 3, 2, 3, 3]}}
    record, variant = one_round(["G4", "P3", "S3"], tricks, in_front, [2, 2, 0], [2, 2, 0], won=[0, 1], changes=one)
    fault = fault_of(record, variant)
    assert fault.startswith("round 1, first bamboo of seat 0, card: G4 comes once too often")
    assert fault.endswith("expected at most 2 of it")


def test_a_card_is_passed_to_each_neighbour_all_at_once():
    """Seat 0 ends up with G6 from its right neighbour and G5 from its left one."""
    record, variant = one_round(
        ["G3", "P3", "S3"],
        [("G6 P4 S4", 0, "0 G6"), ("G5 P5 S5", 0, "0 G5")],
        ["G3", "P1", "S1"],
        [0, 0, 0],
        [0, 0, 0],
        won=[0, 1, 2],
    )
    assert record["rounds"][0]["dealt"] == [["P4", "S5"], ["S4", "G5"], ["G6", "P5"]]
    assert record["rounds"][0]["passes"] == [
        {"left": left, "right": right} for left, right in record["rounds"][0]["dealt"]
    ]
    check(record, variant)
    fault = judged(record, variant, ["passes", 1, "left"], "P4")
    assert fault == 'round 1, pass of seat 1: left is "P4", expected a card in the seat\'s hand: G5, S4'
    twice = judged(record, variant, ["passes", 1, "right"], "S4")
    assert twice == 'round 1, pass of seat 1: right is "S4", expected a card in the seat\'s hand: G5'
    swapped = judged(record, variant, ["passes", 0], {"left": "S5", "right": "P4"})
    assert swapped.startswith("round 1, trick 1, play 2: card is")


def test_a_hand_of_one_card_is_not_passed():
    record, variant = one_round(*ONES, won=[0, 1])
    assert record["rounds"][0]["passes"] == []
    fault = judged(record, variant, ["passes"], [{"left": "G1", "right": "G6"}] * 3)
    assert fault == "round 1, pass of seat 0: one too many, expected 0 in all"


def test_t1_the_preset_decides_on_the_deck_and_the_trump_markers():
    six, nine = variant_of({}), variant_of({"deck.preset": "nine"})
    assert [sum(row) for row in six.parameters.deck.copies] == [18] * 3
    assert [sum(row) for row in nine.parameters.deck.copies] == [18] * 3
    for variant, markers in ((six, [2, 3, 4, 5, 6]), (nine, [3, 4, 5, 6, 7])):
        for trump in set(range(10)) - set(markers):
            fault = fault_of(played(variant) | {"trump": trump}, variant)
            assert fault == f"record: trump is {trump}, expected one of the ranks {markers}"
    rounds = [scripted(["G3", "G3", "P3"], [("G9 G8 G9", 0, "0 G9")], ["G2", "G1", "P1"], [0, 1, 0], [0, 1, 0])]
    check(*table_game(rounds, [1], trump=7, **{"deck.preset": "nine"}))
    record, variant = table_game(rounds, [1], trump=6)
    assert fault_of(record, variant).startswith("round 1, hand of seat 0, card 1: G9 is not in the deck")


@pytest.mark.parametrize(("falls_on", "totals", "won"), [("trick_winner", [3, 2, 1], [0]), ("giver", [2, 3, 1], [1])])
def test_t2_a_losers_refused_1_costs_the_trick_winner_or_the_giver(falls_on, totals, won):
    """A gift pays a point to both, seats 0 and 1, before seat 1 wins a trick in which seat 0's 1 is refused."""
    record, variant = one_round(
        ["G3", "G4", "S3"],
        [
            ("P6 P5 P4", 0, "0 P6"),
            ("S6 S5 S4", 0, "0 S6 >1 yes"),
            ("S1 S6 G5", 1, "1 S6", "0 S1 >2 no"),
        ],
        ["G1 P1", "G1 S2", "S1"],
        [2, 2, 1],
        totals,
        won=won,
        changes={"gift.penalty_falls_on": falls_on},
    )
    check(record, variant)
    other = {"trick_winner": "giver", "giver": "trick_winner"}[falls_on]
    assert "totals of seat 0" in fault_of(record, variant_of(variant.flat() | {"gift.penalty_falls_on": other}))


@pytest.mark.parametrize(
    ("extra", "given", "last", "silver"),
    [("together", "0 S2+S5 >2 yes", "0 P2+P5", "S3"), ("forfeit", "0 S2 >2 yes", "0 P2+S5", "S2")],
)
def test_t3_a_forbidden_trump_goes_with_its_extra_card_or_without_one(extra, given, last, silver):
    """The last trick's extra card shows what was on the pile: forfeited, S5 was left for it."""
    record, variant = one_round(
        ["G3", "G4", "S4"],
        [
            ("P2 P1 P1", 0, "0 P2", "1 P1", "2 P1"),
            ("S2 S5 G5", 0, given),
            ("P2 P1 P1", 0, "0 P2+G5", "1 P1", "2 P1"),
            ("P2 P5 P6", 0, last),
        ],
        ["G1 P5", "G1 P2", f"{silver} P2"],
        [2, 6, 4],
        [3, 6, 5],
        won=[1],
        changes={"gift.extra": extra, "deck.copies": 4},
    )
    check(record, variant)
    other = {"together": "forfeit", "forfeit": "together"}[extra]
    fault = fault_of(record, variant_of(variant.flat() | {"gift.extra": other}))
    assert fault.startswith("round 1, trick 2, capture 1: extra is")


def test_t4_captures_are_settled_seat_by_seat_the_winner_first():
    """Seat 2 accepts the winner's S2, and so has no room left for its own P1."""
    record, variant = one_round(
        ["P3", "G3", "G4"],
        [
            ("P5 P6 G5", 1, "1 P6"),
            ("P3 G6 P4", 0, "0 P4"),
            ("P5 S2 P1", 1, "1 S2+G6 >2 yes", "2 P1 >0 yes"),
        ],
        ["P3", "G1 P1", "G1 S2"],
        [0, 3, 2],
        [1, 4, 4],
        won=[1, 2],
    )
    check(record, variant)
    place = ["tricks", 2, "captures"]
    assert judged(record, variant, place, lambda given: given[::-1]).endswith("capture 1: seat is 2, expected 1")
    kept = judged(record, variant, [*place, 1, "gift"], None)
    assert kept.startswith(
        "round 1, trick 3, capture 2, gift: null is given, expected to and accepted: seat 2 holds G, S"
    )
    order, _ = one_round(*ONES, won=[0, 1])
    others = judged(
        order, variant_of({"players": 3, "hand.size": 1}), ["tricks", 0, "captures"], lambda c: [c[0], c[2], c[1]]
    )
    assert others == "round 1, trick 1, capture 2: seat is 2, expected 0"


EXTRAS = (
    ["G3", "P3", "G4"],
    [
        ("G1 P2 G5", 1, "1 P2+G5", "0 G1"),  # no pile: not the captured 1, but the earliest other card
        ("P4 P5 P6", 0, "0 P6"),
        ("S4 S2 S5", 1, "1 S2+P5"),  # discarded last, in the order of play
        ("S6 S5 S4", 1, "1 S6"),
        ("G2 G5 G4", 1, "1 G2+S4 >0 no"),  # onto the pile go G2, S4, G5, G4
        ("P2 P1 P1", 1, "1 P2+G4", "2 P1", "0 P1"),
        ("P2 P1 P1", 1, "1 P2+G5", "2 P1", "0 P1"),
        ("P2 P1 P1", 1, "1 P2+S4", "2 P1", "0 P1"),
        ("P2 P1 P1", 1, "1 P2+G2", "2 P1", "0 P1"),
    ],
    ["G2 P5", "P11 S3", "G1 P4"],
    [5, 0, 5],
    [5, 0, 5],
)


def test_t5_the_extra_card_is_the_last_discarded_one_or_the_earliest_that_nobody_captures():
    record, variant = one_round(*EXTRAS, won=[0, 2], changes={"deck.copies": 8})
    check(record, variant)
    for trick, wrong in ((0, "G1"), (0, None), (2, "P4"), (2, "S4"), (4, None), (6, "S4"), (7, "G2"), (8, "S5")):
        fault = judged(record, variant, ["tricks", trick, "captures", 0, "extra"], wrong)
        assert fault.startswith(f"round 1, trick {trick + 1}, capture 1: extra is"), fault
        assert fault.endswith("the earliest card that nobody captures" if trick == 0 else "top of the discard pile")


def test_t5_without_a_pile_or_an_uncaptured_card_there_is_no_extra_card():
    record, variant = one_round(
        ["G3", "P3", "S3"],
        [("P2 P1 P1", 0, "0 P2", "1 P1", "2 P1")],
        ["G1 P1", "P2", "S1 P1"],
        [2, 0, 2],
        [2, 0, 2],
        won=[0, 2],
    )
    check(record, variant)
    for wrong in ("P1", "P2", "shining"):
        fault = judged(record, variant, ["tricks", 0, "captures", 0, "extra"], wrong)
        assert fault.endswith("expected null: neither a pile nor an uncaptured card is there")


SEVEN = {"deck.copies": {"G": [1, 1, 1, 1, 0, 0], "P": [1, 1, 1, 0, 0, 0], "S": 0}}


def test_t6_shining_bamboo_stands_in_once_the_stock_has_run_out():
    """Of seven cards one is left for the extra cards: the leader's side gets it."""
    record, variant = one_round(
        ["G2+G4", "P2+shining", "G1"],
        [("G3 P1 P3", 0, "0 G3")],
        ["G3", "P2", "G1"],
        [0, 0, 1],
        [0, 0, 1],
        won=[2],
        changes=SEVEN,
    )
    check(record, variant)
    early = judged(record, variant, ["first", 0, "extra"], "shining")
    assert early.endswith('extra is "shining", expected a card: the stock hasn\'t run out')
    late = judged(record, variant, ["first", 1, "extra"], "G4")
    assert late.endswith('extra is "G4", expected "shining": the stock has run out')
    assert "expected a card: the stock" in judged(record, variant, ["first", 2, "card"], "shining")


def test_t6_the_stock_goes_round_from_the_leader():
    record, variant = one_round(
        ["G2+shining", "P2+G4", "G1"],
        [("P1 P3 G3", 2, "2 P3", "1 P1")],
        ["G2", "P3", "G1 P1"],
        [0, 0, 2],
        [0, 0, 2],
        won=[2],
        leader=1,
        changes=SEVEN,
    )
    check(record, variant)


def test_t6_a_shining_first_card_has_no_colour_and_no_rank():
    record, variant = one_round(
        ["shining", "shining", "shining"],
        [("G1 G2 G3", 1, "1 G2+G3", "0 G1")],
        ["G1", "G2", ""],
        [1, 0, 0],
        [1, 0, 0],
        won=[0],
        changes={"deck.copies": {"G": [1, 1, 1, 0, 0, 0], "P": 0, "S": 0}, "colours.max": 1},
    )
    check(record, variant)
    assert "expected null: its card is no trump" in judged(record, variant, ["first", 0, "extra"], "shining")


def test_t7_a_1_that_wins_is_captured_once():
    record, variant = one_round(
        ["G3", "P3", "S3"], [("G1 P5 S5", 0, "0 G1")], ["G2", "P1", "S1"], [0, 0, 0], [0, 0, 0], won=[0, 1, 2]
    )
    check(record, variant)
    fault = judged(record, variant, ["tricks", 0, "captures"], lambda captures: captures * 2)
    assert fault == "round 1, trick 1, capture 2: one too many, expected 1 in all"


ENDING_GIFT = (
    ["G3", "P3", "S4"],
    [("P6 P5 P4", 0, "0 P6"), ("S6 S1 S5", 0, "0 S6 >2 yes")],
    ["G1 P1", "P1", "S2"],
    [0, 0, 0],
    [1, 0, 1],
)


def test_t8_a_gift_ends_the_game_on_the_spot():
    """Seat 1 doesn't capture its 1 any more, and the majorities aren't scored."""
    record, variant = one_round(
        *ENDING_GIFT, won=[0, 2], rest=("G5", "G6", "P5"), ended=True, changes={"score.target": 1, "rounds.max": 3}
    )
    check(record, variant)
    more = judged(record, variant, ["tricks", 1, "captures"], lambda captures: [*captures, capture("1 S1")])
    assert more == "round 1, trick 2, capture 2: one too many, expected 1 in all"
    longer = judged(record, variant, ["tricks"], lambda tricks: [*tricks, tricks[0]])
    assert longer == "round 1, trick 3: one too many, expected 2 in all"
    assert "points of seat 0: 2 is given, expected 0" in judged(record, variant, ["points"], [2, 0, 2])
    assert judged(record, variant, ["ended_by_gift"], False) == "round 1: ended_by_gift is false, expected true"
    again = changed(["rounds"], lambda rounds: rounds * 2, record)
    assert fault_of(again, variant) == "round 2: one too many, expected 1 in all"
    assert fault_of(record | {"winners": [0]}, variant) == "record: winners is [0], expected [0, 2]"
    goes_on = variant_of(variant.flat() | {"score.target": 2})
    assert fault_of(record, goes_on) == "round 1, trick 2, capture 2: missing, expected up to 2 in all"


def test_t9_a_toolkit_game_begins_at_seat_0_and_a_table_game_anywhere():
    for by in range(4):
        record = turned(GAME, by)
        check(record, CLASSIC)
        if by:
            fault = fault_of(record | {"seed": 1, "index": 0})
            assert fault == f"round 1: leader is {by}, expected 0"
    for wrong in (4, -1, None, 1.0, True):
        assert "expected a seat from 0 to 3" in fault_of(changed(["rounds", 0, "leader"], wrong, turned(GAME, 1)))


def test_the_winner_of_the_last_trick_leads_the_next_round():
    front = ["G2", "P1", "S1"]
    rounds = [
        scripted(["G3", "P3", "S3"], [("G4 G6 G5", 0, "0 G6")], front, [0, 0, 0], [0, 0, 0], leader=2),
        scripted(["G3", "P3", "S3"], [("G6 G4 G5", 0, "0 G6")], front, [0, 0, 0], [0, 0, 0], leader=0),
    ]
    record, variant = table_game(rounds, [0, 1, 2])
    check(record, variant)
    fault = fault_of(changed(["rounds", 1, "leader"], 2, record), variant)
    assert fault == "round 2: leader is 2, expected 0"


def test_t10_a_forced_refusal_costs_the_penalty_too():
    record, variant = one_round(
        ["G3", "G4", "S3"],
        [("S6 S5 S4", 0, "0 S6 >2 yes"), ("P6 P5 P4", 0, "0 P6 >1 no")],
        ["G1", "G1", "S2"],
        [2, 2, 0],
        [2, 2, 1],
        won=[0, 1],
        changes={"colours.max": 1},
    )
    check(record, variant)
    fault = judged(record, variant, ["tricks", 1, "captures", 0, "gift", "accepted"], True)
    assert fault.endswith("accepted is true, expected false: seat 1 holds G and may hold no other colour")


def test_t10_a_score_never_falls_below_0():
    """Seat 0 loses the one point that it has, of a penalty of 5."""
    record, variant = one_round(
        ["G3", "G4", "S3"],
        [("S6 S5 S4", 0, "0 S6 >2 yes"), ("P6 P5 P4", 0, "0 P6 >1 no")],
        ["G1", "G1", "S2"],
        [2, 2, 0],
        [2, 2, 1],
        won=[0, 1],
        changes={"colours.max": 1, "gift.penalty": 5},
    )
    check(record, variant)


def test_t10_past_the_target_the_nearest_to_it_wins_and_the_payer_can_be_the_refuser():
    """Scores 3-3-0, then 3-2-0 as seat 1, who won the trick, refuses, then 6-5-0: a target of 5."""
    record, variant = one_round(
        ["G3", "G4", "S3"],
        [
            ("P6 P5 P4", 0, "0 P6"),
            ("S6 S5 S4", 0, "0 S6 >1 yes"),
            ("S1 S6 G5", 1, "1 S6", "0 S1 >1 no"),
            ("S5 G6 S1", 1, "1 S5", "0 S1 >1 yes"),
        ],
        ["G1 P1", "G1 S4", "S1"],
        [0, 0, 0],
        [6, 5, 0],
        won=[1],
        ended=True,
        changes={"gift.points": 3, "score.target": 5},
    )
    check(record, variant)
    with_scores = copy.deepcopy(record)
    for trick, row in zip(
        with_scores["rounds"][0]["tricks"], ([0, 0, 0], [3, 3, 0], [3, 2, 0], [6, 5, 0]), strict=True
    ):
        trick["scores"] = row
    check(with_scores, variant)
    fault = judged(with_scores, variant, ["tricks", 2, "scores"], [2, 3, 0])
    assert fault == "round 1, trick 3, scores of seat 0: 2 is given, expected 3"


def test_t11_a_losing_trump_that_is_a_1_of_the_leaders_colour_has_no_extra_card():
    record, variant = one_round(
        ["S3", "P3", "G3"],
        [("G5 P1 G1", 1, "1 P1+G5", "2 G1"), ("P1 P5 P1", 1, "1 P1+P5", "0 P1")],
        ["S1 P1", "P5", "G2"],
        [1, 0, 0],
        [1, 0, 0],
        won=[0],
        trump=1,
        changes={"trump.ranks": [1]},
    )
    check(record, variant)
    fault = judged(record, variant, ["tricks", 0, "captures", 1, "extra"], "G5")
    assert fault.endswith("expected null: only a winning trump has one")


def test_t11_a_1_whose_gift_is_refused_is_not_the_extra_card_of_its_trick():
    record, variant = one_round(
        ["G3", "P3", "S3"],
        [("S1 P2 G5", 1, "1 P2+G5", "0 S1 >2 no"), ("P2 P5 P6", 1, "1 P2+S1")],
        ["G1", "P5", "S1"],
        [0, 0, 0],
        [0, 0, 0],
        won=[0, 1, 2],
        changes={"colours.max": 1},
    )
    check(record, variant)
    fault = judged(record, variant, ["tricks", 0, "captures", 0, "extra"], "S1")
    assert fault.endswith('extra is "S1", expected "G5": the earliest card that nobody captures')


def test_a_capture_within_the_colours_is_no_gift():
    record, variant = one_round(*ONES, won=[0, 1])
    fault = judged(record, variant, ["tricks", 0, "captures", 2, "gift"], {"to": 0, "accepted": True})
    assert fault.endswith("expected null: seat 2 may hold G1")


@pytest.mark.parametrize(("target", "won"), [(5, [0, 1]), (4, [0, 1]), (3, [0, 1]), (2, [0, 1]), (1, [2])])
def test_of_those_at_the_target_the_nearest_wins(target, won):
    changes = {"score.target": target, "rounds.max": 3 if target < 5 else 1}
    record, variant = one_round(*ONES, won=won, changes=changes)
    check(record, variant)
    for wrong in ([0], [1], [0, 1, 2], [*won, 3]):
        assert f"expected {won}" in fault_of(record | {"winners": wrong}, variant)


def test_a_game_goes_on_until_the_target_or_the_last_round():
    record, variant = one_round(*ONES, won=[0, 1], changes={"rounds.max": 3})
    assert fault_of(record, variant) == "round 2: missing, expected up to 3 in all"
    twice = changed(["rounds"], lambda rounds: rounds * 2, record)
    over = variant_of(variant.flat() | {"score.target": 4})
    assert fault_of(twice, over) == "round 2: one too many, expected 1 in all"


def test_an_ended_game_is_right_with_the_cards_that_were_not_played():
    check(ENDED, ENDING)
    assert any(len(trick["plays"]) for trick in ENDED["rounds"][0]["tricks"])
    wrong = changed(["rounds", 0, "tricks"], lambda tricks: tricks[:-1], ENDED)
    assert "missing, expected up to 10" in fault_of(wrong, ENDING)


# as lines of a file


def test_a_line_of_a_file_is_judged():
    judge(json.dumps(GAME))
    judge(json.dumps(SMALL_GAME | {"variant": "small"}))
    with pytest.raises(RuleViolation, match=r"round 2, trick 3: winner is 9"):
        judge(json.dumps(changed(["rounds", 1, "tricks", 2, "winner"], 9)))


def test_a_preset_needs_no_parameters():
    for variant in (variant_of({"players": 6}), make_variant(TAKE_TRICK, base="nine", settings={"players": 3})):
        record = played(variant)
        assert record["variant"] in ("classic", "nine")
        judge(json.dumps(without("parameters")(record)))
