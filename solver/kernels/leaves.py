"""Lay rows out as the leaves of a table of SQLite: https://www.sqlite.org/fileformat2.html, section 1.6.

A leaf has a header, a pointer to each cell, and the cells, which fill it from its end. A cell is the length of its
payload, its key, and the payload: a header for the omitted key and the blob, and the blob. The part of a long blob that
exceeds its leaf goes to overflow pages after it. Numbers in a cell are *varints*: 7 bits a byte, the highest first,
with the top bit set in all bytes but the last.
"""

from __future__ import annotations

import numpy as np

from solver.kernels.jit import jit

_LEAF = 13
HEADER_BYTES = 8
"""Before the pointers."""
POINTER_BYTES = 2

_NUMBER = 4  # bytes of the number of a page


@jit
def write_leaves(
    keys: np.ndarray,
    lengths: np.ndarray,
    blobs: np.ndarray,
    complete: bool,
    number: int,
    unused: int,
    pages: np.ndarray,
    leaves: np.ndarray,
) -> tuple[int, int, int]:
    """Fill `pages` (uint8[most, bytes of a page]) with the full leaves of rows; if `complete`, also with the last leaf.

    A row has a key from `keys` (int64[n], ascending, at least 0) and a blob, whose length is in `lengths` (int64[n]).
    `blobs` (uint8[bytes]) contains all blobs, one after another. The first page gets `number`, and the page numbered
    `unused` stays empty. Fills `leaves` (int64[most, 2]) with the page number and the last key of each leaf. Returns
    the numbers of rows, pages and leaves.
    """
    page_bytes = pages.shape[1]
    first = begin = filled = found = 0
    while first < keys.size:
        last, size = first, 0
        while last < keys.size:
            more = POINTER_BYTES + cell_size(keys[last], lengths[last], page_bytes)
            if HEADER_BYTES + size + more > page_bytes:
                break
            size += more
            last += 1
        if last == keys.size and not complete:
            break
        place = _next_place(pages, filled, number, unused)
        filled = place + 1
        leaves[found, 0], leaves[found, 1] = number + place, keys[last - 1]
        found += 1
        leaf = pages[place]
        at = page_bytes - size + POINTER_BYTES * (last - first)
        leaf[:at] = 0
        leaf[0] = _LEAF
        _put(last - first, 2, leaf, 3)
        _put(at & 0xFFFF, 2, leaf, 5)
        for row in range(first, last):
            _put(at, 2, leaf, HEADER_BYTES + POINTER_BYTES * (row - first))
            blob = blobs[begin : begin + lengths[row]]
            begin += lengths[row]
            head, kept = parts(blob.size, page_bytes)
            at = _put_varint(head + blob.size, leaf, at)
            at = _put_varint(keys[row], leaf, at)
            leaf[at], leaf[at + 1] = head, 0
            at = _put_varint(2 * blob.size + 12, leaf, at + 2)
            _copy(blob[:kept], leaf[at:])
            at += kept
            if kept < blob.size:
                _put(number + _next_place(pages, filled, number, unused), _NUMBER, leaf, at)
                at += _NUMBER
                filled = _spill(blob[kept:], pages, filled, number, unused)
        first = last
    return first, filled, found


@jit
def _spill(rest: np.ndarray, pages: np.ndarray, filled: int, number: int, unused: int) -> int:
    """Write the rest of a blob to a chain of pages; return the number of pages filled so far."""
    room = pages.shape[1] - _NUMBER
    for begin in range(0, rest.size, room):
        place = _next_place(pages, filled, number, unused)
        filled = place + 1
        page, part = pages[place], rest[begin : begin + room]
        page[:] = 0
        _copy(part, page[_NUMBER:])
        if begin + room < rest.size:
            _put(number + _next_place(pages, filled, number, unused), _NUMBER, page, 0)
    return filled


@jit
def _next_place(pages: np.ndarray, filled: int, number: int, unused: int) -> int:
    """Return the next page to fill after `filled` pages."""
    if number + filled != unused:
        return filled
    pages[filled] = 0
    return filled + 1


@jit
def cell_size(key: int, length: int, page_bytes: int) -> int:
    """Return the number of bytes of a cell in its leaf, given its key and the length of its blob."""
    head, kept = parts(length, page_bytes)
    size = _varint_size(head + length) + _varint_size(key) + head + kept
    return size if kept == length else size + _NUMBER


@jit
def parts(length: int, page_bytes: int) -> tuple[int, int]:
    """Return the bytes of a payload before its blob, and the number of bytes of the blob that are kept in the leaf."""
    head = 2 + _varint_size(2 * length + 12)
    most, least = page_bytes - 35, (page_bytes - 12) * 32 // 255 - 23
    if head + length <= most:
        return head, length
    kept = least + (head + length - least) % (page_bytes - _NUMBER)
    return head, (kept if kept <= most else least) - head


@jit
def _varint_size(value: int) -> int:
    size = 1
    while value >= 128:
        value >>= 7
        size += 1
    return size


@jit
def _put_varint(value: int, page: np.ndarray, at: int) -> int:
    """Write a number at `at`; return the index after it."""
    end = at + _varint_size(value)
    for place in range(end - 1, at - 1, -1):
        page[place] = value & 127 | (128 if place < end - 1 else 0)
        value >>= 7
    return end


@jit
def _put(value: int, size: int, page: np.ndarray, at: int) -> None:
    """Write a number in `size` bytes, the highest first."""
    for place in range(at + size - 1, at - 1, -1):
        page[place] = value & 255
        value >>= 8


@jit
def _copy(source: np.ndarray, target: np.ndarray) -> None:
    for place in range(source.size):
        target[place] = source[place]
