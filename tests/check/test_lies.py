"""A table that lies consistently, with right checksums and a right digest, is found by the check alone."""

from pathlib import Path

import pytest

from solver.check import check_table
from solver.game.games import parse_game
from solver.game.position import Position
from solver.search.truth import open_tablebase
from tests.check.tables import Copy, TableFile, execute, page_of, put_digest, put_page


def swap_pages(path: Path, _: TableFile) -> None:
    """Swap two pages of the same size."""
    rules = parse_game("4,4,3")
    first, second = (page_of(path, rules, "distance", key) for key in (1, 2))
    put_page(path, 1, second)
    put_page(path, 2, first)
    put_digest(path, rules, "distance")


def put_pages_of_another_game(path: Path, table_file: TableFile) -> None:
    """Put the pages of another game on the same board."""
    other = str(table_file("4,4,4,misere"))
    for key, data in execute(Path(other), "SELECT key, data FROM pages"):
        execute(path, "UPDATE pages SET data = ? WHERE key = ?", data, key)
    put_digest(path, parse_game("4,4,3"), "distance")


def put_root(path: Path, _: TableFile) -> None:
    """Claim another value of the empty board."""
    execute(path, "UPDATE meta SET value = -1 WHERE key = 'root_wdl'")


@pytest.mark.parametrize("lie", [swap_pages, put_pages_of_another_game, put_root])
def test_a_consistent_lie_is_found(lie: object, table_file: TableFile, copy: Copy) -> None:
    path = copy(table_file("4,4,3"))
    assert callable(lie)
    lie(path, table_file)
    with open_tablebase(path) as table:
        table.probe(Position.start(table.rules))  # which trusts the values
    assert check_table(path).problems
