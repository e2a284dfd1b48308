"""Tables of the nodes of a proof-number search: their keys, and where they are.

A key is in one of the entries from `first_place` on. It is never 0, which marks an empty entry.
"""

from __future__ import annotations

import numpy as np

from solver.kernels.jit import jit_within
from solver.kernels.words import ONE

WAYS = 4
"""The entries in which a key can be."""

_MIX = np.uint64(0x9E3779B97F4A7C15)
_REMIX = np.uint64(0xD6E8FEB86659FD93)


@jit_within
def mix(number: np.uint64) -> np.uint64:
    """Return a key, an odd number, for a hash."""
    key = number * _MIX
    key = (key ^ (key >> np.uint64(32))) * _REMIX
    return key ^ (key >> np.uint64(29)) | ONE


@jit_within
def first_place(key: np.uint64) -> int:
    """Return the first index at which a key can be, before it is reduced to the size of the table."""
    return int(np.int64(key >> np.uint64(20)))


@jit_within
def find(keys: np.ndarray, key: np.uint64) -> int:
    """Return the index of a key in a table, uint64[2**n]; -1 if it is not there."""
    start = first_place(key)
    for way in range(WAYS):
        at = (start + way) & (keys.size - 1)
        if keys[at] == key:
            return at
    return -1
