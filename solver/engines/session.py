"""Hold a game between people, or a person and an engine."""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise

from solver.engines.engine import Engine
from solver.engines.playing import Clock, ask
from solver.game.position import Position
from solver.game.rules import Rules


@dataclass(kw_only=True)
class GameSession:
    """A game that a person plays, as the positions from the first to the present one."""

    past: list[Position]
    people: Collection[str] = "XO"
    """The sides that people play: `X`, `O` or `XO`."""
    engine: Engine | None = None
    """It plays the other side; None if people play both, whatever `people` says."""
    seed: int | None = None
    """The engine draws from it in each game; None for its own."""

    def __post_init__(self) -> None:
        self._start_engine()

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.past[0].rules

    @property
    def position(self) -> Position:
        """The present position."""
        return self.past[-1]

    @property
    def played(self) -> list[int]:
        """The squares played so far, in turn."""
        taken = [position.x | position.o for position in self.past]
        return [(before ^ after).bit_length() - 1 for before, after in pairwise(taken)]

    @property
    def awaits_engine(self) -> bool:
        """Whether it is the engine's turn."""
        return not self.position.is_over and not self._is_persons_turn(self.position)

    def play(self, square: int) -> None:
        """Play a move. Raise IllegalMove."""
        self.past.append(self.position.play(square))

    def reply(self) -> int:
        """Let the engine move; returns its square. Raises EngineFailed. Only when it awaits the engine."""
        assert self.engine is not None
        square = ask(self.engine, self.position, Clock(), self.played).move
        self.play(square)
        return square

    def undo(self) -> bool:
        """Take moves back until a person is to move; return False if there is no such move."""
        if not any(map(self._is_persons_turn, self.past[:-1])):
            return False
        self.past.pop()
        while not self._is_persons_turn(self.position):
            self.past.pop()
        self._start_engine()
        return True

    def restart(self) -> None:
        """Start the game again from its first position."""
        del self.past[1:]
        self._start_engine()

    def _start_engine(self) -> None:
        """Let the engine forget the game: what it remembers is not, or no longer, true."""
        if self.engine:
            self.engine.new_game(self.seed)

    def _is_persons_turn(self, position: Position) -> bool:
        return self.engine is None or position.to_move in self.people
