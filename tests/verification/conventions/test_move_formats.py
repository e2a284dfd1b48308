"""The tables of move formats and wrappings."""

import pickle
from collections.abc import Callable
from typing import Any

import pytest

from solver.errors import EngineError
from solver.game.games import parse_game
from solver.game.position import Position
from solver.verification.conventions.board_formats import BOARD_FORMATS, BoardFormat, Layout
from solver.verification.conventions.move_formats import (
    BOARD_AFTER,
    INDEX,
    MOVE_FORMATS,
    OFF,
    UNWRAPPED,
    WITH_KEYS,
    WRAPPINGS,
    MoveFormat,
    ReplyFormat,
    find_move_format,
    to_plain,
)

RULES = parse_game("3,4,3")
START = Position.start(RULES)
BY_ROWS = [board for board in BOARD_FORMATS if board.has_marks and board.name != "columns of lists"]

WRITERS: dict[str, Callable[[int, int], Any]] = {  # of a row and a column
    "index": lambda row, column: row * 4 + column,
    "number": lambda row, column: str(row * 4 + column + 1),
    "row,column": lambda row, column: (row, column),
    "row,column from 1": lambda row, column: f"({row + 1}, {column + 1})",
    "name": lambda row, column: f"{'abcd'[column]}{row + 1}",
    "column,row": lambda row, column: f"{column},{row}",
    "column,row from 1": lambda row, column: (column + 1, row + 1),
    "row letter": lambda row, column: f"{'ABC'[row]}{column + 1}",
    "index by columns": lambda row, column: column * 3 + row,
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_square_is_read_and_no_other(name: str) -> None:
    move_format = find_move_format(name)
    for square in range(RULES.squares):
        assert move_format.read(WRITERS[name](*divmod(square, RULES.diagram.columns)), START) == square
    assert move_format.read(WRITERS[name](2, 3), Position.start(parse_game("2,2,2"))) == OFF
    assert move_format.read(None, START) is move_format.read("the middle", START) is None


def test_columns_are_read_where_stones_fall() -> None:
    start = Position.start(parse_game("3,4,3,gravity"))
    for name, first in (("column", 0), ("column from 1", 1)):
        read = find_move_format(name).read
        assert [read(column + first, start) for column in range(4)] == [8, 9, 10, 11]
        assert read(first, start.play(8)) == 4
        assert read(4 + first, start) == OFF
        assert read(first, START) is None


@pytest.mark.parametrize("board", BY_ROWS, ids=lambda board: board.name)
def test_the_board_after_a_move_is_compared_with_the_one_before(board: BoardFormat) -> None:
    layout = Layout(board)
    for square in range(RULES.squares):
        after = to_plain(layout.write(START.play(square)))
        assert BOARD_AFTER.read(after, START, layout) == square
        assert BOARD_AFTER.read(after, START.play(square), layout) is None
    assert BOARD_AFTER.read(5, START, layout) is None


@pytest.mark.parametrize("move", [*MOVE_FORMATS, BOARD_AFTER], ids=lambda move: move.name)
def test_a_format_is_the_same_value_in_every_process(move: MoveFormat) -> None:
    assert pickle.loads(pickle.dumps(move)) is move
    for wrapping in WRAPPINGS:
        assert str(pickle.loads(pickle.dumps(ReplyFormat(wrapping, move)))) == str(ReplyFormat(wrapping, move))


def test_wrappings_give_the_move_and_the_value() -> None:
    unwrap = {wrapping.name: wrapping.unwrap for wrapping in WRAPPINGS}
    assert unwrap[""](4) == (4, None)
    assert unwrap["(value, move)"]((0.5, 4)) == unwrap["(move, value)"]((4, 0.5)) == (4, 0.5)
    assert unwrap["(row, column, value)"]((1, 2, -1)) == unwrap["(value, row, column)"]((-1, 1, 2)) == ((1, 2), -1)
    assert unwrap["something with a 'move'"]({"score": 1, "best_move": 4}) == (4, 1)
    assert unwrap["a sequence of one"]((4,)) == (4, None)
    assert all(wrapping.unwrap("b2") is None for wrapping in WRAPPINGS if wrapping is not UNWRAPPED)


def test_a_reply_format_is_told_in_words() -> None:
    assert str(ReplyFormat(UNWRAPPED, INDEX)) == "the number of a square, row by row from 0"
    assert str(ReplyFormat(WRAPPINGS[1], BOARD_AFTER)) == "(value, move), with the move as the board after the move"


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(EngineError, match=r"--moves 'shouted' is unknown; choose one of: bit; index; .*; board"):
        find_move_format("shouted")


def test_whole_floats_in_an_object_are_read() -> None:
    unwrapped = WITH_KEYS.unwrap({"row": 1.0, "col": 2})
    assert unwrapped is not None
    assert find_move_format("row,column").read(unwrapped[0], START) == 6
