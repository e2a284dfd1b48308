"""Bounding the memory of an engine's process, where the system can."""

import os
from contextlib import suppress
from pathlib import Path

__all__ = ["bound_memory"]


def bound_memory(memory: int | None, pid: int = 0) -> None:
    """Let a process (by default this one) take so many bytes beyond what it has; 0 or None: as many as it likes.

    What counts is the memory it can write to (RLIMIT_DATA), not the addresses it reserves, of which the runtimes of
    some languages reserve many gigabytes. Only Linux counts so, and can bound another process; elsewhere nothing may
    come of it.
    """
    if not memory:
        return
    with suppress(ImportError, AttributeError, ValueError, OSError):
        import resource

        most = memory + _written(pid or os.getpid())
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        if pid:
            resource.prlimit(pid, resource.RLIMIT_DATA, (most, most))
        else:
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _written(pid: int) -> int:
    """The bytes of writable memory that a process has already; 0 where that can't be told."""
    with suppress(OSError):
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[5])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return 0
