"""Solve the X-sets of a game without gravity, from half the board down to none."""

from __future__ import annotations

from functools import lru_cache, partial
from threading import Lock

import numpy as np

from solver.count.pages import PageCounts
from solver.game.arrays import line_array
from solver.game.rules import Rules
from solver.kernels.children import Board, Children, Turn
from solver.kernels.layers import Layer, half_layer_of, insertion_of, layer_of
from solver.kernels.orbits import PageIndex
from solver.kernels.placement import Level, make_scratch, solve_pages
from solver.solve.keys import LevelKeys, index_pages, list_keys
from solver.solve.level_loop import SolvedPages, Tally
from solver.solve.level_store import KeptPages
from solver.solve.plan import BuildPlan, LevelPlan, Partition, plan_build
from solver.store.layout import layout_of
from solver.store.schema import Metric
from solver.support.threads import ThreadPool


class PlacementSolver:
    """Solve the pages of a game without gravity, one for each class of X-sets under the symmetries."""

    def __init__(self, rules: Rules, metric: Metric, pool: ThreadPool) -> None:
        self._keys = list_keys(rules, pool)
        pages = [level.keys.size for level in self._keys]
        self.plan = plan_build(rules, metric, PageCounts(pages, pages))
        self._kernels = PlacementKernels(self.plan)
        above = [level.keys for level in self._keys[1:]]
        self._indexes = [index_pages(rules, keys) for keys in (*above, np.zeros(0, np.int64))]

    def solve(self, partition: Partition, inputs: KeptPages, kept: KeptPages) -> SolvedPages:
        """Solve some X-sets of one size, see `level_loop.Solver`."""
        level = partition.level
        index = self._indexes[level.stones]
        keys = self._keys[level.stones].part(partition.first, partition.last)
        return self._kernels.solve(level, keys, index, inputs, kept)


class PlacementKernels:
    """Solve pages of a game without gravity, wherever the pages that they read come from."""

    def __init__(self, plan: BuildPlan) -> None:
        rules = plan.rules
        of_x, of_o = line_array(rules.x_lines).T.copy(), line_array(rules.o_lines).T.copy()
        permutations = np.array(rules.symmetries, dtype=np.int64)
        self._plan = plan
        self._board = Board(
            squares=rules.squares,
            plies=rules.plies,
            x_lines=of_x[0],
            x_guards=of_x[1],
            o_lines=of_o[0],
            o_guards=of_o[1],
            permutations=permutations,
            misere=rules.misere,
            exact=rules.exact,
            threats=layout_of(rules, plan.metric).has_threats,
        )
        self._lock = Lock()
        self._make_turns = lru_cache(maxsize=2)(partial(_turns, rules))  # of 36 squares each takes a GB

    def solve(
        self, level: LevelPlan, keys: LevelKeys, index: PageIndex, inputs: KeptPages, kept: KeptPages
    ) -> SolvedPages:
        """Solve pages of a level, from the pages `inputs` that the index finds, and fill `kept`."""
        before = self._plan.levels[max(level.number - 1, 0)].horizons
        digits = kept.shape[1] - 1
        with self._lock:  # many threads come to a new level at once
            o_turn, x_turn, o_whole, x_whole = self._make_turns(level.stones)
        kernel_level = Level(
            level.stones,
            keys.keys,
            keys.sizes,
            *level.horizons,
            digits,
            level.page_bytes,
            o_turn,
            x_turn,
            o_whole,
            x_whole,
        )
        children = Children(index, *before, inputs)
        pages = np.empty((keys.keys.size, level.page_bytes), dtype=np.uint8)
        tally = np.zeros((2, level.horizons.planes + 1), dtype=np.int64)
        scratch = make_scratch(self._board, kernel_level, children)
        solve_pages(self._board, kernel_level, scratch, children, kept, pages, tally)
        plies = (2 * level.stones - 1, 2 * level.stones)
        tallies = tuple(
            Tally(ply, level.horizons.by_x, holds) for ply, holds in zip(plies, tally, strict=True) if ply >= 0
        )
        return SolvedPages(keys.keys, pages, tallies)


def _turns(rules: Rules, stones: int) -> tuple[Turn, Turn, Layer, Layer]:
    """Make the tables of a level: for O to move and for X to move, and their layers in whole planes."""
    free = rules.squares - stones
    o_turn, x_turn = (_turn(free, of_o) for of_o in (stones - 1, stones))
    o_whole, x_whole = (layer_of(free if rules.exact else 0, of_o) for of_o in (stones - 1, stones))
    return o_turn, x_turn, o_whole, x_whole


def _turn(index_bits: int, stones: int) -> Turn:
    layer = half_layer_of(index_bits, stones)
    return Turn(stones, layer, insertion_of(index_bits, layer))
