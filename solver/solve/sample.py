"""Solve and compress some pages of a game, to measure the speed of this machine and the compression of pages."""

from __future__ import annotations

from functools import partial
from time import process_time, thread_time
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.drawing.diagram import grid
from solver.game.lines import Line, mask_of
from solver.game.rules import MAX_SQUARES, Rules
from solver.game.symmetry import SymmetryGroup
from solver.kernels.orbits import PageIndex
from solver.kernels.page_sums import LANES
from solver.solve.gravity_solver import GravitySolver, prepare_gravity
from solver.solve.levels import KeptPages, SolvedPages, solve_levels
from solver.solve.placement_solver import LevelKeys, PlacementKernels, group_arrays, list_larger
from solver.solve.plan import BuildPlan, LevelPlan, plan_build
from solver.store.layout import Images, layout_of
from solver.store.packing import pack_pages
from solver.support.threads import ThreadPool

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_SECONDS = 4.0  # the time for which all threads solve pages, without compiling
_CONES = 12  # the least number of cones to solve
_COMPRESSED = 128  # the pages that are compressed in each part of a level
_LEAST_PAGES = 64  # the fewest pages from which the compression of a level is estimated
_MOST_LINES = 1000  # the most lines of a sampled game, because each line takes memory
_LAST_PLIES = 3  # the plies at the end at which pages of a smaller board compress better than those of the whole board
_WORD, _BYTE = 1e-8, 1e-8  # assumed seconds of a thread for a unit of work, and to compress a byte
_SHARES = {True: 0.25, False: 0.55}  # assumed compressed bytes per raw byte, by whether threats decide positions


class Costs(NamedTuple):
    """The costs of a build, in seconds of one thread while all threads are busy."""

    word: float  # seconds for a unit of the work of solving
    byte: float  # seconds to compress a byte for the file
    shares: list[float]  # by level, compressed bytes for each byte of a page


def usual_costs(plan: BuildPlan) -> Costs:
    """Return the costs on a slow machine, with pages that compress badly."""
    share = _SHARES[layout_of(plan.rules, plan.metric).has_threats]
    return Costs(_WORD, _BYTE, [share] * len(plan.levels))


def measure_costs(plan: BuildPlan, threads: int | None = None) -> Costs:
    """Return the measured costs of a build on this machine, or `usual_costs` if the game is too large to sample."""
    rules = plan.rules
    if len(rules.lines) > _MOST_LINES or (rules.squares > MAX_SQUARES and not rules.has_supports):
        return usual_costs(plan)
    pack_pages(np.arange(LANES), np.zeros((LANES, 1), np.uint8))  # compiles
    with ThreadPool(threads) as pool:
        return _sample_part(plan, pool) if rules.has_supports else _sample_cones(plan, pool)


def _sample_cones(plan: BuildPlan, pool: ThreadPool) -> Costs:
    """Return the costs of solving *cones* of a game without gravity.

    A cone has the pages of all X-sets that contain a given X-set; solving them needs no other pages. A set of eight
    stones is contained in about a thousand sets, which are solved within a second.
    """
    levels, seconds, root = [level for level in plan.levels if level.pages], _SECONDS * pool.threads, 0
    _Cones(plan, pool).solve(levels[0])  # compiles
    cones, begun, spent = _Cones(plan, pool), process_time(), 0.0
    while spent < seconds:
        cones.solve(levels[root])
        if not levels[root].stones:  # this was the whole game
            break
        before, spent = spent, process_time() - begun
        root = min(root + 1, len(levels) - 1) if spent - before < seconds / _CONES else max(root - 1, 0)
    work, solving, raw, packed, compressing = cones.sums.T
    pages = work / [level.page_work for level in plan.levels]
    known = pages >= min(_LEAST_PAGES, pages.max())
    shares = np.where(known, packed, np.nan) / np.where(known, raw, 1)
    return Costs(solving.sum() / work.sum(), compressing.sum() / raw.sum(), _extend(shares))


