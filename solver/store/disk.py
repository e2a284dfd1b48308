"""Report disk errors as StorageError, and flush files to the disk."""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from solver.errors import StorageError


@contextmanager
def disk_errors_reported(folder: Path) -> Iterator[None]:
    """Convert errors of SQLite and of the operating system into a StorageError that names the folder."""
    try:
        yield
    except (sqlite3.OperationalError, OSError) as error:
        reason = str((error.strerror if isinstance(error, OSError) else None) or error)
        full = "full" in reason or getattr(error, "errno", None) == errno.ENOSPC
        remedy = "free some space there, or choose" if full else "choose"
        raise StorageError(
            f"The folder {folder} can't be written: {reason}; {remedy} another folder with --data."
        ) from error


def sync(path: Path) -> None:
    """Flush a file, or the entries of a folder, to the disk. Does nothing for a folder that the system can't flush."""
    try:
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError:
        if not path.is_dir():  # Windows and some network disks flush no folders
            raise
