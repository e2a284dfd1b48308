"""The opening table of Connect Four, which is part of the package, against what others published."""

import json
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.value import Value
from solver.search.truth import Truth, open_tablebase
from solver.store.layout import layout_of
from solver.store.paths import SHIPPED, table_path
from solver.store.reader import TableReader
from solver.store.sqlite import SqliteContent
from tests.conftest import ROOT

RULES = parse_game("6,7,4,gravity")
PATH = table_path(SHIPPED, RULES)
PUBLISHED = json.loads((ROOT / "data" / "facts" / "connect4_boards.json").read_text())["bock_7x6_plies"]


@pytest.fixture(scope="module")
def table() -> Iterator[Truth]:
    with open_tablebase(PATH) as opened:
        yield opened


def test_the_first_player_wins_with_stone_41_in_the_middle(table: Truth) -> None:
    start = Position.start(RULES)
    assert table.probe(start) == Value(1, 41)
    # The values of the first moves are on Tromp's page: the middle wins, its neighbours draw, the others lose.
    assert {move % 7: value.wdl for move, value in table.moves(start)} == {0: -1, 1: -1, 2: 0, 3: 1, 4: 0, 5: -1, 6: -1}


def test_the_counts_by_ply_are_those_of_bock(table: Truth) -> None:
    rows = table.table.plies()
    assert [row["ply"] for row in rows] == list(range(13))
    for row, published in zip(rows, PUBLISHED, strict=False):
        mine, theirs = ("won", "lost") if published["ply"] % 2 == 0 else ("lost", "won")
        assert (row[mine], row["drawn"], row[theirs]) == (published["won"], published["drawn"], published["lost"])
        assert row["terminal"] == published["terminal"]


def test_the_pages_hold_as_many_wins_and_losses_as_bock_counted() -> None:
    """Count the bits themselves, one page of each pair of mirror images."""
    layout, source = layout_of(RULES, "distance"), SqliteContent(PATH)
    reader = TableReader(source, RULES)
    found = np.zeros((13, 2), dtype=np.int64)
    keys = source.keys()
    for key in keys:
        size, images = layout.page_size(key), len({layout.images.image(key, (element,)) for element in (0, 1)})
        planes = np.frombuffer(reader.page(key), dtype=np.uint8).reshape(1 + size.digits, size.plane_bytes)
        decided = np.bitwise_or.reduce(planes[1:])
        by_o = int(np.bitwise_count(decided & planes[0]).sum())
        found[key.bit_count()] += images * np.array([int(np.bitwise_count(decided).sum()) - by_o, by_o])
    reader.close()
    for row in PUBLISHED[:13]:
        by_x, by_o = int(found[row["ply"], 0]), int(found[row["ply"], 1])
        over = np.array([row["terminal"], 0] if row["ply"] % 2 else [0, row["terminal"]])
        assert (by_x, by_o) == tuple(np.array([row["won"], row["lost"]]) - over), row["ply"]


@pytest.mark.slow
def test_the_8_ply_data_set_has_as_many_wins_draws_and_losses_as_tromp_found(table: Truth) -> None:
    """The set of the UCI repository: 8 plies, one of each mirrored pair, and nobody can complete a line next."""
    level = {Position.start(RULES)}
    for _ in range(8):
        level = {position.play(move).canonical() for position in level for move in position.legal_moves}
    quiet = [position for position in level if not any(wins(position, move) for move in position.legal_moves)]
    found = Counter(table.probe(position).wdl for position in quiet if not position.is_over)
    assert found == {1: 44473, 0: 6449, -1: 16635}


def wins(position: Position, move: int) -> bool:
    """Return whether a stone of either side on a square completes a line."""
    sides = (position.own | 1 << move, position.other | 1 << move)
    return any(line.mask & stones == line.mask for line in RULES.x_lines if line.mask >> move & 1 for stones in sides)
