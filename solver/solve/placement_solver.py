"""Solve a game without gravity: list its X-sets, then solve their positions, largest X-sets first.

An X-set is the set of squares with X's stones, from the empty set to half of the board.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from functools import lru_cache, partial
from threading import Lock, local
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.count import PageCounts, count_positions
from solver.count.records import PlyCount
from solver.game.arrays import line_array, sort_distinct
from solver.game.rules import Rules
from solver.kernels.children import Children, PlacementBoard, Turn
from solver.kernels.layers import Layer, half_layer_of, insertion_of, is_sparse, layer_of, sparse_layer_of
from solver.kernels.orbits import Group, PageIndex, count_images, group_scratch, list_children, make_group
from solver.kernels.placement import PageLevel, make_scratch, solve_pages
from solver.solve.block import Block, block_of
from solver.solve.levels import KeptPages, Prepared, Solve, SolvedPages, Tally
from solver.solve.plan import BuildPlan, Partition, plan_build
from solver.solve.shard_plan import Shard, plan_shards
from solver.store.layout import layout_of
from solver.store.schema import Metric
from solver.support.threads import ThreadPool, run_in_background

Ints = npt.NDArray[np.int64]

_CHUNK = 1 << 14  # X-sets whose children are listed together


class LevelKeys(NamedTuple):
    """The keys of some pages of a level, sorted by class, then by key."""

    keys: Ints  # int64[C], the canonical X-sets
    sizes: npt.NDArray[np.int32]  # int32[C], the number of X-sets in the class of each key


def list_keys(rules: Rules, pool: ThreadPool, roots: Sequence[int] = (0,)) -> list[LevelKeys]:
    """Return the keys of each level: the canonical X-sets that are reached from the `roots` by adding squares.

    The list is indexed by the number of X's stones. The roots are canonical X-sets of one size.
    """
    block, group, order = block_of(rules), make_group(rules.symmetries.steps), rules.symmetries.order
    stones = roots[0].bit_count()
    levels = [_level(block, group, order, np.array(keys, np.int64)) for keys in [()] * stones + [roots]]
    for _ in range(stones, rules.plies // 2):
        keys = levels[-1].keys
        chunks = [keys[first : first + _CHUNK] for first in range(0, keys.size, _CHUNK)]
        found = list(pool.map(partial(list_larger, rules, group), chunks))
        levels.append(_level(block, group, order, sort_distinct(np.concatenate(found)) if found else keys))
    return levels


def list_larger(rules: Rules, group: Group, keys: Ints) -> Ints:
    """Return, in ascending order, the canonical X-sets that add one square to a set in `keys` and contain no line."""
    children = np.empty(keys.size * rules.squares, np.int64)
    count = list_children(group, group_scratch(group), line_array(rules.x_lines), keys, children)
    return sort_distinct(children[:count])


def _level(block: Block, group: Group, order: int, keys: Ints) -> LevelKeys:
    classes = block.classes_of(keys)
    keys = keys[np.argsort(classes, kind="stable")]
    sizes = np.empty(keys.size, np.int32)
    count_images(group, group_scratch(group), order, keys, sizes)
    return LevelKeys(keys, sizes)


def index_pages(rules: Rules, keys: Ints) -> PageIndex:
    """Return an index of the pages with these keys, which must be sorted as in `LevelKeys`; classes may be missing."""
    block = block_of(rules)
    counts = np.bincount(block.classes_of(keys), minlength=block.classes.size)
    ends = counts.cumsum()
    rows = np.stack([ends - counts, ends], axis=1)[block.classes]
    return PageIndex(make_group(rules.symmetries.steps), block.byte_patterns, rows, keys)


def prepare_placement(rules: Rules, metric: Metric, pool: ThreadPool) -> Prepared:
    """Return the shards of a game without gravity, and the inputs of its solver: the keys of all pages."""
    counted = run_in_background(count_positions, rules)  # for 25 squares this takes seconds, as does listing the keys
    return prepare_keys(rules, metric, list_keys(rules, pool), counted)


def prepare_keys(rules: Rules, metric: Metric, keys: list[LevelKeys], counts: Future[list[PlyCount]]) -> Prepared:
    """Return the shards of the pages with these keys, and the inputs of the solver; see `prepare_placement`."""
    pages = [level.keys.size for level in keys]
    plan = plan_build(rules, metric, PageCounts(pages, pages))
    shards = plan_shards(plan, [keys[level.stones].keys for level in plan.levels])

    def inputs(_: object) -> Iterator[tuple[str, bytearray]]:
        while keys:  # which are no longer needed
            level = keys.pop()
            yield _keys_name(len(keys)), bytearray(level.keys) + bytearray(level.sizes)

    return Prepared(shards, inputs, counts.result, lambda: counts.result() if counts.done() else None)


def _keys_name(stones: int) -> str:
    return f"{stones:02}.keys"


class PlacementSolver:
    """The solver of a game without gravity. `read(name)` returns an input that `prepare_placement` made."""

    def __init__(self, plan: BuildPlan, read: Callable[[str], bytearray]) -> None:
        rules = plan.rules
        self._plan = plan
        self._read = read
        self._board = PlacementBoard(
            squares=rules.squares,
            plies=rules.plies,
            x_lines=line_array(rules.x_lines),
            o_lines=line_array(rules.o_lines),
            misere=rules.misere,
            exact=rules.exact,
            threats=layout_of(rules, plan.metric).has_threats,
        )
        self._buffers = local()  # a `pages` in each thread, because the first use of memory is slow
        self._lock = Lock()
        self._keys = lru_cache(maxsize=2)(self._read_keys)
        self._kept_layer = lru_cache(maxsize=2)(partial(_kept_layer, rules))
        self._make_turns = lru_cache(maxsize=2)(partial(_turns, rules))  # for 36 squares each takes a GB

    def make_solve(self, own: Sequence[Shard], inputs: Sequence[Shard]) -> Solve:
        """Return a function that solves partitions of the `own` shards from the `inputs` shards; see `Solver`."""
        level = self._plan.levels[own[0].level]
        read = [self._keys(given.level).keys[given.first : given.last] for given in inputs]
        index = index_pages(self._plan.rules, np.concatenate([np.zeros(0, np.int64), *read]))
        return partial(self._solve, self._keys(level.number), index)

    def _read_keys(self, number: int) -> LevelKeys:
        """Return the keys of a level in writable arrays, because Numba compiles kernels again for read-only arrays."""
        level = self._plan.levels[number]
        data = self._read(_keys_name(level.stones))
        return LevelKeys(
            np.frombuffer(data, np.int64, level.pages), np.frombuffer(data, np.int32, level.pages, 8 * level.pages)
        )

    def _solve(
        self, keys: LevelKeys, index: PageIndex, partition: Partition, inputs: KeptPages, kept: KeptPages
    ) -> SolvedPages:
        """Return the solved pages of a partition, and fill `kept`; `index` locates the pages in `inputs`.

        The next call in the same thread reuses the memory of the returned pages.
        """
        level, first, last = partition
        own = keys.keys[first:last]
        before = self._plan.levels[max(level.number - 1, 0)].horizons
        with self._lock:  # many threads begin a new level at once
            tables = self._make_turns(level.stones)
            children_layer = self._kept_layer(level.stones + bool(level.number))
        by_x, by_o = level.horizons
        kernel_level = PageLevel(level.stones, own, keys.sizes[first:last], by_x, by_o, *tables)
        children = Children(index, *before, children_layer, inputs)
        size = own.size * level.page_bytes
        if not hasattr(self._buffers, "pages") or self._buffers.pages.size < size:
            self._buffers.pages = np.empty(size, dtype=np.uint8)
        pages = self._buffers.pages[:size].reshape(own.size, level.page_bytes)
        tally = np.zeros((2, level.horizons.planes + 1), dtype=np.int64)
        scratch = make_scratch(self._board, kernel_level, children)
        solve_pages(self._board, kernel_level, scratch, children, kept, pages, tally)
        plies = (2 * level.stones - 1, 2 * level.stones)
        tallies = tuple(
            Tally(ply, level.horizons.by_x, holds) for ply, holds in zip(plies, tally.tolist(), strict=True) if ply >= 0
        )
        return SolvedPages(own, pages, tallies)


def _kept_layer(rules: Rules, stones: int) -> Layer:
    """Return the layer of the planes with O to move. A level keeps these planes for the next level."""
    free, of_o = rules.squares - stones, stones - 1
    return sparse_layer_of(free, of_o) if is_sparse(free, of_o) else half_layer_of(free, of_o)


def _turns(rules: Rules, stones: int) -> tuple[Turn, Turn, Layer, Layer]:
    """Return a level's tables for O to move and for X to move, then the layers of whole planes for O and X to move."""
    free = rules.squares - stones
    make_layer = sparse_layer_of if is_sparse(free, stones) and not rules.exact else half_layer_of
    layers = [make_layer(free, of_o) for of_o in (stones - 1, stones)]
    o_turn, x_turn = (Turn(layer, insertion_of(free, layer)) for layer in layers)
    o_whole, x_whole = (layer_of(free if rules.exact else 0, of_o) for of_o in (stones - 1, stones))
    return o_turn, x_turn, o_whole, x_whole
