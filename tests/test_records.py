"""Records of any game: sound JSON, an envelope that fits, lines judged one by one."""

import io
import json
import random
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simlib import records
from simlib.errors import RuleViolation
from simlib.records import Verdict, judge, parse, variant_of, verify

LETTERS = "RBGY"


def record(players=4, size=11, rounds=None, *, copies=None, single=5, **changes):
    """Return a right record of Suppose: each seat bids 0 and plays its hand from left to right."""
    copies = copies or [1 if players == 3 and rank in (3, 4) else 2 for rank in range(1, 7)]
    deck = [(c, rank) for c in LETTERS for rank, number in enumerate(copies, 1) for _ in range(number)]
    random.Random(players).shuffle(deck)
    layouts = [sorted(deck[seat * size : (seat + 1) * size], reverse=True) for seat in range(players)]
    totals, played = [0] * players, []
    for start in range(rounds or players):
        tricks, leader = [], start % players
        for at in range(size):
            cards = [
                ((leader + turn) % players, *layouts[(leader + turn) % players - 1][at]) for turn in range(players)
            ]
            winner = max(cards, key=lambda card: (card[1] == cards[0][1], card[2], -cards.index(card)))[0]
            plays = [[seat, at + 1, f"{colour}{rank}"] for seat, colour, rank in cards]
            tricks.append({"leader": leader, "plays": plays, "winner": winner})
            leader = winner
        won = [sum(trick["winner"] == seat for trick in tricks) for seat in range(players)]
        bonus = [0 if won[(seat + 1) % players] else single for seat in range(players)]
        points = [tricks_of + extra for tricks_of, extra in zip(won, bonus, strict=True)]
        totals = [total + more for total, more in zip(totals, points, strict=True)]
        hands = [
            {"maker": seat, "holder": (seat + 1) % players, "layout": [f"{c}{r}" for c, r in layouts[seat]], "bid": [0]}
            for seat in range(players)
        ]
        scoring = {"tricks_won": won, "bonus": bonus, "points": points, "totals": totals}
        played.append({"start": start % players, "hands": hands, "tricks": tricks} | scoring)
    table = {
        "format": "simlib-record/1",
        "game": "suppose",
        "variant": "classic",
        "seed": 7,
        "index": 0,
        "players": ["random"] * players,
        "rounds": played,
        "scores": totals,
        "winners": [seat for seat in range(players) if totals[seat] == max(totals)],
    }
    return table | changes


def line_of(table):
    return json.dumps(table)


GAME = record()
LINE = line_of(GAME)


def fault_of(line):
    with pytest.raises(RuleViolation) as caught:
        judge(line)
    text = str(caught.value)
    assert text.isprintable() and len(text) < 1200
    return text


def fault_with(**changes):
    return fault_of(line_of(GAME | changes))


def without(key):
    return {name: value for name, value in GAME.items() if name != key}


# sound JSON


def test_a_right_record_passes_as_text_and_as_bytes():
    judge(LINE)
    judge(LINE.encode())
    judge(LINE + "\n")
    judge(LINE + "\r\n")
    judge("  " + LINE + "\t")


def test_key_order_is_free():
    judge(line_of(dict(reversed(GAME.items()))))


