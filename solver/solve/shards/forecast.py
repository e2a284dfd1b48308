"""Forecast a build on the workers of a cluster: time, traffic, memory and the bytes of the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, comb

import numpy as np

from solver.errors import RulesError
from solver.game.block import Block, block_of
from solver.game.rules import MAX_SQUARES
from solver.solve.forecast import FILE_BYTE, file_bytes, processor_seconds
from solver.solve.plan import BASE_BYTES, BuildPlan, LevelPlan
from solver.solve.sample import PageSample
from solver.solve.shards.plan import MOST_BYTES
from solver.store.schema import POSITIONS_LIMIT

_GIGABIT = 1e9 / 8  # bytes
_COMPRESSION = 2e-9  # seconds of a core to compress a byte of kept pages, and to decompress it for each that reads it


@dataclass(frozen=True)
class Machines:
    """Machines that solve shards."""

    workers: int
    cores: int
    """Of each."""
    network: float
    """Gbit/s to and from each, and of the machine that writes the table."""


@dataclass(frozen=True)
class ClusterForecast:
    """The needs of building one table on a cluster."""

    seconds: float
    """The time of the whole: to solve, then to write the table."""
    writing_seconds: float
    """The time to write the table, on one machine."""
    worker_memory: int
    """Bytes that a worker needs for the largest shard."""
    worker_traffic: int
    """Bytes that each worker reads from the store and writes to it."""
    store_bytes: int
    """Bytes of the store before the table is written: packed pages, and what all levels keep."""


def forecast_cluster(plan: BuildPlan, samples: Sequence[PageSample], machines: Machines) -> ClusterForecast:
    """Forecast a build in shards, given what `measure_pages` found; the cores are taken to be as fast as here.

    Raises RulesError for a game that is not built in shards.
    """
    if plan.rules.has_supports or not POSITIONS_LIMIT < plan.rules.squares <= MAX_SQUARES:
        raise RulesError(
            f"{plan.rules} can't be built in shards; leave out --workers, or choose a game without gravity "
            f"of {POSITIONS_LIMIT + 1} to {MAX_SQUARES} squares."
        )
    both = list(zip(plan.levels, samples, strict=True))
    block = block_of(plan.rules)
    kept = [level.kept_bytes * sample.kept_share for level, sample in both]
    packed = sum(level.stored * sample.packed_bytes for level, sample in both)
    reads = [count_reads(block, plan, level) for level in plan.levels]
    moved = sum(size * (1 + times) for size, times in zip(kept, reads, strict=True)) + packed
    compressing = _COMPRESSION * sum(
        level.kept_bytes * (1 + times) for level, times in zip(plan.levels, reads, strict=True)
    )
    cores = machines.workers * machines.cores
    # A worker reads, solves and writes one after the other.
    solving = (processor_seconds(plan, samples) + compressing) / cores
    solving += moved / machines.workers / (machines.network * _GIGABIT)
    table = file_bytes(plan, samples)
    writing = table / (machines.network * _GIGABIT) + table * FILE_BYTE
    return ClusterForecast(
        seconds=solving + writing,
        writing_seconds=writing,
        worker_memory=max(_memory(block, plan, level, machines.cores) for level in plan.levels),
        worker_traffic=round(moved / machines.workers),
        store_bytes=round(sum(kept) + packed),
    )


def _class_shares(block: Block, squares: int, stones: int) -> dict[int, float]:
    """Estimate which share of the X-sets of so many stones has each class on the block, as if lines did not matter."""
    patterns = np.arange(block.classes.size)
    inside = np.bitwise_count(patterns).tolist()
    beside = squares - len(block.squares)
    sets = [comb(beside, stones - size) if size <= stones else 0 for size in inside]
    shares: dict[int, float] = {}
    for pattern, count in zip(block.classes.tolist(), sets, strict=True):
        if count:
            shares[pattern] = shares.get(pattern, 0.0) + count / comb(squares, stones)
    return shares


def _pieces(level: LevelPlan, pages: float) -> int:
    """Count the shards that a class of so many pages is cut into."""
    return max(1, ceil(pages * (level.page_kept_bytes + level.page_bytes) / MOST_BYTES))


def count_reads(block: Block, plan: BuildPlan, level: LevelPlan) -> float:
    """Estimate how often a page that a level keeps is read by shards of the next."""
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
    """Estimate the bytes of a process that solves the largest shard of a level with so many threads."""
    squares = plan.rules.squares
    above = plan.levels[level.number - 1] if level.number else None
    shares = _class_shares(block, squares, above.stones) if above else {}
    most = 0.0
    for pattern, share in _class_shares(block, squares, level.stones).items():
        read = sum(shares.get(larger, 0.0) for larger in block.children(pattern)) * (above.kept_bytes if above else 0)
        pages = share * level.pages / _pieces(level, share * level.pages)
        most = max(most, read + pages * (2 * level.page_kept_bytes + level.page_bytes))
    return round(BASE_BYTES + threads * level.scratch + most)
