"""Files made to harm are refused in one sentence, after little work."""

import resource
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from solver.errors import DamagedTable
from solver.game.position import Position
from solver.search.truth import open_tablebase
from solver.store import schema, untrusted
from solver.store.untrusted import FileFault, UntrustedFile
from tests.commands import assert_refused, mnk
from tests.slow_build import slow_build

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
ROWS = f"{ENDLESS} SELECT i FROM n LIMIT"  # and a number of rows

FACT = "UPDATE meta SET value = {} WHERE key = '{}'"
OTHER_GAME = FACT.format("'other.0123456789ab'", "game")  # whose rules are read from the file

HARMFUL = {
    "an endless view": (
        "DROP TABLE meta",
        f"CREATE VIEW meta AS {ENDLESS} SELECT 'key' || i AS key, '' AS value FROM n",
    ),
    "a view of large blobs": ("DROP TABLE pages", "CREATE VIEW pages AS SELECT 0 AS key, zeroblob(900000000) AS data"),
    "a virtual table": ("CREATE VIRTUAL TABLE other USING fts5(word)",),
    "a trigger": ("CREATE TRIGGER own AFTER INSERT ON plies BEGIN SELECT 1; END",),
    "a computed column": (
        "DROP TABLE pages",
        "CREATE TABLE pages (key INTEGER PRIMARY KEY, data BLOB AS (zeroblob(key)))",
    ),
    "another type": ("DROP TABLE meta", "CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER)"),
    "many facts": (f"INSERT INTO meta SELECT 'k' || i, '' FROM ({ROWS} 300000)",),
    "a long fact": ("INSERT INTO meta VALUES ('k', zeroblob(150000000))",),
    "long facts": (f"INSERT INTO meta SELECT 'k' || i, printf('%.*c', 2000000, 'x') FROM ({ROWS} 15)",),
    "a blob as a fact": (FACT.format("zeroblob(1000)", "rules"),),
    "deep rules": (OTHER_GAME, FACT.format("printf('{%.*c', 1000000, '[')", "rules")),
    "long numbers": (OTHER_GAME, FACT.format("printf('{\"squares\":%.*c}', 1000000, '1')", "rules")),
    "many plies": (f"INSERT INTO plies SELECT i + 16, 0, 0, 0, 0, 0, 0, 0 FROM ({ROWS} 300000)",),
    "blobs as numbers": ("UPDATE plies SET won = zeroblob(150000000) WHERE ply = 3",),
    "many columns": ("CREATE TABLE own (" + ", ".join(f"c{i}" for i in range(500)) + ")",),
    "a long declaration": ("CREATE TABLE own (a DEFAULT '" + "x" * 100_000 + "')",),
    "a deep declaration": (f"CREATE TABLE own (a CHECK ({'+'.join('a' * 400)}))",),
    "many tables": tuple(f"CREATE TABLE own{i} (a)" for i in range(3000)),
}


# Opens tables in copies of this process, and prints how many megabytes more each needed than a valid table.
OPEN = """\
import os, resource, sys
from pathlib import Path
from solver.errors import TableError
from solver.search.truth import open_tablebase
def used():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
open_tablebase(sys.argv[1]).close()
for path in sys.argv[2:]:
    if not os.fork():
        before = used()
        resource.setrlimit(resource.RLIMIT_CPU, (5, 5))
        try:
            open_tablebase(path)
        except TableError as error:
            print(used() - before, len(str(error)), flush=True)
        os._exit(0)
    os.wait()
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a valid table of 3,3,3 as pages."""
    return slow_build("3,3,3", tmp_path_factory.mktemp("pages"), storage="pages").read_bytes()


@pytest.fixture
def table(tmp_path: Path, pages: bytes) -> Path:
    path = tmp_path / "mnk-3-3-3.sqlite"
    path.write_bytes(pages)
    return path


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        for statement in statements:
            connection.execute(statement)
        connection.commit()


