"""The results of grading an engine, or the reason why nothing was graded."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fractions import Fraction
from functools import cached_property
from math import floor, isfinite, nan
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from solver.engines.results import wilson_interval
from solver.errors import EngineError, GraderError, MissingExtra, NotStarted, StorageError, TableError, in_one_line
from solver.game.rules import Rules
from solver.verification.answer import Failure
from solver.verification.grade import SEVERITY, BlunderGroup, Verdict
from solver.verification.positions import Scope
from solver.verification.refutation import Refutation

_RANKS = {str(kind): rank for rank, kind in enumerate(SEVERITY)}


@dataclass(frozen=True)
class Baseline:
    """The faults in an earlier report."""

    name: str  #: The file of the report.
    faults: Mapping[int, str]  #: The kind of fault by the hash of the position.
    beaten: frozenset[str]  #: The sides `X`, `O` that were beaten.
    sample: int | None = None  #: The number of positions asked, if they were a sample.
    seed: int | None = None  #: The seed of the sample.

    @staticmethod
    def read(path: Path, rules: Rules) -> "Baseline":
        """Read a report in JSON. Raises GraderError if the file is not a report on this game."""
        try:
            report = json.loads(path.read_text(encoding="utf-8"))
            game = str(report["game"])
            faults = {int(fault["hash"]): str(fault["kind"]) for fault in report["faults"] if fault["kind"] in _RANKS}
            beaten = frozenset(side for side in "XO" if report["play"].get(side, {}).get("beaten"))
            is_sample, seed = report["scope"]["kind"] == "sample", report["scope"]["seed"]
            sample = int(report["positions"]) if is_sample and not report["scope"]["is_cut"] else None
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            raise GraderError(
                f"{path} can't be read as a baseline ({error}); write one with `mnk verify ... --report json`."
            ) from error
        if game != rules.name:
            raise GraderError(f"The baseline {path} is of {game}, not of {rules}; write one of this game.")
        return Baseline(path.name, faults, beaten, sample, int(seed) if is_sample else None)

    def knows(self, verdict: Verdict) -> bool:
        """Return True if the baseline has the same or a worse fault in the verdict's position."""
        known = self.faults.get(verdict.position.hash)
        return known is not None and _RANKS[str(verdict.fault)] <= _RANKS[known]


class StatedValues(NamedTuple):
    """The values that an engine states, compared with the true results."""

    positions: int  #: The number of stated values.
    disagreeing: tuple[Verdict, ...]  #: Those in positions with another result.
    scale: str  #: `-1 to 1`, `0 to 1` or `by sign`.
    for_x: bool = False  #: True if some disagree, but all would agree if they were for X instead of the side to move.

    @property
    def agreeing(self) -> int:
        """The number of stated values that mean the true result."""
        return self.positions - len(self.disagreeing)


