"""Comparing one column of somebody's table with the truth: values, the distances beside them, moves."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from solver.errors import quoted
from solver.game.position import Position
from solver.game.squares import square_name
from solver.game.value import CATEGORIES, Value
from solver.tablebase import Prober
from solver.verification.replies import OFF
from solver.verification.tables.columns import Columns
from solver.verification.tables.entries import Stated, read_number, read_value
from solver.verification.tables.moves import read_moves
from solver.verification.tables.report import Disagreement, Part, Skipped
from solver.verification.tables.rows import Row
from solver.verification.tables.scales import DISTANCES, best_distance, best_values
from solver.verification.values import StatedValues
from solver.verification.wording import moves_text

__all__ = ["Compared", "Entry", "compare_moves", "compare_values"]


class Entry(NamedTuple):
    """A row of which the position could be read, and its true value."""

    row: Row
    position: Position
    value: Value


class Compared(NamedTuple):
    """What came of one column: the figures, what is wrong, what could not be read."""

    part: Part
    wrong: Sequence[Disagreement] = ()
    unread: Sequence[Skipped] = ()
    values: StatedValues | None = None
    notes: tuple[str, ...] = ()


def compare_values(columns: Columns, entries: Sequence[Entry], perspective: str | None) -> Iterator[Compared]:
    """The values, if there is a column of them, and the distances in a column of theirs or beside the values."""
    stated: list[tuple[Entry, Stated]] = []
    if columns.value is not None:
        unread = []
        for entry in entries:
            given = entry.row.fields.get(columns.value)
            said = read_value(given)
            if said is not None:
                stated.append((entry, said))
            elif not _is_blank(given):
                reason = f"{quoted(given)} in the column {quoted(columns.value)} is no value."
                unread.append(Skipped(entry.row.where, reason))
        yield _values(columns.value, stated, unread, perspective)
    timed = [(entry, said.distance) for entry, said in stated if said.distance is not None]
    if columns.distance is not None:
        given_distances = [(entry, read_number(entry.row.fields.get(columns.distance))) for entry in entries]
        timed = [(entry, int(number)) for entry, number in given_distances if number is not None]
    # A draw has no end to hurry to, and tables mean all sorts of things by its distance.
    decided = [(entry, said) for entry, said in timed if entry.value.wdl and entry.value.distance is not None]
    if decided:
        yield _distances(columns.distance or columns.value or "", decided)


def _values(
    column: str, stated: Sequence[tuple[Entry, Stated]], unread: Sequence[Skipped], perspective: str | None
) -> Compared:
    if not stated:
        return Compared(Part("values", f"from {column!r}", 0, 0), unread=unread)
    words, values, is_open = best_values([(entry.position, entry.value, said) for entry, said in stated], perspective)
    of = {entry.position: entry for entry, _ in reversed(stated)}
    wrong = [
        Disagreement(
            f"says {CATEGORIES[one.result]}, is {CATEGORIES[one.truth]}",
            one.position,
            of[one.position].row.where,
            str(of[one.position].row.fields[column]),
            str(of[one.position].value),
        )
        for one in values.wrong
    ]
    other = "X" if values.perspective != "X" else "the side to move"
    notes = (f"the values may as well be for {other}; --perspective tells",) if is_open else ()
    read_as = f"from {column!r}, for {values.perspective}, {words}"
    return Compared(Part("values", read_as, len(stated), values.agreeing), wrong, unread, values, notes)


def _distances(column: str, stated: Sequence[tuple[Entry, int]]) -> Compared:
    counted = best_distance([(entry.position, entry.value.distance or 0, said) for entry, said in stated])
    wrong = []
    for entry, said in stated:
        true = DISTANCES[counted](entry.position, entry.value.distance or 0)
        if said != true:
            wrong.append(Disagreement("distance", entry.position, entry.row.where, str(said), str(true)))
    return Compared(Part("distances", f"from {column!r}, {counted}", len(stated), len(stated) - len(wrong)), wrong)


def compare_moves(columns: Columns, entries: Sequence[Entry], table: Prober, form: str | None) -> Iterator[Compared]:
    """The moves, if there is a column of them, each of those that a row names.

    Raises EngineError for a form of moves that there is not.
    """
    if columns.move is None:
        return
    fields = [(entry, entry.row.fields.get(columns.move)) for entry in entries]
    given = [(entry, field) for entry, field in fields if not entry.position.is_over and not _is_blank(field)]
    options = {entry.position: dict(table.moves(entry.position)) for entry, _ in given}
    reading, found = read_moves(
        [(entry.position, field) for entry, field in given],
        form,
        lambda position, move: options[position][move].wdl == max(value.wdl for value in options[position].values()),
    )
    wrong, unread, right, slow = [], [], 0, 0
    for (entry, field), moves in zip(given, found, strict=True):
        if moves is None:
            unread.append(Skipped(entry.row.where, f"{quoted(field)} in the column {quoted(columns.move)} is no move."))
            continue
        faults = [one for move in moves for one in _fault(entry, move, options[entry.position])]
        wrong += faults[:1]
        right += not faults
        slow += not faults and any(options[entry.position][move].rank != entry.value.rank for move in moves)
    part = Part("moves", f"from {columns.move!r}, {reading}", right + len(wrong), right, slow)
    yield Compared(part, wrong, unread)


def _fault(entry: Entry, move: int, options: dict[int, Value]) -> Iterator[Disagreement]:
    rules = entry.position.rules
    best = [square for square, value in options.items() if value.rank == entry.value.rank]
    name = "no square" if move == OFF else square_name(rules, move)
    if move not in options:
        yield Disagreement("illegal move", entry.position, entry.row.where, name, moves_text(rules, best))
    elif options[move].wdl != entry.value.wdl:
        kind = f"move: {entry.value.category} to {options[move].category}"
        yield Disagreement(kind, entry.position, entry.row.where, name, moves_text(rules, best))


def _is_blank(given: Any) -> bool:
    return given is None or (isinstance(given, str | list) and not given)
