"""The places of squares in pictures, for boards of cells, of hexagons, of points, and of a graph's edges."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, permutations
from math import dist, sqrt
from typing import Final

from solver.drawing.diagram import Diagram, Point

_MOST_STROKES: Final = 60  # more lines would hide the points they join
_LONGEST_SEARCHED: Final = 6  # the most points of a stroke for which all orders are tried
_CORNERS: Final = 3
_ALIKE: Final = 0.01  # the relative difference of lengths that count as equal
_APART: Final = 1.4  # the least distance of points, so that the lines between them are visible
_LABEL_ROOM: Final = 0.66  # the distance between labels of edges, in squares
_ROOM_ON_EDGE: Final = 0.3  # the wanted distance of labels, as a share of the shortest edge
_BORDER_ROOM: Final = 0.16  # the margin around a board whose borders are drawn
_ALONG: Final = (0.5, 0.44, 0.56, 0.38, 0.62, 0.32, 0.68, 0.26, 0.74)
"""The places of a label along its edge, from 0 to 1, the best first."""


@dataclass(frozen=True)
class Places:
    """Places in a picture, in units of a square unless scaled. The top left is (0, 0), and y increases downwards."""

    width: float
    height: float
    squares: tuple[Point, ...]  # the middle of each square; for an edge, the middle of its label
    stones: tuple[tuple[str, Point], ...] = ()
    """The side, `X` or `O`, and the place of each stone that is there from the start."""
    corners: tuple[Point, ...] = ()  # the points that edges join
    borders: tuple[tuple[str, tuple[Point, ...]], ...] = ()
    """The side, `X` or `O`, and the points of each border that a side must connect."""

    def transform(self, width: float, height: float, scale: float, right: float, down: float) -> "Places":
        """Return the places scaled, then moved by (right, down), in a picture of the given size."""

        def move(points: Sequence[Point]) -> tuple[Point, ...]:
            return tuple((x * scale + right, y * scale + down) for x, y in points)

        stones = tuple((side, move([middle])[0]) for side, middle in self.stones)
        borders = tuple((side, move(way)) for side, way in self.borders)
        return Places(width, height, move(self.squares), stones, move(self.corners), borders)


@lru_cache(maxsize=64)
def find_places(diagram: Diagram) -> Places:
    """Return the places of a diagram's squares.

    Points are scaled up until they are far enough from each other. A square, 1 wide, is centred at each point.
    """
    columns, rows, count, corners = float(diagram.columns), float(diagram.rows), len(diagram.names), tuple[Point, ...]()
    apart, tall = (_APART if diagram.shape == "points" else 1), 1.0
    points: Sequence[Point] = diagram.points
    if not points:
        points = [(float(place % diagram.columns), float(place // diagram.columns)) for place in diagram.drawn_places]
    if diagram.shape == "edges" and diagram.ends:
        corners, apart = diagram.points, _LABEL_ROOM
        points = _label_places([(corners[a], corners[b]) for a, b in diagram.ends], corners)
    elif diagram.shape == "hexagons":
        tall = 2 / sqrt(3)
        if not diagram.points:
            points = [(x + y / 2, y * sqrt(3) / 2) for x, y in points]  # so that six touch each
    stones = tuple(zip(diagram.standing, points[count:], strict=False))
    places = Places(columns, rows, tuple(points[:count]), stones, corners, diagram.borders)
    if not diagram.points and diagram.shape != "hexagons":
        return places.transform(columns, rows, 1, 0.5, 0.5)
    scale, room = max(1.0, apart / _least_distance(points)), _BORDER_ROOM if diagram.borders else 0
    across, down = zip(*points, *corners, strict=True)
    left, top = min(across) * scale, min(down) * scale
    width, height = max(across) * scale - left + 1 + 2 * room, max(down) * scale - top + tall + 2 * room
    return places.transform(width, height, scale, 0.5 + room - left, tall / 2 + room - top)


def _least_distance(points: Sequence[Point]) -> float:
    """Return the least distance between two distinct points; 1 if there are fewer than two."""
    apart = (dist(a, b) for number, a in enumerate(points) for b in points[:number])
    return min((distance for distance in apart if distance > 1e-6), default=1.0)


def _label_places(edges: Sequence[tuple[Point, Point]], corners: Sequence[Point]) -> list[Point]:
    """Return a place on each edge for its label, away from other labels; shorter edges take precedence."""
    found: dict[int, Point] = {}
    lengths = [dist(*edge) for edge in edges]
    enough = _ROOM_ON_EDGE * min(lengths)
    for number in sorted(range(len(edges)), key=lambda number: (round(lengths[number], 6), number)):
        (x1, y1), (x2, y2) = edges[number]
        taken = [*found.values(), *corners]
        tried = [(x1 + (x2 - x1) * share, y1 + (y2 - y1) * share) for share in _ALONG]
        found[number] = max(tried, key=lambda point: round(min(enough, *(dist(point, other) for other in taken)), 6))
    return [found[number] for number in range(len(edges))]


def order_strokes(diagram: Diagram, lines: Sequence[Sequence[int]]) -> list[list[int]]:
    """For each line on a board of points, return its points in the order in which a stroke joins them.

    Lines of one point are omitted. If there are too many lines to distinguish, the list is empty.
    """
    if len(lines) > _MOST_STROKES:
        return []
    points = find_places(diagram).squares
    return [_order(line, points) for line in lines if len(line) > 1]


def _order(line: Sequence[int], points: Sequence[Point]) -> list[int]:
    """Order a line's points along a shortest path or, if they are many, along the segment between the farthest two."""
    if len(line) <= _LONGEST_SEARCHED:

        def length(way: Sequence[int]) -> float:
            return round(sum(dist(points[a], points[b]) for a, b in pairwise(way)), 6)

        shortest = min(permutations(line), key=length)
        return list(shortest)
    first, last = max(((a, b) for a in line for b in line), key=lambda ends: dist(points[ends[0]], points[ends[1]]))
    (x1, y1), (x2, y2) = points[first], points[last]
    return sorted(line, key=lambda s: (points[s][0] - x1) * (x2 - x1) + (points[s][1] - y1) * (y2 - y1))


