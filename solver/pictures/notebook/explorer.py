"""A board that answers clicks: every move's verdict in its square, also for all that follows.

It is a plain table that carries the values it can show and a small script, so it needs no kernel, no network and no
other package, and goes on working in a page that was saved. Where scripts are not run, as on code hosts, it is the
board with the verdicts of one position. Nothing is hidden in colours: letters say the same.
"""

import json
from collections.abc import Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final

from solver.drawing.html import RULE, html_note
from solver.drawing.svg import svg_board
from solver.drawing.text import text_board
from solver.engines.contract import Tables, open_tables
from solver.game.lines import squares_of
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.value import Value, legend
from solver.support.columns import column_name
from solver.tablebase import Prober

__all__ = ["MOST_POSITIONS", "Explorer", "explore"]

MOST_POSITIONS: Final = 20_000
"""How many positions a board carries at most, some 150 kB: all of 3,3,3, the next few plies of larger games."""

_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_STYLES: Final = {  # by the first letter of what stands in a square
    "X": "font-size:26px;font-weight:600",
    "O": "font-size:26px;font-weight:600",
    "W": "background:rgba(0,158,115,.28)",
    "=": "background:rgba(128,128,128,.22)",
    "L": "background:rgba(213,94,0,.26)",
    "": "",
}
_SQUARE: Final = (
    f"width:48px;height:48px;min-width:48px;box-sizing:border-box;padding:0;text-align:center;vertical-align:middle;border:{RULE};"
    "border-radius:8px;color:inherit;font-variant-numeric:tabular-nums"
)
_BOARD: Final = "border-collapse:separate;border-spacing:4px;color:inherit"
_HEAD: Final = "padding:.2em .5em;text-align:center;font-weight:400;opacity:.75;color:inherit;background:none;border:0"


@dataclass(frozen=True)
class Explorer:
    """A position, its value, and what is known of it and of all that follow, as many plies as there is room for.

    marks: by base-3 hash, what the move that led there was worth to its player (`W3`, `=`, `L4`), followed, where the
    game is over, by who has won: `X`, `O`, or `D` for nobody. deepest: how many stones the last of them have.
    """

    position: Position
    value: Value
    marks: dict[int, str]
    deepest: int

    def facts(self) -> dict[str, Any]:
        """What the script reads: the board, its lines, the position to begin with, and the marks as text.

        The marks are in the order of their hashes, each written as the step from the hash before, in base 36, and
        the mark; a line is the squares that make it and those that must not be of the same side.
        """
        rules = self.position.rules
        hashes = sorted(self.marks)
        steps = (b - a for a, b in zip([0, *hashes], hashes, strict=False))
        return {
            "columns": rules.n,
            "squares": rules.squares,
            "lines": [[[*squares_of(line.mask)], [*squares_of(line.guard)]] for line in rules.lines],
            "start": self.position.hash,
            "deepest": self.deepest,
            "marks": ",".join(f"{_base36(step)}{self.marks[h]}" for step, h in zip(steps, hashes, strict=True)),
            "square": _SQUARE,
            "styles": _STYLES,
        }

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/html": self.html(), "text/plain": self.text()}

    def text(self) -> str:
        """The board as text, each empty square with the verdict of a move there."""
        rules = self.position.rules
        return text_board(rules.m, rules.n, self.position.cells, labels=self._labels())

    def svg(self) -> str:
        """The same as a picture."""
        rules, position = self.position.rules, self.position
        return svg_board(
            rules.m,
            rules.n,
            position.cells,
            title=f"{rules}: {self._said()} {legend(self.marks.values())}",
            caption=self._said().rstrip("."),
            labels=self._labels(),
            highlight=squares_of(position.winning_line),
        )

    def html(self) -> str:
        """The board as a piece of HTML."""
        rules = self.position.rules
        data = escape(json.dumps(self.facts(), separators=(",", ":")))
        return (
            f'<div class="mnk-explore" data-facts="{data}" style="font-family:system-ui,sans-serif;color:inherit">'
            f'<table style="{_BOARD}" aria-label="{escape(rules.describe())}">'
            f"<tbody>{''.join(self._rows())}</tbody></table>"
            f'<p class="mnk-said" style="margin:.5em 0">{escape(self._said())}</p>'
            f"{html_note(legend(self.marks.values()))}"
            f"<script>{_script()}</script></div>"
        )

    def _rows(self) -> Iterator[str]:
        rules, labels = self.position.rules, self._labels()
        letters = "".join(f'<th style="{_HEAD}">{column_name(column)}</th>' for column in range(rules.n))
        yield f'<tr style="background:none"><th style="{_HEAD}"></th>{letters}</tr>'
        for row in range(rules.m):
            cells = []
            for square in range(row * rules.n, (row + 1) * rules.n):
                text = labels.get(square, self.position.cells[square].replace(".", ""))
                cells.append(f'<td style="{_SQUARE};{_STYLES[text[:1]]}">{text}</td>')
            yield f'<tr style="background:none"><th style="{_HEAD}">{row + 1}</th>{"".join(cells)}</tr>'

    def _labels(self) -> dict[int, str]:
        """The verdict of each legal move, for the side that makes it."""
        position = self.position
        return {square: self.marks[position.play(square).hash].rstrip("XOD") for square in position.legal_moves}

    def _said(self) -> str:
        outcome = self.position.outcome
        if outcome is None:
            return f"{self.position.to_move} to move: {self.value}."
        return "A draw." if outcome == "draw" else f"{outcome} has won."


def explore(start: Position | Rules | str, tables: Tables = None) -> Explorer:
    """A board to explore, from a position or from the empty board of a game such as `3,3,3`.

    tables: a table, or where tables are; by default the default folder. Raises RulesError and what tables raise.
    """
    if isinstance(start, str):
        start = Rules.parse(start)
    position = start if isinstance(start, Position) else Position.start(start)
    opened = open_tables(tables, position.rules)
    with nullcontext(opened) if opened is tables else closing(opened) as table:
        return _explored(position, table)


def _explored(position: Position, table: Prober) -> Explorer:
    """Whole plies, as long as there is room for their positions; at least the moves of the position itself."""
    level = [position]
    marks = _marks(level, table)
    deepest = position.ply
    while level:
        level = [*{child.hash: child for one in level for child in map(one.play, one.legal_moves)}.values()]
        if deepest > position.ply and len(marks) + len(level) > MOST_POSITIONS:
            break
        marks |= _marks(level, table)
        deepest += bool(level)
    return Explorer(position, table.probe(position), marks, deepest)


def _marks(positions: list[Position], table: Prober) -> dict[int, str]:
    over = {None: "", "draw": "D", "X": "X", "O": "O"}
    return {one.hash: table.probe(one).before_move().label + over[one.outcome] for one in positions}


def _base36(number: int) -> str:
    """A whole number from 0 up in base 36.

    >>> _base36(0), _base36(35), _base36(36)
    ('0', 'z', '10')
    """
    digits = ""
    while number or not digits:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits


@cache
def _script() -> str:
    return Path(__file__).with_name("explorer.js").read_text(encoding="utf-8")
