"""Rows of a table of pages on their way to the file: many at a time, since one at a time takes microseconds each."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

BATCH = 1 << 22
"""Bytes of the blobs that go together, about."""


class Rows(NamedTuple):
    """Some rows, ascending by key."""

    keys: npt.NDArray[np.int64]  # int64[n]
    lengths: npt.NDArray[np.int64]  # int64[n], of their blobs
    blobs: bytes  # one after the other

    def pairs(self) -> Iterator[tuple[int, bytes]]:
        """Yield the key and the blob of each row."""
        ends = self.lengths.cumsum().tolist()
        for key, (first, last) in zip(self.keys.tolist(), pairwise([0, *ends]), strict=True):
            yield key, self.blobs[first:last]

    def from_row(self, first: int) -> "Rows":
        """Return the rows from a place on."""
        return Rows(self.keys[first:], self.lengths[first:], self.blobs[int(self.lengths[:first].sum()) :])

    def and_then(self, others: "Rows") -> "Rows":
        """Return these rows and others."""
        keys, lengths = (np.concatenate(pair) for pair in zip(self[:2], others[:2], strict=True))
        return Rows(keys, lengths, self.blobs + others.blobs)


def gather_rows(pairs: Iterable[tuple[int, bytes]]) -> Iterator[Rows]:
    """Gather (key, blob) pairs."""
    keys: list[int] = []
    blobs: list[bytes] = []
    size = 0
    for key, blob in pairs:
        keys.append(key)
        blobs.append(blob)
        size += len(blob)
        if size >= BATCH:
            yield _rows(keys, blobs)
            keys, blobs, size = [], [], 0
    if keys:
        yield _rows(keys, blobs)


def _rows(keys: list[int], blobs: list[bytes]) -> Rows:
    return Rows(np.array(keys, np.int64), np.array([len(blob) for blob in blobs], np.int64), b"".join(blobs))
