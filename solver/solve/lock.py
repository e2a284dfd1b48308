"""Lock a workspace against a second build, on this machine or another.

A build writes the object `lock` every few seconds, each time with a different number. If another build finds a lock, it
waits: it fails if the number changes, and takes the workspace over if the number does not change for a while. If the
process that wrote the lock ran on the same machine, the end of that process is detected immediately. No clocks are
compared, and workspaces need no locks of their own. The library filelock locks files of this machine only, not objects
at an address such as s3://bucket/path, and it does not say who holds a lock.
"""

import json
import os
import platform
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any, Final, Self
from uuid import uuid4

from solver.errors import StorageError
from solver.solve.workspace import Workspace
from solver.support.files import process_exists

NAME: Final = "lock"  # the name of the object in the workspace

RENEWED: Final = 5.0  # seconds between two numbers

PATIENCE: Final = 30.0  # seconds without a new number after which a build is considered dead


class BuildLock:
    """A context manager that locks a workspace. Raises StorageError if another build has locked it.

    waiting: called every second while it finds out whether another build is alive; what it raises ends that.
    """

    def __init__(self, workspace: Workspace, waiting: Callable[[], None] = lambda: None) -> None:
        self._workspace, self._waiting = workspace, waiting
        self._owner = {"build": uuid4().hex, "machine": platform.node(), "process": os.getpid()}
        self._ended = Event()
        self._lost: StorageError | None = None
        self._renewing = Thread(target=self._renew, daemon=True)

    def __enter__(self) -> Self:
        found = self._read()
        if found and self._is_alive(found):
            raise self._taken(found)
        self._write(0)
        self._renewing.start()
        return self

    def require(self) -> None:
        """Raise StorageError if another build has taken the workspace over."""
        if self._lost:
            raise self._lost

    def clear(self) -> None:
        """Remove everything from the workspace, including the lock, unless another build has taken it over."""
        self._stop()
        if not self._lost:
            self._workspace.clear()

    def __exit__(self, *_: object) -> None:
        if not self._ended.is_set():
            self._stop()
            if not self._lost:
                with suppress(StorageError):
                    self._workspace.remove([NAME])

    def _stop(self) -> None:
        self._ended.set()
        self._renewing.join()  # it may be writing

    def _renew(self) -> None:
        number = 0
        while not self._ended.wait(RENEWED):
            number += 1
            try:
                found = self._read()
                if found and found["build"] != self._owner["build"]:
                    self._lost = self._taken(found)
                    return
                self._write(number)
            except StorageError as error:
                self._lost = error
                return

    def _is_alive(self, found: dict[str, Any]) -> bool:
        if found["machine"] == self._owner["machine"] and not process_exists(found["process"]):
            return False
        begun = monotonic()
        while monotonic() - begun < PATIENCE:
            sleep(RENEWED / 5)
            self._waiting()
            again = self._read()
            if again != found:
                return again is not None
        return False

    def _read(self) -> dict[str, Any] | None:
        try:
            lock: dict[str, Any] = json.loads(self._workspace.read(NAME))
            return lock if all(type(lock[key]) is type(value) for key, value in self._owner.items()) else None
        except (FileNotFoundError, KeyError, ValueError, TypeError):  # missing or damaged
            return None

    def _write(self, number: int) -> None:
        self._workspace.write(NAME, json.dumps({**self._owner, "number": number}).encode())

    def _taken(self, lock: dict[str, Any]) -> StorageError:
        return StorageError(
            f"Another build is using the workspace {self._workspace.address} (process {lock['process']} on "
            f"{lock['machine']}); wait until it ends, or choose another folder."
        )
