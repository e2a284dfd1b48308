"""An engine that plays the first empty square, and misbehaves in the way WAY if two stones are on the board.

Processes that it starts end by themselves after some seconds; the file STARTED lists their numbers.
"""

import ctypes
import gc
import json
import mmap
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

Board = list[Any]
SECONDS = 15  # that started processes run
_wait: Callable[..., Any] = time.sleep


def best_move(board: Board) -> Any:
    if board.count(" ") != 7:
        return first(board)
    return WAYS[os.environ["WAY"]](board)


def first(board: Board) -> int:
    return board.index(" ")


def _record(pid: int) -> int:
    with open(os.environ["STARTED"], "a", encoding="ascii") as file:
        file.write(f"{pid}\n")
    return pid


def _sleep_as_child(**more: Any) -> int:
    """Fork a child that sleeps."""
    if child := os.fork():
        return _record(child)
    try:
        for number in more.get("ignored", ()):
            signal.signal(number, signal.SIG_IGN)
        if more.get("alone"):
            os.setsid()
        if "environment" in more:
            os.execve("/bin/sleep", ["sleep", str(SECONDS)], more["environment"])
        time.sleep(SECONDS)
    finally:
        os._exit(0)


# Returned values: each must fail


class _Anything:
    def __getattr__(self, name: str) -> Any:
        return _Anything()

    def __call__(self, *_: Any, **__: Any) -> Any:
        return _Anything()


class _Unspeakable(Exception):
    def __str__(self) -> str:
        raise ValueError

    __repr__ = __str__


class _Long:
    def __repr__(self) -> str:
        return "x" * 10**7


class _BadIndex:
    def __index__(self) -> int:
        raise RuntimeError("no number")


class _Lies:
    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return int


class _Whole(int):
    def __gt__(self, other: object) -> bool:
        raise RuntimeError("not to be compared")

    __lt__ = __abs__ = __int__ = __gt__  # type: ignore[assignment]


class _Text(str):
    __slots__ = ()

    def __str__(self) -> str:
        raise RuntimeError("no text")

    __getitem__ = strip = __str__  # type: ignore[assignment]


class _EndlessDict(dict[Any, Any]):
    def items(self) -> Any:
        while True:
            yield 1, 2

    __iter__ = keys = items


class _EndlessList(list[Any]):
    def __iter__(self) -> Iterator[int]:
        while True:
            yield 8


class _Array:
    size = 1

    def tolist(self) -> Any:
        raise SystemExit("no list")


class _Pickled:
    def __reduce__(self) -> Any:
        return os.abort, ()


def _nest(depth: int, width: int) -> Any:
    found: Any = 8
    for _ in range(depth):
        found = [found] * width
    return found


def _contain_itself() -> Any:
    found: list[Any] = []
    found.append(found)
    return found


RETURNS: dict[str, Callable[[Board], Any]] = {
    "huge number": lambda _: 10**5000, "huge negative number": lambda _: -(10**5000),
    "huge text": lambda _: "8" * 10**6, "deep list": lambda _: _nest(10**5, 1), "wide list": lambda _: [8] * 10**6,
    "laughs": lambda _: _nest(12, 10), "not a number": lambda _: float("nan"), "infinity": lambda _: float("inf"),
    "half a square": lambda _: 7.5, "bytes": lambda _: b"\x00\xff" * 10, "surrogate": lambda _: "\ud800",
    "newlines": lambda _: '8\n{"n": "0", "move": 8}\n', "generator": lambda _: (square for square in range(9)),
    "itself in itself": lambda _: _contain_itself(), "module": lambda _: os, "class": lambda _: _Anything,
    "nothing": lambda _: None, "decimal": lambda _: Decimal(8), "fraction": lambda _: Fraction(8),
    "complex": lambda _: 8 + 0j, "answers anything": lambda _: _Anything(),
    "raises when written": lambda _: _Unspeakable(), "long when written": lambda _: _Long(),
    "raises as index": lambda _: _BadIndex(), "lies about its class": lambda _: _Lies(),
    "raises as list": lambda _: _Array(), "endless dictionary": lambda _: _EndlessDict(),
    "endless list": lambda _: _EndlessList(),
    "dictionary of a forged answer": lambda _: {"n": "0", "error": "", "move": {"move": 8}},
    "runs when unpickled": lambda _: _Pickled(), "itself": lambda _: best_move, "off the board": lambda _: 9,
    "before the board": lambda _: -1, "a taken square": lambda board: board.index("X"),
}  # fmt: skip

