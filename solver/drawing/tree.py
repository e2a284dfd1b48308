"""A tree of boards as an SVG picture: from left to right, one column a level, each board beside its parent's middle.

Words carry the meaning: above each board what led to it, below it what it comes to. Colours (from the palette
of Okabe and Ito, which the colour-blind can tell apart) only repeat it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from solver.support.english import plural

__all__ = ["Drawn", "count_boards", "svg_tree"]

_CELL, _PAD, _LINE, _GAP, _MARGIN, _HEAD = 20, 4, 17, 14, 20, 44  # in units of the picture
_LETTER = 6.6  # the width of a letter, generously
_INK, _PALE, _EDGE = "#3d3a34", "#6b675e", "#b5b0a3"
_STONES = {"X": "#0b4f7d", "O": "#b3440a"}
_BOARD, _GRID, _LAST = "#ffffff", "#dcd7ca", "#ffe8a3"
_TONES = {"win": "#00694d", "loss": "#a34700"}
_FONT = 'font-family="system-ui, sans-serif"'


@dataclass(frozen=True)
class Drawn:
    """A board in the picture: `X`, `O` or anything else for each square, row by row, and its children.

    above, below: a line of text each. tone: of the line below, `win`, `loss` or nothing. last: the squares to
    mark. strong: whether the edge that leads here is a thick one. hidden: how many boards follow that are not
    drawn.
    """

    cells: Sequence[str]
    above: str = ""
    below: str = ""
    tone: str = ""
    last: frozenset[int] = frozenset()
    children: Sequence["Drawn"] = ()
    strong: bool = False
    hidden: int = 0


@dataclass(frozen=True)
class _Size:
    """Of the boards and of the place that each takes."""

    m: int
    n: int
    columns: tuple[float, ...]  # where the columns begin
    slot: float

    @property
    def width(self) -> float:
        return self.n * _CELL + 2 * _PAD

    @property
    def height(self) -> float:
        return self.m * _CELL + 2 * _PAD


def count_boards(root: Drawn) -> int:
    """How many boards the picture has."""
    return 1 + sum(map(count_boards, root.children))


def svg_tree(m: int, n: int, root: Drawn, *, title: str) -> str:
    """The tree of boards of m rows and n columns as an SVG element."""
    widths = _column_widths(root, n * _CELL + 2 * _PAD)
    starts = [_MARGIN + sum(widths[:level]) for level in range(len(widths))]
    size = _Size(m, n, tuple(starts), m * _CELL + 2 * _PAD + 2 * _LINE + _GAP)
    shapes: list[str] = []
    bottom, _ = _draw(root, 0, _HEAD + _LINE, size, shapes)
    width, height = max(starts[-1] + widths[-1], len(title) * 9) + _MARGIN, bottom + _MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
            f'width="{width:g}" height="{height:g}" role="img">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width:g}" height="{height:g}" rx="14" fill="#f7f5f0"/>',
            _text(_MARGIN, 26, title, 15, _INK, 600),
            *shapes,
            "</svg>",
        ]
    )


def _column_widths(root: Drawn, board: float) -> list[float]:
    """For each level the width of its widest board or text, and room for the edges."""
    widths: list[float] = []
    level: list[Drawn] = [root]
    while level:
        texts = [text for node in level for text in (node.above, _below(node))]
        widths.append(max(board, *(len(text) * _LETTER for text in texts)) + 36)
        level = [child for node in level for child in node.children]
    return widths


def _draw(node: Drawn, level: int, top: float, size: _Size, shapes: list[str]) -> tuple[float, float]:
    """Draw a subtree from `top` down; gives where it ends and the middle of its board."""
    middles = []
    end = top
    for child in node.children:
        end, middle = _draw(child, level + 1, end, size, shapes)
        middles.append(middle)
    bottom = max(end, top + size.slot)
    middle = (middles[0] + middles[-1]) / 2 if middles else top + _LINE + size.height / 2
    left = size.columns[level]
    for child, at in zip(node.children, middles, strict=True):
        shapes.append(_edge(left + size.width, middle, size.columns[level + 1], at, child.strong))
    shapes += _board(node, left, middle - size.height / 2, size)
    return bottom, middle


def _board(node: Drawn, left: float, top: float, size: _Size) -> Iterator[str]:
    if node.above:
        yield _text(left, top - 5, node.above, 12, _INK, 400)
    yield (
        f'<rect x="{left:g}" y="{top:g}" width="{size.width:g}" height="{size.height:g}" rx="5" '
        f'fill="{_BOARD}" stroke="{_EDGE}"/>'
    )
    for square, cell in enumerate(node.cells):
        row, column = divmod(square, size.n)
        x, y = left + _PAD + column * _CELL, top + _PAD + row * _CELL
        fill = _LAST if square in node.last else _BOARD
        yield f'<rect x="{x:g}" y="{y:g}" width="{_CELL}" height="{_CELL}" fill="{fill}" stroke="{_GRID}"/>'
        if cell in _STONES:
            yield _stone(x, y, cell)
    if _below(node):
        ink = _TONES.get(node.tone, _PALE)
        yield _text(left, top + size.height + 13, _below(node), 12, ink, 600 if node.tone else 400)


def _below(node: Drawn) -> str:
    more = plural(node.hidden, "more board") if node.hidden else ""
    return "; ".join(text for text in (node.below, more) if text)


def _stone(x: float, y: float, cell: str) -> str:
    if cell == "O":
        shape = f'circle cx="{x + _CELL / 2:g}" cy="{y + _CELL / 2:g}" r="{_CELL / 2 - 5:g}"'
    else:
        side = _CELL - 10
        shape = f'path d="M{x + 5:g} {y + 5:g}l{side} {side}m0 {-side}l{-side} {side}"'
    return f'<{shape} fill="none" stroke="{_STONES[cell]}" stroke-width="2.6" stroke-linecap="round"/>'


def _edge(x1: float, y1: float, x2: float, y2: float, strong: bool) -> str:
    ink, width = (_INK, 2.4) if strong else (_EDGE, 1.2)
    path = f"M{x1:g} {y1:g}H{x2 - 22:g}V{y2:g}H{x2:g}"
    return f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="{width}"/>'


def _text(x: float, y: float, text: str, size: int, ink: str, weight: int) -> str:
    place = f'x="{x:g}" y="{y:g}" font-size="{size}" font-weight="{weight}" fill="{ink}"'
    return f"<text {place} {_FONT}>{escape(text)}</text>"
