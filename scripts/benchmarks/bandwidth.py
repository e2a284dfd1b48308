"""Measure the machine's memory bandwidth by the triad of McCalpin's STREAM (https://www.cs.virginia.edu/stream/)."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from benchmarks.figure import seconds
from solver.kernels.jit import jit

_WORDS = 20_000_000  # in each of three arrays: far more than the caches hold


def triad_rate(threads: int, words: int = _WORDS) -> float:
    """Return the bytes per second of a = b + 3 * c, with the arrays divided among threads."""
    a, b, c = (np.ones(words) for _ in range(3))
    parts = [slice(i * words // threads, (i + 1) * words // threads) for i in range(threads)]
    with ThreadPoolExecutor(threads) as pool:
        elapsed = seconds(lambda: [*pool.map(lambda part: _triad(a[part], b[part], c[part]), parts)])
    return 3 * a.nbytes / elapsed


@jit
def _triad(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    for i in range(a.size):
        a[i] = b[i] + 3.0 * c[i]
