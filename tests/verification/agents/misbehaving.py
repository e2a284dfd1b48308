"""An engine that misbehaves in its own way in every position with two stones, and is well in all others.

What it starts ends by itself after a few seconds; its numbers stand in the file that the variable MISBEHAVING names.
"""

import ctypes
import json
import multiprocessing
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from decimal import Decimal
from typing import Any, NoReturn

Board = list[Any]
Fault = Callable[[Board], Any]

FAULTS: dict[str, Fault] = {}
"""The ways by name; each has its position in this order."""

SECONDS = 4  # for which what is started runs


def best_move(board: Board) -> Any:
    stones = [board.index(mark) if mark in board else -1 for mark in "XO"]
    if board.count(" ") != 7:
        return board.index(" ")
    names = [*FAULTS]
    number = stones[0] * 9 + stones[1]
    return FAULTS[names[number]](board) if number < len(names) else board.index(" ")


def fault(function: Fault) -> Fault:
    FAULTS[function.__name__] = function
    while len(FAULTS) % 10 == 0:  # no position has both stones on one square
        FAULTS[f"none {len(FAULTS)}"] = first
    return function


def first(board: Board) -> int:
    return board.index(" ")


FAULTS["none 0"] = first


def _record(pid: int) -> int:
    with open(os.environ["MISBEHAVING"], "a", encoding="ascii") as file:
        file.write(f"{pid}\n")
    return pid


def _sleep_as_child() -> None:
    """Fork a child that sleeps."""
    if not os.fork():
        _record(os.getpid())
        time.sleep(SECONDS)
        os._exit(0)


# What it returns


@fault
def huge_number(board: Board) -> Any:
    return 10**5000


@fault
def huge_negative_number(board: Board) -> Any:
    return -(10**5000)


@fault
def huge_text(board: Board) -> Any:
    return "8" * 10**6


@fault
def deep_list(board: Board) -> Any:
    deep: list[Any] = []
    for _ in range(10**5):
        deep = [deep]
    return deep


@fault
def wide_list(board: Board) -> Any:
    return [8] * 10**6


@fault
def laughs(board: Board) -> Any:
    found: Any = 8
    for _ in range(12):
        found = [found] * 10
    return found


@fault
def not_a_number(board: Board) -> Any:
    return float("nan")


@fault
def infinity(board: Board) -> Any:
    return float("inf")


@fault
def some_bytes(board: Board) -> Any:
    return b"\x00\xff" * 10


@fault
def surrogate(board: Board) -> Any:
    return "\ud800"


@fault
def generator(board: Board) -> Any:
    return (square for square in range(9))


@fault
def itself_in_itself(board: Board) -> Any:
    found: list[Any] = []
    found.append(found)
    return found


@fault
def module(board: Board) -> Any:
    return os


@fault
def decimal(board: Board) -> Any:
    return Decimal(8)


class _Answers:
    """Has every attribute, and is called for anything."""

    def __getattr__(self, name: str) -> Any:
        return _Answers()

    def __call__(self, *_: Any, **__: Any) -> Any:
        return _Answers()


@fault
def answers_anything(board: Board) -> Any:
    return _Answers()


class _Raises:
    def __repr__(self) -> str:
        raise ValueError("no text")

    def __eq__(self, other: object) -> bool:
        raise ValueError("no comparison")

    __hash__ = None  # type: ignore[assignment]


@fault
def raises_when_written(board: Board) -> Any:
    return _Raises()


class _Long:
    def __repr__(self) -> str:
        return "x" * 10**7


@fault
def long_when_written(board: Board) -> Any:
    return _Long()


class _Index:
    def __index__(self) -> int:
        return 8


@fault
def index(board: Board) -> Any:
    return _Index()


class _BadIndex:
    def __index__(self) -> int:
        raise RuntimeError("no number")


@fault
def raises_as_index(board: Board) -> Any:
    return _BadIndex()


class _Lies:
    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return int


