"""Ask an engine, and never the same question twice, except for the repetitions it is to be tried with."""

from collections.abc import Callable, Iterable
from fractions import Fraction

from solver.game.position import Position
from solver.verification.contract import Answer, EngineUnderTest, Failure, Progress

__all__ = ["AnswerCache", "Answers", "Distribution"]

Answers = tuple[Answer, ...]
"""The answers of an engine to one position, each time it was asked."""

Distribution = Callable[[Position], dict[int | None, Fraction]]
"""Gives the probability of each move, their sum 1; None stands for no legal move."""


class AnswerCache:
    """The questions put to an engine so far, and its answers.

    distribution: the exact probabilities of its moves, where they are known.
    """

    def __init__(
        self, engine: EngineUnderTest, progress: Progress | None = None, distribution: Distribution | None = None
    ) -> None:
        self.engine = engine
        self.exact = distribution is not None
        """True if the probabilities of its moves are known."""
        self._progress = progress
        self._distribution = distribution
        self._answers: dict[Position, Answers] = {}

    def ask(self, positions: Iterable[Position]) -> None:
        """Put the questions that have not been put yet."""
        new = [position for position in dict.fromkeys(positions) if position not in self._answers]
        if new:
            for position, answer in zip(new, self.engine.ask(new, self._progress), strict=True):
                self._answers[position] = answer, *answer.others

    def answers(self, position: Position) -> Answers:
        """Return the answers to a question that has been put."""
        return self._answers[position]

    def chances(self, position: Position) -> dict[int | None, Fraction]:
        """Return how probable each move is: exactly, or as its share of the answers; None stands for no legal move."""
        if self._distribution is not None:
            return self._distribution(position)
        answers = self.answers(position)
        legal = set(position.legal_moves)
        shares: dict[int | None, Fraction] = {}
        for answer in answers:
            playable = answer.failure in {None, Failure.MUTATED} and answer.move in legal
            move = answer.move if playable else None
            shares[move] = shares.get(move, Fraction(0)) + Fraction(1, len(answers))
        return shares
