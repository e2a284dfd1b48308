"""The benchmarks on tiny games: every figure is a number, and the results are legible for programs and people.

How large the figures are is not tested.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from itertools import islice
from math import isfinite
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from benchmarks import __main__ as program
from benchmarks import connect_four, growth, process, proofs, rows, sample, serving
from benchmarks.figure import Figure
from benchmarks.growth import Point
from benchmarks.minimax import solve

from solver.game.games import parse_game
from solver.game.position import Position
from solver.search.gravity import Search
from solver.search.truth import open_tablebase
from tests.conftest import ROOT, Kept
from tests.search.test_gravity import PUBLISHED
from tests.slow_build import oracle
from tests.texts import words_of_chart

PAGED = "1,13,2"  # the fewest squares that are kept in pages, and few positions


def checked(figures: Iterable[Figure]) -> list[Figure]:
    """Return the figures, after checking that each has a name and a positive value."""
    measured = [*figures]
    for figure in measured:
        assert figure.what
        assert isfinite(figure.value)
        assert figure.value > 0
        if figure.ratio is not None:
            assert figure.ratio > 0
            assert figure.other
    assert len({figure.what for figure in measured}) == len(measured)
    return measured


@pytest.mark.parametrize("game", ["2,2,2", "3,3,3", "3,3,3,torus"])
def test_minimax_is_right_about_every_position(game: str) -> None:
    known, values = oracle(game), solve(parse_game(game))
    positions = known.reachable()
    assert len(values) == len(positions)
    for position in positions:
        sides = (position.x, position.o) if position.to_move == "X" else (position.o, position.x)
        assert values[sides] == known.value(position).wdl


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not report the processor time of a process")
def test_the_server_under_load_answers(table_file: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "WARM", 10)
    with serving.serving(table_file("3,3,3").parent) as server:
        checked([*serving.probes(server, "3,3,3", 500), serving.batches(server, "3,3,3", 20)])


def test_plain_rows_hold_what_the_table_holds(tmp_path: Path, table_file: Callable[..., Path]) -> None:
    with open_tablebase(table_file(PAGED)) as table:
        rows.write_rows(table.table, tmp_path / "rows")
        hashes = [position.hash for position in islice(sample.played(table.rules), 50)]
        wdl, distance = table.table.probe_many(np.array(hashes))
    expected = [256 * w + d for w, d in zip(wdl.tolist(), distance.tolist(), strict=True)]
    assert rows.probe_rows(tmp_path / "rows", hashes) == expected


@pytest.mark.slow
def test_the_twin_in_c_enters_the_same_nodes(tmp_path: Path) -> None:
    twin = connect_four.Sources(tmp_path).twin()
    if not twin:
        pytest.skip("needs a C compiler")
    ours, theirs = connect_four.solve_here([*PUBLISHED]), connect_four.solve_by_twin(twin, [*PUBLISHED])
    assert ours.scores == theirs.scores == [*PUBLISHED.values()]
    assert ours.nodes == theirs.nodes


@pytest.mark.slow
def test_best_lines_of_a_small_board_are_optimal() -> None:
    rules = parse_game("4,4,4,gravity")
    for position in connect_four.best_lines(Search(rules), Position.start(rules)):
        value = Search(rules).solve(position)
        assert value
        assert (position.ply, value.wdl) == (12, 0)


class TestGrowth:
    @pytest.fixture(autouse=True)
    def _known_bandwidth(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(growth, "triad_rate", lambda threads: 1e9)

    def test_every_game_is_solved_for_both_questions(self) -> None:
        figures = checked(growth.figures(["2,2,2", "3,3,3"]))
        assert growth.points_of(figures, "wdl")[1][:2] == ("3,3,3", 5478)
        assert [point.game for point in growth.points_of(figures, "distance")] == ["2,2,2", "3,3,3"]

    def test_the_fit_finds_a_power_law_and_ignores_small_games(self) -> None:
        law = growth.fit([Point("", 1000, 5), *(Point("", x, 2 * x**0.75) for x in (2e6, 3e7, 4e8))])
        assert law is not None
        assert tuple(law) == pytest.approx((2, 0.75))
        assert law(1e8) == pytest.approx(2e6)


def test_a_process_that_fails_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"failed with exit code 3:\nno"):
        process.run_python(["-c", "import sys; sys.stderr.write('no'); sys.exit(3)"], tmp_path, {})


def test_the_peak_memory_is_that_of_the_process(tmp_path: Path) -> None:
    code = "from benchmarks.process import peak_megabytes; print(peak_megabytes())"
    held = np.ones(25_000_000)  # 200 MB that the other process must not report
    _, printed = process.run_python(["-c", code], tmp_path, process.user_environment())
    assert 1 < float(printed) < held.nbytes / 1e6 < process.peak_megabytes()


def test_only_lines_that_force_a_win_count() -> None:
    position = Position.start(parse_game("15,15,5"))
    for name in ["h8", "a1", "i8", "a2", "j8", "c9"]:
        position = position.play(position.rules.diagram.names.index(name))
    win = proofs.answer_here([position])[0].moves
    assert win is not None
    assert proofs.wins_by_fours(position, win)
    assert proofs.wins_by_fours(position, win[:1])  # two squares complete a line
    assert not proofs.wins_by_fours(position, [])
    assert not proofs.wins_by_fours(position, [position.legal_moves[0]])


@pytest.mark.slow
def test_a_quick_run(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "benchmarks", "--quick", "--out", str(tmp_path)]
    folder, environment = process.ROOT / "scripts", process.user_environment()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    check_files(tmp_path)


def check_files(folder: Path) -> None:
    """Check that all three files exist and agree."""
    assert {path.name for path in folder.iterdir()} == {"growth.svg", "results.json", "results.md"}
    results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    table = (folder / "results.md").read_text(encoding="utf-8")
    assert results["quick"] is True
    assert {"processor", "cores", "memory", "python", "numpy", "numba", "load before", "load after"} <= {
        *results["machine"]
    }
    for title, figures in results["parts"].items():
        assert f"\n## {title}\n" in table
        for figure in checked(Figure(**figure) for figure in figures):
            assert f"\n| {figure.what} |" in table
    ElementTree.parse(folder / "growth.svg")


def test_the_stored_picture_shows_the_stored_figures(kept: Kept) -> None:
    folder = ROOT / "data" / "benchmarks"
    results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    figures = [Figure(**figure) for part in results["parts"].values() for figure in part]
    kept.whole(folder / "growth.svg", program.draw_growth(results["machine"], figures), words_of_chart)
