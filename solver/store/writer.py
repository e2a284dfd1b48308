"""Write a table to a temporary file beside the target, check it, and rename it on success.

    with TableWriter(path, rules, "distance") as writer:
        writer.put_plies(rows)
        writer.add_pages((key, raw) for ...)        # or add_packed, once; or add_positions
        writer.finish({"root_wdl": 0, ...})

Until `finish` returns, the old table is untouched; on an error the temporary file is removed. Only a
process that is killed leaves its `.part` file, which the next build of the game removes. Two builds of one game at
once write a file each; the table of the one that ends last stays.

`upsert_rows` adds rows to a database of the user's own, as `sqlite-utils upsert` does.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from solver.errors import StorageError
from solver.game.files import write_rules
from solver.game.rules import Rules
from solver.store.codec import pack_page, page_digest, sum_digest
from solver.store.disk import abandoned_paths, disk_errors_reported, process_path, sync
from solver.store.reader import TableReader
from solver.store.rows import Rows, gather_rows
from solver.store.schema import (
    APPLICATION_ID,
    FORMAT,
    META_KEYS,
    PLIES_COLUMNS,
    RULES_KEY,
    Metric,
    Storage,
    declarations,
    storage_for,
)
from solver.store.sqlite import SqliteSource

# Blobs of about a kilobyte waste the rest of the page they don't fit in: 4,096 bytes make a file 10 to 15 %
# larger than 16,384, and 65,536 make a look-up slower.
SQLITE_PAGE_BYTES = 16384

# The file counts for nothing before it is synced and renamed, so it needs no journal.
_UNSAFE = ("journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE")
_HEADER = (f"page_size = {SQLITE_PAGE_BYTES}", f"user_version = {FORMAT}", f"application_id = {APPLICATION_ID}")


Progress = Callable[[int], None]
"""Takes from time to time, and at the end, how many pages have been written."""


class TableWriter(AbstractContextManager["TableWriter"]):
    """Write a new table for `target` to a temporary file beside it; use it as a context manager, in one thread.

    `storage` is for tests that want pages for a small game; it follows from the size of the board.
    Raises StorageError when the folder can't be written or the disk is full.
    """

    def __init__(self, target: Path, rules: Rules, metric: Metric, storage: Storage | None = None) -> None:
        self.target = target
        self.part = process_path(target, "part")
        self.rules = rules
        self.metric = metric
        self.storage: Storage = storage or storage_for(rules.squares)
        self._digest = 0
        self._finished = False
        with self._storage_reported():
            target.parent.mkdir(parents=True, exist_ok=True)
            for part in abandoned_paths(target, "part"):
                part.unlink(missing_ok=True)
            self._database = open_part(self.part)
        try:
            with self._storage_reported():
                create_tables(self._database, self.storage)
        except BaseException:
            self.abort()
            raise

    def put_plies(self, rows: Iterable[Mapping[str, int | None]]) -> None:
        """Write the statistics, a row a ply, keyed as `schema.PLIES_COLUMNS`."""
        with self._storage_reported():
            insert_rows(self._database, "plies", ([row.get(column) for column in PLIES_COLUMNS] for row in rows))

    def add_positions(self, rows: Iterable[Sequence[int | str | None]]) -> None:
        """Write rows of `positions`, each in the order of `schema.POSITIONS_COLUMNS`; best by hash."""
        with self._storage_reported():
            insert_rows(self._database, "positions", rows)

    def add_pages(self, pages: Iterable[tuple[int, bytes]]) -> None:
        """Compress and write all pages, (key, raw page) pairs, ascending by key."""
        self.add_packed(gather_rows(self._pack(pages)), 0)

    def _pack(self, pages: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
        for key, raw in pages:
            self._digest += page_digest(key, raw)
            yield key, pack_page(raw)

    def add_packed(self, packed: Iterable[Rows], digest: int, progress: Progress | None = None) -> None:
        """Write all pages, ascending by key, as `pack_page` makes them.

        `digest` is the sum of their page_digest(key, raw). Raises ValueError when there are pages already.
        """
        from solver.store.btree import insert_blobs  # here, because it loads the compiler

        self._digest += digest
        with self._storage_reported():
            close_part(self._database)
            insert_blobs(self.part, "pages", packed, progress)
            self._database = open_part(self.part)

    def finish(self, meta: Mapping[str, object]) -> Path:
        """Write `meta`, bring the file to the disk, check that it opens, and rename it over the target.

        The caller gives positions, canonical, root_wdl, root_distance, builder, and for a table of
        positions the digest; the rest is known here. Raises ValueError when a key is missing.
        """
        digest = {"digest": sum_digest(self._digest)} if self.storage == "pages" else {}
        facts = meta_of(self.rules, self.metric, self.storage, {**digest, **meta})
        with self._storage_reported():
            insert_meta(self._database, facts)
            close_part(self._database)
            sync(self.part)
            TableReader(SqliteSource(self.part), self.rules).close()
            self.part.replace(self.target)
            self._finished = True
            sync(self.target.parent)
        return self.target

    def abort(self) -> None:
        """Remove what was written. Does nothing after `finish`."""
        with suppress(sqlite3.Error):
            self._database.close()
        if not self._finished:
            with suppress(OSError):
                self.part.unlink(missing_ok=True)

    def __exit__(self, *_: object) -> None:
        self.abort()

    def _storage_reported(self) -> AbstractContextManager[None]:
        return disk_errors_reported(self.target.parent)


def open_part(path: Path) -> sqlite3.Connection:
    """Open a file that nobody else knows yet, to write it."""
    database = sqlite3.connect(path)
    for pragma in _UNSAFE:
        database.execute(f"PRAGMA {pragma}")
    return database


def close_part(database: sqlite3.Connection) -> None:
    """Bring all that was written to the system, and close the file."""
    database.commit()
    database.close()


def create_tables(database: sqlite3.Connection, storage: Storage) -> None:
    """Begin a new file: its header and its tables, see `schema`."""
    for pragma in _HEADER:
        database.execute(f"PRAGMA {pragma}")
    for declaration in declarations(storage).values():
        database.execute(declaration)


def insert_rows(database: sqlite3.Connection, table: str, rows: Iterable[Sequence[int | str | None]]) -> None:
    """Insert rows into a table, each in the order of its columns."""
    (columns,) = database.execute("SELECT count(*) FROM pragma_table_info(?)", (table,)).fetchone()
    database.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * columns)})", rows)


def meta_of(rules: Rules, metric: Metric, storage: Storage, given: Mapping[str, object]) -> dict[str, str | None]:
    """Complete the facts of a table, see META_KEYS, as text. Raises ValueError when one is missing."""
    own: dict[str, object] = {
        "game": rules.name,
        "metric": metric,
        "storage": storage,
        "format": FORMAT,
        "symmetries": len(rules.symmetries),
    }
    facts = {**own, **given}
    absent = [key for key in META_KEYS if key not in facts]
    if absent:
        raise ValueError(f"meta lacks {', '.join(absent)}")
    own_rules = {} if rules.rectangle else {RULES_KEY: write_rules(rules)}
    return {key: None if facts[key] is None else str(facts[key]) for key in META_KEYS} | own_rules


def insert_meta(database: sqlite3.Connection, facts: Mapping[str, str | None]) -> None:
    """Write the rows of `meta`."""
    insert_rows(database, "meta", facts.items())


def upsert_rows(path: Path, table: str, rows: Iterable[Mapping[str, object]], *, key: Sequence[str]) -> None:
    """Insert rows into a table, which is made if need be; those whose `key` columns are there already are replaced.

    Raises StorageError when the file can't be written or is no database.
    """
    from sqlite_utils import Database  # here, because no table of ours needs it

    try:
        database = Database(sqlite3.connect(path))
        try:
            database.table(table).upsert_all([dict(row) for row in rows], pk=tuple(key), alter=True)
        finally:
            database.close()
    except sqlite3.Error as error:
        raise StorageError(f"The rows can't be added to {path} ({error}); choose another file.") from error
