"""Check values of a table against a search to the end of the game, which knows nothing of tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import local

from solver.check.plain_rules import Stones, ply_of
from solver.check.prover import NODES, Bounds, Prover
from solver.check.report import MOST_PROBLEMS
from solver.check.sample import make_prober, random_position
from solver.check.sentences import board_text, describe
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
    """Draw up to `count` distinct live positions, sorted by ply, as many of each ply as can be found.

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


class _Report:
    """A report in the making."""

    def __init__(self, reader: TableReader) -> None:
        self._rules = reader.rules
        self._probe = _make_dense_prober(reader) if reader.storage == "positions" else make_prober(reader)
        self._counts: dict[int, dict[str, int]] = {}
        self._problems: list[str] = []

    def add(self, stones: Stones, found: Bounds) -> None:
        """Compare the table with the result of a search."""
        counts = self._counts.setdefault(ply_of(stones), {"agree": 0, "wrong": 0, "unsettled": 0})
        problem = self._problem(stones, found)
        counts["wrong" if problem else "agree" if found.settled else "unsettled"] += 1
        if problem and len(self._problems) < MOST_PROBLEMS:
            self._problems.append(problem)

    def _problem(self, stones: Stones, found: Bounds) -> str | None:
        """Say what is wrong in a sentence; None if nothing is."""
        board = board_text(self._rules, stones)
        try:
            stored = self._probe(stones)
        except DamagedTable as error:
            return f"The position {board} can't be checked: {error}"
        if found.least <= stored.wdl <= found.most:
            return None
        known = f"is a {describe(Value(found.least))}" if found.settled else f"is no {describe(Value(stored.wdl))}"
        return (
            f"The position {board} {known} by a search to the end of the game, but the table says {describe(stored)}."
        )

    def report(self) -> SearchReport:
        """Make the report."""
        plies = tuple(SearchedPly(ply, **counts) for ply, counts in sorted(self._counts.items()))
        return SearchReport(self._rules.name, plies, tuple(self._problems))


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
