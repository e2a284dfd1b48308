"""A board as a small picture (rounded cells, stones as strokes, coordinates, labels), and as text."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from solver.drawing.canvas import Element, element, page, stone, text, verdict_mark
from solver.drawing.diagram import Diagram, Point
from solver.drawing.palette import BOARD, FRAME, LINE, LINE_TINT, PAPER, SOFT, STONES, TONES, Tone
from solver.support.columns import column_name


def text_board(
    diagram: Diagram,
    cells: Sequence[str],
    *,
    labels: Mapping[int, str] | None = None,
    highlight: Iterable[int] = (),
    paint: Callable[[str], str] = str,
) -> str:
    """Write a board as lines of text, without a newline at the end.

    >>> print(text_board(grid(2, 3), "XO..X.", labels={2: "L4", 3: "=", 5: "W1"}))
       a   b   c
    1  X   O   L4
    2  =   X   W1

    cells: what stands on each square, one character each.
    labels: what to write on some squares instead.
    highlight: squares to put in parentheses, such as a completed line.
    paint: called with each label, adds what a terminal shows as its colour.
    """
    marked, m, n = set(highlight), diagram.rows, diagram.columns
    texts = [(labels or {}).get(square, cell) for square, cell in enumerate(cells)]
    if not diagram.has_coordinates:
        return _text_list(diagram, texts, marked, labels or {}, paint)
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
    places = [text if len(text) > 1 else (pad + text).ljust(width) for text in diagram.fill(texts)]
    rows = [("", [head.ljust(width) for head in heads])]
    rows += [(str(row + 1), places[row * n : (row + 1) * n]) for row in range(m)]
    return "\n".join(f"{number:>{number_width}}  {gap.join(row)}".rstrip() for number, row in rows)


_TEXT_WIDTH = 72


def _text_list(
    diagram: Diagram, texts: Sequence[str], marked: set[int], labels: Mapping[int, str], paint: Callable[[str], str]
) -> str:
    """Write what stands on each square after the square's name; a row of the diagram is a line if it fits."""
    name_width, width = max(map(len, diagram.names)), max(map(len, texts))
    words = []
    for square, here in enumerate(texts):
        shown = (f"({here})" if square in marked else f" {here} " if marked else here).ljust(width + 2 * bool(marked))
        if square in labels:
            shown = shown.replace(here, paint(here))
        words.append(f"{diagram.names[square]:>{name_width}} {shown}")
    places = diagram.fill(words)
    blank = " " * (name_width + 1 + width)
    places = [f"{place:>{name_width + 1}}".ljust(len(blank)) if len(place) == 1 else place for place in places]
    n = min(diagram.columns, max(1, _TEXT_WIDTH // (len(blank) + 3)))
    rows = [places[start : start + diagram.columns] for start in range(0, len(places), diagram.columns)]
    lines = [row[start : start + n] for row in rows for start in range(0, len(row), n)]
    return "\n".join("   ".join(line).rstrip() for line in lines)


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
    diagram: Diagram,
    cells: Sequence[str],
    *,
    title: str,
    caption: str = "",
    labels: Mapping[int, Label] | None = None,
    highlight: Iterable[int] = (),
    best: Iterable[int] = (),
) -> Element:
    """Draw a board.

    cells: what stands on each square: `X`, `O`, or anything else for an empty square.
    title: the text that screen readers and tooltips give. caption: a line below the board.
    highlight: squares of a completed line. best: squares to frame heavily.
    """
    points = _cell_points(diagram)
    width, board_height = _extents(points)
    height = board_height + (_CAPTION if caption else 0)
    completed, framed = set(highlight), set(best)
    parts = [*_coordinates(diagram.rows, diagram.columns)] if diagram.has_coordinates else []
    for square, cell in enumerate(cells):
        label = Label("") if cell in STONES else (labels or {}).get(square, Label(""))
        left, top = (_MARGIN + part * _STEP for part in points[square])
        parts += _square(left, top, cell, label, completed=square in completed, best=square in framed)
    if caption:
        parts.append(_text(width / 2, board_height + (_CAPTION - _GAP) / 2, caption, 16))
    scale = _scale(width, height)
    shown = f"{width * scale:.0f}", f"{height * scale:.0f}"
    return page(width, height, parts, title=title, shown=shown, paper=BOARD)


def board_size(diagram: Diagram) -> tuple[float, float]:
    """Give the width and the height in pixels of the picture of a board without a caption."""
    width, height = _extents(_cell_points(diagram))
    return width * _scale(width, height), height * _scale(width, height)


def _cell_points(diagram: Diagram) -> Sequence[Point]:
    """Give the (column, row) of each square."""
    if diagram.points:
        return diagram.points
    return [(float(column), float(row)) for row, column in map(diagram.row_and_column, range(len(diagram.names)))]


def _extents(points: Sequence[Point]) -> tuple[float, float]:
    width, height = (_MARGIN + (max(part) + 1) * _STEP + _GAP for part in zip(*points, strict=True))
    return width, height


def _scale(width: float, height: float) -> float:
    """Give the pixels for a unit of the picture."""
    return min(1.0, _LARGEST / max(width, height))


def _coordinates(m: int, n: int) -> Iterator[Element]:
    middles = [_MARGIN + place * _STEP + _CELL / 2 for place in range(max(m, n))]
    for column in range(n):
        yield _text(middles[column], _MARGIN / 2, column_name(column), 14)
    for row in range(m):
        yield _text(_MARGIN / 2, middles[row], str(row + 1), 14)


def _square(left: float, top: float, cell: str, label: Label, *, completed: bool, best: bool) -> Iterator[Element]:
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
