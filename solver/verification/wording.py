"""Write what all reports say alike: kinds of faults, shares, squares, lines of play; CSV and JSON."""

import csv
import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from solver.errors import EngineError, quoted
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.rules import Rules


def format_kind(kind: str) -> str:
    """Write the name of a fault as words: `win_to_draw` is "win to draw"."""
    return kind.replace("_", " ")


def format_percent(share: float) -> str:
    """Write a share of 1; what is not all or nothing is never rounded to that.

    >>> format_percent(1.0), format_percent(0.99999), format_percent(0.25), format_percent(0.00001)
    ('100%', '>99.99%', '25.00%', '<0.01%')
    """
    if share in {0.0, 1.0}:
        return f"{share:.0%}"
    if share > 0.9999:
        return ">99.99%"
    return f"{share:.2%}" if share >= 0.0001 else "<0.01%"


def format_squares(rules: Rules, squares: Iterable[int]) -> str:
    """Write squares by name, in their order: `b2 a1`."""
    return " ".join(square_name(rules, square) for square in squares)


def format_line(start: Position, line: Iterable[int], mistakes: Collection[int] = ()) -> str:
    """Write a line of play with its outcome; moves whose index is among the `mistakes` bear a question mark.

    >>> format_line(Position.parse(parse_game("3,3,3"), "XX./OO./..."), [2])
    'X c1, X wins'
    """
    position, parts = start, []
    for index, move in enumerate(line):
        parts.append(f"{position.to_move} {square_name(position.rules, move)}{'?' * (index in mistakes)}")
        position = position.play(move)
    outcome = position.outcome
    if outcome is not None:
        parts.append("a draw" if outcome == "draw" else f"{outcome} wins")
    return ", ".join(parts)


def require_format(name: str, formats: Collection[str]) -> None:
    """Raise EngineError for a format that is none of those there are."""
    if name not in formats:
        raise EngineError(f"There is no format {quoted(name)} of this report; choose one of {', '.join(formats)}.")


def encode_csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Encode rows as CSV with a line of headings (RFC 4180, but with plain newlines)."""
    file = io.StringIO()
    writer = csv.DictWriter(file, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def encode_json(item: Any) -> Any:
    """Encode a dataclass as an object of its fields, a sequence as a list, a position as its board."""
    if isinstance(item, Position):
        return item.board
    if is_dataclass(item) and not isinstance(item, type):
        return {field.name: encode_json(getattr(item, field.name)) for field in fields(item)}
    if isinstance(item, list | tuple):
        return [encode_json(part) for part in item]
    return item
