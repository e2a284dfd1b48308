"""Build a table of pages: solve level by level, keep every finished level, and write the pages by key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from solver import __version__
from solver.count import count_positions
from solver.game.rules import Rules
from solver.solve.checkpoint import INDEX_ENTRY, Checkpoint, Packed
from solver.solve.gravity_solver import GravitySolver
from solver.solve.levels import SolvedPages, Solver, TwoLevels, solve_levels
from solver.solve.placement_solver import PlacementSolver
from solver.solve.plan import LevelPlan, plan_memory
from solver.solve.statistics import Statistics
from solver.store.codec import pack_page, page_digest
from solver.store.layout import layout_of
from solver.store.schema import Metric
from solver.store.writer import TableWriter
from solver.support.threads import ThreadPool, run_in_background

WRITING = 0.1  # the share of progress for writing the pages by key, relative to solving


def build_pages(
    target: Path,
    rules: Rules,
    metric: Metric,
    pool: ThreadPool,
    progress: Callable[[int, int], None],
    memory: int | None,
) -> Path:
    """Solve a game and write its pages in the order of their keys, see `build.build_table`."""
    with Checkpoint(target, rules, metric) as checkpoint:
        solver, statistics = make_solver(rules, metric, pool, memory, checkpoint.folder)
        work = solver.plan.work
        fits = plan_memory(solver.plan, memory, pool.threads).fits
        _solve(checkpoint, solver, statistics, pool, fits, lambda done: progress(done, int(work * (1 + WRITING))))
        rows = list(statistics.rows())  # before anything is written: it fails if the counts disagree
        with TableWriter(target, rules, metric) as writer:
            writer.put_plies(rows)
            pages = checkpoint.pages_by_key()
            writer.add_packed(pages, checkpoint.digest, writing_progress(progress, work, len(pages)))
            return writer.finish({**statistics.meta(), "builder": __version__})


def _solve(
    checkpoint: Checkpoint,
    solver: Solver,
    statistics: Statistics,
    pool: ThreadPool,
    fits: Sequence[bool],
    progress: Callable[[int], None],
) -> None:
    """Solve the levels that the checkpoint lacks; add their pages to it and their tallies to the statistics."""
    levels, first = solver.plan.levels, checkpoint.levels
    store = TwoLevels(solver.plan, fits[:2], checkpoint.folder)
    if first:
        checkpoint.restore(store.pages(levels[first - 1]))
        statistics.restore(checkpoint.state["tallies"])
    done = sum(level.work for level in levels[:first])

    def level_done(level: LevelPlan) -> None:
        checkpoint.level_done(level.number + 1, store.pages(level), statistics.tallies())

    for outcome in solve_levels(solver, pool, pack, store, first, level_done):
        statistics.add(outcome.tallies)
        checkpoint.add(outcome.result)
        done += outcome.partition.work
        progress(done)
    checkpoint.wait()  # until the last level is written, because its memory is freed here


def pack(solved: SolvedPages) -> Packed:
    """Compress solved pages and add up their digests."""
    pages, digest = [], 0
    for key, row in zip(solved.keys.tolist(), solved.pages, strict=True):
        page = row.tobytes()
        pages.append(pack_page(page))
        digest += page_digest(key, page)
    entries = np.empty(len(pages), dtype=INDEX_ENTRY)
    entries["key"], entries["length"] = solved.keys, [len(page) for page in pages]
    return Packed(entries, b"".join(pages), digest)


def writing_progress(progress: Callable[[int, int], None], work: int, pages: int) -> Callable[[int], None]:
    """Return a function that takes the number of written pages, once all is solved, and reports progress."""
    total = int(work * (1 + WRITING))
    return lambda written: progress(work + (total - work) * written // pages, total)


def make_solver(
    rules: Rules, metric: Metric, pool: ThreadPool, memory: int | None = None, folder: Path | None = None
) -> tuple[Solver, Statistics]:
    """Return the solver of a game, and its statistics, to which a build adds tallies.

    Data that exceed a budget of `memory` are kept in `folder`.
    """
    if not layout_of(rules, metric).has_gravity:
        counted = run_in_background(count_positions, rules)  # for 25 squares this takes seconds, as does the next line
        return PlacementSolver(rules, metric, pool), Statistics(rules, metric, counted.result())
    gravity = GravitySolver(rules, metric, pool, memory, folder)
    return gravity, Statistics(rules, metric, gravity.counts)
