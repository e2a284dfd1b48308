"""Write blobs directly into a table of an SQLite file, several times faster than SQLite inserts them.

Rows arrive in ascending order of their keys, so leaves are filled one after another, and interior pages are written
last. `kernels.leaves` makes the leaves; https://www.sqlite.org/fileformat2.html describes the format.
"""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import accumulate, pairwise
from pathlib import Path
from struct import Struct
from typing import BinaryIO, NamedTuple, Self

import numpy as np
import numpy.typing as npt

Child = tuple[int, int]  # the number of a page, and the last key in its subtree

_CELL = 30  # the most bytes of a row in a leaf, without its blob
_INTERIOR = Struct(">BHHHBI")  # kind, first free block, cells, their start, free bytes, last child
_INTERIOR_KIND = 5
_POINTER = Struct(">H")  # a pointer to a cell
_NUMBER = Struct(">I")  # the number of a page, from 1
_KEY = 9  # the most bytes of a key
_LOCK_BYTE = 1 << 30  # the page that contains it is never used
_PAGES_AT = 28  # the offset of the number of pages in the header

BATCH = 1 << 22
"""The approximate size of the blobs of one batch, in bytes."""


class Rows(NamedTuple):
    """A batch of rows, in ascending order of their keys. (Handling rows one by one would take microseconds each.)"""

    keys: npt.NDArray[np.int64]  # int64[n]
    lengths: npt.NDArray[np.int64]  # int64[n], the lengths of the blobs
    blobs: bytes  # concatenated

    @classmethod
    def of(cls, keys: Sequence[int], blobs: Sequence[bytes]) -> Self:
        """Return the rows with the given keys and blobs."""
        return cls(np.array(keys, np.int64), np.array([len(blob) for blob in blobs], np.int64), b"".join(blobs))

    def from_row(self, first: int) -> "Rows":
        """Return the rows from index `first` to the end."""
        return Rows(self.keys[first:], self.lengths[first:], self.blobs[int(self.lengths[:first].sum()) :])

    def and_then(self, others: "Rows") -> "Rows":
        """Return these rows followed by others."""
        keys, lengths = (np.concatenate(pair) for pair in zip(self[:2], others[:2], strict=True))
        return Rows(keys, lengths, self.blobs + others.blobs)


def gather_rows(pairs: Iterable[tuple[int, bytes]]) -> Iterator[Rows]:
    """Yield batches of (key, blob) pairs."""
    keys: list[int] = []
    blobs: list[bytes] = []
    size = 0
    for key, blob in pairs:
        keys.append(key)
        blobs.append(blob)
        size += len(blob)
        if size >= BATCH:
            yield Rows.of(keys, blobs)
            keys, blobs, size = [], [], 0
    if keys:
        yield Rows.of(keys, blobs)


def insert_blobs(path: Path, table: str, batches: Iterable[Rows], progress: Callable[[int], None] | None = None) -> int:
    """Insert rows into an empty table with an INTEGER PRIMARY KEY and a BLOB, and return their number.

    Keys must ascend, from 0 to 2**56 - 1. `progress` is called with the number of rows written. No other connection may
    have the file open. Raises ValueError if the table is not empty.
    """
    with closing(sqlite3.connect(path)) as connection:
        (page_bytes,) = connection.execute("PRAGMA page_size").fetchone()
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        if connection.execute(f"SELECT 1 FROM {table}").fetchone():
            raise ValueError(f"the table {table} is not empty")
    count, waiting = 0, Rows(np.zeros(0, np.int64), np.zeros(0, np.int64), b"")
    with path.open("r+b") as file:
        tree = _Tree(file, page_bytes)
        for batch in batches:
            count += len(batch.keys)
            waiting = tree.add(waiting.and_then(batch))
            if progress:
                progress(count)
        tree.finish(waiting, root)
    return count


