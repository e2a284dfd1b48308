"""Open an engine under test: find the engine that a string names, start its processes, and find its convention."""

import base64
import hashlib
import pickle
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from os.path import isfile
from pathlib import Path
from time import monotonic
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self, TypeAlias

from solver.engines.engine import list_engines
from solver.errors import EngineError, GraderError, NotStarted, TooSlow, in_one_line, quoted
from solver.game.aima_game import list_facts
from solver.game.position import Position
from solver.game.rules import Rules, Side
from solver.store.paths import default_folder
from solver.support.english import join_names, plural
from solver.support.progress import Progress
from solver.support.sessions import Limits, Sessions, launch_copy, launch_program
from solver.support.threads import CAN_START
from solver.verification import host
from solver.verification.answer import EngineAnswer, Failure
from solver.verification.convention import MOVES, PROFILES, Convention
from solver.verification.sandbox import ENVIRONMENT, FOLDER, SANDBOXED, is_of_system, wrap
from solver.verification.suggestion import exchange_marks, suggest

EngineSpec: TypeAlias = "str | Callable[..., Any] | type | object"
"""An engine to test: a text such as `agent.py:best_move`, a function, a class, or an object."""

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
_ARRAYS: Final = {"array", "flat array", "pettingzoo"}  # boards that are made with NumPy
_COMPILED: Final = {".c", ".cc", ".cpp", ".cs", ".go", ".java", ".js", ".kt", ".mjs", ".rb", ".rs", ".ts"}