@dataclass(frozen=True)
class Findings:
    """The results of grading one engine in one game."""

    rules: Rules
    """The rules of the game."""
    engine: str
    """The name of the engine."""
    convention: str
    """The forms in which the engine takes a board and returns a move, in words."""
    isolation: str
    """The means that keep the engine apart from the grader, in words; may be empty."""
    notes: tuple[str, ...]
    """Remarks on the run, such as that time ran out."""
    scope: Scope
    """The choice of positions: `scope.kind` is `all`, `sample` or `given`."""
    verdicts: Sequence[Verdict]
    """A verdict for each position played."""
    groups: Sequence[BlunderGroup]
    """The blunders, grouped by kind and up to symmetry; the worst kind comes first."""
    refutations: Mapping[str, Refutation]
    """The results of trying to beat the engine as `X` and as `O`; `beaten` is True if it can be beaten."""
    command: tuple[str, str]
    """The command that repeats a verdict, in two parts: before and after the board, which needs no quotation marks."""
    seconds: float = 0.0
    """The time that the verification took, in seconds."""
    began: datetime = field(default_factory=lambda: datetime.now(UTC))
    """The time at which the verification began, in UTC."""
    most_points: float = 100.0
    """The points of a full score."""
    baseline: Baseline | None = None
    """The faults in an earlier report, which do not count; None for no such report."""

    @cached_property
    def counts(self) -> Counter[str]:
        """The number of positions with each kind of fault, `missed_win_in_one`, `slow_win` or `short_defence`."""
        found = Counter(str(one.fault) for one in self.verdicts if one.fault)
        found.update(one.inaccuracy for one in self.verdicts if one.inaccuracy)
        found["missed_win_in_one"] = sum(one.missed_win_in_one for one in self.verdicts)
        return found

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.rules.name

    @cached_property
    def values(self) -> StatedValues | None:
        """The engine's stated values for the side to move, compared with the truth; None if the engine states none.

        If all numbers are from 0 to 1, and some strictly between, they are probabilities of winning. Otherwise, if all
        are from -1 to 1, each means the nearest of win, draw and loss. Otherwise, the sign decides.
        """
        stated = [(one, one.value.wdl, one.answer.value) for one in self.verdicts if one.value]
        found = [(one, true, value) for one, true, value in stated if value is not None and isfinite(value)]
        if not found:
            return None
        numbers = [value for _, _, value in found]
        least, most = min(numbers), max(numbers)
        scale, middle, bar = ("-1 to 1", 0.0, 0.5) if least >= -1 and most <= 1 else ("by sign", 0.0, 0.0)
        if least >= 0 and most <= 1 and any(0 < value < 1 for value in numbers):
            scale, middle, bar = "0 to 1", 0.5, 0.25
        said = [(one, true, (value > middle + bar) - (value < middle - bar)) for one, true, value in found]
        disagreeing = tuple(one for one, true, wdl in said if wdl != true)
        fits_x = all(wdl == true * (1 if one.position.to_move == "X" else -1) for one, true, wdl in said)
        return StatedValues(len(found), disagreeing, scale, bool(disagreeing) and fits_x)

    @cached_property
    def wrong(self) -> int:
        """The number of positions with a fault."""
        return sum(one.fault is not None for one in self.verdicts)

    @property
    def is_fastest(self) -> bool | None:
        """The second grade: True if the engine wins as soon and loses as late as possible; None without distances.

        It counts the inaccuracies that the known values prove (`Verdict.inaccuracy`).
        """
        known = [verdict.value for verdict in self.verdicts if verdict.value]
        if any(value.wdl and value.distance is None for value in known):
            return None
        return not (self.wrong or self.counts["slow_win"] or self.counts["short_defence"])

    @property
    def takes_wins_in_one(self) -> bool:
        """The third grade: True if the engine never misses a win in one and always gives a legal move."""
        return not self.counts["missed_win_in_one"] and not any(self.counts[kind] for kind in Failure)

    @cached_property
    def perfect_side(self) -> str | None:
        """The only side that the engine plays without fault or defeat; None if this holds for both sides or neither."""
        wrong: set[str] = {verdict.position.to_move for verdict in self.verdicts if verdict.fault}
        wrong |= {side for side, found in self.refutations.items() if found.beaten and not found.lost_anyway}
        asked: set[str] = {verdict.position.to_move for verdict in self.verdicts}
        return (asked - wrong).pop() if self.wrong and len(wrong) == 1 and len(asked) == 2 else None

    @cached_property
    def counted(self) -> Sequence[Verdict]:
        """The verdicts that count towards the score: those in critical positions, and those with a fault."""
        return [verdict for verdict in self.verdicts if verdict.critical or verdict.fault]

    @property
    def score(self) -> float:
        """The share of the counted positions in which the engine keeps the value; NaN if none counts."""
        return 1 - self.wrong / len(self.counted) if self.counted else nan

    @property
    def chance(self) -> float:
        """The score that a random player can expect."""
        chances = [verdict.chance for verdict in self.verdicts if verdict.critical]
        return sum(chances) / max(len(chances), 1)

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95 % confidence interval (1927) for the score over all positions; None if all were played."""
        is_sample = self.scope.kind == "sample" and self.counted
        return wilson_interval(self.score, len(self.counted)) if is_sample else None

    @property
    def points(self) -> float:
        """The points for the score, rounded down; NaN without a score."""
        if not self.counted:
            return nan
        right = len(self.counted) - self.wrong
        return floor(Fraction(str(self.most_points)) * right * 10_000 / len(self.counted)) / 10_000

    @property
    def worse(self) -> tuple[Verdict, ...]:
        """The faults that are worse than in the baseline (without a baseline, all faults), the worst kind first."""
        wrong = [one for one in self.verdicts if one.fault and not (self.baseline and self.baseline.knows(one))]
        return tuple(sorted(wrong, key=lambda one: (-_RANKS[str(one.fault)], one.position.ply, one.position.hash)))

    @property
    def passed(self) -> bool:
        """True if the engine keeps the value everywhere or, with a baseline, if nothing is worse than in the baseline.

        A sample may miss mistakes, so the engine also fails if it loses a game that it could have drawn or won.
        """
        known = self.baseline.beaten if self.baseline else frozenset()
        beaten = {side for side, found in self.refutations.items() if found.beaten and not found.lost_anyway}
        return not self.worse and beaten <= known

    @property
    def in_python(self) -> bool:
        """True if the command is a call in Python, false if it is for a shell."""
        return bool(self.command[1])

    def command_for(self, verdict: Verdict) -> str:
        """Return the command that reproduces a verdict."""
        before, after = self.command
        return f"{before}{verdict.position.board}{after}"


@dataclass(frozen=True)
class NotGraded:
    """The reason why an engine was not graded."""

    game: str
    engine: str
    message: str  # the message: what was wrong, what was expected, what to do
    kind: str  # the class of the error
    is_engines_fault: bool  # true if the engine can't be loaded or called
    most_points: float = 100.0
    seconds: float = 0.0
    began: datetime = field(default_factory=lambda: datetime.now(UTC))
    is_graders_fault: bool = False  # true if the grader failed; if neither is true, the teacher decides
    positions: int = 0  # the number of positions asked
    passed: ClassVar[bool] = False

    @staticmethod
    def after(error: BaseException, message: str, game: str, engine: str, **more: Any) -> "NotGraded":
        """Return the reason why an error has ended the grading. more: other fields."""
        kind = type(error).__name__
        return NotGraded(
            game,
            in_one_line(engine),
            message or kind,
            kind,
            isinstance(error, EngineError),
            is_graders_fault=isinstance(error, NotStarted | TableError | StorageError | MissingExtra),
            positions=error.positions if isinstance(error, EngineError | GraderError) else 0,
            **more,
        )

    @property
    def points(self) -> float | None:
        """0 if the engine failed; None if the grader did, or if the teacher decides."""
        return 0.0 if self.is_engines_fault else None
