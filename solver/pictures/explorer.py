"""A board for notebooks that answers clicks, with the value of every move in its square.

It is an HTML table with the values of the positions that follow and a small script. It needs no kernel, no network
and no other package, and keeps working in a saved page. Where scripts do not run, as on code hosts, it shows one
position. Letters repeat what colours say.
"""

import json
from collections.abc import Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from solver.drawing.board import Label, draw_board
from solver.drawing.canvas import svg
from solver.drawing.columns import column_name
from solver.drawing.diagram import text_board
from solver.drawing.html import RULE, html_note
from solver.engines.engine import Tables, open_tables
from solver.game.descriptions import describe_labels, describe_rules
from solver.game.diagrams import line_strokes
from solver.game.games import parse_game
from solver.game.lines import squares_of
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.value import Value
from solver.tablebase import Prober

MOST_POSITIONS: Final = 20_000
"""The most positions that a board holds, about 150 kB: all of 3,3,3, the next few plies of larger games."""

_STYLES: Final = {  # by the first letter of the text in a square; legible in light and in dark notebooks
    "X": "font-size:26px;font-weight:600;color:#3a86c8",
    "O": "font-size:26px;font-weight:600;color:#d9661f",
    "W": "background:rgba(0,158,115,.28)",
    "=": "background:rgba(128,128,128,.22)",
    "L": "background:rgba(213,94,0,.26)",
    "": "",
}
_SQUARE: Final = (
    f"width:48px;height:48px;min-width:48px;box-sizing:border-box;padding:0;text-align:center;vertical-align:middle;border:{RULE};"
    "border-radius:8px;color:inherit;font-variant-numeric:tabular-nums"
)
_NAMED: Final = ";white-space:pre-line;font-size:14px"
_WIDEST: Final = 12  # squares in a row of a board without coordinates
_BOARD: Final = "border-collapse:separate;border-spacing:4px;color:inherit"
_HEAD: Final = "padding:.2em .5em;text-align:center;font-weight:400;opacity:.75;color:inherit;background:none;border:0"


class ShownPosition(NamedTuple):
    """The value and the outcome of a position that the board can show."""

    value: Value
    """The value of the move that led there, for the player who made it."""
    outcome: str | None
    """`X`, `O` or `draw` if the game is over."""


