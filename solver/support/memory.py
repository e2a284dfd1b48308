"""Measure the available memory, and return freed memory to the system."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

_GLIBC_OPTIONS: Final = (
    (-8, 1),  # M_ARENA_MAX: heaps
    (-3, 1 << 18),  # M_MMAP_THRESHOLD: bytes of an array that is no part of a heap
    (-1, 1 << 20),  # M_TRIM_THRESHOLD: free bytes at the end of a heap
)


def available_memory(system: Path = Path("/")) -> int | None:
    """Estimate how many bytes programs can still use without swapping; return None in a browser.

    In a container, the estimate is at most the memory that the limit of the control group leaves free.
    """
    if sys.platform == "emscripten":
        return None
    import psutil  # slow to load

    available: int = psutil.virtual_memory().available
    return min([available, *_left_by_group(system / "sys/fs/cgroup")])


def _left_by_group(folder: Path) -> list[int]:
    """Return a list with the number of bytes that the limit of the cgroup (v2) leaves free; [] without a limit."""
    try:
        limit, used = ((folder / f"memory.{name}").read_text(encoding="ascii").strip() for name in ("max", "current"))
    except OSError:
        return []
    return [] if limit == "max" else [max(int(limit) - int(used) + _cached_bytes(folder / "memory.stat"), 0)]


def _cached_bytes(statistics: Path) -> int:
    """Return the bytes of the page cache of a cgroup that count as used, but are freed for programs."""
    with suppress(OSError):
        for line in statistics.read_text(encoding="ascii").splitlines():
            if line.startswith("inactive_file "):
                return int(line.split()[1])
    return 0


def return_freed_memory() -> None:
    """Make the C library return freed memory to the system, if it is glibc.

    By default, threads have heaps of their own, and large arrays share the heaps with small objects. So the memory of a
    server that answers about many games would grow to several times what is in use.
    """
    if sys.platform == "linux":
        import ctypes  # slow to load

        library = ctypes.CDLL(None)
        if hasattr(library, "mallopt"):
            for option, value in _GLIBC_OPTIONS:
                library.mallopt(option, value)
