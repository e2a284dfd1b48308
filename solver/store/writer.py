"""Write a table to a temporary file beside the target, check it, and rename it on success.

    with TableWriter(path, rules, "distance") as writer:
        writer.put_plies(rows)
        writer.add_pages((key, raw) for ...)        # or add_packed; or add_positions
        writer.finish({"root_wdl": 0, ...})

Until `finish` returns, the old table is untouched; on an error the temporary file is removed. Only a killed process
leaves its `.part` file, which the next build of the game removes. Two simultaneous builds of a game write separate
files; the later one to finish replaces the other.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from sqlite_utils import Database

from solver.game import json_file
from solver.game.rules import Rules
from solver.store import schema
from solver.store.codec import dense_checksum, pack_page
from solver.store.digests import dense_digest, page_digest, sum_digest
from solver.store.disk import disk_errors_reported, sync
from solver.store.reader import TableReader
from solver.store.schema import Metric, Storage
from solver.store.sqlite import SqliteContent
from solver.support.files import abandoned_paths, process_path, put_in_place

# A blob of about a kilobyte that does not fit into the rest of a page leaves that rest unused. So pages of 4,096 bytes
# make a file 10 to 15 % larger than pages of 16,384 bytes; pages of 65,536 bytes make a look-up slower.
SQLITE_PAGE_BYTES = 16384

# Nobody uses the file before it is synced and renamed, so it needs no journal.
# Rows arrive in the order of their keys, so only the last pages are used again: a small cache fits in the processor's.
_UNSAFE = ("journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE", "cache_size = -100")
_HEADER = (
    f"page_size = {SQLITE_PAGE_BYTES}",
    f"user_version = {schema.FORMAT}",
    f"application_id = {schema.APPLICATION_ID}",
)
_SHOWN_EVERY = 1 << 10  # pages between two calls of progress


class TableWriter(AbstractContextManager["TableWriter"]):
    """A context manager that writes a new table for `target` to a temporary file beside it. Not thread-safe.

    `storage` follows from the size of the board; tests set it to write pages for a small game. Raises StorageError if
    the folder cannot be written or the disk is full.
    """

    def __init__(self, target: Path, rules: Rules, metric: Metric, storage: Storage | None = None) -> None:
        self.target = target
        self.part = process_path(target, "part")
        self.rules = rules
        self.metric = metric
        self.storage: Storage = storage or schema.storage_for(rules.squares)
        self._digest = 0  # of pages
        self._sums: dict[str, str] = {}  # of positions
        self._finished = False
        with self._storage_reported():
            self.part.parent.mkdir(parents=True, exist_ok=True)
            for part in abandoned_paths(target, "part"):
                part.unlink(missing_ok=True)
            self._database = Database(sqlite3.connect(self.part), recursive_triggers=False, execute_plugins=False)
        try:
            with self._storage_reported():
                for pragma in _UNSAFE + _HEADER:
                    self._database.execute(f"PRAGMA {pragma}")
                for table in ("meta", "plies", self.storage):
                    columns = schema.COLUMNS[table]
                    self._database.table(table).create(columns, pk=next(iter(columns)))
        except BaseException:
            self.abort()
            raise

    def put_plies(self, rows: Iterable[Mapping[str, int | None]]) -> None:
        """Write the statistics: a row per ply, with the keys of `schema.PLIES_COLUMNS`."""
        self._insert("plies", ({column: row.get(column) for column in schema.PLIES_COLUMNS} for row in rows))

    def add_positions(self, rows: Iterable[Sequence[int | str | None]], dense: bytes | memoryview) -> None:
        """Write rows of `positions` in the order of `schema.POSITIONS_COLUMNS`, preferably sorted by hash.

        `dense` contains the same values; see `schema.dense_code`.
        """
        self._sums = {"digest": dense_digest(dense), "checksum": dense_checksum(dense)}
        self._insert("positions", (dict(zip(schema.POSITIONS_COLUMNS, row, strict=True)) for row in rows))

    def add_pages(self, pages: Iterable[tuple[int, bytes]]) -> None:
        """Compress and write all pages, given as (key, raw page) pairs in ascending order of keys."""
        self.add_packed(self._pack(pages), 0)

    def _pack(self, pages: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
        for key, raw in pages:
            self._digest += page_digest(key, raw)
            yield key, pack_page(raw)

    def add_packed(
        self, packed: Iterable[tuple[int, bytes]], digest: int, progress: Callable[[int], None] = lambda _: None
    ) -> None:
        """Write (key, packed page) pairs, sorted by key; `digest` is the sum of `page_digest` over all pages.

        `progress` is called with the number of pages written so far.
        """
        self._digest += digest
        with self._storage_reported():
            self._database.conn.executemany("INSERT INTO pages VALUES (?, ?)", _counted(packed, progress))

    def finish(self, meta: Mapping[str, object]) -> Path:
        """Write `meta`, flush the file to the disk, check that it opens, and rename it over the target.

        `meta` has the keys `positions`, `canonical`, `root_wdl`, `root_distance` and `builder`; that of an opening
        table also `plies`. The writer adds the other keys. Raises ValueError if a key is missing.
        """
        sums = self._sums or {"digest": sum_digest(self._digest)}
        facts = meta_of(self.rules, self.metric, self.storage, {**sums, **meta})
        self._insert("meta", ({"key": key, "value": value} for key, value in facts.items()))
        with self._storage_reported():
            self._database.conn.commit()
            self._database.conn.close()
            sync(self.part)
            TableReader(SqliteContent(self.part), self.rules).close()
            put_in_place(self.part, self.target)
            self._finished = True
            sync(self.part.parent)
        return self.target

    def abort(self) -> None:
        """Remove the temporary file. Does nothing after `finish`."""
        with suppress(sqlite3.Error):
            self._database.conn.close()
        if not self._finished:
            with suppress(OSError):
                self.part.unlink(missing_ok=True)

    def __exit__(self, *_: object) -> None:
        self.abort()

    def _insert(self, table: str, rows: Iterable[dict[str, object]]) -> None:
        with self._storage_reported():
            self._database.table(table).insert_all(rows)

    def _storage_reported(self) -> AbstractContextManager[None]:
        return disk_errors_reported(self.part.parent)


def _counted(pages: Iterable[tuple[int, bytes]], progress: Callable[[int], None]) -> Iterator[tuple[int, bytes]]:
    """Yield the same pages, and report their number."""
    done = 0
    for page in pages:
        yield page
        done += 1
        if done % _SHOWN_EVERY == 0:
            progress(done)
    progress(done)


def meta_of(rules: Rules, metric: Metric, storage: Storage, given: Mapping[str, object]) -> dict[str, str | None]:
    """Return `given` and the other rows of `meta`, with values as strings. Raises ValueError if a key is missing."""
    own: dict[str, object] = {
        "game": rules.name,
        "metric": metric,
        "storage": storage,
        "format": schema.FORMAT,
        "symmetries": rules.symmetries.order,
        "checksum": None,
    }
    facts = {**own, **given}
    absent = [key for key in schema.META_KEYS if key not in facts]
    if absent:
        raise ValueError(f"meta lacks {', '.join(absent)}")
    own_rules = {schema.RULES_KEY: json_file.write(rules)}
    if schema.PLIES_KEY in given:
        own_rules[schema.PLIES_KEY] = str(given[schema.PLIES_KEY])
    return {key: None if facts[key] is None else str(facts[key]) for key in schema.META_KEYS} | own_rules
