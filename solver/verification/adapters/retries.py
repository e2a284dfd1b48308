"""Ask questions that were lost to time once more, each alone, before they count: the machine may have been busy."""

from collections.abc import Callable
from time import monotonic
from typing import Final

from solver.support.english import plural
from solver.verification.contract import NOT_ASKED, NOT_IN_TIME, Answer, Failure

MOST_LOST: Final = 3
"""Time-outs in a row, when asked again, after which no more are asked again: time was not by chance too short."""


class Retries:
    """The questions to one engine that were put again."""

    def __init__(self) -> None:
        self._lost = 0
        self._saved = 0

    def ask(self, answers: list[Answer], put: Callable[[int], Answer], until: float) -> None:
        """Replace the answers that came too late by those that come when the question is put again.

        put: puts the question of this number. until: no question is begun after it (a time of `monotonic`).
        """
        for place, answer in enumerate(answers):
            if self._lost >= MOST_LOST or monotonic() > until:
                return
            if answer.failure is not Failure.TIMEOUT or answer.detail in {NOT_ASKED, NOT_IN_TIME}:
                continue
            again = put(place)
            is_lost = again.failure is Failure.TIMEOUT
            self._lost = self._lost + 1 if is_lost else 0
            self._saved += not is_lost
            if not is_lost:
                answers[place] = again

    def notes(self) -> tuple[str, ...]:
        """Return a note of how many answers came in time only then."""
        if not self._saved:
            return ()
        return (f"{plural(self._saved, 'answer')} came in time only when asked again, with nothing else going on",)
