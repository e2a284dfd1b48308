"""Repeat the experiments of the five notebooks, and list the notebooks' numbers beside those measured here.

Each module in NAMES represents one notebook. It has functions and classes of the notebook, and `run() -> list[Row]`,
which measures the notebook's numbers. The first line of the module's docstring is the title.
"""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Final

NAMES: Final = ("aima", "alpha_beta", "and_or_search", "game_trees", "temporal_difference")

_SECONDS: Final = 0.2  # the length of a measurement, unless a single call takes longer


@dataclass(frozen=True)
class Row:
    """One figure: the value that a notebook prints, and the value measured here."""

    what: str
    theirs: str | int | float  # the figure that the notebook prints; "" if it keeps none
    ours: str | int | float | None  # the figure measured here
    exact: bool = True  # whether both must agree: not for random games, times, or a wrong figure, as `note` explains
    note: str = ""

    @property
    def agrees(self) -> bool:
        """True if the two values agree, or need not agree."""
        return not self.exact or self.theirs == self.ours


def time_decision(what: str, theirs: float, decide: Callable[[], object]) -> Row:
    """Time `decide`; return a row with its time in seconds and `theirs`, the notebook's time on another machine."""
    decide()  # the first call may compile
    began, calls, seconds = perf_counter(), 0, 0.0
    while seconds < _SECONDS:
        decide()
        calls += 1
        seconds = perf_counter() - began
    note = f"another machine; ours is {theirs * calls / seconds:,.0f} times as fast"
    return Row(f"seconds of {what}", theirs, float(f"{seconds / calls:.3g}"), exact=False, note=note)
