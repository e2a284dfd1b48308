"""Check random positions of a table: against the values one move later, or by a search to the end of the game.

The search is the alpha-beta search of `solver.kernels.recheck_search`, which reads no table.
"""

from collections import Counter
from itertools import chain
from random import Random
from threading import local
from typing import NamedTuple

import numpy as np

from solver.check.check_report import CheckReport, PlyRow, board_text, check_statistics, describe, disagreement
from solver.check.plain_rules import Stones, has_line, ply_of, successors
from solver.count import count_positions
from solver.errors import DamagedTable, ImpossiblePosition, RulesError
from solver.game.arrays import byte_images, line_array
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.symmetry import Permutation, board_generators, generate, preserves
from solver.game.value import Value
from solver.kernels.recheck_search import MOST_SEARCHES, MOST_SQUARES, NO, UNKNOWN, YES, Memory, SearchedGame, can_win
from solver.store.reader import TableReader
from solver.support.progress import Progress
from solver.support.threads import ThreadPool
from solver.tablebase import Tablebase

Found = Value | DamagedTable | ImpossiblePosition  # the value of a position in a table, or why it can't be read


def check_sample(reader: TableReader, count: int, seed: int, report: CheckReport, progress: Progress) -> None:
    """Check the empty board, `count` random positions of a table of pages, and the counts in its statistics.

    A random position is reached by random moves that complete no line, up to a random ply. In an opening table, all
    positions come before the last ply, and the counts are not checked.
    """
    rules, random = reader.rules, Random(seed)
    plies = rules.plies if reader.opening_plies is None else reader.opening_plies
    drawn = [(0, 0)]
    for done in range(1, count + 1):
        drawn.append(play_random_moves(rules, random, random.randrange(plies)))
        progress(done, 2 * count)
    later = {stones: [child for _, child in successors(rules, stones)] for stones in drawn}
    asked = {*later, *chain(*later.values())}
    table, values = Tablebase(reader), dict[Stones, Found]()
    # Probe page by page, to unpack each page once.
    for stones in sorted(asked, key=lambda stones: reader.layout.locate(Position._of(rules, *stones))[0]):
        values[stones] = _read(table, stones)
        progress(count + count * len(values) // len(asked), 2 * count)
    for stones in drawn:
        board = board_text(rules, stones)
        try:
            value, moves = _known(values[stones]), [_known(values[child]).before_move() for child in later[stones]]
        except (DamagedTable, ImpossiblePosition) as error:
            report.add(f"The position {board} can't be checked: {error}")
            continue
        report.positions += 1
        report.successors += len(moves)
        best = min(moves, key=lambda move: move.rank)
        if value != best:
            report.add(disagreement(board, best, f"says {describe(value)}"))
    if reader.opening_plies is not None:
        return
    rows = [PlyRow(one.ply, one.positions, one.canonical, one.terminal) for one in count_positions(rules)]
    check_statistics(reader, rows, _known(values[0, 0]), report)


def _known(found: Found) -> Value:
    if not isinstance(found, Value):
        raise found
    return found


def play_random_moves(rules: Rules, random: Random, ply: int) -> Stones:
    """Return the position after `ply` random moves that complete no line, or after fewer if no such move is left."""
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


NODES = 20_000_000  # positions that a search enters before it gives up: about ten seconds

_MOST_BITS = 22  # bits of an index of the hash table, which then takes 64 MB


class Bounds(NamedTuple):
    """The result of a search: the value of a position for the side to move is at least `least` and at most `most`."""

    least: int
    most: int

    @property
    def settled(self) -> bool:
        """Whether the value is known."""
        return self.least == self.most


class CheckSearch:
    """A search for the values of one game's positions; every thread needs its own.

    `nodes` is the largest number of positions that the search for one side's win may enter. Results depend only on the
    position and on `nodes`. Raises RulesError for a board of more than 49 squares.
    """

    def __init__(self, rules: Rules, nodes: int = NODES) -> None:
        if rules.squares > MOST_SQUARES:
            raise RulesError(f"{rules} has {rules.squares} squares; {MOST_SQUARES} are the most that can be searched.")
        self._board = _searched_game(rules)
        bits = min(_MOST_BITS, rules.squares * 8 // 5 + 1)  # room for 3**squares positions
        scores = np.zeros((rules.squares + 1, rules.squares), np.int64)
        self._memory = Memory(np.zeros((1 << bits, 2), np.int64), scores, np.array([0, nodes, 0], np.int64))

    def value(self, stones: Stones) -> Bounds:
        """Search for the value of a position (masks of X and O) for the side to move; the game must not be over."""
        own, other = stones[ply_of(stones) % 2], stones[1 - ply_of(stones) % 2]
        wins = self._answer(own, other, True)
        if wins == YES:
            return Bounds(1, 1)
        loses = self._answer(own, other, False)
        if loses == YES:
            return Bounds(-1, -1)
        return Bounds(-1 if loses == UNKNOWN else 0, 1 if wins == UNKNOWN else 0)

    def confirms(self, stones: Stones, value: Value) -> bool | None:
        """Return whether a position has `value`, with any distance of a win or loss; None if the limit was reached."""
        if value.wdl == 0 or value.distance is None:
            found = self.value(stones)
            return found.settled or None if found.least <= value.wdl <= found.most else False
        ply = ply_of(stones)
        own, other, end = stones[ply % 2], stones[1 - ply % 2], ply + value.distance
        in_time = self._answer(own, other, value.wdl == 1, end)
        sooner = self._answer(own, other, value.wdl == 1, end - 1) if in_time != NO else NO
        if in_time == NO or sooner == YES:
            return False
        return None if UNKNOWN in (in_time, sooner) else True

    def _answer(self, own: int, other: int, attacks: bool, end: int | None = None) -> int:
        """Return YES, NO or UNKNOWN: does the attacker (the side to move if `attacks`) win, by ply `end` if given?"""
        if self._memory.nodes[2] == MOST_SEARCHES:
            self._memory.entries.fill(0)
            self._memory.nodes[2] = 0
        board = self._board
        if end is not None and end < board.plies:  # a game that continues then is not a win
            board = board._replace(plies=end, unfinished=0)
        return can_win(board, self._memory, own, other, attacks)


def _searched_game(rules: Rules) -> SearchedGame:
    """Convert the rules for the kernel; keep only the symmetries that are rotations or reflections of the board."""
    flips: tuple[Permutation, ...] = (tuple(range(rules.squares)),)
    if rules.rectangle:
        m, n, *_ = rules.rectangle
        flips = tuple(p for p in generate(board_generators(m, n, False)) if preserves(p, rules.sides, rules.supports))
    return SearchedGame(
        squares=rules.squares,
        ground=rules.ground,
        stride=rules.stride,
        x_lines=line_array(rules.x_lines),
        o_lines=line_array(rules.o_lines),
        images=byte_images(flips),
        misere=rules.misere,
        idle=rules.misere or rules.exact,
        gravity=rules.has_supports,
        plies=rules.plies,
        unfinished=0 if rules.unfinished is None else "XO".index(rules.unfinished) + 1,
    )


_TRIES = 100  # games played in search of another position of a ply


def search_table(
    table: Tablebase,
    count: int,
    *,
    seed: int = 0,
    nodes: int = NODES,
    threads: int | None = None,
    plies: range | None = None,
    progress: Progress | None = None,
) -> CheckReport:
    """Search `count` random positions to the end of the game, and compare the results with the table's values.

    The positions are spread evenly over `plies` (default: all plies), and determined by `seed`. Distances are compared,
    too, if the table has them. `nodes` is the number of positions that a search enters before it gives up. The result
    depends only on the table and these options. The default of `threads` is the number of cores.
    `progress(done, total)` is called from time to time in the calling thread.
    """
    rules, last, own = table.rules, table.opening_plies, local()
    report = CheckReport(rules.name, table.metric)
    positions = draw(rules, count, seed, plies or range(rules.plies if last is None else last + 1))
    values = {stones: _read(table, stones) for stones in positions}

    def confirm(stones: Stones) -> bool | None:
        if not hasattr(own, "search"):
            own.search = CheckSearch(rules, nodes)
        value = values[stones]
        return isinstance(value, Value) and own.search.confirms(stones, value)

    with ThreadPool(threads) as pool:
        for done, (stones, is_right) in enumerate(zip(positions, pool.map(confirm, positions), strict=True), 1):
            verdict = "unsettled" if is_right is None else "agree" if is_right else "wrong"
            report.searched.setdefault(ply_of(stones), Counter())[verdict] += 1
            board, value = board_text(rules, stones), values[stones]
            if not isinstance(value, Value):
                report.add(f"The position {board} can't be checked: {value}")
            elif is_right is False:
                says = describe(value)
                report.add(
                    f"The position {board} is not a {says} by a search to the end of the game, "
                    f"but the table says {says}."
                )
            if progress:
                progress(done, len(positions))
    return report


def draw(rules: Rules, count: int, seed: int, of_plies: range | None = None) -> list[Stones]:
    """Draw up to `count` distinct unfinished positions, evenly over the plies (default: all), sorted by ply."""
    random, drawn = Random(seed), set[Stones]()
    plies = list(of_plies or range(rules.plies))
    while plies and len(drawn) < count:
        for ply in list(plies):
            tries = (play_random_moves(rules, random, ply) for _ in range(_TRIES))
            stones = next((stones for stones in tries if ply_of(stones) == ply and stones not in drawn), None)
            if stones is None:
                plies.remove(ply)
            elif len(drawn) < count:
                drawn.add(stones)
    return sorted(drawn, key=lambda stones: (ply_of(stones), stones))


def _read(table: Tablebase, stones: Stones) -> Found:
    try:
        value = table.find(Position._of(table.rules, *stones))
    except (DamagedTable, ImpossiblePosition) as error:
        return error
    assert value is not None  # positions are drawn up to the last ply of the table
    return value
