"""Everything that can happen when an engine plays one side: its own moves against every reply.

    course = explore(rules, "X", interview)
    course.beaten()         # the shortest line by which it loses, or None

When the whole course is known and no line in it is lost, that is the proof that nobody beats the engine.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from solver.game.position import Position
from solver.game.rules import Rules
from solver.match.score import Score, score_game
from solver.verification.answer_cache import AnswerCache

__all__ = ["Course", "explore"]


@dataclass
class Course:
    """The positions that arise when the engine plays `side`, by ply, each with the move that first led there.

    asked: those where it is to move. forfeits: those of them where it gave no legal move, at least once.
    complete: whether these are all, or the search was cut off.
    """

    side: str
    start: Position
    before: dict[Position, tuple[Position, int] | None] = field(default_factory=dict)
    asked: list[Position] = field(default_factory=list)
    forfeits: list[Position] = field(default_factory=list)
    complete: bool = True

    def line_to(self, position: Position) -> tuple[int, ...]:
        """The shortest play that leads to a position of the course, as squares."""
        line = []
        while (step := self.before[position]) is not None:
            position, move = step
            line.append(move)
        return tuple(reversed(line))

    def beaten(self) -> Position | None:
        """The first position that its opponent has won, None if there is none here."""
        opponent = "O" if self.side == "X" else "X"
        return next((position for position in self.before if position.outcome == opponent), None)

    def expected(self, interview: AnswerCache) -> Score:
        """Its score against the opponent that scores best against it, where it chooses at random.

        Its probabilities are estimated by how often it chose a move; giving no legal move loses. Needs all of
        the course. (Expectimax, from the last ply to the first.)
        """
        scores: dict[Position, Score] = {}
        for position in reversed(self.before):
            scores[position] = self._score(position, scores, interview)
        return scores[self.start]

    def _score(self, position: Position, scores: dict[Position, Score], interview: AnswerCache) -> Score:
        outcome = position.outcome
        if outcome is not None:
            return score_game(outcome, self.side)
        if position.to_move != self.side:
            replies = [scores[position.play(move)] for move in position.legal_moves]
            return min(replies, key=lambda score: (score.points, -score.losses))
        total = Score()
        for move, chance in interview.chances(position).items():
            score = Score(losses=Fraction(1)) if move is None else scores[position.play(move)]
            total += Score(*(part * chance for part in score.parts))
        return total


def explore(
    rules: Rules, side: str, interview: AnswerCache, most: int | None = None, *, until_beaten: bool = False
) -> Course:
    """Follow the engine's moves as `side` against every reply, ply by ply.

    most: how many questions may be put; None for as many as it takes. until_beaten: stop at the first loss.
    """
    course = Course(side, Position.start(rules), {Position.start(rules): None})
    level = [course.start]
    while level and not (until_beaten and (course.forfeits or course.beaten())):
        if level[0].to_move == side:
            if most is not None and len(course.asked) + len(level) > most:
                break
            interview.ask(level)
            course.asked += level
        level = list(_next(course, level, interview))
    course.complete = not level
    return course


def _next(course: Course, level: list[Position], interview: AnswerCache) -> Iterator[Position]:
    """The positions one ply later where the game goes on; all are entered in the course."""
    for position in level:
        moves: list[int] = []
        if position.to_move == course.side:
            chosen = interview.chances(position)
            if None in chosen:
                course.forfeits.append(position)
            moves += sorted(move for move in chosen if move is not None)
        else:
            moves += position.legal_moves
        for move in moves:
            child = position.play(move)
            if child not in course.before:
                course.before[child] = position, move
                if not child.is_over:
                    yield child
