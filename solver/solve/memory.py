"""Fit the levels of a build into memory: which of them stay there, and which are mapped from files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from solver.solve.plan import BuildPlan

__all__ = ["BASE_BYTES", "MemoryPlan", "plan_memory"]

BASE_BYTES = 200_000_000
"""The interpreter, the libraries, the compiled kernels, and pages on their way to the file."""


class MemoryPlan(NamedTuple):
    """The memory of a build."""

    peak: int  # bytes of the process while levels are solved, without what it maps from files
    mapped: int  # bytes of levels that are mapped from files
    fits: tuple[bool, ...]  # for each of BuildPlan.arenas: whether it stays in memory


def plan_memory(plan: BuildPlan, budget: int | None, threads: int) -> MemoryPlan:
    """Decide what stays in memory within a budget in bytes (None: everything) for so many threads."""
    fixed = BASE_BYTES + plan.tables + threads * plan.scratch
    fits = _fitting(plan.arenas, None if budget is None else max(budget - fixed, 0))
    resident = sum(size for size, inside in zip(plan.arenas, fits, strict=True) if inside)
    return MemoryPlan(fixed + resident, sum(plan.arenas) - resident, fits)


def _fitting(arenas: Sequence[int], budget: int | None) -> tuple[bool, ...]:
    """Give room to the smaller arena first, as it is likelier to fit."""
    left = sum(arenas) if budget is None else budget
    fits = [False] * len(arenas)
    for i in sorted(range(len(arenas)), key=arenas.__getitem__):
        fits[i] = arenas[i] <= left
        left -= arenas[i] if fits[i] else 0
    return tuple(fits)
