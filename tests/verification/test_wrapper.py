"""Wrappers for programs that can't be asked as they are: as written they are Python, and often they play."""

from pathlib import Path

import pytest

from solver.errors import EngineError
from solver.game.rules import Rules
from solver.verification.verify import verify
from solver.verification.wrapper import write_wrapper

RULES = Rules.parse("3,3,3")

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
