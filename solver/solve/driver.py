"""Drive a build: submit each shard as a task, as soon as the shards that it reads are finished.

The workspace contains everything that the driver knows, so another driver can resume the build. A task, `solve_shard`,
can run in any process on any machine, given the address of the workspace.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from threading import Lock
from time import monotonic, perf_counter
from typing import Any, Final

import numpy as np

from solver import __version__
from solver.count import PageCounts
from solver.errors import ClusterError, DoesNotFit, MnkError, StorageError, UnsupportedTable
from solver.game.game_files import read_rules
from solver.solve.build_objects import BuildObjects, LostObjects, Record
from solver.solve.levels import SolvedShard, Solver, Tally
from solver.solve.plan import BuildPlan, Partition, plan_build
from solver.solve.shard_plan import Shard, ShardPlan
from solver.solve.solvers import make_solver
from solver.solve.workspace import open_workspace
from solver.store.packing import Packed
from solver.store.schema import FORMAT
from solver.support.threads import ThreadPool

MOST_FAILURES: Final = 10  # failures of a task, such as killed workers, after which the build fails

LONGEST: Final = 60.0
"""Seconds after which a second worker gets a task, or ten times those of the longest finished task if that is more."""

WITHOUT_WORKERS: Final = 600.0
"""Seconds without any worker after which a build fails; some clusters take a while to start a worker."""

_EACH: Final = 2  # tasks submitted for each worker, so that no worker is idle

_POLL: Final = 1.0  # seconds between two checks of the workers

_one_at_a_time = Lock()  # a task uses all threads and the memory of its process


@dataclass
class Driver:
    """The driver of one build."""

    plan: ShardPlan
    objects: BuildObjects
    records: dict[Shard, Record]  # the records of the finished shards
    threads: int | None  # the threads of a task
    make_inputs: Callable[[], Iterable[tuple[str, bytearray]]]  # makes lost inputs of tasks again
    _running: dict[Future[Record], tuple[Shard, float]] = field(default_factory=dict)
    _failures: Counter[Shard] = field(default_factory=Counter)
    _lost: Counter[Shard] = field(default_factory=Counter)
    _longest: float = 0.0  # seconds

    def run(self, executor: Executor, workers: Callable[[], int], progress: Callable[[int], None]) -> None:
        """Solve all unfinished shards. `workers` returns the current number of workers, which may change.

        `progress` is called with the amount of work completed, in the unit of solve.plan. If a task raises an MnkError,
        this error is raised immediately. Raises ClusterError if a task fails repeatedly for another reason, or if no
        worker is available for a while.
        """
        there = monotonic()  # the last time at which there were workers
        looked, room = there - _POLL, _EACH
        try:
            while len(self.records) < sum(map(len, self.plan.levels)):
                if monotonic() - looked >= _POLL:  # not more often, because each check costs the scheduler some time
                    count, looked = workers(), monotonic()
                    if count:
                        there, room = looked, _EACH * count
                        self._help_out(executor)
                    elif looked - there > WITHOUT_WORKERS:
                        raise ClusterError(
                            "The cluster has lost all its workers; start some and give the same command again."
                        )
                for shard in islice(self._ready(), max(0, room - len(self._running))):
                    self._submit(executor, shard)
                finished, _ = wait(self._running, _POLL, FIRST_COMPLETED)
                for future in finished:
                    self._take(future)
                levels = self.plan.build.levels
                solved = sum(shard.pages * levels[shard.level].page_work for shard in self.records)
                progress(self.plan.build.searching + solved)
        finally:
            for future in self._running:
                future.cancel()
            self._running.clear()

    def reopen(self, shard: Shard) -> None:
        """Mark a shard with a lost object as unfinished. Raises StorageError if this happens repeatedly."""
        if self.records.pop(shard, None) is None:
            return
        self._lost[shard] += 1
        if self._lost[shard] == MOST_FAILURES:
            raise StorageError(
                f"The workspace {self.objects.workspace.address} has lost {shard.name('kept')} or "
                f"{shard.name('pages')} {MOST_FAILURES} times; choose another workspace."
            )
        self.objects.workspace.remove([shard.name("json")])

    def _ready(self) -> Iterator[Shard]:
        """Yield, in order, the shards that can be solved now and are not in progress."""
        running = {shard for shard, _ in self._running.values()}
        for shards in self.plan.levels:
            todo = [shard for shard in shards if shard not in self.records]
            yield from (shard for shard in todo if shard not in running and self._has_inputs(shard))
            if shards and len(todo) == len(shards):
                return  # the next level can't begin

    def _has_inputs(self, shard: Shard) -> bool:
        return all(read in self.records for read in self.plan.inputs(shard))

    def _submit(self, executor: Executor, shard: Shard) -> None:
        # The inputs are passed without the shards that they read: with these, a task could list a whole level.
        inputs = {read._replace(reads=()): self.records[read].kept for read in self.plan.inputs(shard)}
        task = (self.objects.workspace.address, self.objects.build, shard._replace(reads=()), inputs, self.threads)
        try:
            future = executor.submit(solve_shard, *task)
        except Exception as error:  # its scheduler is gone
            raise ClusterError(f"The cluster takes no more tasks ({error}); give the same command again.") from error
        self._running[future] = shard, monotonic()

    def _take(self, future: Future[Record]) -> None:
        if future not in self._running:  # a second worker was faster
            return
        shard, begun = self._running.pop(future)
        try:
            record = future.result()
        except LostObjects as error:
            names = error.args[0]
            lost = [read for read in self.plan.inputs(shard) if read.name("kept") in names]
            for read in lost:
                self.reopen(read)
            if not lost:
                self._require_few_failures(shard, error)
                try:
                    self.objects.read_input(*names)  # another task may have reported it before
                except LostObjects:
                    self.objects.write_inputs(self.make_inputs())
        except MnkError:
            raise
        except MemoryError as error:
            raise DoesNotFit(
                f"A shard of {self.plan.build.rules} needs more memory than its worker has; give the workers more, "
                f"or fewer threads, and give the same command again."
            ) from error
        except Exception as error:  # its worker was killed, or runs another program
            self._require_few_failures(shard, error)
        else:
            self._longest = max(self._longest, monotonic() - begun)
            self._finish(shard, record)

    def _require_few_failures(self, shard: Shard, error: Exception) -> None:
        """Count a failure of a shard's task, and raise ClusterError if there have been too many."""
        self._failures[shard] += 1
        if self._failures[shard] == MOST_FAILURES:
            raise ClusterError(
                f"The task for {shard.name('json')} failed {MOST_FAILURES} times, the last time with "
                f"{type(error).__name__} ({error}); see the output of the workers, and give the same command again."
            ) from error

    def _finish(self, shard: Shard, record: Record) -> None:
        self.records[shard] = record
        for future in [future for future, (other, _) in self._running.items() if other == shard]:
            future.cancel()
            del self._running[future]  # its worker may hang
        # A level's kept pages stay until the level after the next one is finished, because lost shards of the next
        # level are solved again from them.
        if shard.level >= 2 and all(other in self.records for other in self.plan.levels[shard.level]):
            self.objects.workspace.remove(old.name("kept") for old in self.plan.levels[shard.level - 2])

    def _help_out(self, executor: Executor) -> None:
        """If a shard's task takes far too long, submit another task for it, because the first worker may hang."""
        last = dict(self._running.values())  # for a shard that was submitted twice, the later time
        for shard, begun in last.items():
            if monotonic() - begun > max(LONGEST, 10 * self._longest) and self._has_inputs(shard):
                self._submit(executor, shard)


