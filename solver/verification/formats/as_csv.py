"""A report as CSV: a row for every position with anything to say, and a line of headings."""

import csv
import io
from collections.abc import Iterator
from typing import Any

from solver.game.squares import square_name
from solver.verification.report import Report
from solver.verification.wording import moves_text

__all__ = ["COLUMNS", "render", "rows"]

COLUMNS = (
    "game",
    "engine",
    "hash",
    "position",
    "to_move",
    "canonical",
    "kind",
    "move",
    "best",
    "value",
    "played",
    "missed_win_in_one",
    "slow_win",
    "short_defence",
    "unstable",
    "detail",
    "command",
)


def render(report: Report) -> str:
    """The rows as CSV (RFC 4180, but with plain newlines)."""
    file = io.StringIO()
    writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows(report))
    return file.getvalue()


def rows(report: Report) -> Iterator[dict[str, Any]]:
    """One row for every remarkable position, keyed as COLUMNS; `kind` is empty where the value is kept."""
    for verdict in report.verdicts:
        if not verdict.remarkable:
            continue
        position, move = verdict.position, verdict.answer.move
        values = (
            report.rules.name,
            report.engine,
            position.hash,
            position.board,
            position.to_move,
            position.canonical().hash,
            verdict.fault.value if verdict.fault else "",
            "" if move is None else square_name(position.rules, move),
            moves_text(position.rules, verdict.best),
            str(verdict.value),
            "" if verdict.played is None else str(verdict.played),
            int(verdict.missed_win_in_one),
            int(verdict.slow_win),
            int(verdict.short_defence),
            int(verdict.unstable),
            verdict.answer.detail,
            report.command(verdict),
        )
        yield dict(zip(COLUMNS, values, strict=True))
