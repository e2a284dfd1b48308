"""Keep the pages that were read last, up to a number of bytes: some have a few, others hundreds of millions."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

CACHED_BYTES = 1 << 26


class PageCache:
    """Reads pages by key, and keeps the last ones; the very last, however large it is. May be called by any thread.

    >>> cache = PageCache(bytes, limit=5)
    >>> cache(3) is cache(3), cache(2) is cache(3), cache(4) is cache(4)
    (True, False, True)
    >>> list(cache.keys)
    [4]
    """

    def __init__(self, read: Callable[[int], bytes], limit: int = CACHED_BYTES) -> None:
        self._read = read
        self._limit = limit
        self._pages: OrderedDict[int, bytes] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    @property
    def keys(self) -> list[int]:
        """Return the keys of the pages that are kept, the one asked for last at the end."""
        return list(self._pages)

    def __call__(self, key: int) -> bytes:
        """Return a page. Raises whatever reading it raises."""
        try:  # without the lock, which would take as long again
            self._pages.move_to_end(key)
            return self._pages[key]
        except KeyError:
            page = self._read(key)
        with self._lock:
            if key not in self._pages:
                self._pages[key] = page
                self._bytes += len(page)
            while self._bytes > self._limit and len(self._pages) > 1:
                self._bytes -= len(self._pages.popitem(last=False)[1])
        return page
