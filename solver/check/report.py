"""What a check finds, collected and reported."""

from __future__ import annotations

from dataclasses import dataclass, field

from solver.store.schema import Metric

MOST_PROBLEMS = 10


@dataclass(frozen=True)
class CheckReport:
    """The result of checking one table.

    game, metric: what the table holds. digest: as computed from what was read, None when not all of it was.
    positions: how many had their value compared; successors: how many values were looked at for that.
    problems: one sentence each, at most MOST_PROBLEMS; none when the table is right.
    """

    game: str
    metric: Metric
    digest: str | None
    positions: int
    successors: int
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


@dataclass
class Findings:
    """The same while the check is going on."""

    digest: str | None = None
    positions: int = 0
    successors: int = 0
    problems: list[str] = field(default_factory=list)

    def add(self, problem: str) -> None:
        """Note a problem, a sentence, unless there are enough already."""
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)

    def compare_digest(self, digest: str, stored: str | None) -> None:
        """Note the digest, and whether it is the one that the table claims."""
        self.digest = digest
        if digest != stored:
            self.add(f"The digest of the values is {digest}, but the table says {stored}.")

    def report(self, game: str, metric: Metric) -> CheckReport:
        """What has been found, for good."""
        return CheckReport(game, metric, self.digest, self.positions, self.successors, tuple(self.problems))
