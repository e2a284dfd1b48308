"""Write blobs straight into a table of an SQLite file, several times faster than SQLite inserts them.

Rows come in ascending order of their keys, so that leaves are filled one after the other, and the pages above them are
written last. `kernels.leaves` has how a leaf is made, and https://www.sqlite.org/fileformat2.html what lies where.
"""

import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from itertools import accumulate, pairwise
from pathlib import Path
from struct import Struct
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from solver.kernels.leaves import write_leaves
from solver.store.rows import Rows

Child = tuple[int, int]  # the number of a page, and the last key that it leads to

_CELL = 30  # bytes of a row in a leaf besides its blob, at most
_INTERIOR = Struct(">BHHHBI")  # kind, no free blocks, cells, where they begin, no free bytes between them, last child
_INTERIOR_KIND = 5
_POINTER = Struct(">H")  # to a cell
_NUMBER = Struct(">I")  # of a page, from 1 on
_KEY = 9  # bytes, at most
_LOCK_BYTE = 1 << 30  # the page that has it is never used
_PAGES_AT = 28  # where the file says how many pages it has


def insert_blobs(path: Path, table: str, batches: Iterable[Rows], progress: Callable[[int], None] | None = None) -> int:
    """Insert rows into an empty table, an INTEGER PRIMARY KEY and a BLOB, and return their number.

    They come in ascending order of their keys, from 0 to 2**56 - 1. `progress` gets their number from time to time.
    Nobody else may have the file open. Raises ValueError when the table is not empty.
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
    """The pages of a table, which are appended to its file."""

    def __init__(self, file: BinaryIO, page_bytes: int) -> None:
        self._file = file
        self._count = file.seek(0, os.SEEK_END) // page_bytes
        self._unused = _LOCK_BYTE // page_bytes + 1
        self._page_bytes = page_bytes
        self._pages = np.empty((0, page_bytes), np.uint8)
        self._leaves: list[Child] = []

    def add(self, rows: Rows) -> Rows:
        """Write the leaves that rows fill up, and return the rows that are left."""
        written, pages, leaves = self._fill(rows, self._count + 1, complete=False)
        self._append(pages.data, len(pages))
        self._leaves += leaves
        return rows.from_row(written)

    def finish(self, rows: Rows, root: int) -> None:
        """Write the last leaf and the pages above, the uppermost in place of an empty `root`, and count all pages."""
        if self._leaves:
            _, pages, last = self._fill(rows, self._count + 1, complete=True)
            self._append(pages.data, len(pages))
            self._write_at((root - 1) * self._page_bytes, self._write_above(self._leaves + last))
        elif len(rows.keys):  # in one leaf, which is the root
            _, pages, _ = self._fill(rows, self._count, complete=True)
            self._append(pages[1:].data, len(pages) - 1)
            self._write_at((root - 1) * self._page_bytes, pages[0].data)
        self._write_at(_PAGES_AT, _NUMBER.pack(self._count))

    def _fill(self, rows: Rows, number: int, *, complete: bool) -> tuple[int, npt.NDArray[np.uint8], list[Child]]:
        """Make leaves, see `write_leaves`: return the rows that are in them, the pages, and what leads to leaves."""
        # Two leaves hold more than one has room for, and what needs pages besides its leaf is about as long as a page.
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
        """Write the pages above others, and return the uppermost instead."""
        fan = (self._page_bytes - _INTERIOR.size) // (_NUMBER.size + _KEY + _POINTER.size)
        while len(children) > fan:
            groups = -(-len(children) // fan)
            bounds = [len(children) * group // groups for group in range(groups + 1)]
            children = [self._write_interior(children[first:last]) for first, last in pairwise(bounds)]
        return self._interior(children)

    def _write_interior(self, children: Sequence[Child]) -> Child:
        """Write a page above others at the end, and return its number and its last key."""
        if self._count + 1 == self._unused:
            self._append(bytes(self._page_bytes))
        self._append(self._interior(children))
        return self._count, children[-1][1]

    def _interior(self, children: Sequence[Child]) -> bytes:
        """Make a page above others."""
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
    """Write a number as SQLite does: 7 bits a byte, the highest first, and the top bit of all bytes but the last.

    >>> _varint(5).hex(), _varint(300).hex()
    ('05', '822c')
    """
    last, *others = [value >> shift & 127 for shift in range(0, max(value.bit_length(), 1), 7)]
    return bytes([*(group | 128 for group in reversed(others)), last])
