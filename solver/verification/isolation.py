"""Keep an engine's process apart: end it with everything it has started, bound what it takes, or put it in a sandbox.

An engine's process leads a session of its own, adopts the orphans of its descendants (on Linux), and carries a tag in
its environment, so what it starts is found by descent, by session, or by tag.

A sandbox is bubblewrap's: no network, nothing to write to but a folder of its own, no tables of ours, another user, and
no processes in sight but those it starts, which end with it.
"""

import os
import shutil
import site
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import psutil

from solver.errors import MnkError
from solver.store.paths import FILE_ENDING

TAG: Final = "MNK_ENGINE"
"""The environment variable by which an engine's processes are known."""

MOST_PROCESSES: Final = 64

SANDBOXED: Final = "in a sandbox (bubblewrap): no network, no tables, nothing to write to, another user"

_NOBODY: Final = "65534"
_ALONE: Final = (
    "--unshare-all", "--uid", _NOBODY, "--gid", _NOBODY, "--die-with-parent", "--new-session", "--cap-drop", "ALL",
    "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc",
)  # fmt: skip
_EMPTIED: Final = ("/tmp", "/var/tmp", "/dev/shm", "/run")
_ROUNDS: Final = 20  # of looking for processes that were started while others were ended
_GONE: Final = 2.0  # seconds in which killed processes are gone
_ADOPT_ORPHANS: Final = 36  # PR_SET_CHILD_SUBREAPER


def end_tree(pid: int, tag: str = "") -> int:
    """Kill a process, all that descends from it, its session and what carries the tag; return how many others ran.

    They are stopped first, so that none starts another one.
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
    psutil.wait_procs([process for process in stopped.values() if process.pid != pid], _GONE)
    return len({*stopped} - {pid})


def _find(pid: int, tag: str, roots: list[int]) -> Iterator[psutil.Process]:
    for root in {pid, *roots}:
        with suppress(psutil.Error):
            process = psutil.Process(root)
            yield process
            yield from process.children(recursive=True)
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if (tag and process.environ().get(TAG) == tag) or os.getsid(process.pid) == pid:
                yield process


def exceeds_bounds(pid: int, memory: int | None) -> str:
    """Return which bound a process and its descendants exceed, such as their number; nothing if none."""
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
    """Adopt what is orphaned below this process, and end at last what it did not start itself. For programs only."""
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


class NoSandbox(MnkError):
    """There is no bubblewrap, so nothing can be graded in a sandbox."""


def wrap(needed: Iterable[str], tables: Iterable[str]) -> tuple[str, ...]:
    """Return the words of a command that runs the command after them in a sandbox.

    needed: files and folders that it sees wherever they lie. tables: tables, and folders of them, that it does not see.
    Raises NoSandbox.
    """
    program = shutil.which("bwrap")
    if program is None:
        raise NoSandbox(
            "There is no sandbox without bubblewrap; install it (`apt install bubblewrap`, `dnf install bubblewrap`), "
            "or leave out --sandbox."
        )
    words = [program, *_ALONE]
    for place in _EMPTIED:
        if os.path.isdir(place) and not os.path.islink(place):
            words += ["--tmpfs", place]
    for path in _list_needed(needed):
        words += ["--ro-bind", path, path]
    for path in sorted({str(one.absolute()) for table in tables for one in _list_tables(Path(table))}):
        words += ["--ro-bind", os.devnull, path]
    return (*words, "--chdir", os.getcwd(), "--")


def _list_needed(needed: Iterable[str]) -> list[str]:
    """Return the paths below emptied folders that are needed, and their links' targets, but none inside another."""
    places = [*needed, *sys.path, sys.prefix, sys.base_prefix, site.getuserbase(), os.getcwd()]
    there = [place for place in places if os.path.exists(place)]
    found: list[str] = []
    for path in sorted({*map(os.path.abspath, there), *map(os.path.realpath, there)}):
        is_seen = path.startswith(tuple(f"{outer}/" for outer in found))
        if path.startswith(tuple(f"{folder}/" for folder in _EMPTIED)) and not is_seen:
            found.append(path)
    return found


def _list_tables(path: Path) -> list[Path]:
    """Return a table itself, or all tables in a folder."""
    return [*path.glob(f"*{FILE_ENDING}*")] if path.is_dir() else [path] if path.exists() else []
