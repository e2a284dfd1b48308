"""The marks of the verdicts, the same in every picture: a triangle up wins, two bars draw, a triangle down loses.

Their shapes say it without colour; the colours (from the palette of Okabe and Ito, which the colour-blind can
tell apart) only repeat it.
"""

from typing import Final

__all__ = ["INKS", "verdict_mark"]

INKS: Final = {"win": "#00694d", "draw": "#5f5b53", "loss": "#a34700"}

_SHAPES: Final = {
    "win": "M0 -.8L.9 .7H-.9z",
    "draw": "M-.8 -.55h1.6v.4h-1.6zM-.8 .15h1.6v.4h-1.6z",
    "loss": "M0 .8L.9 -.7H-.9z",
}


def verdict_mark(verdict: str, x: float, y: float, radius: float) -> str:
    """The mark of `win`, `draw` or `loss` around a place, as an SVG element."""
    place = f'transform="translate({x:g} {y:g})scale({radius:g})"'
    return f'<path d="{_SHAPES[verdict]}" {place} fill="{INKS[verdict]}"/>'
