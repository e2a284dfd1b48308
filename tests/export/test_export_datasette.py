"""data/metadata.yaml describes the tables correctly, and its queries are right, in SQLite and in Datasette."""

import asyncio
import json
import shutil
import sqlite3
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
import yaml

from solver.game.games import parse_game
from solver.game.notation import square_name
from solver.game.position import Position
from solver.search.truth import open_tablebase
from solver.store.schema import META_COLUMNS, PAGES_COLUMNS, PLIES_COLUMNS, POSITIONS_COLUMNS, storage_for
from tests.commands import TableFile
from tests.conftest import ROOT

METADATA = ROOT / "data" / "metadata.yaml"
DATABASES: dict[str, Any] = yaml.safe_load(METADATA.read_text(encoding="utf-8"))["databases"]
SCHEMA = {
    "meta": [*META_COLUMNS], "plies": [*PLIES_COLUMNS], "positions": [*POSITIONS_COLUMNS], "pages": [*PAGES_COLUMNS],
}  # fmt: skip
GAMES = ("mnk-3-3-3", "mnk-4-4-4")
RESULTS = {1: "wins", 0: "draws", -1: "loses"}


def query(path: Path, name: str, **parameters: str) -> list[tuple[Any, ...]]:
    """The rows of a canned query, by sqlite3."""
    sql = DATABASES[path.stem]["queries"][name]["sql"]
    with closing(sqlite3.connect(path)) as database:
        return database.execute(sql, parameters).fetchall()


def test_every_database_is_a_game_with_the_right_tables() -> None:
    for name, database in DATABASES.items():
        rules = parse_game(name.removeprefix("mnk-"))
        assert rules.file_name == f"{name}.sqlite"
        assert storage_for(rules.squares) in database["tables"], name
        for table, about in database["tables"].items():
            assert list(about["columns"]) == SCHEMA[table]
            assert about["description"]
        for about in database["queries"].values():
            assert about["title"]


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["3,3,3", "3,3,3,misere", "3,4,3,gravity", "2,2,2"])
def test_moves_are_those_of_the_table(game: str, table_file: TableFile) -> None:
    path = table_file(game)
    with open_tablebase(path) as table, closing(sqlite3.connect(path)) as database:
        hashes = [number for (number,) in database.execute("SELECT hash FROM positions ORDER BY hash")]
        for number in hashes[:: max(1, len(hashes) // 100)]:
            position = Position.parse(table.rules, number)
            assert query(path, "moves", board=f" {position.board.lower()} ") == [
                (square_name(table.rules, s), RESULTS[value.wdl], value.distance, position.play(s).board)
                for s, value in table.moves(position)
            ]
    assert query(path, "moves", board="") == query(path, "moves", board=Position.start(parse_game(game)).board)


@pytest.mark.parametrize("ply", range(10))
def test_only_moves_are_only_moves(ply: int, table_file: TableFile) -> None:
    path = table_file("3,3,3")
    expected = set()
    with open_tablebase(path) as table, closing(sqlite3.connect(path)) as database:
        for (number,) in database.execute("SELECT hash FROM positions WHERE ply = ?", (ply,)):
            position = Position.parse(table.rules, number)
            moves = table.moves(position)
            keeping = [square for square, value in moves if value.wdl == table.probe(position).wdl >= 0]
            if len(keeping) == 1 < len(moves) and position.canonical() == position:
                result = RESULTS[table.probe(position).wdl]
                name = square_name(table.rules, keeping[0])
                expected.add((position.board, position.to_move, result, name, len(moves)))
    found = query(path, "only_moves", ply=str(ply))
    assert set(found) == expected
    assert len(found) == len(expected)


def test_counts_and_symmetric_positions(table_file: TableFile) -> None:
    path = table_file("3,3,3")
    known = json.loads((ROOT / "data/facts/figures.json").read_text())["3,3,3"]
    by_distance = query(path, "distances")
    assert sum(won for _, won, _ in by_distance) == known["side_to_move"]["won"]
    assert sum(lost for _, _, lost in by_distance) == known["side_to_move"]["lost"]
    assert [row[:2] for row in query(path, "values_by_ply")] == list(enumerate(known["positions"]))
    images = {
        Position.parse(parse_game("3,3,3"), "XO./.X./...").transform(p).board
        for p in parse_game("3,3,3").symmetries.elements
    }
    assert {row[0] for row in query(path, "symmetric", board="xo./.x./...")} == images
    wins = query(path, "longest_wins")
    assert len(wins) == 100
    assert [row[0] for row in wins] == sorted((row[0] for row in wins), reverse=True)
    assert wins[0][0] == max(distance for distance, won, _ in by_distance if won)


@pytest.mark.slow
def test_datasette_finds_the_file_and_answers_every_query(table_file: TableFile, tmp_path: Path) -> None:
    shutil.copy(METADATA, tmp_path)
    for game in ("3,3,3", "4,4,4"):
        shutil.copy(table_file(game), tmp_path)
    # In another process, because Datasette leaves databases open, which would cause warnings in other tests.
    with ProcessPoolExecutor(1, get_context("spawn")) as other:
        answered = other.submit(ask, tmp_path).result()
    assert all(rows and "error" not in rows for rows in answered.values())


def ask(folder: Path) -> dict[tuple[str, str], Any]:
    """Return the rows of every canned query of two games, as Datasette answers it."""
    from datasette.app import Datasette

    async def answers() -> dict[tuple[str, str], Any]:
        datasette, given = Datasette(config_dir=folder), {"board": "XO./.X./...", "ply": "4", "_shape": "array"}
        await datasette.invoke_startup()
        assert "1 the side to move wins, 0 it draws" in (await datasette.client.get("/mnk-3-3-3/positions")).text
        return {
            (name, query): (await datasette.client.get(f"/{name}/{query}.json", params=given)).json()
            for name in GAMES
            for query in DATABASES[name]["queries"]
        }

    return asyncio.run(answers())
