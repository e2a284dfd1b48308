"""Open the SQLite file of a table for reading."""

from functools import partial
from os.path import exists, isfile
from pathlib import Path

from solver.errors import DamagedTable, MissingTable, TableError, UnsupportedTable
from solver.game.rules import MAX_SQUARES
from solver.store import schema
from solver.store.paths import rebuild_command
from solver.store.untrusted import VALUE_BYTES, UntrustedFile, read_marks

_MOST_FACTS = 32  # rows of `meta`
_PAGE_BYTES = 6  # of a row of `pages`, at least
_MOST_POSITIONS = 3**schema.POSITIONS_LIMIT


class SqliteContent:
    """The unchecked content of a table in an SQLite file: a `reader.TableContent`. Thread-safe.

    Raises MissingTable (no such file), UnsupportedTable (not a table, or another format) or DamagedTable (shorter than
    its header says, or with tables that are declared differently from the format).
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        check_header(path)
        self._file = UntrustedFile(path, schema.COLUMNS, partial(_damaged, path), schema.STORAGES)

    def meta(self) -> dict[object, object]:
        """Return the rows of `meta`."""
        return dict(self._file.rows("SELECT key, value FROM meta", _MOST_FACTS, VALUE_BYTES))

    def plies(self) -> list[dict[str, object]]:
        """Return the rows of `plies`, sorted by ply."""
        query = f"SELECT {', '.join(schema.PLIES_COLUMNS)} FROM plies ORDER BY ply"
        rows = self._file.rows(query, MAX_SQUARES + 1, VALUE_BYTES)
        return [dict(zip(schema.PLIES_COLUMNS, row, strict=True)) for row in rows]

    def positions(self) -> list[tuple[object, ...]]:
        """Return the rows of `positions`, in the order of POSITIONS_COLUMNS, with unchecked types."""
        query = f"SELECT {', '.join(schema.POSITIONS_COLUMNS)} FROM positions ORDER BY hash"
        return self._file.rows(query, _MOST_POSITIONS, _MOST_POSITIONS * schema.POSITION_BYTES)

    def codes(self) -> list[tuple[int, int]]:
        """Return (hash, code) of each row of `positions`."""
        code = f"(wdl + 1) * 16 + ifnull(distance, {schema.NO_DISTANCE})"
        return self._file.rows(f"SELECT hash, {code} FROM positions", _MOST_POSITIONS)

    def keys(self) -> list[int]:
        """Return the keys of all pages, ascending."""
        most = self._file.bytes // _PAGE_BYTES
        keys = [key for (key,) in self._file.rows("SELECT key FROM pages ORDER BY key", most)]
        if any(type(key) is not int for key in keys):
            raise _damaged(self.path, "the key of a page is not an integer")
        return keys

    def page(self, key: int) -> object:
        """Return the data of a page, or None if it is missing."""
        row = self._file.first("SELECT data FROM pages WHERE key = ?", key)
        return None if row is None else row[0]

    def limit_pages(self, size: int) -> None:
        """Refuse pages of more than `size` bytes and more than a megabyte."""
        self._file.limit_values(size)

    def integrity_faults(self) -> list[str]:
        """Return a sentence for each fault that SQLite finds in the file (PRAGMA integrity_check)."""
        return [f"SQLite reports: {fault}." for fault in self._file.integrity_faults()]

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _damaged(path: Path, reason: str) -> DamagedTable:
    return DamagedTable(f"The table {path} can't be read ({reason}); build it again with `{rebuild_command(path)}`.")


def check_header(path: Path) -> None:
    """Raise a specific error unless the header belongs to a table; see `SqliteContent` for the errors."""
    if exists(path) and not isfile(path):  # to open a pipe would wait for a writer
        raise UnsupportedTable(f"{path} is not a file; remove it, or choose another folder with --data.")
    try:
        application, version, expected = read_marks(path)
        size = path.stat().st_size
    except FileNotFoundError as error:
        raise MissingTable(f"There is no table at {path}; build one, for example with `mnk build 3,3,3`.") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise TableError(f"The table {path} can't be read: {reason}; choose another file.") from error
    if application != schema.APPLICATION_ID:
        raise UnsupportedTable(f"The file {path} is not a tablebase; `{rebuild_command(path)}` replaces it with one.")
    if version != schema.FORMAT:
        raise UnsupportedTable(
            f"The table {path} has format {version}, but this program reads format {schema.FORMAT}; "
            f"build it again with `{rebuild_command(path)}`, or use the program that built it."
        )
    if size < expected:
        raise DamagedTable(
            f"The table {path} is cut off after {size} of its {expected} bytes; "
            f"build it again with `{rebuild_command(path)}`."
        )
