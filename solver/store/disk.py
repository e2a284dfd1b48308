"""Report disk errors as StorageError, and find or put back what killed builds have left behind."""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from solver.errors import StorageError


@contextmanager
def disk_errors_reported(folder: Path) -> Iterator[None]:
    """Raise StorageError, which names the folder, where the disk refuses something."""
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
    """The path where this process, and no other, writes what will be renamed to `target`.

    >>> process_path(Path("data/t.sqlite"), "part").match("data/t.sqlite.*.part")
    True
    """
    return target.with_name(f"{target.name}.{os.getpid()}.{kind}")


def abandoned_paths(target: Path, kind: str) -> Iterator[Path]:
    """Find the files at the `process_path` of processes that have ended, or of an earlier one with our number."""
    for path in sorted(target.parent.glob(f"{target.name}.*.{kind}")):
        process = path.name.removeprefix(f"{target.name}.").removesuffix(f".{kind}")
        if process.isdecimal() and (int(process) == os.getpid() or not is_running(int(process))):
            yield path


def sync(path: Path) -> None:
    """Flush a file, or the names in a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def is_running(process: int) -> bool:
    """True if there is a process of this number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # there is, and it is somebody else's
        return True
    return True
