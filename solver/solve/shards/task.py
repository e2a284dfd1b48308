"""Solve a shard: the task that runs in any process of any machine, with nothing but the address of the store.

The store of a build holds

    lock                the process that drives the build, see lock.py
    build.json          the game, the metric, the version, and the number of pages of each level
    STONES.keys         the keys of a level and the sizes of their classes
    LEVEL/SHARD.kept    the kept pages of a shard, which the next level reads, compressed
    LEVEL/SHARD.pages   its `Record` as a line of JSON, the key and length of each page, then all packed pages

Each object but the first two ends with a seal: the digest of the build, of the object's name and of its content. An
object with another seal counts as missing. `SHARD.pages` is written last, and a task that finds it has nothing to do.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate, pairwise
from threading import Lock
from time import perf_counter

import numpy as np
import zstandard

from solver import __version__
from solver.count import PageCounts
from solver.errors import StorageError, UnsupportedTable
from solver.game.files import read_rules, write_rules
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

_SEAL_BYTES = 16
_KEY_BYTES = 12  # of a page: its key, and the size of its class
_LONGEST_RECORD = 1 << 20  # bytes

_one_at_a_time = Lock()  # a task uses all threads and the memory of its process


class LostShards(Exception):
    """Kept pages of shards are missing or damaged."""

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
    stored: int  # bytes of its packed pages
    seconds: float  # the time to solve it


def name_of(shard: Shard, kind: str) -> str:
    """Return the name of an object of a shard."""
    return f"{shard.level:02}/{shard.number:05}.{kind}"


class SealedObjects:
    """The objects of one build in a store, with their seals; `build` is the content of build.json."""

    def __init__(self, store: ObjectStore, build: str) -> None:
        self.store = store
        self._build = build

    def read(self, name: str) -> memoryview | None:
        """Return an object; None if it is missing or damaged."""
        try:
            return self.unseal(name, self.store.read(name))
        except FileNotFoundError:
            return None

    def unseal(self, name: str, data: bytes) -> memoryview | None:
        """Return the content of an object without its seal; None if it is damaged."""
        content = memoryview(data)[:-_SEAL_BYTES]
        return content if self._seal(name, content) == data[-_SEAL_BYTES:] else None

    def write(self, name: str, parts: Sequence[bytes]) -> None:
        """Write an object."""
        self.store.write(name, b"".join([*parts, self._seal(name, *parts)]))

    def _seal(self, name: str, *parts: bytes | memoryview) -> bytes:
        digest = blake2b(f"{self._build}\n{name}\n".encode(), digest_size=_SEAL_BYTES)
        for part in parts:
            digest.update(part)
        return digest.digest()


def describe_build(plan: BuildPlan) -> str:
    """Return the content of build.json."""
    facts = {
        "game": plan.rules.name,
        "rules": write_rules(plan.rules),
        "metric": plan.metric,
        "format": FORMAT,
        "builder": __version__,
        "pages": [level.pages for level in reversed(plan.levels)],
    }
    return json.dumps(facts)


def read_record(pages: memoryview) -> tuple[Record, int]:
    """Return the record at the beginning of a shard's packed pages, and its length in bytes."""
    line, _, _ = bytes(pages[:_LONGEST_RECORD]).partition(b"\n")
    return Record(**json.loads(line)), len(line) + 1


def solve_shard(address: str, build: str, shard: Shard, inputs: list[Shard], threads: int | None = None) -> Record:
    """Solve a shard with so many threads (default: all cores), unless it is finished, and write its objects.

    `build` is the text of build.json. Raises UnsupportedTable in a process with another version of this package,
    LostShards, LostKeys, and StorageError.
    """
    own = _opened(address, build)
    with _one_at_a_time:
        return own.finished(shard) or own.solve(shard, inputs, threads)


@lru_cache(maxsize=2)
def _opened(address: str, build: str) -> _Build:
    return _Build(open_store(address), build)


