"""Processes that begin as copies of this one: nothing is loaded or compiled again in them."""

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
    """Run `function(send, *arguments)` in a process, and give the process and what it sends; wait for its end."""
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
    """Return the first that a function sends from a process of its own."""
    with forked(function, *arguments) as (_, sent):
        return sent.recv()


def shrink_disk(room: int) -> None:
    """Let no file of this process grow beyond so many bytes, as if the disk were full then."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))


def build_on_a_small_disk(send: Send, game: str, folder: Path, room: int) -> None:
    """Build a table where files have so many bytes of room, and send the error."""
    shrink_disk(room)
    try:
        solver.build_table(game, folder, force=True)
    except solver.StorageError as error:
        send(str(error))
