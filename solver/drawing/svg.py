"""A board as a small SVG picture: rounded cells, stones as strokes, coordinates, labels, a highlighted line.

Shapes and words carry the meaning; colours (from the palette of Okabe and Ito, which the colour-blind can
tell apart) only repeat it. Styles are attributes, so that pictures on one page don't disturb each other.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from solver.drawing.marks import verdict_mark
from solver.support.columns import column_name

__all__ = ["board_size", "svg_board"]

_CELL, _GAP, _MARGIN, _CAPTION = 56, 6, 30, 34  # in units of the picture
_LARGEST = 640  # pixels; a larger board is shown smaller
_FONT = 'font-family="system-ui, sans-serif" text-anchor="middle" dominant-baseline="central"'

_BOARD, _INK = "#efece4", "#57534a"
_PLAIN, _LINE = ("#ffffff", "#dcd7ca"), ("#ffe8a3", "#e69f00")  # fill and border of a cell
_STONES = {"X": "#0b4f7d", "O": "#b3440a"}
# Fill, border and ink of a cell by the first letter of its label.
_TONES = {
    "W": ("#e0f3ec", "#8ccdb6", "#00694d"),
    "L": ("#fbe9df", "#e8b394", "#a34700"),
    "=": ("#f5f4f1", "#d3cfc6", "#5f5b53"),
}
_MARKS = {"W": "win", "L": "loss"}  # a draw's label is its own mark


def svg_board(
    m: int,
    n: int,
    cells: Sequence[str],
    *,
    title: str,
    caption: str = "",
    labels: Mapping[int, str] | None = None,
    highlight: Iterable[int] = (),
    last_move: int | None = None,
    best: Iterable[int] = (),
    coordinates: bool = True,
) -> str:
    """The board of m rows and n columns as an SVG element.

    cells: what stands on each square, row by row: `X`, `O`, or anything else for an empty square.
    title: the text that screen readers and tooltips give. caption: a line below the board.
    labels: short texts for empty squares; `W3`, `=` and `L4` are tinted and marked as win, draw and loss.
    highlight: squares of a completed line. last_move: the square to mark with a dot. best: squares to frame
    heavily.
    """
    margin = _MARGIN if coordinates else _GAP
    width, board_height = (margin + side * (_CELL + _GAP) + _GAP for side in (n, m))
    height = board_height + (_CAPTION if caption else 0)
    scale = _scale(width, height)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width * scale:.0f}" height="{height * scale:.0f}" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" rx="14" fill="{_BOARD}"/>',
    ]
    if coordinates:
        parts += _coordinates(m, n, margin)
    marked, framed = set(highlight), set(best)
    for square, cell in enumerate(cells):
        row, column = divmod(square, n)
        left, top = margin + column * (_CELL + _GAP), margin + row * (_CELL + _GAP)
        label = "" if cell in _STONES else (labels or {}).get(square, "")
        parts += _cell(left, top, cell, label, marked=square in marked, last=square == last_move, best=square in framed)
    if caption:
        parts.append(_text(width / 2, board_height + _CAPTION / 2 - _GAP / 2, caption, 16, _INK))
    return "\n".join([*parts, "</svg>"])


def board_size(m: int, n: int) -> tuple[float, float]:
    """The width and the height in pixels of the picture of a board, with coordinates and without a caption."""
    width, height = (_MARGIN + side * (_CELL + _GAP) + _GAP for side in (n, m))
    return width * _scale(width, height), height * _scale(width, height)


def _scale(width: float, height: float) -> float:
    """Pixels for a unit of the picture."""
    return min(1.0, _LARGEST / max(width, height))


def _coordinates(m: int, n: int, margin: int) -> Iterator[str]:
    for column in range(n):
        yield _text(margin + column * (_CELL + _GAP) + _CELL / 2, margin / 2, column_name(column), 14, _INK)
    for row in range(m):
        yield _text(margin / 2, margin + row * (_CELL + _GAP) + _CELL / 2, str(row + 1), 14, _INK)


def _cell(left: int, top: int, cell: str, label: str, *, marked: bool, last: bool, best: bool) -> Iterator[str]:
    fill, border, ink = _TONES.get(label[:1], (*_PLAIN, _INK))
    if marked:
        fill, border = _LINE
    if best:
        border = ink
    yield (
        f'<rect x="{left}" y="{top}" width="{_CELL}" height="{_CELL}" rx="10" '
        f'fill="{fill}" stroke="{border}" stroke-width="{3 if marked or best else 1.5}"/>'
    )
    if cell in _STONES:
        yield _stone(left, top, cell)
    mark = _MARKS.get(label[:1])
    if mark:
        yield verdict_mark(mark, left + _CELL / 2, top + 15, 8)
    if label:
        yield _text(left + _CELL / 2, top + (37 if mark else _CELL / 2), label, 20, ink)
    if last:
        yield f'<circle cx="{left + _CELL - 8}" cy="{top + 8}" r="3.5" fill="{_INK}"/>'


def _stone(left: int, top: int, cell: str) -> str:
    if cell == "O":
        shape = f'circle cx="{left + _CELL // 2}" cy="{top + _CELL // 2}" r="{_CELL // 2 - 15}"'
    else:
        near, size = f"{left + 16} {top + 16}", _CELL - 32
        shape = f'path d="M{near}l{size} {size}m0 {-size}l{-size} {size}"'
    return f'<{shape} fill="none" stroke="{_STONES[cell]}" stroke-width="7" stroke-linecap="round"/>'


def _text(x: float, y: float, text: str, size: int, ink: str) -> str:
    place = f'x="{x:g}" y="{y:g}" font-size="{size}" font-weight="600" fill="{ink}"'
    return f"<text {place} {_FONT}>{escape(text)}</text>"
