"""Counts by two numbers as a table of tiles, the stronger tinted the larger the count.

Each tile bears its count, and a letter that tells its kind, so that nothing depends on colour.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import log10
from typing import NamedTuple

from solver.drawing.canvas import Element, draw_key, element, page, sample, svg, text
from solver.drawing.palette import PALE, Colour

_WIDTH, _HEIGHT, _GAP = 58, 40, 4  # of a tile, in units of the picture
_MARGIN, _HEAD, _ROW = 24, 116, 24
_BOLD, _LETTER = 11.6, 8.4  # widths of letters of the title and of the rest, in the widest of usual fonts
_LEAST, _MOST = 0.12, 0.5  # how opaque the tiles are of a count of 1, and of the largest


class Kind(NamedTuple):
    """A kind of counts."""

    letter: str  # in its tiles
    meaning: str
    fill: Colour


class Line(NamedTuple):
    """A row of tiles."""

    label: str
    tiles: Mapping[int, tuple[int, Kind]]
    """By column a count and its kind."""


def svg_heat(lines: Sequence[Line], columns: int, kinds: Sequence[Kind], *, title: str, note: str, across: str) -> str:
    """Draw the lines from top to bottom, with columns 0, 1, ... and the sum of each line at its end.

    kinds: those that are explained. across: what the columns are. Every line has a tile at least. The SVG element
    is for dark screens too.
    """
    left = _MARGIN + max(len(line.label) for line in lines) * _LETTER + 12
    lefts = [left + column * (_WIDTH + _GAP) for column in range(columns + 1)]
    right = lefts[-1] + _WIDTH
    most = max(count for line in lines for count, _ in line.tiles.values())
    parts = [
        text(_MARGIN, 38, title, 18, font_weight=700),
        text(_MARGIN, 62, note, 14, ink=PALE),
        text(left, _HEAD - 28, across, 13, ink=PALE),
        *(text(x + _WIDTH / 2, _HEAD - 8, str(i), 13, anchor="middle") for i, x in enumerate(lefts[:-1])),
        text(right, _HEAD - 8, "sum", 13, anchor="end"),
    ]
    for row, line in enumerate(lines):
        parts += _line(line, lefts, _HEAD + row * (_HEIGHT + _GAP), most)
    key_top = _HEAD + len(lines) * (_HEIGHT + _GAP) + _ROW
    key = [(sample(fill=kind.fill, fill_opacity=_MOST), f"{kind.letter}: {kind.meaning}") for kind in kinds]
    parts += draw_key(key, _MARGIN, key_top, _ROW)
    width = max(right, _MARGIN + max(len(title) * _BOLD, len(note) * _LETTER)) + _MARGIN
    description = f"{note}. {'; '.join(map(_in_words, lines))}."
    return svg(page(width, key_top + len(kinds) * _ROW, parts, title=title, description=description), dark=True)


def _line(line: Line, lefts: Sequence[float], top: float, most: int) -> Iterator[Element]:
    y = top + _HEIGHT / 2 + 5
    yield text(lefts[0] - 12, y, line.label, 13, anchor="end")
    for column, (count, kind) in line.tiles.items():
        yield from _tile(lefts[column], top, count, kind, most)
    total = sum(count for count, _ in line.tiles.values())
    yield text(lefts[-1] + _WIDTH, y, compact(total), 13, anchor="end", font_weight=700)


def _tile(x: float, y: float, count: int, kind: Kind, most: int) -> Iterator[Element]:
    strength = round(_LEAST + (_MOST - _LEAST) * log10(count) / max(log10(most), 1), 2)
    yield element("rect", x=x, y=y, width=_WIDTH, height=_HEIGHT, rx=6, fill=kind.fill, fill_opacity=strength)
    yield text(x + _WIDTH / 2, y + 18, compact(count), 13, anchor="middle", font_weight=600)
    yield text(x + _WIDTH / 2, y + 33, kind.letter, 11, anchor="middle")


def compact(count: int) -> str:
    """Write a count in at most five characters or so.

    >>> compact(999), compact(12_345), compact(123_456), compact(9_722_011)
    ('999', '12.3k', '123k', '9.7M')
    """
    if count < 10_000:
        return f"{count:,}"
    scale, unit = (1e3, "k") if count < 999_500 else (1e6, "M")
    shown = count / scale
    return f"{shown:.1f}{unit}" if shown < 99.95 else f"{shown:,.0f}{unit}"


def _in_words(line: Line) -> str:
    counts = [f"{count:,} at {column} ({kind.letter})" for column, (count, kind) in line.tiles.items()]
    return f"{line.label}: {', '.join(counts)}"
