"""A position and its reflections and rotations have the same value."""

import pytest

from solver.check.sample_check import draw
from solver.game.games import parse_game
from solver.game.position import Position
from solver.store.schema import METRICS, Metric
from solver.tablebase import open_tablebase
from tests.commands import TableFile


@pytest.mark.sampled
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    "game",
    [
        *("3,3,3", "3,4,3,misere", "4,4,4", "4,4,3,exact,torus", "4,4,4,gravity", "4,4,4,gravity,torus", "3,6,4"),
        pytest.param("4,5,4", marks=pytest.mark.slow),
    ],
)
def test_images_have_the_same_value(game: str, metric: Metric, table_file: TableFile) -> None:
    rules = parse_game(game)
    symmetries = sorted({*rules.board_symmetries.elements, *rules.symmetries.elements})[:64]
    assert len(symmetries) > 1
    with open_tablebase(table_file(game, metric)) as table:
        for stones in draw(rules, 60, seed=6):
            position = Position(rules, *stones)
            images = [position.transform(symmetry) for symmetry in symmetries]
            assert {table.probe(image) for image in images} == {table.probe(position)}, position.board
            wdl, distance = table.probe_many([image.hash for image in images])
            assert len(set(zip(wdl.tolist(), distance.tolist(), strict=True))) == 1, position.board
