"""Boards as SVG: a single board with labels, and a tree of small boards."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from solver.drawing import palette
from solver.drawing.canvas import Attribute, Element, element, page, stone, svg, text, verdict_mark
from solver.drawing.diagram import Diagram, Point, column_name
from solver.drawing.palette import Tone
from solver.drawing.places import Places, curve, find_places

_CELL, _GAP, _MARGIN = 56, 6, 30  # in units of the picture
_STEP = _CELL + _GAP
_LARGEST = 640  # pixels; a larger board is shown smaller
_PLAIN, _COMPLETED = (
    Tone(palette.SOFT, palette.FRAME, palette.PAPER),
    Tone(palette.SOFT, palette.LINE, palette.LINE_TINT),
)
_REACH = {"X": 12, "O": 13}  # see `canvas.stone`
_DASHES = {"X": None, "O": "9 5"}  # the dashes of taken edges
_HEXAGON = ((0, -1), (0.866, -0.5), (0.866, 0.5), (0, 1), (-0.866, 0.5), (-0.866, -0.5))


class Label(NamedTuple):
    """A short string on an empty square."""

    text: str
    verdict: str = ""  # `win` and `loss` tint and mark the square; `draw` only tints it; an empty text leaves it plain


def draw_board(
    diagram: Diagram,
    cells: Sequence[str],
    *,
    title: str,
    labels: Mapping[int, Label] | None = None,
    highlight: Iterable[int] = (),
    best: Iterable[int] = (),
    strokes: Iterable[Sequence[int]] = (),
) -> Element:
    """Return the picture of a board.

    cells: for each square, `X`, `O`, or any other string if it is empty. title: for screen readers and tooltips.
    highlight: squares of completed lines. best: squares to frame heavily. strokes: the squares of each line to draw.
    """
    places, completed, framed = _lay_out(diagram), set(highlight), set(best)
    parts: list[Element] = []
    if diagram.has_margins:
        middles = [_MARGIN + place * _STEP + _CELL / 2 for place in range(max(diagram.rows, diagram.columns))]
        parts += [_text(x, _MARGIN / 2, column_name(n), 14) for n, x in enumerate(middles[: diagram.columns])]
        parts += [_text(_MARGIN / 2, y, str(n), 14) for n, y in enumerate(middles[: diagram.rows], 1)]
    for side, way in places.borders:
        path, dots = " ".join(f"{x:g},{y:g}" for x, y in way), "0.1 23" if side == "O" else None
        look = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round"}
        ink = palette.STONES[side]
        parts.append(element("polyline", points=path, **look, stroke=ink, stroke_width=17, stroke_dasharray=dots))
    for line in strokes:
        ink, width = (palette.LINE, 7) if completed.issuperset(line) else (palette.EDGE, 1.5)
        path = curve([places.squares[square] for square in line])
        parts.append(element("path", d=path, fill="none", stroke=ink, stroke_width=width))
    taken = [*cells, *diagram.standing]
    for edge, ends in enumerate(diagram.ends if places.corners else ()):
        parts += _edge([places.corners[end] for end in ends], taken[edge], edge in completed)
    for square, cell in enumerate(cells):
        label = Label("") if cell in palette.STONES else (labels or {}).get(square, Label(""))
        name = "" if diagram.has_margins else diagram.names[square]
        tone = _COMPLETED if square in completed else palette.TONES.get(label.verdict, _PLAIN)
        tone = Tone(tone.ink, tone.ink, tone.tint) if square in framed else tone
        heavy = square in completed or square in framed
        parts.append(_ground(diagram.shape, places.squares[square], tone, heavy))
        parts += _square(diagram.shape == "edges", places.squares[square], cell, label, name, tone)
    parts += [stone(side, *middle, _REACH[side], palette.STONES[side], 7) for side, middle in places.stones]
    for (x, y), name in zip(places.corners, diagram.corner_names or [""] * len(places.corners), strict=True):
        parts.append(element("circle", cx=x, cy=y, r=10 if name else 6, fill=palette.SOFT))
        parts += [_text(x, y, name, 13, Tone(palette.PAPER, palette.PAPER, palette.SOFT))] if name else []
    shown_width, shown_height = (f"{side:.0f}" for side in board_size(diagram))
    return page(places.width, places.height, parts, title=title, shown=(shown_width, shown_height), paper=palette.BOARD)


def board_size(diagram: Diagram) -> tuple[float, float]:
    """Return the width and height, in pixels, of a board's picture without a caption."""
    places = _lay_out(diagram)
    scale = min(1.0, _LARGEST / max(places.width, places.height))
    return places.width * scale, places.height * scale


