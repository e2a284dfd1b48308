"""End a process with all processes that it started, and detect when it exceeds its bounds.

The process leads a session of its own, adopts orphaned descendants (on Linux), and carries a tag in its environment.
Processes that it started are found by descent, by session or by tag.
"""

import os
import sys
from collections import defaultdict
from collections.abc import Iterator
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
_ADOPT_ORPHANS: Final = 36  # PR_SET_CHILD_SUBREAPER


def end_tree(pid: int, tag: str = "") -> int:
    """Kill a process, its descendants, its session, and all processes with the tag.

    All of them are suspended first, so that none can start another process. Returns the number of processes killed, not
    counting `pid`.
    """
    stopped: dict[int, psutil.Process] = {}
    for _ in range(_ROUNDS):
        new = [process for process in _find(pid, tag, [*stopped]) if process.pid not in stopped]
        if not new:
            break
        for process in new:
            stopped[process.pid] = process
            with suppress(psutil.Error):
                process.suspend()
    for process in stopped.values():
        with suppress(psutil.Error):
            process.kill()
    until = monotonic() + _GONE
    for process in stopped.values():
        while process.pid != pid and _runs(process) and monotonic() < until:
            sleep(_POLL)
    return len({*stopped} - {pid})


def _runs(process: "psutil.Process") -> bool:
    """Return False for a process that has ended, even if its new parent, often the first process, has not noticed."""
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def _find(pid: int, tag: str, roots: list[int]) -> "Iterator[psutil.Process]":
    """Yield the process `pid`, descendants of it or of `roots`, and processes in the session `pid` or with the tag."""
    children: defaultdict[int, list[psutil.Process]] = defaultdict(list)
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            children[process.ppid()].append(process)
            if process.pid == pid or os.getsid(process.pid) == pid or (tag and process.environ().get(TAG) == tag):
                yield process
    queue = [pid, *roots]
    for parent in queue:
        following = children.pop(parent, [])
        queue += [process.pid for process in following]
        yield from following


def exceeds_bounds(pid: int, memory: int | None) -> str:
    """Return a description of the bound that a process and its descendants exceed, or an empty string."""
    with suppress(psutil.Error):
        children = psutil.Process(pid).children(recursive=True)
        if len(children) >= MOST_PROCESSES:
            return f"it started more than {MOST_PROCESSES} processes"
        if memory and children:
            used = 0
            for process in [psutil.Process(pid), *children]:
                with suppress(psutil.Error):
                    found = process.memory_info()
                    used += found.rss - getattr(found, "shared", 0)
            if used > memory:
                return f"its processes took more than {memory / 10**9:g} GB of memory"
    return ""


@contextmanager
def no_orphans() -> Iterator[None]:
    """A context in which this process adopts its orphaned descendants, which are killed at the end.

    For a program that starts engines, not for a library: it changes a setting of the whole process.
    """
    before = {child.pid for child in psutil.Process().children()}
    _adopt(1)
    try:
        yield
    finally:
        for child in psutil.Process().children():
            if child.pid not in before:
                end_tree(child.pid)
                with suppress(ChildProcessError):
                    os.waitpid(child.pid, os.WNOHANG)
        _adopt(0)


def _adopt(adopts: int) -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_ADOPT_ORPHANS, adopts, 0, 0, 0)
