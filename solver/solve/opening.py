"""Build an opening table: all positions of the first plies of a game that is too large for a whole table.

The last ply is solved by search, and the plies before it by retrograde analysis. Both give exact values and exact
numbers of plies to the end. So the table depends only on the game and the number of plies.
"""

import json
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import islice
from math import comb
from pathlib import Path
from threading import Event

import numpy as np
import numpy.typing as npt

from solver import __version__
from solver.count.shapes import Shapes, columns, count_ply, sweep
from solver.errors import RulesError
from solver.game.rules import Rectangle, Rules, require_rectangle
from solver.kernels.gravity import ShapeLevel, solve_shapes
from solver.kernels.layers import folded_words
from solver.search.gravity import Search
from solver.solve.build_objects import BuildObjects, LostInput
from solver.solve.gravity_solver import class_sizes
from solver.solve.levels import Tally
from solver.solve.lock import StoreLock
from solver.solve.objects import open_store
from solver.solve.opening_positions import PlyPositions, Words, list_positions, mirror
from solver.solve.plan import horizons
from solver.solve.statistics import Statistics
from solver.store.layout import BINOMIAL, last_ply, layout_of
from solver.store.reader import MAX_OPENING_PLIES, TableReader
from solver.store.schema import PLIES_KEY, Metric
from solver.store.sqlite import SqliteSource
from solver.store.writer import TableWriter
from solver.support.memory import available_memory
from solver.support.progress import Progress
from solver.support.threads import ThreadPool

Planes = npt.NDArray[np.uint64]
Plies = npt.NDArray[np.int8]
"""The plies to the end of positions: positive if the side to move wins, negative if it loses, 0 for a draw."""
Ints = npt.NDArray[np.int64]

OPENING_PLIES = 12  # the default plies of an opening table

MEMORY = 4 << 30
"""The most bytes of remembered results. They save nodes, because neighbouring positions share most successors."""

BLOCK = 512
"""The positions that are searched and stored together: for 6,7,4,gravity at ply 12, about a second of a thread."""

_METRIC: Metric = "distance"
_CHUNK = 1 << 20  # positions that are placed on their pages at once


