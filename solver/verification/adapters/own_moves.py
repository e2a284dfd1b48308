"""List the ways in which a move can be played on a program's own board, and the moves that lead to a position."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from inspect import Parameter, signature
from itertools import product
from typing import Any, Final

from solver.errors import IllegalMove
from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.conventions.board_formats import sort_by_hints

_PLAYS: Final = re.compile(
    r"(?:make|do|play|place|put|drop|push|apply|mark|insert|set|add|update|perform|move|result|select|take|step)",
    re.IGNORECASE,
)
_NOT_PLAYS: Final = re.compile(
    r"undo|unmake|remove|best|computer|^ai|_ai|human|player_move|random|valid|legal|reset|draw", re.IGNORECASE
)
_SWITCH: Final = re.compile(
    r"(?:switch|change|next|toggle|swap|flip|alternate)\w*(?:player|turn|side)|end_?turn", re.IGNORECASE
)
MARK_NAME: Final = re.compile(
    r"player|mark|letter|symbol|token|piece|sign|turn|who|val|colou?r|^p$|^c$|char", re.IGNORECASE
)
_MOST_WAYS: Final = 400  # of calling a method that are tried


@dataclass(frozen=True)
class Way:
    """A way to play a move on an object: a method, and what it is called with."""

    method: str
    arguments: tuple[str, ...]
    """The kinds of arguments: `square`, `row`, `column`, `pair`, `mark`."""
    start: int
    """The number of the first square, row or column."""
    switch: str = ""
    """The method that passes the turn on, if moves don't."""

    def play(self, thing: Any, position: Position, square: int, marks: tuple[Any, Any]) -> Any:
        """Play a move; return the object after it."""
        row, column = position.rules.diagram.row_and_column(square)
        row, column = row + self.start, column + self.start
        mark = marks[position.to_move == "O"]
        values = {"square": square + self.start, "row": row, "column": column, "pair": (row, column), "mark": mark}
        after = getattr(thing, self.method)(*[values[kind] for kind in self.arguments])
        if self.switch:
            getattr(thing, self.switch)()
        return after if type(after) is type(thing) and after is not thing else thing

    def __str__(self) -> str:
        return f"{self.method}({', '.join(self.arguments)}{f'; from {self.start}' if self.start else ''})"


def list_ways(thing: Any, rules: Rules, hints: frozenset[str]) -> Iterator[tuple[Way, tuple[Any, Any]]]:
    """Yield ways to play a move, and the marks to play with, the likeliest first."""
    names = [name for name in dir(thing) if not name.startswith("_") and callable(getattr(thing, name, None))]
    playing = sorted(
        (name for name in names if _PLAYS.match(name) and not is_never_a_play(name)),
        key=lambda name: "move" not in name.lower(),
    )
    if "__setitem__" in vars(type(thing)):
        playing.append("__setitem__")
    switches = ["", *[name for name in names if _SWITCH.search(name)]]
    pairs = list(dict.fromkeys((m.first, m.second) for m in sort_by_hints(hints)))[:8]
    left = _MOST_WAYS
    for name in playing:
        try:
            parameters = [p for p in signature(getattr(thing, name)).parameters.values() if p.default is p.empty]
        except (TypeError, ValueError):
            continue
        listed = [("square", "mark"), ("pair", "mark")] if name == "__setitem__" else _list_arguments(parameters, rules)
        for kinds, switch, start in product(listed, switches, (0, 1)):
            for marks in pairs if "mark" in kinds else pairs[:1]:
                left -= 1
                if not left:
                    return
                yield Way(name, kinds, start, switch), marks


def is_never_a_play(name: str) -> bool:
    """Tell a name of a method that does something else than play a given move."""
    return bool(_NOT_PLAYS.search(name))


def _list_arguments(parameters: Sequence[Parameter], rules: Rules) -> list[tuple[str, ...]]:
    """List what a method can be called with to play a move, the likeliest first by the names of its parameters."""
    names = [parameter.name.lower().strip("_") for parameter in parameters]
    marks = [place for place, name in enumerate(names) if MARK_NAME.search(name)]
    one = [("column",), ("square",), ("pair",)] if rules.gravity else [("square",), ("pair",)]
    two = [("row", "column"), ("column", "row")]
    if len(names) == 1:
        return [*one]
    if len(names) == 2 and not marks:
        return [*two, ("square", "mark"), ("mark", "square")]
    places: dict[int, Sequence[tuple[str, ...]]] = {2: one, 3: two}
    found = product(marks or [len(names) - 1, 0], places.get(len(names), ()))
    return [(*kinds[:mark], "mark", *kinds[mark:]) for mark, kinds in found]


def order_moves(position: Position) -> list[int]:
    """Return moves that lead from the start to a position that is not over."""
    if not position.rules.gravity:
        x, o = ([s for s in range(position.rules.squares) if stones >> s & 1] for stones in (position.x, position.o))
        return [(o if ply % 2 else x)[ply // 2] for ply in range(position.ply)]
    line: list[int] = []
    return line if _retrace(position, line, set()) else []


def _retrace(position: Position, line: list[int], dead: set[Position]) -> bool:
    """Find a way back to the start, taking the highest stone of a column each time."""
    if not position.ply:
        line.reverse()
        return True
    if position in dead:
        return False
    stones = position.x if position.to_move == "O" else position.o
    n, taken = position.rules.stride, position.x | position.o
    for square in range(position.rules.squares):
        if stones >> square & 1 and not (square >= n and taken >> (square - n) & 1):
            line.append(square)
            with suppress(IllegalMove):  # the game was over before it
                if _retrace(position.undo(square), line, dead):
                    return True
            line.pop()
    dead.add(position)
    return False
