"""Exports: read back with other people's readers, and compared with single probes and published counts."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from solver.errors import MnkError, RulesError
from solver.export import positions, table
from solver.export.table import export_table
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.squares import square_name
from solver.tablebase import Tablebase, open_tablebase
from tests.commands import PROCESS, TableFile, assert_refused, mnk
from tests.conftest import ROOT

Row = dict[str, Any]

FIGURES = json.loads((ROOT / "data/facts/figures.json").read_text())
GRAVITY_4X4 = json.loads((ROOT / "data/facts/connect4_boards.json").read_text())["tromp_position_counts"]["4x4"]

# Of every kind: the loser has the line, stones drop, lines that a longer row spoils, games that end early, no lines.
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


def read_jsonl(path: Path) -> Iterator[Row]:
    return map(json.loads, path.read_text().splitlines())


def read_parquet(path: Path) -> Iterator[Row]:
    yield from pq.read_table(path).to_pylist()


def read_npz(path: Path) -> Iterator[Row]:
    with np.load(path) as arrays:
        rules = parse_game(str(arrays["game"]))
        names = ("hash", "ply", "to_move", "wdl", "distance", "best_moves", "terminal", "board")
        for number, ply, mark, wdl, distance, mask, terminal, board in zip(*(arrays[n] for n in names), strict=True):
            text = "".join(".XO"[cell] for cell in board)
            yield {
                "hash": int(number),
                "board": "/".join(
                    text[i : i + rules.diagram.columns] for i in range(0, rules.squares, rules.diagram.columns)
                ),
                "ply": int(ply),
                "to_move": ".XO"[mark],
                "wdl": int(wdl),
                "distance": None if distance < 0 else int(distance),
                "best_moves": [square_name(rules, s) for s in range(rules.squares) if mask >> s & 1],
                "terminal": bool(terminal),
            }


READERS: dict[str, Callable[[Path], Iterator[Row]]] = {
    "csv": read_csv,
    "jsonl": read_jsonl,
    "parquet": read_parquet,
    "npz": read_npz,
}


def twin(probed: Tablebase, number: int) -> Row:
    """A row, by one probe after another."""
    position = Position.from_hash(probed.rules, number)
    value, moves = probed.probe(position), probed.moves(position)
    return {
        "hash": number,
        "board": position.board,
        "ply": position.ply,
        "to_move": position.to_move,
        "wdl": value.wdl,
        "distance": value.distance,
        "best_moves": [square_name(probed.rules, s) for s, worth in moves if worth.rank == moves[0][1].rank],
        "terminal": position.is_over,
    }


def counts(rows: list[Row]) -> list[int]:
    per_ply = Counter(row["ply"] for row in rows)
    return [per_ply[ply] for ply in range(len(per_ply))]


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks end in the middle of plies, as they do in large games."""
    monkeypatch.setattr(positions, "ROWS", 500)


# What is written


@pytest.mark.sampled
@pytest.mark.parametrize("form", READERS)
@pytest.mark.parametrize("game", GAMES)
def test_every_row_is_what_a_probe_says(game: str, form: str, table_file: TableFile, tmp_path: Path) -> None:
    with open_tablebase(table_file(game)) as probed:
        target = tmp_path / f"positions.{form}"
        written = export_table(probed, target)
        rows = list(READERS[form](target))
        assert rows == [twin(probed, row["hash"]) for row in rows]
        assert len(rows) == written == int(probed.meta["positions"] or 0)
        assert [(row["ply"], row["hash"]) for row in rows] == sorted({(row["ply"], row["hash"]) for row in rows})
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("form", READERS)
def test_the_counts_of_3_3_3_are_the_published_ones(form: str, table_file: TableFile, tmp_path: Path) -> None:
    everything, canonical = tmp_path / f"all.{form}", tmp_path / f"canonical.{form}"
    with open_tablebase(table_file("3,3,3")) as probed:
        assert export_table(probed, everything) == 5478
        assert export_table(probed, canonical, canonical=True) == 765
        rows = list(READERS[form](canonical))
        assert all(Position.from_hash(probed.rules, r["hash"]).canonical().hash == r["hash"] for r in rows)
    assert counts(list(READERS[form](everything))) == FIGURES["3,3,3"]["positions"]
    assert counts(rows) == FIGURES["3,3,3"]["canonical"]


