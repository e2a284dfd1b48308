"""Run an engine in a sandbox made by bubblewrap.

The engine sees the system's programs, this Python with its packages, and its own folder, all read-only. It sees neither
this package, its tables and the grader, nor other files, processes and the network. It can write only to temporary
folders of its own, which are in memory and limited. Everything in the sandbox ends with it.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from glob import escape
from itertools import pairwise
from pathlib import Path
from typing import Final

from solver.errors import NotStarted
from solver.store.paths import FILE_ENDING, SHIPPED

SANDBOXED: Final = "in a sandbox (bubblewrap): no network, and nothing to see but its folder and the system's programs"

ENVIRONMENT: Final = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ")  # the variables that an engine inherits

FOLDER: Final = "/tmp"  # where it can write

_ALONE: Final = (  # as the user nobody
    "--unshare-all", "--uid", "65534", "--gid", "65534", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
)  # fmt: skip
_SYSTEM: Final = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/usr", "/etc", "/opt", "/nix", "/snap")
_PACKAGES: Final = ("usr", "usr/local", "opt/*")  # where the system's Pythons have packages
_KERNEL: Final = "/proc/sys"  # settings, which root could change
_WRITABLE: Final = (FOLDER, "/var/tmp", "/dev/shm", "/run")
_SIZE: Final = ("--size", str(1 << 28))  # bytes in each folder in memory
_STRATEGY: Final = ".strategy"  # in the names of strategies and of the notes of their proofs
_PACKAGE: Final = Path(__file__).parents[1]
_HOST: Final = Path(__file__).with_name("host.py")
_SHOWN: Final = (  # of this package: what loads an engine, and nothing that knows a good move
    "__init__.py", "__init__.pyi", "errors.py", "support/__init__.py", "support/program_loader.py",
    "game/aima_game.py", "verification/__init__.py", "verification/host.py", "verification/adapters/__init__.py",
    "verification/adapters/programs.py",
)  # fmt: skip


class NoSandbox(NotStarted):
    """bubblewrap is missing, or cannot make a sandbox here."""


def wrap(
    needed: Iterable[str], tables: Iterable[str], hidden: Iterable[str], *, shows_package: bool
) -> tuple[str, ...]:
    """Return the words that, placed before a command, run it in a sandbox.

    needed: files and folders that the engine can read. tables: tables, and folders of tables. hidden: other files and
    folders. Both are hidden from it, although they may be in the folders that it can read. shows_package: it can also
    import this package. Raises NoSandbox.
    """
    program = shutil.which("bwrap")
    if program is None:
        raise NoSandbox(
            "There is no sandbox without bubblewrap; install it (`apt install bubblewrap`, `dnf install bubblewrap`), "
            "or leave out the option sandbox."
        )
    words = [program, *_ALONE]
    for place in _SYSTEM:
        if os.path.islink(place):
            words += ["--symlink", os.readlink(place), place]
        elif os.path.isdir(place):
            words += ["--ro-bind", place, place]
    words += _mount("--tmpfs", sorted(_list_courses({Path.cwd(), *_find_checkouts()})))
    words += ["--dev", "/dev", "--proc", "/proc", *_mount("--ro-bind", filter(os.path.isdir, [_KERNEL]))]
    words += _mount("--tmpfs", _WRITABLE)
    shown = _list_needed([*needed, *[str(_PACKAGE)] * shows_package])
    words += _mount("--ro-bind", shown)
    words += _mount("--tmpfs", [SHIPPED] if shows_package else {*_find_copies(), _PACKAGE})
    words += [] if shows_package else _mount("--ro-bind", [_PACKAGE / name for name in _SHOWN])
    secrets = {*map(Path, hidden)} | (_list_private() if _is_root() else set())
    for one in map(Path, tables):
        start = "" if one.is_dir() else escape(one.name.partition(FILE_ENDING)[0].removesuffix(_STRATEGY))
        find = one.rglob if one.is_dir() else one.parent.glob
        secrets |= {*find(f"{start}*{FILE_ENDING}*"), *find(f"{start}*{_STRATEGY}.*"), *[one] * one.is_file()}
    for path in sorted({path.absolute() for path in secrets} | {path.resolve() for path in secrets}):
        if path.is_symlink():
            continue  # it hides nothing, and its target may not exist in the sandbox
        words += ["--tmpfs", str(path)] if path.is_dir() else ["--ro-bind", os.devnull, str(path)] * path.exists()
    in_memory = {"/", "/dev", *(place for option, place in pairwise(words) if option == "--tmpfs")}
    words += [word for place in sorted(in_memory.difference(_WRITABLE)) for word in ("--remount-ro", place)]
    words += ["--chdir", os.getcwd() if os.getcwd() in shown else FOLDER, "--"]
    limited = [part for word in words for part in ((*_SIZE, word) if word == "--tmpfs" else (word,))]
    reason = _try(limited)
    if _SIZE[0] in reason:  # an older bubblewrap
        limited, reason = words, _try(words)
    if reason:
        raise NoSandbox(
            f"bubblewrap can't make a sandbox here ({reason[:200]}); allow user namespaces, or leave out the option "
            "sandbox."
        )
    return tuple(limited)


def _try(words: Sequence[str]) -> str:
    """Return why nothing can run in a sandbox, or why system calls can't be forbidden there; empty if all works."""
    trial = [sys.executable, "-ISc", f"import runpy; runpy.run_path({str(_HOST)!r})['forbid_calls']()"]
    tried = subprocess.run([*words, *trial], capture_output=True, text=True, check=False)
    said = tried.stderr.strip().splitlines() or [f"exit code {tried.returncode}"]
    return said[-1] if tried.returncode else ""


