"""A board for the terminal: each empty square with the verdict on a move there, in letters and then in colour."""

import re
from collections.abc import Sequence

import click

from solver.drawing.text import text_board
from solver.game.lines import squares_of
from solver.game.position import Position
from solver.game.value import Value

__all__ = ["board_text"]

Moves = Sequence[tuple[int, Value]]

_LABEL = re.compile(r"[WL]\d*|=")  # nothing else on a printed board has these signs
_COLOURS = {"W": "green", "=": "yellow", "L": "red"}


def board_text(position: Position, moves: Moves = ()) -> str:
    """The board as lines of text; the squares of `moves` bear their verdicts, completed lines parentheses."""
    rules = position.rules
    text = text_board(
        rules.m,
        rules.n,
        position.cells,
        labels={square: value.label for square, value in moves},
        highlight=squares_of(position.winning_line),
    )
    return _LABEL.sub(_coloured, text)


def _coloured(label: re.Match[str]) -> str:
    return click.style(label.group(), fg=_COLOURS[label.group()[0]])