@pytest.mark.sampled
@pytest.mark.parametrize("form", READERS)
def test_a_table_without_distances_leaves_them_out(form: str, table_file: TableFile, tmp_path: Path) -> None:
    target = tmp_path / f"positions.{form}"
    with open_tablebase(table_file("3,3,3", metric="wdl")) as probed:
        export_table(probed, target)
        rows = list(READERS[form](target))
        assert {row["distance"] for row in rows} == {None}
        assert rows == [twin(probed, row["hash"]) for row in rows]


def test_a_table_of_pages_with_gravity(table_file: TableFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "ROWS", 30_000)
    target = tmp_path / "positions.npz"
    with open_tablebase(table_file("4,4,4,gravity")) as probed:
        assert export_table(probed, target) == GRAVITY_4X4
        with np.load(target) as arrays:
            columns = {name: arrays[name] for name in arrays.files}
        assert len(np.unique(columns["hash"])) == GRAVITY_4X4
        chosen = {name: column[::997] if column.ndim else column for name, column in columns.items()}
        np.savez(tmp_path / "some.npz", **chosen)
        rows = list(read_npz(tmp_path / "some.npz"))
        assert rows == [twin(probed, row["hash"]) for row in rows]


@pytest.mark.slow
def test_a_table_of_pages(table_file: TableFile, tmp_path: Path) -> None:
    target = tmp_path / "positions.jsonl"
    with open_tablebase(table_file("4,4,4")) as probed:
        for first, last in ((0, 3), (16, 16)):
            export_table(probed, target, plies=(first, last), canonical=True, force=True)
            rows = list(read_jsonl(target))
            assert len(rows) == sum(FIGURES["4,4,4"]["canonical"][first : last + 1])
            assert rows == [twin(probed, row["hash"]) for row in rows]


def test_some_plies_are_the_rows_of_these_plies(table_file: TableFile, tmp_path: Path) -> None:
    with open_tablebase(table_file("3,3,3")) as probed:
        export_table(probed, tmp_path / "all.csv")
        everything = list(read_csv(tmp_path / "all.csv"))
        for first, last in ((0, 0), (3, 5), (9, 9), (0, 9), (8, 9)):
            target = tmp_path / f"{first}-{last}.csv"
            export_table(probed, target, plies=(first, last))
            assert list(read_csv(target)) == [row for row in everything if first <= row["ply"] <= last]


def test_the_same_table_gives_the_same_bytes(table_file: TableFile, tmp_path: Path) -> None:
    with open_tablebase(table_file("3,3,3")) as probed:
        for form in READERS:
            export_table(probed, tmp_path / f"one.{form}")
            export_table(probed, tmp_path / f"two.{form}")
            assert (tmp_path / f"one.{form}").read_bytes() == (tmp_path / f"two.{form}").read_bytes()


