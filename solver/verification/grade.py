"""Grade answers by three criteria, and group symmetric blunders.

On a large board, a position that is not near the end is graded by threats: in a win by continuous fours, any move that
is not known to win is a fault, and in a defence, any move that allows such a win (`solver.search.forced`).

The grades (keeps the value, wins as quickly as possible, takes a win in one) are reported separately, because a
textbook minimax passes the first and fails the third. Engines often err in only some orientations of a position, so a
group counts the orientations with a blunder.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from solver.errors import Unsettled
from solver.game.position import Position
from solver.game.value import BoundedValue, Value
from solver.search.forced import Forced, find_forced_early, forced_move
from solver.search.truth import Truth
from solver.verification.answer import EngineAnswer, Failure


class Blunder(StrEnum):
    """A move that makes the result worse, named after the change: for example, from a win to a draw."""

    MISSED_WIN = "missed_win"  #: It is not known to win, and another move wins by continuous fours.
    ALLOWED_WIN = "allowed_win"  #: It loses to continuous fours, and another move does not.
    WIN_TO_DRAW = "win_to_draw"  #: It gives a win away.
    DRAW_TO_LOSS = "draw_to_loss"  #: It gives a draw away.
    WIN_TO_LOSS = "win_to_loss"  #: It loses a won game.


SEVERITY: tuple[Blunder | Failure, ...] = (*Blunder, *Failure)  # the faults, from the least to the most severe

_AT_ONCE = Value(1, 1)  # the value of a move that wins at once
_FORCED = {"missed": Blunder.MISSED_WIN, "allowed": Blunder.ALLOWED_WIN}
_BLUNDERS = {(1, 0): Blunder.WIN_TO_DRAW, (0, -1): Blunder.DRAW_TO_LOSS, (1, -1): Blunder.WIN_TO_LOSS}


@dataclass(frozen=True)
class Verdict:
    """The grades of an engine in one position."""

    position: Position  #: The position that the engine played.
    answer: EngineAnswer  #: Its answer: `answer.move` is the square, and `answer.failure` None if the move is legal.
    value: Value | None  #: The value of the position for the side to move. After a failure or in a defence, maybe None.
    options: tuple[tuple[int, Value], ...]  #: (square, value for the mover) of the moves with known values, best first.
    played: Value | None  #: The value of the chosen move; None if it is unknown, or the engine gave no legal move.
    fault: Blunder | Failure | None  #: The fault, such as `win_to_draw`; None if the move keeps the value.
    missed_win_in_one: bool  #: True if it could have won at once but moved elsewhere.
    forced: Forced | None = None  #: What threats prove in the position, if it is graded by them.

    @property
    def best(self) -> tuple[int, ...]:
        """The known best moves: those that keep the value and win as soon or lose as late as possible."""
        if self.forced:
            return self.forced.held
        return tuple(square for square, value in self.options if self.value and value.rank == self.value.rank)

    @property
    def labels(self) -> dict[int, Value]:
        """The values to show on a board; in a win or a defence, only those of the chosen move and of winning moves."""
        shown = None if self.forced is None else {self.answer.move, *self.forced.held}
        return {square: value for square, value in self.options if shown is None or square in shown}

    @property
    def chance(self) -> float:
        """The probability that a random move among those with a known value keeps the value."""
        if self.forced:
            return len(self.forced.held) / len(self.position.legal_moves)
        kept = [self.value is not None and value.wdl == self.value.wdl for _, value in self.options]
        return sum(kept) / max(len(kept), 1)

    @property
    def critical(self) -> bool:
        """True if some legal move is known to make the result worse, or to miss or allow a win by continuous fours."""
        return self.forced is not None or (
            self.value is not None and any(worst.wdl < self.value.wdl for _, worst in self.options[-1:])
        )

    @property
    def inaccuracy(self) -> str | None:
        """`slow_win` if the engine wins later than another move, `short_defence` if it loses sooner, otherwise None."""
        if self.value is None or self.played is None or self.fault or self.played.rank <= self.value.rank:
            return None
        if self.value.within or self.played.within:  # which is quicker is unknown
            return None
        return "slow_win" if self.value.wdl > 0 else "short_defence"


def judge(truth: Truth, position: Position, answer: EngineAnswer) -> Verdict | None:
    """Judge an answer in a position that is not over; return None if it is unknown whether the move keeps the value.

    A failure is a fault whatever the values are, and every move keeps a loss. For any other answer, the values of the
    position and of the chosen move must be known, or threats must prove a win or a defence. Raises DamagedTable, and
    MissingTable for another game.
    """
    forced = find_forced_early(truth, position)
    if forced and (forced.win or forced.is_defence):
        return _judge_forced(truth, forced, answer)
    value, moves, _ = truth.evaluate(position)
    values, options = dict(moves), tuple((square, known) for square, known in moves if known is not None)
    if answer.failure or answer.move not in values:
        return Verdict(position, answer, value, options, None, answer.failure or Failure.ILLEGAL, False)
    played = values[answer.move]
    if value is None or (played is None and value.wdl >= 0):
        return None
    fault = _BLUNDERS.get((value.wdl, played.wdl)) if played else None
    return Verdict(position, answer, value, options, played, fault, _misses_win_in_one(position, answer.move, played))


def _misses_win_in_one(position: Position, move: int, played: Value | None) -> bool:
    """Return True if another move wins at once; tables of wins, draws and losses have no distances."""
    if played == _AT_ONCE:
        return False
    wins = [other for other in position.legal_moves if position.play(other).outcome == position.to_move]
    return bool(wins) and move not in wins


def _judge_forced(truth: Truth, forced: Forced, answer: EngineAnswer) -> Verdict:
    """Judge an answer in a win or a defence."""
    position, value = forced.position, forced.value
    if forced.win:
        options = {forced.win.moves[0]: forced.win.value}
    else:
        loss = BoundedValue(-1, forced.within)
        options = {square: loss for square in position.legal_moves if square not in forced.held}
    move = answer.move
    if answer.failure or move not in position.legal_moves:
        failure = answer.failure or Failure.ILLEGAL
        return Verdict(position, answer, value, (*options.items(),), None, failure, False, forced)
    assert truth.threats  # they found what is forced
    played = options.get(move) or forced_move(truth.threats, forced, move)
    options |= {move: played} if played else {}
    kind, missed = forced.fault(played), _misses_win_in_one(position, move, played)
    ranked = sorted(options.items(), key=lambda option: option[1].rank)
    return Verdict(position, answer, value, (*ranked,), played, _FORCED[kind] if kind else None, missed, forced)


@dataclass(frozen=True)
class BlunderGroup:
    """The blunders of one kind in the orientations of one position."""

    kind: Blunder  #: `win_to_draw`, `draw_to_loss` or `win_to_loss`.
    canonical: Position  #: The position that represents all orientations.
    orientations: int  #: The number of orientations that the engine played.
    verdicts: tuple[Verdict, ...]  #: The verdicts on the orientations with the blunder; reports show the first.
    in_play: int  #: The number of these orientations that arise in the engine's own games.
    line: tuple[int, ...]
    """Best play after the first blunder, as squares, to the end of the game or of known values. After a missed win, the
    win."""


def group_blunders(truth: Truth, verdicts: Sequence[Verdict], in_play: Iterable[Position]) -> list[BlunderGroup]:
    """Return the groups of blunders: worst kind first, then those that arise in the engine's own games, then by ply.

    The line after a blunder ends before a position whose best move is unknown.
    """
    arising, asked = set(in_play), {verdict.position.hash for verdict in verdicts}
    classes: defaultdict[tuple[Blunder, Position], list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        if isinstance(verdict.fault, Blunder):
            classes[verdict.fault, verdict.position.canonical()].append(verdict)
    groups = []
    for (kind, canonical), found in classes.items():
        found.sort(key=lambda verdict: (verdict.position not in arising, verdict.position.hash))
        move = found[0].answer.move
        assert move is not None  # a blunder is a move
        position, line = found[0].position.play(move), list[int]()
        if (forced := found[0].forced) and truth.threats:
            win = forced.win or truth.threats.forced_win(position)
            line = [*win.moves] if win else line
        with suppress(Unsettled):
            while not (forced or position.is_over):
                line.append(truth.best_move(position))
                position = position.play(line[-1])
        in_games = sum(verdict.position in arising for verdict in found)
        orientations = len(canonical.image_hashes() & asked)
        groups.append(BlunderGroup(kind, canonical, orientations, tuple(found), in_games, tuple(line)))
    groups.sort(key=lambda one: (-SEVERITY.index(one.kind), not one.in_play, one.canonical.ply, one.canonical.hash))
    return groups
