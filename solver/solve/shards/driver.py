"""Drive a build: submit each shard as a task, as soon as the shards that it reads are finished.

The driver keeps nothing that is not in the store, so another one can resume the build.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from time import monotonic
from typing import Final

from solver.errors import ClusterError, DoesNotFit, MnkError, StorageError
from solver.solve.shards.objects import ObjectStore
from solver.solve.shards.shard_plan import Shard, ShardPlan
from solver.solve.shards.task import Input, LostKeys, LostShards, Record, name_of, solve_shard

MOST_FAILURES: Final = 10  # failures of a task, such as killed workers, after which the build fails

LONGEST: Final = 60.0
"""Seconds after which a task is given to a second worker, unless ten times the longest so far is longer."""

WITHOUT_WORKERS: Final = 600.0
"""Seconds without any worker after which a build fails: some clusters take a while to start one."""

_EACH: Final = 2  # tasks submitted for each worker, so that none waits for the next

_POLL: Final = 1.0  # seconds between two checks of the workers


class Driver:
    """The tasks of one build."""

    def __init__(
        self,
        plan: ShardPlan,
        store: ObjectStore,
        build: str,
        threads: int | None,
        restore_keys: Callable[[int], None],
    ) -> None:
        self.records: dict[Shard, Record] = {}
        """The records of the finished shards."""
        self._plan = plan
        self._store = store
        self._build = build
        self._threads = threads
        self._restore_keys = restore_keys
        self._readers: dict[Shard, list[Shard]] = {shard: [] for shard in plan}
        for shard in plan:
            for read in plan.inputs(shard):
                self._readers[read].append(shard)
        self._missing = {shard: len(shard.reads) for shard in plan}  # inputs that are not finished
        self._ready = [shard for shard in plan if not shard.reads]
        self._left = Counter(shard.level for shard in plan)
        self._running: dict[Future[Record], tuple[Shard, float]] = {}
        self._failures: Counter[Shard] = Counter()
        self._lost: Counter[Shard] = Counter()
        self._longest = 0.0  # seconds
        self._done = 0  # work

    def run(self, executor: Executor, workers: Callable[[], int], progress: Callable[[int], None]) -> None:
        """Solve all unfinished shards; `workers` returns the current number of workers, which may come and go.

        `progress` gets the work done. Raises MnkErrors of tasks at once, another error of a task that fails repeatedly,
        and ClusterError if no worker is available for a while.
        """
        heapq.heapify(self._ready)
        there = monotonic()  # when there were workers last
        looked, room = there - _POLL, _EACH
        try:
            while len(self.records) < len(self._readers):
                if monotonic() - looked >= _POLL:  # not more often, because it takes a scheduler some time
                    count, looked = workers(), monotonic()
                    if count:
                        there, room = looked, _EACH * count
                        self._help_out(executor)
                    elif looked - there > WITHOUT_WORKERS:
                        raise ClusterError(
                            "The cluster has lost all its workers; start some and give the same command again."
                        )
                while self._ready and len(self._running) < room:
                    self._submit(executor, heapq.heappop(self._ready))
                finished, _ = wait(self._running, _POLL, FIRST_COMPLETED)
                for future in finished:
                    self._take(future)
                progress(self._done)
        finally:
            for future in self._running:
                future.cancel()
            self._running.clear()

    def reopen(self, shard: Shard) -> None:
        """Treat a finished shard as unfinished because an object of it was lost.

        Raises StorageError if that happens repeatedly.
        """
        if self.records.pop(shard, None) is None:
            return
        self._lost[shard] += 1
        if self._lost[shard] == MOST_FAILURES:
            raise StorageError(
                f"The store {self._store.address} has lost {name_of(shard, 'kept')} or {name_of(shard, 'pages')} "
                f"{MOST_FAILURES} times; choose another store."
            )
        self._store.remove([name_of(shard, "json")])
        self._left[shard.level] += 1
        self._done -= self._work(shard)
        for reader in self._readers[shard]:
            self._missing[reader] += 1
        self._offer(shard)

    def _offer(self, shard: Shard) -> None:
        if not self._missing[shard] and shard not in self.records:
            heapq.heappush(self._ready, shard)

    def _submit(self, executor: Executor, shard: Shard) -> None:
        if self._missing[shard] or shard in self.records:
            return  # lost its input, or was offered twice
        # Only the driver knows which shards each of these reads: tasks would be large if that is a whole level.
        inputs = [Input(read._replace(reads=()), self.records[read].kept) for read in self._plan.inputs(shard)]
        task = (self._store.address, self._build, shard._replace(reads=()), inputs, self._threads)
        try:
            future = executor.submit(solve_shard, *task)
        except Exception as error:  # its scheduler is gone
            raise ClusterError(f"The cluster takes no more tasks ({error}); give the same command again.") from error
        self._running[future] = shard, monotonic()

    def _take(self, future: Future[Record]) -> None:
        """Take the result of a task."""
        if future not in self._running:  # a second worker was faster
            return
        shard, begun = self._running.pop(future)
        try:
            record = future.result()
        except LostShards as error:
            for lost in self._plan.inputs(shard):
                if lost.number in error.numbers:
                    self.reopen(lost)
            self._offer(shard)
        except LostKeys as error:
            self._require_few_failures(shard, error)
            self._restore_keys(error.stones)
            self._offer(shard)
        except MnkError:
            raise
        except MemoryError as error:
            raise DoesNotFit(
                f"A shard of {self._plan.build.rules} needs more memory than its worker has; give the workers more, "
                f"or fewer threads, and give the same command again."
            ) from error
        except Exception as error:  # its worker was killed, or runs another program
            self._require_few_failures(shard, error)
            self._offer(shard)
        else:
            self._longest = max(self._longest, monotonic() - begun)
            self._finish(shard, record)

    def _require_few_failures(self, shard: Shard, error: Exception) -> None:
        """Count a failure of a shard's task. Raises ClusterError if there are too many."""
        self._failures[shard] += 1
        if self._failures[shard] == MOST_FAILURES:
            raise ClusterError(
                f"The task for {name_of(shard, 'json')} failed {MOST_FAILURES} times, the last time with "
                f"{type(error).__name__} ({error}); see what the workers say, and give the same command again."
            ) from error

    def _finish(self, shard: Shard, record: Record) -> None:
        self.records[shard] = record
        for future in [future for future, (other, _) in self._running.items() if other == shard]:
            future.cancel()
            del self._running[future]  # its worker may hang
        self._done += self._work(shard)
        for reader in self._readers[shard]:
            self._missing[reader] -= 1
            self._offer(reader)
        self._left[shard.level] -= 1
        # A level's kept pages stay until the level after the next is finished: lost shards of the next level are solved
        # again from them.
        if not self._left[shard.level] and shard.level >= 2:
            self._store.remove(name_of(old, "kept") for old in self._plan.levels[shard.level - 2])

    def _help_out(self, executor: Executor) -> None:
        """Resubmit tasks that take far too long: their worker may hang."""
        last = dict(self._running.values())  # of a shard that was submitted twice, the second time
        for shard, begun in last.items():
            if monotonic() - begun > max(LONGEST, 10 * self._longest):
                self._submit(executor, shard)

    def _work(self, shard: Shard) -> int:
        return shard.pages * self._plan.build.levels[shard.level].page_work
