"""Report what came of comparing somebody's table with ours, as text, JSON or CSV."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from solver.game.position import Position
from solver.game.rules import Rules
from solver.support.drawing.diagram import text_board
from solver.support.english import plural
from solver.verification.stated_values import StatedValues
from solver.verification.wording import encode_csv, encode_json, format_percent, require_format

FORMATS: Final = ("text", "json", "csv")

MOST_KINDS: Final = 6
"""Kinds of disagreement that the text draws; JSON and CSV have all."""

_COLUMNS: Final = ("game", "file", "where", "hash", "position", "to_move", "kind", "said", "true", "command")


@dataclass(frozen=True)
class Disagreement:
    """A place where the table is wrong."""

    kind: str
    position: Position

    where: str
    """Its row in the file, in words."""

    said: str
    true: str


@dataclass(frozen=True)
class Skipped:
    """A row that was not compared."""

    where: str
    reason: str


@dataclass(frozen=True)
class Part:
    """The figures of one kind of statement: `values`, `distances` or `moves`."""

    name: str

    read_as: str
    """How it was read, in words."""

    stated: int
    right: int

    slow: int = 0
    """Right moves that are not the quickest win or the longest defence."""


@dataclass(frozen=True)
class Coverage:
    """How much of the game the table has. What is None or empty by default is counted in small games only."""

    total: int
    """Positions of the game."""

    there: int
    """Positions in the table."""

    classes_total: int | None = None
    """Positions of the game up to symmetry."""

    classes: int | None = None

    live_total: int | None = None
    """Positions of the game with a move to make."""

    live: int | None = None

    missing: tuple[Position, ...] = ()
    """The first positions that are missing, also up to symmetry."""


@dataclass(frozen=True)
class TableReport:
    """The whole comparison; true if all that was compared agrees."""

    rules: Rules
    file: str
    rows: int

    repeated: int
    """Rows whose position an earlier row had."""

    unreadable: Sequence[Skipped]
    impossible: Sequence[Skipped]
    parts: Sequence[Part]

    values: StatedValues | None
    """The figures of the stated values, None without any."""

    disagreements: Sequence[Disagreement]
    coverage: Coverage
    notes: Sequence[str] = ()

    @cached_property
    def kinds(self) -> Counter[str]:
        """The number of disagreements of each kind, the most frequent first."""
        return Counter(dict(Counter(one.kind for one in self.disagreements).most_common()))

    @cached_property
    def wrong(self) -> int:
        """The number of positions with a disagreement."""
        return len({one.position for one in self.disagreements})

    @property
    def is_complete(self) -> bool:
        """True if every row was compared, and no position, up to symmetry where that is known, is missing."""
        coverage = self.coverage
        whole = coverage.there == coverage.total
        if coverage.classes is not None:
            whole = coverage.classes == coverage.classes_total
        return whole and not self.unreadable and not self.impossible

    def __bool__(self) -> bool:
        return not self.disagreements

    def __str__(self) -> str:
        return self.format()

    def format(self, name: str = "text") -> str:
        """Write the report in one of the FORMATS, without a newline at the end. Raises EngineError for another name."""
        require_format(name, FORMATS)
        if name == "json":
            return json.dumps(self.json(), indent=2)
        if name == "csv":
            return encode_csv(_COLUMNS, (self._row(one) for one in self.disagreements)).rstrip("\n")
        return "\n".join(_write_lines(self))

    def json(self) -> dict[str, Any]:
        """Return the report as an object for JSON."""
        coverage, values = self.coverage, self.values
        return {
            "game": self.rules.name,
            "file": self.file,
            "rows": self.rows,
            "positions": coverage.there,
            "of_positions": coverage.total,
            "classes": coverage.classes,
            "of_classes": coverage.classes_total,
            "live": coverage.live,
            "of_live": coverage.live_total,
            "missing": [position.board for position in coverage.missing],
            "repeated": self.repeated,
            "not_readable": len(self.unreadable),
            "impossible": len(self.impossible),
            "agrees": bool(self),
            "complete": self.is_complete,
            "wrong_positions": self.wrong,
            "kinds": dict(self.kinds),
            "parts": encode_json(self.parts),
            "rank_correlation": values.correlation if values else None,
            "worst_values": encode_json(values.worst if values else ()),
            "notes": list(self.notes),
            "skipped": encode_json([*self.unreadable, *self.impossible]),
            "disagreements": [self._row(one) for one in self.disagreements],
        }

    def _row(self, one: Disagreement) -> dict[str, Any]:
        position = one.position
        values = (self.rules.name, self.file, one.where, position.hash, position.board, position.to_move)
        command = _write_command(position)
        return dict(zip(_COLUMNS, (*values, one.kind, one.said, one.true, command), strict=True))


def write_unverified(rules: Rules, file: Path, message: str, kind: str, form: str) -> str:
    """Write in one of the FORMATS that nothing of a file could be compared, and why."""
    if form == "json":
        facts = {"game": rules.name, "file": str(file), "agrees": False, "error": {"kind": kind, "message": message}}
        return json.dumps(facts, indent=2)
    if form == "csv":
        known = {"game": rules.name, "file": str(file), "kind": "not_verified", "said": message}
        return encode_csv(_COLUMNS, [dict.fromkeys(_COLUMNS, "") | known]).rstrip("\n")
    return f"{file} on {rules}: could not be compared\n\n{message}"


def _write_command(position: Position) -> str:
    """Write what to type to see the truth about a position."""
    return f"mnk query {position.rules.name} {position.board}"


def _write_lines(report: TableReport) -> Iterator[str]:
    compared = plural(report.coverage.there, "position")
    found = f"wrong in {report.wrong:,} of {compared}" if report.wrong else f"agrees in {compared}"
    yield f"{report.file} on {report.rules}: {found}"
    yield ""
    for part in report.parts:
        yield f"How {part.name} are read: {part.read_as}"
    yield from (f"  {note}" for note in report.notes)
    yield ""
    figures = [(part.name, _write_part(part, report.values)) for part in report.parts]
    figures += [("coverage", _write_coverage(report.coverage)), ("rows", _write_rows(report))]
    width = max(len(name) for name, _ in figures)
    yield from (f"{name:<{width}}  {words}" for name, words in figures)
    for what, skipped in (("Not readable", report.unreadable), ("Impossible", report.impossible)):
        if skipped:
            yield ""
            yield f"{what}, first {skipped[0].where}: {skipped[0].reason}"
    for number, (kind, count) in enumerate(list(report.kinds.items())[:MOST_KINDS], 1):
        first = next(one for one in report.disagreements if one.kind == kind)
        yield ""
        yield f"{number}. {kind[0].upper()}{kind[1:]}: {plural(count, 'time')}, first {first.where}"
        yield from (f"   {line}" for line in _write_example(first))
    yield ""
    yield "Agrees: all that it says is true." if report else f"Disagrees in {plural(report.wrong, 'position')}."


def _write_part(part: Part, values: StatedValues | None) -> str:
    words = f"{part.right:,} of {part.stated:,} right"
    if part.name == "values" and values is not None:
        words += f", rank correlation {values.correlation_text}"
    if part.slow:
        words += f", of them {part.slow:,} not the quickest win or longest defence"
    return words


def _write_coverage(coverage: Coverage) -> str:
    share = format_percent(coverage.there / coverage.total)
    words = f"{coverage.there:,} of {plural(coverage.total, 'position')} ({share})"
    if coverage.live is not None:
        words += f", {coverage.live:,} of {coverage.live_total:,} with a move to make"
    if coverage.classes is not None:
        words += f"; up to symmetry {coverage.classes:,} of {coverage.classes_total:,}"
    if coverage.missing:
        words += f"; missing {coverage.missing[0].board}"
    return words


def _write_rows(report: TableReport) -> str:
    counts = {
        "not readable": len(report.unreadable),
        "impossible": len(report.impossible),
        "repeated": report.repeated,
    }
    return ", ".join([f"{report.rows:,}", *(f"{count:,} {what}" for what, count in counts.items() if count)])


def _write_example(one: Disagreement) -> Iterator[str]:
    position = one.position
    yield from text_board(position.rules.diagram, position.cells).splitlines()
    state = "The game is over" if position.is_over else f"{position.to_move} to move"
    yield f"{state}; it says {one.said}, right is {one.true}"
    yield _write_command(position)
