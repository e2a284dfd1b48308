"""Random numbers that other languages can reproduce: the web page chooses the same puzzles as Python."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Final, TypeVar

_T = TypeVar("_T")
_END: Final = 1 << 64


class SplitMix64:
    """The generator of Steele, Lea and Flood (2014, "Fast splittable pseudorandom number generators").

    The seed is the 64-bit FNV-1a hash of a string. `solver/web/page/js/tables/random.js` returns the same numbers.
    """

    def __init__(self, seed: str) -> None:
        self._state = hash_text(seed)

    def next(self) -> int:
        """Return a random number of 64 bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) % _END
        mixed = self._state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 % _END
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % _END
        return mixed ^ mixed >> 31

    def randrange(self, end: int) -> int:
        """Return a random number from 0 to `end` - 1. All numbers are equally likely."""
        most = _END - _END % end
        while (number := self.next()) >= most:
            pass
        return number % end

    def weighted(self, weights: Sequence[int]) -> int:
        """Return a random index, with probabilities in proportion to the weights."""
        return bisect_right([*accumulate(weights)], self.randrange(sum(weights)))

    def sample(self, items: Sequence[_T], count: int) -> list[_T]:
        """Return `count` random items in random order."""
        pool = list(items)
        for place in range(count):
            other = place + self.randrange(len(pool) - place)
            pool[place], pool[other] = pool[other], pool[place]
        return pool[:count]


def hash_text(text: str) -> int:
    """Return the 64-bit FNV-1a hash of a string in UTF-8, which may contain surrogates.

    >>> f"{hash_text('foobar'):x}"
    '85944171f73967e8'
    """
    found = 0xCBF29CE484222325
    for byte in text.encode(errors="surrogatepass"):
        found = (found ^ byte) * 0x100000001B3 % _END
    return found
