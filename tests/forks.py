"""Run functions in forks of this process, which need not load or compile anything again."""

from __future__ import annotations

import resource
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import solver

Send = Callable[[Any], None]


@contextmanager
def forked(function: Callable[..., None], *arguments: object) -> Iterator[tuple[BaseProcess, Connection[Any, Any]]]:
    """Run `function(send, *arguments)` in a fork; yield the process and its connection; wait for its end."""
    context = get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=function, args=(theirs.send, *arguments))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*fork", category=DeprecationWarning)  # threads are not copied
        process.start()
    theirs.close()
    with ours:
        yield process, ours
    process.join()


def result_of_fork(function: Callable[..., None], *arguments: object) -> Any:
    """Return the first object that a function sends from a fork."""
    with forked(function, *arguments) as (_, sent):
        return sent.recv()


def shrink_disk(room: int) -> None:
    """Limit the size of every file that this process writes, as if the disk were full."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))


def build_on_a_small_disk(send: Send, game: str, folder: Path, room: int) -> None:
    """Build a table with a limit on the size of files, and send the error."""
    shrink_disk(room)
    try:
        solver.build_table(game, folder, force=True)
    except solver.StorageError as error:
        send(str(error))
