"""Which column of somebody's table holds what, told by the names they usually have."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from solver.errors import EngineError, quoted
from solver.game.rules import Rules
from solver.verification.tables.rows import ANSWER, POSITION, Row

__all__ = ["NAMES", "Columns", "find_columns"]

NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "position": (POSITION, "board", "state", "pos", "hash", "base3", "fen", "key", "history", "line", "sequence"),
    "value": (
        "value", "wdl", "result", "outcome", "winner", "category", "class", "label", "score", "eval", "evaluation",
        "minimax", "utility", "v", "stmvalue", "truth", ANSWER,
    ),
    "distance": ("distance", "dtm", "dtw", "dte", "plies", "depth", "length", "movestoend", "pliestoend"),
    "move": ("move", "bestmove", "moves", "bestmoves", "best", "action", "bestaction", "actions", "square"),
}  # fmt: skip
"""The names that a column may have, in small letters and without other signs; the first that is there is taken."""


@dataclass(frozen=True)
class Columns:
    """The columns: the one of positions, or those of the squares in order; None for what there is not."""

    position: str | tuple[str, ...]
    value: str | None
    distance: str | None
    move: str | None

    def board(self, row: Row) -> Any:
        """What a row says which position it is."""
        if isinstance(self.position, str):
            return row.fields.get(self.position)
        return [row.fields.get(name) for name in self.position]


def find_columns(rows: Sequence[Row], rules: Rules, given: Mapping[str, str | None]) -> Columns:
    """The columns of a table; `given` are the names that were told.

    Raises EngineError when there is no such column, none of positions, or none of values or moves.
    """
    names = list(dict.fromkeys(name for row in rows for name in row.fields))
    found: dict[str, Any] = {}
    for what, usual in NAMES.items():
        told = given.get(what)
        if told is not None and told not in names:
            raise EngineError(f"The table has no column {quoted(told)}; it has {', '.join(names[:20])}.")
        found[what] = told or _named(names, usual)
    if given.get("position") is None and (found["position"] is None or len(names) > rules.squares):
        found["position"] = _squares(rows, names, rules) or found["position"]
    if found["position"] is None:
        raise EngineError(
            f"The table has no column of positions; it has {', '.join(names[:20])}: say which it is with --position."
        )
    if isinstance(found["position"], tuple) and found["value"] is None and found["move"] is None:
        rest = [name for name in names if name not in found["position"]]
        found["value"] = rest[0] if rest else None
    if found["value"] is None and found["move"] is None:
        raise EngineError(
            f"The table has no column of values or moves; it has {', '.join(names[:20])}: say which it is with "
            "--value or --move."
        )
    return Columns(**found)


def _named(names: Sequence[str], usual: Sequence[str]) -> str | None:
    simple = {re.sub(r"[^a-z0-9]", "", name.lower()): name for name in reversed(names)}
    return next((simple[name] for name in usual if name in simple), None)


def _squares(rows: Sequence[Row], names: Sequence[str], rules: Rules) -> tuple[str, ...] | None:
    """The first columns, one for each square, if their cells are marks."""
    first = tuple(names[: rules.squares])
    if len(first) < rules.squares:
        return None
    held = {str(row.fields.get(name)).strip().lower() for row in rows[:200] for name in first}
    return first if len(held) <= 3 and all(len(sign) <= 4 for sign in held) else None