def _lay_out(diagram: Diagram) -> Places:
    """Return the places of a board's squares, in units of the picture."""
    places, margin = find_places(diagram), _MARGIN if diagram.has_margins else 2 * _GAP
    width, height = (margin + side * _STEP + _GAP for side in (places.width, places.height))
    return places.transform(width, height, _STEP, margin - _GAP / 2, margin - _GAP / 2)


def _square(small: bool, middle: Point, cell: str, label: Label, name: str, tone: Tone) -> Iterator[Element]:
    """Yield a square's stone, or its mark, label and name. small: draw smaller signs, to fit on a graph's edge."""
    x, y = middle
    if cell in palette.STONES:
        share = 0.5 if small else 1
        yield stone(cell, x, y, _REACH[cell] * share, palette.STONES[cell], 7 * share)
    marked = label.verdict in {"win", "loss"}  # the label of a draw is its own mark
    if small:
        yield _text(x, y, label.text or ("" if cell in palette.STONES else name), 13, tone)
        return
    if marked:
        yield verdict_mark(label.verdict, x, y - _CELL / 2 + 15, 8)
    if label.text:
        down = y - _CELL / 2 + 37 if marked else y
        yield _text(x, down - (5 if marked and name else 0), label.text, 20, tone)
    if name:
        yield text(x, y + 21, name, 10, ink=palette.PALE, text_anchor="middle", dominant_baseline="central")


def _ground(shape: str, middle: Point, tone: Tone, heavy: bool) -> Element:
    """Return the background of a stone or a label: a cell, a disc, a hexagon, or a small disc on a graph's edge."""
    x, y = middle
    look: dict[str, Attribute] = {"fill": tone.tint, "stroke": tone.frame, "stroke_width": 3 if heavy else 1.5}
    if shape == "cells":
        half = _CELL / 2
        return element("rect", x=x - half, y=y - half, width=_CELL, height=_CELL, rx=10, **look)
    if shape == "hexagons":
        reach = _STEP / 3**0.5 - 1
        corners = " ".join(f"{x + across * reach:g},{y + down * reach:g}" for across, down in _HEXAGON)
        return element("polygon", points=corners, **look)
    return element("circle", cx=x, cy=y, r=_CELL / 2 if shape == "points" else _STEP * 0.27, **look)


def _edge(ends: Sequence[Point], cell: str, completed: bool) -> Iterator[Element]:
    """Yield the stroke of a graph's edge. The stroke is thick and coloured if a side has taken the edge."""
    (x1, y1), (x2, y2) = ends
    at = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    if completed:
        yield element("line", **at, stroke=palette.LINE, stroke_width=11)
    ink, width = (palette.STONES[cell], 5) if cell in palette.STONES else (palette.EDGE, 1.5)
    yield element("line", **at, stroke=ink, stroke_width=width, stroke_dasharray=_DASHES.get(cell))


def _text(x: float, y: float, words: str, size: int, tone: Tone = _PLAIN) -> Element:
    return text(x, y, words, size, ink=tone.ink, text_anchor="middle", font_weight=600, dominant_baseline="central")


# Trees

_TILE, _PAD, _LINE, _SPACE, _INDENT, _HEAD = 20, 4, 17, 14, 20, 44  # in units of the picture
_BETWEEN = 36  # the distance between two columns
_LETTER = 6.6  # an upper estimate of the width of a letter


