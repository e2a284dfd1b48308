"""Builds on executors and clusters end with the same file, even if workers or the driver hang, fail or are killed."""

import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import psutil
import pytest
from benchmarks.process import user_environment

from solver.errors import ClusterError, UnsupportedTable
from solver.solve import cluster as shards_cluster
from solver.solve import driver, shard_plan
from solver.solve.cluster import Cluster, open_cluster
from solver.support.threads import SameThread
from tests.commands import TableFile, assert_refused, mnk
from tests.solve.shards.conftest import GAME, build


@pytest.fixture
def two_workers() -> Iterator[Cluster]:
    with open_cluster("local:2") as cluster:
        yield cluster


@pytest.fixture
def some_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut 4,5,4 into about a hundred shards."""
    monkeypatch.setattr(shard_plan, "LEAST_BYTES", 1 << 17)
    monkeypatch.setattr(shard_plan, "MOST_BYTES", 1 << 19)


def processes(cluster: Cluster) -> list[int]:
    return list(cluster.client.run(os.getpid, on_error="ignore").values())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["tcp://127.0.0.1:8786"], ["need a workspace", "--workspace"]),
        *(([address], ["has no number of workers", "local:4"]) for address in ("local:", "local:0", "local:many")),
        (["no address", "--workspace", "store"], ["No scheduler answers"]),
    ],
)
def test_an_invalid_cluster_is_refused(options: list[str], words: list[str], tmp_path: Path) -> None:
    assert_refused(mnk("build", GAME, "--data", tmp_path, "--cluster", *options), 5, *words)


class Workers:
    """A client of two workers, which run tasks on an executor and report facts about themselves."""

    def __init__(self, executor: Executor | None = None, answer: object = shards_cluster._describe_worker()) -> None:
        self.get_executor = lambda pure: executor
        self.scheduler_info = lambda n_workers: {"workers": {"one": {"memory_limit": 0}, "two": {"memory_limit": 0}}}
        self.run = lambda function, on_error: {"tcp://worker:1": answer}
        self.answer = answer

    def wait_for_workers(self, n_workers: int, timeout: float) -> None:
        if self.answer is None:
            raise TimeoutError(n_workers, timeout)


def test_workers_that_cannot_run_the_tasks_are_refused_before_the_first() -> None:
    with pytest.raises(ClusterError, match="no workers for 600 s"):
        Cluster(Workers(answer=None)).measure()
    with pytest.raises(ClusterError, match="worker:1 can't run this package"):
        Cluster(Workers(answer=ModuleNotFoundError("No module named 'solver'"))).measure()
    other = shards_cluster._describe_worker()._replace(version="0.0.1")
    with pytest.raises(UnsupportedTable, match=r"has version 0\.0\.1"):
        Cluster(Workers(answer=other)).measure()


def test_other_executors_run_the_tasks(whole: bytes, tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as executor:
        assert build(tmp_path, tmp_path / "store", executor=executor) == whole


class Unreliable(SameThread):
    """Never finishes a share of the tasks, or fails them with an error."""

    def __init__(self, share: float, error: Exception | None = None) -> None:
        self._chance, self._share, self._error = random.Random(0), share, error

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        if self._chance.random() >= self._share:
            return super().submit(fn, *args, **kwargs)
        future: Future[object] = Future()
        if self._error:
            future.set_exception(self._error)
        return future


@pytest.mark.slow
def test_a_task_that_hangs_is_submitted_once_more(
    whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "LONGEST", 0.02)
    monkeypatch.setattr(driver, "_POLL", 0.01)
    assert build(tmp_path, tmp_path / "store", executor=Workers(Unreliable(0.1))) == whole


def test_a_build_whose_tasks_fail_repeatedly_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing = Workers(Unreliable(1, ValueError("no such function")))
    with pytest.raises(ClusterError, match=r"failed 10 times, the last time with ValueError \(no such function\)"):
        build(tmp_path, tmp_path, executor=failing)
    monkeypatch.setattr(driver, "WITHOUT_WORKERS", -1.0)
    monkeypatch.setattr(Cluster, "count", lambda _: 0)
    with pytest.raises(ClusterError, match="has lost all its workers"):
        build(tmp_path, tmp_path, executor=failing)


class Killer:
    """A progress function that kills one or all workers of a cluster at some random shares of a build."""

    def __init__(self, cluster: Cluster, seed: int) -> None:
        self.killed = 0
        self._cluster = cluster
        self._chance = random.Random(seed)
        self._shares = sorted(self._chance.random() for _ in range(3))

    def __call__(self, done: int, total: int) -> None:
        while self._shares and done >= self._shares[0] * total:
            self._shares.pop(0)
            workers = processes(self._cluster)
            for process in workers if self._chance.random() < 0.3 else workers[:1]:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
                self.killed += 1


@pytest.mark.slow
@pytest.mark.usefixtures("some_shards")
def test_twenty_rounds_of_random_kills_give_the_same_file(
    two_workers: Cluster, table_file: TableFile, tmp_path: Path
) -> None:
    killers = [Killer(two_workers, seed) for seed in range(20)]
    for killer in killers:
        built = build(tmp_path, tmp_path / "store", killer, "4,5,4", two_workers.client)
        assert built == table_file("4,5,4", "wdl").read_bytes()
    killed = sum(killer.killed for killer in killers)
    assert killed >= 20
    print(f"{killed} workers were killed")


@pytest.mark.slow
@pytest.mark.usefixtures("some_shards")
def test_a_killed_driver_leaves_a_build_that_others_finish(table_file: TableFile, tmp_path: Path) -> None:
    chance, finished = random.Random(0), 0
    command = [sys.executable, "-m", "solver", "build", "4,5,4", "--metric", "wdl", "--data", str(tmp_path)]
    for workers in ("local:2", "local:1", "local:3"):
        process = subprocess.Popen([*command, "--cluster", workers], env=user_environment())
        waiting = monotonic() + 300
        while len(list(tmp_path.glob("*.parts/*/*.json"))) <= finished and monotonic() < waiting:
            sleep(0.05)
        sleep(chance.uniform(0, 1))
        process.kill()
        process.wait()
        finished = len(list(tmp_path.glob("*.parts/*/*.json")))
    assert build(tmp_path, tmp_path, game="4,5,4") == table_file("4,5,4", "wdl").read_bytes()  # on this machine


@pytest.mark.slow
def test_the_command_prints_one_sentence_although_workers_die(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "solver", "build", "4,6,4", "--metric", "wdl", "--data", str(tmp_path)]
    with subprocess.Popen(
        [*command, "--cluster", "local:2"], env=user_environment(), stderr=subprocess.PIPE
    ) as process:
        waiting = monotonic() + 300
        # A level begins when the build has taken the results of the one before, so these are kept.
        while len({path.parent for path in tmp_path.glob("*.parts/*/*.json")}) < 2 and monotonic() < waiting:
            sleep(0.05)
        workers = psutil.Process(process.pid).children(recursive=True)
        for worker in workers:
            if "spawn_main" in " ".join(worker.cmdline()):
                worker.kill()
        sleep(1)
        process.send_signal(signal.SIGINT)
        _, message = process.communicate(timeout=60)
    assert process.returncode == 130
    assert re.fullmatch(rb"Error: Interrupted: .* resumes the build\.\n", message)


@pytest.mark.slow
@pytest.mark.usefixtures("some_shards")
def test_workers_may_hang_and_others_join_late(
    two_workers: Cluster, table_file: TableFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "LONGEST", 2.0)
    stopped, joined = processes(two_workers)[0], list[int]()

    def disturb(done: int, total: int) -> None:
        if done > total / 4 and not joined:
            os.kill(stopped, signal.SIGSTOP)
            two_workers.client.cluster.scale(3)
            joined.append(1)

    try:
        built = build(tmp_path, tmp_path, disturb, "4,5,4", two_workers.client)
    finally:
        os.kill(stopped, signal.SIGCONT)
    assert joined
    assert built == table_file("4,5,4", "wdl").read_bytes()
