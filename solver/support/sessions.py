"""Call untrusted code in separate processes, several at once, with a time limit for each request.

    sessions = Sessions(launch_program(words), setup, Limits())
    facts = sessions.open()
    replies = sessions.run(requests, until=monotonic() + 60)

A process reads the setup and then one request per line, as JSON, and writes one reply per line. A reply is plain data
with the nonce of its request; other output is dropped. A process that is late, crashes or exceeds its bounds is
killed, with all processes that it started, and replaced.

Each process gets the requests of one `player` only, because an engine may learn its side from its first position.
"""

import json
import os
import sys
import warnings
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from multiprocessing.connection import wait
from secrets import token_hex
from shutil import rmtree
from subprocess import Popen
from tempfile import mkdtemp
from time import monotonic
from typing import Any, Final

from solver.errors import EngineError, NotStarted, TooSlow, in_one_line
from solver.support.processes import TAG, end_trees, find_excess
from solver.support.threads import available_cores

MARK: Final = "\0"  # the character between the output for one request and the output for the next

MOST_FAILED: Final = 20  # consecutive timeouts and crashes after which a player's other requests are not sent

_LONGEST: Final = 1 << 16  # bytes of a reply
_KEPT: Final = 2000  # characters of an engine's output
_MOST_PRINTED: Final = 10**7  # bytes of output for one request
_AHEAD: Final = 16  # requests that are sent at once to a quick engine
_QUICK: Final = 0.005  # seconds for a reply
_LOOK: Final = 0.1  # seconds between two checks of an engine's processes
_FAILED_STARTS: Final = 3  # failed starts in a row after which no process is started
_ONE_THREAD: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

Request = dict[str, Any]
Reply = dict[str, Any]


@dataclass(frozen=True)
class Limits:
    """The bounds of an engine's processes."""

    seconds_per_move: float = 10.0
    seconds_to_start: float = 20.0
    memory: int | None = 4 * 10**9  # bytes that a process may use; None for no bound

    @classmethod
    def for_moves(cls, seconds: float) -> "Limits":
        """Return the limits with a time for a move; who allows more allows it for the start too."""
        return cls(seconds, max(seconds, cls.seconds_to_start))


Launch = Callable[[Sequence[int], Sequence[int], str, str], int]
"""Starts a process and returns its number, given the ends of three pipes (requests, replies, output) for the process
and for this one, a tag for its environment, and a folder for temporary files."""


def launch_program(words: Sequence[str], inherited: Sequence[str] | None = None, folder: str = "") -> Launch:
    """Return a function that starts a program.

    inherited: the variables of the environment that it inherits; by default all. folder: where its temporary files go;
    by default, a new folder that is deleted when the process ends.
    """

    def launch(theirs: Sequence[int], _: Sequence[int], tag: str, own_folder: str) -> int:
        variables = {name: os.environ.get(name, "1") for name in _ONE_THREAD}
        variables |= dict.fromkeys(("TMPDIR", "NUMBA_CACHE_DIR"), folder or own_folder)
        variables |= {TAG: tag, "PYTHONHASHSEED": "0", **({"HOME": folder} if folder else {})}
        kept = {name: part for name, part in os.environ.items() if inherited is None or name in inherited}
        given, answers, printed = theirs
        process = Popen(
            words, stdin=given, stdout=answers, stderr=printed, start_new_session=True, env={**kept, **variables}
        )
        process.returncode = 0  # waited for by number
        return process.pid

    return launch


def launch_copy(serve: Callable[[], None]) -> Launch:
    """Return a function that forks this process and calls `serve` in the copy, on the copy's standard streams."""

    def launch(theirs: Sequence[int], ours: Sequence[int], _: str, folder: str) -> int:
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():  # threads are not copied, and the engine there uses none of them
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
        if not pid:
            try:
                os.setsid()
                os.environ["TMPDIR"] = folder
                for file in ours:
                    os.close(file)
                for number, file in enumerate(theirs):
                    os.dup2(file, number)
                serve()
            finally:
                os._exit(0)
        return pid

    return launch


class _Gone(Exception):
    """Raised when a process has ended or must be ended; the message gives the reason."""


