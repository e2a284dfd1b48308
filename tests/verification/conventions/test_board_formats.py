"""The table of board formats."""

import pickle

import pytest

from solver.errors import EngineError
from solver.game.games import parse_game
from solver.game.position import Position
from solver.verification.conventions.board_formats import BOARD_FORMATS, BoardFormat, Layout, Marks, find_board_format

POSITION = Position.from_moves(parse_game("2,3,2"), [1, 5])
FORMATS = pytest.mark.parametrize("board", BOARD_FORMATS, ids=lambda board: board.name)


@FORMATS
def test_a_format_is_the_same_value_in_every_process(board: BoardFormat) -> None:
    assert pickle.loads(pickle.dumps(Layout(board))) == Layout(board)
    assert find_board_format(board.name) is board


@FORMATS
def test_a_board_that_can_be_changed_is_known_as_such(board: BoardFormat) -> None:
    def is_hashable() -> bool:
        try:
            hash(Layout(board).write(POSITION))
        except TypeError:
            return False
        return True

    assert board.is_mutable != is_hashable()


@FORMATS
def test_a_board_is_written_anew_each_time(board: BoardFormat) -> None:
    layout = Layout(board)
    assert layout.write(POSITION) is not layout.write(POSITION) or not board.is_mutable
    assert isinstance(layout.write(POSITION), str) == board.is_text


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("flat list", [".", "X", ".", ".", ".", "O"]),
        ("rows of lists", [[".", "X", "."], [".", ".", "O"]]),
        ("flat string", ".X...O"),
        ("flat tuple", (".", "X", ".", ".", ".", "O")),
        ("rows of tuples", ((".", "X", "."), (".", ".", "O"))),
        ("rows of strings", [".X.", "..O"]),
        ("list from 1", [" ", ".", "X", ".", ".", ".", "O"]),
        ("dict", {0: ".", 1: "X", 2: ".", 3: ".", 4: ".", 5: "O"}),
        ("dict from 1", {1: ".", 2: "X", 3: ".", 4: ".", 5: ".", 6: "O"}),
        ("dict of row, column from 1", {(1, 1): ".", (1, 2): "X", (1, 3): ".", (2, 1): ".", (2, 2): ".", (2, 3): "O"}),
        ("columns of lists", [[".", "."], ["X", "."], [".", "O"]]),
        ("string with /", ".X./..O"),
        ("solver.Position", POSITION),
    ],
)
def test_boards(name: str, written: object) -> None:
    assert Layout(find_board_format(name), Marks("X", "O", ".")).write(POSITION) == written


def test_a_layout_names_its_marks_where_it_has_some() -> None:
    marks = Marks(1, 2, 0)
    assert str(Layout(find_board_format("array"), marks)) == "array, where X is 1, O is 2, an empty square is 0"
    assert str(Layout(find_board_format("AIMA state"), marks)) == "AIMA state"


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(
        EngineError,
        match=r"--board 'cube' is unknown; choose one of: Kaggle .*; solver.Position; flat list; rows of lists;",
    ):
        find_board_format("cube")
