"""A table does not depend on where shards are kept or which process solves them, even after losses and failures.

Most tests build 4,4,4 in memory (without a store) and in a store; both keep finished shards in the same folder.
"""

import json
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

import fsspec
import pytest
from benchmarks.process import user_environment

from solver.errors import CheckFailed, DoesNotFit, StorageError, UnsupportedTable
from solver.game.games import parse_game
from solver.solve import cluster, driver, pages_build
from solver.solve import shard_plan as shards_plan
from solver.solve.build import build_table
from solver.solve.build_objects import BuildObjects
from solver.solve.lock import BuildLock
from solver.solve.shard_plan import Shard
from solver.solve.workspace import LocalFiles, Parts, Workspace, open_workspace
from solver.store.schema import Metric
from solver.support.progress import Progress
from tests.commands import TableFile, mnk
from tests.forks import Send, forked
from tests.small_games import slow_games
from tests.solve.shards.conftest import GAME, build


@pytest.fixture(params=["memory", "store"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | None:
    """The workspace of a build; None for one in memory."""
    return tmp_path if request.param == "store" else None


def store_of(folder: str | Path) -> Workspace:
    """The workspace of the objects of a build."""
    return open_workspace(f"{folder}/{parse_game(GAME).file_name}.wdl.parts")


def files(folder: Path, kind: str) -> list[Path]:
    return sorted(folder.glob(f"*.parts/*/*.{kind}"))


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("game", "metric"),
    [
        ("4,4,4", "distance"), ("3,5,3,misere", "distance"), ("3,5,3,exact", "wdl"), ("4,4,3,torus", "wdl"),
        ("4,5,4,gravity", "distance"), ("3,3,3", "wdl"),
    ],
)  # fmt: skip
def test_a_table_does_not_depend_on_the_place_of_its_shards(
    game: str, metric: Metric, table_file: TableFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = table_file(game, metric).read_bytes()
    stored = build_table(game, tmp_path, metric=metric, workspace=tmp_path / "store")
    assert stored.read_bytes() == whole
    assert not list((tmp_path / "store").glob("*"))
    monkeypatch.setattr("solver.solve.plan.plan_memory", lambda *_: 10**10)
    path = build_table(game, tmp_path / "tight", metric=metric, memory=10**9)
    assert path.read_bytes() == whole
    assert list((tmp_path / "tight").iterdir()) == [path]


class Stopped(KeyboardInterrupt):
    """Raised in the middle of a build."""


def after(share: float, action: Callable[[], None]) -> Progress:
    """Return a progress function that calls an action once at this share of a build."""
    actions = [action]

    def progress(done: int, total: int) -> None:
        if done >= share * total and actions:
            actions.pop()()

    return progress


def stop(*_: object) -> None:
    raise Stopped


@pytest.mark.parametrize("game", ["4,4,4,gravity", *slow_games("4,4,4", "4,5,4,gravity")])
def test_a_build_resumes_after_the_finished_shards(
    game: str, place: Path | None, table_file: TableFile, tmp_path: Path
) -> None:
    def times() -> set[tuple[Path, int]]:
        return {(marker, marker.stat().st_mtime_ns) for marker in files(tmp_path, "json")}

    solved: set[tuple[Path, int]] = set()
    for share in (0.3, 0.55, 0.8):  # the levels of 4,4,4 end at 0.24, 0.51, 0.74, 0.89 and so on
        with pytest.raises(Stopped):
            build(tmp_path, place, after(share, stop), game)
        assert solved < times()  # none of them was solved again
        solved = times()
    with pytest.raises(Stopped):  # the other way, which may solve again what was finished of the last level
        build(tmp_path, None if place else tmp_path, after(0.92, stop), game)
    assert {marker for marker, _ in solved} < {*files(tmp_path, "json")}
    calls: list[tuple[int, int]] = []
    built = build(tmp_path, place, lambda *call: calls.append(call), game)
    assert built == table_file(game, "wdl").read_bytes()
    assert calls == sorted(calls)
    assert place or calls[0][0] > calls[0][1] / 10  # workers find out one by one
    assert calls[-1][0] == calls[-1][1]
    assert len([*tmp_path.iterdir()]) == 1


def test_a_resumed_build_that_is_stopped_at_once_keeps_the_finished_shards(
    place: Path | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Stopped):
        build(tmp_path, place, after(0.7, stop))
    finished = files(tmp_path, "json")
    monkeypatch.setattr(pages_build, "MemoryBuild", stop)
    monkeypatch.setattr(BuildObjects, "write_inputs", stop)
    with pytest.raises(Stopped):
        build(tmp_path, place)
    assert files(tmp_path, "json") == finished != []


@pytest.mark.parametrize(("error", "remains"), [(RuntimeError(), True), (MemoryError(), True), (CheckFailed(), False)])
def test_finished_shards_are_lost_only_if_they_are_wrong(error: Exception, remains: bool, tmp_path: Path) -> None:
    def fail(done: int, total: int) -> None:
        if done > total / 2:
            raise error

    with pytest.raises(type(error)):
        build(tmp_path, None, fail)
    assert bool([*tmp_path.iterdir()]) == remains


def build_and_report(send: Send, game: str, folder: Path) -> None:
    """Build a table and send the share done repeatedly."""
    build_table(game, folder, metric="wdl", workers=2, progress=lambda done, total: send(done / total))


@pytest.mark.slow
def test_killed_at_random_moments_a_build_still_ends_with_the_same_file(table_file: TableFile, tmp_path: Path) -> None:
    """Eight times, in memory, without cleaning up; finished shards are not solved again."""
    rng, game, finished = random.Random(5), "4,5,4,gravity", [0]
    for share in sorted(rng.uniform(0.1, 0.85) for _ in range(8)):
        with forked(build_and_report, game, tmp_path) as (process, sent):
            while sent.recv() < share:
                pass
            process.kill()
        assert process.exitcode == -signal.SIGKILL
        finished.append(len(files(tmp_path, "json")))
    assert finished == sorted(finished)
    assert len(set(finished)) > 3
    assert build(tmp_path, None, game=game) == table_file(game, "wdl").read_bytes()


@pytest.mark.sampled
@pytest.mark.parametrize("call", range(1, 100, 11))
def test_a_build_may_stop_before_anything_that_it_writes(
    call: int, place: Path | None, whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, write = 0, LocalFiles.pipe_file

    def counted(files: LocalFiles, path: str, data: Parts) -> None:
        nonlocal calls
        calls += (is_work := not path.endswith("lock"))  # a thread of its own renews the lock
        if is_work and calls == call:
            raise Stopped
        write(files, path, data)

    with monkeypatch.context() as patch:
        patch.setattr(LocalFiles, "pipe_file", counted)
        with pytest.raises(Stopped):
            build(tmp_path, place)
    assert build(tmp_path, place) == whole


@pytest.mark.sampled
@pytest.mark.parametrize("kind", ["kept", "pages", "json"])
@pytest.mark.parametrize("share", [0.3, 0.7])
def test_lost_or_damaged_objects_are_solved_again(
    kind: str, share: float, place: Path | None, whole: bytes, tmp_path: Path
) -> None:
    chance = random.Random(f"{kind} {share}")

    def damage() -> None:
        for path in files(tmp_path, kind):
            match chance.randrange(4):
                case 0:
                    path.unlink()
                case 1:
                    data = bytearray(path.read_bytes())
                    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
                    path.write_bytes(data)
                case 2:
                    path.write_bytes(path.read_bytes()[:-1])
        raise Stopped

    with pytest.raises(Stopped):
        build(tmp_path, place, after(share, damage))
    assert build(tmp_path, place) == whole


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_objects_lost_during_the_build_are_made_again(share: float, whole: bytes, tmp_path: Path) -> None:
    def lose() -> None:
        for path in files(tmp_path, "kept") + files(tmp_path, "pages")[:3]:
            path.unlink()
        for number, path in enumerate(sorted(tmp_path.glob("*.parts/*.keys"))):
            path.write_bytes(path.read_bytes()[:-1]) if number % 2 else path.unlink()

    assert build(tmp_path, tmp_path, after(share, lose)) == whole


@pytest.mark.slow
def test_requests_that_fail_for_a_while_are_repeated(
    whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(0)

    def refusing(method: Callable[..., object]) -> Callable[..., object]:
        def call(path: Path, *arguments: object) -> object:
            if path.is_relative_to(tmp_path / "store") and chance.random() < 0.1:
                raise TimeoutError("the store is overloaded")
            return method(path, *arguments)

        return call

    for name in ("read_bytes", "replace"):
        monkeypatch.setattr(Path, name, refusing(getattr(Path, name)))
    assert build(tmp_path, tmp_path / "store") == whole


def test_a_full_disk_ends_the_build_which_can_be_resumed(
    place: Path | None, whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = LocalFiles.pipe_file

    def until_full(store: LocalFiles, path: str, data: Parts) -> None:
        if len(files(tmp_path, "json")) > 3:
            raise OSError(28, "No space left on device")
        write(store, path, data)

    with monkeypatch.context() as patched:
        patched.setattr(LocalFiles, "pipe_file", until_full)
        with pytest.raises(StorageError, match="No space left"):
            build(tmp_path, place)
    assert files(tmp_path, "json")
    assert build(tmp_path, place) == whole


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a bucket of a server that speaks S3."""
    import boto3
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(port=0)
    server.start()
    endpoint = "http://{}:{}".format(*server.get_host_and_port())
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "key")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setitem(fsspec.config.conf, "s3", {"endpoint_url": endpoint})
    boto3.client("s3", endpoint_url=endpoint).create_bucket(Bucket="builds")
    yield "s3://builds/tables"
    server.stop()


def test_shards_in_any_fsspec_store(whole: bytes, tmp_path: Path) -> None:
    with pytest.raises(Stopped):
        build(tmp_path, "memory://tables", after(0.5, stop))
    assert build(tmp_path, "memory://tables") == whole
    assert not fsspec.filesystem("memory").find("/tables")


@pytest.mark.slow
def test_shards_in_an_object_store(whole: bytes, s3: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards_plan, "LEAST_BYTES", 1 << 16)  # fewer objects
    with pytest.raises(Stopped):
        build(tmp_path, s3, after(0.5, stop))
    store = store_of(s3)
    store.remove(["03/00000.kept", "no such object"])
    assert build(tmp_path, s3) == whole
    with pytest.raises(FileNotFoundError):
        store.read("build.json")


def test_a_store_with_another_build_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Stopped):
        build(tmp_path, tmp_path, after(0.2, stop))
    (facts,) = tmp_path.glob("*.parts/build.json")
    facts.write_text(json.dumps(json.loads(facts.read_text()) | {"builder": "0.0.1"}))
    with pytest.raises(StorageError, match=r"4,4,4, wdl, by version 0\.0\.1"):
        build(tmp_path, tmp_path)
    monkeypatch.setattr(driver, "__version__", "0.0.2")
    with pytest.raises(UnsupportedTable, match=r"this worker has 0\.0\.2"):
        driver.solve_shard(str(facts.parent), facts.read_text(), Shard(0, 0, 0, 1, ()), {})


def test_a_store_that_another_build_uses_is_left_alone(whole: bytes, tmp_path: Path) -> None:
    store = store_of(tmp_path)
    with BuildLock(store), pytest.raises(StorageError, match="Another build is using the workspace"):
        build(tmp_path, tmp_path)
    assert store.entries() == []


@pytest.mark.slow
def test_a_build_that_died_does_not_keep_its_store(whole: bytes, tmp_path: Path) -> None:
    store = store_of(tmp_path)
    dead = {"build": "1", "machine": "another", "process": 1, "number": 7}  # it renews this no more
    for left in (json.dumps(dead), "[]", ""):
        store.write("lock", left.encode())
        assert build(tmp_path, tmp_path) == whole


def test_a_build_whose_store_is_taken_over_ends(tmp_path: Path) -> None:
    def take() -> None:
        store = store_of(tmp_path)
        other = json.dumps({"build": "1", "machine": "another", "process": 7, "number": 7}).encode()
        [renewing] = [thread for thread in threading.enumerate() if "_renew" in thread.name]
        until = monotonic() + 30
        while renewing.is_alive() and monotonic() < until:  # it may be just about to write
            store.write("lock", other)
            renewing.join(0.1)

    with pytest.raises(StorageError, match="process 7 on another"):
        build(tmp_path, tmp_path, after(0.2, take))
    assert list(tmp_path.glob("*.parts/lock"))  # that of the other one


def test_a_store_with_other_things_is_left_alone(tmp_path: Path) -> None:
    other = Path(store_of(tmp_path).address) / "thesis.txt"
    other.parent.mkdir()
    other.touch()
    with pytest.raises(StorageError, match=r"'?thesis.txt'?.*, which no build has written"):
        build(tmp_path, tmp_path)
    assert list(other.parent.iterdir()) == [other]


def test_a_task_that_ends_after_its_build_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[object, ...]] = []
    solve = driver.solve_shard

    def remember(*arguments: object) -> object:
        given.append(arguments)
        return solve(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(driver, "solve_shard", remember)
    build(tmp_path, tmp_path / "store")
    late = next(arguments for arguments in given if not arguments[3])  # it reads nothing
    driver._opened.cache_clear()
    with pytest.raises(StorageError):
        solve(*late)  # type: ignore[arg-type]
    assert not list((tmp_path / "store").glob("*.parts/*/*"))


def test_games_without_room_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "available_memory", lambda: 1 << 20)
    with pytest.raises(DoesNotFit, match="The largest shard of 4,4,4 needs"):
        build(tmp_path, tmp_path)
    with pytest.raises(StorageError, match="Protocol not known"):
        build(tmp_path, "carrier-pigeon://loft")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_store_that_loses_everything_ends_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = LocalFiles.pipe_file

    def forget(files: LocalFiles, path: str, data: Parts) -> None:
        write(files, path, [] if path.endswith(".kept") else data)

    monkeypatch.setattr(LocalFiles, "pipe_file", forget)
    with pytest.raises(StorageError, match=r"has lost .* 10 times"):
        build(tmp_path, tmp_path)


_LIMITED = """
import resource, sys
import solver
from solver.solve import pages_build
resource.setrlimit(resource.RLIMIT_DATA, (int(sys.argv[2]), int(sys.argv[2])))
print(solver.build_table("4,6,4", sys.argv[1], metric="wdl", workers=2, memory=int(sys.argv[3])))
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


def test_the_command_reports_that_it_resumes(tmp_path: Path) -> None:
    with pytest.raises(Stopped):
        build(tmp_path, None, after(0.7, stop))
    done = mnk("build", GAME, "--metric", "wdl", "--memory", "1GB", "--data", tmp_path)
    assert done.stderr.startswith("Resuming ")
    assert done.stdout.startswith(f"Built {GAME}")
