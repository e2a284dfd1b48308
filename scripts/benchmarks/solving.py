"""Solving alone: the kernel's work, without counting, compressing or writing."""

import os
from itertools import pairwise

from solver import Rules
from solver.build.placement import PlacementSweep
from solver.build.sweep import Pool
from solver.kernels.words import word_count
from solver.store.schema import Metric

_MERGE_BYTES = 24  # to merge a word of one plane into another: two words read, one written


def solve_only(game: str, metric: Metric) -> None:
    """Solve a game without gravity on all cores, and throw the pages away."""
    with Pool(os.cpu_count() or 1) as pool:
        for _ in PlacementSweep(Rules.parse(game), metric).run(pool, lambda *_pages: None):
            pass


def bytes_merged(game: str, metric: Metric) -> int:
    """The bytes that a solve would move if every word it merges came from memory and went back there."""
    return PlacementSweep(Rules.parse(game), metric).work * _MERGE_BYTES


def bytes_held(game: str, metric: Metric) -> int:
    """The memory that a solve takes: the planes of the two neighbouring levels that are largest together."""
    sweep = PlacementSweep(Rules.parse(game), metric)
    sizes = [
        len(level.keys) * (level.by_x + level.by_o) * word_count(sweep.board.squares - level.stones) * 8
        for level in sweep.levels
    ]
    return max(map(sum, pairwise(sizes)), default=0)
