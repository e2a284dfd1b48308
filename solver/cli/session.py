"""A game between a person and an engine: what has been played, the replies, and what a move threw away."""

from collections.abc import Collection
from dataclasses import dataclass, field
from itertools import pairwise

from solver.cli.words import outlook, some
from solver.engine import Engine
from solver.match.referee import Clock, ask
from solver.position import Position
from solver.rules import Rules
from solver.squares import square_name
from solver.tablebase import Tablebase
from solver.value import Value

__all__ = ["Session", "verdict"]

_BLAME = {1: "Not the quickest", 0: "Inexact", -1: "Not the most stubborn"}


@dataclass
class Session:
    """The game so far.

    people: the sides, `X` and `O`, that people play; the engine plays the others. table: what knows the value
    of moves; without one there are no verdicts. seed: what the engine draws from in each game, None for its own.
    """

    rules: Rules
    people: Collection[str]
    engine: Engine
    table: Tablebase | None = None
    seed: int | None = None
    history: list[Position] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.restart()

    @property
    def position(self) -> Position:
        """How the board stands."""
        return self.history[-1]

    @property
    def awaits_engine(self) -> bool:
        """Whether it is the engine's turn."""
        return not self.position.is_over and self.position.to_move not in self.people

    @property
    def played(self) -> list[int]:
        """The squares played so far, in turn."""
        taken = [position.x | position.o for position in self.history]
        return [(before ^ after).bit_length() - 1 for before, after in pairwise(taken)]

    def moves(self) -> list[tuple[int, Value]]:
        """Each legal move with its value, best first; none when there is no table."""
        return self.table.moves(self.position) if self.table else []

    def play(self, square: int) -> str | None:
        """Play a person's move; the verdict on it when a better one was there. Raises IllegalMove."""
        after = self.position.play(square)
        said = verdict(self.position, self.moves(), square) if self.table else None
        self.history.append(after)
        return said

    def reply(self) -> int:
        """Let the engine move; returns its square. Raises EngineFailed."""
        square = ask(self.engine, self.position, Clock(), self.played).move
        self.history.append(self.position.play(square))
        return square

    def undo(self) -> bool:
        """Go back to the last time a person was to move; False when there was none."""
        turns = [i for i, position in enumerate(self.history[:-1]) if position.to_move in self.people]
        if turns:
            del self.history[turns[-1] + 1 :]
            self.engine.new_game(self.seed)  # what it remembers of the game is no longer true
        return bool(turns)

    def restart(self) -> None:
        """Begin again with the empty board."""
        self.history[:] = [Position.start(self.rules)]
        self.engine.new_game(self.seed)


def verdict(position: Position, moves: list[tuple[int, Value]], square: int) -> str | None:
    """What a move in `position` gave away, as a sentence; None if there was no better one."""
    best, played = moves[0][1], dict(moves)[square]
    if played.rank == best.rank:
        return None
    better = [square_name(position.rules, s) for s, value in moves if value.rank == best.rank]
    blame = "A mistake" if played.wdl != best.wdl else _BLAME[best.wdl]
    return f"{blame}: {square_name(position.rules, square)} {outlook(played)}; {some(better, 'or')} {outlook(best)}."
