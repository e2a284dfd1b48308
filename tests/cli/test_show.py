"""`mnk show`: the statistics of a table, and rules as files that can be given in place of a name."""

import json
import re
from pathlib import Path

import pytest

from solver.game.game_files import read_file
from solver.game.games import parse_game
from tests.commands import TableFile, mnk


def test_stats_are_the_published_counts(table_file: TableFile) -> None:
    said = mnk("show", "3,3,3", "--data", table_file("3,3,3").parent).stdout
    assert "Value      a draw, when both sides play their best\n" in said
    assert "Positions  5,478, or 765 up to 8 symmetries of the board\n" in said
    rows = [line.replace(",", "").split() for line in said.splitlines() if re.match(r" +\d| *all", line)]
    # https://oeis.org/A008907 and the sums over it
    assert [row[1] for row in rows] == ["1", "9", "72", "252", "756", "1260", "1520", "1140", "390", "78", "5478"]
    assert [row[2] for row in rows] == ["1", "3", "12", "38", "108", "174", "204", "153", "57", "15", "765"]
    assert rows[-1] == ["all", "5478", "765", "2836", "1068", "1574", "958"]


def test_stats_of_an_opening_table_name_its_plies(tmp_path: Path) -> None:
    said = mnk("show", "6,7,4,gravity", "--data", tmp_path).stdout
    assert "up to 2 symmetries of the board; only plies 0 to 12\n" in said


def test_stats_as_json(table_file: TableFile) -> None:
    path = table_file("3,3,3")
    facts = json.loads(mnk("show", "3,3,3", "--data", path.parent, "--json").stdout)["table"]
    assert (facts["game"], facts["metric"], facts["positions"], facts["canonical"]) == ("3,3,3", "distance", 5478, 765)
    assert (facts["wdl"], facts["category"], facts["distance"]) == (0, "draw", 9)
    assert (facts["path"], facts["bytes"]) == (str(path), path.stat().st_size)
    assert [ply["positions"] for ply in facts["plies"]] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert [ply["longest"] for ply in facts["plies"]] == [None, None, 5, 5, 5, 4, 3, 2, 1, 0]


def test_a_game_without_a_table_is_shown_with_the_command_that_builds_one(tmp_path: Path) -> None:
    result = mnk("show", "affine,3", "--data", tmp_path)
    assert result.exit_code == 0
    assert "Lines    12" in result.stdout
    assert f"`mnk build affine,3 --data {tmp_path}`" in result.stdout
    assert "at most 36 squares" in mnk("show", "19,19,5,misere", "--data", tmp_path).stdout
    assert "look for a proof with `mnk build 19,19,5" in mnk("show", "19,19,5", "--data", tmp_path).stdout
    assert json.loads(mnk("show", "affine,3", "--json", "--data", tmp_path).stdout)["table"] is None


@pytest.mark.parametrize("game", ["3,3,3", "affine,3", "clique,4,3", "3,3,3,maker,x=b2"])
def test_printed_rules_can_be_read_as_a_game(game: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(mnk("show", game, "--rules").stdout)
    assert read_file(path).fingerprint == parse_game(game).fingerprint


def test_only_positions_that_were_counted_are_named() -> None:
    assert "\nMoves    31,758 stored\n" in mnk("show", "gomoku").stdout
    assert "\nMoves    8,893 stored; 333,801 other positions need none\n" in mnk("show", "qubic").stdout


def test_the_layers_of_a_box_are_explained() -> None:
    assert mnk("show", "qubic").stdout.splitlines()[1].endswith("begins with its layer, as in 1a1, 2a1, 3a1 and 4a1.")
    assert mnk("show", "2x2x2x2,2").stdout.splitlines()[1].endswith("as in 11a1, 12a1, 21a1 and 22a1.")
    assert mnk("show", "7,7,5").stdout.splitlines()[1] == ""
