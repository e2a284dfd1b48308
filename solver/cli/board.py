"""A board for the terminal: each empty square with the verdict on a move there, in letters and then in colour."""

import re
from collections.abc import Sequence

import click

from solver.lines import squares_of
from solver.position import Position
from solver.render.text import text_board
from solver.value import Value

__all__ = ["board_text", "legend"]

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


def legend(moves: Moves) -> str:
    """What the verdicts on a board mean."""
    timed = any(value.wdl and value.distance is not None for _, value in moves)
    end = ", in so many plies" if timed else ""
    return f"On an empty square: a move there wins (W), draws (=) or loses (L){end}."


def _coloured(label: re.Match[str]) -> str:
    return click.style(label.group(), fg=_COLOURS[label.group()[0]])
