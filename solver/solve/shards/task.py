"""Solve a shard: the task that runs in any process on any machine, given only the address of the store.

The store of a build holds

    lock                the process that drives the build, see lock.py
    build.json          the game, the metric, the version, the pages of each level, the digests of `keys`
    STONES.keys         the keys of a level and the sizes of their classes
    LEVEL/SHARD.kept    the kept pages of a shard, which the next level reads, compressed
    LEVEL/SHARD.pages   its pages as in the table: the key and length of each, then all packed pages
    LEVEL/SHARD.json    the marker of a finished shard: the digests of the other two, its share of the table's digest,
                        its tallies, and in a second line the digest of the first

`SHARD.json` is written last. A task that finds it, with the pages that it describes, has nothing to do.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate, pairwise
from threading import Lock
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import zstandard

from solver import __version__
from solver.count import PageCounts
from solver.errors import StorageError, UnsupportedTable
from solver.game.game_files import read_rules, write_rules
from solver.solve.checkpoint import Packed
from solver.solve.levels import KEPT_COMPRESSION, KeptPages, Tally
from solver.solve.pages_table import pack
from solver.solve.placement_solver import LevelKeys, PlacementKernels, index_pages
from solver.solve.plan import BuildPlan, Partition, plan_build
from solver.solve.shards.objects import ObjectStore, open_store
from solver.solve.shards.shard_plan import Shard
from solver.solve.statistics import Statistics
from solver.store.schema import FORMAT, Metric
from solver.support.threads import ThreadPool

_one_at_a_time = Lock()  # a task uses all threads and the memory of its process


class Input(NamedTuple):
    """A shard that another one reads."""

    shard: Shard
    digest: str  # of its kept pages


class LostShards(Exception):
    """Objects of shards are missing or damaged."""

    def __init__(self, numbers: tuple[int, ...]) -> None:
        super().__init__(numbers)
        self.numbers = numbers
        """The numbers of the shards in their level."""


class LostKeys(Exception):
    """The keys of a level are missing or damaged."""

    def __init__(self, stones: int) -> None:
        super().__init__(stones)
        self.stones = stones
        """The number of stones of the level's pages."""


@dataclass(frozen=True)
class Record:
    """The facts about a finished shard."""

    digest: str  # the sum of its pages' shares of the table's digest, hexadecimal
    tallies: dict[str, list[int]]  # see `Statistics.tallies`
    kept: str  # the digest of its kept pages
    packed: str  # the digest of its packed pages
    stored: int  # bytes of its packed pages
    seconds: float  # the time to solve it


def name_of(shard: Shard, kind: str) -> str:
    """Return the name of an object of a shard."""
    return f"{shard.level:02}/{shard.number:05}.{kind}"


def describe_build(plan: BuildPlan, keys: list[LevelKeys]) -> dict[str, bytes]:
    """Return the objects that every task reads, by name; `keys` are ordered by the number of stones."""
    objects = {f"{stones:02}.keys": level.keys.tobytes() + level.sizes.tobytes() for stones, level in enumerate(keys)}
    facts = {
        "game": plan.rules.name,
        "rules": write_rules(plan.rules),
        "metric": plan.metric,
        "format": FORMAT,
        "builder": __version__,
        "pages": [level.keys.size for level in keys],
        "keys": [digest_object(data) for data in objects.values()],
    }
    return {"build.json": json.dumps(facts).encode(), **objects}


def solve_shard(address: str, build: str, shard: Shard, inputs: list[Input], threads: int | None = None) -> Record:
    """Solve a shard with `threads` threads (default: all cores), unless it is finished, and write its objects.

    `build` is the text of build.json. Raises UnsupportedTable in a process with another version of this package,
    LostShards, LostKeys, and StorageError.
    """
    own = _opened(address, build)
    with _one_at_a_time:
        return own.finished(shard) or own.solve(shard, inputs, threads)


@lru_cache(maxsize=2)
def _opened(address: str, build: str) -> _Build:
    return _Build(open_store(address), json.loads(build))


