"""Checks of samples of positions."""

from pathlib import Path

import pytest

from solver.check import check_table
from solver.store.schema import METRICS, Metric
from tests.check.tables import Copy, TableFile, execute, only_problem


@pytest.mark.sampled
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("game", ["3,5,3,exact", "4,4,4", "4,4,4,gravity,misere"])
def test_a_sample_of_a_right_table_passes(game: str, metric: Metric, table_file: TableFile) -> None:
    report = check_table(table_file(game, metric), sample=200)
    assert report.problems == ()
    assert report.digest is None
    assert report.positions == 201  # and the empty board
    assert report.successors > 200


def test_the_seed_chooses_the_sample(table_file: TableFile) -> None:
    path = table_file("4,4,4")
    first, again, other = (check_table(path, sample=100, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first.successors != other.successors


def test_a_sample_finds_wrong_values(mislabelled: Path) -> None:
    problems = check_table(mislabelled, sample=100).problems
    assert any("by the values one move later, but the table says" in problem for problem in problems)


def test_a_sample_reads_only_the_pages_it_needs(table_file: TableFile, copy: Copy) -> None:
    path = copy(table_file("4,4,4"))
    execute(path, "UPDATE pages SET data = x'' WHERE key <> 0 AND key & (key - 1) <> 0")
    assert check_table(path, sample=0).ok  # the empty board leads to pages of one stone
    problems = check_table(path, sample=100).problems
    assert all(" can't be checked: " in problem for problem in problems)
    assert problems


def test_a_sample_compares_counts(table_file: TableFile, copy: Copy) -> None:
    path = copy(table_file("4,4,4"))
    execute(path, "UPDATE plies SET terminal = 1 WHERE ply = 2")
    problem = only_problem(check_table(path, sample=10))
    assert problem == "At ply 2 the table plies says terminal = 1, but it is 0."


def test_a_table_of_rows_is_checked_as_a_whole(table_file: TableFile) -> None:
    path = table_file("3,3,3")
    assert check_table(path, sample=1) == check_table(path)
