"""Measure the memory there is, and bound what a process takes of it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_GB = 1_000_000_000


def available_memory(system: Path = Path("/")) -> int | None:
    """Estimate the bytes that programs can still have without swapping, as Linux does; None where it says nothing.

    A container may have less than its machine: then what its control group leaves counts.
    """
    try:
        lines = (system / "proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    machine = [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")]
    return min([*machine, *_left_by_group(system / "sys/fs/cgroup")], default=None)


def _left_by_group(folder: Path) -> list[int]:
    """Return the bytes that the limit of the control group (version 2) leaves, if there is one, as a list."""
    try:
        limit, used = ((folder / f"memory.{name}").read_text(encoding="ascii").strip() for name in ("max", "current"))
    except OSError:
        return []
    return [] if limit == "max" else [max(int(limit) - int(used), 0)]


def bound_memory(memory: int | None, pid: int = 0) -> None:
    """Let a process (by default this one) take so many bytes beyond what it has; 0 or None: as many as it likes.

    What counts is the memory it can write to (RLIMIT_DATA), not the addresses it reserves, of which the runtimes of
    some languages reserve many gigabytes. Only Linux counts so, and can bound another process; elsewhere nothing may
    come of it.
    """
    if memory:
        with suppress(ImportError, AttributeError):
            from resource import RLIMIT_DATA

            bound_resource(RLIMIT_DATA, memory + _writable_bytes(pid or os.getpid()), pid)


def bound_resource(kind: int, most: int, pid: int = 0) -> None:
    """Bound what a process (by default this one) may have of a resource (`resource.RLIMIT_...`), where that can be."""
    with suppress(ImportError, AttributeError, ValueError, OSError):
        import resource

        hard = resource.getrlimit(kind)[1]
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        if pid:
            resource.prlimit(pid, kind, (bound, bound))
        else:
            resource.setrlimit(kind, (bound, bound))


def _writable_bytes(pid: int) -> int:
    """Count the bytes of writable memory that a process has already; 0 where that can't be told."""
    with suppress(OSError):
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[5])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return 0


def gigabytes(count: int) -> str:
    """Write a number of bytes for people, in gigabytes.

    >>> gigabytes(7_940_919_680)
    '7.9 GB'
    """
    return f"{count / _GB:,.1f} GB"
