"""`mnk verify-table`: other people's tables, written in every way, and wrong in known places."""

import csv
import gzip
import json
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.errors import EngineError
from solver.game.position import Position
from solver.verification.positions import every_position, live_positions
from solver.verification.tables.reporting import FORMATS, TableReport
from solver.verification.verify_table import verify_table
from tests.commands import assert_refused, mnk
from tests.conftest import ROOT
from tests.verification.fakes import THREE, solved

KOWARA = ROOT / "data" / "facts" / "kowara_765_wdl_dtm.json"
EVERY = every_position(THREE)
SOME = EVERY[::13]  # with positions of every ply, finished ones too
WORDS = {1: "win", 0: "draw", -1: "loss"}

Fields = Callable[[Position], dict[str, Any]]
Check = Callable[..., TableReport]


def wdl(position: Position) -> int:
    return solved().probe(position).wdl


def for_x(position: Position) -> int:
    return wdl(position) * (1 if position.to_move == "X" else -1)


def distance(position: Position) -> int:
    return solved().probe(position).distance or 0


def best(position: Position) -> list[int]:
    moves = solved().moves(position)
    return [square for square, value in moves if value.rank == moves[0][1].rank]


def signs(position: Position, x: Any, o: Any, empty: Any) -> list[Any]:
    return [{"X": x, "O": o, ".": empty}[cell] for cell in position.cells]


def csv_of(fields: Fields, positions: Any = SOME, delimiter: str = ",", heads: bool = True) -> str:
    rows = [fields(position) for position in positions]
    file = StringIO()
    writer = csv.DictWriter(file, [*rows[0]], delimiter=delimiter)
    if heads:
        writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


@pytest.fixture
def checked(tmp_path: Path) -> Check:
    """`checked(text, "name.csv")`: the report on a file with this text."""

    def check(content: str | bytes, name: str = "theirs.csv", **how: Any) -> TableReport:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return verify_table(path, THREE, tables=tmp_path, **how)

    return check


def test_a_published_table_agrees_up_to_symmetry() -> None:
    report = verify_table(KOWARA, THREE)
    assert bool(report)
    assert (report.coverage.there, report.coverage.classes, report.coverage.classes_total) == (765, 765, 765)
    assert [(part.name, part.stated, part.right) for part in report.parts] == [
        ("values", 765, 765),
        ("distances", 614, 614),
    ]
    assert report.is_complete