@dataclass(frozen=True)
class AskOptions:
    """The options for calling an engine."""

    stated: Mapping[str, Any] = field(default_factory=dict)  # parts of the convention, as `Convention.read` takes them
    limits: Limits = field(default_factory=Limits)
    seed: int = 0  # from which the seed of the engine's `random` and NumPy follows
    sandbox: bool = False
    side: str | None = None  # the only side that is graded; None for both
    hidden: Sequence[str] = ()  # files that a sandbox hides from it, such as other submissions
    keeps: Callable[[Position, EngineAnswer], bool] | None = None  # whether an answer keeps the value, for suggestions
    tables: str | None = None  # the table or folder of tables for our engines, which a sandbox hides from others
    grades: bool = True  # whether a suggestion is a command of `mnk verify`; otherwise it is its options alone
    name: str | None = None  # in reports; None for the name that it was given
    in_python: bool = False  # whether options are written as arguments of `verify`, or for a shell


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

    As a context manager, it ends its processes on exit. Raises EngineError if the engine can't be found or started,
    TooSlow if that takes too long, and GraderError, with a suggestion, if its convention is not stated.
    """

    in_python: bool = True  # whether options are written as arguments of `verify`, or for a shell
    options: str = ""  # the options of `mnk verify` that state its convention, as words for a shell
    has_protocol: bool = False  # true if only its moves have a convention, and positions a form of its own
    fitting: tuple[str, ...] = ()  # the forms of moves under which all its moves so far are legal
    names_squares: bool = False  # true if it is a function whose moves are names of squares
    second: str = ""  # the name of a parameter of the function that it is not given
    optional: str = ""  # ... of an optional one that it is given
    _keeps: Callable[[Position, EngineAnswer], bool] | None = None
    _is_server: bool = False
    _asked_by: Convention = Convention()
    gave_up: bool = False  # True if positions were counted as failures without being asked
    more: Mapping[str, Any] = MappingProxyType({})  # parts that are added to each request
    until: float = float("inf")  # the time (`time.monotonic`) after which no request is sent

    def __init__(self, spec: EngineSpec, rules: Rules, options: AskOptions) -> None:
        self.answers: dict[Position, EngineAnswer] = {}
        stated = Convention.read(options.stated, rules)
        profile = PROFILES.get(str(options.stated.get("profile") or ""))
        source = _read_spec(spec, profile.entry if profile else "best_move")
        self.name, self.in_python = options.name or source.name, options.in_python  # the name as the caller gave it
        self.seed, self._keeps = _derive_seed(options.seed), options.keeps
        self.fitting = tuple(form for form in MOVES if _suits(form, rules))
        self._sessions, self.isolation = _open_sessions(spec, source, rules, options)
        try:
            ready = self._sessions.open()
            if source.adapter:
                self.has_protocol, self._is_server = True, source.adapter == "http"
                moves = str(options.stated.get("moves") or _ADAPTERS[source.adapter][1])
                self.options = shlex.join(["--moves", moves]) if "moves" in options.stated else ""
                self._asked_by = Convention("request", None, "none", moves)
                spoken = "a built-in engine" if source.adapter == "ours" else f"the protocol `{source.adapter}`"
                self.convention = f"{spoken}, moves: {moves} ({MOVES[moves]})"
                return
            arguments = ready.get("arguments")
            if not (isinstance(arguments, list | tuple) and [type(count) for count in arguments] == [int, int]):
                raise EngineError(f"{self.name} does not say how many arguments it takes; write a function.")
            second = in_one_line(ready.get("second", ""))[:40]
            # Numbers can be the engine's own stones, so they need a player.
            if stated.player is None and arguments[1] == 1 and (stated.marks or stated.board == "position"):
                stated = stated if stated.has_numbers else replace(stated, player="none")
            if not stated.is_whole:

                def write(form: Convention) -> str:
                    said = form.write(in_python=options.in_python)
                    if not options.in_python:
                        return f"{shlex.join(['mnk', 'verify', rules.name, self.name])} {said}"
                    named = repr(self.name) if isinstance(spec, str) else self.name
                    return f"verify({named}, {rules.name!r}, {said})"

                asks, side, keeps = self._sessions.run, options.side, options.keeps
                form = write if options.grades else Convention.write
                in_python = options.in_python
                error = GraderError(
                    suggest(asks, self.name, rules, stated, arguments, second, side, form, keeps, in_python=in_python)
                )
                error.longest *= 10  # several commands, each with the name of the engine
                raise error
            written = stated.write(in_python=options.in_python)
            if not arguments[0] <= (given := stated.count_arguments(arguments[1])) <= arguments[1]:
                takes = plural(arguments[0] if given < arguments[0] else arguments[1], "argument")
                raise GraderError(
                    f"{self.name} takes {takes}, and its stated convention ({written}) gives it {given}; state "
                    "another player, or write a wrapper: mnk verify --template wrapper.py."
                )
            self._asked_by = stated
            self.names_squares = stated.moves == "name"
            self.optional = second if arguments[0] < given == 2 and not stated.is_of_profile else ""
            self.second = second if stated.player in {"none", "own"} and not stated.is_of_profile else ""
            self.convention, self.options = written, stated.write()
        except BaseException:
            self._sessions.close()
            raise

    def prepare(self, side: Side) -> None:
        """Start a process for a side, if there is none. Raises EngineError, TooSlow and NotStarted."""
        self._sessions.prepare(side)

    def ask(self, positions: Iterable[Position], progress: Progress | None = None) -> bool:
        """Get the missing answers; return whether the time sufficed. Raises EngineError if the engine can't start."""
        new = [position for position in dict.fromkeys(positions) if position not in self.answers]
        found = self.request(new, progress) if new else []
        self.answers.update((position, one) for position, one in zip(new, found, strict=True) if one is not None)
        return None not in found

    def _ask_anew(self, form: Convention, positions: Sequence[Position]) -> list[EngineAnswer]:
        """Return the answers of new processes under a convention: timeouts if one starts too late, or if it gave up.

        They are new, because an engine may have learned its side or marks from the first position.
        """
        replies: Sequence[Mapping[str, Any] | None] = [None] * len(positions)
        if not self.gave_up and positions:
            self._sessions.close()
            with suppress(EngineError, NotStarted, TooSlow):
                replies = self._sessions.run([form.request(position, self.seed) for position in positions], self.until)
        return [form.read_answer(*pair) for pair in zip(replies, positions, strict=True)]

    def count_changes(self, positions: Sequence[Position]) -> int:
        """Return in how many of these positions the engine, asked again in new processes, answers differently."""
        known = [position for position in positions if position in self.answers]
        pairs = zip(self._ask_anew(self._asked_by, known), map(self.answers.__getitem__, known), strict=True)
        late = {Failure.TIMEOUT, Failure.CRASH}
        return sum(
            (one.move, one.failure) != (old.move, old.failure) and not late & {one.failure, old.failure}
            for one, old in pairs
        )

    def ignores_player(self, positions: Sequence[Position]) -> bool:
        """Return whether the engine gets a player and, with the other player, gives the same answers again."""
        form = self._asked_by
        if self.has_protocol or form.player in (None, "none", "own") or form.is_of_profile:
            return False
        x, o = form.player if isinstance(form.player, tuple) else (form.marks or ("X", "O"))[:2]
        return self._repeats(replace(form, player=(o, x)), positions)

    def ignores_marks(self, positions: Sequence[Position]) -> bool:
        """Return whether the engine gets marks and, with those of X and O exchanged, gives the same answers again."""
        form = self._asked_by
        return form.marks is not None and not form.is_of_profile and self._repeats(exchange_marks(form), positions)

    def _repeats(self, form: Convention, positions: Sequence[Position]) -> bool:
        return bool(positions) and all(
            None is not answer.legal_move == self.answers[position].legal_move
            for position, answer in zip(positions, self._ask_anew(form, positions), strict=True)
        )

    def find_better(self, wrong: Sequence[Position], right: Sequence[Position]) -> list[tuple[Convention, int]]:
        """Return other conventions in which the engine keeps the value in several positions of `wrong`.

        In nearly all positions of `right`, where it keeps the value now, it then still keeps it. With each convention,
        there is the number of positions of `wrong` where it keeps the value: as many with one as with another.
        """
        found, form = list[tuple[Convention, int]](), self._asked_by
        if self._keeps is None or self.gave_up or not form.marks or form.is_of_profile:
            return []
        x, o, empty = form.marks
        if form.player == "mark" or isinstance(form.player, tuple):
            others = [replace(form, player=(o, x) if form.player == "mark" else form.player[::-1])]
        else:
            own = replace(form, player="own")
            others = [one for one in (own, exchange_marks(own), replace(form, player="none")) if one != form]
        if isinstance(x, str) and isinstance(o, str):
            others += [
                replace(form, marks=(case(x), case(o), empty)) for case in (str.lower, str.upper) if case(x) != x
            ]
        for other in others:
            kept = self._count_kept(other, wrong)
            if 3 * kept > len(wrong) and 20 * self._count_kept(other, right) >= 19 * len(right):
                found.append((other, kept))
        most = max((kept for _, kept in found), default=0)
        return [one for one in found if one[1] == most]

    def _count_kept(self, form: Convention, positions: Sequence[Position]) -> int:
        """Return in how many positions the engine, asked again under a convention, keeps the value."""
        assert self._keeps is not None
        return sum(map(self._keeps, positions, self._ask_anew(form, positions)))

    def fits_order(self, order: str, positions: Sequence[Position]) -> bool:
        """Return whether the engine's moves are legal in these positions, asked again with another order of squares."""
        answers = self._ask_anew(replace(self._asked_by, order=order), positions)
        return all(answer.failure is None for answer in answers)

    def request(self, positions: Sequence[Position], progress: Progress | None = None) -> list[EngineAnswer | None]:
        """Return a new answer for each position; None if time ran out before the engine was asked."""
        requests = [{**self._asked_by.request(position, self.seed), **self.more} for position in positions]
        replies = self._sessions.run(requests, self.until, progress)
        self.gave_up = self._sessions.gave_up
        for reply in replies:
            kind = reply.get("kind") if reply and self.has_protocol else None
            if reply and kind == "protocol":
                raise EngineError(f"{self.name} can't be graded: {reply['error']}.")
            if reply and kind == "address" and self._is_server:  # no other engine may blame the grader
                raise GraderError(f"{self.name} can't be graded: {reply['error']}.")
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
        Convention.read({"moves": moves}, rules)
    except GraderError:
        return False
    return True