@dataclass(frozen=True)
class Explorer:
    """A position with the values of the positions that follow, for as many plies as there is room."""

    position: Position
    value: Value
    """The value for the side to move."""
    entries: dict[int, ShownPosition]
    """By base-3 hash, the position itself among them."""
    deepest: int
    """The number of stones in the last of these positions."""

    def json(self) -> dict[str, Any]:
        """Return the data of the script: the board, its lines, the first position, and the marks as text.

        The marks are in the order of their hashes. Each holds the difference from the hash before, in base 36, the
        label of the value and, if the game is over, `X`, `O`, or `D` for a draw. A line has the squares that complete
        it and the squares that must not be of the same side; `cells` are the squares in the order of the table.
        """
        rules, marks = self.position.rules, []
        for before, after in pairwise([0, *sorted(self.entries)]):
            value, outcome = self.entries[after]
            end = "D" if outcome == "draw" else outcome or ""
            marks.append(np.base_repr(after - before, 36).lower() + value.label + end)
        return {
            "names": rules.diagram.names,
            "named": not rules.diagram.has_coordinates,
            "cells": [cell for cell in rules.diagram.cells if isinstance(cell, int)],
            "lines": [
                [[[*squares_of(line.mask)], [*squares_of(line.guard)]] for line in lines]
                for lines in (rules.x_lines, rules.o_lines)
            ],
            "start": self.position.hash,
            "deepest": self.deepest,
            "marks": ",".join(marks),
            "square": _SQUARE + ("" if rules.diagram.has_coordinates else _NAMED),
            "styles": _STYLES,
        }

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/html": self.html(), "text/plain": self.text()}

    def text(self) -> str:
        """Return the board as text, with the value of a move on each empty square."""
        rules = self.position.rules
        labels = {square: value.label for square, value in self._moves().items()}
        return text_board(rules.diagram, self.position.cells, labels=labels)

    def svg(self) -> str:
        """Return the board as SVG."""
        rules, position, status = self.position.rules, self.position, self._status()
        board = draw_board(
            rules.diagram,
            position.cells,
            title=f"{rules}: {status} {self._legend()}",
            caption=status.rstrip("."),
            labels={square: Label(value.label, value.category) for square, value in self._moves().items()},
            highlight=squares_of(position.winning_line),
            strokes=line_strokes(rules),
        )
        return svg(board)

    def html(self) -> str:
        """Return the board as a piece of HTML with its script."""
        data = escape(json.dumps(self.json(), separators=(",", ":")))
        script = Path(__file__).with_name("explorer.js").read_text(encoding="utf-8")
        return (
            f'<div class="mnk-explore" data-explorer="{data}" style="font-family:system-ui,sans-serif;color:inherit">'
            f'<table style="{_BOARD}" aria-label="{escape(describe_rules(self.position.rules))}">'
            f"<tbody>{''.join(self._rows())}</tbody></table>"
            f'<p class="mnk-status" style="margin:.5em 0">{escape(self._status())}</p>'
            f"{html_note(self._legend())}"
            f"<script>{script}</script></div>"
        )

    def _rows(self) -> Iterator[str]:
        """Yield the rows, with coordinates, or with the name of each square above its text."""
        diagram, moves = self.position.rules.diagram, self._moves()
        texts = [
            moves[square].label if square in moves else cell.replace(".", "")
            for square, cell in enumerate(self.position.cells)
        ]
        cells, n = [], diagram.columns
        for cell in diagram.cells:
            if isinstance(cell, int):
                name = "" if diagram.has_coordinates else f"{escape(diagram.names[cell])}\n"
                style = f"{_SQUARE}{_NAMED if name else ''};{_STYLES[texts[cell][:1]]}"
                cells.append(f'<td style="{style}">{name}{texts[cell]}</td>')
            else:  # a stone from the start, or a hole
                cells.append(f'<th style="{_HEAD}">{cell if cell in {"X", "O"} else ""}</th>')
        if not diagram.has_coordinates:
            rows = [cells[start : start + n] for start in range(0, len(cells), n)]
            pieces = (row[start : start + _WIDEST] for row in rows for start in range(0, n, _WIDEST))
            yield from (f'<tr style="background:none">{"".join(piece)}</tr>' for piece in pieces)
            return
        letters = "".join(f'<th style="{_HEAD}">{column_name(column)}</th>' for column in range(n))
        yield f'<tr style="background:none"><th style="{_HEAD}"></th>{letters}</tr>'
        for row in range(diagram.rows):
            here = "".join(cells[row * n : (row + 1) * n])
            yield f'<tr style="background:none"><th style="{_HEAD}">{row + 1}</th>{here}</tr>'

    def _moves(self) -> dict[int, Value]:
        """Return the value of each legal move for the side that makes it."""
        return {square: self.entries[self.position.play(square).hash].value for square in self.position.legal_moves}

    def _legend(self) -> str:
        labels = (entry.value.label for entry in self.entries.values())
        return describe_labels(labels, draws=self.position.rules.can_draw)

    def _status(self) -> str:
        """Return the side to move and its value, or how the game ended, as a sentence."""
        outcome = self.position.outcome
        if outcome is None:
            return f"{self.position.to_move} to move: {self.value}."
        return "A draw." if outcome == "draw" else f"{outcome} has won."


def explore(start: Position | Rules | str, tables: Tables = None) -> Explorer:
    """Return a board to explore, from a position or from the empty board of a game such as `3,3,3`.

    tables: a table, or the folder of tables; by default the default folder. Raises RulesError, MissingTable,
    DamagedTable.
    """
    if isinstance(start, str):
        start = parse_game(start)
    position = start if isinstance(start, Position) else Position.start(start)
    opened = open_tables(tables, position.rules)
    with nullcontext(opened) if opened is tables else closing(opened) as table:
        return _read_plies(position, table)


def _read_plies(position: Position, table: Prober) -> Explorer:
    """Read the values of whole plies while there is room; at least the moves of the position itself."""
    level, entries, deepest = [position], dict[int, ShownPosition](), position.ply - 1
    while level and (deepest <= position.ply or len(entries) + len(level) <= MOST_POSITIONS):
        entries |= {each.hash: ShownPosition(table.probe(each).before_move(), each.outcome) for each in level}
        level = [*{child.hash: child for parent in level for child in map(parent.play, parent.legal_moves)}.values()]
        deepest += 1
    return Explorer(position, table.probe(position), entries, deepest)
