"""Talk to a program line by line, with time limits, in a process group of its own."""

import os
import shlex
import shutil
import subprocess
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, Full, Queue
from secrets import token_hex
from threading import Thread
from time import monotonic
from typing import IO, Final

from solver.errors import EngineError, quoted
from solver.support.groups import ControlGroup
from solver.support.memory import bound_memory
from solver.support.processes import MOST_PROCESSES, bound_process, end_group, end_tagged, list_descendants
from solver.support.workers.folders import make_folder
from solver.support.workers.isolated import TAG
from solver.verification.adapters.sandbox import wrap
from solver.verification.adapters.sessions import Session, SessionFailed
from solver.verification.contract import AskOptions, Failure

KEPT: Final = 20  # lines of what it prints besides its answers that are kept for a report
LONGEST: Final = 10_000  # characters of a line; what is longer is taken for several
LOOK: Final = 0.05  # seconds between two looks at its processes
WAITING: Final = 1000  # lines that it can be ahead of us; then it has to wait


def split_command(text: str) -> list[str]:
    """Return the words of a command, its paths made absolute: the program runs in its own folder.

    Raises EngineError when there is no such program.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise EngineError(f"The command {quoted(text)} can't be read: {error}.") from error
    found = shutil.which(words[0]) if words else None
    if found is None:
        raise EngineError(f"There is no program {quoted(words[0] if words else text)} that can be run; check its path.")
    files = [str(Path(word).absolute()) if Path(word).is_file() else word for word in words[1:]]
    return [str(Path(found).absolute()), *files]


class LineProcess:
    """A running program that reads lines and writes lines."""

    def __init__(self, words: list[str], options: AskOptions, environment: dict[str, str]) -> None:
        files = [word for word in words[1:] if Path(word).is_file()]
        folder = Path(files[0] if files else words[0]).parent
        self._tag = f"{TAG}={token_hex(8)}"
        self._folder, self._group = make_folder(), ControlGroup()
        wrapper: tuple[str, ...] = ()
        if options.sandbox:
            wrapper = wrap([str(folder), words[0], *files], options.hidden, str(folder))
        variables = {TAG: self._tag.partition("=")[2], "TMPDIR": "/tmp" if wrapper else self._folder}
        try:
            self._process = subprocess.Popen(
                [*wrapper, *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env={**os.environ, **environment, **variables},
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
                start_new_session=True,
            )
        except OSError as error:
            self._group.end()
            shutil.rmtree(self._folder, ignore_errors=True)
            raise EngineError(f"The command {quoted(shlex.join(words))} can't be run: {error.strerror}.") from error
        self._group.add(self._process.pid)
        bound_memory(options.memory, self._process.pid)
        bound_process(self._process.pid)
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        assert stdin is not None
        assert stdout is not None
        assert stderr is not None
        self._input, self._streams = stdin, (stdin, stdout, stderr)
        self._lines: Queue[str] = Queue(WAITING)  # "" when there will be no more
        self._chatter: deque[str] = deque(maxlen=KEPT)
        self._is_killed = False
        self._readers = [
            Thread(target=_read_lines, args=(stdout, self._queue_line), daemon=True),
            Thread(target=_read_lines, args=(stderr, self._keep_chatter), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def begin(self) -> None:
        """Forget what it has printed: a question is to follow, and nothing before it can be the answer."""
        with suppress(Empty):
            while line := self._lines.get_nowait():
                pass
            self._lines.put(line)
        self._chatter.clear()

    def printed(self) -> str:
        """Return the last of what it printed since then besides its answers."""
        return "\n".join(self._chatter)

    def write(self, *lines: str) -> None:
        """Send lines; raises SessionFailed when the program has ended."""
        try:
            self._input.write("".join(f"{line}\n" for line in lines))
            self._input.flush()
        except (OSError, ValueError):
            raise self._explain_end() from None

    def read_line(self, until: float, chatter: tuple[str, ...] = ()) -> str:
        """Return the next line that is not blank, waited for until a time of `monotonic`; raises SessionFailed.

        Lines that begin like one of `chatter`, in capitals or not, are passed over.
        """
        while True:
            try:
                line = self._lines.get(timeout=max(0.001, min(LOOK, until - monotonic())))
            except Empty:
                if len(list_descendants(self._process.pid)) > MOST_PROCESSES:
                    raise SessionFailed(Failure.CRASH, f"it started more than {MOST_PROCESSES} processes") from None
                if monotonic() >= until:
                    raise SessionFailed(Failure.TIMEOUT, "no line came in time") from None
                continue
            if not line:
                self._lines.put(line)
                raise self._explain_end()
            if line.strip().upper().startswith(chatter):
                self._keep_chatter(line)
            elif line.strip():
                return line.strip()

    def has_ended(self, seconds: float = 0.0) -> bool:
        """Return whether it has ended, or does so within some seconds."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        return self._process.poll() is not None

    def has_ended_well(self) -> bool:
        """Return whether it has ended, and calls that a success."""
        return self.has_ended() and self._process.returncode == 0

    def kill(self) -> int:
        """End it and what it has started; return how many processes had left its group."""
        self._is_killed = True
        end_group(self._process.pid)
        self._process.wait()
        left = len(end_tagged(self._tag)) + self._group.end()
        shutil.rmtree(self._folder, ignore_errors=True)
        for reader in self._readers:
            reader.join(1)
        for stream in self._streams:
            with suppress(OSError, ValueError):
                stream.close()
        return left

    def _explain_end(self) -> SessionFailed:
        self.has_ended(0.5)
        self._readers[1].join(0.5)
        return SessionFailed(Failure.CRASH, f"the program ended (exit code {self._process.poll()})")

    def _queue_line(self, line: str) -> None:
        """Add a line to those that wait, as soon as there is room."""
        while not self._is_killed:
            with suppress(Full):
                self._lines.put(line, timeout=0.1)
                return

    def _keep_chatter(self, line: str) -> None:
        if line:
            self._chatter.append(line.strip()[:200])


def _read_lines(stream: IO[str], take: Callable[[str], None]) -> None:
    """Hand on each line of a stream, then "" for its end."""
    with suppress(ValueError, OSError):
        while line := stream.readline(LONGEST):
            take(line)
    take("")


class LineSession(Session):
    """A session with a program, which is started when it is needed."""

    def __init__(self, words: list[str], options: AskOptions, environment: dict[str, str]) -> None:
        self.options = options
        self.process: LineProcess | None = None
        self._words, self._environment = words, environment
        self._printed = ""

    def start(self) -> LineProcess:
        """Return the program that runs, or start it."""
        if self.process is None:
            self.process = LineProcess(self._words, self.options, self._environment)
        return self.process

    def printed(self) -> str:
        """Return the last of what it printed since the last question, besides its answer."""
        return self._printed if self.process is None else self.process.printed()

    def close(self) -> None:
        """End the program."""
        if self.process is not None:
            self._printed = self.process.printed()
            self.left += self.process.kill()
            self.process = None
