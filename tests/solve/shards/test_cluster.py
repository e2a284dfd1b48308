"""Builds on clusters end with the very same file, whoever is killed on the way."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from benchmarks.process import user_environment

from solver.errors import ClusterError, UnsupportedTable
from solver.game.games import parse_game
from solver.solve import build_table
from solver.solve.shards import cluster as shards_cluster
from solver.solve.shards import driver, shard_plan
from solver.solve.shards.cluster import Cluster, open_cluster
from tests.commands import assert_refused, mnk

GAME = "4,4,4"
TableFile = Callable[..., Path]


@pytest.mark.slow
def test_a_build_on_a_cluster_survives_the_death_of_a_worker(table_file: TableFile, tmp_path: Path) -> None:
    def kill(done: int, total: int) -> None:
        if done > total / 3 and killed:
            os.kill(killed.pop(), signal.SIGKILL)

    with open_cluster("local:2") as cluster:
        killed = [next(iter(cluster.client.run(os.getpid).values()))]
        built = build_table(GAME, tmp_path, metric="wdl", store=tmp_path, executor=cluster.client, progress=kill)
    assert not killed
    assert built.read_bytes() == table_file(GAME, "wdl").read_bytes()
    assert list(tmp_path.iterdir()) == [built]


def test_what_is_no_cluster_is_said(tmp_path: Path) -> None:
    def refused(*options: str) -> Any:
        return mnk("build", GAME, "--data", tmp_path, *options)

    assert_refused(refused("--cluster", "tcp://127.0.0.1:8786"), 5, "need a store", "--store")
    for address in ("local:", "local:0", "local:many"):
        assert_refused(refused("--cluster", address), 5, "has no number of workers", "local:4")
    assert_refused(refused("--cluster", "no address", "--store", str(tmp_path)), 5, "No scheduler answers")


class _Answers:
    """A client whose workers give an answer."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def wait_for_workers(self, n_workers: int, timeout: float) -> None:
        """Wait for nobody."""
        if self.answer is None:
            raise TimeoutError(n_workers, timeout)

    def run(self, function: Callable[[], object], on_error: str) -> dict[str, object]:
        del function, on_error
        return {"tcp://worker:1": self.answer}


def test_workers_that_can_not_run_the_tasks_are_refused_before_the_first() -> None:
    with pytest.raises(ClusterError, match="no workers for 600 s"):
        Cluster(_Answers(None)).least_memory()
    with pytest.raises(ClusterError, match="worker:1 can't run this package"):
        Cluster(_Answers(ModuleNotFoundError("No module named 'solver'"))).least_memory()
    other = shards_cluster._describe_worker()._replace(version="0.0.1")
    with pytest.raises(UnsupportedTable, match=r"has version 0\.0\.1"):
        Cluster(_Answers(other)).least_memory()


@pytest.fixture
def some_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut 4,5,4 into some hundred shards."""
    monkeypatch.setattr(shard_plan, "LEAST_BYTES", 1 << 17)
    monkeypatch.setattr(shard_plan, "MOST_BYTES", 1 << 19)


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
            workers = list(self._cluster.client.run(os.getpid, on_error="ignore").values())
            for process in workers if self._chance.random() < 0.3 else workers[:1]:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
                self.killed += 1


@pytest.mark.slow
@pytest.mark.usefixtures("some_shards")
def test_twenty_rounds_of_random_kills_give_the_same_file(table_file: TableFile, tmp_path: Path) -> None:
    killed = 0
    with open_cluster("local:2") as cluster:
        for seed in range(20):
            killer = Killer(cluster, seed)
            built = build_table(
                "4,5,4",
                tmp_path,
                metric="wdl",
                force=True,
                store=tmp_path / "store",
                executor=cluster.client,
                progress=killer,
            )
            killed += killer.killed
            assert built.read_bytes() == table_file("4,5,4", "wdl").read_bytes()
    assert killed >= 20
    print(f"{killed} workers were killed")


@pytest.mark.slow
@pytest.mark.usefixtures("some_shards")
def test_a_killed_driver_leaves_a_build_that_others_finish(table_file: TableFile, tmp_path: Path) -> None:
    chance, finished = random.Random(0), 0
    command = [sys.executable, "-m", "solver", "build", "4,5,4", "--metric", "wdl", "--data", str(tmp_path)]
    for workers in ("local:2", "local:1", "local:3"):
        process = subprocess.Popen([*command, "--cluster", workers], env=user_environment())
        waiting = monotonic() + 60
        while len(list(tmp_path.glob("*.parts/*/*.json"))) <= finished and monotonic() < waiting:
            sleep(0.05)
        sleep(chance.uniform(0, 1))
        process.kill()
        process.wait()
        finished = len(list(tmp_path.glob("*.parts/*/*.json")))
    rules = parse_game("4,5,4")
    built = build_table(rules, tmp_path, metric="wdl", store=tmp_path)  # on this machine
    assert built.read_bytes() == table_file("4,5,4", "wdl").read_bytes()


@pytest.mark.slow
@pytest.mark.usefixtures("some_shards")
def test_workers_may_hang_and_others_join_late(
    table_file: TableFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "LONGEST", 2.0)
    with open_cluster("local:2") as cluster:
        stopped = next(iter(cluster.client.run(os.getpid).values()))
        joined: list[int] = []

        def disturb(done: int, total: int) -> None:
            if done > total / 4 and not joined:
                os.kill(stopped, signal.SIGSTOP)
                cluster.client.cluster.scale(3)
                joined.append(1)

        try:
            built = build_table(
                "4,5,4", tmp_path, metric="wdl", store=tmp_path, executor=cluster.client, progress=disturb
            )
        finally:
            os.kill(stopped, signal.SIGCONT)
    assert joined
    assert built.read_bytes() == table_file("4,5,4", "wdl").read_bytes()
