"""What both sweeps over a game have in common: horizons, what a batch of solved pages says, threads."""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import prod
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from solver.game.rules import Rules
from solver.solve.cost import WORD_BYTES
from solver.store.schema import Metric
from solver.store.storage import storage_reported

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

    result: Any  # what `Handle` made of them, None when no page is kept of them
    tallies: tuple[Tally, ...]
    work: int  # the share of the level's `Sweep.works` that is now done


class Sweep(Protocol):
    """One game, to be solved level by level, from the last to the first; levels are numbered in this order."""

    shapes: list[tuple[int, ...]]
    """Of the array of uint64 that each level keeps for the next."""
    works: list[int]
    """What there is to do in each level, see build.cost: for showing progress."""
    nothing: npt.NDArray[np.uint64]
    """What stands for the level before the first."""
    tables: int
    """Bytes that stay in memory during the sweep."""
    scratch: int
    """Bytes that each thread works in."""

    def solve(
        self, number: int, children: npt.NDArray[np.uint64], kept: npt.NDArray[np.uint64], pool: Pool, handle: Handle
    ) -> Iterator[Batch]:
        """Solve a level from what the one before kept, and fill `kept`."""


def horizons(rules: Rules, metric: Metric, ply: int) -> Horizons:
    """How many plies from `ply` on can end with a line of X (odd ones) or of O (even ones); one each for wdl."""
    if metric == "wdl" or not rules.has_lines:
        return Horizons(1, 1)
    shortest = min(line.mask.bit_count() for line in rules.lines)
    by_x = len(range(max(ply | 1, 2 * shortest - 1), rules.squares + 1, 2))
    by_o = len(range(max(ply + ply % 2, 2 * shortest), rules.squares + 1, 2))
    return Horizons(max(by_x, 1), max(by_o, 1))


BASE_BYTES = 200_000_000
"""The interpreter, the libraries, the compiled kernels, and pages on their way to the file."""


def levels_budget(memory: int | None, tables: int, scratch: int, threads: int) -> int | None:
    """What a memory budget leaves for the arenas, in bytes."""
    return None if memory is None else max(memory - BASE_BYTES - tables - threads * scratch, 0)


def arena_bytes(levels: Sequence[int]) -> list[int]:
    """How much memory two arenas take that hold the levels by turns, from what each level keeps, in bytes."""
    return [max(levels[i::2], default=0) for i in (0, 1)]


def fitting(arenas: Sequence[int], budget: int | None) -> list[bool]:
    """Which arenas a budget of bytes has room for; the smaller one has the first claim, as it is likelier to fit."""
    left = sum(arenas) if budget is None else budget
    fits = [False] * len(arenas)
    for i in sorted(range(len(arenas)), key=arenas.__getitem__):
        fits[i] = arenas[i] <= left
        left -= arenas[i] if fits[i] else 0
    return fits


class TwoLevels:
    """Memory for what a level keeps and the one before has kept, taken once: touching fresh memory is slow.

    What does not fit into `budget` bytes is mapped from files in `folder`, whose content the system keeps in memory
    only as long as nobody else needs that.
    """

    def __init__(
        self, shapes: Sequence[tuple[int, ...]], budget: int | None = None, folder: Path | None = None
    ) -> None:
        self._shapes = shapes
        sizes = arena_bytes([prod(shape) * WORD_BYTES for shape in shapes])
        self._arenas = [
            np.empty(size // WORD_BYTES, dtype=np.uint64)
            if folder is None or fits
            else self._file_arena(folder / f"level-{i}", size)
            for i, (size, fits) in enumerate(zip(sizes, fitting(sizes, budget), strict=True))
        ]

    def array(self, number: int) -> npt.NDArray[np.uint64]:
        """What a level keeps; its memory is that of the level before the last."""
        shape = self._shapes[number]
        return self._arenas[number % 2][: prod(shape)].reshape(shape)

    @staticmethod
    def _file_arena(path: Path, size: int) -> npt.NDArray[np.uint64]:
        with storage_reported(path.parent.parent), path.open("w+b") as file:
            # Written, not only made this long: a disk that is full must say so now, not when the memory is touched.
            for first in range(0, size, len(_ZEROS)):
                file.write(_ZEROS[: size - first])
            file.flush()
            return np.frombuffer(mmap.mmap(file.fileno(), size), dtype=np.uint64)


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
        shared = -(-pages // (16 * self.threads))
        part = max(1, min(max(shared, _LEAST_WORK // page_work), _MOST_WORK // page_work))
        firsts = range(0, pages, part)
        return self._executor.map(work, firsts, [min(first + part, pages) for first in firsts])


def run(
    sweep: Sweep,
    pool: Pool,
    handle: Handle,
    memory: TwoLevels | None = None,
    first: int = 0,
    level_done: Callable[[int, npt.NDArray[np.uint64]], None] | None = None,
) -> Iterator[Batch]:
    """Solve all levels from `first` on; `memory` holds what the one before has kept.

    `level_done(levels, kept)` is called after each level, with how many are done and what the last one kept.
    """
    memory = memory or TwoLevels(sweep.shapes)
    for number in range(first, len(sweep.shapes)):
        children = memory.array(number - 1) if number else sweep.nothing
        kept = memory.array(number)
        yield from sweep.solve(number, children, kept, pool, handle)
        if level_done:
            level_done(number + 1, kept)


_ZEROS = bytes(1 << 20)
_LEAST_WORK = 1 << 18  # of a call: half a millisecond, so that calling costs little
_MOST_WORK = 1 << 24  # some hundredths of a second, so that no thread waits long for the last of a level
