"""Build a table of positions: a row for each position of a small game, with its value, best moves and board."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from solver import __version__
from solver.count.walking import WalkedPly
from solver.count.walking import sweep as walk_levels
from solver.game.arrays import best_moves, board_texts, canonical_hashes, move_ranks, square_names
from solver.game.rules import Rules
from solver.solve.levels import SolvedPages, Solver, Tally, solve_levels
from solver.solve.shard_plan import ShardPlan
from solver.solve.solvers import make_solver, prepare
from solver.solve.statistics import Statistics
from solver.store.bulk import PagedBulk, Values
from solver.store.layout import layout_of
from solver.store.schema import NO_DISTANCE, UNREACHABLE, Metric
from solver.store.writer import TableWriter
from solver.support.threads import ThreadPool

Hashes = npt.NDArray[np.int64]
Row = tuple[int, str, int, str, int, int | None, str, int]


def build_positions(
    target: Path, rules: Rules, metric: Metric, pool: ThreadPool, progress: Callable[[int, int], None]
) -> Path:
    """Solve a game, write a table with a row for every position, and return its path; see `build.build_table`."""
    game = prepare(rules, metric, pool)
    plan = game.shards
    solver = make_solver(plan.build, dict(game.inputs(None)).__getitem__)
    with TableWriter(target, rules, metric) as writer:
        pages, tallies = solve_pages(plan, solver, pool, lambda done: progress(done, plan.build.work))
        statistics = Statistics(rules, metric, game.counts(), tallies)
        levels = list(walk_levels(rules))
        dense = dense_array(rules, levels, PagedBulk(layout_of(rules, metric), pages.__getitem__))
        writer.add_positions(rows(rules, levels, dense), dense.data)
        writer.put_plies(statistics.rows())
        return writer.finish({**statistics.meta(), "builder": __version__})


def solve_pages(
    plan: ShardPlan, solver: Solver, pool: ThreadPool, progress: Callable[[int], None] | None = None
) -> tuple[dict[int, bytes], list[Tally]]:
    """Return all raw pages of a game by key, and the tallies of the positions; see `solve_levels`."""

    def copy(solved: SolvedPages) -> list[tuple[int, bytes]]:
        return [(key, page.tobytes()) for key, page in zip(solved.keys.tolist(), solved.pages, strict=True)]

    shards = list(solve_levels(plan, solver, pool, copy, progress))
    pages = {key: page for shard in shards for results in shard.results for key, page in results}
    return pages, [tally for shard in shards for tally in shard.tallies]


def dense_array(rules: Rules, levels: list[WalkedPly], probe: Callable[[Hashes], Values]) -> npt.NDArray[np.uint8]:
    """Return the dense array (uint8[3**N], see store.schema); `probe` is a function like Tablebase.probe_many."""
    dense = np.full(3**rules.squares, UNREACHABLE, dtype=np.uint8)
    for level in levels:
        wdl, distance = probe(level.hashes)
        dense[level.hashes] = (wdl + 1) * 16 + np.where(distance < 0, NO_DISTANCE, distance)
    return dense


def rows(rules: Rules, levels: list[WalkedPly], dense: npt.NDArray[np.uint8]) -> Iterator[Row]:
    """Yield the rows of the table `positions`, in ascending order of hash.

    The items of a row are in the order of store.schema.POSITIONS_COLUMNS.
    """
    hashes = np.concatenate([level.hashes for level in levels])
    order = np.argsort(hashes)
    hashes = hashes[order]
    plies = np.concatenate([np.full(len(level.hashes), level.ply) for level in levels])[order]
    legal = np.concatenate([level.moves for level in levels])[order]
    every = np.arange(UNREACHABLE + 1)
    ranks = move_ranks((every >> 4) - 1, np.where(every & 15 == NO_DISTANCE, -1, every & 15))  # by code
    moves = best_moves(rules, hashes, plies, legal, lambda children: ranks[dense[children]])
    columns = zip(
        hashes.tolist(),
        board_texts(rules, hashes).astype(str).tolist(),
        plies.tolist(),
        dense[hashes].tolist(),
        moves.tolist(),
        canonical_hashes(rules, hashes).tolist(),
        strict=True,
    )
    for position, board, ply, code, mask, least in columns:
        distance = None if code & 15 == NO_DISTANCE else code & 15
        names = " ".join(square_names(rules, mask))
        yield position, board, ply, "XO"[ply % 2], (code >> 4) - 1, distance, names, least
