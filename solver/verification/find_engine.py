"""Open an engine under test: find the engine that a string names, start its processes, and find its convention."""

import base64
import pickle
import re
import shlex
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib.machinery import PathFinder
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self, TypeAlias

from solver.engines.engine import list_engines
from solver.errors import EngineError, GraderError, quoted
from solver.game.position import Position
from solver.game.rules import Rules
from solver.store.paths import default_folder
from solver.support.progress import Progress
from solver.support.sessions import Limits, Sessions, launch_copy, launch_program
from solver.support.threads import CAN_START
from solver.verification import host
from solver.verification.answer import EngineAnswer
from solver.verification.convention import MOVES, PROFILES, Convention
from solver.verification.defaults import find_convention, make_request
from solver.verification.sandbox import SANDBOXED, wrap

EngineSpec: TypeAlias = "str | Callable[..., Any] | type | object"
"""An engine to test: a text such as `agent.py:best_move`, a function, a class, or an object."""

CONVENTION: Final = ("board", "marks", "player", "moves", "profile")  # the options that state a convention

_HOST: Final = Path(host.__file__)
_FILE: Final = re.compile(r"(?P<file>.*\.(?:py|ipynb))(?::(?P<name>[\w.]*))?", re.DOTALL)
_PREFIXES: Final = {"cmd": "command", "gomocup": "gomocup", "http": "http", "https": "http", "openspiel": "openspiel"}
_ADAPTERS: Final = {  # the module of `adapters/`, with a function `open_...`, and the usual form of moves
    "command": ("programs", "name"),
    "gomocup": ("programs", "column,row"),
    "http": ("programs", "index"),
    "openspiel": ("packages", "index"),
    "ours": ("packages", "name"),
}
_COMPILED: Final = {".c", ".cc", ".cpp", ".cs", ".go", ".java", ".js", ".kt", ".mjs", ".rb", ".rs", ".ts"}


@dataclass(frozen=True)
class AskOptions:
    """The options for calling an engine."""

    stated: Mapping[str, Any] = field(default_factory=dict)  # parts of the convention, as `Convention.read` takes them
    project: Mapping[str, Any] = field(default_factory=dict)  # those in pyproject.toml; the engine's file is stronger
    limits: Limits = field(default_factory=Limits)
    seed: int = 0  # the seed of the engine's `random` and NumPy
    sandbox: bool = False
    side: str | None = None  # the only side that is graded; None for both
    tables: str | None = None  # a table or folder of tables that the engine must not read, besides the default folder


class _Source(NamedTuple):
    """The engine that a string names, as `host.load_engine` expects it: a file, a module or one of `adapters/`."""

    name: str
    entry: str = ""
    file: str | None = None
    module: str | None = None
    adapter: str = ""
    argument: str = ""


