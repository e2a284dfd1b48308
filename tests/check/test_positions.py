"""Faults of rows."""

import pytest

from solver.check import check_table
from solver.game.games import parse_game
from solver.game.position import Position
from solver.store.schema import METRICS, POSITIONS_COLUMNS, Metric
from tests.check.tables import Copy, TableFile, execute, only_problem


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("column", "value"),
    [("board", "X../.../..."), ("ply", 3), ("to_move", "X"), ("best_moves", "a1"), ("canonical", 7)],
)
def test_a_wrong_column_is_found(column: str, value: object, table_file: TableFile, copy: Copy) -> None:
    path = copy(table_file("3,3,3"))
    execute(path, f"UPDATE positions SET {column} = ? WHERE hash = 81", value)
    ((right,),) = execute(table_file("3,3,3"), f"SELECT {column} FROM positions WHERE hash = 81")
    problem = only_problem(check_table(path))
    assert problem == f"The row of the position .../.X./... says {column} = {value!r} instead of {right!r}."


@pytest.mark.parametrize("metric", METRICS)
def test_a_wrong_value_is_found(metric: Metric, table_file: TableFile, copy: Copy) -> None:
    path = copy(table_file("3,3,3", metric))
    number = Position.parse(parse_game("3,3,3"), "XX./OO./...").hash
    execute(path, "UPDATE positions SET wdl = -1 WHERE hash = ?", number)
    report = check_table(path)
    distance = 1 if metric == "distance" else None
    expected = "win in 1" if distance else "win"
    assert (
        f"The position XX./OO./... is a {expected} by the values one move later, "
        f"but the table says wdl = -1, distance = {distance}." in report.problems
    )
    assert any("digest" in problem for problem in report.problems)


def test_a_wrong_distance_of_a_draw_is_found(table_file: TableFile, copy: Copy) -> None:
    path = copy(table_file("3,3,3"))
    execute(path, "UPDATE positions SET distance = 7 WHERE hash = 81")
    start = "The position .../.X./... is a draw in 8 by the values one move later"
    assert any(problem.startswith(start) for problem in check_table(path).problems)


@pytest.mark.sampled
@pytest.mark.parametrize("column", ["wdl", "distance"])
@pytest.mark.parametrize("value", [99, -2, None, "text", b"blob", 0.5])
def test_values_that_make_no_sense_are_found(column: str, value: object, table_file: TableFile, copy: Copy) -> None:
    path = copy(table_file("3,3,3"))
    execute(path, f"UPDATE positions SET {column} = ? WHERE hash = 81", value)
    report = check_table(path)
    assert only_problem(report).startswith("The row of the position .../.X./... makes no sense: ")
    assert report.digest is None


def test_a_distance_in_a_table_without_distances_is_found(table_file: TableFile, copy: Copy) -> None:
    path = copy(table_file("3,3,3", "wdl"))
    execute(path, "UPDATE positions SET distance = 8 WHERE hash = 81")
    assert "makes no sense" in only_problem(check_table(path))


def test_a_missing_row_is_found(table_file: TableFile, copy: Copy) -> None:
    path = copy(table_file("3,3,3"))
    execute(path, "DELETE FROM positions WHERE hash = 81")
    assert only_problem(check_table(path)) == "The position .../.X./... (hash 81) has no row."


@pytest.mark.sampled
@pytest.mark.parametrize("number", [2, 3**9 - 1, 3**9, -1])
def test_a_surplus_row_is_found(number: int, table_file: TableFile, copy: Copy) -> None:
    path = copy(table_file("3,3,3"))
    marks = ", ".join("?" * len(POSITIONS_COLUMNS))
    execute(path, f"INSERT INTO positions VALUES ({marks})", number, "", 0, "X", 0, 0, "", 0)
    report = check_table(path)
    assert any(f"(hash {number}) has a row, but can't arise in play." in problem for problem in report.problems)
