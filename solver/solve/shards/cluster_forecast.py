"""Forecast a build on the workers of a cluster: time, traffic, memory, and the bytes of the store."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, comb
from typing import NamedTuple

import numpy as np

from solver.errors import RulesError
from solver.game.rules import MAX_SQUARES
from solver.solve.block import Block, block_of
from solver.solve.forecast import FILE_BYTE, file_bytes, processor_seconds
from solver.solve.plan import BASE_BYTES, BuildPlan, LevelPlan
from solver.solve.sample import PageCost
from solver.solve.shards.shard_plan import MOST_BYTES
from solver.store.schema import POSITIONS_LIMIT

_GIGABIT = 1e9 / 8  # bytes
_COMPRESSION = 2e-9  # seconds of a core to compress a byte of kept pages, and to decompress it for each reader


class Machines(NamedTuple):
    """The machines of a cluster."""

    workers: int
    cores: int  # of each worker, as fast as those of this machine
    network: float  # Gbit/s of each worker, and of the machine that writes the table


class ClusterForecast(NamedTuple):
    """The needs of building one table on a cluster."""

    seconds: float  # to solve, then to write the table
    writing_seconds: float  # to write the table, on one machine
    worker_memory: int  # bytes that a worker needs for the largest shard
    worker_traffic: int  # bytes that each worker reads from the store and writes to it
    store_bytes: int  # of packed pages and of what all levels keep, before the table is written


def forecast_cluster(plan: BuildPlan, costs: Sequence[PageCost], machines: Machines) -> ClusterForecast:
    """Forecast a build in shards. Raises RulesError for a game that is not built in shards."""
    if plan.rules.has_supports or not POSITIONS_LIMIT < plan.rules.squares <= MAX_SQUARES:
        raise RulesError(
            f"{plan.rules} can't be built in shards; leave out --workers, or choose a game without gravity "
            f"of {POSITIONS_LIMIT + 1} to {MAX_SQUARES} squares."
        )
    block = block_of(plan.rules)
    packed, kept, moved, compressing = 0.0, 0.0, 0.0, 0.0
    for level, page in zip(plan.levels, costs, strict=True):
        times = 1 + count_reads(block, plan, level)  # written once, then read
        packed += level.stored * page.packed_bytes
        kept += level.kept_bytes * page.kept_share
        moved += level.stored * page.packed_bytes + level.kept_bytes * page.kept_share * times
        compressing += level.kept_bytes * times * _COMPRESSION
    # A worker reads, solves and writes one after the other.
    solving = (processor_seconds(plan, costs) + compressing) / (machines.workers * machines.cores)
    solving += moved / machines.workers / (machines.network * _GIGABIT)
    table = file_bytes(plan, costs)
    writing = table / (machines.network * _GIGABIT) + table * FILE_BYTE
    return ClusterForecast(
        seconds=solving + writing,
        writing_seconds=writing,
        worker_memory=max(_memory(block, plan, level, machines.cores) for level in plan.levels),
        worker_traffic=round(moved / machines.workers),
        store_bytes=round(kept + packed),
    )


def _class_shares(block: Block, squares: int, stones: int) -> dict[int, float]:
    """Estimate the share of each class on the block among X-sets of so many stones, ignoring lines."""
    inside = np.bitwise_count(np.arange(block.classes.size)).tolist()
    beside = squares - len(block.squares)
    shares: dict[int, float] = {}
    for pattern, size in zip(block.classes.tolist(), inside, strict=True):
        if size <= stones <= size + beside:
            share = comb(beside, stones - size) / comb(squares, stones)
            shares[pattern] = shares.get(pattern, 0.0) + share
    return shares


def _pieces(level: LevelPlan, pages: float) -> int:
    """Return the number of shards that a class of so many pages is cut into."""
    return max(1, ceil(pages * (level.page_kept_bytes + level.page_bytes) / MOST_BYTES))


def count_reads(block: Block, plan: BuildPlan, level: LevelPlan) -> float:
    """Estimate how often shards of the next level read a page that a level keeps."""
    if not level.stones:
        return 0.0
    squares, reader = plan.rules.squares, plan.levels[level.number + 1]
    shares = _class_shares(block, squares, level.stones)
    times = 0.0
    for pattern, share in _class_shares(block, squares, reader.stones).items():
        needed = sum(shares.get(larger, 0.0) for larger in block.children(pattern))
        times += needed * _pieces(reader, share * reader.pages)
    return times


def _memory(block: Block, plan: BuildPlan, level: LevelPlan, threads: int) -> int:
    """Estimate the bytes of a process that solves the largest shard of a level."""
    squares = plan.rules.squares
    above = plan.levels[level.number - 1] if level.number else None
    shares = _class_shares(block, squares, above.stones) if above else {}
    most = 0.0
    for pattern, share in _class_shares(block, squares, level.stones).items():
        read = sum(shares.get(larger, 0.0) for larger in block.children(pattern)) * (above.kept_bytes if above else 0)
        pages = share * level.pages / _pieces(level, share * level.pages)
        most = max(most, read + pages * (2 * level.page_kept_bytes + level.page_bytes))
    return round(BASE_BYTES + threads * level.scratch + most)
