"""The forecast: from the levels of a game to bytes and seconds."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from solver.count.pages import positions
from solver.game.rules import MAX_SQUARES, Rules
from solver.solve.cost import WORD_BYTES, plane_words
from solver.solve.forecast.levels import Level, levels_of
from solver.solve.forecast.speed import Speed
from solver.solve.placement import SET_BYTES
from solver.solve.sweep import BASE_BYTES, arena_bytes, fitting, levels_budget
from solver.store.layout import layout_of
from solver.store.schema import Metric, storage_for

__all__ = ["Forecast", "forecast"]

_ENUMERATE = 16  # bytes for each set of squares while positions are counted and sets classified

# The file: what pages (or rows) take, fitted to tables from 4,4,4 to 5,5,4.
_EMPTY_FILE = 65_536  # bytes
_COMPRESSED = 25  # bytes of a page for 100 raw ones, where threats decide many positions
_COMPRESSED_WHOLE = 55  # elsewhere
_ROW = 15  # bytes a page takes besides
_POSITION = 38.5  # bytes of a row for each position, in a table of positions


@dataclass(frozen=True)
class Forecast:
    """What building one table needs.

    positions: that occur in play, exact if `exact`, else an upper bound. pages: that are solved and kept, up to
    symmetry (if not `exact`, about; a table of positions has rows in their place). work: see build.cost.
    peak_memory: bytes of the process, without what it maps from files. file_bytes: of the finished table.
    temporary_bytes: on the disk besides it while it is built. seconds: on this machine, None if its speed was not
    measured.
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

    `memory` is a budget in bytes: levels that do not fit into it are on the disk meanwhile. `threads` is by default
    the number of cores; `speed` is what `measure_speed` found for the same metric and threads.
    """
    levels = levels_of(rules, metric)
    found = positions(rules)
    arenas = arena_bytes([level.kept_bytes for level in reversed(levels)])
    threads = threads or os.cpu_count() or 1
    tables, scratch = _tables(rules, levels), max(level.scratch for level in levels)
    fits = fitting(arenas, levels_budget(memory, tables, scratch, threads))
    in_memory = sum(size for size, inside in zip(arenas, fits, strict=True) if inside)
    file_bytes = _file_bytes(rules, metric, levels, found)
    # While a game is kept as pages, these stand beside the table in the order they were solved in, with what the last
    # level kept and the one before, so that a build can go on.
    beside = file_bytes + sum(arenas) if storage_for(rules.squares) == "pages" else 0
    return Forecast(
        positions=found,
        exact=rules.squares <= MAX_SQUARES,
        pages=sum(level.stored for level in levels),
        work=sum(level.work for level in levels),
        peak_memory=BASE_BYTES + max(tables + threads * scratch + in_memory, _counting_memory(rules)),
        file_bytes=file_bytes,
        temporary_bytes=beside + sum(arenas) - in_memory,
        seconds=None if speed is None else _seconds(levels, file_bytes, speed),
    )


def _tables(rules: Rules, levels: Sequence[Level]) -> int:
    """Bytes that stay in memory during the sweep, as Sweep.tables."""
    if layout_of(rules, "wdl").has_gravity:  # which colourings of each shape arise: two planes of every ply
        return sum(2 * level.solved * plane_words(stones) * WORD_BYTES for stones, level in enumerate(levels))
    return SET_BYTES << rules.squares


def _counting_memory(rules: Rules) -> int:
    """Bytes for counting and classifying, which is over when the sweep begins."""
    return 0 if layout_of(rules, "wdl").has_gravity else _ENUMERATE << rules.squares


def _file_bytes(rules: Rules, metric: Metric, levels: Sequence[Level], found: int) -> int:
    if storage_for(rules.squares) == "positions":
        return _EMPTY_FILE + round(_POSITION * found)
    share = _COMPRESSED if layout_of(rules, metric).has_threats else _COMPRESSED_WHOLE
    return _EMPTY_FILE + sum(level.stored * _ROW + level.raw_bytes * share // 100 for level in levels)


def _seconds(levels: Sequence[Level], file_bytes: int, speed: Speed) -> float:
    work, raw = sum(level.work for level in levels), sum(level.raw_bytes for level in levels)
    return speed.start + work * speed.word + raw * speed.raw_byte + file_bytes * speed.file_byte
