"""Counts by two numbers as a table of tiles, the stronger tinted the larger the count.

Each tile bears its count, and a letter that tells its kind, so that nothing depends on colour.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log10
from typing import NamedTuple

from solver.drawing.page import PALE, svg_page, svg_text

__all__ = ["Kind", "Line", "compact", "svg_heat"]

_WIDTH, _HEIGHT, _GAP = 58, 40, 4  # of a tile, in units of the picture
_MARGIN, _HEAD, _ROW = 24, 116, 24
_BOLD, _LETTER = 11.6, 8.4  # widths of letters of the title and of the rest, in the widest of usual fonts
_LEAST, _MOST = 0.12, 0.5  # how opaque the tiles are of a count of 1, and of the largest


class Kind(NamedTuple):
    """A kind of counts: the letter in its tiles, what it means, and its colour."""

    letter: str
    text: str
    fill: str


class Line(NamedTuple):
    """A row of tiles: its label, and by column its counts with their kinds."""

    label: str
    tiles: Mapping[int, tuple[int, Kind]]


@dataclass(frozen=True)
class _Grid:
    """Where the tiles lie."""

    left: float
    columns: int
    rows: int

    @property
    def right(self) -> float:
        return self.left + self.columns * (_WIDTH + _GAP)

    @property
    def bottom(self) -> float:
        return _HEAD + self.rows * (_HEIGHT + _GAP)

    def x(self, column: int) -> float:
        return self.left + column * (_WIDTH + _GAP)

    def y(self, row: int) -> float:
        return _HEAD + row * (_HEIGHT + _GAP)


def svg_heat(lines: Sequence[Line], columns: int, kinds: Sequence[Kind], *, title: str, note: str, across: str) -> str:
    """The lines from top to bottom, with columns 0, 1, ... and the sum of each line at its end, as an SVG element.

    kinds: those that are explained. across: what the columns are. Every line has a tile at least.
    """
    grid = _Grid(_MARGIN + max(len(line.label) for line in lines) * _LETTER + 12, columns, len(lines))
    most = max(count for line in lines for count, _ in line.tiles.values())
    parts = [
        svg_text(_MARGIN, 38, title, 18, weight=700),
        svg_text(_MARGIN, 62, note, 14, ink=PALE),
        *_headings(grid, across),
        *(part for row, line in enumerate(lines) for part in _line(grid, row, line, most)),
        *_key(kinds, grid.bottom + _ROW),
    ]
    width = max(grid.right + _WIDTH, _MARGIN + max(len(title) * _BOLD, len(note) * _LETTER)) + _MARGIN
    height = grid.bottom + _ROW + len(kinds) * _ROW
    return svg_page(width, height, parts, title=title, description=f"{note}. {'; '.join(map(_spoken, lines))}.")


def _headings(grid: _Grid, across: str) -> Iterator[str]:
    yield svg_text(grid.left, _HEAD - 28, across, 13, ink=PALE)
    for column in range(grid.columns):
        yield svg_text(grid.x(column) + _WIDTH / 2, _HEAD - 8, str(column), 13, anchor="middle")
    yield svg_text(grid.right + _WIDTH, _HEAD - 8, "sum", 13, anchor="end")


def _line(grid: _Grid, row: int, line: Line, most: int) -> Iterator[str]:
    y = grid.y(row) + _HEIGHT / 2 + 5
    yield svg_text(grid.left - 12, y, line.label, 13, anchor="end")
    for column, (count, kind) in line.tiles.items():
        yield from _tile(grid.x(column), grid.y(row), count, kind, most)
    total = sum(count for count, _ in line.tiles.values())
    yield svg_text(grid.right + _WIDTH, y, compact(total), 13, anchor="end", weight=700)


def _key(kinds: Sequence[Kind], top: float) -> Iterator[str]:
    for number, kind in enumerate(kinds):
        y = top + number * _ROW
        place = f'x="{_MARGIN}" y="{y - 8:g}" width="16" height="16"'
        yield f'<rect {place} rx="3" fill="{kind.fill}" fill-opacity="0.5"/>'
        yield svg_text(_MARGIN + 26, y + 5, f"{kind.letter}: {kind.text}", 14)


def compact(count: int) -> str:
    """A count in at most five characters or so.

    >>> compact(999), compact(12_345), compact(123_456), compact(9_722_011)
    ('999', '12.3k', '123k', '9.7M')
    """
    if count < 10_000:
        return f"{count:,}"
    scale, unit = (1e3, "k") if count < 999_500 else (1e6, "M")
    shown = count / scale
    return f"{shown:.1f}{unit}" if shown < 99.95 else f"{shown:,.0f}{unit}"


def _tile(x: float, y: float, count: int, kind: Kind, most: int) -> Iterator[str]:
    strength = _LEAST + (_MOST - _LEAST) * log10(count) / max(log10(most), 1)
    yield (
        f'<rect x="{x:g}" y="{y:g}" width="{_WIDTH}" height="{_HEIGHT}" rx="6" fill="{kind.fill}" '
        f'fill-opacity="{strength:.2f}"/>'
    )
    yield svg_text(x + _WIDTH / 2, y + 18, compact(count), 13, anchor="middle", weight=600)
    yield svg_text(x + _WIDTH / 2, y + 33, kind.letter, 11, anchor="middle")


def _spoken(line: Line) -> str:
    counts = [f"{count:,} at {column} ({kind.letter})" for column, (count, kind) in line.tiles.items()]
    return f"{line.label}: {', '.join(counts)}"
