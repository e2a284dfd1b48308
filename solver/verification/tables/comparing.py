"""Compare what somebody's table says of positions (values, distances, moves) with the truth.

What a file leaves open is tried in every way: whose its values are and on which scale, what its distances count, how
its moves are written. The way that agrees best with the truth is taken, and the report tells which.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from solver.errors import EngineError, quoted
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.value import CATEGORIES, Value
from solver.tablebase import Prober
from solver.verification.conventions.move_formats import MOVE_FORMATS, OFF, MoveFormat, to_plain
from solver.verification.stated_values import (
    PERSPECTIVES,
    StatedValue,
    StatedValues,
    compare_values,
    read_number,
    read_value,
)
from solver.verification.tables.reading import Columns, Row
from solver.verification.tables.reporting import Disagreement, Part, Skipped
from solver.verification.wording import format_squares

MOST_TRIED: Final = 2000  # rows by which the way moves are written is found

_CODES: Final[Mapping[str, tuple[str | None, Mapping[float, int]]]] = {
    "1 for X, 2 for O, 0 for a draw": ("X", {0: 0, 1: 1, 2: -1}),
    "0, 1, 2 for loss, draw, win": (None, {0: -1, 1: 0, 2: 1}),
}
"""What 0, 1 and 2 may stand for, and whose the value is then (None: either side's)."""

_DISTANCES: Final[Mapping[str, Callable[[Position, int], int]]] = {
    "plies to the end": lambda _, distance: distance,
    "plies of the whole game": lambda position, distance: position.ply + distance,
    "moves of the winner to the end": lambda _, distance: (distance + 1) // 2,
}
"""What a distance may count: from the position and the plies that are left."""


class Entry(NamedTuple):
    """A row whose position could be read, and the true value."""

    row: Row
    position: Position
    value: Value

    def disagree(self, kind: str, said: str, true: str) -> Disagreement:
        """Return what is wrong with the row."""
        return Disagreement(kind, self.position, self.row.where, said, true)

    def skip(self, column: str, what: str) -> Skipped:
        """Return that the cell in a column is no value, or no move."""
        cell = quoted(self.row.fields.get(column))
        return Skipped(self.row.where, f"{cell} in the column {quoted(column)} is no {what}.")


class Comparison(NamedTuple):
    """The result for one kind of statement."""

    part: Part
    wrong: Sequence[Disagreement] = ()
    unread: Sequence[Skipped] = ()
    values: StatedValues | None = None
    notes: tuple[str, ...] = ()


def compare_columns(
    columns: Columns, entries: Sequence[Entry], truth: Prober, perspective: str | None, move_format: str | None
) -> Iterator[Comparison]:
    """Compare the values, the distances in a column of theirs or beside the values, and the moves.

    Raises EngineError for an unknown `move_format`.
    """
    stated: list[tuple[Entry, StatedValue]] = []
    if columns.value is not None:
        unread = []
        for entry in entries:
            cell = entry.row.fields.get(columns.value)
            value = read_value(cell)
            if value is not None:
                stated.append((entry, value))
            elif not _is_blank(cell):
                unread.append(entry.skip(columns.value, "value"))
        yield _compare_values(columns.value, stated, unread, perspective)
    distances: list[tuple[Entry, float | None]] = [(entry, value.distance) for entry, value in stated]
    if columns.distance is not None:
        distances = [(entry, read_number(entry.row.fields.get(columns.distance))) for entry in entries]
    # A draw has no end to hurry to, and tables mean all sorts of things by its distance.
    decided = [
        (entry, int(distance))
        for entry, distance in distances
        if distance is not None and entry.value.wdl and entry.value.distance is not None
    ]
    if decided:
        yield _compare_distances(columns.distance or columns.value or "", decided)
    if columns.move is not None:
        yield _compare_moves(columns.move, entries, truth, move_format)


def _is_blank(cell: Any) -> bool:
    return cell is None or (isinstance(cell, str | list) and not cell)


def _compare_values(
    column: str, stated: Sequence[tuple[Entry, StatedValue]], unread: Sequence[Skipped], perspective: str | None
) -> Comparison:
    if not stated:
        return Comparison(Part("values", f"from {column!r}", 0, 0), unread=unread)
    scale, values, is_open = _interpret_values(stated, perspective)
    entries = {entry.position: entry for entry, _ in reversed(stated)}
    wrong = []
    for one in values.wrong:
        entry = entries[one.position]
        kind = f"says {CATEGORIES[one.result]}, is {CATEGORIES[one.truth]}"
        wrong.append(entry.disagree(kind, str(entry.row.fields[column]), str(entry.value)))
    [other] = {*PERSPECTIVES} - {values.perspective}
    notes = (f"the values may as well be for {other}; --perspective tells",) if is_open else ()
    read_as = f"from {column!r}, for {values.perspective}, {scale}"
    return Comparison(Part("values", read_as, len(stated), values.agreeing), wrong, unread, values, notes)


def _interpret_values(
    stated: Sequence[tuple[Entry, StatedValue]], perspective: str | None
) -> tuple[str, StatedValues, bool]:
    """Return the scale in words, the values so read, and whether another perspective would do as well."""
    numbers = {said.number for _, said in stated}
    if any(said.names_winner for _, said in stated):  # a draw is written alike by all
        perspective = "X"
    scales: Mapping[str, tuple[str | None, Mapping[float, float]]] = {"": (perspective, {n: n for n in numbers})}
    if numbers <= {0, 1, 2} and 2 in numbers and not any(said.is_word for _, said in stated):
        scales = _CODES
    tried = []
    for scale, (side, meaning) in scales.items():
        statements = [(entry.position, entry.value, float(meaning[said.number])) for entry, said in stated]
        views = [view for view in PERSPECTIVES if view == (side or perspective or view)]
        tried += [(scale, compare_values(statements, view)) for view in views]
    scale, values = max(tried, key=lambda one: one[1].agreeing)
    others = [other for _, other in tried if other.perspective != values.perspective]
    is_open = any(other.agreeing == values.agreeing and other.wrong != values.wrong for other in others)
    default = "in words" if all(said.is_word for _, said in stated) else f"scale {values.scale}"
    return scale or default, values, is_open


def _compare_distances(column: str, stated: Sequence[tuple[Entry, int]]) -> Comparison:
    def count_wrong(name: str) -> list[Disagreement]:
        true = [(entry, said, _DISTANCES[name](entry.position, entry.value.distance or 0)) for entry, said in stated]
        return [entry.disagree("distance", str(said), str(plies)) for entry, said, plies in true if said != plies]

    name, wrong = min(((name, count_wrong(name)) for name in _DISTANCES), key=lambda one: len(one[1]))
    return Comparison(Part("distances", f"from {column!r}, {name}", len(stated), len(stated) - len(wrong)), wrong)


def _compare_moves(column: str, entries: Sequence[Entry], truth: Prober, form: str | None) -> Comparison:
    cells = [(entry, entry.row.fields.get(column)) for entry in entries if not entry.position.is_over]
    given = [(entry, cell) for entry, cell in cells if not _is_blank(cell)]
    options = {entry.position: dict(truth.moves(entry.position)) for entry, _ in given}
    move_format = _find_move_format(given, options, form)
    wrong, unread, right, slow = [], [], 0, 0
    for entry, cell in given:
        moves = _read_moves(move_format, entry.position, cell)
        if moves is None:
            unread.append(entry.skip(column, "move"))
            continue
        faults = [fault for move in moves for fault in _find_fault(entry, move, options[entry.position])]
        wrong += faults[:1]
        right += not faults
        slow += not faults and any(options[entry.position][move].rank != entry.value.rank for move in moves)
    part = Part("moves", f"from {column!r}, {move_format.description}", right + len(wrong), right, slow)
    return Comparison(part, wrong, unread)


def _find_move_format(
    given: Sequence[tuple[Entry, Any]], options: Mapping[Position, Mapping[int, Value]], form: str | None
) -> MoveFormat:
    """Return the way of writing moves that is named, or the one by which most moves are legal and keep the value."""
    gravity = any(entry.position.rules.gravity for entry, _ in given[:1])
    formats = [move for move in MOVE_FORMATS if gravity or not move.needs_gravity]
    if form is not None:
        formats = [move for move in MOVE_FORMATS if move.name == form]
    if not formats:
        known = "; ".join(move.name for move in MOVE_FORMATS)
        raise EngineError(f"--moves {quoted(form)} is unknown; choose one of: {known}.")
    tried = given[:: 1 + len(given) // MOST_TRIED]

    def count_good(move_format: MoveFormat) -> tuple[int, int]:
        read = [(entry, _read_moves(move_format, entry.position, cell) or []) for entry, cell in tried]
        legal = [(entry, moves) for entry, moves in read if moves and options[entry.position].keys() >= {*moves}]
        good = sum(options[entry.position][move].wdl == entry.value.wdl for entry, moves in legal for move in moves)
        return len({entry.position for entry, _ in legal}), good

    return max(formats, key=count_good)


def _read_moves(move_format: MoveFormat, position: Position, given: Any) -> list[int] | None:
    """Read one move or, failing that, those in a list or in words: OFF for one off the board, None for no moves."""
    given = to_plain(int(given) if isinstance(given, float) and given.is_integer() else given)
    one = move_format.read(given, position)
    if one is not None:
        return [one]
    if isinstance(given, str):
        given = re.findall(r"\([^)]*\)|[^\s,;|\[\]'\"]+", given)
    if not isinstance(given, list | tuple) or not given:
        return None
    moves = [move_format.read(to_plain(item), position) for item in given]
    return None if None in moves else [OFF if move is None else move for move in moves]


def _find_fault(entry: Entry, move: int, options: Mapping[int, Value]) -> Iterator[Disagreement]:
    rules = entry.position.rules
    best = format_squares(rules, [square for square, value in options.items() if value.rank == entry.value.rank])
    name = "no square" if move == OFF else square_name(rules, move)
    if move not in options:
        yield entry.disagree("illegal move", name, best)
    elif options[move].wdl != entry.value.wdl:
        yield entry.disagree(f"move: {entry.value.category} to {options[move].category}", name, best)
