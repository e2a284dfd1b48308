"""Measure the available memory."""

import sys
from pathlib import Path


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
    return [] if limit == "max" else [max(int(limit) - int(used), 0)]
