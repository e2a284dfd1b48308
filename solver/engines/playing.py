"""Play a game between two engines and record it.

The answers of an engine are timed and checked; each error names the engine and the position.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from operator import index
from time import perf_counter
from typing import Any, TypeVar

from solver.engines.engine import Choice, Engine
from solver.errors import EngineFailed, IllegalMove, PositionError, quoted
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.rules import OTHER

_T = TypeVar("_T")


class Clock:
    """A clock that times the answers of engines. limit: seconds per answer, None for no limit.

    It detects a late answer but cannot stop an engine that never answers; `solver.engines.jobs` does.
    """

    def __init__(self, limit: float | None = None) -> None:
        self.limit = limit

    def begin(self, side: str, moves: Sequence[int]) -> None:
        """Start to time an answer of the engine of `side`, after these moves of the game."""
        del side, moves
        self._began = perf_counter()

    def end(self) -> float:
        """Return the seconds that the answer took."""
        return perf_counter() - self._began


def request_move(engine: Engine, position: Position, clock: Clock, moves: Sequence[int] = ()) -> Choice:
    """Return the engine's choice, a legal move, with the time it took.

    moves: those of the game so far. Raise EngineFailed if it raises an exception, answers anything else or exceeds the
    time limit.
    """
    choice, seconds = _time_answer(engine, position, clock, moves, engine.choose)
    if not isinstance(choice, Choice):
        raise _make_failure(engine, position, f"answered {quoted(choice)}, which is not a Choice")
    move = _check_move(engine, position, choice.move)
    return replace(choice, move=move, seconds=seconds if choice.seconds is None else choice.seconds)


def request_distribution(engine: Engine, position: Position, clock: Clock) -> Mapping[int, Fraction] | None:
    """Return the positive probabilities of the engine's legal moves; None if it does not know them.

    Raise EngineFailed as `request_move` does, and for numbers that are not probabilities.
    """
    found, _ = _time_answer(engine, position, clock, [], engine.distribution)
    if found is None:
        return None
    total = sum(found.values())
    if total != 1 or min(found.values()) < 0:
        raise _make_failure(engine, position, f"gave probabilities that are negative or have the sum {total}, not 1")
    return {_check_move(engine, position, move): chance for move, chance in found.items() if chance}


def _time_answer(
    engine: Engine, position: Position, clock: Clock, moves: Sequence[int], answer: Callable[[Position], _T]
) -> tuple[_T, float]:
    clock.begin(position.to_move, moves)
    try:
        answered = answer(position)
    except Exception as error:
        raise _make_failure(engine, position, f"raised {type(error).__name__} ({error})") from error
    finally:
        seconds = clock.end()
    if clock.limit is not None and seconds > clock.limit:
        raise _make_failure(engine, position, f"took {seconds:.2f} s for a move, and {clock.limit:g} s are allowed")
    return answered, seconds


def _check_move(engine: Engine, position: Position, move: Any) -> int:
    """Return the move as a plain int. Raise EngineFailed if it is illegal."""
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
    x: str
    """The name of the engine that played X."""
    o: str
    start: Position
    choices: tuple[Choice, ...]
    """The answers of both engines in turn; in a forfeited game those before the failure."""
    outcome: str
    """`X`, `O` or `draw`."""
    seed: int | None = None
    """The seed of both engines."""
    error: str | None = None
    """Why the loser forfeited the game; None for a game played to its end."""

    @property
    def moves(self) -> tuple[int, ...]:
        """The squares played, in turn."""
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
        """Return an object for JSON; its lists have an entry for each move."""
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
    """Play a game between two engine objects from a position that is not over, and return its record.

    seed: of the random choices of both engines, different for X and O. forfeit: an engine that fails loses the game
    instead of ending it with an error. Raise EngineFailed and PositionError.
    """
    require_live(start)
    engines, clock = {"X": x, "O": o}, clock or Clock()
    for side, engine in engines.items():
        engine.new_game(None if seed is None else random.Random(f"{seed} {side}").getrandbits(32))
    position, choices, moves, error = start, list[Choice](), list[int](), None
    while (outcome := position.outcome) is None:
        try:
            choice = request_move(engines[position.to_move], position, clock, moves)
        except EngineFailed as failure:
            if not forfeit:
                raise
            outcome, error = OTHER[position.to_move], str(failure)
            break
        choices.append(choice)
        moves.append(choice.move)
        position = position.play(choice.move)
    return GameRecord(number, x.name, o.name, start, tuple(choices), outcome, seed, error)


def require_live(start: Position) -> None:
    """Raise PositionError if the game is over."""
    if start.is_over:
        raise PositionError(f"The game is already over in {start.board}; choose a position to play from.")


def random_start(start: Position, plies: int, seed: int) -> Position:
    """Return the position after random legal moves, drawn again if they end the game.

    Raise PositionError if no draw leaves a game to play.
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