class EngineUnderTest:
    """An engine behind `host.py`, in separate processes, and its answers so far.

    A string names `FILE.py:NAME` (by default `best_move`), one of our engines (`alphabeta:cutoff=2`), `cmd:COMMAND`,
    `gomocup:COMMAND`, `openspiel:BOT`, the address of a server, or an importable `MODULE:NAME`. Anything else is a
    Python object: a function, or a class or object with a method `best_move`.

    As a context manager, it ends its processes on exit. Raises EngineError if the engine can't be found or started, or
    its convention is unclear.
    """

    stated: Mapping[str, Any] = MappingProxyType(
        {}
    )  # the parts of the convention that are neither in its file nor inferred
    violations: tuple[str, ...] = ()  # its forbidden actions, such as opening a table of this package
    has_protocol: bool = False  # true if only its moves have a convention, and positions a form of its own
    fitting: tuple[str, ...] = ()  # with a protocol: the other forms of moves under which all its moves are legal
    gave_up: bool = False  # true if positions were skipped after MOST_FAILED timeouts and crashes in a row
    until: float = float("inf")  # the time (`time.monotonic`) after which no request is sent

    def __init__(self, spec: EngineSpec, rules: Rules, options: AskOptions) -> None:
        self.answers: dict[Position, EngineAnswer] = {}
        with not_engines_fault():
            stated = Convention.read(options.stated, rules, "The command")
            project = Convention.read(options.project, rules, "pyproject.toml")
        profile = PROFILES.get(str(options.stated.get("profile") or options.project.get("profile") or ""))
        source = _read_spec(spec, profile.entry if profile else "best_move")
        self.name = source.name  # as the caller gave it
        self.seed = options.seed
        self.stated = {**options.project, **options.stated}
        self._sessions, self.isolation = _open_sessions(spec, source, rules, options)
        try:
            ready = self._sessions.open()
            if source.adapter:
                self.has_protocol = True
                self.fitting = tuple(form for form in MOVES if _suits(form, rules))
                usual = _ADAPTERS[source.adapter][1]
                moves = str(options.stated.get("moves") or options.project.get("moves") or usual)
                self._asked_by = Convention("request", None, "none", moves)
                self.convention = f"the protocol `{source.adapter}`, moves: {moves} ({MOVES[moves]})"
                return
            own = ready.get("stated")
            if own is not None and not isinstance(own, dict):
                raise EngineError(
                    f"The constant MNK of {self.name} is not a dictionary; write {{'board': 'rows', ...}}."
                )
            found = Convention.read(own or {}, rules, f"MNK in {self.name}")
            weaker = {*(own or {})} - {*options.stated}  # the file is stronger than pyproject.toml
            self.stated = {key: part for key, part in self.stated.items() if key not in weaker}
            self._asked_by, how = project.filled_by(found).filled_by(stated), "stated"
            if not self._asked_by.is_whole:
                name, arguments = shlex.quote(self.name), [int(count) for count in ready["arguments"]]
                self._asked_by, was_tried = find_convention(
                    self._sessions.run, name, rules, self._asked_by, arguments, options.side
                )
                how = "the only default that fits" if was_tried else "stated"
            self.convention = f"{self._asked_by.options()} ({how})"
        except BaseException:
            self._sessions.close()
            raise

    def ask(self, positions: Iterable[Position], progress: Progress | None = None) -> bool:
        """Get the missing answers; return whether the time sufficed. Raises EngineError if the engine can't start."""
        new = [position for position in dict.fromkeys(positions) if position not in self.answers]
        found = self.request(new, progress) if new else []
        self.answers.update((position, one) for position, one in zip(new, found, strict=True) if one is not None)
        return None not in found

    def request(self, positions: Sequence[Position], progress: Progress | None = None) -> list[EngineAnswer | None]:
        """Return a new answer for each position; None if time ran out before the engine was asked."""
        requests = [make_request(position, self._asked_by, self.seed) for position in positions]
        replies = self._sessions.run(requests, self.until, progress)
        self.gave_up = self._sessions.gave_up
        for reply in replies:
            if reply and reply.get("kind") == "protocol":
                raise EngineError(f"{self.name} can't be graded: {reply['error']}.")
            if reply and isinstance(violations := reply.get("violations"), list):
                self.violations += tuple(str(one)[:200] for one in violations[:5])
        self.violations = tuple(dict.fromkeys(self.violations))
        pairs = [*zip(positions, replies, strict=True)]
        moved = [(position, reply) for position, reply in pairs if reply and "error" not in reply]
        self.fitting = tuple(form for form in self.fitting if self._asked_by.fits(form, moved))
        return [None if reply is None else self._asked_by.read_answer(reply, position) for position, reply in pairs]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._sessions.close()


def _suits(moves: str, rules: Rules) -> bool:
    try:
        Convention.read({"moves": moves}, rules, "")
    except EngineError:
        return False
    return True


@contextmanager
def not_engines_fault() -> Iterator[None]:
    """A context that turns EngineError into GraderError, for data that is not from the engine's author."""
    try:
        yield
    except EngineError as error:
        raise GraderError(str(error)) from error


def read_project(folder: Path) -> dict[str, Any]:
    """Return the table `[tool.mnk.verify]` of a folder's pyproject.toml, or an empty dict. Raises GraderError."""
    path = folder / "pyproject.toml"
    if not path.is_file():
        return {}
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8")).get("tool", {}).get("mnk", {}).get("verify", {})
    except (OSError, ValueError) as error:
        raise GraderError(f"{path} can't be read: {error}; correct it.") from error
    if not isinstance(found, dict):
        raise GraderError(f"{path} has a tool.mnk.verify that is not a table; write [tool.mnk.verify].")
    return found


