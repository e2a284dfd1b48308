"""Check random positions of a table: against the values one move later, or by a search to the end of the game.

The search is the alpha-beta search of `solver.kernels.proof`, which reads no table.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import chain
from random import Random
from threading import local
from typing import NamedTuple

import numpy as np

from solver.check.findings import (
    MOST_PROBLEMS,
    CheckReport,
    PlyRow,
    board_text,
    check_statistics,
    describe,
    disagreement,
)
from solver.check.plain_rules import Stones, has_line, ply_of, successors
from solver.count import count_positions
from solver.errors import DamagedTable, ImpossiblePosition, RulesError
from solver.game.arrays import byte_images, line_array
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.symmetry import board_permutations, preserves
from solver.game.value import Value
from solver.kernels.proof import MOST_SEARCHES, MOST_SQUARES, UNKNOWN, YES, Memory, ProofBoard, can_win
from solver.store.reader import TableReader
from solver.support.threads import ThreadPool
from solver.tablebase import Tablebase

Progress = Callable[[int, int], None]


def check_sample(reader: TableReader, count: int, seed: int, report: CheckReport, progress: Progress) -> None:
    """Check the empty board, `count` random positions of a table of pages, and the counts in its statistics.

    Each position is the end of a random game that was stopped at a random ply, before any line. In an opening table it
    is before the last ply, and the counts are not checked.
    """
    rules, random = reader.rules, Random(seed)
    plies = rules.plies if reader.opening_plies is None else reader.opening_plies
    drawn = [(0, 0)]
    for done in range(1, count + 1):
        drawn.append(random_position(rules, random, random.randrange(plies)))
        progress(done, 2 * count)
    later = {stones: [child for _, child in successors(rules, stones)] for stones in drawn}
    asked = {*later, *chain(*later.values())}
    values = _probe_all(reader, asked, lambda share: progress(count + int(share * count), 2 * count))
    for stones in drawn:
        board = board_text(rules, stones)
        try:
            value, moves = _known(values[stones]), [_known(values[child]).before_move() for child in later[stones]]
        except DamagedTable as error:
            report.add(f"The position {board} can't be checked: {error}")
            continue
        report.positions += 1
        report.successors += len(moves)
        best = min(moves, key=lambda move: move.rank)
        if value != best:
            report.add(disagreement(board, best, f"says {describe(value)}"))
    if reader.opening_plies is not None:
        return
    counts = count_positions(rules)
    rows = [PlyRow(count.ply, count.positions, count.canonical, count.terminal) for count in counts]
    check_statistics(reader, rows, _known(values[0, 0]), report)


def _probe_all(
    reader: TableReader, asked: Collection[Stones], progress: Callable[[float], None]
) -> dict[Stones, Value | DamagedTable]:
    """Return the value of each position, or the error; page by page, because a large page takes long to unpack."""
    table, values = Tablebase(reader), dict[Stones, Value | DamagedTable]()
    positions = [Position._of(reader.rules, *stones) for stones in asked]
    for position in sorted(positions, key=lambda position: reader.layout.locate(position)[0]):
        try:
            value: Value | DamagedTable = table.probe(position)
        except DamagedTable as error:
            value = error
        values[position.x, position.o] = value
        progress(len(values) / len(positions))
    return values


def _known(value: Value | DamagedTable) -> Value:
    if isinstance(value, DamagedTable):
        raise value
    return value


def random_position(rules: Rules, random: Random, ply: int) -> Stones:
    """Play `ply` random moves that do not end the game, or fewer if there are no more; return the position."""
    stones = (0, 0)
    for done in range(min(ply, rules.plies - 1)):
        x_moves = done % 2 == 0
        moves = [
            child
            for square, child in successors(rules, stones)
            if not has_line(rules, child[done % 2], x_moves, square)
        ]
        if not moves:
            break
        stones = random.choice(moves)
    return stones


NODES = 20_000_000  # positions that a search enters before it gives up: some ten seconds

_MOST_BITS = 22  # of an index of the hash table, which then takes 64 MB


class Bounds(NamedTuple):
    """The result of a search: the value of a position for the side to move is from `least` to `most`."""

    least: int
    most: int

    @property
    def settled(self) -> bool:
        """Whether the value is known."""
        return self.least == self.most


class Prover:
    """A search for the values of one game's positions; every thread needs its own.

    `nodes` is the number of positions that it may enter to find out whether one side wins. Results depend on the
    position and on `nodes` alone. Raises RulesError for a board of over 36 squares.
    """

    def __init__(self, rules: Rules, nodes: int = NODES) -> None:
        if rules.squares > MOST_SQUARES:
            raise RulesError(f"{rules} has {rules.squares} squares; {MOST_SQUARES} are the most that can be searched.")
        self._board = _board_of(rules)
        bits = min(_MOST_BITS, rules.squares * 8 // 5 + 1)  # room for 3**squares positions
        scores = np.zeros((rules.squares + 1, rules.squares), np.int64)
        self._memory = Memory(np.zeros((1 << bits, 2), np.int64), scores, np.array([0, nodes, 0], np.int64))

    def value(self, stones: Stones) -> Bounds:
        """Search the value of a position (masks of X and O) for the side to move; the game must not be over."""
        own, other = stones[ply_of(stones) % 2], stones[1 - ply_of(stones) % 2]
        wins = self._answer(own, other, True)
        if wins == YES:
            return Bounds(1, 1)
        loses = self._answer(own, other, False)
        if loses == YES:
            return Bounds(-1, -1)
        return Bounds(-1 if loses == UNKNOWN else 0, 1 if wins == UNKNOWN else 0)

    def _answer(self, own: int, other: int, attacks: bool) -> int:
        if self._memory.nodes[2] == MOST_SEARCHES:
            self._memory.entries.fill(0)
            self._memory.nodes[2] = 0
        return can_win(self._board, self._memory, own, other, attacks)


def _board_of(rules: Rules) -> ProofBoard:
    """Return the rules for the kernel, with the reflections and rotations of the board as symmetries.

    Tables also use hidden symmetries; the search does not, and so checks them.
    """
    (x_masks, x_guards), (o_masks, o_guards) = (line_array(lines).T.copy() for lines in (rules.x_lines, rules.o_lines))
    flips = rules.symmetries[:1]
    if rules.rectangle:
        m, n, *_ = rules.rectangle
        flips = tuple(p for p in board_permutations(m, n, False) if preserves(p, rules.sides, rules.supports))
    return ProofBoard(
        squares=rules.squares,
        ground=rules.ground,
        stride=rules.stride,
        x_masks=x_masks,
        x_guards=x_guards,
        o_masks=o_masks,
        o_guards=o_guards,
        images=byte_images(flips),
        misere=rules.misere,
        idle=rules.misere or rules.exact,
        gravity=rules.has_supports,
        plies=rules.plies,
        unfinished=0 if rules.unfinished is None else "XO".index(rules.unfinished) + 1,
    )


_TRIES = 100  # games played in search of another position of a ply


@dataclass(frozen=True)
class SearchReport:
    """The result of comparing a table with searches."""

    plies: dict[int, Counter[str]]
    """How many of the positions drawn at each ply `agree`, are `wrong`, or are `unsettled`: the search gave up, with
    bounds that do not contradict the table."""
    problems: tuple[str, ...]  # at most MOST_PROBLEMS sentences

    @property
    def counts(self) -> Counter[str]:
        """The sums over all plies."""
        return sum(self.plies.values(), Counter())


def search_table(
    table: Tablebase,
    count: int,
    *,
    seed: int = 0,
    nodes: int = NODES,
    threads: int | None = None,
    progress: Progress | None = None,
) -> SearchReport:
    """Compare win, draw or loss of `count` random positions of a table, spread evenly over the plies, with searches.

    `seed` chooses the positions; `nodes` is the number of positions that a search enters before it gives up. The result
    depends on these and on the table alone. `threads` is by default the number of cores. `progress(done, total)` is
    called from time to time in the calling thread.
    """
    positions = draw(table.rules, count, seed)
    plies: defaultdict[int, Counter[str]] = defaultdict(Counter)
    problems: list[str] = []
    for done, (stones, found) in enumerate(_searched(table.rules, positions, nodes, threads), 1):
        problem = _find_problem(table, stones, found)
        plies[ply_of(stones)]["wrong" if problem else "agree" if found.settled else "unsettled"] += 1
        if problem and len(problems) < MOST_PROBLEMS:
            problems.append(problem)
        if progress:
            progress(done, len(positions))
    return SearchReport(dict(plies), tuple(problems))


def draw(rules: Rules, count: int, seed: int) -> list[Stones]:
    """Draw up to `count` distinct unfinished positions, sorted by ply, evenly spread over the plies.

    Each is the end of a random game without a line.
    """
    random, drawn = Random(seed), set[Stones]()
    plies = list(range(rules.plies))
    while plies and len(drawn) < count:
        for ply in list(plies):
            tries = (random_position(rules, random, ply) for _ in range(_TRIES))
            stones = next((stones for stones in tries if ply_of(stones) == ply and stones not in drawn), None)
            if stones is None:
                plies.remove(ply)
            elif len(drawn) < count:
                drawn.add(stones)
    return sorted(drawn, key=lambda stones: (ply_of(stones), stones))


def _searched(
    rules: Rules, positions: list[Stones], nodes: int, threads: int | None
) -> Iterator[tuple[Stones, Bounds]]:
    """Search each position; yield it with the result, in order."""
    own = local()

    def search(stones: Stones) -> tuple[Stones, Bounds]:
        if not hasattr(own, "prover"):
            own.prover = Prover(rules, nodes)
        found: Bounds = own.prover.value(stones)
        return stones, found

    with ThreadPool(threads) as pool:
        yield from pool.map(search, positions)


def _find_problem(table: Tablebase, stones: Stones, found: Bounds) -> str | None:
    """Return the problem if the table contradicts the result of a search, else None."""
    position = Position._of(table.rules, *stones)
    board = position.board
    try:
        stored = table.probe(position)
    except (DamagedTable, ImpossiblePosition) as error:
        return f"The position {board} can't be checked: {error}"
    if found.least <= stored.wdl <= found.most:
        return None
    known = f"is a {describe(Value(found.least))}" if found.settled else f"is no {describe(Value(stored.wdl))}"
    return f"The position {board} {known} by a search to the end of the game, but the table says {describe(stored)}."
