"""Build a table in shards that lie in a store, on the threads of this process or of an executor's workers."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from solver import __version__
from solver.count import PageCounts, count_pages, count_positions
from solver.errors import DoesNotFit, RulesError, StorageError, quoted
from solver.game.rules import Rules
from solver.solve.checkpoint import INDEX_ENTRY, PackedPages, PackedStream
from solver.solve.pages_table import WRITING, writing_progress
from solver.solve.placement_solver import list_keys
from solver.solve.plan import plan_build
from solver.solve.shards.cluster import Workers
from solver.solve.shards.driver import Driver
from solver.solve.shards.lock import StoreLock
from solver.solve.shards.objects import ObjectStore, open_store
from solver.solve.shards.shard_plan import Shard, ShardPlan, plan_shards
from solver.solve.shards.task import Record, describe_build, digest_object, name_of, read_keys
from solver.solve.statistics import Statistics
from solver.store.disk import abandoned_paths, disk_errors_reported, process_path
from solver.store.schema import Metric, storage_for
from solver.store.writer import TableWriter
from solver.support.memory import available_memory, gigabytes
from solver.support.threads import ThreadPool, run_in_background

_WRITTEN: Final = re.compile(r"\d\d|\d\d\.keys|build\.json|lock|.*\.part")
"""The names of a build's objects up to the first slash."""

_KEY: Final = 12  # bytes of a page's key and the size of its class
_LEAST_LEFT: Final = 0.002  # compressed bytes of pages for each raw byte, at least: 3,9,3 has 0.3 %
_LISTED: Final = 200  # bytes of a page while those of its level are listed


@dataclass(frozen=True)
class SolvedGame:
    """A game with all its shards solved."""

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
        """Bytes of all packed pages."""
        return sum(record.stored for record in self.records)


def build_shards(
    target: Path,
    rules: Rules,
    metric: Metric,
    address: str,
    progress: Callable[[int, int], None],
    workers: Workers,
    threads: int | None = None,
) -> Path:
    """Solve a game shard by shard, in the store at `address`, and write its table.

    `threads` are those of each worker, by default `workers.threads`. Raises RulesError for a game that has no shards,
    DoesNotFit, StorageError, and the error of a task that fails repeatedly.
    """

    def solving(done: int, work: int) -> None:
        progress(done, int(work * (1 + WRITING)))

    with solve_shards(target, rules, metric, open_store(address), solving, workers, threads) as solved:
        rows = list(solved.statistics.rows())  # before anything is written: it fails if the counts disagree
        with TableWriter(target, rules, metric) as writer:
            writer.put_plies(rows)
            written = writing_progress(progress, solved.plan.build.work, len(solved.pages))
            writer.add_packed(solved.pages, solved.digest, written)
            return writer.finish({**solved.statistics.meta(), "builder": __version__})


@contextmanager
def solve_shards(
    target: Path,
    rules: Rules,
    metric: Metric,
    store: ObjectStore,
    progress: Callable[[int, int], None],
    workers: Workers,
    threads: int | None = None,
) -> Iterator[SolvedGame]:
    """Solve a game shard by shard, see `build_shards`, and yield it; the store keeps its pages meanwhile.

    Objects fetched from the store are kept beside `target`. `progress` gets the work done and the total. At the end
    everything is removed, unless an error is raised.
    """
    memory, threads = workers.least_memory(), threads or workers.threads
    with _fetched(target) as folder:
        counted = run_in_background(count_positions, rules)
        plan, objects = _prepare(rules, metric, target)
        _require_fits(plan, threads or workers.cores(), memory)
        if counted.done():
            counted.result()  # refuses a game that can't be counted before solving it
        _require_own(store)
        with StoreLock(store) as lock:
            _begin(store, objects)
            build = objects["build.json"].decode()
            objects.clear()

            def restore_keys(stones: int) -> None:
                if read_keys(store, stones, json.loads(build)) is None:  # no other task has reported it before
                    store.write(f"{stones:02}.keys", _prepare(rules, metric, target)[1][f"{stones:02}.keys"])

            driver = Driver(plan, store, build, threads, restore_keys)

            def report(done: int) -> None:
                lock.require()
                progress(done, plan.build.work)

            streams: list[PackedStream] = []
            while not streams:
                driver.run(workers.executor, workers.count, report)
                streams, lost = _open_pages(store, driver.records, folder)
                for shard in lost:
                    driver.reopen(shard)
            statistics = Statistics(rules, metric, counted.result())
            for record in driver.records.values():
                statistics.restore(record.tallies)
            yield SolvedGame(plan, statistics, PackedPages(streams), driver.records.values())
            lock.release()
            store.clear()