def _read_spec(spec: EngineSpec, entry: str) -> _Source:
    if not isinstance(spec, str):
        return _Source(in_one_line(getattr(spec, "__name__", type(spec).__name__)))
    _require_printable(spec)
    text = spec.strip()
    prefix, colon, rest = text.partition(":")
    if colon and prefix in _PREFIXES:
        return _Source(text, adapter=_PREFIXES[prefix], argument=text if _PREFIXES[prefix] == "http" else rest.strip())
    if found := _FILE.fullmatch(text):
        path = _resolve(found["file"])
        if not path.is_file():
            raise EngineError(f"There is no file {quoted(found['file'])}; check the path.")
        if path.suffix == ".ipynb":
            raise EngineError(
                f"{path.name} is a notebook, which Python can't import; "
                f"write a wrapper: mnk verify GAME {shlex.quote(found['file'])} "
                f"--template {shlex.quote(str(Path(found['file']).with_name('wrapper.py')))}."
            )
        name = found["name"] or entry
        return _Source(f"{found['file']}:{name}".rstrip(":"), name, file=str(path))
    if Path(text).suffix.lower() in _COMPILED or Path(text).is_file():
        command, brain = (shlex.quote(f"{kind}:./{Path(text).stem}") for kind in ("cmd", "gomocup"))
        raise EngineError(
            f"{quoted(text)} is not a Python file; name the command that runs it, such as {command}, or {brain} if it "
            "speaks Gomocup's protocol."
        )
    if any(info.name == prefix for info in list_engines()):
        return _Source(text, adapter="ours", argument=text)
    if not _find_module(prefix):
        raise EngineError(
            f"There is no engine {quoted(text)}; expected FILE.py:NAME, MODULE:NAME, cmd:COMMAND, an address, or one "
            "of those that `mnk engines` lists."
        )
    return _Source(f"{prefix}:{rest or entry}".rstrip(":"), rest or entry, module=prefix)


