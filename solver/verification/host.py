"""Run an engine in a separate process: read one request per line, write one answer per line.

    {"n": "6f1c...", "cells": "XO..X....", "board": "XO./.X./...", "player": "O", "moves": [2, 3, 5, 6, 7, 8], ...}
    {"n": "6f1c...", "move": [2, 2]}

The first line is the setup, which `find_engine.py` writes. The host answers `loading` before it runs any of the
engine's code, and then the number of arguments that the engine takes, and the name of the second. An engine's class is
instantiated anew for each position. The nonce `n` ties an answer to its request. The engine's output goes to standard
error.

This file imports only the standard library, so that no module of this package is imported in place of an engine's
module of the same name. Only some board forms (such as `position`) and engines of this package import more.
"""

import base64
import importlib
import importlib.util
import inspect
import json
import math
import os
import pickle
import random
import signal
import sys
import tempfile
from ast import literal_eval
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Any

Request = dict[str, Any]

LONGEST = 300  # the most characters of an error or of an object's text in an answer
_LONGEST_BOARD = 800  # those of a text that is returned: the rows of 361 squares, or their names

_ADVICE = (
    ". Install the missing package, or write a wrapper that does without it (mnk verify --template)",
    ". If it needs a keyboard, a window or arguments, write a wrapper (mnk verify --template)",
)
_WIDEST, _DEEPEST = 400, 3  # items of a list in an answer, and lists within lists
_LARGEST = 1 << 53
_CHEAP, _SLOW = 0.05, 1.0  # seconds: of making an object for each position, and of a call that may have prepared it
_MOST_FILES, _MOST_BYTES_OF_A_FILE = 1024, 10**7
_PARENT_DEATH_SIGNAL, _SECCOMP, _CHILD_SUBREAPER = 1, 22, 36  # of prctl
_CALLS = {  # by architecture, the numbers of: fcntl; chmod, its variants; and calls that reach beyond a sandbox
    0xC000003E: ((72,), (90, 91, 268, 452), (165, 188, 189, 190, 203, 248, 249, 250, 425, 430, 463)),  # x86_64
    0x40000003: ((55, 221), (15, 94, 306, 452), (21, 226, 227, 228, 241, 286, 287, 288, 425, 430, 463)),  # i386
    0xC00000B7: ((25,), (52, 53, 452), (40, 5, 6, 7, 122, 217, 218, 219, 425, 430, 463)),  # aarch64
}
_SET_LEASE = 1024  # of fcntl


class EngineFailure(Exception):
    """A failure of an engine outside this process, such as a program that has ended; `kind` names the failure."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


# Arguments


class _Observation(dict[str, Any]):
    """A dictionary whose items are attributes too, as `Struct` in Kaggle's environments."""

    def __init__(self, **items: Any) -> None:
        super().__init__(items)
        vars(self).update(items)

    def __setattr__(self, name: str, value: Any) -> None:
        vars(self)[name] = self[name] = value


def make_arguments(form: dict[str, Any], request: Request, game: dict[str, Any]) -> list[Any]:
    """Return the arguments of an engine's function: the board in its stated form and, if stated, the player.

    form: the fields of a `Convention`: `board`, `marks` (X, O, empty), `player` and `moves`.
    """
    board, cells, side = form["board"], request["cells"], "XO".index(request["player"])
    columns, taken = game["columns"], len(cells) - cells.count(".")
    names = (form["marks"] or "XO") if form["player"] == "mark" else form["player"]
    player = [] if names in (None, "none", "own") else [names[side]]
    if board == "request":  # used by the engines in `adapters/`
        return [request]
    if board == "position":
        own = _import_own("solver.game.position")
        return [own.Position.parse(read_rules(game), request["board"]), *player]
    if board == "kaggle":
        seen = {"board": [".XO".index(cell) for cell in cells], "mark": side + 1, "step": taken}
        size = {"rows": game["rows"], "columns": columns, "inarow": game["k"], "episodeSteps": len(cells) + 1}
        limits = {"timeout": 2, "actTimeout": 2, "agentTimeout": 60, "runTimeout": 1200}
        return [_Observation(**seen, remainingOverageTime=60), _Observation(**size, **limits)]
    if board == "aima":
        own = _load_file("mnk_aima_game", Path(__file__).parents[1] / "game" / "aima_game.py")
        given_game = own.TicTacToe(game)
        stones = {given_game.move(square): cell for square, cell in enumerate(cells) if cell != "."}
        return [given_game, own.GameState(request["player"], 0, stones, [*map(given_game.move, request["moves"])])]
    if board == "pettingzoo":
        return [_observe_as_pettingzoo(cells, side, request, game)]
    marks = mark_squares(form, request, columns)
    width = len(cells) // columns if form["order"].startswith("columns") else columns
    rows = [marks[start : start + width] for start in range(0, len(marks), width)]
    if board in {"array", "flat array"}:
        numpy = importlib.import_module("numpy")
        empty = [_mark_empty(form["marks"], place) for place in range(len(cells))]
        every = [*(form["marks"] or "XO")[:2], *empty]  # the same type in all positions
        kinds = {isinstance(mark, str) + 2 * (mark is None) for mark in every}
        dtype = numpy.array(every).dtype if len(kinds) == 1 else object
        given: Any = numpy.array(rows if board == "array" else marks, dtype)
    elif board == "notation":
        left = iter(marks)
        given = "".join(cell if cell == "/" else str(next(left)) for cell in request["board"])
    elif board == "string":
        given = "".join(map(str, marks))
    else:
        given = {"rows": rows, "flat": marks, "flat from 1": [_mark_empty(form["marks"], -1), *marks]}[board]
    return [given, *player]


