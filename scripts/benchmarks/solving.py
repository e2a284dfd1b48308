"""Solving alone: the kernel's work, without counting, compressing or writing."""

import os
from itertools import pairwise
from math import prod

from solver import Rules
from solver.solve.placement import PlacementSweep
from solver.solve.sweep import Pool, run
from solver.store.schema import Metric


def solve_only(game: str, metric: Metric) -> None:
    """Solve a game without gravity on all cores, and throw the pages away."""
    with Pool(os.cpu_count() or 1) as pool:
        for _ in run(PlacementSweep(Rules.parse(game), metric), pool, lambda *_pages: None):
            pass


def bytes_moved(game: str, metric: Metric) -> int:
    """The bytes that a solve reads and writes if nothing stays in a cache from page to page.

    For each page those of its children, a page for every free square (somewhat fewer: some squares complete a line),
    what is kept of it for the level above, and the page as it goes to the file.
    """
    sweep = PlacementSweep(Rules.parse(game), metric)
    kept = [prod(shape[1:]) * 8 for shape in sweep.shapes]
    return sum(
        len(level.keys) * ((sweep.board.squares - level.stones) * child + own + level.page_bytes)
        for level, child, own in zip(sweep.levels, [0, *kept], kept, strict=False)
    )


def bytes_held(game: str, metric: Metric) -> int:
    """The memory that solved levels take: the two neighbouring ones that are largest together."""
    sizes = [prod(shape) * 8 for shape in PlacementSweep(Rules.parse(game), metric).shapes]
    return max(map(sum, pairwise(sizes)), default=0)
