"""Engines that play perfectly from a table, engines that play at random, and a mixture that people sometimes beat."""

from dataclasses import dataclass
from fractions import Fraction
from time import monotonic
from typing import TYPE_CHECKING, Final, Literal

from solver.engines.engine import Choice, StochasticEngine, Tables, register, uniform
from solver.errors import EngineError, MnkError, Unsettled
from solver.game.greedy import heaviest, weigh_moves
from solver.game.position import Position
from solver.game.rules import Rules

if TYPE_CHECKING:
    from solver.search.truth import Evaluation, Truth
    from solver.tablebase import RankedMoves

STRENGTHS: Final = {"perfect": 100.0, "strong": 90.0, "medium": 65.0, "weak": 35.0, "random": 0.0}
"""The strengths by name, as on the page, the highest first: the percentage of moves chosen among the best."""


def best_moves(moves: "RankedMoves") -> tuple[int, ...]:
    """Return the squares of all moves that are as good as the first: the same value and the same distance."""
    return tuple(square for square, value in moves if value.rank == moves[0][1].rank)


def proven_moves(truth: "Truth", position: Position, found: "Evaluation | None" = None) -> "RankedMoves":
    """Return the moves with a known value, best first, if the first is proven to keep the value of the position.

    A move with an unknown value does not count, even if it may win sooner or lose later. found: the evaluation of the
    position, if it is known. Raises Unsettled if no best move is known.
    """
    found = found or truth.evaluate(position)
    known = [(square, value) for square, value in found.moves if value is not None]
    is_proven = known and found.value is not None and known[0][1].wdl == found.value.wdl
    if not is_proven:
        raise truth.unsettled(position)
    return known


def likely_moves(truth: "Truth", position: Position, found: "Evaluation | None" = None) -> tuple[int, ...]:
    """Return the moves to try where no best move is known: those that weigh most of all that are not known to lose.

    A move of a stored strategy comes before any other. The weights are those of the engine `greedy`.
    """
    held = truth.holding_move(position)
    if held is not None:
        return (held,)
    found = found or truth.evaluate(position)
    losing = {square for square, value in found.moves if value is not None and value.wdl < 0}
    weights = weigh_moves(position)
    return heaviest({square: weight for square, weight in weights.items() if square not in losing} or weights)


def share_of_mistakes(truth: "Truth", position: Position) -> float:
    """Return the share of legal moves that are known to make the result worse, from 0 to 1."""
    value, moves, _ = truth.evaluate(position)
    worse = [one for _, one in moves if one is not None and value is not None and one.wdl < value.wdl]
    return len(worse) / max(len(moves), 1)


@register("random")
@dataclass
class RandomEngine(StochasticEngine):
    """Plays every legal move with the same probability."""

    def distribution(self, position: Position) -> dict[int, Fraction]:
        """Return the uniform distribution over all legal moves."""
        return uniform(position.legal_moves)

    def choose(self, position: Position) -> Choice:
        """Return a random legal move."""
        return Choice(self._random.choice(position.legal_moves))


@dataclass
class TableEngine(StochasticEngine):
    """An engine that chooses among moves whose values a table or a search has found (`proven_moves`)."""

    def prepare(self, rules: Rules, tables: Tables) -> None:
        """Open the values of the game. Raises MissingTable if its table is missing and could be built here."""
        from solver.search.truth import open_truth

        self.truth: Truth = open_truth(rules, tables)
        try:
            self.truth.require_table()
        except MnkError:
            self.truth.close()
            raise

    def close(self) -> None:
        """Close the values, unless they were given."""
        self.truth.close()

    def choose(self, position: Position) -> Choice:
        """Return a random move from `distribution`, and the true value of the position: 1, 0 or -1, or None."""
        value = self.truth.get(position)
        return Choice(super().choose(position).move, None if value is None else float(value.wdl))


@register("perfect")
@dataclass
class PerfectEngine(TableEngine):
    """Plays from the table, or from a stored strategy, and never gives away a win or a draw.

    ties: the choice among moves that keep the value: `fastest` (the quickest win or the slowest loss; of several, the
    first square), `random` (any of the quickest wins or slowest losses) or `traps` (any of the moves after which the
    largest share of replies are known mistakes; of these, the quickest wins or slowest losses).
    """

    ties: Literal["fastest", "random", "traps"] = "fastest"

    def distribution(self, position: Position) -> dict[int, Fraction]:
        """Return the same probability for each of the chosen moves."""
        try:
            moves = proven_moves(self.truth, position)
        except Unsettled:
            move = self.truth.holding_move(position)
            if move is None:
                raise
            return uniform((move,))
        if self.ties == "traps":
            kept = [(square, value) for square, value in moves if value.wdl == moves[0][1].wdl]
            mistakes, deadline = dict.fromkeys((square for square, _ in kept), 0.0), monotonic() + self.truth.seconds
            for square in mistakes:
                if self.truth.is_whole or monotonic() < deadline:  # each search takes up to as many seconds
                    mistakes[square] = share_of_mistakes(self.truth, position.play(square))
            moves = [(square, value) for square, value in kept if mistakes[square] == max(mistakes.values())]
        best = best_moves(moves)
        return uniform(best[:1] if self.ties == "fastest" else best)


@register("graded")
@dataclass
class GradedEngine(TableEngine):
    """Plays a best move with probability `strength`, otherwise a careless one.

    strength: from 0, the random player, to 1, the perfect one (`perfect:ties=random`). A careless move is any legal
    move. Where no best move is known, it guesses (`likely_moves`). Raises EngineError for a strength outside 0 to 1.
    """

    strength: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.strength <= 1:
            raise EngineError(f"The strength of a graded engine lies between 0 and 1, not {self.strength}.")

    def distribution(self, position: Position) -> dict[int, Fraction]:
        """Return a mixture of two uniform distributions: over the best moves and over all moves."""
        found = self.truth.evaluate(position)  # once, as a search takes all its time where nothing is known
        try:
            best = best_moves(proven_moves(self.truth, position, found))
        except Unsettled:
            best = likely_moves(self.truth, position, found)
        share = Fraction(str(self.strength))  # the decimal that was written, not the nearest binary one
        chances = {move: (1 - share) * chance for move, chance in uniform(position.legal_moves).items()}
        for move, chance in uniform(best).items():
            chances[move] += share * chance
        return {move: chance for move, chance in chances.items() if chance}


def strength_spec(percent: float) -> str:
    """Return the string from which `make_engine` makes an engine of this strength; at 100 %, the engine sets traps.

    >>> strength_spec(STRENGTHS["perfect"]), strength_spec(12.5)
    ('perfect:ties=traps', 'graded:strength=0.125')
    """
    return "perfect:ties=traps" if percent == 100 else f"graded:strength={percent / 100}"
