"""Build a table of pages: solve a game shard by shard, in memory or with workers, then write the sorted pages."""

import shutil
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final

from solver import __version__
from solver.errors import CheckFailed, DoesNotFit
from solver.game.rules import Rules
from solver.solve.build_objects import BuildObjects, Record, describe_build
from solver.solve.cluster import Pool, Workers
from solver.solve.driver import Driver
from solver.solve.lock import StoreLock
from solver.solve.memory_build import MemoryBuild
from solver.solve.objects import ObjectStore
from solver.solve.plan import BuildPlan
from solver.solve.shard_plan import Shard, ShardPlan
from solver.solve.solvers import prepare
from solver.solve.statistics import Statistics
from solver.store.disk import abandoned_paths, disk_errors_reported, process_path
from solver.store.packing import PackedPages, PackedStream
from solver.store.schema import Metric
from solver.store.writer import TableWriter
from solver.support.memory import gigabytes
from solver.support.threads import ThreadPool

_WRITING: Final = 0.1  # the progress counted for writing the pages, relative to solving them


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
        """Write the table of the game, and return its path. `progress` continues where `solve_game` ended."""
        rows = list(self.statistics.rows())  # before anything is written: it fails if the counts disagree
        build, pages = self.plan.build, len(self.pages)
        work, total = build.work, _total(build)
        with TableWriter(target, build.rules, build.metric) as writer:
            writer.put_plies(rows)
            writer.add_packed(
                self.pages, self.digest, lambda done: progress(work + (total - work) * done // pages, total)
            )
            return writer.finish({**self.statistics.meta(), "builder": __version__})


@contextmanager
def solve_game(
    target: Path,
    rules: Rules,
    metric: Metric,
    store: ObjectStore,
    progress: Callable[[int, int], None],
    workers: Workers | None,
    threads: int | None = None,
    memory: int | None = None,
) -> Iterator[SolvedGame]:
    """Solve a game and yield the result. Its pages stay in the store until the `with` block ends.

    Without `workers`, the game is solved in the memory of this process. With `workers`, each task reads from and writes
    to the store, with `threads` threads (by default `workers.threads`) and at most `memory` bytes (by default all
    available). Objects fetched from the store are kept beside `target` until the build ends. `progress` is called
    with the amount of work completed and the total, in the unit of solve.plan; the total includes the work of writing
    the table. At the end the store is cleared, unless an error is raised after a shard was finished.

    Raises DoesNotFit and StorageError, and ClusterError if a task fails repeatedly.
    """
    most_threads, available = workers.measure() if workers else (1, None)
    with _fetched(target) as folder, ThreadPool(None if workers else threads) as pool:
        game = prepare(rules, metric, pool)
        plan = game.shards
        needed = max(plan.memory(shard, threads or most_threads) for shard in plan) if workers else 0
        budget = available if memory is None else memory
        if budget is not None and needed > budget:
            raise DoesNotFit(
                f"The largest shard of {rules} needs {gigabytes(needed)} of memory, and a worker has "
                f"{gigabytes(budget)}; give the workers more, or fewer threads."
            )
        objects = BuildObjects(store, describe_build(plan.build))
        records: dict[Shard, Record] = {}
        with StoreLock(store) as lock:

            def report(done: int) -> None:
                lock.require()
                progress(done, _total(plan.build))

            resumed = objects.begin()
            try:
                if workers:
                    objects.write_inputs(game.inputs)
                else:
                    MemoryBuild(game, objects, records, pool).run(report)  # frees its memory at the end
                own = workers or Pool()  # which solves the lost shards
                driver = Driver(plan, objects, records, threads or own.threads, partial(prepare, rules, metric, pool))
                streams: dict[Shard, PackedStream | None] = {}
                while not streams or None in streams.values():
                    for shard, stream in streams.items():
                        if stream is None:
                            driver.reopen(shard)
                    driver.run(own.executor, own.count, report)
                    streams = {
                        shard: objects.open_pages(shard, record, folder, trusted=not workers)
                        for shard, record in records.items()
                    }
                tallies = chain.from_iterable(record.tallies for record in records.values())
                statistics = Statistics(rules, metric, game.counts(), tallies)
                yield SolvedGame(plan, statistics, PackedPages([*filter(None, streams.values())]), records.values())
            except BaseException as error:
                nothing_finished = not resumed and not any(record.kept for record in records.values())
                if isinstance(error, CheckFailed) or nothing_finished:
                    lock.clear()
                raise
            lock.clear()


def _total(plan: BuildPlan) -> int:
    """Return the amount of work for solving a game and writing its table, in the unit of solve.plan."""
    return int(plan.work * (1 + _WRITING))


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
