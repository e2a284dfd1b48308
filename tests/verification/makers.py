"""Write engines: the same decisions behind any form of board, marks, player and move."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solver.game.games import parse_game
from solver.game.position import Position
from solver.verification.verify import Report
from tests.verification.referee import FAILURES, FAULTS, Choice, Decide, Game

MINIMAX = '''
from functools import cache

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@cache
def think(cells, side):
    """The value for the side to move, with what is left to play, and the first of the best squares."""
    other = "O" if side == "X" else "X"
    if any(all(cells[one] == other for one in line) for line in LINES):
        return -1 - cells.count("."), -1
    if "." not in cells:
        return 0, -1
    free = [square for square in range(9) if cells[square] == "."]
    value, negative = max((-think(cells[:at] + side + cells[at + 1 :], other)[0], -at) for at in free)
    return value, -negative


def perfect(cells, side):
    return think(cells, side)[1]
'''
"""A textbook minimax of 3,3,3."""


@dataclass(frozen=True)
class Form:
    """The convention of an engine, as options of `verify`, and how it reads its arguments."""

    board: str
    marks: tuple[Any, Any, Any]
    player: Any
    moves: str
    unknown: str = ""
    """Its reading of other marks: a dot for empty squares, # for strange stones; by default it fails on them."""
    quirk: str = ""
    """A line that runs before the move is returned, or `return ...`."""
    as_type: str = "tuple"
    """Of a pair."""

    @property
    def stated(self) -> dict[str, Any]:
        """The form as options of `verify`."""
        of_marks = {} if self.board == "position" else {"marks": self.marks}
        return {"board": self.board, "player": self.player, "moves": self.moves, **of_marks}


_ENCODE = {
    "index": "square",
    "index from 1": "square + 1",
    "row,column": "TYPE(divmod(square, COLUMNS))",
    "row,column from 1": "TYPE((square // COLUMNS + 1, square % COLUMNS + 1))",
    "column,row": "TYPE((square % COLUMNS, square // COLUMNS))",
    "column,row from 1": "TYPE((square % COLUMNS + 1, square // COLUMNS + 1))",
    "column": "square % COLUMNS",
    "column from 1": "square % COLUMNS + 1",
    "name": "f'{chr(97 + square % COLUMNS)}{square // COLUMNS + 1}'",
    "board": "place(board, square, cells)",
}


def write_engine(path: Path, form: Form, mind: str, columns: int = 3, data: Mapping[str, Choice] | None = None) -> str:
    """Write an engine whose `choose(cells, side)` is the source `mind`; return its name for `verify`.

    data: the value of `DATA` for `mind`.
    """
    if data is not None:
        path.with_suffix(".json").write_text(json.dumps(data), encoding="utf-8")
    numbers = form.player if isinstance(form.player, tuple) else form.marks[:2] if form.player == "mark" else None
    cells = {"rows": "[cell for row in board for cell in row]", "array": "board.ravel().tolist()"}
    cells |= {"flat array": "board.tolist()", "notation": "board.replace('/', '')", "position": "board.cells"}
    read = f"NAMES.get(cell, {form.unknown!r})" if form.unknown else "NAMES[cell]"
    marks = "XO." if form.board == "position" else form.marks
    source = f"""
import json
import os
from pathlib import Path

COLUMNS = {columns}
MARKS = {tuple(marks)!r}
NAMES = dict(zip(MARKS, "XO.", strict=True))
PLAYERS = {numbers!r}
SEEN = []
if Path(__file__).with_suffix(".json").exists():
    DATA = json.loads(Path(__file__).with_suffix(".json").read_text())

{mind}


def place(board, square, cells):
    placed = [MARKS["XO.".index(cell)] for cell in cells]
    placed[square] = MARKS["XO".index(SEEN[-1])]
    if isinstance(board, str):
        return "".join(placed)
    if {form.board == "rows"}:
        return [placed[start : start + COLUMNS] for start in range(0, len(placed), COLUMNS)]
    return placed


def best_move(board{", player" if numbers else ""}):
    cells = "".join({read} for cell in {cells.get(form.board, "board")})
    side = {"'XO'[PLAYERS.index(player)]" if numbers else "'XO'[(len(cells) - cells.count('.')) % 2]"}
    SEEN.append(side)
    square = choose(cells, side)
    if not isinstance(square, int):
        return square
    {form.quirk or "pass"}
    return {_ENCODE[form.moves].replace("TYPE", form.as_type)}
"""
    path.write_text(source, encoding="utf-8")
    return f"{path}:best_move"


def run_mind(mind: str, game: Game) -> Decide:
    """Return the mind as a function for the referee, which returns a square or the name of a failure."""
    names: dict[str, Any] = {}
    exec(mind, names)

    def decide(cells: str) -> Choice:
        try:
            found = names["choose"](cells, game.side(cells))
        except (Exception, SystemExit):
            return "exception"
        if not isinstance(found, int):
            return "wrong_type"
        return found if found in game.legal(cells) else "illegal"

    return decide


def assert_exact(report: Report, game: Game, decide: Decide) -> None:
    """Compare every count of a report with the referee's."""
    cells = ["".join(verdict.position.cells) for verdict in report.verdicts]
    truth, facts = game.count(decide, cells), report.json()
    kinds = (*FAULTS, *FAILURES, "missed_win_in_one", "slow_win", "short_defence")
    by_threats = {"missed_win": 0, "allowed_win": 0}  # these games have values
    assert facts["counts"] == {kind: truth[kind] for kind in kinds} | by_threats
    assert [facts[name] for name in ("positions", "counted", "wrong")] == [
        truth[name] for name in ("positions", "counted", "wrong")
    ]
    assert facts["score"] == (1 - truth["wrong"] / truth["counted"] if truth["counted"] else None)
    assert facts["takes_wins_in_one"] == (not truth["missed_win_in_one"] and not any(truth[one] for one in FAILURES))
    wrong = {fault["position"] for fault in facts["faults"]}
    assert len(wrong) == truth["wrong"]
    for side, found in facts["play"].items():
        loss = game.shortest_loss(decide, side) if found["beaten"] is not None else None
        assert (found["beaten"], found["line"] and len(found["line"])) in {(None, None), (loss is not None, loss)}


def boards(game: Game, cells: list[str]) -> list[Position]:
    """Return positions of the package."""
    rules = parse_game(game.name)
    return [Position.parse(rules, game.board(one)) for one in cells]
