"""Make the solver of a game, whichever kind it needs."""

from __future__ import annotations

from pathlib import Path

from solver.count import count_positions
from solver.game.rules import Rules
from solver.solve.gravity import GravitySolver
from solver.solve.level_loop import Solver
from solver.solve.placement import PlacementSolver
from solver.solve.statistics import Statistics
from solver.store.layout import layout_of
from solver.store.schema import Metric
from solver.support.threads import ThreadPool, run_in_background


def make_solver(
    rules: Rules, metric: Metric, pool: ThreadPool, memory: int | None = None, folder: Path | None = None
) -> tuple[Solver, Statistics]:
    """Make the solver of a game, and the statistics of its positions, which a solve adds to and must agree with.

    What a budget of `memory` has no room for is kept in `folder`.
    """
    if not layout_of(rules, metric).has_gravity:
        counted = run_in_background(count_positions, rules)  # of 25 squares this takes seconds, and the next line too
        return PlacementSolver(rules, metric, pool), Statistics(rules, metric, counted.result())
    gravity = GravitySolver(rules, metric, pool, memory, folder)
    return gravity, Statistics(rules, metric, gravity.counts)
