"""Measured figures, and functions that measure time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Figure:
    """A measured figure.

    `bound` is the requirement. The value is `ratio` times that of `other`. `detail` has more facts, for programs that
    read the figures.
    """

    what: str
    value: float
    unit: str
    bound: str = ""
    ratio: float | None = None
    other: str = ""
    detail: dict[str, str | float] = field(default_factory=dict)

    def cells(self) -> tuple[str, str, str, str]:
        """Return the cells of a row: the name, the value, the ratio and the requirement."""
        ratio = "" if self.ratio is None else f"{number(self.ratio)} times {self.other}"
        return self.what, f"{number(self.value)} {self.unit}".rstrip(), ratio, self.bound

    def text(self) -> str:
        """Return the figure as one line of text."""
        what, value, ratio, bound = self.cells()
        return f"{what}: {'; '.join(filter(None, (value, ratio, bound and f'required: {bound}')))}"


def number(value: float) -> str:
    """Format a number with three significant digits, but with all digits before the point.

    >>> number(0.012345), number(3.14159), number(12345.6)
    ('0.0123', '3.14', '12,346')
    """
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def seconds(work: Callable[[], object], repeat: int = 5) -> float:
    """Return the median time of a function in seconds, after one call to warm up."""
    work()
    return median(timed(work)[0] for _ in range(repeat))


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Call a function; return the seconds it took, and its result."""
    start = perf_counter()
    result = work()
    return perf_counter() - start, result
