"""Add rows to a database of the user's own, as `sqlite-utils upsert` does."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from sqlite_utils import Database

from solver.errors import StorageError

__all__ = ["upsert_rows"]


def upsert_rows(path: Path, table: str, rows: Iterable[Mapping[str, object]], *, key: Sequence[str]) -> None:
    """Insert rows into a table, which is made if need be; those whose `key` columns are there already are replaced.

    Raises StorageError when the file can't be written or is no database.
    """
    try:
        database = Database(sqlite3.connect(path))
        try:
            database.table(table).upsert_all([dict(row) for row in rows], pk=tuple(key), alter=True)
        finally:
            database.close()
    except sqlite3.Error as error:
        raise StorageError(f"The rows can't be added to {path} ({error}); choose another file.") from error
