"""Tests of the worker pool: order, crashes, hangs, late answers, budgets, captured output."""

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from solver.errors import EngineError
from solver.support.workers import LossKind, Lost, Sheet, WorkerOptions, WorkerPool


@dataclass(frozen=True)
class Recipe:
    """Makes a runner that does what its job says."""

    fails: bool = False

    def open(self, sheet: Sheet) -> "ObedientRunner":
        if self.fails:
            raise ValueError("no such engine")
        return ObedientRunner(sheet)


class ObedientRunner:
    facts = ("ready",)

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet

    def run(self, job: Any) -> Any:
        match job:
            case "die":
                os._exit(7)
            case "be killed":
                os.kill(os.getpid(), signal.SIGKILL)
            case "hang":
                self._sheet.notes = [3, 1, 2]
                time.sleep(100)
            case "be late":
                time.sleep(0.3)
            case "print":
                print("hello")
            case "read":
                return input()
        return job


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    """Two workers whose output is captured."""
    options = WorkerOptions(size=2, captures_output=True, notes=3, grace=0.2)
    with WorkerPool(Recipe(), options) as pool:
        yield pool


def results(pool: WorkerPool, jobs: list[Any], **options: Any) -> list[Any]:
    return [reply.result for reply in pool.run(jobs, len(jobs), **options)]


def test_replies_come_in_the_order_of_the_jobs(pool: WorkerPool) -> None:
    assert results(pool, [*range(300)]) == [*range(300)]
    assert pool.facts == ("ready",)
    assert results(pool, [*range(5)]) == [*range(5)]
    assert results(pool, []) == []


def test_a_crash_and_a_hang_cost_one_job_each(pool: WorkerPool) -> None:
    found = results(pool, [0, "die", 2, 3, "hang", 5, "be killed", 7], limit=0.3)
    assert [result for result in found if not isinstance(result, Lost)] == [0, 2, 3, 5, 7]
    assert found[1] == Lost(LossKind.CRASH, "die", "exit code 7")
    assert found[4] == Lost(LossKind.TIMEOUT, "hang", notes=(3, 1, 2))
    assert found[6] == Lost(LossKind.CRASH, "be killed", "SIGKILL")


def test_an_answer_within_the_grace_is_late_but_its_worker_lives(pool: WorkerPool) -> None:
    assert results(pool, ["be late"], limit=0.2) == [Lost(LossKind.LATE, "be late")]
    assert results(pool, ["be late"], limit=10) == ["be late"]


def test_output_belongs_to_its_job_and_nothing_can_be_read(pool: WorkerPool) -> None:
    replies = [*pool.run([1, "print", 2, "read"], 4)]
    assert [reply.output for reply in replies[:3]] == ["", "hello", ""]
    assert replies[3].output.endswith("EOFError: EOF when reading a line")


def test_jobs_beyond_the_budget_are_not_begun(pool: WorkerPool) -> None:
    pool.start()
    found = results(pool, [*["be late"] * 60], budget=0.5)
    assert found[0] == "be late"
    assert found[-1] == Lost(LossKind.NOT_BEGUN, "be late")


def test_a_runner_that_cannot_be_made_is_named() -> None:
    with (
        WorkerPool(Recipe(fails=True), WorkerOptions(size=1)) as pool,
        pytest.raises(EngineError, match="The engine can't be loaded: ValueError: no such engine"),
    ):
        pool.start()


def test_a_worker_that_does_not_start_in_time_is_an_error() -> None:
    with (
        WorkerPool(Recipe(), WorkerOptions(size=1, seconds_to_start=0.001)) as pool,
        pytest.raises(EngineError, match=r"The engine did not start: not ready after 0\.001 s"),
    ):
        pool.start()


def test_a_recipe_that_cannot_be_sent_is_an_error() -> None:
    recipe: Any = lambda sheet: sheet  # noqa: E731 - a lambda can't be pickled
    with pytest.raises(EngineError, match="can't be sent to a process of its own"):
        WorkerPool(recipe, WorkerOptions(size=1)).start()
