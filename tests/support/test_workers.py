"""Tests of the worker pool: order, crashes, hangs, late answers, budgets, captured output, of both kinds of workers."""

import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from solver.errors import EngineError
from solver.support.processes import is_running
from solver.support.workers.frames import FrameReader, frame
from solver.support.workers.isolated import IsolatedWorker, Isolation
from solver.support.workers.isolated_child import Note
from solver.support.workers.pool import LossKind, Lost, WorkerPool
from solver.support.workers.sheet import Sheet
from solver.support.workers.trusted import TrustedWorker


@dataclass(frozen=True)
class Recipe:
    """Makes a runner that does what its job says."""

    fails: bool = False
    seconds: float = 0.0

    def open(self, given: "Sheet | Note") -> "ObedientRunner":
        time.sleep(self.seconds)
        if self.fails:
            raise ValueError("no such engine")
        return ObedientRunner(given)


class ObedientRunner:
    facts: Any = "ready"

    def __init__(self, given: "Sheet | Note") -> None:
        self._given = given
        self._done = 0

    def run(self, job: Any) -> Any:
        self._done += 1
        match job:
            case "die":
                os._exit(7)
            case "be killed":
                os.kill(os.getpid(), signal.SIGKILL)
            case "hang":
                if isinstance(self._given, Sheet):
                    self._given.expect(0.3)
                    self._given.notes = [3, 1, 2]
                time.sleep(100)
            case "be late":
                time.sleep(0.3)
            case "print":
                print("hello")
            case "read":
                return input()
            case "count":
                return self._done
            case "fork":
                return 0 if os.fork() else 1
            case "leave":
                return os.spawnlp(os.P_NOWAIT, "sleep", "sleep", "600")
            case "forge":
                _forge()
        return job


def _forge() -> None:
    """Send what was not asked for into every pipe that can be written to."""
    for file in map(int, os.listdir("/proc/self/fd")):
        if file > 2 and "pipe" in os.readlink(f"/proc/self/fd/{file}"):
            for message in (["reply", "0" * 32, 99], ["ready", "x", 1], ["rubbish"], 7):
                try:
                    os.write(file, frame(json.dumps(message).encode()))
                except OSError:
                    break


class Fixture:
    """A pool of two isolated workers, and what was noted of them."""

    def __init__(self, recipe: Any = Recipe(), size: int = 2, **options: Any) -> None:
        self.noted: list[tuple[str, str]] = []
        isolation = Isolation(**{"grace": 0.2, **options})
        start = partial(IsolatedWorker, recipe, isolation, lambda kind, text: self.noted.append((kind, text)))
        self.pool = WorkerPool(start, size)


@pytest.fixture
def isolated() -> Iterator[Fixture]:
    fixture = Fixture(seconds_to_start=60)
    with fixture.pool:
        yield fixture


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    """A pool for all tests that leave it as it was."""
    with Fixture(seconds_to_start=60).pool as pool:
        yield pool


def results(pool: WorkerPool, jobs: list[Any], **options: Any) -> list[Any]:
    return [reply.result for reply in pool.run(jobs, len(jobs), **options)]


@pytest.mark.slow
def test_trusted_workers_give_any_objects() -> None:
    start = partial(TrustedWorker, Recipe(), grace=0.2, notes=3)
    with WorkerPool(start, 2) as pool:
        assert results(pool, [{n} for n in range(300)]) == [{n} for n in range(300)]
        found = results(pool, [0, "die", 2, 3, "hang", 5, "be killed", 7])
    assert pool.facts == "ready"
    assert [result for result in found if not isinstance(result, Lost)] == [0, 2, 3, 5, 7]
    assert found[1] == Lost(LossKind.CRASH, "die", "ended its own process with exit code 7")
    assert found[4] == Lost(LossKind.TIMEOUT, "hang", notes=(3, 1, 2))
    assert found[6] == Lost(LossKind.CRASH, "be killed", "was ended by SIGKILL")


def test_replies_come_in_the_order_of_the_jobs(pool: WorkerPool) -> None:
    assert results(pool, [*range(300)]) == [*range(300)]
    assert pool.facts == "ready"
    assert results(pool, [*range(5)]) == [*range(5)]
    assert results(pool, []) == []


def test_a_crash_and_a_hang_cost_one_job_each(pool: WorkerPool) -> None:
    found = results(pool, [0, "die", 2, 3, "hang", 5, "be killed", 7], limit=2, chunk=4)
    assert [result for result in found if not isinstance(result, Lost)] == [0, 2, 3, 5, 7]
    assert found[1] == Lost(LossKind.CRASH, "die", "ended its own process with exit code 7")
    assert found[4] == Lost(LossKind.TIMEOUT, "hang")
    assert found[6] == Lost(LossKind.CRASH, "be killed", "was ended by SIGKILL")


