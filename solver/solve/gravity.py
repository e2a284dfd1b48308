"""Solve the shapes of a game with gravity, from the full board down to the empty one."""

from __future__ import annotations

import numpy as np

from solver.count.shapes import Shapes, columns
from solver.game.rules import Rules
from solver.kernels.gravity import Ply, solve_shapes
from solver.kernels.layers import layer_of
from solver.solve.backend import SolvedPages, Tally
from solver.solve.levels import KeptPages
from solver.solve.plan import LevelPlan, Partition, plan_build
from solver.store.layout import layout_of
from solver.store.schema import Metric


class GravitySolver:
    """Solve the shapes of a game with gravity; `reached` is what count.shapes.sweep found, one entry a ply."""

    def __init__(self, rules: Rules, metric: Metric, reached: list[Shapes]) -> None:
        self.plan = plan_build(rules, metric)
        self._board, _ = columns(rules)
        self._lineless = [shapes.lineless for shapes in reached]
        self._plies = [_kernel_ply(rules, metric, level, reached[level.stones]) for level in self.plan.levels]
        self._images = layout_of(rules, metric).images

    def solve(self, partition: Partition, inputs: KeptPages, kept: KeptPages) -> SolvedPages:
        """Solve some shapes of one ply, see `backend.Solver`."""
        number, first, last = partition.level.number, partition.first, partition.last
        ply = self._plies[number]
        child_by_x = self._plies[number - 1].by_x if number else 0
        pages = np.empty((partition.pages, ply.page_bytes), dtype=np.uint8)
        holds = np.zeros(kept.shape[1] + 1, dtype=np.int64)
        solve_shapes(self._board, ply, first, last, child_by_x, inputs, self._lineless[ply.stones], kept, pages, holds)
        if not partition.level.stored:  # a full board is over, and has no page
            return SolvedPages(ply.shapes[:0], pages[:0], ())
        keys = ply.shapes[first:last]
        canonical = [c for c, key in enumerate(keys.tolist()) if self._images.canonical(key)[0] == key]
        return SolvedPages(keys[canonical], pages[canonical], (Tally(ply.stones, ply.by_x, holds),))


def _kernel_ply(rules: Rules, metric: Metric, level: LevelPlan, reached: Shapes) -> Ply:
    stones = level.stones
    digits = layout_of(rules, metric).page_size((1 << stones) - 1).digits
    layer = layer_of(stones, (stones + 1) // 2)
    return Ply(stones, reached.masks, *level.horizons, digits, level.page_bytes, layer)
