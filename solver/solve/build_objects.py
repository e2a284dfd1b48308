"""The objects that a build keeps in its workspace until its table is written:

    lock                the process that drives the build; see lock.py
    build.json          the game, the metric, the version and the number of pages of each level
    STONES.keys         without gravity: the keys of a level and the sizes of their classes
    LEVEL/SHARD.reached with gravity: the reachable colourings of a shard's shapes
    LEVEL/SHARD.kept    the kept pages of a shard, which the next level reads; workers compress them
    LEVEL/SHARD.pages   the pages of a shard as in the table: the key and length of each, then all packed pages
    LEVEL/SHARD.json    the marker of a finished shard: the digests of the two objects above, the shard's share of the
                        table's digest, its tallies, and on the next line a digest of all these
    LEVEL/SHARD.searched  for an opening table: the codes of the values of the last ply; see last_ply.py
    plies/BLOCK         the same: the results of the search for some of these positions

`SHARD.json` is written last. A shard is never solved again if its marker and the pages described there exist.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from itertools import accumulate
from pathlib import Path
from typing import Final

import numpy as np
import xxhash
import zstandard

from solver import __version__
from solver.errors import StorageError, quoted
from solver.game.game_files import write_rules
from solver.solve.levels import KeptPages, SolvedShard, Tally
from solver.solve.plan import BuildPlan
from solver.solve.shard_plan import Shard
from solver.solve.statistics import sum_tallies
from solver.solve.workspace import Workspace
from solver.store.disk import disk_errors_reported
from solver.store.packing import ENTRY, Packed, PackedStream
from solver.store.schema import FORMAT
from solver.support.threads import ThreadPool

KEPT_COMPRESSION: Final = 1
"""The Zstandard level for kept pages: it takes a tenth of the time of solving and leaves 1 to 37 % of the bytes."""

_DIGEST: Final = 32  # hexadecimal digits of the digest of an object

_WRITTEN: Final = re.compile(r"\d\d|\d\d\.keys|plies|build\.json|lock|.*\.part")
"""The form of the names of a build's objects, up to the first slash."""


@dataclass(frozen=True)
class Record:
    """The content of a finished shard's marker: digests, tallies, sizes, and the time to solve the shard."""

    digest: str  # the sum of the pages' shares of the table's digest, hexadecimal
    tallies: list[Tally]  # one for each ply
    kept: str  # the digest of the kept pages; empty if they were not written
    packed: str  # the digest of the packed pages
    pages: int  # the number of packed pages
    stored: int  # the bytes of the packed pages
    seconds: float  # the time to solve the shard


class LostObjects(Exception):
    """Raised if objects that a task reads are missing or damaged; the argument is a list of their names."""


def describe_build(plan: BuildPlan) -> str:
    """Return the content of build.json. A build can resume another one only if both have the same build.json."""
    facts = {
        "game": plan.rules.name,
        "rules": write_rules(plan.rules),
        "metric": plan.metric,
        "plies": plan.plies,
        "format": FORMAT,
        "builder": __version__,
        "pages": [level.pages for level in reversed(plan.levels)],
        "stored": [level.stored for level in reversed(plan.levels)],
    }
    return json.dumps(facts)


