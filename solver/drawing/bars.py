"""Results as bars: for each row its wins, draws and losses, side by side.

The order is always wins, draws, losses, and wide parts bear their percentage, so that nothing depends on colours.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from solver.drawing.canvas import Element, element, page, svg, text
from solver.drawing.palette import PAPER, SHARES, SOFT, STONES, Colour

Row = tuple[str, Sequence[float]]
"""A label, and the shares of wins, draws and losses; their sum is 1."""


class Part(NamedTuple):
    """What a share is of."""

    name: str
    fill: Colour
    ink: Colour  # of the letters on it


_DRAWS: Final = Part("draws", SHARES["draw"], SOFT)
RESULTS: Final = (Part("wins", SHARES["win"], PAPER), _DRAWS, Part("losses", SHARES["loss"], PAPER))
BY_SIDE: Final = (Part("X wins", STONES["X"], PAPER), _DRAWS, Part("O wins", STONES["O"], PAPER))

_BAR, _GAP, _WIDTH, _MARGIN, _HEAD = 26, 12, 460, 16, 76  # in units of the picture
_NOTE = 24  # the height of the line below the title
_LETTER, _TITLE_LETTER, _NOTE_LETTER = 8.4, 9.6, 7.2  # widths of letters of labels, title and note, generously
_NARROWEST = 34  # of a part that bears its percentage


def svg_bars(
    title: str, rows: Sequence[Row], *, parts: Sequence[Part] = RESULTS, note: str = "", dark: bool = False
) -> str:
    """Draw the rows, from top to bottom, below a title and a legend, as an SVG element.

    parts: what the shares are of, from left to right. note: a line below the title that says what is shown.
    dark: for dark screens too. The text that screen readers give holds all figures.
    """
    head = _HEAD + (_NOTE if note else 0)
    left = _MARGIN + max([len(label) for label, _ in rows], default=0) * _LETTER + _GAP
    longest = max(len(title) * _TITLE_LETTER, len(note) * _NOTE_LETTER)
    width = max(left + _WIDTH + _MARGIN, longest + 2 * _MARGIN)
    height = head + len(rows) * (_BAR + _GAP) + _MARGIN - _GAP
    drawn = [_text(_MARGIN, _MARGIN + 10, title, 17), *_legend(left, head - 30, parts)]
    if note:
        drawn.append(_text(_MARGIN, _MARGIN + 10 + _NOTE, note, 13))
    for place, (label, shares) in enumerate(rows):
        top = head + place * (_BAR + _GAP)
        drawn.append(_text(left - _GAP, top + _BAR / 2, label, 14, anchor="end"))
        drawn += _bar(left, top, shares, parts)
    figures = "; ".join(_in_words(label, shares, parts) for label, shares in rows)
    description = f"{note}. {figures}" if note else figures
    return svg(page(width, height, drawn, title=title, description=description), dark=dark)


def _in_words(label: str, shares: Sequence[float], parts: Sequence[Part]) -> str:
    figures = [f"{part.name} {share:.1%}" for part, share in zip(parts, shares, strict=True)]
    return f"{label}: {', '.join(figures)}"


def _legend(left: float, top: float, parts: Sequence[Part]) -> Iterator[Element]:
    for place, part in enumerate(parts):
        x = left + place * 90
        yield element("rect", x=x, y=top, width=14, height=14, rx=3, fill=part.fill)
        yield _text(x + 20, top + 7, part.name, 13)


def _bar(left: float, top: float, shares: Sequence[float], parts: Sequence[Part]) -> Iterator[Element]:
    for share, part in zip(shares, parts, strict=True):
        width = share * _WIDTH
        if width:
            yield element("rect", x=left, y=top, width=width, height=_BAR, fill=part.fill)
        if width >= _NARROWEST:
            yield _text(left + width / 2, top + _BAR / 2, f"{share:.0%}", 13, anchor="middle", ink=part.ink)
        left += width


def _text(x: float, y: float, words: str, size: int, *, anchor: str | None = None, ink: Colour = SOFT) -> Element:
    return text(x, y, words, size, ink=ink, anchor=anchor, dominant_baseline="central")
