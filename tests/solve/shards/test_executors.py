"""Shards are solved by executors of every kind, also by such as hang or fail."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import ParamSpec, TypeVar

import pytest

from solver.errors import ClusterError
from solver.solve import build_table
from solver.solve.shards import cluster as shards_cluster
from solver.solve.shards import driver
from solver.support.threads import SameThread
from tests.solve.shards.conftest import GAME

P = ParamSpec("P")
T = TypeVar("T")


def test_other_executors_run_the_tasks(whole: bytes, tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as executor:
        built = build_table(GAME, tmp_path, metric="wdl", store=tmp_path / "store", executor=executor)
    assert built.read_bytes() == whole


class Hanging(SameThread):
    """Never finishes some of the tasks."""

    def __init__(self, share: float) -> None:
        self._chance = random.Random(0)
        self._share = share
        self.submitted = 0

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        self.submitted += 1
        return Future() if self._chance.random() < self._share else super().submit(fn, *args, **kwargs)


class Workers:
    """Stands for a cluster of two workers."""

    def __init__(self, executor: Executor) -> None:
        self.executor = executor
        self.get_executor = lambda pure: executor
        self.wait_for_workers = lambda n_workers, timeout: None
        self.scheduler_info = lambda n_workers: {"workers": {"one": {"memory_limit": 0}, "two": {"memory_limit": 0}}}

    def run(self, function: Callable[[], object], on_error: str) -> dict[str, object]:
        del on_error
        return {"one": function()}


@pytest.mark.slow
def test_tasks_that_never_end_are_given_to_others_once(
    whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "LONGEST", 0.02)
    monkeypatch.setattr(driver, "_POLL", 0.01)
    workers = Workers(Hanging(0.1))
    built = build_table(GAME, tmp_path, metric="wdl", store=tmp_path / "store", executor=workers)
    assert built.read_bytes() == whole


class Failing(SameThread):
    """Raises an error for every task."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        del fn, args, kwargs
        future: Future[T] = Future()
        future.set_exception(ValueError("no such function"))
        return future


def test_what_fails_again_and_again_ends_the_build_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ClusterError, match=r"failed 10 times, at last with ValueError \(no such function\)"):
        build_table(GAME, tmp_path, metric="wdl", store=tmp_path, executor=Workers(Failing()))
    monkeypatch.setattr(driver, "WITHOUT_WORKERS", -1.0)
    monkeypatch.setattr(shards_cluster.Cluster, "count", lambda _: 0)
    with pytest.raises(ClusterError, match="no workers any more"):
        build_table(GAME, tmp_path, metric="wdl", store=tmp_path, executor=Workers(Failing()))
