"""One measured figure, and the clock it is measured with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Figure:
    """What was measured.

    `bound` is what was asked for; `ratio` says how many times `other` it is; `detail` holds what else a program
    that reads the figures may want to know.
    """

    what: str
    value: float
    unit: str
    bound: str = ""
    ratio: float | None = None
    other: str = ""
    detail: dict[str, str | float] = field(default_factory=dict)

    def cells(self) -> tuple[str, str, str, str]:
        """What, how much, how many times something else, and what was asked for."""
        ratio = "" if self.ratio is None else f"{number(self.ratio)} times {self.other}"
        return self.what, f"{number(self.value)} {self.unit}".rstrip(), ratio, self.bound

    def text(self) -> str:
        """The figure in words."""
        what, value, ratio, bound = self.cells()
        return f"{what}: {'; '.join(filter(None, (value, ratio, bound and f'asked for: {bound}')))}"


def number(value: float) -> str:
    """Three digits, and the ones before the point in full.

    >>> number(0.012345), number(3.14159), number(12345.6)
    ('0.0123', '3.14', '12,346')
    """
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def seconds(work: Callable[[], object], repeat: int = 5) -> float:
    """The median time of a piece of work, after one run that warms it up."""
    work()
    return median(timed(work)[0] for _ in range(repeat))


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """(seconds, result) of a piece of work."""
    start = perf_counter()
    result = work()
    return perf_counter() - start, result
