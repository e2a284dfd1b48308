"""A Python engine inside the process that is its own: asked one position at a time, and read."""

import random
import sys
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final, NamedTuple

from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.squares import square_name
from solver.verification.boards import build_board, flattened
from solver.verification.contract import Answer, Failure
from solver.verification.conventions import Convention
from solver.verification.entry import Entry, Facts
from solver.verification.loading import Recipe
from solver.verification.replies import OFF, Strange, plain, read_move, unwrapped

__all__ = ["PythonEngine", "PythonRecipe", "Raw", "interpreted", "is_legal", "reseed", "shown"]

_CHANGEABLE: Final = ("list", "array", "dict", "observation", "lists")


class Raw(NamedTuple):
    """What came back from one call, plain. placed: the board as it was left, if it was changed."""

    reply: Any
    placed: Any = None
    error: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class PythonRecipe:
    """How a worker makes the engine."""

    recipe: Recipe
    seed: int = 0

    def open(self, rules: Rules) -> "PythonEngine":
        """Load it; raises EngineError and what its code raises."""
        return PythonEngine(self.recipe, rules, self.seed)


class PythonEngine:
    """Answers the tasks of a worker: `try` gives a Raw, `answer` an Answer, a helper's name what it says."""

    facts: Facts

    def __init__(self, recipe: Recipe, rules: Rules, seed: int) -> None:
        self._rules, self._seed = rules, seed
        self._entry = Entry(recipe, rules)
        self.facts = self._entry.facts

    def respond(self, kind: str, way: Convention, position: Position, attempt: int) -> Any:
        """Do one task."""
        if kind == "try":
            return self._ask(way, position, attempt)
        if kind == "answer":
            return interpreted(self._ask(way, position, attempt), way, position)
        return self._help(kind, way, position)

    def _ask(self, way: Convention, position: Position, attempt: int) -> Raw:
        board = build_board(way.board, way.marks, position)
        reseed(self._seed, position, attempt)
        begin = perf_counter()
        try:
            reply = self._entry.call(way, position, board)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # what an engine raises, SystemExit too, is its answer
            return Raw(None, error=shown(error), seconds=perf_counter() - begin)
        seconds = perf_counter() - begin
        return Raw(plain(reply), _changed(way, position, board), seconds=seconds)

    def _help(self, what: str, way: Convention, position: Position) -> Any:
        board = build_board(way.board, way.marks, position)
        try:
            said = plain(self._entry.help(what, way, position, board))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # as above
            return Answer(None, Failure.EXCEPTION, shown(error))
        return _READERS[what](said, way, position)


def reseed(seed: int, position: Position, attempt: int) -> None:
    """Make chance depend on the question alone, so that one who asks it by itself gets the same answer."""
    number = hash((seed, position.x, position.o, attempt)) & 0xFFFFFFFF
    random.seed(number)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(number)


def interpreted(raw: Raw, way: Convention, position: Position) -> Answer:
    """What came back, as an Answer."""
    if raw.error:
        return Answer(None, Failure.EXCEPTION, raw.error, seconds=raw.seconds)
    reply = raw.placed if raw.reply is None and way.reading.moves == "board" else raw.reply
    found = unwrapped(way.reading, reply)
    square = None if found is None else _square(way, found[0], position)
    if found is None or square is None:
        said = f"returned {_repr(raw.reply)}, expected {way.reading}"
        return Answer(None, Failure.WRONG_TYPE, said, seconds=raw.seconds)
    value = _value(found[1], way, position)
    if not is_legal(position, square):
        said = f"returned {_repr(raw.reply)}: {_illegal(position, square)}"
        return Answer(None if square == OFF else square, Failure.ILLEGAL, said, value, raw.seconds)
    if raw.placed is not None and way.reading.moves != "board":
        return Answer(square, Failure.MUTATED, f"left {_repr(raw.placed)} as the board", value, raw.seconds)
    return Answer(square, None, "", value, raw.seconds)


