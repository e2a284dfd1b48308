"""Solve a game in the memory of this process, and store finished shards in a folder until the table is written.

The pages of each shard are written as soon as it is solved. The kept pages of a finished level are written while the
next level is solved, but at most once every few seconds; then the markers of all finished shards are written. An
interrupted build resumes after the last level whose kept pages were written.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from time import monotonic

from solver.solve.build_objects import BuildObjects, Record
from solver.solve.levels import KeptPages, SolvedPages, Solver, TwoLevels, solve_levels
from solver.solve.shard_plan import Shard, ShardPlan
from solver.support.threads import ThreadPool

EVERY = 5.0  # the least number of seconds between writing the kept pages of two levels

RESTS = 20.0  # the least number of seconds between them, for each second that the earlier writing took


@dataclass
class MemoryBuild:
    """A build of a game in memory. It adds a record to `records` for each finished shard."""

    plan: ShardPlan
    objects: BuildObjects
    records: dict[Shard, Record]
    solver: Solver
    pool: ThreadPool
    _resumable: int = -1  # the number of the last level whose kept pages are written
    _unmarked: list[Shard] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._arenas = TwoLevels(self.plan.build)

    def run(self, progress: Callable[[int], None]) -> None:
        """Solve all unfinished levels.

        `progress` is called with the amount of work completed, in the unit of solve.plan.
        """
        first = self._restore()
        written: Future[float] | None = None
        rest = 0.0
        begun = monotonic()
        solved = solve_levels(self.plan, self.solver, self.pool, SolvedPages.pack, progress, self._arenas, first)
        with ThreadPoolExecutor(1) as writer:  # on an interrupt it completes the write, so finished levels are not lost
            for shard_solved in solved:
                shard = shard_solved.shard
                self.records[shard] = self.objects.write_pages(shard_solved)
                self._unmarked.append(shard)
                if not written or written.done():
                    for read in self.plan.read_last(shard):
                        self._arenas.release(self.plan.build.levels[read.level], read.first, read.last)
                if shard == self.plan.levels[shard.level][-1]:
                    if written:
                        rest = RESTS * written.result()  # before the next level overwrites the kept pages
                        written = None
                    if monotonic() - begun >= EVERY + rest:
                        marked, self._unmarked = self._unmarked, []
                        written = writer.submit(self._write, shard.level, marked)
                        begun = monotonic()
            if written:
                written.result()

    def _restore(self) -> int:
        """Read the last level whose kept pages were written, and return the number of finished levels."""
        found = dict(zip(self.plan, self.pool.map(self.objects.finished, list(self.plan)), strict=True))
        records = {shard: record for shard, record in found.items() if record}
        whole = 0
        while whole < len(self.plan.levels) and all(shard in records for shard in self.plan.levels[whole]):
            whole += 1
        for number in reversed(range(whole)):
            if self.plan.levels[number] and self._read_level(number, records):
                self.records |= {shard: record for shard, record in records.items() if shard.level <= number}
                self._resumable = number
                return number + 1
        return 0

    def _read_level(self, number: int, records: dict[Shard, Record]) -> bool:
        """Read the kept pages of a level into memory; return False if any of them are missing or damaged."""
        if not all(records[shard].kept for shard in self.plan.levels[number]):
            return False
        rooms = self._rooms(number).items()
        return all(self.pool.map(lambda room: self.objects.read_kept(room[0], records[room[0]].kept, room[1]), rooms))

    def _rooms(self, number: int) -> dict[Shard, KeptPages]:
        """Return, for each shard of a level, the array that will hold its kept pages."""
        kept = self._arenas.pages(self.plan.build.levels[number])
        return {shard: kept[shard.first : shard.last] for shard in self.plan.levels[number]}

    def _write(self, number: int, marked: list[Shard]) -> float:
        """Write a level's kept pages, then the markers of the `marked` shards; return the seconds that this took."""
        begun = monotonic()
        for shard, kept in self._rooms(number).items():
            self.records[shard] = replace(self.records[shard], kept=self.objects.write_kept(shard, kept))
        for shard in marked:
            self.objects.mark(shard, self.records[shard])
        old, self._resumable = self._resumable, number
        if old >= 0:
            self.objects.store.remove(shard.name("kept") for shard in self.plan.levels[old])
        return monotonic() - begun