def test_names_may_be_in_any_script():
    assert parse('{"players": ["はぎぞう", "\\u306f", "\\ud83c\\udccf"]}')["players"] == ["はぎぞう", "は", "🃏"]
    judge(json.dumps(GAME | {"players": ["はぎぞう", "B", "C", "D"]}, ensure_ascii=False).encode())


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("{'format': 1}", "not JSON"),
        ('{"a": 1,}', "not JSON"),
        ('{"a": 1} {"a": 1}', "not JSON: extra data (character 10 of the line)"),
        ('{"a": 01}', "not JSON"),
        ('{"a": +1}', "not JSON"),
        ('{"a": .5}', "not JSON"),
        ('{"a": "\t"}', "not JSON: invalid control character (character 8 of the line)"),
        (r'{"a": "\x41"}', "not JSON: invalid \\escape"),
        (r'{"a": "\u12g4"}', "not JSON: invalid \\uxxxx escape"),
        ("[]", "[] is given, expected a JSON object"),
        ("null", "null is given, expected a JSON object"),
        ("7", "7 is given"),
        ('"text"', '"text" is given'),
        ('{"a": NaN}', "NaN is no number"),
        ('{"a": Infinity}', "Infinity is no number"),
        ('{"a": -Infinity}', "-Infinity is no number"),
        ('{"a": 1e999}', "the number 1e999 can't be held exactly"),
        ('{"a": -1e999999999999999999999999}', "can't be held exactly"),
        ('{"a": 1e-999999999999999999999999}', "can't be held exactly"),
        ('{"a": 0.1000000000000000000000000001}', "can't be held exactly"),
        ('{"a": 1, "b": 2, "a": 1}', 'key "a" is given twice in one object'),
        (r'{"b": [{"a": 1, "\u0061": 2}]}', 'key "a" is given twice in one object'),
        (r'{"a": "\ud800"}', "half of a surrogate pair"),
        (r'{"a": ["x\udc00y"]}', "half of a surrogate pair"),
        (r'{"\udfff": 1}', "half of a surrogate pair"),
        ('{"a": "\ud800"}', "not UTF-8 text (byte 8 of the line)"),
        (b'{"a": "\xff"}', "not UTF-8 text (byte 8 of the line)"),
        (b'{"a": "\xed\xa0\x80"}', "not UTF-8 text"),
        (b'{"a": "\xc0\xaf"}', "not UTF-8 text"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        ("\ufeff{}", "byte order mark"),
        ("{}".encode("utf-16"), "not UTF-8 text"),
        ("{}".encode("utf-16-le"), "not JSON"),
        (b"\x00", "not JSON"),
        (b"\x1f\x8b\x08\x00", "not UTF-8 text"),
    ],
)
def test_what_is_no_sound_json_is_a_fault(line, text):
    assert text in fault_of(line)
    with pytest.raises(RuleViolation):
        parse(line)


@pytest.mark.parametrize("opening", ["[", '{"a":', '{"a":['])
@pytest.mark.parametrize("depth", [40, 900, 1100, 100_000])
def test_a_nesting_bomb_is_a_fault(opening, depth):
    closing = opening.replace('"a":', "")[::-1].translate(str.maketrans("[{", "]}"))
    fault = "more than 32 deep"
    assert fault in fault_of('{"a":' + opening * depth + "1" + closing * depth + "}")
    assert fault_of('{"a":' + opening * depth)


@pytest.mark.parametrize("digits", [101, 4299, 4301, 100_000, 5_000_000])
def test_a_huge_number_is_a_fault(digits):
    assert f"a number of {digits} digits" in fault_of('{"a": ' + "9" * digits + "}")
    assert "can't be held exactly" in fault_of('{"a": 0.' + "3" * digits + "}")


def test_a_hundred_digits_are_allowed():
    assert parse('{"a": ' + "9" * 100 + "}") == {"a": 10**100 - 1}


def test_numbers_keep_their_kind_and_value():
    assert repr(parse('{"a": [1, -0, 1.0, 0.1, 1e2, 2.50]}')["a"]) == "[1, 0, 1.0, 0.1, 100.0, 2.5]"


def test_a_long_text_is_a_fault():
    for table in (GAME | {"variant": "x" * 1001}, GAME | {"x" * 1001: 1}):
        assert "a text of 1001 characters, more than the 1000" in fault_of(line_of(table))
    assert "1001" not in fault_of(line_of(GAME | {"variant": "x" * 1000}))


def test_a_line_over_ten_megabytes_is_refused():
    for line in (LINE + " " * 10_000_000, (LINE + " " * 10_000_000).encode()):
        assert fault_of(line) == "the line is longer than 10,000,000 bytes, the most a record may have"
    judge(LINE + " " * (10_000_000 - len(LINE)) + "\n")


# the envelope


@pytest.mark.parametrize(
    "key", ["format", "game", "variant", "seed", "index", "players", "rounds", "scores", "winners"]
)
def test_no_key_may_be_missing(key):
    assert f'key "{key}" is missing' in fault_of(line_of(without(key)))


