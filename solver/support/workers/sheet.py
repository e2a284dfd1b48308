"""Memory that a worker shares with its pool, which sees what is noted there though the worker be stuck."""

from collections.abc import Sequence
from multiprocessing.sharedctypes import RawArray
from time import monotonic
from typing import Any

_DUE, _JOB, _NOTED, _NOTES = 0, 1, 2, 3  # the cells of a sheet; the notes follow each other


class Sheet:
    """The number of a worker's job, when the answer is due, and notes of the job.

    The pool sees what is written at once, also while the worker is stuck in compiled code.
    """

    def __init__(self, notes: int = 0) -> None:
        self._cells: Any = RawArray("d", _NOTES + notes)
        self.job = -1

    @property
    def job(self) -> int:
        """The number of the job; -1 before the first."""
        return int(self._cells[_JOB])

    @job.setter
    def job(self, number: int) -> None:
        self._cells[_JOB] = number

    @property
    def notes(self) -> list[int]:
        """The numbers that were noted last."""
        return [int(note) for note in self._cells[_NOTES : _NOTES + int(self._cells[_NOTED])]]

    @notes.setter
    def notes(self, notes: Sequence[int]) -> None:
        self._cells[_NOTED] = len(notes)
        self._cells[_NOTES : _NOTES + len(notes)] = notes

    def expect(self, seconds: float | None) -> None:
        """Note that an answer is due in so many seconds; None: whenever it comes."""
        self._cells[_DUE] = 0 if seconds is None else monotonic() + seconds

    def is_late(self, grace: float = 0) -> bool:
        """Whether an answer is overdue by so many seconds."""
        due: float = self._cells[_DUE]
        return 0 < due < monotonic() - grace
