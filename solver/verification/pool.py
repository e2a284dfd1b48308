"""Workers, and what happens to their tasks: a crash or a hang costs one task, and the rest are done all the same."""

import os
import signal
import sys
import warnings
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.sharedctypes import RawArray
from time import monotonic
from types import ModuleType
from typing import Any, Final

from solver.errors import EngineError
from solver.verification.contract import Answer, Failure, Progress
from solver.verification.failure_limit import NOT_ASKED, FailureLimit
from solver.verification.printed import Printed, last_line
from solver.verification.worker import DUE, NUMBER, Setup, Task, work

__all__ = ["Lost", "Pool", "cores"]

GRACE: Final = 0.05  # seconds a late answer is waited for
CHUNK: Final = 64  # the most tasks a worker is given at once
MOST_FAILED_STARTS: Final = 3


@dataclass(frozen=True)
class Lost:
    """The result of a task that ended its process, or was stopped; output: the last it printed."""

    failure: Failure
    detail: str
    output: str = ""


def cores() -> int:
    """How many processes can really run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Pool:
    """Up to `size` workers. live: whether the engine is an object of this process, which is forked then."""

    def __init__(self, setup: Setup, *, live: bool, size: int | None, seconds_to_start: float) -> None:
        self._setup, self._live, self._size = setup, live, size or cores()
        self._seconds_to_start = seconds_to_start
        self._failed_starts = 0
        self._failure_limit = FailureLimit(0)
        self._workers: list[_Worker] = []
        self.facts: Any = None

    def start(self) -> None:
        """Start the first worker and get to know the engine. Raises EngineError when it can't be loaded."""
        self._hire(1)
        while self.facts is None:
            self._look(deque(), {})

    def run(
        self,
        tasks: Sequence[Task],
        limit: float,
        *,
        budget: float | None = None,
        failure_limit: FailureLimit | None = None,
        progress: Progress | None = None,
    ) -> list[Any]:
        """The results of tasks (numbered 0, 1, ...) in their order, a Lost for those that gave none.

        limit: seconds for each. budget: seconds for all, after which the rest are not begun; nor are they when
        failure_limit is over. Raises EngineError when workers can't be started any more.
        """
        self._hire(min(self._size, -(-len(tasks) // 16)))
        self._failure_limit = failure_limit or FailureLimit(0)
        for worker in self._workers:
            worker.printed.forget()
        waiting, done = deque(tasks), dict[int, Any]()
        end = None if budget is None else monotonic() + budget
        while len(done) < len(tasks):
            if (end is not None and monotonic() > end) or self._failure_limit.is_reached:
                self._failure_limit.skipped += len(waiting)
                done.update((task[0], Lost(Failure.TIMEOUT, NOT_ASKED)) for task in waiting)
                waiting.clear()
            self._give(waiting, limit)
            self._look(waiting, done)
            if progress:
                progress(len(done), len(tasks))
        return [done[number] for number in range(len(tasks))]

    def close(self) -> None:
        """End the workers."""
        for worker in self._workers:
            worker.end()
        self._workers.clear()

    def _hire(self, size: int) -> None:
        for _ in range(len(self._workers), max(1, size)):
            self._workers.append(_Worker(self._setup, self._live, self._seconds_to_start))

    def _give(self, waiting: "deque[Task]", limit: float) -> None:
        chunk = max(1, min(CHUNK, len(waiting) // (2 * len(self._workers))))
        for worker in self._workers:
            if worker.is_ready and not worker.tasks and waiting:
                worker.give([waiting.popleft() for _ in range(min(chunk, len(waiting)))], limit)

    def _look(self, waiting: "deque[Task]", done: dict[int, Any]) -> None:
        """Wait a little for results, and replace the workers that are late or dead."""
        wait([pipe for worker in self._workers for pipe in worker.pipes], GRACE)
        for place, worker in enumerate(self._workers):
            worker.printed.read()
            try:
                while worker.pipe.poll():
                    self._receive(worker, worker.pipe.recv(), done)
            except (EOFError, ConnectionError):
                self._workers[place] = self._replaced(worker, worker.crash(), waiting, done)
                continue
            if worker.is_late():
                lost = Lost(Failure.TIMEOUT, f"no answer within {worker.limit:g} s")
                self._workers[place] = self._replaced(worker, lost, waiting, done)

    def _receive(self, worker: "_Worker", message: Any, done: dict[int, Any]) -> None:
        if worker.is_ready:
            worker.printed.read()
            for number, is_late, result in message:
                worker.tasks.pop(number, None)
                late = Lost(Failure.TIMEOUT, f"answered only after {worker.limit:g} s")
                done[number] = _with_output(late if is_late else result, worker.printed.of(number))
                self._failure_limit.record(not is_late)
            return
        word, content = message
        if word == "failed":
            raise EngineError(content)
        worker.is_ready = True
        self.facts, self._failed_starts = content, 0

    def _replaced(self, worker: "_Worker", lost: Lost, waiting: "deque[Task]", done: dict[int, Any]) -> "_Worker":
        """A new worker; the task the old one was at is lost, its others wait again."""
        worker.end()
        if not worker.is_ready:
            self._failed_starts += 1
            if self.facts is None or self._failed_starts >= MOST_FAILED_STARTS:
                reason = lost.detail if lost.failure is Failure.CRASH else f"not ready after {worker.limit:g} s"
                said = last_line(worker.output)
                raise EngineError(f"The engine did not start: {reason}{f'; it printed {said!r}' if said else ''}.")
        at = int(worker.sheet[NUMBER])
        if at in worker.tasks:
            if at != next(iter(worker.tasks)):  # it had answered those before, though we have not heard what
                self._failure_limit.record(answered=True)
            del worker.tasks[at]
            done[at] = replace(lost, output=worker.output)
            self._failure_limit.record(answered=False)
        waiting.extendleft(reversed(worker.tasks.values()))
        return _Worker(self._setup, self._live, self._seconds_to_start)


def _with_output(result: Any, output: str) -> Any:
    """A result that tells of a failure, with what was printed; any other as it is."""
    fails = isinstance(result, Lost) or (isinstance(result, Answer) and result.failure)
    return replace(result, output=output) if fails and output else result


class _Worker:
    """One process, the pipes to and from it, the sheet shared with it, and the tasks it has been given."""

    def __init__(self, setup: Setup, live: bool, seconds_to_start: float) -> None:
        can_fork = live and "fork" in get_all_start_methods()
        context: Any = get_context("fork" if can_fork else "spawn")
        self.sheet: Any = RawArray("d", [monotonic() + seconds_to_start, -1])
        self.pipe: Connection
        self.pipe, other_end = context.Pipe()
        output, printed = context.Pipe(duplex=False)
        self.printed = Printed(output)
        self.output = ""
        self._process = context.Process(target=work, args=(other_end, printed, self.sheet, setup), daemon=True)
        try:
            with _quiet_fork() if can_fork else nullcontext() if live else _without_main():
                self._process.start()
        except (AttributeError, TypeError, ImportError) as error:  # what pickle raises
            raise EngineError(
                f"The engine can't be sent to a process of its own ({error}); put it in a file, FILE.py:NAME."
            ) from error
        finally:
            other_end.close()
            printed.close()
        self.is_ready = False
        self.limit = seconds_to_start
        self.tasks: dict[int, Task] = {}

    @property
    def pipes(self) -> list[Connection]:
        """Those by which something may come."""
        return [self.pipe, self.printed.pipe] if self.printed.is_open else [self.pipe]

    def give(self, tasks: list[Task], limit: float) -> None:
        """Give it tasks, when it has none."""
        self.tasks, self.limit = {task[0]: task for task in tasks}, limit
        self.sheet[DUE], self.sheet[NUMBER] = 0, tasks[0][0]
        with suppress(ConnectionError):  # one that has died is found when it is looked at
            self.pipe.send((limit, tasks))

    def is_late(self) -> bool:
        """Whether it should have answered, or started, by now."""
        due: float = self.sheet[DUE]
        return (bool(self.tasks) or not self.is_ready) and 0 < due < monotonic() - GRACE

    def crash(self) -> Lost:
        """How it ended, when it has died."""
        self._process.join(1)
        code = self._process.exitcode
        how = f"exit code {code}"
        if code is not None and code < 0:
            how = signal.Signals(-code).name if -code in {*signal.Signals} else f"signal {-code}"
        return Lost(Failure.CRASH, f"its process ended ({how})")

    def end(self) -> None:
        """End the process, whatever it does; `output` is then the last that it printed."""
        self._process.kill()
        self._process.join()
        self.printed.read()
        self.output = self.printed.of(int(self.sheet[NUMBER]))
        self.printed.close()
        self.pipe.close()


@contextmanager
def _quiet_fork() -> Iterator[None]:
    """Threads of this process are not in the forked one; the engine there uses none of them."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*fork", category=DeprecationWarning)
        yield


@contextmanager
def _without_main() -> Iterator[None]:
    """Spawned processes import the main program again; ours need not, and a script without a guard would not end."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
