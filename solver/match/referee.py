"""Ask an engine, and check what it answers: each failure names the engine and the position."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from operator import index
from time import perf_counter
from typing import Any, TypeVar

from solver.engines.contract import Choice, Engine
from solver.errors import EngineFailed, IllegalMove, quoted
from solver.game.position import Position

__all__ = ["Clock", "ask", "ask_distribution"]

_T = TypeVar("_T")


class Clock:
    """Measures each answer. `limit`: seconds that an answer may take, None for as long as it likes.

    In one process nothing can stop an engine that never answers; `solver.match.processes` watches from another.
    """

    def __init__(self, limit: float | None = None) -> None:
        self.limit = limit

    def begin(self, side: str, moves: Sequence[int]) -> None:
        """Note that an engine begins to think, after these moves of the game."""
        del moves
        self._side = side
        self._begun = perf_counter()

    def end(self) -> float:
        """Note that it has answered; returns the seconds it took."""
        return perf_counter() - self._begun


def ask(engine: Engine, position: Position, clock: Clock, moves: Sequence[int]) -> Choice:
    """Ask for the engine's choice, a legal move, with the time it took.

    Raises EngineFailed when it raises, answers with anything else, or takes longer than the clock allows.
    """
    choice, seconds = _time_answer(engine, position, clock, moves, engine.choose)
    if not isinstance(choice, Choice):
        raise _make_failure(engine, position, f"answered {quoted(choice)}, which is not a Choice")
    move = _check_square(engine, position, choice.move)
    return replace(choice, move=move, seconds=seconds if choice.seconds is None else choice.seconds)


def ask_distribution(engine: Engine, position: Position, clock: Clock) -> Mapping[int, Fraction] | None:
    """Ask for the probabilities of the engine's moves, all legal and positive; None where it does not know them.

    Raises EngineFailed as `ask`, and when they are no probabilities.
    """
    found, _ = _time_answer(engine, position, clock, [], engine.distribution)
    if found is None:
        return None
    total = sum(found.values())
    if total != 1 or min(found.values()) < 0:
        raise _make_failure(engine, position, f"gave probabilities whose sum is {total}, not 1, or that are negative")
    return {_check_square(engine, position, move): chance for move, chance in found.items() if chance}


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


def _check_square(engine: Engine, position: Position, move: Any) -> int:
    """Return the move as a plain int, if it is legal."""
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
