"""Measure the available memory."""

from __future__ import annotations

from pathlib import Path

_GB = 1_000_000_000


def available_memory(system: Path = Path("/")) -> int | None:
    """Estimate the bytes that programs can still use without swapping, as Linux does; None on other systems.

    The limit of a container's control group counts if it leaves less.
    """
    try:
        lines = (system / "proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    machine = [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")]
    return min([*machine, *_left_by_group(system / "sys/fs/cgroup")], default=None)


def _left_by_group(folder: Path) -> list[int]:
    """List the bytes left by the limit of the control group (version 2); the list is empty without a limit."""
    try:
        limit, used = ((folder / f"memory.{name}").read_text(encoding="ascii").strip() for name in ("max", "current"))
    except OSError:
        return []
    return [] if limit == "max" else [max(int(limit) - int(used), 0)]


def gigabytes(count: int) -> str:
    """Format a number of bytes in gigabytes.

    >>> gigabytes(7_940_919_680)
    '7.9 GB'
    """
    return f"{count / _GB:,.1f} GB"
