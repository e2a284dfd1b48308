"""Every correct table passes."""

import subprocess
import sys
from pathlib import Path

import pytest

from solver.check import check_table, page_check
from solver.errors import DoesNotFit
from solver.game.games import parse_game
from solver.store.layout import layout_of
from solver.store.schema import METRICS, Metric
from tests.check.tables import TableFile, execute
from tests.conftest import ROOT
from tests.page_geometry import page_keys
from tests.slow_build import oracle, slow_build
from tests.small_games import SMALL_GAMES
from tests.uncompiled import assert_pass_uncompiled

PAGED_GAMES = [
    "1,13,3", "1,14,2,exact", "2,7,2,exact,misere", "2,7,3,gravity,torus",
    "2,7,9",  # k fits no line
    "3,5,1", "3,5,2,exact,torus", "3,5,3,exact", "3,5,3,exact,gravity", "3,5,3,full", "4,4,3,exact,gravity,torus",
    "4,4,3,exact,misere,torus", "4,4,4", "4,4,4,gravity,misere", "4,4,4,misere", "4,4,4,torus", "5,3,3,full,gravity",
    "7,2,3,gravity",
]  # fmt: skip
BUILT: list[tuple[str, Metric]] = [
    ("3,3,3", "distance"), ("3,3,3", "wdl"), ("3,3,2,exact", "distance"), ("4,3,3,gravity", "wdl"),
    *((game, metric) for game in PAGED_GAMES for metric in METRICS),
]  # fmt: skip
LARGE: list[tuple[str, Metric]] = [
    ("3,4,3,exact", "distance"), ("4,5,4", "distance"), ("3,7,4", "wdl"), ("5,5,4,gravity", "distance"),
]  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("game", SMALL_GAMES)
def test_right_rows_pass(game: str, metric: Metric, tmp_path: Path) -> None:
    path = slow_build(game, tmp_path, metric)
    report = check_table(path)
    assert report.problems == ()
    assert report.positions == len(oracle(game).reachable())
    assert (report.game, report.metric) == (game, metric)
    assert [(report.digest,)] == execute(path, "SELECT value FROM meta WHERE key = 'digest'")


@pytest.mark.sampled
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("game", SMALL_GAMES)
def test_right_pages_pass(game: str, metric: Metric, slow_pages: TableFile) -> None:
    path = slow_pages(game, metric)
    report = check_table(path)
    assert report.problems == ()
    assert [(report.digest,)] == execute(path, "SELECT value FROM meta WHERE key = 'digest'")


@pytest.mark.sampled
@pytest.mark.parametrize(("game", "metric"), [*BUILT, *(pytest.param(*game, marks=pytest.mark.slow) for game in LARGE)])
def test_built_tables_pass(game: str, metric: Metric, table_file: TableFile) -> None:
    assert check_table(table_file(game, metric)).problems == ()


def test_counts_positions_and_successors(table_file: TableFile, slow_pages: TableFile) -> None:
    # Rows hold every position, finished ones too; pages those that go on, one for each set of X's stones
    # that is no image of another.
    live = [position for position in oracle("3,3,3").reachable() if not position.is_over]
    moves = sum(len(position.legal_moves) for position in live)
    rows, pages = check_table(table_file("3,3,3")), check_table(slow_pages("3,3,3"))
    assert (rows.positions, rows.successors) == (5478, moves)
    layout = layout_of(parse_game("3,3,3"), "distance")
    keys = set(page_keys(layout))
    on_pages = [position for position in live if position.x in keys]
    assert pages.positions == len(on_pages)
    assert pages.successors == sum(len(position.legal_moves) for position in on_pages)


def test_does_not_depend_on_threads(table_file: TableFile) -> None:
    path = table_file("4,4,4")
    assert check_table(path, threads=1) == check_table(path, threads=3)


@pytest.mark.slow
def test_right_tables_pass_without_the_compiler() -> None:
    games = ("2,3,2,exact,torus", "3,2,2,misere", "3,3,2,exact,gravity")
    assert_pass_uncompiled(__file__, *(f"{test_right_pages_pass.__name__}[{game}-distance]" for game in games))


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["3,3,3", "4,4,3", "4,4,3,gravity"])
@pytest.mark.parametrize("sample", [None, 50])
def test_progress_grows_to_the_total(game: str, sample: int | None, table_file: TableFile) -> None:
    seen: list[tuple[int, int]] = []
    check_table(table_file(game), sample=sample, progress=lambda done, total: seen.append((done, total)))
    assert seen == sorted(seen)
    assert len({total for _, total in seen}) == 1
    assert seen[-1][0] == seen[-1][1]


def test_numba_is_not_loaded_for_rows(table_file: TableFile) -> None:
    program = """
import sys
from pathlib import Path
from solver.check import check_table
assert check_table(Path(sys.argv[1])).ok
assert "numba" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program, str(table_file("3,3,3"))], cwd=ROOT, check=True)


def test_a_check_that_has_no_room_is_refused(table_file: TableFile, monkeypatch: pytest.MonkeyPatch) -> None:
    path = table_file("4,4,4")
    monkeypatch.setattr(page_check, "available_memory", lambda: 1000)
    with pytest.raises(DoesNotFit, match=r"needs 256 kB of memory and 1\.0 kB are available; check a sample"):
        check_table(path)
    assert check_table(path, sample=10).ok
    monkeypatch.setattr(page_check, "available_memory", lambda: None)
    assert check_table(path).ok
