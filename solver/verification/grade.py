"""Grade answers by three criteria, and group symmetric blunders.

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
from solver.game.value import Value
from solver.search.truth import Truth
from solver.verification.answer import EngineAnswer, Failure


class Blunder(StrEnum):
    """A move that makes the result worse, named after the change: for example, from a win to a draw."""

    WIN_TO_DRAW = "win_to_draw"  #: It gives a win away.
    DRAW_TO_LOSS = "draw_to_loss"  #: It gives a draw away.
    WIN_TO_LOSS = "win_to_loss"  #: It loses a won game.


SEVERITY: tuple[Blunder | Failure, ...] = (*Blunder, *Failure)  # the faults, from the least to the most severe

_AT_ONCE = Value(1, 1)  # the value of a move that wins at once
_BLUNDERS = {(1, 0): Blunder.WIN_TO_DRAW, (0, -1): Blunder.DRAW_TO_LOSS, (1, -1): Blunder.WIN_TO_LOSS}


@dataclass(frozen=True)
class Verdict:
    """The grades of an engine in one position."""

    position: Position  #: The position that the engine played.
    answer: EngineAnswer  #: Its answer: `answer.move` is the square, and `answer.failure` None if the move is legal.
    value: Value | None  #: The value of the position for the side to move. Only after a failure, it may be unknown.
    options: tuple[tuple[int, Value], ...]  #: (square, value for the mover) of the moves with known values, best first.
    played: Value | None  #: The value of the chosen move; None if it is unknown, or the engine gave no legal move.
    fault: Blunder | Failure | None  #: The fault, such as `win_to_draw`; None if the move keeps the value.
    missed_win_in_one: bool  #: True if it could have won at once but moved elsewhere.

    @property
    def best(self) -> tuple[int, ...]:
        """The known best moves: those that keep the value and win as soon or lose as late as possible."""
        return tuple(square for square, value in self.options if self.value and value.rank == self.value.rank)

    @property
    def chance(self) -> float:
        """The probability that a random move among those with a known value keeps the value."""
        kept = [self.value is not None and value.wdl == self.value.wdl for _, value in self.options]
        return sum(kept) / max(len(kept), 1)

    @property
    def critical(self) -> bool:
        """True if some legal move is known to make the result worse."""
        return self.value is not None and any(worst.wdl < self.value.wdl for _, worst in self.options[-1:])

    @property
    def inaccuracy(self) -> str | None:
        """`slow_win` if the engine wins later than another move, `short_defence` if it loses sooner, otherwise None."""
        if self.value is None or self.played is None or self.fault or self.played.rank <= self.value.rank:
            return None
        return "slow_win" if self.value.wdl > 0 else "short_defence"


def judge(truth: Truth, position: Position, answer: EngineAnswer) -> Verdict | None:
    """Judge an answer in a position that is not over; return None if it is unknown whether the move keeps the value.

    A failure is a fault whatever the values are, and every move keeps a loss. For any other answer, the values of the
    position and of the chosen move must be known. Raises DamagedTable, and MissingTable for another game.
    """
    value, moves, _ = truth.evaluate(position)
    values, options = dict(moves), tuple((square, known) for square, known in moves if known is not None)
    if answer.failure or answer.move not in values:
        return Verdict(position, answer, value, options, None, answer.failure or Failure.ILLEGAL, False)
    played, missed = values[answer.move], False
    if value is None or (played is None and value.wdl >= 0):
        return None
    if played != _AT_ONCE:  # found from the rules, because a table of wins, draws and losses has no distances
        wins = [move for move in position.legal_moves if position.play(move).outcome == position.to_move]
        missed = bool(wins) and answer.move not in wins
    fault = _BLUNDERS.get((value.wdl, played.wdl)) if played else None
    return Verdict(position, answer, value, options, played, fault, missed)


@dataclass(frozen=True)
class BlunderGroup:
    """The blunders of one kind in the orientations of one position."""

    kind: Blunder  #: `win_to_draw`, `draw_to_loss` or `win_to_loss`.
    canonical: Position  #: The position that represents all orientations.
    orientations: int  #: The number of orientations that the engine played.
    verdicts: tuple[Verdict, ...]  #: The verdicts on the orientations with the blunder; reports show the first.
    in_play: int  #: The number of these orientations that arise in the engine's own games.
    line: tuple[int, ...]  #: Best play after the first blunder, as squares, to the end of the game or of known values.


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
        with suppress(Unsettled):
            while not position.is_over:
                line.append(truth.best_move(position))
                position = position.play(line[-1])
        in_games = sum(verdict.position in arising for verdict in found)
        orientations = len(canonical.image_hashes() & asked)
        groups.append(BlunderGroup(kind, canonical, orientations, tuple(found), in_games, tuple(line)))
    groups.sort(key=lambda one: (-SEVERITY.index(one.kind), not one.in_play, one.canonical.ply, one.canonical.hash))
    return groups