def curve(points: Sequence[Point]) -> str:
    """Return the SVG path of a smooth curve through points, or of a straight line if they are collinear.

    The curve is a spline (Catmull and Rom 1974). Three points at equal distances from each other are joined by a
    circle, as on the Fano plane.

    >>> curve([(0, 0), (1, 0)])
    'M0 0C0.167 0 0.833 0 1 0'
    """
    path = f"M{_pair(points[0])}"
    if len(points) == _CORNERS:
        a, b, c = points
        sides = dist(a, b), dist(b, c), dist(c, a)
        if max(sides) < (1 + _ALIKE) * min(sides):
            turns_right = (b[0] - a[0]) * (c[1] - a[1]) > (c[0] - a[0]) * (b[1] - a[1])  # y downwards
            arc = f"A{sides[0] / sqrt(3):.3f} {sides[0] / sqrt(3):.3f} 0 0 {int(turns_right)}"
            return path + "".join(f"{arc} {_pair(end)}" for end in (b, c, a))
    around = [points[0], *points, points[-1]]
    for before, (x1, y1), (x2, y2), after in zip(around, around[1:], around[2:], around[3:], strict=False):
        leave = x1 + (x2 - before[0]) / 6, y1 + (y2 - before[1]) / 6
        arrive = x2 - (after[0] - x1) / 6, y2 - (after[1] - y1) / 6
        path += f"C{_pair(leave)} {_pair(arrive)} {_pair((x2, y2))}"
    return path


def _pair(point: Point) -> str:
    return f"{round(point[0], 3):g} {round(point[1], 3):g}"
