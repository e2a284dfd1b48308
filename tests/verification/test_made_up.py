"""Two hundred made-up engines with a bug or an odd form, half of them with a form that is never suggested.

Each must get exactly the counts of an independent referee under its own convention. With nothing stated it is refused;
if its form is known and its moves are legal, its own convention is suggested, unless the list is full.
"""

import random
from dataclasses import dataclass
from pathlib import Path

import pytest

from solver.errors import GraderError
from solver.verification.convention import Convention
from solver.verification.suggestion import _MOST_SHOWN, MARKS
from solver.verification.verify import verify
from tests.verification.makers import MINIMAX, Form, assert_exact, boards, run_mind, write_engine
from tests.verification.referee import FAILURES, THREE

KNOWN_MOVES = ("index", "row,column", "column,row")
KNOWN_MARKS = [marks for marks in MARKS if not str(marks[2]).endswith("..")]
ODD_MARKS = (
    ("x", "o", " "), ("x", "o", "."), ("X", "O", "."), ("X", "O", "-"), ("B", "W", "_"), ("o", "x", " "),
    ("O", "X", " "), (0, 1, None), (0, 1, -1), (1, 0, -1), (1, 0, None), (2, 1, 0), (-1, 1, 0), (10, 20, 30),
    (True, False, None), ("X", "O", 0), (1.5, -1.5, 0.0), ("me", "you", "free"),
)  # fmt: skip
ODD_MOVES = ("index from 1", "row,column from 1", "column,row from 1", "name", "board")
BUGS = {
    "none": "return perfect(cells, side)",
    "first": "return cells.index('.')",
    "last": "return cells.rindex('.')",
    "draws lots": "import zlib; free = [s for s in range(9) if cells[s] == '.']; "
    "return free[zlib.crc32(cells.encode()) % len(free)]",
    "crashes": "return perfect(cells, side) // (0 if PATTERN else 1)",
    "leaves": "import sys; return sys.exit(3) if PATTERN else perfect(cells, side)",
    "taken": "return cells.index('X') if PATTERN else perfect(cells, side)",
    "off the board": "return 9 if PATTERN else perfect(cells, side)",
    "returns something else": "return {'a': 1} if PATTERN else perfect(cells, side)",
    "first in a pattern": "return cells.index('.') if PATTERN else perfect(cells, side)",
    "one row too far": "return perfect(cells, side) + (3 if PATTERN else 0)",
    "one square too far": "return perfect(cells, side) + (1 if PATTERN else 0)",
    "no diagonals": "return perfect(cells, side) if cells[4] == '.' else cells.index('.')",
    "always X": "return perfect(cells, 'X')",
    "always O": "return perfect(cells, 'O')",
    "X alone, or the first": "return perfect(cells, side) if side == 'X' else cells.index('.')",
    "O alone, or raises": "assert side == 'O'; return perfect(cells, side)",
    "X alone, or off the board": "return perfect(cells, side) if side == 'X' else 9",
    "late crash": "return [perfect(cells, side)][cells.count('.') < 2]",
    "loses on purpose": "free = [s for s in range(9) if cells[s] == '.']; other = 'O' if side == 'X' else 'X'; "
    "return max(free, key=lambda s: think(cells[:s] + side + cells[s + 1:], other)[0])",
    "value for a move": "return max(-1, min(1, think(cells, side)[0]))",
}
PATTERNS = ("cells[0] == 'X' and cells[8] != '.'", "cells[4] == 'O'", "cells.count('.') == 5", "cells[:3] == 'XO.'")
QUIRKS = (
    "", "", "", "print('thinking', square)", "board.clear()", "board[0] = board[-1]", "SEEN.clear(); SEEN.append(side)",
    "import random; random.seed(1)", "globals()['TURN'] = side",
    "square = __import__('numpy').int64(square)", "square = float(square)",
)  # fmt: skip
OFF = {"off the board", "one row too far", "one square too far", "X alone, or off the board", "value for a move"}


@dataclass(frozen=True)
class MadeUp:
    """An engine and its form."""

    number: int
    bug: str
    mind: str
    form: Form
    is_known: bool


def make_up(number: int) -> MadeUp:
    """Return the made-up engine of a number. Engines with an even number take a known form."""
    draw, is_known = random.Random(number), number % 2 == 0
    bug = [*BUGS][number // 2 % len(BUGS)]
    while True:
        board = draw.choice(
            ["rows", "flat"] if is_known else ["rows", "flat", "string", "array", "flat array", "notation"]
        )
        marks = draw.choice(KNOWN_MARKS if is_known else (*ODD_MARKS, *KNOWN_MARKS))
        player = draw.choice(["none", "mark"] if is_known else ["none", "mark", (0, 1), (1, 2), ("a", "b")])
        moves = draw.choice(KNOWN_MOVES if is_known else (*ODD_MOVES, *KNOWN_MOVES))
        quirk = draw.choice(QUIRKS)
        text = board in {"string", "notation"}
        fits = not text or all(isinstance(mark, str) and len(mark) == 1 for mark in marks)
        fits &= not (board.endswith("array") and len({type(mark) for mark in marks}) > 1)
        fits &= "board" not in quirk or (board in {"rows", "flat"} and moves != "board")
        fits &= "square =" not in quirk or moves not in {"name", "board"}
        fits &= not (bug in OFF and (moves == "board" or (bug == "value for a move" and moves == "name")))
        if fits:
            break
    form = Form(board, marks, player, moves, draw.choice(["", ".", "#", "#"]), quirk, draw.choice(["tuple", "list"]))
    body = BUGS[bug].replace("PATTERN", draw.choice(PATTERNS))
    return MadeUp(number, bug, f"{MINIMAX}\n\ndef choose(cells, side):\n    {body}\n", form, is_known)


@pytest.mark.parametrize("number", [pytest.param(n, marks=[pytest.mark.slow] if n % 67 else []) for n in range(200)])
def test_no_made_up_engine_is_misjudged(number: int, tmp_path: Path) -> None:
    made = make_up(number)
    spec = write_engine(tmp_path / "agent.py", made.form, made.mind)
    truth = run_mind(made.mind, THREE)
    at = boards(THREE, random.Random(1).sample(THREE.live, 300))
    report = verify(spec, "3,3,3", **made.form.stated, at=at)
    assert_exact(report, THREE, truth)
    with pytest.raises(GraderError, match="is not stated; state the options board") as refused:
        verify(spec, "3,3,3", at=at)
    suggested = [line.partition(" --")[2] for line in str(refused.value).splitlines() if " --board" in line]
    if made.is_known and not any(report.counts[kind] for kind in FAILURES):
        assert len(suggested) == _MOST_SHOWN or Convention.read(made.form.stated, report.rules).write()[2:] in suggested
