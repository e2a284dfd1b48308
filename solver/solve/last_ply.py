"""The last ply of an opening table: its positions, which are searched, and the codes of their values."""

from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from threading import Event

import numpy as np
import numpy.typing as npt

from solver.count.shapes import Shapes, columns
from solver.game.rules import Rules
from solver.search import gravity, square_bits
from solver.solve.build_objects import BuildObjects, LostObjects
from solver.solve.levels import KeptPages, Plies
from solver.solve.plan import BASE_BYTES, Horizons
from solver.store.layout import last_ply
from solver.store.reader import TableReader
from solver.store.schema import PLIES_KEY, Metric
from solver.store.sqlite import SqliteContent
from solver.store.writer import TableWriter
from solver.support.memory import available_memory
from solver.support.threads import ThreadPool

Codes = npt.NDArray[np.uint8]  # uint8[shapes, colourings]: the bits of each colouring's value, see store.layout
Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

MEMORY = 4 << 30
"""The most bytes of remembered results. They save nodes, because neighbouring positions share most successors."""

LEAST_MEMORY = 64 << 20  # the least bytes of remembered results

LISTED_BYTES = 100  # memory for a position of the last ply while positions are listed

BLOCK = 512
"""The positions that are searched and kept together: for 6,7,4,gravity at ply 12, about a second of a thread."""

_CHUNK = 1 << 20  # positions that are listed at once


