"""Choose the solver of a game: with gravity, or without."""

from collections.abc import Callable

from solver.game.rules import Rules
from solver.solve.gravity_solver import GravitySolver, prepare_gravity
from solver.solve.levels import Prepared, Solver
from solver.solve.placement_solver import PlacementSolver, prepare_placement
from solver.solve.plan import BuildPlan
from solver.store.layout import layout_of
from solver.store.schema import Metric
from solver.support.threads import ThreadPool


def prepare(rules: Rules, metric: Metric, pool: ThreadPool, plies: int | None = None) -> Prepared:
    """Return the shards of a game, or of its first `plies` plies, and the inputs of its solver.

    Raises RulesError if the positions can't be counted.
    """
    if layout_of(rules, metric).has_gravity:
        return prepare_gravity(rules, metric, pool, plies)
    return prepare_placement(rules, metric, pool)


def make_solver(plan: BuildPlan, read: Callable[[str], bytearray]) -> Solver:
    """Return the solver of a game. `read(name)` returns an input that `prepare` has made."""
    return (GravitySolver if layout_of(plan.rules, plan.metric).has_gravity else PlacementSolver)(plan, read)
