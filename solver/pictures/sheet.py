"""The sheet that a poster is printed on: its layout, and how large a move on it becomes."""

from dataclasses import dataclass
from typing import Final

from solver.game.rules import Rules
from solver.pictures.nested import CELL, bold_size

__all__ = ["LEAD", "LEAD_LETTERS", "LEAD_LINE", "LEAST", "MARGIN", "SHEETS", "Layout"]

LEAST: Final = 0.6
"""Millimetres: the narrowest move that is printed. An eye tells letters of 0.4 mm apart at reading distance."""

SHEETS: Final = {"A4": (210, 297), "A3": (297, 420), "A2": (420, 594), "A1": (594, 841), "A0": (841, 1189)}  # mm

MARGIN: Final = 60  # in units of the picture, of which a sheet has _SHORT by _LONG
LEAD, LEAD_LINE, LEAD_LETTERS = 138, 24, 18  # the text below the title: its top, its lines and its letters
_SHORT, _LONG = 1000, 1414
_NAMES = 28  # the room for the names of rows and columns
_LETTER_WIDTH = 0.58  # of letters of size 1, in the widest of usual fonts
_KEY_GAP = 40


@dataclass(frozen=True)
class Layout:
    """The places on a sheet, in units of the picture unless another is named."""

    rules: Rules
    maps: int
    """One map on an upright sheet, or two side by side on one that lies across."""
    lead_lines: int = 1
    """The lines of text below the title."""

    @property
    def width(self) -> int:
        """The width of the sheet."""
        return _SHORT if self.maps == 1 else _LONG

    @property
    def height(self) -> int:
        """The height of the sheet."""
        return _LONG if self.maps == 1 else _SHORT

    @property
    def key_rows(self) -> int:
        """The rows of the key that there is room for."""
        return 3 if self.maps == 1 else 2

    @property
    def scale(self) -> float:
        """Units of the picture for one of a map's."""
        room = (self.width - (self.maps + 1) * MARGIN) / self.maps - _NAMES
        height = 852 if self.maps == 1 else 540
        return min(room / (self.rules.n * CELL), height / (self.rules.m * CELL))

    @property
    def map_width(self) -> float:
        """The width of a map."""
        return self.rules.n * CELL * self.scale

    @property
    def map_top(self) -> float:
        """The upper end of the maps."""
        return LEAD + (self.lead_lines - 1) * LEAD_LINE + 24 + _NAMES

    def map_left(self, number: int) -> float:
        """The left end of the first map, 0, or the second, 1."""
        room = (self.width - MARGIN) / self.maps
        return MARGIN + number * room + (room - MARGIN - _NAMES - self.map_width) / 2 + _NAMES

    @property
    def key_top(self) -> float:
        """The upper end of the key."""
        return self.map_top + self.rules.m * CELL * self.scale + _KEY_GAP

    @property
    def lead_width(self) -> int:
        """The letters of a line below the title."""
        return int((self.width - 2 * MARGIN) / (LEAD_LETTERS * _LETTER_WIDTH))

    @property
    def most_levels(self) -> int:
        """The boards that may be nested in each other on the largest sheet."""
        levels = 1
        while self.innermost([*SHEETS][-1], levels + 1) >= LEAST:
            levels += 1
        return levels

    def innermost(self, sheet: str, levels: int) -> float:
        """Give the width in millimetres of the player's move in the innermost board of so many."""
        return bold_size(self.rules, levels) * self.map_width * SHEETS[sheet][0] / _SHORT

    def sheet(self, levels: int) -> str:
        """Choose the smallest sheet on which so many nested boards can be read."""
        return next(sheet for sheet in SHEETS if self.innermost(sheet, levels) >= LEAST)

    def millimetres(self, sheet: str) -> tuple[str, str]:
        """Give the width and the height of the printed sheet."""
        short, long = SHEETS[sheet]
        return (f"{short}mm", f"{long}mm") if self.maps == 1 else (f"{long}mm", f"{short}mm")
