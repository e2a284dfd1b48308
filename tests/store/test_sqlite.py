"""Reading files, and refusing those that are not tables or are damaged."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from solver.errors import DamagedTable, MissingTable, TableError, UnsupportedTable
from solver.game.games import parse_game
from solver.search.truth import open_tablebase
from solver.store import schema
from solver.store.advice import missing_table
from solver.store.paths import build_command, default_folder, rebuild_command, table_path
from solver.store.sqlite import SqliteContent
from solver.store.writer import SQLITE_PAGE_BYTES
from tests.commands import mnk
from tests.slow_build import oracle, slow_build


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Callable[[schema.Storage], bytes]:
    """The bytes of a valid table of 3,3,3, as positions or as pages."""
    content = {
        storage: slow_build("3,3,3", tmp_path_factory.mktemp(storage), storage=storage).read_bytes()
        for storage in schema.STORAGES
    }
    return content.__getitem__


def test_missing_and_foreign_files_and_other_versions(tmp_path: Path) -> None:
    path = tmp_path / "mnk-3-3-3.sqlite"
    with pytest.raises(MissingTable, match=r"mnk build"):
        SqliteContent(path)
    for content in (b"", b"hello", b"SQLite format 3\0", os.urandom(5000)):
        path.write_bytes(content)
        with pytest.raises(UnsupportedTable, match="is not a tablebase"):
            SqliteContent(path)
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE other (a)")
    connection.close()
    with pytest.raises(UnsupportedTable, match="is not a tablebase"):
        SqliteContent(path)
    with pytest.raises(TableError, match="is not a file"):
        SqliteContent(tmp_path)
    other = slow_build("2,2,2", tmp_path)
    connection = sqlite3.connect(other)
    connection.execute("PRAGMA user_version = 7")
    connection.close()
    with pytest.raises(UnsupportedTable, match=r"format 7.*format 3"):
        SqliteContent(other)


@pytest.mark.parametrize("storage", schema.STORAGES)
def test_truncated_files_and_zeroed_blocks(
    tmp_path: Path, whole: Callable[[schema.Storage], bytes], storage: schema.Storage
) -> None:
    content, path, found = whole(storage), tmp_path / "mnk-3-3-3.sqlite", 0
    for length in (100, 5000, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:length])
        with pytest.raises(DamagedTable, match="cut off"):
            open_tablebase(path)
    for start in range(SQLITE_PAGE_BYTES, len(content), SQLITE_PAGE_BYTES):
        path.write_bytes(content[:start] + bytes(SQLITE_PAGE_BYTES) + content[start + SQLITE_PAGE_BYTES :])
        try:
            answer_everything(path)
        except DamagedTable:
            found += 1
    assert found >= 2


@pytest.mark.parametrize("storage", schema.STORAGES)
@pytest.mark.parametrize("replacement", ["", "CREATE VIEW {0} AS SELECT * FROM copy", "CREATE TABLE {0} (x)"])
def test_a_missing_table_or_a_view_in_its_place_is_refused_in_one_sentence(
    tmp_path: Path, whole: Callable[[schema.Storage], bytes], storage: schema.Storage, replacement: str
) -> None:
    path = tmp_path / "mnk-3-3-3.sqlite"
    for table in ("meta", "plies", *([storage] if replacement else [])):  # `mnk check` reports missing values
        path.write_bytes(whole(storage))
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(f"ALTER TABLE {table} RENAME TO copy")
            connection.execute(replacement.format(table))
            connection.commit()
        with pytest.raises(DamagedTable) as refused:
            open_tablebase(path)
        command = f"mnk build 3,3,3 --data {tmp_path} --force"
        assert str(refused.value).endswith(f"; build it again with `{command}`.")
        is_view = "VIEW" in replacement
        reason = f"'{table}' is a view" if is_view else f"the table {table} is missing, or its declaration differs"
        assert reason in str(refused.value)
        checked = mnk("check", "3,3,3", "--data", tmp_path)
        assert (checked.exit_code, checked.stdout) == (4, "")
        assert checked.stderr == f"Error: {refused.value}\n"


def answer_everything(path: Path) -> list[tuple[int, int | None]]:
    with open_tablebase(path) as table:
        return [table.probe(position) for position in oracle("3,3,3").reachable()]


# Paths


def test_the_command_that_builds_a_missing_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = parse_game("4,4,4,gravity")
    assert default_folder() == Path("data")
    assert build_command(rules, Path("data")) == "mnk build 4,4,4,gravity"
    assert build_command(rules, tmp_path) == f"mnk build 4,4,4,gravity --data {tmp_path}"
    assert build_command(rules, Path("/my tables")) == "mnk build 4,4,4,gravity --data '/my tables'"
    monkeypatch.setenv("MNK_DATA", str(tmp_path))
    assert default_folder() == tmp_path
    assert build_command(rules, tmp_path) == "mnk build 4,4,4,gravity"
    assert table_path(tmp_path, rules).name == "mnk-4-4-4-gravity.sqlite"
    missing = missing_table(rules, tmp_path)
    assert "`mnk build 4,4,4,gravity`" in str(missing)
    assert isinstance(missing, MissingTable)
    assert missing.build == "mnk build 4,4,4,gravity"


def test_the_command_that_replaces_a_table_names_its_game(tmp_path: Path) -> None:
    assert rebuild_command(Path("data/mnk-4-4-4-gravity.sqlite")) == "mnk build 4,4,4,gravity --force"
    assert rebuild_command(tmp_path / "mnk-3-3-3.sqlite") == f"mnk build 3,3,3 --data {tmp_path} --force"
    for name in ("theirs.sqlite", "mnk-3-3.sqlite", "mnk-3-3-3.db"):
        assert rebuild_command(tmp_path / name) == "mnk build --force"