@fault
def lies_about_its_class(board: Board) -> Any:
    return _Lies()


class _Whole(int):
    def __gt__(self, other: object) -> bool:
        raise RuntimeError("not to be compared")


@fault
def raises_when_compared(board: Board) -> Any:
    return _Whole(8)


class _Text(str):
    __slots__ = ()

    def __str__(self) -> str:
        raise RuntimeError("no text")


@fault
def text_that_raises(board: Board) -> Any:
    return _Text("8")


class _Endless(dict[Any, Any]):
    def items(self) -> Any:
        while True:
            yield 1, 2


@fault
def endless_dict(board: Board) -> Any:
    return _Endless()


class _EndlessList(list[Any]):
    def __iter__(self) -> Iterator[int]:
        while True:
            yield 8


@fault
def endless_list(board: Board) -> Any:
    return _EndlessList()


class _Pickled:
    def __reduce__(self) -> Any:
        return os.abort, ()


@fault
def runs_when_unpickled(board: Board) -> Any:
    return _Pickled()


@fault
def empties_the_board(board: Board) -> Any:
    square = first(board)
    board.clear()
    return square


@fault
def fills_the_board(board: Board) -> Any:
    square = first(board)
    board.extend([0] * 10**6)
    return square


@fault
def puts_what_raises_on_the_board(board: Board) -> Any:
    square = first(board)
    board[0] = _Raises()
    return square


# What it raises


@fault
def interrupt(board: Board) -> NoReturn:
    raise KeyboardInterrupt


@fault
def leaves(board: Board) -> NoReturn:
    sys.exit(3)


@fault
def generator_exit(board: Board) -> NoReturn:
    raise GeneratorExit


class _Unspeakable(Exception):
    def __str__(self) -> str:
        raise ValueError


@fault
def error_without_text(board: Board) -> NoReturn:
    raise _Unspeakable


@fault
def error_with_much_text(board: Board) -> NoReturn:
    raise ValueError("x" * 10**7)


@fault
def error_with_odd_text(board: Board) -> NoReturn:
    raise ValueError("a\ud800\nb")


@fault
def recursion(board: Board) -> Any:
    return recursion(board)


@fault
def hunger(board: Board) -> Any:
    return len(bytearray(10**10))


@fault
def reads(board: Board) -> Any:
    return int(input())


# How it ends


@fault
def ends_well(board: Board) -> NoReturn:
    os._exit(0)


@fault
def ends(board: Board) -> NoReturn:
    os._exit(3)


@fault
def aborts(board: Board) -> NoReturn:
    os.abort()


@fault
def segfaults(board: Board) -> Any:
    return ctypes.string_at(0)


@fault
def kills_itself(board: Board) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@fault
def kills_its_group(board: Board) -> None:
    os.killpg(0, signal.SIGKILL)


@fault
def kills_its_parent(board: Board) -> None:
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(1)


@fault
def kills_everybody(board: Board) -> None:
    os.kill(-1, signal.SIGKILL)


@fault
def kills_its_judge(board: Board) -> None:
    os.kill(_judge(), signal.SIGKILL)


def _judge() -> int:
    with open(f"/proc/{os.getsid(0)}/stat", encoding="ascii") as file:
        return int(file.read().rpartition(")")[2].split()[1])


@fault
def alarm(board: Board) -> None:
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    time.sleep(1)


@fault
def closes_everything(board: Board) -> Any:
    os.closerange(3, 1000)
    return first(board)


# What it starts


@fault
def returns_twice(board: Board) -> int:
    os.fork()
    return first(board)


@fault
def returns_often(board: Board) -> int:
    for _ in range(4):
        os.fork()
    return first(board)


@fault
def leaves_a_child(board: Board) -> int:
    _sleep_as_child()
    return first(board)


@fault
def leaves_a_daemon(board: Board) -> int:
    child = os.fork()
    if not child:
        os.setsid()
        _sleep_as_child()
        os._exit(0)
    os.waitpid(child, 0)
    return first(board)


