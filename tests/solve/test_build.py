"""Building: the file against the slow builder's, kept tables, and interrupted builds."""

import errno
import json
import os
import platform
import signal
import sqlite3
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import Any, NoReturn
from unittest.mock import Mock

import pytest

from solver.errors import RulesError, StorageError, TableError, UnsupportedTable
from solver.game.games import parse_game
from solver.game.rules import Rules
from solver.search.truth import open_tablebase
from solver.solve import lock, pages_build, placement_solver
from solver.solve.build import build_address, build_table, default_metric, existing_table
from solver.store import sqlite
from solver.store.paths import table_path
from solver.store.schema import METRICS, Metric
from tests.commands import mnk
from tests.conftest import ROOT
from tests.forks import build_on_a_small_disk, result_of_fork
from tests.slow_build import slow_build
from tests.small_games import SMALL_GAMES, slow_games
from tests.uncompiled import assert_pass_uncompiled


def content(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return all rows of all tables, except the builder's version."""
    with closing(sqlite3.connect(path)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = {name: sorted(connection.execute(f"SELECT * FROM {name}").fetchall()) for name in tables}
    rows["meta"] = [row for row in rows["meta"] if row[0] != "builder"]
    return rows


@pytest.mark.sampled
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("game", SMALL_GAMES)
def test_the_file_is_the_slow_builders(game: str, metric: Metric, tmp_path: Path) -> None:
    slow = slow_build(game, tmp_path / "slow", metric)
    fast = build_table(game, tmp_path / "fast", metric=metric)
    assert content(fast) == content(slow)


def test_the_file_does_not_depend_on_threads(tmp_path: Path) -> None:
    one, three = (build_table("4,4,4", tmp_path / str(threads), workers=threads) for threads in (1, 3))
    assert one.read_bytes() == three.read_bytes()


def test_distance_is_the_default_up_to_twenty_squares() -> None:
    assert default_metric(parse_game("4,5,4")) == "distance"
    assert default_metric(parse_game("3,7,3")) == "wdl"


def test_a_table_is_built_again_only_if_it_is_damaged_or_lacks_distances(tmp_path: Path) -> None:
    rules = parse_game("2,2,2")
    assert existing_table(rules, tmp_path) is None
    path = build_table(rules, tmp_path, metric="wdl")
    build_table(rules, tmp_path)
    assert metric_of(path) == "distance"
    before = path.stat().st_mtime_ns, path.stat().st_ino
    assert build_table(rules, tmp_path, metric="wdl") == path
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == before
    build_table(rules, tmp_path, force=True)
    assert path.stat().st_ino != before[1]
    path.write_bytes(path.read_bytes()[:-5000])
    build_table(rules, tmp_path)
    assert metric_of(path) == "distance"


def test_a_file_that_is_not_a_table_is_replaced_only_by_force(tmp_path: Path) -> None:
    path = tmp_path / "mnk-2-2-2.sqlite"
    path.write_bytes(b"somebody's work")
    with pytest.raises(UnsupportedTable, match="is not a tablebase"):
        build_table("2,2,2", tmp_path)
    assert path.read_bytes() == b"somebody's work"
    assert metric_of(build_table("2,2,2", tmp_path, force=True)) == "distance"


def test_a_table_that_cannot_be_read_is_replaced_only_by_force(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = build_table("2,2,2", tmp_path)
    before = path.stat().st_ino
    with monkeypatch.context() as patched:
        patched.setattr(sqlite, "read_marks", Mock(side_effect=PermissionError(errno.EACCES, "Permission denied")))
        with pytest.raises(TableError, match=rf"{path.name} can't be read: Permission denied"):
            build_table("2,2,2", tmp_path)
    assert path.stat().st_ino == before
    build_table("2,2,2", tmp_path, force=True)
    assert path.stat().st_ino != before


@pytest.mark.parametrize("game", ["2,2,2", "4,4,4"])
def test_a_link_to_a_table_stays_a_link(game: str, tmp_path: Path) -> None:
    path = build_table(game, tmp_path / "far")
    link, before = tmp_path / path.name, path.stat().st_ino
    link.symlink_to(path)
    path.with_name(f"{path.name}.999999999-0-0.part").write_bytes(b"half")
    assert build_table(game, tmp_path, force=True) == link
    assert link.is_symlink()
    assert path.stat().st_ino != before
    assert [*path.parent.iterdir()] == [path]


def test_an_empty_file_is_replaced_and_ignored(tmp_path: Path) -> None:
    """As SQLite leaves it when a program opens a missing table."""
    for game in ("2,2,2", "3,3,3"):
        (tmp_path / f"mnk-{game.replace(',', '-')}.sqlite").touch()
    assert metric_of(build_table("2,2,2", tmp_path)) == "distance"
    assert mnk("query", "3,3,3", "--data", tmp_path).stdout.startswith("3,3,3: 3 rows")  # from the package's table


def metric_of(path: Path) -> Metric:
    with open_tablebase(path) as table:
        return table.table.metric


def test_progress_goes_from_little_to_all(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    build_table("4,4,4", tmp_path, progress=lambda done, total: seen.append((done, total)))
    assert seen == sorted(seen)
    assert seen[-1][0] == seen[-1][1] > seen[0][0]


@pytest.mark.parametrize(
    ("game", "metric", "reason"),
    [
        ("6,7,4", None, "at most 36 squares"), ("9,8,6,gravity", None, "at most 36 squares"),
        ("3,3,3", "dtz", "choose one of distance, wdl"),
    ],
)  # fmt: skip
def test_a_large_board_or_unknown_metric_is_refused(game: str, metric: Any, reason: str, tmp_path: Path) -> None:
    with pytest.raises(RulesError, match=reason):
        build_table(game, tmp_path, metric=metric)
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_turns_out_to_be_uncountable_is_not_solved_to_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, refused, reached = Event(), Event(), list[float]()

    def count_late(_rules: Rules) -> NoReturn:
        begun.wait(60)
        refused.set()
        raise RulesError("too many positions")

    def progress(done: int, total: int) -> None:
        begun.set()
        refused.wait(60)
        reached.append(done / total)

    monkeypatch.setattr(placement_solver, "count_positions", count_late)
    with pytest.raises(RulesError, match="too many positions"):
        build_table("4,4,4", tmp_path, progress=progress)
    assert max(reached) < 0.5
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("stop", [KeyboardInterrupt, RuntimeError])
def test_an_interrupted_build_leaves_the_old_table(stop: type[BaseException], tmp_path: Path) -> None:
    path = build_table("4,4,4,misere", tmp_path)
    before = path.read_bytes()

    def interrupt(done: int, total: int) -> None:
        raise stop

    with pytest.raises(stop):
        build_table("4,4,4,misere", tmp_path, force=True, progress=interrupt)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_reported_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages_build, "EVERY", float("inf"))
    path = build_table("4,4,4", tmp_path)
    before = path.read_bytes()
    said = result_of_fork(build_on_a_small_disk, "4,4,4", tmp_path, 100_000)
    assert str(tmp_path) in said
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("game", ["2,2,2", *slow_games("3,3,3")])
def test_threads_may_build_one_table_at_the_same_time(game: str, tmp_path: Path) -> None:
    expected = build_table(game, tmp_path / "alone").read_bytes()
    with ThreadPoolExecutor(12) as pool:
        paths = [*pool.map(lambda _: build_table(game, tmp_path, force=True), range(12))]
    assert {path.read_bytes() for path in paths} == {expected}
    assert {path.name for path in tmp_path.iterdir()} == {"alone", paths[0].name}


def test_a_folder_that_cannot_be_flushed_does_not_fail_a_finished_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flush = os.fsync

    def refuse_folders(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise PermissionError(13, "Permission denied")
        flush(handle)

    monkeypatch.setattr(os, "fsync", refuse_folders)
    assert metric_of(build_table("2,2,2", tmp_path)) == "distance"


KILLED = """
import os, signal, sys
from solver.cli import main
from solver.solve.lock import BuildLock
BuildLock.clear = lambda _: os.kill(os.getpid(), signal.SIGKILL)  # the table has its name, and the shards are left
main(["build", *sys.argv[1:]], prog_name="mnk")
"""


@pytest.mark.parametrize(
    ("options", "again"),
    [
        pytest.param([], [], marks=pytest.mark.slow),
        (["--workspace", "shards"], ["--workspace", "shards"]),
        pytest.param(["--cluster", "local:1"], ["--cluster", "local:1"], marks=pytest.mark.slow),
        pytest.param(  # the table has distances, which serve for both metrics
            ["--metric", "distance"], ["--metric", "wdl"], marks=pytest.mark.slow
        ),
    ],
)
def test_what_a_kill_after_the_rename_left_is_removed(options: list[str], again: list[str], tmp_path: Path) -> None:
    (tmp_path / "shards").mkdir()
    options, again = (
        [str(tmp_path / word) if word == "shards" else word for word in words] for words in (options, again)
    )
    command = [sys.executable, "-c", KILLED, "4,4,4", "--data", str(tmp_path)]
    killed = subprocess.run([*command, *options], cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    path = tmp_path / "mnk-4-4-4.sqlite"
    built = path.read_bytes()
    path.with_name(f"{path.name}.999999999-0-0.part").write_bytes(b"half")
    assert len([*tmp_path.rglob("*.parts")]) == 1
    result = mnk("build", "4,4,4", "--data", tmp_path, *again)
    assert (result.exit_code, result.stdout.startswith("Kept 4,4,4")) == (0, True)
    assert sorted(tmp_path.rglob("*")) == [path, tmp_path / "shards"]
    assert path.read_bytes() == built


@pytest.mark.parametrize("process", ["abc", 10**30])
def test_a_damaged_lock_beside_a_finished_table_causes_no_delay(
    process: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "sleep", Mock(side_effect=AssertionError))
    path = build_table("4,4,4", tmp_path)
    left = Path(build_address(path, "distance"))
    left.mkdir()
    (left / "lock").write_text(json.dumps({"build": "1", "machine": platform.node(), "process": process}))
    build_table("4,4,4", tmp_path)
    assert not left.exists()


def test_a_special_file_behind_a_link_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "data").mkdir()
    table_path(tmp_path / "data", parse_game("2,2,2")).symlink_to(tmp_path / "pipe")
    with pytest.raises(StorageError, match="it is a link to a special file"):
        build_table("2,2,2", tmp_path / "data", force=True)
    assert (tmp_path / "pipe").is_fifo()


def test_what_is_not_a_file_is_refused_at_once(tmp_path: Path) -> None:
    pipe = tmp_path / "mnk-2-2-2.sqlite"
    os.mkfifo(pipe)
    with pytest.raises(UnsupportedTable, match="is not a file"):
        build_table("2,2,2", tmp_path)
    assert metric_of(build_table("2,2,2", tmp_path, force=True)) == "distance"
    (tmp_path / "mnk-3-3-3.sqlite").mkdir()
    with pytest.raises(StorageError, match="is a folder"):
        build_table("3,3,3", tmp_path, force=True)


@pytest.mark.parametrize("game", ["4,4,2", "2,7,2", *slow_games("4,4,1", "5,5,2", "4,4,2,misere", "progression,13,2")])
def test_levels_without_pages_are_passed(game: str, tmp_path: Path) -> None:
    expected = build_table(game, tmp_path).read_bytes()
    assert build_table(game, tmp_path / "other", workspace=tmp_path / "shards").read_bytes() == expected


@pytest.mark.slow
def test_the_kernels_pass_without_the_compiler() -> None:
    games = ("1,2,2", "2,2,2", "2,2,3", "2,3,2,exact,torus", "3,2,2,misere", "3,3,2,exact,gravity")
    test = test_the_file_is_the_slow_builders.__name__
    assert_pass_uncompiled(__file__, *(f"{test}[{game}-{metric}]" for game in games for metric in METRICS))
