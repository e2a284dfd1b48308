"""Choose the solver of a game, and count the positions that it is to meet."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from solver.count import count_positions, shapes
from solver.game.rules import Rules
from solver.solve.backend import Solver
from solver.solve.gravity import GravitySolver
from solver.solve.placement import PlacementSolver
from solver.solve.statistics import Statistics
from solver.store.layout import layout_of
from solver.store.schema import Metric

__all__ = ["make_solver"]


def make_solver(rules: Rules, metric: Metric) -> tuple[Solver, Statistics]:
    """Make the solver of a game, and the statistics of its positions, which a solve adds to and must agree with."""
    if not layout_of(rules, metric).has_gravity:
        with ThreadPoolExecutor(1) as counting:  # of 25 squares either takes seconds
            counted = counting.submit(count_positions, rules)
            solver = PlacementSolver(rules, metric)
            return solver, Statistics(rules, metric, counted.result())
    reached = list(shapes.sweep(*shapes.columns(rules)))
    counts = [shapes.count_ply(rules, ply, found) for ply, found in enumerate(reached)]
    return GravitySolver(rules, metric, reached), Statistics(rules, metric, counts)
