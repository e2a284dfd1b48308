"""Keep why an engine could not be verified, for reports that are written all the same."""

from dataclasses import dataclass
from datetime import datetime


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