POSITIONS: dict[str, Fields] = {
    "rows": lambda p: {"position": p.board},
    "flat": lambda p: {"board": p.board.replace("/", "")},
    "flat with blanks": lambda p: {"state": "".join(signs(p, "x", "o", " "))},
    "hash": lambda p: {"hash": p.hash},
    "digits": lambda p: {"Board": "".join(map(str, signs(p, 1, 2, 0)))},
    "printed list": lambda p: {"board": str(signs(p, 1, -1, 0))},
    "printed list of text": lambda p: {"board": str(signs(p, "X", "O", " "))},
    "printed array": lambda p: {"board": str(np.array(signs(p, 1, -1, 0)).reshape(3, 3))},
    "b for blank": lambda p: {"board": "".join(signs(p, "x", "o", "b"))},
    "own numbers": lambda p: {"board": "".join(c if c != "." else str(s + 1) for s, c in enumerate(p.cells))},
    "a column a square": lambda p: {f"square{s}": sign for s, sign in enumerate(signs(p, "x", "o", "b"))},
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", POSITIONS)
def test_positions_in_any_notation(name: str, checked: Check) -> None:
    report = checked(csv_of(lambda p: {**POSITIONS[name](p), "value": wdl(p)}))
    assert (bool(report), report.coverage.there, report.unreadable) == (True, len(SOME), [])


def test_positions_as_moves(checked: Check) -> None:
    lines = ["", "b2", "b2 a1", "b2 a1 c3 c1 b1"]
    text = "moves played,value\n" + "".join(
        f"{line or 'start'},{wdl(Position.from_moves(THREE, line.split()))}\n" for line in lines
    )
    report = checked(text, columns={"position": "moves played"})
    assert (bool(report), report.coverage.there) == (True, 4)


@pytest.mark.sampled
@pytest.mark.parametrize("marks", ["2,1,9", "me=2,1,9"])
def test_marks_of_ones_own(marks: str, checked: Check) -> None:
    def fields(position: Position) -> dict[str, Any]:
        x, o = (2, 1) if marks == "2,1,9" or position.to_move == "X" else (1, 2)
        return {"board": signs(position, x, o, 9), "value": wdl(position)}

    report = checked(json.dumps([fields(position) for position in SOME]), "theirs.json", marks=marks)
    assert (bool(report), report.coverage.there) == (True, len(SOME))


VALUES: dict[str, tuple[Callable[[Position], Any], str]] = {
    "wdl": (wdl, "for the side to move, scale -1 to 1"),
    "wdl for X": (for_x, "for X, scale -1 to 1"),
    "words": (lambda p: WORDS[wdl(p)], "for the side to move"),
    "words for X": (lambda p: {1: "WON", 0: "drawn", -1: "lost"}[for_x(p)], "for X"),
    "the winner": (lambda p: {1: "X wins", 0: "draw", -1: "O"}[for_x(p)], "for X"),
    "points": (lambda p: (wdl(p) + 1) / 2, "for the side to move, scale 0 to 1"),
    "0, 1, 2": (lambda p: wdl(p) + 1, "0, 1, 2 for loss, draw, win"),
    "number of the winner": (lambda p: for_x(p) % 3, "for X, 1 for X, 2 for O"),
    "labels": (lambda p: str(solved().probe(p)), "for the side to move"),
    "scores": (lambda p: for_x(p) * (10 - p.ply), "for X, scale by sign"),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", VALUES)
def test_values_on_any_scale_and_of_any_side(name: str, checked: Check) -> None:
    value, words = VALUES[name]
    report = checked(csv_of(lambda p: {"position": p.board, "value": value(p)}))
    assert words in report.parts[0].read_as
    assert bool(report), str(report)
    # What is right everywhere is wrong almost everywhere as another game's.
    assert report.values is not None
    assert report.values.agreement == 1.0


@pytest.mark.parametrize(("perspective", "right"), [("the side to move", True), ("X", False)])
def test_the_perspective_can_be_set(perspective: str, right: bool, checked: Check) -> None:
    report = checked(csv_of(lambda p: {"position": p.board, "value": wdl(p)}), perspective=perspective)
    assert bool(report) is right
    assert f"for {perspective}" in report.parts[0].read_as


def test_a_perspective_that_can_not_be_told_is_said(checked: Check) -> None:
    report = checked("position,value\nXX./OO./...,1\nX../.../...,1\n")
    assert "--perspective" in report.notes[0]


@pytest.mark.slow
def test_distances_are_read_as_they_are_counted(checked: Check) -> None:
    counts: dict[str, Callable[[Position], int]] = {
        "plies to the end": distance,
        "plies of the whole game": lambda p: p.ply + distance(p),
        "moves of the winner to the end": lambda p: (distance(p) + 1) // 2,
    }
    for words, count in counts.items():
        report = checked(csv_of(lambda p, n=count: {"position": p.board, "wdl": wdl(p), "dtm": n(p)}))  # type: ignore[misc]  # a default binds the count
        assert bool(report), str(report)
        assert report.parts[1].read_as == f"from 'dtm', {words}"


MOVES: dict[str, tuple[Callable[[Position], Any], str]] = {
    "index": (lambda p: best(p)[0], "from 0"),
    "number": (lambda p: best(p)[0] + 1, "from 1"),
    "pair": (lambda p: [best(p)[0] // 3, best(p)[0] % 3], "row and column from 0"),
    "name": (lambda p: "abc"[best(p)[0] % 3] + str(best(p)[0] // 3 + 1), "column letter"),
    "several": (best, "row by row from 0"),
    "several names": (lambda p: " ".join("abc"[m % 3] + str(m // 3 + 1) for m in best(p)), "column letter"),
    "several numbers": (lambda p: ",".join(str(m) for m in best(p)), "row by row from 0"),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", MOVES)
def test_moves_in_any_way(name: str, checked: Check) -> None:
    move, words = MOVES[name]
    live = [position for position in SOME if not position.is_over]
    report = checked(json.dumps({position.board: move(position) for position in live}), "theirs.json")
    assert [(part.name, part.stated, part.right) for part in report.parts] == [("moves", len(live), len(live))]
    assert words in report.parts[0].read_as


def shapes(rows: list[dict[str, Any]]) -> Iterator[tuple[str, str | bytes]]:
    pairs = [[row["position"], row["value"]] for row in rows]
    yield "list.json", json.dumps(rows)
    yield "pairs.json", json.dumps(pairs)
    yield "wrapped.json", json.dumps({"positions": rows})
    yield "map.json", json.dumps(dict(pairs))
    yield "map_of_objects.json", json.dumps({position: {"v": value} for position, value in pairs})
    yield "lines.jsonl", "\n".join(map(json.dumps, rows))
    yield "packed.json.gz", gzip.compress(json.dumps(rows).encode())
    yield "bare.csv", "".join(f"{position},{value}\n" for position, value in pairs)
    yield "semicolons.csv", "position;value\n" + "".join(f"{position};{value}\n" for position, value in pairs)
    yield "tabs.tsv", "\ufeffposition\tvalue\n" + "".join(f"{position}\t{value}\n" for position, value in pairs)


@pytest.mark.slow
def test_files_of_any_shape(checked: Check) -> None:
    for name, content in shapes([{"position": p.board, "value": wdl(p)} for p in SOME]):
        report = checked(content, name)
        assert (bool(report), report.coverage.there) == (True, len(SOME)), name


def test_what_is_wrong_is_counted_by_kind_and_shown(checked: Check) -> None:
    rows = [{"position": p.board, "wdl": wdl(p), "dtm": distance(p)} for p in EVERY]
    rows[0]["wdl"] = 1
    lost = next(place for place, p in enumerate(EVERY) if wdl(p) == -1 and not p.is_over)
    won = next(place for place, p in enumerate(EVERY) if wdl(p) == 1 and distance(p) == 3)
    rows[lost]["wdl"], rows[won]["dtm"] = 0, 4
    rows += [{"position": "XX./.../...", "wdl": 1, "dtm": 1}, {"position": "nonsense", "wdl": 0, "dtm": 0}]
    rows += [rows[5], {"position": EVERY[9].board, "wdl": "perhaps", "dtm": 1}]
    report = checked(json.dumps(rows), "theirs.json")
    assert report.kinds == {"says win, is draw": 1, "says draw, is loss": 1, "distance": 1}
    assert (report.wrong, report.repeated, len(report.unreadable), len(report.impossible)) == (3, 2, 2, 1)
    assert (report.coverage.there, report.coverage.total, report.coverage.live) == (5478, 5478, 4520)
    text = str(report)
    assert "theirs.json on 3,3,3: wrong in 3 of 5,478 positions" in text
    assert "rows       5,482, 2 not readable, 1 impossible, 2 repeated" in text
    assert "1. Says win, is draw: 1 time, first item 1\n" in text
    assert f"it says 4, right is 3\n   mnk query 3,3,3 {EVERY[won].board}\n" in text
    [_, row, *_] = csv.DictReader(StringIO(report.format("csv")))
    assert (row["position"], row["said"], row["kind"]) == (EVERY[lost].board, "0", "says draw, is loss")
    assert report.json()["kinds"] == report.kinds
    assert len(report.json()["skipped"]) == 3


def test_wrong_moves_are_named_by_what_they_give_away(checked: Check) -> None:
    rows = {"XX./OO./...": "a3", "X../.../...": "a1", "start": "b2", "XX./OO./..X": "a3"}
    report = checked(json.dumps(rows), "theirs.json", moves="name")
    # In the last X has a stone more, so that O is to move, who wins at once on c2.
    assert report.kinds == {"move: win to loss": 2, "illegal move": 1}
    assert [(one.said, one.true) for one in report.disagreements][::2] == [("a3", "c1"), ("a3", "c2")]
    assert "mnk query 3,3,3 XX./OO./...\n" in str(report)


def live() -> list[Position]:
    return live_positions(THREE)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is empty"),
        ("{]", "no JSON, nor is its line 1"),
        ("[3]", "item 1 is '3'"),
        ("a,b\n1,2\n", "no column of positions; it has a, b: say which it is with --position"),
        ("board,colour\nXO./.X./...,red\n", "no column of values or moves"),
        ("board,value\nXO./.X./...,1,2\n", "row 2 has 3 columns, not 2"),
        ("board,value\nhello,1\n", "No position of 3,3,3 .* can be used; in row 2: 'hello' can't be read"),
        ("board,value\nXO./.X./...,\n", "No value and no move .* can be read; its cells are empty"),
        ("board,value\nXO./.X./...,perhaps\n", "No value and no move .* can be read; 'perhaps' in the column 'value'"),
    ],
)
def test_what_is_no_table_is_refused(content: str, said: str, checked: Check) -> None:
    with pytest.raises(EngineError, match=said):
        checked(content)


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "theirs.csv"
    path.write_text(csv_of(lambda p: {"position": p.board, "value": wdl(p)}, EVERY), encoding="utf-8")
    assert mnk("verify-table", "3,3,3", path, "--data", tmp_path, "--complete").exit_code == 0
    path.write_text("board,q,action\nXO./.X./...,-1,0\nX../.../...,0,b2\n", encoding="utf-8")
    options: list[str | Path] = [
        "--value",
        "q",
        "--move",
        "action",
        "--moves",
        "name",
        "--perspective",
        "mover",
        "--data",
        tmp_path,
    ]
    result = mnk("verify-table", "3,3,3", path, *options, "--json", "-o", tmp_path / "report.json")
    assert result.exit_code == 0, result.output
    assert "1 of 1 right" in result.stdout
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert (report["agrees"], report["positions"], report["not_readable"]) == (True, 2, 1)
    assert mnk("verify-table", "3,3,3", path, *options, "--complete").exit_code == 1
    assert mnk("verify-table", "3,3,3", path, "--perspective", "X", "--value", "q", "--data", tmp_path).exit_code == 1
    assert_refused(mnk("verify-table", "3,3,3", path, "--value", "w", "--data", tmp_path), 2, "it has board, q, action")
    assert_refused(mnk("verify-table", "3,3,3", tmp_path / "none.csv", "--data", tmp_path), 2, "can't be read")
    assert_refused(mnk("verify-table", "4,4,4", path, "--data", tmp_path), 2, "mnk build 4,4,4")
    assert_refused(mnk("verify", "3,3,3", path, "--data", tmp_path), 2, "mnk verify-table")


@pytest.mark.parametrize("form", FORMATS)
def test_a_report_is_written_whatever_happens(form: str, tmp_path: Path) -> None:
    path, report = tmp_path / "theirs.csv", tmp_path / "report"
    path.write_text("position,value\nrubbish,1\n", encoding="utf-8")
    result = mnk("verify-table", "3,3,3", path, "--data", tmp_path, "--format", form, "-o", report)
    assert result.exit_code == 2
    written = report.read_text(encoding="utf-8")
    assert "No position of 3,3,3" in written
    assert "rubbish" in written
    if form == "json":
        assert json.loads(written)["error"]["kind"] == "EngineError"
