"""Play one game between two engines, and record it."""

import random
from dataclasses import dataclass
from typing import Any

from solver.engines.contract import Choice, Engine
from solver.errors import EngineFailed, PositionError
from solver.game.position import Position
from solver.game.squares import square_name
from solver.match.referee import Clock, ask

__all__ = ["GameRecord", "play_game", "random_start"]

OTHER = {"X": "O", "O": "X"}


@dataclass(frozen=True)
class GameRecord:
    """A game that was played."""

    number: int
    x: str
    """The name of the engine that played X."""
    o: str
    start: Position
    choices: tuple[Choice, ...]
    """The answers of both engines, in turn; in a forfeited game those given so far."""
    outcome: str
    """`X`, `O` or `draw`."""
    seed: int | None = None
    """Both engines drew from it."""
    error: str | None = None
    """Why the loser forfeited the game; None for a game played to its end."""

    @property
    def moves(self) -> tuple[int, ...]:
        """The squares played, in turn."""
        return tuple(choice.move for choice in self.choices)

    @property
    def final(self) -> Position:
        """The position at the end."""
        position = self.start
        for move in self.moves:
            position = position.play(move)
        return position

    @property
    def winner(self) -> str | None:
        """The name of the engine that won, None for a draw."""
        return {"X": self.x, "O": self.o}.get(self.outcome)

    def json(self) -> dict[str, Any]:
        """An object for JSON; lists have an entry for each move of `moves`."""
        rules = self.start.rules
        answer: dict[str, Any] = {
            "number": self.number,
            "game": rules.name,
            "x": self.x,
            "o": self.o,
            "start": self.start.board,
            "moves": [square_name(rules, move) for move in self.moves],
            "final": self.final.board,
            "outcome": self.outcome,
            "winner": self.winner,
            "seed": self.seed,
            "seconds": [round(choice.seconds or 0, 6) for choice in self.choices],
        }
        for key, name in (("values", "value"), ("nodes", "nodes")):
            entries = [getattr(choice, name) for choice in self.choices]
            if any(entry is not None for entry in entries):
                answer[key] = entries
        return answer if self.error is None else {**answer, "error": self.error}


def play_game(
    x: Engine,
    o: Engine,
    start: Position,
    *,
    seed: int | None = None,
    clock: Clock | None = None,
    forfeit: bool = False,
    number: int = 1,
) -> GameRecord:
    """Play a game from a position that is not over. The engines must be two objects, even when they are alike.

    seed: engines that draw at random start anew from it, X and O each in its own way.
    clock: what measures the answers. forfeit: an engine that fails loses the game, instead of stopping it.
    Raises EngineFailed (see `solver.match.referee`) and PositionError.
    """
    if start.is_over:
        raise PositionError(f"The game is already over in {start.board}; choose a position to play from.")
    engines, clock = {"X": x, "O": o}, clock or Clock()
    for side, engine in engines.items():
        engine.new_game(None if seed is None else random.Random(f"{seed} {side}").getrandbits(32))
    position = start
    choices: list[Choice] = []
    moves: list[int] = []
    outcome, error = None, None
    while outcome is None:
        try:
            choice = ask(engines[position.to_move], position, clock, moves)
        except EngineFailed as failure:
            if not forfeit:
                raise
            outcome, error = OTHER[position.to_move], str(failure)
            break
        choices.append(choice)
        moves.append(choice.move)
        position = position.play(choice.move)
        outcome = position.outcome
    return GameRecord(number, x.name, o.name, start, tuple(choices), outcome, seed, error)


def random_start(start: Position, plies: int, seed: int) -> Position:
    """Play random legal moves, and again whenever the game ends on the way; returns the position after them.

    Raises PositionError when no draw leaves a game to play.
    """
    draw = random.Random(seed)
    for _ in range(1000):
        position = start
        for _ in range(plies):
            if position.is_over:
                break
            position = position.play(draw.choice(position.legal_moves))
        if not position.is_over:
            return position
    raise PositionError(
        f"After {plies} random plies from {start.board} of {start.rules} the game is over; play fewer of them."
    )
