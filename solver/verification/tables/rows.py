"""The rows of somebody's table: CSV, JSON or JSON Lines (each also as .gz), or what `mnk learn --save` has kept.

    [{"board": "XO./.X./...", "value": -1}, ...]        a list of objects, or of pairs
    {"XO./.X./...": -1, ...}                            an object of positions with values, moves, or objects
    {"positions": ...}                                  either of them, inside objects of one item

A CSV file may have commas, semicolons, tabs or bars, and a line of headings or none.
"""

import csv
import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, Final

from solver.errors import EngineError, quoted
from solver.game.rules import Rules

__all__ = ["ANSWER", "POSITION", "Row", "read_rows"]

POSITION: Final = "position"
"""The column of positions where the file has no name for it."""

ANSWER: Final = "answer"
"""The column of what is said of them, values or moves, where the file has no name for it."""


@dataclass(frozen=True)
class Row:
    """One row: where it stands in the file, and its fields by column."""

    where: str
    fields: Mapping[str, Any]


def read_rows(path: Path, rules: Rules) -> list[Row]:
    """The rows of a file; raises EngineError when it can't be read."""
    if path.suffix == ".npz":
        return list(_learned(path, rules))
    try:
        content = path.read_bytes()
        text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8-sig")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise EngineError(f"The table {quoted(path)} can't be read: {reason}.") from error
    rows = list(_json_rows(text, path) if text.lstrip()[:1] in {"[", "{"} else _csv_rows(text, path))
    if not rows:
        raise EngineError(f"The table {quoted(path)} is empty; it needs rows of positions with values or moves.")
    return rows


def _json_rows(text: str, path: Path) -> Iterator[Row]:
    try:
        content = json.loads(text)
    except ValueError:
        yield from _json_lines(text, path)
        return
    while isinstance(content, dict) and len(content) == 1 and isinstance(next(iter(content.values())), dict | list):
        [content] = content.values()
    if isinstance(content, dict):
        for key, item in content.items():
            yield Row(f"the item {quoted(key)}", {POSITION: key, **_fields(item)})
        return
    for number, item in enumerate(content, 1):
        yield _json_row(f"item {number:,}", item, path)


def _json_lines(text: str, path: Path) -> Iterator[Row]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                item = json.loads(line)
            except ValueError as error:
                raise EngineError(
                    f"The table {quoted(path)} is no JSON, nor is its line {number}: {quoted(line)}."
                ) from error
            yield _json_row(f"line {number:,}", item, path)


def _json_row(where: str, item: Any, path: Path) -> Row:
    if isinstance(item, dict):
        return Row(where, item)
    if isinstance(item, list) and len(item) == 2:
        return Row(where, {POSITION: item[0], **_fields(item[1])})
    raise EngineError(
        f"In the table {quoted(path)}, {where} is {quoted(item)}; write an object, or a position and what it is worth."
    )


def _fields(item: Any) -> Mapping[str, Any]:
    return item if isinstance(item, dict) else {ANSWER: item}


def _csv_rows(text: str, path: Path) -> Iterator[Row]:
    delimiter = max(",;\t|", key=text.partition("\n")[0].count)
    try:
        lines = [line for line in csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True) if line]
    except csv.Error as error:
        raise EngineError(f"The table {quoted(path)} is no CSV: {error}.") from error
    if not lines:
        return
    heads = [head.strip() for head in lines[0]]
    has_heads = not any(_is_data(head) for head in heads)
    width = len(heads)
    names = heads if has_heads else _names(width)
    for number, line in enumerate(lines[has_heads:], 1 + has_heads):
        if len(line) != width:
            raise EngineError(f"In the table {quoted(path)}, row {number:,} has {len(line)} columns, not {width}.")
        yield Row(f"row {number:,}", dict(zip(names, line, strict=True)))


def _is_data(head: str) -> bool:
    """Whether a cell of the first line is no heading: a number, a board or nothing."""
    return not head or not any(sign.isalpha() for sign in head) or not {*head.lower()} - {*"xo._-/0 "}


def _names(width: int) -> Sequence[str]:
    if width == 2:
        return (POSITION, ANSWER)
    return [POSITION, *[str(place) for place in range(2, width + 1)]] if width < 4 else [str(n) for n in range(width)]


def _learned(path: Path, rules: Rules) -> Iterator[Row]:
    """What a learner takes the positions for: the value of its best move, for the side to move, from 0 to 1."""
    from solver.engines.learning.learner import Learner
    from solver.verification.positions import live_positions

    learner = Learner.load(path)
    if learner.rules != rules:
        raise EngineError(f"The file {path} holds what was learned about {learner.rules}, not about {rules}.")
    for position in live_positions(rules):
        move, value = learner.best_move(position)
        yield Row(position.board, {"board": position.board, "value": value, "move": move})
