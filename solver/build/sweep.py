"""What both sweeps over a game have in common: horizons, what a batch of solved pages says, threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import prod
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from solver.rules import Rules
from solver.store.schema import Metric

Handle = Callable[[npt.NDArray[np.int64], npt.NDArray[np.uint8]], object]
"""Given keys (int64[C]) and raw pages (uint8[C, bytes]), in the thread that solved them, yields what is to be kept."""


class Horizons(NamedTuple):
    """How many planes a level has of either kind (see kernels.placement)."""

    by_x: int
    by_o: int


class Tally(NamedTuple):
    """The live positions of a ply: how many are in each plane, those by X's line first, and last of all: how many."""

    ply: int
    by_x: int
    holds: npt.NDArray[np.int64]


class Batch(NamedTuple):
    """Some solved pages of one level."""

    result: object  # what `Handle` made of them
    tallies: tuple[Tally, ...]
    work: int  # the share of `Sweep.work` that is now done


class Sweep(Protocol):
    """One game, to be solved level by level."""

    work: int
    """All there is to do, in words of planes written or merged: for showing progress."""

    def run(self, pool: Pool, handle: Handle) -> Iterator[Batch]:
        """Solve everything, from the last level to the first."""


def horizons(rules: Rules, metric: Metric, ply: int) -> Horizons:
    """How many plies from `ply` on can end with a line of X (odd ones) or of O (even ones); one each for wdl."""
    if metric == "wdl" or not rules.has_lines:
        return Horizons(1, 1)
    shortest = min(line.mask.bit_count() for line in rules.lines)
    by_x = len(range(max(ply | 1, 2 * shortest - 1), rules.squares + 1, 2))
    by_o = len(range(max(ply + ply % 2, 2 * shortest), rules.squares + 1, 2))
    return Horizons(max(by_x, 1), max(by_o, 1))


class TwoLevels:
    """Memory for the planes of a level and of the one before, taken once: touching fresh memory is slow."""

    def __init__(self, shapes: Sequence[tuple[int, ...]]) -> None:
        sizes = [prod(shape) for shape in shapes]
        self._arenas = deque(np.empty(max(sizes[i::2], default=0), dtype=np.uint64) for i in (0, 1))
        if len(shapes) % 2:
            self._arenas.rotate()

    def next(self, shape: tuple[int, ...]) -> npt.NDArray[np.uint64]:
        """An array of this shape, the last of `shapes` first; what the call before the last gave is overwritten."""
        self._arenas.rotate()
        return self._arenas[0][: prod(shape)].reshape(shape)


class Pool:
    """Threads that work through the pages of a level; the kernels run without the interpreter lock."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._executor = ThreadPoolExecutor(threads)

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        # An interrupt must not wait for the rest of the level.
        self._executor.shutdown(wait=True, cancel_futures=True)

    def map(self, work: Callable[[int, int], Batch], pages: int, page_work: int) -> Iterator[Batch]:
        """Call work(first, last) for all pages, in parts small enough to share out and to show progress by."""
        part = max(1, min(_WORK_PER_CALL // page_work, -(-pages // (4 * self.threads))))
        firsts = range(0, pages, part)
        return self._executor.map(work, firsts, [min(first + part, pages) for first in firsts])


_WORK_PER_CALL = 1 << 27  # words; some tenths of a second
