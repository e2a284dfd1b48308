"""Run anybody's code in a process that can't change what is thought of it, and of which nothing is left.

What comes from it is data: JSON in frames, bounded in length, one reply for each question, with the question's nonce.
Anything else is dropped and counted. The time is taken here. The process leads a session of its own; it and all that
descends from it is watched while it works, and ended with it.
"""

import json
import os
import pickle
import shutil
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from math import inf
from multiprocessing.connection import wait
from secrets import token_bytes, token_hex
from subprocess import PIPE, Popen
from time import monotonic
from typing import Any, Final, Protocol

from solver.errors import EngineError
from solver.support.english import plural
from solver.support.groups import ControlGroup
from solver.support.memory import gigabytes
from solver.support.processes import (
    MOST_PROCESSES,
    MOST_WRITTEN_IN_ALL,
    count_written,
    end_group,
    end_processes,
    end_tagged,
    list_descendants,
    take_more,
    wait_until_gone,
)
from solver.support.workers.contract import Done, Ended, Failed, Message, Ready
from solver.support.workers.folders import make_folder
from solver.support.workers.frames import FrameReader, frame, write_all
from solver.support.workers.isolated_child import BEGIN, END, NONCE, IsolatedRecipe, Note, Setup, serve
from solver.support.workers.output import CapturedOutput
from solver.support.workers.trusted import describe_ending

LONGEST: Final = 1 << 22
"""Bytes of a message."""

TAG: Final = "MNK_ENGINE"
"""The name of a variable of the environment by which a worker's processes are known."""

AHEAD: Final = 8
"""Questions that a quick engine's process is sent at once, so that it need not wait for its judge."""

_QUICK: Final = 0.005  # seconds for a reply
_LOOK: Final = 0.05  # seconds between two looks at its processes
_REST: Final = 2.0  # seconds in which it has to end a chunk
_LEAVE: Final = 1.0  # seconds in which what it has started has to end with a chunk
_ONE_THREAD: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(frozen=True)
class Isolation:
    """How a process is started and bounded."""

    seconds_to_start: float = 10.0
    grace: float = 0.05
    """Seconds for which a late answer is waited for before the process is ended."""
    memory: int | None = None
    """Bytes that each process, and all together, may take (see `bound_memory`); 0 or None: no bound."""
    is_copy: bool = False
    """Whether it is a copy of this process, with objects that can't be sent, instead of a new interpreter."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables to add to those of this process."""
    wrapper: tuple[str, ...] = ()
    """The words of a command that runs the command that follows, in a sandbox."""


class _Process(Protocol):
    pid: int

    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...


