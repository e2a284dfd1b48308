"""The colours of all pictures, each with its counterpart for dark mode.

Shapes and words carry the meaning, and colours only repeat it. Most colours are from the palette of Okabe and Ito,
which colour-blind people can distinguish.
"""

from typing import Final, NamedTuple


class Colour(NamedTuple):
    """A colour for light mode and for print, and its counterpart for dark mode, both as `#rrggbb`."""

    light: str
    dark: str


class Tone(NamedTuple):
    """The colours of a verdict: for letters and marks, for the frame around them, and for their background."""

    ink: Colour
    frame: Colour
    tint: Colour


PAPER: Final = Colour("#ffffff", "#15181d")
BOARD: Final = Colour("#efece4", "#23272e")
TREE: Final = Colour("#f7f5f0", "#1b1f25")

# From text to the faintest line
INK: Final = Colour("#3d3a34", "#ebe8e1")
SOFT: Final = Colour("#57534a", "#d6d2c9")
PALE: Final = Colour("#6b675e", "#b3afa5")
EDGE: Final = Colour("#b5b0a3", "#6d6a63")
FRAME: Final = Colour("#dcd7ca", "#474b52")

STONES: Final = {"X": Colour("#0b4f7d", "#74bdf0"), "O": Colour("#b3440a", "#f79b5f")}
PALE_STONES: Final = {"X": Colour("#9dbcd2", "#5a87a8"), "O": Colour("#e0b193", "#b07650")}

# A completed line, and the squares below it
LINE: Final = Colour("#e69f00", "#f0b73c")
LINE_TINT: Final = Colour("#ffe8a3", "#574511")

TONES: Final = {
    "win": Tone(Colour("#00694d", "#5fd3ac"), Colour("#8ccdb6", "#2f7a62"), Colour("#e0f3ec", "#15362c")),
    "draw": Tone(Colour("#5f5b53", "#c9c5bb"), Colour("#d3cfc6", "#565a61"), Colour("#f5f4f1", "#2a2e35")),
    "loss": Tone(Colour("#a34700", "#f2a062"), Colour("#e8b394", "#8a5431"), Colour("#fbe9df", "#3d2718")),
}
