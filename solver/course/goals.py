"""Show the figures of an exercise beside their targets, with a tick for each target that is reached.

>>> goals(score=(0.9086, ">= 1"), wrong_values=(0, "= 0"))
- score: 0.9086, target: at least 1
✓ wrong values: 0, target: 0
"""

import operator
from collections.abc import Callable
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
class Goals:
    """The figures of an exercise by name, each with its target; a notebook shows them as a table."""

    found: dict[str, tuple[float, str]]

    @property
    def are_reached(self) -> bool:
        """Whether all targets are reached."""
        return all(tick == "✓" for tick, *_ in self._rows())

    def __repr__(self) -> str:
        return "\n".join(f"{tick} {name}: {value}, target: {target}" for tick, name, value, target in self._rows())

    def _repr_html_(self) -> str:
        head = "".join(f'<th style="text-align:left">{word}</th>' for word in ("", "result", "", "target"))
        rows = ("".join(f'<td style="text-align:left">{escape(word)}</td>' for word in row) for row in self._rows())
        return f"<table><tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"

    def _rows(self) -> list[tuple[str, str, str, str]]:
        rows = []
        for name, (value, target) in self.found.items():
            relation, number = target.split()
            words, is_reached = _RELATIONS[relation]
            tick = "✓" if is_reached(value, float(number)) else "-"
            rows.append((tick, name.replace("_", " "), _format(value), words + _format(float(number))))
        return rows


def goals(**found: tuple[float, str]) -> Goals:
    """Return figures by name with their targets, such as `score=(0.9, ">= 1")`; relations are =, >=, > and <."""
    return Goals(found)


def _format(value: float) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,.0f}" if value == int(value) else f"{value:.4f}".rstrip("0")
