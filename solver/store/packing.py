"""Compress solved pages, and iterate over the compressed pages of a build in the order of their keys."""

import mmap
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.store.codec import pack_rows
from solver.store.digests import sum_pages

ENTRY: Final = np.dtype([("key", "<i8"), ("length", "<i8")])
"""The index entry of a packed page; the entries of all pages precede the pages in a file."""

_BATCH: Final = 1 << 16  # the pages whose places are computed together


class Packed(NamedTuple):
    """Compressed pages with their index entries, and the sum of their digests."""

    entries: npt.NDArray[Any]  # keys and lengths, of ENTRY
    data: bytes  # the pages, one after the other
    digest: int  # the sum of the pages' shares of the digest


def pack_pages(keys: npt.NDArray[np.int64], pages: npt.NDArray[np.uint8]) -> Packed:
    """Compress pages (uint8[C, bytes]), and return them with the sum of their digests."""
    size, raw = pages.shape[1], np.ascontiguousarray(pages).reshape(-1).data
    rows = [raw[first : first + size] for first in range(0, len(raw), size)]
    data, lengths = pack_rows(rows)
    entries = np.empty(len(keys), dtype=ENTRY)
    entries["key"], entries["length"] = keys, lengths
    return Packed(entries, data, sum_pages(keys.tolist(), rows))


class PackedStream(NamedTuple):
    """A file that contains index entries, followed by the packed pages."""

    path: Path
    entries: npt.NDArray[Any]  # of ENTRY


class PackedPages:
    """The packed pages of a finished build; iterating yields (key, page) pairs, ascending by key."""

    def __init__(self, streams: Sequence[PackedStream]) -> None:
        self._paths = [stream.path for stream in streams]
        entries = np.concatenate([stream.entries for stream in streams])
        self.keys, self._lengths = entries["key"], entries["length"]
        self._starts = np.concatenate(
            [stream.entries.nbytes + stream.entries["length"].cumsum() - stream.entries["length"] for stream in streams]
        )
        self._streams = np.repeat(np.arange(len(streams)), [stream.entries.size for stream in streams])

    def __len__(self) -> int:
        return len(self.keys)

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        return self.read(np.argsort(self.keys))

    def read(self, order: npt.NDArray[np.int64]) -> Iterator[tuple[int, bytes]]:
        """Yield the (key, page) pairs of `keys[order]`, in this order."""
        with ExitStack() as stack:
            needed = np.flatnonzero(np.bincount(self._streams[order])).tolist()
            maps = {stream: stack.enter_context(_mapped(self._paths[stream])) for stream in needed}
            for first in range(0, order.size, _BATCH):
                chosen = order[first : first + _BATCH]
                starts, ends = self._starts[chosen], self._starts[chosen] + self._lengths[chosen]
                columns = (self.keys[chosen], self._streams[chosen], starts, ends)
                for key, stream, start, end in zip(*(column.tolist() for column in columns), strict=True):
                    yield key, maps[stream][start:end]


def _mapped(path: Path) -> mmap.mmap:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
