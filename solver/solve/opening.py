"""Build an opening table: all positions of the first plies of a game that is too large for a whole table.

The last ply is solved by search, and the plies before it by retrograde analysis. Both give exact values and exact
numbers of plies to the end. So the table depends only on the game and the number of plies.
"""

import json
from collections.abc import Callable
from contextlib import closing, suppress
from hashlib import blake2b
from math import comb
from pathlib import Path
from threading import Event
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver import __version__
from solver.count.shapes import columns
from solver.errors import RulesError
from solver.game.rules import Rectangle, Rules, require_rectangle
from solver.kernels.gravity import ColumnBoard
from solver.search import is_searchable
from solver.search.gravity import Search
from solver.solve.build_objects import BuildObjects, LostObjects
from solver.solve.gravity_solver import GravitySolver, prepare_gravity
from solver.solve.levels import KeptPages, Tally
from solver.solve.lock import StoreLock
from solver.solve.objects import open_store
from solver.solve.plan import BuildPlan, Partition
from solver.solve.positions_table import solve_pages
from solver.solve.statistics import Statistics
from solver.store.bulk import colex_ranks
from solver.store.layout import last_ply
from solver.store.reader import MAX_OPENING_PLIES, TableReader
from solver.store.schema import PLIES_KEY, Metric
from solver.store.sqlite import SqliteSource
from solver.store.writer import TableWriter
from solver.support.memory import available_memory
from solver.support.progress import Progress
from solver.support.threads import ThreadPool

Plies = npt.NDArray[np.int8]
"""The plies to the end of positions: positive if the side to move wins, negative if it loses, 0 for a draw."""
Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
"""Two words of stones, one for each side, as in `solver.kernels.search_board`: each column of bits has one spare bit on
top."""

OPENING_PLIES = 12  # the default plies of an opening table

MEMORY = 4 << 30
"""The most bytes of remembered results. They save nodes, because neighbouring positions share most successors."""

BLOCK = 512
"""The positions that are searched and stored together: for 6,7,4,gravity at ply 12, about a second of a thread."""

_METRIC: Metric = "distance"
_CHUNK = 1 << 20  # positions whose moves are listed at once, or that are placed on their pages at once


class PlyPositions(NamedTuple):
    """The positions of one ply; only one of each pair of mirror images is listed."""

    live: Words  # uint64[P, 2]: the stones of the side to move and of the other side, in unfinished games
    over: Words  # uint64[Q, 2]: the same for games in which the last move completed a line


def require_opening(rules: Rules, plies: int) -> None:
    """Raise RulesError unless an opening table with `plies` plies can be built."""
    if not is_searchable(rules):
        raise RulesError(
            f"{rules} can't have an opening table: expected a game that can be searched, k in a row with gravity on up "
            "to 64 squares with one row added, and no other variant; choose such a game, such as 6,7,4,gravity."
        )
    most = min(MAX_OPENING_PLIES, rules.squares - 1)
    if not 1 <= plies <= most:
        raise RulesError(
            f"An opening table of {rules} can have from 1 to {most} plies, not {plies}; choose a number in this range."
        )


def build_opening(
    target: Path, rules: Rules, plies: int, pool: ThreadPool, progress: Progress, memory: int | None = None
) -> Path:
    """Build the opening table with plies 0 to `plies`, and return its path.

    The searches use at most `memory` bytes to remember results. An interrupted build is resumed. `progress` is called
    with two numbers of positions of the last ply: how many have been searched, and how many must be.
    """
    require_opening(rules, plies)
    positions = list_positions(require_rectangle(rules, "An opening table"), plies)
    listed = blake2b(positions.live.tobytes(), digest_size=16).hexdigest()
    facts = {"game": rules.name, "metric": _METRIC, "builder": __version__, "positions": listed}
    store = open_store(str(results_path(target, plies)))
    objects = BuildObjects(store, json.dumps(facts))
    with StoreLock(store) as lock:

        def report(done: int, total: int) -> None:
            lock.require()
            progress(done, total)

        objects.begin()
        found = _search(rules, positions, objects, pool, memory, report)
        write_opening(target, rules, plies, positions, found, pool)
        lock.clear()
    return target


def results_path(target: Path, plies: int) -> Path:
    """Return the folder in which an unfinished build keeps its objects."""
    return target.with_name(f"{target.name}.{plies}-plies.parts")


