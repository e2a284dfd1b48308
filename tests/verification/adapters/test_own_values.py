"""What a program's functions ask of it beside a board: its players' objects, its functions, how far its search is."""

import ast
from pathlib import Path
from textwrap import dedent

import pytest

from solver.verification.adapters.entry import Entry
from solver.verification.adapters.python_source import FileSource
from solver.verification.contract import Failure
from solver.verification.conventions.parameters import find_flags
from solver.verification.conventions.source import read_source
from solver.verification.verify import verify
from tests.verification.adapters.test_programs import GAME, RULES, ask, plays_first

PLAYER = """
    class Player:
        def __init__(self, name, symbol):
            self.name, self.symbol = name, symbol
"""
FREE = "next((r, c) for r in range(3) for c in range(3) if board[r][c] == '-')"

PROGRAMS = {
    "a player's object that is made": f"""
    {PLAYER}
    def best_move(board, player):
        assert player.symbol in ("X", "O") and sum(row.count(player.symbol) for row in board) < 5
        return {FREE}
    """,
    "a player's object that is there": f"""
    class Player:
        def __init__(self, marker, gains):
            self.marker, self.gains = marker, gains

    ai, human = Player("X", True), Player("O", False)

    def best_move(board, player):
        assert player.gains == (player is ai) == (sum(sum(cell != "-" for cell in row) for row in board) % 2 == 0)
        return {FREE}
    """,
    "a function of its own": f"""
    def simple_evaluation(board):
        return 0

    def minimax(board, depth, eval_function):
        assert eval_function(board) == 0
        return {FREE}
    """,
    "a depth that is counted up, and no last move": f"""
    def search(board, depth, move):
        if move:
            return depth
        assert depth == 0
        for r in range(3):
            for c in range(3):
                search(board, depth + 1, (r, c))
        return {FREE}
    """,
    "a mark with the square": """
    def best_move(board):
        mark = "XO"[sum(cell != " " for cell in board) % 2]
        return (mark, board.index(" ")), 0
    """,
    "an import with words": """
    randrange = getattr(__import__("random", fromlist=["randrange"]), "randrange")

    def best_move(board):
        return board.index(" ") + randrange(1)
    """,
    "a board that is emptied first": f"""{GAME}
        def reset_board(self):
            self.cells = [" "] * 9

        def best_move(self):
            return self.free()[0]
    """.replace(
        'self.cells = [" "] * 9\n            self.turn', 'self.cells = [" "] * 8 + ["O"]\n            self.turn'
    ),
}


@pytest.mark.sampled
@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_what_its_source_tells_is_given(tmp_path: Path, source: str) -> None:
    assert plays_first(ask(tmp_path, source)[0])


def test_a_function_that_is_given_is_said(tmp_path: Path) -> None:
    (tmp_path / "game.py").write_text(
        "def rate_board(board):\n    return 0\n\ndef best_move(board, rate):\n    return rate(board)\n",
        encoding="utf-8",
    )
    entry = Entry(FileSource(str(tmp_path / "game.py")), RULES)
    assert "for rate stands rate_board" in entry.signature.notes


def test_a_program_that_ends_with_the_game_has_moved(tmp_path: Path) -> None:
    ending = "self.place(self.free()[0])\n            if not self.free():\n                exit(0)\n"
    answers, _ = ask(tmp_path, f"{GAME}\n        def computer_move(self):\n            {ending}")
    assert plays_first(answers)


def test_a_move_is_seen_on_the_board_that_the_program_has_put_away(tmp_path: Path) -> None:
    source = """
    import tkinter
    board = [""] * 9
    player_symbol, ai_symbol = "X", "O"
    turn = "X"
    window = tkinter.Tk()
    buttons = []
    for place in range(9):
        buttons.append(tkinter.Button(window))

    def ai_move():
        global board
        assert (player_symbol, ai_symbol) == ("X", "O")
        place = board.index("")
        board[place] = turn
        buttons[place].config(text=turn)
        board = [""] * 9

    window.mainloop()
    """
    assert plays_first(ask(tmp_path, source)[0])


def test_a_side_that_is_built_in_beside_a_board_of_its_own_is_another_reading(tmp_path: Path) -> None:
    source = f"""
    board = [["-"] * 3 for _ in range(3)]

    def ai_move():
        row, column = {FREE}
        board[row][column] = "O"
    """
    (tmp_path / "game.py").write_text(dedent(source), encoding="utf-8")
    report = verify(str(tmp_path / "game.py"), RULES, at=["XO./.X./O..", "OX./X../..."], workers=1, seconds_to_start=60)
    assert [verdict.answer.failure for verdict in report.verdicts] == [Failure.WRONG_TYPE, None]
    assert [(one.condition, one.positions) for one in report.readings] == [("its side is always O", 1)]


def test_marks_that_the_source_names_come_before_others_with_which_it_never_raises(tmp_path: Path) -> None:
    source = """
    def best_move(board, player):
        if player in ("X", "O") and board[0] == player and board[1] != "-" and board[3] != "-":
            raise ValueError
        return board.index("-")
    """
    _, said = ask(tmp_path, source)
    assert "X is 'X', O is 'O'" in said


def test_a_search_whose_side_to_gain_has_a_name_of_its_own_is_told_it() -> None:
    source = """
    def minimax(board, up):
        if up:
            board[0] = "O"
            minimax(board, False)
        else:
            minimax(board, True)
    """
    assert find_flags(ast.parse(dedent(source)).body[0]) == {"up"}
    assert read_source(dedent(source)).maximizer == ("O",)
    assert read_source(dedent(source).replace('board[0] = "O"', 'drop_piece(board, 0, "O")')).maximizer == ("O",)


def test_threads_are_said_as_they_keep_an_engine_from_beginning_anew(tmp_path: Path) -> None:
    source = """
    import threading
    threading.Thread(target=threading.Event().wait, daemon=True).start()

    def best_move(board):
        return board.index(" ")
    """
    answers, said = ask(tmp_path, source)
    assert plays_first(answers)
    assert "it has started threads" in said


def test_a_method_that_thinks_is_no_way_to_place_a_stone(tmp_path: Path) -> None:
    source = f"""{GAME}
        def make_move(self, square):
            self.place(square)
            while self.turn == "O":
                pass

        def best_move(self):
            return self.free()[0]
    """
    (tmp_path / "game.py").write_text(dedent(source), encoding="utf-8")
    entry = Entry(FileSource(str(tmp_path / "game.py")), RULES)
    assert "each position is put into its own Board by playing the moves with place(square)" in entry.signature.notes
