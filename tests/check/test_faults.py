"""Faults of rows, pages, statistics and the file itself, each by a statement that a writer would not execute."""

import pytest

from solver.check import check_table
from solver.check.check_report import MOST_PROBLEMS
from solver.store.schema import Metric
from solver.store.writer import SQLITE_PAGE_BYTES
from tests.check.tables import Copy, TableFile, execute, flipped, only_problem

CENTRE = "The row of the position .../.X./... "
DRAW = "The position .../.X./... is a draw"
PLIES = "UPDATE plies SET {0} = {0} + 1 WHERE ply = 6"
Fault = tuple[str, Metric, str, str]

FAULTS_AFTER_READING: list[Fault] = [
    *(
        ("3,3,3", "distance", f"UPDATE positions SET {column} = {value} WHERE hash = 81", f"{DRAW} in 8 by ")
        for column in ("wdl", "distance")
        for value in ("99", "-2", "1", "NULL", "'text'", "x'626c6f62'", "0.5")
    ),
    ("3,3,3", "wdl", "UPDATE positions SET distance = 8 WHERE hash = 81", f"{DRAW} by "),
    *(
        ("3,3,3", "distance", f"UPDATE positions SET {column} = {wrong!r} WHERE hash = 81",
         f"{CENTRE}says {column} = {wrong!r} instead of {right!r}.")
        for column, wrong, right in (
            ("board", "X../.../...", ".../.X./..."), ("ply", 3, 1), ("to_move", "X", "O"),
            ("best_moves", "a1", "a1 c1 a3 c3"), ("canonical", 7, 81),
        )
    ),
    *(
        ("4,4,4", "distance", f"INSERT INTO pages VALUES ({key}, x'')",
         f"There is a page {key}, but no page of this game has that key.")
        for key in (-1, 1 << 13, 15, (1 << 16) - 1, 1 << 40)
    ),
    *(
        (game, "distance", *fault)
        for game in ("3,3,3", "4,4,3", "4,4,3,gravity")
        for fault in (
            *(
                (PLIES.format(column), f"At ply 6 the table plies says {column} = ")
                for column in ("positions", "canonical", "won", "drawn", "lost", "terminal", "longest")
            ),
            *(
                (f"UPDATE meta SET value = {wrong} WHERE key = '{key}'", f"The meta of the table says {key} = {wrong},")
                for key, wrong in (("positions", 5), ("canonical", 5), ("root_wdl", -1), ("root_distance", 2))
            ),
            (f"UPDATE meta SET value = '{'0' * 32}' WHERE key = 'digest'", "The digest of the values is "),
        )
    ),
    ("3,3,3", "distance", "UPDATE meta SET value = '00000000' WHERE key = 'checksum'",
     "The meta of the table says checksum = 00000000, but it is "),
    ("3,3,3", "distance", "UPDATE meta SET value = 3 WHERE key = 'symmetries'",
     "The meta of the table says symmetries = 3, but it is 8."),
    *(
        (game, "distance", "DELETE FROM meta WHERE key = 'rules'", "The meta of the table has no rules, ")
        for game in ("3,3,3,maker", "3,3,3,x=b2")
    ),
    *(
        (game, "wdl", "UPDATE plies SET longest = 1 WHERE ply = 5",
         "At ply 5 the table plies says longest = 1, but it is None.")
        for game in ("3,3,3", "4,4,3")
    ),
]  # fmt: skip
FAULTS_BEFORE_READING: list[Fault] = [
    ("3,3,3", "distance", "DELETE FROM positions WHERE hash = 81", "The position .../.X./... (hash 81) has no row."),
    *(
        ("4,4,4", "distance", f"{statement} WHERE key = 3", f"The page 3 (X on a1 b1) can't be read: it {reason}.")
        for statement, reason in (
            ("UPDATE pages SET data = x''", "can't be decompressed"),
            ("UPDATE pages SET data = x'73686f7274'", "can't be decompressed"), ("DELETE FROM pages", "is missing"),
            ("UPDATE pages SET data = NULL", "is missing"), ("UPDATE pages SET data = 'text'", "is not a blob"),
            ("UPDATE pages SET data = 7", "is not a blob"),
        )
    ),
]  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("fault", "is_read"),
    [*((fault, True) for fault in FAULTS_AFTER_READING), *((fault, False) for fault in FAULTS_BEFORE_READING)],
)
def test_a_fault_is_the_only_problem(fault: Fault, is_read: bool, table_file: TableFile, copy: Copy) -> None:
    game, metric, statement, problem = fault
    path = copy(table_file(game, metric))
    execute(path, statement)
    report = check_table(path)
    assert only_problem(report).startswith(problem)
    assert (report.digest is not None) == is_read


@pytest.mark.parametrize("number", [2, 3**9 - 1, 3**9, -1])
def test_a_row_of_no_position_is_found(number: int, table_file: TableFile, copy: Copy) -> None:
    path = copy(table_file("3,3,3"))
    execute(path, f"INSERT INTO positions VALUES ({number}, '', 0, 'X', 0, 0, '', 0)")
    assert only_problem(check_table(path)) == f"The position with the hash {number} has a row, but can't arise in play."


def test_at_most_ten_problems_are_listed(table_file: TableFile, copy: Copy) -> None:
    path = copy(table_file("4,4,4"))
    execute(path, "DELETE FROM pages WHERE key > 3")
    assert len(check_table(path).problems) == MOST_PROBLEMS


@pytest.mark.parametrize("game", ["3,3,3", "4,4,3"])
def test_damage_that_sqlite_finds_is_reported(game: str, table_file: TableFile, copy: Copy) -> None:
    path = copy(table_file(game))
    execute(path, "CREATE INDEX own ON plies (won)")  # which a table may have
    assert check_table(path).ok
    content = path.read_bytes()
    # On the second page, how many bytes are lost between its cells: a fault of a b-tree that changes no row.
    path.write_bytes(flipped(content, 8 * (SQLITE_PAGE_BYTES + 7)))
    assert only_problem(check_table(path)).startswith("SQLite reports")
    path.write_bytes(content[: len(content) // 2] + bytes(len(content) - len(content) // 2))
    assert not check_table(path).ok


@pytest.mark.parametrize(
    ("game", "statement", "table"),
    [
        ("3,3,3", "DROP TABLE positions", "no such table: positions"), ("4,4,3", "DROP TABLE pages", "table: pages"),
    ],
)  # fmt: skip
def test_a_table_without_values_is_a_problem(
    game: str, statement: str, table: str, table_file: TableFile, copy: Copy
) -> None:
    path = copy(table_file(game))
    execute(path, statement)
    assert table in only_problem(check_table(path))