def mark_squares(form: dict[str, Any], request: Request, columns: int) -> list[Any]:
    """Return the marks on the squares, in the order in which the engine numbers them."""
    cells, (own, other, _) = request["cells"], form["marks"] or "XO."
    squares = order_squares(form["order"], len(cells), columns)
    is_swapped = form["player"] == "own" and request["player"] == "O"
    marks = {"X": other if is_swapped else own, "O": own if is_swapped else other}
    signs = [marks.get(cells[square]) for square in squares]
    for place, square in enumerate(squares):
        if cells[square] == ".":
            signs[place] = _mark_empty(form["marks"], place)
    return signs


@lru_cache
def order_squares(order: str, count: int, columns: int) -> list[int]:
    """Return the squares in the order in which an engine numbers them."""
    if order == "rows":
        return [*range(count)]
    by_columns, sign = order.startswith("columns"), -1 if order.endswith("bottom") else 1
    places = {square: (sign * (square // columns), square % columns) for square in range(count)}
    return sorted(places, key=lambda square: places[square][::-1] if by_columns else places[square])


def _mark_empty(marks: Any, place: int) -> Any:
    """Return the mark of an empty square; the mark `1..` numbers the squares from 1, and `'1'..` does so as strings."""
    empty = (marks or "XO.")[2]
    if not (isinstance(empty, str) and len(empty) > 2 and empty.endswith("..")):
        return empty
    first = literal_eval(empty[:-2])
    return type(first)(int(first) + place)


def _import_own(name: str) -> Any:
    """Import a module of this package, never one in the engine's folder."""
    home = str(Path(__file__).resolve().parents[2])
    sys.path.insert(0, home)
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(home)


def read_rules(game: dict[str, Any]) -> Any:
    """Return the `Rules` of the game, for engines that use this package."""
    return pickle.loads(base64.b64decode(game["rules"]))


def _observe_as_pettingzoo(cells: str, side: int, request: Request, game: dict[str, Any]) -> dict[str, Any]:
    """Return the observation of PettingZoo's `connect_four_v3` (gravity) or `tictactoe_v3` (squares by column)."""
    numpy = importlib.import_module("numpy")
    shape = game["rows"], game["columns"]
    planes = [numpy.array([cell == mark for cell in cells]).reshape(shape) for mark in ("XO"[side], "OX"[side])]
    legal = numpy.zeros(game["columns"] if game["gravity"] else len(cells), numpy.int8)
    for square in request["moves"]:
        row, column = divmod(square, shape[1])
        legal[column if game["gravity"] else column * shape[0] + row] = 1
    if not game["gravity"]:
        planes = [plane.T for plane in planes]
    return {"observation": numpy.stack(planes, axis=-1).astype(numpy.int8), "action_mask": legal}


# Answers


def answer(function: Callable[..., Any], request: Request, game: dict[str, Any]) -> dict[str, Any]:
    """Call the engine and return its answer as plain data: `move` and perhaps `value`, or `error` and `kind`."""
    nonce, form = request["n"], request["form"]
    places, is_adapter = form["moves"] in ("board", None), form["board"] == "request"  # None: a trial of several forms
    _seed(request["seed"])
    try:
        given = make_arguments(form, request, game)
        if form["board"] == "kaggle":  # which passes as many arguments as the agent takes
            given = given[: count_arguments(function)[1]]
        returned = function(*given)
        if places and (returned is None or (returned is True and form["moves"] == "board")):
            returned = given[0]  # the engine has put its stone on the given board
        value = None
        if isinstance(returned, dict) and "move" in {*dict.keys(returned)} and form["moves"] != "board":
            value = dict.get(returned, "value")
            returned = dict.get(returned, "move")
        found = {"n": nonce, "move": _make_plain(returned)}
        return found if value is None else {**found, "value": _read_value(value)}
    except BaseException as error:  # any exception is the engine's answer, even SystemExit
        if is_adapter and type(error).__name__ == EngineFailure.__name__:  # adapters import this file by another name
            return {"n": nonce, "error": str(error)[:LONGEST], "kind": getattr(error, "kind", "")}
        return {"n": nonce, "error": describe_error(error), "kind": "exception"}


def _make_plain(found: Any, depth: int = 0) -> Any:
    """Copy numbers, strings and lists, with limits on their size; describe any other object by a string."""
    size = getattr(found, "size", 0)  # a method of tensors
    name = next((one for one in ("tolist", "item", "numpy") if hasattr(type(found), one)), "")
    if name and not (isinstance(size, int) and size > _WIDEST):  # NumPy, PyTorch, pandas, JAX, TensorFlow
        found = getattr(found, name)()
    if isinstance(found, int) and abs(int(found)) < _LARGEST:
        return int(found)
    if found is None or (isinstance(found, float) and math.isfinite(found)):
        return found if found is None else float(found)
    if isinstance(found, str):
        return str.__str__(found)[:_LONGEST_BOARD]
    if isinstance(found, list | tuple) and depth < _DEEPEST:
        return [_make_plain(item, depth + 1) for item in islice(found, _WIDEST + 1)]
    if type(found).__name__ == "Position" and isinstance(getattr(found, "board", None), str):
        return found.board
    try:
        text = repr(found)[:LONGEST]
    except Exception:
        text = ""
    return {"object": f"{type(found).__name__} {text}".strip()[:LONGEST]}


def _read_value(value: Any) -> float:
    try:
        return float(value)
    except Exception:  # the move counts, whatever its value is
        return math.nan


def describe_error(error: BaseException) -> str:
    """Describe an exception in one line of text, with the file and line where it was raised."""
    try:
        text = " ".join(f"{type(error).__name__}: {error}"[:1000].split())
    except BaseException:  # its text comes from the engine's code too
        text = type(error).__name__
    if isinstance(error, EOFError):
        text += " (it reads from the keyboard)"
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    file = os.path.basename(trace.tb_frame.f_code.co_filename) if trace is not None else ""
    is_shown = file and not file.startswith("<") and trace is not None and trace.tb_frame.f_code.co_filename != __file__
    place = f" ({file}:{trace.tb_lineno})" if is_shown and trace else ""
    return text[: LONGEST - len(place)] + place


def _seed(seed: int) -> None:
    random.seed(seed)
    with suppress(AttributeError, TypeError):  # a module of the engine's own may have the name
        sys.modules["numpy"].random.seed(seed) if "numpy" in sys.modules else None


# Finding the engine


def load_engine(setup: dict[str, Any]) -> Callable[[], Callable[..., Any]]:
    """Return a function that returns the engine's function, with new objects if it is a class's.

    Raises LookupError and any error of the engine's code.
    """
    if setup["file"]:
        module = _import_file(Path(setup["file"]))
    else:
        # The folder of an engine's module comes last, so that a file there can't replace an installed package.
        sys.path.insert(0 if setup["adapter"] else len(sys.path), setup["folder"])
        module = importlib.import_module(setup["module"])
    if setup["adapter"]:
        opened = getattr(module, f"open_{setup['adapter']}")(setup)
        return lambda: opened
    return partial(_find_entry, module, setup["entry"], setup["method"])


def _find_entry(module: Any, name: str, method: str) -> Callable[..., Any]:
    found: Any = module
    if not name:  # as Kaggle does
        found = [item for key, item in vars(module).items() if callable(item) and not key.startswith("__")][-1:]
        if not found:
            raise LookupError(f"there is no function in {module.__name__}")
        return find_function(found[0], method)
    for part in name.split("."):
        found = found() if isinstance(found, type) else found
        if not hasattr(found, part):
            there = [key for key, item in vars(module).items() if callable(item) and not key.startswith("_")]
            own = [key for key in there if getattr(vars(module)[key], "__module__", "") == module.__name__]
            listed = f"it defines {', '.join(own[:8])}; name one, FILE:NAME"
            listed = listed if own else "it defines no function; if it reads positions, write 'cmd:python3 FILE'"
            raise LookupError(f"there is no function {name} in {module.__name__}; {listed}")
        found = getattr(found, part)
    return find_function(found, method)


def find_function(found: Any, method: str = "best_move") -> Callable[..., Any]:
    """Return an engine's function: the engine itself, or a method of a class or object."""
    if isinstance(found, type):
        found = found()
    for choice in (getattr(found, method, None), getattr(found, "best_move", None), found):
        if callable(choice):
            function: Callable[..., Any] = choice
            return function
    raise LookupError(
        f"{type(found).__name__} can't be called; name a function, a class with {method}, or CLASS.METHOD"
    )


def renew(make: Callable[[], Callable[..., Any]]) -> Callable[..., Any]:
    """Return the function that `make` returns, made anew for each call: positions are independent of each other.

    It is kept if making it takes long, or from the first long call, which may have prepared the others.
    """
    began = monotonic()
    function = make()
    is_kept = monotonic() - began > _CHEAP
    if inspect.isfunction(function) or is_kept:
        return function

    def call(*given: Any) -> Any:
        nonlocal function, is_kept
        function = function if is_kept else make()
        began = monotonic()
        try:
            return function(*given)
        finally:
            is_kept = is_kept or monotonic() - began > _SLOW

    call.__wrapped__ = function  # type: ignore[attr-defined] # inspect.signature follows it
    return call


def count_arguments(function: Callable[..., Any]) -> tuple[int, int]:
    """Return the fewest and the most positional arguments that a function takes."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 1, 2
    places = [one for one in parameters if one.kind in {one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD}]
    more = 2 * any(one.kind is one.VAR_POSITIONAL for one in parameters)
    return sum(one.default is one.empty for one in places), len(places) + more


def name_second(function: Callable[..., Any]) -> str:
    """Return the name of a function's second parameter; empty if there is none."""
    with suppress(TypeError, ValueError):
        named = [one for one in inspect.signature(function).parameters.values() if "VAR" not in one.kind.name]
        return "".join(one.name for one in named[1:2])
    return ""


def _import_file(path: Path) -> Any:
    """Import a file as Python would: from its own folder, or from the folder above its package."""
    root = path.parent
    while (root / "__init__.py").is_file():
        root = root.parent
    os.chdir(path.parent)
    sys.path.insert(0, str(root))
    parts = path.relative_to(root).with_suffix("").parts
    if root != path.parent:
        sys.path.insert(1, str(path.parent))  # for modules beside it, as if it were run
        if not any("." in part for part in parts) and parts[0] not in sys.modules:
            return importlib.import_module(".".join(parts))
    return _load_file(path.stem if path.stem not in sys.modules else f"engine_{path.stem}", path)


@lru_cache
def _load_file(name: str, path: Path) -> Any:
    """Import a file as a module of this name, from no package."""
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise LookupError(f"{path.name} is not a Python file")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# Bounds


def bound_process(memory: int | None) -> None:
    """Limit the resources of this process and its descendants (setrlimit)."""
    with suppress(ImportError):
        import resource

        limits = {resource.RLIMIT_NOFILE: _MOST_FILES, resource.RLIMIT_FSIZE: _MOST_BYTES_OF_A_FILE}
        limits |= {resource.RLIMIT_CORE: 0, **({resource.RLIMIT_DATA: memory} if memory else {})}
        for kind, most in limits.items():
            hard = resource.getrlimit(kind)[1]
            bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
            with suppress(ValueError, OSError):
                resource.setrlimit(kind, (bound, bound))


def forbid_calls() -> None:
    """Forbid this process and its descendants the system calls that reach beyond a sandbox (seccomp).

    These mount file systems, choose cores, store keys and lease files, so that others wait for them. A user that owns
    the devices, such as root, can't change permissions either. Raises OSError.
    """
    if os.uname().machine not in {"x86_64", "aarch64"}:
        return
    import ctypes
    import struct

    refuse, allow = (0x06, 0, 0, 0x50001), (0x06, 0, 0, 0x7FFF0000)  # return EPERM; proceed
    owns_devices = os.stat(os.devnull).st_uid == os.getuid()
    program = [(0x20, 0, 0, 4)]  # load the architecture
    for architecture, (controls, modes, others) in _CALLS.items():
        steps = [(0x20, 0, 0, 0), (0x35, 0, 1, 1 << 30), refuse]  # load the number; refuse those of x32
        for number in (*others, *modes * owns_devices):
            steps += [(0x15, 0, 1, number), refuse]
        for number in controls:
            steps += [(0x15, 0, 4, number), (0x20, 0, 0, 24), (0x15, 0, 1, _SET_LEASE), refuse, allow]
        program += [(0x15, 0, len(steps) + 1, architecture), *steps, allow]
    program.append(refuse)
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in program))
    if ctypes.CDLL(None).prctl(_SECCOMP, 2, struct.pack("HP", len(program), ctypes.addressof(code)), 0, 0):
        raise OSError("this kernel can't filter system calls (seccomp)")


# The process


def _supervise() -> None:
    """Go on in a child process (Linux).

    This process adopts what the child leaves behind, runs none of the engine's code, and kills all of it when the child
    or the grader ends. It ends as the child does.
    """
    if sys.platform != "linux":
        return
    import ctypes

    ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGTERM, 0, 0, 0)  # when the grader ends
    ctypes.CDLL(None).prctl(_CHILD_SUBREAPER, 1, 0, 0, 0)
    child = os.fork()
    if not child:
        os.setpgid(0, 0)
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        return
    os.closerange(0, _MOST_FILES)  # the pipes end with the child
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    code = -signal.SIGKILL
    with suppress(BaseException):
        ended, status = 0, 0
        while ended != child:
            ended, status = os.wait()
        code = os.waitstatus_to_exitcode(status)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with suppress(ChildProcessError):
        while True:
            for name in os.listdir("/proc"):
                with suppress(OSError, ValueError, IndexError):
                    stat = Path("/proc", str(int(name)), "stat").read_text(errors="replace")
                    if int(stat.rpartition(")")[2].split()[1]) == os.getpid():
                        os.kill(int(name), signal.SIGKILL)
            os.wait()
    if code < 0:
        bound_process(None)  # no core dump
        signal.signal(-code, signal.SIG_DFL) if -code != signal.SIGKILL else None
        os.kill(os.getpid(), -code)
    os._exit(code)


