"""Programs as they are found: files that play, boards of their own, packages, notebooks, and what is said of them."""

import json
from pathlib import Path
from textwrap import dedent
from types import ModuleType

import pytest

from solver.errors import EngineError
from solver.game.games import parse_game
from solver.game.position import Position
from solver.verification.adapters.loading import CarefulLoader, Program
from solver.verification.adapters.open import open_engine
from solver.verification.contract import Answer, AskOptions

RULES = parse_game("3,3,3")
POSITIONS = [Position.parse(RULES, board) for board in ("XO./.X./O..", "XOX/OX./...", "OX./X../...")]

FIRST = "return next(i for i in range(9) if board[i] == ' ')"


def ask(
    folder: Path, source: str, name: str = "game.py", what: str = "", **options: object
) -> tuple[list[Answer], str]:
    """Write a program and ask it; returns its answers, and what is said of how."""
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(dedent(source), encoding="utf-8")
    asking = AskOptions(**{"workers": 1, "seconds_to_start": 60, **options})  # type: ignore[arg-type]
    with open_engine(f"{file}{what}", RULES, options=asking) as engine:
        return engine.ask(POSITIONS), "; ".join((engine.convention, *engine.remarks()))


def plays_first(answers: list[Answer]) -> bool:
    """Whether the first empty square was taken each time."""
    return [answer.move for answer in answers] == [position.legal_moves[0] for position in POSITIONS]


GAME = """
    class Board:
        def __init__(self):
            self.cells = [" "] * 9
            self.turn = "X"

        def free(self):
            return [i for i in range(9) if self.cells[i] == " "]

        def place(self, square):
            self.cells[square] = self.turn
            self.turn = "O" if self.turn == "X" else "X"
"""

ENDINGS = {
    "input": "board = [' '] * 9\nwhile ' ' in board:\n    board[int(input())] = 'X'\n",
    "window": "import tkinter\nroot = tkinter.Tk()\nroot.mainloop()\n",
    "window class": "from tkinter import *\nclass App(Frame):\n    pass\nroot = Tk()\nroot.title('x')\nmainloop()\n",
    "pygame": "import pygame\nscreen = pygame.display.set_mode((9, 9))\nwhile True:\n    pygame.event.get()\n",
    "called loop": "def main():\n    while True:\n        input()\nmain()\n",
}


@pytest.mark.sampled
@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS.keys())
def test_a_file_that_plays_gives_its_definitions(tmp_path: Path, ending: str) -> None:
    answers, said = ask(tmp_path, f"def best_move(board):\n    {FIRST}\n{ending}")
    assert plays_first(answers)
    assert "only its definitions; left out: line" in said


def test_a_file_that_does_not_end_gives_its_definitions(tmp_path: Path) -> None:
    file = tmp_path / "game.py"
    file.write_text(f"def best_move(board):\n    {FIRST}\nfor _ in iter(int, 1):\n    pass\n", encoding="utf-8")
    program, module = Program(file, seconds=0.2), ModuleType("game")
    CarefulLoader("game", str(file), program).exec_module(module)
    assert module.best_move(["X", " "]) == 1
    assert program.notes() == ("game.py was not run, only its definitions; left out: lines 3 to 4",)