def test_progress_ends_where_it_said_it_would(table_file: TableFile, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []

    def tell(done: int, total: int) -> None:
        told.append((done, total))

    with open_tablebase(table_file("3,3,3")) as probed:
        for plies in (None, (2, 4), (9, 9)):
            told.clear()
            export_table(probed, tmp_path / "x.csv", plies=plies, force=True, progress=tell)
            assert told == sorted(told)
            assert told[-1][0] == told[-1][1]


def test_a_game_too_large_to_walk_is_refused_with_what_can_be_done(
    table_file: TableFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(positions, "MOST_POSITIONS", 1 + 9 + 72 + 252 + 756)
    with open_tablebase(table_file("3,3,3")) as probed:
        with pytest.raises(RulesError) as refused:
            export_table(probed, tmp_path / "all.csv")
        assert "3,3,3 has 5,478 positions up to ply 9, and 1,090 can be visited" in str(refused.value)
        assert "--ply 0-3" in str(refused.value)
        assert not list(tmp_path.iterdir())
        assert export_table(probed, tmp_path / "some.csv", plies=(0, 3)) == 334


# The command


def test_the_command_prints_and_writes_the_same(table_file: TableFile, tmp_path: Path) -> None:
    data = table_file("3,3,3").parent
    for form in ("csv", "jsonl"):
        target = tmp_path / f"positions.{form}"
        said = mnk("export", "3,3,3", "--data", data, "-o", target, "--ply", "0-4")
        assert said.exit_code == 0
        assert said.stdout.startswith(f"Wrote 1,090 positions to {target}, ")
        assert mnk("export", "3,3,3", "--data", data, "--format", form, "--ply", "0-4").stdout == target.read_text()
    assert len(mnk("export", "3,3,3", "--data", data, "--canonical").stdout.splitlines()) == 1 + 765


def test_a_file_that_exists_is_kept_unless_forced(table_file: TableFile, tmp_path: Path) -> None:
    data, target = table_file("3,3,3").parent, tmp_path / "mine.csv"
    target.write_text("mine")
    assert_refused(mnk("export", "3,3,3", "--data", data, "-o", target), 5, str(target), "--force")
    assert target.read_text() == "mine"
    assert mnk("export", "3,3,3", "--data", data, "-o", target, "--force").exit_code == 0
    assert target.read_text().startswith("hash,board,")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--format", "parquet"], "A file of parquet can't be printed; name it with -o FILE."),
        (["-o", "positions.txt"], "let the name of positions.txt end in .csv, .jsonl, .parquet, .npz"),
        (["--ply", "3-1"], "'3-1' are no plies"),
        (["--ply", "-1"], "'-1' are no plies"),
        (["--ply", "0-10"], "3,3,3 has plies 0 to 9"),
    ],
)
def test_bad_requests_say_what_to_do(arguments: list[str], expected: str, table_file: TableFile) -> None:
    refused = mnk("export", "3,3,3", "--data", table_file("3,3,3").parent, *arguments)
    assert refused.exit_code == 2
    assert refused.stdout == ""
    assert expected in refused.stderr


def test_no_table_no_folder_no_pyarrow(table_file: TableFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_refused(mnk("export", "3,3,3", "--data", tmp_path), 3, "mnk build 3,3,3")
    data = table_file("3,3,3").parent
    assert_refused(mnk("export", "3,3,3", "--data", data, "-o", tmp_path / "no/x.csv"), 5, "can't be written")
    assert_refused(mnk("export", "3,3,3", "--data", data, "-o", tmp_path / "no/x.npz"), 5, "can't be written")
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    refused = mnk("export", "3,3,3", "--data", data, "-o", tmp_path / "x.parquet")
    assert_refused(refused, 1, "pip install '.[export]'")
    assert not list(tmp_path.iterdir())


def test_what_fails_on_the_way_leaves_nothing(
    table_file: TableFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> bytes:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(table, "format_csv", fail)
    with open_tablebase(table_file("3,3,3")) as probed, pytest.raises(MnkError, match="No space left"):
        export_table(probed, tmp_path / "x.csv")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_ctrl_c_leaves_nothing(table_file: TableFile, tmp_path: Path) -> None:
    table_file("4,4,4")
    command = [*PROCESS, "export", "4,4,4", "--data", str(table_file("4,4,4").parent), "-o", str(tmp_path / "x.jsonl")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while not any(part.stat().st_size for part in tmp_path.glob("*.part")) and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)
    assert (process.returncode, said) == (130, ("", "Error: Interrupted.\n"))
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_whoever_reads_the_output_may_stop(table_file: TableFile) -> None:
    command = [*PROCESS, "export", "4,4,4,gravity", "--data", str(table_file("4,4,4,gravity").parent)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline() == b"hash,board,ply,to_move,wdl,distance,best_moves,terminal\n"
        process.stdout.close()
        assert process.stderr.read() == b""
