"""Show what an exercise has come to beside its targets, with a tick at each that is reached.

>>> goals(score=(0.9086, ">= 1"), wrong_values=(0, "= 0"))
- score: 0.9086, target: at least 1
✓ wrong values: 0, target: 0
"""

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from typing import Final

_RELATIONS: Final[dict[str, tuple[str, Callable[[float, float], bool]]]] = {
    "=": ("", operator.eq),
    ">=": ("at least ", operator.ge),
    ">": ("more than ", operator.gt),
    "<": ("less than ", operator.lt),
}


@dataclass(frozen=True)
class Goal:
    """One figure of an exercise, and what it should be."""

    name: str
    value: float
    target: str
    """A relation and a number: `= 0`, `>= 1`, `> 0.9` or `< 10000`."""

    @property
    def is_reached(self) -> bool:
        """Whether the figure is as it should be."""
        relation, number = self.target.split()
        return _RELATIONS[relation][1](self.value, float(number))

    def words(self) -> tuple[str, str, str, str]:
        """Write the tick, the name, the figure and the target."""
        relation, number = self.target.split()
        target = f"{_RELATIONS[relation][0]}{_written(float(number))}"
        return "✓" if self.is_reached else "-", self.name.replace("_", " "), _written(self.value), target


@dataclass(frozen=True)
class Goals:
    """The figures of an exercise; a notebook shows them as a table."""

    found: tuple[Goal, ...]

    @property
    def are_reached(self) -> bool:
        """Whether all are."""
        return all(goal.is_reached for goal in self.found)

    def __repr__(self) -> str:
        return "\n".join(f"{tick} {name}: {value}, target: {target}" for tick, name, value, target in self._rows())

    def _repr_html_(self) -> str:
        head = "".join(f'<th style="text-align:left">{word}</th>' for word in ("", "result", "", "target"))
        rows = ("".join(f'<td style="text-align:left">{escape(word)}</td>' for word in row) for row in self._rows())
        return f"<table><tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"

    def _rows(self) -> Iterator[tuple[str, str, str, str]]:
        return (goal.words() for goal in self.found)


def goals(**found: tuple[float, str]) -> Goals:
    """Take figures by name, each with its target."""
    return Goals(tuple(Goal(name, value, target) for name, (value, target) in found.items()))


def _written(value: float) -> str:
    """Write a figure; true and false are yes and no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,.0f}" if value == int(value) else f"{value:.4f}".rstrip("0")
