"""What came of holding somebody's table against ours."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.values import StatedValues

__all__ = ["Coverage", "Disagreement", "Part", "Skipped", "TableReport"]


@dataclass(frozen=True)
class Disagreement:
    """Where the table is wrong: what it says and what is true, in words; `kind` sorts them, `where` is its row."""

    kind: str
    position: Position
    where: str
    said: str
    true: str


@dataclass(frozen=True)
class Skipped:
    """A row that was not compared, and why."""

    where: str
    reason: str


@dataclass(frozen=True)
class Part:
    """One thing that was compared, `values`, `distances` or `moves`: how often it was stated, and how often right.

    slow: of right moves, how many are not the quickest win or the longest defence.
    """

    name: str
    read_as: str
    stated: int
    right: int
    slow: int = 0


@dataclass(frozen=True)
class Coverage:
    """How many positions the game has, how many are there, and how many of those up to symmetry.

    Where they are few enough to look: live, live_total: those with a move to make, there and in the game; missing:
    the first of those that are not there. None, and nothing, for larger games.
    """

    total: int
    there: int
    classes_total: int | None = None
    classes: int | None = None
    live_total: int | None = None
    live: int | None = None
    missing: tuple[Position, ...] = ()


@dataclass(frozen=True)
class TableReport:
    """The whole comparison. `bool(report)`: whether all that was compared agrees.

    repeated: rows whose position an earlier one had. values: the figures of the stated values, None without any.
    """

    rules: Rules
    file: str
    rows: int
    repeated: int
    unreadable: Sequence[Skipped]
    impossible: Sequence[Skipped]
    parts: Sequence[Part]
    values: StatedValues | None
    disagreements: Sequence[Disagreement]
    coverage: Coverage
    notes: Sequence[str] = ()

    @cached_property
    def kinds(self) -> Counter[str]:
        """How many disagreements there are of each kind, the most frequent first."""
        return Counter(dict(Counter(one.kind for one in self.disagreements).most_common()))

    @cached_property
    def wrong(self) -> int:
        """In how many positions there is a disagreement."""
        return len({one.position for one in self.disagreements})

    @property
    def is_complete(self) -> bool:
        """Whether every row was compared, and no position, up to symmetry where that is known, is missing."""
        coverage = self.coverage
        whole = coverage.there == coverage.total
        if coverage.classes is not None:
            whole = coverage.classes == coverage.classes_total
        return whole and not self.unreadable and not self.impossible

    def __bool__(self) -> bool:
        return not self.disagreements

    def command(self, position: Position) -> str:
        """What to type to see the truth about a position."""
        return f"mnk query {self.rules.name} {position.board}"
