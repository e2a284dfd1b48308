"""Refuse a build that can't fit, before it starts."""

from __future__ import annotations

import shutil
from pathlib import Path

from solver.errors import DoesNotFit
from solver.solve.forecast.model import Forecast
from solver.support.memory import available_memory, gigabytes

__all__ = ["require_fits"]


def require_fits(forecast: Forecast, folder: Path, budget: int | None = None, held: int = 0) -> None:
    """Raise DoesNotFit when a build needs more memory than there is, or than its budget, or more disk than is left.

    `held` is how many bytes of the disk it takes over from a build that was stopped.

    Where the system does not say how much memory is available (it is not Linux), only the disk is looked at.
    """
    if budget is not None and forecast.peak_memory > budget:
        raise DoesNotFit(
            f"The build needs at least {gigabytes(forecast.peak_memory)} of memory, more than the budget of "
            f"{gigabytes(budget)}; give it more with --memory, or choose a smaller game."
        )
    memory, disk = available_memory(), shutil.disk_usage(_existing(folder)).free + held
    if memory is not None and forecast.peak_memory > memory:
        raise DoesNotFit(
            f"The build needs {gigabytes(forecast.peak_memory)} of memory and {gigabytes(memory)} are available; "
            f"give it less with --memory, or choose a smaller game."
        )
    needed = forecast.file_bytes + forecast.temporary_bytes
    if needed > disk:
        raise DoesNotFit(
            f"The build needs {gigabytes(needed)} of disk and {folder} has {gigabytes(disk)} left; "
            f"free some space there, or choose another folder with --data."
        )


def _existing(folder: Path) -> Path:
    """Return the folder, or the nearest one above it that exists."""
    return next(path for path in [folder.absolute(), *folder.absolute().parents] if path.exists())