def is_of_system(path: Path) -> bool:
    """Return True for the system's programs and those of this Python, but not for what is in the current folder."""
    found = path.resolve()
    if any(map(found.is_relative_to, (sys.prefix, sys.base_prefix))):
        return True
    return any(map(found.is_relative_to, _SYSTEM)) and not any(map(found.is_relative_to, _list_courses([Path.cwd()])))


def _list_courses(folders: Iterable[Path]) -> list[Path]:
    """Return the folders that are within one of the system's, such as a course in /opt or /usr/src."""
    return [folder for folder in folders if any(Path(place) in folder.parents for place in _SYSTEM)]


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _list_private() -> set[Path]:
    """Return the files and folders of the system's settings, such as passwords, that other users can't read."""
    private = set[Path]()
    for folder, folders, files in os.walk("/etc"):
        for name in (*folders, *files):
            path = Path(folder, name)
            with suppress(OSError):
                if not path.is_symlink() and not path.stat().st_mode & 0o004:
                    private.add(path)
        folders[:] = [name for name in folders if Path(folder, name) not in private]
    return private


def _mount(option: str, places: Iterable[str | Path]) -> list[str]:
    return [word for place in map(str, places) for word in (option, *[place] * (2 - (option == "--tmpfs")))]


def _list_needed(needed: Iterable[str]) -> list[str]:
    """Return the paths, with the targets of links, that the sandbox must show besides the system, outer ones first."""
    hidden = {"", os.getcwd(), *map(str, _find_checkouts())}  # a checkout holds more than the package, such as tests
    places = [*needed, *({*sys.path} - hidden), sys.prefix, sys.base_prefix]
    there = [place for place in places if os.path.exists(place)]
    found = {*map(os.path.abspath, there), *map(os.path.realpath, there)}
    return sorted(path for path in found if path not in {"/", *_WRITABLE})


def _find_checkouts() -> set[Path]:
    return {copy.parent for copy in _find_copies() if not copy.parent.name.endswith("-packages")}


def _find_copies() -> set[Path]:
    """Return the folders of this package that modules are imported from, or that are among the system's packages."""
    roots = [Path(one).absolute() for one in sys.path]
    roots += [path for place in _PACKAGES for path in Path("/").glob(f"{place}/lib/python3*/*-packages")]
    return {one / _PACKAGE.name for one in roots if (one / _PACKAGE.name / "verification" / "host.py").is_file()}
