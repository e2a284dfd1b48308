"""Draw a position with its value, each move's value on the move's square, and a key."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from solver.drawing.board import Label, board_size, draw_board
from solver.drawing.canvas import Attribute, Element, element, page, place, svg, text, verdict_mark
from solver.drawing.palette import INK, LINE, LINE_TINT, PALE, TONES
from solver.game.diagrams import line_strokes
from solver.game.lines import squares_of
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.value import Value

if TYPE_CHECKING:
    from solver.search.truth import Truth

_MARGIN, _HEAD, _OUTLOOK, _ROW, _FOOT = 24, 52, 26, 24, 12  # in units of the picture
_BOLD, _LETTER = 11.6, 9.2  # the widths of letters in the title and elsewhere, in the widest usual font
_MEANINGS: Final = {
    "win": "W: a move there wins (W3: in 3 plies)",
    "draw": "a move there draws",
    "loss": "L: a move there loses (L4: in 4 plies)",
}


def draw_position(position: Position, truth: "Truth | None", title: str = "") -> str:
    """Return the picture of a position as SVG, with the value of each settled move; without a truth, only its stones.

    title: by default, the game, and the side to move or the result after a number of plies.
    Raises Unsettled if no value is found, and DamagedTable.
    """
    rules, title = position.rules, title or position.summary
    value, found, _ = truth.evaluate(position) if truth else (None, [], "rules")
    moves = [(square, one) for square, one in found if one is not None]
    if truth and value is None and not moves:
        raise truth.unsettled(position)
    best = [square for square, one in moves if one.rank == moves[0][1].rank] if value else []
    if len(best) == len(moves) > 1:
        best = []  # no move stands out
    outlook = ""
    if value and moves:
        names = ", ".join(square_name(rules, square) for square in best)
        rest = f"best: {names}" if best else f"whatever {position.to_move} plays"
        outlook = f"{str(value).capitalize()}, {rest}"
    board = draw_board(
        rules.diagram,
        position.cells,
        title=title,
        labels={square: Label(value.label, value.category) for square, value in moves},
        highlight=squares_of(position.winning_line),
        best=best,
        strokes=line_strokes(rules),
    )
    board_width, board_height = board_size(rules.diagram)
    marked = rules.diagram.shape != "edges"
    key = [*_key(moves, marked, bool(best), bool(position.winning_line))]
    texts = [len(outlook) * _LETTER, *((len(meaning) + 3) * _LETTER for _, meaning in key)]
    width = max(board_width, len(title) * _BOLD, *texts) + 2 * _MARGIN
    top = _HEAD + (_OUTLOOK if outlook else 0)
    parts = [
        text(_MARGIN, 38, title, 18, font_weight=700),
        text(_MARGIN, 62, outlook, 15, ink=PALE),
        element("g", board, transform=place((width - board_width) / 2, top)),
    ]
    for number, (sign, meaning) in enumerate(key, 1):
        y = top + board_height + number * _ROW
        parts += [element("g", sign, transform=place(_MARGIN + 8, y)), text(_MARGIN + 26, y + 5, meaning, 14)]
    height = top + board_height + len(key) * _ROW + _FOOT + (_ROW / 2 if key else 0)
    in_words = [f"{square_name(rules, square)}: {value}." for square, value in moves]
    description = " ".join([f"{title}: {position.board}.", *in_words])
    return svg(page(width, height, parts, title=title, description=description), dark=True)


def _key(moves: Sequence[tuple[int, Value]], marked: bool, framed: bool, line: bool) -> Iterator[tuple[Element, str]]:
    """Yield each sign on the board with its meaning. marked: whether win and loss marks are drawn, not just tints."""
    for verdict, meaning in _MEANINGS.items():
        values = [value for _, value in moves if value.category == verdict]
        timed = verdict != "draw" and any(value.distance is not None for value in values)
        if values:
            tone = TONES[verdict]
            sign = verdict_mark(verdict, 0, 0, 8) if marked else _sample(fill=tone.tint, stroke=tone.frame)
            bounds = [value.within for value in values if value.within]
            bound = f" ({meaning[0]}<{bounds[0] + 1}: within {bounds[0]} plies)" if bounds and not timed else ""
            yield sign, meaning if timed else meaning.partition(" (")[0] + bound
    if framed:
        yield _sample(fill="none", stroke=INK, stroke_width=3), "heavy frame: a best move"
    if line:
        yield _sample(fill=LINE_TINT, stroke=LINE), "a completed line"


def _sample(**look: Attribute) -> Element:
    return element("rect", x=-8, y=-8, width=16, height=16, rx=3, **look)
