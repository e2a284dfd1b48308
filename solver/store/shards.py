"""Read a table that is a folder of shards, see `manifest`."""

import heapq
import threading
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import chain
from pathlib import Path

from solver.errors import MissingTable, TableError, UnsupportedTable
from solver.game.makers.files import read_rules
from solver.store.manifest import Manifest, Shard, class_of, damaged_folder
from solver.store.schema import RULES_KEY, SHARD_ID, SHARD_KEYS, Content
from solver.store.sqlite import SqliteSource


class ShardedSource:
    """The bytes of a table in a folder of shards (a `reader.Source`), each opened when first needed.

    May be shared by threads. Raises UnsupportedTable (no manifest, or one of another version) or DamagedTable
    (a shard is missing or cut off, or the manifest contradicts itself).
    """

    def __init__(self, folder: Path) -> None:
        self.name = str(folder)
        self._folder = folder
        self._manifest = Manifest.read(folder)
        self._by_class = {number: shard for shard in self._manifest.shards for number in shard.classes}
        self._open: dict[str, SqliteSource] = {}
        self._lock = threading.Lock()
        self._closed = False

    @property
    def page_count(self) -> int:
        """The number of pages."""
        return sum(shard.pages for shard in self._manifest.shards)

    def meta(self) -> dict[str, str | None]:
        """The rows of `meta`."""
        return self._manifest.meta

    def plies(self) -> list[dict[str, int | None]]:
        """The rows of `plies`, by ply."""
        return self._manifest.plies

    def positions(self) -> list[tuple[object, ...]]:
        """No rows: a folder holds pages."""
        return []

    def codes(self) -> list[tuple[int, int]]:
        """No rows: a folder holds pages."""
        return []

    def keys(self) -> list[int]:
        """The keys of all pages, ascending."""
        sources = [self._source(shard) for shard in self._manifest.shards]
        return sorted(chain.from_iterable(map(SqliteSource.keys, sources)))

    def page(self, key: int) -> bytes | None:
        """The data of a page, None if there is no such page."""
        shard = self._by_class.get(self._class_of(key))
        return None if shard is None else self._source(shard).page(key)

    def pages(self) -> Iterator[tuple[int, bytes]]:
        """(key, data) of each page, by key."""
        return heapq.merge(*[self._source(shard).pages() for shard in self._manifest.shards])

    def declaration_faults(self, content: Content) -> list[str]:
        """Compare the declarations in each shard with the format; a sentence for each that differs."""
        del content  # it is that of the whole
        return [fault for shard in self._manifest.shards for fault in self._source(shard).declaration_faults("shard")]

    def integrity_faults(self) -> list[str]:
        """Have SQLite check each shard (PRAGMA integrity_check), and count its pages; a sentence for each fault."""
        found = []
        for shard in self._manifest.shards:
            found += self._source(shard).integrity_faults()
            pages = len(self._source(shard).keys())
            if pages != shard.pages:
                found.append(f"The shard {shard.file} has {pages} pages, but its manifest says {shard.pages}.")
        return found

    def close(self) -> None:
        """Close the files."""
        with self._lock:
            self._closed = True
            for source in self._open.values():
                source.close()

    @cached_property
    def _class_of(self) -> Callable[[int], int]:
        meta = self._manifest.meta
        try:
            return class_of(read_rules(meta.get(RULES_KEY) or str(meta["game"])), self._manifest.block)
        except ValueError as error:
            raise damaged_folder(self._folder, str(error)) from error

    def _source(self, shard: Shard) -> SqliteSource:
        """Open a shard, or find it open. Raises DamagedTable when it is gone or that of another table."""
        found = self._open.get(shard.file)
        if found is not None:
            return found
        with self._lock:
            if self._closed:
                raise TableError(f"The table {self.name} has been closed; open it again.")
            if shard.file not in self._open:
                self._open[shard.file] = self._open_shard(shard)
            return self._open[shard.file]

    def _open_shard(self, shard: Shard) -> SqliteSource:
        try:
            source = SqliteSource(self._folder / shard.file, SHARD_ID)
        except (MissingTable, UnsupportedTable) as error:
            raise damaged_folder(self._folder, f"its shard {shard.file} is not there, or is no shard") from error
        facts = {**self._manifest.meta, "digest": shard.digest}
        if source.meta() != {key: facts.get(key) for key in SHARD_KEYS}:
            source.close()
            raise damaged_folder(self._folder, f"its shard {shard.file} belongs to another table")
        return source
