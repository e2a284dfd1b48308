"""Refusing a build that can't fit before it starts."""

from __future__ import annotations

import shutil
from pathlib import Path

from solver.errors import DoesNotFit
from solver.forecast.model import Forecast

__all__ = ["available_memory", "require_fits"]

_GB = 1_000_000_000


def require_fits(forecast: Forecast, folder: Path, budget: int | None = None, held: int = 0) -> None:
    """Raise DoesNotFit when a build needs more memory than there is, or than its budget, or more disk than is left.

    `held` is how many bytes of the disk it takes over from a build that was stopped.

    Where the system does not say how much memory is available (it is not Linux), only the disk is looked at.
    """
    if budget is not None and forecast.peak_memory > budget:
        raise DoesNotFit(
            f"The build needs at least {_gigabytes(forecast.peak_memory)} of memory, more than the budget of "
            f"{_gigabytes(budget)}; give it more with --memory, or choose a smaller game."
        )
    memory, disk = available_memory(), shutil.disk_usage(_existing(folder)).free + held
    if memory is not None and forecast.peak_memory > memory:
        raise DoesNotFit(
            f"The build needs {_gigabytes(forecast.peak_memory)} of memory and {_gigabytes(memory)} are available; "
            f"give it less with --memory, or choose a smaller game."
        )
    needed = forecast.file_bytes + forecast.temporary_bytes
    if needed > disk:
        raise DoesNotFit(
            f"The build needs {_gigabytes(needed)} of disk and {folder} has {_gigabytes(disk)} left; "
            f"free some space there, or choose another folder with --data."
        )


def available_memory(system: Path = Path("/")) -> int | None:
    """Bytes that programs can still have without swapping, as Linux estimates it; None where it says nothing.

    A container may have less than its machine: then what its control group leaves counts.
    """
    try:
        lines = (system / "proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    machine = [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")]
    return min([*machine, *_left_by_group(system / "sys/fs/cgroup")], default=None)


def _left_by_group(folder: Path) -> list[int]:
    """What the limit of the control group (version 2) leaves, if there is one."""
    try:
        limit, used = ((folder / f"memory.{name}").read_text(encoding="ascii").strip() for name in ("max", "current"))
    except OSError:
        return []
    return [] if limit == "max" else [max(int(limit) - int(used), 0)]


def _existing(folder: Path) -> Path:
    """The folder, or the one above it in which it would be made."""
    return next(path for path in [folder.absolute(), *folder.absolute().parents] if path.exists())


def _gigabytes(count: int) -> str:
    return f"{count / _GB:,.1f} GB"
