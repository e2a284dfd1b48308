"""Collect the findings of a check, and report them."""

from __future__ import annotations

from dataclasses import dataclass, field

from solver.store.schema import Metric

MOST_PROBLEMS = 10


@dataclass(frozen=True)
class CheckReport:
    """The result of checking one table."""

    game: str
    metric: Metric
    digest: str | None
    """The digest computed from what was read, None when not all of it was."""
    positions: int
    """The number of positions whose value was compared."""
    successors: int
    """The number of values one move later that they were compared with."""
    problems: tuple[str, ...]
    """At most MOST_PROBLEMS sentences; none when the table is right."""

    @property
    def ok(self) -> bool:
        """True if nothing is wrong."""
        return not self.problems


@dataclass
class Findings:
    """The findings of a check that is going on."""

    digest: str | None = None
    positions: int = 0
    successors: int = 0
    problems: list[str] = field(default_factory=list)

    def add(self, problem: str) -> None:
        """Add a problem, a sentence, unless there are enough already."""
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)

    def compare_digest(self, digest: str, stored: str | None) -> None:
        """Keep the computed digest, and add a problem unless the table has the same."""
        self.digest = digest
        if digest != stored:
            self.add(f"The digest of the values is {digest}, but the table says {stored}.")

    def report(self, game: str, metric: Metric) -> CheckReport:
        """Make the report."""
        return CheckReport(game, metric, self.digest, self.positions, self.successors, tuple(self.problems))
