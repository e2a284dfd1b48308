"""Threads that share work; the compiled kernels run without the interpreter lock."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from threading import Thread
from typing import Final, ParamSpec, TypeVar, cast

_P = ParamSpec("_P")
_T = TypeVar("_T")
_S = TypeVar("_S")

CAN_START: Final = sys.platform not in {"emscripten", "wasi"}
"""Whether threads and processes can be started; in a browser they cannot."""

_RANGES_PER_THREAD: Final = 16
_WAIT: Final = 0.2  # seconds between two calls while waiting for a result
_LEAST_WORK: Final = 1 << 18  # the least work of a range: half a millisecond, so that calling costs little
_MOST_WORK: Final = 1 << 24  # some hundredths of a second, so that no thread waits long for the last range


def available_cores() -> int:
    """Count the cores that this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class SameThread(Executor):
    """Run each task at once, in the thread that submits it, so that Ctrl-C ends it."""

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Run a task."""
        future: Future[_T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def run_in_background(work: Callable[[_S], _T], argument: _S) -> Future[_T]:
    """Call work(argument) in a thread that does not keep the process alive, for example after Ctrl-C.

    If no thread can be started, it is called at once.
    """
    if not CAN_START:
        return SameThread().submit(work, argument)
    future: Future[_T] = Future()

    def run() -> None:
        try:
            future.set_result(work(argument))
        except Exception as error:
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future


def read_ahead(items: Iterator[_T]) -> Iterator[_T]:
    """Yield the items of an iterator, and compute the next one in a thread meanwhile."""
    end = object()
    with ThreadPoolExecutor(1) if CAN_START else SameThread() as executor:
        following = executor.submit(next, items, end)
        while (item := following.result()) is not end:
            following = executor.submit(next, items, end)
            yield cast(_T, item)


class ThreadPool(AbstractContextManager["ThreadPool"]):
    """A fixed number of threads; a context manager, which cancels waiting work at its end.

    threads: by default the number of cores. If none can be started, the calling thread does the work.
    """

    def __init__(self, threads: int | None = None) -> None:
        self.threads = threads or available_cores() if CAN_START else 1
        self._executor: Executor = ThreadPoolExecutor(self.threads) if CAN_START else SameThread()

    def map(
        self, work: Callable[[_S], _T], items: Iterable[_S], waiting: Callable[[], object] | None = None
    ) -> Iterator[_T]:
        """Call work(item) for all items, and yield the results in their order; call `waiting` often until they come.

        The calling thread handles a single item, because waking another thread takes as long as a small item.
        """
        items = list(items)
        if waiting:
            return self._map_watched(work, items, waiting)
        return map(work, items) if len(items) == 1 else self._executor.map(work, items)

    def _map_watched(self, work: Callable[[_S], _T], items: list[_S], waiting: Callable[[], object]) -> Iterator[_T]:
        for future in [self._executor.submit(work, item) for item in items]:
            while not wait([future], _WAIT).done:
                waiting()
            yield future.result()

    def map_ranges(self, work: Callable[[int, int], _T], pages: int, page_work: int) -> Iterator[_T]:
        """Call work(first, last) for ranges that cover all pages, and yield the results in their order.

        page_work: the work for a page, about one per position. It determines the length of the ranges: short enough to
        balance the threads and to show progress, long enough that the calls cost little.
        """
        shared = -(-pages // (_RANGES_PER_THREAD * self.threads))
        length = max(1, min(max(shared, _LEAST_WORK // page_work), _MOST_WORK // page_work))
        firsts = range(0, pages, length)
        return self._executor.map(work, firsts, [min(first + length, pages) for first in firsts])

    def __exit__(self, *_: object) -> None:
        # An interrupt must not wait for the rest of the level.
        self._executor.shutdown(wait=True, cancel_futures=True)
