"""Open the SQLite file of a table for reading."""

import sqlite3
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from solver.errors import DamagedTable, MissingTable, TableError, UnsupportedTable
from solver.store import schema
from solver.store.paths import rebuild_command

_MAGIC = b"SQLite format 3\0"
# https://www.sqlite.org/fileformat2.html#the_database_header: 100 bytes, integers are big-endian.
_HEADER_BYTES = 100
_FIELDS = {"pages": 28, "version": 60, "application": 68}
# Python cannot decode SQLite's message if it quotes a damaged schema.
_DAMAGE = (sqlite3.Error, UnicodeDecodeError)
_KINDS = {"INTEGER": int, "TEXT": str, "BLOB": bytes}


class SqliteSource:
    """The unchecked content of a table in an SQLite file: a `reader.TableContent`. Thread-safe.

    Raises MissingTable (no such file), UnsupportedTable (not a table, or another format) or DamagedTable (shorter than
    its header says, or with tables that are declared differently from the format).
    """

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        check_header(path)
        self._lock = threading.Lock()
        # A table never changes: a new file replaces it by renaming. So it is opened as immutable, without locks: every
        # query saves a few system calls, and the disk may be read-only.
        with self._damage_reported():
            self._connection = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
            )
        weakref.finalize(self, self._connection.close)  # in case the caller never does, as in a notebook
        try:
            self._check_declarations()
        except BaseException:
            self.close()
            raise

    def meta(self) -> dict[str, str | None]:
        """Return the rows of `meta`."""
        return dict(self._rows("SELECT key, value FROM meta"))

    def plies(self) -> list[dict[str, int | None]]:
        """Return the rows of `plies`, sorted by ply."""
        rows = self._rows(f"SELECT {', '.join(schema.PLIES_COLUMNS)} FROM plies ORDER BY ply")
        return [dict(zip(schema.PLIES_COLUMNS, row, strict=True)) for row in rows]

    def positions(self) -> list[tuple[object, ...]]:
        """Return the rows of `positions`, in the order of POSITIONS_COLUMNS, with unchecked types."""
        return self._rows(f"SELECT {', '.join(schema.POSITIONS_COLUMNS)} FROM positions ORDER BY hash")

    def codes(self) -> list[tuple[int, int]]:
        """Return (hash, code) of each row of `positions`."""
        return self._rows(f"SELECT hash, (wdl + 1) * 16 + ifnull(distance, {schema.NO_DISTANCE}) FROM positions")

    def keys(self) -> list[int]:
        """Return the keys of all pages, ascending."""
        return [key for (key,) in self._rows("SELECT key FROM pages ORDER BY key")]

    def page(self, key: int) -> bytes | None:
        """Return the data of a page, or None if it is missing."""
        try:
            with self._lock:
                row = self._connection.execute("SELECT data FROM pages WHERE key = ?", (key,)).fetchone()
        except _DAMAGE as error:
            raise self._damaged(error) from error
        return None if row is None else row[0]

    def integrity_faults(self) -> list[str]:
        """Return a sentence for each fault that SQLite finds in the file (PRAGMA integrity_check)."""
        found = [message for (message,) in self._rows("PRAGMA integrity_check")]
        return [] if found == ["ok"] else [f"SQLite reports: {message}." for message in found]

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _check_declarations(self) -> None:
        """Raise DamagedTable unless the tables are those of the format. A file may have others, and indexes."""
        found: dict[str, list[tuple[str, type | None, int]]] = {}
        for table, column, kind, place in self._rows(
            "SELECT tables.name, columns.name, columns.type, columns.pk FROM sqlite_master AS tables, "
            "pragma_table_xinfo(tables.name) AS columns WHERE tables.type = 'table' AND tables.rootpage > 0"
        ):
            found.setdefault(table, []).append((column, _KINDS.get(kind), place))
        for (view,) in self._rows("SELECT name FROM sqlite_master WHERE type <> 'index' AND rootpage = 0"):
            found.setdefault(view, [])  # a view or a virtual table
        for table, columns in schema.COLUMNS.items():
            if (table in found or table not in schema.STORAGES) and found.get(table) != [
                (column, kind, int(number == 0)) for number, (column, kind) in enumerate(columns.items())
            ]:
                raise self._damaged(f"the table {table} is missing, or its declaration differs from the format")

    def _rows(self, query: str) -> list[Any]:
        with self._damage_reported(), self._lock:
            return self._connection.execute(query).fetchall()

    @contextmanager
    def _damage_reported(self) -> Iterator[None]:
        try:
            yield
        except _DAMAGE as error:
            raise self._damaged(error) from error

    def _damaged(self, error: Exception | str) -> TableError:
        if isinstance(error, sqlite3.ProgrammingError):
            return TableError(f"The table {self.name} has been closed; open it again.")
        again = rebuild_command(Path(self.name))
        return DamagedTable(f"The table {self.name} can't be read ({error}); build it again with `{again}`.")


def check_header(path: Path) -> None:
    """Raise a specific error unless the header belongs to a table; see `SqliteSource` for the errors."""
    if path.exists() and not path.is_file():  # to open a pipe would wait for a writer
        raise UnsupportedTable(f"{path} is not a file; remove it, or choose another folder with --data.")
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
        size = path.stat().st_size
    except FileNotFoundError as error:
        raise MissingTable(f"There is no table at {path}; build one, for example with `mnk build 3,3,3`.") from error
    except OSError as error:
        raise TableError(f"The table {path} can't be read: {error.strerror}.") from error
    number = {name: int.from_bytes(header[at : at + 4], "big") for name, at in _FIELDS.items()}
    whole = len(header) == _HEADER_BYTES and header.startswith(_MAGIC)
    if not whole or number["application"] != schema.APPLICATION_ID:
        raise UnsupportedTable(f"The file {path} is not a tablebase; `{rebuild_command(path)}` replaces it with one.")
    if number["version"] != schema.FORMAT:
        raise UnsupportedTable(
            f"The table {path} has format {number['version']}, but this program reads format {schema.FORMAT}; "
            f"build it again with `{rebuild_command(path)}`, or use the program that built it."
        )
    page_bytes = int.from_bytes(header[16:18], "big")
    expected = number["pages"] * (65536 if page_bytes == 1 else page_bytes)
    if size < expected:
        raise DamagedTable(
            f"The table {path} is cut off after {size} of its {expected} bytes; "
            f"build it again with `{rebuild_command(path)}`."
        )
