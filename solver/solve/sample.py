"""Sample the pages of a game without gravity: how long they take to solve, and how small they get.

How long a page takes does not depend on its bits: some pages of each level are solved, on all threads at once, from
children whose bits are random. How small a page gets depends on nothing else. So such pages are solved truly: the
X-sets that contain a given one are a *cone*, whose pages need no others. A cone of eight stones has some thousand pages
and is solved within a second; a few of them, of random stones, tell what the pages of most levels compress to.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from functools import partial
from itertools import cycle
from time import process_time, thread_time
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import zstandard

from solver.game.arrays import square_images
from solver.game.lines import squares_of
from solver.kernels.orbits import PageIndex
from solver.solve.keys import LevelKeys, list_larger
from solver.solve.level_loop import SolvedPages
from solver.solve.level_store import KEPT_COMPRESSION, KeptPages
from solver.solve.pages_table import pack
from solver.solve.placement import PlacementKernels
from solver.solve.plan import BuildPlan, LevelPlan
from solver.support.threads import ThreadPool

Ints = npt.NDArray[np.int64]

SECONDS = 8.0
"""Of sampling, about, without compiling."""

_LEAST_SHARE = 0.005  # of a game's work: levels with less are not timed
_RUN = 0.05  # seconds of a timed run
_RUNS = 3  # of which the fastest counts: the first finds cold caches
_LONG_RUN = 0.5  # seconds of a run that is not repeated: it has warmed its caches itself
_LONGEST_PAGE = 3.0  # seconds, as far as can be told: levels of longer pages are told from those before them
_WORD = 2e-9  # seconds for a unit of work, before a level was timed
_MOST_PAGES = 2_000  # of a timed run
_MOST_BYTES = 200_000_000  # of pages that are held at a time
_PACKED = 64  # pages of a level of a cone that are packed
_CONES = 10  # that the time must be enough for
_COVERED = 0.9  # of the bytes of the file


@dataclass(frozen=True)
class PageSample:
    """What a page of a level takes on average; seconds are those of one thread while all are busy."""

    solving: float
    """Seconds to solve it."""
    packing: float
    """Seconds to compress it for the file."""
    packed_bytes: float
    """Bytes of it in the file."""
    kept_share: float
    """What fast compression leaves of what it keeps for the next level."""


class _Sampled(NamedTuple):
    """The pages of a level in one cone."""

    pages: int
    """How many there are: by this they count, so that each page of the level is as likely to."""
    mean: PageSample


def sample_pages(plan: BuildPlan, pool: ThreadPool, seconds: float = SECONDS) -> list[PageSample]:
    """Sample each level of a plan, for no longer than solving the game would take."""
    sampler = _Sampler(plan, pool)
    solving = sampler.time_levels()
    whole = sum(level.pages * time for level, time in zip(plan.levels, solving, strict=True)) / pool.threads
    sizes = sampler.solve_cones(solving, min(seconds / 2, whole))
    return [replace(size, solving=time) for size, time in zip(sizes, solving, strict=True)]


class _Sampler:
    """Solve pages of a game without the rest of it."""

    def __init__(self, plan: BuildPlan, pool: ThreadPool) -> None:
        rules = plan.rules
        self._rules, self._plan, self._pool = rules, plan, pool
        self._random = np.random.default_rng(0)
        self._word = _WORD
        self._images = square_images(rules.symmetries)
        self._no_images = square_images(rules.symmetries[:1])
        timed = [level for level in plan.levels if level.pages and level.work >= _LEAST_SHARE * plan.work]
        self._timed = {level.number for level in timed}
        self._kernels = PlacementKernels(replace(plan, levels=plan.levels[: timed[-1].number + 1]))

    def time_levels(self) -> list[float]:
        """Measure for each level the seconds of a page; where that takes little of the game's work, by the work."""
        self._time_level(self._plan.levels[min(self._timed)])  # compiles
        self._word = _WORD
        measured: dict[int, float] = {}
        for number in sorted(self._timed):
            level = self._plan.levels[number]
            if not measured or level.page_work * self._word < _LONGEST_PAGE:
                measured[number] = self._time_level(level)
        seconds = []
        for level in self._plan.levels:
            near = self._plan.levels[min(measured, key=lambda number: abs(number - level.number))]
            seconds.append(measured[near.number] * level.page_work / near.page_work)
        return seconds

    def _time_level(self, level: LevelPlan) -> float:
        """Solve random pages of a level on all threads; return the seconds of a thread for a page."""
        threads, below = self._pool.threads, self._plan.levels[max(level.number - 1, 0)]
        page_bytes = level.page_bytes + below.page_kept_bytes * (self._rules.squares - level.stones)
        wanted = min(_RUN * threads / (level.page_work * self._word), _MOST_BYTES / page_bytes, _MOST_PAGES)
        keys = self._draw_pages(level.stones, max(int(wanted), threads))
        children = list_larger(self._rules, self._images, keys) if level.number else keys[:0]
        bits = self._random.integers(0, 1 << 63, (len(children), *below.kept_shape), np.uint64, endpoint=True)
        index = _index(self._images, children)
        parts = np.array_split(keys, min(2 * threads, len(keys)))
        fastest = math.inf
        for _ in range(_RUNS):
            elapsed = sum(self._pool.map(partial(self._time, level, index, bits), parts))
            fastest = min(fastest, elapsed)
            if elapsed > _LONG_RUN * threads:
                break
        self._word = max(fastest / len(keys) / level.page_work, _WORD)
        return fastest / len(keys)

    def _time(self, level: LevelPlan, index: PageIndex, inputs: KeptPages, keys: Ints) -> float:
        begun = thread_time()
        self._solve(level, index, inputs, keys)
        return thread_time() - begun

    def _solve(
        self, level: LevelPlan, index: PageIndex, inputs: KeptPages, keys: Ints
    ) -> tuple[SolvedPages, KeptPages]:
        kept = np.empty((len(keys), *level.kept_shape), np.uint64)
        return self._kernels.solve(level, LevelKeys(keys, np.ones(len(keys), np.int32)), index, inputs, kept), kept

    def _draw_pages(self, stones: int, count: int) -> Ints:
        """Draw canonical X-sets of so many stones, as many as asked for or all there are, ascending."""
        if not stones:
            return np.zeros(1, np.int64)
        parents = [self._canonical(self._draw(stones - 1)) for _ in range(count // 4 + 1)]
        pages = list_larger(self._rules, self._images, np.unique(np.array(parents, np.int64)))
        return np.sort(self._random.permutation(pages)[:count])

    def _draw(self, stones: int) -> int:
        """Draw an X-set of so many stones without a line."""
        while True:
            drawn = 0
            for square in self._random.permutation(self._rules.squares).tolist():
                if drawn.bit_count() == stones:
                    return drawn
                grown = drawn | 1 << square
                lines = self._rules.x_lines_through[square]
                if not any(grown & mask == mask and not grown & guard for mask, guard in lines):
                    drawn = grown
            if drawn.bit_count() == stones:
                return drawn

    def _canonical(self, mask: int) -> int:
        """Find the smallest image of a set of squares."""
        return int(np.bitwise_or.reduce(self._images[[*squares_of(mask)]], axis=0).min())

    def solve_cones(self, solving: Sequence[float], seconds: float) -> list[PageSample]:
        """Solve cones for so many seconds, about, and average by level what their pages take besides being solved.

        `solving` are the seconds that a page of each level takes.
        """
        self._random = np.random.default_rng(0)  # the same cones, however many pages were timed
        found: list[list[_Sampled]] = [[] for _ in self._plan.levels]
        begun, levels = process_time(), self._plan.levels  # which counts all threads, and no waiting
        seconds *= self._pool.threads
        reached = None
        for number in sorted(self._timed):
            cone = self._list_cone(levels[number], solving, seconds / _CONES)
            if not cone:
                break
            self._solve_cone(cone, found)
            reached = number
        if reached is None:
            return _average(levels, found)
        # Higher cones are smaller, so that there can be more of them: half are deep enough to cover most of the file.
        sizes = [level.stored * size.packed_bytes for level, size in zip(levels, _average(levels, found), strict=True)]
        root = min(next(n for n in range(len(levels)) if sum(sizes[: n + 1]) >= _COVERED * sum(sizes)), reached)
        roots = cycle([levels[reached], levels[root]])
        while levels[reached].stones and process_time() - begun < seconds:
            if cone := self._list_cone(next(roots), solving, seconds):
                self._solve_cone(cone, found)
        return _average(levels, found)

    def _list_cone(self, level: LevelPlan, solving: Sequence[float], seconds: float) -> list[Ints]:
        """List by level, the fullest first, the X-sets that contain a random one; none if that is too much to solve."""
        # A canonical set, as the pages of the file have them: the order of their bits tells in how they compress.
        cone = [np.array([self._canonical(self._draw(level.stones))], np.int64)]
        for above in reversed(self._plan.levels[: level.number]):
            cone.append(list_larger(self._rules, self._no_images, cone[-1]))
            seconds -= len(cone[-1]) * solving[above.number]
            if seconds < 0 or len(cone[-1]) * above.page_kept_bytes > _MOST_BYTES:
                return []
        return cone[::-1]

    def _solve_cone(self, cone: Sequence[Ints], found: Sequence[list[_Sampled]]) -> None:
        """Solve a cone, and add the average of its pages to the samples found at each level."""
        children, inputs = cone[0][:0], np.zeros((0, 1, 1), np.uint64)
        for level, keys in zip(self._plan.levels, cone, strict=False):
            index = _index(self._no_images, children)
            parts = np.array_split(keys, max(min(2 * self._pool.threads, len(keys)), 1))
            solved = list(self._pool.map(partial(self._solve_and_pack, level, index, inputs, len(parts)), parts))
            if len(keys):
                found[level.number].append(_Sampled(len(keys), _mean([sample for sample, _ in solved])))
            children, inputs = keys, np.concatenate([kept for _, kept in solved])

    def _solve_and_pack(
        self, level: LevelPlan, index: PageIndex, inputs: KeptPages, parts: int, keys: Ints
    ) -> tuple[PageSample, KeptPages]:
        """Solve a part of a level of a cone, and pack some of its pages."""
        solved, kept = self._solve(level, index, inputs, keys)
        some = slice(None, None, -(-len(keys) * parts // _PACKED) or 1)
        drawn = SolvedPages(solved.keys[some], solved.pages[some], ())
        seconds = min(_time_packing(drawn) for _ in range(_RUNS))
        lengths = pack(drawn).entries["length"]
        count, share = max(len(lengths), 1), _compressed_share(kept[some])
        return PageSample(0.0, seconds / count, sum(lengths) / count, share), kept


def _index(images: Ints, keys: Ints) -> PageIndex:
    """Index pages, ascending, without a block."""
    return PageIndex(images, np.zeros((5, 256), np.int64), np.array([[0, len(keys)]], np.int64), keys)


def _time_packing(solved: SolvedPages) -> float:
    begun = thread_time()
    pack(solved)
    return thread_time() - begun


def _compressed_share(kept: KeptPages) -> float:
    return len(zstandard.ZstdCompressor(KEPT_COMPRESSION).compress(kept.tobytes())) / max(kept.nbytes, 1)


def _mean(samples: Sequence[PageSample], weights: Sequence[int] | None = None) -> PageSample:
    return PageSample(*np.average([astuple(sample) for sample in samples], axis=0, weights=weights).tolist())


def _average(levels: Sequence[LevelPlan], found: Sequence[Sequence[_Sampled]]) -> list[PageSample]:
    """Average the samples of each level; where there are none, shares change on as they did from level to level."""
    filled: list[PageSample] = []
    packed, kept, packing = [1.0, 1.0], [1.0, 1.0], 0.0  # the shares of the last two levels; seconds for a byte
    for level, samples in zip(levels, found, strict=True):
        share, kept_share = (min(last * last / before, 1.0) for before, last in (packed, kept))
        size = share * level.page_bytes
        guess = PageSample(0.0, packing * level.page_bytes, size, kept_share)
        filled.append(_mean([cone.mean for cone in samples], [cone.pages for cone in samples]) if samples else guess)
        packing = filled[-1].packing / level.page_bytes
        packed = [packed[1], filled[-1].packed_bytes / level.page_bytes]
        kept = [kept[1], filled[-1].kept_share]
    return filled