def test_unknown_keys_are_faults():
    assert 'unknown key "trump"' in fault_with(trump=4)
    assert 'unknown key "remark"' in fault_with(remark="well played")


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        ("format", "simlib-record/2", 'format is "simlib-record/2", expected "simlib-record/1"'),
        ("format", None, "format is null"),
        ("format", 1, "format is 1"),
        ("format", ["simlib-record/1"], 'format is ["simlib-record/1"]'),
        ("game", "supose", "unknown game 'supose'; did you mean 'suppose'?"),
        ("game", "Suppose", "unknown game"),
        ("game", "", 'game is "", expected a name'),
        ("game", None, "game is null, expected a name"),
        ("game", ["suppose"], 'game is ["suppose"], expected a name'),
        ("game", "../suppose", "unknown game"),
        ("game", "simlib", "unknown game"),
        ("variant", None, "variant is null, expected a name"),
        ("variant", 4, "variant is 4, expected a name"),
        ("variant", " ", 'variant is " ", expected a name'),
        ("players", None, "players is null, expected a list of names"),
        ("players", 4, "players is 4"),
        ("players", "abcd", 'players is "abcd"'),
        ("players", {}, "players is {}"),
        ("players", [], "players = 0"),
        ("players", ["a"] * 5, "players = 5: it must be a whole number from 3 to 4"),
        ("players", ["a", "b", "c", ""], 'player at seat 3: "" is given, expected a name'),
        ("players", ["a", "b", "c", 4], "player at seat 3: 4 is given, expected a name"),
        ("seed", None, "seed and index must both be whole numbers or both null"),
        ("index", None, "seed and index must both be whole numbers or both null"),
        ("seed", True, "seed is true, expected a whole number or null"),
        ("seed", 1.0, "seed is 1.0, expected a whole number or null"),
        ("seed", "1", 'seed is "1"'),
        ("seed", [], "seed is []"),
        ("index", False, "index is false"),
        ("index", 0.0, "index is 0.0"),
        ("index", -1, "index is -1, expected the game's number, from 0"),
        ("parameters", None, "parameters is null, expected an object"),
        ("parameters", [], "parameters is [], expected an object"),
        ("parameters", "classic", 'parameters is "classic"'),
        ("rounds", None, "rounds is null, expected a list of 4"),
        ("scores", 0, "scores is 0"),
        ("winners", None, "winners is null"),
    ],
)
def test_each_value_of_the_envelope_is_judged(key, value, text):
    assert text in fault_with(**{key: value})


def test_seed_and_index_are_both_null_at_the_table():
    judge(line_of(GAME | {"seed": None, "index": None}))
    judge(line_of(GAME | {"seed": -5, "index": 10**20}))


def test_the_toolkits_games_start_at_seat_0_and_table_games_anywhere():
    rounds = record(rounds=5)["rounds"][1:]
    totals = [0] * 4
    for played in rounds:
        totals = [total + more for total, more in zip(totals, played["points"], strict=True)]
        played["totals"] = totals
    best = [seat for seat in range(4) if totals[seat] == max(totals)]
    table = GAME | {"seed": None, "index": None, "rounds": rounds, "scores": totals, "winners": best}
    judge(line_of(table))
    assert fault_of(line_of(table | {"seed": 1, "index": 1})) == "round 1: start is 1, expected 0"


# the variant


def variant(parameters=None, name="mine", players=4):
    table = {"format": "simlib-record/1", "game": "suppose", "variant": name, "seed": None, "index": None}
    return variant_of(table | {"players": ["a"] * players} | ({} if parameters is None else {"parameters": parameters}))


def variant_fault(parameters=None, name="mine", players=4):
    with pytest.raises(RuleViolation) as caught:
        variant(parameters, name, players)
    assert str(caught.value).isprintable() and len(str(caught.value)) < 1200
    return str(caught.value)


def test_parameters_may_be_left_out_of_a_preset():
    assert variant(None, "classic").parameters.players == 4
    three = variant(None, "classic", players=3)
    assert three.parameters.deck.copies[0] == [2, 2, 1, 1, 2, 2]
    judge(line_of(record(3)))


def test_parameters_may_not_be_left_out_of_another_variant():
    assert 'key "parameters" is missing: "mine" is no preset of suppose' in variant_fault(None, "mine")
    assert variant({}, "mine").parameters == variant(None, "classic").parameters


def test_the_variant_keeps_the_name_in_the_record():
    assert variant({"bid.double": 3}, "Lenient").name == "Lenient"
    assert variant(None, "classic").name == "classic"


def test_dotted_and_nested_names_may_be_mixed():
    dotted = variant({"bid.double": 3, "bid.single": 6, "deck.copies": 3, "hand.visible": [2]})
    nested = variant({"bid": {"double": 3, "single": 6}, "deck": {"copies": 3}, "hand": {"visible": [2]}})
    mixed = variant({"bid.double": 3, "bid": {"single": 6}, "deck": {"copies": [3] * 6}, "hand.visible": [2]})
    assert dotted == nested == mixed
    assert str(dotted.parameters.bid.double) == "3"


