"""Judging one answer: does it keep the value, is it the quickest way, does it take a win on the spot.

The three grades are kept apart, because a textbook minimax passes the first and fails the third.
"""

from dataclasses import dataclass
from enum import StrEnum

from solver.game.position import Position
from solver.game.value import Value
from solver.tablebase import Prober
from solver.verification.answer_cache import Answers
from solver.verification.contract import Answer, Failure

__all__ = ["SEVERITY", "Blunder", "Fault", "Verdict", "judge"]


class Blunder(StrEnum):
    """A move that makes the result worse, named by what it gives away."""

    WIN_TO_DRAW = "win_to_draw"
    DRAW_TO_LOSS = "draw_to_loss"
    WIN_TO_LOSS = "win_to_loss"


Fault = Blunder | Failure

SEVERITY: tuple[Fault, ...] = (
    Failure.MUTATED,
    *Blunder,
    *(failure for failure in Failure if failure != Failure.MUTATED),
)
"""The faults from the least to the worst: a right move on a board that was changed, a wrong move, no legal move."""

_AT_ONCE = Value(1, 1)  # of a move that wins on the spot
_BLUNDERS = {(1, 0): Blunder.WIN_TO_DRAW, (0, -1): Blunder.DRAW_TO_LOSS, (1, -1): Blunder.WIN_TO_LOSS}


@dataclass(frozen=True)
class Verdict:
    """What is to be said about a subject in one position.

    answers: what it answered, each time it was asked. answer: the worst of these, which is judged.
    options: (square, value for the mover) of every legal move, best first. played: the value of the move it
    chose, None if that is no legal move. fault: the blunder or failure, None if it keeps the value.
    missed_win_in_one: it could have won on the spot, and moved elsewhere.
    """

    position: Position
    answers: Answers
    answer: Answer
    options: tuple[tuple[int, Value], ...]
    played: Value | None
    fault: Fault | None
    missed_win_in_one: bool

    @property
    def value(self) -> Value:
        """The value of the position for the side to move."""
        return self.options[0][1]

    @property
    def best(self) -> tuple[int, ...]:
        """The best moves: the value kept, the shortest win or longest defence."""
        return tuple(square for square, value in self.options if value.rank == self.value.rank)

    @property
    def keeping(self) -> tuple[int, ...]:
        """All moves that keep the value."""
        return tuple(square for square, value in self.options if value.wdl == self.value.wdl)

    @property
    def slow_win(self) -> bool:
        """It keeps a win, but not the shortest one."""
        return self.value.wdl > 0 and self._dawdles

    @property
    def short_defence(self) -> bool:
        """It is lost, and could have held out for longer."""
        return self.value.wdl < 0 and self._dawdles

    @property
    def _dawdles(self) -> bool:
        return self.played is not None and self.played.wdl == self.value.wdl and self.played.rank != self.value.rank

    @property
    def unstable(self) -> bool:
        """Asked again, it answered otherwise."""
        return len({(answer.move, answer.failure) for answer in self.answers}) > 1

    @property
    def changed_board(self) -> bool:
        """It changed the board that it was given."""
        return any(answer.failure is Failure.MUTATED for answer in self.answers)

    @property
    def remarkable(self) -> bool:
        """Whether there is anything to say."""
        slow = self.missed_win_in_one or self.slow_win or self.short_defence
        return bool(self.fault or slow or self.unstable or self.changed_board)

    @property
    def moves(self) -> tuple[int, ...]:
        """The moves it chose, each once, in the order of its answers."""
        return tuple(dict.fromkeys(answer.move for answer in self.answers if answer.move is not None))


def judge(table: Prober, position: Position, answers: Answers) -> Verdict:
    """The verdict on what a subject answered to a position that is not over.

    Raises MissingTable, DamagedTable.
    """
    options = tuple(table.moves(position))
    values = dict(options)
    judged = [_judged(answer, values, options[0][1]) for answer in answers]
    answer, played, fault = max(judged, key=lambda one: _badness(one[1], one[2]))
    missed = played is not None and played != _AT_ONCE and _misses_win(position, answer.move)
    return Verdict(position, answers, answer, options, played, fault, missed)


_Judged = tuple[Answer, Value | None, Fault | None]


def _judged(answer: Answer, values: dict[int, Value], best: Value) -> _Judged:
    if answer.failure not in {None, Failure.MUTATED}:
        return answer, None, answer.failure
    if answer.move is None or answer.move not in values:
        return answer, None, Failure.ILLEGAL
    played = values[answer.move]
    return answer, played, _BLUNDERS.get((best.wdl, played.wdl)) or answer.failure


def _badness(played: Value | None, fault: Fault | None) -> tuple[int, tuple[int, int]]:
    """Sort key: the worst fault, then the move of the least value."""
    return SEVERITY.index(fault) if fault else -1, played.rank if played else (0, 0)


def _misses_win(position: Position, played: int | None) -> bool:
    """Whether a move wins on the spot, other than the one played. (A table without distances can't tell.)"""
    mover = position.to_move
    wins = [move for move in position.legal_moves if position.play(move).outcome == mover]
    return bool(wins) and played not in wins
