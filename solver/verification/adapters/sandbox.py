"""Run an engine in a sandbox of bubblewrap: no network, nothing to write but a folder of its own, no tables of ours.

It has another user in a name space of its own, and sees no process but those that it starts, which end with it.
"""

import os
import shutil
import site
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from solver.errors import EngineError
from solver.store.paths import FILE_ENDING, default_folder

SANDBOXED: Final = "in a sandbox (bubblewrap): no network, no tables, nothing to write to, another user"

PROGRAM: Final = "bwrap"
_NOBODY: Final = "65534"
_ALONE: Final = (
    "--unshare-all", "--uid", _NOBODY, "--gid", _NOBODY, "--die-with-parent", "--new-session", "--cap-drop", "ALL",
    "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc",
)  # fmt: skip
_EMPTIED: Final = ("/tmp", "/var/tmp", "/dev/shm", "/run")


def wrap(needed: Iterable[str], hidden: Iterable[str] = (), folder: str = "") -> tuple[str, ...]:
    """Return the words of a command that runs the command after them in a sandbox.

    needed: files and folders that it is to see wherever they lie. hidden: tables, and folders of tables, that it is not
    to see, besides the default one. folder: where it runs, by default where this process does. Raises EngineError where
    there is no bubblewrap.
    """
    program = shutil.which(PROGRAM)
    if program is None:
        raise EngineError(
            "There is no sandbox without bubblewrap: install it (`apt install bubblewrap`, `dnf install bubblewrap`), "
            "or leave out --sandbox."
        )
    words = [program, *_ALONE]
    for place in _EMPTIED:
        if os.path.isdir(place) and not os.path.islink(place):
            words += ["--tmpfs", place]
    for path in _list_needed(needed):
        words += ["--ro-bind", path, path]
    for path in _list_tables({default_folder(), *map(Path, hidden)}):
        words += ["--tmpfs", path] if os.path.isdir(path) else ["--ro-bind", os.devnull, path]
    return (*words, "--chdir", folder or os.getcwd(), "--")


def _list_needed(needed: Iterable[str]) -> list[str]:
    """The paths below emptied folders that are to be seen, and what links there lead to; without those in others."""
    places = [*needed, *sys.path, sys.prefix, sys.base_prefix, site.getuserbase(), os.getcwd()]
    there = [place for place in places if os.path.exists(place)]
    found: list[str] = []
    for path in sorted({*map(os.path.abspath, there), *map(os.path.realpath, there)}):
        is_seen = path.startswith(tuple(f"{outer}/" for outer in found))
        if path.startswith(tuple(f"{folder}/" for folder in _EMPTIED)) and not is_seen:
            found.append(path)
    return found


def _list_tables(folders: Iterable[Path]) -> list[str]:
    tables = [path for folder in folders for path in _tables_in(folder)]
    return sorted({str(path.absolute()) for path in tables})


def _tables_in(path: Path) -> Iterable[Path]:
    """A table itself, or all those in a folder."""
    if path.suffix == FILE_ENDING:
        return [path] if path.exists() else []
    return path.glob(f"*{FILE_ENDING}*") if path.is_dir() else []
