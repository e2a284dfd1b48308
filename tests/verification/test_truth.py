"""The truth: a table, or a small game solved in memory."""

from pathlib import Path

import pytest

from solver.errors import MissingTable
from solver.game.games import parse_game
from solver.tablebase import open_tablebase
from solver.verification.positions import count_plies, live_positions
from solver.verification.truth import InMemoryTable, open_truth
from tests.commands import TableFile
from tests.verification.fakes import THREE, solved

VARIANTS = ["3,3,3", "3,3,3,gravity", "3,3,3,misere", "2,4,2,exact", "3,3,3,torus", "1,7,3", "2,2,3"]


@pytest.mark.sampled
@pytest.mark.parametrize("game", VARIANTS)
def test_what_is_solved_in_memory_agrees_with_the_table(game: str, table_file: TableFile) -> None:
    rules = parse_game(game)
    with open_tablebase(table_file(game)) as table:
        truth = InMemoryTable(rules)
        for position in live_positions(rules):
            assert truth.probe(position) == table.probe(position)
        assert count_plies(rules, table) == count_plies(rules, None)


def test_a_small_game_needs_no_table_and_a_large_one_says_what_builds_it(tmp_path: Path) -> None:
    assert isinstance(open_truth(THREE, tmp_path), InMemoryTable)
    with pytest.raises(MissingTable, match="mnk build 4,4,4"):
        open_truth(parse_game("4,4,4"), tmp_path)


def test_open_tables_are_taken_as_they_are() -> None:
    assert open_truth(THREE, solved()) is solved()
