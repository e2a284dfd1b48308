"""The sheet that a poster is printed on: its layout, and how large a move on it becomes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from solver.drawing.nested import CELL, bold_size, svg_card, svg_use
from solver.drawing.page import PALE, svg_text
from solver.game.rules import Rules
from solver.pictures.tiles import Map
from solver.support.columns import column_name

__all__ = ["LEAST", "MARGIN", "SHEETS", "Layout", "svg_lead", "svg_map", "svg_title"]

LEAST: Final = 0.6
"""Millimetres: the narrowest move that is printed. An eye tells letters of 0.4 mm apart at reading distance."""

SHEETS: Final = {"A4": (210, 297), "A3": (297, 420), "A2": (420, 594), "A1": (594, 841), "A0": (841, 1189)}  # mm
MARGIN: Final = 60  # in units of the picture, of which a sheet has _SHORT by _LONG

_SHORT, _LONG = 1000, 1414
_BEFORE = 28  # the room for the names of rows and columns
_LEAD, _LEAD_LINE, _LETTERS, _LETTER_WIDTH = 138, 24, 18, 0.58  # the text below the title, in the widest of usual fonts
_KEY_GAP = 40


@dataclass(frozen=True)
class Layout:
    """A sheet with room for one map, upright, or for two side by side, across; and so many lines below the title."""

    rules: Rules
    maps: int
    lines: int = 1

    @property
    def width(self) -> int:
        """In units of the picture."""
        return _SHORT if self.maps == 1 else _LONG

    @property
    def height(self) -> int:
        """In units of the picture."""
        return _LONG if self.maps == 1 else _SHORT

    @property
    def key_rows(self) -> int:
        """How many rows of the key there is room for."""
        return 3 if self.maps == 1 else 2

    @property
    def scale(self) -> float:
        """Units of the picture for one of a map's."""
        room = (self.width - (self.maps + 1) * MARGIN) / self.maps - _BEFORE
        height = 852 if self.maps == 1 else 540
        return min(room / (self.rules.n * CELL), height / (self.rules.m * CELL))

    @property
    def map_width(self) -> float:
        """In units of the picture."""
        return self.rules.n * CELL * self.scale

    @property
    def letters(self) -> int:
        """How many letters a line below the title has."""
        return int((self.width - 2 * MARGIN) / (_LETTERS * _LETTER_WIDTH))

    @property
    def map_top(self) -> float:
        """Where the maps begin."""
        return _LEAD + (self.lines - 1) * _LEAD_LINE + 24 + _BEFORE

    @property
    def key_top(self) -> float:
        """Where the key begins."""
        return self.map_top + self.rules.m * CELL * self.scale + _KEY_GAP

    @property
    def most_levels(self) -> int:
        """How many boards may be nested in each other on the largest sheet."""
        levels = 1
        while self.innermost([*SHEETS][-1], levels + 1) >= LEAST:
            levels += 1
        return levels

    def innermost(self, sheet: str, levels: int) -> float:
        """How many millimetres wide the player's move is in the innermost board of so many."""
        return bold_size(self.rules.m, self.rules.n, levels) * self.map_width * SHEETS[sheet][0] / _SHORT

    def sheet(self, levels: int) -> str:
        """The smallest sheet on which so many nested boards can be read."""
        return next(sheet for sheet in SHEETS if self.innermost(sheet, levels) >= LEAST)

    def millimetres(self, sheet: str) -> tuple[str, str]:
        """The width and the height of the printed sheet."""
        short, long = SHEETS[sheet]
        return (f"{short}mm", f"{long}mm") if self.maps == 1 else (f"{long}mm", f"{short}mm")


def svg_map(each: Map, layout: Layout, place: int) -> Iterator[str]:
    """A map with the names of its rows and columns, in the first or second place of a sheet."""
    rules, scale = layout.rules, layout.scale
    room = (layout.width - MARGIN) / layout.maps
    left = MARGIN + place * room + (room - MARGIN - _BEFORE - layout.map_width) / 2 + _BEFORE
    top, side = layout.map_top, CELL * scale
    for column in range(rules.n):
        yield svg_text(left + (column + 0.5) * side, top - 10, column_name(column), 18, anchor="middle", ink=PALE)
    for row in range(rules.m):
        yield svg_text(left - 12, top + (row + 0.5) * side + 6, str(row + 1), 18, anchor="end", ink=PALE)
    yield f'<g transform="translate({left:g} {top:g})scale({scale:g})">'
    yield svg_card(0, 0, rules.n * CELL, rules.m * CELL, each.verdict)
    yield svg_use(f"{each.player.lower()}0")
    yield "</g>"


def svg_title(title: str, layout: Layout) -> str:
    """The title, as large as there is room for."""
    return svg_text(MARGIN, 100, title, min(44, int((layout.width - 2 * MARGIN) / (len(title) * 0.66))), weight=700)


def svg_lead(lines: Sequence[str]) -> Iterator[str]:
    """The lines below the title."""
    for number, line in enumerate(lines):
        yield svg_text(MARGIN, _LEAD + number * _LEAD_LINE, line, _LETTERS, ink=PALE)
