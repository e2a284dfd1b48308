"""Solve the shapes of a game with gravity, from the full board down to the empty one."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from functools import partial

import numpy as np
import numpy.typing as npt

from solver.count import PageCounts, PlyCount, count_pages
from solver.count.shapes import Shapes, columns, count_ply, sweep
from solver.game.rules import Rules
from solver.kernels.gravity import ColumnBoard, ShapeLevel, solve_shapes
from solver.solve.levels import KeptPages, Prepared, Solve, SolvedPages, Tally
from solver.solve.plan import WORD_BYTES, BuildPlan, Partition, plan_build
from solver.solve.shard_plan import Shard, plan_columns
from solver.store.codec import pack_page, unpack_page
from solver.store.layout import layout_of
from solver.store.schema import Metric
from solver.support.threads import ThreadPool

Planes = npt.NDArray[np.uint64]


def prepare_gravity(rules: Rules, metric: Metric, pool: ThreadPool, plies: int | None = None) -> Prepared:
    """Return the shards of a game with gravity, up to ply `plies` (default: all plies), and the inputs of its solver.

    One sweep through the game finds and counts the reachable positions, and makes the inputs, one for each shard. An
    input contains the length (int64) of each partition's compressed planes, followed by all these planes, which mark
    the reachable colourings.
    """
    pages, levels = count_pages(rules), None if plies is None else plies + 1
    plan = plan_build(rules, metric, PageCounts(pages.solved[:levels], pages.stored[:levels]))
    solver = GravitySolver(plan)
    shards = plan_columns(plan, [solver.moves(level.number) for level in plan.levels])
    counted: Future[list[PlyCount]] = Future()

    def inputs() -> Iterator[tuple[str, bytearray]]:
        counts = []
        for level, shapes in zip(reversed(plan.levels), sweep(rules, pool), strict=False):
            for shard in shards.levels[level.number]:
                packed = list(pool.map(partial(solver.pack, shapes), shard.partitions(level)))
                lengths = np.array([len(piece) for piece in packed], np.int64)
                yield shard.name("reached"), bytearray(lengths.tobytes() + b"".join(packed))
            counts.append(count_ply(rules, level.stones, shapes))
        counted.set_result(counts)

    return Prepared(shards, inputs(), counted)


class GravitySolver:
    """The solver of a game with gravity. `read(name)` returns an input that `prepare_gravity` made."""

    def __init__(self, plan: BuildPlan, read: Callable[[str], bytearray] = lambda _: bytearray()) -> None:
        self._plan = plan
        self._read = read
        self._layout = layout_of(plan.rules, plan.metric)
        self._board, by_ply = columns(plan.rules)
        self._plies = [
            ShapeLevel(level.stones, by_ply[level.stones], *level.horizons, level.kept_shape[0] - 1)
            for level in plan.levels
        ]
        self._sizes = [self._class_sizes(ply.shapes.tolist()) for ply in self._plies]
        # The stones of each shape, int8[codes], by its code: its columns' heights as digits; see kernels.gravity.
        heights = np.indices((self._board.rows + 1,) * self._board.columns, np.int8, sparse=True)
        self._stones = sum(heights, np.zeros((), np.int8)).reshape(-1)

    def _class_sizes(self, shapes: list[int]) -> npt.NDArray[np.int64]:
        """Return, for each shape, the number of shapes in its class if it is canonical, else 0."""
        sizes = Counter(self._layout.images.canonical(shape)[0] for shape in shapes)
        return np.array([sizes[shape] for shape in shapes], dtype=np.int64)

    def moves(self, number: int) -> npt.NDArray[np.int64]:
        """Return, for each shape of level `number`, the indexes of the shapes after one move; see `plan_columns`."""
        codes = np.flatnonzero(self._stones == self._plies[number].stones)
        places = np.full((codes.size, self._board.columns), -1)
        for column in range(self._board.columns):
            step = (self._board.rows + 1) ** (self._board.columns - 1 - column)
            free = codes // step % (self._board.rows + 1) < self._board.rows
            places[free, column] = self._board.numbers[codes[free] + step]
        return places

    def make_solve(self, own: Sequence[Shard], inputs: Sequence[Shard]) -> Solve:
        """Return a function that solves partitions of the `own` shards from the `inputs` shards; see `Solver`."""
        level = self._plan.levels[own[0].level]
        places = np.full(level.reads, -1, np.int32)  # where the input array has each shape of the level before
        row = 0
        for given in inputs:
            places[given.first : given.last] = np.arange(row, row + given.pages)
            row += given.pages
        reached: dict[int, memoryview] = {}  # by the first shape of each partition
        for shard in own:
            partitions, data = shard.partitions(level), memoryview(self._read(shard.name("reached")))
            at = len(partitions) * np.dtype(np.int64).itemsize
            for partition, length in zip(partitions, np.frombuffer(data[:at], np.int64).tolist(), strict=True):
                reached[partition.first] = data[at : at + length]
                at += length
        numbers = self._board.numbers.copy()
        if inputs:
            numbers[self._stones == level.stones + 1] = places
        return partial(self._solve, self._board._replace(numbers=numbers), reached)

    def _solve(
        self,
        board: ColumnBoard,
        reached: dict[int, memoryview],
        partition: Partition,
        inputs: KeptPages,
        kept: KeptPages,
    ) -> SolvedPages:
        level, first, last = partition
        shapes, canonical = self._plies[level.number].shapes, np.flatnonzero(self._sizes[level.number][first:last])
        words = level.kept_shape[1]
        planes = unpack_page(bytes(reached[first]), canonical.size * words * WORD_BYTES)
        lineless = np.frombuffer(planes, dtype=np.uint64).reshape(canonical.size, words)
        tally = self.fill(board, partition, inputs, lineless, kept)
        if not level.stored:  # on a full board the game is over, so it has no page
            return SolvedPages(shapes[:0], np.empty((0, level.page_bytes), dtype=np.uint8), ())
        size = self._layout.page_size((1 << level.stones) - 1)  # in the file, only unfinished positions have values
        pages = (kept[canonical, : size.digits + 1] & lineless[:, None]).view(np.uint8)[:, :, : size.plane_bytes]
        return SolvedPages(shapes[first:last][canonical], pages.reshape(canonical.size, size.raw_bytes), (tally,))

    def fill(
        self, board: ColumnBoard, partition: Partition, inputs: KeptPages, lineless: Planes, kept: KeptPages
    ) -> Tally:
        """Fill a partition's kept pages, given the reachable colourings (`lineless`) of its canonical shapes."""
        level, first, last = partition
        ply, below = self._plies[level.number], self._plies[max(level.number - 1, 0)]
        holds = np.zeros(level.horizons.planes + 1, dtype=np.int64)
        sizes = self._sizes[level.number][first:last]
        solve_shapes(board, ply, below, first, last, inputs, sizes, lineless, kept, holds)
        return Tally(level.stones, level.horizons.by_x, holds.tolist())

    def pack(self, shapes: Shapes, partition: Partition) -> bytes:
        """Return the reachable colourings of a partition's canonical shapes, compressed."""
        part = slice(partition.first, partition.last)
        return pack_page(shapes.lineless[part][self._sizes[partition.level.number][part] > 0].tobytes())
