"""Faults of `plies`, of `meta`, and of the file itself."""

from pathlib import Path

import pytest

from solver.check import check_table
from solver.errors import DamagedTable, MissingTable, UnsupportedTable
from solver.store.writer import SQLITE_PAGE_BYTES
from tests.check.tables import Copy, TableFile, execute, only_problem

GAMES = ["3,3,3", "4,4,3", "4,4,3,gravity"]
COLUMNS = ["positions", "canonical", "won", "drawn", "lost", "terminal", "longest"]
FAULTS = {
    **{
        f"UPDATE plies SET {column} = {column} + 1 WHERE ply = 6": f"At ply 6 the table plies says {column} = "
        for column in COLUMNS
    },
    "DELETE FROM plies WHERE ply = 4": "The table plies has rows for ",
    "UPDATE plies SET ply = 99 WHERE ply = 4": "The table plies has rows for ",
    **{
        f"UPDATE meta SET value = '{wrong}' WHERE key = '{key}'": f"The meta of the table says {key} = {wrong}, but "
        for key, wrong in {"positions": 5, "canonical": 5, "root_wdl": -1, "root_distance": 2}.items()
    },
    f"UPDATE meta SET value = '{'0' * 64}' WHERE key = 'digest'": "The digest of the values is ",
}


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("statement", "problem"), FAULTS.items())
def test_wrong_statistics_are_found(game: str, statement: str, problem: str, table_file: TableFile, copy: Copy) -> None:
    path = copy(table_file(game))
    execute(path, statement)
    assert only_problem(check_table(path)).startswith(problem)


def test_a_wrong_number_of_symmetries_is_found(table_file: TableFile, copy: Copy) -> None:
    path = copy(table_file("3,3,3"))
    execute(path, "UPDATE meta SET value = 3 WHERE key = 'symmetries'")
    assert only_problem(check_table(path)) == "The meta of the table says symmetries = 3, but it is 8."


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["3,3,3,maker", "3,3,3,x=b2"])
def test_a_table_whose_rules_are_deleted_is_wrong(game: str, table_file: TableFile, copy: Copy) -> None:
    path = copy(table_file(game))
    execute(path, "DELETE FROM meta WHERE key = 'rules'")
    assert only_problem(check_table(path)).startswith("The meta of the table lacks rules, ")


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["3,3,3", "4,4,3"])
def test_a_longest_distance_without_distances_is_wrong(game: str, table_file: TableFile, copy: Copy) -> None:
    path = copy(table_file(game, "wdl"))
    execute(path, "UPDATE plies SET longest = 1 WHERE ply = 5")
    assert only_problem(check_table(path)) == "At ply 5 the table plies says longest = 1, but it is None."


def test_a_file_without_a_table_is_refused(tmp_path: Path, table_file: TableFile, copy: Copy) -> None:
    with pytest.raises(MissingTable):
        check_table(tmp_path / "none.sqlite")
    (tmp_path / "text.sqlite").write_text("not a table")
    with pytest.raises(UnsupportedTable):
        check_table(tmp_path / "text.sqlite")
    path = copy(table_file("3,3,3"))
    execute(path, "DELETE FROM meta WHERE key = 'digest'")
    with pytest.raises(DamagedTable):
        check_table(path)


@pytest.mark.parametrize("game", ["3,3,3", "4,4,3"])
def test_damage_that_sqlite_finds_is_reported(game: str, table_file: TableFile, copy: Copy) -> None:
    path = copy(table_file(game))
    content = bytearray(path.read_bytes())
    content[-len(content) // 2 :] = bytes(len(content) // 2 + len(content) % 2)
    path.write_bytes(content)
    assert not check_table(path).ok


@pytest.mark.parametrize(
    ("game", "statement", "name"),
    [
        ("3,3,3", "DROP TABLE positions", "positions"),
        ("4,4,3", "DROP TABLE pages", "pages"),
        ("3,3,3", "DROP TABLE plies", "plies"),
        ("4,4,3", "ALTER TABLE plies RENAME longest TO furthest", "plies"),
    ],
)
def test_a_missing_sql_table_is_reported(
    game: str, statement: str, name: str, table_file: TableFile, copy: Copy
) -> None:
    path = copy(table_file(game))
    execute(path, statement)
    assert f"{name} is missing" in only_problem(check_table(path))
    assert only_problem(check_table(path, sample=1)) == only_problem(check_table(path))


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["3,3,3", "4,4,3"])
def test_a_table_may_have_more_indexes(game: str, table_file: TableFile, copy: Copy) -> None:
    path = copy(table_file(game))
    execute(path, "CREATE INDEX own ON plies (won)")
    assert check_table(path).ok


@pytest.mark.parametrize("game", ["3,3,3", "4,4,3"])
def test_a_fault_of_a_b_tree_that_changes_no_row_is_reported(game: str, table_file: TableFile, copy: Copy) -> None:
    path = copy(table_file(game))
    content = bytearray(path.read_bytes())
    content[SQLITE_PAGE_BYTES + 7] ^= 1  # on the second page: how many bytes are lost between its cells
    path.write_bytes(content)
    assert only_problem(check_table(path)).startswith("SQLite reports")