class LastPly:
    """The unfinished positions of a ply, given its shapes or some of them.

    `positions` (uint64[P, 2]) contains one of each set of symmetric positions: the stones of the side to move and those
    of the other side, as in `solver.kernels.search_board`. They are sorted by their columns, the central ones first. So
    positions with the same stones in the centre, which share most of their search, are adjacent. For ply 8 of
    5,6,4,gravity, a search with 16 MB of results enters 41 % fewer nodes than in depth-first order.
    """

    def __init__(self, rules: Rules, ply: int, shapes: Shapes) -> None:
        self._rules, self._ply, self._lineless = rules, ply, shapes.lineless
        sets = np.arange(1 << ply)
        self._sets = sets[np.bitwise_count(sets) == (ply + 1) // 2]  # X's stones, by rank, as sets of index bits
        taken = np.nonzero(shapes.masks[:, None] >> np.arange(rules.squares) & 1)[1].reshape(-1, ply)
        bits, columns = np.array(square_bits(rules)), rules.stride
        step = rules.squares // columns + 1
        outer_first = np.argsort(-np.abs(2 * np.arange(columns) - columns + 1), kind="stable")
        ordered = np.argsort(outer_first)[bits // step] * step + bits % step
        images = [ordered[list(symmetry)] for symmetry in rules.board_symmetries.elements]  # the identity comes first
        bottom = np.uint64(sum(1 << step * column for column in range(columns)))
        keys, smallest, positions = list[Words](), list[Words](), list[Words]()
        each = max(1, _CHUNK // self._sets.size)
        for first in range(0, len(taken), each):
            squares, (shape, rank) = taken[first : first + each], np.nonzero(self._live(first, first + each))
            # The stones of one side plus the first free squares: a different number for each position.
            found = [self._words(squares, shape, rank, image) for image in images]
            numbers = [own + (own | other) + bottom for own, other in found]
            smallest.append(np.minimum.reduce(numbers))
            chosen = np.flatnonzero(numbers[0] == smallest[-1])
            keys.append(numbers[0][chosen])
            positions.append(np.stack(self._words(squares, shape[chosen], rank[chosen], bits), axis=1))
        self._smallest, chosen_keys = np.concatenate(smallest), np.concatenate(keys)
        order = np.argsort(chosen_keys)
        self._keys = chosen_keys[order]
        self.positions: Words = np.concatenate(positions)[order]

    def codes(self, metric: Metric, found: Plies) -> Codes:
        """Return the code of each colouring, given the plies to the end of each of `positions`.

        Colourings that contain a line have the code of a game that ends at this ply. So do those that cannot be
        reached, whose codes are never used.
        """
        ends = np.where(found == 0, 0, self._ply + np.abs(found.astype(np.int64)))
        values = _codes(self._rules, metric, ends)
        live = self._live(0, len(self._lineless))
        codes = np.full(live.shape, _codes(self._rules, metric, np.array(self._ply)))
        codes[live] = values[np.searchsorted(self._keys, self._smallest)]
        return codes

    def _live(self, first: int, last: int) -> npt.NDArray[np.bool_]:
        """Return which colourings of shapes first..last-1 are unfinished positions that can be reached."""
        return live_colourings(self._lineless[first:last], self._sets.size)

    def _words(self, squares: Ints, shape: Ints, rank: Ints, bits: Ints) -> tuple[Words, Words]:
        """Return the stones of the side to move and of the other side. A stone on square s sets bit bits[s]."""
        stones, sets = np.uint64(1) << bits[squares].astype(np.uint64), self._sets[rank]
        x = np.zeros(len(shape), np.uint64)
        for i in range(self._ply):
            x |= stones[shape, i] * (sets >> i & 1).astype(np.uint64)
        o = stones.sum(axis=1, dtype=np.uint64)[shape] - x
        return (o, x) if self._ply % 2 else (x, o)


def live_colourings(lineless: Words, colourings: int) -> npt.NDArray[np.bool_]:
    """Return the bits of planes (uint64[S, words]) as an array bool[S, colourings]."""
    return np.unpackbits(lineless.view(np.uint8), axis=1, count=colourings, bitorder="little").astype(np.bool_)


def _codes(rules: Rules, metric: Metric, ends: Ints) -> Codes:
    """Return the code of a position whose game ends with a line at each of the plies `ends`; 0 stands for a draw.

    The codes are described in `solver.store.layout`.
    """
    signs = 1 - ends % 2
    last = np.where(signs, last_ply(rules.plies, 1), last_ply(rules.plies, 0))
    counts = (last - ends) // 2 + 1 if metric == "distance" else 1
    return np.where(ends == 0, 0, 2 * counts + signs).astype(np.uint8)


def write_codes(codes: Codes, kept: KeptPages) -> None:
    """Fill `kept` (uint64[S, planes, words]) with the bits of the shapes' codes."""
    kept[:] = 0
    for plane in range(kept.shape[1]):
        bits = np.packbits(codes >> np.uint8(plane) & np.uint8(1), axis=1, bitorder="little")
        kept.view(np.uint8)[:, plane, : bits.shape[1]] = bits


def tally_codes(codes: Codes, lineless: Words, sizes: Ints, horizons: Horizons) -> list[int]:
    """Return `Tally.holds` of shapes with these codes, unfinished colourings, and numbers of symmetric shapes."""
    live = live_colourings(lineless, codes.shape[1])
    weights = np.broadcast_to(sizes[:, None], live.shape)[live]
    by_x, by_o = horizons
    counts = np.bincount(codes[live], weights, minlength=2 * max(by_x, by_o) + 2).astype(np.int64)
    of_x = [int(counts[2 * first :: 2].sum()) for first in range(1, by_x + 1)]
    of_o = [int(counts[2 * first + 1 :: 2].sum()) for first in range(1, by_o + 1)]
    return [*of_x, *of_o, int(weights.sum())]


def search_memory(memory: int | None, positions: int) -> int:
    """Return the bytes for the search of so many positions. memory: the budget; by default, half of all."""
    free = (available_memory() or 2 * MEMORY) // 2 if memory is None else memory - BASE_BYTES - LISTED_BYTES * positions
    return min(MEMORY, max(free, LEAST_MEMORY))


def search_blocks(
    rules: Rules,
    positions: Words,
    objects: BuildObjects,
    pool: ThreadPool,
    memory: int | None,
    progress: Callable[[int, int], None],
) -> Plies:
    """Return the plies to the end of each position, from the workspace where possible, otherwise by search.

    `memory` is the budget of this process, in bytes. `progress` is called with the number of positions searched so far,
    and the number of all.
    """
    search = gravity.Search(rules, memory=search_memory(memory, len(positions)))
    stopped, total, done = Event(), len(positions), [np.zeros(0, np.int8)]

    def find(block: int) -> Plies:
        part, name = positions[block * BLOCK : (block + 1) * BLOCK], f"plies/{block}"
        with suppress(LostObjects):
            return np.frombuffer(objects.read_input(name), np.int8, len(part))
        found = search.plies_of(part, stopped.is_set)
        if len(found) == len(part):
            objects.write_inputs([(name, bytearray(found.tobytes()))])
        return found

    def report() -> None:  # called often, because it raises the KeyboardInterrupt of Ctrl-C
        progress(min((len(done) - 1) * BLOCK, total), total)

    report()
    try:
        for found in pool.map(find, range(-(-total // BLOCK)), report):
            done.append(found)
            report()
    finally:
        stopped.set()  # otherwise the pool would finish the blocks that were begun
    return np.concatenate(done)


def shorten_opening(source: Path, target: Path, rules: Rules, plies: int) -> Path:
    """Copy plies 0 to `plies` of a longer opening table, `source`, to a new table `target`, without any search."""
    with closing(SqliteContent(source)) as pages:
        reader = TableReader(pages, rules)
        rows, canonical = reader.plies()[: plies + 1], reader.layout.images.canonical
        _, by_ply = columns(rules)
        keys = sorted({canonical(key)[0] for masks in by_ply[: plies + 1] for key in masks.tolist()})
        meta = {name: reader.meta[name] for name in ("root_wdl", "root_distance", "builder")}
        counts = {name: sum(row[name] or 0 for row in rows) for name in ("positions", "canonical")}
        with TableWriter(target, rules, reader.metric, "pages") as writer:
            writer.put_plies(rows)
            writer.add_pages((key, reader.page(key)) for key in keys)
            writer.finish({**meta, **counts, PLIES_KEY: plies})
    return target
