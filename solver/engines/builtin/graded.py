"""Play between random and perfect, for people who want to win sometimes."""

from dataclasses import dataclass
from fractions import Fraction

from solver.engines.builtin.perfect import TableEngine, best_moves
from solver.engines.contract import Tables, register
from solver.engines.stochastic import uniform
from solver.errors import EngineError
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.value import Value

__all__ = ["GradedEngine"]


@register("graded")
@dataclass
class GradedEngine(TableEngine):
    """Plays a best move with probability `strength`, otherwise carelessly.

    strength: from 0, the random player, to 1, the perfect one (`perfect:ties=random`).
    sight: a careless move is any that looks best when only games that end within so many plies are seen
    to their end, and all others look like draws: 0 sees nothing, 1 does not miss a win on the spot, 2
    also stops one.
    Raises EngineError for a strength outside 0 to 1 or a negative sight, and, when it is prepared, for a
    sight in a table without distances.
    """

    strength: float = 0.5
    sight: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.strength <= 1:
            raise EngineError(f"The strength of a graded engine lies between 0 and 1, not {self.strength}.")
        if self.sight < 0:
            raise EngineError(f"The sight of a graded engine is a number of plies, not {self.sight}.")

    def prepare(self, rules: Rules, tables: Tables) -> None:
        """Open the table, which must know distances if there is a sight."""
        super().prepare(rules, tables)
        if self.sight and self.table.probe(Position.start(rules)).distance is None:
            raise EngineError(
                f"The table of {rules} has no distances, which a sight of {self.sight} needs; use sight=0."
            )

    def distribution(self, position: Position) -> dict[int, Fraction]:
        """Mix two even distributions: over the best moves and over those that look best."""
        moves = self.table.moves(position)
        looks = {square: self._foresee(value) for square, value in moves}
        careless = tuple(square for square in looks if looks[square] == max(looks.values()))
        share = Fraction(str(self.strength))  # the decimal that was written, not the nearest binary one
        chances = dict.fromkeys(sorted(looks), Fraction(0))
        for part, squares in ((share, best_moves(moves)), (1 - share, careless)):
            for square, chance in uniform(squares).items():
                chances[square] += part * chance
        return {square: chance for square, chance in chances.items() if chance}

    def _foresee(self, value: Value) -> int:
        return value.wdl if value.distance is not None and value.distance <= self.sight else 0
