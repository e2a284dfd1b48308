"""Run an engine in a sandbox made by bubblewrap.

The engine has no network and no tables. It can write only to temporary folders of its own, and can read the files that
the caller can read. It sees only the processes that it starts, and they end with it.
"""

import os
import shutil
import site
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from solver.errors import GraderError
from solver.store.paths import FILE_ENDING, SHIPPED

SANDBOXED: Final = "in a sandbox (bubblewrap): no network, no tables, your files read-only"

_ALONE: Final = (  # as the user nobody
    "--unshare-all", "--uid", "65534", "--gid", "65534", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
    "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc",
)  # fmt: skip
_EMPTIED: Final = ("/tmp", "/var/tmp", "/dev/shm", "/run")


class NoSandbox(GraderError):
    """bubblewrap is missing, or cannot make a sandbox here."""


def wrap(needed: Iterable[str], tables: Iterable[str]) -> tuple[str, ...]:
    """Return the words that, placed before a command, run it in a sandbox.

    needed: files and folders that the engine can read, wherever they are. tables: tables and folders of tables that are
    hidden from it. Raises NoSandbox.
    """
    program = shutil.which("bwrap")
    if program is None:
        raise NoSandbox(
            "There is no sandbox without bubblewrap; install it (`apt install bubblewrap`, `dnf install bubblewrap`), "
            "or leave out --sandbox."
        )
    tried = subprocess.run(
        [program, *_ALONE, "--", sys.executable, "-ISc", ""], capture_output=True, text=True, check=False
    )
    if tried.returncode:
        said = (tried.stderr.strip().splitlines() or [f"exit code {tried.returncode}"])[-1]
        raise NoSandbox(
            f"bubblewrap can't make a sandbox here ({said[:200]}); allow user namespaces, or leave out --sandbox."
        )
    words = [program, *_ALONE]
    for place in _EMPTIED:
        if os.path.isdir(place) and not os.path.islink(place):
            words += ["--tmpfs", place]
    for shown in _list_needed(needed):
        words += ["--ro-bind", shown, shown]
    words += ["--tmpfs", str(SHIPPED)]
    for table in map(Path, tables):
        for path in sorted(table.glob(f"*{FILE_ENDING}*")) if table.is_dir() else [table]:
            words += ["--ro-bind", os.devnull, str(path.absolute())] if path.exists() else []
    return (*words, "--chdir", os.getcwd(), "--")


def _list_needed(needed: Iterable[str]) -> list[str]:
    """Return the paths, with the targets of links, that the sandbox must restore in the folders that it hides."""
    places = [*needed, *sys.path, sys.prefix, sys.base_prefix, site.getuserbase(), os.getcwd()]
    there = [place for place in places if os.path.exists(place)]
    found: list[str] = []
    for path in sorted({*map(os.path.abspath, there), *map(os.path.realpath, there)}):
        is_seen = path.startswith(tuple(f"{outer}/" for outer in found))
        if path.startswith(tuple(f"{folder}/" for folder in _EMPTIED)) and not is_seen:
            found.append(path)
    return found
