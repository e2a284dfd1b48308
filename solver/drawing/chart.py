"""Line charts as small SVG pictures: panels one above the other that share the horizontal axis and the legend.

Lines differ by their dashes as well as by colour (the palette of Okabe and Ito), so that those who don't see
colours can tell them apart.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

__all__ = ["Panel", "svg_chart"]

_WIDTH, _PANEL, _GAP = 720, 210, 46  # in units of the picture
_LEFT, _RIGHT, _TOP, _BOTTOM, _ROW = 64, 20, 34, 48, 20
_INK, _PALE, _GRID = "#3d3a34", "#6b675e", "#e4e1d8"
_FONT = 'font-family="system-ui, sans-serif"'
_COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]
_DASHES = ["", "7 4", "2 4", "12 4 2 4"]

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Panel:
    """One diagram: its title, which names what is measured, and lines of (x, y) points by name, x ascending."""

    title: str
    lines: Mapping[str, Points]


@dataclass(frozen=True)
class _Axis:
    """A scale from numbers to places in the picture."""

    ticks: list[float]
    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def place(self, value: float) -> float:
        low, high = self._scaled(self.low), self._scaled(self.high)
        return self.start + (self._scaled(value) - low) / (high - low) * (self.end - self.start)

    def _scaled(self, value: float) -> float:
        return log10(value) if self.log else value


def svg_chart(
    panels: Sequence[Panel],
    *,
    title: str,
    x_label: str,
    log_x: bool = False,
    log_y: bool = False,
    description: str = "",
) -> str:
    """The panels as an SVG element.

    All panels have the same lines by name. The vertical axes begin at 0 and the values are not negative.
    log_x, log_y: a logarithmic horizontal axis, or vertical axes, on which points below 1 are left out.
    description: the figures in words, for screen readers. Raises ValueError when no point is left.
    """
    shown = [_shown(panel, log_x, log_y) for panel in panels]
    points = [point for lines in shown for line in lines.values() for point in line]
    if not points:
        raise ValueError("a chart needs at least one point")
    legend = list(_legend([*panels[0].lines]))
    top = _TOP + _ROW * ceil(len(legend) / 2)
    height = top + len(panels) * (_PANEL + _GAP) - _GAP + _BOTTOM
    x_axis = _x_axis([x for x, _ in points], log_x)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" '
        f'height="{height}" role="img">',
        f"<title>{escape(title)}</title>",
        *([f"<desc>{escape(description)}</desc>"] if description else []),
        f'<rect width="{_WIDTH}" height="{height}" rx="14" fill="#ffffff"/>',
        _text(_LEFT, 22, title, 15, weight=600),
        *legend,
    ]
    for i, (panel, lines) in enumerate(zip(panels, shown, strict=True)):
        upper = top + i * (_PANEL + _GAP) + 24
        parts += _panel(panel.title, lines, x_axis, upper, upper + _PANEL - 24, log_y)
    return "\n".join([*parts, _text(_WIDTH - _RIGHT, height - 10, x_label, 12, anchor="end"), "</svg>"])


def _shown(panel: Panel, log_x: bool, log_y: bool) -> dict[str, Points]:
    def has_place(x: float, y: float) -> bool:
        return (not log_x or x >= 1) and (not log_y or y >= 1)

    return {name: [point for point in line if has_place(*point)] for name, line in panel.lines.items()}


def _panel(
    title: str, lines: Mapping[str, Points], x_axis: _Axis, upper: int, lower: int, log_y: bool
) -> Iterator[str]:
    y_axis = _y_axis([y for line in lines.values() for _, y in line], upper, lower, log_y)
    yield _text(_LEFT, upper - 9, title, 12, weight=600)
    for tick in y_axis.ticks:
        y = y_axis.place(tick)
        yield _line(_LEFT, y, _WIDTH - _RIGHT, y, _GRID if tick else _PALE)
        yield _text(_LEFT - 8, y + 4, _number(tick), 11, anchor="end", ink=_PALE)
    for tick in x_axis.ticks:
        x = x_axis.place(tick)
        yield _line(x, lower, x, lower + 5, _PALE)
        yield _text(x, lower + 18, _number(tick), 11, anchor="middle", ink=_PALE)
    for i, line in enumerate(lines.values()):
        places = [f"{x_axis.place(x):.1f},{y_axis.place(y):.1f}" for x, y in line]
        yield f'<polyline points="{" ".join(places)}" {_stroke(i)}/>'


def _legend(names: Sequence[str]) -> Iterator[str]:
    """A sample and the name of each line, two a row; nothing when there is only one line."""
    for i, name in enumerate(names if len(names) > 1 else ()):
        x = _LEFT + i % 2 * (_WIDTH - _LEFT - _RIGHT) / 2
        y = _TOP + 8 + i // 2 * _ROW
        yield (f'<g><path d="M{x:g} {y}h30" {_stroke(i)}/>{_text(x + 38, y + 4, name, 12)}</g>')


def _x_axis(values: Sequence[float], log: bool) -> _Axis:
    low, high = min(values), max(values)
    if log:
        low, high, ticks = _powers(low, high)
    else:
        step = _step(high - low or 1.0)
        low = floor(low / step) * step
        high = max(ceil(high / step) * step, low + step)
        ticks = _multiples(low, high, step)
    return _Axis(ticks, low, high, _LEFT, _WIDTH - _RIGHT, log)


def _powers(low: float, high: float) -> tuple[float, float, list[float]]:
    """The powers of ten around two numbers, and those between them that get a tick."""
    low, high = 10.0 ** floor(log10(low)), 10.0 ** max(ceil(log10(high)), floor(log10(low)) + 1)
    powers = range(round(log10(low)), round(log10(high)) + 1)
    return low, high, [10.0**power for power in powers[:: ceil(len(powers) / 10)]]


def _y_axis(values: Sequence[float], upper: int, lower: int, log: bool) -> _Axis:
    if log:
        low, high, ticks = _powers(1, max(values, default=1))
        return _Axis(ticks, low, high, lower, upper, log)
    largest = max(values, default=0) or 1.0
    step = _step(largest)
    high = ceil(largest / step - 1e-9) * step
    return _Axis(_multiples(0, high, step), 0, high, lower, upper)


def _step(length: float) -> float:
    """The distance of ticks, 1, 2 or 5 times a power of ten, that gives three to seven of them."""
    power = 10.0 ** floor(log10(length / 3))
    return float(next(digit * power for digit in (5, 2, 1) if digit * power <= length / 2.9))


def _multiples(low: float, high: float, step: float) -> list[float]:
    return [low + i * step for i in range(round((high - low) / step) + 1)]


def _number(value: float) -> str:
    if value < 1e4:
        return f"{value:,.6g}"
    if value < 1e9:
        return f"{value / 1e3:,g}k" if value < 1e6 else f"{value / 1e6:,g}M"
    power = floor(log10(value))
    factor = f"{value / 10.0**power:g}·".removeprefix("1·")
    return f"{factor}10{str(power).translate(_SUPERSCRIPTS)}"


def _stroke(i: int) -> str:
    dashes = f' stroke-dasharray="{dash}"' if (dash := _DASHES[i % len(_DASHES)]) else ""
    colour = _COLOURS[i % len(_COLOURS)]
    return f'fill="none" stroke="{colour}" stroke-width="2.2" stroke-linejoin="round"{dashes}'


def _line(x1: float, y1: float, x2: float, y2: float, ink: str) -> str:
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{ink}" stroke-width="1"/>'


def _text(
    x: float, y: float, text: str, size: int, *, anchor: str = "start", ink: str = _INK, weight: int = 400
) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} font-size="{size}" font-weight="{weight}" fill="{ink}" {_FONT}>{escape(text)}</text>'