@pytest.fixture(scope="module")
def harmful(tmp_path_factory: pytest.TempPathFactory, pages: bytes) -> dict[str, tuple[Path, str]]:
    """A table for each harm, and what opening it printed."""
    valid, tables = tmp_path_factory.mktemp("valid") / "valid.sqlite", dict[str, Path]()
    valid.write_bytes(pages)
    for harm, statements in HARMFUL.items():
        tables[harm] = tmp_path_factory.mktemp("harmful") / "mnk-3-3-3.sqlite"
        tables[harm].write_bytes(pages)
        change(tables[harm], *statements)
    command = [sys.executable, "-c", OPEN, *map(str, (valid, *tables.values()))]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return {harm: (table, line) for (harm, table), line in zip(tables.items(), lines, strict=True)}


@pytest.mark.parametrize("harm", HARMFUL)
def test_a_harmful_table_is_refused_with_little_memory(harm: str, harmful: dict[str, tuple[Path, str]]) -> None:
    table, line = harmful[harm]
    megabytes, length = map(int, line.split())
    assert megabytes < 100
    assert length < 500 + len(str(table))
    assert_refused(mnk("query", "3,3,3", "start", "--data", table.parent), 4)


def test_a_page_too_large_for_the_game_is_refused_before_it_is_read(table: Path) -> None:
    change(table, "UPDATE pages SET data = zeroblob(150000000) WHERE key = 0")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with open_tablebase(table) as opened, pytest.raises(DamagedTable, match="too big"):
        opened.probe(Position.start(opened.rules))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 << 10


def test_a_statement_that_reads_too_much_is_stopped(table: Path) -> None:
    with closing(UntrustedFile(table, schema.COLUMNS, FileFault, schema.STORAGES)) as file:
        with pytest.raises(FileFault, match="takes too long"):
            file.rows(f"{ENDLESS} SELECT max(i) FROM n", 1)
        assert file.rows("SELECT count(*) FROM plies", 1) == [(10,)]
        with pytest.raises(FileFault, match="more rows"):
            file.rows("SELECT ply FROM plies", 9)
        with pytest.raises(FileFault, match="longer ones"):
            file.rows("SELECT data FROM pages", 1000, 10)


def test_a_tree_of_pages_that_contains_itself_is_not_read_for_ever(table: Path) -> None:
    change(table, f"INSERT INTO plies SELECT i + 16, 0, 0, 0, 0, 0, 0, 0 FROM ({ROWS} 9000)")
    with closing(sqlite3.connect(table)) as connection:
        ((root, size),) = connection.execute(
            "SELECT rootpage, page_size FROM sqlite_master, pragma_page_size WHERE name = 'plies'"
        )
    content = bytearray(table.read_bytes())
    at = (root - 1) * size
    assert content[at] == 5  # an interior page: each child that follows becomes the page itself
    for cell in range(int.from_bytes(content[at + 3 : at + 5], "big") - 1):
        place = at + int.from_bytes(content[at + 12 + 2 * cell : at + 14 + 2 * cell], "big")
        content[place : place + 4] = root.to_bytes(4, "big")
    table.write_bytes(content)
    with pytest.raises(DamagedTable):
        open_tablebase(table)
    assert_refused(mnk("check", "3,3,3", "--data", table.parent), 4)


def test_the_file_of_another_format_is_opened_by_its_declarations(tmp_path: Path) -> None:
    path = tmp_path / "strategy"
    change(
        path,
        "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)",
        "CREATE TABLE moves (position INTEGER PRIMARY KEY)",
    )
    declared: dict[str, untrusted.Columns] = {"meta": {"key": str, "value": str}, "moves": {"position": int}}
    with closing(UntrustedFile(path, declared, FileFault)) as file:
        assert file.rows("SELECT key, value FROM meta", untrusted.VALUE_BYTES) == []
    with pytest.raises(FileFault, match="the table moves is missing, or its declaration differs"):
        UntrustedFile(path, {**declared, "moves": {"position": str}}, FileFault)
