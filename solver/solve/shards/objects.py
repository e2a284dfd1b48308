"""Stores of a build's objects, named byte strings, in a folder or at any address that fsspec supports.

An object is complete or missing, even if its writer is killed. Requests to a store that fails for a while, such as one
that is overloaded or restarted, are repeated.
"""

from __future__ import annotations

import errno
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import sleep
from typing import Any, Final, TypeVar
from uuid import uuid4

from solver.errors import StorageError, missing_extra
from solver.store.disk import disk_errors_reported

T = TypeVar("T")

PAUSES: Final = [0.1 * 2**i for i in range(10)]  # seconds between one attempt and the next, about 100 in all

_FILE: Final = "file://"
# Errors that a repetition does not change: missing rights or wrong keys, a protocol that only reads, such as http, and
# an option that a file system does not know.
_HOPELESS: Final = (PermissionError, NotImplementedError, TypeError)
# Errors that a person must resolve: free space, grant rights, choose another folder. Other errors of a network disk may
# pass.
_FINAL: Final = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.EISDIR}


class ObjectStore(ABC):
    """Named byte strings. Methods raise StorageError if repeated requests fail."""

    address: str

    @abstractmethod
    def _read(self, name: str) -> bytes: ...

    @abstractmethod
    def _write(self, name: str, data: bytes) -> None: ...

    @abstractmethod
    def _remove(self, name: str) -> None: ...

    @abstractmethod
    def _list(self) -> list[str]: ...

    def read(self, name: str) -> bytes:
        """Return an object. Raises FileNotFoundError if it is missing."""
        return _persistently(self.address, partial(self._read, name))

    def write(self, name: str, data: bytes) -> None:
        """Write an object, in place of one of this name."""
        try:
            _persistently(self.address, partial(self._write, name, data))
        except FileNotFoundError as error:  # such as a bucket that does not exist
            raise _refusal(self.address, error) from error

    def remove(self, names: Iterable[str]) -> None:
        """Remove objects; missing ones are ignored."""
        for name in names:
            with suppress(FileNotFoundError):
                _persistently(self.address, partial(self._remove, name))

    def entries(self) -> list[str]:
        """List the names of objects up to the first slash; none if the folder or address does not exist."""
        try:
            return sorted(_persistently(self.address, self._list))
        except FileNotFoundError:
            return []

    @abstractmethod
    def clear(self) -> None:
        """Remove all objects."""

    def fetch(self, name: str, folder: Path) -> tuple[Path, bytes]:
        """Return a file with an object, in `folder` if the store itself has no files, and its content.

        Raises FileNotFoundError if it is missing.
        """
        path, data = folder / name, self.read(name)
        with disk_errors_reported(folder):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return path, data


def open_store(address: str) -> ObjectStore:
    """Open the store at an address: a folder, or a URL such as s3://bucket/path.

    Raises StorageError if the address is invalid, MissingExtra for a URL without the packages that it needs.
    """
    if "://" not in address or address.startswith(_FILE):
        return FolderStore(Path(address.removeprefix(_FILE)))
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise missing_extra("A store with an address", "cluster", "give a folder") from error
    try:
        files, path = url_to_fs(address)
    except (ImportError, ValueError, OSError) as error:
        raise StorageError(
            f"The store {address} can't be opened ({error}); give a folder, or an address that fsspec knows."
        ) from error
    return UrlStore(address, files, path)


class FolderStore(ObjectStore):
    """A folder that all workers can reach."""

    def __init__(self, folder: Path) -> None:
        self.address = str(folder.absolute())
        self._folder = folder.absolute()

    def _read(self, name: str) -> bytes:
        return (self._folder / name).read_bytes()

    def _write(self, name: str, data: bytes) -> None:
        """Write beside the object, then rename."""
        path = self._folder / name
        part = path.with_name(f"{path.name}.{uuid4().hex}.part")
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            part.write_bytes(data)
            part.replace(path)
        except OSError:
            part.unlink(missing_ok=True)
            raise

    def _remove(self, name: str) -> None:
        (self._folder / name).unlink()

    def _list(self) -> list[str]:
        return [path.name for path in self._folder.iterdir()]

    def clear(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def fetch(self, name: str, folder: Path) -> tuple[Path, bytes]:
        """Return the object's own file, see ObjectStore."""
        del folder
        return self._folder / name, self.read(name)


class UrlStore(ObjectStore):
    """The objects at an address that fsspec supports."""

    def __init__(self, address: str, files: Any, path: str) -> None:
        self.address = address
        self._files = files  # an fsspec.AbstractFileSystem, which has no types
        self._path = path

    def _read(self, name: str) -> bytes:
        return bytes(self._files.cat_file(f"{self._path}/{name}"))

    def _write(self, name: str, data: bytes) -> None:
        self._files.pipe_file(f"{self._path}/{name}", data)  # which an object store shows once it is complete

    def _remove(self, name: str) -> None:
        self._files.rm_file(f"{self._path}/{name}")

    def _list(self) -> list[str]:
        self._files.invalidate_cache()  # another process may have written
        return [name.rstrip("/").rpartition("/")[2] for name in self._files.ls(self._path, detail=False)]

    def clear(self) -> None:
        """Remove all objects below the address."""
        with suppress(FileNotFoundError):
            _persistently(self.address, partial(self._files.rm, self._path, recursive=True))


def _persistently(address: str, action: Callable[[], T]) -> T:
    """Run a request to a store, and repeat it while it fails, with longer and longer pauses.

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
    return StorageError(
        f"The store {address} refuses: {reason}; correct that and give the same command again, "
        f"or choose another store with --store."
    )
