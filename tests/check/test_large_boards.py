"""Boards of more than 25 squares: built, checked in every way, and probed."""

from pathlib import Path

import numpy as np
import pytest
from pyarrow.parquet import read_table

from solver.check import check_table
from solver.check.sample_check import draw, search_table
from solver.export.table import export_table
from solver.game.base3 import encode
from solver.game.position import Position
from solver.search.truth import open_tablebase
from solver.store.layout import layout_of
from solver.store.writer import TableWriter
from tests.check.tables import TableFile
from tests.slow_build import oracle, plies, root_meta
from tests.small_games import slow_games

# On a torus two in a row leave few sets of stones without a line, and those have many images.
GAMES = ["2,13,1", *slow_games("2,13,2,torus", "3,9,2,misere,torus")]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_large_board_is_right(game: str, table_file: TableFile, tmp_path: Path) -> None:
    path = table_file(game, "wdl")
    report = check_table(path)
    assert report.problems == ()
    assert check_table(path, sample=20).problems == ()
    with open_tablebase(path) as table:
        searched = search_table(table.table, 20, nodes=100_000)
        assert searched.problems == ()
        assert searched.counts["agree"] == searched.counts.total()
        assert report.digest == table.table.meta["digest"]
        positions = [Position(table.rules, *stones) for stones in draw(table.rules, 20, seed=1)]
        wdl, distance = table.table.probe_many(np.array([encode(position.x, position.o) for position in positions]))
        assert wdl.tolist() == [table.probe_wdl(position) for position in positions]
        assert set(distance.tolist()) == {-1}
        exported = tmp_path / "positions.parquet"
        count = export_table(table.table, exported, plies=(0, 2))
        hashes = read_table(exported)["hash"].to_numpy()
        assert hashes.size == count
        assert hashes.max() >= 3 ** (table.rules.squares - 1)


def test_the_largest_board(tmp_path: Path) -> None:
    known = oracle("6,6,1")
    positions = known.reachable()
    rows = plies(known, positions, "wdl")
    with TableWriter(tmp_path / known.rules.file_name, known.rules, "wdl") as writer:
        writer.put_plies(rows)
        writer.add_pages([(0, bytes(layout_of(known.rules, "wdl").page_size(0).raw_bytes))])
        canonical = sum(row["canonical"] or 0 for row in rows)
        path = writer.finish(root_meta(known, "wdl") | {"positions": len(positions), "canonical": canonical})
    assert check_table(path).problems == check_table(path, sample=10).problems == ()
    with open_tablebase(path) as table:
        assert search_table(table.table, 10).counts["agree"] == 1
        assert [table.probe_wdl(position) for position in positions] == [1] + 36 * [-1]
        assert table.table.probe_many([position.hash for position in positions])[0].tolist() == [1] + 36 * [-1]
