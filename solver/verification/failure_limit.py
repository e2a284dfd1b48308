"""Stop asking an engine that does not answer: one that hangs on every question must not take all day."""

__all__ = ["NOT_ASKED", "FailureLimit"]

NOT_ASKED = "not asked: too many questions before it had no answer"
"""The detail of an answer to a question that was not put."""


class FailureLimit:
    """Count the questions in a row that were lost to time-outs and crashes, up to a limit."""

    def __init__(self, most: int) -> None:
        self.most = most
        """The limit; 0 for none."""
        self.is_reached = False
        """True once nothing more is to be asked. It stays so."""
        self.skipped = 0
        """Questions that were not put since."""
        self._lost = 0

    def record(self, answered: bool) -> None:
        """Record one question that was put."""
        self._lost = 0 if answered else self._lost + 1
        self.is_reached = self.is_reached or 0 < self.most <= self._lost

    def notes(self) -> tuple[str, ...]:
        """Return a note that the rest was not asked, if so."""
        if not self.skipped:
            return ()
        return (
            f"gave up after {self.most:,} questions in a row without an answer; "
            f"the {self.skipped:,} not asked count as time-outs (--give-up sets the limit)",
        )
