"""The soak: it finds nothing in games as they are played, and each invariant is seen to break once."""

import ast
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from benchmarks.soak import __main__ as command
from benchmarks.soak import chunks, invariants
from benchmarks.soak.invariants import Fault, first_fault
from simlib.batch import Arm, Seating, columns_of
from simlib.games import game_named, games, make_variant
from simlib.hooks import seated

pytestmark = pytest.mark.kernel
each_game = pytest.mark.parametrize("game", games().values(), ids=games())
GAMES, FAULTY = 3, 1  # games kept, and which of them a fault is planted in
SETTINGS = {"take_trick": {"colours.max": 1, "score.target": 400}}  # many gifts, and all rounds are played


@lru_cache
def played(name):
    """Return a variant with some kept games of it."""
    game = game_named(name)
    variant = make_variant(game, settings=SETTINGS.get(name, {}))
    known = game.module("players").PLAYERS
    arm = Arm(variant, (seated("random", known, "test"),) * variant.parameters.players)
    return variant, *Seating(arm).play(5, 0, GAMES, keep=True)


def found(name, plant):
    """Return the first fault that is found after something was changed in a game's rows, tables and secrets."""
    variant, *kept = played(name)
    rows, tables, secrets = (array.copy() for array in kept)
    plant(rows[FAULTY], tables[FAULTY], secrets[FAULTY])
    return first_fault(chunks.checker_of(game_named(name)), variant, rows, tables, secrets)


# What is as it must be


@pytest.mark.slow
@each_game
def test_some_thousand_random_games_keep_every_invariant(game):
    results = list(chunks.soak(game, 7000, 2, 2, quiet=True))
    assert [result.fault for result in results] == [""] * 28
    assert sum(result.games for result in results) == 7000
    assert sum(result.judged for result in results) == 4
    assert len({result.variant for result in results}) > 25


@each_game
def test_what_is_found_depends_on_the_seed_and_not_on_the_jobs(game):
    one, other, third = (list(chunks.soak(game, 1100, *numbers, quiet=True)) for numbers in [(7, 1), (7, 2), (8, 2)])
    assert one == other
    assert [result.variant for result in one] != [result.variant for result in third]


# What isn't


def swap(array, one, other):
    """Swap two items of an array."""
    array[one], array[other] = array[other].copy(), array[one].copy()


def another(array, place, values):
    """Put into a place of an array one of the values that aren't in it."""
    array[place] = next(value for value in values if value not in array)


def layout(change):
    """Return a plant that changes the layout that seat 1 holds."""
    return lambda _, tables, secrets: change(secrets[0]["layouts"][1, :11])


