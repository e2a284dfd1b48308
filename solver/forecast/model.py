"""The forecast: from the levels of a game to bytes and seconds."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from solver.forecast.counting import positions
from solver.forecast.levels import Level, levels_of
from solver.forecast.speed import Speed
from solver.rules import MAX_SQUARES, Rules
from solver.store.layout import layout_of
from solver.store.schema import Metric, storage_for

__all__ = ["Forecast", "forecast"]

_BASE = 150_000_000  # bytes: the interpreter, the libraries and the compiled kernels
_CLASSIFY = 6  # bytes for each set of squares that stay: page and permutation (kernels.orbits.classify)
_ENUMERATE = 16  # bytes for each set of squares while positions are counted and sets classified

# The file: what pages (or rows) take, fitted to tables from 4,4,4 to 5,5,4.
_EMPTY_FILE = 131_072  # bytes
_COMPRESSED = 44  # bytes of a page for 100 raw ones
_ROW = 40  # bytes a page takes besides
_POSITION = 38.5  # bytes of a row for each position, in a table of positions


@dataclass(frozen=True)
class Forecast:
    """What building one table needs.

    positions: that occur in play, exact if `exact`, else an upper bound. pages: that are solved and kept, up to
    symmetry (if not `exact`, about; a table of positions has rows in their place). work: words merged.
    peak_memory: bytes, of the whole process. file_bytes: of the finished table. temporary_bytes: on the disk
    besides it while it is built. seconds: on this machine, None if its speed was not measured.
    """

    positions: int
    exact: bool
    pages: int
    work: int
    peak_memory: int
    file_bytes: int
    temporary_bytes: int
    seconds: float | None


def forecast(
    rules: Rules, metric: Metric, memory: int | None = None, threads: int | None = None, speed: Speed | None = None
) -> Forecast:
    """What building a table of a game needs; within seconds for boards of up to 25 squares, at once beyond.

    `memory` is a budget in bytes: planes that do not fit into it are on the disk meanwhile. `threads` is by default
    the number of cores; `speed` is what `measure_speed` found for the same metric and threads.
    """
    levels = levels_of(rules, metric)
    found = positions(rules)
    planes = _two_levels(levels)
    fixed = _fixed_memory(rules, levels, threads or os.cpu_count() or 1)
    in_memory = planes if memory is None else min(planes, max(memory - fixed, 0))
    spilled = _two_levels_on_disk(levels) if in_memory < planes else 0
    file_bytes = _file_bytes(rules, levels, found)
    return Forecast(
        positions=found,
        exact=rules.squares <= MAX_SQUARES,
        pages=sum(level.stored for level in levels),
        work=sum(level.work for level in levels),
        peak_memory=max(fixed + in_memory, _BASE + _counting_memory(rules)),
        file_bytes=file_bytes,
        temporary_bytes=_rewritten(rules, file_bytes) + spilled,
        seconds=None if speed is None else _seconds(levels, file_bytes, speed),
    )


def _two_levels(levels: Sequence[Level]) -> int:
    """Bytes of the planes of a level and the one before, in memory taken once (see build.sweep.TwoLevels)."""
    return sum(max((level.plane_bytes for level in levels[parity::2]), default=0) for parity in (0, 1))


def _two_levels_on_disk(levels: Sequence[Level]) -> int:
    """Bytes of the planes of two neighbouring levels, where only bits of positions are kept."""
    return max(first.real_bytes + second.real_bytes for first, second in pairwise(levels))


def _fixed_memory(rules: Rules, levels: Sequence[Level], threads: int) -> int:
    """Bytes that stay in memory during the sweep, whatever happens to the planes."""
    scratch = threads * max((2 * level.planes + 4) * level.words * 8 for level in levels)
    if layout_of(rules, "wdl").is_drop:  # which colourings of each shape arise: two planes of every ply
        return _BASE + scratch + sum(2 * level.solved * level.words * 8 for level in levels)
    return _BASE + scratch + (_CLASSIFY << rules.squares)


def _counting_memory(rules: Rules) -> int:
    """Bytes for counting and classifying, which is over when the sweep begins."""
    return 0 if layout_of(rules, "wdl").is_drop else _ENUMERATE << rules.squares


def _file_bytes(rules: Rules, levels: Sequence[Level], found: int) -> int:
    if storage_for(rules.squares) == "positions":
        return _EMPTY_FILE // 2 + round(_POSITION * found)
    pages = sum(level.stored * _ROW + level.raw_bytes * _COMPRESSED // 100 for level in levels)
    return _EMPTY_FILE + pages


def _rewritten(rules: Rules, file_bytes: int) -> int:
    """Bytes of the second copy that SQLite makes of a table of pages to put them in order."""
    return 0 if storage_for(rules.squares) == "positions" else file_bytes


def _seconds(levels: Sequence[Level], file_bytes: int, speed: Speed) -> float:
    work, raw = sum(level.work for level in levels), sum(level.raw_bytes for level in levels)
    return speed.start + work * speed.word + raw * speed.raw_byte + file_bytes * speed.file_byte
