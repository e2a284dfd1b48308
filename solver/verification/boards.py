"""The shapes in which a board is handed over."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.aima import AimaState
from solver.verification.marks import Marks

__all__ = ["BOARDS", "MARKED", "Observation", "build_board", "flattened"]

Cells = Sequence[Any]


class Observation(dict[str, Any]):
    """A dict whose items are attributes too, as in Kaggle's environments."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def _rows(cells: Cells, rules: Rules) -> list[Cells]:
    return [cells[start : start + rules.n] for start in range(0, rules.squares, rules.n)]


def _text(cells: Cells) -> str:
    return "".join(map(str, cells))


def _array(cells: Cells) -> Any:
    from numpy import array

    has_text = any(isinstance(cell, str) for cell in cells)
    return array(cells, dtype=object if None in cells else None if has_text else type(cells[0]))


def _coordinates(cells: Cells, rules: Rules, start: int) -> dict[tuple[int, int], Any]:
    return {(s // rules.n + start, s % rules.n + start): cell for s, cell in enumerate(cells)}


MARKED: Final[dict[str, Callable[[Cells, Rules], Any]]] = {
    "flat list": lambda cells, _: [*cells],
    "rows of lists": lambda cells, rules: [[*row] for row in _rows(cells, rules)],
    "flat string": lambda cells, _: _text(cells),
    "flat tuple": lambda cells, _: (*cells,),
    "flat array": lambda cells, _: _array(cells),
    "array": lambda cells, rules: _array(cells).reshape(rules.m, rules.n),
    "rows of tuples": lambda cells, rules: tuple(tuple(row) for row in _rows(cells, rules)),
    "rows of strings": lambda cells, rules: [_text(row) for row in _rows(cells, rules)],
    "list from 1": lambda cells, _: [" " if isinstance(cells[0], str) else 0, *cells],
    "dict": lambda cells, _: dict(enumerate(cells)),
    "dict from 1": lambda cells, _: dict(enumerate(cells, start=1)),
    "dict of row, column": lambda cells, rules: _coordinates(cells, rules, 0),
    "dict of row, column from 1": lambda cells, rules: _coordinates(cells, rules, 1),
    "columns of lists": lambda cells, rules: [[*cells[column :: rules.n]] for column in range(rules.n)],
    "string with /": lambda cells, rules: "/".join(map(_text, _rows(cells, rules))),
}
"""The shapes made of marks: from the marks of all squares in order, and the rules."""


def _kaggle(position: Position) -> Observation:
    marks = Marks(1, 2, 0)
    mine = marks.of_mover(position)[0]
    return Observation(board=marks.cells(position), mark=mine, step=position.ply, remainingOverageTime=60)


def _pettingzoo(position: Position) -> dict[str, Any]:
    """PettingZoo numbers squares by columns: entry [c][r] of the planes is column c, row r; own stones first.

    In its game with drops entry [r][c] is row r, column c, and an action is a column.
    """
    from numpy import array, int8

    m, n = position.rules.m, position.rules.n
    own, other = position.own, position.other
    planes = array([[[own >> r * n + c & 1, other >> r * n + c & 1] for c in range(n)] for r in range(m)], dtype=int8)
    legal = position.legal_moves
    if position.rules.gravity:
        mask = [int(any(square % n == c for square in legal)) for c in range(n)]
    else:
        planes = planes.transpose(1, 0, 2).copy()
        mask = [int(r * n + c in legal) for c in range(n) for r in range(m)]
    return {"observation": planes, "action_mask": array(mask, dtype=int8)}


_OWN: Final[dict[str, Callable[[Position], Any]]] = {
    "Kaggle observation": _kaggle,
    "PettingZoo observation": _pettingzoo,
    "AIMA state": AimaState,
    "solver.Position": lambda position: position,
}

BOARDS: Final = (*MARKED, *_OWN)
"""The shapes of a board by name, the likeliest first; those after `MARKED` need no marks."""


def build_board(shape: str, marks: Marks, position: Position) -> Any:
    """A position as a board of this shape, newly made."""
    if shape in MARKED:
        return MARKED[shape](marks.cells(position), position.rules)
    return _OWN[shape](position)


def flattened(board: object) -> Iterator[object]:
    """The cells of a board made of plain data, in order."""
    if isinstance(board, str):
        yield from (sign for sign in board if sign not in "/\n")
    elif isinstance(board, Mapping):
        yield from board.values()
    elif isinstance(board, Sequence):
        for item in board:
            if isinstance(item, Sequence) and (not isinstance(item, str) or len(item) > 1):
                yield from flattened(item)
            else:
                yield item
    else:
        yield board
