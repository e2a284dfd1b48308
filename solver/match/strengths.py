"""Name the strengths of an opponent that asks the table."""

from typing import Final

__all__ = ["STRENGTHS", "graded_spec"]

STRENGTHS: Final = {"perfect": 100.0, "strong": 90.0, "medium": 65.0, "weak": 35.0, "random": 0.0}
"""By name, the strongest first: the chance in percent that a move is meant to be a best one. The page has the same."""


def graded_spec(percent: float) -> str:
    """Return the engine of a strength, as `solver.engines.contract.make_engine` reads it.

    >>> graded_spec(STRENGTHS["medium"]), graded_spec(12.5)
    ('graded:strength=0.65', 'graded:strength=0.125')
    """
    return f"graded:strength={percent / 100}"
