"""Build the table of a game that is kept as pages: level by level, so that a build that was stopped can go on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from solver import __version__
from solver.game.rules import Rules
from solver.solve.checkpoint import Checkpoint, Packed, index_entries
from solver.solve.prepare import prepare
from solver.solve.statistics import Statistics
from solver.solve.sweep import Pool, Sweep, TwoLevels, levels_budget, run
from solver.store.codec import pack_page, page_digest
from solver.store.schema import Metric
from solver.store.writer import TableWriter

Page = tuple[int, bytes]

WRITING = 0.1
"""Putting the pages in order takes about this part of the time that solving takes: for showing progress."""


def build_pages(
    target: Path,
    rules: Rules,
    metric: Metric,
    pool: Pool,
    progress: Callable[[int, int], None],
    memory: int | None,
) -> Path:
    """Solve a game, and write its pages in the order of their keys; see table.build_table."""
    with Checkpoint(target, rules, metric) as checkpoint:
        sweep, statistics = prepare(rules, metric)
        solving = sum(sweep.works)
        total = int(solving * (1 + WRITING))
        _solve(checkpoint, sweep, statistics, pool, lambda done: progress(done, total), memory)
        rows = list(statistics.rows())  # before anything is written: it fails when the counts disagree
        with TableWriter(target, rules, metric) as writer:
            writer.put_plies(rows)
            pages = checkpoint.pages_by_key()
            writer.add_packed(_shown(pages, len(pages), solving, total, progress), checkpoint.digest)
            return writer.finish({**statistics.meta(), "builder": __version__})


def _solve(
    checkpoint: Checkpoint,
    sweep: Sweep,
    statistics: Statistics,
    pool: Pool,
    progress: Callable[[int], None],
    memory: int | None,
) -> None:
    """Solve all levels that the checkpoint has not, and add what they say to it and to the statistics."""
    budget = levels_budget(memory, sweep.tables, sweep.scratch, pool.threads)
    levels = TwoLevels(sweep.shapes, budget, checkpoint.folder)
    first = checkpoint.levels
    if first:
        checkpoint.restore(levels.array(first - 1))
        statistics.restore(checkpoint.tallies)
    done = sum(sweep.works[:first])

    def level_done(count: int, kept: npt.NDArray[np.uint64]) -> None:
        checkpoint.level_done(count, kept, statistics.tallies())

    for batch in run(sweep, pool, pack, levels, first, level_done):
        statistics.add(batch.tallies)
        if batch.result:
            checkpoint.add(batch.result)
        done += batch.work
        progress(done)
    checkpoint.wait()  # until the last level is written: its memory is given back here


def pack(keys: npt.NDArray[np.int64], raw: npt.NDArray[np.uint8]) -> Packed:
    """Compress raw pages (uint8[C, bytes])."""
    pages, digest = [], 0
    for key, row in zip(keys.tolist(), raw, strict=True):
        page = row.tobytes()
        pages.append(pack_page(page))
        digest += page_digest(key, page)
    return Packed(index_entries(keys, [len(page) for page in pages]), b"".join(pages), digest)


def _shown(
    pages: Iterable[Page], count: int, solving: int, total: int, progress: Callable[[int, int], None]
) -> Iterator[Page]:
    """The pages; from time to time, progress is told how far they take it from `solving` to `total`."""
    for number, page in enumerate(pages):
        yield page
        if number % 1000 == 0:
            progress(solving + (total - solving) * number // count, total)
    progress(total, total)
