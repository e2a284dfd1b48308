"""Check values of a table against an alpha-beta search to the end of the game, which knows nothing of tables.

The search is that of `solver.kernels.proof`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import local
from typing import NamedTuple

import numpy as np

from solver.check.plain_rules import Stones, ply_of
from solver.check.report import MOST_PROBLEMS, board_text, describe
from solver.check.sample import make_prober, random_position
from solver.errors import DamagedTable, RulesError
from solver.game.arrays import byte_images, line_array
from solver.game.rules import Rules
from solver.game.symmetry import board_permutations, preserves
from solver.game.value import Value
from solver.kernels.proof import MOST_SEARCHES, MOST_SQUARES, UNKNOWN, YES, Board, Memory, can_win
from solver.store.reader import TableReader
from solver.store.schema import UNREACHABLE
from solver.store.sqlite import SqliteSource
from solver.support.threads import ThreadPool

NODES = 20_000_000
"""Positions that a search may enter before it gives up: some ten seconds."""

_MOST_BITS = 22  # of a number in the hash table, which then takes 64 MB


class Bounds(NamedTuple):
    """The result of a search: the value of a position for the side to move is from `least` to `most`."""

    least: int
    most: int

    @property
    def settled(self) -> bool:
        """True if the value is known."""
        return self.least == self.most


class Prover:
    """Search positions of one game; every thread needs its own.

    Raises RulesError for a board of over 36 squares. `nodes` is how many positions may be entered to answer
    whether one side wins. The result depends on the position and on `nodes` alone.
    """

    def __init__(self, rules: Rules, nodes: int = NODES) -> None:
        if rules.squares > MOST_SQUARES:
            raise RulesError(f"{rules} has {rules.squares} squares; {MOST_SQUARES} are the most that can be searched.")
        self._board = _board_of(rules)
        bits = min(_MOST_BITS, rules.squares * 8 // 5 + 1)  # room for 3**squares positions
        scores = np.zeros((rules.squares + 1, rules.squares), np.int64)
        self._memory = Memory(np.zeros((1 << bits, 2), np.int64), scores, np.array([0, nodes, 0], np.int64))

    def value(self, stones: Stones) -> Bounds:
        """Find the value of a position (masks of X and O) for the side to move; the game must not be over."""
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


def _board_of(rules: Rules) -> Board:
    """Convert the rules for the kernel, with the reflections and rotations of the board as symmetries.

    Tables also use hidden symmetries, which are checked thereby.
    """
    (x_masks, x_guards), (o_masks, o_guards) = (line_array(lines).T.copy() for lines in (rules.x_lines, rules.o_lines))
    flips = rules.symmetries[:1]
    if rules.rectangle:
        m, n, *_ = rules.rectangle
        flips = tuple(p for p in board_permutations(m, n, False) if preserves(p, rules.sides, rules.supports))
    return Board(
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


_TRIES = 100  # games to play in vain for another position of a ply


@dataclass(frozen=True)
class SearchedPly:
    """The outcome for the positions drawn at one ply."""

    ply: int
    agree: int
    """The search found the value of the table."""
    wrong: int
    """The search found that the table is wrong."""
    unsettled: int
    """The search gave up before it knew the value; what it knew by then does not contradict the table."""

    @property
    def positions(self) -> int:
        """The number of positions drawn."""
        return self.agree + self.wrong + self.unsettled


@dataclass(frozen=True)
class SearchReport:
    """The result of comparing a table with searches."""

    game: str
    plies: tuple[SearchedPly, ...]
    """The plies at which positions were drawn."""
    problems: tuple[str, ...]
    """At most MOST_PROBLEMS sentences."""

    @property
    def ok(self) -> bool:
        """True if no search contradicts the table."""
        return not self.problems

    def total(self, kind: str) -> int:
        """The sum of `positions`, `agree`, `wrong` or `unsettled` over all plies."""
        return sum(getattr(ply, kind) for ply in self.plies)


def search_table(
    path: Path,
    count: int,
    *,
    seed: int = 0,
    nodes: int = NODES,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> SearchReport:
    """Compare win, draw or loss of `count` random positions of a table, spread evenly over the plies, with searches.

    `seed` chooses the positions; `nodes` is how many a search may enter before it gives up. The result depends on
    these and on the table alone. `threads` is by default the number of cores. `progress(done, total)` is
    called from time to time in the calling thread.

    Raises MissingTable, UnsupportedTable, or DamagedTable for a file that can't be opened as a table at all;
    everything else that is wrong is in the report.
    """
    with closing(SqliteSource(path)) as source:
        return search_reader(TableReader(source), count, seed=seed, nodes=nodes, threads=threads, progress=progress)


def search_reader(
    reader: TableReader,
    count: int,
    *,
    seed: int = 0,
    nodes: int = NODES,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> SearchReport:
    """Do what `search_table` does with a table that is open."""
    rules, positions = reader.rules, draw(reader.rules, count, seed)
    probe = _make_dense_prober(reader) if reader.storage == "positions" else make_prober(reader)
    counts: defaultdict[int, Counter[str]] = defaultdict(Counter)
    problems: list[str] = []
    for done, (stones, found) in enumerate(_searched(rules, positions, nodes, threads), 1):
        problem = _find_problem(rules, stones, found, probe)
        counts[ply_of(stones)]["wrong" if problem else "agree" if found.settled else "unsettled"] += 1
        if problem and len(problems) < MOST_PROBLEMS:
            problems.append(problem)
        if progress:
            progress(done, len(positions))
    plies = [SearchedPly(ply, of["agree"], of["wrong"], of["unsettled"]) for ply, of in sorted(counts.items())]
    return SearchReport(rules.name, tuple(plies), tuple(problems))


def draw(rules: Rules, count: int, seed: int) -> list[Stones]:
    """Draw up to `count` distinct live positions, sorted by ply, as many of each ply as can be found.

    Each is the end of a random game in which nobody made a line.
    """
    random, drawn = Random(seed), set[Stones]()
    plies = list(range(rules.plies))
    while plies and len(drawn) < count:
        for ply in list(plies):
            stones = _draw_another(rules, random, ply, drawn)
            if stones is None:
                plies.remove(ply)
            elif len(drawn) < count:
                drawn.add(stones)
    return sorted(drawn, key=lambda stones: (ply_of(stones), stones))


def _draw_another(rules: Rules, random: Random, ply: int, drawn: set[Stones]) -> Stones | None:
    """Draw a position of this ply that was not drawn before; None if there seems to be none."""
    for _ in range(_TRIES):
        stones = random_position(rules, random, ply)
        if ply_of(stones) == ply and stones not in drawn:
            return stones
    return None


def _searched(
    rules: Rules, positions: list[Stones], nodes: int, threads: int | None
) -> Iterator[tuple[Stones, Bounds]]:
    """Search each position, and yield it with the result, in order."""
    own = local()

    def search(stones: Stones) -> tuple[Stones, Bounds]:
        if not hasattr(own, "prover"):
            own.prover = Prover(rules, nodes)
        found: Bounds = own.prover.value(stones)
        return stones, found

    with ThreadPool(threads) as pool:
        yield from pool.map(search, positions)


def _find_problem(rules: Rules, stones: Stones, found: Bounds, probe: Callable[[Stones], Value]) -> str | None:
    """Compare the table with the result of a search; say what is wrong in a sentence, None if nothing is."""
    board = board_text(rules, stones)
    try:
        stored = probe(stones)
    except DamagedTable as error:
        return f"The position {board} can't be checked: {error}"
    if found.least <= stored.wdl <= found.most:
        return None
    known = f"is a {describe(Value(found.least))}" if found.settled else f"is no {describe(Value(stored.wdl))}"
    return f"The position {board} {known} by a search to the end of the game, but the table says {describe(stored)}."


def _make_dense_prober(reader: TableReader) -> Callable[[Stones], Value]:
    """Make the function that reads win, draw or loss from a table of positions."""
    dense, powers = reader.dense(), [3**square for square in range(reader.rules.squares)]

    def probe(stones: Stones) -> Value:
        digits = [(stones[0] >> s & 1) + 2 * (stones[1] >> s & 1) for s in range(len(powers))]
        code = dense[sum(digit * power for digit, power in zip(digits, powers, strict=True))]
        if code == UNREACHABLE:
            raise reader.damaged("a position that can arise is missing")
        return Value(code // 16 - 1)

    return probe
