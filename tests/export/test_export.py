"""Exports, read back with other libraries and compared with single probes and published counts."""

import csv
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from solver.errors import MnkError, RulesError
from solver.export import table, writers
from solver.export.table import count_rows, export_table, list_positions
from solver.game.notation import square_name
from solver.game.position import Position
from solver.search.truth import Truth, open_tablebase
from solver.store.paths import SHIPPED
from tests.commands import PROCESS, TableFile, assert_refused, mnk
from tests.conftest import ROOT

Row = dict[str, Any]

FIGURES = json.loads((ROOT / "data/facts/figures.json").read_text())
GRAVITY_4X4 = json.loads((ROOT / "data/facts/connect4_boards.json").read_text())["tromp_position_counts"]["4x4"]

# Misere, gravity, exact lines, an early end, no lines.
GAMES = ["3,3,3,misere", "2,4,2,gravity", "3,3,2,exact", "2,3,2", "2,3,4"]


def read_csv(path: Path) -> Iterator[Row]:
    for row in csv.DictReader(path.read_text().splitlines()):
        yield {
            **row,
            **{name: int(row[name]) for name in ("hash", "ply", "wdl")},
            "distance": int(row["distance"]) if row["distance"] else None,
            "best_moves": row["best_moves"].split(),
            "terminal": row["terminal"] == "1",
        }


def read_sqlite(path: Path) -> Iterator[Row]:
    with closing(sqlite3.connect(path)) as database:
        database.row_factory = sqlite3.Row
        for row in database.execute("SELECT * FROM positions ORDER BY rowid"):
            terminal = {0: False, 1: True}[row["terminal"]]
            yield {**row, "best_moves": row["best_moves"].split(), "terminal": terminal}


READERS: dict[str, Callable[[Path], Iterator[Row]]] = {
    "csv": read_csv,
    "jsonl": lambda path: map(json.loads, path.read_text().splitlines()),
    "parquet": lambda path: iter(pq.read_table(path).to_pylist()),
    "db": read_sqlite,
}