class _Cones:
    """The total costs of pages in cones: a row for each level, with the columns that `_solve_part` returns."""

    def __init__(self, plan: BuildPlan, pool: ThreadPool) -> None:
        self._plan, self._pool, self._rules = plan, pool, plan.rules
        self._images = Images(plan.rules.symmetries)
        self._identity = group_arrays(SymmetryGroup(plan.rules.squares, ()))
        self._kernels = PlacementKernels(plan)
        self._random = np.random.default_rng(0)
        self.sums = np.zeros((len(plan.levels), 5))

    def solve(self, root: LevelPlan) -> None:
        """Solve and compress the cone of a random X-set and add up its costs."""
        cone = [np.array([self._draw(root.stones)])]  # by level, the fullest last
        for _ in range(root.number):
            cone.append(list_larger(self._rules, self._identity, cone[-1]))
        children, inputs = np.zeros(0, np.int64), np.zeros((0, 1, 1), np.uint64)
        for level, keys in zip(self._plan.levels, reversed(cone), strict=False):
            index = PageIndex(self._identity, np.zeros((5, 256), np.int64), np.array([[0, len(children)]]), children)
            self._kernels.prepare(level)  # otherwise its time would count as solving
            parts = np.array_split(keys, max(1, min(2 * self._pool.threads, len(keys))))
            solved = list(self._pool.map(partial(self._solve_part, level, index, inputs), parts))
            self.sums[level.number] += sum(costs for costs, _ in solved)
            children, inputs = keys, np.concatenate([kept for _, kept in solved])

    def _draw(self, stones: int) -> int:
        """Return a random canonical X-set without a line; other images of it would compress differently."""
        while True:
            drawn = 0
            for square in self._random.permutation(self._rules.squares).tolist():
                if drawn.bit_count() == stones:
                    break
                grown, lines = drawn | 1 << square, self._rules.x_lines_through[square]
                if not any(grown & mask == mask and not grown & guard for mask, guard in lines):
                    drawn = grown
            if drawn.bit_count() == stones:
                return self._images.canonical(drawn)[0]

    def _solve_part(
        self, level: LevelPlan, index: PageIndex, inputs: KeptPages, keys: Ints
    ) -> tuple[Floats, KeptPages]:
        """Solve some pages, compress some of them, and return the costs and the kept pages.

        The costs are the work, the seconds of solving, the raw bytes and the compressed bytes of pages, and the seconds
        of compressing.
        """
        kept, begun = np.empty((len(keys), *level.kept_shape), np.uint64), thread_time()
        solved = self._kernels.solve(level, LevelKeys(keys, np.ones(len(keys), np.int32)), index, inputs, kept)
        solving, some = thread_time() - begun, slice(None, None, len(keys) // _COMPRESSED + 1)
        begun = thread_time()
        packed = pack_pages(solved.keys[some], solved.pages[some])
        compressing, scale = thread_time() - begun, len(keys) / max(len(packed.entries), 1)
        sizes = [scale * size for size in (solved.pages[some].size, len(packed.data), compressing)]
        return np.array([len(keys) * level.page_work, solving, *sizes]), kept


def _sample_part(plan: BuildPlan, pool: ThreadPool) -> Costs:
    """Return the costs of solving a game with gravity on as much of its board as time allows.

    At the same ply, pages of boards of different sizes compress equally well, except at the last plies.
    """
    rows, columns, part = plan.rules.squares // plan.rules.stride, plan.rules.stride, plan
    while part.rules.squares > MAX_SQUARES or (rows * columns > 4 and part.work * _WORD > _SECONDS * pool.threads):
        rows, columns = (rows, columns - 1) if columns >= rows else (rows - 1, columns)
        part = plan_build(_cut(plan.rules, rows, columns), plan.metric)

    def compress(solved: SolvedPages) -> tuple[float, float, float]:
        begun = thread_time()
        packed = solved.pack()
        return solved.pages.size, len(packed.data), thread_time() - begun

    def solve(whole: BuildPlan) -> Floats:
        sums = np.zeros((len(whole.levels), 3))
        game = prepare_gravity(whole.rules, plan.metric, pool)
        solver = GravitySolver(whole, dict(game.inputs).__getitem__)
        for shard, costs, _ in solve_levels(game.shards, solver, pool, compress, lambda _: None):
            sums[shard.level] += np.sum(costs, axis=0)
        return sums

    solve(plan_build(_cut(plan.rules, 2, 1), plan.metric))  # compiles
    begun = process_time()
    raw, packed, compressing = solve(part).T
    word = (process_time() - begun - compressing.sum()) / part.work
    shares, first = np.full(len(plan.levels), np.nan), len(plan.levels) - len(raw)
    shares[first:] = packed / np.where(raw, raw, np.nan)  # the full board has no page
    if part is not plan:
        shares[: first + _LAST_PLIES + 1] = np.nan
    return Costs(word, compressing.sum() / raw.sum(), _extend(shares))


def _cut(rules: Rules, rows: int, columns: int) -> Rules:
    """Return a game with gravity on the first rows and columns of the board, with the lines that fit there."""
    kept = [row * rules.stride + column for row in range(rows) for column in range(columns)]
    inside = mask_of(kept)

    def cut(mask: int) -> int:
        return mask_of(place for place, square in enumerate(kept) if mask >> square & 1)

    x_lines, o_lines = (
        tuple(dict.fromkeys(Line(cut(mask), cut(guard)) for mask, guard in lines if not mask & ~inside))
        for lines in (rules.x_lines, rules.o_lines)
    )
    name, flips = f"{rules.name} on {rows} by {columns}", (tuple(range(len(kept))),)
    return Rules(
        name, grid(rows, columns), x_lines, o_lines, rules.misere, columns, unfinished=rules.unfinished, flips=flips
    )


def _extend(shares: Floats) -> list[float]:
    """Return the shares, limited to 1.

    Unknown shares (NaN) at both ends follow the trend of the five nearest known shares.
    """
    known, extended = np.flatnonzero(~np.isnan(shares)), shares.copy()
    first, last, width = known[0], known[-1], min(4, len(known) - 1)
    for end, inner, missing in (
        (first, first + width, range(first)),
        (last, last - width, range(last + 1, len(shares))),
    ):
        factor = (shares[end] / shares[inner]) ** (1 / width) if width else 1.0
        for number in missing:
            extended[number] = min(shares[end] * factor ** abs(number - end), 1.0)
    return [float(share) for share in extended]
