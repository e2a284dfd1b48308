"""Solve a game in the memory of this process, and store finished shards in a folder until the table is written.

The pages of each shard are written as soon as it is solved. The kept pages of a finished level are written while the
next level is solved, but at most once every few seconds; then the markers of all finished shards are written. An
interrupted build resumes after the last level whose kept pages were written.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from itertools import chain, takewhile
from time import monotonic

from solver.solve.build_objects import BuildObjects, Record
from solver.solve.levels import Prepared, SolvedPages, TwoLevels, solve_levels
from solver.solve.shard_plan import Shard
from solver.solve.solvers import make_solver
from solver.support.threads import ThreadPool

EVERY = 5.0  # the least number of seconds between writing the kept pages of two levels

RESTS = 20.0  # the least number of seconds between them, for each second that the earlier writing took


class MemoryBuild:
    """A build of a game in memory. It adds a record to `records` for each finished shard."""

    def __init__(self, game: Prepared, objects: BuildObjects, records: dict[Shard, Record], pool: ThreadPool) -> None:
        self._plan, self._objects, self._records, self._pool = game.shards, objects, records, pool
        self._solver = make_solver(game.shards.build, dict(game.inputs).__getitem__)
        self._arenas = TwoLevels(game.shards.build)
        self._resumable = -1  # the number of the last level whose kept pages are written
        self._next = monotonic() + EVERY  # the earliest time at which the kept pages of a level are written

    def run(self, progress: Callable[[int], None]) -> None:
        """Solve all unfinished levels.

        `progress` is called with the amount of work completed, in the unit of solve.plan.
        """
        first = self._restore()
        written: Future[None] | None = None
        solved = solve_levels(self._plan, self._solver, self._pool, SolvedPages.pack, progress, self._arenas, first)
        with ThreadPoolExecutor(1) as writer:  # on an interrupt it completes the write, so finished levels are not lost
            for shard_solved in solved:
                shard = shard_solved.shard
                self._records[shard] = self._objects.write_pages(shard_solved)
                if not written or written.done():
                    for read in self._plan.read_last(shard):
                        self._arenas.release(self._plan.build.levels[read.level], read.first, read.last)
                if shard == self._plan.levels[shard.level][-1]:
                    if written:
                        written.result()  # before the next level overwrites the kept pages
                    if monotonic() >= self._next:
                        written = writer.submit(self._write, shard.level)
            if written:
                written.result()

    def _restore(self) -> int:
        """Read the last level whose kept pages were written, and return the number of finished levels."""
        found = dict(zip(self._plan, self._pool.map(self._objects.finished, self._plan), strict=True))
        records = {shard: record for shard, record in found.items() if record}
        whole = list(takewhile(lambda shards: all(shard in records for shard in shards), self._plan.levels))
        for level, shards in reversed([*zip(self._plan.build.levels, whole, strict=False)]):
            digests = {shard: records[shard].kept for shard in shards}
            if shards and not self._objects.read_kept(digests, self._arenas.pages(level), self._pool):
                self._records |= {shard: record for shard, record in records.items() if shard.level <= level.number}
                self._resumable = level.number
                return level.number + 1
        return 0

    def _write(self, number: int) -> None:
        """Write a level's kept pages, then the markers of all finished shards that have none."""
        begun, before = monotonic(), self._resumable
        pages = self._arenas.pages(self._plan.build.levels[number])
        for shard in self._plan.levels[number]:
            kept = self._objects.write_kept(shard, pages[shard.first : shard.last])
            self._records[shard] = replace(self._records[shard], kept=kept)
        for shard in chain(*self._plan.levels[before + 1 : number + 1]):
            self._objects.mark(shard, self._records[shard])
        self._resumable = number
        if before >= 0:
            self._objects.store.remove(shard.name("kept") for shard in self._plan.levels[before])
        self._next = begun + EVERY + RESTS * (monotonic() - begun)
