"""Holding somebody's table against ours.

report = verify_table("theirs.csv", "3,3,3")
bool(report)                                # whether all that it says is true
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from solver.engines.contract import Tables
from solver.errors import EngineError, NotationError, PositionError, quoted
from solver.game.rules import Rules
from solver.tablebase import Prober
from solver.verification.contract import Progress
from solver.verification.marks import parse_marks
from solver.verification.tables.columns import Columns, find_columns
from solver.verification.tables.compare import Entry, compare_moves, compare_values
from solver.verification.tables.coverage import coverage_of
from solver.verification.tables.entries import read_position, read_value
from solver.verification.tables.report import Skipped, TableReport
from solver.verification.tables.rows import ANSWER, Row, read_rows
from solver.verification.truth import open_truth

__all__ = ["verify_table"]

_STEP = 1000  # rows between two reports of progress


def verify_table(
    file: str | os.PathLike[str],
    rules: Rules | str,
    *,
    columns: Mapping[str, str | None] | None = None,
    marks: str | None = None,
    moves: str | None = None,
    perspective: str | None = None,
    tables: Tables = None,
    progress: Progress | None = None,
) -> TableReport:
    """Compare what a file says of positions (values, distances, moves) with the truth.

    file: see `solver.verification.tables.rows`. columns: their names by what they hold (the keys of `columns.NAMES`),
    where those are unusual. marks, moves: how boards and moves are written, as for `verify`. perspective: whose the
    values are, one of `values.PERSPECTIVES`. What is None is worked out. tables: where the truth is found.

    Raises EngineError (the file can't be read, or nothing in it be compared), RulesError, TableError.
    """
    rules = Rules.parse(rules) if isinstance(rules, str) else rules
    table = open_truth(rules, tables)
    rows = read_rows(Path(file), rules)
    named = find_columns(rows, rules, columns or {})
    entries, unreadable, impossible = _entries(rows, named, table, rules, marks, progress)
    if not entries:
        first = (unreadable or impossible)[0]
        raise EngineError(f"No position of {rules} in {quoted(file)} can be used; in {first.where}: {first.reason}")
    named = _settled(named, entries)
    compared = [*compare_values(named, entries, perspective), *compare_moves(named, entries, table, moves)]
    if not any(one.part.stated for one in compared):
        raise EngineError(f"No value and no move in {quoted(file)} can be read; {compared[0].unread[0].reason}")
    return TableReport(
        rules=rules,
        file=str(file),
        rows=len(rows),
        repeated=len(entries) - len({entry.position for entry in entries}),
        unreadable=[*unreadable, *(skipped for one in compared for skipped in one.unread)],
        impossible=impossible,
        parts=[one.part for one in compared],
        values=next((one.values for one in compared if one.values), None),
        disagreements=[wrong for one in compared for wrong in one.wrong],
        coverage=coverage_of(rules, table, {entry.position for entry in entries}),
        notes=[note for one in compared for note in one.notes],
    )


def _entries(
    rows: Sequence[Row], columns: Columns, table: Prober, rules: Rules, marks: str | None, progress: Progress | None
) -> tuple[list[Entry], list[Skipped], list[Skipped]]:
    """The rows whose position could be read; those that could not be read; those that can't arise."""
    signs = parse_marks(marks) if marks else None
    entries: list[Entry] = []
    unreadable: list[Skipped] = []
    impossible: list[Skipped] = []
    for number, row in enumerate(rows):
        try:
            position = read_position(rules, columns.board(row), signs)
            entries.append(Entry(row, position, table.probe(position)))
        except PositionError as error:
            (unreadable if isinstance(error, NotationError) else impossible).append(Skipped(row.where, str(error)))
        if progress and number % _STEP == 0:
            progress(number, len(rows))
    return entries, unreadable, impossible


def _settled(columns: Columns, entries: Sequence[Entry]) -> Columns:
    """The columns; one without a name holds values if it can, otherwise moves."""
    if columns.value != ANSWER or columns.move:
        return columns
    said = [read_value(entry.row.fields.get(ANSWER)) for entry in entries]
    numbers = {one.number for one in said if one}
    squares = entries[0].position.rules.squares
    are_squares = max(numbers, default=0) > 2 and numbers <= {*range(squares + 1)}
    has_values = 2 * sum(one is not None for one in said) > len(said)
    return columns if has_values and not are_squares else replace(columns, value=None, move=ANSWER)
