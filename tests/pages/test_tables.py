import math
from decimal import Decimal
from fractions import Fraction

import pandas as pd
import pytest

from simlib.pages.tables import MOST_ROWS, decimals, figure, grid, to_csv


def column(values):
    return [row[0].text for row in grid(pd.DataFrame({"a": values})).rows]


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([1, 20_000, -3], ["1", "20,000", "\u22123"]),
        ([0.1234, 0.5, 0.0], ["0.123", "0.500", "0.000"]),
        ([12.345, 250.1], ["12.3", "250.1"]),
        ([0.951, 0.0888], ["0.951", "0.089"]),
        ([5.123, -17.3], ["5.12", "\u221217.30"]),
        ([1234.5, 99.5], ["1,234", "100"]),
        ([3.0, math.nan, 5.0], ["3", "\u2013", "5"]),
        ([0.5, math.inf, -math.inf], ["0.500", "\u2013", "\u2013"]),
        ([12.5, 0.00001, 1e-20], ["12.50", "0.00001", "1.0e-20"]),
        ([True, False], ["yes", "no"]),
        (["NA", "null", None], ["NA", "null", "\u2013"]),
        ([10**20, 1], ["100,000,000,000,000,000,000", "1"]),
        ([2.5e17, 1.0], ["2.500e+17", "1"]),
        ([2, 0.5], ["2.00", "0.50"]),
        ([Fraction(1, 3), Decimal("0.5")], ["0.333", "0.500"]),
        ([pd.NA, 4], ["\u2013", "4"]),
    ],
)
def test_columns(values, shown):
    assert column(values) == shown


def test_numbers_are_set_right_and_first_texts_name_rows():
    shown = grid(pd.DataFrame({"who": ["a", "b"], "n": [1, 2]}))
    assert shown.leading == 1 and [head.numeric for head in shown.heads] == [False, True]
    assert grid(pd.DataFrame({"n": [1, 2]})).leading == 0


def test_telling_indexes_are_shown_and_saved():
    frame = pd.DataFrame({"n": [1, 2]}, index=pd.Index(["a", "b"], name="who"))
    assert [head.text for head in grid(frame).heads] == ["who", "n"]
    assert to_csv(frame) == "who,n\na,1\nb,2\n"
    matrix = pd.DataFrame([[1, 2]], index=["a"], columns=pd.MultiIndex.from_tuples([("x", 1), ("x", 2)]))
    assert to_csv(matrix) == ",x / 1,x / 2\na,1,2\n"
    pairs = pd.DataFrame({"n": [7]}, index=pd.MultiIndex.from_tuples([(1, "a")], names=["k", "who"]))
    assert (grid(pairs).leading, to_csv(pairs)) == (2, "k,who,n\n1,a,7\n")
    assert to_csv(frame.reset_index().iloc[1:]) == "who,n\nb,2\n"


def test_columns_of_one_name_stay_two():
    frame = pd.DataFrame([[1, "=x"]], columns=["a", "a"])
    assert to_csv(frame) == "a,a\n1,'=x\n"
    assert len(grid(frame).rows[0]) == 2


def test_long_tables_are_cut_on_the_page_only():
    frame = pd.DataFrame({"n": range(MOST_ROWS + 50)})
    assert (len(grid(frame).rows), grid(frame).cut) == (MOST_ROWS, 50)
    assert len(to_csv(frame).splitlines()) == MOST_ROWS + 51


def test_csv_keeps_every_digit_and_integer():
    values = [0.1 + 0.2, 1 / 3, 5e-324, 1.7976931348623157e308]
    assert [float(line) for line in to_csv(pd.DataFrame({"x": values})).split()[1:]] == values
    assert to_csv(pd.DataFrame({"x": [2**70, -(2**70)]})) == f"x\n{2**70}\n{-(2**70)}\n"


def test_csv_of_more_than_ascii_begins_with_a_mark():
    assert to_csv(pd.DataFrame({"日本": [1]})) == "\ufeff日本\n1\n"


def test_empty_frames():
    assert grid(pd.DataFrame()).rows == () and to_csv(pd.DataFrame()) == "\n"
    assert grid(pd.DataFrame({"a": []})).rows == () and to_csv(pd.DataFrame({"a": []})) == "a\n"


def test_categories_and_nullable_numbers():
    frame = pd.DataFrame({"c": pd.Categorical(["=x", "b"]), "n": pd.array([1, None], dtype="Int64")})
    assert to_csv(frame) == "c,n\n'=x,1\nb,\n"
    assert [cell.text for cell in grid(frame).rows[1]] == ["b", "\u2013"]


def test_figure_and_decimals():
    assert decimals([]) == 0 and decimals([0.0]) == 0
    assert figure(-0.004, 2) == "\u22120.004" and figure(0, 2) == "0.00"
