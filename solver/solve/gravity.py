"""Solve a game with gravity: shapes from the full board down to the empty one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
import numpy.typing as npt

from solver.count.shapes import Shapes, columns
from solver.game.rules import Rules
from solver.kernels.gravity import Ply, solve_shapes
from solver.kernels.layers import layer_of
from solver.kernels.words import word_count
from solver.solve.cost import drop_scratch, drop_work
from solver.solve.sweep import Batch, Handle, Pool, Tally, horizons
from solver.store.layout import layout_of
from solver.store.schema import Metric


class DropSweep:
    """The plies of a game with gravity, the fullest board first.

    `reached` is what enumerate.shapes.sweep found, one entry a ply.
    """

    def __init__(self, rules: Rules, metric: Metric, reached: list[Shapes]) -> None:
        self.rules = rules
        self.board, _ = columns(rules)
        self.reached = reached
        self.plies = [_ply(rules, metric, stones, shapes) for stones, shapes in enumerate(reached)][::-1]
        self.shapes: list[tuple[int, ...]] = [
            (len(ply.shapes), ply.by_x + ply.by_o, word_count(ply.stones)) for ply in self.plies
        ]
        self.works = [self._page_work(ply) * len(ply.shapes) for ply in self.plies]
        self.nothing = np.zeros((1, 2, 1), dtype=np.uint64)
        self.tables = sum(shapes.reached.nbytes + shapes.lineless.nbytes for shapes in reached)
        self.scratch = max(drop_scratch(ply.stones) for ply in self.plies)

    def solve(
        self, number: int, children: npt.NDArray[np.uint64], kept: npt.NDArray[np.uint64], pool: Pool, handle: Handle
    ) -> Iterator[Batch]:
        """Solve the shapes with one number of stones."""
        ply = self.plies[number]
        child_by_x = self.plies[number - 1].by_x if number else 1
        work = partial(self._solve, ply, child_by_x, children, kept, handle)
        return pool.map(work, len(ply.shapes), self._page_work(ply))

    def _solve(
        self,
        ply: Ply,
        child_by_x: int,
        children: npt.NDArray[np.uint64],
        kept: npt.NDArray[np.uint64],
        handle: Handle,
        first: int,
        last: int,
    ) -> Batch:
        raw = np.empty((last - first, ply.page_bytes), dtype=np.uint8)
        holds = np.zeros(kept.shape[1] + 1, dtype=np.int64)
        lineless = self.reached[ply.stones].lineless
        solve_shapes(self.board, ply, first, last, child_by_x, children, lineless, kept, raw, holds)
        work = (last - first) * self._page_work(ply)
        if ply.stones == self.rules.squares:  # a full board is over, and has no page
            return Batch(None, (), work)
        keys = ply.shapes[first:last]
        images = layout_of(self.rules, "wdl").images
        canonical = [c for c, key in enumerate(keys.tolist()) if images.canonical(key)[0] == key]
        return Batch(handle(keys[canonical], raw[canonical]), (Tally(ply.stones, ply.by_x, holds),), work)

    def _page_work(self, ply: Ply) -> int:
        return drop_work(self.rules, ply.stones, ply.by_x + ply.by_o)


def _ply(rules: Rules, metric: Metric, stones: int, shapes: Shapes) -> Ply:
    by_x, by_o = horizons(rules, metric, stones)
    size = layout_of(rules, metric).page_size((1 << stones) - 1)
    return Ply(stones, shapes.masks, by_x, by_o, size.digits, size.raw_bytes, layer_of(stones, (stones + 1) // 2))