def _search(
    rules: Rules,
    positions: PlyPositions,
    objects: BuildObjects,
    pool: ThreadPool,
    memory: int | None,
    progress: Progress,
) -> Plies:
    """Return the result of `Search.plies_of` for each position: from the store if it is there, otherwise by search."""
    if memory is None:
        memory = min(MEMORY, (available_memory() or MEMORY) // 2)
    search = Search(rules, memory=memory)
    stopped, total, done = Event(), len(positions.live), list[Plies]()

    def find(block: int) -> Plies:
        part, name = positions.live[block * BLOCK : (block + 1) * BLOCK], f"plies/{block}"
        with suppress(LostObjects):
            return np.frombuffer(objects.read_input(name), np.int8, len(part))
        found = search.plies_of(part, stopped.is_set)
        if len(found) == len(part):
            objects.write_inputs([(name, bytearray(found.tobytes()))])
        return found

    def report() -> None:  # called often, because it raises the KeyboardInterrupt of Ctrl-C
        progress(min(len(done) * BLOCK, total), total)

    report()
    try:
        for found in pool.map(find, range(-(-total // BLOCK)), report):
            done.append(found)
            report()
    finally:
        stopped.set()  # otherwise the pool would finish the blocks that were begun
    return np.concatenate(done or [np.zeros(0, np.int8)])


def write_opening(
    target: Path, rules: Rules, plies: int, positions: PlyPositions, found: Plies, pool: ThreadPool
) -> None:
    """Write the table, given the result of `Search.plies_of` for each unfinished position of the last ply.

    Raises CheckFailed if the number of searched positions is not the number that a sweep over the shapes finds.
    """
    game = prepare_gravity(rules, _METRIC, pool, plies)
    solver = _OpeningSolver(game.shards.build, dict(game.inputs).__getitem__, positions, found)
    pages, tallies = solve_pages(game.shards, solver, pool)
    statistics = Statistics(rules, _METRIC, game.counts.result(), tallies)
    rows = list(statistics.rows())  # before anything is written: it fails if the counts disagree
    with TableWriter(target, rules, _METRIC, "pages") as writer:
        writer.put_plies(rows)
        writer.add_pages(sorted(pages.items()))
        writer.finish({**statistics.meta(), "builder": __version__, PLIES_KEY: plies})


class _OpeningSolver(GravitySolver):
    """A solver of the first plies, given the search results for the unfinished positions of the last of these plies."""

    def __init__(
        self, plan: BuildPlan, read: Callable[[str], bytearray], positions: PlyPositions, found: Plies
    ) -> None:
        super().__init__(plan, read)
        ply, shapes, rules = plan.levels[0].stones, self._plies[0].shapes, plan.rules
        board = require_rectangle(rules, "An opening table")
        self._codes = np.zeros((len(shapes), comb(ply, (ply + 1) // 2)), dtype=np.uint8)
        self._is_live = np.zeros(self._codes.shape, dtype=np.bool_)
        live_codes = np.where(found == 0, 0, _codes(rules, ply + np.abs(found.astype(np.int64))))
        over_codes = np.full(len(positions.over), _codes(rules, np.array([ply])))
        for words, values, is_over in ((positions.live, live_codes, False), (positions.over, over_codes, True)):
            for first in range(0, len(words), _CHUNK):
                chunk = words[first : first + _CHUNK]
                for image in (chunk, mirror(board, chunk)):
                    at = _places(board, shapes, image, ply)
                    self._codes[at] = values[first : first + _CHUNK]
                    self._is_live[at] = not is_over

    def fill(
        self, board: ColumnBoard, partition: Partition, inputs: KeptPages, lineless: KeptPages, kept: KeptPages
    ) -> Tally:
        """Fill the kept pages of a partition; those of the last ply are made from the results of the search."""
        level, first, last = partition
        if level.number:
            return super().fill(board, partition, inputs, lineless, kept)
        codes, is_live, (by_x, by_o) = self._codes[first:last], self._is_live[first:last], level.horizons
        counts = np.bincount(codes[is_live], minlength=2 * max(by_x, by_o) + 2)
        holds = [int(counts[2 * first :: 2].sum()) for first in range(1, by_x + 1)]
        holds += [int(counts[2 * first + 1 :: 2].sum()) for first in range(1, by_o + 1)]
        kept[:] = 0
        for plane in range(kept.shape[1]):
            bits = np.packbits(codes >> np.uint8(plane) & np.uint8(1), axis=1, bitorder="little")
            kept.view(np.uint8)[:, plane, : bits.shape[1]] = bits
        return Tally(level.stones, by_x, [*holds, int(is_live.sum())])


def _codes(rules: Rules, ends: Ints) -> Ints:
    """Return a code for each ply in `ends`: that of a position whose game ends at that ply with a line.

    The codes are described in `solver.store.layout`.
    """
    signs = 1 - ends % 2
    last = np.where(signs, last_ply(rules.plies, 1), last_ply(rules.plies, 0))
    return 2 * ((last - ends) // 2 + 1) + signs


def _places(board: Rectangle, shapes: Ints, positions: Words, ply: int) -> tuple[Ints, Ints]:
    """Return the index of each position's shape, and the rank of each position's colouring."""
    x, taken = np.zeros(len(positions), np.int64), np.zeros(len(positions), np.int64)
    for square in range(board.m * board.n):
        row, column = divmod(square, board.n)
        bit = np.uint64(column * (board.m + 1) + board.m - 1 - row)
        own, other = (positions >> bit & np.uint64(1)).astype(np.int64).T << square
        x |= other if ply % 2 else own
        taken |= own | other
    order = np.argsort(shapes)
    return order[np.searchsorted(shapes, taken, sorter=order)], colex_ranks(x, taken, board.m * board.n)


def shorten_opening(source: Path, target: Path, rules: Rules, plies: int) -> Path:
    """Copy plies 0 to `plies` of a longer opening table, `source`, to a new table `target`, without any search."""
    with closing(SqliteSource(source)) as pages, TableWriter(target, rules, _METRIC, "pages") as writer:
        reader = TableReader(pages, rules)
        rows = reader.plies()[: plies + 1]
        layout = reader.layout
        _, by_ply = columns(rules)
        keys = sorted({layout.images.canonical(key)[0] for masks in by_ply[: plies + 1] for key in masks.tolist()})
        writer.put_plies(rows)
        writer.add_pages((key, reader.page(key)) for key in keys)
        meta = {name: reader.meta[name] for name in ("root_wdl", "root_distance", "builder")}
        counts = {name: sum(row[name] or 0 for row in rows) for name in ("positions", "canonical")}
        writer.finish({**meta, **counts, PLIES_KEY: plies})
    return target


def list_positions(board: Rectangle, ply: int, start: Words | None = None) -> PlyPositions:
    """Return the positions after `ply` moves with gravity from the positions `start` (default: the empty board).

    The positions are in depth-first order, so those that share their first moves, and most of their search, are
    adjacent.
    """
    live = over = np.zeros((1, 2), dtype=np.uint64) if start is None else start
    for _ in range(ply):
        live, over = _list_next(board, live)
    return PlyPositions(live, over if ply else over[:0])


def _list_next(board: Rectangle, live: Words) -> tuple[Words, Words]:
    """Return the (unfinished, finished) positions one ply later, in the order of their first parents."""
    found: tuple[list[Words], list[Words]] = ([], [])
    for first in range(0, max(len(live), 1), _CHUNK):
        children = _play(board, live[first : first + _CHUNK])
        is_over = _has_line(board, children[:, 1])
        for kind, chosen in zip(found, (~is_over, is_over), strict=True):
            kind.append(_first_of_each(board, children[chosen]))
    return _first_of_each(board, np.concatenate(found[0])), _first_of_each(board, np.concatenate(found[1]))


def _play(board: Rectangle, positions: Words) -> Words:
    """Return the position after each legal move, with the other side to move; moves in central columns come first."""
    step = board.m + 1
    bottom = np.uint64(sum(1 << step * column for column in range(board.n)))
    free = (positions[:, 0] | positions[:, 1]) + bottom
    children = np.zeros((len(positions), board.n, 2), dtype=np.uint64)
    legal = np.zeros((len(positions), board.n), dtype=np.bool_)
    for place, column in enumerate(sorted(range(board.n), key=lambda column: abs(2 * column - board.n + 1))):
        move = free & np.uint64(((1 << board.m) - 1) << step * column)
        children[:, place, 0] = positions[:, 1]
        children[:, place, 1] = positions[:, 0] | move
        legal[:, place] = move > 0
    return children[legal]


def _has_line(board: Rectangle, stones: Words) -> npt.NDArray[np.bool_]:
    found = np.zeros(stones.size, dtype=np.bool_)
    for shift in (1, board.m, board.m + 1, board.m + 2):
        line = stones
        for stone in range(1, board.k):
            line = line & (stones >> np.uint64(shift * stone))
        found |= line > 0
    return found


def _first_of_each(board: Rectangle, positions: Words) -> Words:
    """Remove positions that equal an earlier position or its mirror image, and return the others in the same order."""
    own, other = positions[:, 0], positions[:, 1]
    bottom = np.uint64(sum(1 << (board.m + 1) * column for column in range(board.n)))
    # The stones of one side plus the first free squares: a different number for each position. It is made column by
    # column, so the number of the mirror image is the mirror image of the number.
    numbers = (own | other) + bottom + own
    _, firsts = np.unique(np.minimum(numbers, mirror(board, numbers)), return_index=True)
    return positions[np.sort(firsts)]


def mirror(board: Rectangle, words: Words) -> Words:
    """Return each word with the columns of the board in reverse order."""
    step = board.m + 1
    column = np.uint64((1 << step) - 1)
    image = np.zeros_like(words)
    for number in range(board.n):
        image |= (words >> np.uint64(step * number) & column) << np.uint64(step * (board.n - 1 - number))
    return image
