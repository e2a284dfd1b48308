"""A killed build is resumed after its last finished level, and ends with the same file."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from benchmarks.process import user_environment

from solver.errors import CheckFailed, StorageError
from solver.game.games import parse_game
from solver.solve import build_table, checkpoint
from solver.solve.checkpoint import Checkpoint, bytes_left, levels_done
from solver.solve.levels import TwoLevels
from solver.solve.plan import plan_build
from solver.store.schema import Metric
from solver.tablebase import open_tablebase
from tests.commands import mnk
from tests.conftest import ROOT
from tests.forks import Send, build_on_a_small_disk, forked, result_of_fork

RULES = parse_game("4,4,4")
GAMES = ["4,4,4", "4,4,4,misere", "4,5,4,gravity"]


def done_in(folder: Path, game: str = "4,4,4", metric: Metric = "distance") -> int:
    """The finished levels of an interrupted build in a folder."""
    rules = parse_game(game)
    return levels_done(folder / rules.file_name, rules, metric)


def assert_whole(folder: Path, expected: bytes, game: str = "4,4,4") -> None:
    """Finish the build in a folder; it leaves nothing but the expected file."""
    path = build_table(game, folder)
    assert path.read_bytes() == expected
    assert list(folder.iterdir()) == [path]


@pytest.fixture(autouse=True)
def every_level(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a checkpoint after every level; these games take less than EVERY seconds."""
    monkeypatch.setattr(checkpoint, "EVERY", 0.0)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of undisturbed builds."""
    folder = tmp_path_factory.mktemp("whole")
    return {game: build_table(game, folder).read_bytes() for game in GAMES}


class Stopped(KeyboardInterrupt):
    """Raised in the middle of a build."""


def stop_at(share: float) -> Callable[[int, int], None]:
    """Return a progress function that raises Stopped at this share of a build."""

    def progress(done: int, total: int) -> None:
        if done >= share * total:
            raise Stopped

    return progress


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_an_interrupted_build_resumes(game: str, whole: dict[str, bytes], tmp_path: Path) -> None:
    levels = [0]
    for share in (0.3, 0.5, 0.6, 0.8):
        with pytest.raises(Stopped):
            build_table(game, tmp_path, progress=stop_at(share))
        levels.append(done_in(tmp_path, game))
        assert not (tmp_path / parse_game(game).file_name).exists()
    assert levels == sorted(levels)
    assert levels[-1] > 1
    assert_whole(tmp_path, whole[game], game)


def test_progress_resumes(tmp_path: Path) -> None:
    with pytest.raises(Stopped):
        build_table(RULES, tmp_path, progress=stop_at(0.7))
    calls: list[tuple[int, int]] = []
    build_table(RULES, tmp_path, progress=lambda *call: calls.append(call))
    assert calls[0][0] > calls[0][1] / 10
    assert calls == sorted(calls)
    assert calls[-1][0] == calls[-1][1]


def build_and_report(send: Send, game: str, folder: Path) -> None:
    """Build a table and send the share done repeatedly."""
    build_table(game, folder, threads=2, progress=lambda done, total: send(done / total))


@pytest.mark.slow
def test_killed_at_random_moments_it_still_ends_with_the_same_file(whole: dict[str, bytes], tmp_path: Path) -> None:
    """Eight times, without cleaning up; finished levels are not solved again."""
    rng = random.Random(5)
    game = "4,5,4,gravity"
    levels = [0]
    for share in sorted(rng.uniform(0.1, 0.85) for _ in range(8)):
        with forked(build_and_report, game, tmp_path) as (process, sent):
            while sent.recv() < share:
                pass
            process.kill()
        assert process.exitcode == -signal.SIGKILL
        levels.append(done_in(tmp_path, game))
    assert levels == sorted(levels)
    assert len(set(levels)) > 3
    assert_whole(tmp_path, whole[game], game)


@pytest.mark.sampled
@pytest.mark.parametrize("call", range(1, 30, 3))
def test_it_may_stop_between_any_two_steps_of_a_checkpoint(
    call: int, whole: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = 0

    def counted(path: Path) -> None:
        nonlocal calls
        calls += 1
        if calls == call:
            raise Stopped

    with monkeypatch.context() as patch:
        patch.setattr(checkpoint, "sync", counted)
        with pytest.raises(Stopped):
            build_table(RULES, tmp_path)
    assert_whole(tmp_path, whole["4,4,4"])


def test_a_disk_that_fills_loses_no_finished_level(whole: dict[str, bytes], tmp_path: Path) -> None:
    """A limit on the size of files stands in for the disk. Three attempts, each with more room than the last."""
    levels = []
    for room in (60_000, 90_000, 110_000):
        said = result_of_fork(build_on_a_small_disk, "4,4,4", tmp_path, room)
        assert said.startswith(f"The folder {tmp_path} can't be written: ")
        levels.append(done_in(tmp_path))
    assert levels == sorted(levels)
    assert levels[-1] > 0
    assert_whole(tmp_path, whole["4,4,4"])


def stopped_build(folder: Path) -> Path:
    """Stop a build; return the folder that it leaves."""
    with pytest.raises(Stopped):
        build_table(RULES, folder, progress=stop_at(0.7))
    (left,) = folder.iterdir()
    return left


def test_the_build_with_the_most_levels_is_resumed_and_the_others_are_removed(tmp_path: Path) -> None:
    left = stopped_build(tmp_path)
    state = json.loads((left / "state.json").read_text())
    damages: list[Callable[[Path], object]] = [
        lambda folder: (folder / "state.json").unlink(),
        lambda folder: (folder / "state.json").write_text('{"levels": 9}'),
        lambda folder: (folder / "state.json").write_text("{"),
        lambda folder: os.truncate(folder / "pages", state["pages"] - 1),
        lambda folder: (folder / f"kept-{state['levels']}.npy").unlink(),
    ]
    for number, damage in enumerate(damages):
        damage(shutil.copytree(left, tmp_path / f"{RULES.file_name}.{number}.distance.build"))
    (left / "kept-1000.npy").touch()  # of a checkpoint that was not finished
    assert done_in(tmp_path) == state["levels"] > 1
    assert bytes_left(tmp_path / RULES.file_name, RULES, "distance") > 6 * (left / "pages").stat().st_size / 2
    with Checkpoint(tmp_path / RULES.file_name, RULES, "distance") as taken:
        assert taken.levels == state["levels"]
        assert [*tmp_path.iterdir()] == [left]
        assert not (left / "kept-1000.npy").exists()


def test_another_metric_or_program_has_a_build_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left, target = stopped_build(tmp_path), tmp_path / RULES.file_name
    assert done_in(tmp_path) > 0 == done_in(tmp_path, metric="wdl")
    build_table(RULES, tmp_path, metric="wdl")
    assert {*tmp_path.iterdir()} == {target, left}
    target.unlink()
    monkeypatch.setattr(checkpoint, "__version__", "0.0")
    assert done_in(tmp_path) == 0
    with Checkpoint(target, RULES, "distance") as fresh:
        assert fresh.levels == 0
    assert not [*tmp_path.iterdir()]


_HOLDING = """
import sys
from pathlib import Path
from solver.solve.checkpoint import _locked
lock = _locked(Path(sys.argv[1]))
print(lock is not None, flush=True)
input()
"""


@pytest.mark.slow
def test_the_build_of_a_process_that_runs_is_left_alone(tmp_path: Path) -> None:
    theirs = stopped_build(tmp_path)
    command = [sys.executable, "-c", _HOLDING, str(theirs)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"True\n"
        assert done_in(tmp_path) == 0
        path = build_table(RULES, tmp_path)
        assert {*tmp_path.iterdir()} == {path, theirs}
        other.communicate(b"\n")
    assert done_in(tmp_path) > 0


@pytest.mark.parametrize(("error", "remains"), [(RuntimeError(), True), (MemoryError(), True), (CheckFailed(), False)])
def test_finished_levels_are_lost_only_when_they_are_wrong(error: Exception, remains: bool, tmp_path: Path) -> None:
    def fail(done: int, total: int) -> None:
        if done > total / 2:
            raise error

    with pytest.raises(type(error)):
        build_table(RULES, tmp_path, progress=fail)
    assert bool([*tmp_path.iterdir()]) == remains


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("memory", [0, 600_000_000])
def test_the_file_does_not_depend_on_the_memory(
    game: str, memory: int, whole: dict[str, bytes], tmp_path: Path
) -> None:
    path = build_table(game, tmp_path, memory=memory)
    assert path.read_bytes() == whole[game]
    assert list(tmp_path.iterdir()) == [path]


def test_levels_that_do_not_fit_are_in_files(tmp_path: Path) -> None:
    plan = plan_build(RULES, "distance")
    for fits in ((True, True), (True, False), (False, False)):
        store = TwoLevels(plan, fits, tmp_path)
        assert len([*tmp_path.iterdir()]) == fits.count(False)
        for level in plan.levels:
            for partition in level.partitions():
                output = store.output(partition)
                assert output.shape == (partition.pages, *level.kept_shape)
                output[...] = level.number
            assert (store.pages(level) == level.number).all()
            inputs = store.inputs(next(level.partitions()))
            assert len(inputs) == level.reads
            assert (inputs == level.number - 1).all()
        for path in tmp_path.iterdir():
            path.unlink()


_LIMITED = """
import resource, sys
import solver
from solver.solve import pages_table
resource.setrlimit(resource.RLIMIT_DATA, (int(sys.argv[2]), int(sys.argv[2])))
print(solver.build_table("4,6,4", sys.argv[1], metric="wdl", threads=2, memory=int(sys.argv[3])))
"""


@pytest.mark.slow
def test_a_budget_is_kept(tmp_path: Path) -> None:
    """The system limits the memory of a process; 4,6,4 keeps levels of 470 and 390 MB."""
    for limit, memory, succeeds in ((600, 600, True), (600, 2000, False), (1100, 1000, True)):
        command = [sys.executable, "-c", _LIMITED, str(tmp_path), str(limit * 10**6), str(memory * 10**6)]
        done = subprocess.run(command, env=user_environment(), capture_output=True, text=True, check=False)
        assert (done.returncode == 0) == succeeds, done.stderr
        assert ("MemoryError" in done.stderr) != succeeds
        Path(done.stdout.strip() or tmp_path / "nothing").unlink(missing_ok=True)


def test_a_folder_that_fills_while_levels_are_laid_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("solver.solve.levels.mmap.mmap", full)
    with pytest.raises(StorageError, match="No space left on device; free some space there"):
        build_table(RULES, tmp_path, memory=0)
    assert not [*tmp_path.iterdir()]


def test_build_reports_that_it_resumes(tmp_path: Path) -> None:
    stopped_build(tmp_path)
    done = mnk("build", "4,4,4", "--memory", "1GB", "--data", tmp_path)
    assert done.stderr.startswith("Resuming 4,4,4 after ")
    assert done.stdout.startswith("Built 4,4,4")
    with open_tablebase(tmp_path / RULES.file_name) as table:
        assert np.array_equal(table.probe_many(np.zeros(1, dtype=np.int64))[0], [0])
