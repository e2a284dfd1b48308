"""Report disk errors as StorageError, and find the files of killed builds."""

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


def process_path(target: Path, kind: str) -> Path:
    """Return the path of a temporary file that this process can rename to `target`.

    >>> process_path(Path("data/t.sqlite"), "part").match("data/t.sqlite.*.part")
    True
    """
    return target.with_name(f"{target.name}.{os.getpid()}.{kind}")


def abandoned_paths(target: Path, kind: str) -> Iterator[Path]:
    """Yield the temporary files that ended processes have left.

    A file that bears the ID of this process was left by an earlier process with the same ID.
    """
    for path in sorted(target.parent.glob(f"{target.name}.*.{kind}")):
        process = path.name.removeprefix(f"{target.name}.").removesuffix(f".{kind}")
        if process.isdecimal() and (int(process) == os.getpid() or not process_exists(int(process))):
            yield path


def sync(path: Path) -> None:
    """Flush a file, or the entries of a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def process_exists(process: int) -> bool:
    """Return True if a process with this ID exists."""
    from psutil import pid_exists  # slow to load

    return bool(pid_exists(process))
