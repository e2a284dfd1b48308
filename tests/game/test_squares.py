"""Squares and what is made of them: names, lines, hashes, and the order of values."""

from string import ascii_lowercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.drawing.diagram import column_name
from solver.errors import NotationError
from solver.game.base3 import decode, encode
from solver.game.games import parse_game
from solver.game.lines import completed, mask_of, squares_of
from solver.game.notation import parse_square, square_name
from solver.game.value import Value
from tests import oracle
from tests.strategies import games

# Names


@given(st.data())
def test_a_name_leads_back_to_its_square(data: st.DataObject) -> None:
    rules = data.draw(games())
    square = data.draw(st.integers(0, rules.squares - 1))
    assert parse_square(rules, square_name(rules, square)) == square
    assert parse_square(rules, f" {square_name(rules, square).upper()} ") == square
    assert parse_square(rules, str(square)) == parse_square(rules, square) == square


@given(st.integers(0, 20_000))
def test_columns_beyond_z(column: int) -> None:
    number = 0
    for letter in column_name(column):
        number = 26 * number + ascii_lowercase.index(letter) + 1
    assert number - 1 == column


def test_column_names_after_z_have_more_letters() -> None:
    assert [column_name(column) for column in (0, 25, 26, 51, 52, 701, 702)] == [
        "a", "z", "aa", "az", "ba", "zz", "aaa"
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text", ["", "b", "d1", "a4", "a0", "9", "-1", "2b", "b2c", "b 2", "é1", "٣", "²", "a٣", "b99999999", "4.0", "None"]
)
def test_invalid_squares_are_refused(text: str) -> None:
    with pytest.raises(NotationError, match=r"is not a square of 3,3,3; write a1 to c3, or 0 to 8"):
        parse_square(parse_game("3,3,3"), text)


# Lines

COUNTS = {
    "3,3,3": 8, "4,4,4": 10, "4,5,4": 17, "5,5,4": 28, "5,5,5": 12, "3,3,3,torus": 12, "4,4,4,torus": 16,
    "5,5,4,torus": 100,
    "3,5,3,full": 14,  # 3 rows, 5 columns, 3 diagonals each way
    "5,3,3,full": 14, "3,3,3,full": 8,
    "1,5,1,full": 6,  # the row, and 5 columns of one square
    "6,7,4": 69, "1,25,2": 24, "5,5,6": 0,
    "2,2,3,torus": 0,  # a row that wraps must not visit a square twice
    "2,2,1": 4,
}  # fmt: skip


@pytest.mark.parametrize(("game", "count"), COUNTS.items())
def test_number_of_lines(game: str, count: int) -> None:
    lines = parse_game(game).lines
    assert len(lines) == len(set(lines)) == count


GUARDED = ["3,3,2,exact", "2,4,2,exact,torus", "1,4,3,exact,torus", "1,9,3,exact"]


@pytest.mark.parametrize("game", ["3,3,3", "2,4,2", "3,3,3,torus", "2,5,2,full", "3,3,1", *GUARDED])
def test_completed_lines_agree_with_the_oracle(game: str) -> None:
    rules = parse_game(game)
    for stones in range(1 << rules.squares):
        board = "".join("X" if stones >> s & 1 else "." for s in range(rules.squares))
        assert bool(completed(rules.lines, stones)) == oracle.has_line(rules, board, "X")


@given(st.sets(st.integers(0, 360)))
def test_masks_and_squares_are_inverse(squares: set[int]) -> None:
    assert list(squares_of(mask_of(squares))) == sorted(squares)


# Hashes


@st.composite
def stones(draw: st.DrawFn) -> tuple[int, int]:
    """Two disjoint bitboards of up to 361 squares."""
    size = draw(st.sampled_from([9, 12, 13, 25, 42, 361]))
    x, o = draw(st.integers(0, (1 << size) - 1)), draw(st.integers(0, (1 << size) - 1))
    return x, o & ~x


@given(stones())
def test_decode_undoes_encode(sides: tuple[int, int]) -> None:
    assert decode(encode(*sides)) == sides


@given(stones())
def test_the_hash_is_the_sum_of_its_digits(sides: tuple[int, int]) -> None:
    x, o = sides
    digits = [(x >> s & 1) + 2 * (o >> s & 1) for s in range(361)]
    assert encode(x, o) == sum(digit * 3**s for s, digit in enumerate(digits))


# Values

VALUES = st.builds(Value, st.sampled_from([1, 0, -1]), st.integers(0, 25))


@given(VALUES)
def test_two_plies_earlier_the_same_side_sees_the_same_result(value: Value) -> None:
    assert value.before_move().before_move() == Value(value.wdl, (value.distance or 0) + 2)


@given(VALUES, VALUES)
def test_a_better_value_for_one_side_is_worse_for_the_other(one: Value, other: Value) -> None:
    swapped = one.before_move().rank, other.before_move().rank
    assert (one.rank < other.rank) == (swapped[0] > swapped[1])
