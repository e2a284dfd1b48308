"""Minimal paths between two sides of a graph: the winning sets of games of connection, such as Hex."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from solver.errors import RulesError

MOST_PATHS: Final = 20_000
"""Winning sets of a game of connection."""


def minimal_paths(
    graph: Mapping[int, Collection[int]], starts: Collection[int], ends: Collection[int]
) -> list[list[int]]:
    """List the minimal sets of nodes that connect the starts to the ends: paths without a shortcut.

    `graph` gives the neighbours of every node. Raises RulesError when there are more than MOST_PATHS.
    """
    found: list[list[int]] = []
    stack = [[start] for start in sorted(starts)]
    while stack:
        path = stack.pop()
        here = path[-1]
        if here in ends:
            found.append(path)
            if len(found) > MOST_PATHS:
                raise RulesError(
                    f"More than {MOST_PATHS:,} sets of squares connect the two sides; choose a smaller board."
                )
            continue
        before = set(path[:-1])
        steps = [near for near in graph.get(here, ()) if near not in starts and near not in path]
        stack += [[*path, near] for near in sorted(steps) if not before.intersection(graph.get(near, ()))]
    return found
