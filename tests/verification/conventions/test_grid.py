"""Engines of every strength in every convention: what counts is exact, and the true reading is always shown.

The counts are found without any detection: each engine is asked by its own convention, and its moves are held against
plain negamax.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from solver.game.position import Position
from solver.verification.adapters.facts import decode_facts
from solver.verification.adapters.python_engine import PythonEngine
from solver.verification.adapters.python_source import ObjectSource
from solver.verification.adapters.questions import Question
from solver.verification.conventions.candidates import Fixed
from solver.verification.conventions.convention import Convention, interpret_reply
from solver.verification.conventions.detection import detect_convention
from solver.verification.conventions.doubts import Detected
from solver.verification.conventions.parameters import Signature
from solver.verification.positions import live_positions
from tests.verification.conventions.strengths import STRENGTHS, Strength
from tests.verification.fakes import THREE, negamax

HEAD = """
from tests.verification.conventions.strengths import STRENGTHS
play = STRENGTHS[{strength!r}]
"""

COUNTING = {
    "list": """
        def best_move(board):
            me = "X" if board.count("X") == board.count("O") else "O"
            assert type(board) is list and board.count(" ")
            return play("".join(board), me)
        """,
    "string": """
        def best_move(state):
            turn = "X" if state.count("X") <= state.count("O") else "O"
            return play((state + "").replace(".", " "), turn) + 1
        """,
    "course": """
        X, O, EMPTY = "X", "O", None

        def initial_state():
            return [[EMPTY] * 3 for _ in range(3)]

        def player(board):
            return X if sum(row.count(EMPTY) for row in board) % 2 else O

        def actions(board):
            return {(i, j) for i in range(3) for j in range(3) if board[i][j] is EMPTY}

        def minimax(board):
            cells = "".join(cell or " " for row in board for cell in row)
            action = divmod(play(cells, player(board)), 3)
            return action if action in actions(board) else None
        """,
    "player": """
        def find_move(grid, player):
            cells = "".join({player: "X", -player: "O", 0: " "}[cell] for row in grid for cell in row)
            swapped = cells.translate(str.maketrans("XO", "OX"))
            return divmod(play(cells if player == 1 else swapped, "X" if player == 1 else "O"), 3)
        """,
    "tuple": """
        def choose(state, mark):
            assert hash(state)
            theirs = 3 - mark
            sign = {1: "X", 2: "O"}
            cells = "".join(" " if s == 0 else sign[mark] if s == mark else sign[theirs] for s in state)
            return play(cells, sign[mark])
        """,
    "small letters": """
        EMPTY = "_"

        def move(board):
            cells = [cell for row in board for cell in row]
            mine = "x" if cells.count("x") == cells.count("o") else "o"
            row, column = divmod(play("".join(cells).upper().replace(EMPTY, " "), mine.upper()), 3)
            return [row + 1, column + 1]
        """,
    "array": """
        import numpy as np

        def act(board):
            me = 1 if board.sum() == 0 else -1
            cells = "".join("X" if cell == 1 else "O" if cell == -1 else " " for cell in board.reshape(9))
            return tuple(np.argwhere(np.arange(9).reshape(3, 3) == play(cells, "X" if me == 1 else "O"))[0])
        """,
    "numbered": """
        def get_move(board):
            cells = "".join(cell if cell in "XO" else " " for cell in board)
            if any(cell not in "XO" and int(cell) != place + 1 for place, cell in enumerate(board)):
                raise ValueError(board)
            return play(cells, "XO"[cells.count("X") > cells.count("O")]) + 1
        """,
}
"""Engines that know whose turn it is."""

ONE_SIDED = {
    "named O": (
        "O",
        """
        HUMAN, AI = "X", "O"

        def best_move(board):
            cells = "".join(AI if c == AI else HUMAN if c == HUMAN else " " for c in board if c in (AI, HUMAN, " "))
            return play(cells, AI)
        """,
    ),
    "nested O": (
        "O",
        """
        def best_move(board):
            squares = [square for row in board for square in row]
            cells = "".join("X" if c == "X" else "O" if c == "O" else " " for c in squares)
            return divmod(play(cells, "O"), 3)
        """,
    ),
    "list X": (
        "X",
        """
        def best_move(board):
            return play("".join(c if c in ("X", "O") else " " for c in board), "X")
        """,
    ),
    "attribute": (
        "O",
        """
        class Robot:
            def __init__(self):
                self.me, self.you = "o", "x"

            def move(self, board):
                cells = "".join("O" if c == self.me else "X" if c == self.you else " " for c in board)
                return play(cells, "O")
        """,
    ),
    "numbers": (
        "X",
        """
        HUMAN = -1
        COMP = +1

        def ai_turn(board):
            cells = "".join("X" if c == COMP else "O" if c == HUMAN else " " for row in board for c in row)
            row, column = divmod(play(cells, "X"), 3)
            return row, column
        """,
    ),
    "its own is 1": (
        "own",
        """
        def best_move(board):
            cells = "".join("X" if c == 1 else "O" if c == -1 else " " for c in board)
            return play(cells, "X")
        """,
    ),
    "own stones": (
        "own",
        '''
        def best_move(board):
            """Choose a square; own stones are 1, the other's are -1."""
            cells = "".join("X" if c == 1 else "O" if c == -1 else " " for c in board)
            return play(cells, "X")
        ''',
    ),
    "two": (
        "O",
        """
        PLAYER_ONE, PLAYER_TWO = 1, 2

        def best_move(board):
            cells = "".join("X" if c == PLAYER_ONE else "O" if c == PLAYER_TWO else " " for c in board)
            return play(cells, "O")
        """,
    ),
}
"""Engines that have a side built in, and which: `own` is the side to move, seen as X."""

MAXIMIZING = {
    "O maximizes": """
        def minimax(board, maximizing):
            me = "O" if maximizing else "X"
            square = play("".join(board), me)
            if maximizing:
                board = [*board]
                board[square] = "O"
            return square
        """,
    "nothing told": """
        def minimax(board, maximizing):
            return play("".join(board), "O" if maximizing else "X")
        """,
}


@dataclass
class Cell:
    """An engine that was understood, and how it answers."""

    detected: Detected
    answer: Callable[[Convention, Position], int | None]

    def wrong(self, positions: list[Position], convention: Convention | None = None) -> int:
        """The positions where it gives the result away, or has no legal move."""
        return sum(is_wrong(p, self.answer(convention or self.detected.convention, p)) for p in positions)


@pytest.fixture
def understand(tmp_path: Path) -> Iterator[Callable[[str], Cell]]:
    """Load the last function or class of a text, and find its convention, in this process."""
    names: list[str] = []

    def load(text: str) -> Cell:
        names.append(f"engine_of_the_grid_{len(names)}")
        path = tmp_path / f"{names[-1]}.py"
        path.write_text(text, encoding="utf-8")
        spec = spec_from_file_location(names[-1], path)
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[names[-1]] = module_from_spec(spec)
        spec.loader.exec_module(module)
        plays = [thing for thing in vars(module).values() if getattr(thing, "__module__", "") == module.__name__][-1]
        engine = PythonEngine(ObjectSource(plays), 0, THREE)

        def reply(convention: Convention, position: Position) -> Any:
            return engine.reply(Question("try", convention, position))

        signature = decode_facts(Signature, engine.facts)
        detected = detect_convention(lambda asked: [reply(*one) for one in asked], signature, THREE, Fixed())
        return Cell(detected, lambda convention, p: interpret_reply(reply(convention, p), convention, p).move)

    yield load
    for name in names:
        del sys.modules[name]


def is_wrong(position: Position, move: int | None) -> bool:
    return move is None or move not in position.legal_moves or -negamax(position.play(move)) != negamax(position)


@cache
def true_count(strength: str, side: str, positions: tuple[Position, ...]) -> int:
    """How often it errs as a side (`mover`: whoever moves)."""
    play: Strength = STRENGTHS[strength]
    cells = ["".join(position.cells).replace(".", " ") for position in positions]
    marks = [position.to_move if side == "mover" else side for position in positions]
    return sum(is_wrong(p, play(*asked)) for p, *asked in zip(positions, cells, marks, strict=True))


@cache
def positions(step: int = 1) -> list[Position]:
    return live_positions(THREE)[::step]


def moves_of(side: str, step: int) -> tuple[Position, ...]:
    return tuple(position for position in positions(step) if position.to_move in side)


def text_of(strength: str, code: str) -> str:
    lines = code.strip("\n").splitlines()
    return HEAD.format(strength=strength) + "\n".join(line[8:] for line in lines) + "\n"


def pairs(conventions: list[str]) -> list[Any]:
    """All strengths in all conventions; of the tests that always run, each strength in one, on some positions."""
    return [
        pytest.param(strength, convention, 7 if quick else 1, marks=() if quick else pytest.mark.slow)
        for quick in (True, False)
        for row, strength in enumerate(STRENGTHS)
        for column, convention in enumerate(conventions)
        if not quick or row % len(conventions) == column
    ]


@pytest.mark.sampled
@pytest.mark.parametrize(("strength", "convention", "step"), pairs([*COUNTING]))
def test_an_engine_that_knows_whose_turn_it_is_is_counted_exactly(
    understand: Callable[[str], Cell], strength: str, convention: str, step: int
) -> None:
    cell = understand(text_of(strength, COUNTING[convention]))
    true = true_count(strength, "mover", moves_of("XO", step))
    assert cell.wrong(positions(step)) == true, cell.detected.convention.describe()
    assert not any(one.sides != "XO" for one in cell.detected.alternatives)


@pytest.mark.sampled
@pytest.mark.parametrize(("strength", "convention", "step"), pairs([*ONE_SIDED]))
def test_an_engine_with_a_side_built_in_is_counted_as_it_stands_and_its_side_is_shown(
    understand: Callable[[str], Cell], strength: str, convention: str, step: int
) -> None:
    side, code = ONE_SIDED[convention]
    cell = understand(text_of(strength, code))
    everywhere = moves_of("XO", step)
    readings = {("XO", cell.wrong([*everywhere]))}
    for one in cell.detected.alternatives:
        readings.add((one.sides, cell.wrong([*moves_of(one.sides, step)], one.convention)))
    stands = true_count(strength, "X" if side == "own" else side, everywhere)
    told = convention == "own stones"
    assert ("XO", stands) in readings
    assert cell.wrong([*everywhere]) == stands or told
    true = (
        true_count_of_own(strength, everywhere) if side == "own" else true_count(strength, side, moves_of(side, step))
    )
    assert ("XO" if side == "own" else side, true) in readings
    assert not told or cell.wrong([*everywhere]) == true


def true_count_of_own(strength: str, everywhere: tuple[Position, ...]) -> int:
    """How often it errs as X on boards with the colours of the side to move and the other."""
    play, swapped = STRENGTHS[strength], str.maketrans("XO.", "OX ")
    wrong = 0
    for position in everywhere:
        cells = "".join(position.cells)
        seen = cells.translate(swapped) if position.to_move == "O" else cells.replace(".", " ")
        wrong += is_wrong(position, play(seen, "X"))
    return wrong


@pytest.mark.sampled
@pytest.mark.parametrize(("strength", "convention", "step"), pairs([*MAXIMIZING]))
def test_who_maximizes_is_told_by_the_source_or_graded_both_ways(
    understand: Callable[[str], Cell], strength: str, convention: str, step: int
) -> None:
    cell = understand(text_of(strength, MAXIMIZING[convention]))
    true = true_count(strength, "mover", moves_of("XO", step))
    counts = [cell.wrong(positions(step), one.convention) for one in cell.detected.alternatives]
    assert true in [cell.wrong(positions(step)), *counts]
    if convention == "O maximizes":
        assert (cell.wrong(positions(step)), counts) == (true, [])


COURSE = """
from functools import cache

X, O, EMPTY = "X", "O", None
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def initial_state():
    return [[EMPTY, EMPTY, EMPTY] for _ in range(3)]


def player(board):
    x, o = (sum(row.count(mark) for row in board) for mark in (X, O))
    return X if {turn} else O


def actions(board):
    return {{(i, j) for i in range(3) for j in range(3) if board[i][j] is EMPTY}}


def result(board, action):
    rows = [[*row] for row in board]
    rows[action[0]][action[1]] = player(board)
    return tuple(map(tuple, rows))


def winner(board):
    cells = [cell for row in board for cell in row]
    return next((cells[a] for a, b, c in LINES if cells[a] is not EMPTY and cells[a] == cells[b] == cells[c]), None)


def terminal(board):
    return winner(board) is not None or not actions(board)


def utility(board):
    return {{X: {win}, O: -{win}, None: 0}}[winner(board)]


@cache
def value(board):
    if terminal(board):
        return utility(board)
    values = [value(result(board, action)) for action in actions(board)]
    return max(values) if player(board) == X else min(values)


def minimax(board):
    if terminal(board):
        return None
    choose = {choose}
    return choose(sorted(actions(board)), key=lambda action: value(result(board, action)))
"""
RIGHT = {"turn": "x <= o", "win": "1", "choose": "max if player(board) == X else min"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({}, 0),
        ({"turn": "x > o"}, 1869),
        ({"turn": "x < o"}, 1320),
        ({"choose": "max"}, 1459),
        ({"win": "-1"}, 2656),
    ],
    ids=["right", "player the wrong way round", "player by x < o", "always max", "flipped utility"],
)
def test_a_mistake_in_the_course_s_exercise_is_not_explained_away(
    understand: Callable[[str], Cell], change: dict[str, str], wrong: int
) -> None:
    cell = understand(COURSE.format(**{**RIGHT, **change}))
    assert cell.wrong(positions()) == wrong
    assert not cell.detected.alternatives
    assert cell.detected.is_certain
    assert cell.detected.convention.describe() == (
        "board: rows of lists, where X is 'X', O is 'O', an empty square is None; moves: row and column from 0"
    )
    assert "marks: X, O, EMPTY are constants of its source" in cell.detected.told
    assert "--profile cs50 settles" in cell.detected.notes[0]
