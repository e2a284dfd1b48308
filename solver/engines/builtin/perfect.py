"""Play from a table, and never give away a win or a draw."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from solver.engines.contract import Choice, Tables, open_tables, register
from solver.engines.stochastic import StochasticEngine, uniform
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.value import Value

if TYPE_CHECKING:
    from solver.tablebase import Prober

__all__ = ["PerfectEngine", "TableEngine", "best_moves"]

RankedMoves = list[tuple[int, Value]]
"""(square, value for the mover) of every legal move, best first, as `Prober.moves` gives them."""


def best_moves(moves: RankedMoves) -> tuple[int, ...]:
    """Return the squares as good as the first: same value, same distance."""
    return tuple(square for square, value in moves if value.rank == moves[0][1].rank)


@dataclass
class TableEngine(StochasticEngine):
    """An engine that asks a table."""

    def prepare(self, rules: Rules, tables: Tables) -> None:
        """Open the table. Raises MissingTable when there is none of the game."""
        self.table: Prober = open_tables(tables, rules)

    def choose(self, position: Position) -> Choice:
        """Draw a move; its value is 1, 0 or -1, the true one of the position."""
        return Choice(super().choose(position).move, float(self.table.probe_wdl(position)))


@register("perfect")
@dataclass
class PerfectEngine(TableEngine):
    """Plays from the table and never gives away a win or a draw.

    ties: how it chooses among moves that keep the value.
    fastest: the quickest win or the slowest loss, then the first square. random: any of those that are as
    quick or as slow. hardest: the move to which the greatest part of the replies are mistakes, that is,
    make the result worse for the opponent; then as fastest.
    """

    ties: Literal["fastest", "random", "hardest"] = "fastest"

    def distribution(self, position: Position) -> dict[int, Fraction]:
        """Give one move probability 1, or with `ties=random` all of the best the same."""
        moves = self.table.moves(position)
        if self.ties == "random":
            return uniform(best_moves(moves))
        if self.ties == "hardest":
            kept = [square for square, value in moves if value.wdl == moves[0][1].wdl]
            return {max(kept, key=lambda square: self._share_of_mistakes(position.play(square))): Fraction(1)}
        return {moves[0][0]: Fraction(1)}

    def _share_of_mistakes(self, position: Position) -> Fraction:
        """Return the part of the replies that make the result worse for the side that replies."""
        replies = [value.wdl for _, value in self.table.moves(position)]
        return Fraction(sum(wdl < replies[0] for wdl in replies), len(replies) or 1)
