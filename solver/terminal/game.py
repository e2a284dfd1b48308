"""A game being explored: where it stands, what has been played and taken back, and who plays the other side."""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from solver.engine import Engine, make_engine
from solver.match.referee import Clock, ask
from solver.notation import read
from solver.position import Position
from solver.tablebase import Tablebase
from solver.value import Value

__all__ = ["OPPONENTS", "Game", "game_from"]

OPPONENTS: Final = {
    "people": "two people",
    "perfect": "the perfect player",
    "random": "the random player",
}
"""Who may play against the person, and what they are called."""

_ENGINES: Final = {"perfect": "perfect:ties=random", "random": "random"}
_MARKS: Final = ("", "?", "??")  # by how far a move makes the result worse, as in chess


@dataclass
class Game:
    """The positions from the first to the present one, and those that were taken back.

    side: `X` or `O`, what the person plays; of no matter while two people play. seed: what the opponent draws from.
    """

    table: Tablebase
    past: list[Position]
    side: str = "X"
    opponent: str = "people"
    seed: int | None = None
    future: list[Position] = field(default_factory=list)  # the next one last
    _engine: Engine | None = None

    def __post_init__(self) -> None:
        self.choose_opponent(self.opponent)

    @property
    def position(self) -> Position:
        """How the board stands."""
        return self.past[-1]

    @property
    def played(self) -> list[int]:
        """The squares played so far, in turn."""
        return [_square(before, after) for before, after in pairwise(self.past)]

    @property
    def awaits_opponent(self) -> bool:
        """Whether it is for the opponent to move."""
        position = self.position
        return self._engine is not None and not position.is_over and position.to_move != self.side

    def value(self) -> Value:
        """The value for the side to move."""
        return self.table.probe(self.position)

    def moves(self) -> list[tuple[int, Value]]:
        """Each legal move with its value, best first."""
        return self.table.moves(self.position)

    def marks(self) -> list[str]:
        """For each move played what it gave away: nothing, `?` half a point, `??` a whole one."""
        results = [self.table.probe(position).wdl for position in self.past]
        return [_MARKS[before + after] for before, after in pairwise(results)]

    def play(self, square: int) -> None:
        """Play a move; those that were taken back are forgotten unless it is the next of them. Raises IllegalMove."""
        after = self.position.play(square)
        if self.future and self.future[-1] == after:
            self.future.pop()
        else:
            self.future.clear()
        self.past.append(after)

    def reply(self) -> int:
        """Let the opponent move; returns its square. Raises EngineFailed. Only when it awaits the opponent."""
        assert self._engine is not None
        square = ask(self._engine, self.position, Clock(), self.played).move
        self.play(square)
        return square

    def undo(self) -> bool:
        """Take moves back until the person is to move; False when there is no such move."""
        if not any(self._persons(position) for position in self.past[:-1]):
            return False
        self.future.append(self.past.pop())
        while not self._persons(self.position):
            self.future.append(self.past.pop())
        return True

    def redo(self) -> bool:
        """Play what was taken back again, until the person is to move; False when there is nothing."""
        if not self.future:
            return False
        self.past.append(self.future.pop())
        while self.future and not self._persons(self.position):
            self.past.append(self.future.pop())
        return True

    def restart(self) -> None:
        """Begin again from the first position; redo brings the game back."""
        while len(self.past) > 1:
            self.future.append(self.past.pop())

    def choose_opponent(self, name: str) -> None:
        """Let somebody else, a key of OPPONENTS, play the other side."""
        self.opponent = name
        engine = _ENGINES.get(name)
        self._engine = make_engine(engine, self.table.rules, tables=self.table) if engine else None
        if self._engine:
            self._engine.new_game(self.seed)

    def swap(self) -> None:
        """Change sides with the opponent."""
        self.side = "O" if self.side == "X" else "X"

    def _persons(self, position: Position) -> bool:
        return self._engine is None or position.to_move == self.side


def game_from(table: Tablebase, text: str, side: str = "X", opponent: str = "people", seed: int | None = None) -> Game:
    """A game that begins with a position in any notation; moves are played, so that they can be taken back.

    Raises the errors of `Position.parse`.
    """
    found = read(table.rules, text)
    past = [Position.start(table.rules)]
    if isinstance(found, list):
        for square in found:
            past.append(past[-1].play(square))
    else:
        past = [Position(table.rules, *found)]
    return Game(table, past, side, opponent, seed)


def _square(before: Position, after: Position) -> int:
    return ((before.x | before.o) ^ (after.x | after.o)).bit_length() - 1
