"""The axes of charts: scales from numbers to places, with ticks at round numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

__all__ = ["Axis", "format_number", "linear_axis", "log_axis", "power_of_ten"]

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
