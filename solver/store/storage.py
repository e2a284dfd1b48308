"""What the disk refuses, said in one sentence; and what killed builds have left behind."""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from solver.errors import StorageError


@contextmanager
def storage_reported(folder: Path) -> Iterator[None]:
    """Turn what the disk refuses into a StorageError that names the folder."""
    try:
        yield
    except (sqlite3.OperationalError, OSError) as error:
        reason = str((error.strerror if isinstance(error, OSError) else None) or error)
        full = "full" in reason or getattr(error, "errno", None) == errno.ENOSPC
        remedy = "free some space there, or choose" if full else "choose"
        raise StorageError(
            f"The folder {folder} can't be written: {reason}; {remedy} another folder with --data."
        ) from error


def own_path(target: Path, kind: str) -> Path:
    """Where this process writes what is to become `target`: no other process writes there.

    >>> own_path(Path("data/t.sqlite"), "part").match("data/t.sqlite.*.part")
    True
    """
    return target.with_name(f"{target.name}.{os.getpid()}.{kind}")


def left_behind(target: Path, kind: str) -> Iterator[Path]:
    """What stands at `own_path` of processes that run no more, or of an earlier one with our number."""
    for path in sorted(target.parent.glob(f"{target.name}.*.{kind}")):
        process = path.name.removeprefix(f"{target.name}.").removesuffix(f".{kind}")
        if process.isdecimal() and (int(process) == os.getpid() or not _is_running(int(process))):
            yield path


def sync(path: Path) -> None:
    """Bring a file, or the names in a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _is_running(process: int) -> bool:
    """Whether there is a process of this number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # there is, and it is somebody else's
        return True
    return True