class _Tree:
    """A writer that appends the B-tree pages of a table to its file."""

    def __init__(self, file: BinaryIO, page_bytes: int) -> None:
        self._file = file
        self._count = file.seek(0, os.SEEK_END) // page_bytes
        self._unused = _LOCK_BYTE // page_bytes + 1
        self._page_bytes = page_bytes
        self._pages = np.empty((0, page_bytes), np.uint8)
        self._leaves: list[Child] = []

    def add(self, rows: Rows) -> Rows:
        """Write the leaves that `rows` fill, and return the remaining rows."""
        written, pages, leaves = self._fill(rows, self._count + 1, complete=False)
        self._append(pages.data, len(pages))
        self._leaves += leaves
        return rows.from_row(written)

    def finish(self, rows: Rows, root: int) -> None:
        """Write the last leaf, the interior pages and the page count. The top page replaces the empty page `root`."""
        if self._leaves:
            _, pages, last = self._fill(rows, self._count + 1, complete=True)
            self._append(pages.data, len(pages))
            self._write_at((root - 1) * self._page_bytes, self._write_above(self._leaves + last))
        elif len(rows.keys):  # they fit into one leaf, which is the root
            _, pages, _ = self._fill(rows, self._count, complete=True)
            self._append(pages[1:].data, len(pages) - 1)
            self._write_at((root - 1) * self._page_bytes, pages[0].data)
        self._write_at(_PAGES_AT, _NUMBER.pack(self._count))

    def _fill(self, rows: Rows, number: int, *, complete: bool) -> tuple[int, npt.NDArray[np.uint8], list[Child]]:
        """Write leaves with `write_leaves`. Return the number of rows written, the pages, and a Child for each leaf."""
        from solver.kernels.leaves import write_leaves  # loads the compiler

        # Two adjacent leaves hold more than one page of rows, and overflow pages are filled almost completely.
        most = 4 * (len(rows.blobs) + _CELL * len(rows.keys)) // (self._page_bytes - 2 * _CELL) + 3
        if most > len(self._pages):
            self._pages = np.empty((most, self._page_bytes), np.uint8)
        leaves = np.empty((most, 2), np.int64)
        blobs = np.frombuffer(rows.blobs, np.uint8)
        written, pages, found = write_leaves(
            rows.keys, rows.lengths, blobs, complete, number, self._unused, self._pages, leaves
        )
        return written, self._pages[:pages], [(number, key) for number, key in leaves[:found].tolist()]

    def _write_above(self, children: Sequence[Child]) -> bytes:
        """Write the interior pages above `children`, except the top page, and return the top page."""
        fan = (self._page_bytes - _INTERIOR.size) // (_NUMBER.size + _KEY + _POINTER.size)
        while len(children) > fan:
            groups = -(-len(children) // fan)
            bounds = [len(children) * group // groups for group in range(groups + 1)]
            children = [self._write_interior(children[first:last]) for first, last in pairwise(bounds)]
        return self._interior(children)

    def _write_interior(self, children: Sequence[Child]) -> Child:
        """Append an interior page, and return its number and its last key."""
        if self._count + 1 == self._unused:
            self._append(bytes(self._page_bytes))
        self._append(self._interior(children))
        return self._count, children[-1][1]

    def _interior(self, children: Sequence[Child]) -> bytes:
        """Return the bytes of an interior page with these children."""
        *others, (last, _) = children
        cells = [_NUMBER.pack(number) + _varint(key) for number, key in others]
        ends = list(accumulate(map(len, cells)))
        begin = self._page_bytes - ends[-1]
        pointers = [_POINTER.pack(begin + end - len(cell)) for end, cell in zip(ends, cells, strict=True)]
        head = _INTERIOR.pack(_INTERIOR_KIND, 0, len(cells), begin, 0, last) + b"".join(pointers)
        return head.ljust(begin, b"\0") + b"".join(cells)

    def _append(self, data: bytes | memoryview, pages: int = 1) -> None:
        self._file.write(data)
        self._count += pages

    def _write_at(self, place: int, data: bytes | memoryview) -> None:
        self._file.seek(place)
        self._file.write(data)


def _varint(value: int) -> bytes:
    """Return a number as SQLite writes it: 7 bits per byte, highest first; all but the last have the high bit set.

    >>> _varint(5).hex(), _varint(300).hex()
    ('05', '822c')
    """
    last, *others = [value >> shift & 127 for shift in range(0, max(value.bit_length(), 1), 7)]
    return bytes([*(group | 128 for group in reversed(others)), last])
