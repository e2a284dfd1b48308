"""A picture of growth: points on two logarithmic axes and the power laws that fit them, as SVG.

Series differ by the shape of their points as well as by colour (the palette of Okabe and Ito).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

from benchmarks.growth import FITTED, Point, Power, fit

_WIDTH, _HEIGHT = 720, 460  # in units of the picture
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 24, 84, 52
_NAME = 23  # from a point to the middle of its game's name
_INK, _PALE, _GRID = "#3d3a34", "#6b675e", "#e4e1d8"
_COLOURS = ("#0072b2", "#d55e00")
_SHAPES = ("M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", "M0 -5l5 9h-10z")


@dataclass(frozen=True)
class _Axis:
    """Powers of ten `low` to `high`, from place `start` to place `end`."""

    low: int
    high: int
    start: float
    end: float

    @classmethod
    def around(cls, values: Sequence[float], start: float, end: float) -> "_Axis":
        low = floor(log10(min(values)))
        return cls(low, max(ceil(log10(max(values))), low + 1), start, end)

    def place(self, value: float) -> float:
        return self.start + (log10(value) - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        return [10.0**power for power in range(self.low, self.high + 1)]


def svg_growth(series: Mapping[str, Sequence[Point]], title: str) -> str:
    """Points and fits, seconds against positions, as an SVG element. There must be a point, and at most two series."""
    everything = [point for points in series.values() for point in points]
    x_axis = _Axis.around([point.positions for point in everything], _LEFT, _WIDTH - _RIGHT)
    y_axis = _Axis.around([point.seconds for point in everything], _HEIGHT - _BOTTOM, _TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" role="img" font-family="system-ui, sans-serif">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="14" fill="#ffffff"/>',
        _text(_LEFT, 26, title, 15, weight=600),
        *_grid(x_axis, y_axis),
    ]
    for i, (name, points) in enumerate(series.items()):
        parts += _series(i, name, points, x_axis, y_axis)
    parts += _names(everything, x_axis, y_axis)
    return "\n".join([*parts, "</svg>", ""])


def _grid(x_axis: _Axis, y_axis: _Axis) -> Iterator[str]:
    for x in x_axis.ticks():
        yield _line(x_axis.place(x), _TOP, x_axis.place(x), _HEIGHT - _BOTTOM)
        yield _text(x_axis.place(x), _HEIGHT - _BOTTOM + 18, _power(x), 11, anchor="middle", ink=_PALE)
    for y in y_axis.ticks():
        yield _line(_LEFT, y_axis.place(y), _WIDTH - _RIGHT, y_axis.place(y))
        yield _text(_LEFT - 8, y_axis.place(y) + 4, _duration(y), 11, anchor="end", ink=_PALE)
    yield _text(_WIDTH - _RIGHT, _HEIGHT - 10, "positions", 12, anchor="end")


def _series(i: int, name: str, points: Sequence[Point], x_axis: _Axis, y_axis: _Axis) -> Iterator[str]:
    """The points, the power law that fits those of the larger games, and their entry in the legend."""
    words, law = name, fit(points)
    if law:
        words = f"{name}: time grows as positions to the power of {law.exponent:.2f}"
        yield _law(i, law, max(point.positions for point in points), x_axis, y_axis)
    for point in points:
        what = f"{point.game}: {point.positions:,.0f} positions, {point.seconds:.3g} s"
        yield _mark(i, x_axis.place(point.positions), y_axis.place(point.seconds), what)
    yield _mark(i, _LEFT + 6, 44 + 20 * i, name)
    yield _text(_LEFT + 20, 48 + 20 * i, words, 12)


def _law(i: int, law: Power, last: float, x_axis: _Axis, y_axis: _Axis) -> str:
    ends = [f"{x_axis.place(x):.1f} {y_axis.place(law(x)):.1f}" for x in (FITTED, last)]
    return f'<path d="M{"L".join(ends)}" stroke="{_COLOURS[i]}" stroke-width="1.5" stroke-dasharray="6 4"/>'


def _names(points: Sequence[Point], x_axis: _Axis, y_axis: _Axis) -> Iterator[str]:
    """Each game's name to the left or right of the higher of its points, the slowest game first, if there is room."""
    taken = [(x_axis.place(point.positions), y_axis.place(point.seconds)) for point in points]
    highest = {point.game: point for point in sorted(points, key=lambda point: point.seconds)}
    for game, point in sorted(highest.items(), key=lambda item: -item[1].seconds):
        x, y = x_axis.place(point.positions), y_axis.place(point.seconds)
        for middle, anchor in ((x - _NAME, "end"), (x + _NAME, "start")):
            free = all(abs(middle - other) > _NAME - 1 or abs(y - height) > 9 for other, height in taken)
            if free and _LEFT < middle < _WIDTH - _RIGHT:
                taken += [(middle, y), (2 * middle - x, y)]
                yield _text(x + (-8 if anchor == "end" else 8), y + 4, game, 11, anchor=anchor, ink=_PALE)
                break


def _mark(i: int, x: float, y: float, title: str) -> str:
    place = f'transform="translate({x:.1f} {y:.1f})"'
    return f'<path d="{_SHAPES[i]}" {place} fill="{_COLOURS[i]}"><title>{escape(title)}</title></path>'


def _power(value: float) -> str:
    digits = str(round(log10(value))).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"10{digits}"


def _duration(seconds: float) -> str:
    return f"{seconds:,g} s" if seconds >= 1 else f"{seconds * 1e3:g} ms"


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{_GRID}"/>'


def _text(
    x: float, y: float, text: str, size: int, *, anchor: str = "start", ink: str = _INK, weight: int = 400
) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} font-size="{size}" font-weight="{weight}" fill="{ink}">{escape(text)}</text>'
