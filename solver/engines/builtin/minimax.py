"""Play by minimax: over the whole game tree, without pruning, or by alpha-beta search.

The first walks every order of moves (`solver.kernels.gametree`) and remembers nothing: the yardstick for every search
that prunes. The second is that of `solver.engines.alphabeta`.
"""

from dataclasses import dataclass
from fractions import Fraction
from time import perf_counter
from typing import TYPE_CHECKING

from solver.engines.alphabeta import search
from solver.engines.engine import Choice, Engine, Tables, open_tables, register
from solver.game.position import Position
from solver.game.rules import Rules

if TYPE_CHECKING:
    from solver.tablebase import Prober


@register("minimax")
@dataclass
class Minimax(Engine):
    """Walks the whole game tree and plays the first of the best moves; boards of up to 64 squares.

    depth: how many plies to look ahead, none for all; positions there are judged by the number of immediate
    wins. The value is 1, 0 or -1 where it is certain, and between them where it is judged.
    """

    depth: int | None = None
    deterministic = True

    def __post_init__(self) -> None:
        if self.depth is not None and self.depth < 1:
            raise ValueError("depth must be at least 1, or none to search to the end")

    def prepare(self, rules: Rules, tables: Tables) -> None:
        """Compile for the game; raises EngineError for a board of over 64 squares."""
        from solver.engines.game_tree.measuring import measure_moves

        del tables
        measure_moves(Position.start(rules), 2)

    def choose(self, position: Position) -> Choice:
        """Choose the first move of the greatest value, with the nodes of the whole tree.

        Raises EngineError when the tree is too large to be walked.
        """
        from solver.engines.game_tree.measuring import measure_moves

        began = perf_counter()
        values, statistics = measure_moves(position, self.depth)
        move = max(values, key=lambda square: values[square])
        return Choice(move, values[move] + 0.0, (move,), statistics.nodes, perf_counter() - began)


@register("alphabeta")
@dataclass
class AlphaBeta(Engine):
    """Alpha-beta search; judges positions by the lines that lack one stone.

    cutoff: plies to look ahead, None to the end of the game. The other options are described in
    `solver.engines.alphabeta`.
    """

    cutoff: int | None = None
    table: bool = False
    deepen: bool = False
    ordering: bool = False
    transposition: bool = False
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.cutoff is not None and self.cutoff < 1:
            raise ValueError("cutoff must be at least 1, or none to search to the end")
        if self.seconds is not None and self.seconds <= 0:
            raise ValueError("seconds must be more than 0, or none for no limit")
        if self.table and self.cutoff is None and self.seconds is None and not self.deepen:
            raise ValueError("table needs a cutoff, since it answers where the search is cut off")
        self._tables: Prober | None = None

    def prepare(self, rules: Rules, tables: Tables) -> None:
        """Open the table when there is to be one; raises MissingTable."""
        if self.table:
            self._tables = open_tables(tables, rules)

    def choose(self, position: Position) -> Choice:
        """Choose the move that the search expects to be played, with value, line, nodes and time."""
        if self.table and self._tables is None:
            self.prepare(position.rules, None)
        began = perf_counter()
        found = search(
            position,
            self.cutoff,
            deepen=self.deepen,
            ordering=self.ordering,
            transposition=self.transposition,
            seconds=self.seconds,
            tables=self._tables,
        )
        return Choice(found.line[0], found.value, found.line, found.nodes, perf_counter() - began)

    def distribution(self, position: Position) -> dict[int, Fraction] | None:
        """Give the one move it plays probability 1; None when a clock decides."""
        return None if self.seconds is not None else {self.choose(position).move: Fraction(1)}
