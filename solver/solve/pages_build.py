"""Build a table of pages: solve a game shard by shard, in memory or with workers, then write the sorted pages."""

import shutil
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, takewhile
from pathlib import Path
from time import monotonic
from typing import Final

import numpy as np
import numpy.typing as npt

from solver import __version__
from solver.errors import CheckFailed, DoesNotFit
from solver.game.rules import Rules
from solver.solve.build_objects import BuildObjects, Record, describe_build
from solver.solve.cluster import Workers
from solver.solve.driver import Driver
from solver.solve.last_ply import search_blocks
from solver.solve.levels import Plies, Prepared, Search, SolvedPages, TwoLevels, solve_levels
from solver.solve.lock import BuildLock
from solver.solve.plan import BuildPlan
from solver.solve.shard_plan import Shard, ShardPlan
from solver.solve.solvers import make_solver, prepare
from solver.solve.statistics import Statistics
from solver.solve.workspace import Workspace
from solver.store.disk import disk_errors_reported
from solver.store.packing import PackedPages
from solver.store.schema import PLIES_KEY, Metric
from solver.store.writer import TableWriter
from solver.support.english import format_size
from solver.support.files import abandoned_paths, process_path
from solver.support.threads import ThreadPool

_WRITING: Final = 0.1  # the progress counted for writing the pages, relative to solving them

EVERY = 5.0  # the least number of seconds between writing the kept pages of two levels

RESTS = 20.0  # the least number of seconds between them, for each second that the earlier writing took


