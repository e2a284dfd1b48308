"""Start one worker process, and hold what the pool knows of it: the pipes to and from it, and the jobs it was given."""

import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from types import ModuleType
from typing import Any

from solver.errors import EngineError
from solver.support.workers.child import RunnerRecipe, Sheet, WorkerOptions, work
from solver.support.workers.output import CapturedOutput


class Worker:
    """A process that is started at once. Raises EngineError when the recipe can't be sent to it."""

    def __init__(self, recipe: RunnerRecipe, options: WorkerOptions) -> None:
        can_fork = options.start == "fork" and "fork" in get_all_start_methods()
        context: Any = get_context("fork" if can_fork else "spawn")
        self.sheet = Sheet(options.notes)
        self.sheet.expect(options.seconds_to_start)
        self.is_ready = False
        self.jobs: dict[int, Any] = {}
        """Those that it has not answered, by number, in the order in which it does them."""
        self.limit = options.seconds_to_start
        """Seconds for what it does now."""
        self.pipe: Connection[Any, Any]
        self.pipe, other_end = context.Pipe()
        self._grace = options.grace
        self._output, output_end = None, None
        if options.captures_output:
            reading_end, output_end = context.Pipe(duplex=False)
            self._output = CapturedOutput(reading_end)
        arguments = (other_end, output_end, self.sheet, recipe, options.memory)
        self._process = context.Process(target=work, args=arguments, daemon=True)
        try:
            with _quiet_fork() if can_fork else _without_main() if options.start == "spawn_bare" else nullcontext():
                self._process.start()
        except (AttributeError, TypeError, ImportError) as error:  # what pickle raises
            raise EngineError(
                f"The engine can't be sent to a process of its own ({error}); put it in a file, FILE.py:NAME."
            ) from error
        finally:
            other_end.close()
            if output_end:
                output_end.close()

    @property
    def pipes(self) -> "list[Connection[Any, Any]]":
        """Those by which something may come."""
        return [self.pipe, self._output.pipe] if self._output and self._output.is_open else [self.pipe]

    def give(self, jobs: dict[int, Any], limit: float | None) -> None:
        """Give it jobs, when it has none."""
        self.jobs, self.limit = jobs, limit
        if self._output:
            self._output.forget()
        self.sheet.expect(None)
        self.sheet.job = next(iter(jobs))
        with suppress(ConnectionError):  # one that has died is found when it is read
            self.pipe.send((limit, jobs))

    def read(self) -> Iterator[Any]:
        """What it has sent, see `child.work`; never waits. Raises EOFError or ConnectionError when it has died."""
        self._read_output()
        while self.pipe.poll():
            message = self.pipe.recv()
            self._read_output()
            yield message

    def output_of(self, number: int) -> str:
        """The last that it printed during a job, which is forgotten thereby."""
        return self._output.pop(number) if self._output else ""

    def is_late(self) -> bool:
        """Whether it should have answered, or started, by now."""
        return (bool(self.jobs) or not self.is_ready) and self.sheet.is_late(self._grace)

    def ending(self) -> str:
        """How its process ended: an exit code, or the name of a signal."""
        self._process.join(1)
        code = self._process.exitcode
        if code is None or code >= 0:
            return f"exit code {code}"
        return signal.Signals(-code).name if -code in {*signal.Signals} else f"signal {-code}"

    def end(self) -> str:
        """End the process, whatever it does; returns the last that it printed during its job."""
        self._process.kill()
        self._process.join()
        self._read_output()
        output = self.output_of(self.sheet.job)
        if self._output:
            self._output.close()
        self.pipe.close()
        return output

    def _read_output(self) -> None:
        if self._output:
            self._output.read()


@contextmanager
def _quiet_fork() -> Iterator[None]:
    """Silence a warning: threads of this process are not in the forked one, but the engine there uses none of them."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*fork", category=DeprecationWarning)
        yield


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide the main program, which spawned processes import again: a script without a guard would not end."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