class _Build:
    """A build as a worker process sees it."""

    def __init__(self, store: ObjectStore, build: str) -> None:
        facts = json.loads(build)
        if (facts["format"], facts["builder"]) != (FORMAT, __version__):
            raise UnsupportedTable(
                f"The build at {store.address} was begun by version {facts['builder']} of this package, and this "
                f"worker has {__version__}; install the same version on all machines."
            )
        self._build = build
        self._objects = SealedObjects(store, build)
        self._rules = read_rules(facts["rules"])
        metric: Metric = facts["metric"]
        self._plan = plan_build(self._rules, metric, PageCounts(facts["pages"], facts["pages"]))
        self._kernels = PlacementKernels(self._plan)
        self._level_keys = lru_cache(maxsize=2)(self._read_keys)

    def finished(self, shard: Shard) -> Record | None:
        """Return the record of a finished shard; else None."""
        pages = self._objects.read(name_of(shard, "pages"))
        return None if pages is None else read_record(pages)[0]

    def solve(self, shard: Shard, inputs: list[Shard], threads: int | None) -> Record:
        """Solve a shard and write its objects."""
        begun = perf_counter()
        level = self._plan.levels[shard.level]
        keys = [self._keys_of(given).keys for given in inputs]
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
        pages = [part.entries.tobytes() for part in packed] + [part.data for part in packed]
        record = Record(
            digest=f"{sum(part.digest for part in packed):x}",
            tallies=statistics.tallies(),
            stored=sum(map(len, pages)),
            seconds=perf_counter() - begun,
        )
        self._require_build()  # or its objects would never be removed
        self._objects.write(name_of(shard, "kept"), [compressed])
        line = json.dumps(asdict(record)).encode() + b"\n"
        self._objects.write(name_of(shard, "pages"), [line, *pages])
        return record

    def _require_build(self) -> None:
        """Raise StorageError if the store lacks this build."""
        try:
            there = self._objects.store.read("build.json") == self._build.encode()
        except FileNotFoundError:
            there = False
        if not there:
            raise StorageError(
                f"A worker finds no build at {self._objects.store.address}: it has ended, or the worker can't reach "
                f"the store. Give a store that all workers reach, and give the same command again."
            )

    def _read_kept(self, inputs: list[Shard], pool: ThreadPool) -> KeptPages:
        """Read the pages that shards have kept, one shard after the other. Raises LostShards."""
        shapes = [self._plan.levels[given.level].kept_shape for given in inputs]
        ends = [*accumulate((given.pages for given in inputs), initial=0)]
        kept = np.empty((ends[-1], *(shapes or [(1, 1)])[0]), np.uint64)
        rooms = [kept[first:last] for first, last in pairwise(ends)]
        whole = [*pool.map(self._read_into, zip(inputs, rooms, strict=True))]
        if lost := tuple(given.number for given, is_whole in zip(inputs, whole, strict=True) if not is_whole):
            raise LostShards(lost)
        return kept

    def _read_into(self, given: tuple[Shard, KeptPages]) -> bool:
        """Read the pages that a shard has kept into an array; return False if they are lost or damaged."""
        shard, room = given
        compressed = self._objects.read(name_of(shard, "kept"))
        if compressed is None:
            return False
        # Straight into its place: a copy would take as long again as what is compressed little.
        zstandard.ZstdDecompressor().stream_reader(compressed).readinto(room.reshape(-1).view(np.uint8))
        return True

    def _keys_of(self, shard: Shard) -> LevelKeys:
        stones = self._plan.levels[shard.level].stones
        return self._level_keys(stones).part(shard.first, shard.last)

    def _read_keys(self, stones: int) -> LevelKeys:
        """Read the keys of a level."""
        data = self._objects.read(f"{stones:02}.keys")
        if data is None:
            self._require_build()
            raise LostKeys(stones)
        pages = len(data) // _KEY_BYTES
        # Copied, because for arrays that are read-only Numba would compile the kernels a second time.
        return LevelKeys(
            np.frombuffer(data, np.int64, pages).copy(), np.frombuffer(data, np.int32, pages, 8 * pages).copy()
        )
