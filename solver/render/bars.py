"""Results as bars: for each row its wins, draws and losses, side by side, as a small SVG picture.

The order is always wins, draws, losses, and wide parts bear their percentage, so that nothing depends on
the colours (from the palette of Okabe and Ito, which the colour-blind can tell apart).
"""

from collections.abc import Iterator, Sequence
from html import escape

__all__ = ["Row", "svg_bars"]

Row = tuple[str, Sequence[float]]
"""A label, and the shares of wins, draws and losses; their sum is 1."""

_BAR, _GAP, _WIDTH, _MARGIN, _HEAD = 26, 12, 460, 16, 76  # in units of the picture
_LETTER, _TITLE_LETTER = 8.4, 9.6  # the width of a letter of a label and of the title, generously
_NARROWEST = 34  # of a part that bears its percentage
_INK, _PAPER = "#57534a", "#ffffff"
_PARTS = (("wins", "#0b7a5b", "#ffffff"), ("draws", "#d9d4c7", "#57534a"), ("losses", "#b3440a", "#ffffff"))
_FONT = 'font-family="system-ui, sans-serif" dominant-baseline="central"'


def svg_bars(title: str, rows: Sequence[Row]) -> str:
    """The rows, from top to bottom, below a title and a legend, as an SVG element.

    The text that screen readers give holds all figures.
    """
    left = _MARGIN + max([len(label) for label, _ in rows], default=0) * _LETTER + _GAP
    width = max(left + _WIDTH + _MARGIN, len(title) * _TITLE_LETTER + 2 * _MARGIN)
    height = _HEAD + len(rows) * (_BAR + _GAP) + _MARGIN - _GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" '
        f'width="{width:g}" height="{height}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape('; '.join(_spoken(label, shares) for label, shares in rows))}</desc>",
        f'<rect width="{width:g}" height="{height}" rx="14" fill="{_PAPER}"/>',
        _text(_MARGIN, _MARGIN + 10, title, 17, _INK, "start"),
        *_legend(left),
    ]
    for place, (label, shares) in enumerate(rows):
        top = _HEAD + place * (_BAR + _GAP)
        parts.append(_text(left - _GAP, top + _BAR / 2, label, 14, _INK, "end"))
        parts += _bar(left, top, shares)
    return "\n".join([*parts, "</svg>"])


def _spoken(label: str, shares: Sequence[float]) -> str:
    figures = [f"{name} {share:.1%}" for (name, _, _), share in zip(_PARTS, shares, strict=True)]
    return f"{label}: {', '.join(figures)}"


def _legend(left: float) -> Iterator[str]:
    for place, (name, fill, _) in enumerate(_PARTS):
        x = left + place * 90
        yield f'<rect x="{x:g}" y="{_HEAD - 30}" width="14" height="14" rx="3" fill="{fill}"/>'
        yield _text(x + 20, _HEAD - 23, name, 13, _INK, "start")


def _bar(left: float, top: float, shares: Sequence[float]) -> Iterator[str]:
    for share, (_, fill, ink) in zip(shares, _PARTS, strict=True):
        width = share * _WIDTH
        if width:
            yield f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{_BAR}" fill="{fill}"/>'
        if width >= _NARROWEST:
            yield _text(left + width / 2, top + _BAR / 2, f"{share:.0%}", 13, ink, "middle")
        left += width


def _text(x: float, y: float, text: str, size: int, ink: str, anchor: str) -> str:
    place = f'x="{x:g}" y="{y:g}" font-size="{size}" fill="{ink}" text-anchor="{anchor}"'
    return f"<text {place} {_FONT}>{escape(text)}</text>"
