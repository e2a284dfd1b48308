"""Watch what an engine does inside its process: whether it asks this package for its answers, or sends signals.

A hook of Python's audit (PEP 578) can't be taken away again, and sees what is imported and opened, also by copies that
the process makes of itself. It sees nothing of other programs but that they are started, and code that is not Python
can go round it: against that stands a sandbox (`adapters.sandbox`).
"""

import builtins
import os
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from solver.store.paths import FILE_ENDING, default_folder

Note = Callable[[str, str], None]

ASKED: Final = "solver"
"""The kind of note that the package was asked."""

SIGNALLED: Final = "signal"
"""The kind of note that an engine reached for another process, such as by a signal."""

_ROOMS: Final = (
    "solver.answers", "solver.check", "solver.cli", "solver.engines.alphabeta", "solver.engines.builtin",
    "solver.engines.montecarlo", "solver.engines.playing", "solver.export", "solver.solve",
    "solver.store.reader", "solver.tablebase",
    "solver.verification.truth", "solver.verification.verify", "solver.web",
)  # fmt: skip
_FOR_WRAPPERS: Final = ("solver.verification.adapters.loading", {"load_program", "list_moves"})
_PROGRAMS: Final = {"subprocess.Popen", "os.exec", "os.posix_spawn", "os.system"}
_COMMAND: Final = re.compile(r"(^|[\s/'\"])mnk(\s|$)|\b(import|from)\s+solver\b|-m\s*solver\b")


def watch_process(note: Note) -> None:
    """Note from now on what is asked of this package, and refuse signals to processes that are not the engine's own."""
    has_table = _Tables(default_folder().absolute()).has
    own = os.getsid(0)
    noted: set[tuple[str, str]] = set()

    def tell(kind: str, text: str) -> None:
        if (kind, text) not in noted:
            noted.add((kind, text))
            note(kind, text)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "import" and str(arguments[0]).startswith(_ROOMS):
            if not any(text.startswith("imported") for _, text in noted):  # what that imports in turn tells no more
                tell(ASKED, f"imported {arguments[0]}")
        elif event in {"sqlite3.connect", "open"} and has_table(arguments[0]):
            tell(ASKED, f"opened the table {_name(arguments[0])}")
        elif event in _PROGRAMS and _COMMAND.search(_join(arguments[:2])):
            tell(ASKED, "ran this package as a program")
        elif event in {"os.kill", "os.killpg"}:
            refuse_others(arguments[0], f"send signal {int(arguments[1])} to")
        elif event == "resource.prlimit" and arguments[2] is not None:
            refuse_others(arguments[0], "set bounds to")

    def refuse_others(pid: int, deed: str) -> None:
        if not _is_own(pid, own):
            tell(SIGNALLED, deed)
            raise PermissionError("an engine may send signals to its own processes only")

    def open_own(pid: int, flags: int = 0) -> int:
        refuse_others(pid, "take hold of")
        return int(open_process(pid, flags))

    def import_watched(name: str, *places: Any, **words: Any) -> Any:
        given = {**dict(zip(("globals", "locals", "fromlist", "level"), places, strict=False)), **words}
        names, level = given.get("fromlist") or (), given.get("level", 0)
        asker = str((given.get("globals") or {}).get("__name__", ""))
        is_wrapper = bool(names) and name == _FOR_WRAPPERS[0] and {*names} <= _FOR_WRAPPERS[1]
        if not level and not asker.startswith("solver.") and not is_wrapper:  # of what is loaded already no event tells
            found = next((path for path in (name, *(f"{name}.{one}" for one in names or ())) if _is_judge(path)), "")
            if found:
                tell(ASKED, f"imported {found}")
        return import_module(name, *places, **words)

    import_module: Any = builtins.__import__
    vars(builtins)["__import__"] = import_watched
    open_process: Any = getattr(os, "pidfd_open", None)
    if open_process is not None:  # neither this nor the signals that are sent by it raise an event
        for module in (os, sys.modules["posix"]):
            vars(module)["pidfd_open"] = open_own
    sys.addaudithook(hook)


def _is_judge(module: str) -> bool:
    return f"{module}.".startswith("solver.verification.")


class _Tables:
    """The files that are tables of this package, by their names."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)

    def has(self, file: object) -> bool:
        """Return whether this is the path of a table, or its address in the form that SQLite knows."""
        text = _text(file).removeprefix("file:").partition("?")[0]
        with suppress(OSError, ValueError):
            return self._is_table(text) or self._is_table(os.path.realpath(text))
        return False

    def _is_table(self, path: str) -> bool:
        is_named = os.path.basename(path).startswith("mnk-")
        return path.endswith(FILE_ENDING) and (is_named or os.path.abspath(path).startswith(self._folder))


def _name(file: object) -> str:
    return os.path.basename(_text(file).removeprefix("file:").partition("?")[0])


def _text(file: object) -> str:
    return os.fsdecode(file) if isinstance(file, str | bytes | os.PathLike) else ""


def _join(words: object) -> str:
    """All texts in nested sequences, with blanks between them."""
    if isinstance(words, list | tuple):
        return " ".join(map(_join, words))
    return _text(words)


def _is_own(number: int, session: int) -> bool:
    """Whether a signal to a process or group stays within a session, or goes to what descends from this process."""
    if number in {0, -1}:
        return number == 0
    number = abs(number)
    try:
        if os.getsid(number) == session:
            return True
    except OSError:  # there is no such process
        return True
    while number > 1:
        if number == os.getpid():
            return True
        try:
            with open(f"/proc/{number}/stat", encoding="utf-8", errors="replace") as file:
                number = int(file.read().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            return False
    return False
