"""Grade answers, each by three criteria, and group the blunders that are images of each other.

The grades (keeps the value, wins as quickly as possible, takes a win on the spot) are kept apart, because a textbook
minimax passes the first and fails the third. Engines often err in some orientations of a position only, so a group says
which.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from solver.game.position import Position
from solver.game.value import Value
from solver.tablebase import Prober
from solver.verification.contract import Answer, Answers, Failure


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
    """The grades of an engine in one position."""

    position: Position

    answers: Answers
    """Its answers, one for each time it was asked."""

    answer: Answer
    """The worst of them, which is judged."""

    options: tuple[tuple[int, Value], ...]
    """(square, value for the mover) of every legal move, best first."""

    played: Value | None
    """The value of the move it chose, None if that is no legal move."""

    fault: Fault | None
    """None if it keeps the value."""

    missed_win_in_one: bool
    """True if it could have won on the spot, and moved elsewhere."""

    @property
    def value(self) -> Value:
        """The value of the position for the side to move."""
        return self.options[0][1]

    @property
    def best(self) -> tuple[int, ...]:
        """The best moves: the value kept, the shortest win or longest defence."""
        return tuple(square for square, value in self.options if value.rank == self.value.rank)

    @property
    def chance(self) -> Fraction:
        """The probability that a move drawn at random keeps the value."""
        return Fraction(sum(value.wdl == self.value.wdl for _, value in self.options), len(self.options))

    @property
    def critical(self) -> bool:
        """True if some legal move makes the result worse."""
        return self.chance < 1

    @property
    def slow_win(self) -> bool:
        """True if it keeps a win, but not the shortest one."""
        return self.value.wdl > 0 and self._is_slow

    @property
    def short_defence(self) -> bool:
        """True if it is lost, and could have held out for longer."""
        return self.value.wdl < 0 and self._is_slow

    @property
    def _is_slow(self) -> bool:
        return self.played is not None and self.played.wdl == self.value.wdl and self.played.rank != self.value.rank

    @property
    def unstable(self) -> bool:
        """True if it answered otherwise when it was asked again."""
        return len({(answer.move, answer.failure) for answer in self.answers}) > 1

    @property
    def changed_board(self) -> bool:
        """True if it changed the board that it was given."""
        return any(answer.failure is Failure.MUTATED for answer in self.answers)

    @property
    def remarkable(self) -> bool:
        """True if there is anything to report."""
        slow = self.missed_win_in_one or self.slow_win or self.short_defence
        return bool(self.fault or slow or self.unstable or self.changed_board)

    @property
    def moves(self) -> tuple[int, ...]:
        """The moves it chose, each once, in the order of its answers."""
        return tuple(dict.fromkeys(answer.move for answer in self.answers if answer.move is not None))


def judge(truth: Prober, position: Position, answers: Answers) -> Verdict:
    """Judge what an engine answered to a position that is not over. Raises MissingTable, DamagedTable."""
    options = tuple(truth.moves(position))
    values = dict(options)
    judged = [_judge_answer(answer, values, options[0][1]) for answer in answers]
    answer, played, fault = max(judged, key=_badness)
    missed = played is not None and played != _AT_ONCE and _misses_win(position, answer.move)
    return Verdict(position, answers, answer, options, played, fault, missed)


_Judged = tuple[Answer, Value | None, Fault | None]


def _judge_answer(answer: Answer, values: dict[int, Value], best: Value) -> _Judged:
    if answer.failure not in {None, Failure.MUTATED}:
        return answer, None, answer.failure
    if answer.move is None or answer.move not in values:
        return answer, None, Failure.ILLEGAL
    played = values[answer.move]
    return answer, played, _BLUNDERS.get((best.wdl, played.wdl)) or answer.failure


def _badness(judged: _Judged) -> tuple[int, tuple[int, int]]:
    """Return a sort key: the worst fault, then the move of the least value."""
    _, played, fault = judged
    return SEVERITY.index(fault) if fault else -1, played.rank if played else (0, 0)


def _misses_win(position: Position, played: int | None) -> bool:
    """Tell whether a move other than the one played wins on the spot; a table without distances can't."""
    wins = [move for move in position.legal_moves if position.play(move).outcome == position.to_move]
    return bool(wins) and played not in wins


@dataclass(frozen=True)
class BlunderGroup:
    """The blunders of one kind in the orientations of one position."""

    kind: Blunder

    canonical: Position
    """The position that stands for all orientations."""

    orientations: int

    asked: int
    """Orientations that were asked."""

    verdicts: tuple[Verdict, ...]
    """Those that fail, by hash; the first is the one to show."""

    in_play: int
    """Those that fail and arise when the engine plays."""

    line: tuple[int, ...]
    """The best play after the first blunder to the end of the game, as squares."""

    @property
    def example(self) -> Verdict:
        """The verdict to show."""
        return self.verdicts[0]


def group_blunders(truth: Prober, verdicts: Iterable[Verdict], in_play: Iterable[Position]) -> list[BlunderGroup]:
    """Group the blunders: the worst kind first, those that arise in its own games first, then by ply."""
    verdicts, arising = list(verdicts), set(in_play)
    asked = {verdict.position.hash for verdict in verdicts}
    classes: defaultdict[tuple[Blunder, Position], list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        if isinstance(verdict.fault, Blunder):
            classes[verdict.fault, verdict.position.canonical()].append(verdict)
    groups = []
    for (kind, canonical), found in classes.items():
        found.sort(key=lambda verdict: (verdict.position not in arising, verdict.position.hash))
        orientations = canonical.image_hashes()
        in_games = sum(verdict.position in arising for verdict in found)
        line = tuple(truth.mainline(_play_move(found[0])))
        groups.append(
            BlunderGroup(kind, canonical, len(orientations), len(orientations & asked), tuple(found), in_games, line)
        )
    return sorted(groups, key=_order)


def _play_move(verdict: Verdict) -> Position:
    if verdict.answer.move is None:
        raise AssertionError("a blunder is a move")
    return verdict.position.play(verdict.answer.move)


def _order(group: BlunderGroup) -> tuple[int, bool, int, int]:
    return -SEVERITY.index(group.kind), not group.in_play, group.canonical.ply, group.canonical.hash
