"""Compare the statistics in `plies` and `meta` with the positions counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from solver.check.report import Findings
from solver.game.value import Value
from solver.store.reader import TableReader


@dataclass(frozen=True)
class PlyRow:
    """The row of `plies` that a ply must have; the last four are None where values were not read."""

    ply: int
    positions: int
    canonical: int
    terminal: int
    won: int | None = None
    drawn: int | None = None
    lost: int | None = None
    longest: int | None = None


def check_statistics(reader: TableReader, rows: Sequence[PlyRow], root: Value | None, findings: Findings) -> None:
    """Compare `plies` and `meta` with the rows that were counted (one a ply), and the value of the empty board."""
    stored = {row["ply"]: row for row in reader.plies()}
    if sorted(stored, key=str) != sorted([row.ply for row in rows], key=str):
        findings.add(f"The table plies has rows for {list(stored)} instead of 0 to {len(rows) - 1}.")
    for row in rows:
        _check_row(stored.get(row.ply, {}), row, reader.metric == "distance", findings)
    facts = {
        "positions": sum(row.positions for row in rows),
        "canonical": sum(row.canonical for row in rows),
        "symmetries": len(reader.rules.symmetries),
    }
    if root is not None:
        facts["root_wdl"] = root.wdl
        if root.distance is not None:
            facts["root_distance"] = root.distance
    for key, fact in facts.items():
        if reader.meta[key] != str(fact):
            findings.add(f"The meta of the table says {key} = {reader.meta[key]}, but it is {fact}.")


def _check_row(stored: Mapping[str, int | None], row: PlyRow, timed: bool, findings: Findings) -> None:
    for column, number in asdict(row).items():
        unread = row.won is None and column in ("won", "drawn", "lost", "longest")
        expected = None if column == "longest" and not timed else number
        if stored and not unread and stored[column] != expected:
            findings.add(f"At ply {row.ply} the table plies says {column} = {stored[column]}, but it is {expected}.")
