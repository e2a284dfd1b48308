"""Grade an engine as it would be by the other readings that its form leaves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from solver.game.position import Position
from solver.support.english import plural
from solver.tablebase import Prober
from solver.verification.contract import NOT_IN_TIME, Reading
from solver.verification.grade import Verdict, judge


@dataclass(frozen=True)
class ReadingResult:
    """What an engine does by one reading."""

    condition: str
    """What would have to be."""
    positions: int
    """Positions in which it would have to move."""
    wrong: int
    """Those where it gives the result away, or has no legal move."""
    missed_win_in_one: int

    def __str__(self) -> str:
        found = f"{self.wrong:,} of {plural(self.positions, 'position')} wrong"
        missed = f", {self.missed_win_in_one:,} wins in one missed" if self.missed_win_in_one else ""
        return f"if {self.condition}: {found}{missed}"


def grade_readings(readings: Sequence[Reading], verdicts: Sequence[Verdict], truth: Prober) -> list[ReadingResult]:
    """Grade each reading in the positions of the verdicts; only what would be asked otherwise is asked.

    An engine without a fault as it stands is graded so only: nothing could be better.
    """
    known = {verdict.position: verdict for verdict in verdicts}
    return [_grade(reading, known, truth) for reading in readings if any(verdict.fault for verdict in verdicts)]


def _grade(reading: Reading, known: Mapping[Position, Verdict], truth: Prober) -> ReadingResult:
    asked = [position for position in known if position.to_move in reading.sides]
    new = [position for position in asked if position.to_move in reading.anew]
    answered = [pair for pair in zip(new, reading.ask(new), strict=True) if pair[1].detail != NOT_IN_TIME]
    found = [judge(truth, position, (answer,)) for position, answer in answered]
    verdicts = [*found, *(known[position] for position in asked if position.to_move not in reading.anew)]
    wrong = sum(verdict.fault is not None for verdict in verdicts)
    return ReadingResult(
        reading.condition, len(verdicts), wrong, sum(verdict.missed_win_in_one for verdict in verdicts)
    )