def _require_printable(spec: str) -> None:
    """Raise GraderError for a name with a newline or another sign that could forge a line of a report."""
    named = [spec]
    if spec.strip().startswith(("cmd:", "gomocup:")):
        with suppress(ValueError):  # an unfinished quotation; a script in a command may have several lines
            named = [word for word in shlex.split(spec.partition(":")[2]) if isfile(word)]
    for name in named:
        if not name.isprintable():
            raise GraderError(f"The name {quoted(name)} has a character that can't be printed; rename the file.")


def _derive_seed(seed: int) -> int:
    """Return a seed that an engine may know: it can't infer the stated one, from which the order of positions follows.

    It has 32 bits, the most that NumPy takes.
    """
    return int.from_bytes(hashlib.sha256(f"engine {seed}".encode()).digest()[:4])


def _resolve(path: str) -> Path:
    """Return a file's path without `..` and links to folders; the file itself may be a link."""
    return Path(path).parent.resolve() / Path(path).name


def _find_module(module: str) -> ModuleSpec | None:
    """Look for a module without importing its packages, whose code must not run in the grader's process."""
    top, *parts = module.split(".")
    try:
        spec = find_spec(top) or PathFinder.find_spec(top, [str(Path.cwd())])
    except ValueError:  # an empty name, or a module without a specification
        return None
    for part in parts:
        if spec is None or not spec.submodule_search_locations or not part:
            return None
        spec = PathFinder.find_spec(f"{spec.name}.{part}", spec.submodule_search_locations)
    return spec


def _split_command(source: _Source) -> list[str]:
    """Return the words of a program's command; none for any other engine. Raises EngineError."""
    try:
        return shlex.split(source.argument) if source.adapter in {"command", "gomocup"} else []
    except ValueError:
        raise EngineError(f"The command {quoted(source.argument)} has an unfinished quotation; close it.") from None


def _list_files(source: _Source) -> list[Path]:
    return [_resolve(word) for word in [*_split_command(source), source.file or ""] if Path(word).is_file()]


def find_files(text: str) -> list[Path]:
    """Return the files of the engine that a string names, without the system's programs. Raises EngineError."""
    source = _read_spec(text, "best_move")
    found = _find_module(source.module) if source.module else None
    files = [Path(found.origin)] if found and found.origin else _list_files(source)
    return [file for file in files if not is_of_system(file)]


def list_hidden(own: Sequence[Path], others: Iterable[Path]) -> list[str]:
    """Return the files and folders to hide from an engine with its `own` files, given the files of others.

    The folder of another engine is hidden if it contains nothing that this engine needs, otherwise only the file.
    """
    needed = [*(own or [Path.cwd()]), Path(sys.prefix), Path(sys.base_prefix)]
    hidden = list[Path]()
    for file in others:
        root = _find_root(file)
        if not any(one.is_relative_to(root) for one in needed):
            hidden.append(root)
        elif file not in own:
            hidden += [file, file.parent / "__pycache__"]
    return [*map(str, hidden)]


