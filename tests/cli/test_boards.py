"""Commands on boards that are not rectangles, and on games that cannot be drawn."""

import json
from pathlib import Path

import pytest

from tests.commands import TableFile, mnk

MAKER = "3,3,3,maker"


def test_a_position_without_coordinates_is_written_by_names(table_file: TableFile) -> None:
    folder = table_file("2x2x2,2").parent
    shown = mnk("query", "2x2x2,2", "start", "--data", folder).stdout
    assert "1a1 W3   1b1 W3" in shown
    assert "Type a square such as 1a1;" in mnk("play", "2x2x2,2", "--data", folder, typed="q\n").stdout


@pytest.mark.parametrize("game", ["affine,2", "clique,4,3", "hex,2", "2x2x2,2", MAKER])
def test_pictures_and_trees_of_any_board(game: str, table_file: TableFile) -> None:
    folder = table_file(game).parent
    assert mnk("draw", game, "start", "--data", folder).stdout.startswith("<svg")
    assert mnk("tree", game, "start", "--depth", "1", "--data", folder).exit_code == 0


def test_a_game_keeps_its_table_when_its_drawing_changes(tmp_path: Path) -> None:
    game = {"squares": ["a", "b", "c"], "lines": [["a", "b"], ["b", "c"]], "shape": "points"}
    files = [tmp_path / "bent.json", tmp_path / "again" / "bent.json"]
    files[1].parent.mkdir()
    for path, bend in zip(files, (0, 2), strict=True):
        path.write_text(json.dumps(game | {"points": [[0, 0], [2, bend], [4, 0]]}), encoding="utf-8")
    assert mnk("build", files[0], "--data", tmp_path).exit_code == 0
    assert mnk("build", files[1], "--data", tmp_path).stdout.startswith("Kept bent.")
    first, second = (mnk("draw", path, "start", "--data", tmp_path).stdout for path in files)
    assert first.startswith("<svg")
    assert second.startswith("<svg")
    assert first != second  # each file's own drawing
    assert "X wins in 3 plies" in mnk("query", files[1], "start", "--data", tmp_path).stdout.replace("to move ", "")


def test_descriptions_of_a_game_without_symmetry_and_of_a_misere_game(tmp_path: Path, table_file: TableFile) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps({"squares": 3, "x_lines": [["1"], ["2", "3"]], "o_lines": [["2"]]}))
    assert mnk("build", path, "--data", tmp_path).exit_code == 0
    assert "; the lines have no symmetry\n" in mnk("show", path, "--data", tmp_path).stdout
    lost = mnk("query", "clique,4,3,misere", "start", "--data", table_file("clique,4,3,misere").parent).stdout
    assert "whoever completes a triangle of their own edges loses\n" in lost
