"""Open an SQLite file from a stranger: to read it runs none of its code, and takes little time and memory.

All limits apply before the first statement. https://www.sqlite.org/security.html lists what a file can contain.
"""

import sqlite3
import threading
import weakref
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from solver.errors import TableError

Columns = Mapping[str, type]  # the columns of a table with their types, the primary key first

VALUE_BYTES: Final = 1 << 21  # of the longest value, before `limit_values`

_LIMITS: Final = {
    sqlite3.SQLITE_LIMIT_LENGTH: VALUE_BYTES,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 4096,  # also of a declaration in the file
    sqlite3.SQLITE_LIMIT_COLUMN: 32,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 20,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
}
# The first forbids functions with side effects in a schema; the second finds damaged pages before they are used.
_SETTINGS: Final = ("trusted_schema = OFF", "cell_size_check = ON")
_MOST_OBJECTS: Final = 64  # tables and indexes
_STEP: Final = 10_000  # instructions of SQLite's virtual machine between two calls of the progress handler
_ROW: Final = 100  # instructions that read a row, at most
_BYTE: Final = 20  # instructions that check a byte, at most
_TYPES: Final = {"INTEGER": int, "TEXT": str, "BLOB": bytes}
# Python cannot decode SQLite's message if it quotes a damaged schema. A value too long for its limit is a DataError.
_FAULTS: Final = (sqlite3.Error, UnicodeDecodeError)


class FileFault(ValueError):
    """A fault of a file's content; the message is a clause with the reason."""


def read_marks(path: Path) -> tuple[int, int, int]:
    """Return the `application_id`, the `user_version` and the size that an SQLite file's header states.

    They are zeros if the file is none. Raises OSError.
    """
    with path.open("rb") as file:
        header = file.read(100)  # https://www.sqlite.org/fileformat2.html#the_database_header
    if not header.startswith(b"SQLite format 3\0") or len(header) < 100:
        return 0, 0, 0
    application, version, pages = (int.from_bytes(header[at : at + 4], "big") for at in (68, 60, 28))
    page_bytes = int.from_bytes(header[16:18], "big")
    return application, version, pages * (65536 if page_bytes == 1 else page_bytes)


class UntrustedFile:
    """A read-only connection to an SQLite file that has all of the given tables. Thread-safe.

    tables: the declaration of each table. optional: those that the file may lack. The file may have more tables, and
    indexes, but no views, triggers, virtual tables or computed columns. refuse: returns the error to raise for a fault,
    given the reason as a clause; it must not refer to this object. After `close`, all methods raise TableError.
    """

    def __init__(
        self,
        path: Path,
        tables: Mapping[str, Columns],
        refuse: Callable[[str], Exception],
        optional: Collection[str] = (),
    ) -> None:
        self._path, self._refuse = path, refuse
        self._lock = threading.Lock()
        self._left = 0  # steps of the current statement
        # The file never changes: a new one replaces it by renaming. So it is opened as immutable, without locks: every
        # query saves a few system calls, and the disk may be read-only.
        with self._faults_reported():
            self._connection = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
            )
        weakref.finalize(self, self._connection.close)  # in case the caller never does, as in a notebook
        self.bytes = path.stat().st_size
        for limit, most in _LIMITS.items():
            self._connection.setlimit(limit, most)
        # A bound method would keep this object alive.
        left = weakref.ref(self)
        self._connection.set_progress_handler(lambda: (mine := left()) is None or mine._take_step(), _STEP)
        try:
            for setting in _SETTINGS:
                self.rows(f"PRAGMA {setting}", 1)
            with self._faults_reported():
                self._require_tables(tables, optional)
        except BaseException:
            self.close()
            raise

    def rows(self, query: str, most: int, most_bytes: int | None = None) -> list[tuple[Any, ...]]:
        """Return the rows of a query. Refuse more than `most` rows, or `most_bytes` of text."""
        found, size = list[tuple[Any, ...]](), 0
        with self._lock, self._faults_reported():
            self._left = 1 + most * _ROW // _STEP
            with closing(self._connection.execute(query)) as cursor:
                for row in cursor:
                    found.append(row)
                    if most_bytes is not None:
                        size += sum(len(value) for value in row if isinstance(value, str | bytes))
                    if len(found) > most or (most_bytes is not None and size > most_bytes):
                        raise FileFault("a table has more rows, or longer ones, than its format allows")
        return found

    def first(self, query: str, key: int | bytes) -> tuple[Any, ...] | None:
        """Return the first row of a query with a parameter that finds its row by the primary key, or None."""
        try:
            with self._lock:
                self._left = 1
                found: tuple[Any, ...] | None = self._connection.execute(query, (key,)).fetchone()
                return found
        except _FAULTS as error:
            raise self._fault(error) from error

    def integrity_faults(self) -> list[str]:
        """Return a clause for each fault that SQLite finds in the file (PRAGMA integrity_check)."""
        with self._lock, self._faults_reported():
            self._left = 1 + self.bytes * _BYTE // _STEP
            found = [message for (message,) in self._connection.execute("PRAGMA integrity_check")]
        return [] if found == ["ok"] else found

    def limit_values(self, size: int) -> None:
        """Refuse values of more than `size` bytes and more than a megabyte."""
        with self._lock:
            self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, min(max(size, 1 << 20), 1 << 30))

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @contextmanager
    def _faults_reported(self) -> Iterator[None]:
        try:
            yield
        except (FileFault, *_FAULTS) as error:
            raise self._fault(error) from error

    def _fault(self, error: Exception) -> Exception:
        """Return the error to raise for an error of SQLite."""
        if isinstance(error, sqlite3.ProgrammingError):
            return TableError(f"The file {self._path} has been closed; open it again.")
        return self._refuse("reading it takes too long" if str(error) == "interrupted" else str(error))

    def _take_step(self) -> bool:
        """Return True to end the statement."""
        self._left -= 1
        return self._left < 0

    def _require_tables(self, tables: Mapping[str, Columns], optional: Collection[str]) -> None:
        objects = self.rows("SELECT type, name, rootpage FROM sqlite_master", _MOST_OBJECTS, VALUE_BYTES)
        for kind, name, root in objects:
            if kind not in ("table", "index") or not isinstance(root, int) or root <= 0:
                raise FileFault(f"{name!r} is a view, a trigger or a virtual table, which the format does not have")
        names = {name for kind, name, _ in objects if kind == "table"}
        found: dict[str, list[tuple[object, ...]]] = {}
        for table, *column in self.rows(
            "SELECT tables.name, columns.name, columns.type, columns.pk, columns.hidden FROM sqlite_master AS tables, "
            "pragma_table_xinfo(tables.name) AS columns WHERE tables.type = 'table'",
            _MOST_OBJECTS * _LIMITS[sqlite3.SQLITE_LIMIT_COLUMN],
        ):
            found.setdefault(table, []).append(tuple(column))
        for table, columns in tables.items():
            declared = [
                (name, next(sql for sql, type_ in _TYPES.items() if type_ is kind), int(number == 0), 0)
                for number, (name, kind) in enumerate(columns.items())
            ]
            if found.get(table) != declared and (table in names or table not in optional):
                raise FileFault(f"the table {table} is missing, or its declaration differs from the format")
