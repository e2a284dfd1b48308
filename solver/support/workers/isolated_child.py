"""Run anybody's code inside a process of its own: make the runner, then answer questions until the pipe is closed.

The process that has made the runner answers nothing itself where it can help it: it forks for each chunk of questions,
so that each begins with the runner as it was made, whatever the chunks before did to it, and a crash costs no start.

A question is a pickle of its number and a job, followed by a nonce of NONCE bytes, which stays in the pipe until the
question is answered.
What is sent is JSON: ["ready", facts, forks], ["failed", why, ""], ["reply", nonce, result], ["ended", exit code, ""],
["rested", "", ""] at the end of a chunk, and at any time ["note", kind, text].
"""

import faulthandler
import json
import os
import pickle
import random
import signal
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from io import FileIO, TextIOWrapper
from select import select
from traceback import print_exc
from typing import Any, Final, NoReturn, Protocol

from solver.errors import MnkError
from solver.support.memory import bound_memory
from solver.support.processes import adopt_orphans, bound_process, die_with_parent, list_children
from solver.support.workers.contract import Runner
from solver.support.workers.frames import frame, read_exactly, read_frame, write_all
from solver.support.workers.output import write_mark

NONCE: Final = 16
"""Bytes of a nonce."""

_COPY: Final = 213  # the exit code of a copy that the engine has made of its process

BEGIN, END = b"begin", b""
"""The frames before and after a chunk of questions."""

Note = Callable[[str, str], None]
"""Tells the pool something: a kind, and a text."""


class IsolatedRecipe(Protocol):
    """Makes a runner inside an isolated worker; its results are plain data, such as JSON has."""

    def open(self, note: Note, /) -> Runner:
        """Make it. The pool raises EngineError for whatever is raised."""


@dataclass(frozen=True)
class Setup:
    """All that the process is told at first."""

    recipe: IsolatedRecipe
    memory: int | None
    folder: str
    """A folder for temporary files."""


def main() -> None:
    """Run in a new interpreter: questions come by the standard input, replies leave by the standard output."""
    questions, replies = os.dup(0), os.dup(1)
    serve(questions, replies, pickle.loads(read_frame(questions)))


def serve(questions: int, replies: int, setup: Setup) -> None:
    """Make the runner and answer questions. What is printed goes to the standard error."""
    # It is for the parent to decide what an interrupt ends. A handler, as programs that the engine starts are not to
    # ignore it too.
    signal.signal(signal.SIGINT, lambda *_: None)
    die_with_parent()
    adopt_orphans()
    _redirect_streams()
    tempfile.tempdir, os.environ["TMPDIR"] = None, setup.folder
    sys.dont_write_bytecode = True
    bound_memory(setup.memory)
    bound_process()
    send = partial(_send, replies)
    try:
        runner = setup.recipe.open(partial(send, "note"))
    except MnkError as error:
        send("failed", str(error), "")
        return
    except BaseException as error:  # an engine's code may raise anything, SystemExit too
        send("failed", _reason(error), "")
        return
    forks = _can_fork()
    if not forks and hasattr(os, "fork"):
        send("note", "threads", "")
    send("ready", runner.facts, forks)
    with suppress(EOFError):
        while True:
            _skip_to_begin(questions)
            answer = partial(_answer, questions, send, runner)
            code = _run_in_fork(answer) if forks else answer()
            _forget(questions)
            send("ended", code, "") if code else send("rested", "", "")


def _send(file: int, word: str, first: Any, second: Any) -> None:
    write_all(file, frame(json.dumps([word, first, second]).encode()))


def _answer(questions: int, send: Callable[[str, Any, Any], None], runner: Runner) -> int:
    """Answer questions until the chunk ends, or the pipe is closed."""
    process = os.getpid()
    while question := _read_or_end(questions):
        number, job = pickle.loads(question)
        write_mark(number)
        result = runner.run(job)
        if os.getpid() != process:  # a copy that the engine has made of itself, and that returned
            os._exit(_COPY)
        send("reply", read_exactly(questions, NONCE).hex(), result)
        _reap_copies()
    return 0


def _reap_copies() -> None:
    """Wait for the copies that have ended, lest they count as processes; what else was started is the engine's."""
    for pid in list_children(os.getpid()):
        with suppress(ChildProcessError):
            ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended and ended.si_status == _COPY:
                os.waitpid(pid, 0)


def _read_or_end(questions: int) -> bytes:
    try:
        return read_frame(questions)
    except EOFError:
        return END


def _skip_to_begin(questions: int) -> None:
    """Read up to the beginning of a chunk; before it may be questions that were sent while the last one broke off."""
    while (body := read_frame(questions)) != BEGIN:
        if body != END:
            read_exactly(questions, NONCE)


def _forget(questions: int) -> None:
    """Forget what is left of questions that were not answered."""
    while select([questions], [], [], 0)[0] and os.read(questions, 1 << 16):
        pass


def _can_fork() -> bool:
    """Whether a copy of this process goes on as it would: threads are not copied."""
    if not hasattr(os, "fork") or threading.active_count() > 1:
        return False
    return sys.platform != "linux" or len(os.listdir("/proc/self/task")) == 1


def _run_in_fork(answer: Callable[[], int]) -> int:
    """Answer a chunk in a copy of this process; returns its exit code, which is negative for a signal."""
    chance = random.getstate()
    child = os.fork()
    if not child:
        _answer_in_child(answer, chance)
    while True:
        ended, status = os.wait()  # orphans are adopted, and waited for here too
        if ended == child:
            return os.waitstatus_to_exitcode(status)


def _answer_in_child(answer: Callable[[], int], chance: Any) -> NoReturn:
    code = 1
    try:
        die_with_parent()
        random.setstate(chance)  # which Python seeds anew after a fork
        code = answer()
    except BaseException:
        print_exc()
    finally:
        os._exit(code)


def _redirect_streams() -> None:
    """Let nothing be read, and all that is printed be sent to the standard error at once."""
    faulthandler.disable()
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - it is open as long as the process lives
    sys.stdout, sys.stderr = _unbuffered(1), _unbuffered(2)


def _unbuffered(number: int) -> TextIOWrapper:
    """A stream that keeps nothing back: what a process that dies has printed is out."""
    file: Any = FileIO(number, "wb", closefd=False)
    return TextIOWrapper(file, encoding="utf-8", errors="replace", write_through=True)


def _reason(error: BaseException) -> str:
    try:
        said = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    except BaseException:  # its text is code of the engine too
        said = type(error).__name__
    advice = ""
    if isinstance(error, EOFError):
        advice = '; it reads from the keyboard: put the game itself under `if __name__ == "__main__":`'
    elif isinstance(error, ModuleNotFoundError):
        advice = "; install that, or run from the folder where it is"
    return f"The engine can't be loaded: {said}{advice}."
