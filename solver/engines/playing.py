"""Play one game between two engines, and record it.

An engine is asked against a clock and what it answers is checked: each failure names the engine and the position.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
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
    """Measures each answer. `limit`: seconds that an answer may take, None for as long as it likes.

    In one process nothing can stop an engine that never answers; `solver.engines.jobs` watches from another.
    """

    def __init__(self, limit: float | None = None) -> None:
        self.limit = limit

    def begin(self, side: str, moves: Sequence[int]) -> None:
        """Note that an engine begins to think, after these moves of the game."""
        del side, moves
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
    Raises EngineFailed (see `solver.engines.playing`) and PositionError.
    """
    if start.is_over:
        raise PositionError(f"The game is already over in {start.board}; choose a position to play from.")
    engines, clock = {"X": x, "O": o}, clock or Clock()
    for side, engine in engines.items():
        engine.new_game(None if seed is None else random.Random(f"{seed} {side}").getrandbits(32))
    position = start
    choices: list[Choice] = []
    moves: list[int] = []
    outcome: str | None = None
    error: str | None = None
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
