"""How well an opponent plays that asks the table: the strengths that have a name."""

from typing import Final

__all__ = ["STRENGTHS", "engine_of"]

STRENGTHS: Final = {"perfect": 100.0, "strong": 90.0, "medium": 65.0, "weak": 35.0, "random": 0.0}
"""By name, the strongest first: the chance in percent that a move is meant to be a best one. Also those of the page."""


def engine_of(percent: float) -> str:
    """The engine of a strength, as `solver.engines.contract.make_engine` reads it.

    >>> engine_of(STRENGTHS["medium"]), engine_of(12.5)
    ('graded:strength=0.65', 'graded:strength=0.125')
    """
    return f"graded:strength={percent / 100}"
