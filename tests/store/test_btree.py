"""Rows written directly into a file, compared with those that SQLite inserts."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from solver.store import btree
from solver.store.btree import BATCH, gather_rows, insert_blobs

Row = tuple[int, bytes]


def new_file(path: Path, page_bytes: int) -> Path:
    """Make a file with two empty tables."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA page_size = {page_bytes}")
        connection.execute("CREATE TABLE pages (key INTEGER PRIMARY KEY, data BLOB)")
        connection.execute("CREATE TABLE notes (note TEXT)")
    return path


def read(path: Path) -> tuple[list[Row], list[str]]:
    """Return the rows that SQLite reads from a file, and the faults that it finds."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT key, data FROM pages ORDER BY key").fetchall()
        return rows, [fault for (fault,) in connection.execute("PRAGMA integrity_check")]


def draw(count: int, longest: int, seed: int = 0) -> list[Row]:
    """Draw rows with keys of many lengths and blobs of up to `longest` bytes."""
    chance = random.Random(seed)
    keys = {chance.getrandbits(chance.randrange(1, 57)) for _ in range(count)}
    return [(key, chance.randbytes(chance.randrange(longest + 1))) for key in sorted(keys)]


@pytest.mark.parametrize("page_bytes", [512, 16384, 65536])
@pytest.mark.parametrize(("count", "share"), [(0, 0), (1, 9), (300, 0.01), (1000, 0.4), (40, 1.1), (30, 6.5)])
def test_sqlite_reads_the_rows(tmp_path: Path, page_bytes: int, count: int, share: float) -> None:
    rows = draw(count, int(share * page_bytes))
    path = new_file(tmp_path / "t", page_bytes)
    assert insert_blobs(path, "pages", gather_rows(rows)) == len(rows)
    assert read(path) == (rows, ["ok"])
    with closing(sqlite3.connect(path)) as connection:
        for key, blob in rows[:: max(len(rows) // 9, 1)]:
            assert connection.execute("SELECT data FROM pages WHERE key = ?", (key,)).fetchone() == (blob,)


def test_three_levels_in_batches(tmp_path: Path) -> None:
    rows = [(key, key.to_bytes(400, "big")) for key in range(0, 60_000, 4)]
    assert sum(len(blob) for _, blob in rows) > BATCH
    path = new_file(tmp_path / "t", 512)
    insert_blobs(path, "pages", gather_rows(rows))
    assert read(path) == (rows, ["ok"])


def test_the_file_is_as_large_as_one_filled_by_sqlite(tmp_path: Path) -> None:
    rows = draw(3000, 3000)
    path, other = (new_file(tmp_path / name, 16384) for name in "ab")
    insert_blobs(path, "pages", gather_rows(rows))
    with closing(sqlite3.connect(other)) as connection:
        connection.executemany("INSERT INTO pages VALUES (?, ?)", rows)
        connection.commit()
    assert abs(path.stat().st_size - other.stat().st_size) <= 2 * 16384


def test_the_file_can_grow_afterwards(tmp_path: Path) -> None:
    rows = draw(500, 900)
    path = new_file(tmp_path / "t", 512)
    insert_blobs(path, "pages", gather_rows(rows))
    with closing(sqlite3.connect(path)) as connection:
        connection.executemany("INSERT INTO notes VALUES (?)", [("x" * 300,)] * 100)
        connection.execute("INSERT INTO pages VALUES (?, ?)", (1 << 60, b"later"))
        connection.commit()
    assert read(path) == ([*rows, (1 << 60, b"later")], ["ok"])


def test_a_table_is_filled_once(tmp_path: Path) -> None:
    path = new_file(tmp_path / "t", 512)
    insert_blobs(path, "pages", gather_rows([(1, b"one")]))
    with pytest.raises(ValueError, match="pages is not empty"):
        insert_blobs(path, "pages", gather_rows([(2, b"two")]))


@pytest.mark.parametrize("longest", [400, 2000])
@pytest.mark.parametrize("lock", range(4, 40, 5))
def test_the_lock_page_stays_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, longest: int, lock: int) -> None:
    """SQLite never uses the page with byte 2**30. Here that page is another one, so SQLite reports it as unused."""
    monkeypatch.setattr(btree, "_LOCK_BYTE", lock * 512)
    rows = draw(100, longest)
    path = new_file(tmp_path / "t", 512)
    insert_blobs(path, "pages", gather_rows(rows))
    assert path.read_bytes()[lock * 512 :][:512] == bytes(512)
    found, faults = read(path)
    assert (found, [fault.splitlines()[-1] for fault in faults]) == (rows, [f"Page {lock + 1} is never used"])