def test_each_chunk_begins_as_the_runner_was_made(pool: WorkerPool) -> None:
    assert results(pool, ["count"] * 7, chunk=3) == [1, 2, 3, 1, 2, 3, 1]
    assert results(pool, ["count"] * 2, chunk=2) == [1, 2]


@pytest.mark.slow
def test_without_chunks_it_goes_on_as_it_is() -> None:
    with Fixture(seconds_to_start=60, size=1).pool as pool:
        assert results(pool, ["count"] * 3) == [1, 2, 3]
        assert results(pool, ["count"] * 2) == [4, 5]


def test_an_answer_within_the_grace_is_late_but_its_worker_lives() -> None:
    with Fixture(seconds_to_start=60, size=1, grace=60).pool as pool:
        assert results(pool, ["be late"], limit=0.2) == [Lost(LossKind.LATE, "be late")]
        assert results(pool, ["be late"], limit=60) == ["be late"]


def test_output_belongs_to_its_job_and_nothing_can_be_read(pool: WorkerPool) -> None:
    replies = [*pool.run([1, "print", 2, "read"], 4)]
    assert [reply.output for reply in replies[:3]] == ["", "hello", ""]
    assert replies[3].output.endswith("EOFError: EOF when reading a line")


def test_jobs_beyond_the_budget_are_not_begun(pool: WorkerPool) -> None:
    pool.start()
    found = results(pool, [*["be late"] * 60], budget=0.5, chunk=30)
    assert found[0] == "be late"
    assert found[-1] == Lost(LossKind.NOT_BEGUN, "be late")


def test_a_copy_that_an_engine_makes_of_itself_answers_nothing(isolated: Fixture) -> None:
    assert results(isolated.pool, [1, "fork", 2, "fork", 3]) == [1, 0, 2, 0, 3]
    assert isolated.noted == []


def test_what_was_not_asked_for_is_dropped_and_noted(isolated: Fixture) -> None:
    assert results(isolated.pool, [1, "forge", 2], limit=2)[0::2] == [1, 2]
    assert ("unasked", "") in isolated.noted


def test_nothing_that_was_started_is_left(isolated: Fixture) -> None:
    [left] = results(isolated.pool, ["leave"])
    assert is_running(left)
    isolated.pool.close()
    assert not is_running(left)
    assert isolated.noted == [("left", "1 process")]


def test_frames_are_bounded() -> None:
    reading, writing = os.pipe()
    reader = FrameReader(reading, 10)
    os.write(writing, frame(b"one") + frame(b"two")[:5])
    assert [*reader.read()] == [b"one"]
    os.write(writing, frame(b"two")[5:] + frame(b"x" * 11))
    frames = reader.read()
    assert next(frames) == b"two"
    with pytest.raises(ValueError, match="11 bytes at once"):
        next(frames)
    os.close(writing)
    os.close(reading)


def test_temporary_files_are_gone_at_the_end(isolated: Fixture, tmp_path: Path) -> None:
    isolated.pool.start()
    folders = [worker._folder for worker in isolated.pool._workers if isinstance(worker, IsolatedWorker)]
    assert all(Path(folder).is_dir() for folder in folders)
    isolated.pool.close()
    assert not any(Path(folder).exists() for folder in folders)


def test_a_runner_that_cannot_be_made_is_named() -> None:
    with (
        Fixture(Recipe(fails=True)).pool as pool,
        pytest.raises(EngineError, match="The engine can't be loaded: ValueError: no such engine"),
    ):
        pool.start()


def test_a_worker_that_does_not_start_in_time_is_an_error() -> None:
    with (
        Fixture(Recipe(seconds=60), seconds_to_start=0.001).pool as pool,
        pytest.raises(EngineError, match=r"The engine did not start: not ready after 0\.001 s"),
    ):
        pool.start()


@pytest.mark.parametrize("start", [TrustedWorker, partial(IsolatedWorker, options=Isolation(), note=print)])
def test_a_recipe_that_cannot_be_sent_is_an_error(start: Any) -> None:
    recipe: Any = lambda sheet: sheet  # noqa: E731 - a lambda can't be pickled
    with pytest.raises(EngineError, match="can't be sent to a process of its own"):
        WorkerPool(partial(start, recipe), 1).start()


@pytest.mark.slow
def test_an_object_is_copied_with_this_process() -> None:
    recipe: Any = type("Made", (), {"open": lambda *_: ObedientRunner(print)})()
    with Fixture(recipe, is_copy=True, seconds_to_start=60).pool as pool:
        assert results(pool, [1, "print", "die", 2, "count"])[:2] == [1, "print"]
        assert os.getpid() not in results(pool, [3])
    assert "pytest" in sys.modules
