"""`mnk games`: tables, the games of the gallery, and families."""

import json
import re
import sqlite3
from pathlib import Path

import pytest

from solver import Position, open_tablebase
from solver.game.gallery import GALLERY, GalleryGame
from solver.game.game_files import name_rules
from solver.game.games import makers, parse_game
from solver.game.json_file import from_json
from solver.solve.build import build_table
from solver.store.paths import strategy_path
from solver.store.strategy_file import Header, Row, canonical, write_strategy
from tests.commands import SHIPPED_GAMES, TableFile, mnk

SMALL = [game for game in GALLERY if parse_game(game["game"]).squares <= 10]


@pytest.mark.sampled
@pytest.mark.parametrize("game", SMALL, ids=[game["game"] for game in SMALL])
def test_tables_agree_with_the_values_of_the_gallery(game: GalleryGame, table_file: TableFile) -> None:
    with open_tablebase(table_file(game["game"], metric="wdl")) as table:
        wdl = table.probe_wdl(Position.start(table.rules))
    assert game["value"] == {1: "X wins", 0: "a draw", -1: "O wins"}[wdl]


def test_tables_come_first_then_games_and_families(table_file: TableFile, tmp_path: Path) -> None:
    for game in ("3,3,3", "2,2,2"):
        path = table_file(game)
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "mnk-4-4-4.sqlite").write_bytes(b"nothing")
    (tmp_path / "notes.txt").touch()
    result = mnk("games", "--data", tmp_path)
    assert result.exit_code == 4
    heading, *rows = result.stdout.splitlines()
    assert heading.split() == ["table", "positions", "value", "metric", "size", "rules"]
    assert [row.split()[0] for row in rows[:4]] == ["2,2,2", *SHIPPED_GAMES]
    assert "  X wins in 3 plies   distance  " in rows[0]
    assert "can't be read" in rows[2]
    assert rows[3].endswith("; comes with the package")
    first = next(row for row in rows if row.startswith("Tic-tac-toe"))
    assert first.split()[:8] == ["Tic-tac-toe", "3,3,3", "a", "draw", "(folklore)", "1", "s", "yes"]
    assert sum(row.startswith(tuple(maker.form for maker in makers())) for row in rows) == len(list(makers()))
    assert result.stderr.startswith("Warning: The file ")
    printed = mnk("games", "--data", tmp_path, "--json")
    assert printed.exit_code == 4
    answer = json.loads(printed.stdout)
    assert [table["game"] for table in answer["tables"]] == ["2,2,2", *SHIPPED_GAMES]
    assert answer["tables"][1]["positions"] == 5478
    assert "not a tablebase" in answer["tables"][2]["error"]
    assert [game["game"] for game in answer["games"]] == [game["game"] for game in GALLERY]
    assert {"form", "about", "examples"} == set(answer["families"][0])
    (tmp_path / "mnk-4-4-4.sqlite").unlink()
    assert mnk("games", "--data", tmp_path).exit_code == 0


def test_an_empty_folder_says_how_to_build(tmp_path: Path) -> None:
    assert f"`mnk build 3,3,3 --data {tmp_path}`" in mnk("games", "--data", tmp_path).stdout
    tables = json.loads(mnk("games", "--data", tmp_path, "--json").stdout)["tables"]
    assert [table["game"] for table in tables] == SHIPPED_GAMES
    asked = ("games", "show 3,3,3", "query 3,3,3", "check 3,3,3", "serve")
    assert {mnk(*each.split(), "--data", tmp_path / "no").exit_code for each in asked} == {2}


def test_a_table_that_does_not_hold_its_rules_is_listed_as_unreadable(tmp_path: Path) -> None:
    rules = name_rules(from_json({"squares": 3, "lines": [["1", "2"]]}), "three")
    path = build_table(rules, tmp_path)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value = '{}' WHERE key = 'rules'")
    connection.close()
    result = mnk("games", "--data", tmp_path, "--json")
    assert result.exit_code == 4
    assert "Warning: The table" in result.stderr
    *_, row = json.loads(result.stdout)["tables"]
    assert (row["game"], row["path"]) == (rules.name, str(path))
    assert "is damaged" in row["error"]


def test_an_unfinished_proof_is_listed_with_its_positions_so_far(tmp_path: Path) -> None:
    rules = parse_game("15,15,5")
    start = Position.from_moves(rules, ["h8", "a1", "i8", "a2", "j8", "a3"])
    number, symmetry = canonical(rules, start.x, start.o)
    header = Header("X", "wins", None, 0, "a test")
    row = Row(number, symmetry[rules.diagram.numbers["g8"]], 3)
    write_strategy(strategy_path(tmp_path, rules), rules, header, [row])
    assert re.search(r"^15,15,5 +X wins from 1 position so far", mnk("games", "--data", tmp_path).stdout, re.MULTILINE)