def rising(cards):
    """Let the first two different cards of one colour change places."""
    falls = (cards[:-1] // 32 == cards[1:] // 32) & (cards[:-1] > cards[1:])
    place = np.flatnonzero(falls)[0]
    swap(cards, place, place + 1)


def split(cards):
    """Move the first card of a layout to its end."""
    assert cards[0] // 32 == cards[1] // 32 != cards[-1] // 32
    cards[:] = np.roll(cards, -1)


def bid(*guesses):
    """Return a plant that changes a bid."""
    return lambda _, tables, secrets: secrets[1]["guesses"].__setitem__(2, guesses)


def table(field, *index, add=1, round_=0):
    """Return a plant that adds to a number of a round's TABLE."""

    def plant(_, tables, secrets):
        array = tables[field][round_, ...]
        if index:
            array[index] += add
        else:
            tables[field][round_] += add

    return plant


def play_again(_, tables, secrets):
    """Let seat 0 play the position of its first trick in the second one too."""
    positions = tables[0]["positions"]
    positions[1, -int(tables[0]["winners"][0]) % 4] = positions[0, 0]


def revoke(_, tables, secrets):
    """Let a follower play in the first trick what it played in the second."""
    cards, second = tables[0]["cards"], (1 - int(tables[0]["winners"][0])) % 4
    cards[0, 1], cards[1, second] = cards[1, second], cards[0, 1]


def not_held(_, tables, secrets):
    another(tables[0]["cards"][:, 0], 0, tables[0]["cards"][0, 1:])


def gift(field, change, which=0):
    """Return a plant that changes a gift of the first round."""

    def plant(_, tables, secrets):
        number = np.flatnonzero(tables[0]["gifts"]["accepted"][: tables[0]["gift_count"]] == 0)[which]
        one = tables[0]["gifts"][number]
        one[field] = change(one)

    return plant


def secret(field, index, value):
    """Return a plant that changes a number of the first round's SECRET."""
    return lambda _, tables, secrets: secrets[field][0].__setitem__(index, value)


def deck_twice(_, tables, secrets):
    secrets[0]["deck"][0] = secrets[0]["deck"][1]


PLANTED = [
    ("suppose", "the shuffled deck isn't the deck", deck_twice),
    ("suppose", "the start marker isn't where it moved to", table("start", round_=2)),
    ("suppose", "with a card that wasn't dealt to its maker", layout(lambda cards: another(cards, 4, range(128)))),
    ("suppose", "a rank rises within a colour", layout(rising)),
    ("suppose", "a layout has a colour in two places", layout(split)),
    ("suppose", "a bid has too few guesses", bid(-1, -1)),
    ("suppose", "a guess isn't a count of tricks", bid(2, 12)),
    ("suppose", "the guesses of a bid don't rise", bid(3, 3)),
    ("suppose", "a position is played that holds no card", play_again),
    ("suppose", "a position is played that holds no card", table("positions", 3, 0, add=11)),
    ("suppose", "isn't won by the highest of the lead colour", table("winners", 4)),
    ("suppose", "a score isn't what tricks and bids add up to", table("scores", 2, add=-1)),
    ("suppose", "the game ends with another round", table("over", add=-1, round_=3)),
    ("suppose", "the game ends with another round", table("over")),
    ("gara_tori", "the shuffled deck isn't the deck", deck_twice),
    ("gara_tori", "another seat than the dealer leads", table("start")),
    ("gara_tori", "a card is played that its seat doesn't hold", not_held),
    ("gara_tori", "neither follows nor matches", revoke),
    ("gara_tori", "the lead colour isn't what the cards played make it", table("leads", 3, 2)),
    ("gara_tori", "a trick is locked without its special", table("locked", 0)),
    ("gara_tori", "isn't won by its lock, or the highest", table("winners", 9)),
    ("gara_tori", "the most cards of one colour", table("scores", 3)),
    ("gara_tori", "the game goes on after its only round", table("over", add=-1)),
    ("take_trick", "the shuffled deck isn't the deck", deck_twice),
    ("take_trick", "a round is played after the game's end, or one is missing", table("round", add=-3, round_=2)),
    ("take_trick", "isn't led by the seat that must lead it", table("start", round_=1)),
    ("take_trick", "the trump is no marker's, or changes", table("trump", round_=1)),
    ("take_trick", "a first bamboo isn't the stock's top card", table("first", 2)),
    ("take_trick", "the card under a first bamboo", secret("first_extra", 1, 3)),
    ("take_trick", "a seat doesn't pass two of its cards", secret("gives", 0, 3)),
    ("take_trick", "a seat doesn't pass two of its cards", secret("gives", (2, 0), 10)),
    ("take_trick", "a card is played that its seat doesn't hold", not_held),
    ("take_trick", "isn't won by its first trump", table("winners", 5)),
    ("take_trick", "an extra card isn't the one", secret("extra", 4, 77)),
    ("take_trick", "a captured card of a colour too many isn't offered", table("gift_count", add=-1)),
    ("take_trick", "a gift isn't made by the seat", gift("giver", lambda one: (one["giver"] + 1) % 4)),
    ("take_trick", "a gift isn't made by the seat", gift("trick", lambda one: one["trick"] + 1)),
    ("take_trick", "a gift isn't offered to a neighbour", gift("receiver", lambda one: (one["giver"] + 2) % 4)),
    ("take_trick", "a gift is accepted that brings a colour too many", gift("accepted", lambda one: 1)),
    ("take_trick", "a score after a gift", gift("scores", lambda one: one["scores"] + 1)),
    ("take_trick", "the round ends with another trick", table("trick", add=-1)),
    ("take_trick", "there is a gift that nobody had to make", table("gift_count")),
    ("take_trick", "the cards in front of the seats and on the pile", table("bamboo", 1, 2)),
    ("take_trick", "the cards in front of the seats and on the pile", table("discards", add=-1)),
    ("take_trick", "the pile isn't what was discarded", secret("pile", 0, 90)),
    ("take_trick", "points aren't what the counts of bamboo score", table("points", 0)),
    ("take_trick", "a score isn't what rounds and gifts add up to", table("scores", 1)),
    ("take_trick", "the game ends too early or too late", table("over", round_=1)),
]


@pytest.mark.parametrize(("name", "text", "plant"), PLANTED)
def test_a_planted_fault_is_found_where_it_was_planted(name, text, plant):
    fault = found(name, plant)
    assert fault and fault.game == FAULTY
    assert text in fault.text and fault.text.startswith("round ")


def messages(path):
    """Return the texts of all faults that a file can raise."""
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    return [call.args[0].value for call in calls if ast.unparse(call.func) == "Broken"]


def test_every_kind_of_fault_is_planted_once_in_every_game():
    folder = Path(invariants.__file__).parent
    for name in games():
        planted = [text for game, text, _ in PLANTED if game == name]
        own = messages(folder / f"{name}.py")
        assert len(own) > 5
        assert [message for message in own if not any(text in message for text in planted)] == []
    shared = messages(folder / "invariants.py")
    assert len(shared) == 2
    assert [message for message in shared if not any(text in message for _, text, _ in PLANTED)] == []


@each_game
def test_every_column_of_the_row_is_added_up_again(game):
    columns = columns_of(played(game.name)[0])
    for number, column in enumerate(columns):
        fault = found(game.name, lambda row, *_, number=number: row.__setitem__(number, row[number] + 1))
        assert fault and fault.game == FAULTY
        assert fault.text.startswith(f"column {column} is ")


@pytest.mark.parametrize("name", ["gara_tori", "take_trick"])
def test_two_plays_of_a_trick_that_change_places_are_found(name):
    assert found(name, lambda _, tables, secrets: swap(tables[0]["cards"][4], 0, 2))


# The command


def test_the_command_says_what_it_played(capsys):
    assert command.main(["--game=suppose", "--games=600", "--jobs=1", "--quiet"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("suppose: 600 random games of 3 variants, 1 of them judged by the referee too: none broken")


def test_a_fault_is_told_with_all_that_repeats_it(capsys, monkeypatch):
    monkeypatch.setattr(chunks, "first_fault", lambda *_: Fault(17, "round 1: it is broken"))
    assert command.main(["--game=gara_tori", "--games=600", "--seed=9", "--quiet"]) == 1
    first, settings, second, *_, last = capsys.readouterr().out.splitlines()
    assert first.startswith("gara_tori, variant ") and second.startswith("gara_tori, variant ")
    assert ", seed 9, game 17, random," in first and first.endswith(": round 1: it is broken")
    assert ", seed 9, game 267, " in second
    assert "lead.void_match_turns=" in settings and "deck.copies=" in settings
    assert "3 of the variants broken" in last


def test_the_referee_has_a_say(monkeypatch):
    line_of = chunks.records.line_of
    monkeypatch.setattr(
        chunks.records, "line_of", lambda *given: line_of(*given).replace('"winners": [', '"winners": [7, ')
    )
    (one,) = chunks.soak(game_named("suppose"), 100, 1, 1, quiet=True)
    assert "game 0, " in one.fault and "the referee says: record: winners is [7, " in one.fault


def test_numbers_come_from_the_environment_unless_typed(capsys, monkeypatch):
    monkeypatch.setenv("GAMES", "10")
    monkeypatch.setenv("SEED", "4")
    monkeypatch.setenv("JOBS", "")
    assert command.main(["--game=suppose", "--seed=6", "--quiet"]) == 0
    assert "suppose: 10 random games of 1 variants" in (said := capsys.readouterr().out) and "(seed 6; " in said


@pytest.mark.parametrize(
    ("argument", "text"),
    [("--games=0", "GAMES = '0': it must be a whole number"), ("--game=chess", "unknown game 'chess'"), ("--x", "--x")],
)
def test_bad_input_is_one_line_and_status_2(argument, text, capsys):
    assert command.main([argument]) == 2
    said = capsys.readouterr().err
    assert text in said and said.count("\n") == 1
