"""Solving alone: the kernel's work, without counting, compressing or writing."""

import os
from itertools import pairwise
from math import prod

from solver import Rules
from solver.build.placement import PlacementSweep
from solver.build.sweep import Pool, run
from solver.store.schema import Metric

_MERGE_BYTES = 24  # to merge a word of one plane into another: two words read, one written


def solve_only(game: str, metric: Metric) -> None:
    """Solve a game without gravity on all cores, and throw the pages away."""
    with Pool(os.cpu_count() or 1) as pool:
        for _ in run(PlacementSweep(Rules.parse(game), metric), pool, lambda *_pages: None):
            pass


def bytes_merged(game: str, metric: Metric) -> int:
    """The bytes that a solve would move if every word it merges came from memory and went back there."""
    return sum(PlacementSweep(Rules.parse(game), metric).works) * _MERGE_BYTES


def bytes_held(game: str, metric: Metric) -> int:
    """The memory that solved levels take: the two neighbouring ones that are largest together."""
    sizes = [prod(shape) * 8 for shape in PlacementSweep(Rules.parse(game), metric).shapes]
    return max(map(sum, pairwise(sizes)), default=0)
