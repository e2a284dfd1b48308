"""Capture what a process prints: the last of it, however much it is.

The process writes into a pipe. So what was printed last is known also when the process has died or was killed, and a
flood of output costs neither memory nor disk.
"""

import os
from typing import Final

KEPT: Final = 2000
"""Bytes that are kept of what is printed during one job: the last ones."""

_READS, _SIZE = 16, 1 << 16  # of one look: more than a pipe holds


def last_line(text: str) -> str:
    """Find the last line that is not blank; "" if there is none."""
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")


class CapturedOutput:
    """The reading end of such a pipe."""

    def __init__(self, file: int) -> None:
        os.set_blocking(file, False)
        self.is_open = True
        self._file = file
        self._tail = b""

    def read(self) -> None:
        """Read what is there; never waits."""
        for _ in range(_READS if self.is_open else 0):
            try:
                chunk = os.read(self._file, _SIZE)
            except BlockingIOError:
                return
            if not chunk:
                self.is_open = False
                return
            self._tail = (self._tail + chunk)[-KEPT:]

    def pop(self) -> str:
        """Return what was printed since the last time, as text, and forget it."""
        self.read()
        tail, self._tail = self._tail, b""
        return tail.decode("utf-8", errors="replace").strip() if tail else ""
