"""Solve the shapes of a game with gravity, from the full board down to the empty one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from solver.count.shapes import Shapes, columns
from solver.game.rules import Rules
from solver.kernels.gravity import Ply, solve_shapes
from solver.solve.backend import SolvedPages, Tally
from solver.solve.levels import KeptPages
from solver.solve.plan import Partition, plan_build
from solver.store.layout import layout_of
from solver.store.schema import Metric


class GravitySolver:
    """Solve the shapes of a game with gravity; `reached` is what count.shapes.sweep found, one entry a ply."""

    def __init__(self, rules: Rules, metric: Metric, reached: list[Shapes]) -> None:
        self.plan = plan_build(rules, metric)
        self._board, _ = columns(rules)
        self._lineless = [shapes.lineless for shapes in reached]
        self._plies = [
            Ply(level.stones, reached[level.stones].masks, *level.horizons, level.kept_shape[0] - 1)
            for level in self.plan.levels
        ]
        self._layout = layout_of(rules, metric)

    def solve(self, partition: Partition, inputs: KeptPages, kept: KeptPages) -> SolvedPages:
        """Solve some shapes of one ply, see `backend.Solver`."""
        number, first, last = partition.level.number, partition.first, partition.last
        ply, below = self._plies[number], self._plies[max(number - 1, 0)]
        lineless = self._lineless[ply.stones][first:last]
        holds = np.zeros(partition.level.horizons.planes + 1, dtype=np.int64)
        solve_shapes(self._board, ply, below, first, last, inputs, lineless, kept, holds)
        if not partition.level.stored:  # a full board is over, and has no page
            return SolvedPages(ply.shapes[:0], np.empty((0, partition.level.page_bytes), dtype=np.uint8), ())
        keys = ply.shapes[first:last]
        canonical = [c for c, key in enumerate(keys.tolist()) if self._layout.images.canonical(key)[0] == key]
        pages = self._pages(ply.stones, kept[canonical], lineless[canonical])
        return SolvedPages(keys[canonical], pages, (Tally(ply.stones, ply.by_x, holds),))

    def _pages(self, stones: int, kept: KeptPages, lineless: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint8]:
        """Return the pages as the file has them: what is kept, where play goes on."""
        size = self._layout.page_size((1 << stones) - 1)
        planes = kept[:, : size.digits + 1] & lineless[:, None]
        return planes.view(np.uint8)[:, :, : size.plane_bytes].reshape(len(kept), size.raw_bytes)
