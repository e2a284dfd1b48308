"""Solve the X-sets of a game without gravity from half the board down to none, and make the solver of any game."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from solver.count import count_positions, shapes
from solver.count.pages import PageCounts
from solver.game.arrays import byte_images, line_array
from solver.game.rules import Rules
from solver.game.symmetry import Permutation
from solver.kernels.children import Board, Turn
from solver.kernels.layers import half_layer_of, insertion_of, layer_of
from solver.kernels.orbits import classify
from solver.kernels.placement import Level, make_scratch, solve_pages
from solver.solve.backend import SolvedPages, Solver, Tally
from solver.solve.gravity import GravitySolver
from solver.solve.levels import KeptPages
from solver.solve.plan import LevelPlan, Partition, plan_build
from solver.solve.statistics import Statistics
from solver.store.layout import layout_of
from solver.store.schema import Metric


class PlacementSolver:
    """Solve the pages of a game without gravity, one for each class of X-sets under the symmetries.

    Making it finds the classes, which takes about a second for 25 squares.
    """

    def __init__(self, rules: Rules, metric: Metric) -> None:
        lines = line_array(rules)
        masks, guards = lines[:, 0].copy(), lines[:, 1].copy()
        permutations = np.array(rules.symmetries, dtype=np.int64)
        tables = byte_images(rules.symmetries)
        keys, sizes, index = classify(
            rules.squares, rules.squares // 2, tables, _inverses(rules.symmetries), masks, guards, rules.exact
        )
        self._board = Board(rules.squares, masks, guards, permutations, index, rules.misere, rules.exact)
        stones = np.bitwise_count(keys)
        pages = np.bincount(stones, minlength=rules.squares // 2 + 1).tolist()
        self.plan = plan_build(rules, metric, PageCounts(pages, pages))
        self._levels = [
            _kernel_level(rules, metric, level, keys[stones == level.stones], sizes[stones == level.stones])
            for level in self.plan.levels
        ]

    def solve(self, partition: Partition, inputs: KeptPages, kept: KeptPages) -> SolvedPages:
        """Solve some X-sets of one size, see `backend.Solver`."""
        number, first, last = partition.level.number, partition.first, partition.last
        level, below = self._levels[number], self._levels[max(number - 1, 0)]
        pages = np.empty((partition.pages, level.page_bytes), dtype=np.uint8)
        tally = np.zeros((2, level.by_x + level.by_o + 1), dtype=np.int64)
        scratch = make_scratch(self._board, level, below)
        solve_pages(self._board, level, below, scratch, first, last, inputs, kept, pages, tally)
        plies = (2 * level.stones - 1, 2 * level.stones)
        tallies = tuple(Tally(ply, level.by_x, holds) for ply, holds in zip(plies, tally, strict=True) if ply >= 0)
        return SolvedPages(level.keys[first:last], pages, tallies)


def _kernel_level(
    rules: Rules, metric: Metric, plan: LevelPlan, keys: npt.NDArray[np.int64], sizes: npt.NDArray[np.int32]
) -> Level:
    stones, free = plan.stones, rules.squares - plan.stones
    digits = layout_of(rules, metric).page_size((1 << stones) - 1).digits
    o_turn, x_turn = (_turn(free, of_o) for of_o in (stones - 1, stones))
    o_whole, x_whole = (layer_of(free if rules.exact else 0, of_o) for of_o in (stones - 1, stones))
    return Level(stones, keys, sizes, *plan.horizons, digits, plan.page_bytes, o_turn, x_turn, o_whole, x_whole)


def _turn(index_bits: int, stones: int) -> Turn:
    layer = half_layer_of(index_bits, stones)
    return Turn(stones, layer, insertion_of(index_bits, layer))


def _inverses(permutations: tuple[Permutation, ...]) -> npt.NDArray[np.int64]:
    """Find the index of the inverse of each permutation of a group."""
    index = {permutation: g for g, permutation in enumerate(permutations)}
    squares = range(len(permutations[0]))
    return np.array([index[tuple(sorted(squares, key=p.__getitem__))] for p in permutations], dtype=np.int64)


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
