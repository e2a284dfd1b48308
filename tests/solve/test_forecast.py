"""Forecasts are compared with builds."""

import json
import shutil
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest
from benchmarks.process import user_environment

from solver.errors import DoesNotFit
from solver.game.games import parse_game
from solver.search.truth import open_tablebase
from solver.solve import forecast as forecasts
from solver.solve.forecast import Costs, file_bytes, forecast, measure_costs, require_build_fits
from solver.solve.plan import BuildPlan, plan_build
from solver.store.schema import METRICS, Metric
from solver.support.memory import available_memory
from tests.commands import TableFile, assert_refused, mnk
from tests.conftest import ROOT
from tests.small_games import MID_GAMES

SOLVED = sorted((ROOT / "data" / "solved").glob("*.json"))


def known_costs(plan: BuildPlan, threads: int | None = None) -> Costs:
    """Return a time for a unit of work, and a fifth of the bytes."""
    del threads
    return Costs(1e-8, 1e-8, [0.2] * len(plan.levels))


LONG_NAME = "12,12,3,misere,without=" + "+".join(f"{column}{row}" for row in range(1, 13) for column in "abcdefghi")
COUNTING = 100_000_000  # bytes, at most, to count the positions

SLOW_DISK = {"2-13-3-exact-wdl": 3_153_203_200}
"""The peak memory of builds that free no part of a level before the next one is solved.

That is what happens while a slow disk writes the level. On a quick disk, this build used 1.9 GB.
"""


@pytest.fixture(autouse=True)
def _measure_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecasts, "_LEAST_SECONDS", 0.0)


