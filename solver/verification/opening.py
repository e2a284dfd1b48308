"""Open an engine under test: find out what its text names, start its processes, and settle its convention."""

import base64
import pickle
import re
import shlex
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from solver.engines.engine import list_engines
from solver.errors import EngineError, quoted
from solver.game.position import Position
from solver.game.rules import Rules
from solver.store.paths import default_folder
from solver.support.threads import CAN_START
from solver.verification.answer import Answer, EngineSpec, EngineUnderTest, Progress
from solver.verification.convention import PROFILES, Convention
from solver.verification.defaults import find_convention, make_question
from solver.verification.sandbox import SANDBOXED, wrap
from solver.verification.session import HOST, InProcess, Limits, Sessions, launch_copy, launch_host

_FILE: Final = re.compile(r"(?P<file>.*\.(?:py|ipynb))(?::(?P<name>[\w.]*))?", re.DOTALL)
_PREFIXES: Final = {"cmd": "command", "gomocup": "gomocup", "http": "http", "https": "http", "openspiel": "openspiel"}
_ENDS: Final = {  # the module of `ends/` and the usual form of moves
    "command": ("programs", "name"),
    "gomocup": ("programs", "column,row"),
    "http": ("http", "index"),
    "openspiel": ("packages", "index"),
    "ours": ("packages", "name"),
}
_MOST_DEEDS: Final = 5
_COMPILED: Final = {".c", ".cc", ".cpp", ".cs", ".go", ".java", ".js", ".kt", ".mjs", ".rb", ".rs", ".ts"}


@dataclass(frozen=True)
class AskOptions:
    """How an engine is asked."""

    stated: Mapping[str, Any] = field(default_factory=dict)
    """`board`, `marks`, `player`, `moves`, `profile`, as far as they are stated (`convention.Convention.read`)."""
    project: Mapping[str, Any] = field(default_factory=dict)
    """The same as a pyproject.toml states them; the engine's file has its way over that."""
    limits: Limits = field(default_factory=Limits)
    seed: int = 0
    """Of what an engine draws with `random` and NumPy."""
    sandbox: bool = False
    side: str | None = None
    """The side that is graded, if only one is."""
    tables: str | None = None
    """A table or folder of tables that the engine must not read, besides the default folder."""


@dataclass(frozen=True)
class _Source:
    """What a text names: a file, a module or one of `ends/`."""

    name: str
    entry: str = ""
    file: Path | None = None
    module: str | None = None
    end: str = ""
    argument: str = ""

    @property
    def is_python(self) -> bool:
        return not self.end


def open_engine(spec: EngineSpec, rules: Rules, options: AskOptions | None = None) -> "HostedEngine":
    """Open the engine that `spec` names, ready to be asked.

    A text is `FILE.py:NAME` (by default `best_move`), one of our engines (`alphabeta:cutoff=2`), `cmd:COMMAND`,
    `gomocup:COMMAND`, `openspiel:BOT`, the address of a server, or an importable `MODULE:NAME`. Anything else is a
    Python object: a function, or a class or object with a method `best_move`.

    Raises EngineError if the engine can't be found, started, or asked in exactly one way.
    """
    return HostedEngine(spec, rules, options or AskOptions())


class HostedEngine(EngineUnderTest):
    """An engine behind `host.py`, in processes of its own."""

    def __init__(self, spec: EngineSpec, rules: Rules, options: AskOptions) -> None:
        super().__init__()
        self._rules, self._options = rules, options
        stated = Convention.read(options.stated, rules, "The command")
        project = Convention.read(options.project, rules, "pyproject.toml")
        profile = PROFILES.get(str(options.stated.get("profile") or options.project.get("profile") or ""))
        source = _read_spec(spec, profile.entry if profile else "best_move")
        self.name = source.name
        self._sessions = _open_sessions(spec, source, rules, options)
        self.isolation = _describe_isolation(spec, source, options)
        try:
            facts = self._sessions.open()
            self._asked_by = self._settle(source, stated, project, facts)
        except BaseException:
            self.close()
            raise

    def _settle(self, source: _Source, stated: Convention, project: Convention, facts: Mapping[str, Any]) -> Convention:
        """Return the whole convention: of the options, the engine's file, the project, or the one default that fits."""
        if source.end:
            moves = stated.moves or project.moves or _ENDS[source.end][1]
            self.convention = f"the protocol `{source.end}`, moves: {moves}"
            return Convention("question", None, "none", moves)
        own = facts.get("stated")
        if own is not None and not isinstance(own, dict):
            raise EngineError(f"The constant MNK in {source.name} is not a dictionary; write {{'board': 'rows', ...}}.")
        found = Convention.read(own or {}, self._rules, f"MNK in {source.name}")
        stated = project.filled_by(found).filled_by(stated)
        if stated.is_whole:
            self.convention = f"{stated.options()} (stated)"
            return stated
        arguments = facts["arguments"]
        found = find_convention(
            self._sessions,
            shlex.quote(source.name),
            self._rules,
            stated,
            (arguments[0], arguments[1]),
            self._options.side,
        )
        self.convention = f"{found.options()} (the only default that fits)"
        return found

    def _put(self, positions: Sequence[Position], progress: Progress | None) -> list[Answer | None]:
        questions = [make_question(position, self._asked_by, self._options.seed) for position in positions]
        replies = self._sessions.run(questions, self.until, progress)
        for reply in replies:
            deeds = reply.get("deeds") if reply and isinstance(reply.get("deeds"), list) else None
            self.deeds = tuple(dict.fromkeys([*self.deeds, *(str(one)[:200] for one in deeds or [])][:_MOST_DEEDS]))
        pairs = zip(positions, replies, strict=True)
        return [None if reply is None else self._asked_by.read_answer(reply, position) for position, reply in pairs]

    @property
    def gave_up(self) -> bool:
        """True if it was not asked to the end because it never answers in time."""
        return self._sessions.gave_up

    def close(self) -> None:
        """End its processes."""
        self._sessions.close()


