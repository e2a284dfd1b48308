"""A killed build in memory is resumed after its finished shards, and ends with the same file."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from benchmarks.process import user_environment

from solver.errors import CheckFailed, DoesNotFit
from solver.game.games import parse_game
from solver.solve import build_table, memory_build, pages_build
from solver.solve.objects import LocalFiles
from tests.commands import mnk
from tests.forks import Send, build_on_a_small_disk, forked, result_of_fork

GAMES = ["4,4,4", "4,4,4,misere", "4,5,4,gravity"]


def markers(folder: Path) -> list[Path]:
    """The markers of the finished shards of an interrupted build in a folder."""
    return sorted(folder.glob("*.parts/*/*.json"))


def assert_whole(folder: Path, expected: bytes, game: str = "4,4,4") -> None:
    """Finish the build in a folder; it leaves nothing but the expected file."""
    path = build_table(game, folder)
    assert path.read_bytes() == expected
    assert list(folder.iterdir()) == [path]


@pytest.fixture(autouse=True)
def every_level(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every level one from which a build resumes; these games take less than EVERY seconds."""
    monkeypatch.setattr(memory_build, "EVERY", 0.0)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of undisturbed builds."""
    folder = tmp_path_factory.mktemp("whole")
    return {game: build_table(game, folder).read_bytes() for game in GAMES}


class Stopped(KeyboardInterrupt):
    """Raised in the middle of a build."""


def stop(*_: object) -> None:
    """Raise Stopped."""
    raise Stopped


def stop_at(share: float) -> Callable[[int, int], None]:
    """Return a progress function that raises Stopped at this share of a build."""

    def progress(done: int, total: int) -> None:
        if done >= share * total:
            raise Stopped

    return progress


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_an_interrupted_build_resumes(game: str, whole: dict[str, bytes], tmp_path: Path) -> None:
    finished = [0]
    for share in (0.3, 0.5, 0.6, 0.8):
        with pytest.raises(Stopped):
            build_table(game, tmp_path, progress=stop_at(share))
        finished.append(len(markers(tmp_path)))
        assert not (tmp_path / parse_game(game).file_name).exists()
    assert finished == sorted(finished)
    assert finished[-1] > 1
    calls: list[tuple[int, int]] = []
    build_table(game, tmp_path, progress=lambda *call: calls.append(call))
    assert calls[0][0] > calls[0][1] / 10
    assert calls == sorted(calls)
    assert calls[-1][0] == calls[-1][1]
    assert_whole(tmp_path, whole[game], game)  # which keeps the table


def test_a_build_resumes_in_another_way(whole: dict[str, bytes], tmp_path: Path) -> None:
    with pytest.raises(Stopped):
        build_table("4,4,4", tmp_path, progress=stop_at(0.4))
    solved = markers(tmp_path)
    with pytest.raises(Stopped):
        build_table("4,4,4", tmp_path, store=tmp_path, progress=stop_at(0.9))
    assert {*solved} < {*markers(tmp_path)}
    assert_whole(tmp_path, whole["4,4,4"])


@pytest.mark.parametrize("way", ["in memory", "by workers"])
def test_a_resumed_build_that_is_stopped_at_once_keeps_what_is_finished(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Stopped):
        build_table("4,4,4", tmp_path, progress=stop_at(0.7))
    finished = markers(tmp_path)
    monkeypatch.setattr(pages_build, "_solve_in_memory", stop)
    monkeypatch.setattr(pages_build, "_write_inputs", stop)
    with pytest.raises(Stopped):
        build_table("4,4,4", tmp_path, store=tmp_path if way == "by workers" else None)
    assert markers(tmp_path) == finished


def build_and_report(send: Send, game: str, folder: Path) -> None:
    """Build a table and send the share done repeatedly."""
    build_table(game, folder, threads=2, progress=lambda done, total: send(done / total))


@pytest.mark.slow
def test_killed_at_random_moments_it_still_ends_with_the_same_file(whole: dict[str, bytes], tmp_path: Path) -> None:
    """Eight times, without cleaning up; finished shards are not solved again."""
    rng = random.Random(5)
    game = "4,5,4,gravity"
    finished = [0]
    for share in sorted(rng.uniform(0.1, 0.85) for _ in range(8)):
        with forked(build_and_report, game, tmp_path) as (process, sent):
            while sent.recv() < share:
                pass
            process.kill()
        assert process.exitcode == -signal.SIGKILL
        finished.append(len(markers(tmp_path)))
    assert finished == sorted(finished)
    assert len(set(finished)) > 3
    assert_whole(tmp_path, whole[game], game)


@pytest.mark.sampled
@pytest.mark.parametrize("call", range(1, 30, 3))
def test_it_may_stop_before_anything_that_it_writes(
    call: int, whole: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, write = 0, LocalFiles.pipe_file

    def counted(files: LocalFiles, path: str, data: bytes) -> None:
        nonlocal calls
        calls += not path.endswith("lock")
        if calls == call:
            raise Stopped
        write(files, path, data)

    with monkeypatch.context() as patch:
        patch.setattr(LocalFiles, "pipe_file", counted)
        with pytest.raises(Stopped):
            build_table("4,4,4", tmp_path)
    assert_whole(tmp_path, whole["4,4,4"])


def test_a_disk_that_fills_loses_no_finished_level(whole: dict[str, bytes], tmp_path: Path) -> None:
    """A limit on the size of files stands in for the disk. Three attempts, each with more room than the last."""
    finished = []
    for room in (30_000, 40_000, 60_000):
        assert f"{tmp_path}" in result_of_fork(build_on_a_small_disk, "4,4,4", tmp_path, room)
        finished.append(len(markers(tmp_path)))
    assert finished == sorted(finished)
    assert finished[-1] > 0
    assert_whole(tmp_path, whole["4,4,4"])


@pytest.mark.parametrize("kind", ["kept", "pages", "json"])
def test_lost_or_damaged_objects_are_solved_again(kind: str, whole: dict[str, bytes], tmp_path: Path) -> None:
    with pytest.raises(Stopped):
        build_table("4,4,4", tmp_path, progress=stop_at(0.7))
    for number, path in enumerate(sorted(tmp_path.glob(f"*.parts/*/*.{kind}"))):
        path.write_bytes(path.read_bytes()[:-1] + b"?") if number % 2 else path.unlink()
    assert_whole(tmp_path, whole["4,4,4"])


def test_each_metric_has_a_build_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(Stopped):
        build_table("4,4,4", tmp_path, progress=stop_at(0.7))
    left = markers(tmp_path)
    build_table("4,4,4", tmp_path, metric="wdl")
    assert markers(tmp_path) == left


@pytest.mark.parametrize(("error", "remains"), [(RuntimeError(), True), (MemoryError(), True), (CheckFailed(), False)])
def test_finished_levels_are_lost_only_when_they_are_wrong(error: Exception, remains: bool, tmp_path: Path) -> None:
    def fail(done: int, total: int) -> None:
        if done > total / 2:
            raise error

    with pytest.raises(type(error)):
        build_table("4,4,4", tmp_path, progress=fail)
    assert bool([*tmp_path.iterdir()]) == remains


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_the_file_does_not_depend_on_the_memory(
    game: str, whole: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.solve.plan.plan_memory", lambda *_: 10**10)
    path = build_table(game, tmp_path, memory=10**9)
    assert path.read_bytes() == whole[game]
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(DoesNotFit, match="largest shard"):
        build_table(game, tmp_path, memory=10**8, force=True)


_LIMITED = """
import resource, sys
import solver
from solver.solve import pages_build
resource.setrlimit(resource.RLIMIT_DATA, (int(sys.argv[2]), int(sys.argv[2])))
print(solver.build_table("4,6,4", sys.argv[1], metric="wdl", threads=2, memory=int(sys.argv[3])))
"""


@pytest.mark.slow
def test_a_budget_is_kept(tmp_path: Path) -> None:
    """The system limits the memory of a process; 4,6,4 keeps levels of 450 and 400 MB."""
    for limit, memory, succeeds in ((600, 600, True), (600, 2000, False), (1100, 1000, True)):
        command = [sys.executable, "-c", _LIMITED, str(tmp_path), str(limit * 10**6), str(memory * 10**6)]
        done = subprocess.run(command, env=user_environment(), capture_output=True, text=True, check=False)
        assert (done.returncode == 0) == succeeds, done.stderr
        assert ("MemoryError" in done.stderr) != succeeds
        Path(done.stdout.strip() or tmp_path / "nothing").unlink(missing_ok=True)


def test_build_reports_that_it_resumes(tmp_path: Path) -> None:
    with pytest.raises(Stopped):
        build_table("4,4,4", tmp_path, progress=stop_at(0.7))
    done = mnk("build", "4,4,4", "--memory", "1GB", "--data", tmp_path)
    assert done.stderr.startswith("Resuming ")
    assert done.stdout.startswith("Built 4,4,4")
