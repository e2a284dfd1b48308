"""Refusing a build that can't fit before it starts."""

from __future__ import annotations

import shutil
from pathlib import Path

from solver.errors import DoesNotFit
from solver.forecast.model import Forecast

__all__ = ["available_memory", "require_fits"]

_GB = 1_000_000_000


def require_fits(forecast: Forecast, folder: Path, budget: int | None = None) -> None:
    """Raise DoesNotFit when a build needs more memory than there is, or than its budget, or more disk than is left.

    Where the system does not say how much memory is available (it is not Linux), only the disk is looked at.
    """
    if budget is not None and forecast.peak_memory > budget:
        raise DoesNotFit(
            f"The build needs at least {_gigabytes(forecast.peak_memory)} of memory, more than the budget of "
            f"{_gigabytes(budget)}; give it more with --memory, or choose a smaller game."
        )
    memory, disk = available_memory(), shutil.disk_usage(_existing(folder)).free
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


def available_memory(source: Path = Path("/proc/meminfo")) -> int | None:
    """Bytes that programs can still have without swapping, as Linux estimates it; None if there is no such file."""
    try:
        lines = source.read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), None)


def _existing(folder: Path) -> Path:
    """The folder, or the one above it in which it would be made."""
    return next(path for path in [folder.absolute(), *folder.absolute().parents] if path.exists())


def _gigabytes(count: int) -> str:
    return f"{count / _GB:,.1f} GB"