@dataclass(frozen=True)
class SolvedGame:
    """The results of solving all shards of a game."""

    plan: ShardPlan
    statistics: Statistics
    pages: PackedPages
    records: Collection[Record]

    @property
    def digest(self) -> int:
        """The sum of the pages' shares of the table's digest."""
        return sum(int(record.digest, 16) for record in self.records)

    @property
    def stored(self) -> int:
        """The size of all packed pages, in bytes."""
        return sum(record.stored for record in self.records)

    def write(self, target: Path, progress: Callable[[int, int], None]) -> Path:
        """Write the table of the game, and return its path. `progress` continues the count of `solve_game`."""
        rows = list(self.statistics.rows())  # before anything is written: it fails if the counts disagree
        build, pages = self.plan.build, len(self.pages)
        solved, total = build.searching + build.work, _total(build)
        with TableWriter(target, build.rules, build.metric, "pages") as writer:
            writer.put_plies(rows)
            writer.add_packed(
                self.pages, self.digest, lambda done: progress(solved + (total - solved) * done // pages, total)
            )
            last = {} if build.plies is None else {PLIES_KEY: build.plies}
            return writer.finish({**self.statistics.meta(), "builder": __version__, **last})


@contextmanager
def solve_game(
    target: Path,
    rules: Rules,
    metric: Metric,
    workspace: Workspace,
    progress: Callable[[int, int], None],
    workers: Workers,
    memory: int | None = None,
    plies: int | None = None,
    in_memory: bool = False,
) -> Iterator[SolvedGame]:
    """Solve a game and yield the result. Its pages stay in the workspace until the `with` block ends.

    With `in_memory`, this process solves the game in its memory. Otherwise `workers` solve the shards: each task reads
    from and writes to the workspace. A process uses at most `memory` bytes (by default all available). With `plies`,
    the game is solved up to this ply, whose positions are searched. Objects fetched from the workspace are kept beside
    `target` until the build ends. `progress` is called with the amount of work completed and the total, in the unit of
    solve.plan; the total includes the work of writing the table. At the end the workspace is cleared, unless an error
    is raised after a shard was finished or a search was begun.

    Raises DoesNotFit and StorageError, and ClusterError if a task fails repeatedly.
    """
    with _fetched(target) as folder, ThreadPool(workers.threads if workers.is_here else None) as pool:
        again = partial(prepare, rules, metric, pool, plies)
        game = again()
        plan = game.shards
        if not in_memory:
            _require_memory(plan, workers, memory)
        objects = BuildObjects(workspace, describe_build(plan.build))
        with BuildLock(workspace) as lock:

            def report(done: int) -> None:
                game.require_counts()  # a game that can't be counted is not solved any further
                lock.require()
                progress(done, _total(plan.build))

            def search(positions: npt.NDArray[np.uint64]) -> Plies:
                def share(done: int, total: int) -> None:
                    report(plan.build.searching * done // max(total, 1))

                return search_blocks(rules, positions, objects, pool, memory, share)

            resumed = objects.begin()
            records: dict[Shard, Record] = {}
            try:
                if in_memory:
                    MemoryBuild(game, search, objects, records, pool).run(report)  # frees its memory at the end
                else:
                    objects.write_inputs(game.inputs(search))
                driver = Driver(plan, objects, records, workers.threads, lambda: again().inputs(search))
                pages = _solve_shards(driver, workers, report, folder, trusted=in_memory)
                tallies = chain.from_iterable(record.tallies for record in records.values())
                statistics = Statistics(rules, metric, game.counts(), tallies)
                yield SolvedGame(plan, statistics, pages, records.values())
            except BaseException as error:
                nothing_finished = not resumed and plies is None and not any(record.kept for record in records.values())
                if isinstance(error, CheckFailed) or nothing_finished:
                    lock.clear()
                raise
            lock.clear()


def _require_memory(plan: ShardPlan, workers: Workers, memory: int | None) -> None:
    """Raise DoesNotFit if the largest shard needs more than `memory` bytes, by default those that a worker has."""
    threads, available = workers.measure()
    budget = available if memory is None else memory
    needed = max((plan.memory(shard, threads) for shard in plan), default=0)
    if budget is not None and needed > budget:
        raise DoesNotFit(
            f"The largest shard of {plan.build.rules} needs {format_size(needed)} of memory, and a worker has "
            f"{format_size(budget)}; give the workers more, or fewer threads."
        )


def _solve_shards(
    driver: Driver, workers: Workers, report: Callable[[int], None], folder: Path, trusted: bool
) -> PackedPages:
    """Solve all unfinished shards, and those whose pages turn out to be lost; return the pages of the game."""
    while True:
        driver.run(workers.executor, workers.count, report)
        streams = {
            shard: driver.objects.open_pages(shard, record, folder, trusted) for shard, record in driver.records.items()
        }
        if None not in streams.values():
            return PackedPages([*filter(None, streams.values())])
        for shard, stream in streams.items():
            if stream is None:
                driver.reopen(shard)


def _total(plan: BuildPlan) -> int:
    """Return the amount of work for solving a game and writing its table, in the unit of solve.plan."""
    return plan.searching + int(plan.work * (1 + _WRITING))


@contextmanager
def _fetched(target: Path) -> Iterator[Path]:
    """Yield a folder beside a table for objects fetched from a store, and remove it at the end."""
    with disk_errors_reported(target.parent):
        for left in list(abandoned_paths(target, "fetched")):
            shutil.rmtree(left)
    folder = process_path(target, "fetched")
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class MemoryBuild:
    """A build of a game in memory. It adds a record to `records` for each finished shard.

    The pages of each shard are written to a folder as soon as it is solved. The kept pages of a finished level are
    written while the next level is solved, but at most once every few seconds; then the markers of all finished shards
    are written. An interrupted build resumes after the last level whose kept pages were written.
    """

    def __init__(
        self, game: Prepared, search: Search, objects: BuildObjects, records: dict[Shard, Record], pool: ThreadPool
    ) -> None:
        self._plan, self._objects, self._records, self._pool = game.shards, objects, records, pool
        self._solver = make_solver(game.shards.build, dict(game.inputs(search)).__getitem__)
        self._arenas = TwoLevels(game.shards.build)
        self._resumable = -1  # the number of the last level whose kept pages are written
        self._next = monotonic() + EVERY  # the earliest time at which the kept pages of a level are written

    def run(self, progress: Callable[[int], None]) -> None:
        """Solve all unfinished levels.

        `progress` is called with the amount of work completed, in the unit of solve.plan.
        """
        first, searching = self._restore(), self._plan.build.searching
        written: Future[None] | None = None
        solved = solve_levels(
            self._plan, self._solver, self._pool, SolvedPages.pack, lambda done: progress(searching + done),
            self._arenas, first,
        )  # fmt: skip
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
            self._objects.workspace.remove(shard.name("kept") for shard in self._plan.levels[before])
        self._next = begun + EVERY + RESTS * (monotonic() - begun)
