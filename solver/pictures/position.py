"""A position as a picture that explains itself: what it comes to, every move's worth in its square, and a key."""

from collections.abc import Iterator, Sequence
from typing import Final

from solver.drawing.dark import adaptive
from solver.drawing.marks import verdict_mark
from solver.drawing.page import INK, PALE, svg_page, svg_text
from solver.drawing.svg import board_size, svg_board
from solver.game.lines import squares_of
from solver.game.position import Position
from solver.game.squares import square_name
from solver.game.value import Value
from solver.tablebase import Prober

__all__ = ["draw_position"]

_MARGIN, _HEAD, _ROW, _FOOT = 24, 78, 24, 12  # in units of the picture
_BOLD, _LETTER = 11.6, 9.2  # widths of letters of the title and of the rest, in the widest of usual fonts
_WORDS: Final = {1: ("W", "wins"), 0: ("=", "draws"), -1: ("L", "loses")}  # the letter in a square, and its meaning


def draw_position(position: Position, tables: Prober | None) -> str:
    """A position as an SVG picture; without tables, the stones alone.

    Raises MissingTable or DamagedTable.
    """
    moves = tables.moves(position) if tables else []
    outlook = _outlook(position, tables.probe(position), moves) if tables else ""
    best = [square for square, value in moves if value.rank == moves[0][1].rank]
    if len(best) == len(moves) > 1:
        best = []  # where every move is as good, none stands out
    board = svg_board(
        position.rules.m,
        position.rules.n,
        position.cells,
        title=position.summary,
        labels={square: value.label for square, value in moves},
        highlight=squares_of(position.winning_line),
        best=best,
    )
    board_width, board_height = board_size(position.rules.m, position.rules.n)
    key = [*_key(moves, bool(best), bool(position.winning_line))]
    texts = [len(outlook) * _LETTER, *((len(text) + 3) * _LETTER for _, text in key)]
    width = max(board_width, len(position.summary) * _BOLD, *texts) + 2 * _MARGIN
    top = _HEAD if outlook else _HEAD - 26
    parts = [
        svg_text(_MARGIN, 38, position.summary, 18, weight=700),
        svg_text(_MARGIN, 62, outlook, 15, ink=PALE),
        f'<g transform="translate({(width - board_width) / 2:.6g} {top:g})">{board}</g>',
        *_drawn_key(key, top + board_height + _ROW),
    ]
    height = top + board_height + len(key) * _ROW + _FOOT + (_ROW / 2 if key else 0)
    description = " ".join([f"{position.summary}: {position.board}.", *_told(position, moves)])
    return adaptive(svg_page(width, height, parts, title=position.summary, description=description))


def _outlook(position: Position, value: Value, moves: Sequence[tuple[int, Value]]) -> str:
    """What the position is worth and how to reach it."""
    if not moves:
        return ""
    best = [square_name(position.rules, square) for square, move in moves if move.rank == moves[0][1].rank]
    if len(best) == len(moves) > 1:
        return f"{str(value).capitalize()}, whatever {position.to_move} plays"
    return f"{str(value).capitalize()}, best: {', '.join(best)}"


def _key(moves: Sequence[tuple[int, Value]], framed: bool, line: bool) -> Iterator[tuple[str, str]]:
    """(sign, meaning) of what the board shows; a sign is drawn around the origin, some 8 units wide."""
    for wdl, (letter, verb) in _WORDS.items():
        values = [value for _, value in moves if value.wdl == wdl]
        timed = wdl and any(value.distance is not None for value in values)
        if values:
            meaning = f"a move there {verb}{', in so many plies' if timed else ''}"
            yield verdict_mark(values[0].category, 0, 0, 8), f"{letter}: {meaning}" if wdl else meaning
    if framed:
        frame = f'<rect x="-8" y="-8" width="16" height="16" rx="3" fill="none" stroke="{INK}" stroke-width="3"/>'
        yield frame, "heavy frame: a best move"
    if line:
        yield '<rect x="-8" y="-8" width="16" height="16" rx="3" fill="#ffe8a3" stroke="#e69f00"/>', "a completed line"


def _drawn_key(key: Sequence[tuple[str, str]], top: float) -> Iterator[str]:
    for row, (sign, text) in enumerate(key):
        y = top + row * _ROW
        yield f'<g transform="translate({_MARGIN + 8} {y:g})">{sign}</g>'
        yield svg_text(_MARGIN + 26, y + 5, text, 14)


def _told(position: Position, moves: Sequence[tuple[int, Value]]) -> Iterator[str]:
    """Every move in words."""
    for square, value in moves:
        yield f"{square_name(position.rules, square)}: {value}."
