"""The workspace of a build: a folder, or any address that fsspec supports, which holds objects, named byte strings.

An object is either complete or missing, even if its writer is killed. If a workspace fails for a while, for example
because it is overloaded or restarted, requests are repeated.
"""

import errno
import shutil
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import sleep
from typing import Any, Final, TypeVar
from uuid import uuid4

from solver.errors import StorageError, missing_extra

T = TypeVar("T")
Parts = Iterable[bytes | memoryview]  # the parts of an object's content

PAUSES: Final = [0.1 * 2**i for i in range(10)]  # seconds between one attempt and the next, about 100 in all

_FILE: Final = "file://"
# Errors that repetition cannot change: missing rights or wrong keys, a read-only protocol such as http, and an option
# that a file system does not support.
_HOPELESS: Final = (PermissionError, NotImplementedError, TypeError)  # a second try ends the same way
# Errors that a person must resolve: free space, grant rights, choose another folder. Other errors of a network disk may
# be temporary.
_FINAL: Final = {
    *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM),
    *(errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ENAMETOOLONG, errno.ELOOP),
}


class LocalFiles:
    """Local folders, with those methods of fsspec that a workspace needs, so that fsspec is not required."""

    def cat_file(self, path: str) -> bytes:
        """Return the content of a file."""
        return Path(path).read_bytes()

    def pipe_file(self, path: str, parts: Parts) -> None:
        """Write the parts to a temporary file, then rename it. They are not joined, because they may be large."""
        target = Path(path)
        part = target.with_name(f"{target.name}.{uuid4().hex}.part")
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with part.open("wb") as file:
                for data in parts:
                    file.write(data)
            part.replace(target)
        except OSError:
            part.unlink(missing_ok=True)
            raise

    def rm_file(self, path: str) -> None:
        """Remove a file."""
        Path(path).unlink()

    def ls(self, path: str, detail: bool) -> list[str]:
        """Return the paths of the files and folders in a folder."""
        del detail
        return [str(file) for file in Path(path).iterdir()]

    def rm(self, path: str, recursive: bool) -> None:
        """Remove a folder with its content."""
        shutil.rmtree(path, ignore_errors=recursive)

    def invalidate_cache(self) -> None:
        """Do nothing, because nothing is cached."""


class Workspace:
    """The place of a build's objects. Methods raise StorageError if a request fails repeatedly."""

    def __init__(self, address: str, files: Any, path: str) -> None:
        self.address = address
        self._files = files  # LocalFiles, or an fsspec.AbstractFileSystem, which has no types
        self._path = path

    def read(self, name: str) -> bytes:
        """Return the content of an object. Raises FileNotFoundError if it is missing."""
        return bytes(_persistently(self.address, lambda: self._files.cat_file(f"{self._path}/{name}")))

    def write(self, name: str, *parts: bytes | memoryview) -> None:
        """Write an object, or replace the one with the same name. Other processes see only complete objects."""
        data = parts if isinstance(self._files, LocalFiles) else b"".join(parts)
        try:
            _persistently(self.address, lambda: self._files.pipe_file(f"{self._path}/{name}", data))
        except FileNotFoundError as error:  # such as a bucket that does not exist
            raise _refusal(self.address, error) from error

    def remove(self, names: Iterable[str]) -> None:
        """Remove objects, and ignore those that are missing."""
        for name in names:
            with suppress(FileNotFoundError):
                _persistently(self.address, partial(self._files.rm_file, f"{self._path}/{name}"))

    def entries(self) -> list[str]:
        """Return the distinct names of objects, each up to its first slash; [] if the workspace does not exist."""
        self._files.invalidate_cache()  # another process may have written
        try:
            found = _persistently(self.address, lambda: self._files.ls(self._path, detail=False))
        except FileNotFoundError:
            return []
        return sorted(name.rstrip("/").rpartition("/")[2] for name in found)

    def path(self, name: str) -> Path | None:
        """Return the path of the file that contains an object; None if the workspace has no files on this machine."""
        return Path(self._path, name) if isinstance(self._files, LocalFiles) else None

    def clear(self) -> None:
        """Remove all objects."""
        with suppress(FileNotFoundError):
            _persistently(self.address, lambda: self._files.rm(self._path, recursive=True))


def open_workspace(address: str) -> Workspace:
    """Open the workspace at an address: a folder, or a URL such as s3://bucket/path.

    Raises StorageError if the address is invalid, and MissingExtra if the packages for a URL are not installed.
    """
    if "://" not in address or address.startswith(_FILE):
        folder = str(Path(address.removeprefix(_FILE)).absolute())
        return Workspace(folder, LocalFiles(), folder)
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise missing_extra("A workspace with an address", "cluster", "give a folder") from error
    try:
        return Workspace(address, *url_to_fs(address))
    except (ImportError, ValueError, OSError) as error:
        raise StorageError(
            f"The workspace {address} can't be opened ({error}); give a folder, or an address that fsspec knows."
        ) from error


def _persistently(address: str, action: Callable[[], T]) -> T:
    """Send a request to a workspace and return the result. A failed request is retried, with increasing pauses.

    Raises FileNotFoundError if the object is missing, and StorageError if the request keeps failing.
    """
    pauses = iter(PAUSES)
    while True:
        try:
            return action()
        except FileNotFoundError:
            raise
        except Exception as error:  # object stores have errors of their own
            pause = next(pauses, None)
            if pause is None or isinstance(error, _HOPELESS) or getattr(error, "errno", None) in _FINAL:
                raise _refusal(address, error) from error
            sleep(pause)


def _refusal(address: str, error: Exception) -> StorageError:
    reason = str((error.strerror if isinstance(error, OSError) else None) or error)
    kind = "workspace" if "://" in address else "folder"
    return StorageError(
        f"The {kind} {address} can't be used: {reason}; correct that and give the same command again, "
        f"or choose another place with --data or --workspace."
    )