@pytest.fixture
def _known_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the measurement, which takes seconds."""
    monkeypatch.setattr(forecasts, "measure_costs", known_costs)


@pytest.mark.sampled
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("game", ["3,3,3", "3,3,3,misere", *MID_GAMES])
def test_builds_match_their_forecasts(game: str, metric: Metric, table_file: TableFile) -> None:
    path = table_file(game, metric)
    found = forecast(parse_game(game), metric, threads=1)
    with open_tablebase(path) as table:
        assert str(found.positions) == table.table.meta["positions"]
    assert found.exact
    assert 1 / 2 < found.file_bytes / path.stat().st_size < 2


@pytest.mark.slow
@pytest.mark.parametrize("path", SOLVED, ids=lambda path: path.stem)
def test_the_forecasts_of_large_games(path: Path) -> None:
    summary = json.loads(path.read_text(encoding="utf-8"))
    rules = parse_game(summary["game"])
    found = forecast(rules, summary["metric"])
    most = 2 if rules.gravity else 1.3
    assert 1 / most < found.file_bytes / summary["file_bytes"] < most
    if "--workspace" not in summary["built"]["command"]:
        # It includes parts of the file that are mapped into memory.
        used = SLOW_DISK.get(path.stem, summary["built"]["peak_memory_bytes"])
        assert (used - summary["file_bytes"] - COUNTING) / most < found.peak_memory < used * most
    assert found.positions == summary["positions"] or not found.exact


@pytest.mark.slow
def test_the_memory_of_a_build(tmp_path: Path) -> None:
    program = (
        "import sys, solver; from benchmarks.process import peak_megabytes; "
        "solver.build_table(sys.argv[1], sys.argv[2], metric='distance', workers=2); print(peak_megabytes())"
    )
    measured = 0.0
    for game in ("4,4,4", "4,5,4"):  # the first one may compile, which takes memory too
        command = [sys.executable, "-c", program, game, str(tmp_path)]
        run = subprocess.run(command, check=True, capture_output=True, env=user_environment())
        measured = float(run.stdout) * 1e6
    assert forecast(parse_game("4,5,4"), "distance", threads=2).peak_memory == pytest.approx(measured, rel=0.25)


@pytest.mark.slow
def test_the_memory_of_a_build_on_a_slow_disk(tmp_path: Path) -> None:
    program = (
        "import sys, solver; from benchmarks.process import peak_megabytes; from solver.solve.levels import TwoLevels; "
        "TwoLevels.release = lambda *_: None; "
        "solver.build_table('2,13,3,exact', sys.argv[1], metric='wdl', workers=2); print(peak_megabytes())"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    run = subprocess.run(command, check=True, capture_output=True, env=user_environment())
    assert float(run.stdout) * 1e6 == pytest.approx(SLOW_DISK["2-13-3-exact-wdl"], rel=0.1)


@pytest.mark.sampled
@pytest.mark.parametrize(
    "game",
    [
        "4,4,4",
        "4,4,4,gravity,misere",
        "2x2x2,2",  # any two corners of the cube are a line, so the fullest boards are unreachable
    ],
)
def test_pages_are_measured(game: str) -> None:
    rules = parse_game(game)
    plan = plan_build(rules, "wdl")
    costs = measure_costs(plan, threads=1)
    assert 0 < costs.word < 1e-5
    assert 0 < costs.byte < 1e-4
    assert len(costs.shares) == len(plan.levels)
    assert all(0 <= share <= 5 for share in costs.shares)  # with gravity, the smallest pages grow


def test_a_machine_twice_as_slow_takes_twice_as_long() -> None:
    rules = parse_game("4,5,4")
    costs = known_costs(plan_build(rules, "wdl"))
    none, once, twice = (
        forecast(rules, "wdl", costs=costs._replace(word=time, byte=time)).seconds or 0 for time in (0, 1, 2)
    )
    assert twice - none == pytest.approx(2 * (once - none))


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["4,4,4", "3,5,3,misere", "4,4,4,gravity"])
def test_the_bytes_of_small_tables(game: str, table_file: TableFile) -> None:
    rules = parse_game(game)
    plan, size = plan_build(rules, "distance"), table_file(game, "distance").stat().st_size
    assert file_bytes(plan, measure_costs(plan, threads=1).shares) == pytest.approx(size, rel=0.3)


@pytest.mark.slow
def test_a_game_that_exceeds_its_budget_is_solved_in_shards() -> None:
    rules = parse_game("5,5,4")
    costs = known_costs(plan_build(rules, "wdl"))
    free, tight, wide = (forecast(rules, "wdl", memory, 2, costs) for memory in (None, 1_200_000_000, 10**11))
    assert tight.peak_memory < 1_200_000_000 < free.peak_memory
    assert (free.least_memory, wide.peak_memory) == (tight.peak_memory, free.peak_memory)
    assert tight.file_bytes == free.file_bytes  # the table does not depend on the budget


def limit(monkeypatch: pytest.MonkeyPatch, disk: int = 10**18, memory: int | None = 10**18) -> None:
    """Simulate a machine with a given free disk space and available memory."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=disk))
    monkeypatch.setattr(forecasts, "available_memory", lambda: memory)


@pytest.mark.usefixtures("_known_speed")
@pytest.mark.parametrize("held", [0, 1000])
def test_a_build_needs_room_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: int) -> None:
    rules = parse_game("4,5,4")
    found = forecast(rules, "wdl")
    needed = found.file_bytes + found.temporary_bytes
    for free, fits in ((needed, True), (needed - 1, False)):
        limit(monkeypatch, disk=free - held)
        with nullcontext() if fits else pytest.raises(DoesNotFit, match=r"of disk and .* left"):
            require_build_fits(rules, "wdl", None, None, tmp_path / "not" / "there" / "yet", held)
    assert not list(tmp_path.iterdir())


def test_a_build_needs_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecasts, "measure_costs", None)  # memory is checked first
    for budget, memory, message in (
        (None, 10**8, r"2\d\d MB of memory .* 100 MB"),
        (10**8, 10**18, r"2\d\d MB of memory .* 100 MB"),
        (None, 10**18, None),
        (None, None, None),  # an unknown amount of memory
    ):
        limit(monkeypatch, memory=memory)
        with pytest.raises(DoesNotFit, match=message) if message else nullcontext():
            require_build_fits(parse_game("4,5,4"), "wdl", budget, 2, tmp_path, 0)


