"""What a build starts from: the sweep that solves a game, and its statistics with the counts filled in."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from solver.count import count_positions, shapes
from solver.game.rules import Rules
from solver.solve.gravity import DropSweep
from solver.solve.placement import PlacementSweep
from solver.solve.statistics import Statistics
from solver.solve.sweep import Sweep
from solver.store.layout import layout_of
from solver.store.schema import Metric


def prepare(rules: Rules, metric: Metric) -> tuple[Sweep, Statistics]:
    """The sweep of a game, and statistics that it is to agree with."""
    if not layout_of(rules, metric).has_gravity:
        with ThreadPoolExecutor(1) as counting:  # of 25 squares either takes seconds
            counted = counting.submit(count_positions, rules)
            sweep = PlacementSweep(rules, metric)
            return sweep, Statistics(rules, metric, counted.result())
    reached = list(shapes.sweep(*shapes.columns(rules)))
    counts = [shapes.count_ply(rules, ply, found) for ply, found in enumerate(reached)]
    return DropSweep(rules, metric, reached), Statistics(rules, metric, counts)