def _prepare(rules: Rules, metric: Metric, target: Path) -> tuple[ShardPlan, dict[str, bytes]]:
    """Return the shards of a game, and the objects that every task reads."""
    if rules.has_supports or storage_for(rules.squares) == "positions":
        why = "a game with gravity is" if rules.has_supports else "a game this small is"
        raise RulesError(
            f"{rules} can't be built in shards: {why} built in one piece; leave out --cluster and --store."
        )
    _require_possible(rules, metric, target)
    with ThreadPool() as pool:
        keys = list_keys(rules, pool)
    pages = [level.keys.size for level in keys]
    plan = plan_build(rules, metric, PageCounts(pages, pages))
    shards = plan_shards(plan, [keys[level.stones].keys for level in plan.levels])
    return shards, describe_build(plan, keys)


def _require_own(store: ObjectStore) -> None:
    """Raise StorageError if a store has objects that no build wrote, because it is cleared at the end."""
    foreign = [name for name in store.entries() if not _WRITTEN.fullmatch(name)]
    if foreign:
        raise StorageError(
            f"The store {store.address} has {quoted(foreign[0])}, which no build has written; "
            f"remove that, or choose another store."
        )


def _begin(store: ObjectStore, objects: dict[str, bytes]) -> None:
    """Write the objects that every task reads. Raises StorageError if the store has those of another build."""
    build = objects["build.json"]
    try:
        found = store.read("build.json")
    except FileNotFoundError:
        found = build
    if found != build:
        try:
            facts = json.loads(found)
            game = f" ({facts['game']}, {facts['metric']}, by version {facts['builder']})"
        except (ValueError, KeyError, TypeError):
            game = ""
        raise StorageError(
            f"The store {store.address} has another build{game}; finish that, remove it, or choose another store."
        )
    for name, data in objects.items():
        store.write(name, data)


def _require_possible(rules: Rules, metric: Metric, target: Path) -> None:
    """Raise DoesNotFit if this machine has too little memory for the keys, or too little disk for the table."""
    pages = count_pages(rules).solved
    least = int(_LEAST_LEFT * sum(level.stored * level.page_bytes for level in plan_build(rules, metric).levels))
    free = shutil.disk_usage(target.parent).free
    if least > free:
        raise DoesNotFit(
            f"The table of {rules} needs at least {gigabytes(least)}, and {target.parent} has {gigabytes(free)} left; "
            f"choose another folder with --data, or a smaller game."
        )
    needed, memory = _KEY * sum(pages) + _LISTED * max(pages), available_memory()
    if memory is not None and needed > memory:
        raise DoesNotFit(
            f"{rules} has {sum(pages):,} pages, whose keys need {gigabytes(needed)} of memory on this machine, "
            f"and {gigabytes(memory)} are available; choose a smaller game."
        )


def _require_fits(plan: ShardPlan, threads: int, memory: int | None) -> None:
    """Raise DoesNotFit if a worker has too little memory for some shard."""
    needed = max(plan.memory(shard, threads) for shard in plan)
    if memory is not None and needed > memory:
        raise DoesNotFit(
            f"The largest shard of {plan.build.rules} needs {gigabytes(needed)} of memory, and a worker has "
            f"{gigabytes(memory)}; give the workers more, or fewer threads."
        )


@contextmanager
def _fetched(target: Path) -> Iterator[Path]:
    """Make a folder beside a table for objects fetched from a store, and remove it at the end."""
    with disk_errors_reported(target.parent):
        for left in list(abandoned_paths(target, "fetched")):
            shutil.rmtree(left)
        folder = process_path(target, "fetched")
        folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _open_pages(
    store: ObjectStore, records: dict[Shard, Record], folder: Path
) -> tuple[list[PackedStream], list[Shard]]:
    """Open the packed pages of all shards; if some are missing or damaged, return no pages, and the shards of these."""
    streams, lost = [], []
    for shard, record in records.items():
        try:
            path, data = store.fetch(name_of(shard, "pages"), folder)
        except FileNotFoundError:
            lost.append(shard)
            continue
        if digest_object(data) != record.packed:
            lost.append(shard)
            continue
        entries = np.frombuffer(data, INDEX_ENTRY, shard.pages).copy()
        streams.append(PackedStream(path, entries, entries.nbytes))
    return ([] if lost else streams), lost
