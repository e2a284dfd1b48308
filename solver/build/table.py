"""Build the table of a game: solve it, count it, compare the two, write the file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from solver import __version__
from solver.build.drop import DropSweep
from solver.build.placement import PlacementSweep
from solver.build.rows import rows, small_table
from solver.build.statistics import Statistics
from solver.build.sweep import Handle, Pool, Sweep
from solver.enumerate import count_positions, shapes
from solver.errors import RulesError, TableError, UnsupportedTable, quoted
from solver.rules import Rules, require_buildable
from solver.store.bulk import PagedBulk
from solver.store.codec import dense_digest, pack_page, page_digest
from solver.store.layout import layout_of
from solver.store.places import default_folder, table_path
from solver.store.reader import TableReader
from solver.store.schema import METRICS, Metric, storage_for
from solver.store.sqlite import SqliteSource
from solver.store.writer import TableWriter

Progress = Callable[[int, int], None]

DISTANCE_SQUARES = 20
"""Up to this many squares a table keeps distances unless told otherwise; above, they take several times longer."""


def build_table(
    rules: Rules | str,
    folder: Path | str | None = None,
    *,
    metric: Metric | None = None,
    threads: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Path:
    """Solve a game and write its table into `folder` (default: $MNK_DATA or data/); returns the file's path.

    `metric` is "distance" (win, draw or loss and the plies to the end; the default up to 20 squares) or "wdl". A
    table that already answers this is kept, unless `force`. `progress(done, total)` is called from time to time in
    the calling thread. The content depends on the game and the metric alone, not on `threads` (default: all cores).

    Raises RulesError (a game that can't be read or is too large, an unknown metric), UnsupportedTable (unless `force`:
    the file that is there is no table, or of another version) and StorageError. Whatever happens
    before it returns, an older table stays as it was.
    """
    rules = Rules.parse(rules) if isinstance(rules, str) else rules
    folder = default_folder() if folder is None else Path(folder)
    require_buildable(rules)
    metric = metric or default_metric(rules)
    if metric not in METRICS:
        raise RulesError(f"There is no metric {quoted(metric)}; choose one of {', '.join(METRICS)}.")
    kept = None if force else existing_table(rules, folder, metric)
    if kept:
        return kept
    with (
        TableWriter(table_path(folder, rules), rules, metric) as writer,
        Pool(threads or os.cpu_count() or 1) as pool,
    ):
        sweep, statistics = _prepare(rules, metric)
        store = _store_positions if storage_for(rules.squares) == "positions" else _store_pages
        facts = store(writer, sweep, pool, statistics, progress or _no_progress)
        writer.put_plies(statistics.rows())
        return writer.finish({**statistics.meta(), **facts, "builder": __version__})


def default_metric(rules: Rules) -> Metric:
    """What a table keeps unless told otherwise."""
    return "distance" if rules.squares <= DISTANCE_SQUARES else "wdl"


def existing_table(rules: Rules, folder: Path, metric: Metric | None = None) -> Path | None:
    """The path of a sound table in `folder` that answers `metric` (one with distances answers wdl too), else None.

    Raises UnsupportedTable for a file of that name that is no table, or one of another version: it may be wanted.
    """
    path = table_path(folder, rules)
    try:
        reader = TableReader(SqliteSource(path), rules)
    except UnsupportedTable:
        raise
    except TableError:
        return None
    reader.close()
    return path if reader.metric in ("distance", metric or default_metric(rules)) else None


def _prepare(rules: Rules, metric: Metric) -> tuple[Sweep, Statistics]:
    """The sweep that solves a game, and its statistics with the counts filled in."""
    if not layout_of(rules, metric).is_drop:
        return PlacementSweep(rules, metric), Statistics(rules, metric, count_positions(rules))
    reached = list(shapes.sweep(*shapes.columns(rules)))
    counts = [shapes.count_ply(rules, ply, found) for ply, found in enumerate(reached)]
    return DropSweep(rules, metric, reached), Statistics(rules, metric, counts)


def _solved(sweep: Sweep, pool: Pool, statistics: Statistics, progress: Progress, handle: Handle) -> Iterator[Any]:
    """What `handle` makes of each batch of pages, while statistics and progress are kept."""
    done = 0
    for batch in sweep.run(pool, handle):
        statistics.add(batch.tallies)
        if batch.result is not None:
            yield batch.result
        done += batch.work
        progress(done, sweep.work)


def _store_pages(
    writer: TableWriter, sweep: Sweep, pool: Pool, statistics: Statistics, progress: Progress
) -> dict[str, str]:
    """Write every page, compressed by the thread that solved it."""
    for packed in _solved(sweep, pool, statistics, progress, _pack):
        writer.add_packed(packed)
    return {}


def _pack(keys: npt.NDArray[np.int64], raw: npt.NDArray[np.uint8]) -> list[tuple[int, bytes, int]]:
    pages = ((key, page.tobytes()) for key, page in zip(keys.tolist(), raw, strict=True))
    return [(key, pack_page(page), page_digest(key, page)) for key, page in pages]


def _store_positions(
    writer: TableWriter, sweep: Sweep, pool: Pool, statistics: Statistics, progress: Progress
) -> dict[str, str]:
    """Write a row for every position; the pages are only the way there."""
    pages: dict[int, bytes] = {}
    for unpacked in _solved(sweep, pool, statistics, progress, _unpack):
        pages.update(unpacked)
    table = small_table(writer.rules, PagedBulk(layout_of(writer.rules, writer.metric), pages.__getitem__))
    writer.add_positions(rows(writer.rules, table))
    return {"digest": dense_digest(table.dense.tobytes())}


def _unpack(keys: npt.NDArray[np.int64], raw: npt.NDArray[np.uint8]) -> dict[int, bytes]:
    return {key: page.tobytes() for key, page in zip(keys.tolist(), raw, strict=True)}


def _no_progress(done: int, total: int) -> None:
    """Nobody is watching."""