ALMOST: dict[str, Callable[[Board], Any]] = {
    "raises when compared": lambda _: _Whole(8),
    "text that raises": lambda _: _Text("8"),
    "true number as text": lambda _: "8",
}
"""These may be read as the last square."""

# Exceptions and exits: each must fail


def _raise(error: BaseException) -> Any:
    raise error


def _recurse(board: Board) -> Any:
    return _recurse(board)


def _ignore_signals(_: Board) -> None:
    for number in {*signal.Signals} - {signal.SIGKILL, signal.SIGSTOP}:
        with suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_IGN)
    time.sleep(SECONDS)


def _eat_slowly(_: Board) -> None:
    eaten = []
    while True:
        eaten.append(os.urandom(1 << 20))
        time.sleep(0.02)


def _freeze(_: Board) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def _loop(_: Board) -> None:
    while True:
        with suppress(BaseException):
            while True:
                pass


def _alarm(_: Board) -> None:
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    time.sleep(1)


def _hold_the_interpreter(_: Board) -> None:
    pow(7, 10**9)


def _die_with_children(_: Board) -> None:
    for _number in range(5):
        _sleep_as_child(alone=True)
    os._exit(0)


def _die_as_daemon(_: Board) -> None:
    if not os.fork():
        os.setsid()
        _sleep_as_child(alone=True, environment={})
        os._exit(0)
    time.sleep(0.2)
    os.kill(os.getpid(), signal.SIGKILL)


ENDS: dict[str, Callable[[Board], Any]] = {
    "interrupt": lambda _: _raise(KeyboardInterrupt()), "leaves": lambda _: sys.exit(3),
    "leaves well": lambda _: sys.exit(0), "generator exit": lambda _: _raise(GeneratorExit()),
    "stop iteration": lambda _: _raise(StopIteration(8)), "error without text": lambda _: _raise(_Unspeakable()),
    "error with much text": lambda _: _raise(ValueError("x" * 10**7)),
    "error with odd text": lambda _: _raise(ValueError("a\ud800\nb\x1b[2J")), "recursion": _recurse,
    "hunger": lambda _: len(bytearray(10**10)), "slow hunger": _eat_slowly, "reads": lambda _: int(input()),
    "ends well": lambda _: os._exit(0), "ends": lambda _: os._exit(3), "aborts": lambda _: os.abort(),
    "segfaults": lambda _: ctypes.string_at(0), "kills itself": lambda _: os.kill(os.getpid(), signal.SIGKILL),
    "kills its group": lambda _: os.killpg(0, signal.SIGKILL),
    "ignores signals": _ignore_signals, "freezes": _freeze, "loops": _loop, "alarm": _alarm,
    "holds the interpreter": _hold_the_interpreter, "dies with children": _die_with_children,
    "dies as a daemon": _die_as_daemon,
    "runs another program": lambda _: os.execv("/bin/sleep", ["sleep", str(SECONDS)]),
}  # fmt: skip

# Side effects; the answer, the first empty square, may count


def _start_threads(count: int) -> None:
    for _ in range(count):
        threading.Thread(target=time.sleep, args=(9,), daemon=True).start()


def _fork(times: int) -> None:
    for _ in range(times):
        os.fork()


def _leave_a_daemon(**more: Any) -> None:
    child = os.fork()
    if not child:
        os.setsid()
        _sleep_as_child(**more)
        os._exit(0)
    os.waitpid(child, 0)


def _bomb() -> None:
    """Fork processes that fork others, until the time limit."""
    end = time.monotonic() + 2
    if os.fork():
        return
    os.setsid()
    while time.monotonic() < end:
        with suppress(OSError):
            os.fork()
        time.sleep(0.2)
    os._exit(0)


def _flood(file: int, data: bytes, times: int) -> None:
    for _ in range(times):
        os.write(file, data)


def _leave_files() -> None:
    folder = tempfile.mkdtemp()
    for number in range(20):
        Path(folder, f"{number}").write_bytes(bytes(1000))
    Path(folder).chmod(0o500)


