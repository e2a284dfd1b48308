"""Solve the shapes of a game with gravity, from the full board down to the empty one."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from solver.count.records import PlyCount
from solver.count.shapes import Shapes, columns, count_ply, sweep
from solver.game.rules import Rules
from solver.kernels.gravity import ShapeLevel, solve_shapes
from solver.solve.levels import KeptPages, SolvedPages, Tally
from solver.solve.plan import WORD_BYTES, Partition, plan_build, plan_memory
from solver.store.codec import pack_page, unpack_page
from solver.store.disk import disk_errors_reported
from solver.store.layout import layout_of
from solver.store.schema import Metric
from solver.support.threads import ThreadPool

Planes = npt.NDArray[np.uint64]


class GravitySolver:
    """The solver of a game with gravity.

    Its constructor sweeps through the game once, to count the positions and to find the reachable ones. These are kept
    compressed: in memory, or in a file in `folder` if they exceed a budget of `memory`.
    """

    def __init__(
        self, rules: Rules, metric: Metric, pool: ThreadPool, memory: int | None = None, folder: Path | None = None
    ) -> None:
        self.plan = plan_build(rules, metric)
        self._layout = layout_of(rules, metric)
        self._board, by_ply = columns(rules)
        self._plies = [
            ShapeLevel(level.stones, by_ply[level.stones], *level.horizons, level.kept_shape[0] - 1)
            for level in self.plan.levels
        ]
        self._sizes = [self._class_sizes(ply.shapes) for ply in self._plies]
        # The packed planes of reachable colourings, by partition, or their places in a file.
        self._reached: dict[tuple[int, int], bytes | tuple[int, int]] = {}
        in_memory = folder is None or plan_memory(self.plan, memory, pool.threads).fits[2]
        self._path = None if in_memory or folder is None else folder / "reached"
        if self._path:
            with disk_errors_reported(self._path.parent):
                self._path.write_bytes(b"")  # an interrupted build may have left one
        self.counts = [self._keep_reached(shapes, pool) for shapes in sweep(rules, pool)]
        """The positions of each ply."""

    def solve(self, partition: Partition, inputs: KeptPages, kept: KeptPages) -> SolvedPages:
        """Solve some shapes of one ply, see `Solver`."""
        number, first, last = partition.level.number, partition.first, partition.last
        ply, below = self._plies[number], self._plies[max(number - 1, 0)]
        sizes = self._sizes[number][first:last]
        canonical = np.nonzero(sizes)[0]
        lineless = self._read_reached(partition, canonical.size)
        holds = np.zeros(partition.level.horizons.planes + 1, dtype=np.int64)
        solve_shapes(self._board, ply, below, first, last, inputs, sizes, lineless, kept, holds)
        if not partition.level.stored:  # a full board is over, and has no page
            return SolvedPages(ply.shapes[:0], np.empty((0, partition.level.page_bytes), dtype=np.uint8), ())
        pages = self._pages(ply.stones, kept[canonical], lineless)
        return SolvedPages(ply.shapes[first:last][canonical], pages, (Tally(ply.stones, ply.by_x, holds),))

    def _pages(self, stones: int, kept: KeptPages, lineless: Planes) -> npt.NDArray[np.uint8]:
        """Return the pages as in the file, which have the kept values of unfinished positions."""
        size = self._layout.page_size((1 << stones) - 1)
        planes = kept[:, : size.digits + 1] & lineless[:, None]
        return planes.view(np.uint8)[:, :, : size.plane_bytes].reshape(len(kept), size.raw_bytes)

    def _class_sizes(self, shapes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return for each shape the number of shapes in its class if it is the canonical one, else 0."""
        keys = shapes.tolist()
        sizes = Counter(self._layout.images.canonical(key)[0] for key in keys)
        return np.array([sizes[key] for key in keys], dtype=np.int64)

    def _keep_reached(self, shapes: Shapes, pool: ThreadPool) -> PlyCount:
        """Compress and keep the reachable colourings of the canonical shapes of a ply; return the count of the ply."""
        ply = int(shapes.masks[0]).bit_count()
        level = self.plan.levels[-1 - ply]
        partitions = list(level.partitions())
        for partition, data in zip(partitions, pool.map(partial(self._pack, shapes), partitions), strict=True):
            key = partition.level.number, partition.first
            if not self._path:
                self._reached[key] = data
                continue
            with disk_errors_reported(self._path.parent), self._path.open("ab") as file:
                self._reached[key] = file.tell(), len(data)
                file.write(data)
        return count_ply(self.plan.rules, ply, shapes)

    def _pack(self, shapes: Shapes, partition: Partition) -> bytes:
        part = slice(partition.first, partition.last)
        return pack_page(shapes.lineless[part][self._sizes[partition.level.number][part] > 0].tobytes())

    def _read_reached(self, partition: Partition, shapes: int) -> Planes:
        """Return the planes of the canonical shapes of a partition, uint64[shapes, words]."""
        data, words = self._reached[partition.level.number, partition.first], partition.level.kept_shape[1]
        if self._path and not isinstance(data, bytes):
            with disk_errors_reported(self._path.parent), self._path.open("rb") as file:
                file.seek(data[0])
                data = file.read(data[1])
        assert isinstance(data, bytes)
        return np.frombuffer(unpack_page(data, shapes * words * WORD_BYTES), dtype=np.uint64).reshape(shapes, words)
