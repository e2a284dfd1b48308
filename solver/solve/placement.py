"""Solve a game without gravity: X-sets from half the board down to none."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
import numpy.typing as npt

from solver.game.line_arrays import line_array
from solver.game.rules import Permutation, Rules
from solver.kernels.children import Board, Turn
from solver.kernels.layers import half_layer_of, insertion_of, layer_of
from solver.kernels.orbits import classify, image_tables
from solver.kernels.placement import Level, make_scratch, solve_pages
from solver.solve.cost import placement_scratch, placement_work
from solver.solve.sweep import Batch, Handle, Pool, Tally, horizons
from solver.store.layout import layout_of
from solver.store.schema import Metric

SET_BYTES = 8
"""For each set of squares: the page that stands for it, the way there (kernels.orbits.classify), and what the layers
and insertions of all levels come to (kernels.layers)."""


class PlacementSweep:
    """The levels of a game without gravity, largest X-sets first."""

    def __init__(self, rules: Rules, metric: Metric) -> None:
        lines = line_array(rules)
        masks, guards = lines[:, 0].copy(), lines[:, 1].copy()
        permutations = np.array(rules.symmetries, dtype=np.int64)
        tables = image_tables(permutations)
        keys, sizes, page, to_canonical = classify(
            rules.squares, rules.squares // 2, tables, _inverses(rules.symmetries), masks, guards, rules.exact
        )
        self.board = Board(rules.squares, masks, guards, permutations, page, to_canonical, rules.misere, rules.exact)
        self.levels = [
            _level(rules, metric, stones, keys[chosen], sizes[chosen])
            for stones in range(rules.squares // 2, -1, -1)
            for chosen in [np.bitwise_count(keys) == stones]
        ]
        self.shapes: list[tuple[int, ...]] = [_kept_shape(level) for level in self.levels]
        self.works = [self._page_work(level) * len(level.keys) for level in self.levels]
        self.nothing = np.zeros((0, 1, 1), dtype=np.uint64)
        self.tables = SET_BYTES << rules.squares
        self.scratch = max(placement_scratch(rules, level.stones, level.by_x + level.by_o) for level in self.levels)

    def solve(
        self, number: int, children: npt.NDArray[np.uint64], kept: npt.NDArray[np.uint64], pool: Pool, handle: Handle
    ) -> Iterator[Batch]:
        """Solve the X-sets of one size."""
        level, below = self.levels[number], self.levels[max(number - 1, 0)]
        work = partial(self._solve, level, below, children, kept, handle)
        return pool.map(work, len(level.keys), self._page_work(level))

    def _solve(
        self,
        level: Level,
        below: Level,
        children: npt.NDArray[np.uint64],
        kept: npt.NDArray[np.uint64],
        handle: Handle,
        first: int,
        last: int,
    ) -> Batch:
        raw = np.empty((last - first, level.page_bytes), dtype=np.uint8)
        tally = np.zeros((2, level.by_x + level.by_o + 1), dtype=np.int64)
        scratch = make_scratch(self.board, level, below)
        solve_pages(self.board, level, below, scratch, first, last, children, kept, raw, tally)
        plies = (2 * level.stones - 1, 2 * level.stones)
        tallies = tuple(Tally(ply, level.by_x, row) for ply, row in zip(plies, tally, strict=True) if ply >= 0)
        return Batch(handle(level.keys[first:last], raw), tallies, (last - first) * self._page_work(level))

    def _page_work(self, level: Level) -> int:
        return placement_work(self.board.squares - level.stones, level.stones, level.by_x + level.by_o)


def _kept_shape(level: Level) -> tuple[int, ...]:
    """Pages, planes, and words of a folded plane."""
    return len(level.keys), level.digits + 1, level.o_turn.insertion.lacks.shape[1]


def _level(
    rules: Rules, metric: Metric, stones: int, keys: npt.NDArray[np.int64], sizes: npt.NDArray[np.int32]
) -> Level:
    by_x, by_o = horizons(rules, metric, 2 * stones)
    size = layout_of(rules, metric).page_size((1 << stones) - 1)
    free = rules.squares - stones
    o_turn, x_turn = (_turn(free, of_o) for of_o in (stones - 1, stones))
    o_whole, x_whole = (layer_of(free if rules.exact else 0, of_o) for of_o in (stones - 1, stones))
    return Level(stones, keys, sizes, by_x, by_o, size.digits, size.raw_bytes, o_turn, x_turn, o_whole, x_whole)


def _turn(index_bits: int, stones: int) -> Turn:
    layer = half_layer_of(index_bits, stones)
    return Turn(stones, layer, insertion_of(index_bits, layer))


def _inverses(permutations: tuple[Permutation, ...]) -> npt.NDArray[np.int64]:
    """For each permutation of a group the index of its inverse."""
    index = {permutation: g for g, permutation in enumerate(permutations)}
    squares = range(len(permutations[0]))
    return np.array([index[tuple(sorted(squares, key=p.__getitem__))] for p in permutations], dtype=np.int64)
