"""Solve the shapes of a game with gravity, from the full board down to the empty one."""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import comb, prod

import numpy as np
import numpy.typing as npt

from solver.count.records import PlyCount
from solver.count.shapes import Shapes, columns, count_ply, sweep
from solver.game.rules import Rules
from solver.kernels.gravity import ColumnBoard, ShapeLevel, solve_shapes
from solver.solve.last_ply import Codes, LastPly, tally_codes, write_codes
from solver.solve.levels import KeptPages, Prepared, Search, Solve, SolvedPages, Tally
from solver.solve.plan import WORD_BYTES, BuildPlan, Partition, plan_build
from solver.solve.shard_plan import Shard, plan_columns
from solver.store.codec import pack_page, unpack_page
from solver.store.layout import layout_of
from solver.store.schema import Metric
from solver.support.threads import ThreadPool


def prepare_gravity(rules: Rules, metric: Metric, pool: ThreadPool, plies: int | None = None) -> Prepared:
    """Return the shards of a game with gravity, up to ply `plies` (default: all plies), and the inputs of its solver.

    One sweep through the game finds and counts the reachable positions, and makes the inputs, one for each shard. An
    input contains the length (int64) of each partition's compressed planes, followed by all these planes, which mark
    the reachable colourings. The shards of the last ply of an opening table have another input: a code for each
    colouring of each shape, from a search.
    """
    plan = plan_build(rules, metric, plies=plies)
    solver = GravitySolver(plan)
    shards = plan_columns(plan, [solver.moves(level.number) for level in plan.levels])
    counted: list[PlyCount] = []

    def inputs(search: Search | None) -> Iterator[tuple[str, bytearray]]:
        counts = []
        for level, shapes in zip(reversed(plan.levels), sweep(rules, pool), strict=False):
            for shard in shards.levels[level.number]:
                packed = list(pool.map(partial(solver.pack, shapes), shard.partitions(level)))
                lengths = np.array([len(piece) for piece in packed], np.int64)
                yield shard.name("reached"), bytearray(lengths.tobytes() + b"".join(packed))
            counts.append(count_ply(rules, level.stones, shapes))
        counted[:] = counts
        if plies is not None and search:
            last = LastPly(rules, plies, shapes)
            codes = last.codes(metric, search(last.positions))
            for shard in shards.levels[0]:
                yield shard.name("searched"), bytearray(codes[shard.first : shard.last])

    def counts() -> list[PlyCount]:
        if not counted:
            deque(inputs(None), maxlen=0)
        return counted

    return Prepared(shards, inputs, counts)


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
        places = np.full(level.read_pages, -1, np.int32)  # where the input array has each shape of the level before
        row = 0
        for given in inputs:
            places[given.first : given.last] = np.arange(row, row + given.pages)
            row += given.pages
        reached: dict[int, memoryview] = {}  # by the first shape of each partition
        codes: dict[int, Codes] = {}  # the same, for the last ply of an opening table
        for shard in own:
            partitions, data = shard.partitions(level), memoryview(self._read(shard.name("reached")))
            at = len(partitions) * np.dtype(np.int64).itemsize
            for partition, length in zip(partitions, np.frombuffer(data[:at], np.int64).tolist(), strict=True):
                reached[partition.first] = data[at : at + length]
                at += length
            if self._plan.plies == level.stones:
                shape = shard.pages, comb(level.stones, level.stones // 2)
                searched = np.frombuffer(self._read(shard.name("searched")), np.uint8, prod(shape)).reshape(shape)
                for _, first, last in partitions:
                    codes[first] = searched[first - shard.first : last - shard.first]
        numbers = self._board.numbers.copy()
        if inputs:
            numbers[self._stones == level.stones + 1] = places
        return partial(self._solve, self._board._replace(numbers=numbers), reached, codes)

    def _solve(
        self,
        board: ColumnBoard,
        reached: dict[int, memoryview],
        codes: dict[int, Codes],
        partition: Partition,
        inputs: KeptPages,
        kept: KeptPages,
    ) -> SolvedPages:
        level, first, last = partition
        ply, below = self._plies[level.number], self._plies[max(level.number - 1, 0)]
        sizes = self._sizes[level.number][first:last]
        canonical = np.flatnonzero(sizes)
        words = level.kept_shape[1]
        planes = unpack_page(bytes(reached[first]), canonical.size * words * WORD_BYTES)
        lineless = np.frombuffer(planes, dtype=np.uint64).reshape(canonical.size, words)
        if first in codes:
            write_codes(codes[first], kept)
            holds = tally_codes(codes[first][canonical], lineless, sizes[canonical], level.horizons)
        else:
            found = np.zeros(level.horizons.planes + 1, dtype=np.int64)
            solve_shapes(board, ply, below, first, last, inputs, sizes, lineless, kept, found)
            holds = found.tolist()
        if not level.stored:  # on a full board the game is over, so it has no page
            return SolvedPages(ply.shapes[:0], np.empty((0, level.page_bytes), dtype=np.uint8), ())
        size = self._layout.page_size((1 << level.stones) - 1)  # in the file, only unfinished positions have values
        pages = (kept[canonical, : size.digits + 1] & lineless[:, None]).view(np.uint8)[:, :, : size.plane_bytes]
        tally = Tally(level.stones, level.horizons.by_x, holds)
        return SolvedPages(ply.shapes[first:last][canonical], pages.reshape(canonical.size, size.raw_bytes), (tally,))

    def pack(self, shapes: Shapes, partition: Partition) -> bytes:
        """Return the reachable colourings of a partition's canonical shapes, compressed."""
        part = slice(partition.first, partition.last)
        return pack_page(shapes.lineless[part][self._sizes[partition.level.number][part] > 0].tobytes())
