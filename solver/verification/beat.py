"""How to beat an engine as either side: the shortest line, the proof that there is none, or what to expect."""

from collections.abc import Iterator
from dataclasses import dataclass

from solver.game.position import Position
from solver.match.score import Score
from solver.tablebase import Prober
from solver.verification.answer_cache import AnswerCache
from solver.verification.contract import Failure
from solver.verification.play import Course

__all__ = ["Beating", "beating"]


@dataclass(frozen=True)
class Beating:
    """Whether an engine that plays `side` from the empty board can be beaten.

    line: the shortest play by which it loses, as squares; if it is only lost by `forfeit` (no legal move, and how),
    the play up to there. Both None when no such line was found. complete: every reply was tried, so no line means
    that there is none. mistakes: which of its moves in the line gave something away, as indices. lost_anyway: the
    game is lost for this side, however well it plays. positions: in how many it was asked. expected: its score
    against the opponent that is best against it, where it chooses at random, otherwise None; exact: whether its
    probabilities were known, or estimated from its answers.
    """

    side: str
    line: tuple[int, ...] | None
    forfeit: Failure | None
    complete: bool
    mistakes: tuple[int, ...]
    lost_anyway: bool
    positions: int
    expected: Score | None
    exact: bool = False

    @property
    def beaten(self) -> bool | None:
        """Whether it can be beaten; None where the search was cut off before that was known."""
        if self.line is not None:
            return True
        return False if self.complete else None


def beating(table: Prober, course: Course, interview: AnswerCache) -> Beating:
    """What a course says. Raises MissingTable, DamagedTable."""
    end = course.beaten()
    forfeit: Failure | None = None
    if end is None and course.forfeits:
        end = course.forfeits[0]
        failures = (answer.failure for answer in interview.answers(end) if answer.failure)
        forfeit = next(failures, Failure.ILLEGAL)
    line = None if end is None else course.line_to(end)
    return Beating(
        side=course.side,
        line=line,
        mistakes=tuple(_mistakes(table, course, line or ())),
        forfeit=forfeit,
        complete=course.complete,
        lost_anyway=_loses(table, course.start, course.side),
        positions=len(course.asked),
        expected=course.expected(interview) if course.complete and _varies(course, interview) else None,
        exact=interview.exact,
    )


def _mistakes(table: Prober, course: Course, line: tuple[int, ...]) -> Iterator[int]:
    position = course.start
    for index, move in enumerate(line):
        child = position.play(move)
        if position.to_move == course.side and -table.probe_wdl(child) < table.probe_wdl(position):
            yield index
        position = child


def _loses(table: Prober, start: Position, side: str) -> bool:
    wdl = table.probe_wdl(start)
    return (wdl if start.to_move == side else -wdl) < 0


def _varies(course: Course, interview: AnswerCache) -> bool:
    return any(len(interview.chances(position)) > 1 for position in course.asked)
