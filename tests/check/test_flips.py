"""Single flipped bits of a file: each is found, or the content of every table and its structure are unchanged."""

import sqlite3
from pathlib import Path
from random import Random

import pytest

from solver.check import check_table
from solver.errors import TableError
from solver.game.position import reachable_positions
from solver.game.value import Value
from solver.search.truth import open_tablebase
from solver.store.reader import TableReader
from solver.store.sqlite import SqliteContent
from tests.check.tables import TableFile

PRAGMAS = ("application_id", "user_version", "encoding", "page_size", "page_count", "auto_vacuum")


def content_of(path: Path) -> list[object]:
    """Return the content of a file: the declarations of its tables, and all rows with the types of their values.

    Pages are decompressed, because some Zstandard frames with a flipped bit decode to the same bytes.
    """
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    try:
        declared = connection.execute("SELECT * FROM sqlite_master").fetchall()
        found: list[object] = [declared, [connection.execute(f"PRAGMA {name}").fetchall() for name in PRAGMAS]]
        for kind, name, *_ in declared:
            if kind == "table":
                found.append(connection.execute(f"PRAGMA table_xinfo({name})").fetchall())
                rows = connection.execute(f"SELECT * FROM {name} ORDER BY 1").fetchall()
                if name == "pages":
                    reader = TableReader(SqliteContent(path))
                    rows = [(key, reader.unpack(key, data)) for key, data in rows]
                found.append([[(type(value), value) for value in row] for row in rows])
        return found
    finally:
        connection.close()


def values_of(path: Path) -> list[Value] | None:
    """Return the value of every position of the first four plies; None if the table refuses to answer."""
    try:
        with open_tablebase(path) as table:
            return [table.probe(position) for position in reachable_positions(table.rules) if position.ply < 4]
    except TableError:
        return None


def is_found(path: Path) -> bool:
    """Return True if a check refuses the file or finds a problem."""
    try:
        return not check_table(path, threads=1).ok
    except TableError:
        return True


def flip_bits(table: Path, copy: Path, flips: int, seed: int) -> dict[str, int]:
    """Flip random bits of a table, one at a time; return how many a check finds, and how many are harmless."""
    right = table.read_bytes()
    content, values = content_of(table), values_of(table)
    counts = {"found": 0, "harmless": 0}
    for bit in Random(seed).sample(range(8 * len(right)), flips):
        wrong = bytearray(right)
        wrong[bit >> 3] ^= 1 << (bit & 7)
        copy.write_bytes(wrong)
        found = is_found(copy)
        assert found or content_of(copy) == content, f"bit {bit & 7} of byte {bit >> 3} changes the content of the file"
        assert values_of(copy) in (None, values), f"bit {bit & 7} of byte {bit >> 3} changes a value"
        counts["found" if found else "harmless"] += 1
    return counts


@pytest.mark.slow
@pytest.mark.parametrize(("game", "flips", "seed"), [("3,3,3", 1000, 1), ("4,4,4,gravity", 100, 2)])
def test_a_flipped_bit_is_found_or_harmless(
    game: str, flips: int, seed: int, table_file: TableFile, tmp_path: Path
) -> None:
    counts = flip_bits(table_file(game), tmp_path / "flipped.sqlite", flips, seed)
    print(f"\n{game}: {counts}")
    assert counts["found"] > flips // 4  # most of a small file is free space of its b-trees
