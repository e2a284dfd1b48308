"""The signs that pictures share: stones, the marks of verdicts, and the key that explains signs.

A triangle up wins, two bars draw, a triangle down loses: shapes say it without colour.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from solver.drawing.canvas import Element, Value, element, place, text
from solver.drawing.palette import TONES, Colour

__all__ = ["draw_key", "sample", "stone", "verdict_mark"]

_SHAPES: Final = {
    "win": "M0 -.8L.9 .7H-.9z",
    "draw": "M-.8 -.55h1.6v.4h-1.6zM-.8 .15h1.6v.4h-1.6z",
    "loss": "M0 .8L.9 -.7H-.9z",
}


def stone(side: str, x: float, y: float, reach: float, ink: Colour, width: float, name: str | None = None) -> Element:
    """Draw a stone of `X` or `O` around a place.

    reach: from the middle to the ends of the strokes of X, and the radius of O. width: of the stroke. name: its id.
    """
    stroke: dict[str, Value] = {"fill": "none", "stroke": ink, "stroke_width": width, "stroke_linecap": "round"}
    if side == "O":
        return element("circle", id=name, cx=x, cy=y, r=reach, **stroke)
    side_length = f"{2 * reach:g}"
    strokes = f"l{side_length} {side_length}m0-{side_length}l-{side_length} {side_length}"
    return element("path", id=name, d=f"M{x - reach:g} {y - reach:g}{strokes}", **stroke)


def verdict_mark(verdict: str, x: float, y: float, radius: float) -> Element:
    """Draw the mark of `win`, `draw` or `loss` around a place."""
    return element("path", d=_SHAPES[verdict], transform=place(x, y, radius), fill=TONES[verdict].ink)


def sample(**look: Value) -> Element:
    """Draw a small square around the origin, to explain how a tile or a frame looks."""
    return element("rect", x=-8, y=-8, width=16, height=16, rx=3, **look)


def draw_key(entries: Sequence[tuple[Element, str]], left: float, top: float, row: float) -> Iterator[Element]:
    """Draw signs with their meanings one below the other, `row` units apart.

    Each sign is drawn around the origin, some 8 units to each side. left: of the signs. top: the middle of the first.
    """
    for number, (sign, meaning) in enumerate(entries):
        y = top + number * row
        yield element("g", sign, transform=place(left + 8, y))
        yield text(left + 26, y + 5, meaning, 14)
