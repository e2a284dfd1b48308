"""Games on the edges of a graph. The lines are cycles or the copies of another graph (Ramsey games).

SIM is `clique,6,3,misere`: the side that completes a triangle of the complete graph on six points loses (Simmons 1969).
Every colouring of the 15 edges with two colours has a triangle of one colour, so SIM cannot end in a draw. (Slany,
"Graph Ramsey games", 1999.)
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise, permutations, product
from math import comb, cos, pi, sin
from string import ascii_lowercase
from types import MappingProxyType
from typing import Any, Final

from solver.drawing.diagram import HOLE, Diagram, Point
from solver.errors import RulesError, quoted
from solver.game.makers.maker import MOST_LINES, Maker, read_number, rules_of_sets
from solver.game.rules import Rules

Edge = tuple[int, int]
Graph = tuple[Edge, ...]  # sorted, each edge from its smaller point

_RAMSEY: Final = {2: 2, 3: 6, 4: 18}
"""The Ramsey numbers R(s, s), by s: on R(s, s) points, one side always has a clique of s points."""

_KINDS: Final = "kpcs"  # complete graphs, paths, cycles and stars
_MOST_POINTS: Final = 6  # the most points of a graph with a name
_LETTERS: Final = ascii_lowercase  # the names of ten or more points, so at most 26


def _clique(sizes: Sequence[str], _: frozenset[str]) -> Rules:
    points = read_number(sizes[1], "a number of points", 2, len(_LETTERS))
    size = read_number(sizes[2], "the points of a clique", 2, points)
    words = f"take edges between {points} points in turn; whoever completes a triangle of their own edges wins"
    if size != 3:
        words = f"the edges between {points} points, a line is all {comb(size, 2)} between {size} of them"
    return _rules_of_copies(f"clique,{points},{size}", points, size, [combinations(range(size), 2)], words)


def _rules_of_copies(name: str, points: int, size: int, images: Collection[Iterable[Edge]], words: str) -> Rules:
    """Return rules under which copies of a graph win, given all images of the graph on the points 0 .. size-1."""
    if comb(points, size) * len(images) > MOST_LINES:
        raise RulesError(f"{name} would have more than {MOST_LINES:,} lines; choose fewer points.")
    copies = [
        [(part[a], part[b]) for a, b in image]
        for image in map(list, images)
        for part in combinations(range(points), size)
    ]
    edges = list(combinations(range(points), 2))
    number = {edge: square for square, edge in enumerate(edges)}
    swaps = [{a: b, b: a} for a, b in edges]
    return _rules(
        name,
        edges,
        _around(range(points), 0.5 + points / 4),
        copies,
        words=words,
        always_won=points >= _RAMSEY.get(size, points + 1),
        known_symmetries=tuple(
            tuple(number[min(pair), max(pair)] for pair in [(swap.get(a, a), swap.get(b, b)) for a, b in edges])
            for swap in swaps
        ),
    )


def _graph(sizes: Sequence[str], _: frozenset[str]) -> Rules:
    points = read_number(sizes[1], "a number of points", 2, len(_LETTERS))
    size, edges = _read_graph(sizes[2])
    if size > points:
        raise RulesError(f"A graph of {size} points doesn't fit on {points}; write at least {size}.")
    images = _images(size, edges)
    kinds = [kind for kind in _KINDS if _edges_of(kind, size) in images]
    name = f"{kinds[0]}{size}" if kinds else next(f"g{n}" for n, graph in connected_graphs(size) if graph in images)
    drawn = ", ".join(f"{a + 1}{b + 1}" for a, b in _read_graph(name)[1])
    words = f"the edges between {points} points, a line is all {len(edges)} of a copy of {name.upper()}: {drawn}"
    return _rules_of_copies(f"graph,{points},{name}", points, size, images, words)


def _read_graph(text: str) -> tuple[int, Graph]:
    """Parse a connected graph, given as a name or as edges. Return the number of its points, and its edges."""
    kind, number = text[:1], int(text[1:]) if text[1:].isdecimal() else 0
    if kind in _KINDS and 2 <= number <= _MOST_POINTS:
        return number, _edges_of(kind, number)
    if kind == "g":
        for size in range(2, _MOST_POINTS + 1):
            if edges := dict(connected_graphs(size)).get(number, ()):
                return size, edges
    if re.fullmatch(r"[1-6]{2}(\+[1-6]{2})*", text):
        index = {point: i for i, point in enumerate(sorted(set(text) - {"+"}))}
        edges = _graph_of((index[edge[0]], index[edge[1]]) for edge in text.split("+"))
        if all(a < b for a, b in edges) and _is_connected(len(index), edges):
            return len(index), edges
    raise RulesError(
        f"{quoted(text)} can't be a connected graph of 2 to {_MOST_POINTS} points; write k4, p5, c4 or s4 for a "
        "complete graph, a path, a cycle or a star, g17 for number 17 of the Atlas of Graphs, or edges such as "
        "12+23+34+24."
    )


def _graph_of(edges: Iterable[Edge]) -> Graph:
    return tuple(sorted({(min(edge), max(edge)) for edge in edges}))


def _edges_of(kind: str, size: int) -> Graph:
    """Return the edges of a graph. kind: `k` (a complete graph), `p` (a path), `c` (a cycle) or `s` (a star)."""
    edges = {
        "k": combinations(range(size), 2),
        "p": pairwise(range(size)),
        "c": _ring(range(size)),
        "s": product([0], range(1, size)),
    }
    return _graph_of(edges[kind])


def _images(size: int, edges: Graph) -> set[Graph]:
    """Return the distinct edge sets that result if the points of a graph are numbered in every way."""
    return {_graph_of((image[a], image[b]) for a, b in edges) for image in permutations(range(size))}


def _is_connected(size: int, edges: Graph) -> bool:
    reached = {0}
    for _ in range(size):
        reached |= {point for edge in edges if reached.intersection(edge) for point in edge}
    return len(reached) == size


_ATLAS: Final = {
    2: "?_",
    3: "?Gow",
    4: "?@B`JFkNl|~",
    5: "???Cg?OCw?BC@cgCJCl??{Bch_wC|?@{x_JcbWhcesjWb[`{lc]oJ{F{js]wf{l{n{~{",
    6: (
        "?????GC?GI??J??Ca??EG?D_K?GCaGC_W?BoBc?Y?OJA?Ka?GEGQ_OCaWBCW@cWJc?Hs?hc??BwhP?sCOiGOBe?j?G`EGCd_K_WCeW"
        "B{?Jw?OkWlc?rW??FwC{O@dWG}?]a?YWO]_OQKosCWKaWJe?By?hd?hEGJaG~A?zW?js?v@_B{GhX_^_OJwG`Xg~?GtaGht?toOB}?"
        "XSgld?Jy?xd?YOwRUOZEGlEGheO{CW~@_l{?~a?~_OzW_jt?jsGz`_ju?v`_XSw~AGr`oB}Gxe_?~ohMgyUGle_JyGhdWhNGhf_hUg"
        "n{?~H_~`_l{GZSw~@g?~w|e_yuGyVG~aGlfO^eG^MGxf_O~ohewlf_lMgtTglUg~{?n{Gn}?_~wjtW^mG^MgjvGlfoxv_rXwhfwzNG"
        "^NGyUw~|?~Xon}G~wWyVwR~g}^Gp~ol^g~{W~z_p~w~^GznW~~G~nWz~w~~w"
    ),
}
"""The graphs with 2 to 6 points in the order of the Atlas of Graphs (Read and Wilson 1998), each in the graph6 format
without its first character."""


def connected_graphs(size: int) -> Iterator[tuple[int, Graph]]:
    """For each connected graph with `size` points (2 to 6), yield its number in the Atlas of Graphs and its edges."""
    pairs = [(a, b) for b in range(size) for a in range(b)]
    first = 2 + sum(len(_ATLAS[less]) // _signs(less) for less in range(2, size))
    for n, start in enumerate(range(0, len(_ATLAS[size]), _signs(size)), first):
        signs = _ATLAS[size][start : start + _signs(size)]
        bits = "".join(f"{ord(sign) - 63:06b}" for sign in signs)
        edges = _graph_of(pair for pair, bit in zip(pairs, bits, strict=False) if bit == "1")
        if _is_connected(size, edges):
            yield n, edges


def _signs(size: int) -> int:
    """Return the number of characters in `_ATLAS` that encode one graph with `size` points."""
    return -(-comb(size, 2) // 6)


def _around(points: Sequence[int], radius: float) -> dict[int, Point]:
    """Return a place on a circle for each point, clockwise from the top."""
    angles = [2 * pi * i / len(points) for i in range(len(points))]
    return {point: (radius * sin(angle), -radius * cos(angle)) for point, angle in zip(points, angles, strict=True)}


def _rules(
    name: str, edges: Sequence[Edge], places: Mapping[int, Point], sets: Iterable[Iterable[Edge]], **more: Any
) -> Rules:
    """Return rules whose squares are edges between points, and whose lines are sets of edges.

    In text, the board of a complete graph is half of a matrix of points. Any other board is a single row of edges.
    """
    count, number = len(places), {edge: square for square, edge in enumerate(edges)}
    side = range(count - 1) if len(edges) == comb(count, 2) else range(0)
    left, top = (min(place[axis] for place in places.values()) for axis in (0, 1))
    diagram = Diagram(
        len(side) or 1,
        len(side) or len(edges),
        tuple(number.get((row, column + 1), HOLE) for row in side for column in side) or tuple(range(len(edges))),
        tuple(_name(a, count) + _name(b, count) for a, b in edges),
        "edges",
        tuple((round(x - left, 4), round(y - top, 4)) for _, (x, y) in sorted(places.items())),
        tuple(edges),
    )
    return rules_of_sets(name, diagram, ([number[edge] for edge in part] for part in sets), **more)


def _name(point: int, points: int) -> str:
    return str(point + 1) if points < 10 else _LETTERS[point]


def _ring(points: Sequence[int]) -> list[Edge]:
    return [(min(a, b), max(a, b)) for a, b in zip(points, [*points[1:], points[0]], strict=True)]


def _prism(sides: int) -> list[Edge]:
    """Return the edges of a prism: two rings of `sides` points, with an edge between corresponding points."""
    outer, inner = list(range(sides)), list(range(sides, 2 * sides))
    return sorted({*_ring(outer), *_ring(inner), *zip(outer, inner, strict=True)})


_PETERSEN: Final = sorted({*_ring(range(5)), *_ring((5, 7, 9, 6, 8)), *((i, i + 5) for i in range(5))})
_OCTAHEDRON: Final = [(a, b) for a, b in combinations(range(6), 2) if b - a != 3]


_GRAPHS: Final[Mapping[str, tuple[str, Sequence[Edge], Mapping[int, Point]]]] = MappingProxyType(
    {
        "cube": ("the cube", _prism(4), _around(range(4), 2.0) | _around(range(4, 8), 0.8)),
        "k33": (
            "the graph K3,3",
            [(a, b) for a in range(3) for b in range(3, 6)],
            {point: (point % 3 * 1.5, point // 3 * 2.0) for point in range(6)},
        ),
        "octahedron": ("the octahedron", _OCTAHEDRON, _around(range(6), 2.0)),
        "petersen": ("the Petersen graph", _PETERSEN, _around(range(5), 2.5) | _around(range(5, 10), 1.2)),
        "prism": ("the prism", _prism(3), _around(range(3), 2.0) | _around(range(3, 6), 0.7)),
    }
)
"""By name: a title, the edges, and (x, y) of each point."""


def _cycle(sizes: Sequence[str], _: frozenset[str]) -> Rules:
    if sizes[1] not in _GRAPHS:
        raise RulesError(f"There is no graph {quoted(sizes[1])} here; choose one of {', '.join(_GRAPHS)}.")
    title, edges, places = _GRAPHS[sizes[1]]
    length = read_number(sizes[2], "the length of a cycle", 3, len(places))
    words = f"the {len(edges)} edges of {title}, a line is a cycle of {length}"
    cycles = [_ring(cycle) for cycle in _cycles(edges, length)]
    return _rules(f"cycle,{sizes[1]},{length}", edges, places, cycles, words=words)


def _cycles(edges: Sequence[Edge], length: int) -> list[list[int]]:
    """List each cycle of `length` points once. Its smallest point is first; the second is less than the last."""
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
    ),
    Maker(
        form="graph,POINTS,GRAPH",
        about="the edges between some points, of which a copy of a graph wins (Ramsey games)",
        examples=("graph,5,p4", "graph,5,c4", "graph,6,g17"),
        make=_graph,
    ),
    Maker(
        form="cycle,GRAPH,LENGTH",
        about=f"the edges of a graph ({', '.join(_GRAPHS)}), of which a cycle wins",
        examples=("cycle,petersen,5", "cycle,cube,4", "cycle,k33,4"),
        make=_cycle,
    ),
)
