"""The atlas of rectangles (data/atlas/boards.csv): it is complete and consistent, and agrees with published values."""

import csv
import sys
from contextlib import closing
from pathlib import Path

import board_atlas
import pytest
from strategy_records import read_records

from solver.game.games import parse_game
from solver.solve.proof import prove_game
from solver.store.strategy_file import StrategyReader

Row = dict[str, str]


def read(path: Path) -> dict[tuple[int, int, int], Row]:
    """Return the rows by m, n and k."""
    rows = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            m, n, k = map(int, row["game"].split(","))
            rows[m, n, k] = row
    return rows


ROWS = read(board_atlas.FILE)
LONG = 0.5  # seconds


def test_every_board_has_a_row() -> None:
    assert [*ROWS] == [(m, n, k) for k in range(3, 9) for m in range(1, 20) for n in range(m, 20)]


@pytest.mark.parametrize("row", [row for row in ROWS.values() if row["published"]], ids=lambda row: row["game"])
def test_values_agree_with_those_published(row: Row) -> None:
    value, _, authors = row["published"].partition(", ")
    assert authors
    assert row["value"] in {"", value}


def test_a_published_draw_passes_to_the_boards_inside() -> None:
    assert ROWS[7, 8, 5]["published"] == "draw, Hsu and others 2020 (8,8,5)"
    assert ROWS[8, 9, 5]["published"] == ""


def test_rows_are_consistent() -> None:
    for (m, n, k), row in ROWS.items():
        assert row["value"] in {"X", "draw", ""}
        assert (row["method"] == "no line") == (k > n)
        assert bool(row["command"]) == (row["method"] not in {"", "no line"})
        assert row["command"].startswith(f"mnk build {row['of'] or row['game']}" if row["command"] else "")
        assert bool(row["plies"]) == (row["value"] == "X")
        assert not row["plies"] or (int(row["plies"]) % 2 == 1 and 2 * k - 1 <= int(row["plies"]) <= m * n)
        if row["method"] == "larger board":
            larger = parse_game(row["of"])
            i, j, length = map(int, larger.name.split(","))
            assert (i, j) > (m, n)
            assert (i >= m, j >= n, length) == (True, True, k)
            assert ROWS[i, j, k]["method"] in {"strategy", "pairing"}
        elif row["method"] in {"strategy", "threats", "pairing"}:
            assert (row["rows"] == "0") == (row["method"] != "strategy") == (not row["digest"])
            assert row["method"] != "pairing" or row["value"] == "draw"
            assert row["method"] != "threats" or row["value"] == "X"


def test_rows_of_large_tables_have_the_digests_and_the_times_of_their_summaries() -> None:
    rows = [row for (m, n, _), row in ROWS.items() if row["method"] == "table" and m * n > board_atlas.TABLE_SQUARES]
    for row in rows:
        solved = board_atlas._read_solved(parse_game(row["game"])) or {}
        assert {key: row[key] for key in solved} == solved
        assert float(row["seconds"]) > 1
    assert [row["game"] for row in rows if not row["digest"]] == ["4,7,4"]  # only by BLAKE2b, of an earlier format


def test_a_draw_passes_to_the_boards_inside() -> None:
    for (m, n, k), row in ROWS.items():
        if row["value"] == "draw":
            inside = [ROWS[i, j, k]["value"] for i in range(1, m + 1) for j in range(i, n + 1)]
            assert {*inside} == {"draw"}


def proved() -> list[object]:
    """Return the rows with a proof, as cases of a test: first those with a strategy. Those that take long are slow."""
    rows = sorted((row for row in ROWS.values() if row["rows"]), key=lambda row: row["method"] != "strategy")
    return [
        pytest.param(row, id=row["game"], marks=[pytest.mark.slow] if float(row["seconds"] or 0) > LONG else [])
        for row in rows
    ]


@pytest.mark.sampled
@pytest.mark.parametrize("row", proved())
def test_a_board_is_proved_again(row: Row, tmp_path: Path) -> None:
    rules = parse_game(row["game"])
    path = board_atlas._find_proof(rules) or prove_game(rules, tmp_path, seconds=300)
    assert path
    with closing(StrategyReader(path, rules)) as reader:
        assert reader.header.claim == ("wins" if row["value"] == "X" else "holds")


def test_a_proof_that_is_kept_was_checked() -> None:
    records = read_records()
    for row in ROWS.values():
        if row["rows"] and not row["seconds"]:
            record = records[row["game"]]
            assert (row["plies"], row["rows"], row["digest"]) == (record["within"], record["moves"], record["digest"])


@pytest.mark.slow
def test_the_script_resumes_and_notices_another_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_atlas, "FILE", tmp_path / "boards.csv")
    monkeypatch.setattr(board_atlas, "write_sums", lambda: None)
    monkeypatch.setattr(board_atlas, "MOST", 4)
    monkeypatch.setattr(board_atlas, "LENGTHS", (3, 4))
    monkeypatch.setattr(sys, "argv", ["boards", "3"])
    assert board_atlas.main() == 0
    rows = read(tmp_path / "boards.csv")
    assert {board: row["value"] for board, row in rows.items() if board[2] == 3} == {
        (m, n, 3): "X" if (m, n) in {(3, 4), (4, 4)} else "draw" for m in range(1, 5) for n in range(m, 5)
    }
    assert rows[3, 4, 3]["plies"] == ROWS[3, 4, 3]["plies"]
    monkeypatch.setattr(board_atlas, "_published", lambda: {"2,4,4": "X, Nobody"})
    monkeypatch.setattr(board_atlas, "TABLE_SQUARES", 9)  # the table of 3,4,4 takes longer than a proof
    monkeypatch.setattr(sys, "argv", ["boards", "4"])
    assert board_atlas.main() == 1


def test_an_open_board_does_not_differ_from_a_published_value(capsys: pytest.CaptureFixture[str]) -> None:
    boards = board_atlas._Boards(0)
    assert any(row["published"] and not row["value"] for row in boards.rows.values())
    assert (boards.differ(), capsys.readouterr().err) == (False, "")
    boards.rows[6, 6, 4] |= {"value": "draw", "published": "X, Somebody"}
    assert boards.differ()
    assert capsys.readouterr().err == "6,6,4 is draw, but published: X, Somebody\n"