class _Process:
    """A running process, with the requests sent to it and the time at which its next reply is due."""

    def __init__(self, launch: Launch, setup: bytes, limits: Limits) -> None:
        self.has_begun = False  # true from the moment when it runs the engine's code
        self.facts: Reply | None = None
        self.player: object = None  # the side to move in its requests; None if it has none yet
        self.waiting: deque[tuple[int, str]] = deque()
        self.ahead = 1
        self.excess = ""  # the bound that it exceeds
        self._limits, self._data, self._output = limits, b"", ""
        self._code: int | None = None
        self._size = 0  # bytes of output for this request
        self._printed: deque[str] = deque(maxlen=2 * _AHEAD)  # the output for each request, separated by MARK
        self._tag, self._folder = token_hex(8), mkdtemp(prefix="mnk-engine-")
        files: list[int] = []
        try:
            for _ in range(3):
                files += os.pipe()
            given, self._requests, self._replies, answers, self._prints, prints = files
            self._files = self._requests, self._replies, self._prints
            self.pid = launch((given, answers, prints), self._files, self._tag, self._folder)
        except BaseException:
            for file in files:
                os.close(file)
            rmtree(self._folder, ignore_errors=True)
            raise
        for file in (given, answers, prints):
            os.close(file)
        for file in self._files:
            os.set_blocking(file, False)
        self._unsent, self._due, self._asked = setup, monotonic() + limits.seconds_to_start, 0.0
        self.write()

    @property
    def pipes(self) -> list[int]:
        return [self._replies, self._prints]

    def send(self, requests: Sequence[tuple[int, Request]]) -> None:
        if not self.waiting:
            self._start_clock()
        for number, request in requests:
            nonce = token_hex(8)
            self.waiting.append((number, nonce))
            self._unsent += json.dumps({"n": nonce, **request}).encode() + b"\n"
        self.write()

    def write(self) -> None:
        with suppress(BlockingIOError, BrokenPipeError):  # reading detects a dead process
            while self._unsent:
                self._unsent = self._unsent[os.write(self._requests, self._unsent) :]

    def read(self) -> Iterator[tuple[int, Reply]]:
        """Yield (request number, reply) for each available reply, without waiting.

        Raises _Gone if the process has ended or exceeds its bounds.
        """
        self.write()
        self._read_output()
        if self.excess:  # its reply does not count, or a quick engine would never fail
            raise _Gone(self.excess)
        try:
            chunk = os.read(self._replies, _LONGEST)
            if not chunk:
                raise _Gone(self._describe_end())
            *lines, self._data = (self._data + chunk).split(b"\n")
        except BlockingIOError:
            lines = []
        for line in lines:
            yield from self._receive(line)
        if self._size > _MOST_PRINTED:
            raise _Gone(f"it printed more than {_MOST_PRINTED // 10**6} MB for one move")
        if len(self._data) > _LONGEST:
            raise _Gone("it wrote a reply that is too long")

    def _receive(self, line: bytes) -> Iterator[tuple[int, Reply]]:
        try:
            reply = json.loads(line)
        except (ValueError, RecursionError):
            return
        if not isinstance(reply, dict) or not all(isinstance(reply.get(key, ""), str) for key in ("error", "kind")):
            return
        if self.facts is None:
            self.has_begun = self.has_begun or "loading" in reply
            if isinstance(reply.get("failed"), str) or isinstance(reply.get("ready"), dict):
                self.facts, self._due = reply, inf
        elif self.waiting and reply.get("n") == self.waiting[0][1]:
            number, _ = self.waiting.popleft()
            self.ahead = _AHEAD if monotonic() < self._asked + _QUICK else 1
            self._read_output()
            yield number, {**reply, "printed": self._printed.popleft() if self._printed else self._output}
            self._start_clock()

    def _start_clock(self) -> None:
        self._asked, self._size = monotonic(), 0
        self._due = self._asked + self._limits.seconds_per_move

    def _read_output(self) -> None:
        with suppress(BlockingIOError):
            for _ in range(16):
                chunk = os.read(self._prints, 1 << 16)
                if not chunk:
                    return
                self._size += len(chunk)
                *printed, self._output = (self._output + chunk.decode("utf-8", "replace")).split(MARK)
                self._printed += [text[-_KEPT:] for text in printed]
                self._output = self._output[-_KEPT:]

    @property
    def seconds_left(self) -> float:
        """Seconds until the next reply is overdue: 0 if it already is, infinity if no reply is expected."""
        return max(0.0, self._due - monotonic()) if self.waiting or self.facts is None else inf

    def _describe_end(self) -> str:
        until = monotonic() + 1
        while self._code is None and monotonic() < until:
            self._reap(os.WNOHANG)
        if self._code is None:
            return "its process closed the pipe for its answers"
        if self._code < 0:
            return f"its process was ended by signal {-self._code}"
        return f"its process ended with exit code {self._code}"

    def _reap(self, options: int) -> None:
        with suppress(ChildProcessError):
            pid, status = os.waitpid(self.pid, options)
            self._code = os.waitstatus_to_exitcode(status) if pid else None

    def end(self) -> str:
        """Kill the process and all processes that it started; return the last part of its output."""
        end_trees([self.pid], self._tag)
        if self._code is None:
            self._reap(0)
        self._read_output()
        for file in self._files:
            os.close(file)
        rmtree(self._folder, ignore_errors=True)
        return self._output