@pytest.mark.parametrize(
    "parameters",
    [
        {"deck.copies": {"R": 3, "B": [2, 2, 2, 2, 2, 1]}},
        {"deck": {"copies": {"R": 3, "B": [2, 2, 2, 2, 2, 1]}}},
        {"deck": {"copies.R": 3, "copies": {"B": [2, 2, 2, 2, 2, 1]}}},
        {"deck.copies.R": 3, "deck.copies.B": [2, 2, 2, 2, 2, 1]},
        {"deck.copies.B": [2, 2, 2, 2, 2, 1], "deck": {}, "deck.copies": {"R": 3}},
    ],
)
def test_copies_may_be_a_table_by_colour_in_any_spelling(parameters):
    copies = variant(parameters).parameters.deck.copies
    assert copies == [[3] * 6, [2, 2, 2, 2, 2, 1], [2] * 6, [2] * 6]


def test_missing_parameters_have_their_classic_value_for_that_number_of_players():
    changed = variant({"bid.double": 3}, players=3).parameters
    assert (changed.players, changed.rounds, changed.hand.size, changed.hand.visible) == (3, 3, 11, [1, 6, 11])
    assert changed.deck.copies[3] == [2, 2, 1, 1, 2, 2]
    assert variant({"hand.size": 4}).parameters.hand.visible == [1, 2, 4]


def test_a_preset_may_be_spelled_out():
    judge(line_of(GAME | {"parameters": variant(None, "classic").flat()}))
    judge(line_of(GAME | {"parameters": {}}))
    judge(line_of(GAME | {"parameters": {"deck.copies": [2] * 6, "bid": {"single": 5.0}, "hand.visible": [11, 6, 1]}}))
    judge(line_of(record(3) | {"parameters": {"players": 3, "rounds": 3, "deck.copies": [2, 2, 1, 1, 2, 2]}}))


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ({"bid.double": 3}, 'bid.double is 3, expected 2 as in the preset "classic"'),
        ({"bid": {"double": 2.5}}, "bid.double is 2.5, expected 2"),
        ({"rounds": 3}, "rounds is 3, expected 4"),
        ({"deck.copies": 3}, "deck.copies is 3, expected 2"),
        ({"deck.copies": {"R": 3}}, 'deck.copies is {"R": 3, "B": 2, "G": 2, "Y": 2}, expected 2'),
        ({"hand.visible": []}, "hand.visible is [], expected [1, 6, 11]"),
    ],
)
def test_a_changed_preset_must_have_another_name(parameters, text):
    assert text in fault_with(parameters=parameters)
    assert variant(parameters, "mine")


def test_the_classic_game_for_three_has_other_copies_than_for_four():
    assert "deck.copies is 2, expected [2, 2, 1, 1, 2, 2]" in variant_fault({"deck.copies": 2}, "classic", 3)


def test_the_parameter_players_must_be_the_number_of_names():
    assert fault_with(parameters={"players": 3}) == "player at seat 3: one too many, expected 3 in all"
    assert "player at seat 3: missing, expected 4" in fault_of(line_of(record(3) | {"parameters": {"players": 4}}))


