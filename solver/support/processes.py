"""End a process with all processes that it started, and detect when it exceeds its bounds.

The process leads a session of its own, adopts orphaned descendants (on Linux), and carries a tag in its environment.
Processes that it started are found by descent, by session or by tag.
"""

import os
import signal
import sys
from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from time import monotonic, sleep
from typing import Final

if sys.platform != "emscripten":  # in a browser no process can be started
    import psutil

TAG: Final = "MNK_ENGINE"  # the environment variable that marks an engine's processes

MOST_PROCESSES: Final = 64

_ROUNDS: Final = 20  # the most searches for processes that were started while others were being killed
_GONE: Final = 2.0  # seconds to wait for killed processes
_POLL: Final = 0.005  # seconds between two looks at them
_END_WITH_PARENT: Final = 1  # PR_SET_PDEATHSIG
_ADOPT_ORPHANS: Final = 36  # PR_SET_CHILD_SUBREAPER
_DUMPABLE: Final = 4  # PR_SET_DUMPABLE


def end_trees(pids: Collection[int], tag: str = "") -> int:
    """Kill processes with their descendants, their sessions, and all processes with the tag.

    All but the processes themselves, which may be supervisors, are suspended first, so that none can start another
    process. Returns the number of processes killed, not counting `pids`.
    """
    stopped: dict[int, psutil.Process] = {}
    for _ in range(_ROUNDS):
        new = [process for process in _find({*pids, *stopped}, pids, tag) if process.pid not in stopped]
        if not new:
            break
        for process in new:
            stopped[process.pid] = process
            with suppress(psutil.Error):
                process.suspend() if process.pid not in pids else None
    for process in sorted(stopped.values(), key=lambda process: process.pid in pids):
        with suppress(psutil.Error):
            process.kill()
    until = monotonic() + _GONE
    for process in stopped.values():
        while process.pid not in pids and _runs(process) and monotonic() < until:
            sleep(_POLL)
    return len({*stopped} - {*pids})


def _runs(process: "psutil.Process") -> bool:
    """Return False for a process that has ended, even if its new parent, often the first process, has not noticed."""
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def _find(roots: Collection[int], pids: Collection[int], tag: str) -> "Iterator[psutil.Process]":
    """Yield the processes `pids`, the descendants of `roots`, and processes in the sessions `pids` or with the tag."""
    children: defaultdict[int, list[psutil.Process]] = defaultdict(list)
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            children[process.ppid()].append(process)
            is_led = process.pid in pids or os.getsid(process.pid) in pids
            if is_led or (tag and process.environ().get(TAG) == tag):
                yield process
    queue = [*roots]
    for parent in queue:
        following = children.pop(parent, [])
        queue += [process.pid for process in following]
        yield from following


def find_excess(pids: Collection[int], memory: int | None) -> dict[int, str]:
    """Return which of these children of this process exceed a bound, with their descendants, and which bound."""
    trees: dict[int, list[psutil.Process]] = {pid: [] for pid in pids}
    roots = {pid: pid for pid in pids}
    for process in psutil.Process().children(recursive=True):  # parents come first
        with suppress(psutil.Error):
            root = roots.get(process.pid) or roots.get(process.ppid())
            if root:
                roots[process.pid] = root
                trees[root].append(process)
    found = {pid: _describe_excess(tree, memory) for pid, tree in trees.items()}
    return {pid: reason for pid, reason in found.items() if reason}


def _describe_excess(processes: "Collection[psutil.Process]", memory: int | None) -> str:
    if len(processes) > MOST_PROCESSES:
        return f"it started more than {MOST_PROCESSES} processes"
    used, shared = 0, 0  # bytes, in which shared memory counts for each process that shares it, and once
    for process in processes:
        with suppress(psutil.Error):
            used += process.memory_info().rss
    for process in processes if memory and used > memory else ():
        with suppress(psutil.Error):
            found = process.memory_full_info()
            shared += getattr(found, "pss", found.uss)
    return f"its processes took more than {memory / 10**9:g} GB of memory" if memory and shared > memory else ""


@contextmanager
def no_orphans() -> Iterator[None]:
    """A context in which this process adopts its orphaned descendants, which are killed at the end.

    Meanwhile, other processes of the same user, except root's, can't open its files or read its memory. For a program
    that starts engines, not for a library: it changes settings of the whole process.
    """
    before = {child.pid for child in psutil.Process().children()}
    _control(adopts=1, is_open=0)
    try:
        yield
    finally:
        left = {child.pid for child in psutil.Process().children()} - before
        end_trees(left) if left else None
        for child in left:
            with suppress(ChildProcessError):
                os.waitpid(child, os.WNOHANG)
        _control(adopts=0, is_open=1)


def end_with_parent() -> None:
    """Let this process be killed when the thread that started it ends, on Linux."""
    _set(_END_WITH_PARENT, signal.SIGKILL)


def _control(adopts: int, is_open: int) -> None:
    _set(_ADOPT_ORPHANS, adopts)
    _set(_DUMPABLE, is_open)


def _set(what: int, value: int) -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(what, value, 0, 0, 0)
