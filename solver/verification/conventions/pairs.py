"""Boards that are handed over as two: the stones of each side as bits of a number, or as truth values of squares."""

import re
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from solver.game.position import Position
from solver.verification.conventions.board_formats import BoardFormat, Marks

PAIR_KINDS: Final = ("first board", "second board")
"""The kinds of the two parameters."""

_PAIRS: Final = (("x", "o"), ("1", "2"), ("p1", "p2"), ("cross", "nought"), ("white", "black"), ("red", "yellow"))
_OWN_FIRST: Final = (
    *(("own", "other"), ("own", "opponent"), ("own", "opp"), ("me", "them"), ("me", "opp"), ("me", "opponent")),
    *(("my", "opp"), ("my", "their"), ("mine", "theirs"), ("player", "opponent"), ("player", "opp"), ("us", "them")),
    *(("position", "mask"), ("pos", "mask")),
)
_BOARD_WORDS: Final = re.compile(r"bitboard|board|bits?|bb|stones?|pieces?|state|_+", re.IGNORECASE)


def is_pair(names: Sequence[str]) -> bool:
    """Tell whether the first two of some parameters are the stones of the two sides, by their names."""
    if len(names) < 2:
        return False
    one, other = (_BOARD_WORDS.sub("", name).lower() for name in names[:2])
    is_named = any(_BOARD_WORDS.search(name) for name in names[:2])
    return (one, other) in _PAIRS or ((one, other) in _OWN_FIRST and (is_named or other == "mask"))


def list_pairs(names: Sequence[str]) -> tuple[BoardFormat, ...]:
    """Return the formats of two boards, those first that the names of the parameters ask for."""
    other = _BOARD_WORDS.sub("", names[1]).lower()
    is_relative = not any(other == second for _, second in _PAIRS)

    def misfits(one: BoardFormat) -> tuple[bool, bool]:
        return ("mask" in one.name) != (other == "mask"), ("own" in one.name) != is_relative

    return tuple(sorted(PAIR_FORMATS, key=misfits))


def _write_bits(position: Position, _: Marks, *, own: bool, by_columns: bool = False) -> tuple[int, int]:
    first, second = (position.own, position.other) if own else (position.x, position.o)
    return (_stand(position, first), _stand(position, second)) if by_columns else (first, second)


def _write_position_and_mask(position: Position, _: Marks) -> tuple[int, int]:
    """As in solvers of connect four: the stones of the side to move and all stones."""
    return _stand(position, position.own), _stand(position, position.x | position.o)


def _stand(position: Position, stones: int) -> int:
    """Renumber bits by columns from the bottom, with one bit free above each column."""
    diagram = position.rules.diagram
    places = [diagram.row_and_column(square) for square in range(position.rules.squares) if stones >> square & 1]
    height = diagram.rows + 1
    return sum(1 << (column * height + diagram.rows - 1 - row) for row, column in places)


def _write_truths(position: Position, _: Marks, *, own: bool, flat: bool) -> tuple[Any, Any]:
    first, second = (position.own, position.other) if own else (position.x, position.o)
    n, squares = position.rules.diagram.columns, position.rules.squares
    one, other = ([bool(stones >> square & 1) for square in range(squares)] for stones in (first, second))
    if flat:
        return one, other
    return [one[start : start + n] for start in range(0, squares, n)], [
        other[start : start + n] for start in range(0, squares, n)
    ]


PAIR_FORMATS: Final = (
    BoardFormat("two bitboards", partial(_write_bits, own=False), is_mutable=False),
    BoardFormat("own and other bitboard", partial(_write_bits, own=True), is_mutable=False),
    BoardFormat("two bitboards by columns", partial(_write_bits, own=False, by_columns=True), is_mutable=False),
    BoardFormat("own and other bitboard by columns", partial(_write_bits, own=True, by_columns=True), is_mutable=False),
    BoardFormat("own and mask bitboard by columns", _write_position_and_mask, is_mutable=False),
    BoardFormat("two rows of truth values", partial(_write_truths, own=False, flat=False), is_mutable=False),
    BoardFormat("own and other rows of truth values", partial(_write_truths, own=True, flat=False), is_mutable=False),
    BoardFormat("two lists of truth values", partial(_write_truths, own=False, flat=True), is_mutable=False),
)
"""Formats of two boards."""
