"""One game between two engines, and its record."""

import random
from dataclasses import dataclass
from typing import Any

from solver.engines.contract import Choice, Engine
from solver.errors import EngineFailed, PositionError
from solver.game.position import Position
from solver.game.squares import square_name
from solver.match.referee import Clock, ask

__all__ = ["Record", "play_game", "random_start"]

OTHER = {"X": "O", "O": "X"}


@dataclass(frozen=True)
class Record:
    """A game that was played.

    x, o: the names of the engines. choices: what they answered, in turn. seed: what both drew from.
    outcome: `X`, `O` or `draw`. error: why the loser forfeited the game, None for a game played to its end;
    then moves are those made so far.
    """

    number: int
    x: str
    o: str
    start: Position
    choices: tuple[Choice, ...]
    outcome: str
    seed: int | None = None
    error: str | None = None

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
        """The record as an object for JSON; lists have an entry for each move of `moves`."""
        rules = self.start.rules
        facts: dict[str, Any] = {
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
        said: dict[str, list[Any]] = {
            "values": [choice.value for choice in self.choices],
            "nodes": [choice.nodes for choice in self.choices],
        }
        facts |= {key: entries for key, entries in said.items() if any(entry is not None for entry in entries)}
        return facts if self.error is None else {**facts, "error": self.error}


def play_game(
    x: Engine,
    o: Engine,
    start: Position,
    *,
    seed: int | None = None,
    clock: Clock | None = None,
    forfeit: bool = False,
    number: int = 1,
) -> Record:
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
    return Record(number, x.name, o.name, start, tuple(choices), outcome, seed, error)


def random_start(start: Position, plies: int, seed: int) -> Position:
    """The position after random legal moves, drawn again whenever the game ends on the way.

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