def serve(engine: Any = None) -> None:
    """Read the setup, then requests, from the standard input until its end, and write answers to the standard output.

    The streams are hidden from the engine. engine: an object to call in this process; by default the setup names a
    file, a module or one of `adapters/`.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the grader, which ends this process
    _supervise()
    requests, replies, null = os.dup(0), os.dup(1), os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - it lives as long as the process
    sys.stdout = sys.stderr = open(1, "w", 1, encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115 - likewise
    reader = os.fdopen(requests, "rb")
    setup = json.loads(reader.readline())
    bound_process(setup["memory"])
    tempfile.tempdir = None
    forbid_calls() if setup["is_sandboxed"] else None
    sys.path += [path for path in setup["paths"] if path not in sys.path]
    for name in setup["modules"]:  # before a file of the engine's own can take the name
        _import_own(name)
    _seed(setup["seed"])
    _write(replies, {"loading": True})  # what fails later is the engine's fault
    try:
        function = renew(load_engine(setup) if engine is None else partial(find_function, engine, setup["method"]))
        ready = {"ready": {"arguments": count_arguments(function), "second": name_second(function)}}
    except BaseException as error:  # loading runs the engine's code
        is_sentence = type(error) is LookupError or hasattr(error, "exit_code")  # an error of this package
        said = str(error).rstrip(".") if is_sentence else describe_error(error)
        said += "" if is_sentence or isinstance(error, SyntaxError) else _ADVICE[not isinstance(error, ImportError)]
        _write(replies, {"failed": said})
        return
    _write(replies, ready)
    own = os.getpid()
    while line := reader.readline():
        handler = signal.getsignal(signal.SIGINT)  # an engine may limit its time with `_thread.interrupt_main`
        signal.signal(signal.SIGINT, signal.default_int_handler) if handler == signal.SIG_IGN else None
        reply = answer(function, json.loads(line), setup["game"])
        signal.signal(signal.SIGINT, signal.SIG_IGN) if handler == signal.SIG_IGN else None
        if os.getpid() != own:  # a copy that the engine has made of this process
            os._exit(0)
        with suppress(Exception):  # an engine may have closed them
            sys.stdout.flush()
            sys.stderr.flush()
            os.write(1, b"\0")  # separates this request's output from the next one's
        _write(replies, reply)


def _write(file: int, message: dict[str, Any]) -> None:
    data = json.dumps(message).encode() + b"\n"
    while data:
        data = data[os.write(file, data) :]


if __name__ == "__main__":
    serve()
