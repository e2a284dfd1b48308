"""A tree of boards: from left to right, one column a level, each board beside the middle of its children.

Words carry the meaning: above each board what led to it, below it what it comes to.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from solver.drawing.canvas import Element, element, page, stone, svg, text
from solver.drawing.diagram import Diagram
from solver.drawing.palette import EDGE, FRAME, INK, LINE_TINT, PALE, PAPER, STONES, TONES, TREE
from solver.drawing.places import find_places
from solver.support.english import plural

_CELL, _PAD, _LINE, _GAP, _MARGIN, _HEAD = 20, 4, 17, 14, 20, 44  # in units of the picture
_EDGES = 36  # the room between two columns
_LETTER = 6.6  # the width of a letter, generously


@dataclass(frozen=True)
class TreeNode:
    """A board in the picture."""

    cells: Sequence[str]
    """`X`, `O` or anything else for each square, row by row."""
    above: str = ""
    """A line of text above the board."""
    below: str = ""
    """A line of text below it."""
    verdict: str = ""
    """`win`, `draw`, `loss` or nothing: the colour of the line below; nothing and a draw are pale."""
    marked: frozenset[int] = frozenset()
    """The squares that are tinted."""
    children: Sequence["TreeNode"] = ()
    strong: bool = False
    """Whether the edge that leads here is a thick one."""
    hidden: int = 0
    """The number of boards that follow and are not drawn."""

    @property
    def last_line(self) -> str:
        """The text below the board, and how many boards are hidden."""
        more = plural(self.hidden, "more board") if self.hidden else ""
        return "; ".join(text for text in (self.below, more) if text)


@dataclass(frozen=True)
class _Layout:
    """The size of the boards."""

    diagram: Diagram
    width: float
    height: float
    columns: Sequence[float]
    """The left end of the boards of each level."""


def count_boards(root: TreeNode) -> int:
    """Count the boards of the picture."""
    return 1 + sum(map(count_boards, root.children))


def svg_tree(diagram: Diagram, root: TreeNode, *, title: str) -> str:
    """Draw the tree of boards as an SVG element."""
    places = find_places(diagram)
    board_width, board_height = (side * _CELL + 2 * _PAD for side in (places.width, places.height))
    widths = _column_widths(root, board_width)
    starts = [_MARGIN + sum(widths[:level]) for level in range(len(widths) + 1)]
    parts = [text(_MARGIN, 26, title, 15, font_weight=600)]
    bottom, _ = _draw(root, 0, _HEAD + _LINE, _Layout(diagram, board_width, board_height, starts), parts)
    width = max(starts[-1], len(title) * 9) + _MARGIN
    return svg(page(width, bottom + _MARGIN, parts, title=title, paper=TREE))


def _column_widths(root: TreeNode, board: float) -> list[float]:
    """Give for each level the width of its widest board or text, and the room for the edges."""
    widths: list[float] = []
    level: list[TreeNode] = [root]
    while level:
        texts = [line for node in level for line in (node.above, node.last_line)]
        widths.append(max(board, *(len(line) * _LETTER for line in texts)) + _EDGES)
        level = [child for node in level for child in node.children]
    return widths


def _draw(node: TreeNode, level: int, top: float, layout: _Layout, parts: list[Element]) -> tuple[float, float]:
    """Draw a subtree from `top` down; return its lower end and the middle of its board."""
    middles = []
    end = top
    for child in node.children:
        end, middle = _draw(child, level + 1, end, layout, parts)
        middles.append(middle)
    bottom = max(end, top + layout.height + 2 * _LINE + _GAP)
    middle = (middles[0] + middles[-1]) / 2 if middles else top + _LINE + layout.height / 2
    left = layout.columns[level]
    for child, child_middle in zip(node.children, middles, strict=True):
        parts.append(_edge(left + layout.width, middle, layout.columns[level + 1], child_middle, child.strong))
    parts += _board(node, left, middle - layout.height / 2, layout)
    return bottom, middle


def _board(node: TreeNode, left: float, top: float, layout: _Layout) -> Iterator[Element]:
    if node.above:
        yield text(left, top - 5, node.above, 12)
    yield element("rect", x=left, y=top, width=layout.width, height=layout.height, rx=5, fill=PAPER, stroke=EDGE)
    for square, cell in enumerate(node.cells):
        across, down = find_places(layout.diagram).squares[square]
        x, y = left + _PAD + across * _CELL, top + _PAD + down * _CELL
        fill = LINE_TINT if square in node.marked else PAPER
        if layout.diagram.shape == "cells":
            yield element("rect", x=x - _CELL / 2, y=y - _CELL / 2, width=_CELL, height=_CELL, fill=fill, stroke=FRAME)
        else:
            yield element(
                "circle", cx=x, cy=y, r=_CELL * (0.3 if layout.diagram.ends else 0.45), fill=fill, stroke=EDGE
            )
        if cell in STONES:
            yield stone(cell, x, y, 3 if layout.diagram.ends else 5, STONES[cell], 2.6)
    if node.last_line:
        ink = TONES[node.verdict].ink if node.verdict in {"win", "loss"} else PALE
        weight = 600 if node.verdict else None
        yield text(left, top + layout.height + 13, node.last_line, 12, ink=ink, font_weight=weight)


def _edge(x1: float, y1: float, x2: float, y2: float, strong: bool) -> Element:
    ink, width = (INK, 2.4) if strong else (EDGE, 1.2)
    path = f"M{x1:g} {y1:g}H{x2 - 22:g}V{y2:g}H{x2:g}"
    return element("path", d=path, fill="none", stroke=ink, stroke_width=width)
