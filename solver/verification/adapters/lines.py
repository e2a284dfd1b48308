"""A command that is talked to line by line, with time limits, in a process group of its own."""

import os
import shlex
import shutil
import signal
import subprocess
from collections import deque
from contextlib import suppress
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Thread
from time import monotonic
from typing import IO, Final

from solver.errors import EngineError, quoted
from solver.support.memory import bound_memory
from solver.verification.adapters.sessions import SessionFailed
from solver.verification.contract import Failure

__all__ = ["LineProcess", "split_command"]

KEPT: Final = 20  # lines of what it says besides its answers that are kept for a report
LONGEST: Final = 10_000  # characters of a line; what is longer is taken for several
WAITING: Final = 1000  # lines that it can be ahead of us; then it has to wait


def split_command(text: str) -> list[str]:
    """The words of a command, the program made absolute; raises EngineError when there is no such program."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise EngineError(f"The command {quoted(text)} can't be read: {error}.") from error
    found = shutil.which(words[0]) if words else None
    if found is None:
        raise EngineError(f"There is no program {quoted(words[0] if words else text)} that can be run; check its path.")
    return [str(Path(found).absolute()), *_absolute(words[1:])]


def _absolute(words: list[str]) -> list[str]:
    """Arguments that are files, by their full path: the program runs in its own folder."""
    return [str(Path(word).absolute()) if Path(word).is_file() else word for word in words]


class LineProcess:
    """A running program: lines in, lines out."""

    def __init__(self, words: list[str], memory: int | None, environment: dict[str, str]) -> None:
        files = [word for word in words[1:] if Path(word).is_file()]
        folder = Path(files[0] if files else words[0]).parent
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env={**os.environ, **environment},
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
                start_new_session=True,
            )
        except OSError as error:
            raise EngineError(f"The command {quoted(shlex.join(words))} can't be run: {error.strerror}.") from error
        bound_memory(memory, self._process.pid)
        self._lines: Queue[str | None] = Queue(WAITING)
        self._said: deque[str] = deque(maxlen=KEPT)
        self._is_killed = False
        self._readers = [Thread(target=self._read, daemon=True), Thread(target=self._read_errors, daemon=True)]
        for reader in self._readers:
            reader.start()

    def begin(self) -> None:
        """Forget what it has said: a question is to follow, and nothing said before can be its answer."""
        with suppress(Empty):
            while (line := self._lines.get_nowait()) is not None:
                pass
            self._lines.put(line)
        self._said.clear()

    def said(self) -> str:
        """The last of what it said since then besides its answers."""
        return "\n".join(self._said)

    def write(self, *lines: str) -> None:
        """Send lines; raises SessionFailed when the program has ended."""
        stream: IO[str] | None = self._process.stdin
        assert stream is not None
        try:
            stream.write("".join(f"{line}\n" for line in lines))
            stream.flush()
        except (OSError, ValueError):
            raise self.ended() from None

    def line(self, until: float, chatter: tuple[str, ...] = ()) -> str:
        """The next line that is not blank, waited for until a time of `monotonic`; raises SessionFailed.

        Lines that begin like one of `chatter`, in capitals or not, are passed over.
        """
        while True:
            try:
                line = self._lines.get(timeout=max(0.001, until - monotonic()))
            except Empty:
                raise SessionFailed(Failure.TIMEOUT, "no line came in time") from None
            if line is None:
                self._lines.put(None)
                raise self.ended()
            if line.strip().upper().startswith(chatter):
                self._said.append(line.strip()[:200])
            elif line.strip():
                return line.strip()

    def has_ended(self, patience: float = 0.0) -> bool:
        """Whether it has ended, or does so within some seconds."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(patience)
        return self._process.poll() is not None

    def has_ended_well(self) -> bool:
        """Whether it has ended, and calls that a success."""
        return self.has_ended() and self._process.returncode == 0

    def ended(self) -> SessionFailed:
        """Why there is no answer: the program has ended."""
        self.has_ended(0.5)
        self._readers[1].join(0.5)
        return SessionFailed(Failure.CRASH, f"the program ended (exit code {self._process.poll()})")

    def kill(self) -> None:
        """End it and what it has started."""
        self._is_killed = True
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        for reader in self._readers:
            reader.join(1)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            with suppress(OSError, ValueError):
                if stream is not None:
                    stream.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with suppress(ValueError, OSError):
            while line := self._process.stdout.readline(LONGEST):
                self._put(line)
        self._put(None)

    def _put(self, line: str | None) -> None:
        """Add a line to those that wait, as soon as there is room."""
        while not self._is_killed:
            with suppress(Full):
                self._lines.put(line, timeout=0.1)
                return

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        with suppress(ValueError, OSError):
            while line := self._process.stderr.readline(LONGEST):
                self._said.append(line.strip()[:200])