def _write_too_much() -> None:
    with tempfile.NamedTemporaryFile() as file:
        file.write(bytes(2 * 10**7))
        file.flush()


def _share_memory() -> None:
    held = mmap.mmap(-1, 1 << 26)
    held.write(bytes(1 << 26))
    gc.disable()


def _close(first_file: int) -> None:
    os.closerange(first_file, 1000)


def _pipes() -> Iterator[int]:
    for name in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            if int(name) > 2 and "pipe" in os.readlink(f"/proc/self/fd/{name}"):
                yield int(name)


def _send(*lines: Any) -> None:
    for file in _pipes():
        for line in lines:
            with suppress(OSError):
                os.set_blocking(file, False)
                os.write(file, json.dumps(line).encode() + b"\n")


BESIDES: dict[str, Callable[[Board], Any]] = {
    "returns twice": lambda _: _fork(1), "returns often": lambda _: _fork(4),
    "leaves a child": lambda _: _sleep_as_child(),
    "leaves a deaf child": lambda _: _sleep_as_child(alone=True, ignored=[signal.SIGTERM, signal.SIGHUP]),
    "leaves a daemon": lambda _: _leave_a_daemon(),
    "leaves a daemon without environment": lambda _: _leave_a_daemon(alone=True, environment={}),
    "leaves a program": lambda _: _record(
        subprocess.Popen(["sleep", str(SECONDS)], start_new_session=True, env={}).pid
    ),
    "leaves a pool": lambda _: multiprocessing.Pool(2).map(abs, [1]),
    "many children": lambda _: [_sleep_as_child() for _ in range(80)] + [_wait(0.5)], "bomb": lambda _: _bomb(),
    "many threads": lambda _: _start_threads(50),
    "a thread that stays": lambda _: threading.Thread(target=time.sleep, args=(SECONDS,)).start(),
    "many files": lambda _: [open(os.devnull, "rb") for _ in range(2000)],  # noqa: SIM115 - they are to stay open
    "large file": lambda _: _write_too_much(), "leaves files": lambda _: _leave_files(),
    "goes elsewhere": lambda _: os.chdir("/"), "shares memory": lambda _: _share_memory(),
    "much output": lambda _: print("again and again\n" * 10**5),
    "much raw output": lambda _: _flood(2, b"x" * (1 << 16), 200),
    "odd output": lambda _: os.write(1, b"\x00-1\x01\x00\x1b[2J\xff" * 1000),
    "no output": lambda _: vars(sys).update(stdout=None, stderr=None), "closes everything": lambda _: _close(3),
    "closes even more": lambda _: _close(0), "empties the board": lambda board: board.clear(),
    "fills the board": lambda board: board.extend([0] * 10**6),
    "spoils the board": lambda board: board.insert(0, _Unspeakable()),
    "ends json": lambda _: setattr(json, "dumps", None),
    "traces": lambda _: sys.settrace(lambda *_: _raise(ValueError("traced"))),
}  # fmt: skip

# Forged answers: each must fail, or must not improve its answer, a taken square


def _forge_by_its_caller(_: Board) -> None:
    frame: Any = sys._getframe()
    while frame is not None:
        if "nonce" in frame.f_locals:
            _send({"n": frame.f_locals["nonce"], "error": "none", "kind": "none"}, {"n": frame.f_locals["nonce"]})
        frame = frame.f_back


FORGES: dict[str, Callable[[Board], Any]] = {
    "forges replies": lambda _: _send(*[{"n": f"{n:016x}", "move": 8} for n in range(20)]),
    "forges facts": lambda _: _send({"ready": {"stated": None, "arguments": [1, 1]}}, "rubbish", 7, [], {"a": 1}),
    "forges half a line": lambda _: [os.write(file, b'{"n": "') for file in _pipes() if file],
    "forges by its caller": _forge_by_its_caller,
}


def _then(way: Callable[[Board], Any], choose: Callable[[Board], int]) -> Callable[[Board], int]:
    def run(board: Board) -> int:
        square = choose(board)
        way(board)
        return square

    return run


def _taken(board: Board) -> int:
    return board.index("X")


WAYS = {
    **RETURNS,
    **ALMOST,
    **ENDS,
    **{name: _then(way, first) for name, way in BESIDES.items()},
    **{name: _then(way, _taken) for name, way in FORGES.items()},
}
