"""Capture what a process prints, by job: the last of it, however much it is.

The process writes into a pipe, and before each job a mark with its number. So what was printed last is known also when
the process has died or was killed, and a flood of output costs neither memory nor disk.
"""

import os
import re
from contextlib import suppress
from typing import Final

KEPT: Final = 2000
"""Bytes that are kept of what is printed during one job: the last ones."""

_MARK: Final = re.compile(rb"\x00(-?\d+)\x01")
_BEGUN: Final = re.compile(rb"\x00-?\d*\Z")  # a mark of which the rest is still to come
_READS, _SIZE = 16, 1 << 16  # of one look
_ROOM: Final = 1 << 20  # bytes that the pipe may hold between two looks, where that can be said


def write_mark(number: int) -> None:
    """Write to the standard output of this process that what follows belongs to the job of this number."""
    with suppress(OSError):  # an engine may have closed it
        os.write(1, b"\0%d\x01" % number)


def last_line(text: str) -> str:
    """Find the last line that is not blank; "" if there is none."""
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")


class CapturedOutput:
    """The reading end. What comes before the first mark belongs to number -1, the start."""

    def __init__(self, file: int) -> None:
        os.set_blocking(file, False)
        with suppress(ImportError, AttributeError, OSError):
            import fcntl

            fcntl.fcntl(file, fcntl.F_SETPIPE_SZ, _ROOM)
        self._file = file
        self._number = -1
        self._tails: dict[int, bytes] = {}
        self._begun = b""

    def read(self) -> None:
        """Read what is there; never waits."""
        for _ in range(_READS):
            try:
                chunk = os.read(self._file, _SIZE)
            except BlockingIOError:
                return
            if not chunk:
                return
            self._take(chunk)

    def pop(self, number: int) -> str:
        """Return what was printed during a job, as text, and forget it, and what was printed before it."""
        self.read()
        tail = self._tails.get(number, b"")
        self._tails = {later: text for later, text in self._tails.items() if later > number}
        return tail.decode("utf-8", errors="replace").strip() if tail else ""

    def _take(self, chunk: bytes) -> None:
        data = self._begun + chunk
        begun = _BEGUN.search(data)
        self._begun = data[begun.start() :] if begun and len(begun[0]) < 20 else b""
        first, *rest = _MARK.split(data[: len(data) - len(self._begun)])
        self._keep(first)
        for number, text in zip(rest[::2], rest[1::2], strict=True):
            self._number = int(number)
            self._keep(text)

    def _keep(self, text: bytes) -> None:
        if text:
            self._tails[self._number] = (self._tails.get(self._number, b"") + text)[-KEPT:]
