"""Spaces of variants as they are typed."""

import time

import pytest

from simlib.axes import MOST_CELLS, Axis, cells, check_keys, count_cells, parse_axes
from simlib.errors import BadInput
from simlib.games import game_named


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("players=3..6", (3, 4, 5, 6)),
        ("bid.double=2..5:1.5", (2, 3.5, 5)),
        ("bid.double=0.1..0.4:0.1", (0.1, 0.2, 0.3, 0.4)),
        ("bid.double=2..3:0.4", (2, 2.4, 2.8)),
        ("players=3..4,6", (3, 4, 6)),
        ("players=4", (4,)),
        ("score=-1..1", (-1, 0, 1)),
        ("deck.preset=six,nine", ("six", "nine")),
        ("deck.name=\"a,b\",'c..d'", ("a,b", "c..d")),
        ("deck.copies=[1, 2, 3],[2,2,2]", ([1, 2, 3], [2, 2, 2])),
        ("deck.copies={R = 1, G = 2},3", ({"R": 1, "G": 2}, 3)),
        ("trump.on=true,false", (True, False)),
        ("deck.copies.1=1..2", (1, 2)),
    ],
)
def test_values_are_read_as_toml_or_ranges(text, values):
    (axis,) = parse_axes(text, "SWEEP")
    assert axis.key == text.partition("=")[0]
    assert [repr(value) for value in axis.values] == [repr(value) for value in values]


def test_cells_are_all_combinations_and_the_last_axis_changes_fastest():
    axes = parse_axes("players=3..4 deck.copies=1..3", "SWEEP")
    found = list(cells(axes))
    assert count_cells(axes) == len(found) == 6
    assert found[:3] == [{"players": 3, "deck.copies": copies} for copies in (1, 2, 3)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "names no parameter"),
        ("   ", "names no parameter"),
        ("players", "not KEY=VALUES"),
        ("players=", "not KEY=VALUES"),
        ("=3", "not KEY=VALUES"),
        ("players =3", "not KEY=VALUES"),
        ("players=3 players=4", "'players' is given twice"),
        ("players=3,3", "takes the value 3 twice"),
        ("players=3..4,4", "takes the value 4 twice"),
        ("players=3,,4", "lacks a value"),
        ("deck.preset=six, nine", "deck.preset lacks a value beside a comma"),
        ("players=4..3", "an empty range, as 4 is above 3"),
        ("players=3..x", "a range is a..b"),
        ("players=3..", "a range is a..b"),
        ("players=3..5:1:1", "a range is a..b"),
        ("bid.double=2.5..4", "needs a step"),
        ("bid.double=2..4:0", "step must be above 0"),
        ("bid.double=2..4:-1", "step must be above 0"),
        ("players=1..10001", "10,001 cells: at most 10,000"),
        ("players=1..101 bid.double=1..100", "10,100 cells: at most 10,000"),
        ("players=1..1000000000000", "1,000,000,000,000 cells: at most 10,000"),
        ("players=0..1:0.000000000000000001", "cells: at most 10,000"),
    ],
)
def test_what_cannot_be_read_is_told(text, said):
    started = time.monotonic()
    with pytest.raises(BadInput) as fault:
        parse_axes(text, "SPACE")
    assert str(fault.value).startswith("SPACE: ") and said in str(fault.value)
    assert time.monotonic() - started < 1


def test_as_many_cells_as_are_allowed():
    assert count_cells(parse_axes("players=1..100 bid.double=1..100", "SWEEP")) == MOST_CELLS


def test_keys_are_parameters_of_the_game():
    suppose = game_named("suppose")
    check_keys(parse_axes("players=3..4 deck.copies.1=1..2 bid.double=2", "SWEEP"), suppose, "SWEEP")
    for text, said in [("bid.duoble=2..3", "did you mean 'bid.double'?"), ("deck.copies.1.2=3", "unknown key")]:
        with pytest.raises(BadInput, match=r"SWEEP: unknown key .* of suppose") as fault:
            check_keys(parse_axes(text, "SWEEP"), suppose, "SWEEP")
        assert said in str(fault.value)


def test_an_axis_of_numbers_is_numeric():
    assert Axis("a", (1, 2.5)).numeric
    assert not Axis("a", (1, True)).numeric and not Axis("a", ([1],)).numeric
