"""The atlas of small games (data/atlas): it is complete and consistent, and agrees with published values."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import sys
from itertools import groupby
from pathlib import Path

import game_atlas
import pyarrow.parquet
import pytest

from solver.count import count_positions
from solver.game.games import parse_game
from tests.conftest import ROOT

ATLAS = ROOT / "data" / "atlas"
FACTS = json.loads((ROOT / "data" / "facts" / "positional.json").read_text(encoding="utf-8"))["atlas"]
Row = dict[str, str]


def read(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file)]


ROWS = [row for path in sorted(ATLAS.glob("*-*.csv")) for row in read(path)]
OF_GAME = {row["game"]: row for row in ROWS}


def results(row: Row) -> tuple[str, int, str, int]:
    return row["value"], int(row["plies"] or 0), row["maker"], int(row["maker_plies"] or 0)


def test_rows_are_consistent() -> None:
    for row in ROWS:
        squares = int(row["squares"])
        assert row["maker"]
        for key in ("methods", "maker_methods"):
            methods = set(row[key].split("+"))
            assert methods >= {"search", "table"} or methods >= {"classes", "table"} or squares > 21
            assert methods >= {"classes", "table"} or row.get("points") != "8"
            assert len(methods) >= 2
            assert "brute force" in methods or squares > 12
        value, plies, maker, maker_plies = results(row)
        assert value in {"X", "draw"}
        assert maker != "O" or value == "draw"
        assert value != "X" or (maker == "X" and maker_plies <= plies)
        assert maker != "X" or maker_plies % 2 == 1


def test_the_page_describes_every_column() -> None:
    page = (ROOT / "docs" / "atlas.md").read_text(encoding="utf-8")
    described = {
        word for row in re.findall(r"^\| (`.+?) \|", page, re.MULTILINE) for word in re.findall(r"`(\w+)`", row)
    }
    for path in ATLAS.glob("*.csv"):
        columns = path.read_text(encoding="utf-8").partition("\n")[0].split(",")
        assert {column.removeprefix("maker_") for column in columns} <= described, path


@pytest.mark.sampled
@pytest.mark.parametrize(
    "row",
    [pytest.param(row, id=row["game"], marks=[pytest.mark.slow] if row["squares"] == "15" else []) for row in ROWS],
)
def test_positions_of_a_game_are_as_many_as_in_its_row(row: Row) -> None:
    rules = parse_game(row["game"])
    assert (rules.name, rules.squares) == (row["game"], int(row["squares"]))
    if row["maker"] and rules.squares <= 15:
        counts = count_positions(rules)
        assert sum(count.positions for count in counts) == int(row["positions"])
        assert sum(count.canonical for count in counts) == int(row["canonical"])


@pytest.mark.parametrize("points", [4, *(pytest.param(points, marks=pytest.mark.slow) for points in (3, 5, 6, 7))])
def test_all_graphs_solved_at_once_have_the_values_of_the_rows(points: int) -> None:
    rows = [row for row in ROWS if row.get("points") == str(points)]
    censuses = game_atlas._solve_classes(rows)
    for row in rows:
        strong, maker = censuses[row["game"]], censuses[f"{row['game']},maker"]
        assert (strong[0].x_wins, strong[0].draws) == ((1, 0) if row["value"] == "X" else (0, 1))
        assert (maker[0].x_wins, maker[0].o_wins) == ((1, 0) if row["maker"] == "X" else (0, 1))
        assert strong[0].longest == int(row["plies"] or -1)
        assert maker[0].longest == int(row["maker_plies"])


def test_maker_wins_on_larger_boards_as_soon() -> None:
    families = [row for row in ROWS if row["maker"]]
    families.sort(key=lambda row: (row.get("atlas", ""), row.get("k", ""), int(row["squares"])))
    for _, rows in groupby(families, key=lambda row: (row.get("atlas"), row.get("k"))):
        ends = [int(row["maker_plies"]) if row["maker"] == "X" else 1000 for row in rows]
        assert ends == sorted(ends, reverse=True)


@pytest.mark.slow
def test_maker_wins_a_part_of_a_graph_as_soon() -> None:
    rows = [row for row in ROWS if row.get("points") == "6"]
    lines = {row["game"]: [line.mask for line in parse_game(row["game"]).lines] for row in rows}
    for row in rows:
        whole = lines[row["game"]][0]
        for other in rows:
            if row["maker"] == "X" and any(mask & whole == mask for mask in lines[other["game"]]):
                assert other["maker"] == "X"
                assert int(other["maker_plies"]) <= int(row["maker_plies"])


@pytest.mark.parametrize(("graph", "least"), FACTS["ramsey_game_numbers"].items())
def test_the_fewest_points_on_which_the_first_player_wins(graph: str, least: int) -> None:
    values = {int(row["points"]): row["value"] for row in ROWS if row.get("graph") == graph}
    if least not in values:
        pytest.skip("data/atlas has no row of it yet; `scripts/atlas` solves it")
    assert min(points for points, value in values.items() if value == "X") == least


@pytest.mark.parametrize(("game", "value"), FACTS["values"].items())
def test_values_that_were_found_by_other_means(game: str, value: str) -> None:
    name, _, variant = game.partition(",maker")
    if name not in OF_GAME:
        pytest.skip("data/atlas has no row of it yet; `scripts/atlas` solves it")
    assert OF_GAME[name]["maker" if game.endswith("maker") else "value"] == value, variant


def test_files_are_those_that_were_written() -> None:
    for line in (ATLAS / "SHA256SUMS").read_text(encoding="utf-8").splitlines():
        digest, name = line.split()
        assert hashlib.sha256((ATLAS / name).read_bytes()).hexdigest() == digest
    for family, key in (("graphs", "points"), ("progressions", "n")):
        rows = pyarrow.parquet.read_table(ATLAS / f"{family}.parquet").to_pylist()
        assert {row["game"]: row["plies"] for row in rows} == {
            row["game"]: int(row["plies"]) if row["plies"] else None for row in ROWS if key in row
        }


def test_the_script_resumes_and_notices_another_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(game_atlas, "ATLAS", tmp_path)
    monkeypatch.setattr(sys, "argv", ["atlas", "graph-3", "--games", "1", "--positions", "5"])
    assert game_atlas.main() == 0
    file = tmp_path / "graph-3.csv"
    assert [row["game"] for row in read(file)] == ["graph,3,p3"]
    assert game_atlas.main() == 0
    assert [results(row) for row in read(file)] == [("X", 3, "X", 3), ("draw", 0, "O", 3)]
    file.write_text(file.read_text(encoding="utf-8").replace("X,3,", "X,5,"), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["atlas", "graph-3", "--again", "--positions", "5"])
    assert game_atlas.main() == 1
    assert "graph,3,p3 has another plies" in capsys.readouterr().err
    monkeypatch.setattr(sys, "argv", ["atlas", "graph-99"])
    with pytest.raises(SystemExit):
        game_atlas.main()
    assert "there is no part graph-99; choose from graph-3, " in capsys.readouterr().err
