"""Checking values of a table against a search to the end of the game, which knows nothing of tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import local

from solver.check.plain import Stones, board_text, ply_of, said
from solver.check.prover import NODES, Bounds, Prover
from solver.check.report import MOST_PROBLEMS
from solver.check.sample import prober, random_position
from solver.errors import DamagedTable
from solver.game.rules import Rules
from solver.game.value import Value
from solver.store.reader import TableReader
from solver.store.schema import UNREACHABLE
from solver.store.sqlite import SqliteSource
from solver.support.threads import ThreadPool

__all__ = ["SearchReport", "SearchedPly", "search_table"]

_TRIES = 100  # games to play in vain for another position of a ply


@dataclass(frozen=True)
class SearchedPly:
    """What became of the positions drawn at one ply.

    agree: the search found the value of the table. wrong: it found that the table is wrong. unsettled: it gave up
    before it knew the value, and what it knew by then does not contradict the table.
    """

    ply: int
    agree: int
    wrong: int
    unsettled: int

    @property
    def positions(self) -> int:
        """All of them."""
        return self.agree + self.wrong + self.unsettled


@dataclass(frozen=True)
class SearchReport:
    """The result of comparing a table with searches; `plies` has those only at which positions were drawn.

    problems: one sentence each, at most MOST_PROBLEMS.
    """

    game: str
    plies: tuple[SearchedPly, ...]
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether the table is nowhere wrong, as far as is known."""
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
    source = SqliteSource(path)
    try:
        reader = TableReader(source)
        positions = draw(reader.rules, count, seed)
        report = _Report(reader)
        for done, (stones, found) in enumerate(_searched(reader.rules, positions, nodes, threads), 1):
            report.add(stones, found)
            if progress:
                progress(done, len(positions))
        return report.report()
    finally:
        source.close()


def draw(rules: Rules, count: int, seed: int) -> list[Stones]:
    """Up to `count` distinct positions where play goes on, by ply, as many of each ply as there are to be found.

    Each is the end of a random game in which nobody made a line.
    """
    random, drawn = Random(seed), set[Stones]()
    plies = list(range(rules.squares))
    while plies and len(drawn) < count:
        for ply in list(plies):
            stones = _draw_another(rules, random, ply, drawn)
            if stones is None:
                plies.remove(ply)
            elif len(drawn) < count:
                drawn.add(stones)
    return sorted(drawn, key=lambda stones: (ply_of(stones), stones))


def _draw_another(rules: Rules, random: Random, ply: int, drawn: set[Stones]) -> Stones | None:
    """A position of this ply that was not drawn before, if one turns up."""
    for _ in range(_TRIES):
        stones = random_position(rules, random, ply)
        if ply_of(stones) == ply and stones not in drawn:
            return stones
    return None


def _searched(
    rules: Rules, positions: list[Stones], nodes: int, threads: int | None
) -> Iterator[tuple[Stones, Bounds]]:
    """(position, what a search found) for each position, in order; the kernel runs without the interpreter lock."""
    own = local()

    def search(stones: Stones) -> tuple[Stones, Bounds]:
        if not hasattr(own, "prover"):
            own.prover = Prover(rules, nodes)
        found: Bounds = own.prover.value(stones)
        return stones, found

    with ThreadPool(threads) as pool:
        yield from pool.map(search, positions)


class _Report:
    """A report in the making."""

    def __init__(self, reader: TableReader) -> None:
        self._rules = reader.rules
        self._probe = _dense_prober(reader) if reader.storage == "positions" else prober(reader)
        self._counts: dict[int, dict[str, int]] = {}
        self._problems: list[str] = []

    def add(self, stones: Stones, found: Bounds) -> None:
        """Compare the table with what a search found."""
        counts = self._counts.setdefault(ply_of(stones), {"agree": 0, "wrong": 0, "unsettled": 0})
        problem = self._problem(stones, found)
        counts["wrong" if problem else "agree" if found.settled else "unsettled"] += 1
        if problem and len(self._problems) < MOST_PROBLEMS:
            self._problems.append(problem)

    def _problem(self, stones: Stones, found: Bounds) -> str | None:
        """The sentence that says what is wrong, None if nothing is."""
        board = board_text(self._rules, stones)
        try:
            stored = self._probe(stones)
        except DamagedTable as error:
            return f"The position {board} can't be checked: {error}"
        if found.least <= stored.wdl <= found.most:
            return None
        known = f"is a {said(Value(found.least))}" if found.settled else f"is no {said(Value(stored.wdl))}"
        return f"The position {board} {known} by a search to the end of the game, but the table says {said(stored)}."

    def report(self) -> SearchReport:
        """All of it."""
        plies = tuple(SearchedPly(ply, **counts) for ply, counts in sorted(self._counts.items()))
        return SearchReport(self._rules.name, plies, tuple(self._problems))


def _dense_prober(reader: TableReader) -> Callable[[Stones], Value]:
    """The function that reads win, draw or loss from a table of positions."""
    dense, powers = reader.dense(), [3**square for square in range(reader.rules.squares)]

    def probe(stones: Stones) -> Value:
        digits = [(stones[0] >> s & 1) + 2 * (stones[1] >> s & 1) for s in range(len(powers))]
        code = dense[sum(digit * power for digit, power in zip(digits, powers, strict=True))]
        if code == UNREACHABLE:
            raise reader.damaged("a position that can arise is missing")
        return Value(code // 16 - 1)

    return probe