@dataclass(frozen=True)
class TreeNode:
    """A board in the picture of a tree."""

    cells: Sequence[str]  # `X`, `O`, or any other text for an empty square
    above: str = ""  # a line above the board: the move that led to it
    below: str = ""  # a line below the board: its value
    verdict: str = ""  # `win` and `loss` colour the line below the board, which is pale otherwise
    marked: frozenset[int] = frozenset()  # the squares to tint
    children: Sequence["TreeNode"] = ()
    strong: bool = False  # whether the edge from the parent is thick
    hidden: int = 0  # the number of descendants that are not drawn

    @property
    def last_line(self) -> str:
        """The line of text below the board: `below`, then the number of descendants that are not drawn."""
        more = f"{self.hidden:,} more board{'s' * (self.hidden > 1)}" if self.hidden else ""
        return "; ".join(text for text in (self.below, more) if text)


def count_boards(root: TreeNode) -> int:
    """Return the number of boards that are drawn in a tree."""
    return 1 + sum(map(count_boards, root.children))


def svg_tree(diagram: Diagram, root: TreeNode, *, title: str) -> str:
    """Return a tree of boards as SVG. Each level is a column, and each board is centred beside its children."""
    places = find_places(diagram)
    width, height = (side * _TILE + 2 * _PAD for side in (places.width, places.height))
    column_widths, row = list[float](), [root]
    while row:
        texts = [line for node in row for line in (node.above, node.last_line)]
        column_widths.append(max(width, *(len(line) * _LETTER for line in texts)) + _BETWEEN)
        row = [child for node in row for child in node.children]
    lefts = list(accumulate(column_widths, initial=_INDENT))
    parts = [text(_INDENT, 26, title, 15, font_weight=600)]

    def draw(node: TreeNode, level: int, top: float) -> tuple[float, float]:
        """Draw a subtree from `top` down. Return the y of its lower end and the y of the middle of its root board."""
        middles, end = [], top
        for child in node.children:
            end, middle = draw(child, level + 1, end)
            middles.append(middle)
        middle = (middles[0] + middles[-1]) / 2 if middles else top + _LINE + height / 2
        left, right = lefts[level] + width, lefts[level + 1]
        for child, y in zip(node.children, middles, strict=True):
            ink, stroke = (palette.INK, 2.4) if child.strong else (palette.EDGE, 1.2)
            path = f"M{left:g} {middle:g}H{right - 22:g}V{y:g}H{right:g}"
            parts.append(element("path", d=path, fill="none", stroke=ink, stroke_width=stroke))
        parts.extend(_small_board(diagram, node, lefts[level], middle - height / 2, width, height))
        return max(end, top + height + 2 * _LINE + _SPACE), middle

    bottom, _ = draw(root, 0, _HEAD + _LINE)
    whole = max(lefts[-1], len(title) * 9) + _INDENT
    return svg(page(whole, bottom + _INDENT, parts, title=title, paper=palette.TREE))


def _small_board(
    diagram: Diagram, node: TreeNode, left: float, top: float, width: float, height: float
) -> Iterator[Element]:
    if node.above:
        yield text(left, top - 5, node.above, 12)
    yield element("rect", x=left, y=top, width=width, height=height, rx=5, fill=palette.PAPER, stroke=palette.EDGE)
    for square, (cell, (across, down)) in enumerate(zip(node.cells, find_places(diagram).squares, strict=True)):
        x, y = left + _PAD + across * _TILE, top + _PAD + down * _TILE
        fill = palette.LINE_TINT if square in node.marked else palette.PAPER
        if diagram.shape == "cells":
            yield element(
                "rect", x=x - _TILE / 2, y=y - _TILE / 2, width=_TILE, height=_TILE, fill=fill, stroke=palette.FRAME
            )
        else:
            yield element(
                "circle", cx=x, cy=y, r=_TILE * (0.3 if diagram.ends else 0.45), fill=fill, stroke=palette.EDGE
            )
        if cell in palette.STONES:
            yield stone(cell, x, y, 3 if diagram.ends else 5, palette.STONES[cell], 2.6)
    for side, (across, down) in find_places(diagram).stones:
        x, y = left + _PAD + across * _TILE, top + _PAD + down * _TILE
        yield stone(side, x, y, 3 if diagram.ends else 5, palette.STONES[side], 2.6)
    if node.last_line:
        ink = palette.TONES[node.verdict].ink if node.verdict in {"win", "loss"} else palette.PALE
        weight = 600 if node.verdict else None
        yield text(left, top + height + 13, node.last_line, 12, ink=ink, font_weight=weight)
