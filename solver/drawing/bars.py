"""Results as bars: for each row its wins, draws and losses, side by side, as a small SVG picture.

The order is always wins, draws, losses, and wide parts bear their percentage, so that nothing depends on
the colours (from the palette of Okabe and Ito, which the colour-blind can tell apart).
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final, NamedTuple

__all__ = ["BY_SIDE", "RESULTS", "Part", "Row", "svg_bars"]

Row = tuple[str, Sequence[float]]
"""A label, and the shares of wins, draws and losses; their sum is 1."""


class Part(NamedTuple):
    """What a share is of: its name, its colour, and that of the letters on it."""

    name: str
    fill: str
    ink: str


RESULTS: Final = (
    Part("wins", "#0b7a5b", "#ffffff"),
    Part("draws", "#d9d4c7", "#57534a"),
    Part("losses", "#b3440a", "#ffffff"),
)
BY_SIDE: Final = (
    Part("X wins", "#0b4f7d", "#ffffff"),
    Part("draws", "#d9d4c7", "#57534a"),
    Part("O wins", "#b3440a", "#ffffff"),
)

_BAR, _GAP, _WIDTH, _MARGIN, _HEAD = 26, 12, 460, 16, 76  # in units of the picture
_NOTE = 24  # the height of the line below the title
_LETTER, _TITLE_LETTER, _NOTE_LETTER = 8.4, 9.6, 7.2  # widths of letters of labels, title and note, generously
_NARROWEST = 34  # of a part that bears its percentage
_INK, _PAPER = "#57534a", "#ffffff"
_FONT = 'font-family="system-ui, sans-serif" dominant-baseline="central"'


def svg_bars(title: str, rows: Sequence[Row], *, parts: Sequence[Part] = RESULTS, note: str = "") -> str:
    """The rows, from top to bottom, below a title and a legend, as an SVG element.

    parts: what the shares are of, from left to right. note: a line below the title that says what is shown.
    The text that screen readers give holds all figures.
    """
    head = _HEAD + (_NOTE if note else 0)
    left = _MARGIN + max([len(label) for label, _ in rows], default=0) * _LETTER + _GAP
    longest = max(len(title) * _TITLE_LETTER, len(note) * _NOTE_LETTER)
    width = max(left + _WIDTH + _MARGIN, longest + 2 * _MARGIN)
    height = head + len(rows) * (_BAR + _GAP) + _MARGIN - _GAP
    spoken = (f"{note}. " if note else "") + "; ".join(_spoken(label, shares, parts) for label, shares in rows)
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" '
        f'width="{width:g}" height="{height}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(spoken)}</desc>",
        f'<rect width="{width:g}" height="{height}" rx="14" fill="{_PAPER}"/>',
        _text(_MARGIN, _MARGIN + 10, title, 17, _INK, "start"),
        *([_text(_MARGIN, _MARGIN + 10 + _NOTE, note, 13, _INK, "start")] if note else []),
        *_legend(left, head - 30, parts),
    ]
    for place, (label, shares) in enumerate(rows):
        top = head + place * (_BAR + _GAP)
        drawn.append(_text(left - _GAP, top + _BAR / 2, label, 14, _INK, "end"))
        drawn += _bar(left, top, shares, parts)
    return "\n".join([*drawn, "</svg>"])


def _spoken(label: str, shares: Sequence[float], parts: Sequence[Part]) -> str:
    figures = [f"{part.name} {share:.1%}" for part, share in zip(parts, shares, strict=True)]
    return f"{label}: {', '.join(figures)}"


def _legend(left: float, top: float, parts: Sequence[Part]) -> Iterator[str]:
    for place, part in enumerate(parts):
        x = left + place * 90
        yield f'<rect x="{x:g}" y="{top:g}" width="14" height="14" rx="3" fill="{part.fill}"/>'
        yield _text(x + 20, top + 7, part.name, 13, _INK, "start")


def _bar(left: float, top: float, shares: Sequence[float], parts: Sequence[Part]) -> Iterator[str]:
    for share, part in zip(shares, parts, strict=True):
        width = share * _WIDTH
        if width:
            yield f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{_BAR}" fill="{part.fill}"/>'
        if width >= _NARROWEST:
            yield _text(left + width / 2, top + _BAR / 2, f"{share:.0%}", 13, part.ink, "middle")
        left += width


def _text(x: float, y: float, text: str, size: int, ink: str, anchor: str) -> str:
    place = f'x="{x:g}" y="{y:g}" font-size="{size}" fill="{ink}" text-anchor="{anchor}"'
    return f"<text {place} {_FONT}>{escape(text)}</text>"
