"""How one engine is talked to: shape and marks of the board, how the player is named, how moves are read."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final

from solver.errors import EngineError, quoted
from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.boards import BOARDS, MARKED
from solver.verification.contract import AskOptions
from solver.verification.marks import ALL_MARKS, MAXIMIZING, PLAYERS, Marks, by_hints, parse_marks
from solver.verification.replies import MOVES, SHELLS, Reading
from solver.verification.roles import Role

__all__ = ["Convention", "candidates", "check_options", "readings"]

ASKED_FOR: Final[dict[str, tuple[str, ...]]] = {  # shapes that a parameter's name asks for
    "observation": ("Kaggle observation", "PettingZoo observation"),
    "obs": ("Kaggle observation", "PettingZoo observation"),
}
_BY_COLUMNS: Final = "index by columns"


PLAIN_INDEX: Final = Reading("", "index")


@dataclass(frozen=True, slots=True)
class Convention:
    """How one engine is talked to.

    board: one of `BOARDS`. player: how the player to move is named, one of `PLAYERS` or `MAXIMIZING`, or "" for the
    mark of its stones. reading: how replies are read. worth: whose side the stated value is from, `mover`, `X` or `O`.
    """

    board: str = "flat list"
    marks: Marks = ALL_MARKS[0]
    player: str = ""
    reading: Reading = PLAIN_INDEX
    worth: str = "mover"

    def words(self, roles: Sequence[Role] = ()) -> str:
        """The convention in words, for a person to object to."""
        parts = [f"board: {self.board}" + (f", where {self.marks}" if self.board in MARKED else "")]
        if any(role.what in {"player", "maximizing"} for role in roles):
            given = "by the mark of its stones"
            if self.player:
                given = f"as {self.player}" if self.player in PLAYERS else f"so that {self.player}"
            parts.append(f"player: {given}")
        parts.append(f"moves: {self.reading}")
        return "; ".join(parts)


def check_options(options: AskOptions) -> None:
    """Raise EngineError for a convention that there is not."""
    for given, known, flag in ((options.board, BOARDS, "--board"), (options.moves, (*MOVES, "board"), "--moves")):
        if given is not None and given not in known:
            raise EngineError(f"{flag} {quoted(given)} is unknown; choose one of: {'; '.join(known)}.")
    if options.marks is not None:
        parse_marks(options.marks)


def candidates(options: AskOptions, roles: Sequence[Role], hints: frozenset[str]) -> Iterator[list[Convention]]:
    """Conventions to try, in groups, the likeliest group and the likeliest of each first; how to read is left open."""
    kinds = {role.what for role in roles}
    marks = [parse_marks(options.marks)] if options.marks else by_hints(hints)
    shapes = [options.board] if options.board else _shapes(roles)
    plain = [shape for shape in shapes if shape in MARKED]
    first = [shape for shape in shapes[:2] if shape not in MARKED]
    own = [Convention(shape) for shape in shapes if shape not in MARKED]
    if first:
        yield [Convention(shape) for shape in first]
    players = [""]
    if "maximizing" in kinds and "player" not in kinds:
        players = [*MAXIMIZING]
    yield [
        Convention(shape, marks=signs, player=player) for signs, player, shape in product(marks, players, plain)
    ] + own
    if "player" in kinds:
        some = [signs for signs in marks if not signs.relative]
        named = [Convention(shape, marks=signs) for signs, shape in product(some, plain)] or own
        yield [replace(convention, player=player) for player, convention in product(PLAYERS, named)]


def _shapes(roles: Sequence[Role]) -> list[str]:
    if any(role.what == "game" for role in roles):
        return ["AIMA state"]
    parameter = next((role.parameter for role in roles if role.what == "board"), "")
    first = ASKED_FOR.get(parameter, ())
    if any(role.what in {"mask", "config"} for role in roles):
        kind = "PettingZoo" if any(role.what == "mask" for role in roles) else "Kaggle"
        first = (f"{kind} observation",)
    return [*first, *[shape for shape in BOARDS if shape not in first]]


def readings(options: AskOptions, rules: Rules, board: str) -> Iterable[Reading]:
    """The ways to read replies, the likeliest first."""
    if options.moves:
        return [Reading(shell, options.moves) for shell in SHELLS]
    ways = [*MOVES] if rules.gravity else [way for way in MOVES if not way.startswith("column") or "," in way]
    if board == "PettingZoo observation":
        ways.sort(key=lambda way: way != _BY_COLUMNS)
    elif board == "AIMA state":
        ways.sort(key=lambda way: way != "row,column from 1")
    if rules.gravity and board in {"Kaggle observation", "PettingZoo observation"}:
        ways.sort(key=lambda way: way != "column")
    return [Reading(shell, way) for shell, way in product(SHELLS, [*ways, "board"])]


def mover(position: Position, convention: Convention) -> Any:
    """The sign of the side to move."""
    return convention.marks.of_mover(position)[0]
