"""Draw how times grow: points on two logarithmic axes and the power laws that fit them.

Series differ by the shape of their points as well as by colour.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import log10

from benchmarks.growth import FITTED, Point, Power, fit
from solver.drawing.canvas import Element, element, page, place, svg, text
from solver.drawing.chart import Axis, log_axis, power_of_ten
from solver.drawing.palette import GRID, PALE, SERIES

_WIDTH, _HEIGHT = 720, 460  # in units of the picture
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 24, 84, 52
_NAME = 23  # from a point to the middle of its game's name
_SHAPES = ("M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", "M0 -5l5 9h-10z")


def svg_growth(series: Mapping[str, Sequence[Point]], title: str) -> str:
    """Draw seconds against positions, with their fits, as an SVG picture; at least one point, at most two series."""
    everything = [point for points in series.values() for point in points]
    x_axis = _axis([point.positions for point in everything], _LEFT, _WIDTH - _RIGHT)
    y_axis = _axis([point.seconds for point in everything], _HEIGHT - _BOTTOM, _TOP)
    parts = [text(_LEFT, 26, title, 15, font_weight=600), *_grid(x_axis, y_axis)]
    for i, (name, points) in enumerate(series.items()):
        parts += _series(i, name, points, x_axis, y_axis)
    parts += _names(everything, x_axis, y_axis)
    return svg(page(_WIDTH, _HEIGHT, parts, title=title)) + "\n"


def _axis(values: Sequence[float], start: float, end: float) -> Axis:
    return log_axis(min(values), max(values), start, end)


def _grid(x_axis: Axis, y_axis: Axis) -> Iterator[Element]:
    for tick in x_axis.ticks:
        x = x_axis.place(tick)
        yield element("path", d=f"M{x:g} {_TOP}V{_HEIGHT - _BOTTOM}", stroke=GRID)
        yield text(x, _HEIGHT - _BOTTOM + 18, power_of_ten(round(log10(tick))), 11, anchor="middle", ink=PALE)
    for tick in y_axis.ticks:
        y = y_axis.place(tick)
        yield element("path", d=f"M{_LEFT} {y:g}H{_WIDTH - _RIGHT}", stroke=GRID)
        yield text(_LEFT - 8, y + 4, _duration(tick), 11, anchor="end", ink=PALE)
    yield text(_WIDTH - _RIGHT, _HEIGHT - 10, "positions", 12, anchor="end")


def _series(i: int, name: str, points: Sequence[Point], x_axis: Axis, y_axis: Axis) -> Iterator[Element]:
    """Draw the points, the power law that fits those of the larger games, and their entry in the legend."""
    words, law = name, fit(points)
    if law:
        words = f"{name}: time grows as positions to the power of {law.exponent:.2f}"
        yield _law(i, law, max(point.positions for point in points), x_axis, y_axis)
    for point in points:
        description = f"{point.game}: {point.positions:,.0f} positions, {point.seconds:.3g} s"
        yield _mark(i, x_axis.place(point.positions), y_axis.place(point.seconds), description)
    yield _mark(i, _LEFT + 6, 44 + 20 * i, name)
    yield text(_LEFT + 20, 48 + 20 * i, words, 12)


def _law(i: int, law: Power, last: float, x_axis: Axis, y_axis: Axis) -> Element:
    ends = [f"{x_axis.place(x):g} {y_axis.place(law(x)):g}" for x in (FITTED, last)]
    return element("path", d=f"M{'L'.join(ends)}", stroke=SERIES[i], stroke_width=1.5, stroke_dasharray="6 4")


def _names(points: Sequence[Point], x_axis: Axis, y_axis: Axis) -> Iterator[Element]:
    """Write each game's name left or right of the higher of its points, the slowest game first, if there is room."""
    taken = [(x_axis.place(point.positions), y_axis.place(point.seconds)) for point in points]
    highest = {point.game: point for point in sorted(points, key=lambda point: point.seconds)}
    for game, point in sorted(highest.items(), key=lambda item: -item[1].seconds):
        x, y = x_axis.place(point.positions), y_axis.place(point.seconds)
        for middle, anchor in ((x - _NAME, "end"), (x + _NAME, None)):
            free = all(abs(middle - other) > _NAME - 1 or abs(y - height) > 9 for other, height in taken)
            if free and _LEFT < middle < _WIDTH - _RIGHT:
                taken += [(middle, y), (2 * middle - x, y)]
                yield text(x + (-8 if anchor else 8), y + 4, game, 11, anchor=anchor, ink=PALE)
                break


def _mark(i: int, x: float, y: float, title: str) -> Element:
    return element("path", element("title", title), d=_SHAPES[i], transform=place(x, y), fill=SERIES[i])


def _duration(seconds: float) -> str:
    return f"{seconds:,g} s" if seconds >= 1 else f"{seconds * 1e3:g} ms"
