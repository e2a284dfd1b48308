"""Writing a table: beside the target, checked, then renamed over it.

    with TableWriter(path, rules, "distance") as writer:
        writer.put_plies(rows)
        writer.add_pages((key, raw) for ...)        # or add_positions, or add_packed
        writer.finish({"root_wdl": 0, ...})

Until `finish` returns, the old table is untouched; if it does not return, nothing is left behind. Only a
process that is killed leaves its `.part` file, which the next build of the game removes. Two builds of one game at
once write each their own part; the table of the one that ends last stays.
"""

import errno
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlite_utils import Database

from solver.errors import StorageError
from solver.rules import Rules
from solver.store.codec import pack_page, page_digest, sum_digest
from solver.store.reader import TableReader
from solver.store.schema import (
    APPLICATION_ID,
    FORMAT,
    META_COLUMNS,
    META_KEYS,
    PAGES_COLUMNS,
    PLIES_COLUMNS,
    POSITIONS_COLUMNS,
    Metric,
    Storage,
    storage_for,
)
from solver.store.sqlite import SqliteSource

__all__ = ["SQLITE_PAGE_BYTES", "TableWriter", "pack_page", "page_digest"]

# Blobs of about a kilobyte waste the rest of the page they don't fit in: 4,096 bytes make a file 10 to 15 %
# larger than 16,384, and 65,536 make a look-up slower.
SQLITE_PAGE_BYTES = 16384

_PRAGMAS = (
    f"page_size = {SQLITE_PAGE_BYTES}",
    f"application_id = {APPLICATION_ID}",
    f"user_version = {FORMAT}",
    # The file counts for nothing before it is synced and renamed, so it needs no journal.
    "journal_mode = OFF",
    "synchronous = OFF",
    "locking_mode = EXCLUSIVE",
)


class TableWriter:
    """A new table for `target`, written to a part beside it; use it as a context manager, in one thread.

    `storage` is for tests that want pages for a small game; it follows from the size of the board.
    Raises StorageError when the folder can't be written or the disk is full.
    """

    def __init__(self, target: Path, rules: Rules, metric: Metric, storage: Storage | None = None) -> None:
        self.target = target
        self.part = target.with_name(f"{target.name}.{os.getpid()}.part")
        self.rules = rules
        self.metric = metric
        self.storage: Storage = storage or storage_for(rules.squares)
        self._digest = 0
        self._last_key = -1
        self._in_order = True
        self._finished = False
        with self._storage_reported():
            target.parent.mkdir(parents=True, exist_ok=True)
            _remove_stale_parts(target)
            self.part.unlink(missing_ok=True)
            self._connection = sqlite3.connect(self.part)
        with self._aborted_on_error(), self._storage_reported():
            self._create_tables()

    def _create_tables(self) -> None:
        for pragma in _PRAGMAS:
            self._connection.execute(f"PRAGMA {pragma}")
        self._database = Database(self._connection)
        self._database.table("meta").create(META_COLUMNS, pk="key")
        self._database.table("plies").create(PLIES_COLUMNS, pk="ply")
        if self.storage == "positions":
            self._database.table("positions").create(POSITIONS_COLUMNS, pk="hash")
        else:
            self._database.table("pages").create(PAGES_COLUMNS, pk="key")

    def put_plies(self, rows: Iterable[Mapping[str, int | None]]) -> None:
        """Write the statistics, a row a ply, keyed as `schema.PLIES_COLUMNS`."""
        with self._storage_reported():
            self._database.table("plies").insert_all(dict(row) for row in rows)

    def add_positions(self, rows: Iterable[Sequence[int | str | None]]) -> None:
        """Write rows of `positions`, each in the order of `schema.POSITIONS_COLUMNS`; best by hash."""
        marks = ", ".join("?" * len(POSITIONS_COLUMNS))
        with self._storage_reported():
            self._connection.executemany(f"INSERT INTO positions VALUES ({marks})", rows)

    def add_pages(self, pages: Iterable[tuple[int, bytes]]) -> None:
        """Compress and write (key, raw page) pairs."""
        self.add_packed((key, pack_page(raw), page_digest(key, raw)) for key, raw in pages)

    def add_packed(self, packed: Iterable[tuple[int, bytes, int]]) -> None:
        """Write (key, pack_page(raw), page_digest(key, raw)) triples, which other threads may have made.

        Any order will do; an order other than by key costs one more pass over the file at the end.
        """
        with self._storage_reported():
            self._connection.executemany("INSERT INTO pages VALUES (?, ?)", self._noted(packed))

    def _noted(self, packed: Iterable[tuple[int, bytes, int]]) -> Iterator[tuple[int, bytes]]:
        for key, data, digest in packed:
            self._digest += digest
            self._in_order = self._in_order and key > self._last_key
            self._last_key = key
            yield key, data

    def finish(self, meta: Mapping[str, object]) -> Path:
        """Write `meta`, bring the file to the disk, check that it opens, and rename it over the target.

        The caller gives positions, canonical, root_wdl, root_distance, builder, and for a table of
        positions the digest; the rest is known here. Raises ValueError when a key is missing.
        """
        facts = {**self._own_meta(), **meta}
        absent = [key for key in META_KEYS if key not in facts]
        if absent:
            raise ValueError(f"meta lacks {', '.join(absent)}")
        with self._storage_reported():
            self._database.table("meta").insert_all(
                {"key": key, "value": None if facts[key] is None else str(facts[key])} for key in META_KEYS
            )
            self._connection.commit()
            if not self._in_order:
                # Leaves split by late keys stay half empty; and so the file does not tell in which order.
                self._connection.execute("VACUUM")
            self._connection.close()
            _sync(self.part)
            TableReader(SqliteSource(self.part), self.rules).close()
            self.part.replace(self.target)
            self._finished = True
            _sync(self.target.parent)
        return self.target

    def _own_meta(self) -> dict[str, object]:
        own: dict[str, object] = {
            "game": self.rules.name,
            "metric": self.metric,
            "storage": self.storage,
            "format": FORMAT,
            "symmetries": len(self.rules.symmetries),
        }
        return own | ({"digest": sum_digest(self._digest)} if self.storage == "pages" else {})

    def abort(self) -> None:
        """Give up: remove what was written. Does nothing after `finish`."""
        with suppress(sqlite3.Error):
            self._connection.close()
        if not self._finished:
            with suppress(OSError):
                self.part.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.abort()

    @contextmanager
    def _aborted_on_error(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.abort()
            raise

    @contextmanager
    def _storage_reported(self) -> Iterator[None]:
        """Turn what the disk refuses into a StorageError that names the folder."""
        try:
            yield
        except (sqlite3.OperationalError, OSError) as error:
            reason = str((error.strerror if isinstance(error, OSError) else None) or error)
            full = "full" in reason or getattr(error, "errno", None) == errno.ENOSPC
            remedy = "free some space there, or choose" if full else "choose"
            raise StorageError(
                f"The folder {self.target.parent} can't be written: {reason}; {remedy} another folder with --data."
            ) from error


def _remove_stale_parts(target: Path) -> None:
    """Remove what builds of this table left that were killed."""
    for part in target.parent.glob(f"{target.name}.*.part"):
        builder = part.name.removeprefix(f"{target.name}.").removesuffix(".part")
        if builder.isdecimal() and not _is_running(int(builder)):
            part.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    """Whether there is a process of this number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # there is, and it is somebody else's
        return True
    return True


def _sync(path: Path) -> None:
    """Bring a file, or the names in a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
