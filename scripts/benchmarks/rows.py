"""Store a large game in the plain layout: one SQLite row per position instead of pages."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from solver import Tablebase
from solver.count.walking import walk

_PART = 1 << 16  # rows per call


def write_rows(table: Tablebase, path: Path) -> None:
    """Write every position of the table as a row; the value is wdl * 256 + distance."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("CREATE TABLE positions (hash INTEGER PRIMARY KEY, value INTEGER)")
    for hashes in walk(table.rules):
        wdl, distance = table.probe_many(hashes)
        values = wdl.astype(int) * 256 + distance
        for start in range(0, len(hashes), _PART):
            part = slice(start, start + _PART)
            pairs = zip(hashes[part].tolist(), values[part].tolist(), strict=True)
            connection.executemany("INSERT INTO positions VALUES (?, ?)", pairs)
    connection.commit()
    connection.close()


def probe_rows(path: Path, hashes: Sequence[int]) -> list[int]:
    """Return the values of some positions, with one query for each."""
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)
    found = [connection.execute("SELECT value FROM positions WHERE hash = ?", (h,)).fetchone()[0] for h in hashes]
    connection.close()
    return found