def twin(probed: Truth, number: int) -> Row:
    """A row from single probes."""
    position = Position.parse(probed.rules, number)
    value, moves = probed.probe(position), probed.moves(position)
    return {
        "hash": number, "board": position.board, "ply": position.ply, "to_move": position.to_move, "wdl": value.wdl,
        "distance": value.distance,
        "best_moves": [square_name(probed.rules, s) for s, worth in moves if worth.rank == moves[0][1].rank],
        "terminal": position.is_over,
    }  # fmt: skip


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks end in the middle of plies, as in large games."""
    monkeypatch.setattr(table, "ROWS", 500)


def export(probed: Truth, target: Path, **options: Any) -> list[Row]:
    """Export positions and read them back."""
    written = export_table(probed.table, target, **options)
    rows = list(READERS[target.suffix[1:]](target))
    assert len(rows) == written
    return rows


@pytest.mark.sampled
@pytest.mark.parametrize("form", READERS)
@pytest.mark.parametrize(("game", "metric"), [*((game, "distance") for game in GAMES), ("3,3,3", "wdl")])
def test_every_row_has_the_values_of_a_probe(
    game: str, metric: str, form: str, table_file: TableFile, tmp_path: Path
) -> None:
    with open_tablebase(table_file(game, metric=metric)) as probed:
        rows = export(probed, tmp_path / f"positions.{form}")
        assert rows == [twin(probed, row["hash"]) for row in rows]
        assert len(rows) == int(probed.table.meta["positions"] or 0)
    places = [(row["ply"], row["hash"]) for row in rows]
    assert places == sorted(set(places))


@pytest.mark.parametrize("form", READERS)
def test_3_3_3_has_the_published_counts_and_equal_tables_give_equal_files(
    form: str, table_file: TableFile, tmp_path: Path
) -> None:
    with open_tablebase(table_file("3,3,3")) as probed:
        everything = export(probed, tmp_path / f"all.{form}")
        canonical = export(probed, tmp_path / f"canonical.{form}", canonical=True)
        assert all(Position.parse(probed.rules, r["hash"]).canonical().hash == r["hash"] for r in canonical)
        export(probed, tmp_path / f"again.{form}")
    for rows, kind in ((everything, "positions"), (canonical, "canonical")):
        per_ply = Counter(row["ply"] for row in rows)
        assert [per_ply[ply] for ply in range(10)] == FIGURES["3,3,3"][kind]
    assert (tmp_path / f"again.{form}").read_bytes() == (tmp_path / f"all.{form}").read_bytes()


def test_a_sqlite_file_has_every_position_with_indexes_and_counts_by_ply(table_file: TableFile, tmp_path: Path) -> None:
    target = tmp_path / "positions.db"
    with open_tablebase(table_file("3,3,3")) as probed, closing(sqlite3.connect(table_file("3,3,3"))) as kept:
        rows = export(probed, target)
        columns = "hash, board, ply, to_move, wdl, distance, best_moves"
        stored = kept.execute(f"SELECT {columns} FROM positions ORDER BY ply, hash").fetchall()
        plies = kept.execute("SELECT ply, positions, won, drawn, lost, terminal, longest FROM plies").fetchall()
        assert rows == [twin(probed, row["hash"]) for row in rows]
    assert len(stored) == 5478
    with closing(sqlite3.connect(target)) as written:
        assert written.execute(f"SELECT {columns} FROM positions").fetchall() == stored
        assert written.execute("SELECT * FROM plies").fetchall() == plies
        for condition in ("hash = 88", "board = 'XO./.X./...'", "ply = 4 AND wdl = 1"):
            [plan] = written.execute(f"EXPLAIN QUERY PLAN SELECT * FROM positions WHERE {condition}")
            assert "USING INDEX" in plan[3]


def test_a_table_of_pages_with_gravity(table_file: TableFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "ROWS", 30_000)
    target = tmp_path / "positions.parquet"
    with open_tablebase(table_file("4,4,4,gravity")) as probed:
        assert export_table(probed.table, target) == GRAVITY_4X4
        columns = pq.read_table(target)
        assert len(np.unique(columns["hash"])) == GRAVITY_4X4
        rows = columns.take([*range(0, GRAVITY_4X4, 997)]).to_pylist()
        assert rows == [twin(probed, row["hash"]) for row in rows]


def test_plies_are_chosen_and_progress_reaches_its_total(table_file: TableFile, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    with open_tablebase(table_file("3,3,3")) as probed:
        everything = export(probed, tmp_path / "all.csv")
        for first, last in ((0, 0), (3, 5), (9, 9), (0, 9), (8, 9)):
            seen.clear()
            rows = export(
                probed, tmp_path / f"{first}-{last}.csv", plies=(first, last), progress=lambda *now: seen.append(now)
            )
            assert rows == [row for row in everything if first <= row["ply"] <= last]
            assert seen == sorted(seen)
            assert seen[-1][0] == seen[-1][1]


def test_a_game_with_too_many_positions_is_refused(
    table_file: TableFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "MOST_POSITIONS", 1 + 9 + 72 + 252 + 756)
    with open_tablebase(table_file("3,3,3")) as probed:
        with pytest.raises(RulesError, match=r"5,478 .* 1,090 .*--ply 0-3"):
            export_table(probed.table, tmp_path / "all.csv")
        assert not list(tmp_path.iterdir())
        assert export_table(probed.table, tmp_path / "some.csv", plies=(0, 3)) == 334
        assert export_table(probed.table, tmp_path / "last.csv", plies=(9, 9)) == 78  # 126 ways to place the stones
        assert export_table(probed.table, tmp_path / "canonical.csv", canonical=True) == 765


@pytest.mark.parametrize("form", READERS)
def test_an_opening_table_of_a_large_board_is_exported_up_to_its_last_ply_but_one(form: str, tmp_path: Path) -> None:
    with open_tablebase(SHIPPED / "mnk-6-7-4-gravity.sqlite") as probed:
        rows = export(probed, tmp_path / f"x.{form}", plies=(1, 3))
        assert [{**row, "hash": int(row["hash"])} for row in rows] == [twin(probed, int(row["hash"])) for row in rows]
        canonical = export(probed, tmp_path / f"canonical.{form}", plies=(1, 3), canonical=True)
        assert [len(rows), len(canonical)] == [7 + 49 + 238, 4 + 25 + 121]


def test_an_opening_table_names_the_option_that_selects_its_plies(tmp_path: Path) -> None:
    for option in ([], ["--ply", "12"], ["--ply", "0-11"]):
        refused = mnk("export", "6,7,4,gravity", "--data", tmp_path, "-o", tmp_path / "x.csv", *option)
        assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
        assert "`--ply 0-9`" in refused.stderr


# The command


def test_the_command_prints_and_writes_the_same(table_file: TableFile, tmp_path: Path) -> None:
    data = ("--data", table_file("3,3,3").parent)
    target = tmp_path / "positions.csv"
    wrote = mnk("export", "3,3,3", *data, "-o", target, "--ply", "0-4")
    assert f"1,090 positions to {target}" in wrote.stdout
    assert mnk("export", "3,3,3", *data, "--ply", "0-4").stdout == target.read_text()
    assert mnk("export", "3,3,3", *data, "-o", target).exit_code == 0
    assert len(target.read_text().splitlines()) == 1 + 5478


def test_a_card_describes_the_file(table_file: TableFile, tmp_path: Path) -> None:
    data, target, card = table_file("3,3,3").parent, tmp_path / "x.parquet", tmp_path / "card.md"
    wrote = mnk("export", "3,3,3", "--data", data, "-o", target, "--canonical", "--card", card)
    assert wrote.exit_code == 0
    text = card.read_text()
    with open_tablebase(table_file("3,3,3")) as probed:
        digest = str(probed.table.meta["digest"])
    fields = pq.read_schema(target)
    assert fields.metadata[b"digest"].decode() == digest
    checksum = sha256(target.read_bytes()).hexdigest()
    row = "| 9 | 78 | 15 | 0 | 16 | 62 | 78 | 0 |"
    commands = ["mnk build 3,3,3 --metric distance", "mnk export 3,3,3 --canonical -o x.parquet"]
    assert text.startswith("# The value of every canonical position of 3,3,3\n")
    assert "mnk build 3,3,3 --metric distance\n" in text
    opening = table_file("4,4,4,gravity", plies=4).parent
    mnk("export", "4,4,4,gravity", "--data", opening, "-o", target, "--ply", "0-3", "--card", card)
    assert "mnk build 4,4,4,gravity --metric distance --plies 4\n" in card.read_text()
    mnk("export", "3,3,3", "--data", data, "-o", target, "--ply", "0-6", "--card", card)
    assert card.read_text().startswith("# The value of every position with 0 to 6 stones of 3,3,3\n")
    for fact in (digest, checksum, "765 positions", "a draw", "MIT", row, "@misc{mnk333,", *commands, *fields.names):
        assert fact in text


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["-o", "positions.txt"], "positions.txt"), (["--ply", "3-1"], "'3-1'"), (["--ply", "-1"], "'-1'"),
        (["--ply", "0-10"], "plies 0 to 9"), (["--card", "card.md"], "-o FILE"),
        (["-o", "x.csv", "--card", "./x.csv"], "name two"),
    ],
)  # fmt: skip
def test_bad_options_are_refused(arguments: list[str], expected: str, table_file: TableFile) -> None:
    refused = mnk("export", "3,3,3", "--data", table_file("3,3,3").parent, *arguments)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert expected in refused.stderr


def test_failures_leave_no_file(table_file: TableFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = table_file("3,3,3").parent
    assert_refused(mnk("export", "2,3,2", "--data", tmp_path), 3, "mnk build 2,3,2")
    for form in ("csv", "parquet", "db"):
        assert_refused(mnk("export", "3,3,3", "--data", data, "-o", tmp_path / f"no/x.{form}"), 5, "can't be written")
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    refused = mnk("export", "3,3,3", "--data", data, "-o", tmp_path / "x.parquet")
    assert_refused(refused, 1, "[export]")

    def fail(*_: object, **__: object) -> bytes:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(table, "format_rows", fail)
    monkeypatch.setattr(writers, "_make_rows", fail)
    with open_tablebase(table_file("3,3,3")) as probed:
        for form in ("csv", "db"):
            with pytest.raises(MnkError, match="No space left"):
                export_table(probed.table, tmp_path / f"x.{form}")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_ctrl_c_leaves_nothing(table_file: TableFile, tmp_path: Path) -> None:
    command = [*PROCESS, "export", "4,4,4", "--data", str(table_file("4,4,4").parent), "-o", str(tmp_path / "x.jsonl")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while not any(part.stat().st_size for part in tmp_path.glob("*.part")) and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)
    assert (process.returncode, said[0]) == (130, "")
    assert re.fullmatch(r"Exporting 9,722,011 positions, which takes about \d+ s\.\nError: Interrupted\.\n", said[1])
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_reader_may_stop_early(table_file: TableFile) -> None:
    command = [*PROCESS, "export", "4,4,4,gravity", "--data", str(table_file("4,4,4,gravity").parent)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline() == b"hash,board,ply,to_move,wdl,distance,best_moves,terminal\n"
        process.stdout.close()
        assert process.stderr.read() == b""


@pytest.mark.parametrize("canonical", [False, True])
def test_positions_are_listed_in_chunks_and_counted_beforehand(
    table_file: TableFile, monkeypatch: pytest.MonkeyPatch, canonical: bool
) -> None:
    monkeypatch.setattr(table, "ROWS", 100)
    with open_tablebase(table_file("3,3,3")) as probed:
        chunks = [*list_positions(probed.table, (2, 6), canonical=canonical)]
        assert sum(len(chunk.hashes) for chunk in chunks) == count_rows(probed.table, (2, 6), canonical=canonical)[0]
        assert max(len(chunk.hashes) for chunk in chunks) == 100
        assert all(probed.table.probe_many(chunk.hashes)[0].tolist() == chunk.wdl.tolist() for chunk in chunks)


def test_a_long_export_says_beforehand_how_many_rows_it_writes(
    table_file: TableFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.cli.export._LONG", 0.03)
    for name, message in (
        ("positions.csv", ""),
        ("positions.db", "Exporting 5,478 positions, which takes about 0 s.\n"),
    ):
        wrote = mnk("export", "3,3,3", "--data", table_file("3,3,3").parent, "-o", tmp_path / name)
        assert wrote.stderr == message
    wrote = mnk("export", "6,7,4,gravity", "--ply", "0-3", "-o", tmp_path / "opening.csv")
    assert wrote.stderr == "Exporting 295 positions, one by one, which takes about 0 s.\n"
    monkeypatch.setattr("solver.cli.export._LONG", 0.0001)
    printed = mnk("export", "3,3,3", "--ply", "0-4", "--data", table_file("3,3,3").parent)
    assert printed.stderr == "Exporting 1,090 positions, which takes about 0 s.\n"
    printed = mnk("export", "7,7,5", "--ply", "3", "--data", tmp_path)
    assert re.fullmatch(r"Exporting a strategy of [\d,]+ moves, which takes about 0 s\.\n", printed.stderr)