def require_opening(rules: Rules, plies: int) -> None:
    """Raise RulesError unless an opening table with `plies` plies can be built."""
    if not Search.supports(rules):
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
    with the number of positions of the last ply searched so far, and the number of all positions to search.
    """
    require_opening(rules, plies)
    positions = list_positions(require_rectangle(rules, "An opening table"), plies)
    facts = {"game": rules.name, "metric": _METRIC, "builder": __version__, "positions": positions.digest}
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
    """Return each position's number of plies to the end: from the store if it is there, otherwise by search."""
    if memory is None:
        memory = min(MEMORY, (available_memory() or MEMORY) // 2)
    search = Search(rules, memory=memory)
    stopped, total, done = Event(), len(positions.live), list[Plies]()

    def find(block: int) -> Plies:
        part, name = positions.live[block * BLOCK : (block + 1) * BLOCK], f"plies/{block}"
        with suppress(LostInput):
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
    """Write the table, given the number of plies to the end for each unfinished position of the last ply.

    Raises CheckFailed if the number of searched positions is not the number that a sweep over the shapes finds.
    """
    swept = list(islice(sweep(rules, pool), plies + 1))
    solver = _Retrograde(rules, swept)
    statistics = Statistics(rules, _METRIC, [count_ply(rules, ply, shapes) for ply, shapes in enumerate(swept)])
    pages: dict[int, bytes] = {}
    kept = solver.last_ply(plies, positions, found)
    for ply in reversed(range(plies + 1)):
        if ply < plies:
            kept = solver.solve(ply, kept)
        statistics.add([solver.tally])
        pages.update(solver.pages(ply, kept))
    rows = list(statistics.rows())  # before anything is written: it fails if the counts disagree
    with TableWriter(target, rules, _METRIC, "pages") as writer:
        writer.put_plies(rows)
        writer.add_pages(sorted(pages.items()))
        writer.finish({**statistics.meta(), "builder": __version__, PLIES_KEY: plies})


class _Retrograde:
    """A retrograde solver, which solves the shapes of each ply, from the last ply backwards."""

    tally: Tally  # the tally of the ply that was solved most recently

    def __init__(self, rules: Rules, swept: list[Shapes]) -> None:
        self._rules = rules
        self._layout = layout_of(rules, _METRIC)
        self._board, _ = columns(rules)
        self._swept = swept
        self._levels = [self._level(ply, shapes) for ply, shapes in enumerate(swept)]
        self._sizes = [class_sizes(self._layout, shapes.masks) for shapes in swept]

    def _level(self, ply: int, shapes: Shapes) -> ShapeLevel:
        by_x, by_o = horizons(self._rules, _METRIC, ply)
        digits = max(self._layout.page_size((1 << ply) - 1).digits, by_x.bit_length(), by_o.bit_length())
        return ShapeLevel(ply, shapes.masks, by_x, by_o, digits)

    def last_ply(self, ply: int, positions: PlyPositions, found: Plies) -> Planes:
        """Return the planes of the last ply's shapes, given each unfinished position's number of plies to the end."""
        level, board = self._levels[ply], require_rectangle(self._rules, "An opening table")
        codes = np.zeros((len(level.shapes), comb(ply, (ply + 1) // 2)), dtype=np.uint8)
        is_live = np.zeros(codes.shape, dtype=np.bool_)
        ends = ply + np.abs(found.astype(np.int64))
        live_codes = np.where(found == 0, 0, self._codes(ends)).astype(np.uint8)
        over_codes = np.full(len(positions.over), self._codes(np.array([ply]))[0], dtype=np.uint8)
        for words, values, is_over in ((positions.live, live_codes, False), (positions.over, over_codes, True)):
            for first in range(0, len(words), _CHUNK):
                chunk = words[first : first + _CHUNK]
                for image in (chunk, mirror(board, chunk)):
                    at = _places(board, level.shapes, image, ply)
                    codes[at] = values[first : first + _CHUNK]
                    is_live[at] = not is_over
        counts = np.bincount(codes[is_live], minlength=2 * max(level.by_x, level.by_o) + 2)
        holds = [counts[2 * first :: 2].sum() for first in range(1, level.by_x + 1)]
        holds += [counts[2 * first + 1 :: 2].sum() for first in range(1, level.by_o + 1)]
        self.tally = Tally(ply, level.by_x, np.array([*holds, is_live.sum()], dtype=np.int64))
        planes = np.zeros((len(level.shapes), level.digits + 1, folded_words(codes.shape[1])), dtype=np.uint64)
        for plane in range(level.digits + 1):
            bits = np.packbits(codes >> np.uint8(plane) & np.uint8(1), axis=1, bitorder="little")
            planes.view(np.uint8)[:, plane, : bits.shape[1]] = bits
        return planes

    def _codes(self, ends: Ints) -> Ints:
        """For each ply in `ends`, return the code of a position from which the game ends at that ply with a line.

        The codes are described in `solver.store.layout`.
        """
        signs = 1 - ends % 2
        last = np.where(signs, last_ply(self._rules.plies, 1), last_ply(self._rules.plies, 0))
        return 2 * ((last - ends) // 2 + 1) + signs

    def solve(self, ply: int, children: Planes) -> Planes:
        """Return the planes of a ply's shapes, given the planes of the next ply."""
        level, below, sizes = self._levels[ply], self._levels[ply + 1], self._sizes[ply]
        lineless = self._swept[ply].lineless
        planes = np.zeros((len(level.shapes), level.digits + 1, lineless.shape[1]), dtype=np.uint64)
        holds = np.zeros(level.by_x + level.by_o + 1, dtype=np.int64)
        reached = lineless[sizes > 0]
        reached.flags.writeable = False  # as in whole builds: the kernel is compiled once for both
        solve_shapes(self._board, level, below, 0, len(level.shapes), children, sizes, reached, planes, holds)
        self.tally = Tally(ply, level.by_x, holds)
        return planes

    def pages(self, ply: int, planes: Planes) -> Iterator[tuple[int, bytes]]:
        """Yield (key, page) for each page of a ply. A page contains only the values of unfinished positions."""
        size, canonical = self._layout.page_size((1 << ply) - 1), self._sizes[ply] > 0
        live = planes[canonical][:, : size.digits + 1] & self._swept[ply].lineless[canonical][:, None]
        raw = live.view(np.uint8)[:, :, : size.plane_bytes].reshape(len(live), size.raw_bytes)
        for key, page in zip(self._swept[ply].masks[canonical].tolist(), raw, strict=True):
            yield key, page.tobytes()


def _places(board: Rectangle, shapes: Ints, positions: Words, ply: int) -> tuple[Ints, Ints]:
    """Return the index of each position's shape, and the rank of each position's colouring."""
    x = positions[:, ply % 2]
    taken = positions[:, 0] | positions[:, 1]
    binomial = np.array(BINOMIAL, np.int64)
    masks, ranks, before, chosen = (np.zeros(len(positions), np.int64) for _ in range(4))
    for square in range(board.m * board.n):
        row, column = divmod(square, board.n)
        bit = np.uint64(column * (board.m + 1) + board.m - 1 - row)
        stone, of_x = (taken >> bit & np.uint64(1)).astype(np.int64), (x >> bit & np.uint64(1)).astype(np.int64)
        chosen += of_x
        ranks += of_x * binomial[before, chosen]
        before += stone
        masks |= stone << square
    order = np.argsort(shapes)
    return order[np.searchsorted(shapes, masks, sorter=order)], ranks


def shorten_opening(source: Path, target: Path, rules: Rules, plies: int) -> Path:
    """Write an opening table with plies 0 to `plies` of a longer one, without any search."""
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