def _read_spec(spec: EngineSpec, entry: str) -> _Source:
    if not isinstance(spec, str):
        return _Source(getattr(spec, "__name__", type(spec).__name__))
    text = spec.strip()
    prefix, colon, rest = text.partition(":")
    if colon and prefix in _PREFIXES:
        return _Source(text, adapter=_PREFIXES[prefix], argument=text if _PREFIXES[prefix] == "http" else rest.strip())
    if found := _FILE.fullmatch(text):
        path = Path(found["file"]).absolute()
        if not path.is_file():
            raise EngineError(f"There is no file {quoted(found['file'])}; check the path.")
        if path.suffix == ".ipynb":
            raise EngineError(
                f"{path.name} is a notebook, which Python can't import; "
                "write a wrapper: mnk verify --template wrapper.py."
            )
        return _Source(f"{found['file']}:{found['name'] or entry}", found["name"] or entry, file=str(path))
    if Path(text).suffix.lower() in _COMPILED or Path(text).is_file():
        raise EngineError(
            f"{quoted(text)} is not a Python file; name the command that runs it, such as 'cmd:./{Path(text).stem}'."
        )
    if any(info.name == prefix for info in list_engines()):
        return _Source(text, adapter="ours", argument=text)
    if not _is_importable(prefix):
        raise EngineError(
            f"There is no engine {quoted(text)}; expected FILE.py:NAME, MODULE:NAME, cmd:COMMAND, an address, or one "
            "of those that `mnk engines` lists."
        )
    return _Source(f"{prefix}:{rest or entry}", rest or entry, module=prefix)


def _is_importable(module: str) -> bool:
    """Look for a module without importing its packages, whose code must not run in the grader's process."""
    top, *parts = module.split(".")
    try:
        spec = find_spec(top) or PathFinder.find_spec(top, [str(Path.cwd())])
    except ValueError:  # an empty name, or a module without a specification
        return False
    for part in parts:
        if spec is None or not spec.submodule_search_locations or not part:
            return False
        spec = PathFinder.find_spec(f"{spec.name}.{part}", spec.submodule_search_locations)
    return spec is not None


def _open_sessions(
    spec: EngineSpec, source: _Source, rules: Rules, options: AskOptions
) -> "tuple[Sessions | _InProcess, str]":
    """Return the sessions of an engine, and a description of where they run."""
    tables = [str(default_folder().absolute()), *([options.tables] if options.tables else [])]
    package, is_text = _HOST.parent.parent, isinstance(spec, str)
    setup = {
        **source._asdict(),
        "module": f"solver.verification.adapters.{_ADAPTERS[source.adapter][0]}" if source.adapter else source.module,
        "folder": str(package.parent if source.adapter else Path.cwd()),
        "game": {
            "name": rules.name,
            "rules": base64.b64encode(pickle.dumps(rules)).decode(),
            "rows": rules.diagram.rows,
            "columns": rules.diagram.columns,
            "k": rules.shortest_line,
            "gravity": rules.gravity,
            "variants": [*rules.variants],
        },
        "data": options.tables,
        "seed": options.seed,
        "paths": [str(Path(path or ".").absolute()) for path in sys.path],
        "watch": [str(package), tables] if is_text and not source.adapter else None,
    }
    if not CAN_START:
        if is_text or options.sandbox:
            raise EngineError(f"{source.name} needs a process, and none can be started here; give a function.")
        return _InProcess(spec, setup), "in this process, as no other can be started: its time and memory are unbounded"
    if not is_text:
        if options.sandbox:
            raise GraderError("An object of this process can't be put into a sandbox; put it in a file, FILE.py:NAME.")
        return Sessions(launch_copy(partial(host.serve, spec)), setup, options.limits), "in copies of this process"
    where = "at its own address" if source.adapter == "http" else "in processes of its own, without a sandbox"
    wrapper: tuple[str, ...] = ()
    if options.sandbox:
        if source.adapter == "http":
            raise GraderError("A server can't be put into a sandbox from here; leave out --sandbox.")
        words = shlex.split(source.argument) if source.adapter in {"command", "gomocup"} else []
        files = [Path(word) for word in [*words, source.file or ""]]
        wrapper, where = wrap([*(str(one.parent) for one in files if one.is_file()), str(package)], tables), SANDBOXED
    words = [*wrapper, sys.executable, "-B", "-P", str(_HOST)]
    return Sessions(launch_program(words, "/tmp" if wrapper else ""), setup, options.limits), where


class _InProcess:
    """Calls an engine in this process, without limits; for systems without other processes, such as a browser."""

    gave_up = False

    def __init__(self, engine: object, setup: Mapping[str, Any]) -> None:
        self._function, self._game = host.find_function(engine), setup["game"]

    def open(self) -> dict[str, Any]:
        return {"stated": None, "arguments": host.count_arguments(self._function)}

    def run(
        self, requests: Sequence[dict[str, Any]], until: float = float("inf"), progress: Progress | None = None
    ) -> list[dict[str, Any] | None]:
        replies: list[dict[str, Any] | None] = []
        for request in requests:
            in_time = monotonic() <= until
            replies.append(host.answer(self._function, {"n": "", **request}, self._game) if in_time else None)
            if progress:
                progress(len(replies), len(requests))
        return replies

    def close(self) -> None:
        pass