def read_project(folder: Path) -> dict[str, Any]:
    """Return `[tool.mnk.verify]` of a folder's pyproject.toml, empty if it is missing. Raises EngineError."""
    path = folder / "pyproject.toml"
    if not path.is_file():
        return {}
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8")).get("tool", {}).get("mnk", {}).get("verify", {})
    except (OSError, ValueError) as error:
        raise EngineError(f"{path} can't be read: {error}; correct it.") from error
    if not isinstance(found, dict):
        raise EngineError(f"{path} has a tool.mnk.verify that is no table; write [tool.mnk.verify].")
    return found


def _read_spec(spec: EngineSpec, entry: str) -> _Source:
    if not isinstance(spec, str):
        return _Source(getattr(spec, "__name__", type(spec).__name__))
    text = spec.strip()
    prefix, colon, rest = text.partition(":")
    if colon and prefix in _PREFIXES:
        return _Source(text, end=_PREFIXES[prefix], argument=text if _PREFIXES[prefix] == "http" else rest.strip())
    if found := _FILE.fullmatch(text):
        path = Path(found["file"]).absolute()
        if not path.is_file():
            raise EngineError(f"There is no file {quoted(found['file'])}; check the path.")
        if path.suffix == ".ipynb":
            raise EngineError(
                f"{path.name} is a notebook, which Python can't import; "
                "write a wrapper: mnk verify --template wrapper.py."
            )
        return _Source(f"{found['file']}:{found['name'] or entry}", found["name"] or entry, file=path)
    if Path(text).suffix.lower() in _COMPILED or Path(text).is_file():
        raise EngineError(
            f"{quoted(text)} is not a Python file; name the command that runs it, such as 'cmd:./{Path(text).stem}'."
        )
    if any(info.name == prefix for info in list_engines()):
        return _Source(text, end="ours", argument=text)
    if not _is_importable(prefix):
        raise EngineError(
            f"There is no engine {quoted(text)}; expected FILE.py:NAME, MODULE:NAME, cmd:COMMAND, an address, or one "
            "of those that `mnk engines` lists."
        )
    return _Source(f"{prefix}:{rest or entry}", rest or entry, module=prefix)


def _is_importable(module: str) -> bool:
    sys.path.insert(0, str(Path.cwd()))
    try:
        return bool(module) and find_spec(module) is not None
    except (ImportError, ValueError):
        return False
    finally:
        sys.path.pop(0)


def _open_sessions(spec: EngineSpec, source: _Source, rules: Rules, options: AskOptions) -> "Sessions | InProcess":
    diagram = rules.diagram
    facts = {
        "name": rules.name,
        "rules": base64.b64encode(pickle.dumps(rules)).decode(),
        "rows": diagram.rows,
        "columns": diagram.columns,
        "squares": rules.squares,
        "k": rules.shortest_line,
        "gravity": rules.gravity,
        "variants": [*rules.variants],
    }
    tables = [str(default_folder().absolute()), *([options.tables] if options.tables else [])]
    end = f"solver.verification.ends.{_ENDS[source.end][0]}" if source.end else None
    package = HOST.parent.parent
    setup = {
        "file": source.file and str(source.file),
        "module": end or source.module,
        "folder": str(package.parent if end else Path.cwd()),
        "name": source.entry,
        "end": source.end,
        "argument": source.argument,
        "game": facts,
        "data": options.tables,
        "seed": options.seed,
        "paths": [str(Path(path or ".").absolute()) for path in sys.path],
        "watch": None if end or not isinstance(spec, str) else [str(package), tables],
    }
    if isinstance(spec, str):
        wrapper: tuple[str, ...] = ()
        if options.sandbox:
            if source.end == "http":
                raise EngineError("A server can't be put into a sandbox from here; leave out --sandbox.")
            words = shlex.split(source.argument) if source.end in {"command", "gomocup"} else []
            files = [*map(Path, words), *([source.file] if source.file else [])]
            wrapper = wrap([str(file.parent) for file in files if file.is_file()] + [str(package)], tables)
        return Sessions(launch_host(wrapper), setup, options.limits)
    if options.sandbox:
        raise EngineError("An object of this process can't be put into a sandbox; put it in a file, FILE.py:NAME.")
    if not CAN_START:
        return InProcess(spec, setup)
    return Sessions(launch_copy(spec), setup, options.limits)


def _describe_isolation(spec: EngineSpec, source: _Source, options: AskOptions) -> str:
    if options.sandbox:
        return SANDBOXED
    if source.end == "http":
        return "at its own address"
    if not isinstance(spec, str) and not CAN_START:
        return "in this process"
    return "in processes of its own, without a sandbox" if isinstance(spec, str) else "in copies of this process"
