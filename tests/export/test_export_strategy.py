"""Exports of strategies, read back and compared with the rows of the file."""

import csv
import json
import os
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from solver.export.strategy import STRATEGY_COLUMNS
from solver.game.games import parse_game
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.rules import Rules
from solver.solve.proof import prove_game
from solver.store.paths import SHIPPED, strategy_path
from solver.store.strategy_file import StrategyReader
from solver.support.english import plural
from tests.commands import PROCESS, assert_refused, mnk

Row = dict[str, Any]


def read_csv(path: Path) -> Iterator[Row]:
    for row in csv.DictReader(path.read_text().splitlines()):
        within = int(row["within"]) if row["within"] else None
        yield {**row, "hash": int(row["hash"]), "ply": int(row["ply"]), "within": within}


def read_sqlite(path: Path) -> Iterator[Row]:
    with closing(sqlite3.connect(path)) as database:
        database.row_factory = sqlite3.Row
        yield from map(dict, database.execute("SELECT * FROM moves ORDER BY rowid"))


READERS: dict[str, Callable[[Path], Iterator[Row]]] = {
    ".csv": read_csv,
    ".jsonl": lambda path: map(json.loads, path.read_text().splitlines()),
    ".parquet": lambda path: pq.read_table(path).to_pylist(),
    ".db": read_sqlite,
}


def stored(rules: Rules) -> list[Row]:
    """Return the rows of a strategy of the package, in the order of an export."""
    with closing(StrategyReader(strategy_path(SHIPPED, rules))) as reader:
        found = [(Position.parse(rules, f"hash:{row.hash}"), row) for row in reader]
        claim = reader.header.claim
    return [
        {
            "hash": row.hash, "board": position.board, "ply": position.ply, "to_move": position.to_move,
            "move": square_name(rules, row.move), "within": row.within, "claim": claim,
        }
        for position, row in sorted(found, key=lambda one: (one[0].ply, one[1].hash))
    ]  # fmt: skip


@pytest.mark.parametrize("form", READERS)
@pytest.mark.parametrize("game", ["6,6,4", "7,7,5"])
def test_every_format_has_every_row(game: str, form: str, tmp_path: Path) -> None:
    """A strategy that wins, and one that holds on a board whose hashes exceed 64 bits."""
    rules, file = parse_game(game), tmp_path / f"moves{form}"
    expected = stored(rules)
    result = mnk("export", game, "-o", file, "--data", tmp_path)
    assert result.stdout.startswith(f"Wrote {plural(len(expected), 'move')} of the strategy to {file}, ")
    rows = [{**row, "hash": int(row["hash"])} for row in READERS[form](file)]
    assert rows == expected
    assert list(rows[0]) == list(expected[0])


def test_some_plies_are_printed() -> None:
    printed = mnk("export", "7,7,5", "--ply", "0-3").stdout.splitlines()
    assert printed[0] == "hash,board,ply,to_move,move,within,claim"
    assert {line.split(",")[2] for line in printed[1:]} == {"1", "3"}


def test_a_reader_that_closes_the_pipe_ends_the_export_quietly() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(
        [*PROCESS, "export", "7,7,5"], stdout=writing, stderr=subprocess.PIPE, timeout=60, check=False
    )
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (1, b"")


def test_a_card_describes_the_file(tmp_path: Path) -> None:
    file, card = tmp_path / "a.csv", tmp_path / "a.md"
    assert mnk("export", "6,6,4", "-o", file, "--card", card).exit_code == 0
    checksum, text = sha256(file.read_bytes()).hexdigest(), card.read_text()
    with closing(StrategyReader(strategy_path(SHIPPED, parse_game("6,6,4")))) as reader:
        assert text.startswith("# The moves of a strategy of 6,6,4\n")
        for fact in (f"{reader.header}.", reader.digest, checksum, "1 move", "@misc{mnk664,", *STRATEGY_COLUMNS):
            assert fact in text


def test_what_a_strategy_lacks_is_refused(tmp_path: Path) -> None:
    prove_game(parse_game("8,8,6"), tmp_path)
    result = mnk("export", "8,8,6", "--data", tmp_path)
    assert_refused(result, 2, "The strategy of 8,8,6 has no stored moves to export")
    assert_refused(mnk("export", "6,6,4", "-o", tmp_path / "a.xml"), 2, "has no known format")
