"""The drawing of a board in JSON: the places, shapes and names of its squares."""

from typing import Annotated

from solver.drawing.diagram import Point, Shape
from solver.drawing.places import find_places, order_strokes
from solver.game.lines import squares_of
from solver.game.rules import Rules, derived
from solver.support.json_types import Answer, Described

_Point = list[float]


class StandingStone(Answer):
    """A stone that is on the board when the game begins."""

    side: str
    point: _Point


class BoardBorder(Answer):
    """A border that a player must connect with the opposite one."""

    side: str
    points: list[_Point]


class DiagramAnswer(Answer):
    """A board as text and as a picture. Coordinates are in units of a square; y increases downwards."""

    rows: int
    columns: int
    cells: Annotated[
        list[int | str],
        Described(
            "By rows of the text: the number of a square, `#` for a hole, `X` or `O` for a stone from the start."
        ),
    ]
    names: Annotated[list[str], Described("The name of each square.")]
    shape: Annotated[Shape, Described("What a square looks like.")]
    coordinates: Annotated[bool, Described("Whether letters and numbers in the margins name the squares.")]
    width: float
    height: float
    points: Annotated[list[_Point], Described("The middle of each square; of an edge, that of its label.")]
    stones: Annotated[list[StandingStone], Described("The stones that are on the board from the start.")]
    corners: Annotated[list[_Point], Described("The points that edges join.")]
    corner_names: Annotated[list[str], Described("The name of each corner; empty without names.")]
    borders: Annotated[list[BoardBorder], Described("The borders that each side connects, as in Hex.")]
    ends: Annotated[list[list[int]], Described("The two corners of each edge, then of those taken from the start.")]
    lines: Annotated[list[list[int]], Described("Winning lines to draw through their squares, in this order.")]


@derived
def diagram_answer(rules: Rules) -> DiagramAnswer:
    """Return the data from which a game's board is drawn."""
    diagram, places = rules.diagram, find_places(rules.diagram)
    return {
        "rows": diagram.rows,
        "columns": diagram.columns,
        "cells": list(diagram.cells),
        "names": list(diagram.names),
        "shape": diagram.shape,
        "coordinates": diagram.has_margins,
        "width": round(places.width, 3),
        "height": round(places.height, 3),
        "points": [_rounded(point) for point in places.squares],
        "stones": [{"side": side, "point": _rounded(point)} for side, point in places.stones],
        "corners": [_rounded(point) for point in places.corners],
        "corner_names": list(diagram.corner_names),
        "borders": [{"side": side, "points": [_rounded(point) for point in way]} for side, way in places.borders],
        "ends": [list(ends) for ends in diagram.ends] if places.corners else [],
        "lines": line_strokes(rules),
    }


def _rounded(point: Point) -> _Point:
    return [round(part, 3) for part in point]


def line_strokes(rules: Rules) -> list[list[int]]:
    """For each line that is drawn as a stroke, return its squares in the order in which the stroke joins them."""
    if rules.diagram.shape != "points":
        return []
    return order_strokes(rules.diagram, [[*squares_of(line.mask)] for line in rules.lines])
