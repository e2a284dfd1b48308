"""The task that solves a shard. It can run in any process on any machine, given the address of the store."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from threading import Lock
from time import perf_counter
from typing import Any

import numpy as np

from solver import __version__
from solver.count import PageCounts
from solver.errors import UnsupportedTable
from solver.game.game_files import read_rules
from solver.solve.build_objects import BuildObjects, LostObjects, Record
from solver.solve.levels import SolvedShard, Solver, Tally
from solver.solve.objects import open_store
from solver.solve.plan import BuildPlan, Partition, plan_build
from solver.solve.shard_plan import Shard
from solver.solve.solvers import make_solver
from solver.store.packing import Packed
from solver.store.schema import FORMAT
from solver.support.threads import ThreadPool

_one_at_a_time = Lock()  # a task uses all threads and the memory of its process


def solve_shard(
    address: str, build: str, shard: Shard, inputs: Mapping[Shard, str], threads: int | None = None
) -> Record:
    """Solve a shard with `threads` threads (default: all cores), unless it is finished, and return its record.

    `build` is the content of build.json. `inputs` contains the shards that the shard reads, with the digests of their
    kept pages. Raises UnsupportedTable if another version of this package has begun the build, LostObjects if something
    that the shard reads is missing or damaged, and StorageError.
    """
    objects, plan, solver = _opened(address, build)
    with _one_at_a_time:
        return objects.finished(shard) or _solve(objects, plan, solver, shard, inputs, threads)


@lru_cache(maxsize=2)
def _opened(address: str, build: str) -> tuple[BuildObjects, BuildPlan, Solver]:
    """Return a build's objects, plan and solver. Raises UnsupportedTable; see `solve_shard`."""
    facts: dict[str, Any] = json.loads(build)
    if (facts["format"], facts["builder"]) != (FORMAT, __version__):
        raise UnsupportedTable(
            f"The build at {address} was begun by version {facts['builder']} of this package, and this "
            f"worker has {__version__}; install the same version on all machines."
        )
    objects = BuildObjects(open_store(address), build)
    plan = plan_build(read_rules(facts["rules"]), facts["metric"], PageCounts(facts["pages"], facts["stored"]))
    return objects, plan, make_solver(plan, objects.read_input)


def _solve(
    objects: BuildObjects,
    plan: BuildPlan,
    solver: Solver,
    shard: Shard,
    inputs: Mapping[Shard, str],
    threads: int | None,
) -> Record:
    begun, level = perf_counter(), plan.levels[shard.level]
    solving = solver.make_solve([shard], [*inputs])
    kept = np.empty((shard.pages, *level.kept_shape), np.uint64)
    read_shape = plan.levels[shard.level - 1].kept_shape if inputs else (1, 1)
    read = np.empty((sum(given.pages for given in inputs), *read_shape), np.uint64)
    with ThreadPool(threads) as pool:
        if lost := objects.read_kept(inputs, read, pool):
            raise LostObjects(lost)

        def solve(partition: Partition) -> tuple[Packed, Sequence[Tally]]:
            solved = solving(partition, read, kept[partition.first - shard.first : partition.last - shard.first])
            return solved.pack(), solved.tallies

        results = list(pool.map(solve, shard.partitions(level)))
    objects.require_begun()
    solved = SolvedShard(shard, [packed for packed, _ in results], [tally for _, some in results for tally in some])
    record = objects.write_pages(solved)
    record = replace(record, kept=objects.write_kept(shard, kept, pool.threads), seconds=perf_counter() - begun)
    objects.mark(shard, record)
    return record
