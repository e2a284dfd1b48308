"""Names of squares: `b2` for people, numbers for programs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.drawing.columns import column_name, column_number
from solver.errors import NotationError
from solver.game.games import parse_game
from solver.game.notation import parse_square, square_name
from tests.strategies import games


@given(st.data())
def test_a_name_leads_back_to_its_square(data: st.DataObject) -> None:
    rules = data.draw(games())
    square = data.draw(st.integers(0, rules.squares - 1))
    assert parse_square(rules, square_name(rules, square)) == square
    assert parse_square(rules, f" {square_name(rules, square).upper()} ") == square
    assert parse_square(rules, str(square)) == parse_square(rules, square) == square


@given(st.integers(0, 20_000))
def test_columns_beyond_z(column: int) -> None:
    assert column_number(column_name(column)) == column


def test_column_names_count_on() -> None:
    assert [column_name(column) for column in (0, 25, 26, 51, 52, 701, 702)] == [
        "a", "z", "aa", "az", "ba", "zz", "aaa"
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text", ["", "b", "d1", "a4", "a0", "9", "-1", "2b", "b2c", "b 2", "é1", "٣", "²", "a٣", "b99999999", "4.0", "None"]
)
def test_invalid_squares_are_refused(text: str) -> None:
    with pytest.raises(NotationError, match=r"is not a square of 3,3,3; write a1 to c3, or 0 to 8"):
        parse_square(parse_game("3,3,3"), text)
