"""Bound the processes of somebody else's code, and end all that they have started.

A process that has called `adopt_orphans` stays the ancestor of everything that is started below it, however it was
started, as long as it lives; so whoever knows its number can find the others. Linux tells who descends from whom;
elsewhere only process groups are known.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from solver.support.memory import bound_resource

MOST_PROCESSES: Final = 64
"""Processes that an engine's process may have at once, itself among them."""

MOST_FILES: Final = 1024
"""Files that a process may have open at once."""

MOST_WRITTEN: Final = 10**7
"""Bytes of a file that a process may write."""

MOST_WRITTEN_IN_ALL: Final = 10**9
"""Bytes that an engine's process, and all that it has started, may write together, wherever they go."""

_DIE_WITH_PARENT, _ADOPT_ORPHANS = 1, 36  # PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER of prctl(2)
_SPARE: Final = 256  # processes and threads beyond those that the user has, where the system bounds them
_GONE: Final = 1.0  # seconds in which a killed process is gone
_ROUNDS: Final = 100  # of looking for processes that were started while others were ended


def _control(option: int, value: int) -> None:
    """Call prctl(2), where there is one."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def adopt_orphans(adopts: bool = True) -> None:
    """Become the parent of all descendants whose own parent ends (on Linux)."""
    _control(_ADOPT_ORPHANS, int(adopts))


def die_with_parent() -> None:
    """Let the system kill this process when its parent ends (on Linux)."""
    _control(_DIE_WITH_PARENT, signal.SIGKILL)


def bound_process(pid: int = 0) -> None:
    """Bound the files that a process (by default this one) has open, what it writes to each, and its processes."""
    import resource

    limits = {
        resource.RLIMIT_NOFILE: MOST_FILES,
        resource.RLIMIT_FSIZE: MOST_WRITTEN,
        resource.RLIMIT_CORE: 0,
    }
    if hasattr(resource, "RLIMIT_NPROC") and os.getuid():  # counts all that the user has, and nothing for root
        limits[resource.RLIMIT_NPROC] = _count_tasks_of(os.getuid()) + _SPARE
    for kind, most in limits.items():
        bound_resource(kind, most, pid)


def _count_tasks_of(user: int) -> int:
    """Count the processes and threads of a user."""
    count = 0
    for folder in _list_processes():
        with suppress(OSError):
            if folder.stat().st_uid == user:
                count += len(os.listdir(folder / "task"))
    return count


def _list_processes() -> list[Path]:
    with suppress(OSError):
        return [Path("/proc", name) for name in os.listdir("/proc") if name.isdecimal()]
    return []


def list_children(pid: int) -> list[int]:
    """Return the processes that a process has started or adopted, and that have not been waited for."""
    children: list[int] = []
    with suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                children += map(int, file.read().split())
    return children


def list_descendants(pid: int) -> list[int]:
    """Return all that descend from a process, parents before their children; without itself."""
    found = list_children(pid)
    for child in found:  # grows meanwhile
        found += list_children(child)
    return found


def is_running(pid: int) -> bool:
    """Return whether there is such a process that has not ended: one that nobody has waited for has."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return state not in {"Z", "X"}


def end_processes(pids: list[int]) -> None:
    """End processes and all that descend from them, and wait until they are gone.

    First they are all stopped, so that none starts another one.
    """
    stopped: dict[int, None] = {}
    for _ in range(_ROUNDS):
        found = {one for pid in pids for one in (pid, *list_descendants(pid))}
        new = [one for one in found if one not in stopped]
        if not new:
            break
        for one in new:
            stopped[one] = None
            send_signal(one, signal.SIGSTOP)
    for one in stopped:
        send_signal(one, signal.SIGKILL)
    wait_until_gone([*stopped], _GONE)


def send_signal(pid: int, number: int) -> None:
    """Send a signal to a process, if it is still there."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def end_group(leader: int) -> None:
    """End a process that leads a session or group, what descends from it, and what else is in its group."""
    end_processes([leader])
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def end_tagged(tag: str) -> list[int]:
    """End the processes whose environment has a text in it, such as `NAME=value`; returns their numbers."""
    found = []
    for folder in _list_processes():
        with suppress(OSError):
            if tag.encode() in (folder / "environ").read_bytes().split(b"\0") and is_running(int(folder.name)):
                found.append(int(folder.name))
    end_processes(found)
    return found


def count_written(pids: list[int]) -> int:
    """Return the bytes that processes, and those that they have waited for, have written; 0 where it can't be told."""
    return sum(_read_field(pid, "io", "wchar:") for pid in pids)


def take_more(pids: list[int], most: int) -> bool:
    """Return whether processes together have more bytes of memory for themselves; what several share counts once."""
    return _sum_pages(pids) > most and sum(map(_share_of, pids)) > most


def _sum_pages(pids: list[int]) -> int:
    """Return the bytes that processes have, where those that copies share count for each."""
    pages = 0
    for pid in pids:
        with suppress(OSError, ValueError, IndexError):
            resident, shared = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1:3]
            pages += int(resident) - int(shared)
    return pages * os.sysconf("SC_PAGE_SIZE")


def _share_of(pid: int) -> int:
    """Return the bytes that a process has, its share of those that it has together with others; slow."""
    return 1024 * _read_field(pid, "smaps_rollup", "Pss:")


def _read_field(pid: int, file: str, field: str) -> int:
    """Return the number behind a field in what Linux says of a process; 0 where it can't be told."""
    with suppress(OSError, StopIteration, ValueError):
        lines = Path(f"/proc/{pid}/{file}").read_text(encoding="ascii").splitlines()
        return int(next(line.split()[1] for line in lines if line.startswith(field)))
    return 0


def wait_until_gone(pids: list[int], seconds: float) -> list[int]:
    """Wait for processes to end; returns those that are still there."""
    until = monotonic() + seconds
    while (left := [pid for pid in pids if is_running(pid)]) and monotonic() < until:
        sleep(0.005)
    return left


@contextmanager
def no_orphans() -> Iterator[None]:
    """Adopt what is orphaned below this process meanwhile, and end at last what it has not started itself.

    For programs, not for libraries: whatever is started in the `with` block and still runs at its end is ended.
    """
    before = {*list_children(os.getpid())}
    adopt_orphans()
    try:
        yield
    finally:
        end_processes([pid for pid in list_children(os.getpid()) if pid not in before])
        adopt_orphans(adopts=False)
