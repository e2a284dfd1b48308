"""Verify somebody's table: `verify_table` compares what a file says of positions with the truth.

report = verify_table("theirs.csv", "3,3,3")
bool(report)                                # whether all that it says is true
print(report)                               # what is wrong, and how much of the game is there
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from solver.engines.engine import Tables
from solver.errors import EngineError, NotationError, PositionError, quoted
from solver.game.files import read_game
from solver.game.position import Position
from solver.game.rules import Rules
from solver.tablebase import Prober
from solver.verification.contract import Progress
from solver.verification.conventions.board_formats import parse_marks
from solver.verification.positions import MOST_POSITIONS, count_plies, every_position
from solver.verification.stated_values import read_value
from solver.verification.tables.comparing import Entry, compare_columns
from solver.verification.tables.reading import ANSWER, Columns, Row, find_columns, read_position, read_rows
from solver.verification.tables.reporting import Coverage, Skipped, TableReport
from solver.verification.truth import open_truth

MOST_MISSING = 20
"""Missing positions that are listed."""

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

    file: see `solver.verification.tables.reading`.
    columns: their names by what they hold (the keys of `reading.NAMES`), where those are unusual.
    marks, moves: how boards and moves are written, as for `verify`; worked out by default.
    perspective: whose the values are, one of `stated_values.PERSPECTIVES`; worked out by default.
    tables: where the truth is found, as for `verify`.

    Raises EngineError (the file can't be read, or nothing in it be compared), RulesError, TableError.
    """
    rules = read_game(rules) if isinstance(rules, str) else rules
    truth = open_truth(rules, tables)
    rows = read_rows(Path(file))
    named = find_columns(rows, rules, columns or {})
    entries, unreadable, impossible = _read_entries(rows, named, truth, rules, marks, progress)
    if not entries:
        first = (unreadable or impossible)[0]
        raise EngineError(f"No position of {rules} in {quoted(file)} can be used; in {first.where}: {first.reason}")
    compared = list(compare_columns(_settle_answer(named, entries), entries, truth, perspective, moves))
    unread = [skipped for one in compared for skipped in one.unread]
    if not any(one.part.stated for one in compared):
        reason = unread[0].reason if unread else "its cells are empty."
        raise EngineError(f"No value and no move in {quoted(file)} can be read; {reason}")
    positions = {entry.position for entry in entries}
    return TableReport(
        rules=rules,
        file=str(file),
        rows=len(rows),
        repeated=len(entries) - len(positions),
        unreadable=[*unreadable, *unread],
        impossible=impossible,
        parts=[one.part for one in compared],
        values=next((one.values for one in compared if one.values), None),
        disagreements=[wrong for one in compared for wrong in one.wrong],
        coverage=_measure_coverage(rules, truth, positions),
        notes=[note for one in compared for note in one.notes],
    )


def _read_entries(
    rows: Sequence[Row], columns: Columns, truth: Prober, rules: Rules, marks: str | None, progress: Progress | None
) -> tuple[list[Entry], list[Skipped], list[Skipped]]:
    """Return the rows whose position could be read, those that could not be read, and those that can't arise."""
    signs = parse_marks(marks) if marks else None
    entries: list[Entry] = []
    unreadable: list[Skipped] = []
    impossible: list[Skipped] = []
    for number, row in enumerate(rows):
        try:
            position = read_position(rules, columns.position_in(row), signs)
            entries.append(Entry(row, position, truth.probe(position)))
        except PositionError as error:
            (unreadable if isinstance(error, NotationError) else impossible).append(Skipped(row.where, str(error)))
        if progress and number % _STEP == 0:
            progress(number, len(rows))
    return entries, unreadable, impossible


def _settle_answer(columns: Columns, entries: Sequence[Entry]) -> Columns:
    """Take a column without a name for values if it can hold them, otherwise for moves."""
    if columns.value != ANSWER or columns.move:
        return columns
    said = [read_value(entry.row.fields.get(ANSWER)) for entry in entries]
    numbers = {one.number for one in said if one}
    squares = entries[0].position.rules.squares
    are_squares = max(numbers, default=0) > 2 and numbers <= {*range(squares + 1)}
    has_values = 2 * sum(one is not None for one in said) > len(said)
    return columns if has_values and not are_squares else replace(columns, value=None, move=ANSWER)


def _measure_coverage(rules: Rules, truth: Prober, there: set[Position]) -> Coverage:
    total = sum(count.positions for count in count_plies(rules, truth).values())
    if total > MOST_POSITIONS:
        return Coverage(total, len(there))
    positions = every_position(rules)
    classes = {position: position.canonical() for position in positions}
    held = {classes[position] for position in there}
    missing = [position for position in positions if classes[position] not in held]
    return Coverage(
        total=total,
        there=len(there),
        classes_total=len({*classes.values()}),
        classes=len(held),
        live_total=sum(not position.is_over for position in positions),
        live=sum(not position.is_over for position in there),
        missing=tuple(missing[:MOST_MISSING]),
    )