class Sessions:
    """The processes of one engine. at_once: the most requests to answer at a time; None: one per core."""

    def __init__(self, launch: Launch, setup: Mapping[str, Any], limits: Limits, at_once: int | None = None) -> None:
        self._launch, self._limits, self._size = launch, limits, at_once or available_cores()
        self._setup = (
            json.dumps({**setup, "memory": limits.memory, "seconds": limits.seconds_per_move}).encode() + b"\n"
        )
        self._processes: list[_Process] = []
        self._failed_starts = 0
        self._looked = 0.0
        self._failed = Counter[object]()  # timeouts and crashes in a row, by player
        self.gave_up = False  # true if requests were not sent, because the engine failed too often in a row

    def open(self) -> Reply:
        """Start a process and return its reply to the setup.

        Raises EngineError if the engine can't be loaded, TooSlow if that takes too long, and NotStarted if its process
        failed before it ran any of the engine's code.
        """
        self._start()
        return dict(self._wait()["ready"])

    def prepare(self, player: object) -> None:
        """Start a process for a player, if there is none, and wait until it is ready. Raises the errors of `open`."""
        self._assign({player: 1})
        self._wait()

    def _wait(self) -> Reply:
        """Wait until all processes are ready; return what the last one replied to the setup."""
        while late := [process for process in self._processes if process.facts is None]:
            left = min(process.seconds_left for process in late)
            wait([pipe for process in late for pipe in process.pipes], min(_LOOK, left))
            self._look()
            for process in late:
                self._read(process)
        assert self._processes[-1].facts
        return self._processes[-1].facts

    def run(
        self, requests: Sequence[Request], until: float = inf, progress: Callable[[int, int], object] | None = None
    ) -> list[Reply | None]:
        """Return the reply to each request, in order; None if the engine had not begun with it by the time `until`.

        What it has begun it must answer, or an engine could wait for that time instead of answering what it does not
        know. If the process crashes or is late, the reply has an `error`, with the `kind` `crash` or `timeout`. After
        MOST_FAILED of these in a row, the player's other requests get this reply too, and are not sent.
        """
        replies: list[Reply | None] = [None] * len(requests)
        todo, done = defaultdict[object, deque[int]](deque), 0
        for number, request in enumerate(requests):
            todo[request["player"]].append(number)
        self._assign({player: len(numbers) for player, numbers in todo.items()})
        begun: list[int] | None = None  # the requests that the processes are at when the time is up
        while done < len(requests):
            if monotonic() > until:
                todo.clear()
                begun = begun or [process.waiting[0][0] for process in self._processes if process.waiting]
            if begun is not None and all(replies[number] for number in begun):
                break
            for process in self._list_ready(todo):
                own = todo[process.player]
                if 2 * len(process.waiting) <= process.ahead:
                    count = min(process.ahead, max(1, len(own) // (2 * self._size)), len(own))
                    process.send([(number, requests[number]) for number in (own.popleft() for _ in range(count))])
            left = min((process.seconds_left for process in self._processes), default=0.0)
            wait([pipe for one in self._processes for pipe in one.pipes], max(0.0, min(_LOOK, left)))
            self._look()
            for process in [*self._processes]:
                for number, reply in self._read(process, todo[process.player]):
                    replies[number], done = reply, done + 1
                    for left_over in todo.pop(process.player, ()) if self._gives_up(process.player, reply) else ():
                        said = f"asked no more after {MOST_FAILED} failures: {reply['error']}"
                        replies[left_over], done = {**reply, "error": said}, done + 1
            if progress:
                progress(done, len(requests))
        for process in [*self._processes]:
            if process.waiting:
                process.end()
                self._processes.remove(process)
        return replies

    def _list_ready(self, todo: Mapping[object, Sequence[int]]) -> list[_Process]:
        """Return the processes that may get requests: at most one per core, those with the most left first."""
        ready = [process for process in self._processes if process.facts and todo[process.player]]
        ready = sorted(ready, key=lambda process: -len(todo[process.player]))[: self._size]
        busy = sum(bool(process.waiting) for process in self._processes if process not in ready)
        return ready[: max(0, self._size - busy)]

    def _gives_up(self, player: object, reply: Reply) -> bool:
        """Return whether this is one of too many timeouts and crashes in a row."""
        is_failure = reply.get("kind") in {"timeout", "crash"}
        self._failed[player] = self._failed[player] + 1 if is_failure else 0
        self.gave_up = self.gave_up or self._failed[player] >= MOST_FAILED
        return self._failed[player] >= MOST_FAILED

    def _start(self, player: object = None) -> _Process:
        self._processes.append(_Process(self._launch, self._setup, self._limits))
        self._processes[-1].player = player
        return self._processes[-1]

    def _assign(self, counts: Mapping[object, int]) -> None:
        """Start processes for these numbers of requests by player."""
        players = {*counts} | {process.player for process in self._processes} - {None}
        most = max(1, self._size // max(1, len(players)))
        for player, count in counts.items():
            there = sum(process.player == player for process in self._processes)
            for _ in range(there, min(most, -(-count // _AHEAD))):
                spare = (process for process in self._processes if process.player is None)
                (next(spare, None) or self._start()).player = player

    def _look(self) -> None:
        """Find the processes that exceed their bounds, all with one search, because a search takes milliseconds."""
        if self._looked + _LOOK < monotonic():
            self._looked, pids = monotonic(), [process.pid for process in self._processes]
            excess = find_excess(pids, self._limits.memory)
            for process in self._processes:
                process.excess = excess.get(process.pid, "")

    def _read(self, process: _Process, todo: "deque[int] | None" = None) -> Iterator[tuple[int, Reply]]:
        """Yield a process's replies. If it is late or dead, replace it and answer its oldest request with an error."""
        found: list[tuple[int, Reply]] = []
        kind, reason = "timeout", f"no answer within {self._limits.seconds_per_move:g} s"
        try:
            for one in process.read():  # keeps the replies before an error
                found += [one]
            if process.seconds_left:
                if process.facts and "failed" in process.facts:
                    raise EngineError(f"The engine can't be loaded: {in_one_line(process.facts['failed'])[:500]}.")
                self._failed_starts = 0 if process.facts else self._failed_starts
                return iter(found)
        except _Gone as gone:
            kind, reason = "crash", str(gone)
        self._processes.remove(process)
        printed = process.end()
        if process.facts is None:
            self._failed_starts += 1
            if self._failed_starts >= _FAILED_STARTS or kind == "timeout":
                if kind == "timeout":
                    reason = f"it was not ready within {self._limits.seconds_to_start:g} s (option time allows more)"
                last = printed.strip().splitlines()[-1:]
                said = f"{reason}; it printed {last[0][:200]!r}" if last else reason
                if not process.has_begun:
                    raise NotStarted(f"The grader can't start a process for the engine: {said}; repeat the command.")
                raise (TooSlow if kind == "timeout" else EngineError)(f"The engine did not start: {said}.")
        if process.waiting:
            number, _ = process.waiting.popleft()
            found.append((number, {"error": reason, "kind": kind, "printed": printed}))
            if todo is not None:
                todo.extendleft(number for number, _ in reversed(process.waiting))
        if todo is None or todo:
            self._start(process.player)
        return iter(found)

    def close(self) -> None:
        """End all processes."""
        while self._processes:
            self._processes.pop().end()
