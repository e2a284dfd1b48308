"""How long a subject is asked that does not answer: an engine that hangs on every question must not take all day."""

__all__ = ["NOT_ASKED", "Patience"]

NOT_ASKED = "not asked: too many questions before it had no answer"
"""The detail of an answer to a question that was not put."""


class Patience:
    """Counts the questions in a row that were lost to time-outs and crashes; over after `most` of them (0: never).

    skipped: how many questions were then not put.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.skipped = 0
        self._lost = 0
        self._over = False

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to be asked. It stays so."""
        return self._over

    def note(self, answered: bool) -> None:
        """Take notice of one question that was put."""
        self._lost = 0 if answered else self._lost + 1
        self._over = self._over or 0 < self.most <= self._lost

    @property
    def words(self) -> tuple[str, ...]:
        """What a person should know of it: nothing, or that the rest was not asked."""
        if not self.skipped:
            return ()
        return (
            f"gave up after {self.most:,} questions in a row without an answer; "
            f"the {self.skipped:,} not asked count as time-outs (--give-up sets the limit)",
        )
