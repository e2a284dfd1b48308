"""Hold processes in a control group of Linux (cgroup v2), where this process may make one, and end them together.

What a process in a group starts is in the group too, whatever becomes of its session, parent and environment.
"""

import os
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from time import monotonic, sleep
from typing import Final

from solver.support.processes import is_running

_PREFIX: Final = "mnk-engine-"
_GONE: Final = 1.0  # seconds in which what was killed is gone


class ControlGroup:
    """A group of processes. Where none can be made it holds nothing."""

    def __init__(self) -> None:
        self._folder = _make_folder()

    @property
    def is_there(self) -> bool:
        """Whether there is such a group, which has not been ended."""
        return self._folder is not None

    def add(self, pid: int) -> None:
        """Put a process into the group, and so all that it starts from now on."""
        if self._folder:
            with suppress(OSError):  # it has ended
                (self._folder / "cgroup.procs").write_text(str(pid), encoding="ascii")

    def end(self) -> int:
        """End all processes of the group and the group; returns how many were running."""
        if self._folder is None:
            return 0
        folder, self._folder = self._folder, None
        found = 0
        with suppress(OSError):
            pids = (folder / "cgroup.procs").read_text(encoding="ascii").split()
            found = sum(is_running(int(pid)) for pid in pids)
            (folder / "cgroup.kill").write_text("1", encoding="ascii")
        until = monotonic() + _GONE
        while not _remove(folder) and monotonic() < until:
            sleep(0.005)
        return found


def _make_folder() -> Path | None:
    """Make the folder of a group below that of this process, with which its processes can be ended."""
    own = _find_own()
    if own is None:
        return None
    for old in own.glob(f"{_PREFIX}*-*"):  # of judges who were killed
        if not is_running(int(old.name.removeprefix(_PREFIX).partition("-")[0])):
            _remove(old)
    folder = own / f"{_PREFIX}{os.getpid()}-{token_hex(4)}"
    try:
        folder.mkdir()
    except OSError:  # it is not ours to make
        return None
    if (folder / "cgroup.kill").exists():  # Linux 5.14
        return folder
    _remove(folder)
    return None


def _find_own() -> Path | None:
    """Return the folder of the group of this process."""
    with suppress(OSError, StopIteration):
        mounts = [line.split() for line in Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()]
        groups = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
        root = next(words[1] for words in mounts if words[2] == "cgroup2")
        return Path(root + next(line.removeprefix("0::") for line in groups if line.startswith("0::")))
    return None


def _remove(folder: Path) -> bool:
    """Remove the folder of a group; False while processes are in it."""
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True
