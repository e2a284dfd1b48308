"""Every notation a position is written in, and the rules that settle what is ambiguous."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import IllegalMove, NotationError, PositionError
from solver.game.games import parse_game
from solver.game.notation import square_name
from solver.game.position import Position
from tests.strategies import games, moves, positions
from tests.texts import any_text, refused

EXAMPLE = "XO./.X./..O"


def parse(given: object, game: str = "3,3,3") -> Position:
    return Position.parse(parse_game(game), given)


@pytest.mark.parametrize(
    "written",
    [
        EXAMPLE, "xo./.x./..o", "XO_/_X_/__O", "XO-/-X-/--O", "XO0/0X0/00O", "XO / X /  O", "XO.\n.X.\n..O",
        "XO.\r\n.X.\r\n..O\r\n", "XO \n X \n  O", "\n    XO.\n    .X.\n    ..O\n    ", "X O .\n. X .\n. . O",
        "XO. .X. ..O", "XO..X...O", "XO  X   O", "X O . . X . . . O", "120010002", "1 2 0/0 1 0/0 0 2",
        "120\n010\n002", "   a b c\n1  X O .\n2  . X .\n3  . . O", "hash:13210", " Hash: 13210 ", "a1b1b2c3", 13210,
        np.int64(13210), "a1 b1 b2 c3", "A1, B1, B2, C3", "0 1 4 8", "0,1,4,8", "moves:0,1,4,8", "Moves: a1 b1 b2 c3",
        [0, 1, 4, 8], ("a1", "b1", "b2", "c3"), [np.int64(0), 1, "b2", 8], np.array([0, 1, 4, 8]),
        [1, 2, 0, 0, 1, 0, 0, 0, 2], [1, -1, 0, 0, 1, 0, 0, 0, -1], [[1, 2, 0], [0, 1, 0], [0, 0, 2]],
        ((1, -1, 0), (0, 1, 0), (0, 0, -1)), np.array([[1, -1, 0], [0, 1, 0], [0, 0, -1]]),
        np.array([[1, -1, 0], [0, 1, 0], [0, 0, -1]], dtype=np.int8).ravel(),
        np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 2.0]]),
        np.array([["X", "O", " "], [" ", "X", " "], ["", "", "O"]]), ["X", "O", " ", " ", "X", " ", " ", " ", "O"],
        [["x", "o", None], [None, "x", None], [None, None, "o"]], ["XO.", ".X.", "..O"],
        list(EXAMPLE.replace("/", "")),
    ],
)  # fmt: skip
def test_every_notation_of_one_position(written: object) -> None:
    assert parse(written).board == EXAMPLE


@pytest.mark.parametrize(
    "written", ["", "  ", "\n", "start", "Start", "hash:0", 0, [], "moves:", ".../.../...", "000000000"]
)
def test_the_empty_board(written: object) -> None:
    assert parse(written) == Position.start(parse_game("3,3,3"))


def test_a_position_of_other_rules_is_read_as_its_board() -> None:
    assert parse(parse(EXAMPLE), "3,3,3,misere").rules.misere
    with pytest.raises(NotationError, match="9 squares"):
        parse(parse(EXAMPLE), "4,4,4")


@given(positions())
def test_round_trips(position: Position) -> None:
    rules, (m, n) = position.rules, (position.rules.diagram.rows, position.rules.diagram.columns)
    digits = ["..XO".index(cell, 1) - 1 for cell in position.cells]
    written = [
        position,
        position.board,
        position.board.lower().replace("/", "\n"),
        "".join(position.cells),
        "".join(map(str, digits)),
        str(position),
        position.hash,
        f"hash:{position.hash}",
        digits,
        np.array(digits).reshape(m, n),
        list(position.cells),
    ]
    for given_position in written:
        assert Position.parse(rules, given_position) == position


@given(st.data())
def test_moves_are_read_by_number_and_by_name(data: st.DataObject) -> None:
    rules = data.draw(games())
    played = data.draw(moves(rules))
    position = Position.from_moves(rules, played)
    names = [square_name(rules, square) for square in played]
    assert Position.from_moves(rules, names) == position
    if not rules.gravity:
        assert Position.parse(rules, "moves:" + ",".join(map(str, played))) == position
    assert Position.parse(rules, " ".join(names)) == position
    assert Position.parse(rules, names) == position


# What settles an ambiguity


def test_one_digit_per_square_is_a_board_and_other_digits_are_moves() -> None:
    assert parse("000000010").board == ".../.../.X."
    assert parse("7").board == ".../.../.X."
    assert parse(7).board == parse("hash:7").board == "XO./.../..."


def test_digits_stand_for_stones_only_in_rows_or_in_full() -> None:
    assert parse("1 2/0 0", "2,2,2").board == "XO/.."
    assert parse("1200", "2,2,2").board == "XO/.."
    assert parse("1 2", "2,2,2").board == ".X/O."  # two moves


def test_a_list_with_an_item_for_each_square_is_a_board() -> None:
    assert parse([1, 2, 0], "1,3,2").board == "XO."
    assert parse("moves:1,2,0", "1,3,3").board == "XXO"


def test_spaces_are_empty_squares_only_where_the_row_has_full_width() -> None:
    assert parse("X O/ X /  O", "3,3,3").board == "X.O/.X./..O"
    assert parse("X O ./. X ./. . O").board == EXAMPLE


@pytest.mark.parametrize(
    "written",
    ["c a c", "cac", "c4 a4 c3", "c4a4c3", "c, a, c", "moves:c a4 C", "313", "3 1 3", "moves:3,1,3", [14, 12, 10]],
)
def test_with_gravity_a_column_is_a_move_by_letter_or_by_number(written: object) -> None:
    expected = parse("..../..../..X./O.X.", "4,4,4,gravity")
    assert parse(written, "4,4,4,gravity") == expected
    if isinstance(written, str | list) and ":" not in written:
        assert Position.from_moves(expected.rules, written) == expected


def test_digits_of_the_usual_solvers_name_columns_of_connect_four() -> None:
    digits, letters = "44455554221", "d d d e e e e d b b a"
    assert parse(digits, "6,7,4,gravity") == parse(letters, "6,7,4,gravity")
    assert parse("10 3", "2,12,3,gravity") == parse(
        "j c", "2,12,3,gravity"
    )  # digits are a number with ten columns or more


@pytest.mark.parametrize(
    ("game", "written", "message"),
    [
        ("4,4,4,gravity", "a a a a a", "The column a is full"), ("4,4,4,gravity", "11111", "The column a is full"),
        ("4,4,4,gravity", "145", "'5' is not a column of 4,4,4,gravity; write a to d, or 1 to 4"),
        ("4,4,4,gravity", "0", "'0' is not a column"), ("4,4,4", "c a c", "names columns"),
    ],
)  # fmt: skip
def test_a_column_that_is_full_or_off_the_board_takes_no_stone(game: str, written: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse(written, game)


def test_a_stone_that_would_float_is_refused() -> None:
    with pytest.raises(IllegalMove, match="would float"):
        parse("d2", "6,7,4,gravity")


# What can't be read


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("XO./.X.", "'XO./.X.' has 6 squares, but the board of 3,3,3 has 9: write 3 rows of 3"),
        ("X./O../....", "has rows of 2, 3, 4 squares"), ([[1, 0], [2, 0]], "has 4 squares"),
        ([[1, 0, 2, 0], [0, 0, 0, 0], [0]], "has rows of 4, 4, 1 squares"), ([0] * 8, "has 8 squares"),
        (["X.", "O.", ".."], "'X.' is not a square"), ("hello", "'hello' can't be read as a position of 3,3,3"),
        ("b2 z9", "'z9' is not a square of 3,3,3"), ("moves:what", "can't be read"),
        ("88", "'88' is not a square of 3,3,3; write a1 to c3, or 0 to 8; a base-3 hash is written hash:88"),
        ("hash:19683", "'19683' is not the base-3 hash of a position of 3,3,3; write a number from 0 to 19682"),
        ("9" * 5000, "is not a square"), ("٣", "is not a square"), (-1, "'-1' is not the base-3 hash"),
        (1.5, "can't be read"), (None, "can't be read"), (b"XO./.X./..O", "can't be read"), ({1: 2}, "can't be read"),
        ([1.5, 2], "'1.5' is not a square"), ([[1, 0, 7], [0, 0, 0], [0, 0, 0]], "is not a square"),
    ],
)  # fmt: skip
def test_unreadable_games_are_refused_in_one_sentence(written: object, message: str) -> None:
    with refused(NotationError, message):
        parse(written)


def test_numbers_too_long_to_print_are_refused_too() -> None:
    huge = 10**5000  # a parameter would have to be printed
    for written in (huge, [huge], [[huge]]):
        with pytest.raises(NotationError, match="'a huge number' is not"):
            parse(written)


@pytest.mark.parametrize("written", ["b2 b2", [4, 4], "moves:4 4"])
def test_moves_must_be_legal(written: object) -> None:
    with pytest.raises(IllegalMove, match="b2"):
        parse(written)


def read_board_text(written: object) -> str | None:
    """The board that was read; None if it was refused. Any other exception is a fault."""
    try:
        return parse(written).board
    except PositionError:
        return None


@given(any_text(40) | st.text("XOxo._-0 /\n12abc3,:", max_size=20) | st.integers())
def test_any_input_is_a_possible_position_or_a_package_error(written: object) -> None:
    board = read_board_text(written)
    assert board is None or read_board_text(board) == board


ITEMS = st.none() | st.integers(-2, 9) | st.sampled_from(["X", "O", "", "b2", "XO."]) | st.floats()


@given(st.lists(ITEMS | st.lists(ITEMS, max_size=3), max_size=9))
def test_any_list_is_a_possible_position_or_a_package_error(written: list[object]) -> None:
    board = read_board_text(written)
    assert board is None or read_board_text(board) == board