class BuildObjects:
    """The objects of one build in a workspace."""

    def __init__(self, workspace: Workspace, build: str) -> None:
        self.workspace = workspace
        self.build = build  # the text of build.json

    def begin(self) -> bool:
        """Write build.json, and return whether an interrupted build had already written the same one.

        Raises StorageError if the workspace contains another build, or other files, because the build clears the
        workspace when it ends.
        """
        if foreign := self.foreign_names():
            raise StorageError(
                f"The workspace {self.workspace.address} has {quoted(foreign[0])}, which no build has written; "
                f"remove it, or choose another workspace."
            )
        try:
            found = self.workspace.read("build.json").decode(errors="replace")
        except FileNotFoundError:
            self.workspace.write("build.json", self.build.encode())
            return False
        if found != self.build:
            try:
                facts = json.loads(found)
                game = f" ({facts['game']}, {facts['metric']}, by version {facts['builder']})"
            except (ValueError, KeyError, TypeError):
                game = ""
            raise StorageError(
                f"The workspace {self.workspace.address} has another build{game}; finish or remove that build, "
                f"or choose another workspace."
            )
        return True

    def foreign_names(self) -> list[str]:
        """Return the names in the workspace that no build has written."""
        return [name for name in self.workspace.entries() if not _WRITTEN.fullmatch(name)]

    def require_begun(self) -> None:
        """Raise StorageError if the workspace does not contain this build, for example because it has ended.

        After the end of a build, a late task must not write objects, because nothing would remove them.
        """
        try:
            there = self.workspace.read("build.json") == self.build.encode()
        except FileNotFoundError:
            there = False
        if not there:
            raise StorageError(
                f"A worker finds no build at {self.workspace.address}: it has ended, or the worker can't reach it. "
                f"Give a workspace that all workers reach, and give the same command again."
            )

    def write_inputs(self, inputs: Iterable[tuple[str, bytearray]]) -> None:
        """Write each (name, data) pair as an object that tasks read, with a digest after the data."""
        for name, data in inputs:
            self.workspace.write(name, bytes(data + digest_object(data).encode()))

    def read_input(self, name: str) -> bytearray:
        """Return an object that `write_inputs` wrote. Raises LostObjects if it is missing or damaged."""
        try:
            data = bytearray(self.workspace.read(name))
        except FileNotFoundError:
            data = bytearray()
        if digest_object(data[:-_DIGEST]).encode() != data[-_DIGEST:]:
            self.require_begun()
            raise LostObjects([name])
        return data

    def finished(self, shard: Shard) -> Record | None:
        """Return the record of a shard, or None if its marker or its pages are missing or damaged."""
        try:
            marker = self.workspace.read(shard.name("json"))
            pages = self.workspace.read(shard.name("pages"))
        except FileNotFoundError:
            return None
        text, _, seal = marker.rpartition(b"\n")
        if seal != self._seal(shard, text):
            return None
        facts = json.loads(text)
        record = Record(**{**facts, "tallies": [Tally(*tally) for tally in facts["tallies"]]})
        return record if digest_object(pages) == record.packed else None

    def write_pages(self, solved: SolvedShard[Packed]) -> Record:
        """Write the pages of a solved shard, and return its record."""
        pages = [packed.entries.tobytes() for packed in solved.results] + [packed.data for packed in solved.results]
        self.workspace.write(solved.shard.name("pages"), *pages)
        return Record(
            digest=f"{sum(packed.digest for packed in solved.results):x}",
            tallies=sum_tallies(solved.tallies),
            kept="",
            packed=digest_object(*pages),
            pages=sum(len(packed.entries) for packed in solved.results),
            stored=sum(map(len, pages)),
            seconds=0.0,
        )

    def write_kept(self, shard: Shard, kept: KeptPages, threads: int | None = None) -> str:
        """Write a shard's kept pages as one object, compressed if `threads` is given; return the object's digest."""
        data: bytes | memoryview = kept.data.cast("B")
        if threads is not None:
            frame = zstandard.ZstdCompressor(level=KEPT_COMPRESSION, threads=threads).compress(data)
            data = frame if len(frame) < len(data) else bytes(data)
        self.workspace.write(shard.name("kept"), data)
        return digest_object(data)

    def read_kept(self, digests: Mapping[Shard, str], kept: KeptPages, pool: ThreadPool) -> list[str]:
        """Read the kept pages of shards into the array `kept`, one shard after another.

        `digests` contains the digest of each shard's object. Returns the names of the objects that are missing or
        damaged.
        """
        ends = accumulate(shard.pages for shard in digests)

        def is_lost(shard: Shard, end: int) -> bool:
            try:
                data = self.workspace.read(shard.name("kept"))
            except FileNotFoundError:
                return True
            if digest_object(data) != digests[shard]:
                return True
            place = kept[end - shard.pages : end].reshape(-1).view(np.uint8)
            if len(data) == place.size:  # the data is not compressed
                place[:] = np.frombuffer(data, np.uint8)
            else:  # directly into `kept`, because a copy could take as long as decompressing
                zstandard.ZstdDecompressor().stream_reader(data).readinto(place)
            return False

        lost = pool.map(lambda item: is_lost(*item), zip(digests, ends, strict=True))
        return [shard.name("kept") for shard, is_missing in zip(digests, lost, strict=True) if is_missing]

    def mark(self, shard: Shard, record: Record) -> None:
        """Write the marker of a finished shard."""
        text = json.dumps(asdict(record)).encode()
        self.workspace.write(shard.name("json"), text + b"\n" + self._seal(shard, text))

    def _seal(self, shard: Shard, text: bytes) -> bytes:
        """Return a digest of a marker's text, the build and the shard, so that no other build's marker is accepted."""
        return digest_object(json.dumps([self.build, shard.place]).encode() + text).encode()

    def open_pages(self, shard: Shard, record: Record, folder: Path, trusted: bool) -> PackedStream | None:
        """Open a file that contains the packed pages of a shard; return None if they are missing or damaged.

        If the workspace has no files on this machine, the pages are first copied to `folder`. With `trusted`, a file of
        the workspace is not checked for damage.
        """
        name = shard.name("pages")
        own = self.workspace.path(name)
        path = own or folder / name
        try:
            if not own or not trusted:
                data = self.workspace.read(name)
                if digest_object(data) != record.packed:
                    return None
                if not own:
                    with disk_errors_reported(folder.parent):
                        path.parent.mkdir(parents=True, exist_ok=True)
                        path.write_bytes(data)
            return PackedStream(path, np.fromfile(path, ENTRY, record.pages))
        except FileNotFoundError:
            return None


def digest_object(*parts: bytes | bytearray | memoryview) -> str:
    """Return the digest of an object, given the parts of its content: XXH3, which detects accidental damage."""
    digest = xxhash.xxh3_128()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()