class _Build:
    """A build as a worker process sees it."""

    def __init__(self, store: ObjectStore, facts: dict[str, Any]) -> None:
        if (facts["format"], facts["builder"]) != (FORMAT, __version__):
            raise UnsupportedTable(
                f"The build at {store.address} was begun by version {facts['builder']} of this package, and this "
                f"worker has {__version__}; install the same version on all machines."
            )
        self._store = store
        self._rules = read_rules(facts["rules"])
        metric: Metric = facts["metric"]
        self._plan = plan_build(self._rules, metric, PageCounts(facts["pages"], facts["pages"]))
        self._kernels = PlacementKernels(self._plan)
        self._facts = facts
        self._level_keys = lru_cache(maxsize=2)(self._read_keys)

    def finished(self, shard: Shard) -> Record | None:
        """Return the record of a finished shard whose pages are whole; else None."""
        try:
            marker = self._store.read(name_of(shard, "json"))
            pages = self._store.read(name_of(shard, "pages"))
        except FileNotFoundError:
            return None
        text, _, seal = marker.rpartition(b"\n")
        if seal != self._seal(shard, text):
            return None
        record = Record(**json.loads(text))
        return record if digest_object(pages) == record.packed else None

    def _seal(self, shard: Shard, text: bytes) -> bytes:
        """Digest a marker together with its build and shard, so that no other build's marker is accepted."""
        return digest_object(json.dumps([self._facts, shard[:4]]).encode() + text).encode()

    def solve(self, shard: Shard, inputs: list[Input], threads: int | None) -> Record:
        """Solve a shard and write its objects."""
        begun = perf_counter()
        level = self._plan.levels[shard.level]
        keys = [self._keys_of(given.shard).keys for given in inputs]
        index = index_pages(self._rules, np.concatenate([np.zeros(0, np.int64), *keys]))
        own = self._keys_of(shard)
        partitions = list(level.partitions(shard.first, shard.last))
        kept = np.empty((shard.pages, *level.kept_shape), np.uint64)
        with ThreadPool(threads) as pool:
            read = self._read_kept(inputs, pool)

            def solve(partition: Partition) -> tuple[Packed, tuple[Tally, ...]]:
                first, last = partition.first - shard.first, partition.last - shard.first
                solved = self._kernels.solve(level, own.part(first, last), index, read, kept[first:last])
                return pack(solved), solved.tallies

            results = list(pool.map(solve, partitions))
            compressor = zstandard.ZstdCompressor(level=KEPT_COMPRESSION, threads=pool.threads)
            compressed = compressor.compress(kept.data.cast("B"))
        statistics = Statistics(self._rules, self._plan.metric, [])
        for _, tallies in results:
            statistics.add(tallies)
        packed = [packed for packed, _ in results]
        pages = b"".join([part.entries.tobytes() for part in packed] + [part.data for part in packed])
        record = Record(
            digest=f"{sum(part.digest for part in packed):x}",
            tallies=statistics.tallies(),
            kept=digest_object(compressed),
            packed=digest_object(pages),
            stored=len(pages),
            seconds=perf_counter() - begun,
        )
        self._require_build()  # otherwise its objects would never be removed
        self._store.write(name_of(shard, "kept"), compressed)
        self._store.write(name_of(shard, "pages"), pages)
        text = json.dumps(asdict(record)).encode()
        self._store.write(name_of(shard, "json"), text + b"\n" + self._seal(shard, text))
        return record

    def _require_build(self) -> None:
        """Raise StorageError if the store lacks this build."""
        try:
            there = json.loads(self._store.read("build.json")) == self._facts
        except (FileNotFoundError, ValueError):
            there = False
        if not there:
            raise StorageError(
                f"A worker finds no build at {self._store.address}: it has ended, or the worker can't reach the store. "
                f"Give a store that all workers reach, and give the same command again."
            )

    def _read_kept(self, inputs: list[Input], pool: ThreadPool) -> KeptPages:
        """Read the pages that shards have kept, one shard after the other. Raises LostShards."""
        shapes = [self._plan.levels[given.shard.level].kept_shape for given in inputs]
        ends = [*accumulate((given.shard.pages for given in inputs), initial=0)]
        kept = np.empty((ends[-1], *(shapes or [(1, 1)])[0]), np.uint64)
        rooms = [kept[first:last] for first, last in pairwise(ends)]
        whole = [*pool.map(self._read_into, zip(inputs, rooms, strict=True))]
        if lost := tuple(given.shard.number for given, is_whole in zip(inputs, whole, strict=True) if not is_whole):
            raise LostShards(lost)
        return kept

    def _read_into(self, given: tuple[Input, KeptPages]) -> bool:
        """Read the pages that a shard has kept into an array; return False if they are lost or damaged."""
        (shard, digest), room = given
        try:
            compressed = self._store.read(name_of(shard, "kept"))
        except FileNotFoundError:
            return False
        if digest_object(compressed) != digest:
            return False
        # Decompress into place: a copy would take as long as decompressing data that compresses little.
        zstandard.ZstdDecompressor().stream_reader(compressed).readinto(room.reshape(-1).view(np.uint8))
        return True

    def _keys_of(self, shard: Shard) -> LevelKeys:
        stones = self._plan.levels[shard.level].stones
        return self._level_keys(stones).part(shard.first, shard.last)

    def _read_keys(self, stones: int) -> LevelKeys:
        """Read the keys of a level."""
        data = read_keys(self._store, stones, self._facts)
        if data is None:
            self._require_build()
            raise LostKeys(stones)
        pages = self._facts["pages"][stones]
        # Copied, because Numba would compile the kernels a second time for read-only arrays.
        return LevelKeys(
            np.frombuffer(data, np.int64, pages).copy(), np.frombuffer(data, np.int32, pages, 8 * pages).copy()
        )


def read_keys(store: ObjectStore, stones: int, facts: dict[str, Any]) -> bytes | None:
    """Return the object with the keys of a level; None if it is missing or damaged."""
    try:
        data = store.read(f"{stones:02}.keys")
    except FileNotFoundError:
        return None
    return data if digest_object(data) == facts["keys"][stones] else None


def digest_object(data: bytes) -> str:
    """Digest the content of an object."""
    return blake2b(data, digest_size=16).hexdigest()
