"""Play a game between two engines and record it.

The answers of an engine are timed and checked. Each error names the engine and the position.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from math import isfinite
from operator import index
from time import perf_counter
from typing import Any, TypeVar

from solver.engines.engine import Choice, Engine
from solver.errors import EngineError, EngineFailed, IllegalMove, PositionError, Unsettled, quoted
from solver.game.notation import square_name
from solver.game.position import Position

_T = TypeVar("_T")


def request_move(engine: Engine, position: Position) -> Choice:
    """Check that the engine's choice is a legal move; return the choice, with the time that it took in `seconds`.

    Raises EngineFailed if the engine raises an exception or returns anything but a legal move.
    """
    _request(engine, position, engine.get_ready)
    began = perf_counter()
    choice = _request(engine, position, engine.choose)
    seconds = perf_counter() - began
    if not isinstance(choice, Choice):
        raise _make_failure(engine, position, f"answered {quoted(choice)}, which is not a Choice")
    move = _check_move(engine, position, choice.move)
    return replace(choice, move=move, seconds=seconds)


def request_distribution(engine: Engine, position: Position) -> Mapping[int, Fraction] | None:
    """Return the moves that the engine may play, with their probabilities; None if it does not know them.

    Raises EngineFailed if the engine raises an exception or returns an illegal move or invalid probabilities.
    """
    found = _request(engine, position, engine.distribution)
    if found is None:
        return None
    total = sum(found.values())
    if total != 1 or min(found.values()) < 0:
        raise _make_failure(engine, position, f"gave probabilities that are negative or have the sum {total}, not 1")
    return {_check_move(engine, position, move): chance for move, chance in found.items() if chance}


def _request(engine: Engine, position: Position, answer: Callable[[Position], _T]) -> _T:
    try:
        return answer(position)
    except EngineFailed:
        raise
    except Exception as error:
        raise _make_failure(engine, position, f"raised {type(error).__name__} ({error})") from error


def _check_move(engine: Engine, position: Position, move: Any) -> int:
    try:
        square = index(move)
        position.play(square)
    except TypeError:
        raise _make_failure(engine, position, f"answered {quoted(move)}, which is not a square") from None
    except IllegalMove as error:
        raise _make_failure(engine, position, f"chose an illegal move ({str(error).rstrip('.')})") from None
    return square


def _make_failure(engine: Engine, position: Position, what: str) -> EngineFailed:
    return EngineFailed(f"The engine {engine.name} {what}; it was {position.to_move} in {position.board}.")


@dataclass(frozen=True)
class GameRecord:
    """The record of a game between engines."""

    number: int
    """The number of the game in the match, counted from 1."""
    x: str
    """The name of the engine that played X."""
    o: str
    """The name of the engine that played O."""
    start: Position
    """The position before the first move."""
    choices: tuple[Choice, ...]
    """The answers of both engines in turn."""
    outcome: str
    """`X`, `O` or `draw`."""
    seed: int | None = None
    """The seed of the game, from which X and O got different seeds."""
    failure: str | None = None
    """Why the side to move at the end lost without a line: an illegal move, an exception, a timeout; None otherwise."""

    @property
    def moves(self) -> tuple[int, ...]:
        """The squares played, in order."""
        return tuple(choice.move for choice in self.choices)

    @property
    def final(self) -> Position:
        """The position at the end."""
        return reduce(Position.play, self.moves, self.start)

    @property
    def winner(self) -> str | None:
        """The name of the engine that won; None for a draw."""
        return {"X": self.x, "O": self.o}.get(self.outcome)

    def json(self) -> dict[str, Any]:
        """Return a JSON-compatible object. Its lists have an entry for each move."""
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
            **({"failure": self.failure} if self.failure else {}),
            "seed": self.seed,
            "seconds": [round(choice.seconds or 0, 6) for choice in self.choices],
        }
        for key, name in (("values", "value"), ("nodes", "nodes")):
            entries = [getattr(choice, name) for choice in self.choices]
            entries = [entry if entry is not None and isfinite(entry) else None for entry in entries]
            if any(entry is not None for entry in entries):
                answer[key] = entries
        return answer


def play_game(
    x: Engine,
    o: Engine,
    start: Position,
    *,
    seed: int | None = None,
    number: int = 1,
    forfeits: bool = False,
    clock: float | None = None,
) -> GameRecord:
    """Play a game between two engine objects from a position that is not over, and return its record.

    seed: the seed of the game, from which X and O get different seeds. forfeits: an engine that fails to give a legal
    move loses the game; by default EngineFailed is raised. clock: the seconds that each engine has for all its moves.
    Also raises PositionError, and EngineError if an engine refuses the game, or needs a value that is not settled.
    """
    require_live(start)
    engines = {"X": x, "O": o}
    for side, engine in engines.items():
        engine.new_game(None if seed is None else random.Random(f"{seed} {side}").getrandbits(32))
    position, choices, failure = start, list[Choice](), None
    used = dict.fromkeys(engines, 0.0)
    while (outcome := position.outcome) is None:
        engine = engines[position.to_move]
        engine.clock = None if clock is None else (clock, clock - used[position.to_move])
        try:
            choice = request_move(engine, position)
            used[position.to_move] += choice.seconds or 0
            if clock is not None and used[position.to_move] > clock:
                raise _make_failure(engine, position, f"took more than {clock:g} s for its moves")
            choices.append(choice)
        except EngineFailed as error:
            if isinstance(error.__cause__, EngineError):  # the engine does not play such games
                raise error.__cause__ from error
            if isinstance(error.__cause__, Unsettled):
                raise EngineError(
                    f"The engine {engine.name} knows no best move as {position.to_move} in {position.board}; "
                    "choose graded:strength=1, which guesses there."
                ) from error
            if not forfeits:
                raise
            outcome, failure = "O" if position.to_move == "X" else "X", str(error)
            break
        position = position.play(choices[-1].move)
    return GameRecord(number, x.name, o.name, start, tuple(choices), outcome, seed, failure)


def require_live(start: Position) -> None:
    """Raise PositionError if the game is over."""
    if start.is_over:
        raise PositionError(f"The game is already over in {start.board}; choose a position to play from.")