def test_a_game_of_a_changed_variant_is_judged_by_it():
    own = record(3, 2, 1, copies=[3, 3], single=2.5, variant="small", seed=None, index=None)
    parameters = {"deck": {"ranks": 2, "copies": 3}, "hand.size": 2, "rounds": 1, "bid.single": 2.5}
    judge(line_of(own | {"parameters": parameters}))
    assert "bonus of seat" in fault_of(line_of(own | {"parameters": parameters | {"bid.single": 4}}))


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ({"bid.tripel": 3}, "unknown key 'bid.tripel'"),
        ({"bid.doubel": 3}, "did you mean 'bid.double'?"),
        ({"nothing": {}}, "unknown key 'nothing'"),
        ({"": 1}, "unknown key"),
        ({"a..b": 1}, "unknown key"),
        ({"bid.double": 3, "bid": {"double": 3}}, '"bid.double" is given twice'),
        ({"bid": 3, "bid.double": 3}, "puts a key below a value"),
        ({"bid.double": 3, "bid": 3}, "puts a key below a value"),
        ({"deck.copies.R": 3, "deck.copies": 2}, "puts a key below a value"),
        ({"bid": []}, "bid"),
        ({"bid.double": None}, '"bid.double" is null, expected a value'),
        ({"rounds": None}, '"rounds" is null'),
        ({"deck": {"copies": None}}, '"deck.copies" is null'),
        ({"hand.size": 11.0}, "hand.size = 11.0"),
        ({"hand.size": True}, "hand.size = True"),
        ({"hand.size": "11"}, "hand.size = '11'"),
        ({"hand.size": 10**99}, "hand.size"),
        ({"hand.size": 20}, "the deck has 48"),
        ({"hand.visible": [1, 1]}, "a position is given twice"),
        ({"hand.visible": [1.0]}, "hand.visible = 1.0"),
        ({"bid.double": 2.125}, "bid.double = 2.125"),
        ({"bid.double": 1e300}, "bid.double = 1e+300"),
        ({"bid.double": -1}, "bid.double = -1"),
        ({"bid.double": True}, "bid.double = True"),
        ({"bid.double": {"x": 1}}, "bid.double"),
        ({"deck.copies": {"P": 1}}, "unknown key 'deck.copies.P'"),
        ({"deck.copies": {"a\nb\u2028": 1}}, "unknown key 'deck.copies.a\\nb\\u2028'"),
        ({"deck.copies": [2] * 5}, "deck.copies"),
        ({"deck.copies": [2] * 100_000}, "deck.copies"),
        ({"players": {}}, "players"),
        ({"players": {"x": 1}}, "puts a key below a value"),
        ({"players": "4"}, "players = '4'"),
        ({"players": 4.0}, "players = 4.0"),
        ({".".join("a" * 500): 1}, "unknown key"),
        ({"bid.single": {".".join("a" * 500): {".".join("b" * 500): {".".join("c" * 500): 1}}}}, "unknown key"),
        ({".".join("ab"): {".".join("c" * 500): {".".join("d" * 500): 1}}}, "unknown key"),
        ({"base": "classic"}, "unknown key 'base'"),
        ({"deck.copies.1": 3}, "expected a colour's letter"),
        ({"deck.copies": {"1": 3}}, "expected a colour's letter"),
        ({"name": "x"}, "unknown key 'name'"),
        ({"title": "x"}, "unknown key 'title'"),
        ({"game": "suppose"}, "unknown key 'game'"),
    ],
)
def test_parameters_that_are_none_are_faults(parameters, text):
    fault = variant_fault(parameters)
    assert text in fault, fault
    assert fault.startswith("parameters"), fault
    assert text in fault_with(variant="mine", parameters=parameters)


def test_a_flood_of_parameters_is_a_fault():
    assert "more than the 1000 keys" in variant_fault({f"x{number}": 1 for number in range(1001)})
    assert "unknown key" in variant_fault({f"x{number}": 1 for number in range(1000)})


def test_judging_leaves_the_parameters_alone():
    parsed = parse(
        line_of(GAME | {"variant": "mine", "parameters": {"deck": {}, "deck.copies": {"R": 3}, "bid.double": 3}})
    )
    before = json.dumps(parsed)
    variant_of(parsed)
    assert json.dumps(parsed) == before


def test_one_variant_spelled_by_many_games_is_built_once(monkeypatch):
    calls = []
    real = records.make_variant
    monkeypatch.setattr(records, "make_variant", lambda *args, **kwargs: calls.append(1) or real(*args, **kwargs))
    records._variant.cache_clear()
    for _ in range(10):
        judge(LINE)
    assert len(calls) == 2  # the record's and the preset's


# whatever a line holds


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=5),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(max_size=5), below, max_size=3),
    max_leaves=8,
)
SMALL = record(3, 2, 1, copies=[3, 3], variant="small")
SMALL["parameters"] = {"deck.ranks": 2, "deck.copies": 3, "hand": {"size": 2}, "rounds": 1}
PARAMETERS = ["deck", "deck.colours", "deck.copies", "deck.copies.R", "hand", "hand.size", "hand.visible", "players"]
PARAMETERS += ["bid", "bid.single", "bid.min_guesses", "score.trick", "rounds", "x"]


def only_rule_violations(line):
    try:
        judge(line)
    except RuleViolation as fault:
        assert str(fault).isprintable()


@settings(max_examples=300, deadline=None)
@given(key=st.sampled_from([*SMALL, "x"]), value=JSON)
def test_any_value_in_the_envelope_never_crashes(key, value):
    only_rule_violations(json.dumps(SMALL | {key: value}))


