"""Games on the edges of a graph, in which all edges of a clique (Ramsey games) or of a cycle are a line.

SIM is `clique,6,3,misere`: the side that completes a triangle of the complete graph on six points loses (Simmons 1969).
Every colouring of its 15 edges with two colours has a triangle, so it cannot be a draw. (Slany, "Graph Ramsey games",
1999.)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb, cos, pi, sin
from string import ascii_lowercase
from types import MappingProxyType
from typing import Final, NamedTuple

from solver.drawing.diagram import HOLE, Diagram, Point
from solver.errors import RulesError, quoted
from solver.game.makers.maker import MOST_PATHS, Maker, read_number, rules_of_sets
from solver.game.rules import Rules

Edge = tuple[int, int]

_RAMSEY: Final = {2: 2, 3: 6, 4: 18}
"""The Ramsey number R(s, s) for cliques of s points: with that many points, one side always has such a clique."""

_LETTERS: Final = ascii_lowercase  # the names of ten or more points, so at most 26


def _clique(sizes: Sequence[str], _: frozenset[str]) -> Rules:
    points = read_number(sizes[1], "a number of points", 2, len(_LETTERS))
    size = read_number(sizes[2], "the points of a clique", 2, points)
    if comb(points, size) > MOST_PATHS:
        raise RulesError(f"There are more than {MOST_PATHS:,} cliques of {size} points; choose fewer points.")
    cliques = [list(combinations(part, 2)) for part in combinations(range(points), size)]
    rules = _rules(
        f"clique,{points},{size}",
        list(combinations(range(points), 2)),
        _around(range(points), 0.5 + points / 4),
        cliques,
    )
    return replace(rules, always_won=points >= _RAMSEY.get(size, points + 1))


def _describe_clique(rules: Rules) -> str:
    points, size = (int(word) for word in rules.sizes[1:])
    return f"the edges between {points} points, a line is all {comb(size, 2)} between {size} of them"


def _around(points: Sequence[int], radius: float) -> dict[int, Point]:
    """Return points on a circle, clockwise from the top."""
    angles = [2 * pi * i / len(points) for i in range(len(points))]
    return {point: (radius * sin(angle), -radius * cos(angle)) for point, angle in zip(points, angles, strict=True)}


def _rules(name: str, edges: Sequence[Edge], places: Mapping[int, Point], sets: Iterable[Iterable[Edge]]) -> Rules:
    """Return rules whose squares are edges between points, and whose lines are sets of edges."""
    number = {edge: square for square, edge in enumerate(edges)}
    return rules_of_sets(name, _diagram(edges, places), ([number[edge] for edge in part] for part in sets))


def _diagram(edges: Sequence[Edge], places: Mapping[int, Point]) -> Diagram:
    """Return the diagram: half of a matrix of points for a complete graph, one row for other graphs."""
    count, number = len(places), {edge: square for square, edge in enumerate(edges)}
    side = range(count - 1) if len(edges) == comb(count, 2) else range(0)
    left, top = (min(place[axis] for place in places.values()) for axis in (0, 1))
    return Diagram(
        len(side) or 1,
        len(side) or len(edges),
        tuple(number.get((row, column + 1), HOLE) for row in side for column in side) or tuple(range(len(edges))),
        tuple(_name(a, count) + _name(b, count) for a, b in edges),
        "edges",
        tuple((round(x - left, 4), round(y - top, 4)) for _, (x, y) in sorted(places.items())),
        tuple(edges),
    )


def _name(point: int, points: int) -> str:
    return str(point + 1) if points < 10 else _LETTERS[point]


def _ring(points: Sequence[int]) -> list[Edge]:
    """Return the edges of a closed ring of points."""
    return [(min(a, b), max(a, b)) for a, b in zip(points, [*points[1:], points[0]], strict=True)]


def _prism(sides: int) -> list[Edge]:
    """Return the edges of two rings with the same number of points, joined point to point."""
    outer, inner = list(range(sides)), list(range(sides, 2 * sides))
    return sorted({*_ring(outer), *_ring(inner), *zip(outer, inner, strict=True)})


_PETERSEN: Final = sorted({*_ring(range(5)), *_ring((5, 7, 9, 6, 8)), *((i, i + 5) for i in range(5))})
_OCTAHEDRON: Final = [(a, b) for a, b in combinations(range(6), 2) if b - a != 3]


class _NamedGraph(NamedTuple):
    """A graph with a name."""

    title: str
    edges: Sequence[Edge]
    places: Mapping[int, Point]
    """(x, y) of each point."""


_GRAPHS: Final = MappingProxyType(
    {
        "cube": _NamedGraph("the cube", _prism(4), _around(range(4), 2.0) | _around(range(4, 8), 0.8)),
        "k33": _NamedGraph(
            "the graph K3,3",
            [(a, b) for a in range(3) for b in range(3, 6)],
            {point: (point % 3 * 1.5, point // 3 * 2.0) for point in range(6)},
        ),
        "octahedron": _NamedGraph("the octahedron", _OCTAHEDRON, _around(range(6), 2.0)),
        "petersen": _NamedGraph("the Petersen graph", _PETERSEN, _around(range(5), 2.5) | _around(range(5, 10), 1.2)),
        "prism": _NamedGraph("the prism", _prism(3), _around(range(3), 2.0) | _around(range(3, 6), 0.7)),
    }
)


def _cycle(sizes: Sequence[str], _: frozenset[str]) -> Rules:
    if sizes[1] not in _GRAPHS:
        raise RulesError(f"There is no graph {quoted(sizes[1])} here; choose one of {', '.join(_GRAPHS)}.")
    graph = _GRAPHS[sizes[1]]
    length = read_number(sizes[2], "the length of a cycle", 3, len(graph.places))
    return _rules(
        f"cycle,{sizes[1]},{length}",
        graph.edges,
        graph.places,
        [_ring(cycle) for cycle in _cycles(graph.edges, length)],
    )


def _describe_cycle(rules: Rules) -> str:
    title, edges, _ = _GRAPHS[rules.sizes[1]]
    return f"the {len(edges)} edges of {title}, a line is a cycle of {rules.sizes[2]}"


def _cycles(edges: Sequence[Edge], length: int) -> list[list[int]]:
    """Return every cycle of a length once: from its smallest point towards the smaller of that point's neighbours."""
    joined = {*edges, *((b, a) for a, b in edges)}
    points = sorted({point for edge in edges for point in edge})
    walks = [[point] for point in points]
    for _ in range(length - 1):
        walks = [
            [*walk, point]
            for walk in walks
            for point in points
            if point > walk[0] and point not in walk and (walk[-1], point) in joined
        ]
    return [walk for walk in walks if (walk[-1], walk[0]) in joined and walk[1] < walk[-1]]


MAKERS = (
    Maker(
        form="clique,POINTS,SIZE",
        about="the edges between some points, of which a clique wins (Ramsey games; SIM)",
        examples=("clique,5,3", "clique,6,3", "clique,6,3,misere"),
        make=_clique,
        describe=_describe_clique,
    ),
    Maker(
        form="cycle,GRAPH,LENGTH",
        about=f"the edges of a graph ({', '.join(_GRAPHS)}), of which a cycle wins",
        examples=("cycle,petersen,5", "cycle,cube,4", "cycle,k33,4"),
        make=_cycle,
        describe=_describe_cycle,
    ),
)
