"""What a source says of a convention: read from the text alone."""

import pytest

from solver.verification.conventions.source import Evidence, read_source


def test_only_what_the_engine_reaches_counts() -> None:
    text = """
def helper(board):
    return [i for i in range(9) if board[i] == "_"]

def best_move(board):
    return helper(board)[0]

def another(board):
    return board.index("-")
"""
    assert read_source(text, 5).signs == {"'_'"}
    assert read_source(text).signs == {"'_'", "'-'"}
    assert read_source(text).names == {"helper", "best_move", "another"}


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        ("X, O, EMPTY = 'X', 'O', None", {"X": ("X", "X"), "O": ("O", "O"), "empty": ("EMPTY", None)}),
        ("HUMAN = -1\nCOMP = +1", {"own": ("COMP", 1), "other": ("HUMAN", -1)}),
        ("player_mark: str = 'x'\nopponent: str = 'o'", {"own": ("player_mark", "x"), "other": ("opponent", "o")}),
        ("class A:\n    def f(self):\n        self.ai, self.hu = 2, 1", {"own": ("ai", 2), "other": ("hu", 1)}),
        ("X = 1\nO = 'O'", {}),
        ("x = 0\no = 0", {}),
        ("x = 0\nx = 1\no = 2", {}),
    ],
)  # fmt: skip
def test_names_of_constants_say_whose_they_are(text: str, roles: dict[str, object]) -> None:
    assert read_source(text).roles == roles


@pytest.mark.parametrize(
    ("line", "has_turn"),
    [
        ("x = board.count('X')", True),
        ("over = board.count(' ') == 0", False),
        ("mine = 1 if board.sum() == 0 else -1", True),
        ("won = abs(board.sum(axis=0)) == 3", False),
        ("won = sum(line) == 3", False),
        ("x = len([c for c in board if c == 'X']) == len(board)", True),
        ("over = len([c for c in board if c == ' ']) == 0", False),
        ("odd = ply % 2", True),
        ("odd = i % 2", False),
        ("me = whose_turn(board)", True),
    ],
)
def test_whether_it_counts_stones(line: str, has_turn: bool) -> None:
    assert read_source(f"def best_move(board):\n    {line}\n", 1).has_turn is has_turn


@pytest.mark.parametrize(
    ("said", "own"),
    [
        ("own stones are 1, those of the other are -1", 1),
        ("a square holds -1 for the opponent and 1 for my mark", 1),
        ("returns 1 if my stones win", None),
        ("1 is X, -1 is O", None),
    ],
)
def test_words_say_which_stones_are_its_own(said: str, own: int | None) -> None:
    assert read_source(f"def f(board):\n    return 0  # {said}\n", 1).own_sign == own
    assert read_source(f"def f(board):\n    '''{said}'''\n", 1).own_sign == own


def test_signs_are_told_from_other_numbers() -> None:
    text = """
def best_move(board, player):
    for depth in range(3):
        if depth == 5 or len(board) == 7:
            return 4
    for cell in board:
        if cell == 8:
            board[3] = 6
    return minimax(board, -player)
"""
    assert read_source(text, 2).signs == {"8", "6", "1", "-1"}


def test_what_is_no_source_says_nothing() -> None:
    assert read_source("this is (no Python") == Evidence()


def test_one_sign_alone_in_words_tells_nothing() -> None:
    squares = read_source('def f(board):\n    """Return the first empty square, 0 to 8, of the board."""\n', 1)
    marks = read_source('def f(board):\n    """Choose on a board of 0, 1 and 2."""\n', 1)
    assert (squares.count_missing(1, 0, " "), squares.count_missing("X", "O", " ")) == ((3, 3), (3, 3))
    assert (marks.count_missing(1, 2, 0), marks.count_missing(1, -1, 0)) == ((3, 0), (3, 2))
