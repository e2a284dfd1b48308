"""Solve games without counting, compressing or writing, to measure the kernels alone."""

from itertools import pairwise
from math import prod

from solver import parse_game
from solver.solve.levels import solve_levels
from solver.solve.placement_solver import PlacementSolver, prepare_placement
from solver.solve.plan import WORD_BYTES, plan_build
from solver.store.schema import Metric
from solver.support.threads import ThreadPool


def solve_only(game: str, metric: Metric) -> None:
    """Solve a game without gravity on all cores, and discard the pages."""
    with ThreadPool() as pool:
        prepared = prepare_placement(parse_game(game), metric, pool)
        solver = PlacementSolver(prepared.shards.build, dict(prepared.inputs(None)).__getitem__)
        for _ in solve_levels(prepared.shards, solver, pool, lambda _: None):
            pass


def bytes_moved(game: str, metric: Metric) -> int:
    """Return the bytes that a solve reads and writes if nothing stays in a cache from page to page.

    For each page, these are its children (at most one for each free square), the part that is kept for the next level,
    and the page in the file.
    """
    plan = plan_build(parse_game(game), metric)
    kept = [prod(level.kept_shape) * WORD_BYTES for level in plan.levels]
    return sum(
        level.pages * ((plan.rules.squares - level.stones) * child + own + level.page_bytes)
        for level, child, own in zip(plan.levels, [0, *kept], kept, strict=False)
    )


def bytes_held(game: str, metric: Metric) -> int:
    """Return the memory for solved levels: the largest sum of two neighbouring levels."""
    sizes = [level.kept_bytes for level in plan_build(parse_game(game), metric).levels]
    return max(map(sum, pairwise(sizes)), default=0)
