"""Games as JSON: squares, lines and a diagram; docs/reference/game-files.md describes the keys.

    {"squares": ["a", "b", "c", "d"], "lines": [["a", "b"], ["c", "d"]]}

The name of a game from a file combines the name of the file and a hash of the rules, such as `fano.3f9a0c12be47`.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any, Final, get_args
from unicodedata import category

from solver.drawing.diagram import HOLE, Diagram, Shape
from solver.errors import RulesError, quoted
from solver.game.descriptions import describe_board
from solver.game.lines import Line, mask_of, squares_of
from solver.game.makers.maker import MOST_LINES, find_repeated, require_names
from solver.game.rules import MAX_BOARD, Rules

_KEYS: Final = {
    *("name", "words", "squares", "lines", "x_lines", "o_lines", "misere", "plies", "unfinished", "gravity"),
    "x_is_white",
    "borders",
    *("rows", "columns", "cells", "shape", "points", "ends"),
}
_MOST_DIGITS: Final = 18
MAX_CELLS: Final = 4 * MAX_BOARD  # the largest number of rows, and of columns, of a board in text


def write(rules: Rules) -> str:
    """Convert rules to a single line of JSON."""
    return json.dumps(to_json(rules), separators=(",", ":"))


def read(text: str) -> Rules:
    """Parse rules from a JSON string. Raises RulesError if it is invalid."""
    try:
        data = json.loads(text, object_pairs_hook=_distinct, parse_int=_read_integer)
    except RecursionError as error:
        raise RulesError("Its lists are nested too deeply; write each line as a list of squares.") from error
    except ValueError as error:
        raise RulesError(f"It is not valid JSON: {error}.") from error
    return from_json(data)


def to_json(rules: Rules) -> dict[str, Any]:
    """Convert rules to a JSON object that `from_json` can parse."""
    names, diagram = rules.diagram.names, rules.diagram
    sides = {"lines": rules.x_lines} if rules.is_even else {"x_lines": rules.x_lines, "o_lines": rules.o_lines}
    found: dict[str, Any] = {"name": rules.name, "words": describe_board(rules), "squares": list(names)}
    found |= {key: [_line_json(line, names) for line in lines] for key, lines in sides.items()}
    rest = {
        "rows": diagram.rows,
        "columns": diagram.columns,
        "cells": list(diagram.cells) if diagram.cells != tuple(range(rules.squares)) else None,
        "misere": rules.misere,
        "plies": rules.plies if rules.plies < rules.squares else None,
        "unfinished": rules.unfinished,
        "gravity": rules.stride,
        "x_is_white": rules.x_is_white,
        "shape": diagram.shape if diagram.shape != "cells" else None,
        "points": [list(point) for point in diagram.points],
        "ends": [list(ends) for ends in diagram.ends],
        "borders": [[side, [list(point) for point in way]] for side, way in diagram.borders],
    }
    return found | {key: value for key, value in rest.items() if value}


def from_json(data: object) -> Rules:
    """Parse rules from a JSON object. Raises RulesError if it is invalid."""
    if not isinstance(data, Mapping):
        raise RulesError('A game must be an object with "squares" and "lines".')
    unknown = sorted(set(map(str, data)) - _KEYS)
    if unknown:
        raise RulesError(f"A game has no {quoted(unknown[0])}; its keys are {', '.join(sorted(_KEYS))}.")
    names = _read_names(data.get("squares"))
    numbers = {name: square for square, name in enumerate(names)}
    if "lines" in data and ("x_lines" in data or "o_lines" in data):
        raise RulesError('A game has either "lines", for both sides, or "x_lines" and "o_lines".')
    if not {"lines", "x_lines", "o_lines"} & {*data}:
        raise RulesError('"lines", the sets of squares that win, is missing; write [] if nobody can win.')
    x_lines, o_lines = (
        _read_lines(data.get("lines", data.get(key, [])), key if key in data else "lines", numbers)
        for key in ("x_lines", "o_lines")
    )
    name, words = (_read_text(data, key) for key in ("name", "words"))
    columns, plies = (
        _read_count(data, key, usual, len(names)) for key, usual in (("gravity", 0), ("plies", len(names)))
    )
    if columns and len(names) % columns:
        raise RulesError(f'{len(names)} squares do not make {columns} columns of the same height, as "gravity" needs.')
    if columns and plies < len(names):
        raise RulesError('"gravity" and "plies" can\'t be combined; leave one of them out.')
    return Rules(
        name=name or "game",
        words=words,
        diagram=_read_diagram(data, names, columns or len(names)),
        x_lines=x_lines,
        o_lines=x_lines if "lines" in data else o_lines,
        misere=_read_flag(data, "misere"),
        stride=columns,
        plies=plies,
        unfinished=_read(
            data, "unfinished", None, (None, "X", "O").__contains__, '"X" or "O", who wins when nobody completes a line'
        ),
        x_is_white=_read_flag(data, "x_is_white"),
    )


def _read_integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise RulesError(f"It has a number of {len(digits)} digits; write at most {_MOST_DIGITS}.")
    return int(digits)


def _distinct(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    if twice := find_repeated(key for key, _ in pairs):
        raise RulesError(f'The key "{twice}" is given twice; leave one of them out.')
    return dict(pairs)


def _line_json(line: Line, names: Sequence[str]) -> object:
    squares = [names[s] for s in squares_of(line.mask)]
    return {"squares": squares, "without": [names[s] for s in squares_of(line.guard)]} if line.guard else squares


def _read_names(given: object) -> tuple[str, ...]:
    if isinstance(given, int) and not isinstance(given, bool) and 1 <= given <= MAX_BOARD:
        return tuple(str(number + 1) for number in range(given))
    if not isinstance(given, list) or not 1 <= len(given) <= MAX_BOARD:
        raise RulesError(f'"squares" must be a list of 1 to {MAX_BOARD} names, or a number of squares.')
    names = tuple(str(name).strip().lower() if isinstance(name, str | int) else "" for name in given)
    require_names(names)
    return names


def _read_lines(given: object, key: str, numbers: Mapping[str, int]) -> tuple[Line, ...]:
    if not isinstance(given, list):
        raise RulesError(f'"{key}" must be a list of lines, each a list of squares.')
    if len(given) > MOST_LINES:
        raise RulesError(f'"{key}" has {len(given):,} lines; write at most {MOST_LINES:,}.')
    known: dict[Line, int] = {}
    for number, line in enumerate([_read_line(line, numbers) for line in given], start=1):
        if known.setdefault(line, number) < number:
            raise RulesError(f'Line {number} of "{key}" repeats line {known[line]}; once is enough.')
    return tuple(sorted(known))


def _read_line(given: object, numbers: Mapping[str, int]) -> Line:
    squares, without = (given.get("squares"), given.get("without", [])) if isinstance(given, Mapping) else (given, [])
    if isinstance(given, Mapping) and (unknown := sorted(set(map(str, given)) - {"squares", "without"})):
        raise RulesError(f"A line has no {quoted(unknown[0])}; its keys are squares and without.")
    mask, guard = _read_mask(squares, numbers), _read_mask(without, numbers)
    if not mask:
        raise RulesError("A line is empty, so the game would be over before it begins; leave it out.")
    if mask & guard:
        raise RulesError(f'The line {squares} has a square that is also in its "without"; leave it out of one of them.')
    return Line(mask, guard)


def _read_mask(given: object, numbers: Mapping[str, int]) -> int:
    if not isinstance(given, list):
        raise RulesError(f"{quoted(given)} is not a line; write a list of squares.")
    names = [str(name).strip().lower() for name in given]
    for name in names:
        if name not in numbers:
            advice = "; squares are numbered from 1" if name.isdecimal() and "1" in numbers else ""
            raise RulesError(
                f"The line {' '.join(names)} names {quoted(name)}, which is not a square of the game{advice}."
            )
    if len(set(names)) < len(names):
        raise RulesError(f"The line {' '.join(names)} names a square twice; once is enough.")
    return mask_of(numbers[name] for name in names)


def _read_text(data: Mapping[str, object], key: str) -> str:
    value: str = _read(data, key, "", lambda value: isinstance(value, str), "a text in quotation marks")
    unseen = [sign for sign in value if not sign.isprintable() and category(sign) != "Zs"]  # Zs: spaces of any width
    if unseen:
        raise RulesError(f'"{key}" contains the character {unseen[0]!a}, which can\'t be shown; leave it out.')
    return value.strip()


def _read_flag(data: Mapping[str, object], key: str) -> bool:
    value: bool = _read(data, key, False, lambda value: isinstance(value, bool), "true or false")
    return value


def _read_count(data: Mapping[str, object], key: str, usual: int, most: int) -> int:
    numbers = range(min(usual, 1), most + 1)
    value: int = _read(
        data, key, usual, lambda value: type(value) is int and value in numbers, f"a number from 1 to {most}"
    )
    return value


def _read(
    data: Mapping[str, object], key: str, usual: object, is_valid: Callable[[object], bool], expected: str
) -> Any:
    """Return the value of a key, by default `usual`. Raises RulesError if the value fails the test `is_valid`."""
    value = data.get(key, usual)
    if not is_valid(value):
        written = quoted(value) if isinstance(value, str) else quoted(json.dumps(value, default=str))[1:-1]
        raise RulesError(f'"{key}" must be {expected}, not {written}.')
    return value


def _read_diagram(data: Mapping[str, Any], names: tuple[str, ...], stride: int) -> Diagram:
    """Return the diagram of a game. By default, each row has `stride` squares, or the rows are equally long."""
    count = len(names)
    rows = _read_count(data, "rows", count // stride, MAX_CELLS)
    columns = _read_count(data, "columns", stride if count % rows else count // rows, MAX_CELLS)
    cells = data.get("cells", list(range(count)))
    shape = _read(data, "shape", "cells", get_args(Shape).__contains__, f"one of {', '.join(get_args(Shape))}")
    points, ends = data.get("points", []), data.get("ends", [])
    try:
        diagram = Diagram(
            rows,
            columns,
            tuple(cells),
            names,
            shape,
            tuple((float(x), float(y)) for x, y in points),
            tuple((int(a), int(b)) for a, b in ends),
            tuple((str(side), tuple((float(x), float(y)) for x, y in way)) for side, way in data.get("borders", [])),
        )
    except (TypeError, ValueError, OverflowError) as error:
        raise RulesError('"cells", "points", "ends" or "borders" are invalid.') from error
    squares = [cell for cell in diagram.cells if type(cell) is int]
    marks = {str(cell) for cell in diagram.cells if type(cell) is not int}
    if (
        len(cells) != diagram.rows * diagram.columns
        or sorted(squares) != list(range(count))
        or marks - {HOLE, "X", "O"}
    ):
        raise RulesError(
            f'"rows" by "columns" places must hold each of the {count} squares once, and otherwise "#", "X" or "O".'
        )
    every = {count, count + sum(cell in {"X", "O"} for cell in diagram.cells)}
    if any(side not in {"X", "O"} for side, _ in diagram.borders):
        raise RulesError('"borders" must be pairs of a side, "X" or "O", and a list of points.')
    placed = [*diagram.points, *(point for _, way in diagram.borders for point in way)]
    if not all(isfinite(part) for point in placed for part in point):
        raise RulesError('"points", and those of "borders", must be pairs of numbers.')
    if ends and (len(ends) not in every or not all(0 <= end < len(points) for pair in diagram.ends for end in pair)):
        raise RulesError('"ends" must be two numbers of "points" for each square.')
    if points and not ends and len(points) not in every:
        raise RulesError(f'"points" must be {max(every)} pairs: for each square, then for each stone from the start.')
    return diagram