def _open_sessions(
    spec: EngineSpec, source: _Source, rules: Rules, options: AskOptions
) -> "tuple[Sessions | _InProcess, str]":
    """Return the sessions of an engine, and a description of where they run."""
    tables = [str(default_folder().absolute()), *([options.tables] if options.tables else [])]
    package, is_text = _HOST.parent.parent, isinstance(spec, str)
    profile = PROFILES.get(str(options.stated.get("profile") or ""))
    boards = {str(options.stated.get(name)) for name in ("board", "profile")}
    modules = ["numpy"] if boards & _ARRAYS else ["solver.game.position"] if "position" in boards else []
    if "numpy" in modules and not _find_module("numpy"):
        raise GraderError("This form of the board needs NumPy, which is missing; install it: `pip install numpy`.")
    setup = {
        **source._asdict(),
        "method": (profile and profile.entry) or "best_move",
        "module": f"solver.verification.adapters.{_ADAPTERS[source.adapter][0]}" if source.adapter else source.module,
        "folder": str(package.parent if source.adapter else Path.cwd()),
        "game": {
            **list_facts(rules),
            "rules": base64.b64encode(pickle.dumps(rules)).decode(),
            "variants": [*rules.variants],
        },
        "data": options.tables,
        "is_sandboxed": options.sandbox,
        "modules": modules,
        "seed": _derive_seed(options.seed),
        "paths": [str(Path(path or ".").absolute()) for path in sys.path],
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
    words, files = _split_command(source), _list_files(source)
    wrapper: tuple[str, ...] = ()
    if options.sandbox:
        if source.adapter == "http":
            raise GraderError("A server can't be put into a sandbox from here; leave out the option sandbox.")
        if "position" in boards:
            raise GraderError(
                "A sandbox hides this package, so the board can't be a solver.Position there; state another form of "
                "the board, such as notation."
            )
        if words:  # the sandbox begins in another folder
            setup["argument"] = shlex.join(str(_resolve(word)) if Path(word).is_file() else word for word in words)
        needed = [str(_find_root(file)) for file in files] or [str(Path.cwd())]
        uses_package = source.adapter in {"ours", "openspiel"}
        wrapper = wrap(needed, tables, options.hidden, shows_package=uses_package)
        where = SANDBOXED + "; but it can call this package" * uses_package
        if others := _list_rivals(source, needed, options.hidden):
            what = source.entry.rpartition(".")[2] or "functions"
            where += f"; it can also read {join_names(others, 'and')}, which define {what} too"
    words = [*wrapper, sys.executable, "-B", "-P", str(_HOST)]
    launch = launch_program(words, ENVIRONMENT, FOLDER) if wrapper else launch_program(words)
    at_once = 1 if source.adapter == "http" else None  # a server may serve one client at a time
    return Sessions(launch, setup, options.limits, at_once), where


def _find_root(file: Path) -> Path:
    """Return the folder that an engine's file needs: its own, or that of its outermost package; at least the file."""
    root = file.parent
    while (root / "__init__.py").is_file() and (root.parent / "__init__.py").is_file():
        root = root.parent
    return file if root in {Path("/"), Path("/tmp"), Path.home()} else root


def _list_rivals(source: _Source, needed: Iterable[str], hidden: Iterable[str]) -> list[str]:
    """Return Python files in the engine's folder, and in folders there, that define a function of the same name.

    A sandbox shows them, and they may be the work of others.
    """
    name = re.escape(source.entry.rpartition(".")[2]) or r"\w+"
    unseen, found = {Path(one).absolute() for one in hidden}, list[str]()
    if source.adapter:
        return found
    for folder in map(Path, needed):
        own = {Path(source.file or ""), folder / f"{(source.module or '').replace('.', '/')}.py"}
        for path in sorted({*folder.glob("*.py"), *folder.glob("*/*.py")} - own):
            if unseen.isdisjoint({path, *path.parents}) and path.is_file():
                text = path.read_text(encoding="utf-8", errors="replace")
                found += [in_one_line(path.relative_to(folder))] if re.search(rf"\bdef {name}\(", text) else []
    return found


class _InProcess:
    """Calls an engine in this process, without limits; for systems without other processes, such as a browser."""

    gave_up = False

    def __init__(self, engine: object, setup: Mapping[str, Any]) -> None:
        self._function = host.renew(partial(host.find_function, engine, setup["method"]))
        self._game = setup["game"]

    def open(self) -> dict[str, Any]:
        return {"arguments": host.count_arguments(self._function), "second": host.name_second(self._function)}

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

    def prepare(self, player: object) -> None:
        pass

    def close(self) -> None:
        pass
