"""Write a table as a folder of shards, split a file into one, and merge one into a file; see `manifest`.

    with ShardedWriter(shards_path(folder, rules), rules, "wdl", block) as writer:
        for ...: writer.add(classes, packed_pages, digest)       # in any order, from any thread
        writer.put_plies(rows)
        writer.finish({"root_wdl": 0, ...})

Until `finish` returns, an older table is untouched. Everything is written beside it and renamed; what a killed process
leaves is removed by the next one.
"""

import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, closing, suppress
from itertools import groupby
from pathlib import Path

from solver.errors import StorageError
from solver.game.block import block_of
from solver.game.rules import Rules
from solver.store.btree import insert_blobs
from solver.store.codec import page_digest, sum_digest
from solver.store.disk import abandoned_paths, disk_errors_reported, process_path, restore_moved, sync
from solver.store.manifest import Manifest, Shard, class_of
from solver.store.paths import shards_path, table_path
from solver.store.reader import TableReader
from solver.store.rows import Rows, gather_rows
from solver.store.schema import SHARD_ID, Metric
from solver.store.shards import ShardedSource
from solver.store.source import open_source
from solver.store.writer import Progress, TableWriter, close_part, create_tables, insert_meta, meta_of, open_part


class ShardedWriter(AbstractContextManager["ShardedWriter"]):
    """Write a new table of pages as the folder `target`; a context manager.

    `block` are the squares by which pages are divided: the symmetries of the rules must map them to each other.
    Raises StorageError when the folder can't be written or the disk is full.
    """

    def __init__(self, target: Path, rules: Rules, metric: Metric, block: Sequence[int]) -> None:
        self.target = target
        self.part = process_path(target, "part")
        self._rules = rules
        self._metric: Metric = metric
        self._block = tuple(block)
        self._shards: list[Shard] = []
        self._plies: list[dict[str, int | None]] = []
        with disk_errors_reported(target.parent):
            for path in list(abandoned_paths(target, "part")):
                shutil.rmtree(path)
            self.part.mkdir(parents=True)
        restore_moved(target)

    def put_plies(self, rows: Iterable[Mapping[str, int | None]]) -> None:
        """Set the statistics, a row a ply, keyed as `schema.PLIES_COLUMNS`."""
        self._plies = [dict(row) for row in rows]

    def add(
        self, classes: Iterable[int], pages: Iterable[Rows], digest: int, progress: Progress | None = None
    ) -> Shard:
        """Write a shard: all pages of some classes of patterns (`manifest.class_of`), packed and ascending by key.

        `digest` is the sum of their page_digest(key, raw). Threads may write a shard each at once. Raises ValueError
        when another shard has been given one of the classes.
        """
        numbers = tuple(sorted(classes))
        file = f"shard-{numbers[0]:05d}.sqlite"
        meta = {"game": self._rules.name, "metric": self._metric, "digest": sum_digest(digest)}
        path = self.part / file
        if path.exists():
            raise ValueError(f"the class {numbers[0]} was added before")
        with disk_errors_reported(self.target.parent):
            database = open_part(path)
            try:
                create_tables(database, SHARD_ID, "shard")
                insert_meta(database, meta)
            finally:
                close_part(database)
            count = insert_blobs(path, "pages", pages, progress)
            sync(path)
            shard = Shard(file, numbers, count, path.stat().st_size, meta["digest"])
        self._shards.append(shard)
        return shard

    def finish(self, meta: Mapping[str, object]) -> Path:
        """Write the manifest, check that the folder opens as a table, and rename it over the target.

        The caller gives positions, canonical, root_wdl, root_distance and builder; the rest is known here. Raises
        ValueError when a fact is missing.
        """
        shards = tuple(sorted(self._shards, key=lambda shard: shard.classes))
        digest = sum_digest(sum(int(shard.digest, 16) for shard in shards))
        facts = meta_of(self._rules, self._metric, "pages", {"digest": digest, **meta})
        with disk_errors_reported(self.target.parent):
            manifest = Manifest(facts, self._plies, self._block, shards)
            sync(manifest.write(self.part))
            sync(self.part)
            TableReader(ShardedSource(self.part), self._rules).close()
            old = process_path(self.target, "old")
            with suppress(FileNotFoundError):
                self.target.rename(old)  # a folder can't be renamed over another that has files
            self.part.rename(self.target)
            sync(self.target.parent)
            if old.exists():
                shutil.rmtree(old)
        return self.target

    def abort(self) -> None:
        """Remove what was written. Does nothing after `finish`."""
        shutil.rmtree(self.part, ignore_errors=True)

    def __exit__(self, *_: object) -> None:
        self.abort()


def split_table(path: Path, progress: Callable[[int, int], None] | None = None) -> Path:
    """Write the table in a file as a folder of shards beside it, and return its path; the file stays.

    Raises StorageError (a table of positions, a disk that is full) and what opening and reading a table does.
    """
    with closing(open_source(path)) as source:
        reader = TableReader(source)
        if reader.storage != "pages":
            raise StorageError(f"The table {path} is small, and has no pages to be divided; leave it as it is.")
        block = block_of(reader.rules).squares
        find = class_of(reader.rules, block)
        keys = sorted(source.keys(), key=find)  # the keys of a class stay ascending
        with ShardedWriter(shards_path(path.parent, reader.rules), reader.rules, reader.metric, block) as writer:
            done = 0
            for number, of_class in groupby(keys, find):
                pages = [(key, reader.packed_page(key)) for key in of_class]
                digest = sum(page_digest(key, reader.unpack(key, data)) for key, data in pages)
                writer.add([number], gather_rows(pages), digest)
                done += len(pages)
                if progress:
                    progress(done, len(keys))
            writer.put_plies(reader.plies())
            return writer.finish(reader.meta)


def merge_table(path: Path, progress: Callable[[int, int], None] | None = None) -> Path:
    """Write the table in a folder of shards as a file beside it, and return its path; the folder stays.

    Raises StorageError (a disk that is full) and what opening and reading a table does.
    """
    with closing(ShardedSource(path)) as source:
        reader = TableReader(source)
        with TableWriter(table_path(path.parent, reader.rules), reader.rules, reader.metric, "pages") as writer:
            writer.put_plies(reader.plies())

            def report(written: int) -> None:
                if progress:
                    progress(written, source.page_count)

            writer.add_packed(gather_rows(source.pages()), int(str(reader.meta["digest"]), 16), report)
            return writer.finish(reader.meta)