@fault
def leaves_a_program(board: Board) -> int:
    _record(subprocess.Popen(["sleep", str(SECONDS)], start_new_session=True, env={}).pid)
    return first(board)


@fault
def leaves_a_pool(board: Board) -> int:
    pool = multiprocessing.Pool(2)
    return pool.map(abs, [first(board)])[0]


@fault
def many_children(board: Board) -> int:
    for _ in range(80):
        _sleep_as_child()
    time.sleep(1)
    return first(board)


@fault
def writes_without_end(board: Board) -> int:
    with open(os.devnull, "wb") as file:
        file.writelines(bytes(1 << 20) for _ in range(4000))
    time.sleep(SECONDS)
    return first(board)


@fault
def many_threads(board: Board) -> int:
    for _ in range(50):
        threading.Thread(target=time.sleep, args=(SECONDS,), daemon=True).start()
    return first(board)


# What it does to files


@fault
def many_files(board: Board) -> int:
    files = [open(os.devnull, encoding="ascii") for _ in range(2000)]  # noqa: SIM115 - they are to stay open
    return first(board) + 0 * len(files)


@fault
def large_file(board: Board) -> int:
    with tempfile.NamedTemporaryFile() as file:
        file.write(bytes(2 * 10**7))
        file.flush()
    return first(board)


@fault
def leaves_files(board: Board) -> int:
    folder = tempfile.mkdtemp()
    _record(-len(folder))
    with open(os.environ["MISBEHAVING"] + ".folder", "w", encoding="utf-8") as file:
        file.write(folder)
    return first(board)


@fault
def goes_elsewhere(board: Board) -> int:
    os.chdir("/")
    return first(board)


# What it prints


@fault
def much_output(board: Board) -> int:
    print("again and again\n" * 10**5)
    return first(board)


@fault
def odd_output(board: Board) -> int:
    os.write(1, b"\x00-1\x01\x00\x1b[2J\xff" * 1000)
    return first(board)


@fault
def no_output(board: Board) -> int:
    sys.stdout = sys.stderr = None
    return first(board)


# What it tells its judge


def _pipes() -> Iterator[int]:
    for name in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            if int(name) > 2 and "pipe" in os.readlink(f"/proc/self/fd/{name}"):
                yield int(name)


def _write(message: Any) -> None:
    body = json.dumps(message).encode()
    for file in _pipes():
        with suppress(OSError):
            os.write(file, len(body).to_bytes(4, "big") + body)


@fault
def forges_replies(board: Board) -> Any:
    for number in range(20):
        _write(["reply", f"{number:032}", [8, None, ""]])
    return board.index("X")


@fault
def forges_facts(board: Board) -> Any:
    for message in (["ready", [], True], ["failed", "x", ""], "rubbish", 7, [], {"a": 1}):
        _write(message)
    return board.index("X")


@fault
def looks_for_its_caller(board: Board) -> Any:
    frame: Any = sys._getframe()
    while frame is not None:
        send = frame.f_locals.get("send")
        if callable(send):
            send("reply", "0" * 32, [first(board), None, ""])
        frame = frame.f_back
    return board.index("X")


# What it asks


@fault
def imports_the_solver(board: Board) -> int:
    import solver.tablebase

    return first(board) + 0 * len(solver.tablebase.__name__)


@fault
def opens_a_table(board: Board) -> int:
    with suppress(sqlite3.Error):
        sqlite3.connect("file:mnk-3-3-3.sqlite?mode=ro", uri=True)
    return first(board)


@fault
def runs_the_solver(board: Board) -> int:
    subprocess.run(["sh", "-c", "true mnk query"], check=False)
    return first(board)


@fault
def bounds_its_judge(board: Board) -> None:
    resource.prlimit(_judge(), resource.RLIMIT_CPU, (1, 1))


@fault
def takes_hold_of_its_judge(board: Board) -> None:
    signal.pidfd_send_signal(os.pidfd_open(_judge()), signal.SIGKILL)
