"""How much of a game a table has."""

from solver.game.position import Position
from solver.game.rules import Rules
from solver.tablebase import Prober, Tablebase, TablebaseFolder
from solver.verification.positions import MOST_POSITIONS, every_position
from solver.verification.tables.report import Coverage
from solver.verification.truth import Solved

__all__ = ["coverage_of"]

MOST_MISSING = 20
"""Missing positions that are listed."""


def coverage_of(rules: Rules, table: Prober, there: set[Position]) -> Coverage:
    """The coverage of a set of positions of a game."""
    total = _count(rules, table)
    if total > MOST_POSITIONS:
        return Coverage(total, len(there))
    positions = every_position(rules)
    classes = {position: position.canonical() for position in positions}
    held = {classes[position] for position in there}
    missing = [position for position in positions if position not in there and classes[position] not in held]
    return Coverage(
        total=len(positions),
        there=len(there),
        classes_total=len({*classes.values()}),
        classes=len(held),
        live_total=sum(not position.is_over for position in positions),
        live=sum(not position.is_over for position in there),
        missing=tuple(missing[:MOST_MISSING]),
    )


def _count(rules: Rules, table: Prober) -> int:
    if isinstance(table, TablebaseFolder):
        table = table.table(rules)
    if isinstance(table, Tablebase):
        return sum(int(row["positions"] or 0) for row in table.plies())
    if isinstance(table, Solved):
        return len(every_position(rules))
    from solver.count import count_positions  # loads the compiler

    return sum(count.positions for count in count_positions(rules))
