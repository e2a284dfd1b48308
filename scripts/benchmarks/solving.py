"""Solving alone: the kernel's work, without counting, compressing or writing."""

import os

from solver import Rules
from solver.build.placement import PlacementSweep
from solver.build.sweep import Pool
from solver.store.schema import Metric


def solve_only(game: str, metric: Metric) -> None:
    """Solve a game without gravity on all cores, and throw the pages away."""
    with Pool(os.cpu_count() or 1) as pool:
        for _ in PlacementSweep(Rules.parse(game), metric).run(pool, lambda *_pages: None):
            pass
