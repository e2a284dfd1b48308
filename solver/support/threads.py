"""Pools of threads that share work; compiled kernels run without the interpreter lock."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from threading import Thread
from typing import Final, ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")
_S = TypeVar("_S")

CAN_START: Final = sys.platform not in {"emscripten", "wasi"}
"""True if threads and processes can be started; False in a browser."""

_RANGES_PER_THREAD: Final = 16
_WAIT: Final = 0.2  # seconds between two calls of `waiting`
_LEAST_WORK: Final = 1 << 18  # the least work of a range: half a millisecond, so that calling costs little
_MOST_WORK: Final = 1 << 24  # some hundredths of a second, so that no thread waits long for the last range


def available_cores() -> int:
    """Return the number of cores that this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class SameThread(Executor):
    """An executor that runs each task immediately, in the thread that submits it, so that Ctrl-C stops the task."""

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Run a task, and return a future that is already done."""
        future: Future[_T] = Future()
        _complete(future, fn, *args, **kwargs)
        return future


def _complete(future: Future[_T], work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> None:
    try:
        future.set_result(work(*args, **kwargs))
    except Exception as error:
        future.set_exception(error)


def run_in_background(work: Callable[[_S], _T], argument: _S) -> Future[_T]:
    """Run `work(argument)` in a thread that does not keep the process alive after Ctrl-C; return its future.

    If no thread can be started, `work` is called in this thread.
    """
    if not CAN_START:
        return SameThread().submit(work, argument)
    future: Future[_T] = Future()
    Thread(target=_complete, args=(future, work, argument), daemon=True).start()
    return future


class ThreadPool(AbstractContextManager["ThreadPool"]):
    """A context manager with a fixed number of threads, by default one per core; it cancels waiting work on exit.

    If no thread can be started, the calling thread does the work.
    """

    def __init__(self, threads: int | None = None) -> None:
        self.threads = threads or available_cores() if CAN_START else 1
        self._executor: Executor = ThreadPoolExecutor(self.threads) if CAN_START else SameThread()

    def map(
        self, work: Callable[[_S], _T], items: Iterable[_S], waiting: Callable[[], object] | None = None
    ) -> Iterator[_T]:
        """Yield `work(item)` for each item, in order. While a result is awaited, call `waiting` several times a second.

        If there is only one item, the calling thread handles it: waking another thread can take as long as the work.
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
        """Yield `work(first, last)` for ranges that cover all pages, in order.

        page_work: the amount of work for a page, about 1 per position. It determines the length of the ranges: short
        enough to balance the threads and to show progress, long enough to make the overhead of a call negligible.
        """
        shared = -(-pages // (_RANGES_PER_THREAD * self.threads))
        length = max(1, min(max(shared, _LEAST_WORK // page_work), _MOST_WORK // page_work))
        firsts = range(0, pages, length)
        return self._executor.map(work, firsts, [min(first + length, pages) for first in firsts])

    def __exit__(self, *_: object) -> None:
        # An interrupt must not wait for the rest of the level.
        self._executor.shutdown(wait=True, cancel_futures=True)
