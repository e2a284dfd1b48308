"""Build an opening table: every position of the first plies of a game that is too large for a whole table.

The last ply is searched; the plies before follow from it by retrograde analysis. Both give exact values with the plies
to the end, so the table depends on the game and the number of plies alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from queue import SimpleQueue

import numpy as np
import numpy.typing as npt

from solver.game.rules import Rules, require_rectangle
from solver.search.gravity import Search
from solver.solve.opening_positions import PlyPositions, list_positions
from solver.solve.opening_results import BLOCK, OpeningResults, Plies
from solver.support.threads import ThreadPool

_MEMORY = 4 << 30
"""Bytes that searches remember, at most: more takes fewer nodes, because neighbours share most of what follows."""


def search_positions(
    rules: Rules, positions: PlyPositions, results: OpeningResults, pool: ThreadPool, memory: int, progress: Progress
) -> Plies:
    """Search the positions that `results` lacks, add them to it, and return all results."""
    first = Search(rules, memory=memory)
    searches: SimpleQueue[Search] = SimpleQueue()
    for search in (first, *(first.sibling() for _ in range(pool.threads - 1))):
        searches.put(search)

    def find(block: int) -> Plies:
        search = searches.get()
        try:
            return search.plies_of(positions.live[block * BLOCK : (block + 1) * BLOCK])
        finally:
            searches.put(search)

    for found in pool.map(find, results.missing):
        results.add(found)
        progress(results.blocks * BLOCK)
    return results.all()
