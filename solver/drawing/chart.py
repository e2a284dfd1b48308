"""Line charts as small pictures: panels one above the other that share the horizontal axis and the legend.

Lines differ by their dashes as well as by colour, so that those who do not see colours can tell them apart. An axis
goes from numbers to places, with ticks at round numbers.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from solver.drawing.canvas import Element, element, page, svg, text
from solver.drawing.palette import GRID, PALE, SERIES, Colour

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Axis:
    """A scale from numbers `low` to `high` to places `start` to `end` in a picture."""

    ticks: Sequence[float]
    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def place(self, value: float) -> float:
        """Give the place of a number, to a tenth of a unit."""
        low, high = self._scaled(self.low), self._scaled(self.high)
        return round(self.start + (self._scaled(value) - low) / (high - low) * (self.end - self.start), 1)

    def _scaled(self, value: float) -> float:
        return log10(value) if self.log else value


def linear_axis(low: float, high: float, start: float, end: float) -> Axis:
    """Make an axis around two numbers, with three to seven ticks at multiples of 1, 2 or 5 times a power of ten."""
    length = high - low or 1.0
    power = 10.0 ** floor(log10(length / 3))
    step = next(digit * power for digit in (5, 2, 1) if digit * power <= length / 2.9)
    low = floor(low / step) * step
    high = max(ceil(high / step - 1e-9) * step, low + step)
    ticks = [low + i * step for i in range(round((high - low) / step) + 1)]
    return Axis(ticks, low, high, start, end)


def log_axis(low: float, high: float, start: float, end: float) -> Axis:
    """Make a logarithmic axis around two positive numbers, with ticks at powers of ten, at most ten of them."""
    first = floor(log10(low))
    powers = range(first, max(ceil(log10(high)), first + 1) + 1)
    ticks = [10.0**power for power in powers[:: ceil(len(powers) / 10)]]
    return Axis(ticks, 10.0 ** powers[0], 10.0 ** powers[-1], start, end, log=True)


def format_number(value: float) -> str:
    """Write the number of a tick.

    >>> format_number(2500), format_number(20_000), format_number(3e6), format_number(2e12)
    ('2,500', '20k', '3M', '2·10¹²')
    """
    if value < 1e4:
        return f"{value:,.6g}"
    if value < 1e9:
        return f"{value / 1e3:,g}k" if value < 1e6 else f"{value / 1e6:,g}M"
    power = floor(log10(value))
    factor = f"{value / 10.0**power:g}·".removeprefix("1·")
    return f"{factor}{power_of_ten(power)}"


def power_of_ten(power: int) -> str:
    """Write a power of ten with its exponent raised."""
    return f"10{str(power).translate(_SUPERSCRIPTS)}"


_WIDTH, _PANEL, _GAP = 720, 210, 46  # in units of the picture
_LEFT, _RIGHT, _TOP, _BOTTOM, _ROW = 64, 20, 34, 48, 20
_DASHES = (None, "7 4", "2 4", "12 4 2 4")

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Panel:
    """One diagram."""

    title: str
    """What is measured."""
    lines: Mapping[str, Points]
    """(x, y) points by the name of their line, x ascending."""


def svg_chart(
    panels: Sequence[Panel],
    *,
    title: str,
    x_label: str,
    log_x: bool = False,
    log_y: bool = False,
    description: str = "",
    dark: bool = False,
) -> str:
    """Draw the panels as an SVG element.

    All panels have the same lines by name. The vertical axes begin at 0 and the values are not negative.
    log_x, log_y: a logarithmic horizontal axis, or vertical axes, on which points below 1 are left out.
    description: the figures in words, for screen readers. dark: for dark screens too.
    Raises ValueError when no point is left.
    """
    shown = [_lines_with_places(panel, log_x, log_y) for panel in panels]
    xs = [x for lines in shown for line in lines.values() for x, _ in line]
    if not xs:
        raise ValueError("a chart needs at least one point")
    legend = [*_legend([*panels[0].lines])]
    top = _TOP + _ROW * ceil(len(legend) / 2)
    height = top + len(panels) * (_PANEL + _GAP) - _GAP + _BOTTOM
    x_axis = (log_axis if log_x else linear_axis)(min(xs), max(xs), _LEFT, _WIDTH - _RIGHT)
    parts = [text(_LEFT, 22, title, 15, font_weight=600), *legend]
    for i, (panel, lines) in enumerate(zip(panels, shown, strict=True)):
        upper = top + i * (_PANEL + _GAP) + 24
        largest = max((y for line in lines.values() for _, y in line), default=0)
        y_range = (upper + _PANEL - 24, upper)
        y_axis = log_axis(1, max(largest, 1), *y_range) if log_y else linear_axis(0, largest or 1, *y_range)
        parts += _panel(panel.title, lines, x_axis, y_axis)
    parts.append(text(_WIDTH - _RIGHT, height - 10, x_label, 12, anchor="end"))
    return svg(page(_WIDTH, height, parts, title=title, description=description), dark=dark)


def _lines_with_places(panel: Panel, log_x: bool, log_y: bool) -> dict[str, Points]:
    def has_place(x: float, y: float) -> bool:
        return (not log_x or x >= 1) and (not log_y or y >= 1)

    return {name: [point for point in line if has_place(*point)] for name, line in panel.lines.items()}


def _panel(title: str, lines: Mapping[str, Points], x_axis: Axis, y_axis: Axis) -> Iterator[Element]:
    lower, upper = y_axis.start, y_axis.end
    yield text(_LEFT, upper - 9, title, 12, font_weight=600)
    for tick in y_axis.ticks:
        y = y_axis.place(tick)
        yield _line(f"M{_LEFT} {y:g}H{_WIDTH - _RIGHT}", GRID if tick else PALE)
        yield text(_LEFT - 8, y + 4, format_number(tick), 11, anchor="end", ink=PALE)
    for tick in x_axis.ticks:
        x = x_axis.place(tick)
        yield _line(f"M{x:g} {lower:g}v5", PALE)
        yield text(x, lower + 18, format_number(tick), 11, anchor="middle", ink=PALE)
    for i, line in enumerate(lines.values()):
        places = [f"{x_axis.place(x):g},{y_axis.place(y):g}" for x, y in line]
        yield _stroke("polyline", i, points=" ".join(places))


def _legend(names: Sequence[str]) -> Iterator[Element]:
    """Draw a sample and the name of each line, two a row; nothing when there is only one line."""
    for i, name in enumerate(names if len(names) > 1 else ()):
        x = _LEFT + i % 2 * (_WIDTH - _LEFT - _RIGHT) / 2
        y = _TOP + 8 + i // 2 * _ROW
        yield element("g", _stroke("path", i, d=f"M{x:g} {y}h30"), text(x + 38, y + 4, name, 12))


def _stroke(tag: str, i: int, **shape: str) -> Element:
    """Draw a shape as the line of this number."""
    dashes = _DASHES[i % len(_DASHES)]
    colour = SERIES[i % len(SERIES)]
    join = {"stroke_linejoin": "round", "stroke_dasharray": dashes}
    return element(tag, **shape, fill="none", stroke=colour, stroke_width=2.2, **join)


def _line(path: str, ink: Colour) -> Element:
    return element("path", d=path, stroke=ink, stroke_width=1)
