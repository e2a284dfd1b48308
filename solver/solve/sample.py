"""Solve and compress some pages of a game, to measure the speed of this machine and the compression of pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import cycle
from time import process_time, thread_time
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import zstandard

from solver.drawing.diagram import grid
from solver.game.arrays import square_images
from solver.game.lines import Line, mask_of, squares_of
from solver.game.rules import MAX_SQUARES, Rules
from solver.kernels.orbits import PageIndex
from solver.solve.build_objects import KEPT_COMPRESSION, pack
from solver.solve.gravity_solver import GravitySolver, prepare_gravity
from solver.solve.levels import KeptPages, SolvedPages, solve_levels
from solver.solve.placement_solver import LevelKeys, PlacementKernels, list_larger
from solver.solve.plan import BuildPlan, LevelPlan, plan_build
from solver.store.layout import layout_of
from solver.store.schema import Metric
from solver.support.threads import ThreadPool

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Progress = Callable[[int, int], None]

_SECONDS = 4.0  # the time for which all threads solve pages, without compiling
_CONES = 12  # the least number of cones to solve
_COMPRESSED = 128  # pages of a part of a level that are compressed
_LEAST_PAGES = 64  # the fewest pages of a measured level: calling the kernel takes time too
_MOST_BYTES = 200_000_000  # the most bytes of pages kept for the next level
_MOST_LINES = 1000  # the most lines of a sampled game: each takes memory
_LAST_PLIES = 3  # at these plies, pages of a smaller board are smaller than those of the whole board
_WORD, _BYTE = 1e-8, 1e-8  # seconds of a thread for a unit of work, and to compress a byte, until they are measured
_SHARES = {True: 0.25, False: 0.55}  # compressed bytes of a page for each raw byte, by whether threats decide positions


class PageCost(NamedTuple):
    """The average cost of a page of one level; seconds are those of a thread while all are busy."""

    solving: float  # seconds to solve it
    compressing: float  # seconds to compress it for the file
    packed_bytes: float  # bytes in the file
    kept_share: float  # compressed bytes for each byte that it keeps for the next level


def sample_pages(
    rules: Rules, metric: Metric, threads: int | None = None, progress: Progress | None = None
) -> list[PageCost]:
    """Measure the cost of a page of each level on this machine; return usual costs for a game that is too large."""
    plan, progress = plan_build(rules, metric), progress or (lambda *_: None)
    if len(rules.lines) > _MOST_LINES or (rules.squares > MAX_SQUARES and not rules.has_supports):
        return usual_costs(plan)
    with ThreadPool(threads) as pool:
        return _costs(plan, (_sample_part if rules.has_supports else _sample_cones)(plan, pool, progress))


def usual_costs(plan: BuildPlan) -> list[PageCost]:
    """Return the costs of pages on a slow machine, and the bytes of pages that compress badly."""
    share = _SHARES[layout_of(plan.rules, plan.metric).has_threats]
    return _costs(plan, np.tile([_WORD, _BYTE, share, 1.0], (len(plan.levels), 1)))


def _costs(plan: BuildPlan, rates: Floats) -> list[PageCost]:
    """Return the costs of pages, given the costs of a unit of work and of a raw byte on each level."""
    return [PageCost(*costs) for costs in (rates * _units(plan)).tolist()]


def _units(plan: BuildPlan) -> Floats:
    return np.array([[level.page_work, level.page_bytes, level.page_bytes, 1] for level in plan.levels], np.float64)


def _sample_cones(plan: BuildPlan, pool: ThreadPool, progress: Progress) -> Floats:
    """Solve *cones* of a game without gravity; return the rates of each level.

    A cone has the pages of all X-sets that contain a given one, which need no other pages. A set of eight stones is in
    about a thousand others, which are solved within a second.
    """
    cones, levels = _Cones(plan, pool), [level for level in plan.levels if level.pages]
    seconds, deepest = _SECONDS * pool.threads, 0
    cones.solve(levels[0], seconds)  # compiles
    cones.pages[:], cones.sums[:] = 0, 0
    begun = process_time()
    while deepest + 1 < len(levels) and cones.solve(levels[deepest + 1], seconds / _CONES):
        deepest += 1
    roots = cycle([levels[deepest], levels[max(deepest - 1, 0)], levels[max(deepest - 1, 0)]])
    while levels[deepest].stones and (spent := process_time() - begun) < seconds:
        progress(int(100 * spent), int(100 * seconds))
        cones.solve(next(roots), seconds)
    rates = cones.sums / np.where(cones.pages, cones.pages, np.nan) / _units(plan)
    if (cones.pages >= _LEAST_PAGES).any():
        rates[cones.pages[:, 0] < _LEAST_PAGES, :2] = np.nan
    return np.stack([_extend(rates[:, i], trend=i >= 2) for i in range(4)], axis=1)


class _Cones:
    """The sums of the costs of pages in cones, by level."""

    def __init__(self, plan: BuildPlan, pool: ThreadPool) -> None:
        self._plan, self._pool, self._rules = plan, pool, plan.rules
        symmetries = plan.rules.symmetries
        self._images, self._identity = square_images(symmetries), square_images(symmetries[:1])
        self._kernels = PlacementKernels(plan)
        self._random = np.random.default_rng(0)
        self.pages, self.sums = np.zeros((len(plan.levels), 1)), np.zeros((len(plan.levels), 4))

    def solve(self, root: LevelPlan, seconds: float) -> bool:
        """Solve and compress the cone of a random X-set and add up its costs; return False if that takes too long."""
        cone = self._list(root, seconds)
        children, inputs = np.zeros(0, np.int64), np.zeros((0, 1, 1), np.uint64)
        for level, keys in zip(self._plan.levels, cone, strict=False):
            index = PageIndex(self._identity, np.zeros((5, 256), np.int64), np.array([[0, len(children)]]), children)
            self._kernels.prepare(level)  # otherwise its time would count as solving
            parts = np.array_split(keys, max(1, min(2 * self._pool.threads, len(keys))))
            solved = list(self._pool.map(partial(self._solve_part, level, index, inputs), parts))
            self.pages[level.number] += len(keys)
            self.sums[level.number] += sum(costs for costs, _ in solved)
            children, inputs = keys, np.concatenate([kept for _, kept in solved])
        return bool(cone)

    def _list(self, root: LevelPlan, seconds: float) -> list[Ints]:
        """List by level, the fullest first, the X-sets that contain a random one; none if they take too long."""
        work = self.pages[:, 0] @ _units(self._plan)[:, 0]
        word = self.sums[:, 0].sum() / work if work else _WORD
        cone = [np.array([self._draw(root.stones)])]
        for level in reversed(self._plan.levels[: root.number]):
            cone.append(list_larger(self._rules, self._identity, cone[-1]))
            seconds -= len(cone[-1]) * level.page_work * word
            if seconds < 0 or len(cone[-1]) * level.page_kept_bytes > _MOST_BYTES:
                return []
        return cone[::-1]

    def _draw(self, stones: int) -> int:
        """Draw a canonical X-set of a given size without a line: pages compress by the order of their squares."""
        while True:
            drawn = 0
            for square in self._random.permutation(self._rules.squares).tolist():
                if drawn.bit_count() == stones:
                    break
                grown, lines = drawn | 1 << square, self._rules.x_lines_through[square]
                if not any(grown & mask == mask and not grown & guard for mask, guard in lines):
                    drawn = grown
            if drawn.bit_count() == stones:
                return int(np.bitwise_or.reduce(self._images[[*squares_of(drawn)]], axis=0).min())

    def _solve_part(
        self, level: LevelPlan, index: PageIndex, inputs: KeptPages, keys: Ints
    ) -> tuple[Floats, KeptPages]:
        """Solve some pages and compress some of these; return their costs and their kept pages."""
        kept, begun = np.empty((len(keys), *level.kept_shape), np.uint64), thread_time()
        solved = self._kernels.solve(level, LevelKeys(keys, np.ones(len(keys), np.int32)), index, inputs, kept)
        solving, some = thread_time() - begun, slice(None, None, len(keys) // _COMPRESSED + 1)
        begun = thread_time()
        packed = pack(SolvedPages(solved.keys[some], solved.pages[some], ()))
        compressing, scale = thread_time() - begun, len(keys) / max(len(packed.entries), 1)
        fast = zstandard.ZstdCompressor(KEPT_COMPRESSION).compress(kept[some].tobytes())
        kept_share = len(keys) * len(fast) / max(kept[some].nbytes, 1)
        return np.array([solving, scale * compressing, scale * len(packed.data), kept_share]), kept


def _sample_part(plan: BuildPlan, pool: ThreadPool, progress: Progress) -> Floats:
    """Solve a game with gravity on as much of its board as time allows; return the rates of each level.

    At the same ply, pages of boards of different sizes compress alike, except for the last plies of a board.
    """
    rows, columns, part = plan.rules.squares // plan.rules.stride, plan.rules.stride, plan
    while part.rules.squares > MAX_SQUARES or (rows * columns > 4 and part.work * _WORD > _SECONDS * pool.threads):
        rows, columns = (rows, columns - 1) if columns >= rows else (rows - 1, columns)
        part = plan_build(_cut(plan.rules, rows, columns), plan.metric)

    def compress(solved: SolvedPages) -> tuple[float, float, float]:
        begun = thread_time()
        packed = pack(solved)
        return solved.pages.size, len(packed.data), thread_time() - begun

    def solve(whole: BuildPlan) -> Floats:
        sums = np.zeros((len(whole.levels), 3))
        game = prepare_gravity(whole.rules, plan.metric, pool)
        solver = GravitySolver(whole, dict(game.inputs).__getitem__)
        solved = solve_levels(game.shards, solver, pool, compress, lambda done: progress(done, whole.work))
        for shard, costs, _ in solved:
            sums[shard.level] += np.sum(costs, axis=0)
        return sums

    solve(plan_build(_cut(plan.rules, 2, 1), plan.metric))  # compiles
    begun = process_time()
    raw, packed, compressing = solve(part).T
    word = (process_time() - begun - compressing.sum()) / part.work
    shares = packed / np.where(raw, raw, np.nan)  # the full board has no page
    if part is not plan:
        shares[: _LAST_PLIES + 1] = np.nan
    rates = np.tile([word, compressing.sum() / raw.sum(), np.nan, 1.0], (len(plan.levels), 1))
    rates[-len(shares) :, 2] = shares
    rates[:, 2] = _extend(rates[:, 2], trend=True)
    return rates


def _cut(rules: Rules, rows: int, columns: int) -> Rules:
    """Return a game with gravity on the first rows and columns of its board, with the lines that fit there."""
    kept = [row * rules.stride + column for row in range(rows) for column in range(columns)]
    inside, name = mask_of(kept), f"{rules.name} on {rows} by {columns}"

    def cut(mask: int) -> int:
        return mask_of(place for place, square in enumerate(kept) if mask >> square & 1)

    x_lines, o_lines = (
        tuple(dict.fromkeys(Line(cut(mask), cut(guard)) for mask, guard in lines if not mask & ~inside))
        for lines in (rules.x_lines, rules.o_lines)
    )
    return replace(
        rules,
        name=name,
        diagram=grid(rows, columns),
        x_lines=x_lines,
        o_lines=o_lines,
        stride=columns,
        plies=len(kept),
        flips=(tuple(range(len(kept))),),
        rectangle=None,
    )


def _extend(values: Floats, *, trend: bool) -> Floats:
    """Fill in the unknown values (NaN) at both ends: with the last known value, or by the trend of five, at most 1."""
    known, extended = np.flatnonzero(~np.isnan(values)), values.copy()
    first, last, width = known[0], known[-1], min(4, len(known) - 1) if trend else 0
    for end, inner, missing in (
        (first, first + width, range(first)),
        (last, last - width, range(last + 1, len(values))),
    ):
        factor = (values[end] / values[inner]) ** (1 / width) if width else 1.0
        for number in missing:
            extended[number] = min(values[end] * factor ** abs(number - end), 1.0)
    return extended