@pytest.mark.usefixtures("_known_speed")
def test_a_build_that_can_not_fit_starts_nothing(tmp_path: Path) -> None:
    result = mnk("build", "4,5,4", "--memory", "1MB", "--data", tmp_path / "new")
    assert_refused(result, 5, "MB of memory", "--memory")
    assert not list(tmp_path.iterdir())


def test_available_memory_is_that_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("psutil.virtual_memory", lambda: SimpleNamespace(available=10 * 1024))
    assert available_memory(tmp_path) == 10 * 1024
    group = tmp_path / "sys" / "fs" / "cgroup"
    group.mkdir(parents=True)
    (group / "memory.current").write_text("3000\n", encoding="ascii")
    for limit, left in (("max", 10 * 1024), ("5000", 2000), ("2000", 0), ("900000", 10 * 1024)):
        (group / "memory.max").write_text(f"{limit}\n", encoding="ascii")
        assert available_memory(tmp_path) == left
    (group / "memory.stat").write_text("anon 1500\ninactive_file 1000\nactive_file 500\n", encoding="ascii")
    (group / "memory.max").write_text("5000\n", encoding="ascii")
    assert available_memory(tmp_path) == 3000


@pytest.mark.parametrize("threads", [1, 16])
@pytest.mark.parametrize(
    ("game", "budgets"),
    [
        ("4,5,4", range(210_000_000, 245_000_000, 3_000_000)),
        pytest.param("5,5,4", range(10**9, 12 * 10**9, 10**9), marks=pytest.mark.slow),
    ],
)
def test_a_forecast_keeps_its_budget_with_any_number_of_threads(game: str, budgets: range, threads: int) -> None:
    rules = parse_game(game)
    costs = known_costs(plan_build(rules, "distance"))
    least = forecast(rules, "distance", 0, threads, costs).peak_memory
    for budget in budgets:
        found = forecast(rules, "distance", budget, threads, costs)
        assert found.peak_memory <= max(budget, least)
        assert found.least_memory == least


@pytest.mark.parametrize("game", ["4,8,2,exact", "6,7,4,misere", LONG_NAME, "19,19,5,misere"])
@pytest.mark.usefixtures("_known_speed")
def test_a_forecast_refuses_what_a_build_refuses(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch)
    monkeypatch.setattr("solver.cli.forecast.available_memory", lambda: 10**18)
    built = mnk("build", game, "--data", tmp_path)
    assert_refused(mnk("forecast", game), 2, built.stderr)
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("_known_speed")
def test_the_command_prints_a_forecast_as_text_or_json() -> None:
    text = mnk("forecast", "4,4,4", "--threads", "2").stdout
    assert {"Positions  9,722,011", "Pages      1,195"} <= {*text.splitlines()}
    assert "MB at the peak" in text
    assert " s on this machine" in text
    found = json.loads(mnk("forecast", "4,4,4", "--metric", "wdl", "--json").stdout)
    assert (found["positions"], found["pages"], found["metric"]) == (9722011, 1195, "wdl")
    assert found["exact"] is True
    assert found["seconds"] > 0


@pytest.mark.parametrize(
    ("arguments", "exit_code", "words"),
    [
        (["6,7,4,misere"], 2, "42 squares"),
        (["6,7,4"], 0, "The table would fit no machine"),
        (["4,4,4", "--memory", "1MB"], 0, "at least 200 MB"),
        (["4,4,4", "--memory", "1MB"], 0, "The table does not fit: --memory allows 1.0 MB."),
        (["3,3,3", "--memory", "much"], 2, "such as 4GB or 512MiB"),
        (["3,3,3", "--memory", "4"], 2, "write a unit, such as 4GB"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("_known_speed")
def test_the_command_reports_impossible_builds_and_arguments(arguments: list[str], exit_code: int, words: str) -> None:
    result = mnk("forecast", *arguments)
    assert result.exit_code == exit_code, result.output
    assert words in (result.stderr if exit_code else result.stdout)
