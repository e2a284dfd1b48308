"""Keep what was found out about an engine, or why nothing was.

Beside an earlier report only what got worse counts.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from math import floor, sqrt
from pathlib import Path
from typing import Final

from solver.errors import EngineError
from solver.game.rules import Rules
from solver.verification.contract import Failure
from solver.verification.grade import SEVERITY, Blunder, BlunderGroup, Verdict
from solver.verification.helpers import HelperCheck
from solver.verification.positions import Scope
from solver.verification.readings import ReadingResult
from solver.verification.refutation import Refutation
from solver.verification.stated_values import StatedValues

_RANKS = {kind.value: rank for rank, kind in enumerate(SEVERITY)}


@dataclass(frozen=True)
class Baseline:
    """The faults that were known before."""

    name: str
    """The file it was read from."""

    faults: Mapping[int, str]
    """The kind of fault by the hash of the position."""

    beaten: frozenset[str] = frozenset()
    """The sides `X`, `O` that were beaten."""

    def is_worse(self, verdict: Verdict) -> bool:
        """Return True for a fault in a position that was right before, or a worse one than before."""
        if verdict.fault is None:
            return False
        known = self.faults.get(verdict.position.hash)
        return known is None or _RANKS[verdict.fault.value] > _RANKS[known]


def read_baseline(path: Path, rules: Rules) -> Baseline:
    """Read what `mnk verify --format json` wrote. Raises EngineError when it is something else, or of another game."""
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
        game = str(report["game"])
        faults = {int(fault["hash"]): str(fault["kind"]) for fault in report["faults"] if fault["kind"] in _RANKS}
        beaten = frozenset(side for side in "XO" if report[f"beaten_as_{side.lower()}"])
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise EngineError(
            f"{path} can't be read as a baseline ({error}); write one with `mnk verify ... --format json -o FILE`."
        ) from error
    if game != rules.name:
        raise EngineError(f"The baseline {path} is of {game}, not of {rules}; write one of this game.")
    return Baseline(path.name, faults, beaten)


@dataclass(frozen=True)
class Score:
    """The share of some positions in which an engine keeps the value."""

    positions: int
    kept: int
    """Those in which it keeps the value."""

    chance: float
    """The share that a player who moves at random can expect."""

    @property
    def share(self) -> float:
        """1 where there are no positions."""
        return self.kept / self.positions if self.positions else 1.0


SCORES: Final = {
    "all": "every position asked",
    "critical": "those in which some move makes the result worse",
}
"""The scores, each with the positions that count."""


_Z = 1.959964  # of the normal distribution, for 95 %
_PARTS = 10_000  # of a point


@dataclass(frozen=True)
class Findings:
    """Everything that was found out about one engine in one game."""

    rules: Rules
    engine: str
    convention: str
    notes: tuple[str, ...]
    scope: Scope

    verdicts: Sequence[Verdict]
    """One for each position asked."""

    groups: Sequence[BlunderGroup]
    """The blunders, those that are images of each other together."""

    refutations: Mapping[str, Refutation]
    """How it is beaten as `X` and as `O`, where that was tried."""

    repeat_command: tuple[str, str]
    """What to type before and after a position to ask it again."""

    told: tuple[str, ...] = ()
    """What of the convention was told from what."""

    others: tuple[str, ...] = ()
    """Conventions that are possible too, and were not graded."""

    readings: Sequence[ReadingResult] = ()
    """What it does by other readings that its form leaves open; they decide nothing."""

    helpers: Sequence[HelperCheck] = ()
    values: StatedValues | None = None
    repeat: int = 1
    seconds: float = 0.0
    began: datetime = field(default_factory=lambda: datetime.now(UTC))

    most_points: float = 100.0
    """The points of an engine that keeps the value everywhere."""

    graded: str = "all"
    """The key of SCORES that points are given for."""

    baseline: Baseline | None = None
    """What was known to be wrong before."""

    isolation: str = ""
    """How the engine was kept apart from all else."""

    asked_solver: tuple[str, ...] = ()
    """What the engine did to have this package answer in its place."""

    may_ask_solver: bool = False
    """True if it passes all the same."""

    @cached_property
    def faults(self) -> Counter[str]:
        """The number of positions with each kind of fault."""
        return Counter(verdict.fault.value for verdict in self.verdicts if verdict.fault)

    @property
    def positions(self) -> int:
        """The number of positions asked."""
        return len(self.verdicts)

    @property
    def blunders(self) -> int:
        """The number of moves that made the result worse."""
        return sum(self.faults[kind] for kind in Blunder)

    @property
    def failures(self) -> int:
        """The number of positions with another fault: no legal move, or a right one on a board that it changed."""
        return sum(self.faults[kind] for kind in Failure)

    @cached_property
    def missed_wins_in_one(self) -> int:
        """The number of positions where it could have won on the spot, and moved elsewhere."""
        return sum(verdict.missed_win_in_one for verdict in self.verdicts)

    @cached_property
    def slow_wins(self) -> int:
        """The number of positions where it kept a win, but not the shortest."""
        return sum(verdict.slow_win for verdict in self.verdicts)

    @cached_property
    def short_defences(self) -> int:
        """The number of positions where it was lost, and could have held out for longer."""
        return sum(verdict.short_defence for verdict in self.verdicts)

    @cached_property
    def unstable(self) -> int:
        """The number of positions where its answers differed."""
        return sum(verdict.unstable for verdict in self.verdicts)

    @cached_property
    def changed_boards(self) -> int:
        """The number of positions where it changed the board that it was given."""
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
        return self.scores["all"].share

    @cached_property
    def scores(self) -> Mapping[str, Score]:
        """Both scores, by their keys in SCORES.

        At random 58 % of the positions of 3,3,3 keep their value, but 40 % of the critical ones.
        """
        asked = {"all": self.verdicts, "critical": [verdict for verdict in self.verdicts if verdict.critical]}
        return {name: _count_kept(verdicts) for name, verdicts in asked.items()}

    @property
    def points(self) -> float:
        """The points for the score, of `most_points`; rounded down, so that all are given only for no fault."""
        return floor(self.most_points * self.scores[self.graded].share * _PARTS) / _PARTS

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % confidence interval of the score over all positions, of a sample only (Wilson 1927)."""
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
            wrong = [verdict for verdict in wrong if self.baseline.is_worse(verdict)]
        return tuple(sorted(wrong, key=_worst_first))

    @property
    def passed(self) -> bool:
        """True if it keeps the value everywhere or, with a baseline, is nowhere worse than that.

        A sample may miss what beats it, so being beaten in a game that is not lost anyway counts as well. An engine
        that has this package answer does not pass, unless it may.
        """
        if self.asked_solver and not self.may_ask_solver:
            return False
        known = self.baseline.beaten if self.baseline else frozenset()
        beaten = {side for side, found in self.refutations.items() if found.beaten and not found.lost_anyway}
        return not self.worse and beaten <= known

    @property
    def exit_code(self) -> int:
        """The exit code of `mnk verify`: 0 if it passes, else 1."""
        return 0 if self.passed else 1

    def command(self, verdict: Verdict) -> str:
        """Return what to type to see a verdict again."""
        before, after = self.repeat_command
        return f"{before}{verdict.position.board}{after}"


@dataclass(frozen=True)
class Unverified:
    """An engine of which nothing was found out."""

    game: str
    engine: str

    message: str
    """One sentence: what was wrong, what was expected, what to do."""

    kind: str
    """The class of the error."""

    most_points: float
    seconds: float
    began: datetime

    @property
    def headline(self) -> str:
        """The result in one line."""
        return f"{self.engine} on {self.game}: could not be verified"


def _count_kept(verdicts: Sequence[Verdict]) -> Score:
    kept = sum(verdict.fault is None for verdict in verdicts)
    chance = float(sum(verdict.chance for verdict in verdicts) / max(len(verdicts), 1))
    return Score(len(verdicts), kept, chance)


def _worst_first(verdict: Verdict) -> tuple[int, int, int]:
    if verdict.fault is None:
        raise AssertionError("only faults are sorted")
    return -SEVERITY.index(verdict.fault), verdict.position.ply, verdict.position.hash
