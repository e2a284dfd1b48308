"""Write files and folders completely or not at all: each is renamed to its final name when it is complete."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from os.path import exists, isdir, isfile, islink, realpath  # unlike the methods of Path, they raise no OSError
from pathlib import Path
from typing import Final

from solver.errors import StorageError

_START: Final = os.urandom(6).hex()  # distinguishes this process from an earlier one with the same ID
_numbers = count()


def process_path(target: Path, kind: str) -> Path:
    """Return the path of a new temporary file beside `target`, or beside the file to which a link at `target` leads.

    No other thread or process uses it. Rename it with `put_in_place`. Raises StorageError for a link to a special file.

    >>> process_path(Path("data/t.sqlite"), "part").match("data/t.sqlite.*.part")
    True
    """
    if islink(target) and _is_special(target):
        raise _write_error(target, "it is a link to a special file")
    target = Path(realpath(target))
    return target.with_name(f"{target.name}.{os.getpid()}-{_START}-{next(_numbers)}.{kind}")


def put_in_place(part: Path, target: Path) -> None:
    """Rename a temporary file to `target`; a link at `target` stays a link."""
    part.replace(realpath(target))


def abandoned_paths(target: Path, kind: str) -> Iterator[Path]:
    """Yield the temporary files from `process_path` that ended processes have left."""
    target = Path(realpath(target))
    for path in sorted(target.parent.glob(f"{target.name}.*.{kind}")):
        process, _, rest = path.name.removeprefix(f"{target.name}.").removesuffix(f".{kind}").partition("-")
        is_own = process == str(os.getpid()) and not rest.startswith(f"{_START}-")  # of a process that had this ID
        if process.isdecimal() and (is_own or not process_exists(int(process))):
            yield path


def process_exists(process: int) -> bool:
    """Return True if a process with this ID exists."""
    from psutil import pid_exists  # slow to load

    try:
        return bool(pid_exists(process))
    except OverflowError:  # no such number
        return False


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
    part = process_path(path, "part")
    with _storage_errors(path):
        try:
            yield part
            put_in_place(part, path)
        finally:
            part.unlink(missing_ok=True)


def write_file(path: Path, content: str | bytes) -> None:
    """Write a whole file, text as UTF-8 with escapes for surrogates. Raises StorageError."""
    with whole_file(path) as part:
        part.write_bytes(content.encode(errors="backslashreplace") if isinstance(content, str) else content)


def is_empty(folder: Path) -> bool:
    """Return True if a folder exists and has no entries."""
    return isdir(folder) and not os.listdir(folder)


@contextmanager
def whole_folder(target: Path, *, force: bool = False) -> Iterator[Path]:
    """Yield a folder that becomes `target`, or is removed on failure.

    force: replace an existing `target`; an empty one is always replaced. Raises StorageError.
    """
    if exists(target) and not isdir(target):
        raise StorageError(f"{target} is not a folder; remove it, or choose another.")
    exists_already = StorageError(f"The folder {target} exists; choose another, or replace it with --force.")
    force = force or is_empty(target)
    if exists(target) and not force:
        raise exists_already
    place = Path(realpath(target))  # `.` has no name
    part, old = process_path(place, "part"), process_path(place, "old")
    try:
        part.mkdir(parents=True)
        yield part
        if exists(place):
            if not force:  # another process or thread has just made it
                raise exists_already
            place.rename(old)  # a folder can't be renamed over another that has files
        try:
            part.rename(place)
        except OSError:
            if exists(old):
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
