"""The report on somebody's table, as text, JSON or CSV."""

import csv
import io
import json
from collections.abc import Iterator
from typing import Any, Final

from solver.drawing.text import text_board
from solver.errors import EngineError, quoted
from solver.support.english import plural
from solver.verification.tables.report import Coverage, Disagreement, TableReport
from solver.verification.wording import percent

__all__ = ["FORMATS", "facts", "shown"]

FORMATS: Final = ("text", "json", "csv")
MOST_KINDS: Final = 6  # of disagreements that the text draws; JSON and CSV have all
_COLUMNS: Final = ("game", "file", "where", "hash", "position", "to_move", "kind", "said", "true", "command")


def shown(report: TableReport, form: str = "text") -> str:
    """A report in one of the FORMATS, without a newline at the end. Raises EngineError for another."""
    if form not in FORMATS:
        raise EngineError(f"There is no format {quoted(form)} of this report; choose one of {', '.join(FORMATS)}.")
    if form == "json":
        return json.dumps(facts(report), indent=2)
    return _csv(report).rstrip("\n") if form == "csv" else "\n".join(_lines(report))


def facts(report: TableReport) -> dict[str, Any]:
    """A report as an object for JSON."""
    coverage, values = report.coverage, report.values
    return {
        "game": report.rules.name,
        "file": report.file,
        "rows": report.rows,
        "positions": coverage.there,
        "of_positions": coverage.total,
        "classes": coverage.classes,
        "of_classes": coverage.classes_total,
        "live": coverage.live,
        "of_live": coverage.live_total,
        "missing": [position.board for position in coverage.missing],
        "repeated": report.repeated,
        "not_readable": len(report.unreadable),
        "impossible": len(report.impossible),
        "agrees": bool(report),
        "complete": report.is_complete,
        "wrong_positions": report.wrong,
        "kinds": dict(report.kinds),
        "parts": [
            {"name": part.name, "read_as": part.read_as, "stated": part.stated, "right": part.right, "slow": part.slow}
            for part in report.parts
        ],
        "rank_correlation": values.correlation if values else None,
        "worst_values": [
            {"position": one.position.board, "stated": one.stated, "meant": one.meant, "truth": one.truth}
            for one in (values.worst if values else ())
        ],
        "notes": list(report.notes),
        "skipped": [{"where": one.where, "reason": one.reason} for one in (*report.unreadable, *report.impossible)],
        "disagreements": [_row(report, one) for one in report.disagreements],
    }


def _row(report: TableReport, one: Disagreement) -> dict[str, Any]:
    position = one.position
    values = (report.rules.name, report.file, one.where, position.hash, position.board, position.to_move)
    return dict(zip(_COLUMNS, (*values, one.kind, one.said, one.true, report.command(position)), strict=True))


def _csv(report: TableReport) -> str:
    file = io.StringIO()
    writer = csv.DictWriter(file, _COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(_row(report, one) for one in report.disagreements)
    return file.getvalue()


def _lines(report: TableReport) -> Iterator[str]:
    compared = plural(report.coverage.there, "position")
    found = f"wrong in {report.wrong:,} of {compared}" if report.wrong else f"agrees in {compared}"
    yield f"{report.file} on {report.rules}: {found}"
    yield ""
    for part in report.parts:
        yield f"How {part.name} are read: {part.read_as}"
    yield from (f"  {note}" for note in report.notes)
    yield ""
    rows = list(_table(report))
    width = max(len(name) for name, _ in rows)
    yield from (f"{name:<{width}}  {words}" for name, words in rows)
    yield from _skipped(report)
    for number, (kind, count) in enumerate(list(report.kinds.items())[:MOST_KINDS], 1):
        yield ""
        yield from _example(report, number, kind, count)
    yield ""
    yield "Agrees: all that it says is true." if report else f"Disagrees in {plural(report.wrong, 'position')}."


def _table(report: TableReport) -> Iterator[tuple[str, str]]:
    for part in report.parts:
        words = f"{part.right:,} of {part.stated:,} right"
        if part.name == "values" and report.values is not None:
            correlation = report.values.correlation
            words += f", rank correlation {'none' if correlation is None else f'{correlation:.3f}'}"
        if part.slow:
            words += f", of them {part.slow:,} not the quickest win or longest defence"
        yield part.name, words
    yield "coverage", _coverage(report.coverage)
    yield "rows", _rows(report)


def _coverage(coverage: Coverage) -> str:
    words = f"{coverage.there:,} of {plural(coverage.total, 'position')} ({percent(coverage.there / coverage.total)})"
    if coverage.live is not None:
        words += f", {coverage.live:,} of {coverage.live_total:,} with a move to make"
    if coverage.classes is not None:
        words += f"; up to symmetry {coverage.classes:,} of {coverage.classes_total:,}"
    if coverage.missing:
        words += f"; missing {coverage.missing[0].board}"
    return words


def _rows(report: TableReport) -> str:
    parts = [f"{report.rows:,}"]
    counts = ((len(report.unreadable), "not readable"), (len(report.impossible), "impossible"))
    parts += [f"{count:,} {what}" for count, what in (*counts, (report.repeated, "repeated")) if count]
    return ", ".join(parts)


def _skipped(report: TableReport) -> Iterator[str]:
    for what, rows in (("Not readable", report.unreadable), ("Impossible", report.impossible)):
        if rows:
            yield ""
            yield f"{what}, first {rows[0].where}: {rows[0].reason}"


def _example(report: TableReport, number: int, kind: str, count: int) -> Iterator[str]:
    one = next(one for one in report.disagreements if one.kind == kind)
    rules, position = report.rules, one.position
    yield f"{number}. {kind[0].upper()}{kind[1:]}: {plural(count, 'time')}, first {one.where}"
    yield from (f"   {line}" for line in text_board(rules.m, rules.n, position.cells).splitlines())
    state = "The game is over" if position.is_over else f"{position.to_move} to move"
    yield f"   {state}; it says {one.said}, right is {one.true}"
    yield f"   {report.command(position)}"
