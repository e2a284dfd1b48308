"""Wrappers for programs that can't be asked as they are: as written they are Python, and often they play."""

from pathlib import Path

import pytest

from solver.errors import EngineError
from solver.game.games import parse_game
from solver.verification.adapters.loading import list_moves
from solver.verification.verify import verify
from solver.verification.wrapper import write_wrapper

RULES = parse_game("3,3,3")

FUNCTION = """
def count(rows, who):
    return sum(row.count(who) for row in rows)

def find_best_move(rows):
    return next((r, c) for r in range(3) for c in range(3) if rows[r][c] == " ")

while True:
    input()
"""

CLASS = """
class Hidden:
    __slots__ = ("taken",)

    def __init__(self):
        self.taken = []

    def play_move(self, square):
        self.taken.append(square)

    def best_move(self):
        return min({*range(9)} - {*self.taken})
"""


VALUES = """
board = [["", "", ""], ["", "", ""], ["", "", ""]]

def minimax(depth, is_maximizing):
    score = -min(3 * r + c for r in range(3) for c in range(3) if board[r][c] != "" and depth + 1)
    return score

while True:
    input()
"""

BESIDE = """
from rules import Position

def choose_move(state):
    return min(set(state.open()) - {state.last()})
"""
RULES_BESIDE = """
class Position:
    def __init__(self):
        self.free = [*range(9)]
        self.played = [-1]

    def drop(self, square):
        self.free.remove(square)
        self.played.append(square)

    def open(self):
        return self.free

    def last(self):
        return self.played[-1]
"""


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("source", "called"),
    [
        (FUNCTION, "find_best_move(rows)"),
        (CLASS, "position.best_move()"),
        (BESIDE, "choose_move(position)"),
        (VALUES, "program.board = rows"),
    ],
)
def test_a_wrapper_as_it_is_written_asks_the_program(tmp_path: Path, source: str, called: str) -> None:
    (tmp_path / "game.py").write_text(source, encoding="utf-8")
    (tmp_path / "rules.py").write_text(RULES_BESIDE, encoding="utf-8")
    wrapper = tmp_path / "wrapper.py"
    wrapper.write_text(write_wrapper(RULES, f"{tmp_path / 'game.py'}:anything", wrapper), encoding="utf-8")
    assert called in wrapper.read_text(encoding="utf-8")
    assert len(wrapper.read_text(encoding="utf-8").splitlines()) < 24
    report = verify(str(wrapper), RULES, at=["XO./.X./O..", "XOX/OX./..."], workers=1, seconds_to_start=60)
    assert [verdict.answer.move for verdict in report.verdicts] == [2, 5]


def test_only_a_file_can_be_wrapped(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="is no Python file"):
        write_wrapper(RULES, "cmd:./engine", tmp_path / "wrapper.py")


FLAT = """
def minimax(board, up):
    if board[0] == "x" and board[1] == "o":
        return 1
    for place in range(9):
        if board[place] == "_" and len(board) == 9:
            board[place] = "o" if up else "x"
            score = minimax(board, False) if up else minimax(board, True)
            board[place] = "_"
            return score
    return 0
"""

SIZED = """
import time

class Game:
    def __init__(self, **kwargs):
        self.squares = int(kwargs.get("width", 8)) * int(kwargs.get("height", 8))

    def init_board(self):
        self.free, self.last = [*range(self.squares)], -1

    def move_to_location(self, move):
        return divmod(move, 3)

    def do_move(self, move):
        self.free.remove(move)
        self.last = move

class Search:
    def __init__(self, policy):
        self.policy = policy

    def get_move(self, game):
        return self.policy

class Player:
    def get_action(self, game):
        return game.free[0] if game.last else game.free[0]

    def set_board(self, game):
        game.init_board()
"""


def test_what_a_source_says_stands_in_the_wrapper(tmp_path: Path) -> None:
    (tmp_path / "flat.py").write_text(FLAT, encoding="utf-8")
    (tmp_path / "sized.py").write_text(SIZED, encoding="utf-8")
    flat = write_wrapper(RULES, str(tmp_path / "flat.py"), tmp_path / "wrapper.py")
    assert 'signs = {"X": "x", "O": "o", " ": "_"}' in flat
    assert "program.minimax(sum(rows, []), player != gains)" in flat
    sized = write_wrapper(RULES, str(tmp_path / "sized.py"), tmp_path / "wrapper.py")
    assert "program.Game(width=3, height=3)" in sized
    assert "position.init_board()" in sized
    assert "position.do_move(square)" in sized
    assert "program.Player().get_action(position)" in sized


def test_a_wrapper_finds_the_moves_of_every_position_and_asks_nothing_of_this_package(tmp_path: Path) -> None:
    for name, source in {"game.py": BESIDE, "rules.py": RULES_BESIDE}.items():
        (tmp_path / name).write_text(source, encoding="utf-8")
    wrapper = tmp_path / "wrapper.py"
    wrapper.write_text(write_wrapper(RULES, str(tmp_path / "game.py"), wrapper), encoding="utf-8")
    report = verify(str(wrapper), RULES, at=["XO./.X./O.."], workers=1, seconds_to_start=60)
    assert not report.asked_solver
    board = ".OOO.OO/.XXO.XX/.OOX.OO/.XXO.XX/.OOXOXO/XXXOXXX".replace("/", "").replace(".", " ")
    assert len(list_moves("6,7,4,gravity", [*board])) == 42 - board.count(" ")