PROGRAMS = {
    "a function of the game's own board": f"{GAME}\n    def best_move(board):\n        return board.free()[0]\n",
    "a method of the board": f"{GAME}\n        def computer_move(self):\n            self.place(self.free()[0])\n",
    "a method that returns the move": f"{GAME}\n        def best_move(self):\n            return self.free()[0]\n",
    "a player made with the board": GAME
    + """
    class Engine:
        def __init__(self, board):
            self.board = board

        def get_move(self):
            return self.board.free()[0]
    """,
    "a player of a mark": GAME
    + """
    class ComputerPlayer:
        def __init__(self, letter):
            self.letter = letter

        def get_move(self, game):
            assert game.turn == self.letter
            return game.free()[0]
    """,
    "a board of the module": """
    board = [[" "] * 3 for _ in range(3)]

    def computer_move():
        for row in range(3):
            for column in range(3):
                if board[row][column] == " ":
                    return row, column
    """,
    "a coroutine": f"""
    async def best_move(board):
        {FIRST}
    """,
    "a whole float": """
    def best_move(board):
        return float(next(i for i in range(9) if board[i] == " "))
    """,
    "an object with row and column": """
    class Move:
        def __init__(self, row, col):
            self.row, self.col = row, col

    def best_move(board):
        return Move(*divmod(next(i for i in range(9) if board[i] == " "), 3))
    """,
    "a dict with row and column": """
    def best_move(board):
        row, column = divmod(next(i for i in range(9) if board[i] == " "), 3)
        return {"row": row, "col": column}
    """,
    "two bitboards": """
    def best_move(x_bits, o_bits):
        return next(i for i in range(9) if not (x_bits | o_bits) >> i & 1)
    """,
    "own and other bitboard": """
    def best_move(my_board, opp_board):
        assert 0 <= opp_board.bit_count() - my_board.bit_count() <= 1
        return next(i for i in range(9) if not (my_board | opp_board) >> i & 1)
    """,
    "two boards of truth values": """
    def best_move(board_x, board_o):
        return next((r, c) for r in range(3) for c in range(3) if board_x[r][c] != True and board_o[r][c] != True)
    """,
    "an enum": """
    from enum import Enum
    Square = Enum("Square", {f"S{i}": i for i in range(9)})

    def best_move(board):
        return Square(next(i for i in range(9) if board[i] == " "))
    """,
}


@pytest.mark.sampled
@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_a_program_is_asked_as_it_is(tmp_path: Path, source: str) -> None:
    assert plays_first(ask(tmp_path, source)[0])


@pytest.mark.slow
def test_a_stone_placed_on_the_board_is_said_and_is_no_fault(tmp_path: Path) -> None:
    both = "def best_move(board):\n    move = board.index(' ')\n    board[move] = {}\n    return move\n"
    mark = "'X' if board.count('X') == board.count('O') else 'O'"
    answers, said = ask(tmp_path, both.format(mark))
    assert plays_first(answers)
    assert not any(answer.failure for answer in answers)
    assert "it puts its stone on the board that it is given (3 times)" in said


@pytest.mark.slow
def test_a_package_with_relative_imports_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "rules.py").write_text("def first(board):\n    return board.index(' ')\n", encoding="utf-8")
    engine = "from .rules import first\ndef best_move(board):\n    return first(board)\n"
    assert plays_first(ask(tmp_path, engine, "pack/ai.py")[0])
    (tmp_path / "pack" / "__init__.py").touch()
    assert plays_first(ask(tmp_path, engine, "pack/ai.py")[0])


def test_a_notebook_is_loaded(tmp_path: Path) -> None:
    cells = [["%matplotlib inline\n"], ["def best_move(board):\n", f"    {FIRST}\n"], ["input()\n"]]
    book = {"cells": [{"cell_type": "code", "source": cell} for cell in cells]}
    assert plays_first(ask(tmp_path, json.dumps(book), "game.ipynb")[0])


def test_an_engine_that_takes_no_board_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="best_move takes no board"):
        ask(tmp_path, "def best_move():\n    return 4\n")


@pytest.mark.slow
def test_python_2_is_named(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"written for Python 2"):
        ask(tmp_path, "def best_move(board):\n    print board\n")


@pytest.mark.slow
def test_a_search_that_returns_values_is_no_engine(tmp_path: Path) -> None:
    source = "def minimax(board, depth, maximizing):\n    best_score = 0\n    return best_score\n"
    with pytest.raises(EngineError, match="minimax in game returns the value of a position and no move"):
        ask(tmp_path, source)


@pytest.mark.slow
def test_what_was_taken_for_the_engine_is_said(tmp_path: Path) -> None:
    _, said = ask(tmp_path, f"def best_move(board):\n    {FIRST}\ndef get_move(board):\n    {FIRST}\n")
    assert "best_move was taken for the engine; so might be: get_move" in said
