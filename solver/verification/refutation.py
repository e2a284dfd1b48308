"""Find the shortest line of play that beats an engine playing X or O, or prove that none exists.

The search goes ply by ply. It follows the engine's move and every reply of the opponent, and visits each position once.
So the first lost position that is found ends a shortest loss. A complete tree without a lost position is a proof.
"""

from contextlib import suppress
from dataclasses import dataclass

from solver.errors import Unsettled
from solver.game.position import Position
from solver.game.rules import Rules
from solver.search.truth import Truth
from solver.verification.answer import Failure
from solver.verification.find_engine import EngineUnderTest


@dataclass(frozen=True)
class Refutation:
    """The result of trying to beat an engine that plays `side` from the empty board."""

    side: str  #: The engine's side, `X` or `O`.
    line: tuple[int, ...] | None  #: The shortest line that beats the engine, up to a forfeit; None if none was found.
    forfeit: Failure | None  #: The failure to give a legal move, if it loses by that alone.
    complete: bool  #: True if every reply was tried, so that an engine without a `line` cannot be beaten.
    mistakes: tuple[int, ...]  #: The indices in `line` of the engine's moves that are known to make the result worse.
    lost_anyway: bool  #: True if the game is known to be lost for this side, however well it plays.
    positions: int  #: The number of positions that it played.

    @property
    def beaten(self) -> bool | None:
        """True if the engine can be beaten, False if it cannot; None if the search ended before this was known."""
        if self.line is not None:
            return True
        return False if self.complete else None


def find_refutation(
    truth: Truth, rules: Rules, side: str, engine: EngineUnderTest, most: int | None = None
) -> tuple[Refutation, list[Position]]:
    """Try to beat an engine that plays `side`; return the result and the positions that the engine played.

    most: stop after this number of the engine's positions or at the first loss; None: explore the whole tree.

    The line, and the proof that there is none, need no values. A move counts as a mistake only if the values before and
    after it are known, and a game whose value is unknown does not count as lost anyway. Raises DamagedTable, and
    MissingTable for another game.
    """
    start, asked = Position.start(rules), list[Position]()
    lines: dict[Position, tuple[int, ...]] = {start: ()}  # a shortest line to every position, ply by ply
    forfeit: Position | None = None  # the first position where the engine gave no legal move
    loss: Position | None = None  # the first position that the opponent has won
    level = [start]
    while level and not (most is not None and (forfeit or loss)):
        to_move = level[0].to_move == side
        if to_move:
            if (most is not None and len(asked) + len(level) > most) or not engine.ask(level):
                break
            asked += level
        following = []
        for position in level:
            moves = position.legal_moves
            if to_move:
                move = engine.answers[position].legal_move
                forfeit = forfeit or (position if move is None else None)
                moves = () if move is None else (move,)
            for move in moves:
                child = position.play(move)
                if child not in lines:
                    lines[child] = (*lines[position], move)
                    if child.outcome not in {None, "draw", side}:
                        loss = loss or child
                    if not child.is_over:
                        following.append(child)
        level = following
    end = loss or forfeit
    line = None if end is None else lines[end]
    mistakes, position = [], start
    worth = lost = _find_result(truth, start, side)
    for index, move in enumerate(line or ()):
        before, mover, position = worth, position.to_move, position.play(move)
        worth = _find_result(truth, position, side)
        if mover == side and before is not None and worth is not None and worth < before:
            mistakes.append(index)
    found = Refutation(
        side=side,
        line=line,
        forfeit=engine.answers[end].failure if end is not None and end is not loss else None,
        complete=not level,
        mistakes=tuple(mistakes),
        lost_anyway=lost == -1,
        positions=len(asked),
    )
    return found, asked


def _find_result(truth: Truth, position: Position, side: str) -> int | None:
    """Return 1, 0 or -1: win, draw or loss for `side`; None if the value is unknown."""
    with suppress(Unsettled):
        return truth.probe(position).wdl * (1 if position.to_move == side else -1)
    return None
