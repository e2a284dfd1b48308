"""The Atlas of Graphs (Read and Wilson 1998): data/facts/graph_atlas.csv."""

import csv
from collections.abc import Iterator
from itertools import combinations, permutations
from pathlib import Path
from typing import NamedTuple, Self

_FILE = Path(__file__).parent.parent / "data" / "facts" / "graph_atlas.csv"


class Graph(NamedTuple):
    """A graph with points 1 to `points`; `number` is its number in the Atlas."""

    number: int
    points: int
    edges: frozenset[frozenset[int]]

    @classmethod
    def read(cls, atlas: str, points: str, edges: str) -> Self:
        return cls(int(atlas), int(points), frozenset(frozenset(map(int, edge)) for edge in edges.split()))

    def is_connected(self) -> bool:
        reached, found = {1}, {1}
        while found:
            found = {b for edge in self.edges if edge & reached for b in edge} - reached
            reached |= found
        return len(reached) == self.points

    def has_clique(self, size: int) -> bool:
        cliques = combinations(range(1, self.points + 1), size)
        return any(all(frozenset(pair) in self.edges for pair in combinations(clique, 2)) for clique in cliques)

    def images(self) -> Iterator[frozenset[frozenset[int]]]:
        """Yield the edges of the graph after each permutation of its points."""
        for image in permutations(range(1, self.points + 1)):
            yield frozenset(frozenset(image[point - 1] for point in edge) for edge in self.edges)


def read_graphs(points: int) -> list[Graph]:
    """Return the graphs with this number of points."""
    with _FILE.open(newline="") as file:
        return [graph for row in csv.DictReader(file) if (graph := Graph.read(**row)).points == points]
