"""What was found out about an engine: counts, grades, a score, and the groups of its blunders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING, Any

from solver.game.rules import Rules
from solver.verification.baseline import Baseline
from solver.verification.beat import Beating
from solver.verification.contract import Failure
from solver.verification.grade import SEVERITY, Blunder, Verdict
from solver.verification.groups import Group

if TYPE_CHECKING:
    from solver.verification.helpers import HelperCheck
    from solver.verification.values import StatedValues

__all__ = ["Report", "Scope"]

_Z = 1.959964  # of the normal distribution, for 95 %
_SHOWN = 2  # groups of blunders in a notebook


@dataclass(frozen=True)
class Scope:
    """Which positions were asked: `all`, `play`, `sample` or `given`; `total` is how many the game has, if known."""

    kind: str
    total: int | None = None
    seed: int | None = None


@dataclass(frozen=True)
class Report:
    """Everything that was found out about one engine in one game.

    verdicts: one for each position asked. groups: its blunders by symmetry. beatings: for side `X` and `O`, where
    that was tried. helpers, values: the checks of what else it offers. again: how to ask it again, as a text with
    `{}` for the position. baseline: what was known to be wrong before.
    `float(report)` is the score, `bool(report)` whether it passes.
    """

    rules: Rules
    engine: str
    convention: str
    notes: tuple[str, ...]
    scope: Scope
    verdicts: Sequence[Verdict]
    groups: Sequence[Group]
    beatings: Mapping[str, Beating]
    again: str
    helpers: Sequence[HelperCheck] = ()
    values: StatedValues | None = None
    repeat: int = 1
    seconds: float = 0.0
    baseline: Baseline | None = None

    @cached_property
    def faults(self) -> Counter[str]:
        """How many positions have each kind of fault."""
        return Counter(verdict.fault.value for verdict in self.verdicts if verdict.fault)

    @property
    def positions(self) -> int:
        """How many positions were asked."""
        return len(self.verdicts)

    @property
    def blunders(self) -> int:
        """How many moves made the result worse."""
        return sum(self.faults[kind] for kind in Blunder)

    @property
    def failures(self) -> int:
        """In how many positions it failed otherwise: no legal move, or a right one on a board that it changed."""
        return sum(self.faults[kind] for kind in Failure)

    @cached_property
    def missed_wins_in_one(self) -> int:
        """How often it could have won on the spot, and moved elsewhere."""
        return sum(verdict.missed_win_in_one for verdict in self.verdicts)

    @cached_property
    def slow_wins(self) -> int:
        """How often it kept a win, but not the shortest."""
        return sum(verdict.slow_win for verdict in self.verdicts)

    @cached_property
    def short_defences(self) -> int:
        """How often it was lost, and could have held out for longer."""
        return sum(verdict.short_defence for verdict in self.verdicts)

    @cached_property
    def unstable(self) -> int:
        """In how many positions its answers differed."""
        return sum(verdict.unstable for verdict in self.verdicts)

    @cached_property
    def changed_boards(self) -> int:
        """In how many positions it changed the board that it was given."""
        return sum(verdict.changed_board for verdict in self.verdicts)

    @property
    def keeps_the_value(self) -> bool:
        """The first grade, the pass: a legal move in every position asked, and never a worse result."""
        return not self.faults

    @property
    def is_fastest(self) -> bool | None:
        """The second grade: the shortest win, the longest defence. None where the table knows no distances."""
        if any(verdict.value.wdl and verdict.value.distance is None for verdict in self.verdicts):
            return None
        return self.keeps_the_value and not self.slow_wins and not self.short_defences

    @property
    def takes_wins_in_one(self) -> bool:
        """The third grade: it never misses a win on the spot (and always moves)."""
        return not self.missed_wins_in_one and not self.failures

    @property
    def score(self) -> float:
        """The share of the positions asked in which it keeps the value; 1 for an engine that passes."""
        return 1 - (self.blunders + self.failures) / self.positions if self.positions else 1.0

    @property
    def interval(self) -> tuple[float, float] | None:
        """Of a sample: the 95 % confidence interval of the score over all positions (Wilson 1927)."""
        if self.scope.kind != "sample":
            return None
        n, share = self.positions, self.score
        centre, half = share + _Z**2 / (2 * n), _Z * sqrt(share * (1 - share) / n + _Z**2 / (4 * n * n))
        return max(0.0, (centre - half) / (1 + _Z**2 / n)), min(1.0, (centre + half) / (1 + _Z**2 / n))

    @property
    def worse(self) -> tuple[Verdict, ...]:
        """The faults that the baseline does not know; without one, all of them. The worst kind first."""
        wrong = [verdict for verdict in self.verdicts if verdict.fault]
        if self.baseline is not None:
            wrong = [verdict for verdict in wrong if self.baseline.is_news(verdict)]
        return tuple(sorted(wrong, key=_worst_first))

    @property
    def passed(self) -> bool:
        """Whether it keeps the value everywhere or, with a baseline, is nowhere worse than that.

        A sample may miss what beats it, so being beaten in a game that is not lost anyway counts as well.
        """
        known = self.baseline.beaten if self.baseline else frozenset()
        unduly = {side for side, beating in self.beatings.items() if beating.beaten and not beating.lost_anyway}
        return not self.worse and unduly <= known

    @property
    def exit_code(self) -> int:
        """What `mnk verify` ends with: 0 if it passes, else 1."""
        return 0 if self.passed else 1

    def __float__(self) -> float:
        return self.score

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        return self.format("text")

    def __repr__(self) -> str:
        verdict = "passed" if self.passed else "failed"
        return f"<Report of {self.engine} on {self.rules}: {verdict}, score {self.score:.4f}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the answers and the worst groups of blunders; `format("html")` has more."""
        from solver.verification.formats.as_html import render_piece

        return render_piece(self, _SHOWN)

    def format(self, name: str = "text") -> str:
        """The report as text in one of `solver.verification.formats.FORMATS`; raises EngineError for another."""
        from solver.verification.formats import formatted

        return formatted(self, name)

    def json(self) -> dict[str, Any]:
        """The report as an object for JSON."""
        from solver.verification.formats.as_json import facts

        return facts(self)

    def command(self, verdict: Verdict) -> str:
        """What to type to see a verdict again."""
        return self.again.format(verdict.position.board)


def _worst_first(verdict: Verdict) -> tuple[int, int, int]:
    if verdict.fault is None:
        raise AssertionError("only faults are sorted")
    return -SEVERITY.index(verdict.fault), verdict.position.ply, verdict.position.hash
