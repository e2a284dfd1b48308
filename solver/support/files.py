"""Write files and folders completely or not at all: each is renamed to its final name when it is complete."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from os.path import exists, isdir, isfile, realpath  # unlike the methods of Path, they do not raise PermissionError
from pathlib import Path

from solver.errors import StorageError


def require_writable(path: Path) -> None:
    """Raise StorageError unless a file can be written at `path`. Nothing is changed: call this before long work."""
    if _is_special(path):
        return
    folder = path.parent
    if isdir(path):
        code = errno.EISDIR
    elif not isdir(folder):
        code = errno.ENOTDIR if exists(folder) else errno.ENOENT
    elif not all(os.access(place, os.W_OK) for place in (folder, path) if exists(place)):
        code = errno.EACCES
    else:
        return
    raise _write_error(path, os.strerror(code))


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield a temporary file to write to; rename it to `path` on success and remove it on failure.

    A special file, such as /dev/stdout or a pipe, is yielded itself. Raises StorageError.
    """
    if _is_special(path):
        with _storage_errors(path):
            yield path
        return
    target = Path(realpath(path))  # a link stays a link
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    with _storage_errors(path):
        try:
            yield part
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)


def write_file(path: Path, content: str | bytes) -> None:
    """Write a whole file, text as UTF-8. Raises StorageError."""
    with whole_file(path) as part:
        part.write_bytes(content.encode() if isinstance(content, str) else content)


@contextmanager
def whole_folder(target: Path, *, force: bool = False) -> Iterator[Path]:
    """Yield a folder that becomes `target`, or is removed on failure.

    force: replace an existing `target`. Raises StorageError.
    """
    if target.exists() and not force:
        raise StorageError(f"The folder {target} exists; choose another, or replace it with --force.")
    place = Path(realpath(target))  # `.` has no name
    part = place.with_name(f"{place.name}.{os.getpid()}.part")
    old = place.with_name(f"{place.name}.{os.getpid()}.old")
    try:
        part.mkdir(parents=True)
        yield part
        if place.exists():
            place.rename(old)  # a folder can't be renamed over another that has files
        try:
            part.rename(place)
        except OSError:
            if old.exists():
                old.rename(place)
            raise
    except OSError as error:
        raise StorageError(f"The folder {target} can't be written: {error.strerror}; choose another.") from error
    finally:
        import shutil  # slow to load

        shutil.rmtree(part, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def _is_special(path: Path) -> bool:
    """Return True if a path can be written to but not replaced, such as a pipe."""
    return exists(path) and not isfile(path) and not isdir(path)


@contextmanager
def _storage_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _write_error(path, error.strerror or str(error)) from error


def _write_error(path: Path, reason: str) -> StorageError:
    return StorageError(f"The file {path} can't be written: {reason}; choose another.")