@settings(max_examples=400, deadline=None)
@given(parameters=st.dictionaries(st.sampled_from(PARAMETERS) | st.text(max_size=5), JSON, max_size=4))
def test_any_parameters_never_crash(parameters):
    only_rule_violations(json.dumps(SMALL | {"parameters": parameters}))


@settings(max_examples=300, deadline=None)
@given(line=st.binary(max_size=40) | st.text(max_size=40) | JSON.map(json.dumps))
def test_any_line_never_crashes(line):
    fault_of(line)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(at=st.integers(0, len(LINE) - 1), length=st.integers(0, 5), into=st.binary(max_size=5))
def test_a_damaged_line_never_crashes(at, length, into):
    raw = LINE.encode()
    only_rule_violations(raw[:at] + into + raw[at + length :])


# files


def verdicts(content):
    return list(verify(io.BytesIO(content)))


RIGHT = line_of(SMALL).encode()


def test_each_line_has_its_verdict():
    found = verdicts(RIGHT + b"\n" + b"{}\n" + RIGHT)
    assert found == [Verdict(1), Verdict(2, 'key "format" is missing'), Verdict(3)]
    assert [verdict.ok for verdict in found] == [True, False, True]


def test_lines_may_end_as_on_any_system():
    assert verdicts(RIGHT + b"\r\n" + RIGHT + b"\r\n") == [Verdict(1), Verdict(2)]


def test_the_final_newline_is_free():
    assert verdicts(RIGHT) == verdicts(RIGHT + b"\n") == [Verdict(1)]


@pytest.mark.parametrize("blank", [b"\n", b"  \n", b"\t\r\n", b" "])
def test_blank_lines_are_faults(blank):
    empty = "empty line, expected a record"
    assert verdicts(RIGHT + b"\n" + blank) == [Verdict(1), Verdict(2, empty)]
    if blank.endswith(b"\n"):
        assert verdicts(blank + RIGHT) == [Verdict(1, empty), Verdict(2)]


def test_an_empty_file_is_one_fault():
    assert verdicts(b"") == [Verdict(1, "the file is empty, expected a record a line")]
    assert list(verify([])) == verdicts(b"")


def test_any_lines_are_judged():
    assert list(verify([RIGHT, RIGHT + b"\n", b""])) == [
        Verdict(1),
        Verdict(2),
        Verdict(3, "empty line, expected a record"),
    ]


class Lines:
    """A file of endless right records, which notes how much was read."""

    def __init__(self):
        self.read = 0

    def __iter__(self):
        raise AssertionError("a file is read by bounded lines")

    def readline(self, limit):
        assert 0 < limit <= 10_000_001
        self.read += 1
        return RIGHT + b"\n"


def test_files_are_read_as_they_are_judged():
    lines = Lines()
    found = verify(lines)
    assert lines.read == 0
    assert next(found) == Verdict(1)
    assert next(found) == Verdict(2)
    assert lines.read == 2


class Giant(io.RawIOBase):
    """A line of very many brackets and two right records, made while it is read."""

    def __init__(self, size):
        self.left, self.tail = size, io.BytesIO(b"\n" + RIGHT + b"\n" + RIGHT)

    def readline(self, limit=-1):
        assert 0 < limit <= 10_000_001
        taken = min(limit, self.left)
        self.left -= taken
        return b"[" * taken + (self.tail.readline(limit - taken) if taken < limit else b"")


def test_a_giant_line_is_one_fault_and_never_held():
    tracemalloc.start()
    try:
        found = list(verify(Giant(300_000_000)))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found == [
        Verdict(1, "the line is longer than 10,000,000 bytes, the most a record may have"),
        *map(Verdict, (2, 3)),
    ]
    assert peak < 60_000_000


@pytest.mark.parametrize("extra", [-1, 0, 1, 2])
@pytest.mark.parametrize("end", [b"", b"\n"])
def test_the_longest_line_is_ten_megabytes(extra, end):
    line = RIGHT + b" " * (10_000_000 + extra - len(RIGHT))
    first, *rest = verdicts(line + end + (RIGHT if end else b""))
    assert first.ok == (extra <= 0)
    assert rest == ([Verdict(2)] if end else [])


def test_a_giant_last_line_without_an_end():
    assert [verdict.ok for verdict in verdicts(RIGHT + b"\n" + b"[" * 25_000_000)] == [True, False]