class IsolatedWorker:
    """A worker for code of anybody. Raises EngineError when the recipe can't be sent to it.

    note: is told what a person should know, as a kind and a text: what the runner notes, `left` processes, messages
    that were not `asked` for.
    """

    notes: tuple[int, ...] = ()

    def __init__(self, recipe: IsolatedRecipe, options: Isolation, note: Note) -> None:
        self.is_ready = False
        self.jobs: dict[int, Any] = {}
        self.limit: float | None = options.seconds_to_start
        self._options, self._note = options, note
        self._is_resting, self._forks, self._is_over, self._is_stopped = True, False, False, False
        self._nonces: dict[int, str] = {}  # of the questions that it has been sent, in their order
        self._is_quick = False
        self._sent, self._due = 0.0, monotonic() + options.seconds_to_start
        self._at_start: set[int] = set()  # the processes that were there before the first question
        self._looked, self._broken = 0.0, ""
        self._folder, self._tag, self._group = make_folder(), token_hex(8), ControlGroup()
        setup = Setup(recipe, options.memory, "/tmp" if options.wrapper else self._folder)
        self._process: _Process
        try:
            start = self._copy if options.is_copy else self._launch
            self._process, self._questions, self._replies, self._printed = start(setup)
        except BaseException:
            self._group.end()
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        os.set_blocking(self._questions, False)
        self._reader, self._output = FrameReader(self._replies, LONGEST), CapturedOutput(self._printed)

    def _launch(self, setup: Setup) -> tuple[_Process, int, int, int]:
        """Start a new interpreter; return it and its pipes."""
        try:
            sent = pickle.dumps(setup)
        except (AttributeError, TypeError, pickle.PicklingError) as error:
            raise EngineError(
                f"The engine can't be sent to a process of its own ({error}); put it in a file, FILE.py:NAME."
            ) from error
        paths = [os.path.abspath(path) for path in sys.path]
        boot = f"import sys; sys.path[:] = {paths!r}; from {serve.__module__} import main; main()"
        words = [*self._options.wrapper, sys.executable, "-c", boot]
        one_thread = {name: os.environ.get(name, "1") for name in _ONE_THREAD}
        environment = {**os.environ, **one_thread, **self._options.environment, TAG: self._tag}
        process = Popen(words, bufsize=0, stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True, env=environment)
        self._group.add(process.pid)
        streams = process.stdin, process.stdout, process.stderr
        ends = [os.dup(stream.fileno()) for stream in streams if stream is not None]
        for stream in streams:
            if stream is not None:
                stream.close()
        with suppress(BrokenPipeError):  # one that has died is found when it is read
            write_all(ends[0], frame(sent))
        return process, ends[0], ends[1], ends[2]

    def _copy(self, setup: Setup) -> tuple[_Process, int, int, int]:
        """Copy this process; return the copy and its pipes."""
        (question_end, questions), (replies, reply_end), (printed, print_end) = os.pipe(), os.pipe(), os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():  # threads are not copied, but the engine there uses none of them
            warnings.filterwarnings("ignore", message=".*fork", category=DeprecationWarning)
            pid = os.fork()
        if not pid:
            try:
                os.setsid()
                os.dup2(print_end, 2)
                for file in (questions, replies, printed, print_end):
                    os.close(file)
                serve(question_end, reply_end, setup)
            finally:
                os._exit(0)
        self._group.add(pid)
        for file in (question_end, reply_end, print_end):
            os.close(file)
        return _Copy(pid), questions, replies, printed

    @property
    def is_free(self) -> bool:
        """Whether it can be given jobs."""
        return self.is_ready and not self.jobs and not self._is_stopped

    @property
    def pipes(self) -> list[int]:
        """That by which replies come; what is printed is looked at now and then."""
        return [self._replies]

    def give(self, jobs: dict[int, Any], limit: float | None, *, fresh: bool) -> None:
        """Give it jobs, when it has none, with so many seconds for each; if `fresh`, it begins as it was made."""
        self.jobs, self.limit = jobs, limit
        if self._is_resting:
            self._begin()
        elif fresh:
            self._rest()
        else:
            self._ask()

    @property
    def job(self) -> int:
        """The number of the job at hand; -1 for none."""
        return next(iter(self._nonces), -1)

    def _begin(self) -> None:
        self._is_resting = False
        self._write(frame(BEGIN))
        self._ask()

    def _ask(self) -> None:
        """Put the next question; while it is quick some more, which wait in the pipe."""
        if not self._nonces:
            self._start_clock()
        most = AHEAD if self._is_quick else 1
        if 2 * len(self._nonces) > most or len(self._nonces) == len(self.jobs):
            return
        data = b""
        for number, job in islice(self.jobs.items(), len(self._nonces), most):
            nonce = token_bytes(NONCE)
            self._nonces[number] = nonce.hex()
            data += frame(pickle.dumps((number, job))) + nonce
        self._write(data)

    def _start_clock(self) -> None:
        self._sent = monotonic()
        self._due = self._sent + (inf if self.limit is None else self.limit)

    def _rest(self) -> None:
        """Let what has answered up to now end."""
        self._due = monotonic() + _REST
        self._write(frame(END))

    def _write(self, data: bytes) -> None:
        try:
            written = os.write(self._questions, data)
        except BlockingIOError:
            written = 0
        except OSError:  # one that has died is found when it is read
            return
        if written < len(data):
            self._broken = "does not read what it is asked"

    def recall(self) -> dict[int, Any]:
        """Take back all jobs but those that it has been sent."""
        waiting = {number: job for number, job in self.jobs.items() if number not in self._nonces}
        for number in waiting:
            del self.jobs[number]
        return waiting

    def read(self) -> Iterator[Message]:
        """Yield what it has sent; never waits. Raises EOFError when it has died, or must be ended."""
        try:
            for body in self._reader.read():
                yield from self._receive(body)
        except ValueError as error:
            self._broken = f"sent {error}"
        self._watch()
        if self._broken:
            raise EOFError
        if self.job >= 0 and self._forks and self.is_late():
            yield from self._stop()

    def _receive(self, body: bytes) -> Iterator[Message]:
        """Yield what a message says; one that was not asked for is counted and dropped."""
        try:
            word, first, second = json.loads(body)
        except (ValueError, TypeError, RecursionError):
            word = first = second = None
        if word == "reply" and first == self._nonces.get(self.job, ""):
            yield self._finish(second)
        elif word in {"ended", "rested"} and not self._is_resting:
            yield from self._end_chunk(first if word == "ended" and type(first) is int else 0)
        elif word == "note":
            self._note(str(first)[:20], str(second)[:300])
        elif word == "ready" and not self.is_ready:
            self.is_ready, self._due, self._forks = True, inf, second is True
            self._at_start = {*list_descendants(self._process.pid)}
            yield Ready(first)
        elif word == "failed" and not self.is_ready:
            yield Failed(str(first)[:1000])
        else:
            self._note("unasked", "")

    def _finish(self, result: Any) -> Done:
        """Take the result of the job at hand, and put further ones."""
        number, seconds = self.job, monotonic() - self._sent
        is_late = self.limit is not None and seconds > self.limit
        self._is_quick = seconds < _QUICK
        del self.jobs[number], self._nonces[number]
        self._due = inf
        if self._nonces:
            self._start_clock()
        if self.jobs:
            self._ask()
        return Done(number, result, self._output.pop(number), seconds, is_late)

    def _stop(self) -> Iterator[Message]:
        """End what is at a job for too long; the process that it was forked from goes on."""
        found = [pid for pid in list_descendants(self._process.pid) if pid not in self._at_start]
        if found:
            end_processes(found)
            self._is_stopped, self._due = True, monotonic() + _REST
            yield Ended(output=self._output.pop(self.job), is_late=True)
            self._nonces.clear()

    def _end_chunk(self, code: int) -> Iterator[Message]:
        """Note that what has answered up to now has ended, as it was told or in the middle of a job."""
        self._is_resting, self._is_stopped, self._due = True, False, inf
        if self._forks:
            self._end_left()
        if self.job >= 0:
            yield Ended(describe_ending(code), self._output.pop(self.job))
            self._nonces.clear()
        elif self.jobs:
            self._begin()

    def _end_left(self) -> None:
        """End what was started for a chunk and has not ended with it."""
        left = [pid for pid in list_descendants(self._process.pid) if pid not in self._at_start]
        if left and (left := wait_until_gone(left, _LEAVE)):
            end_processes(left)
            self._note("left", f"{plural(len(left), 'process', 'processes')}")

    def _watch(self) -> None:
        """Look now and then whether it, and what it has started, stays within its bounds."""
        if self._looked + _LOOK > monotonic() or self._broken:
            return
        self._looked = monotonic()
        self._output.read()  # lest it waits until there is room for what it prints
        pids = list_descendants(self._process.pid)
        most = self._options.memory
        if len(pids) > MOST_PROCESSES:
            self._broken = f"started more than {MOST_PROCESSES} processes"
        elif most and len(pids) > 1 and take_more(pids, most):
            self._broken = f"took more than {gigabytes(most)} of memory"
        elif count_written([self._process.pid, *pids]) > MOST_WRITTEN_IN_ALL:
            self._broken = f"wrote more than {gigabytes(MOST_WRITTEN_IN_ALL)}"

    def is_late(self) -> bool:
        """Return whether it should have answered, or started, by now."""
        return monotonic() > self._due + self._options.grace

    def ending(self) -> str:
        """Return how its process ended."""
        if self._broken:
            return self._broken
        with suppress(TimeoutError):
            return describe_ending(self._process.wait(1))
        return "closed the pipe by which it answers"

    def end(self) -> str:
        """End it and all that it has started; returns the last that it printed during its job."""
        if self._is_over:
            return ""
        self._is_over = True
        if self.is_ready and self.job < 0 and not self._is_resting:
            self._let_rest()
        if self._process.poll() is None:
            end_group(self._process.pid)
        self._process.wait()
        tagged = [] if self._options.is_copy else end_tagged(f"{TAG}={self._tag}")
        if left := len(tagged) + self._group.end():
            self._note("left", plural(left, "process", "processes"))
        output = self._output.pop(self.job)
        for file in (self._questions, self._replies, self._printed):
            os.close(file)
        shutil.rmtree(self._folder, ignore_errors=True)
        return output

    def _let_rest(self) -> None:
        """Let it come to rest, so that what it leaves behind is known."""
        self._rest()
        with suppress(EOFError):
            while not self._is_resting and not self.is_late():
                wait([self._replies], _LOOK)
                for _ in self.read():
                    pass


class _Copy:
    """A process that was forked."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._code: int | None = None

    def poll(self) -> int | None:
        """Return its exit code, negative for a signal; None while it runs."""
        if self._code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self._code = os.waitstatus_to_exitcode(status) if pid else None
        return self._code

    def wait(self, timeout: float | None = None) -> int:
        """Return its exit code once it has ended. Raises TimeoutError."""
        until = inf if timeout is None else monotonic() + timeout
        while (code := self.poll()) is None:
            if monotonic() > until:
                raise TimeoutError
            os.sched_yield()
        return code