def is_legal(position: Position, square: int) -> bool:
    """Whether a stone can be placed there; the position is not over."""
    taken, below = position.x | position.o, position.rules.supports[square] if square >= 0 else -1
    return square >= 0 and not taken >> square & 1 and (below < 0 or bool(taken >> below & 1))


def _square(way: Convention, move: Any, position: Position) -> int | None:
    before: tuple[Any, ...] = ()
    if way.reading.moves == "board":
        before = (*flattened(plain(build_board(way.board, way.marks, position))),)
    return read_move(way.reading, move, position, before, way.marks.of_mover(position)[0])


def _value(stated: Any, way: Convention, position: Position) -> float | None:
    if type(stated) not in {int, float}:
        return None
    return float(stated if way.worth in {"mover", position.to_move} else -stated)


def _changed(way: Convention, position: Position, board: Any) -> Any:
    """The board as it is now, plain, if it is not the one that was given; else None."""
    if not way.board.lower().split(" from")[0].split(" of row")[0].endswith(_CHANGEABLE):
        return None
    given = build_board(way.board, way.marks, position)
    try:
        if board == given:
            return None
    except ValueError:  # arrays don't say whether they are equal
        pass
    now = plain(board)
    return None if now == plain(given) else now


def _illegal(position: Position, square: int) -> str:
    if square == OFF:
        return "no square of the board"
    name = square_name(position.rules, square)
    return f"{name} is taken" if (position.x | position.o) >> square & 1 else f"a stone on {name} would float"


def shown(error: BaseException) -> str:
    """An exception in one line, with the place it comes from."""
    text = " ".join(f"{type(error).__name__}: {error}".split())
    if isinstance(error, EOFError):
        text += " (it reads from the keyboard)"
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    name = trace.tb_frame.f_code.co_filename.rpartition("/")[2] if trace is not None else ""
    place = f" ({name}:{trace.tb_lineno})" if trace is not None and not name.startswith("<") else ""
    return text[:300] + place


def _repr(reply: Any) -> str:
    text = repr(reply)
    return text if len(text) <= 120 else text[:117] + "..."


# Reading what helpers say: plain data in, this package's terms out, or an Answer that says what is wrong.


def _wrong(said: Any, expected: str) -> Answer:
    return Answer(None, Failure.WRONG_TYPE, f"returned {_repr(said)}, expected {expected}")


def _winner(said: Any, way: Convention, position: Position) -> Any:
    x, o = way.marks.of_sides(position)
    for mark, side in ((x, "X"), (o, "O")):
        if said == mark and type(said) is type(mark):
            return side
    nobody = ("", " ", "-", ".", "draw", "tie", "none", "d", "t")
    if said is None or said is False or said == 0 or (isinstance(said, str) and said.lower() in nobody):
        return None
    return _wrong(said, f"{x!r}, {o!r} or None")


def _terminal(said: Any, way: Convention, position: Position) -> Any:
    del way, position
    return bool(said) if type(said) in {bool, int} or said is None else _wrong(said, "True or False")


def _utility(said: Any, way: Convention, position: Position) -> Any:
    del way, position
    return said if type(said) in {int, float} else _wrong(said, "a number")


def _player(said: Any, way: Convention, position: Position) -> Any:
    x, o = way.marks.of_sides(position)
    if said in (x, o):
        return "X" if said == x else "O"
    return _wrong(said, f"{x!r} or {o!r}")


def _actions(said: Any, way: Convention, position: Position) -> Any:
    if not isinstance(said, tuple) or any(isinstance(move, Strange) for move in said):
        return _wrong(said, "a collection of moves")
    squares = [_square(way, move, position) for move in said]
    if None in squares:
        return _wrong(said, f"moves as {way.reading.moves}")
    return frozenset(squares)


_READERS: Final = {
    "winner": _winner,
    "terminal": _terminal,
    "utility": _utility,
    "player": _player,
    "actions": _actions,
}