def solve_shard(
    address: str, build: str, shard: Shard, inputs: Mapping[Shard, str], threads: int | None = None
) -> Record:
    """Solve a shard with `threads` threads (default: all cores), unless it is finished, and return its record.

    `build` is the content of build.json. `inputs` contains the shards that the shard reads, with the digests of their
    kept pages. Raises UnsupportedTable if another version of this package has begun the build, LostObjects if something
    that the shard reads is missing or damaged, and StorageError.
    """
    objects, plan, solver = _opened(address, build)
    with _one_at_a_time, ThreadPool(threads) as pool:
        if finished := objects.finished(shard):
            return finished
        begun, level = perf_counter(), plan.levels[shard.level]
        solving = solver.make_solve([shard], [*inputs])
        kept = np.empty((shard.pages, *level.kept_shape), np.uint64)
        read_shape = plan.levels[shard.level - 1].kept_shape if inputs else (1, 1)
        read = np.empty((sum(given.pages for given in inputs), *read_shape), np.uint64)
        if lost := objects.read_kept(inputs, read, pool):
            raise LostObjects(lost)

        def solve(partition: Partition) -> tuple[Packed, Sequence[Tally]]:
            solved = solving(partition, read, kept[partition.first - shard.first : partition.last - shard.first])
            return solved.pack(), solved.tallies

        results = list(pool.map(solve, shard.partitions(level)))
        objects.require_begun()
        tallies = [tally for _, some in results for tally in some]
        record = objects.write_pages(SolvedShard(shard, [packed for packed, _ in results], tallies))
        record = replace(record, kept=objects.write_kept(shard, kept, pool.threads), seconds=perf_counter() - begun)
        objects.mark(shard, record)
        return record


@lru_cache(maxsize=2)
def _opened(address: str, build: str) -> tuple[BuildObjects, BuildPlan, Solver]:
    """Return a build's objects, plan and solver. Raises UnsupportedTable; see `solve_shard`."""
    facts: dict[str, Any] = json.loads(build)
    if (facts["format"], facts["builder"]) != (FORMAT, __version__):
        raise UnsupportedTable(
            f"The build at {address} was begun by version {facts['builder']} of this package, and this "
            f"worker has {__version__}; install the same version on all machines."
        )
    objects = BuildObjects(open_workspace(address), build)
    plan = plan_build(
        read_rules(facts["rules"]), facts["metric"], PageCounts(facts["pages"], facts["stored"]), facts["plies"]
    )
    return objects, plan, make_solver(plan, objects.read_input)
