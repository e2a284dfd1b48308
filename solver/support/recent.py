"""A cache of what was used last, limited by weight, for values whose sizes differ widely."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class RecentCache(Generic[K, V]):
    """A cache of the values that were used last, as long as they weigh at most `limit` together.

    The last value always stays in the cache, whatever its weight. Thread-safe.

    >>> cache = RecentCache(bytes, len, limit=5)
    >>> cache(3) is cache(3), cache(2) is cache(3), cache(4) is cache(4), cache.get(3)
    (True, False, True, None)
    """

    def __init__(self, read: Callable[[K], V], weigh: Callable[[V], int], limit: int) -> None:
        self._read, self._weigh, self._limit = read, weigh, limit
        self._kept: OrderedDict[K, V] = OrderedDict()
        self.weight = 0  # of the values in the cache now
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        """Return the value with this key if it is in the cache; it counts as used."""
        try:
            self._kept.move_to_end(key)
            return self._kept[key]
        except KeyError:
            return None

    def __call__(self, key: K) -> V:
        """Return the value with this key. Raises the same errors as `read`."""
        try:  # without the lock, which would double the time
            self._kept.move_to_end(key)
            return self._kept[key]
        except KeyError:
            value = self._read(key)
        with self._lock:
            if key not in self._kept:
                self._kept[key] = value
                self.weight += self._weigh(value)
            value = self._kept[key]
            while self.weight > self._limit and len(self._kept) > 1:
                self.weight -= self._weigh(self._kept.popitem(last=False)[1])
        return value

    def clear(self) -> None:
        """Forget all values."""
        with self._lock:
            self._kept.clear()
            self.weight = 0
