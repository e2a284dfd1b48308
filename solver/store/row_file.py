"""Write rows to a plain SQLite file, for Datasette, pandas and other programs; it is not a table of the project."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from solver.errors import missing_package

try:
    from sqlite_utils import Database
except ModuleNotFoundError as error:
    raise missing_package(error) from error

Insert = Callable[[Iterable[Sequence[object]]], object]


@contextmanager
def open_rows(
    path: Path, table: str, columns: dict[str, type], indexes: Iterable[Sequence[str]], views: Mapping[str, str]
) -> Iterator[Insert]:
    """Yield a function that appends rows to the only table of a new file. On success, add indexes and views.

    Indexes are made at the end, so SQLite sorts them outside memory and rows are only appended. Raises OSError. On an
    error, the caller removes the file.
    """
    try:
        with closing(sqlite3.connect(path)) as connection:
            database = Database(connection, recursive_triggers=False, execute_plugins=False)
            for pragma in ("journal_mode = OFF", "synchronous = OFF"):  # nobody uses the file before it is complete
                database.execute(f"PRAGMA {pragma}")
            database.table(table).create(columns)
            # insert_all takes a dictionary per row and a statement per hundred, and several times as long.
            statement = f"INSERT INTO [{table}] VALUES ({', '.join('?' * len(columns))})"
            yield lambda rows: connection.executemany(statement, rows)
            connection.commit()
            for index in indexes:
                database.table(table).create_index(index)
            for name, query in views.items():
                database.create_view(name, query)
            connection.commit()
    except sqlite3.OperationalError as error:
        raise OSError(str(error)) from error
