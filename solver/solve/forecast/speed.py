"""How fast this machine builds, by sweeping a game of a second."""

from __future__ import annotations

import os
from dataclasses import dataclass
from time import perf_counter

import numpy as np
import numpy.typing as npt

from solver.game.rules import Rules
from solver.solve.paged import pack
from solver.solve.prepare import prepare
from solver.solve.sweep import Pool, run
from solver.store.schema import Metric

__all__ = ["Speed", "measure_speed"]

_FILE_BYTE = 1e-8  # seconds: written, put in order, and brought to the disk
_START = 0.05  # seconds that the smallest build takes


@dataclass(frozen=True)
class Speed:
    """Seconds of all threads together: for a word of work, a raw byte compressed, a byte of the file, and to begin."""

    word: float
    raw_byte: float
    file_byte: float = _FILE_BYTE
    start: float = _START


def measure_speed(rules: Rules, metric: Metric, threads: int | None = None) -> Speed:
    """Sweep a small game of the same variants and compress its pages; takes a second or two.

    The first sweep of all on a machine compiles the kernels, which takes longer and is not counted.
    """
    threads = threads or os.cpu_count() or 1
    _run(_sample(rules, 2, 2), metric, threads)
    runs = [_run(_sample(rules, 4, 5), metric, threads) for _ in range(2)]
    return min(runs, key=lambda speed: speed.word)  # the other one was disturbed


def _sample(rules: Rules, m: int, n: int) -> Rules:
    """A game of another size with the same variants."""
    k = min(m, n) if rules.full else min(rules.k, m, n)
    return Rules.parse(",".join([str(m), str(n), str(k), *rules.variants]))


def _run(rules: Rules, metric: Metric, threads: int) -> Speed:
    packing: list[tuple[float, int]] = []  # (seconds of one thread, bytes)

    def timed(keys: npt.NDArray[np.int64], raw: npt.NDArray[np.uint8]) -> None:
        begun = perf_counter()
        pack(keys, raw)
        packing.append((perf_counter() - begun, raw.size))

    sweep, _ = prepare(rules, metric)
    begun = perf_counter()
    with Pool(threads) as pool:
        for _ in run(sweep, pool, timed):
            pass
    elapsed = perf_counter() - begun
    packed = sum(seconds for seconds, _ in packing) / threads
    return Speed(max(elapsed - packed, 0.0) / sum(sweep.works), packed / max(sum(size for _, size in packing), 1))
