"""A board as a small picture: its squares in their shapes, stones as strokes, coordinates or names, labels."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from solver.drawing.canvas import Element, Value, element, page, stone, text, verdict_mark
from solver.drawing.diagram import Diagram, Point
from solver.drawing.palette import BOARD, EDGE, FRAME, LINE, LINE_TINT, PALE, PAPER, SOFT, STONES, TONES, Tone
from solver.drawing.places import curve, find_places
from solver.support.columns import column_name

_CELL, _GAP, _MARGIN, _CAPTION = 56, 6, 30, 34  # in units of the picture
_STEP = _CELL + _GAP
_LARGEST = 640  # pixels; a larger board is shown smaller
_PLAIN, _COMPLETED = Tone(SOFT, FRAME, PAPER), Tone(SOFT, LINE, LINE_TINT)
_REACH = {"X": 12, "O": 13}  # of stones
_DASHES = {"X": None, "O": "9 5"}  # of edges that are taken
_HEXAGON = ((0, -1), (0.866, -0.5), (0.866, 0.5), (0, 1), (-0.866, 0.5), (-0.866, -0.5))


class Label(NamedTuple):
    """A short text for an empty square."""

    text: str
    verdict: str = ""
    """`win` or `loss`, which tint the square and mark it, `draw`, which tints it, or nothing."""


class _Square(NamedTuple):
    """What is drawn of one square."""

    middle: Point
    cell: str
    label: Label
    name: str
    tone: Tone
    heavy: bool
    """Whether the frame is."""


def draw_board(
    diagram: Diagram,
    cells: Sequence[str],
    *,
    title: str,
    caption: str = "",
    labels: Mapping[int, Label] | None = None,
    highlight: Iterable[int] = (),
    best: Iterable[int] = (),
    strokes: Iterable[Sequence[int]] = (),
) -> Element:
    """Draw a board.

    cells: what stands on each square: `X`, `O`, or anything else for an empty square.
    title: the text that screen readers and tooltips give. caption: a line below the board.
    highlight: squares of a completed line. best: squares to frame heavily.
    strokes: lines to draw through their squares.
    """
    places, margin = find_places(diagram), _margin(diagram)
    width, board_height = _extents(diagram)
    height = board_height + (_CAPTION if caption else 0)
    completed, framed = set(highlight), set(best)
    points = [_unit(point, margin) for point in places.squares]
    parts = [*_coordinates(diagram.rows, diagram.columns)] if diagram.has_margins else []
    parts += [_border(side, [_unit(point, margin) for point in way]) for side, way in places.borders]
    parts += [_stroke(line, points, completed) for line in strokes]
    if places.corners:
        taken = [*cells, *diagram.standing]
        parts += [part for edge in range(len(diagram.ends)) for part in _edge(diagram, edge, taken[edge], completed)]
    for square, cell in enumerate(cells):
        label = Label("") if cell in STONES else (labels or {}).get(square, Label(""))
        name = "" if diagram.has_margins else diagram.names[square]
        tone = _COMPLETED if square in completed else TONES.get(label.verdict, _PLAIN)
        tone = Tone(tone.ink, tone.ink, tone.tint) if square in framed else tone
        heavy = square in completed or square in framed
        parts += _square(diagram.shape, _Square(points[square], cell, label, name, tone, heavy))
    parts += [stone(side, *_unit(point, margin), _REACH[side], STONES[side], 7) for side, point in places.stones]
    named = diagram.corner_names or [""] * len(places.corners)
    for point, name in zip(places.corners, named, strict=True):
        parts += _corner(_unit(point, margin), name)
    if caption:
        parts.append(_text(width / 2, board_height + (_CAPTION - _GAP) / 2, caption, 16))
    scale = _scale(width, height)
    shown = f"{width * scale:.0f}", f"{height * scale:.0f}"
    return page(width, height, parts, title=title, shown=shown, paper=BOARD)


def board_size(diagram: Diagram) -> tuple[float, float]:
    """Give the width and the height in pixels of the picture of a board without a caption."""
    width, height = _extents(diagram)
    return width * _scale(width, height), height * _scale(width, height)


def _margin(diagram: Diagram) -> float:
    """Give the left and the upper margin."""
    return _MARGIN if diagram.has_margins else 2 * _GAP


def _unit(point: Point, margin: float) -> Point:
    x, y = (margin + part * _STEP - _GAP / 2 for part in point)
    return x, y


def _extents(diagram: Diagram) -> tuple[float, float]:
    places, margin = find_places(diagram), _margin(diagram)
    return margin + places.width * _STEP + _GAP, margin + places.height * _STEP + _GAP


def _scale(width: float, height: float) -> float:
    """Give the pixels for a unit of the picture."""
    return min(1.0, _LARGEST / max(width, height))


def _coordinates(m: int, n: int) -> Iterator[Element]:
    middles = [_MARGIN + place * _STEP + _CELL / 2 for place in range(max(m, n))]
    for column in range(n):
        yield _text(middles[column], _MARGIN / 2, column_name(column), 14)
    for row in range(m):
        yield _text(_MARGIN / 2, middles[row], str(row + 1), 14)


def _square(shape: str, square: _Square) -> Iterator[Element]:
    (x, y), label, small = square.middle, square.label, shape == "edges"
    yield _ground(shape, square)
    if square.cell in STONES:
        share = 0.5 if small else 1
        yield stone(square.cell, x, y, _REACH[square.cell] * share, STONES[square.cell], 7 * share)
    marked = label.verdict in {"win", "loss"}  # the label of a draw is its own mark
    if small:
        yield _text(x, y, label.text or ("" if square.cell in STONES else square.name), 13, square.tone)
        return
    if marked:
        yield verdict_mark(label.verdict, x, y - _CELL / 2 + 15, 8)
    if label.text:
        down = y - _CELL / 2 + 37 if marked else y
        yield _text(x, down - (5 if marked and square.name else 0), label.text, 20, square.tone)
    if square.name:
        yield text(x, y + 21, square.name, 10, ink=PALE, anchor="middle", dominant_baseline="central")


def _ground(shape: str, square: _Square) -> Element:
    """Draw what is below a stone or a label: a cell, a disc, a hexagon, or the small disc on an edge."""
    x, y = square.middle
    width = 3 if square.heavy else 1.5
    look: dict[str, Value] = {"fill": square.tone.tint, "stroke": square.tone.frame, "stroke_width": width}
    if shape == "cells":
        half = _CELL / 2
        return element("rect", x=x - half, y=y - half, width=_CELL, height=_CELL, rx=10, **look)
    if shape == "hexagons":
        reach = _STEP / 3**0.5 - 1
        corners = " ".join(f"{x + across * reach:g},{y + down * reach:g}" for across, down in _HEXAGON)
        return element("polygon", points=corners, **look)
    return element("circle", cx=x, cy=y, r=_CELL / 2 if shape == "points" else _STEP * 0.27, **look)


def _edge(diagram: Diagram, square: int, cell: str, completed: set[int]) -> Iterator[Element]:
    """Draw an edge between its ends, thick and in the colour of the side that has taken it."""
    corners = find_places(diagram).corners
    (x1, y1), (x2, y2) = (_unit(corners[end], _margin(diagram)) for end in diagram.ends[square])
    ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    if square in completed:
        yield element("line", **ends, stroke=LINE, stroke_width=11)
    yield element(
        "line",
        **ends,
        stroke=STONES.get(cell, EDGE),
        stroke_width=5 if cell in STONES else 1.5,
        stroke_dasharray=_DASHES.get(cell),
    )


def _stroke(line: Sequence[int], points: Sequence[Point], completed: set[int]) -> Element:
    whole = completed.issuperset(line)
    path = curve([points[square] for square in line])
    return element("path", d=path, fill="none", stroke=LINE if whole else EDGE, stroke_width=7 if whole else 1.5)


def _border(side: str, points: Sequence[Point]) -> Element:
    """Draw a border in the colour of the side that connects it."""
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    dots = "0.1 23" if side == "O" else None
    look: dict[str, Value | None] = {"stroke": STONES[side], "stroke_width": 17, "stroke_dasharray": dots}
    return element("polyline", points=path, fill="none", stroke_linejoin="round", stroke_linecap="round", **look)


def _corner(middle: Point, name: str) -> Iterator[Element]:
    """Draw a point that edges join, with its name if it has one."""
    x, y = middle
    yield element("circle", cx=x, cy=y, r=10 if name else 6, fill=SOFT)
    if name:
        yield _text(x, y, name, 13, Tone(PAPER, PAPER, SOFT))


def _text(x: float, y: float, words: str, size: int, tone: Tone = _PLAIN) -> Element:
    return text(x, y, words, size, ink=tone.ink, anchor="middle", font_weight=600, dominant_baseline="central")
