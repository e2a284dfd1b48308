"""Files that are whole or not there: what is written takes its name at the end."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from os.path import exists, isdir, isfile, realpath  # unlike those of Path, they don't raise where one may not look
from pathlib import Path

from solver.errors import StorageError

__all__ = ["require_writable", "whole_file", "write_file"]


def require_writable(path: Path) -> None:
    """Raise StorageError unless a file can be written there: to be asked before long work, as it changes nothing."""
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
    raise _refused(path, os.strerror(code))


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A part to write to, which becomes the file at the end and is removed if anything goes wrong.

    What is no plain file, such as /dev/stdout or a pipe, is itself what to write to. Raises StorageError.
    """
    if _is_special(path):
        with _reported(path):
            yield path
        return
    target = Path(realpath(path))  # a link stays one
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    with _reported(path):
        try:
            yield part
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)


def write_file(path: Path, content: str | bytes) -> None:
    """Write a whole file, text as UTF-8. Raises StorageError."""
    with whole_file(path) as part:
        part.write_bytes(content.encode() if isinstance(content, str) else content)


def _is_special(path: Path) -> bool:
    """Whether there is something that can be written to and not be replaced."""
    return exists(path) and not isfile(path) and not isdir(path)


@contextmanager
def _reported(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _refused(path, error.strerror or str(error)) from error


def _refused(path: Path, reason: str) -> StorageError:
    return StorageError(f"The file {path} can't be written: {reason}; choose another.")
