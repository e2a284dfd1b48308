"""A board as a small picture (rounded cells, stones as strokes, coordinates, labels), and as text."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from solver.drawing.canvas import Element, element, page, stone, text, verdict_mark
from solver.drawing.palette import BOARD, FRAME, LINE, LINE_TINT, PAPER, SOFT, STONES, TONES, Tone
from solver.support.columns import column_name


def text_board(
    m: int,
    n: int,
    cells: Sequence[str],
    *,
    labels: Mapping[int, str] | None = None,
    highlight: Iterable[int] = (),
    paint: Callable[[str], str] = str,
) -> str:
    """Write the board of m rows and n columns as lines of text, without a newline at the end.

    >>> print(text_board(2, 3, "XO..X.", labels={2: "L4", 3: "=", 5: "W1"}))
       a   b   c
    1  X   O   L4
    2  =   X   W1

    cells: what stands on each square, row by row, one character each.
    labels: what to write on some squares instead.
    highlight: squares to put in parentheses, such as a completed line.
    paint: called with each label, adds what a terminal shows as its colour.
    """
    marked = set(highlight)
    texts = [(labels or {}).get(square, cell) for square, cell in enumerate(cells)]
    if marked:
        texts = [f"({text})" if square in marked else f" {text} " for square, text in enumerate(texts)]
    pad = " " if marked else ""
    heads = [pad + column_name(column) for column in range(n)]
    number_width = len(str(m))
    width = max(map(len, heads + texts))
    gap = "  " if width - 2 * len(pad) > 1 else " "
    texts = [text.ljust(width) for text in texts]
    for square, label in (labels or {}).items():
        texts[square] = texts[square].replace(label, paint(label))
    rows = [("", [head.ljust(width) for head in heads])]
    rows += [(str(row + 1), texts[row * n : (row + 1) * n]) for row in range(m)]
    return "\n".join(f"{number:>{number_width}}  {gap.join(row)}".rstrip() for number, row in rows)


_CELL, _GAP, _MARGIN, _CAPTION = 56, 6, 30, 34  # in units of the picture
_STEP = _CELL + _GAP
_LARGEST = 640  # pixels; a larger board is shown smaller
_PLAIN, _COMPLETED = Tone(SOFT, FRAME, PAPER), Tone(SOFT, LINE, LINE_TINT)
_REACH = {"X": 12, "O": 13}  # of stones


class Label(NamedTuple):
    """A short text for an empty square."""

    text: str
    verdict: str = ""
    """`win` or `loss`, which tint the square and mark it, `draw`, which tints it, or nothing."""


def draw_board(
    m: int,
    n: int,
    cells: Sequence[str],
    *,
    title: str,
    caption: str = "",
    labels: Mapping[int, Label] | None = None,
    highlight: Iterable[int] = (),
    best: Iterable[int] = (),
) -> Element:
    """Draw a board of m rows and n columns.

    cells: what stands on each square, row by row: `X`, `O`, or anything else for an empty square.
    title: the text that screen readers and tooltips give. caption: a line below the board.
    highlight: squares of a completed line. best: squares to frame heavily.
    """
    width, board_height = _extent(n), _extent(m)
    height = board_height + (_CAPTION if caption else 0)
    completed, framed = set(highlight), set(best)
    parts = [*_coordinates(m, n)]
    for square, cell in enumerate(cells):
        row, column = divmod(square, n)
        label = Label("") if cell in STONES else (labels or {}).get(square, Label(""))
        left, top = _MARGIN + column * _STEP, _MARGIN + row * _STEP
        parts += _square(left, top, cell, label, completed=square in completed, best=square in framed)
    if caption:
        parts.append(_text(width / 2, board_height + (_CAPTION - _GAP) / 2, caption, 16))
    scale = _scale(width, height)
    shown = f"{width * scale:.0f}", f"{height * scale:.0f}"
    return page(width, height, parts, title=title, shown=shown, paper=BOARD)


def board_size(m: int, n: int) -> tuple[float, float]:
    """Give the width and the height in pixels of the picture of a board without a caption."""
    width, height = _extent(n), _extent(m)
    return width * _scale(width, height), height * _scale(width, height)


def _extent(squares: int) -> int:
    return _MARGIN + squares * _STEP + _GAP


def _scale(width: float, height: float) -> float:
    """Give the pixels for a unit of the picture."""
    return min(1.0, _LARGEST / max(width, height))


def _coordinates(m: int, n: int) -> Iterator[Element]:
    middles = [_MARGIN + place * _STEP + _CELL / 2 for place in range(max(m, n))]
    for column in range(n):
        yield _text(middles[column], _MARGIN / 2, column_name(column), 14)
    for row in range(m):
        yield _text(_MARGIN / 2, middles[row], str(row + 1), 14)


def _square(left: int, top: int, cell: str, label: Label, *, completed: bool, best: bool) -> Iterator[Element]:
    tone = _COMPLETED if completed else TONES.get(label.verdict, _PLAIN)
    frame = tone.ink if best else tone.frame
    heavy = 3 if completed or best else 1.5
    side = {"width": _CELL, "height": _CELL}
    yield element("rect", x=left, y=top, **side, rx=10, fill=tone.tint, stroke=frame, stroke_width=heavy)
    x, y = left + _CELL / 2, top + _CELL / 2
    if cell in STONES:
        yield stone(cell, x, y, _REACH[cell], STONES[cell], 7)
    marked = label.verdict in {"win", "loss"}  # the label of a draw is its own mark
    if marked:
        yield verdict_mark(label.verdict, x, top + 15, 8)
    if label.text:
        yield _text(x, top + 37 if marked else y, label.text, 20, tone)


def _text(x: float, y: float, words: str, size: int, tone: Tone = _PLAIN) -> Element:
    return text(x, y, words, size, ink=tone.ink, anchor="middle", font_weight=600, dominant_baseline="central")
